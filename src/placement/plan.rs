//! The plan: for each loop of a group the PU it is pinned to, or why it is not.

use super::{LOOPS_MAX, loop_count};
use crate::base::{CpuSet, Topology};

#[derive(Clone, Copy, Default, Debug)]
pub struct Request {
    pub group: Option<usize>,
    /// 0: the caller names no number. With a group it is the most that the caller wants.
    pub loops: usize,
    /// The caller wants the group's CPUs even where its own mask forbids them.
    pub ignore_mask: bool,
    /// CPU time that a container allows, in thousandths of a CPU.
    pub quota_milli: Option<u64>,
}

/// Where one loop runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spot {
    /// Nobody asked for a group.
    Free,
    /// Alone on a core.
    Core(u32),
    /// On a core that another loop of the plan is on, on the other PU: only when the caller's own
    /// number does not fit otherwise.
    Sibling(u32),
    /// A group was asked for, and none of its CPUs may be used.
    Refused,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    pub spots: Vec<Spot>,
}

impl Spot {
    pub fn cpu(self) -> Option<u32> {
        match self {
            Spot::Core(cpu) | Spot::Sibling(cpu) => Some(cpu),
            Spot::Free | Spot::Refused => None,
        }
    }
}

/// `None` where the group does not exist.
pub fn plan(topology: &Topology, allowed: &CpuSet, request: Request) -> Option<Plan> {
    let unpinned = |spot| {
        let count = match request.loops {
            0 => loop_count(allowed.len(), request.quota_milli),
            n => n,
        };
        Some(Plan { spots: vec![spot; count] })
    };
    let Some(group) = request.group else { return unpinned(Spot::Free) };
    let cpus = topology.group_cpus(group)?;
    let usable = if request.ignore_mask { cpus.clone() } else { cpus.and(allowed) };
    if usable.is_empty() {
        return unpinned(Spot::Refused);
    }
    // The first usable PU of every core, then the PUs that are left, both by number.
    let (mut cores, mut firsts, mut rest) = (CpuSet::new(), Vec::new(), Vec::new());
    for cpu in usable.iter() {
        let core = topology.pu(cpu).map_or(cpu, |pu| pu.core);
        match cores.contains(core) {
            false => {
                cores.insert(core);
                firsts.push(Spot::Core(cpu));
            }
            true => rest.push(Spot::Sibling(cpu)),
        }
    }
    match request.loops {
        0 => firsts.truncate(LOOPS_MAX),
        n => {
            firsts.extend(rest);
            firsts.truncate(n);
        }
    }
    Some(Plan { spots: firsts })
}
