use super::*;
use crate::base::Code;
use crate::checksum::md5;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};

fn servers(threads: usize) -> Servers {
    Servers::new(&Options { threads, ..Options::default() }).unwrap()
}

/// A shared block in pieces of 1000 bytes.
struct Pieces {
    block: Arc<Vec<u8>>,
    start: usize,
    len: usize,
}

impl Message for Pieces {
    fn piece(&self, index: usize) -> Option<&[u8]> {
        let at = index * 1000;
        (at < self.len).then(|| &self.block[self.start + at..self.start + self.len.min(at + 1000)])
    }
}

#[test]
fn submit_from_many_threads_gives_each_message_its_digest() {
    let block: Arc<Vec<u8>> = Arc::new((0..40_000u32).map(|i| ((i * i) >> 3) as u8).collect());
    for count in [1, 2, 3] {
        let servers = servers(count);
        assert_eq!(servers.threads(), count);
        let (tell, told) = mpsc::channel();
        std::thread::scope(|scope| {
            for thread in 0..4usize {
                let (servers, block, tell) = (&servers, Arc::clone(&block), tell.clone());
                scope.spawn(move || {
                    for i in 0..200 {
                        let (start, len) = (thread * 1000 + i, (i * 137 + thread) % 9000);
                        let message = Pieces { block: Arc::clone(&block), start, len };
                        let tell = tell.clone();
                        servers.submit(task(message, move |digest| {
                            tell.send((start, len, digest.unwrap())).unwrap();
                        }));
                    }
                });
            }
        });
        drop(tell);
        let mut seen = 0;
        for (start, len, digest) in told {
            assert_eq!(digest, md5(&block[start..start + len]));
            seen += 1;
        }
        assert_eq!(seen, 800);
        drop(servers);
        assert_eq!(Arc::strong_count(&block), 1, "every handle came back");
    }
}

#[test]
fn drop_finishes_what_was_submitted() {
    let done = Arc::new(AtomicUsize::new(0));
    let servers = servers(2);
    let tasks = (0..500).map(|i| {
        let done = Arc::clone(&done);
        task(vec![i as u8; i * 7], move |digest| {
            assert!(digest.is_ok());
            done.fetch_add(1, Ordering::Relaxed);
        })
    });
    servers.submit_many(tasks);
    drop(servers);
    assert_eq!(done.load(Ordering::Relaxed), 500);
}

#[test]
fn block_is_released_before_its_waiter_is_told() {
    let servers = servers(1);
    for _ in 0..100 {
        let block = Arc::new(vec![1; 4000]);
        let weak = Arc::downgrade(&block);
        let (tell, told) = mpsc::channel();
        struct Shared(Arc<Vec<u8>>);
        impl Message for Shared {
            fn piece(&self, index: usize) -> Option<&[u8]> {
                (index == 0).then(|| &self.0[..])
            }
        }
        servers.submit(task(Shared(block), move |_| tell.send(weak.strong_count()).unwrap()));
        assert_eq!(told.recv().unwrap(), 0);
    }
}

#[test]
fn idle_servers_wake_for_each_new_message() {
    let servers = servers(2);
    for i in 0..2000 {
        let (tell, told) = mpsc::channel();
        servers.submit(task(vec![7; i % 300], move |digest| tell.send(digest.unwrap()).unwrap()));
        assert_eq!(told.recv().unwrap(), md5(&vec![7; i % 300]));
    }
}

#[test]
fn done_may_submit_and_may_drop_the_last_owner() {
    let owner = Arc::new(Mutex::new(Some(servers(2))));
    let (tell, told) = mpsc::channel();
    let inner = Arc::clone(&owner);
    let again = task(b"first".to_vec(), move |_| {
        let held = inner.lock().unwrap().take().unwrap();
        let tell = tell.clone();
        held.submit(task(b"second".to_vec(), move |d| tell.send(d.unwrap()).unwrap()));
        drop(held);
    });
    owner.lock().unwrap().as_ref().unwrap().submit(again);
    assert_eq!(told.recv().unwrap(), md5(b"second"));
}

#[test]
fn panic_in_a_receiver_harms_nobody_else() {
    let servers = servers(1);
    let (tell, told) = mpsc::channel();
    for i in 0..20 {
        let tell = tell.clone();
        servers.submit(task(vec![0; i], move |digest| {
            assert!(i % 5 != 0, "planted");
            tell.send((i, digest.unwrap())).unwrap();
        }));
    }
    drop(tell);
    let told: Vec<_> = told.iter().collect();
    assert_eq!(told.len(), 16);
    assert!(told.iter().all(|(i, digest)| *digest == md5(&vec![0; *i])));
}

#[test]
fn message_that_shrinks_fails_and_the_server_lives_on() {
    /// Breaks its promise: shorter after some looks.
    struct Shrinking(AtomicUsize, usize);
    impl Message for Shrinking {
        fn piece(&self, index: usize) -> Option<&[u8]> {
            let looks = self.0.fetch_add(1, Ordering::Relaxed);
            let len = if looks < self.1 { 1000 } else { 960 };
            (index == 0).then(|| &[0; 1000][..len])
        }
    }
    let servers = servers(1);
    let (tell, told) = mpsc::channel();
    // Looks one and two measure the message; later ones hash it.
    for looks in 2..4 {
        let tell = tell.clone();
        let message = Shrinking(AtomicUsize::new(0), looks);
        servers.submit(task(message, move |d| tell.send(d).unwrap()));
        let code = told.recv().unwrap().map_err(|e| e.code);
        assert_eq!(code, Err(Code::S3_INTERNAL_ERROR), "{looks}");
    }
    /// Worse: panics when asked.
    struct Bad;
    impl Message for Bad {
        fn piece(&self, _: usize) -> Option<&[u8]> {
            panic!("planted")
        }
    }
    let again = tell.clone();
    servers.submit(task(Bad, move |d| again.send(d).unwrap()));
    assert!(told.recv().unwrap().is_err());
    servers.submit(task(b"abc".to_vec(), move |d| tell.send(d).unwrap()));
    assert_eq!(told.recv().unwrap().ok(), Some(md5(b"abc")));
}

#[test]
fn servers_in_a_forked_child_refuse_and_do_not_wait() {
    let servers = servers(2);
    let (tell, told) = mpsc::channel();
    servers.submit(task(b"abc".to_vec(), move |d| tell.send(d).unwrap()));
    assert!(told.recv().unwrap().is_ok());
    // Nothing that another thread may have locked when the child split off.
    let refused = Arc::new(AtomicUsize::new(0));
    let child = crate::sys::testing::in_child(move || {
        let count = Arc::clone(&refused);
        servers.submit(task(b"abc".to_vec(), move |d| {
            count.fetch_add(usize::from(d.is_err()), Ordering::Relaxed);
        }));
        drop(servers);
        refused.load(Ordering::Relaxed) as i32
    });
    assert_eq!(child, Some(1));
}
