use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Barrier, Mutex};

use super::*;
use crate::base::Duration;
use crate::sys::clock;
use crate::sys::hooks::{Call, Hooks, Verdict, install};
use crate::sys::testing::{end_this_thread, eventually, in_child, threads_named};

fn pool(name: &str) -> Pool {
    Pool::new(PoolOptions { name: name.to_owned(), ..PoolOptions::default() }).unwrap()
}

/// Work that is nobody's to catch.
struct Raw<F>(F);

impl<F: FnMut() + Send> Work for Raw<F> {
    fn run(&mut self) {
        (self.0)();
    }
}

fn raw(f: impl FnMut() + Send + 'static) -> Box<dyn Work> {
    Box::new(Raw(f))
}

fn end(pool: &Pool) -> bool {
    let told = Arc::new(AtomicBool::new(false));
    let tell = told.clone();
    pool.shut_down(Box::new(move || tell.store(true, Ordering::SeqCst)));
    eventually(10, || told.load(Ordering::SeqCst))
}

#[test]
fn eight_queues_of_ten_thousand_jobs_each_run_in_order_and_one_at_a_time() {
    for threads_base in [1, 4] {
        let name = "serial".to_owned();
        let pool = Pool::new(PoolOptions { name, threads_base, ..PoolOptions::default() }).unwrap();
        let logs: Vec<_> = (0..8).map(|_| Arc::new(Mutex::new(Vec::new()))).collect();
        std::thread::scope(|scope| {
            for log in &logs {
                let queue = pool.queue();
                scope.spawn(move || {
                    for i in 0..10_000u32 {
                        let log = log.clone();
                        assert!(queue.push(job(move || {
                            log.try_lock().expect("two jobs of one queue at a time").push(i);
                        })));
                    }
                });
            }
        });
        assert!(end(&pool));
        let all: Vec<u32> = (0..10_000).collect();
        assert!(logs.iter().all(|log| *log.lock().unwrap() == all));
    }
}

#[test]
fn one_thread_does_it_while_no_job_is_stuck() {
    let pool = pool("lean");
    let ran = Arc::new(AtomicUsize::new(0));
    let queues: Vec<_> = (0..20).map(|_| pool.queue()).collect();
    for _ in 0..50 {
        for queue in &queues {
            let ran = ran.clone();
            queue.push(job(move || {
                ran.fetch_add(1, Ordering::SeqCst);
            }));
        }
    }
    assert!(eventually(5, || ran.load(Ordering::SeqCst) == 1000));
    // The worker, and the standby that watched.
    assert!(pool.threads() <= 2, "{}", pool.threads());
    assert!(end(&pool));
}

#[test]
fn pool_grows_while_jobs_wait_for_other_jobs() {
    let pool = pool("grows");
    let last = Arc::new(AtomicUsize::new(0));
    // Each job starts the next one, on a queue of its own, and waits for it.
    fn nest(pool: Pool, depth: usize, last: Arc<AtomicUsize>) {
        last.fetch_max(depth, Ordering::SeqCst);
        if depth == 20 {
            return;
        }
        let (tx, rx) = channel();
        let inner = pool.clone();
        pool.queue().push(job(move || {
            nest(inner, depth + 1, last);
            tx.send(()).unwrap();
        }));
        rx.recv_timeout(Duration::from_secs(10)).unwrap();
    }
    let from = clock::now();
    let (inner, seen, (tx, rx)) = (pool.clone(), last.clone(), channel());
    pool.queue().push(job(move || {
        nest(inner, 0, seen);
        tx.send(()).unwrap();
    }));
    rx.recv_timeout(Duration::from_secs(10)).unwrap();
    assert_eq!(last.load(Ordering::SeqCst), 20);
    assert!(clock::now().since(from) < Duration::from_secs(5));
    assert!(pool.threads() >= 21 && pool.threads() <= 23, "{}", pool.threads());
    assert!(end(&pool));
}

#[test]
fn stuck_job_is_noticed_without_a_new_push() {
    let pool = pool("stuck");
    let gate = Arc::new(Barrier::new(2));
    let (tx, rx) = channel();
    let waits = gate.clone();
    pool.queue().push(job(move || {
        waits.wait();
    }));
    pool.queue().push(job(move || tx.send(clock::now()).unwrap()));
    let pushed = clock::now();
    let ran = rx.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(ran.since(pushed) < Duration::from_millis(500));
    gate.wait();
    assert!(end(&pool));
}

#[test]
fn bound_holds_and_everything_runs_in_the_end() {
    let name = "bound".to_owned();
    let pool = Pool::new(PoolOptions { name, threads_max: 4, ..PoolOptions::default() }).unwrap();
    let open = Arc::new(AtomicBool::new(false));
    let ran = Arc::new(AtomicUsize::new(0));
    for _ in 0..12 {
        let (open, ran) = (open.clone(), ran.clone());
        pool.queue().push(job(move || {
            assert!(eventually(10, || open.load(Ordering::SeqCst)));
            ran.fetch_add(1, Ordering::SeqCst);
        }));
    }
    assert!(eventually(5, || pool.threads() == 4));
    std::thread::sleep(Duration::from_millis(60));
    assert_eq!((pool.threads(), threads_named("bound")), (4, 4));
    open.store(true, Ordering::SeqCst);
    assert!(eventually(5, || ran.load(Ordering::SeqCst) == 12));
    assert!(end(&pool));
    assert_eq!(threads_named("bound"), 0);
}

#[test]
fn idle_threads_end_and_one_stays() {
    let name = "ages".to_owned();
    let idle_after = Duration::from_millis(50);
    let options = PoolOptions { name, threads_base: 6, idle_after, ..PoolOptions::default() };
    let pool = Pool::new(options).unwrap();
    let gate = Arc::new(Barrier::new(6));
    let (tx, rx) = channel();
    for _ in 0..6 {
        let (gate, inner, tx) = (gate.clone(), pool.clone(), tx.clone());
        pool.spawn(job(move || {
            gate.wait();
            tx.send(inner.threads()).unwrap();
        }));
    }
    assert_eq!(rx.recv_timeout(Duration::from_secs(5)), Ok(6));
    assert!(eventually(5, || pool.threads() == 1));
    let (tx, rx) = channel();
    pool.spawn(job(move || tx.send(()).unwrap()));
    rx.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(end(&pool));
}

struct Drops(Arc<AtomicUsize>);

impl Drop for Drops {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn job_that_ends_its_thread_takes_nothing_else_away() {
    let pool = pool("exits");
    let queue = pool.queue();
    let log = Arc::new(Mutex::new(Vec::new()));
    let drops = Arc::new(AtomicUsize::new(0));
    for i in 0..100 {
        let (log, owned) = (log.clone(), Drops(drops.clone()));
        queue.push(raw(move || {
            let _ = &owned;
            log.lock().unwrap().push(i);
            if i % 10 == 3 {
                end_this_thread();
            }
        }));
    }
    assert!(eventually(10, || log.lock().unwrap().len() == 100));
    assert_eq!(*log.lock().unwrap(), (0..100).collect::<Vec<_>>());
    // Also the last thread of a pool that is ending.
    queue.push(raw(|| end_this_thread()));
    let (tx, rx) = channel();
    queue.push(job(move || tx.send(()).unwrap()));
    assert!(end(&pool));
    rx.try_recv().unwrap();
    assert_eq!(drops.load(Ordering::SeqCst), 100);
    assert_eq!(threads_named("exits"), 0);
}

#[test]
fn panic_in_a_job_of_ours_is_caught() {
    let pool = pool("panics");
    let queue = pool.queue();
    queue.push(job(|| panic!("planted")));
    let (tx, rx) = channel();
    queue.push(job(move || tx.send(()).unwrap()));
    rx.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(end(&pool));
}

#[test]
fn shutdown_from_a_job_runs_what_was_pushed_and_is_reaped_elsewhere() {
    let pool = pool("own-end");
    let (tx, rx) = channel();
    let (inner, tell) = (pool.clone(), tx.clone());
    let queue = pool.queue();
    let own = queue.clone();
    queue.push(job(move || {
        let pushed = tell.clone();
        inner.shut_down(Box::new(move || tell.send((2, threads_named("own-end"))).unwrap()));
        // The pool still takes what its own jobs push.
        assert!(own.push(job(move || pushed.send((1, 0)).unwrap())));
    }));
    drop(pool);
    assert_eq!(rx.recv_timeout(Duration::from_secs(5)).unwrap().0, 1);
    assert_eq!(rx.recv_timeout(Duration::from_secs(5)).unwrap(), (2, 0));
    assert!(!queue.push(job(|| panic!("ran on a pool that has ended"))));
    assert_eq!(queue.waiting(), 0);
}

#[test]
fn shutdown_while_work_waits_wakes_every_sleeper() {
    let idle_after = Duration::from_secs(3600);
    for _ in 0..50 {
        let (name, threads_base) = ("sleepers".to_owned(), 4);
        let options = PoolOptions { name, threads_base, idle_after, ..PoolOptions::default() };
        let pool = Pool::new(options).unwrap();
        let (first, all) = (pool.queue(), Arc::new(Barrier::new(4)));
        for _ in 0..4 {
            let all = all.clone();
            pool.spawn(job(move || {
                all.wait();
            }));
        }
        // Three threads sleep, or soon will, while the fourth has a queue and others wait.
        for queue in [&first, &pool.queue(), &pool.queue()] {
            for _ in 0..40 {
                queue.push(job(std::thread::yield_now));
            }
        }
        assert!(end(&pool));
    }
}

#[test]
fn shutdown_twice_tells_twice_and_a_dropped_pool_ends() {
    let pool = pool("twice");
    assert!(end(&pool));
    assert!(end(&pool));
    let dropped = self::pool("dropped");
    drop(dropped);
    assert!(eventually(5, || threads_named("dropped") == 0));
}

#[test]
fn shutdown_without_a_thread_to_spare_still_tells() {
    for from_a_job in [false, true] {
        let pool = pool("no-reaper");
        let hooks = install(Hooks {
            on_call: Some(Box::new(|site| match site.call {
                Call::Thread if site.path == "s3fast-reaper" => Verdict::Fail(libc::EAGAIN),
                _ => Verdict::Go,
            })),
            ..Hooks::default()
        });
        if from_a_job {
            let (tx, rx) = channel();
            let inner = pool.clone();
            pool.spawn(job(move || inner.shut_down(Box::new(move || tx.send(()).unwrap()))));
            rx.recv_timeout(Duration::from_secs(5)).unwrap();
        } else {
            assert!(end(&pool));
        }
        drop(hooks);
    }
}

#[test]
fn pool_that_cannot_grow_goes_on_with_what_it_has() {
    let pool = pool("no-growth");
    let (tx, rx) = channel();
    let hooks = install(Hooks {
        on_call: Some(Box::new(|site| match site.call {
            Call::Thread if site.path.starts_with("no-growth2") => Verdict::Fail(libc::EAGAIN),
            _ => Verdict::Go,
        })),
        ..Hooks::default()
    });
    for _ in 0..3 {
        let tx = tx.clone();
        pool.queue().push(job(move || {
            std::thread::sleep(Duration::from_millis(20));
            tx.send(()).unwrap();
        }));
    }
    (0..3).for_each(|_| rx.recv_timeout(Duration::from_secs(5)).unwrap());
    drop(hooks);
    assert!(end(&pool));
}

#[test]
fn pushes_that_race_with_the_end_either_run_or_say_no() {
    for round in 0..100 {
        let pool = pool("race");
        let (ran, accepted) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let threads: Vec<_> = (0..3)
            .map(|_| {
                let (queue, ran, accepted) = (pool.queue(), ran.clone(), accepted.clone());
                std::thread::spawn(move || {
                    loop {
                        let counted = ran.clone();
                        if !queue.push(job(move || {
                            counted.fetch_add(1, Ordering::SeqCst);
                        })) {
                            return;
                        }
                        accepted.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                    }
                })
            })
            .collect();
        std::thread::sleep(Duration::from_micros(round * 10));
        assert!(end(&pool));
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert_eq!(ran.load(Ordering::SeqCst), accepted.load(Ordering::SeqCst));
    }
}

#[test]
fn pool_gives_its_threads_and_descriptors_back() {
    let status = in_child(|| {
        let count = |of: &str| std::fs::read_dir(format!("/proc/self/{of}")).unwrap().count();
        let before = (count("fd"), count("task"));
        for _ in 0..5 {
            let pool = pool("back");
            let gate = Arc::new(Barrier::new(5));
            for _ in 0..5 {
                let gate = gate.clone();
                pool.queue().push(job(move || {
                    gate.wait();
                }));
            }
            if !end(&pool) {
                return 2;
            }
        }
        assert!(crate::sys::thread::join_managed(Some(Duration::from_secs(5))));
        // A joined thread may be in the list for a moment still.
        i32::from(!eventually(5, || before == (count("fd"), count("task"))))
    });
    assert_eq!(status, Some(0));
}

#[test]
fn forked_child_is_refused_and_does_not_hang() {
    let pool = pool("forked");
    let queue = pool.queue();
    let held = pool.lock_for_tests();
    let status = in_child(|| {
        let pushed = queue.push(job(|| ())) || pool.spawn(job(|| ()));
        let told = end(&pool);
        let own = self::pool("child");
        let (tx, rx) = channel();
        own.queue().push(job(move || tx.send(()).unwrap()));
        let works = rx.recv_timeout(Duration::from_secs(5)).is_ok();
        i32::from(pushed || !told || !works)
    });
    drop(held);
    assert_eq!(status, Some(0));
    assert!(end(&pool));
}

/// `cargo test --profile quick --lib -- --ignored --nocapture measure_pushes`
#[test]
#[ignore = "a measurement"]
fn measure_pushes() {
    let pool = pool("measure");
    const PUSHES: u32 = 2_000_000;
    for queues in [1, 8] {
        let queues: Vec<_> = (0..queues).map(|_| pool.queue()).collect();
        let ran = Arc::new(AtomicUsize::new(0));
        let from = clock::now();
        for i in 0..PUSHES as usize {
            let counted = ran.clone();
            queues[i % queues.len()].push(job(move || {
                counted.fetch_add(1, Ordering::Relaxed);
            }));
        }
        let pushed = clock::now().since(from).as_nanos() as f64 / f64::from(PUSHES);
        assert!(eventually(20, || ran.load(Ordering::Relaxed) == PUSHES as usize));
        let all = clock::now().since(from).as_nanos() as f64 / f64::from(PUSHES);
        println!("{} queues: {pushed:.0} ns to push, {all:.0} ns until run", queues.len());
    }
    let queue = pool.queue();
    let from = clock::now();
    for _ in 0..20_000 {
        let (tx, rx) = channel();
        queue.push(job(move || tx.send(()).unwrap()));
        rx.recv().unwrap();
    }
    println!("there and back: {:.1} us", clock::now().since(from).as_nanos() as f64 / 2e7);
    assert!(end(&pool));
}

#[test]
fn corked_pushes_run_after_uncork() {
    let pool = Pool::new(PoolOptions::default()).unwrap();
    let (tell, told) = std::sync::mpsc::channel();
    assert!(cork());
    assert!(!cork(), "corked already");
    for i in 0..3 {
        let tell = tell.clone();
        pool.queue().push(job(move || tell.send(i).unwrap()));
    }
    assert!(told.recv_timeout(Duration::from_millis(50)).is_err(), "nobody was woken");
    uncork();
    let mut got: Vec<i32> =
        (0..3).map(|_| told.recv_timeout(Duration::from_secs(5)).unwrap()).collect();
    got.sort_unstable();
    assert_eq!(got, [0, 1, 2]);
}
