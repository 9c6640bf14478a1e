//! The `checksum` room.
