//! Network figures of EC2 instance families, and what machine this is.
//!
//! The bandwidth of an instance grows with its number of processors; the table holds, for each
//! family, the bandwidth and processor count of its largest size. The instance type is read from
//! the firmware's product name, which the hypervisor of current instances sets; nothing is asked
//! over the network.

use std::sync::OnceLock;

use crate::log;

/// One instance family: prefix of the type's name, Gbit/s and processors of its largest size.
pub struct Family {
    pub prefix: &'static str,
    pub gbps: f64,
    pub processors: u32,
    /// Name of the largest size, for families where the optimised settings are recommended.
    pub recommended: Option<&'static str>,
}

const fn plain(prefix: &'static str, gbps: f64, processors: u32) -> Family {
    Family { prefix, gbps, processors, recommended: None }
}

const fn recommended(
    prefix: &'static str,
    gbps: f64,
    processors: u32,
    largest: &'static str,
) -> Family {
    Family { prefix, gbps, processors, recommended: Some(largest) }
}

/// Figures published for EC2 instance families.
pub const FAMILIES: &[Family] = &[
    recommended("trn1n", 800.0, 128, "trn1n.32xlarge"),
    recommended("trn1", 600.0, 128, "trn1.32xlarge"),
    recommended("p6-b300", 350.0, 192, "p6-b300.48xlarge"),
    recommended("p6-b200", 200.0, 192, "p6-b200.48xlarge"),
    recommended("p5en", 100.0, 192, "p5en.48xlarge"),
    recommended("p5e", 100.0, 192, "p5e.48xlarge"),
    recommended("p5", 400.0, 192, "p5.48xlarge"),
    recommended("p4de", 400.0, 96, "p4de.24xlarge"),
    recommended("p4d", 400.0, 96, "p4d.24xlarge"),
    plain("dl1", 400.0, 96),
    plain("c9gd", 100.0, 192),
    plain("c9g", 100.0, 192),
    plain("c8ine", 75.0, 48),
    plain("c8in", 600.0, 384),
    plain("c8ib", 400.0, 384),
    plain("c8id", 100.0, 384),
    plain("c8i-flex", 15.0, 64),
    plain("c8i", 100.0, 384),
    plain("c8gn", 600.0, 192),
    plain("c8gb", 400.0, 192),
    plain("c8gd", 50.0, 192),
    plain("c8g", 50.0, 192),
    plain("c8a", 75.0, 192),
    plain("c7i-flex", 12.5, 64),
    plain("c7i", 50.0, 192),
    plain("c7gn", 200.0, 64),
    plain("c7gd", 30.0, 64),
    plain("c7g", 30.0, 64),
    plain("c7a", 50.0, 192),
    plain("c6in", 200.0, 128),
    plain("c6id", 50.0, 128),
    plain("c6i", 50.0, 128),
    plain("c6gn", 100.0, 64),
    plain("c6gd", 25.0, 64),
    plain("c6g", 25.0, 64),
    plain("c6a", 50.0, 192),
    plain("c5n", 100.0, 72),
    plain("c5ad", 20.0, 96),
    plain("c5a", 20.0, 96),
    plain("c5d", 25.0, 96),
    plain("c5", 25.0, 96),
    plain("m8a", 75.0, 192),
    plain("m8g", 50.0, 192),
    plain("m7i-flex", 12.5, 64),
    plain("m7i", 50.0, 192),
    plain("m7a", 50.0, 192),
    plain("m7g", 30.0, 64),
    plain("m6in", 200.0, 128),
    plain("m6idn", 200.0, 128),
    plain("m6id", 50.0, 128),
    plain("m6i", 50.0, 128),
    plain("m6a", 50.0, 192),
    plain("m6gd", 25.0, 64),
    plain("m6g", 25.0, 64),
    plain("m5zn", 100.0, 48),
    plain("m5dn", 100.0, 96),
    plain("m5n", 100.0, 96),
    plain("m5ad", 20.0, 96),
    plain("m5a", 20.0, 96),
    plain("m5d", 25.0, 96),
    plain("m5", 25.0, 96),
    plain("r7iz", 50.0, 128),
    plain("r7i", 50.0, 192),
    plain("r7a", 50.0, 192),
    plain("r7g", 30.0, 64),
    plain("r6in", 200.0, 128),
    plain("r6idn", 200.0, 128),
    plain("r6id", 50.0, 128),
    plain("r6i", 50.0, 128),
    plain("r6a", 50.0, 192),
    plain("r6gd", 25.0, 64),
    plain("r6g", 25.0, 64),
    plain("r5dn", 100.0, 96),
    plain("r5n", 100.0, 96),
    plain("r5ad", 20.0, 96),
    plain("r5a", 20.0, 96),
    plain("r5d", 25.0, 96),
    plain("r5", 25.0, 96),
    plain("x2iedn", 100.0, 128),
    plain("x2idn", 100.0, 128),
    plain("x2iezn", 100.0, 48),
    plain("x1e", 25.0, 128),
    plain("x1", 25.0, 128),
    plain("i4i", 75.0, 128),
    plain("i3en", 100.0, 96),
    plain("i3", 25.0, 64),
    plain("is4gen", 50.0, 32),
    plain("im4gn", 100.0, 64),
    plain("d3en", 75.0, 48),
    plain("d3", 25.0, 32),
    plain("h1", 25.0, 64),
    plain("g6e", 400.0, 192),
    plain("g6", 100.0, 192),
    plain("g5g", 25.0, 64),
    plain("g5", 100.0, 192),
    plain("g4dn", 100.0, 96),
    plain("inf2", 100.0, 192),
    plain("inf1", 100.0, 96),
    plain("t4g", 5.0, 8),
    plain("t3a", 5.0, 8),
    plain("t3", 5.0, 8),
    plain("t2", 1.0, 8),
];

/// The family whose prefix is followed by a dot in `instance_type`.
pub fn family(instance_type: &str) -> Option<&'static Family> {
    let (prefix, _size) = instance_type.split_once('.')?;
    FAMILIES.iter().find(|f| f.prefix == prefix)
}

/// Gbit/s of an instance of that type with so many processors; `None` for an unknown family.
pub fn estimate_gbps(instance_type: &str, processors: u32) -> Option<f64> {
    let f = family(instance_type)?;
    let share = f64::from(processors.max(1)) / f64::from(f.processors);
    Some((f.gbps * share).min(f.gbps))
}

/// Where the firmware's strings are read from.
const DMI: &str = "/sys/devices/virtual/dmi/id";

/// The type of the instance this program runs on; `None` elsewhere. Read once.
pub fn instance_type() -> Option<&'static str> {
    static TYPE: OnceLock<Option<String>> = OnceLock::new();
    TYPE.get_or_init(|| {
        READ.store(true, std::sync::atomic::Ordering::Relaxed);
        let found = instance_type_in(DMI);
        if let Some(name) = &found {
            log!(S3Client, Info, 0, "running on an EC2 instance of type {name}");
        }
        found
    })
    .as_deref()
}

/// Whether [`instance_type`] has looked already.
pub fn instance_type_is_known() -> bool {
    READ.load(std::sync::atomic::Ordering::Relaxed)
}

static READ: std::sync::atomic::AtomicBool = std::sync::atomic::AtomicBool::new(false);

fn instance_type_in(dir: &str) -> Option<String> {
    let read = |name: &str| {
        let text = std::fs::read_to_string(format!("{dir}/{name}")).ok()?;
        Some(text.trim().to_owned())
    };
    if !read("sys_vendor")?.eq_ignore_ascii_case("amazon ec2") {
        return None;
    }
    read("product_name").filter(|name| !name.is_empty())
}

/// Processors of the machine that are online, whatever this process may use of them: the
/// bandwidth belongs to the machine.
pub fn processors_online() -> u32 {
    // SAFETY: sysconf only reads its argument.
    let n = unsafe { libc::sysconf(libc::_SC_NPROCESSORS_ONLN) };
    u32::try_from(n).unwrap_or(1).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn family_needs_the_whole_prefix() {
        assert_eq!(family("c5n.18xlarge").map(|f| f.gbps), Some(100.0));
        assert_eq!(family("c5.large").map(|f| f.gbps), Some(25.0));
        assert!(family("c5").is_none());
        assert!(family("zz9.large").is_none());
    }

    #[test]
    fn estimate_scales_with_processors_and_stops_at_the_largest_size() {
        let four = estimate_gbps("c5.xlarge", 4).expect("a known family");
        assert!((four - 25.0 * 4.0 / 96.0).abs() < 1e-9);
        assert_eq!(estimate_gbps("c5.24xlarge", 500), Some(25.0));
        assert_eq!(estimate_gbps("none.large", 4), None);
    }

    #[test]
    fn machine_of_another_vendor_has_no_instance_type() {
        let dir = std::env::temp_dir().join(format!("s3fast-dmi-{}", std::process::id()));
        std::fs::create_dir_all(&dir).expect("a folder for the test");
        let path = dir.to_str().expect("a plain path");
        assert_eq!(instance_type_in(path), None);
        std::fs::write(dir.join("sys_vendor"), "Amazon EC2\n").expect("write");
        std::fs::write(dir.join("product_name"), "m7g.large\n").expect("write");
        assert_eq!(instance_type_in(path).as_deref(), Some("m7g.large"));
        std::fs::write(dir.join("sys_vendor"), "QEMU\n").expect("write");
        assert_eq!(instance_type_in(path), None);
        std::fs::remove_dir_all(&dir).expect("remove");
    }
}
