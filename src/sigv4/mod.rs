//! The `sigv4` room.
