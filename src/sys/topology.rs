//! The machine's topology from sysfs. The root can be replaced by a hook (`sysfs_root`).

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use super::{affinity, hooks};
use crate::base::{CpuSet, Node, Pu, Topology};

/// Reads the topology anew. Where files are missing, less is known; it never fails.
pub fn read() -> Topology {
    let hook = hooks::current().and_then(|h| h.sysfs_root.clone());
    read_from(&hook.unwrap_or_else(|| PathBuf::from("/sys/devices/system")))
}

/// The topology as it was when somebody first asked.
pub fn known() -> Arc<Topology> {
    static KNOWN: OnceLock<Arc<Topology>> = OnceLock::new();
    if hooks::current().is_some_and(|h| h.sysfs_root.is_some()) {
        return Arc::new(read());
    }
    KNOWN.get_or_init(|| Arc::new(read())).clone()
}

fn read_from(root: &Path) -> Topology {
    let online = list(&root.join("cpu/online")).unwrap_or_else(affinity::allowed_cpus);
    let pus: Vec<Pu> = online
        .iter()
        .map(|cpu| {
            let dir = root.join(format!("cpu/cpu{cpu}/topology"));
            let siblings = list(&dir.join("thread_siblings_list"))
                .or_else(|| list(&dir.join("core_cpus_list")))
                .unwrap_or_default();
            Pu {
                cpu,
                core: siblings.and(&online).iter().next().filter(|&c| c < cpu).unwrap_or(cpu),
                package: number(&dir.join("physical_package_id")).unwrap_or(0),
            }
        })
        .collect();
    let ids = list(&root.join("node/online")).unwrap_or_default();
    let mut nodes: Vec<Node> = ids
        .iter()
        .map(|id| {
            let dir = root.join(format!("node/node{id}"));
            let distances = fs::read_to_string(dir.join("distance")).unwrap_or_default();
            Node {
                id,
                cpus: list(&dir.join("cpulist")).unwrap_or_default().and(&online),
                distances: distances.split_whitespace().filter_map(|d| d.parse().ok()).collect(),
            }
        })
        .collect();
    if nodes.is_empty() {
        nodes.push(Node { id: 0, cpus: online, distances: Vec::new() });
    }
    Topology { nodes, pus }
}

fn list(path: &Path) -> Option<CpuSet> {
    CpuSet::parse(&fs::read_to_string(path).ok()?)
}

fn number(path: &Path) -> Option<u32> {
    fs::read_to_string(path).ok()?.trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::hooks::{Hooks, install};

    /// Writes a machine of `packages` with `cores` each and two PUs a core as sysfs shows it.
    fn machine(name: &str, files: &[(String, String)]) -> PathBuf {
        let root = std::env::temp_dir().join(format!("s3fast-sysfs-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&root);
        for (file, text) in files {
            let path = root.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    #[test]
    fn nodes_cores_and_holes_are_read() {
        // Two nodes with ids 0 and 2; CPUs 0-3 and 6-7; CPU 5's sibling 1 stands, 5 is offline.
        let mut files = vec![
            ("cpu/online".to_owned(), "0-3,6-7\n".to_owned()),
            ("node/online".to_owned(), "0,2\n".to_owned()),
            ("node/node0/cpulist".to_owned(), "0-3\n".to_owned()),
            ("node/node0/distance".to_owned(), "10 21\n".to_owned()),
            ("node/node2/cpulist".to_owned(), "4-7\n".to_owned()),
            ("node/node2/distance".to_owned(), "21 10\n".to_owned()),
        ];
        for (cpu, siblings, package) in
            [(0, "0,2", 0), (2, "0,2", 0), (1, "1,5", 0), (3, "3", 0), (6, "6-7", 1), (7, "6-7", 1)]
        {
            let dir = format!("cpu/cpu{cpu}/topology");
            files.push((format!("{dir}/thread_siblings_list"), format!("{siblings}\n")));
            files.push((format!("{dir}/physical_package_id"), format!("{package}\n")));
        }
        let root = machine("holes", &files);
        let _h = install(Hooks { sysfs_root: Some(root), ..Hooks::default() });
        let t = read();
        assert_eq!(t.group_count(), 2);
        assert_eq!(t.group_cpus(0).unwrap().to_string(), "0-3");
        assert_eq!(t.group_cpus(1).unwrap().to_string(), "6-7");
        assert_eq!((t.nodes[1].id, &t.nodes[1].distances[..]), (2, &[21, 10][..]));
        let siblings: Vec<u32> = t.cpus().iter().filter(|&c| t.is_sibling(c)).collect();
        assert_eq!(siblings, [2, 7]);
        assert_eq!((t.pu(7).unwrap().package, t.pu(5)), (1, None));
        assert_eq!((t.group_of(6), t.group_of(4)), (Some(1), None));
        assert_eq!(known().nodes.len(), 2);
    }

    #[test]
    fn machine_without_files_is_flat() {
        let allowed = CpuSet::first(3);
        let _h = install(Hooks {
            sysfs_root: Some("/nowhere".into()),
            allowed_cpus: Some(allowed.clone()),
            ..Hooks::default()
        });
        assert_eq!(read(), Topology::flat(&allowed));
    }

    #[test]
    fn this_machine_has_what_it_is_allowed() {
        let _h = install(Hooks::default());
        let t = read();
        assert!(affinity::allowed_cpus().iter().all(|cpu| t.pu(cpu).is_some()));
        assert!(t.pus.iter().all(|pu| t.pu(pu.core).is_some_and(|core| core.core == core.cpu)));
    }
}
