//! The commands on a channel's command bus.

use crate::events::DramCommand;

/// A command, or the first command of a train.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Opens a row.
    Activate {
        /// Number of the bank.
        bank: u32,
        /// Number of the row.
        row: u32,
    },
    /// Closes a row.
    Precharge {
        /// Number of the bank.
        bank: u32,
    },
    /// Closes all rows, for a refresh.
    PrechargeAll,
    /// Refreshes all banks.
    Refresh,
    /// Starts a train: the first column command of a request; the others follow, one every tCCD.
    Train {
        /// Id of the request.
        id: u32,
        /// Whether it writes.
        write: bool,
        /// Number of the bank.
        bank: u32,
        /// Number of the row.
        row: u32,
        /// Number of column commands.
        bursts: u32,
        /// Bursts of the whole request if this train completes it, else 0.
        done: u32,
        /// First command cycle after the last data beat.
        end: u64,
    },
}

impl Command {
    /// The command as an observer is told of it.
    pub fn told(self) -> DramCommand {
        match self {
            Self::Activate { bank, row } => DramCommand::Activate { bank, row },
            Self::Precharge { bank } => DramCommand::Precharge { bank },
            Self::PrechargeAll => DramCommand::PrechargeAll,
            Self::Refresh => DramCommand::Refresh,
            Self::Train { write: false, bank, row, bursts, .. } => DramCommand::Read { bank, row, bursts },
            Self::Train { write: true, bank, row, bursts, .. } => DramCommand::Write { bank, row, bursts },
        }
    }
}
