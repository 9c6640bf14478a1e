//! The array list (contiguous, any item size) and the intrusive, doubly linked list.

use std::ffi::c_void;
use std::ptr;

use super::alloc::aws_allocator;
use crate::base::{Code, Error, Result};

/// `length` items of `item_size` bytes, one after another. `alloc` is NULL for a list over memory
/// of the caller's, which cannot grow.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_array_list {
    pub alloc: *mut aws_allocator,
    /// Bytes the block holds.
    pub current_size: usize,
    /// Items in use.
    pub length: usize,
    pub item_size: usize,
    pub data: *mut c_void,
}

/// A link inside an item of a linked list.
#[repr(C)]
pub struct aws_linked_list_node {
    pub next: *mut aws_linked_list_node,
    pub prev: *mut aws_linked_list_node,
}

/// A doubly linked list between two sentinels. It must not move while it has nodes.
#[repr(C)]
pub struct aws_linked_list {
    pub head: aws_linked_list_node,
    pub tail: aws_linked_list_node,
}

impl aws_array_list {
    pub const EMPTY: aws_array_list = aws_array_list {
        alloc: ptr::null_mut(),
        current_size: 0,
        length: 0,
        item_size: 0,
        data: ptr::null_mut(),
    };

    /// A list that grows, with room for `items` items of `item_size` bytes.
    ///
    /// # Safety
    /// `alloc` is NULL or live, and outlives the list.
    pub unsafe fn new(
        alloc: *mut aws_allocator,
        items: usize,
        item_size: usize,
    ) -> Result<aws_array_list> {
        if alloc.is_null() || item_size == 0 {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        let size = items.checked_mul(item_size).ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        let mut list = aws_array_list { alloc, item_size, ..aws_array_list::EMPTY };
        if size > 0 {
            // SAFETY: by the contract.
            list.data = unsafe { aws_allocator::acquire(alloc, size)?.as_ptr() };
            list.current_size = size;
        }
        Ok(list)
    }

    /// A list of `T`s that grows.
    ///
    /// # Safety
    /// As for [`new`](Self::new).
    pub unsafe fn of<T>(alloc: *mut aws_allocator, items: usize) -> Result<aws_array_list> {
        // SAFETY: by the contract.
        unsafe { Self::new(alloc, items, size_of::<T>()) }
    }

    /// Whether the fields fit together.
    pub fn is_valid(&self) -> bool {
        let used = self.length.checked_mul(self.item_size);
        self.item_size != 0
            && used.is_some_and(|n| n <= self.current_size)
            && (self.current_size == 0) == self.data.is_null()
            && self.current_size <= isize::MAX as usize
    }

    /// Makes room for an item at `index`, growing to twice the size at least.
    ///
    /// # Safety
    /// The list is live and nobody else uses it.
    pub unsafe fn ensure_capacity(&mut self, index: usize) -> Result<()> {
        if !self.is_valid() {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        let needed = index
            .checked_add(1)
            .and_then(|items| items.checked_mul(self.item_size))
            .ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        if needed <= self.current_size {
            return Ok(());
        }
        if self.alloc.is_null() {
            return Err(Code::INVALID_INDEX.into());
        }
        let wanted = needed.max(self.current_size.saturating_mul(2));
        // SAFETY: the block came from the allocator with this size.
        unsafe {
            let fresh = aws_allocator::acquire(self.alloc, wanted)?.as_ptr();
            if self.length > 0 {
                let used = self.length * self.item_size;
                ptr::copy_nonoverlapping(self.data.cast::<u8>(), fresh.cast(), used);
            }
            aws_allocator::release(self.alloc, self.data);
            self.data = fresh;
        }
        self.current_size = wanted;
        Ok(())
    }

    /// Copies one item behind the last.
    ///
    /// # Safety
    /// `item` points to `item_size` bytes, outside the list.
    pub unsafe fn push_back(&mut self, item: *const c_void) -> Result<()> {
        // SAFETY: by the contract; the room was made.
        unsafe {
            match self.ensure_capacity(self.length) {
                Err(error) if error.code == Code::INVALID_INDEX => {
                    return Err(Code::LIST_EXCEEDS_MAX_SIZE.into());
                }
                other => other?,
            }
            let to = self.data.cast::<u8>().add(self.length * self.item_size);
            ptr::copy_nonoverlapping(item.cast::<u8>(), to, self.item_size);
        }
        self.length += 1;
        Ok(())
    }

    /// Copies one typed item behind the last.
    ///
    /// # Safety
    /// The list is one of `T`s.
    pub unsafe fn push<T: Copy>(&mut self, item: T) -> Result<()> {
        if self.item_size != size_of::<T>() {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        // SAFETY: by the contract.
        unsafe { self.push_back((&raw const item).cast()) }
    }

    /// Where item `index` stands.
    pub fn at(&self, index: usize) -> Option<*mut c_void> {
        (index < self.length && self.is_valid())
            .then(|| self.data.wrapping_byte_add(index * self.item_size))
    }

    /// The items as a slice; `None` where the list is not one of `T`s.
    ///
    /// # Safety
    /// The list holds `T`s, and stays alive and unchanged for `'a`.
    pub unsafe fn items<'a, T>(&self) -> Option<&'a [T]> {
        if self.length == 0 {
            return Some(&[]);
        }
        if !self.is_valid()
            || self.item_size != size_of::<T>()
            || !self.data.cast::<T>().is_aligned()
        {
            return None;
        }
        // SAFETY: by the contract; the fields were checked.
        Some(unsafe { std::slice::from_raw_parts(self.data.cast(), self.length) })
    }

    /// Frees the block if it is the list's own, and zeroes the struct.
    ///
    /// # Safety
    /// Nobody uses the items any more.
    pub unsafe fn clean_up(&mut self) {
        if !self.alloc.is_null() {
            // SAFETY: the block came from the allocator.
            unsafe { aws_allocator::release(self.alloc, self.data) };
        }
        *self = aws_array_list::EMPTY;
    }
}

impl aws_linked_list_node {
    pub const UNLINKED: aws_linked_list_node =
        aws_linked_list_node { next: ptr::null_mut(), prev: ptr::null_mut() };

    /// Puts `node` in front of `before`.
    ///
    /// # Safety
    /// `before` is linked, `node` is not.
    pub unsafe fn insert_before(before: *mut Self, node: *mut Self) {
        // SAFETY: by the contract all neighbours are live.
        unsafe {
            (*node).next = before;
            (*node).prev = (*before).prev;
            (*(*before).prev).next = node;
            (*before).prev = node;
        }
    }

    /// Takes a linked node out.
    ///
    /// # Safety
    /// `node` is linked.
    pub unsafe fn remove(node: *mut Self) {
        // SAFETY: by the contract all neighbours are live.
        unsafe {
            (*(*node).prev).next = (*node).next;
            (*(*node).next).prev = (*node).prev;
            *node = Self::UNLINKED;
        }
    }
}

impl aws_linked_list {
    /// Makes it empty where it stands.
    ///
    /// # Safety
    /// `list` is writable and does not move from now on.
    pub unsafe fn init(list: *mut Self) {
        // SAFETY: by the contract.
        unsafe {
            let (head, tail) = (&raw mut (*list).head, &raw mut (*list).tail);
            head.write(aws_linked_list_node { next: tail, prev: ptr::null_mut() });
            tail.write(aws_linked_list_node { next: ptr::null_mut(), prev: head });
        }
    }

    /// # Safety
    /// `list` is a live list.
    pub unsafe fn push_back(list: *mut Self, node: *mut aws_linked_list_node) {
        // SAFETY: by the contract; the sentinel is always linked.
        unsafe { aws_linked_list_node::insert_before(&raw mut (*list).tail, node) };
    }

    /// # Safety
    /// `list` is a live list.
    pub unsafe fn pop_front(list: *mut Self) -> *mut aws_linked_list_node {
        // SAFETY: by the contract.
        unsafe {
            let node = (*list).head.next;
            if node == &raw mut (*list).tail {
                return ptr::null_mut();
            }
            aws_linked_list_node::remove(node);
            node
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::alloc::{default_allocator, tests as counted};
    use super::*;

    #[test]
    fn array_list_grows_and_keeps_its_items() {
        // SAFETY: the list is used by this test alone.
        unsafe {
            let mut list = aws_array_list::of::<u32>(default_allocator(), 0).expect("no memory");
            for i in 0..100u32 {
                list.push(i).expect("grows");
            }
            let items: &[u32] = list.items().expect("a list of u32");
            assert!(items.iter().copied().eq(0..100));
            assert_eq!(list.at(99).map(|p| *p.cast::<u32>()), Some(99));
            assert!(list.at(100).is_none());
            assert!(list.items::<u64>().is_none());
            assert!(list.push(1u8).is_err());
            list.clean_up();
            assert!(list.data.is_null());
        }
    }

    #[test]
    fn array_list_over_foreign_memory_is_bounded() {
        let mut room = [0u16; 2];
        let mut list = aws_array_list {
            current_size: 4,
            item_size: 2,
            data: room.as_mut_ptr().cast(),
            ..aws_array_list::EMPTY
        };
        // SAFETY: the block is the array above.
        unsafe {
            list.push(1u16).expect("room");
            list.push(2u16).expect("room");
            let full = list.push(3u16);
            assert_eq!(full, Err(Error::new(Code::LIST_EXCEEDS_MAX_SIZE)));
            let far = list.ensure_capacity(usize::MAX);
            assert_eq!(far, Err(Error::new(Code::OVERFLOW_DETECTED)));
        }
    }

    #[test]
    fn array_list_without_memory_stays_as_it_is() {
        let a = counted::counting(1);
        // SAFETY: the list is used by this test alone.
        unsafe {
            let mut list = aws_array_list::of::<u8>(a, 1).expect("first block");
            list.push(7u8).expect("room");
            assert_eq!(list.push(8u8), Err(Error::new(Code::OOM)));
            assert_eq!(list.items::<u8>(), Some(&[7u8][..]));
            list.clean_up();
            assert!(aws_array_list::new(a, 1, 0).is_err());
            assert!(aws_array_list::new(ptr::null_mut(), 1, 1).is_err());
        }
        assert_eq!(counted::LIVE.get(), 0);
    }

    #[test]
    fn linked_list_gives_nodes_in_order() {
        // SAFETY: list and nodes stay where they are.
        unsafe {
            let mut list = std::mem::zeroed::<aws_linked_list>();
            let list = &raw mut list;
            let mut nodes = [const { aws_linked_list_node::UNLINKED }; 3];
            let nodes = nodes.as_mut_ptr();
            aws_linked_list::init(list);
            assert!(aws_linked_list::pop_front(list).is_null());
            for i in 0..3 {
                aws_linked_list::push_back(list, nodes.add(i));
            }
            aws_linked_list_node::remove(nodes.add(1));
            assert_eq!(aws_linked_list::pop_front(list), nodes);
            assert_eq!(aws_linked_list::pop_front(list), nodes.add(2));
            assert!(aws_linked_list::pop_front(list).is_null());
        }
    }
}
