//! The `meta` room.
