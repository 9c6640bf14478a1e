//! `aws/common/system_info.h`: the machine's CPU groups, and call stacks.

use std::ffi::c_void;
use std::path::Path;

use super::mem_tracer::symbols;
use crate::sys::affinity;

/// Systems a library can be built for.
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum aws_platform_os {
    AWS_PLATFORM_OS_WINDOWS,
    AWS_PLATFORM_OS_MAC,
    AWS_PLATFORM_OS_IOS,
    AWS_PLATFORM_OS_ANDROID,
    AWS_PLATFORM_OS_UNIX,
}

/// One CPU of a group.
#[repr(C)]
pub struct aws_cpu_info {
    /// The system's number of it; -1 = none.
    pub cpu_id: i32,
    /// Whether it shares a core with an earlier one.
    pub suspected_hyper_thread: bool,
}

/// Groups of CPUs that share memory of their own (NUMA nodes); at least 1. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_get_cpu_group_count() -> u16 {
    ffi_fn!({ u16::try_from(node_count(Path::new(NODES))).unwrap_or(u16::MAX).max(1) })
}

/// CPUs in a group; all CPUs of the process where the system has no groups, 0 for a group that does
/// not exist. Any thread.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_get_cpu_count_for_group(group_idx: u16) -> usize {
    ffi_fn!({
        let root = Path::new(NODES);
        match node_count(root) {
            0 => affinity::allowed_count(),
            _ => cpus_of(root, group_idx).len(),
        }
    })
}

const NODES: &str = "/sys/devices/system/node";

/// One more than the highest node number; 0 where the system knows no nodes.
fn node_count(root: &Path) -> usize {
    let Ok(list) = std::fs::read_dir(root) else { return 0 };
    list.flatten()
        .filter_map(|e| e.file_name().to_str()?.strip_prefix("node")?.parse::<u16>().ok())
        .map(|n| usize::from(n) + 1)
        .max()
        .unwrap_or(0)
}

/// The CPUs of a node, from its list such as `0-3,8`.
fn cpus_of(root: &Path, node: u16) -> Vec<u32> {
    let text = std::fs::read_to_string(root.join(format!("node{node}/cpulist")));
    text.map_or_else(|_| Vec::new(), |text| parse_list(&text))
}

fn parse_list(text: &str) -> Vec<u32> {
    let mut cpus = Vec::new();
    for part in text.trim().split(',').filter(|p| !p.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        if let (Ok(first), Ok(last)) = (first.parse::<u32>(), last.parse::<u32>()) {
            cpus.extend(first..=last.min(first.saturating_add(CPUS_MAX)));
        }
    }
    cpus
}

const CPUS_MAX: u32 = 1 << 16;

/// Writes the call stack of this thread to a stream.
///
/// `fp`: an open stream. `call_site_data`: the `siginfo_t` of a signal handler, or NULL. Any thread;
/// in a signal handler it may allocate, as a last resort of a dying program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn aws_backtrace_print(fp: *mut libc::FILE, call_site_data: *mut c_void) {
    ffi_fn!({
        if fp.is_null() {
            return;
        }
        let mut text = String::new();
        // SAFETY: by the argument rules.
        if let Some(info) = unsafe { call_site_data.cast::<libc::siginfo_t>().as_ref() } {
            text += &format!("Signal received: {}, errno: {}\n", info.si_signo, info.si_errno);
            if info.si_signo == libc::SIGSEGV {
                // SAFETY: a SIGSEGV carries an address.
                text += &format!("  SIGSEGV @ {:p}\n", unsafe { info.si_addr() });
            }
        }
        text += &call_stack();
        text.push('\n');
        // SAFETY: by the argument rules.
        unsafe {
            libc::fwrite(text.as_ptr().cast(), 1, text.len(), fp);
            libc::fflush(fp);
        }
    })
}

/// The call stack of this thread, one frame a line, with a heading.
#[cfg(target_env = "gnu")]
pub(crate) fn call_stack() -> String {
    let mut frames = [std::ptr::null_mut::<c_void>(); 128];
    // SAFETY: the array has 128 entries.
    let depth = unsafe { libc::backtrace(frames.as_mut_ptr(), 128) }.max(0) as usize;
    let frames: Vec<usize> = frames[..depth].iter().map(|p| p.expose_provenance()).collect();
    let rule = "#".repeat(80);
    format!("{rule}\nStack trace:\n{rule}\n{}", symbols(&frames))
}

#[cfg(not(target_env = "gnu"))]
pub(crate) fn call_stack() -> String {
    String::from("No call stack information available")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cpu_lists_are_read() {
        assert_eq!(parse_list("0-3,8\n"), [0, 1, 2, 3, 8]);
        assert_eq!(parse_list("\n"), [] as [u32; 0]);
        assert_eq!(parse_list("x,1-y,5"), [5]);
        assert_eq!(parse_list("0-4294967295").len(), CPUS_MAX as usize + 1);
    }

    #[test]
    fn groups_have_all_cpus() {
        // SAFETY: no requirement.
        unsafe {
            let groups = aws_get_cpu_group_count();
            assert!(groups >= 1);
            let cpus: usize = (0..groups).map(|g| aws_get_cpu_count_for_group(g)).sum();
            assert!(cpus >= affinity::allowed_count());
        }
    }

    #[test]
    fn missing_nodes_are_no_groups() {
        assert_eq!(node_count(Path::new("/nowhere")), 0);
        assert!(cpus_of(Path::new("/nowhere"), 0).is_empty());
    }

    #[test]
    fn call_stack_goes_to_the_stream() {
        // SAFETY: the stream is open; NULL is nothing.
        unsafe {
            aws_backtrace_print(std::ptr::null_mut(), std::ptr::null_mut());
            let file = libc::tmpfile();
            aws_backtrace_print(file, std::ptr::null_mut());
            assert!(libc::ftell(file) > 160);
            libc::fclose(file);
        }
    }
}
