use super::*;
use crate::sys::hooks::{Hooks, Verdict, install};
use crate::sys::testing::{end_this_thread, eventually};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;

fn named(name: &str) -> Options {
    Options { name: name.to_owned(), ..Options::default() }
}

#[test]
fn thread_has_its_name_cut_to_fifteen_bytes() {
    let (tx, rx) = mpsc::channel();
    launch_fn(&named("AwsEventLoop-number-128"), move || {
        tx.send(std::fs::read_to_string("/proc/thread-self/comm").unwrap()).unwrap();
    })
    .unwrap()
    .join()
    .unwrap();
    assert_eq!(rx.recv().unwrap(), "AwsEventLoop-nu\n");
    assert_eq!(short_name("éééééééé").as_bytes().len(), 14);
    assert_eq!(short_name("a\0b").as_bytes(), b"a?b");
}

struct Ending {
    exits: bool,
    ended: Arc<AtomicUsize>,
}

impl Body for Ending {
    fn run(&mut self) {
        if self.exits {
            end_this_thread();
        }
    }
    fn ended(self: Box<Self>) {
        self.ended.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn body_comes_back_however_the_thread_ends() {
    let ended = Arc::new(AtomicUsize::new(0));
    for exits in [false, true] {
        let body = Box::new(Ending { exits, ended: ended.clone() });
        launch(&named("ending"), body).unwrap().join().unwrap();
    }
    assert_eq!(ended.load(Ordering::SeqCst), 2);
    assert_eq!(Arc::strong_count(&ended), 1);
}

#[test]
fn managed_threads_are_joined_by_one_call() {
    let ended = Arc::new(AtomicUsize::new(0));
    for i in 0..20 {
        let body = Box::new(Ending { exits: i % 3 == 0, ended: ended.clone() });
        launch_managed(&named("managed"), body).unwrap();
    }
    assert!(eventually(10, || join_managed(Some(Duration::from_secs(1)))));
    assert_eq!(ended.load(Ordering::SeqCst), 20);
}

#[test]
fn pin_that_is_not_allowed_leaves_the_thread_unpinned() {
    let hooks = install(Hooks::default());
    let before = refused_pins();
    let (tx, rx) = mpsc::channel();
    let options = Options { cpu: Some(5000), ..named("pin") };
    launch_fn(&options, move || tx.send(is_pinned_here()).unwrap()).unwrap().join().unwrap();
    assert!(!rx.recv().unwrap());
    assert_eq!(refused_pins(), before + 1);
    drop(hooks);
}

#[test]
fn pin_that_the_kernel_refuses_falls_back() {
    let hooks = install(Hooks {
        on_call: Some(Box::new(|site| match site.call {
            Call::Pin if site.path == "pin" => Verdict::Fail(libc::EINVAL),
            _ => Verdict::Go,
        })),
        ..Hooks::default()
    });
    let cpu = allowed_cpus().iter().next();
    let before = refused_pins();
    let (tx, rx) = mpsc::channel();
    let options = Options { cpu, ..named("pin") };
    launch_fn(&options, move || tx.send(is_pinned_here()).unwrap()).unwrap().join().unwrap();
    assert!(!rx.recv().unwrap());
    assert_eq!(refused_pins(), before + 1);
    // A CPU that the mask allows but that does not exist is refused by the kernel itself.
    let options = Options { cpu: Some(5000), ignore_mask: true, ..named("pin") };
    drop(hooks);
    let _hooks = install(Hooks::default());
    launch_fn(&options, || ()).unwrap().join().unwrap();
    assert_eq!(refused_pins(), before + 2);
}

#[test]
fn pinned_thread_stays_on_its_cpu_and_its_children_do_not() {
    let _hooks = install(Hooks::default());
    let all = allowed_cpus();
    let cpu = all.iter().last();
    let (tx, rx) = mpsc::channel();
    let options = Options { cpu, ..named("pin") };
    launch_fn(&options, move || {
        let list = |status: String| {
            status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:")).unwrap().trim().into()
        };
        let own: String = list(std::fs::read_to_string("/proc/thread-self/status").unwrap());
        let inner = tx.clone();
        launch_fn(&named("child"), move || {
            let own: String = list(std::fs::read_to_string("/proc/thread-self/status").unwrap());
            inner.send((own, is_pinned_here())).unwrap();
        })
        .unwrap()
        .join()
        .unwrap();
        tx.send((own, is_pinned_here())).unwrap();
    })
    .unwrap()
    .join()
    .unwrap();
    assert_eq!(rx.recv().unwrap(), (all.to_string(), false));
    assert_eq!(rx.recv().unwrap(), (cpu.unwrap().to_string(), true));
}

#[test]
fn failed_creation_gives_the_body_back_and_an_error() {
    let hooks = install(Hooks {
        on_call: Some(Box::new(|site| match site.call {
            Call::Thread if site.path == "none" => Verdict::Fail(libc::EAGAIN),
            _ => Verdict::Go,
        })),
        ..Hooks::default()
    });
    let ended = Arc::new(AtomicUsize::new(0));
    let body = Box::new(Ending { exits: false, ended: ended.clone() });
    let e = launch(&named("none"), body).unwrap_err();
    assert_eq!((e.code, e.call), (Code::THREAD_INSUFFICIENT_RESOURCE, "pthread_create"));
    assert_eq!(Arc::strong_count(&ended), 1);
    drop(hooks);
}

#[test]
fn stack_is_as_asked_for_and_never_too_small() {
    for (asked, least) in [(0, 1 << 20), (1, libc::PTHREAD_STACK_MIN), (3 << 20, 3 << 20)] {
        let (tx, rx) = mpsc::channel();
        let options = Options { stack: asked, ..named("stack") };
        launch_fn(&options, move || {
            let mut size = 0;
            let mut attr = MaybeUninit::uninit();
            // SAFETY: the attributes are filled by the first call and destroyed by the last.
            unsafe {
                libc::pthread_getattr_np(libc::pthread_self(), attr.as_mut_ptr());
                libc::pthread_attr_getstacksize(attr.as_ptr(), &mut size);
                libc::pthread_attr_destroy(attr.as_mut_ptr());
            }
            tx.send(size).unwrap();
        })
        .unwrap()
        .join()
        .unwrap();
        assert!(rx.recv().unwrap() >= least);
    }
}
