//! Which tier of kernels a processor gets.
//!
//! Detection fills a plain value; the decision is a pure function of that value and of what the
//! user asked for, so it is tested for processors that this machine is not.

use std::sync::OnceLock;

/// What the kernels care about in a processor (and in the operating system's support for it).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Features {
    pub sse2: bool,
    pub avx2: bool,
    pub avx512f: bool,
    pub avx512vl: bool,
    pub neon: bool,
}

impl Features {
    /// What this process may use. Asked once.
    pub fn here() -> Features {
        static HERE: OnceLock<Features> = OnceLock::new();
        *HERE.get_or_init(detect)
    }
}

/// A family of kernels that is used together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tier {
    Scalar,
    Sse2,
    Avx2,
    /// AVX-512 instructions on 128 and 256 bit registers only, for machines that slow down when
    /// the wide ones are busy.
    Avx512Vl,
    Avx512,
    Neon,
}

impl Tier {
    pub const ALL: [Tier; 6] =
        [Tier::Scalar, Tier::Sse2, Tier::Avx2, Tier::Avx512Vl, Tier::Avx512, Tier::Neon];

    /// The word used in `S3FAST_MD5_TIER` and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Tier::Scalar => "scalar",
            Tier::Sse2 => "sse2",
            Tier::Avx2 => "avx2",
            Tier::Avx512Vl => "avx512vl",
            Tier::Avx512 => "avx512",
            Tier::Neon => "neon",
        }
    }

    pub fn from_name(name: &str) -> Option<Tier> {
        Tier::ALL.into_iter().find(|t| t.name().eq_ignore_ascii_case(name))
    }

    /// Whether a processor with these features can run the tier.
    pub fn runs_on(self, f: Features) -> bool {
        match self {
            Tier::Scalar => true,
            Tier::Sse2 => f.sse2,
            Tier::Avx2 => f.sse2 && f.avx2,
            Tier::Avx512Vl | Tier::Avx512 => f.sse2 && f.avx2 && f.avx512f && f.avx512vl,
            Tier::Neon => f.neon,
        }
    }

    /// The best tier for a processor; a wish is granted when the processor can run it, and is
    /// ignored when not: asking for more than there is must not crash a program.
    pub fn choose(f: Features, wish: Option<Tier>) -> Tier {
        if let Some(tier) = wish.filter(|t| t.runs_on(f)) {
            return tier;
        }
        [Tier::Avx512, Tier::Avx512Vl, Tier::Avx2, Tier::Sse2, Tier::Neon]
            .into_iter()
            .find(|t| t.runs_on(f))
            .unwrap_or(Tier::Scalar)
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Features {
    Features {
        sse2: is_x86_feature_detected!("sse2"),
        avx2: is_x86_feature_detected!("avx2"),
        avx512f: is_x86_feature_detected!("avx512f"),
        avx512vl: is_x86_feature_detected!("avx512vl"),
        neon: false,
    }
}

#[cfg(target_arch = "aarch64")]
fn detect() -> Features {
    Features { neon: std::arch::is_aarch64_feature_detected!("neon"), ..Features::default() }
}

#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn detect() -> Features {
    Features::default()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: Features =
        Features { sse2: false, avx2: false, avx512f: false, avx512vl: false, neon: false };
    const SSE2: Features = Features { sse2: true, ..NONE };
    const AVX2: Features = Features { avx2: true, ..SSE2 };
    /// Knights Landing: the foundation without the short vectors.
    const AVX512F_ONLY: Features = Features { avx512f: true, ..AVX2 };
    const AVX512: Features = Features { avx512vl: true, ..AVX512F_ONLY };
    const NEON: Features = Features { neon: true, ..NONE };

    #[test]
    fn choose_without_wish_takes_the_widest_that_runs() {
        assert_eq!(Tier::choose(NONE, None), Tier::Scalar);
        assert_eq!(Tier::choose(SSE2, None), Tier::Sse2);
        assert_eq!(Tier::choose(AVX2, None), Tier::Avx2);
        assert_eq!(Tier::choose(AVX512F_ONLY, None), Tier::Avx2);
        assert_eq!(Tier::choose(AVX512, None), Tier::Avx512);
        assert_eq!(Tier::choose(NEON, None), Tier::Neon);
    }

    #[test]
    fn choose_with_wish_grants_what_runs_and_ignores_the_rest() {
        assert_eq!(Tier::choose(AVX512, Some(Tier::Avx512Vl)), Tier::Avx512Vl);
        assert_eq!(Tier::choose(AVX512, Some(Tier::Scalar)), Tier::Scalar);
        assert_eq!(Tier::choose(AVX2, Some(Tier::Avx512)), Tier::Avx2);
        assert_eq!(Tier::choose(AVX2, Some(Tier::Neon)), Tier::Avx2);
        assert_eq!(Tier::choose(NEON, Some(Tier::Sse2)), Tier::Neon);
    }

    #[test]
    fn name_round_trips_and_ignores_case() {
        for tier in Tier::ALL {
            assert_eq!(Tier::from_name(tier.name()), Some(tier));
            assert_eq!(Tier::from_name(&tier.name().to_uppercase()), Some(tier));
        }
        assert_eq!(Tier::from_name("mmx"), None);
    }

    #[test]
    fn here_agrees_with_the_target() {
        let here = Features::here();
        assert_eq!(here.sse2, cfg!(target_arch = "x86_64"));
        assert!(Tier::choose(here, None).runs_on(here));
    }
}
