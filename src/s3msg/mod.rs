//! The `s3msg` room.
