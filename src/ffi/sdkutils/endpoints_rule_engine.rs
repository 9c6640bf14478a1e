//! `aws/sdkutils/endpoints_rule_engine.h`: from rules and parameters to an endpoint.
//!
//! Parameters and answers are here; the engine that reads rules is not, and says so.

use std::ffi::c_int;
use std::ptr;

use crate::base::sync::Mutex;

use crate::base::Code;
use crate::ctypes::{aws_allocator, aws_byte_cursor};
use crate::endpoint::{Parameters, Resolved, Value};
use crate::ffi::place::{Placed, Tagged, bytes_of, cursor_of};
use crate::ffi::raise::{AWS_OP_SUCCESS, fail, raise};

/// Rules of a service, parsed. Opaque; counted.
pub struct aws_endpoints_ruleset {
    _private: [u8; 0],
}

/// Partitions of the cloud and their regions, parsed. Opaque; counted.
pub struct aws_partitions_config {
    _private: [u8; 0],
}

/// Rules that can be asked for an endpoint. Opaque; counted.
pub struct aws_endpoints_rule_engine {
    _private: [u8; 0],
}

/// What the rules are asked with: named values. Opaque; counted.
pub struct aws_endpoints_request_context {
    _private: [u8; 0],
}

/// What the rules answered: an endpoint, or why there is none. Opaque; counted.
pub struct aws_endpoints_resolved_endpoint {
    _private: [u8; 0],
}

/// What kind of answer the rules gave.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct aws_endpoints_resolved_endpoint_type(pub u32);

impl aws_endpoints_resolved_endpoint_type {
    /// An endpoint: a URL with properties and headers.
    pub const AWS_ENDPOINTS_RESOLVED_ENDPOINT: aws_endpoints_resolved_endpoint_type =
        aws_endpoints_resolved_endpoint_type(0);
    /// A text that says why the parameters have no endpoint.
    pub const AWS_ENDPOINTS_RESOLVED_ERROR: aws_endpoints_resolved_endpoint_type =
        aws_endpoints_resolved_endpoint_type(1);
}

/// What kind of value a parameter takes.
#[repr(transparent)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct aws_endpoints_parameter_type(pub u32);

impl aws_endpoints_parameter_type {
    pub const AWS_ENDPOINTS_PARAMETER_STRING: aws_endpoints_parameter_type =
        aws_endpoints_parameter_type(0);
    pub const AWS_ENDPOINTS_PARAMETER_BOOLEAN: aws_endpoints_parameter_type =
        aws_endpoints_parameter_type(1);
    pub const AWS_ENDPOINTS_PARAMETER_STRING_ARRAY: aws_endpoints_parameter_type =
        aws_endpoints_parameter_type(2);
}

ffi_failure!(
    aws_endpoints_resolved_endpoint_type =
        aws_endpoints_resolved_endpoint_type::AWS_ENDPOINTS_RESOLVED_ERROR
);

/// Makes parameters without a value.
///
/// `allocator`: borrowed, must outlive the parameters.
/// Returns one reference, given back with aws_endpoints_request_context_release(), or NULL with
/// AWS_ERROR_OOM or AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_request_context_new(
    allocator: *mut aws_allocator,
) -> *mut aws_endpoints_request_context {
    ffi_fn!({
        // SAFETY: the caller's allocator.
        ok!(unsafe { Placed::make(allocator, Context(Mutex::new(Parameters::default()))) })
    })
}

/// One more reference.
///
/// `request_context`: borrowed; may be NULL. Returns its argument. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_request_context_acquire(
    request_context: *mut aws_endpoints_request_context,
) -> *mut aws_endpoints_request_context {
    ffi_fn!({
        // SAFETY: NULL or a live handle.
        unsafe { Placed::<Context>::acquire(request_context) };
        request_context
    })
}

/// One reference less; the last one frees the parameters.
///
/// `request_context`: given up; may be NULL. Returns NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_request_context_release(
    request_context: *mut aws_endpoints_request_context,
) -> *mut aws_endpoints_request_context {
    ffi_fn!({
        // SAFETY: NULL, or a reference of the caller's.
        drop(unsafe { Placed::<Context>::release(request_context) });
        ptr::null_mut()
    })
}

/// Sets a text; a value of the same name is replaced.
///
/// `allocator`: not used, but must not be NULL. `context`: borrowed. `name`, `value`: copied.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_request_context_add_string(
    allocator: *mut aws_allocator,
    context: *mut aws_endpoints_request_context,
    name: aws_byte_cursor,
    value: aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: the caller's bytes.
        let value = Value::Text(ok!(unsafe { bytes_of(value) }).to_vec());
        // SAFETY: the caller's handle and bytes.
        unsafe { set(allocator, context, name, value) }
    })
}

/// Sets a truth value; a value of the same name is replaced.
///
/// `allocator`: not used, but must not be NULL. `context`: borrowed. `name`: copied.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_request_context_add_boolean(
    allocator: *mut aws_allocator,
    context: *mut aws_endpoints_request_context,
    name: aws_byte_cursor,
    value: bool,
) -> c_int {
    // SAFETY: the caller's handle and bytes.
    ffi_fn!({ unsafe { set(allocator, context, name, Value::Flag(value)) } })
}

/// Sets a list of texts; a value of the same name is replaced.
///
/// `allocator`: not used, but must not be NULL. `context`: borrowed. `name`: copied.
/// `value_array`: `len` texts, copied; may be NULL where `len` is 0.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_request_context_add_string_array(
    allocator: *mut aws_allocator,
    context: *mut aws_endpoints_request_context,
    name: aws_byte_cursor,
    value_array: *const aws_byte_cursor,
    len: usize,
) -> c_int {
    ffi_fn!({
        if len > 0 && value_array.is_null() || len > isize::MAX as usize / 16 {
            return raise(Code::INVALID_ARGUMENT);
        }
        let mut list = Vec::new();
        for index in 0..len {
            // SAFETY: the caller's array of `len` cursors and their bytes.
            list.push(ok!(unsafe { bytes_of(*value_array.add(index)) }).to_vec());
        }
        // SAFETY: the caller's handle and bytes.
        unsafe { set(allocator, context, name, Value::List(list)) }
    })
}

/// One reference less; the last one frees the engine.
///
/// `rule_engine`: given up; may be NULL. Returns NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_rule_engine_release(
    rule_engine: *mut aws_endpoints_rule_engine,
) -> *mut aws_endpoints_rule_engine {
    ffi_fn!({
        if rule_engine.is_null() {
            return ptr::null_mut();
        }
        waits!("endpoint rules")
    })
}

/// Asks the rules for an endpoint.
///
/// `engine`, `context`: borrowed. `out_resolved_endpoint`: one reference to the answer, given back
/// with aws_endpoints_resolved_endpoint_release(); NULL where the call fails.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or an
/// AWS_ERROR_SDKUTILS_ENDPOINTS_ error. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_rule_engine_resolve(
    engine: *mut aws_endpoints_rule_engine,
    context: *const aws_endpoints_request_context,
    out_resolved_endpoint: *mut *mut aws_endpoints_resolved_endpoint,
) -> c_int {
    ffi_fn!({
        // SAFETY: NULL or the caller's pointer.
        *unsafe { arg!(mut out_resolved_endpoint) } = ptr::null_mut();
        if engine.is_null() || context.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        waits!("endpoint rules")
    })
}

/// One more reference.
///
/// `resolved_endpoint`: borrowed; may be NULL. Returns its argument. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_resolved_endpoint_acquire(
    resolved_endpoint: *mut aws_endpoints_resolved_endpoint,
) -> *mut aws_endpoints_resolved_endpoint {
    ffi_fn!({
        // SAFETY: NULL or a live handle.
        unsafe { Placed::<Answer>::acquire(resolved_endpoint) };
        resolved_endpoint
    })
}

/// One reference less; the last one frees the answer and every cursor into it.
///
/// `resolved_endpoint`: given up; may be NULL. Returns NULL. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_resolved_endpoint_release(
    resolved_endpoint: *mut aws_endpoints_resolved_endpoint,
) -> *mut aws_endpoints_resolved_endpoint {
    ffi_fn!({
        // SAFETY: NULL, or a reference of the caller's.
        drop(unsafe { Placed::<Answer>::release(resolved_endpoint) });
        ptr::null_mut()
    })
}

/// Whether the answer is an endpoint or an error; an error where `resolved_endpoint` is NULL.
///
/// `resolved_endpoint`: borrowed. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_resolved_endpoint_get_type(
    resolved_endpoint: *const aws_endpoints_resolved_endpoint,
) -> aws_endpoints_resolved_endpoint_type {
    ffi_fn!({
        // SAFETY: NULL or a live handle.
        match ok!(unsafe { Placed::<Answer>::view(resolved_endpoint) }).0 {
            Resolved::Endpoint { .. } => {
                aws_endpoints_resolved_endpoint_type::AWS_ENDPOINTS_RESOLVED_ENDPOINT
            }
            Resolved::Error(_) => {
                aws_endpoints_resolved_endpoint_type::AWS_ENDPOINTS_RESOLVED_ERROR
            }
        }
    })
}

/// The URL of an endpoint.
///
/// `resolved_endpoint`: borrowed. `out_url`: a view that lives as long as the answer.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT where the answer is an
/// error. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_resolved_endpoint_get_url(
    resolved_endpoint: *const aws_endpoints_resolved_endpoint,
    out_url: *mut aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: NULL, or live pointers of the caller's.
        match (unsafe { answer(resolved_endpoint) }, unsafe { out_url.as_mut() }) {
            (Some(Resolved::Endpoint { url, .. }), Some(out)) => *out = cursor_of(url.as_bytes()),
            _ => return fail(Code::INVALID_ARGUMENT),
        }
        AWS_OP_SUCCESS
    })
}

/// The properties of an endpoint, such as how to sign for it, as JSON text; empty where there are
/// none.
///
/// `resolved_endpoint`: borrowed. `out_properties`: a view that lives as long as the answer.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT where the answer is an
/// error. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_resolved_endpoint_get_properties(
    resolved_endpoint: *const aws_endpoints_resolved_endpoint,
    out_properties: *mut aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: NULL, or live pointers of the caller's.
        match (unsafe { answer(resolved_endpoint) }, unsafe { out_properties.as_mut() }) {
            (Some(Resolved::Endpoint { properties, .. }), Some(out)) => {
                *out = cursor_of(properties.as_bytes());
            }
            _ => return fail(Code::INVALID_ARGUMENT),
        }
        AWS_OP_SUCCESS
    })
}

/// Why there is no endpoint.
///
/// `resolved_endpoint`: borrowed. `out_error`: a view that lives as long as the answer.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT where the answer is an
/// endpoint. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_endpoints_resolved_endpoint_get_error(
    resolved_endpoint: *const aws_endpoints_resolved_endpoint,
    out_error: *mut aws_byte_cursor,
) -> c_int {
    ffi_fn!({
        // SAFETY: NULL, or live pointers of the caller's.
        match (unsafe { answer(resolved_endpoint) }, unsafe { out_error.as_mut() }) {
            (Some(Resolved::Error(text)), Some(out)) => *out = cursor_of(text.as_bytes()),
            _ => return fail(Code::INVALID_ARGUMENT),
        }
        AWS_OP_SUCCESS
    })
}

/// Parameters may be set on one thread while another asks with them.
struct Context(Mutex<Parameters>);

// SAFETY: every pointer of this C type comes from `Placed::make` of this type.
unsafe impl Tagged for Context {
    type C = aws_endpoints_request_context;
    const NAME: &'static str = "aws_endpoints_request_context";
    const TAG: u64 = u64::from_be_bytes(*b"endpctxt");
}

struct Answer(Resolved);

// SAFETY: every pointer of this C type comes from `Placed::make` of this type.
unsafe impl Tagged for Answer {
    type C = aws_endpoints_resolved_endpoint;
    const NAME: &'static str = "aws_endpoints_resolved_endpoint";
    const TAG: u64 = u64::from_be_bytes(*b"endpansw");
}

/// # Safety
/// `p` is NULL or a live handle for `'a`.
unsafe fn answer<'a>(p: *const aws_endpoints_resolved_endpoint) -> Option<&'a Resolved> {
    // SAFETY: by the contract.
    unsafe { Placed::<Answer>::view(p) }.ok().map(|a| &a.0)
}

/// # Safety
/// `context` is NULL or a live handle, `name` a cursor over live bytes.
unsafe fn set(
    allocator: *mut aws_allocator,
    context: *mut aws_endpoints_request_context,
    name: aws_byte_cursor,
    value: Value,
) -> c_int {
    if allocator.is_null() {
        return raise(Code::INVALID_ARGUMENT);
    }
    // SAFETY: by the contract.
    let (context, name) = unsafe { (ok!(Placed::<Context>::view(context)), ok!(bytes_of(name))) };
    context.0.lock().set(name, value);
    AWS_OP_SUCCESS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::alloc::{default_allocator, tests::LIVE, tests::counting};

    #[test]
    fn context_keeps_values_and_gives_its_memory_back() {
        let a = counting(10);
        let name = cursor_of(b"Region");
        // SAFETY: the handle is live until its last release.
        unsafe {
            let context = aws_endpoints_request_context_new(a);
            let text = cursor_of(b"us-east-1");
            assert_eq!(aws_endpoints_request_context_add_string(a, context, name, text), 0);
            assert_eq!(aws_endpoints_request_context_add_boolean(a, context, name, true), 0);
            let list = [text, name];
            let many = aws_endpoints_request_context_add_string_array;
            assert_eq!(many(a, context, name, list.as_ptr(), 2), 0);
            assert_eq!(many(a, context, name, ptr::null(), 2), -1);
            {
                let values = Placed::<Context>::view(context).expect("live").0.lock();
                let kept = Value::List(vec![b"us-east-1".to_vec(), b"Region".to_vec()]);
                assert_eq!(values.get(b"Region"), Some(&kept));
            }
            assert_eq!(aws_endpoints_request_context_acquire(context), context);
            assert!(aws_endpoints_request_context_release(context).is_null());
            assert!(aws_endpoints_request_context_release(context).is_null());
            assert!(aws_endpoints_request_context_new(ptr::null_mut()).is_null());
        }
        assert_eq!(LIVE.get(), 0);
    }

    #[test]
    fn answer_is_read_by_its_kind_only() {
        let endpoint = Resolved::Endpoint {
            url: "https://b.s3.amazonaws.com".into(),
            properties: "{}".into(),
            headers: Vec::new(),
        };
        let mut out = cursor_of(b"");
        // SAFETY: the handles are live until released.
        unsafe {
            let e = Placed::make(default_allocator(), Answer(endpoint)).expect("memory");
            let kind = aws_endpoints_resolved_endpoint_get_type(e);
            assert_eq!(kind, aws_endpoints_resolved_endpoint_type(0));
            assert_eq!(aws_endpoints_resolved_endpoint_get_url(e, &mut out), 0);
            assert_eq!(bytes_of(out), Ok(&b"https://b.s3.amazonaws.com"[..]));
            assert_eq!(aws_endpoints_resolved_endpoint_get_properties(e, &mut out), 0);
            assert_eq!(aws_endpoints_resolved_endpoint_get_error(e, &mut out), -1);
            assert_eq!(aws_endpoints_resolved_endpoint_get_url(e, ptr::null_mut()), -1);
            aws_endpoints_resolved_endpoint_release(e);
            let none = Resolved::Error("no region".into());
            let e = Placed::make(default_allocator(), Answer(none)).expect("memory");
            assert_eq!(aws_endpoints_resolved_endpoint_get_error(e, &mut out), 0);
            assert_eq!(bytes_of(out), Ok(&b"no region"[..]));
            assert_eq!(aws_endpoints_resolved_endpoint_get_url(e, &mut out), -1);
            aws_endpoints_resolved_endpoint_release(e);
        }
    }
}
