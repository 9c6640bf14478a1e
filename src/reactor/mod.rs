//! The `reactor` room.
