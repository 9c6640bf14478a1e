//! The `body` room.
