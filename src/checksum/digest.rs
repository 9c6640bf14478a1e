//! A digest in progress, whatever the algorithm.

use super::{Algorithm, DigestValue, crc};
use xxhash_rust::xxh3::Xxh3Default;
use xxhash_rust::xxh64::Xxh64;

/// Bytes in, in order and in any pieces; one value out.
#[derive(Clone)]
pub struct Digest {
    algorithm: Algorithm,
    state: State,
}

#[derive(Clone)]
enum State {
    Crc(crc_fast::Digest),
    Sha(ring::digest::Context),
    Xxh64(Xxh64),
    /// Boxed: it carries half a kilobyte of accumulators and buffer.
    Xxh3(Box<Xxh3Default>),
}

impl Digest {
    pub fn new(algorithm: Algorithm) -> Digest {
        use ring::digest::{Context, SHA1_FOR_LEGACY_USE_ONLY, SHA256, SHA512};
        let state = match algorithm {
            Algorithm::Crc32c | Algorithm::Crc32 | Algorithm::Crc64Nvme => {
                let engine = crc::engine(algorithm).expect("the three CRCs have an engine");
                State::Crc(crc_fast::Digest::new(engine))
            }
            Algorithm::Sha1 => State::Sha(Context::new(&SHA1_FOR_LEGACY_USE_ONLY)),
            Algorithm::Sha256 => State::Sha(Context::new(&SHA256)),
            Algorithm::Sha512 => State::Sha(Context::new(&SHA512)),
            Algorithm::XxHash64 => State::Xxh64(Xxh64::new(0)),
            Algorithm::XxHash3 | Algorithm::XxHash128 => State::Xxh3(Box::default()),
        };
        Digest { algorithm, state }
    }

    pub fn algorithm(&self) -> Algorithm {
        self.algorithm
    }

    pub fn update(&mut self, data: &[u8]) {
        match &mut self.state {
            State::Crc(digest) => digest.update(data),
            State::Sha(context) => context.update(data),
            State::Xxh64(hash) => hash.update(data),
            State::Xxh3(hash) => hash.update(data),
        }
    }

    /// The value of everything that was fed.
    pub fn finish(self) -> DigestValue {
        match self.state {
            State::Crc(digest) => crc::value(self.algorithm, digest.finalize()),
            State::Sha(context) => DigestValue::new(context.finish().as_ref()),
            // Most significant byte first is xxHash's canonical form.
            State::Xxh64(hash) => DigestValue::new(&hash.digest().to_be_bytes()),
            State::Xxh3(hash) if self.algorithm == Algorithm::XxHash3 => {
                DigestValue::new(&hash.digest().to_be_bytes())
            }
            State::Xxh3(hash) => DigestValue::new(&hash.digest128().to_be_bytes()),
        }
    }
}

/// The value of `data` in one call.
pub fn digest(algorithm: Algorithm, data: &[u8]) -> DigestValue {
    let mut digest = Digest::new(algorithm);
    digest.update(data);
    digest.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(value: &DigestValue) -> String {
        value.iter().map(|b| format!("{b:02x}")).collect()
    }

    /// CRCs: the check values of the CRC catalogue. SHA: FIPS 180-4 examples. xxHash: the
    /// project's own sanity values for the empty input, and `xxhsum` for the rest.
    #[test]
    fn digest_gives_published_values() {
        use Algorithm::*;
        let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let vectors: &[(Algorithm, &str, &str)] = &[
            (Crc32, "123456789", "cbf43926"),
            (Crc32, "", "00000000"),
            (Crc32c, "123456789", "e3069283"),
            (Crc32c, "", "00000000"),
            (Crc64Nvme, "123456789", "ae8b14860a799888"),
            (Crc64Nvme, "", "0000000000000000"),
            (Sha1, "abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
            (Sha1, long, "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
            (Sha256, "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (Sha256, "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (Sha256, long, "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"),
            (
                Sha512,
                "abc",
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a\
                 2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
            ),
            (XxHash64, "", "ef46db3751d8e999"),
            (XxHash64, "abc", "44bc2cf5ad770999"),
            (XxHash64, "xxhash", "32dd38952c4bc720"),
            (XxHash3, "", "2d06800538d394c2"),
            (XxHash3, "abc", "78af5f94892f3950"),
            (XxHash128, "", "99aa06d3014798d86001c324468d497f"),
            (XxHash128, "abc", "06b05ab6733a618578af5f94892f3950"),
        ];
        for (algorithm, text, want) in vectors {
            let got = hex(&digest(*algorithm, text.as_bytes()));
            assert_eq!(got, *want, "{algorithm:?} of {text:?}");
        }
    }

    #[test]
    fn update_in_any_pieces_gives_the_same_value() {
        let data: Vec<u8> =
            (0..1025u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
        for algorithm in Algorithm::ALL {
            for len in 0..=data.len() {
                let whole = digest(algorithm, &data[..len]);
                assert_eq!(whole.as_bytes().len(), algorithm.len_bytes());
                let mut pieces = Digest::new(algorithm);
                let mut rest = &data[..len];
                let mut step = 1 + len % 97;
                while !rest.is_empty() {
                    let (now, later) = rest.split_at(step.min(rest.len()));
                    pieces.update(now);
                    pieces.update(&[]);
                    rest = later;
                    step = step * 3 % 101 + 1;
                }
                assert_eq!(pieces.finish(), whole, "{algorithm:?} of {len} bytes");
            }
        }
    }

    #[test]
    fn clone_goes_its_own_way() {
        for algorithm in Algorithm::ALL {
            let mut first = Digest::new(algorithm);
            first.update(b"head ");
            let mut second = first.clone();
            first.update(b"one");
            second.update(b"two");
            assert_eq!(first.finish(), digest(algorithm, b"head one"));
            assert_eq!(second.finish(), digest(algorithm, b"head two"));
        }
    }
}
