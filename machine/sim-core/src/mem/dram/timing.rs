//! The timing constraints of a channel, one row each, and their compiled form. All times are in
//! command cycles.
//!
//! A row says that a command may be issued so many cycles after another one of the same bank, group
//! of banks or channel. The rows are compiled once: each command has the distances that it adds to
//! the fields with the earliest cycles ([`BankCycles`], [`ChannelCycles`]).

use crate::config::{DramConfig, DramTiming};
use crate::state::Value;
use crate::time::NEVER;

/// Idle cycles of the data bus between a read and a write, as in JEDEC's rule for the minimum
/// distance of the two commands: RL + burst + 2 - WL.
const BUS_TURNAROUND: u64 = 2;

/// Number of consecutive activates that tFAW bounds.
pub(super) const ACTIVATE_WINDOW: usize = 4;

/// A command of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CommandKind {
    /// Opens a row.
    Activate,
    /// The fourth activate before.
    FourthLastActivate,
    /// Closes a row.
    Precharge,
    /// Reads a burst; the last one of a train.
    Read,
    /// Writes a burst; the last one of a train.
    Write,
    /// Refreshes all banks. Before it, each bank waits like for an activate.
    Refresh,
}

/// Number of kinds.
const KINDS: usize = CommandKind::Refresh as usize + 1;

/// Commands between which a row keeps its distance: commands of the same part of the channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Bank,
    Group,
    Channel,
}

/// A constraint: `next` is issued at least `cycles` after `after`.
struct TimingRow {
    after: CommandKind,
    next: CommandKind,
    scope: Scope,
    cycles: u64,
}

/// The constraints of a checked configuration.
fn rows(config: &DramConfig) -> Vec<TimingRow> {
    use CommandKind::{Activate, FourthLastActivate, Precharge, Read, Refresh, Write};
    use Scope::{Bank, Channel, Group};
    let sheet = &config.timing;
    let (burst, read_data, write_data) = (burst(sheet), read_data(sheet), write_data(sheet));
    let read_to_write = (read_data + BUS_TURNAROUND).saturating_sub(sheet.wl.into()).max(burst);
    let row = |after, next, scope, cycles| TimingRow { after, next, scope, cycles };
    let mut rows = vec![
        row(Activate, Activate, Bank, sheet.rc.into()),
        row(Activate, Activate, Channel, sheet.rrd.into()),
        row(FourthLastActivate, Activate, Channel, sheet.faw.into()),
        row(Activate, Read, Bank, sheet.rcd.into()),
        row(Activate, Write, Bank, sheet.rcd.into()),
        row(Activate, Precharge, Bank, sheet.ras.into()),
        row(Precharge, Activate, Bank, sheet.rp.into()),
        row(Refresh, Activate, Bank, sheet.rfc.into()),
        row(Read, Precharge, Bank, sheet.rtp.into()),
        row(Write, Precharge, Bank, write_data + u64::from(sheet.wr)),
        row(Read, Read, Channel, burst),
        row(Write, Write, Channel, burst),
        row(Read, Write, Channel, read_to_write),
        row(Write, Read, Channel, write_data + u64::from(sheet.cdlr)),
    ];
    if config.bank_groups > 1 {
        let columns = [(Read, Read), (Read, Write), (Write, Read), (Write, Write)];
        rows.extend(columns.map(|(after, next)| row(after, next, Group, group_burst(sheet))));
    }
    rows
}

/// Cycles of a burst on the data bus.
fn burst(sheet: &DramTiming) -> u64 {
    u64::from(sheet.ccd).max(1)
}

/// Column command to column command of one group of banks.
fn group_burst(sheet: &DramTiming) -> u64 {
    u64::from(sheet.ccdl).max(burst(sheet))
}

/// Read command to the end of its data.
fn read_data(sheet: &DramTiming) -> u64 {
    u64::from(sheet.cl) + burst(sheet)
}

/// Write command to the end of its data.
fn write_data(sheet: &DramTiming) -> u64 {
    u64::from(sheet.wl) + burst(sheet)
}

/// A number of cycles for each command to a bank: the earliest cycle, or a distance.
#[derive(Clone, Copy, Debug, Default, Value)]
pub(super) struct BankCycles {
    /// Of an activate, when the bank is closed.
    pub(super) activate: u64,
    /// Of a column command, when a row is open.
    pub(super) column: u64,
    /// Of a precharge, when a row is open.
    pub(super) precharge: u64,
}

/// A number of cycles for each command of the channel: the earliest cycle, or a distance.
#[derive(Clone, Copy, Debug, Default, Value)]
pub(super) struct ChannelCycles {
    pub(super) activate: u64,
    pub(super) read: u64,
    pub(super) write: u64,
}

/// The compiled rows of one command: what it adds to the earliest cycles.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Distances {
    /// Commands to the same bank.
    pub(super) bank: BankCycles,
    /// Column commands to the same group of banks.
    pub(super) group: u64,
    /// Commands to any bank.
    pub(super) channel: ChannelCycles,
}

/// The compiled constraints of a channel, and other times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    /// Distances from each [`CommandKind`] of command.
    after: [Distances; KINDS],
    /// Column command to the next one of a train.
    pub(super) spacing: u64,
    /// Cycles of a burst on the data bus.
    pub(super) burst: u64,
    /// Read command to the end of its data.
    pub(super) read_data: u64,
    /// Write command to the end of its data.
    pub(super) write_data: u64,
    /// Refresh to refresh, on average; [`NEVER`] without refreshes.
    pub(super) refresh_interval: u64,
}

impl Timing {
    /// Compiles the constraints of a checked configuration.
    pub(super) fn new(config: &DramConfig) -> Self {
        use CommandKind::{Activate, FourthLastActivate, Precharge, Read, Refresh, Write};
        let sheet = &config.timing;
        let mut after = [Distances::default(); KINDS];
        for row in rows(config) {
            let Distances { bank, group, channel } = &mut after[row.after as usize];
            let field = match (row.after, row.scope, row.next) {
                (Activate | Precharge | Refresh, Scope::Bank, Activate) => &mut bank.activate,
                (Activate, Scope::Bank, Read | Write) => &mut bank.column,
                (Activate | Read | Write, Scope::Bank, Precharge) => &mut bank.precharge,
                (Read | Write, Scope::Group, Read | Write) => group,
                (Activate | FourthLastActivate, Scope::Channel, Activate) => &mut channel.activate,
                (Read | Write, Scope::Channel, Read) => &mut channel.read,
                (Read | Write, Scope::Channel, Write) => &mut channel.write,
                other => unreachable!("no command applies a distance of {other:?}"),
            };
            *field = row.cycles.max(*field);
        }
        Self {
            after,
            spacing: if config.bank_groups > 1 { group_burst(sheet) } else { burst(sheet) },
            burst: burst(sheet),
            read_data: read_data(sheet),
            write_data: write_data(sheet),
            refresh_interval: if sheet.refi == 0 { NEVER } else { sheet.refi.into() },
        }
    }

    /// Whether a group of banks may be busy after a train of another group that followed its train.
    pub(super) fn slow_groups(&self) -> bool {
        self.spacing > 2 * self.burst
    }

    /// Distances from a command of a kind.
    #[inline]
    pub(super) fn after(&self, kind: CommandKind) -> &Distances {
        &self.after[kind as usize]
    }

    /// Command cycles that `activates` activates take at least, of which the bank with most of them
    /// has `most`.
    pub(super) fn row_cycles(&self, activates: u64, most: u64) -> u64 {
        let Distances { bank, channel, .. } = self.after(CommandKind::Activate);
        let window = self.after(CommandKind::FourthLastActivate).channel.activate;
        let of_channel = (activates * channel.activate).max(activates * window / ACTIVATE_WINDOW as u64);
        (most * bank.activate).max(of_channel)
    }
}
