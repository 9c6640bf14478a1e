//! The `hashing` room.
