//! `aws/common/hash_table.h`: tables whose keys and values are the caller's pointers.
//!
//! One thread at a time. The table's own functions (hash, equality, destruction) run on the calling
//! thread inside these calls and must not change the table.

use std::ffi::{CStr, c_int, c_void};
use std::ptr;

use crate::base::Code;
use crate::ctypes::{HashTableFns, aws_allocator};
pub use crate::ctypes::{
    aws_hash_callback_destroy_fn, aws_hash_callback_eq_fn, aws_hash_element, aws_hash_fn,
    aws_hash_iter, aws_hash_iter_status, aws_hash_table, hash_table_state,
};
use crate::ffi::raise::{AWS_OP_SUCCESS, raise};

ffi_failure!(aws_hash_iter);

/// Makes a hash table.
///
/// `map`: written. `alloc`: borrowed, must outlive the table. `size`: how many entries are expected;
/// it grows as needed. `hash_fn`, `equals_fn`: required. `destroy_key_fn`, `destroy_value_fn`: may
/// be NULL; called with each key and value that leaves the table.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
/// AWS_ERROR_INVALID_ARGUMENT. Ended with aws_hash_table_clean_up().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_table_init(
    map: *mut aws_hash_table,
    alloc: *mut aws_allocator,
    size: usize,
    hash_fn: aws_hash_fn,
    equals_fn: aws_hash_callback_eq_fn,
    destroy_key_fn: aws_hash_callback_destroy_fn,
    destroy_value_fn: aws_hash_callback_destroy_fn,
) -> c_int {
    ffi_fn!({
        if map.is_null() {
            return raise(Code::INVALID_ARGUMENT);
        }
        let fns = HashTableFns {
            hash: hash_fn,
            equals: equals_fn,
            destroy_key: destroy_key_fn,
            destroy_value: destroy_value_fn,
        };
        // SAFETY: by the argument rules.
        unsafe { map.write(ok!(aws_hash_table::new(alloc, size, fns))) };
        AWS_OP_SUCCESS
    })
}

/// Destroys all entries and the table; NULL, a zeroed table and a second call are nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_table_clean_up(map: *mut aws_hash_table) {
    ffi_fn!(calls_out {
        // SAFETY: by the argument rules.
        if let Some(map) = unsafe { map.as_mut() } {
            // SAFETY: the caller gives the entries up.
            unsafe { map.clean_up() };
        }
    })
}

/// Finds an entry.
///
/// `p_elem`: written: the entry, or NULL if there is none with this key. It is valid until the table
/// changes; its value may be overwritten.
/// Returns AWS_OP_SUCCESS in both cases, AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_table_find(
    map: *const aws_hash_table,
    key: *const c_void,
    p_elem: *mut *mut aws_hash_element,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: by the argument rules.
        unsafe { *arg!(mut p_elem) = arg!(map).find(key) };
        AWS_OP_SUCCESS
    })
}

/// Sets the value of a key.
///
/// `was_created`: written, may be NULL: 1 for a new entry, 0 where one was replaced. The old value,
/// and the old key if it is another pointer, are destroyed then.
/// Returns AWS_OP_SUCCESS, or AWS_OP_ERR with AWS_ERROR_OOM, AWS_ERROR_OVERFLOW_DETECTED or
/// AWS_ERROR_INVALID_ARGUMENT, the table being unchanged.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_table_put(
    map: *mut aws_hash_table,
    key: *const c_void,
    value: *mut c_void,
    was_created: *mut c_int,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: by the argument rules.
        unsafe {
            let created = ok!(arg!(mut map).put(key, value));
            if let Some(out) = was_created.as_mut() {
                *out = c_int::from(created);
            }
        }
        AWS_OP_SUCCESS
    })
}

/// Takes an entry out.
///
/// `p_value`: written, may be NULL: receives key and value, which are not destroyed then; with NULL
/// they are. `was_present`: written, may be NULL.
/// Returns AWS_OP_SUCCESS, whether or not there was one; AWS_OP_ERR with AWS_ERROR_INVALID_ARGUMENT
/// for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_table_remove(
    map: *mut aws_hash_table,
    key: *const c_void,
    p_value: *mut aws_hash_element,
    was_present: *mut c_int,
) -> c_int {
    ffi_fn!(calls_out {
        // SAFETY: by the argument rules.
        unsafe {
            let map = arg!(mut map);
            let taken = map.remove(key);
            if let Some(out) = was_present.as_mut() {
                *out = c_int::from(taken.is_some());
            }
            match (taken, p_value.as_mut()) {
                (Some(element), Some(out)) => *out = element,
                (Some(element), None) => map.destroy(element),
                (None, _) => {}
            }
        }
        AWS_OP_SUCCESS
    })
}

/// Entries in the table; 0 for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_table_get_entry_count(map: *const aws_hash_table) -> usize {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { map.as_ref() }.map_or(0, aws_hash_table::len) })
}

/// A walk over all entries, in no order that means anything. The table must not change meanwhile.
///
/// `map`: borrowed as long as the walk lasts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_iter_begin(map: *const aws_hash_table) -> aws_hash_iter {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { aws_hash_iter::begin(map) } })
}

/// Whether a walk is past the last entry; true for NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_iter_done(iter: *const aws_hash_iter) -> bool {
    // SAFETY: by the argument rules.
    ffi_fn!({ unsafe { iter.as_ref() }.is_none_or(aws_hash_iter::is_done) })
}

/// Steps to the next entry; `iter->element` shows it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_iter_next(iter: *mut aws_hash_iter) {
    ffi_fn!({
        // SAFETY: by the argument rules.
        if let Some(iter) = unsafe { iter.as_mut() } {
            // SAFETY: the table has not changed.
            unsafe { iter.step() };
        }
    })
}

/// Hashes a C string; an aws_hash_fn. NULL hashes like the empty string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_c_string(item: *const c_void) -> u64 {
    ffi_fn!({
        if item.is_null() {
            return hash_bytes(b"");
        }
        // SAFETY: by the argument rules.
        hash_bytes(unsafe { CStr::from_ptr(item.cast()) }.to_bytes())
    })
}

/// Hashes a pointer itself, not what it points to; an aws_hash_fn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_hash_ptr(item: *const c_void) -> u64 {
    ffi_fn!({
        // Addresses differ in their middle bits; a multiplication carries them up, the shift back
        // down, where the table looks.
        let mixed = (item.addr() as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 32)
    })
}

/// Whether two pointers are the same; an aws_hash_callback_eq_fn.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_ptr_eq(a: *const c_void, b: *const c_void) -> bool {
    ffi_fn!({ ptr::eq(a, b) })
}

fn hash_bytes(bytes: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ctypes::default_allocator;

    #[test]
    fn table_of_pointers_works_through_c() {
        let key = |n: usize| ptr::without_provenance_mut::<c_void>(n * 64);
        // SAFETY: keys and values are numbers, never looked into.
        unsafe {
            let mut map = aws_hash_table::EMPTY;
            let made = aws_hash_table_init(
                &mut map,
                default_allocator(),
                1,
                Some(aws_hash_ptr),
                Some(aws_ptr_eq),
                None,
                None,
            );
            assert_eq!(made, 0);
            let mut created = 7;
            for n in 1..=100 {
                assert_eq!(aws_hash_table_put(&mut map, key(n), key(n), &mut created), 0);
                assert_eq!(created, 1);
            }
            assert_eq!(aws_hash_table_put(&mut map, key(3), key(9), &mut created), 0);
            assert_eq!(created, 0);
            let mut found = ptr::null_mut();
            assert_eq!(aws_hash_table_find(&map, key(3), &mut found), 0);
            assert_eq!((*found).value, key(9));
            assert_eq!(aws_hash_table_find(&map, key(101), &mut found), 0);
            assert!(found.is_null());
            let mut taken = aws_hash_element::EMPTY;
            let mut present = 0;
            assert_eq!(aws_hash_table_remove(&mut map, key(3), &mut taken, &mut present), 0);
            assert_eq!((taken.value, present), (key(9), 1));
            assert_eq!(aws_hash_table_remove(&mut map, key(3), &mut taken, &mut present), 0);
            assert_eq!(present, 0);
            assert_eq!(aws_hash_table_get_entry_count(&map), 99);
            let mut iter = aws_hash_iter_begin(&map);
            let mut seen = 0;
            while !aws_hash_iter_done(&iter) {
                assert_eq!(iter.element.key, iter.element.value.cast_const());
                seen += 1;
                aws_hash_iter_next(&mut iter);
            }
            assert_eq!(seen, 99);
            aws_hash_table_clean_up(&mut map);
            aws_hash_table_clean_up(&mut map);
        }
    }

    #[test]
    fn null_arguments_are_invalid() {
        // SAFETY: NULL is refused or ignored.
        unsafe {
            let mut e = ptr::null_mut();
            let none = ptr::null_mut();
            assert_eq!(aws_hash_table_find(none, ptr::null(), &mut e), -1);
            assert_eq!(aws_hash_table_find(&aws_hash_table::EMPTY, ptr::null(), none.cast()), -1);
            assert_eq!(aws_hash_table_put(none, ptr::null(), none.cast(), none.cast()), -1);
            assert_eq!(aws_hash_table_remove(none, ptr::null(), none.cast(), none.cast()), -1);
            let a = default_allocator();
            assert_eq!(aws_hash_table_init(none, a, 1, None, None, None, None), -1);
            let mut map = aws_hash_table::EMPTY;
            assert_eq!(aws_hash_table_init(&mut map, a, 1, None, None, None, None), -1);
            assert!(aws_hash_iter_done(&aws_hash_iter_begin(ptr::null())));
            assert!(aws_hash_iter_done(ptr::null()));
            aws_hash_iter_next(ptr::null_mut());
            aws_hash_table_clean_up(none);
            assert_ne!(aws_hash_c_string(c"a".as_ptr().cast()), aws_hash_c_string(ptr::null()));
        }
    }
}
