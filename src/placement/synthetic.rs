//! The one-line form of a machine that lstopo prints and understands, as far as it says where CPUs
//! are: `Package:2 [NUMANode] L3Cache:1 Core:24 PU:2(indexes=2*48:1*2)`.

use crate::base::{CpuSet, Node, Pu, Topology};

/// `None` where the text is not such a line. Distances are not in it.
pub fn parse(text: &str) -> Option<Topology> {
    let mut units = 1u32;
    // How many of its kind there are in the whole machine, when its turn has come.
    let (mut packages, mut nodes, mut cores) = (1, 1, None);
    let mut indexes = None;
    for item in text.split_whitespace() {
        if item.starts_with('[') {
            // A memory node hangs on each object of the level before it.
            nodes = if item.starts_with("[NUMANode") { units } else { nodes };
            continue;
        }
        let (kind, rest) = item.split_once(':')?;
        let (count, attributes) = rest.split_once('(').unwrap_or((rest, ""));
        units = units.checked_mul(count.parse().ok()?).filter(|&n| n > 0 && n <= 1 << 16)?;
        match kind.to_ascii_lowercase().as_str() {
            "package" | "pack" | "socket" => packages = units,
            "numanode" | "node" => nodes = units,
            "core" => cores = Some(units),
            "pu" => {
                let list = attributes.trim_end_matches(')').split(' ').next()?;
                indexes = list.strip_prefix("indexes=");
            }
            _ => {}
        }
    }
    let numbers = logical_places(indexes, units)?;
    let cores = cores.unwrap_or(units);
    let in_order = |of: u32, place: u32| place / (units / of);
    let mut core_names = vec![u32::MAX; cores as usize];
    let mut node_cpus = vec![CpuSet::new(); nodes as usize];
    for (cpu, &place) in (0u32..).zip(&numbers) {
        let name = &mut core_names[in_order(cores, place) as usize];
        *name = cpu.min(*name);
        node_cpus[in_order(nodes, place) as usize].insert(cpu);
    }
    let pus = (0u32..).zip(&numbers).map(|(cpu, &place)| Pu {
        cpu,
        core: core_names[in_order(cores, place) as usize],
        package: in_order(packages, place),
    });
    let nodes = (0u32..).zip(node_cpus);
    let nodes = nodes.map(|(id, cpus)| Node { id, cpus, distances: Vec::new() });
    Some(Topology { nodes: nodes.collect(), pus: pus.collect() })
}

/// For each CPU number the place of its PU in the tree. `2*48:1*2` are two loops, the inner one
/// first: 48 steps of 2, twice, 1 apart.
fn logical_places(indexes: Option<&str>, units: u32) -> Option<Vec<u32>> {
    let Some(indexes) = indexes else { return Some((0..units).collect()) };
    let mut places = vec![0u32];
    for one in indexes.split(':') {
        let (step, count) = one.split_once('*')?;
        let (step, count) = (step.parse::<u32>().ok()?, count.parse::<u32>().ok()?);
        if count == 0 || step > units || places.len() as u32 * count > units {
            return None;
        }
        places = (0..count).flat_map(|n| places.iter().map(move |p| p + n * step)).collect();
    }
    let mut seen = CpuSet::new();
    places.iter().filter(|&&p| p < units).for_each(|&p| seen.insert(p));
    (seen.len() == units as usize).then_some(places)
}
