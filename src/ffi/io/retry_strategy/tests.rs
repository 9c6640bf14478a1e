use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::mpsc;

use super::*;
use crate::ffi::io::event_loop::{aws_event_loop_group_new_default, aws_event_loop_group_release};
use crate::ffi::place::testing::Counting;
use crate::ffi::raise::{AWS_OP_ERR, AWS_OP_SUCCESS, last_error};

unsafe extern "C" fn count_up(user_data: *mut c_void) {
    // SAFETY: the counter of the test.
    unsafe { &*user_data.cast::<AtomicUsize>() }.fetch_add(1, Ordering::SeqCst);
}

type Acquired = (c_int, usize);

unsafe extern "C" fn acquired(
    _: *mut aws_retry_strategy,
    error: c_int,
    token: *mut aws_retry_token,
    user_data: *mut c_void,
) {
    // SAFETY: the sender of the test.
    let sender = unsafe { &*user_data.cast::<mpsc::Sender<Acquired>>() };
    let _ = sender.send((error, token.expose_provenance()));
}

unsafe extern "C" fn ready(_: *mut aws_retry_token, error: c_int, user_data: *mut c_void) {
    // SAFETY: the sender of the test.
    let sender = unsafe { &*user_data.cast::<mpsc::Sender<Acquired>>() };
    let _ = sender.send((error, 0));
}

unsafe extern "C" fn five(_: *mut c_void) -> u64 {
    RANDOMS.fetch_add(1, Ordering::SeqCst);
    5
}
static RANDOMS: AtomicU64 = AtomicU64::new(0);

struct Bench {
    memory: Box<Counting>,
    ends: Box<AtomicUsize>,
    shutdown: Box<aws_shutdown_callback_options>,
    group: *mut aws_event_loop_group,
    sender: Box<mpsc::Sender<Acquired>>,
    answers: mpsc::Receiver<Acquired>,
}

impl Bench {
    fn new() -> Bench {
        let memory = Counting::new();
        let ends = Box::new(AtomicUsize::new(0));
        let shutdown = Box::new(aws_shutdown_callback_options {
            shutdown_callback_fn: Some(count_up),
            shutdown_callback_user_data: (&raw const *ends).cast_mut().cast(),
        });
        // SAFETY: a live allocator.
        let group = unsafe { aws_event_loop_group_new_default(memory.get(), 1, std::ptr::null()) };
        let (sender, answers) = mpsc::channel();
        Bench { memory, ends, shutdown, group, sender: Box::new(sender), answers }
    }
    fn options(&self, max_retries: usize) -> aws_exponential_backoff_retry_options {
        // SAFETY: all-zero options are the defaults.
        let mut options: aws_exponential_backoff_retry_options = unsafe { std::mem::zeroed() };
        options.el_group = self.group;
        options.max_retries = max_retries;
        options.backoff_scale_factor_ms = 1;
        options.generate_random_impl = Some(five);
        options.shutdown_options = &*self.shutdown;
        options
    }
    fn user_data(&self) -> *mut c_void {
        (&raw const *self.sender).cast_mut().cast()
    }
    fn answer(&self) -> Acquired {
        self.answers.recv_timeout(std::time::Duration::from_secs(20)).expect("an answer")
    }
    unsafe fn token(&self, strategy: *mut aws_retry_strategy) -> *mut aws_retry_token {
        let partition = aws_byte_cursor::of(b"Host");
        // SAFETY: a live strategy of ours.
        let asked = unsafe {
            let acquire = (*(*strategy).vtable).acquire_token.expect("set");
            acquire(strategy, &partition, Some(acquired), self.user_data(), 0)
        };
        assert_eq!(asked, AWS_OP_SUCCESS);
        let (error, token) = self.answer();
        assert_eq!(error, 0);
        std::ptr::with_exposed_provenance_mut(token)
    }
    unsafe fn retry(&self, token: *mut aws_retry_token, kind: i32) -> c_int {
        // SAFETY: a live token of ours; any four bytes are a MaybeUninit.
        unsafe {
            let kind = std::mem::transmute::<i32, MaybeUninit<aws_retry_error_type>>(kind);
            own_schedule(token, kind, Some(ready), self.user_data())
        }
    }
    /// Everything is given back: the group ends, nothing is left.
    fn end(self, shutdowns: usize) {
        // SAFETY: the last use of the group.
        unsafe { aws_event_loop_group_release(self.group) };
        // A retry's own reference goes on the loop, right after its callback.
        let until = std::time::Instant::now() + std::time::Duration::from_secs(20);
        while self.memory.live() != 0 && std::time::Instant::now() < until {
            std::thread::sleep(std::time::Duration::from_millis(1));
        }
        assert_eq!(self.memory.live(), 0);
        assert!(crate::sys::thread::join_managed(Some(Duration::from_secs(20))));
        assert_eq!(self.ends.load(Ordering::SeqCst), shutdowns);
    }
}

#[test]
fn backoff_waits_until_its_tries_are_used_up() {
    let bench = Bench::new();
    // SAFETY: live objects.
    unsafe {
        let made = aws_retry_strategy_new_exponential_backoff;
        let strategy = made(bench.memory.get(), &bench.options(2));
        let token = bench.token(strategy);
        for _ in 0..2 {
            assert_eq!(bench.retry(token, 0), AWS_OP_SUCCESS);
            assert_eq!(bench.answer().0, 0);
        }
        assert!(RANDOMS.load(Ordering::SeqCst) > 0);
        assert_eq!(bench.retry(token, 2), AWS_OP_ERR);
        assert_eq!(last_error(), Code::IO_MAX_RETRIES_EXCEEDED.0);
        assert_eq!(bench.retry(token, 3), AWS_OP_SUCCESS, "a client's mistake costs no try");
        assert_eq!(bench.answer().0, 0);
        assert_eq!(bench.retry(token, 4), AWS_OP_ERR);
        assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
        aws_retry_strategy_release(strategy);
        assert_eq!(bench.ends.load(Ordering::SeqCst), 0, "the token keeps its strategy");
        token_release(token);
    }
    bench.end(1);
}

#[test]
fn one_retry_at_a_time() {
    let bench = Bench::new();
    let mut options = bench.options(9);
    options.backoff_scale_factor_ms = 60_000;
    options.max_backoff_secs = 60;
    options.jitter_mode =
        MaybeUninit::new(aws_exponential_backoff_jitter_mode::AWS_EXPONENTIAL_BACKOFF_JITTER_NONE);
    // SAFETY: live objects.
    unsafe {
        let strategy = aws_retry_strategy_new_exponential_backoff(bench.memory.get(), &options);
        let token = bench.token(strategy);
        assert_eq!(bench.retry(token, 0), AWS_OP_SUCCESS);
        assert_eq!(bench.retry(token, 0), AWS_OP_ERR);
        assert_eq!(last_error(), Code::INVALID_STATE.0);
        // The loop ends first: the retry under way is cancelled, and told so.
        (*token.cast::<OwnToken>()).at.cancel(token.expose_provenance());
        assert_eq!(bench.answer().0, Code::IO_OPERATION_CANCELLED.0);
        token_release(token);
        aws_retry_strategy_release(strategy);
    }
    bench.end(1);
}

#[test]
fn standard_strategy_spends_a_budget_that_successes_refill() {
    let bench = Bench::new();
    let options = aws_standard_retry_options {
        backoff_retry_options: bench.options(50),
        initial_bucket_capacity: 15,
    };
    // SAFETY: live objects.
    unsafe {
        let strategy = aws_retry_strategy_new_standard(bench.memory.get(), &options);
        let (one, two) = (bench.token(strategy), bench.token(strategy));
        assert_eq!(bench.retry(one, 3), AWS_OP_ERR);
        assert_eq!(last_error(), Code::IO_RETRY_PERMISSION_DENIED.0);
        for (token, kind) in [(one, 0), (two, 1)] {
            assert_eq!(bench.retry(token, kind), AWS_OP_SUCCESS);
            assert_eq!(bench.answer().0, 0);
        }
        assert_eq!(bench.retry(two, 1), AWS_OP_ERR, "10 and 5 of 15 are spent");
        assert_eq!(last_error(), Code::IO_RETRY_PERMISSION_DENIED.0);
        assert_eq!(own_success(one), AWS_OP_SUCCESS);
        assert_eq!(bench.retry(two, 1), AWS_OP_SUCCESS);
        assert_eq!(bench.answer().0, 0);
        token_release(one);
        token_release(two);
        aws_retry_strategy_release(strategy);
    }
    bench.end(1);
}

#[test]
fn no_retry_gives_no_tokens() {
    let bench = Bench::new();
    let options = aws_no_retry_options { shutdown_options: &*bench.shutdown };
    // SAFETY: live objects.
    unsafe {
        for config in [&raw const options, std::ptr::null()] {
            let strategy = aws_retry_strategy_new_no_retry(bench.memory.get(), config);
            let asked =
                own_acquire(strategy, std::ptr::null(), Some(acquired), bench.user_data(), 0);
            assert_eq!((asked, last_error()), (AWS_OP_ERR, Code::IO_RETRY_PERMISSION_DENIED.0));
            aws_retry_strategy_release(strategy);
        }
    }
    bench.end(1);
}

#[test]
fn null_strange_and_hostile_arguments_are_refused() {
    let bench = Bench::new();
    let stranger = [0u64; 16];
    // SAFETY: NULL, live or at least readable objects.
    unsafe {
        let new = aws_retry_strategy_new_exponential_backoff;
        let memory = bench.memory.get();
        assert!(new(memory, std::ptr::null()).is_null());
        assert!(aws_retry_strategy_new_standard(memory, std::ptr::null()).is_null());
        assert!(new(null_mut(), &bench.options(1)).is_null());
        assert!(aws_retry_strategy_new_no_retry(null_mut(), std::ptr::null()).is_null());
        assert!(new(memory, &bench.options(64)).is_null());
        assert!(new(memory, &bench.options(usize::MAX)).is_null());
        let mut options = bench.options(1);
        options.jitter_mode =
            std::mem::transmute::<i32, MaybeUninit<aws_exponential_backoff_jitter_mode>>(4);
        assert!(new(memory, &options).is_null());
        for group in [null_mut(), stranger.as_ptr().cast_mut().cast()] {
            let mut options = bench.options(1);
            options.el_group = group;
            assert!(new(memory, &options).is_null());
            assert_eq!(last_error(), Code::INVALID_ARGUMENT.0);
        }
        aws_retry_strategy_release(null_mut());
        token_release(null_mut());
        bench.memory.fail_in.store(0, Ordering::SeqCst);
        assert!(new(memory, &bench.options(1)).is_null());
        assert_eq!(last_error(), Code::OOM.0);
        let strategy = new(memory, &bench.options(1));
        let wild = aws_byte_cursor { len: 1, ptr: null_mut() };
        let ask = |partition: *const aws_byte_cursor, callback| {
            own_acquire(strategy, partition, callback, bench.user_data(), 0)
        };
        assert_eq!(ask(&wild, Some(acquired)), AWS_OP_ERR);
        assert_eq!(ask(std::ptr::null(), None), AWS_OP_ERR);
        bench.memory.fail_in.store(0, Ordering::SeqCst);
        assert_eq!(ask(std::ptr::null(), Some(acquired)), AWS_OP_ERR);
        assert_eq!(last_error(), Code::OOM.0);
        aws_retry_strategy_release(strategy);
    }
    bench.end(1);
}
