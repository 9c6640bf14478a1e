//! Header `aws/auth/signable.h`: what can be signed.
//!
//! A signable is its vtable: whoever made it, it is only ever read through that table, by
//! [`Signable`].

use std::ffi::{c_int, c_void};
use std::ptr::{NonNull, null_mut};

use crate::base::{Code, Error, Result};
use crate::ctypes::{aws_allocator, aws_array_list, aws_byte_cursor, aws_string};
use crate::ffi::http::request_response::{
    aws_http_message, message_acquire, message_release, message_view,
};
use crate::ffi::io::stream::aws_input_stream;
use crate::ffi::place::{bytes_of, cursor_of};
use crate::ffi::raise::{AWS_OP_SUCCESS, last_error_or, raise};

/// A name and value of a signable's property list.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_signable_property_list_pair {
    pub name: aws_byte_cursor,
    pub value: aws_byte_cursor,
}

/// A named property of what is to be signed. Valid as long as the signable.
pub type aws_signable_get_property_fn = Option<
    unsafe extern "C" fn(
        signable: *const aws_signable,
        name: *const aws_string,
        out_value: *mut aws_byte_cursor,
    ) -> c_int,
>;

/// A named list of aws_signable_property_list_pair. Valid as long as the signable.
pub type aws_signable_get_property_list_fn = Option<
    unsafe extern "C" fn(
        signable: *const aws_signable,
        name: *const aws_string,
        out_list: *mut *mut aws_array_list,
    ) -> c_int,
>;

/// The body, or NULL. Borrowed.
pub type aws_signable_get_payload_stream_fn = Option<
    unsafe extern "C" fn(
        signable: *const aws_signable,
        out_input_stream: *mut *mut aws_input_stream,
    ) -> c_int,
>;

/// Frees a signable.
pub type aws_signable_destroy_fn = Option<unsafe extern "C" fn(signable: *mut aws_signable)>;

/// What a signable does. Callers may implement one.
#[repr(C)]
pub struct aws_signable_vtable {
    pub get_property: aws_signable_get_property_fn,
    pub get_property_list: aws_signable_get_property_list_fn,
    pub get_payload_stream: aws_signable_get_payload_stream_fn,
    pub destroy: aws_signable_destroy_fn,
}

/// Something that can be signed.
#[repr(C)]
pub struct aws_signable {
    pub allocator: *mut aws_allocator,
    pub r#impl: *mut c_void,
    pub vtable: *mut aws_signable_vtable,
}

/// A string of ours in the shape that C functions take names in.
#[repr(C)]
pub struct Name<const N: usize> {
    allocator: *mut aws_allocator,
    len: usize,
    bytes: [u8; N],
}

// SAFETY: never changed, and no allocator is behind it.
unsafe impl<const N: usize> Sync for Name<N> {}

impl<const N: usize> Name<N> {
    /// `text` ends with a NUL, which is outside the string's length.
    const fn new(text: &[u8; N]) -> Name<N> {
        Name { allocator: null_mut(), len: N - 1, bytes: *text }
    }
    pub const fn as_ptr(&self) -> *const aws_string {
        (&raw const *self).cast()
    }
    pub fn text(&self) -> &[u8] {
        &self.bytes[..N - 1]
    }
}

pub static HEADERS: Name<8> = Name::new(b"headers\0");
pub static PARAMS: Name<7> = Name::new(b"params\0");
pub static METHOD: Name<7> = Name::new(b"method\0");
pub static URI: Name<4> = Name::new(b"uri\0");
pub static SIGNATURE: Name<10> = Name::new(b"signature\0");
pub static PREVIOUS_SIGNATURE: Name<19> = Name::new(b"previous-signature\0");
pub static CANONICAL_REQUEST: Name<18> = Name::new(b"canonical-request\0");

/// Somebody's signable, read through its table.
#[derive(Clone, Copy)]
pub struct Signable<'a> {
    raw: *const aws_signable,
    table: &'a aws_signable_vtable,
}

impl<'a> Signable<'a> {
    /// NULL and a signable without a table are AWS_ERROR_INVALID_ARGUMENT.
    ///
    /// # Safety
    /// `raw` is NULL or live for `'a`.
    pub unsafe fn of(raw: *const aws_signable) -> Result<Signable<'a>> {
        // SAFETY: by the contract.
        let table = unsafe { raw.as_ref().and_then(|s| s.vtable.as_ref()) };
        let table = table.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        Ok(Signable { raw, table })
    }

    pub fn property<const N: usize>(self, name: &Name<N>) -> Result<&'a [u8]> {
        let get = self.table.get_property.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        let mut value = cursor_of(&[]);
        // SAFETY: the signable's own function; what it gives lives as long as the signable.
        unsafe {
            match get(self.raw, name.as_ptr(), &mut value) {
                AWS_OP_SUCCESS => bytes_of(value),
                _ => Err(last_error_or(Code::INVALID_ARGUMENT)),
            }
        }
    }

    pub fn list<const N: usize>(
        self,
        name: &Name<N>,
    ) -> Result<&'a [aws_signable_property_list_pair]> {
        let get = self.table.get_property_list.ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        let mut list: *mut aws_array_list = null_mut();
        // SAFETY: the signable's own function; what it gives lives as long as the signable.
        unsafe {
            if get(self.raw, name.as_ptr(), &mut list) != AWS_OP_SUCCESS {
                return Err(last_error_or(Code::INVALID_ARGUMENT));
            }
            match list.as_ref() {
                None => Ok(&[]),
                Some(list) => list.items().ok_or(Error::new(Code::INVALID_ARGUMENT)),
            }
        }
    }

    /// The body; borrowed, or NULL.
    pub fn payload(self) -> Result<*mut aws_input_stream> {
        let Some(get) = self.table.get_payload_stream else { return Ok(null_mut()) };
        let mut stream = null_mut();
        // SAFETY: the signable's own function.
        match unsafe { get(self.raw, &mut stream) } {
            AWS_OP_SUCCESS => Ok(stream),
            _ => Err(last_error_or(Code::INVALID_ARGUMENT)),
        }
    }
}

/// What a signable of ours stands at the head of: a request and its headers at the time.
#[repr(C)]
struct Own {
    base: aws_signable,
    /// A reference.
    request: *mut aws_http_message,
    headers: aws_array_list,
}

static OWN_VTABLE: aws_signable_vtable = aws_signable_vtable {
    get_property: Some(own_property),
    get_property_list: Some(own_list),
    get_payload_stream: Some(own_payload),
    destroy: Some(own_destroy),
};

unsafe fn signable_new(
    allocator: *mut aws_allocator,
    request: *mut aws_http_message,
) -> Result<*mut aws_signable> {
    // SAFETY: the exports' contract: pointers are NULL or live; the block is fresh. The list holds
    // no more items than it was made for.
    unsafe {
        let view = message_view(request)?;
        let made: NonNull<Own> = aws_allocator::acquire(allocator, size_of::<Own>())?.cast();
        let count = view.headers.len();
        let filled = aws_array_list::of::<aws_signable_property_list_pair>(allocator, count)
            .and_then(|mut headers| {
                for (name, value) in view.headers.iter() {
                    let (name, value) = (cursor_of(name), cursor_of(value));
                    headers.push(aws_signable_property_list_pair { name, value })?;
                }
                Ok(headers)
            });
        let headers = match filled {
            Ok(headers) => headers,
            Err(error) => {
                aws_allocator::release(allocator, made.as_ptr().cast());
                return Err(error);
            }
        };
        message_acquire(request);
        let base = aws_signable {
            allocator,
            r#impl: made.as_ptr().cast(),
            vtable: (&raw const OWN_VTABLE).cast_mut(),
        };
        made.write(Own { base, request, headers });
        Ok(made.as_ptr().cast())
    }
}

unsafe extern "C" fn own_property(
    signable: *const aws_signable,
    name: *const aws_string,
    out_value: *mut aws_byte_cursor,
) -> c_int {
    // SAFETY: called through the table, with a signable of ours and the caller's arguments.
    unsafe {
        let Some(out) = out_value.as_mut() else { return raise(Code::INVALID_ARGUMENT) };
        *out = cursor_of(&[]);
        let Ok(view) = message_view((*signable.cast::<Own>()).request) else {
            return raise(Code::INVALID_ARGUMENT);
        };
        match aws_string::text(name) {
            Some(name) if name == URI.text() => *out = cursor_of(view.path),
            Some(name) if name == METHOD.text() => *out = cursor_of(view.method),
            _ => return raise(Code::INVALID_ARGUMENT),
        }
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_list(
    signable: *const aws_signable,
    name: *const aws_string,
    out_list: *mut *mut aws_array_list,
) -> c_int {
    // SAFETY: called through the table, with a signable of ours and the caller's arguments.
    unsafe {
        let Some(out) = out_list.as_mut() else { return raise(Code::INVALID_ARGUMENT) };
        *out = null_mut();
        if aws_string::text(name) != Some(HEADERS.text()) {
            return raise(Code::UNSUPPORTED_OPERATION);
        }
        *out = (&raw const (*signable.cast::<Own>()).headers).cast_mut();
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_payload(
    signable: *const aws_signable,
    out_input_stream: *mut *mut aws_input_stream,
) -> c_int {
    // SAFETY: called through the table, with a signable of ours and the caller's arguments.
    unsafe {
        let Some(out) = out_input_stream.as_mut() else { return raise(Code::INVALID_ARGUMENT) };
        *out = message_view((*signable.cast::<Own>()).request).map_or(null_mut(), |v| v.body);
    }
    AWS_OP_SUCCESS
}

unsafe extern "C" fn own_destroy(signable: *mut aws_signable) {
    if signable.is_null() {
        return;
    }
    // SAFETY: called once, through the table, with what `signable_new` made.
    unsafe {
        let mut own = signable.cast::<Own>().read();
        own.headers.clean_up();
        aws_allocator::release(own.base.allocator, signable.cast::<c_void>());
        message_release(own.request);
    }
}

/// Makes a request signable.
///
/// `allocator`: required; outlives the signable. `request`: required; a reference is kept. Its headers are
/// those of now, and must stay until the signable is destroyed. Returns a signable, to be destroyed with
/// aws_signable_destroy(); NULL with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM. One thread at a time
/// may use the request.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_signable_new_http_request(
    allocator: *mut aws_allocator,
    request: *mut aws_http_message,
) -> *mut aws_signable {
    ffi_fn!({
        // SAFETY: the caller's promise.
        ok!(unsafe { signable_new(allocator, request) })
    })
}

/// Destroys a signable through its table. NULL does nothing. Not while it is being signed.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_signable_destroy(signable: *mut aws_signable) {
    ffi_fn!(calls_out {
        // SAFETY: the caller's promise.
        unsafe {
            if let Ok(found) = Signable::of(signable)
                && let Some(destroy) = found.table.destroy
            {
                destroy(signable);
            }
        }
    })
}
