//! The `buffer` room.
