//! The `placement` room.
