//! The `endpoint` room.
