//! The `http1` room.
