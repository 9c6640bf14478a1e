//! HTTP/1.1 on the wire, sans-io: bytes in, events out; heads in, bytes out.
//!
//! ```text
//! RequestHead --encode--> Vec<u8>            bytes --Decoder::feed--> Event
//! body bytes never pass through here: the decoder only says how many may come
//! (`body_allowance`) and is told how many came (`advance`), so that a connection can receive
//! straight into the destination.
//! ```
//!
//! The framing is strict (RFC 9112 section 6): whatever two parties could read in two ways is
//! `HTTP_PROTOCOL_ERROR`. No socket, no clock, no lock, no retry lives here.

mod decoder;
mod encoder;
mod headers;

pub use decoder::{Decoder, Event, HEAD_BYTES_MAX, RequestKind, ResponseHead, Step, fuzz_http1};
pub use encoder::{
    RequestHead, encode, encode_list, is_field_value, is_target, is_token, push_decimal,
};
pub use headers::HeaderList;

#[cfg(test)]
mod tests;
