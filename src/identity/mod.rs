//! The `identity` room.
