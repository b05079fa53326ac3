//! What processes used, as the kernel counts it.

use std::path::PathBuf;

/// Counters of some processes, summed. Two readings make a figure.
#[derive(Clone, Copy, Debug, Default)]
pub struct Use {
    /// Time on a CPU, ns.
    pub cpu: u64,
    /// Context switches, both kinds.
    pub switches: u64,
}

/// Memory of some processes, summed, KiB.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Resident, shared pages counted in each.
    pub resident: u64,
    /// Shared pages divided among those that share them.
    pub proportional: u64,
    /// Written to, and nobody else's.
    pub private_dirty: u64,
}

/// Reads the counters of `processes` now.
pub fn used(processes: &[u32]) -> Use {
    let mut sum = Use::default();
    for task in processes.iter().flat_map(|&process| tasks(process)) {
        let schedule = std::fs::read_to_string(task.join("schedstat")).unwrap_or_default();
        sum.cpu += schedule.split_whitespace().next().and_then(|ns| ns.parse::<u64>().ok()).unwrap_or(0);
        let status = std::fs::read_to_string(task.join("status")).unwrap_or_default();
        sum.switches += field(&status, "voluntary_ctxt_switches:") + field(&status, "nonvoluntary_ctxt_switches:");
    }
    sum
}

fn tasks(process: u32) -> Vec<PathBuf> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"));
    tasks.map(|tasks| tasks.flatten().map(|task| task.path()).collect()).unwrap_or_default()
}

/// Reads the memory of `processes` now.
pub fn memory(processes: &[u32]) -> Memory {
    let mut sum = Memory::default();
    for process in processes {
        let text = std::fs::read_to_string(format!("/proc/{process}/smaps_rollup")).unwrap_or_default();
        sum.resident += field(&text, "Rss:");
        sum.proportional += field(&text, "Pss:");
        sum.private_dirty += field(&text, "Private_Dirty:");
    }
    sum
}

/// The number after `name` at the start of a line.
fn field(text: &str, name: &str) -> u64 {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0)
}
