//! The `delivery` room.
