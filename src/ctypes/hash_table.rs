//! The hash table handed to C: open addressing, keys and values as pointers.

use std::ffi::{c_int, c_void};
use std::ptr;

use super::alloc::aws_allocator;
use crate::base::{Code, Error, Result};

/// Hashes a key.
pub type aws_hash_fn = Option<unsafe extern "C" fn(key: *const c_void) -> u64>;

/// Whether two keys are the same.
pub type aws_hash_callback_eq_fn =
    Option<unsafe extern "C" fn(a: *const c_void, b: *const c_void) -> bool>;

/// Called with a key or a value that leaves the table.
pub type aws_hash_callback_destroy_fn = Option<unsafe extern "C" fn(key_or_value: *mut c_void)>;

/// The table's inside.
#[repr(C)]
pub struct hash_table_state {
    _private: [u8; 0],
}

/// A hash table; all of it lives behind the pointer.
#[repr(C)]
pub struct aws_hash_table {
    pub p_impl: *mut hash_table_state,
}

/// A key and its value.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_hash_element {
    pub key: *const c_void,
    pub value: *mut c_void,
}

/// Where an iterator stands.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_hash_iter_status {
    AWS_HASH_ITER_STATUS_DONE,
    AWS_HASH_ITER_STATUS_DELETE_CALLED,
    AWS_HASH_ITER_STATUS_READY_FOR_USE,
}

/// A walk over all elements of a table, which must not change meanwhile.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct aws_hash_iter {
    pub map: *const aws_hash_table,
    /// The element it stands on.
    pub element: aws_hash_element,
    pub slot: usize,
    pub limit: usize,
    pub status: aws_hash_iter_status,
    pub unused_0: c_int,
    pub unused_1: *mut c_void,
    pub unused_2: *mut c_void,
}

impl aws_hash_element {
    pub const EMPTY: aws_hash_element =
        aws_hash_element { key: ptr::null(), value: ptr::null_mut() };
}

/// What a table does with its keys and values.
#[derive(Clone, Copy)]
pub struct HashTableFns {
    pub hash: aws_hash_fn,
    pub equals: aws_hash_callback_eq_fn,
    pub destroy_key: aws_hash_callback_destroy_fn,
    pub destroy_value: aws_hash_callback_destroy_fn,
}

/// The head of the table's one block; `mask + 1` slots follow it.
#[derive(Clone, Copy)]
struct State {
    alloc: *mut aws_allocator,
    fns: HashTableFns,
    mask: usize,
    count: usize,
}

/// A slot; `hash` 0 marks a free one.
#[derive(Clone, Copy)]
struct Slot {
    element: aws_hash_element,
    hash: u64,
}

const FREE: Slot = Slot { element: aws_hash_element::EMPTY, hash: 0 };

impl State {
    /// A block for `slots` slots, all free.
    unsafe fn allocate(
        alloc: *mut aws_allocator,
        fns: HashTableFns,
        slots: usize,
    ) -> Result<Table> {
        let size = slots
            .checked_mul(size_of::<Slot>())
            .and_then(|n| n.checked_add(size_of::<State>()))
            .ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        // SAFETY: by the caller's contract the allocator is live; a zeroed slot is a free one.
        unsafe {
            let block = aws_allocator::calloc(alloc, 1, size)?.cast::<State>();
            block.write(State { alloc, fns, mask: slots - 1, count: 0 });
            Ok(Table(block.as_ptr()))
        }
    }
}

/// A live table's inside. Slots are visited as `home + distance`; an entry never stands further
/// from its home than the one it passed on the way (robin hood), so a search ends early.
#[derive(Clone, Copy)]
struct Table(*mut State);

impl Table {
    fn state(self) -> State {
        // SAFETY: a `Table` is made from a live block only.
        unsafe { self.0.read() }
    }

    fn slot(self, index: usize) -> *mut Slot {
        self.0.wrapping_add(1).cast::<Slot>().wrapping_add(index)
    }

    fn read(self, index: usize) -> Slot {
        // SAFETY: callers stay below the number of slots.
        unsafe { self.slot(index).read() }
    }

    /// Slots that may be in use before the table grows: 95 in 100, and never all.
    fn load_max(mask: usize) -> usize {
        ((mask + 1) / 20 * 19 + (mask + 1) % 20 * 19 / 20).min(mask)
    }

    unsafe fn hash_of(self, key: *const c_void) -> u64 {
        match self.state().fns.hash {
            Some(hash) if !key.is_null() => {
                // SAFETY: the function takes the table's keys.
                unsafe { hash(key) }.max(1)
            }
            _ => 42,
        }
    }

    unsafe fn same(self, a: *const c_void, b: *const c_void) -> bool {
        if a == b {
            return true;
        }
        match self.state().fns.equals {
            // SAFETY: the function takes the table's keys.
            Some(equals) if !a.is_null() && !b.is_null() => unsafe { equals(a, b) },
            _ => false,
        }
    }

    /// Where the key stands, or else how far from its home it would go.
    unsafe fn search(self, hash: u64, key: *const c_void) -> std::result::Result<usize, usize> {
        let mask = self.state().mask;
        for distance in 0..=mask {
            let index = (hash as usize).wrapping_add(distance) & mask;
            let there = self.read(index);
            if there.hash == 0 || index.wrapping_sub(there.hash as usize) & mask < distance {
                return Err(distance);
            }
            // SAFETY: both are keys of this table.
            if there.hash == hash && unsafe { self.same(key, there.element.key) } {
                return Ok(index);
            }
        }
        Err(mask)
    }

    /// Places an entry from `distance` on; whom it displaces moves on. Needs one free slot.
    fn place(self, mut entry: Slot, mut distance: usize) -> usize {
        let mask = self.state().mask;
        let mut placed = None;
        loop {
            let index = (entry.hash as usize).wrapping_add(distance) & mask;
            let there = self.read(index);
            let theirs = index.wrapping_sub(there.hash as usize) & mask;
            if there.hash == 0 || theirs < distance {
                // SAFETY: the index is below the number of slots.
                unsafe { self.slot(index).write(entry) };
                let at = *placed.get_or_insert(index);
                if there.hash == 0 {
                    return at;
                }
                entry = there;
                distance = theirs;
            }
            distance += 1;
        }
    }

    /// Frees a slot; those behind it that are not at home move one back.
    fn vacate(self, mut index: usize) {
        let mask = self.state().mask;
        loop {
            let next = (index + 1) & mask;
            let behind = self.read(next);
            let stays = behind.hash == 0 || behind.hash as usize & mask == next;
            // SAFETY: the index is below the number of slots; the block is live.
            unsafe { self.slot(index).write(if stays { FREE } else { behind }) };
            if stays {
                break;
            }
            index = next;
        }
        // SAFETY: the block is live.
        unsafe { (*self.0).count -= 1 };
    }
}

impl aws_hash_table {
    pub const EMPTY: aws_hash_table = aws_hash_table { p_impl: ptr::null_mut() };

    /// A table with room for about `size` entries before it grows.
    ///
    /// # Safety
    /// `alloc` is NULL or live, and outlives the table.
    pub unsafe fn new(
        alloc: *mut aws_allocator,
        size: usize,
        fns: HashTableFns,
    ) -> Result<aws_hash_table> {
        if alloc.is_null() || fns.hash.is_none() || fns.equals.is_none() {
            return Err(Code::INVALID_ARGUMENT.into());
        }
        let slots =
            size.max(2).checked_next_power_of_two().ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
        // SAFETY: by the contract.
        let table = unsafe { State::allocate(alloc, fns, slots)? };
        Ok(aws_hash_table { p_impl: table.0.cast() })
    }

    fn table(&self) -> Option<Table> {
        (!self.p_impl.is_null()).then_some(Table(self.p_impl.cast()))
    }

    /// Entries in the table.
    pub fn len(&self) -> usize {
        self.table().map_or(0, |t| t.state().count)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element with this key, or NULL. It moves when the table changes.
    ///
    /// # Safety
    /// The table's own functions can take `key`.
    pub unsafe fn find(&self, key: *const c_void) -> *mut aws_hash_element {
        let Some(table) = self.table() else { return ptr::null_mut() };
        // SAFETY: by the contract; a found index is below the number of slots.
        unsafe {
            match table.search(table.hash_of(key), key) {
                Ok(index) => &raw mut (*table.slot(index)).element,
                Err(_) => ptr::null_mut(),
            }
        }
    }

    /// The element with this key, made with a NULL value if there was none; whether it was made.
    ///
    /// # Safety
    /// As for [`find`](Self::find).
    pub unsafe fn find_or_create(
        &mut self,
        key: *const c_void,
    ) -> Result<(*mut aws_hash_element, bool)> {
        let mut table = self.table().ok_or(Error::new(Code::INVALID_ARGUMENT))?;
        // SAFETY: by the contract; the block is live and has a free slot when an entry is placed.
        unsafe {
            let hash = table.hash_of(key);
            let mut distance = match table.search(hash, key) {
                Ok(index) => return Ok((&raw mut (*table.slot(index)).element, false)),
                Err(distance) => distance,
            };
            let state = table.state();
            if state.count + 1 > Table::load_max(state.mask) {
                let slots =
                    (state.mask + 1).checked_mul(2).ok_or(Error::new(Code::OVERFLOW_DETECTED))?;
                let wider = State::allocate(state.alloc, state.fns, slots)?;
                for entry in (0..=state.mask).map(|i| table.read(i)).filter(|e| e.hash != 0) {
                    wider.place(entry, 0);
                }
                (*wider.0).count = state.count;
                aws_allocator::release(state.alloc, table.0.cast());
                self.p_impl = wider.0.cast();
                table = wider;
                distance = 0;
            }
            (*table.0).count += 1;
            let element = aws_hash_element { key, value: ptr::null_mut() };
            let index = table.place(Slot { element, hash }, distance);
            Ok((&raw mut (*table.slot(index)).element, true))
        }
    }

    /// Sets the value of a key; a replaced key and value are destroyed. Whether it is new.
    ///
    /// # Safety
    /// As for [`find`](Self::find).
    pub unsafe fn put(&mut self, key: *const c_void, value: *mut c_void) -> Result<bool> {
        // SAFETY: by the contract; the element is live until the table changes.
        unsafe {
            let (element, created) = self.find_or_create(key)?;
            let old = element.replace(aws_hash_element { key, value });
            if !created && let Some(table) = self.table() {
                let fns = table.state().fns;
                if old.key != key
                    && let Some(destroy) = fns.destroy_key
                {
                    destroy(old.key.cast_mut());
                }
                if let Some(destroy) = fns.destroy_value {
                    destroy(old.value);
                }
            }
            Ok(created)
        }
    }

    /// Takes the element with this key out without destroying it.
    ///
    /// # Safety
    /// As for [`find`](Self::find).
    pub unsafe fn remove(&mut self, key: *const c_void) -> Option<aws_hash_element> {
        let table = self.table()?;
        // SAFETY: by the contract.
        let index = unsafe { table.search(table.hash_of(key), key) }.ok()?;
        let element = table.read(index).element;
        table.vacate(index);
        Some(element)
    }

    /// Gives an element that was taken out to the table's destroying functions.
    ///
    /// # Safety
    /// Nobody uses the element any more.
    pub unsafe fn destroy(&self, element: aws_hash_element) {
        let Some(fns) = self.table().map(|t| t.state().fns) else { return };
        // SAFETY: by the contract.
        unsafe {
            if let Some(destroy) = fns.destroy_key {
                destroy(element.key.cast_mut());
            }
            if let Some(destroy) = fns.destroy_value {
                destroy(element.value);
            }
        }
    }

    /// Destroys all elements.
    ///
    /// # Safety
    /// Nobody uses the elements any more.
    pub unsafe fn clear(&mut self) {
        let Some(table) = self.table() else { return };
        let state = table.state();
        for index in 0..=state.mask {
            let entry = table.read(index);
            if entry.hash == 0 {
                continue;
            }
            // SAFETY: the index is below the number of slots; the slot is free before the caller's
            // functions run.
            unsafe {
                table.slot(index).write(FREE);
                self.destroy(entry.element);
            }
        }
        // SAFETY: the block is live.
        unsafe { (*table.0).count = 0 };
    }

    /// Destroys all elements and the table; a second call does nothing.
    ///
    /// # Safety
    /// As for [`clear`](Self::clear).
    pub unsafe fn clean_up(&mut self) {
        // SAFETY: by the contract; the block came from the allocator it names.
        unsafe {
            self.clear();
            if let Some(table) = self.table() {
                aws_allocator::release(table.state().alloc, table.0.cast());
            }
        }
        self.p_impl = ptr::null_mut();
    }
}

impl aws_hash_iter {
    /// A walk that stands on the first element, or is done.
    ///
    /// # Safety
    /// `map` is NULL or live, and does not change during the walk.
    pub unsafe fn begin(map: *const aws_hash_table) -> aws_hash_iter {
        // SAFETY: by the contract.
        let table = unsafe { map.as_ref() }.and_then(aws_hash_table::table);
        let mut iter = aws_hash_iter {
            map,
            element: aws_hash_element::EMPTY,
            slot: 0,
            limit: table.map_or(0, |t| t.state().mask + 1),
            status: aws_hash_iter_status::AWS_HASH_ITER_STATUS_DONE,
            unused_0: 0,
            unused_1: ptr::null_mut(),
            unused_2: ptr::null_mut(),
        };
        // SAFETY: by the contract.
        unsafe { iter.settle() };
        iter
    }

    pub fn is_done(&self) -> bool {
        self.slot >= self.limit
    }

    /// Steps to the next element.
    ///
    /// # Safety
    /// As for [`begin`](Self::begin).
    pub unsafe fn step(&mut self) {
        if !self.is_done() {
            self.slot += 1;
            // SAFETY: by the contract.
            unsafe { self.settle() };
        }
    }

    /// Goes on to the first used slot from here.
    unsafe fn settle(&mut self) {
        // SAFETY: by the caller's contract.
        let table = unsafe { self.map.as_ref() }.and_then(aws_hash_table::table);
        if let Some(table) = table {
            self.limit = self.limit.min(table.state().mask + 1);
            while self.slot < self.limit {
                let entry = table.read(self.slot);
                if entry.hash != 0 {
                    self.element = entry.element;
                    self.status = aws_hash_iter_status::AWS_HASH_ITER_STATUS_READY_FOR_USE;
                    return;
                }
                self.slot += 1;
            }
        }
        self.slot = self.limit;
        self.element = aws_hash_element::EMPTY;
        self.status = aws_hash_iter_status::AWS_HASH_ITER_STATUS_DONE;
    }
}

#[cfg(test)]
mod tests {
    use super::super::alloc::tests as counted;
    use super::*;
    use std::collections::HashMap;

    /// Bad on purpose: a few home slots for all keys.
    unsafe extern "C" fn crowded(key: *const c_void) -> u64 {
        key.addr() as u64 % 7
    }

    unsafe extern "C" fn equal(a: *const c_void, b: *const c_void) -> bool {
        a == b
    }

    thread_local! {
        static DESTROYED: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
    }

    unsafe extern "C" fn destroy(_: *mut c_void) {
        DESTROYED.set(DESTROYED.get() + 1);
    }

    const FNS: HashTableFns = HashTableFns {
        hash: Some(crowded),
        equals: Some(equal),
        destroy_key: None,
        destroy_value: Some(destroy),
    };

    fn p(n: usize) -> *mut c_void {
        ptr::without_provenance_mut(n)
    }

    #[test]
    fn table_agrees_with_a_map_of_the_language() {
        let a = counted::counting(usize::MAX);
        let mut model = HashMap::new();
        let mut seed = 1u64;
        // SAFETY: keys are numbers, never looked into.
        unsafe {
            let mut table = aws_hash_table::new(a, 0, FNS).expect("memory");
            for step in 0..4000usize {
                seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                let key = (seed >> 33) as usize % 200;
                if seed >> 62 == 0 {
                    let taken = table.remove(p(key)).map(|e| e.value.addr());
                    assert_eq!(taken, model.remove(&key));
                } else {
                    let new = table.put(p(key), p(step)).expect("memory");
                    assert_eq!(new, model.insert(key, step).is_none());
                }
                assert_eq!(table.len(), model.len());
            }
            for key in 0..200 {
                let found = table.find(p(key)).as_ref().map(|e| e.value.addr());
                assert_eq!(found, model.get(&key).copied());
            }
            let mut iter = aws_hash_iter::begin(&table);
            let mut seen = 0;
            while !iter.is_done() {
                assert_eq!(model.get(&iter.element.key.addr()), Some(&iter.element.value.addr()));
                seen += 1;
                iter.step();
            }
            assert_eq!(seen, model.len());
            DESTROYED.set(0);
            table.clean_up();
            assert_eq!(DESTROYED.get(), model.len());
            table.clean_up();
        }
        assert_eq!(counted::LIVE.get(), 0);
    }

    #[test]
    fn growth_without_memory_leaves_the_table() {
        let a = counted::counting(1);
        // SAFETY: keys are numbers, never looked into.
        unsafe {
            let mut table = aws_hash_table::new(a, 4, FNS).expect("first block");
            for key in 1..4 {
                assert_eq!(table.put(p(key), p(key)), Ok(true));
            }
            assert_eq!(table.put(p(4), p(4)), Err(Error::new(Code::OOM)));
            assert_eq!(table.put(p(3), p(9)), Ok(false));
            assert_eq!(table.len(), 3);
            assert!(table.find(p(4)).is_null());
            table.clean_up();
        }
        assert_eq!(counted::LIVE.get(), 0);
    }

    #[test]
    fn empty_struct_answers_like_an_empty_table() {
        // SAFETY: nothing is behind the struct.
        unsafe {
            let mut none = aws_hash_table::EMPTY;
            assert!(none.find(p(1)).is_null());
            assert!(none.remove(p(1)).is_none());
            assert!(none.put(p(1), p(1)).is_err());
            assert!(aws_hash_iter::begin(&none).is_done());
            assert!(aws_hash_iter::begin(ptr::null()).is_done());
            none.clean_up();
            let a = counted::counting(0);
            assert!(aws_hash_table::new(a, 0, FNS).is_err());
            assert!(aws_hash_table::new(a, usize::MAX, FNS).is_err());
            let nameless = HashTableFns { hash: None, ..FNS };
            assert!(aws_hash_table::new(a, 0, nameless).is_err());
        }
    }
}
