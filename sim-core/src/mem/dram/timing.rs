//! The timing table of a channel, derived from the data sheet's numbers. All times are in command
//! cycles.

use crate::config::DramTiming;
use crate::time::NEVER;

/// Idle cycles of the data bus between a read and a write, as in JEDEC's rule for the minimum
/// distance of the two commands: RL + burst + 2 - WL.
const BUS_TURNAROUND: u64 = 2;

/// Minimum distances between commands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Column command to column command of the same kind, and data bus cycles of a burst.
    pub(super) burst: u64,
    /// Column command to column command of the same kind in one group of banks.
    pub(super) group_burst: u64,
    /// Activate to activate of any two banks.
    pub(super) activate_to_activate: u64,
    /// Activate to activate of one bank.
    pub(super) row_cycle: u64,
    /// Activate to column command.
    pub(super) activate_to_column: u64,
    /// Activate to precharge.
    pub(super) activate_to_precharge: u64,
    /// Precharge to activate or refresh.
    pub(super) precharge_to_activate: u64,
    /// Read command to precharge.
    pub(super) read_to_precharge: u64,
    /// Write command to precharge.
    pub(super) write_to_precharge: u64,
    /// Read command to write command.
    pub(super) read_to_write: u64,
    /// Write command to read command.
    pub(super) write_to_read: u64,
    /// Read command to the end of its data.
    pub(super) read_data: u64,
    /// Write command to the end of its data.
    pub(super) write_data: u64,
    /// Refresh to refresh, on average; [`NEVER`] without refreshes.
    pub(super) refresh_interval: u64,
    /// Refresh to activate.
    pub(super) refresh: u64,
}

impl Timing {
    /// Creates the table of a checked configuration.
    pub(super) fn new(sheet: &DramTiming) -> Self {
        let burst = u64::from(sheet.ccd).max(1);
        let read_data = u64::from(sheet.cl) + burst;
        let write_data = u64::from(sheet.wl) + burst;
        Self {
            burst,
            group_burst: u64::from(sheet.ccdl).max(burst),
            activate_to_activate: sheet.rrd.into(),
            row_cycle: sheet.rc.into(),
            activate_to_column: sheet.rcd.into(),
            activate_to_precharge: sheet.ras.into(),
            precharge_to_activate: sheet.rp.into(),
            read_to_precharge: sheet.rtp.into(),
            write_to_precharge: write_data + u64::from(sheet.wr),
            read_to_write: (read_data + BUS_TURNAROUND).saturating_sub(sheet.wl.into()).max(burst),
            write_to_read: write_data + u64::from(sheet.cdlr),
            read_data,
            write_data,
            refresh_interval: if sheet.refi == 0 { NEVER } else { sheet.refi.into() },
            refresh: sheet.rfc.into(),
        }
    }
}
