//! The `sys` room.

mod slab;

pub use slab::{Block, slab};
