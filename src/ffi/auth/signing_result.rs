//! Header `aws/auth/signing_result.h`: what signing added.

use std::ffi::{c_int, c_void};
use std::ptr::NonNull;

use crate::base::{Code, Error, Result};
use crate::ctypes::{HashTableFns, aws_allocator, aws_array_list, aws_hash_table, aws_string};
use crate::ffi::auth::signable::{HEADERS, Name, PARAMS};
use crate::ffi::http::request_response::{
    aws_http_message, message_add, message_set_path, message_view,
};
use crate::ffi::raise::op;

/// A name and value of a signing result's list.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_signing_result_property {
    pub name: *mut aws_string,
    pub value: *mut aws_string,
}

/// What signing added: properties and lists of headers and query parameters.
#[repr(C)]
pub struct aws_signing_result {
    pub allocator: *mut aws_allocator,
    pub properties: aws_hash_table,
    pub property_lists: aws_hash_table,
}

unsafe extern "C" fn hash_text(key: *const c_void) -> u64 {
    // SAFETY: the tables' keys are strings. FNV-1a: the keys are few and short.
    let text = unsafe { aws_string::text(key.cast()) }.unwrap_or(&[]);
    text.iter()
        .fold(0xcbf2_9ce4_8422_2325, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
}

unsafe extern "C" fn same_text(a: *const c_void, b: *const c_void) -> bool {
    // SAFETY: the tables' keys are strings.
    unsafe { aws_string::text(a.cast()) == aws_string::text(b.cast()) }
}

unsafe extern "C" fn destroy_text(text: *mut c_void) {
    // SAFETY: keys and values of the tables are strings of their own.
    unsafe { aws_string::destroy(text.cast()) };
}

unsafe extern "C" fn destroy_list(list: *mut c_void) {
    // SAFETY: the values of the table of lists are made by `append`.
    unsafe {
        let list: *mut aws_array_list = list.cast();
        let items: &[aws_signing_result_property] = (*list).items().unwrap_or(&[]);
        for item in items {
            aws_string::destroy(item.name);
            aws_string::destroy(item.value);
        }
        let allocator = (*list).alloc;
        (*list).clean_up();
        aws_allocator::release(allocator, list.cast());
    }
}

impl aws_signing_result {
    /// An empty result.
    ///
    /// # Safety
    /// `allocator` is NULL or live, and outlives the result.
    pub unsafe fn new(allocator: *mut aws_allocator) -> Result<aws_signing_result> {
        let texts = HashTableFns {
            hash: Some(hash_text),
            equals: Some(same_text),
            destroy_key: Some(destroy_text),
            destroy_value: Some(destroy_text),
        };
        let lists = HashTableFns { destroy_value: Some(destroy_list), ..texts };
        // SAFETY: by the contract.
        unsafe {
            let mut properties = aws_hash_table::new(allocator, 4, texts)?;
            match aws_hash_table::new(allocator, 4, lists) {
                Ok(property_lists) => Ok(Self { allocator, properties, property_lists }),
                Err(error) => {
                    properties.clean_up();
                    Err(error)
                }
            }
        }
    }

    /// Frees what the result holds.
    ///
    /// # Safety
    /// The result came from [`new`](Self::new).
    pub unsafe fn clean_up(&mut self) {
        // SAFETY: by the contract.
        unsafe {
            self.properties.clean_up();
            self.property_lists.clean_up();
        }
    }

    /// Sets a property.
    ///
    /// # Safety
    /// As for [`clean_up`](Self::clean_up).
    pub unsafe fn set<const N: usize>(&mut self, name: &Name<N>, value: &[u8]) -> Result<()> {
        // SAFETY: by the contract; what the table does not take is given back.
        unsafe {
            let name = aws_string::new(self.allocator, name.text())?.as_ptr();
            let value = match aws_string::new(self.allocator, value) {
                Ok(value) => value.as_ptr(),
                Err(error) => {
                    aws_string::destroy(name);
                    return Err(error);
                }
            };
            let put = self.properties.put(name.cast(), value.cast());
            if put.is_err() {
                aws_string::destroy(name);
                aws_string::destroy(value);
            }
            put.map(|_| ())
        }
    }

    /// Appends a pair to a list, which is made when it is not there.
    ///
    /// # Safety
    /// As for [`clean_up`](Self::clean_up).
    pub unsafe fn append<const N: usize>(
        &mut self,
        list: &Name<N>,
        name: &[u8],
        value: &[u8],
    ) -> Result<()> {
        // SAFETY: by the contract; what the list does not take is given back.
        unsafe {
            let list = self.list_or_new(list)?;
            let name = aws_string::new(self.allocator, name)?.as_ptr();
            let pushed = aws_string::new(self.allocator, value).and_then(|value| {
                let value = value.as_ptr();
                let pushed = (*list).push(aws_signing_result_property { name, value });
                if pushed.is_err() {
                    aws_string::destroy(value);
                }
                pushed
            });
            if pushed.is_err() {
                aws_string::destroy(name);
            }
            pushed
        }
    }

    unsafe fn list_or_new<const N: usize>(
        &mut self,
        name: &Name<N>,
    ) -> Result<*mut aws_array_list> {
        // SAFETY: by the contract of `append`; what the table does not take is given back.
        unsafe {
            let found = self.property_lists.find(name.as_ptr().cast());
            if let Some(found) = found.as_ref() {
                return Ok(found.value.cast());
            }
            let list = aws_array_list::of::<aws_signing_result_property>(self.allocator, 8)?;
            let size = size_of::<aws_array_list>();
            let block = aws_allocator::acquire(self.allocator, size).map(NonNull::cast);
            let made: Result<*mut aws_array_list> = block.and_then(|place| {
                let place: NonNull<aws_array_list> = place;
                place.write(list);
                let put = aws_string::new(self.allocator, name.text()).and_then(|key| {
                    let value = place.as_ptr().cast();
                    let put = self.property_lists.put(key.as_ptr().cast(), value);
                    if put.is_err() {
                        aws_string::destroy(key.as_ptr());
                    }
                    put
                });
                match put {
                    Ok(_) => Ok(place.as_ptr()),
                    Err(error) => {
                        aws_allocator::release(self.allocator, place.as_ptr().cast());
                        Err(error)
                    }
                }
            });
            if made.is_err() {
                let mut list = list;
                list.clean_up();
            }
            made
        }
    }

    /// The pairs of a list; none where it is not there.
    ///
    /// # Safety
    /// The result is live and unchanged for `'a`.
    unsafe fn pairs<'a, const N: usize>(
        &self,
        list: &Name<N>,
    ) -> Result<&'a [aws_signing_result_property]> {
        // SAFETY: by the contract.
        unsafe {
            match self.property_lists.find(list.as_ptr().cast()).as_ref() {
                None => Ok(&[]),
                Some(found) => (*found.value.cast::<aws_array_list>())
                    .items()
                    .ok_or(Error::new(Code::INVALID_ARGUMENT)),
            }
        }
    }

    /// Adds the query parameters and headers of the result to a request.
    ///
    /// # Safety
    /// `request` is NULL or live, and nobody else uses it.
    pub unsafe fn apply(&self, request: *mut aws_http_message) -> Result<()> {
        let invalid = Error::new(Code::INVALID_ARGUMENT);
        // SAFETY: by the contract; the strings are the result's.
        unsafe {
            let text = |s: *mut aws_string| aws_string::text(s).ok_or(invalid);
            let params = self.pairs(&PARAMS)?;
            if !params.is_empty() {
                let mut path = message_view(request)?.path.to_vec();
                let mut joint = match path.iter().position(|b| *b == b'?') {
                    None => &b"?"[..],
                    Some(at) if at + 1 == path.len() => b"",
                    Some(_) => b"&",
                };
                for param in params {
                    path.extend_from_slice(joint);
                    path.extend_from_slice(text(param.name)?);
                    path.push(b'=');
                    path.extend_from_slice(text(param.value)?);
                    joint = b"&";
                }
                message_set_path(request, &path)?;
            }
            for header in self.pairs(&HEADERS)? {
                message_add(request, text(header.name)?, text(header.value)?)?;
            }
        }
        Ok(())
    }
}

/// Adds what signing made to a request: query parameters to its path, headers behind its headers.
///
/// `request`: required. `allocator`: unused. `result`: required; of aws_sign_request_aws(). Returns
/// AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT or AWS_ERROR_OOM; the request may then
/// have some of it. One thread at a time may use the request.
///
/// # Safety
/// Pointers are NULL or live.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_apply_signing_result_to_http_request(
    request: *mut aws_http_message,
    allocator: *mut aws_allocator,
    result: *const aws_signing_result,
) -> c_int {
    ffi_fn!({
        let _ = allocator;
        // SAFETY: the caller's promise.
        unsafe {
            let result = arg!(result);
            ok!(message_view(request));
            op(result.apply(request))
        }
    })
}
