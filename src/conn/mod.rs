//! The `conn` room.
