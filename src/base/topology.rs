//! The machine as a value: memory nodes, packages, cores and processing units (PUs). Others read
//! it from the system, and tests invent it.

use super::CpuSet;

/// Only CPUs that are online are in it. Two readers of one machine give equal values.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Topology {
    /// By id. A CPU group of the C interface is a node's place in this list.
    pub nodes: Vec<Node>,
    /// By CPU number.
    pub pus: Vec<Pu>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    pub id: u32,
    pub cpus: CpuSet,
    /// To each node of the list, in its order; empty where nobody says.
    pub distances: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pu {
    pub cpu: u32,
    /// The core, named by the lowest CPU on it.
    pub core: u32,
    pub package: u32,
}

impl Topology {
    /// A machine about which nothing is known but its CPUs: one node, every CPU a core.
    pub fn flat(cpus: &CpuSet) -> Topology {
        Topology {
            nodes: vec![Node { id: 0, cpus: cpus.clone(), distances: Vec::new() }],
            pus: cpus.iter().map(|cpu| Pu { cpu, core: cpu, package: 0 }).collect(),
        }
    }

    pub fn cpus(&self) -> CpuSet {
        self.pus.iter().map(|pu| pu.cpu).collect()
    }

    /// At least 1.
    pub fn group_count(&self) -> usize {
        self.nodes.len().max(1)
    }

    /// The CPUs of a group, `None` where no such group exists.
    pub fn group_cpus(&self, group: usize) -> Option<&CpuSet> {
        self.nodes.get(group).map(|node| &node.cpus)
    }

    pub fn pu(&self, cpu: u32) -> Option<&Pu> {
        self.pus.binary_search_by_key(&cpu, |pu| pu.cpu).ok().map(|at| &self.pus[at])
    }

    /// Whether a CPU is not the first one of its core.
    pub fn is_sibling(&self, cpu: u32) -> bool {
        self.pu(cpu).is_some_and(|pu| pu.core != cpu)
    }

    /// The group that a CPU belongs to.
    pub fn group_of(&self, cpu: u32) -> Option<usize> {
        self.nodes.iter().position(|node| node.cpus.contains(cpu))
    }
}
