//! Meta request machines: what a GET, a PUT or one plain request has to do, sans-io.
//!
//! ```text
//!   facts  --on_event-->  machine  --next_action-->  wishes
//! ```
//! No callback, I/O, clock, lock or signing here. The conductor (`client`) asks for wishes, carries
//! them out and reports facts. `Finish` is the last wish and comes once.

mod default;
mod get;
mod machine;
mod put;
#[cfg(test)]
mod tests;

pub use default::Default;
pub use get::{Get, GetOptions};
pub use machine::{
    Action, Budget, ContentRange, Event, Head, Machine, Op, PartList, Piece, Reply, RequestId, Send,
};
pub use put::{Put, PutOptions, PutSource};
