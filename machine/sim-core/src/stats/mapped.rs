//! Traffic of mapped host memory over the link.

use super::Totals;
use crate::config::Chip;
use serde::Serialize;

/// Traffic of mapped host memory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MappedReport {
    /// Read over the host link. Unit: bytes.
    pub read_bytes: u64,
    /// Bytes written over the link, with those that it carries after the end of the launch.
    pub write_bytes: u64,
    /// Bytes read, per byte that the link carries in one direction during the run: 0 to 1.
    pub read_utilization: f64,
    /// The same for bytes written. Bytes after the end of the launch can make it exceed 1. Unit:
    /// fraction.
    pub write_utilization: f64,
}

/// Makes the report of a run of `seconds`; `None` if the kernel did not access mapped memory.
pub(super) fn mapped_report(chip: &Chip, t: &Totals, seconds: f64) -> Option<MappedReport> {
    let read_bytes: u64 = t.partitions.iter().map(|partition| partition.mapped_read).sum();
    let write_bytes: u64 = t.partitions.iter().map(|partition| partition.mapped_written).sum();
    let carried = chip.pcie.bytes_per_second as f64 * seconds;
    let share = |bytes: u64| if carried == 0.0 { 0.0 } else { bytes as f64 / carried };
    (read_bytes + write_bytes > 0).then(|| MappedReport {
        read_bytes,
        write_bytes,
        read_utilization: share(read_bytes),
        write_utilization: share(write_bytes),
    })
}
