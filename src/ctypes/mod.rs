//! The `ctypes` room.
