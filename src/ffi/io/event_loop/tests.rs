use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::atomic::AtomicUsize;
use std::sync::mpsc;
use std::time::Duration;

use super::*;
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::last_error;

struct Told {
    times: AtomicUsize,
    sender: mpsc::Sender<isize>,
    memory: *const Counting,
}

unsafe extern "C" fn told(user_data: *mut c_void) {
    // SAFETY: the data of `options` below, alive until the test has received.
    let told = unsafe { &*user_data.cast::<Told>() };
    told.times.fetch_add(1, Ordering::SeqCst);
    // SAFETY: as above.
    let _ = told.sender.send(unsafe { &*told.memory }.live());
}

fn options(told_data: &Told) -> aws_shutdown_callback_options {
    aws_shutdown_callback_options {
        shutdown_callback_fn: Some(told),
        shutdown_callback_user_data: (&raw const *told_data).cast_mut().cast(),
    }
}

#[repr(C)]
struct Work {
    task: aws_task,
    sender: mpsc::Sender<(aws_task_status, bool)>,
    event_loop: *mut aws_event_loop,
}

unsafe extern "C" fn work(
    task: *mut aws_task,
    arg: *mut c_void,
    status: MaybeUninit<aws_task_status>,
) {
    // SAFETY: the task is the first field of a Work, and `arg` its owner.
    unsafe {
        assert_eq!(task.cast::<c_void>(), arg);
        let work = Box::from_raw(arg.cast::<Work>());
        let here = loop_of(work.event_loop).expect("a loop").handle().is_current();
        let _ = work.sender.send((status.assume_init(), here));
    }
}

fn new_work(
    event_loop: *mut aws_event_loop,
    sender: &mpsc::Sender<(aws_task_status, bool)>,
) -> *mut aws_task {
    // SAFETY: a task of zeros is an initialised one but for the fields set here.
    let task: aws_task = unsafe { std::mem::zeroed() };
    let work_data = Box::into_raw(Box::new(Work { task, sender: sender.clone(), event_loop }));
    // SAFETY: just made.
    unsafe {
        (*work_data).task.r#fn = Some(work);
        (*work_data).task.arg = work_data.cast();
    }
    work_data.cast()
}

#[test]
fn tasks_run_on_their_loop_and_shutdown_comes_last() {
    let memory = Counting::new();
    let (sender, ends) = mpsc::channel();
    let told_data = Told { times: AtomicUsize::new(0), sender, memory: &raw const *memory };
    let (sender, runs) = mpsc::channel();
    let wait = Duration::from_secs(20);
    // SAFETY: live objects; the group is released once.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 2, &options(&told_data));
        assert_eq!(aws_event_loop_group_get_loop_count(group), 2);
        let at = aws_event_loop_group_get_next_loop(group);
        aws_event_loop_schedule_task_now(at, new_work(at, &sender));
        let ready = aws_task_status::AWS_TASK_STATUS_RUN_READY;
        assert_eq!(runs.recv_timeout(wait), Ok((ready, true)));
        let mut now = 0;
        assert_eq!(aws_event_loop_current_clock_time(at, &mut now), AWS_OP_SUCCESS);
        aws_event_loop_schedule_task_future(at, new_work(at, &sender), now + 2_000_000);
        assert_eq!(runs.recv_timeout(wait), Ok((ready, true)));
        aws_event_loop_schedule_task_future(at, new_work(at, &sender), u64::MAX);
        assert_eq!(aws_event_loop_group_acquire(group), group);
        aws_event_loop_group_release(group);
        assert_eq!(told_data.times.load(Ordering::SeqCst), 0);
        aws_event_loop_group_release(group);
    }
    assert_eq!(ends.recv_timeout(wait), Ok(0), "the memory went back before the callback");
    let canceled = aws_task_status::AWS_TASK_STATUS_CANCELED;
    assert_eq!(runs.try_recv().map(|r| r.0), Ok(canceled));
    assert_eq!(told_data.times.load(Ordering::SeqCst), 1);
}

#[test]
fn pools_end_before_the_shutdown_callback() {
    let memory = Counting::new();
    let (sender, ends) = mpsc::channel();
    let told_data = Told { times: AtomicUsize::new(0), sender, memory: &raw const *memory };
    let ran = Arc::new(AtomicUsize::new(0));
    // SAFETY: live objects.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 1, &options(&told_data));
        let host = host_of(group).expect("a host");
        assert!(Arc::ptr_eq(&host, &host_of(group).expect("the same host")));
        for pool in [&host.delivery, &host.readers] {
            let ran = ran.clone();
            pool.spawn(crate::delivery::job(move || {
                std::thread::sleep(Duration::from_millis(50));
                ran.fetch_add(1, Ordering::SeqCst);
            }));
        }
        drop(host);
        aws_event_loop_group_release(group);
    }
    assert_eq!(ends.recv_timeout(Duration::from_secs(20)), Ok(0));
    assert_eq!(ran.load(Ordering::SeqCst), 2);
}

#[test]
fn group_may_be_released_on_its_own_loop() {
    #[repr(C)]
    struct Last {
        task: aws_task,
        group: *mut aws_event_loop_group,
    }
    unsafe extern "C" fn last(_: *mut aws_task, arg: *mut c_void, _: MaybeUninit<aws_task_status>) {
        // SAFETY: the Last below.
        unsafe { aws_event_loop_group_release((*arg.cast::<Last>()).group) };
    }
    let memory = Counting::new();
    let (sender, ends) = mpsc::channel();
    let told_data = Told { times: AtomicUsize::new(0), sender, memory: &raw const *memory };
    // SAFETY: live objects; the task lives to the end of the test.
    unsafe {
        let group = aws_event_loop_group_new_default(memory.get(), 1, &options(&told_data));
        let mut task = Last { task: std::mem::zeroed(), group };
        task.task.r#fn = Some(last);
        task.task.arg = (&raw mut task).cast();
        aws_event_loop_schedule_task_now(aws_event_loop_group_get_next_loop(group), &mut task.task);
        assert_eq!(ends.recv_timeout(Duration::from_secs(20)), Ok(0));
    }
}

unsafe extern "C" fn seven(now: *mut u64) -> c_int {
    // SAFETY: the reader's output.
    unsafe { *now = 7 };
    AWS_OP_SUCCESS
}

#[test]
fn clock_override_is_read_and_tasks_are_scheduled_by_it() {
    let memory = Counting::new();
    let (sender, runs) = mpsc::channel();
    // SAFETY: live objects.
    unsafe {
        let mut options: aws_event_loop_group_options = std::mem::zeroed();
        options.loop_count = 1;
        options.clock_override = Some(seven);
        let group = aws_event_loop_group_new(memory.get(), &options);
        let at = aws_event_loop_group_get_next_loop(group);
        let mut now = 0;
        assert_eq!(aws_event_loop_current_clock_time(at, &mut now), AWS_OP_SUCCESS);
        assert_eq!(now, 7);
        aws_event_loop_schedule_task_future(at, new_work(at, &sender), 8);
        assert!(runs.recv_timeout(Duration::from_secs(20)).is_ok());
        aws_event_loop_group_release(group);
    }
    assert!(crate::sys::thread::join_managed(Some(crate::base::Duration::from_secs(20))));
    assert_eq!(memory.live(), 0);
}

#[test]
fn null_strange_and_hostile_arguments_are_refused() {
    let memory = Counting::new();
    let stranger = [0u64; 16];
    let foreign: *mut aws_event_loop_group = stranger.as_ptr().cast_mut().cast();
    let invalid = Code::INVALID_ARGUMENT.0;
    // SAFETY: NULL, live or at least readable objects.
    unsafe {
        assert!(aws_event_loop_group_new_default(null_mut(), 1, std::ptr::null()).is_null());
        assert_eq!(last_error(), invalid);
        assert!(aws_event_loop_group_new(memory.get(), std::ptr::null()).is_null());
        let mut options: aws_event_loop_group_options = std::mem::zeroed();
        for (kind, code) in [
            (2, Code::PLATFORM_NOT_SUPPORTED),
            (4, Code::PLATFORM_NOT_SUPPORTED),
            (99, Code::UNSUPPORTED_OPERATION),
        ] {
            options.r#type = std::mem::transmute::<i32, MaybeUninit<aws_event_loop_type>>(kind);
            assert!(aws_event_loop_group_new(memory.get(), &options).is_null());
            assert_eq!(last_error(), code.0);
        }
        assert_eq!(aws_event_loop_group_get_loop_count(foreign), 0);
        assert!(aws_event_loop_group_get_next_loop(foreign).is_null());
        assert_eq!(last_error(), invalid);
        assert_eq!(aws_event_loop_group_acquire(foreign), foreign);
        aws_event_loop_group_release(foreign);
        aws_event_loop_group_release(null_mut());
        assert_eq!(aws_event_loop_current_clock_time(null_mut(), &mut 0), -1);
        assert_eq!(aws_event_loop_current_clock_time(foreign.cast(), &mut 0), -1);
        let mut task: aws_task = std::mem::zeroed();
        aws_event_loop_schedule_task_now(null_mut(), &mut task);
        aws_event_loop_schedule_task_now(foreign.cast(), null_mut());
        memory.fail_in.store(0, Ordering::SeqCst);
        assert!(aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null()).is_null());
        assert_eq!(last_error(), Code::OOM.0);
    }
    assert_eq!(memory.live(), 0);
}
