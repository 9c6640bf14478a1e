//! The `sys` room.
