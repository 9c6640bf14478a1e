//! Header `aws/io/retry_strategy.h`: who decides whether and when to try again.
//!
//! The strategies of ours are `retry`'s back-off and budget behind the public vtable; their answers
//! come as tasks of one loop of their group, where no frame of ours stands below the callback.

use std::collections::HashMap;
use std::ffi::{c_int, c_void};
use std::mem::MaybeUninit;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::base::sync::Mutex;

use crate::base::{Code, Duration, Error, Result};
use crate::ctypes::{
    aws_allocator, aws_atomic_var, aws_byte_cursor, aws_shutdown_callback_options,
};
use crate::ffi::handle::UserData;
use crate::ffi::io::event_loop::{self, aws_event_loop_group};
use crate::ffi::place::{bytes_of, enum_value};
use crate::ffi::raise::{op, raise};
use crate::log;
use crate::reactor::{Handle, RawTask, TaskStatus};
use crate::retry::{Backoff, BackoffOptions, Bucket, Cost, Jitter, Kind};
use crate::sys::clock;

/// A retry token was acquired, or not. Runs on an event-loop thread of the strategy, or on any thread
/// for a caller's strategy, also before the call that asked has returned. On success the callee owns
/// one reference to `token`; on failure `token` is NULL.
pub type aws_retry_strategy_on_retry_token_acquired_fn = Option<
    unsafe extern "C" fn(
        retry_strategy: *mut aws_retry_strategy,
        error_code: c_int,
        token: *mut aws_retry_token,
        user_data: *mut c_void,
    ),
>;

/// It is time to try again, or (`error_code`) no more. Thread as for the token. `token` stays owned by
/// whoever held it.
pub type aws_retry_strategy_on_retry_ready_fn = Option<
    unsafe extern "C" fn(token: *mut aws_retry_token, error_code: c_int, user_data: *mut c_void),
>;

/// A random number for jitter. Any thread.
pub type aws_generate_random_fn = Option<unsafe extern "C" fn(user_data: *mut c_void) -> u64>;

/// Why something has to be tried again; decides how much of the retry budget it costs.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_retry_error_type {
    /// Connection trouble, timeouts, a short read.
    AWS_RETRY_ERROR_TYPE_TRANSIENT = 0,
    /// The server asked us to slow down.
    AWS_RETRY_ERROR_TYPE_THROTTLING = 1,
    /// The server failed by itself.
    AWS_RETRY_ERROR_TYPE_SERVER_ERROR = 2,
    /// The request was at fault.
    AWS_RETRY_ERROR_TYPE_CLIENT_ERROR = 3,
}

/// What a retry strategy does. Callers may implement one; every member is called through here.
#[repr(C)]
pub struct aws_retry_strategy_vtable {
    /// Called once, when the last reference is given up.
    pub destroy: Option<unsafe extern "C" fn(retry_strategy: *mut aws_retry_strategy)>,
    /// Asks for a token for `partition_id` (borrowed during the call; may be NULL or empty). The callback
    /// is called once if and only if this returns AWS_OP_SUCCESS.
    pub acquire_token: Option<
        unsafe extern "C" fn(
            retry_strategy: *mut aws_retry_strategy,
            partition_id: *const aws_byte_cursor,
            on_acquired: aws_retry_strategy_on_retry_token_acquired_fn,
            user_data: *mut c_void,
            timeout_ms: u64,
        ) -> c_int,
    >,
    /// Asks for one more try with a token the caller holds. The callback is called once if and only if
    /// this returns AWS_OP_SUCCESS; refused with AWS_IO_MAX_RETRIES_EXCEEDED or
    /// AWS_IO_RETRY_PERMISSION_DENIED.
    pub schedule_retry: Option<
        unsafe extern "C" fn(
            token: *mut aws_retry_token,
            error_type: MaybeUninit<aws_retry_error_type>,
            retry_ready: aws_retry_strategy_on_retry_ready_fn,
            user_data: *mut c_void,
        ) -> c_int,
    >,
    /// The work behind the token succeeded; gives budget back.
    pub record_success: Option<unsafe extern "C" fn(token: *mut aws_retry_token) -> c_int>,
    /// Called once, when a token's last reference is given up; frees it.
    pub release_token: Option<unsafe extern "C" fn(token: *mut aws_retry_token)>,
}

/// A retry strategy. Callers may implement one.
#[repr(C)]
pub struct aws_retry_strategy {
    pub allocator: *mut aws_allocator,
    pub vtable: *mut aws_retry_strategy_vtable,
    pub ref_count: aws_atomic_var,
    pub r#impl: *mut c_void,
}

/// One use of a retry strategy: the tries of one piece of work.
#[repr(C)]
pub struct aws_retry_token {
    pub allocator: *mut aws_allocator,
    pub retry_strategy: *mut aws_retry_strategy,
    pub ref_count: aws_atomic_var,
    pub r#impl: *mut c_void,
}

/// How a back-off time is made random. DEFAULT is FULL.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_exponential_backoff_jitter_mode {
    AWS_EXPONENTIAL_BACKOFF_JITTER_DEFAULT = 0,
    AWS_EXPONENTIAL_BACKOFF_JITTER_NONE = 1,
    AWS_EXPONENTIAL_BACKOFF_JITTER_FULL = 2,
    AWS_EXPONENTIAL_BACKOFF_JITTER_DECORRELATED = 3,
}

/// Options of aws_retry_strategy_new_exponential_backoff().
#[repr(C)]
pub struct aws_exponential_backoff_retry_options {
    /// Required. Waits run on its loops; the strategy keeps a reference.
    pub el_group: *mut aws_event_loop_group,
    /// At most 63. 0: 5 (3 for the standard strategy).
    pub max_retries: usize,
    /// Milliseconds of the first wait. 0: 500.
    pub backoff_scale_factor_ms: u32,
    /// Longest wait in seconds. 0: 20.
    pub max_backoff_secs: u32,
    pub jitter_mode: MaybeUninit<aws_exponential_backoff_jitter_mode>,
    /// Optional, old form of `generate_random_impl`.
    pub generate_random: Option<unsafe extern "C" fn() -> u64>,
    /// Optional. NULL: a generator of the library's.
    pub generate_random_impl: aws_generate_random_fn,
    pub generate_random_user_data: *mut c_void,
    /// Optional; copied. Called once, when the strategy is gone.
    pub shutdown_options: *const aws_shutdown_callback_options,
}

/// Options of aws_retry_strategy_new_no_retry().
#[repr(C)]
pub struct aws_no_retry_options {
    pub shutdown_options: *const aws_shutdown_callback_options,
}

/// Options of aws_retry_strategy_new_standard().
#[repr(C)]
pub struct aws_standard_retry_options {
    pub backoff_retry_options: aws_exponential_backoff_retry_options,
    /// Tokens each partition starts with, and its most. 0: 500.
    pub initial_bucket_capacity: usize,
}

/// What an `aws_retry_strategy` of ours stands at the head of.
#[repr(C)]
struct Own {
    base: aws_retry_strategy,
    /// `None`: nothing is tried again.
    plan: Option<Plan>,
    shutdown: Option<aws_shutdown_callback_options>,
}

/// How a strategy of ours waits.
struct Plan {
    /// A reference.
    group: *mut aws_event_loop_group,
    options: BackoffOptions,
    random: Random,
    /// The standard strategy's budgets by partition; `None`: there is no budget.
    budget: Option<Budget>,
}

struct Budget {
    capacity: u64,
    buckets: Mutex<HashMap<Vec<u8>, Arc<Mutex<Bucket>>>>,
}

/// Where random numbers come from.
#[derive(Clone, Copy)]
struct Random {
    old: Option<unsafe extern "C" fn() -> u64>,
    new: aws_generate_random_fn,
    user_data: UserData,
}

impl Random {
    fn next(self) -> u64 {
        // SAFETY: the creator's functions with its own data; they may be called on any thread.
        unsafe {
            match (self.new, self.old) {
                (Some(new), _) => new(self.user_data.0),
                (None, Some(old)) => old(),
                (None, None) => {
                    use ring::rand::SecureRandom;
                    let mut bytes = [0; 8];
                    // Without entropy every wait is the same; that is no reason to fail.
                    let _ = ring::rand::SystemRandom::new().fill(&mut bytes);
                    u64::from_ne_bytes(bytes)
                }
            }
        }
    }
}

/// Partitions a strategy remembers; when there are more, those nobody uses are forgotten.
const PARTITIONS_MAX: usize = 1024;

impl Budget {
    /// Case does not count in the name of a partition.
    fn bucket(&self, partition: &[u8]) -> Arc<Mutex<Bucket>> {
        let key = partition.to_ascii_lowercase();
        let mut buckets = self.buckets.lock();
        if buckets.len() >= PARTITIONS_MAX && !buckets.contains_key(&key) {
            buckets.retain(|_, b| Arc::strong_count(b) > 1);
        }
        let fresh = || Arc::new(Mutex::new(Bucket::new(self.capacity)));
        buckets.entry(key).or_insert_with(fresh).clone()
    }
}

static OWN_VTABLE: aws_retry_strategy_vtable = aws_retry_strategy_vtable {
    destroy: Some(own_destroy),
    acquire_token: Some(own_acquire),
    schedule_retry: Some(own_schedule),
    record_success: Some(own_success),
    release_token: Some(own_release_token),
};

unsafe fn strategy_new(
    allocator: *mut aws_allocator,
    plan: Option<Plan>,
    shutdown: Option<aws_shutdown_callback_options>,
) -> Result<*mut aws_retry_strategy> {
    // SAFETY: the exports' contract: the allocator is NULL or live; the block is fresh. The plan's
    // reference to its group is taken when the strategy exists.
    unsafe {
        let made: NonNull<Own> = aws_allocator::acquire(allocator, size_of::<Own>())?.cast();
        if let Some(plan) = &plan {
            event_loop::group_acquire(plan.group);
        }
        let base = aws_retry_strategy {
            allocator,
            vtable: (&raw const OWN_VTABLE).cast_mut(),
            ref_count: aws_atomic_var::new(1),
            r#impl: made.as_ptr().cast(),
        };
        made.write(Own { base, plan, shutdown });
        Ok(made.as_ptr().cast())
    }
}

/// The plan behind options; the group must be ours.
unsafe fn plan_from(
    config: &aws_exponential_backoff_retry_options,
    budget: Option<Budget>,
) -> Result<Plan> {
    let invalid = Error::new(Code::INVALID_ARGUMENT);
    let options = BackoffOptions {
        retries_max: u32::try_from(config.max_retries).map_err(|_| invalid)?,
        scale: Duration::from_millis(u64::from(config.backoff_scale_factor_ms)),
        delay_max: Duration::from_secs(u64::from(config.max_backoff_secs)),
        jitter: match enum_value(config.jitter_mode) {
            0 => Jitter::Default,
            1 => Jitter::None,
            2 => Jitter::Full,
            3 => Jitter::Decorrelated,
            _ => return Err(invalid),
        },
    };
    Backoff::new(&options)?;
    // SAFETY: the exports' contract: the group is NULL, live or a stranger's.
    unsafe { event_loop::reactor_of(config.el_group)? };
    let random = Random {
        old: config.generate_random,
        new: config.generate_random_impl,
        user_data: UserData(config.generate_random_user_data),
    };
    Ok(Plan { group: config.el_group, options, random, budget })
}

unsafe extern "C" fn own_destroy(strategy: *mut aws_retry_strategy) {
    // SAFETY: called once, through the table, with a strategy of ours: its block goes, then its
    // reference to the group, and its creator is told last.
    unsafe {
        let own = strategy.cast::<Own>().read();
        aws_allocator::release(own.base.allocator, strategy.cast());
        if let Some(plan) = &own.plan {
            event_loop::group_release(plan.group);
        }
        let told = own.shutdown;
        drop(own);
        if let Some(told) = told
            && let Some(tell) = told.shutdown_callback_fn
        {
            tell(told.shutdown_callback_user_data);
        }
    }
}

/// One more reference.
///
/// # Safety
/// `strategy` is live.
pub unsafe fn strategy_acquire(strategy: *mut aws_retry_strategy) {
    // SAFETY: by the contract.
    let count = unsafe { aws_atomic_var::word(&raw const (*strategy).ref_count) };
    count.fetch_add(1, Ordering::Relaxed);
}

/// One reference less; the last one calls the table's destroy. NULL does nothing.
///
/// # Safety
/// `strategy` is NULL or live; the caller gives its reference up.
pub unsafe fn strategy_release(strategy: *mut aws_retry_strategy) {
    if strategy.is_null() {
        return;
    }
    // SAFETY: by the contract.
    unsafe {
        let count = aws_atomic_var::word(&raw const (*strategy).ref_count);
        if count.fetch_sub(1, Ordering::AcqRel) == 1
            && let Some(destroy) = (*strategy).vtable.as_ref().and_then(|t| t.destroy)
        {
            destroy(strategy);
        }
    }
}

/// One more reference.
///
/// # Safety
/// `token` is live.
pub unsafe fn token_acquire(token: *mut aws_retry_token) {
    // SAFETY: by the contract.
    let count = unsafe { aws_atomic_var::word(&raw const (*token).ref_count) };
    count.fetch_add(1, Ordering::Relaxed);
}

/// One reference less; the last one calls the release_token of its strategy's table. NULL does
/// nothing.
///
/// # Safety
/// `token` is NULL or live; the caller gives its reference up.
pub unsafe fn token_release(token: *mut aws_retry_token) {
    if token.is_null() {
        return;
    }
    // SAFETY: by the contract; a token keeps its strategy alive.
    unsafe {
        let count = aws_atomic_var::word(&raw const (*token).ref_count);
        if count.fetch_sub(1, Ordering::AcqRel) == 1
            && let Some(strategy) = (*token).retry_strategy.as_ref()
            && let Some(release) = strategy.vtable.as_ref().and_then(|t| t.release_token)
        {
            release(token);
        }
    }
}

/// What an `aws_retry_token` of ours stands at the head of.
#[repr(C)]
struct OwnToken {
    base: aws_retry_token,
    /// The loop its answers come on.
    at: Handle,
    bucket: Option<Arc<Mutex<Bucket>>>,
    state: Mutex<TokenState>,
}

struct TokenState {
    backoff: Backoff,
    cost: Cost,
    next: Next,
}

/// The answer under way. While there is one, its task holds a reference to the token.
#[derive(Clone, Copy)]
enum Next {
    None,
    Acquired(aws_retry_strategy_on_retry_token_acquired_fn, UserData),
    /// A retry is being worked out; nobody else may begin one.
    Claimed,
    Ready(aws_retry_strategy_on_retry_ready_fn, UserData),
}

unsafe extern "C" fn own_acquire(
    strategy: *mut aws_retry_strategy,
    partition_id: *const aws_byte_cursor,
    on_acquired: aws_retry_strategy_on_retry_token_acquired_fn,
    user_data: *mut c_void,
    _timeout_ms: u64,
) -> c_int {
    // SAFETY: called through the table, with a strategy of ours.
    op(unsafe { acquire_token(strategy, partition_id, on_acquired, UserData(user_data)) })
}

unsafe fn acquire_token(
    strategy: *mut aws_retry_strategy,
    partition_id: *const aws_byte_cursor,
    on_acquired: aws_retry_strategy_on_retry_token_acquired_fn,
    user_data: UserData,
) -> Result<()> {
    if on_acquired.is_none() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: by the contract of the table: the strategy is live, the cursor NULL or live; the
    // block is fresh, and its first reference is the task's until the callee has it.
    unsafe {
        let own = &*strategy.cast::<Own>();
        let plan = own.plan.as_ref().ok_or(Error::new(Code::IO_RETRY_PERMISSION_DENIED))?;
        let partition = match partition_id.as_ref() {
            Some(partition) => bytes_of(*partition)?,
            None => &[],
        };
        let at = event_loop::loop_of(event_loop::next_loop(plan.group)?)?.handle().clone();
        let backoff = Backoff::new(&plan.options)?;
        let next = Next::Acquired(on_acquired, user_data);
        let state = Mutex::new(TokenState { backoff, cost: Cost::default(), next });
        let bucket = plan.budget.as_ref().map(|b| b.bucket(partition));
        let allocator = own.base.allocator;
        let size = size_of::<OwnToken>();
        let made: NonNull<OwnToken> = aws_allocator::acquire(allocator, size)?.cast();
        let base = aws_retry_token {
            allocator,
            retry_strategy: strategy,
            ref_count: aws_atomic_var::new(1),
            r#impl: made.as_ptr().cast(),
        };
        strategy_acquire(strategy);
        made.write(OwnToken { base, at: at.clone(), bucket, state });
        at.schedule(RawTask { key: made.as_ptr().expose_provenance(), run: answer });
    }
    Ok(())
}

unsafe extern "C" fn own_schedule(
    token: *mut aws_retry_token,
    error_type: MaybeUninit<aws_retry_error_type>,
    retry_ready: aws_retry_strategy_on_retry_ready_fn,
    user_data: *mut c_void,
) -> c_int {
    let kind = match enum_value(error_type) {
        0 => Kind::Transient,
        1 => Kind::Throttling,
        2 => Kind::Server,
        3 => Kind::Client,
        _ => return raise(Code::INVALID_ARGUMENT),
    };
    // SAFETY: called through the table, with a token of ours.
    op(unsafe { schedule_retry(token.cast(), kind, retry_ready, UserData(user_data)) })
}

unsafe fn schedule_retry(
    token: *mut OwnToken,
    kind: Kind,
    retry_ready: aws_retry_strategy_on_retry_ready_fn,
    user_data: UserData,
) -> Result<()> {
    if retry_ready.is_none() {
        return Err(Error::new(Code::INVALID_ARGUMENT));
    }
    // SAFETY: by the contract of the table: the token is live, and keeps its strategy.
    unsafe {
        let own = &*token;
        let plan = (*own.base.retry_strategy.cast::<Own>()).plan.as_ref();
        let plan = plan.ok_or(Error::new(Code::INVALID_STATE))?;
        let (mut backoff, before) = {
            let mut state = own.state.lock();
            if !matches!(state.next, Next::None) {
                log!(ExponentialBackoff, Error, token, "a retry is scheduled already");
                return Err(Error::new(Code::INVALID_STATE));
            }
            state.next = Next::Claimed;
            (state.backoff.clone(), state.cost)
        };
        // The random numbers may be the caller's: no lock is held here.
        let mut cost = before;
        let paid = match &own.bucket {
            Some(bucket) => bucket.lock().take(kind, &mut cost),
            None => Ok(()),
        };
        let delay = paid.and_then(|()| {
            let delay = backoff.next(kind, &mut || plan.random.next());
            if let (Err(_), Some(bucket)) = (&delay, &own.bucket) {
                bucket.lock().take_back(&mut cost, before);
            }
            delay
        });
        let mut state = own.state.lock();
        let delay = match delay {
            Ok(delay) => delay,
            Err(error) => {
                state.next = Next::None;
                drop(state);
                log!(ExponentialBackoff, Info, token, "no further try: {error}");
                return Err(error);
            }
        };
        *state = TokenState { backoff, cost, next: Next::Ready(retry_ready, user_data) };
        drop(state);
        token_acquire(token.cast());
        let task = RawTask { key: token.expose_provenance(), run: answer };
        match delay.is_zero() {
            true => own.at.schedule(task),
            false => own.at.schedule_at(task, clock::now().after(delay)),
        }
    }
    Ok(())
}

/// Gives the answer under way; the task's reference goes with it, or goes to the callee.
fn answer(key: usize, status: TaskStatus) {
    let token: *mut OwnToken = std::ptr::with_exposed_provenance_mut(key);
    let error = match status {
        TaskStatus::Run => 0,
        TaskStatus::Canceled => Code::IO_OPERATION_CANCELLED.0,
    };
    // SAFETY: the task's reference keeps the token, and the token its strategy; the callbacks are
    // those of whoever asked, called once.
    unsafe {
        let next = std::mem::replace(&mut (*token).state.lock().next, Next::None);
        let base: *mut aws_retry_token = token.cast();
        match next {
            Next::Acquired(Some(tell), user_data) => {
                let strategy = (*base).retry_strategy;
                if error == 0 {
                    tell(strategy, 0, base, user_data.0);
                } else {
                    tell(strategy, error, null_mut(), user_data.0);
                    token_release(base);
                }
            }
            Next::Ready(Some(tell), user_data) => {
                tell(base, error, user_data.0);
                token_release(base);
            }
            _ => token_release(base),
        }
    }
}

unsafe extern "C" fn own_success(token: *mut aws_retry_token) -> c_int {
    // SAFETY: called through the table, with a token of ours.
    let own = unsafe { &*token.cast::<OwnToken>() };
    if let Some(bucket) = &own.bucket {
        bucket.lock().succeeded(&mut own.state.lock().cost);
    }
    crate::ffi::raise::AWS_OP_SUCCESS
}

unsafe extern "C" fn own_release_token(token: *mut aws_retry_token) {
    // SAFETY: called once, through the table, with a token of ours that nobody uses any more.
    unsafe {
        let own = token.cast::<OwnToken>().read();
        let strategy = own.base.retry_strategy;
        aws_allocator::release(own.base.allocator, token.cast());
        drop(own);
        strategy_release(strategy);
    }
}

/// A strategy that waits longer after each failure.
///
/// `allocator`: required; outlives the strategy. `config`: required, copied. Returns a strategy with one
/// reference, to be given back with aws_retry_strategy_release(); NULL with AWS_ERROR_INVALID_ARGUMENT (more than 63 retries, no or
/// another library's event-loop group, an unknown jitter mode) or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_retry_strategy_new_exponential_backoff(
    allocator: *mut aws_allocator,
    config: *const aws_exponential_backoff_retry_options,
) -> *mut aws_retry_strategy {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let config = arg!(config);
            let plan = ok!(plan_from(config, None));
            let shutdown = config.shutdown_options.as_ref().copied();
            ok!(strategy_new(allocator, Some(plan), shutdown))
        }
    })
}

/// A strategy that waits longer after each failure and gives each partition a budget of failures, which
/// successes refill. Three retries where the options name no number.
///
/// `allocator`: required; outlives the strategy. `config`: required, copied. Returns a strategy with one
/// reference, to be given back with aws_retry_strategy_release(); NULL with AWS_ERROR_INVALID_ARGUMENT (more than 63 retries, no or
/// another library's event-loop group, an unknown jitter mode) or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_retry_strategy_new_standard(
    allocator: *mut aws_allocator,
    config: *const aws_standard_retry_options,
) -> *mut aws_retry_strategy {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let config = arg!(config);
            let capacity = config.initial_bucket_capacity as u64;
            let budget = Budget { capacity, buckets: Mutex::default() };
            let mut plan = ok!(plan_from(&config.backoff_retry_options, Some(budget)));
            if plan.options.retries_max == 0 {
                plan.options.retries_max = STANDARD_RETRIES;
            }
            let shutdown = config.backoff_retry_options.shutdown_options.as_ref().copied();
            ok!(strategy_new(allocator, Some(plan), shutdown))
        }
    })
}

/// A strategy that gives no tokens: AWS_IO_RETRY_PERMISSION_DENIED, so that nothing is tried again.
///
/// `allocator`: required; outlives the strategy. `config`: may be NULL; copied. Returns a strategy with
/// one reference; NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. Any thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_retry_strategy_new_no_retry(
    allocator: *mut aws_allocator,
    config: *const aws_no_retry_options,
) -> *mut aws_retry_strategy {
    ffi_fn!({
        // SAFETY: the caller's promise.
        unsafe {
            let shutdown = config.as_ref().and_then(|c| c.shutdown_options.as_ref()).copied();
            ok!(strategy_new(allocator, None, shutdown))
        }
    })
}

/// Gives one reference back; the last one ends the strategy through its vtable. NULL does nothing. Any
/// thread.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_retry_strategy_release(retry_strategy: *mut aws_retry_strategy) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe { strategy_release(retry_strategy) };
    })
}

/// Retries of the standard strategy where nobody says otherwise.
const STANDARD_RETRIES: u32 = 3;

#[cfg(test)]
mod tests;
