//! The retry budget of one partition (a host, a bucket): failures take from it, successes give
//! back, and when it is empty nobody retries. So an outage is not made worse by its victims.

use super::classify::Kind;
use crate::base::{Code, Result};

#[derive(Clone, Debug)]
pub struct Bucket {
    capacity: u64,
    capacity_max: u64,
}

/// What the last retry of one request took; given back when the request succeeds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cost(u64);

impl Default for Cost {
    /// A request that never failed gives a little back too, or an outage would never be over.
    fn default() -> Cost {
        Cost(COST_OF_NONE)
    }
}

impl Bucket {
    /// 0 takes 500.
    pub fn new(capacity: u64) -> Bucket {
        let capacity = if capacity == 0 { CAPACITY_DEFAULT } else { capacity };
        Bucket { capacity, capacity_max: capacity }
    }

    pub fn capacity(&self) -> u64 {
        self.capacity
    }

    /// Takes the price of one retry. A service that asks to slow down is well otherwise: that is
    /// cheaper than one that does not answer.
    pub fn take(&mut self, kind: Kind, cost: &mut Cost) -> Result<()> {
        if kind == Kind::Client || self.capacity == 0 {
            return Err(Code::IO_RETRY_PERMISSION_DENIED.into());
        }
        let price = if kind == Kind::Transient { COST_TRANSIENT } else { COST_OTHER };
        let price = price.min(self.capacity);
        self.capacity -= price;
        *cost = Cost(price);
        Ok(())
    }

    /// The retry that `take` paid for will not happen; `before` is what the cost was until then.
    pub fn take_back(&mut self, cost: &mut Cost, before: Cost) {
        self.give(cost.0);
        *cost = before;
    }

    /// The request succeeded.
    pub fn succeeded(&mut self, cost: &mut Cost) {
        self.give(cost.0);
        *cost = Cost(0);
    }

    fn give(&mut self, units: u64) {
        self.capacity = self.capacity.saturating_add(units).min(self.capacity_max);
    }
}

const CAPACITY_DEFAULT: u64 = 500;
const COST_OTHER: u64 = 5;
const COST_TRANSIENT: u64 = 10;
const COST_OF_NONE: u64 = 1;
