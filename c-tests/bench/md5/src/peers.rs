//! The others: OpenSSL in this process, and the published crates.

#[link(name = "crypto")]
unsafe extern "C" {
    fn MD5(data: *const u8, len: usize, digest: *mut u8) -> *mut u8;
}

pub fn openssl_md5(data: &[u8]) -> [u8; 16] {
    let mut digest = [0; 16];
    // SAFETY: reads `len` bytes of data, writes the 16 of the digest.
    unsafe { MD5(data.as_ptr(), data.len(), digest.as_mut_ptr()) };
    digest
}

/// A published crate's way to hash several buffers.
pub struct Peer {
    pub name: &'static str,
    pub hash: fn(&[&[u8]], &mut [[u8; 16]]),
}

pub const PEERS: [Peer; 2] = [
    Peer { name: "md5-many", hash: |inputs, out| md5_many::Md5Many::new().hash_many(inputs, out) },
    Peer {
        name: "md5-simd",
        hash: |inputs, out| md5_simd::Md5Engine::new().hash_many(inputs, out),
    },
];
