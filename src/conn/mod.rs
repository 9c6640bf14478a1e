//! A connection: socket, HTTP/1.1 codec and one exchange at a time, on one loop for life.
//!
//! ```text
//! start(Outgoing, Exchange) -> head + body written     (partial writes go on at the next edge)
//!   socket -> Decoder -> Exchange::on_head             (where do body bytes go?)
//!   socket -> straight into Exchange::window -> commit -> flush (once a burst)
//!   on_end(Ok(reusable) | Err)                          exactly once
//! ```
//! No S3 and no retry here; a connection that saw an error is closed, never reused.

mod connection;
mod outgoing;
#[cfg(test)]
mod tests;

pub use connection::{Connection, ConnectionOptions, Counters, End, Exchange, Owner};
pub use outgoing::{Outgoing, PartSource};
