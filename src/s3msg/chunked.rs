//! The `aws-chunked` body framing: chunks, then a trailer with the checksum, so that a body's
//! checksum can follow the bytes it is of. With or without a signature for each chunk.
//!
//! ```text
//! hex-size[;chunk-signature=..]CRLF  bytes CRLF  ..  0[;chunk-signature=..]CRLF
//! name:value CRLF  [x-amz-trailer-signature:.. CRLF]  CRLF
//! ```
//! The framing's length is known before the first byte: `Content-Length` is sent, never
//! `Transfer-Encoding`.

use crate::checksum::Algorithm;

/// The framing of one body. Bytes go past it: it only writes what stands between them.
#[derive(Clone, Debug)]
pub struct AwsChunked {
    body_len: u64,
    chunk_size: u64,
    given: u64,
    signed: bool,
    trailer: Option<Algorithm>,
    begun: bool,
}

impl AwsChunked {
    /// One chunk for the whole body and the checksum behind it, unsigned: what S3 is sent where
    /// the payload is not signed.
    pub fn unsigned(body_len: u64, trailer: Algorithm) -> AwsChunked {
        AwsChunked {
            body_len,
            chunk_size: body_len.max(1),
            given: 0,
            signed: false,
            trailer: Some(trailer),
            begun: false,
        }
    }

    /// Signed chunks of `chunk_size` bytes (S3 wants at least 8 KiB), the last one shorter.
    pub fn signed(body_len: u64, chunk_size: u64, trailer: Option<Algorithm>) -> AwsChunked {
        assert!(chunk_size > 0, "a chunk holds at least a byte");
        AwsChunked { body_len, chunk_size, given: 0, signed: true, trailer, begun: false }
    }

    pub fn body_len(&self) -> u64 {
        self.body_len
    }

    /// The value of `Content-Length`.
    pub fn encoded_len(&self) -> u64 {
        let signature = if self.signed { SIGNATURE_FIELD.len() as u64 + 64 } else { 0 };
        let frame = |size: u64| hex_len(size) + signature + 2;
        let full = self.body_len / self.chunk_size;
        let rest = self.body_len % self.chunk_size;
        let mut len = full * (frame(self.chunk_size) + self.chunk_size + 2);
        if rest > 0 {
            len += frame(rest) + rest + 2;
        }
        len += frame(0);
        if let Some(algorithm) = self.trailer {
            len += (algorithm.header().len() + 1 + algorithm.len_base64() + 2) as u64;
            if self.signed {
                len += TRAILER_SIGNATURE.len() as u64 + 64 + 2;
            }
        }
        len + 2
    }

    /// How long the next chunk will be; 0 when only the end is left. Sign it, then `begin_chunk`.
    pub fn next_len(&self) -> u64 {
        (self.body_len - self.given).min(self.chunk_size)
    }

    /// Appends what stands before the next chunk's bytes; returns their number, which must follow.
    pub fn begin_chunk(&mut self, signature: Option<&[u8; 64]>, out: &mut Vec<u8>) -> u64 {
        let len = self.next_len();
        assert!(len > 0, "all bytes of the body are given");
        self.push_size(len, signature, out);
        self.given += len;
        len
    }

    /// Appends all that follows the last byte. `value` is the checksum in base64.
    pub fn finish(
        &mut self,
        signature: Option<&[u8; 64]>,
        value: Option<&str>,
        trailer_signature: Option<&[u8; 64]>,
        out: &mut Vec<u8>,
    ) {
        assert!(self.given == self.body_len, "the body was cut");
        self.push_size(0, signature, out);
        if let Some(algorithm) = self.trailer {
            let value = value.expect("a trailer was announced");
            assert_eq!(value.len(), algorithm.len_base64(), "the announced length is kept");
            out.extend_from_slice(algorithm.header().as_bytes());
            out.push(b':');
            out.extend_from_slice(value.as_bytes());
            out.extend_from_slice(b"\r\n");
            if self.signed {
                let signature = trailer_signature.expect("a signed trailer has its signature");
                out.extend_from_slice(TRAILER_SIGNATURE);
                out.extend_from_slice(signature);
                out.extend_from_slice(b"\r\n");
            }
        }
        out.extend_from_slice(b"\r\n");
    }

    fn push_size(&mut self, len: u64, signature: Option<&[u8; 64]>, out: &mut Vec<u8>) {
        assert_eq!(signature.is_some(), self.signed, "all chunks are signed, or none");
        if self.begun {
            out.extend_from_slice(b"\r\n");
        }
        self.begun = true;
        let digits = hex_len(len);
        for digit in (0..digits).rev() {
            out.push(HEX[(len >> (4 * digit) & 15) as usize]);
        }
        if let Some(signature) = signature {
            out.extend_from_slice(SIGNATURE_FIELD);
            out.extend_from_slice(signature);
        }
        out.extend_from_slice(b"\r\n");
    }
}

fn hex_len(size: u64) -> u64 {
    u64::from((64 - size.leading_zeros()).div_ceil(4).max(1))
}

const HEX: &[u8; 16] = b"0123456789abcdef";
const SIGNATURE_FIELD: &[u8] = b";chunk-signature=";
const TRAILER_SIGNATURE: &[u8] = b"x-amz-trailer-signature:";
