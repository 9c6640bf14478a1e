//! What a container allows: memory and CPU time, from cgroup v2 or v1 files.
//!
//! A limit anywhere above a process counts, so each reader walks from the process's own cgroup to
//! the root and takes the smallest. Files that do not exist or do not parse say nothing. The root
//! can be replaced by a hook (`cgroup_root`; the file `self` in it stands for `/proc/self/cgroup`).

use std::fs;
use std::path::{Path, PathBuf};

use super::hooks;

/// Bytes of memory that the cgroups allow this process; `None` where nothing limits it.
pub fn memory_limit() -> Option<u64> {
    let place = Place::here();
    let v2 = place.walk("", place.unified(), |dir| number(&dir.join("memory.max")));
    let v1 = place.walk("memory", place.controller("memory"), |dir| {
        // "No limit" is the largest number of whole pages below i64::MAX.
        number(&dir.join("memory.limit_in_bytes")).filter(|&n| n < 1 << 62)
    });
    smaller(v2, v1)
}

/// CPU time that the cgroups allow this process, in thousandths of a CPU.
pub fn cpu_quota_milli() -> Option<u64> {
    let place = Place::here();
    let v2 = place.walk("", place.unified(), |dir| {
        let text = fs::read_to_string(dir.join("cpu.max")).ok()?;
        let (quota, period) = text.trim().split_once(' ')?;
        milli(quota.parse().ok()?, period.parse().ok()?)
    });
    let v1 = place.walk("cpu", place.controller("cpu"), |dir| {
        milli(number(&dir.join("cpu.cfs_quota_us"))?, number(&dir.join("cpu.cfs_period_us"))?)
    });
    smaller(v2, v1)
}

fn milli(quota: u64, period: u64) -> Option<u64> {
    (period > 0 && quota > 0).then(|| (quota.saturating_mul(1000) / period).max(1))
}

fn smaller(a: Option<u64>, b: Option<u64>) -> Option<u64> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

/// "max" and -1 are not numbers here: they say nothing.
fn number(path: &Path) -> Option<u64> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

struct Place {
    root: PathBuf,
    /// `hierarchy:controllers:path` lines.
    lines: String,
}

impl Place {
    fn here() -> Place {
        let hook = hooks::current().and_then(|h| h.cgroup_root.clone());
        let (root, own) = match hook {
            Some(root) => (root.clone(), root.join("self")),
            None => (PathBuf::from("/sys/fs/cgroup"), PathBuf::from("/proc/self/cgroup")),
        };
        Place { root, lines: fs::read_to_string(own).unwrap_or_default() }
    }

    fn unified(&self) -> &str {
        self.lines.lines().find_map(|line| line.strip_prefix("0::")).unwrap_or("/")
    }

    fn controller(&self, name: &str) -> &str {
        self.lines
            .lines()
            .find_map(|line| {
                let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
                controllers.split(',').any(|c| c == name).then_some(path)
            })
            .unwrap_or("/")
    }

    /// The smallest answer of `read` from `own` up to the root of the hierarchy. A container often
    /// sees its own cgroup mounted as root and yet a path from outside: those directories do not
    /// exist and say nothing.
    fn walk(&self, hierarchy: &str, own: &str, read: impl Fn(&Path) -> Option<u64>) -> Option<u64> {
        let base = self.root.join(hierarchy);
        let mut dir = base.join(own.trim_start_matches('/'));
        let mut least = None;
        while dir.starts_with(&base) {
            least = smaller(least, read(&dir));
            if !dir.pop() {
                break;
            }
        }
        least
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::hooks::{Hooks, Installed, install};

    fn with_files(name: &str, files: &[(&str, &str)]) -> Installed {
        let root =
            std::env::temp_dir().join(format!("s3fast-cgroup-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        install(Hooks { cgroup_root: Some(root), ..Hooks::default() })
    }

    #[test]
    fn v2_limit_is_the_smallest_on_the_way_up() {
        let _h = with_files(
            "v2",
            &[
                ("self", "0::/a/b\n"),
                ("a/b/memory.max", "max\n"),
                ("a/memory.max", "1048576\n"),
                ("a/b/cpu.max", "150000 100000\n"),
                ("a/cpu.max", "max 100000\n"),
            ],
        );
        assert_eq!((memory_limit(), cpu_quota_milli()), (Some(1 << 20), Some(1500)));
    }

    #[test]
    fn v1_container_that_sees_itself_as_root_is_limited() {
        let _h = with_files(
            "v1",
            &[
                ("self", "5:cpu,cpuacct:/docker/x\n4:memory:/docker/x\n"),
                ("memory/memory.limit_in_bytes", "2097152\n"),
                ("cpu/cpu.cfs_quota_us", "50000\n"),
                ("cpu/cpu.cfs_period_us", "100000\n"),
            ],
        );
        assert_eq!((memory_limit(), cpu_quota_milli()), (Some(2 << 20), Some(500)));
    }

    #[test]
    fn unlimited_and_broken_files_say_nothing() {
        let _h = with_files(
            "none",
            &[
                ("self", "4:memory:/\n3:cpu:/\n0::/\n"),
                ("memory.max", "max\n"),
                ("cpu.max", "nonsense\n"),
                ("memory/memory.limit_in_bytes", "9223372036854771712\n"),
                ("cpu/cpu.cfs_quota_us", "-1\n"),
                ("cpu/cpu.cfs_period_us", "100000\n"),
            ],
        );
        assert_eq!((memory_limit(), cpu_quota_milli()), (None, None));
    }
}
