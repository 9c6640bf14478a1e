//! Which CPUs a thread may use. Sets are of any size: machines with more than 1024 CPUs exist.

pub use crate::base::CpuSet;
use crate::base::Result;

use super::hooks;

/// The CPUs that the calling thread may use: its affinity mask, which a cpuset has already cut.
///
/// A thread that this library pinned does not answer for the process: there the mask of the
/// process's first thread is given, so that a group made on a pinned loop is not narrowed to it.
/// At least one CPU is in the set.
pub fn allowed_cpus() -> CpuSet {
    if let Some(cpus) = hooks::current().and_then(|h| h.allowed_cpus.clone()) {
        return cpus;
    }
    let of = if super::thread::is_pinned_here() { std::process::id() as i32 } else { 0 };
    match mask(of).or_else(|_| mask(0)) {
        Ok(cpus) if !cpus.is_empty() => cpus,
        _ => CpuSet::first(1),
    }
}

/// How many CPUs the calling thread may use, at least 1.
pub fn allowed_count() -> usize {
    allowed_cpus().len().max(1)
}

/// The mask of a thread (0 = the calling one).
fn mask(thread: i32) -> Result<CpuSet> {
    // The kernel refuses a buffer smaller than its own mask (EINVAL): grow until it fits.
    let mut words = vec![0u64; 16];
    loop {
        let bytes = words.len() * 8;
        // SAFETY: the buffer holds `bytes` bytes and is aligned for the kernel's words.
        let r = unsafe { syscall!(sched_getaffinity(thread, bytes, words.as_mut_ptr().cast())) };
        match r {
            Ok(_) => return Ok(CpuSet::from_words(&words)),
            Err(f) if f.errno == libc::EINVAL && words.len() < 1 << 12 => {
                let longer = words.len() * 2;
                words.resize(longer, 0);
            }
            Err(f) => return Err(f.other()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::hooks::{Hooks, install};

    #[test]
    fn allowed_cpus_are_what_proc_says() {
        let status = std::fs::read_to_string("/proc/thread-self/status").unwrap();
        let line = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:")).unwrap();
        let _none = install(Hooks::default());
        assert_eq!(allowed_cpus().to_string(), line.trim());
    }

    #[test]
    fn hook_replaces_the_cpus() {
        let _h = install(Hooks { allowed_cpus: Some(CpuSet::first(448)), ..Hooks::default() });
        assert_eq!(allowed_count(), 448);
    }
}
