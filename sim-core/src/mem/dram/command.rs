//! What goes out on a channel's command bus.

/// A command, or the first of a train of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// A row is opened.
    Activate {
        /// Bank.
        bank: u32,
        /// Row.
        row: u32,
    },
    /// A row is closed.
    Precharge {
        /// Bank.
        bank: u32,
    },
    /// All rows are closed, for a refresh.
    PrechargeAll,
    /// All banks are refreshed.
    Refresh,
    /// The first of a request's column commands; the others follow, one every tCCD.
    Train {
        /// The request's name.
        id: u32,
        /// It writes.
        write: bool,
        /// Bank.
        bank: u32,
        /// Row.
        row: u32,
        /// Column commands.
        bursts: u32,
        /// Bursts of the whole request if these are its last, else 0.
        done: u32,
        /// First clock after the last data beat.
        end: u64,
    },
}
