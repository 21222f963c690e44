//! Available memory: of the host, and of the control groups of this process, whose limits batch
//! systems and containers set.

use sysinfo::{MemoryRefreshKind, ProcessRefreshKind, ProcessesToUpdate, System, get_current_pid};

/// Memory is short while less than one part in this many is available.
const FREE_PART: u64 = 8;

/// Whether little memory is available to this process; `false` where the host does not report it.
pub fn is_short() -> bool {
    let Ok(mut system) = System::new() else { return false };
    system.refresh_memory_specifics(MemoryRefreshKind::nothing().with_ram());
    if is_little(system.available_memory(), system.total_memory()) {
        return true;
    }
    let Ok(own) = get_current_pid() else { return false };
    system.refresh_processes_specifics(
        ProcessesToUpdate::Some(&[own]),
        false,
        ProcessRefreshKind::nothing().without_tasks(),
    );
    // Cached files count as free: the kernel drops them before it refuses memory to the group.
    let limits = system.process(own).and_then(sysinfo::Process::cgroup_limits);
    limits
        .is_some_and(|limits| is_little(limits.total_memory.saturating_sub(limits.rss), limits.total_memory))
}

fn is_little(available: u64, total: u64) -> bool {
    available < total / FREE_PART
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_short_below_an_eighth() {
        assert!(is_little(99, 800) && !is_little(100, 800) && !is_little(0, 0));
        let mut system = System::new().expect("a system");
        system.refresh_memory();
        assert!(system.available_memory() <= system.total_memory());
    }
}
