use super::*;
use crate::base::{CpuSet, Node, Pu, Topology};

#[test]
fn loop_count_is_half_of_what_is_allowed() {
    for (cpus, quota, loops) in [
        (0, None, 1),
        (1, None, 1),
        (2, None, 1),
        (3, None, 1),
        (4, None, 2),
        (96, None, 48),
        (448, None, 64),
        (96, Some(4000), 2),
        (96, Some(500), 1),
        (96, Some(6500), 3),
        (2, Some(64_000), 1),
    ] {
        assert_eq!(loop_count(cpus, quota), loops, "{cpus} {quota:?}");
    }
}

macro_rules! stored {
    ($name:literal) => {
        Stored {
            name: $name,
            synthetic: include_str!(concat!("../../c-tests/topologies/", $name, ".synthetic")),
            xml: include_str!(concat!("../../c-tests/topologies/", $name, ".xml")),
        }
    };
}

struct Stored {
    name: &'static str,
    synthetic: &'static str,
    xml: &'static str,
}

const MACHINES: [Stored; 4] = [
    stored!("c5.24xlarge"),
    stored!("c5n.18xlarge"),
    stored!("interleaved-2x24x2"),
    stored!("single-node-2cpu"),
];

/// What hwloc's XML says of CPUs: objects in objects, of which only some kinds matter here.
fn from_xml(xml: &str) -> Topology {
    let attribute = |tag: &str, name: &str| -> Option<String> {
        let rest = &tag[tag.find(&format!(" {name}=\""))? + name.len() + 3..];
        Some(rest[..rest.find('"')?].to_owned())
    };
    let mut t = Topology::default();
    let mut open: Vec<String> = Vec::new();
    let (mut package, mut core) = (0, Vec::new());
    let mut cores: Vec<Vec<(u32, u32)>> = Vec::new();
    for tag in xml.split('<').map(|t| t.split('>').next().unwrap()) {
        if tag.starts_with("/object") {
            if open.pop().as_deref() == Some("Core") {
                cores.push(std::mem::take(&mut core));
            }
        } else if tag.starts_with("object ") {
            let kind = attribute(tag, "type").unwrap();
            let index = attribute(tag, "os_index").and_then(|i| i.parse().ok()).unwrap_or(0);
            match kind.as_str() {
                "Package" => package = index,
                "PU" => core.push((index, package)),
                "NUMANode" => {
                    // Words of 32 bits, the highest first.
                    let mask = attribute(tag, "cpuset").unwrap();
                    let words = mask.split(',').rev().map(|word| {
                        u32::from_str_radix(word.trim_start_matches("0x"), 16).unwrap()
                    });
                    let cpus = words.enumerate().flat_map(|(at, word)| {
                        (0..32).filter(move |b| word >> b & 1 == 1).map(move |b| at as u32 * 32 + b)
                    });
                    let cpus = cpus.collect();
                    t.nodes.push(Node { id: index, cpus, distances: Vec::new() });
                }
                _ => {}
            }
            if !tag.ends_with('/') {
                open.push(kind);
            }
        }
    }
    for core in cores {
        let first = core.iter().map(|(cpu, _)| *cpu).min().unwrap();
        t.pus.extend(core.iter().map(|&(cpu, package)| Pu { cpu, core: first, package }));
    }
    t.pus.sort_by_key(|pu| pu.cpu);
    t
}

fn machine(name: &str) -> Topology {
    let stored = MACHINES.iter().find(|m| m.name == name).unwrap();
    parse_synthetic(stored.synthetic).unwrap()
}

#[test]
fn both_stored_forms_of_each_machine_are_one_topology() {
    for m in &MACHINES {
        assert_eq!(parse_synthetic(m.synthetic), Some(from_xml(m.xml)), "{}", m.name);
    }
}

#[test]
fn nodes_are_the_published_lists() {
    let lists = include_str!("../../c-tests/topologies/cpulists.txt");
    let mut rows = 0;
    for row in lists.lines().filter(|l| !l.starts_with('#')) {
        let mut words = row.split(' ');
        let t = machine(words.next().unwrap());
        let node: usize = words.next().unwrap().parse().unwrap();
        assert_eq!(t.group_cpus(node).unwrap().to_string(), words.next().unwrap(), "{row}");
        rows += 1;
    }
    assert_eq!(rows, 7);
}

/// One row: machine, mask, group, loops asked for -> CPUs of the loops (`-` unpinned), as text.
fn spots(name: &str, allowed: &CpuSet, group: Option<usize>, loops: usize) -> String {
    let t = machine(name);
    let request = Request { group, loops, ..Request::default() };
    let Some(plan) = plan(&t, allowed, request) else { return "no such group".to_owned() };
    match plan.spots.iter().all(|s| s.cpu().is_some()) {
        true => {
            let cpus: CpuSet = plan.spots.iter().filter_map(|s| s.cpu()).collect();
            assert_eq!(cpus.len(), plan.spots.len(), "two loops on one PU");
            assert!(cpus.and(allowed) == cpus, "outside of the mask");
            cpus.to_string()
        }
        false => {
            let kind = plan.spots[0];
            assert!(plan.spots.iter().all(|&s| s == kind));
            format!("{} {kind:?}", plan.spots.len())
        }
    }
}

fn evens(cpus: u32) -> String {
    (0..cpus).step_by(4).map(|cpu| cpu.to_string()).collect::<Vec<_>>().join(",")
}

#[test]
fn plan_gives_exactly_these_cpus() {
    let every_fourth = evens(96);
    let full: &str = &every_fourth;
    for (name, mask, group, loops, expected) in [
        // The full machine: one loop a core.
        ("c5.24xlarge", "0-95", Some(0), 0, "0-23"),
        ("c5.24xlarge", "0-95", Some(1), 0, "24-47"),
        ("c5n.18xlarge", "0-71", Some(0), 0, "0-17"),
        ("c5n.18xlarge", "0-71", Some(1), 0, "18-35"),
        ("interleaved-2x24x2", "0-95", Some(0), 0, full),
        ("single-node-2cpu", "0-1", Some(0), 0, "0-1"),
        // Nobody asked for a group.
        ("c5.24xlarge", "0-95", None, 0, "48 Free"),
        ("c5n.18xlarge", "0-71", None, 0, "36 Free"),
        ("c5.24xlarge", "3", None, 0, "1 Free"),
        ("c5.24xlarge", "0-95", None, 96, "96 Free"),
        // The caller's own number: fewer, as many as cores, more (siblings), too many.
        ("c5.24xlarge", "0-95", Some(0), 3, "0-2"),
        ("c5.24xlarge", "0-95", Some(1), 24, "24-47"),
        ("c5.24xlarge", "0-95", Some(0), 26, "0-23,48-49"),
        ("c5.24xlarge", "0-95", Some(0), 200, "0-23,48-71"),
        ("interleaved-2x24x2", "0-95", Some(0), 2, "0,4"),
        ("single-node-2cpu", "0-1", Some(0), 1, "0"),
        // One CPU.
        ("c5.24xlarge", "5", Some(0), 0, "5"),
        ("c5.24xlarge", "53", Some(0), 4, "53"),
        ("interleaved-2x24x2", "2", Some(0), 0, "2"),
        ("single-node-2cpu", "1", Some(0), 2, "1"),
        // The other group only: free loops in the mask.
        ("c5.24xlarge", "24-47,72-95", Some(0), 0, "24 Refused"),
        ("c5.24xlarge", "24-47", Some(0), 5, "5 Refused"),
        ("c5n.18xlarge", "18-35,54-71", Some(0), 0, "18 Refused"),
        ("interleaved-2x24x2", "1,3,5,7", Some(0), 0, "2 Refused"),
        // Every second CPU.
        ("c5.24xlarge", "0,2,4,6,8,24,26", Some(0), 0, "0,2,4,6,8"),
        ("c5.24xlarge", "0,2,4,6,8,24,26", Some(1), 9, "24,26"),
        ("interleaved-2x24x2", "0,2,4,6,8,10", Some(0), 0, "0,4,8"),
        ("interleaved-2x24x2", "0,2,4,6,8,10", Some(0), 4, "0,2,4,8"),
        // Siblings only: they are as good as first PUs.
        ("c5.24xlarge", "48-71", Some(0), 0, "48-71"),
        ("c5n.18xlarge", "36-40", Some(0), 0, "36-40"),
        ("interleaved-2x24x2", "2,6,10", Some(0), 0, "2,6,10"),
        ("c5.24xlarge", "1,48-50", Some(0), 0, "1,48,50"),
        // An empty mask, which no live thread has.
        ("c5.24xlarge", "", Some(0), 0, "1 Refused"),
        ("c5.24xlarge", "", None, 0, "1 Free"),
        // Groups that do not exist.
        ("c5.24xlarge", "0-95", Some(2), 0, "no such group"),
        ("single-node-2cpu", "0-1", Some(1), 1, "no such group"),
    ] {
        let allowed = CpuSet::parse(mask).unwrap();
        let got = spots(name, &allowed, group, loops);
        assert_eq!(got, expected, "{name} mask {mask} group {group:?} loops {loops}");
    }
}

#[test]
fn named_number_fills_cores_before_siblings() {
    let t = machine("c5.24xlarge");
    let request = Request { group: Some(0), loops: 25, ..Request::default() };
    let plan = plan(&t, &CpuSet::first(96), request).unwrap();
    assert_eq!((plan.spots[23], plan.spots[24]), (Spot::Core(23), Spot::Sibling(48)));
}

#[test]
fn mask_is_left_only_when_the_caller_says_so() {
    let t = machine("c5.24xlarge");
    let request = Request { group: Some(1), loops: 2, ignore_mask: true, ..Request::default() };
    let plan = plan(&t, &CpuSet::first(1), request).unwrap();
    assert_eq!(plan.spots, [Spot::Core(24), Spot::Core(25)]);
}

#[test]
fn quota_counts_where_nobody_names_a_number() {
    let t = machine("c5.24xlarge");
    let request = Request { quota_milli: Some(8000), ..Request::default() };
    assert_eq!(plan(&t, &CpuSet::first(96), request).unwrap().spots.len(), 4);
}

#[test]
fn large_group_gets_no_more_than_the_bound() {
    let t = Topology::flat(&CpuSet::first(448));
    let request = Request { group: Some(0), ..Request::default() };
    assert_eq!(plan(&t, &CpuSet::first(448), request).unwrap().spots.len(), LOOPS_MAX);
}

#[test]
fn broken_synthetic_lines_are_refused() {
    for text in ["Package", "Package:0 PU:2", "Core:x PU:1", "Core:2 PU:2(indexes=2*3:1*2)"] {
        assert_eq!(parse_synthetic(text), None, "{text}");
    }
}
