//! A lane server kept full by a closed loop: every digest submits the next buffer, from the
//! server's own thread, so that all it costs is on that thread's clock.

use crate::data::Buffers;
use crate::measure::thread_cpu;
use s3fast::checksum::Md5Engine;
use s3fast::hashing::{Options, Servers, task};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::time::Duration;

pub struct Loop {
    servers: Arc<Servers>,
}

struct Run {
    servers: Arc<Servers>,
    buffers: Arc<Buffers>,
    ended: AtomicUsize,
    /// Digests before the clock starts, and when it stops.
    warm: usize,
    stop: usize,
    clock: Mutex<(Duration, Duration)>,
    finished: mpsc::Sender<()>,
}

impl Loop {
    pub fn new(engine: &'static Md5Engine) -> Loop {
        let options = Options { threads: 1, engine: Some(engine), ..Options::default() };
        Loop { servers: Arc::new(Servers::new(&options).expect("a thread can be started")) }
    }

    /// MB per second of the server's CPU time, hashing at least `least` bytes.
    pub fn burst(&self, buffers: &Arc<Buffers>, size: usize, least: usize) -> f64 {
        let lanes = self.servers.lanes();
        let generations = least.div_ceil(size * lanes).max(4);
        let (finished, wait) = mpsc::channel();
        let run = Arc::new(Run {
            servers: Arc::clone(&self.servers),
            buffers: Arc::clone(buffers),
            ended: AtomicUsize::new(0),
            warm: lanes,
            stop: lanes * (1 + generations),
            clock: Mutex::default(),
            finished,
        });
        let first = (0..lanes).map(|lane| {
            let again = Arc::clone(&run);
            task(buffers.handle(lane), move |digest| next(&again, lane, digest.is_ok()))
        });
        self.servers.submit_many(first.collect::<Vec<_>>());
        for _ in 0..lanes {
            wait.recv().expect("every lane says when it ends");
        }
        let (start, stop) = *run.clock.lock().expect("no panic under the lock");
        (generations * lanes * size) as f64 / (stop - start).as_secs_f64() / 1e6
    }
}

fn next(run: &Arc<Run>, lane: usize, ok: bool) {
    assert!(ok, "the server failed");
    let ended = run.ended.fetch_add(1, Ordering::Relaxed) + 1;
    if ended == run.warm || ended == run.stop {
        let mut clock = run.clock.lock().expect("no panic under the lock");
        *(if ended == run.warm { &mut clock.0 } else { &mut clock.1 }) = thread_cpu();
    }
    if ended > run.stop - run.servers.lanes() {
        run.finished.send(()).expect("the caller waits for every lane");
        return;
    }
    let again = Arc::clone(run);
    let then = move |digest: s3fast::base::Result<_>| next(&again, lane, digest.is_ok());
    run.servers.submit(task(run.buffers.handle(lane), then));
}
