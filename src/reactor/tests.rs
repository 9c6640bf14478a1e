use std::cell::RefCell;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};

use super::*;
use crate::base::{Code, Duration, Instant};
use crate::sys::hooks::{Call, Hooks, Verdict, install};
use crate::sys::testing::{end_this_thread, eventually, in_child, threads_named};
use crate::sys::{AsRawFd, Socket, clock};

fn group(loops: usize, name: &str) -> Group {
    Group::new(GroupOptions { loops, name: name.to_owned(), ..GroupOptions::default() }).unwrap()
}

/// Runs `f` on the loop and gives what it gave.
fn on<R: Send + 'static>(handle: &Handle, f: impl FnOnce(&Loop) -> R + Send + 'static) -> R {
    let (tx, rx) = channel();
    assert!(handle.post(move |lp| tx.send(f(lp)).unwrap()));
    rx.recv_timeout(Duration::from_secs(10)).unwrap()
}

fn ended(make: impl FnOnce(Box<dyn FnOnce() + Send>) -> Group) -> (Group, Arc<AtomicBool>) {
    let told = Arc::new(AtomicBool::new(false));
    let tell = told.clone();
    (make(Box::new(move || tell.store(true, Ordering::SeqCst))), told)
}

fn telling(loops: usize, name: &str) -> (Group, Arc<AtomicBool>) {
    ended(|tell| {
        let name = name.to_owned();
        let on_shutdown = Some(tell);
        Group::new(GroupOptions { loops, name, on_shutdown, ..GroupOptions::default() }).unwrap()
    })
}

#[test]
fn ten_thousand_posts_from_four_threads_all_run_in_each_threads_order() {
    let group = group(1, "posts");
    let seen = Arc::new(Mutex::new(vec![Vec::new(); 4]));
    let threads: Vec<_> = (0..4usize)
        .map(|who| {
            let (handle, seen) = (group.loops()[0].clone(), seen.clone());
            std::thread::spawn(move || {
                for i in 0..10_000usize {
                    let seen = seen.clone();
                    assert!(handle.post(move |lp| {
                        assert!(lp.handle().is_current());
                        seen.lock().unwrap()[who].push(i);
                    }));
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|t| t.join().unwrap());
    on(&group.loops()[0], |_| ());
    let all: Vec<usize> = (0..10_000).collect();
    assert!(seen.lock().unwrap().iter().all(|one| *one == all));
}

#[test]
fn sleeping_loop_uses_no_cpu_and_wakes_for_each_post() {
    let group = group(1, "idle");
    let handle = &group.loops()[0];
    let before = on(handle, |_| clock::thread_cpu_nanos());
    std::thread::sleep(Duration::from_millis(200));
    let after = on(handle, |_| clock::thread_cpu_nanos());
    assert!(after - before < 5_000_000, "{} ns of CPU while idle", after - before);
    for _ in 0..200 {
        on(handle, |_| ());
    }
}

#[test]
fn timers_run_in_order_and_never_early() {
    let group = group(1, "timers");
    let (tx, rx) = channel();
    on(&group.loops()[0], move |lp| {
        let from = lp.now();
        for ms in [30u64, 10, 20, 0] {
            let (tx, at) = (tx.clone(), from.after(Duration::from_millis(ms)));
            lp.timer(at, move |_| tx.send((ms, clock::now() >= at)).unwrap());
        }
        let dropped = lp.timer(from.after(Duration::from_millis(5)), |_| panic!("canceled"));
        assert!(lp.cancel_timer(dropped));
        assert!(!lp.cancel_timer(dropped));
    });
    let order: Vec<_> = rx.iter().collect();
    assert_eq!(order, [(0, true), (10, true), (20, true), (30, true)]);
}

#[test]
fn turn_end_runs_after_all_events_of_the_turn() {
    let group = group(1, "hooks");
    let (tx, rx) = channel();
    let handle = group.loops()[0].clone();
    on(&group.loops()[0], move |lp| {
        // Both posts are in the box before the next turn begins.
        for i in 0..3 {
            let tx = tx.clone();
            handle.post(move |lp| {
                let late = tx.clone();
                lp.at_turn_end(move |_| late.send(100 + i).unwrap());
                tx.send(i).unwrap();
            });
        }
        lp.at_turn_end(|lp| lp.at_turn_end(|_| ()));
    });
    let got: Vec<i32> = rx.iter().collect();
    assert_eq!(got, [0, 1, 2, 100, 101, 102]);
}

struct Reader {
    socket: Socket,
    got: Sender<(Vec<u8>, Ready)>,
    /// Bytes a turn.
    most: usize,
    token: RefCell<Option<Token>>,
}

impl Source for Reader {
    fn on_ready(self: Rc<Self>, lp: &Loop, ready: Ready) {
        if !ready.readable {
            return;
        }
        let mut buf = vec![0; self.most];
        while let Some(n) = self.socket.recv(&mut buf).unwrap() {
            let _ = self.got.send((buf[..n].to_vec(), ready));
            let Some(token) = *self.token.borrow() else { return };
            if n == 0 {
                lp.deregister(token);
                lp.drop_local(1);
                return;
            }
            if n == self.most {
                lp.requeue(token, Ready::READABLE);
                return;
            }
        }
    }
}

fn socket_pair() -> (Socket, TcpStream) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let socket = Socket::open(&address).unwrap();
    socket.start_connect(&address).unwrap();
    let (peer, _) = listener.accept().unwrap();
    (socket, peer)
}

#[test]
fn source_gets_edges_and_requeues_until_it_is_empty() {
    let group = group(1, "source");
    let (socket, mut peer) = socket_pair();
    let (tx, rx) = channel();
    let handle = &group.loops()[0];
    on(handle, move |lp| {
        let fd = socket.as_raw_fd();
        let reader = Rc::new(Reader { socket, got: tx, most: 4, token: RefCell::new(None) });
        let token = lp.register(fd, reader.clone()).unwrap();
        *reader.token.borrow_mut() = Some(token);
        lp.set_local(1, reader);
    });
    assert_eq!(handle.load(), 1);
    peer.write_all(b"0123456789").unwrap();
    let mut bytes = Vec::new();
    while bytes.len() < 10 {
        let (more, _) = rx.recv_timeout(Duration::from_secs(5)).unwrap();
        assert!(more.len() <= 4);
        bytes.extend(more);
    }
    assert_eq!(bytes, b"0123456789");
    drop(peer);
    let (end, _) = rx.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(end.is_empty());
    assert!(eventually(5, || handle.load() == 0));
    assert!(on(handle, |lp| lp.local::<Reader>(1).is_none()));
}

struct Panicking(Arc<AtomicU32>, #[expect(dead_code, reason = "keeps the descriptor open")] Socket);

impl Source for Panicking {
    fn on_ready(self: Rc<Self>, _lp: &Loop, _ready: Ready) {
        self.0.fetch_add(1, Ordering::SeqCst);
        panic!("planted");
    }
    fn on_panic(self: Rc<Self>, _lp: &Loop) {
        self.0.fetch_add(100, Ordering::SeqCst);
    }
}

#[test]
fn panics_are_caught_where_they_happen_and_the_loop_lives() {
    let group = group(1, "panics");
    let handle = &group.loops()[0];
    let count = Arc::new(AtomicU32::new(0));
    let (socket, mut peer) = socket_pair();
    let counted = count.clone();
    on(handle, move |lp| {
        let fd = socket.as_raw_fd();
        lp.register(fd, Rc::new(Panicking(counted, socket))).unwrap();
        lp.timer(lp.now(), |_| panic!("planted"));
        lp.at_turn_end(|_| panic!("planted"));
    });
    handle.post(|_| panic!("planted"));
    assert!(eventually(5, || count.load(Ordering::SeqCst) == 101));
    let _ = peer.write_all(b"x");
    on(handle, |_| ());
    assert_eq!(count.load(Ordering::SeqCst), 101);
    assert_eq!(handle.load(), 0);
}

static TASKS: Mutex<Vec<(usize, TaskStatus, u64)>> = Mutex::new(Vec::new());

fn note_task(key: usize, status: TaskStatus) {
    TASKS.lock().unwrap().push((key, status, crate::sys::thread::current_id()));
}

fn task(key: usize) -> RawTask {
    RawTask { key, run: note_task }
}

fn runs_of(key: usize) -> Vec<TaskStatus> {
    TASKS.lock().unwrap().iter().filter(|t| t.0 == key).map(|t| t.1).collect()
}

#[test]
fn tasks_run_on_their_loop_now_and_later() {
    let group = group(2, "tasks");
    let handle = &group.loops()[1];
    handle.schedule(task(1));
    let at = clock::now().after(Duration::from_millis(20));
    handle.schedule_at(task(2), at);
    assert!(eventually(5, || runs_of(2) == [TaskStatus::Run]));
    assert!(clock::now() >= at);
    assert_eq!(runs_of(1), [TaskStatus::Run]);
    let thread = on(handle, |_| crate::sys::thread::current_id());
    let tasks = TASKS.lock().unwrap();
    assert!(tasks.iter().filter(|t| t.0 == 1 || t.0 == 2).all(|t| t.2 == thread));
}

#[test]
fn canceled_task_runs_once_as_canceled() {
    let group = group(1, "cancel");
    let handle = group.loops()[0].clone();
    let far = clock::now().after(Duration::from_secs(3600));
    // From its own loop: before the cancel returns, wherever the task waits.
    let inner = handle.clone();
    on(&handle, move |_| {
        inner.schedule(task(11));
        inner.schedule_at(task(12), far);
        inner.cancel(11);
        inner.cancel(12);
        assert_eq!(runs_of(11), [TaskStatus::Canceled]);
        assert_eq!(runs_of(12), [TaskStatus::Canceled]);
    });
    handle.schedule_at(task(13), far);
    on(&handle, |_| ());
    let inner = handle.clone();
    on(&handle, move |_| inner.cancel(13));
    assert_eq!(runs_of(13), [TaskStatus::Canceled]);
    // From another thread, and of one that is not there.
    handle.schedule_at(task(14), far);
    handle.cancel(14);
    handle.cancel(14);
    handle.cancel(99_999);
    assert!(eventually(5, || runs_of(14) == [TaskStatus::Canceled]));
    on(&handle, |_| ());
    for key in 11..=14 {
        assert_eq!(runs_of(key).len(), 1);
    }
}

#[test]
fn tasks_left_at_the_end_run_as_canceled() {
    let (group, told) = telling(1, "leftover");
    let handle = group.loops()[0].clone();
    let far = clock::now().after(Duration::from_secs(3600));
    handle.schedule_at(task(21), far);
    handle.schedule(task(22));
    group.shut_down();
    assert!(eventually(5, || told.load(Ordering::SeqCst)));
    assert_eq!(runs_of(21), [TaskStatus::Canceled]);
    assert_eq!(runs_of(22), [TaskStatus::Run]);
    // After the end: at once, here.
    handle.schedule(task(23));
    assert_eq!(runs_of(23), [TaskStatus::Canceled]);
    assert!(!handle.post(|_| panic!("ran on a loop that has ended")));
}

#[test]
fn thread_that_ends_itself_in_a_task_takes_only_its_loop() {
    let (group, told) = telling(1, "exiting");
    let handle = group.loops()[0].clone();
    let far = clock::now().after(Duration::from_secs(3600));
    handle.schedule_at(task(31), far);
    handle.schedule(RawTask { key: 32, run: |_, _| end_this_thread() });
    assert!(eventually(5, || runs_of(31) == [TaskStatus::Canceled]));
    assert!(eventually(5, || !handle.post(|_| ())));
    group.shut_down();
    assert!(eventually(5, || told.load(Ordering::SeqCst)));
    assert_eq!(threads_named("exiting"), 0);
}

#[test]
fn shutdown_from_its_own_loop_is_reaped_elsewhere() {
    let (group, told) = telling(3, "own-end");
    let handle = group.loops()[1].clone();
    let moved = group.clone();
    drop(group);
    // The last reference goes on the loop itself.
    handle.post(move |_| {
        moved.shut_down();
        drop(moved);
    });
    assert!(eventually(5, || told.load(Ordering::SeqCst)));
    assert_eq!(threads_named("own-end"), 0);
}

#[test]
fn shutdown_without_a_thread_to_spare_still_tells() {
    for on_own_loop in [false, true] {
        let (group, told) = telling(2, "no-reaper");
        let hooks = install(Hooks {
            on_call: Some(Box::new(|site| match site.call {
                Call::Thread if site.path == "AwsEventLoopEnd" => Verdict::Fail(libc::EAGAIN),
                _ => Verdict::Go,
            })),
            ..Hooks::default()
        });
        match on_own_loop {
            true => {
                let handle = group.loops()[0].clone();
                on(&handle, move |_| drop(group));
            }
            false => drop(group),
        }
        assert!(eventually(5, || told.load(Ordering::SeqCst)));
        drop(hooks);
    }
}

#[test]
fn posts_that_race_with_the_end_either_run_or_say_no() {
    for _ in 0..50 {
        let (group, told) = telling(2, "race");
        let (ran, accepted) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicUsize::new(0)));
        let threads: Vec<_> = (0..3)
            .map(|who| {
                let handle = group.loops()[who % 2].clone();
                let (ran, accepted) = (ran.clone(), accepted.clone());
                std::thread::spawn(move || {
                    loop {
                        let counted = ran.clone();
                        if !handle.post(move |_| {
                            counted.fetch_add(1, Ordering::SeqCst);
                        }) {
                            return;
                        }
                        accepted.fetch_add(1, Ordering::SeqCst);
                        std::thread::yield_now();
                    }
                })
            })
            .collect();
        std::thread::sleep(Duration::from_millis(1));
        group.shut_down();
        group.shut_down();
        threads.into_iter().for_each(|t| t.join().unwrap());
        assert!(eventually(5, || told.load(Ordering::SeqCst)));
        assert_eq!(ran.load(Ordering::SeqCst), accepted.load(Ordering::SeqCst));
    }
}

#[test]
fn group_gives_its_threads_and_descriptors_back() {
    // In a child of its own: other tests open descriptors meanwhile.
    let status = in_child(|| {
        let count = |of: &str| std::fs::read_dir(format!("/proc/self/{of}")).unwrap().count();
        let before = (count("fd"), count("task"));
        for _ in 0..5 {
            let (group, told) = telling(8, "back");
            on(&group.loops()[7], |lp| {
                lp.timer(Instant::FAR, |_| ());
            });
            assert!(eventually(5, || threads_named("back") == 8));
            drop(group);
            assert!(eventually(5, || told.load(Ordering::SeqCst)));
        }
        assert!(crate::sys::thread::join_managed(Some(Duration::from_secs(5))));
        // A joined thread may be in the list for a moment still.
        i32::from(!eventually(5, || before == (count("fd"), count("task"))))
    });
    assert_eq!(status, Some(0));
}

#[test]
fn forked_child_is_refused_and_does_not_hang() {
    let (group, told) = telling(1, "forked");
    on(&group.loops()[0], |_| ());
    let handle = group.loops()[0].clone();
    // The worst moment: the lock is held in the parent while it forks.
    let held = handle.shared.inbox.lock();
    let status = in_child(|| {
        let posted = handle.post(|_| ());
        group.shut_down();
        let told = eventually(5, || told.load(Ordering::SeqCst));
        let own = self::group(1, "child");
        let works = on(&own.loops()[0], |_| 7) == 7;
        i32::from(posted || !told || !works)
    });
    drop(held);
    assert_eq!(status, Some(0));
    assert_eq!(on(&group.loops()[0], |_| 1), 1);
}

#[test]
fn next_prefers_the_loop_with_less_to_watch() {
    let group = group(2, "next");
    let (socket, _peer) = socket_pair();
    let (tx, _rx) = channel();
    on(&group.loops()[0], move |lp| {
        let fd = socket.as_raw_fd();
        let most = 1;
        lp.register(fd, Rc::new(Reader { socket, got: tx, most, token: RefCell::new(None) }))
            .unwrap();
    });
    assert!((0..100).all(|_| group.next().index() == 1));
}

#[test]
fn loops_are_spread_when_all_are_equal() {
    let group = group(4, "spread");
    let mut taken = [0; 4];
    (0..4000).for_each(|_| taken[group.next().index()] += 1);
    assert!(taken.iter().all(|&n| n > 500), "{taken:?}");
}

#[test]
fn default_loop_count_follows_the_allowed_cpus() {
    let hooks = install(Hooks {
        allowed_cpus: Some(crate::base::CpuSet::first(6)),
        cgroup_root: Some("/nowhere".into()),
        ..Hooks::default()
    });
    assert_eq!(group(0, "default").loops().len(), 3);
    drop(hooks);
}

/// What the kernel says the loops may run on.
fn masks(group: &Group) -> Vec<String> {
    let of = |_: &Loop| {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let list = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:"));
        list.unwrap().trim().to_owned()
    };
    group.loops().iter().map(|handle| on(handle, of)).collect()
}

fn on_group(cpu_group: u16, loops: usize) -> crate::base::Result<Group> {
    let cpu_group = Some(cpu_group);
    Group::new(GroupOptions { loops, cpu_group, ..GroupOptions::default() })
}

#[test]
fn loops_of_a_cpu_group_are_pinned_to_its_cores() {
    let hooks = install(Hooks::default());
    let topology = crate::sys::topology::read();
    let allowed = crate::sys::affinity::allowed_cpus();
    let cores = allowed.iter().filter(|&cpu| {
        let same =
            |&other: &u32| topology.pu(other).map(|p| p.core) == topology.pu(cpu).map(|p| p.core);
        topology.group_of(cpu) == Some(0) && allowed.iter().find(same) == Some(cpu)
    });
    let cores: Vec<String> = cores.map(|cpu| cpu.to_string()).collect();
    let group = on_group(0, 0).unwrap();
    assert_eq!(masks(&group), cores);
    // A group made on a pinned loop is planned for the process, not for that loop's one CPU.
    let inner = on(&group.loops()[0], |_| on_group(0, 0).unwrap());
    assert_eq!(masks(&inner), cores);
    assert_eq!(on_group(7000, 1).err().map(|e| e.code), Some(Code::INVALID_ARGUMENT));
    drop(hooks);
}

#[test]
fn refused_pins_leave_the_loops_free_and_working() {
    let all = {
        let _hooks = install(Hooks::default());
        crate::sys::affinity::allowed_cpus()
    };
    // The kernel says no, as when a cpuset shrank after the plan was made.
    let hooks = install(Hooks {
        on_call: Some(Box::new(|site| match site.call {
            Call::Pin if site.path.starts_with("AwsEventLoop1") => Verdict::Fail(libc::EINVAL),
            _ => Verdict::Go,
        })),
        ..Hooks::default()
    });
    let before = crate::sys::thread::refused_pins();
    let group = on_group(0, 1).unwrap();
    assert_eq!(masks(&group), [all.to_string()]);
    assert_eq!(crate::sys::thread::refused_pins(), before + 1);
    drop(hooks);
    // Nothing of the group is allowed: free loops within the mask.
    let hooks =
        install(Hooks { allowed_cpus: Some([4000].into_iter().collect()), ..Hooks::default() });
    let group = on_group(0, 2).unwrap();
    assert_eq!(group.plan().spots, [crate::placement::Spot::Refused; 2]);
    drop(hooks);
    assert_eq!(masks(&group), [all.to_string(), all.to_string()]);
}

/// `cargo test --profile quick --lib -- --ignored --nocapture measure_posts`
#[test]
#[ignore = "a measurement"]
fn measure_posts() {
    let group = group(1, "measure");
    let handle = &group.loops()[0];
    const POSTS: u32 = 2_000_000;
    let done = Arc::new(AtomicU32::new(0));
    for producers in [1u32, 2] {
        done.store(0, Ordering::SeqCst);
        let from = clock::now();
        std::thread::scope(|s| {
            for _ in 0..producers {
                s.spawn(|| {
                    for _ in 0..POSTS / producers {
                        let done = done.clone();
                        handle.post(move |_| {
                            done.fetch_add(1, Ordering::Relaxed);
                        });
                    }
                });
            }
        });
        let posted = clock::now();
        on(handle, |_| ());
        let ran = clock::now();
        let each = |until: Instant| until.since(from).as_nanos() as f64 / f64::from(POSTS);
        println!(
            "{producers} threads: {:.0} ns to post, {:.0} ns until run",
            each(posted),
            each(ran)
        );
    }
    let from = clock::now();
    (0..20_000).for_each(|_| on(handle, |_| ()));
    println!("there and back: {:.1} us", clock::now().since(from).as_nanos() as f64 / 2e7);
}
