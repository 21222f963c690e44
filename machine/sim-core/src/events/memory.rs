//! Events of the memory system: what an L1 and an L2 look up, and the commands of a DRAM.

use std::ops::Range;

/// Something that happened in a cache or a DRAM channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryEvent {
    /// Shader cycle.
    pub cycle: u64,
    /// Kind of event and its data.
    pub what: MemoryWhat,
}

/// Kind of an event of the memory system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryWhat {
    /// A load of global memory looks up its line in an L1.
    L1 {
        /// Number of the SM in the chip.
        sm: u32,
        /// Warp slot of the load.
        warp: u32,
        /// Its instruction.
        pc: u32,
        /// Address of the line.
        address: u32,
        /// Whether the line is present.
        hit: bool,
    },
    /// A request looks up its sectors of a line in an L2. A write needs no valid sectors, so none
    /// is missing.
    L2 {
        /// Number of the partition.
        partition: u32,
        /// Kind of request.
        usage: Usage,
        /// Address of the line in the partition.
        local: u32,
        /// Mask of the sectors that it accesses.
        sectors: u8,
        /// Mask of those that it must wait for.
        missing: u8,
    },
    /// A command on the bus of a DRAM channel. Refreshes of a channel without requests are not
    /// told.
    Dram {
        /// Number of the partition.
        partition: u32,
        /// Command of the channel.
        command: DramCommand,
    },
}

impl MemoryWhat {
    /// The part of the memory system: kind, then number.
    pub(super) fn place(&self) -> (u32, u32) {
        match self {
            Self::L1 { sm, .. } => (0, *sm),
            Self::L2 { partition, .. } => (1, *partition),
            Self::Dram { partition, .. } => (2, *partition),
        }
    }
}

/// Kind of a request to an L2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Usage {
    /// A load, or the fill of an L1.
    Read,
    /// A store.
    Write,
    /// An atomic or a reduction.
    Atomic,
}

/// A command on the bus of a DRAM channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DramCommand {
    /// Opens a row.
    Activate {
        /// Number of the bank.
        bank: u32,
        /// Number of the row.
        row: u32,
    },
    /// Closes the row of a bank.
    Precharge {
        /// Number of the bank.
        bank: u32,
    },
    /// Closes all rows, for a refresh.
    PrechargeAll,
    /// Refreshes all banks.
    Refresh,
    /// Reads bursts of the open row: the first of consecutive column commands.
    Read {
        /// Number of the bank.
        bank: u32,
        /// Number of the row.
        row: u32,
        /// Number of bursts.
        bursts: u32,
    },
    /// Writes bursts of the open row.
    Write {
        /// Number of the bank.
        bank: u32,
        /// Number of the row.
        row: u32,
        /// Number of bursts.
        bursts: u32,
    },
}

/// Events of a part of the memory system that the observer has not received.
#[derive(Clone, Debug)]
pub(crate) struct MemoryRecorder {
    /// Number of the SM or the partition.
    number: u32,
    cycles: Range<u64>,
    events: Vec<MemoryEvent>,
}

impl MemoryRecorder {
    /// Records the events of an SM or a partition in `cycles`.
    pub fn new(number: u32, cycles: Range<u64>) -> Self {
        Self { number, cycles, events: Vec::new() }
    }

    /// Records an event, which gets the number of the SM or the partition. Events of one kind come
    /// in the order of their cycles.
    #[cold]
    pub fn record(&mut self, cycle: u64, what: impl FnOnce(u32) -> MemoryWhat) {
        if self.cycles.contains(&cycle) {
            self.events.push(MemoryEvent { cycle, what: what(self.number) });
        }
    }

    /// Moves the events before shader cycle `before` to `out`.
    pub fn drain(&mut self, before: u64, out: &mut Vec<MemoryEvent>) {
        out.extend(self.events.extract_if(.., |event| event.cycle < before));
    }
}
