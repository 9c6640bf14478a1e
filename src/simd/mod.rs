//! The `simd` room.
