//! The timers of one loop: a binary heap whose entries may be stale, over a table of works.
//!
//! A timer is set for every request and nearly never fires, so that setting and canceling must be
//! cheap: a cancel empties its place in the table and leaves the heap alone; when more than half of
//! the heap is stale, it is swept once.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::Loop;
use super::task::RawTask;
use crate::base::Instant;

/// Names a timer of one loop; never used twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct TimerId {
    place: u32,
    generation: u32,
}

pub(super) enum Work {
    Call(Box<dyn FnOnce(&Loop)>),
    Task(RawTask),
}

#[derive(Default)]
pub(super) struct Timers {
    /// Time, then order of setting; then which place and whether it is still meant.
    heap: BinaryHeap<Reverse<(Instant, u64, u32, u32)>>,
    places: Vec<Place>,
    free: Vec<u32>,
    tasks: HashMap<usize, TimerId>,
    order: u64,
    stale: usize,
}

struct Place {
    generation: u32,
    work: Option<Work>,
}

/// Below so many stale entries a sweep costs more than it gives.
const STALE_MIN: usize = 64;

impl Timers {
    pub(super) fn set(&mut self, at: Instant, work: Work) -> TimerId {
        let key = match &work {
            Work::Task(task) => Some(task.key),
            Work::Call(_) => None,
        };
        let place = self.free.pop().unwrap_or_else(|| {
            self.places.push(Place { generation: 0, work: None });
            (self.places.len() - 1) as u32
        });
        let slot = &mut self.places[place as usize];
        slot.work = Some(work);
        let id = TimerId { place, generation: slot.generation };
        self.heap.push(Reverse((at, self.order, place, id.generation)));
        self.order += 1;
        if let Some(key) = key {
            self.tasks.insert(key, id);
        }
        id
    }

    pub(super) fn cancel(&mut self, id: TimerId) -> Option<Work> {
        let work = self.take(id)?;
        self.stale += 1;
        if self.stale > STALE_MIN && self.stale > self.heap.len() / 2 {
            let places = &self.places;
            self.heap.retain(|Reverse((_, _, place, generation))| {
                places[*place as usize].generation == *generation
            });
            self.stale = 0;
        }
        Some(work)
    }

    pub(super) fn cancel_task(&mut self, key: usize) -> Option<RawTask> {
        match self.cancel(*self.tasks.get(&key)?)? {
            Work::Task(task) => Some(task),
            Work::Call(_) => None,
        }
    }

    /// The next work whose time has come, of those set before `order`.
    pub(super) fn pop_due(&mut self, now: Instant, order: u64) -> Option<Work> {
        loop {
            let &Reverse((at, set, place, generation)) = self.heap.peek()?;
            let id = TimerId { place, generation };
            if !self.is_meant(id) {
                self.heap.pop();
                self.stale = self.stale.saturating_sub(1);
                continue;
            }
            if at > now || set >= order {
                return None;
            }
            self.heap.pop();
            return self.take(id);
        }
    }

    /// Takes out a task whatever its time, the earliest first.
    pub(super) fn pop_task(&mut self) -> Option<RawTask> {
        while let Some(&id) = self.tasks.values().min_by_key(|id| id.place) {
            if let Some(Work::Task(task)) = self.cancel(id) {
                return Some(task);
            }
        }
        None
    }

    /// When the loop must be awake next.
    pub(super) fn next(&mut self) -> Option<Instant> {
        loop {
            let &Reverse((at, _, place, generation)) = self.heap.peek()?;
            if self.is_meant(TimerId { place, generation }) {
                return Some(at);
            }
            self.heap.pop();
            self.stale = self.stale.saturating_sub(1);
        }
    }

    /// Timers set from now on have at least this number.
    pub(super) fn order(&self) -> u64 {
        self.order
    }

    fn is_meant(&self, id: TimerId) -> bool {
        self.places[id.place as usize].generation == id.generation
    }

    fn take(&mut self, id: TimerId) -> Option<Work> {
        let slot = self.places.get_mut(id.place as usize)?;
        if slot.generation != id.generation {
            return None;
        }
        let work = slot.work.take()?;
        slot.generation = slot.generation.wrapping_add(1);
        self.free.push(id.place);
        if let Work::Task(task) = &work
            && self.tasks.get(&task.key) == Some(&id)
        {
            self.tasks.remove(&task.key);
        }
        Some(work)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work() -> Work {
        Work::Call(Box::new(|_| ()))
    }

    fn task(key: usize) -> Work {
        Work::Task(RawTask { key, run: |_, _| () })
    }

    fn due(timers: &mut Timers, now: u64) -> Vec<usize> {
        let order = timers.order();
        let mut keys = Vec::new();
        while let Some(Work::Task(t)) = timers.pop_due(Instant(now), order) {
            keys.push(t.key);
        }
        keys
    }

    #[test]
    fn due_timers_come_by_time_and_then_by_order() {
        let mut timers = Timers::default();
        for (key, at) in [(1, 30), (2, 10), (3, 20), (4, 10)] {
            timers.set(Instant(at), task(key));
        }
        assert_eq!(timers.next(), Some(Instant(10)));
        assert_eq!(due(&mut timers, 20), [2, 4, 3]);
        assert_eq!(due(&mut timers, 29), []);
        assert_eq!(due(&mut timers, 30), [1]);
        assert_eq!(timers.next(), None);
    }

    #[test]
    fn canceled_timer_is_gone_and_its_name_is_not_reused() {
        let mut timers = Timers::default();
        let a = timers.set(Instant(1), work());
        assert!(timers.cancel(a).is_some());
        assert!(timers.cancel(a).is_none());
        let b = timers.set(Instant(2), work());
        assert_ne!(a, b);
        assert!(timers.cancel(a).is_none());
        assert_eq!(timers.next(), Some(Instant(2)));
    }

    #[test]
    fn many_cancels_do_not_let_the_heap_grow() {
        let mut timers = Timers::default();
        for i in 0..100_000u64 {
            let id = timers.set(Instant(i), work());
            timers.cancel(id);
        }
        assert!(timers.heap.len() <= 2 * STALE_MIN, "{}", timers.heap.len());
        assert_eq!(timers.places.len(), 1);
    }

    #[test]
    fn task_is_canceled_by_its_key() {
        let mut timers = Timers::default();
        timers.set(Instant(5), task(7));
        timers.set(Instant(6), task(8));
        assert_eq!(timers.cancel_task(7).map(|t| t.key), Some(7));
        assert!(timers.cancel_task(7).is_none());
        assert_eq!(timers.pop_task().map(|t| t.key), Some(8));
        assert!(timers.pop_task().is_none());
    }

    #[test]
    fn timer_set_by_a_timer_waits_for_the_next_turn() {
        let mut timers = Timers::default();
        timers.set(Instant(1), work());
        let order = timers.order();
        assert!(timers.pop_due(Instant(9), order).is_some());
        timers.set(Instant(1), work());
        assert!(timers.pop_due(Instant(9), order).is_none());
    }
}
