//! The `retry` room.
