//! The issue slot breakdown and the warp state breakdown: the use of every issue slot and of every
//! warp cycle of an SM.
//!
//! Both are exact: they count state changes, never samples, and have no remainder and no "other"
//! category. An *issue cycle* is `issue_period` shader cycles of one scheduler. A *slot* is
//! (scheduler, issue cycle, dispatch port). The state of a warp is its state at the start of an
//! issue cycle.

use super::by::ByState;
use super::group::{Counters, counters};
use crate::state::Value;
use isa::terms::Terms;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Color of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TerminalColor {
    /// Green.
    Green,
    /// Blue.
    Blue,
    /// Yellow.
    Yellow,
    /// Red.
    Red,
    /// Magenta.
    Magenta,
    /// The color of things that matter less.
    Gray,
}

/// Direction of the lines of a hatch, which distinguishes areas without color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HatchLines {
    /// Upward to the right.
    Rising,
    /// Downward to the right.
    Falling,
    /// Both diagonals.
    Crossed,
    /// Horizontal.
    Level,
    /// Vertical.
    Upright,
    /// Horizontal and vertical.
    Grid,
}

/// Color of a hatch over a light color.
const DARK: u32 = 0x32_281e;
/// Color of a hatch over a dark color.
const WHITE: u32 = 0xff_ffff;

/// Texts, letter and colors of a state of a warp, for consoles, pages and pictures.
#[derive(Clone, Copy, Debug)]
pub struct StateRow {
    /// Name in tables.
    pub label: &'static str,
    /// Name where there is little space.
    pub short: &'static str,
    /// Letter in a timeline of characters.
    pub letter: char,
    /// Color on a terminal.
    pub terminal: TerminalColor,
    /// Color in pictures: red, green and blue, eight bits each. Most colors differ in brightness.
    pub color: u32,
    /// Hatch in pictures, and its color; it distinguishes colors of similar brightness.
    pub hatch: Option<(HatchLines, u32)>,
    /// Reason of an empty issue slot that is charged to the state.
    pub reason: &'static str,
    /// Meaning, for students.
    pub explanation: &'static str,
    /// Advice that usually reduces the cycles in this state; empty if there is nothing to reduce.
    /// Names of metrics are in backticks.
    pub advice: &'static str,
}

macro_rules! warp_states {
    ($($(#[$doc:meta])* $state:ident { $($column:ident: $value:expr),* $(,)? })*) => {
        /// State of a resident warp: issuing, or the first check that keeps it from issuing.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Value)]
        #[serde(rename_all = "snake_case")]
        #[repr(u8)]
        pub enum WarpState {
            $($(#[$doc])* $state),*
        }

        impl WarpState {
            /// Number of states.
            pub const COUNT: usize = [$(stringify!($state)),*].len();

            /// All states, least blocked first. An empty slot is charged to the first of these
            /// states that a warp of the scheduler has.
            pub const ALL: [Self; Self::COUNT] = [$(Self::$state),*];

            /// Returns what is shown of the state.
            pub fn row(self) -> &'static StateRow {
                static ROWS: [StateRow; WarpState::COUNT] = [$(StateRow { $($column: $value),* }),*];
                &ROWS[self as usize]
            }
        }
    };
}

// Least blocked first. A new state needs a row here and the unit that reports it; the compiler
// names the other places. Consoles, pages, pictures and the browser show the row.
warp_states! {
    /// Its instruction issues, or holds the scheduler in later cycles of the same instruction.
    Issuing {
        label: "issuing", short: "issuing", letter: 'I',
        terminal: TerminalColor::Green, color: 0x1b_7f4d, hatch: None,
        reason: "while a warp issues",
        explanation: "its instruction issues, or holds the scheduler in its later slots",
        advice: "",
    }
    /// It could issue, but the scheduler took another warp or was held by one.
    NotSelected {
        label: "eligible, not selected", short: "eligible", letter: 'e',
        terminal: TerminalColor::Green, color: 0xa6_d8bd, hatch: None,
        reason: "although a warp was eligible",
        explanation: "eligible, but the scheduler selected another warp: there is enough parallelism",
        advice: "Nothing: the schedulers have more eligible warps than they can issue. To run faster, \
            execute fewer instructions (`inst_executed`).",
    }
    /// The unit that its next instruction needs is busy.
    PipeBusy {
        label: "pipe busy", short: "pipe", letter: 'p',
        terminal: TerminalColor::Blue, color: 0xe3_b505, hatch: Some((HatchLines::Upright, DARK)),
        reason: "because of a busy execution unit",
        explanation: "the execution unit was busy with an earlier instruction",
        advice: "Execute fewer instructions on the busy unit, or instructions with a higher \
            throughput: 24-bit integer multiplies instead of 32-bit ones on compute capability 1.x, \
            single instead of double precision, approximate functions. Place instructions for other \
            units between them.",
    }
    /// The next instruction accesses global or local memory and the load/store unit's queue is
    /// full.
    LsuFull {
        label: "load/store unit full", short: "LSU full", letter: 'q',
        terminal: TerminalColor::Blue, color: 0xb5_651d, hatch: Some((HatchLines::Grid, WHITE)),
        reason: "because of a full load/store unit",
        explanation: "the queue of the load/store unit was full",
        advice: "Make fewer transactions: coalesce accesses (`gld_efficiency`, `gst_efficiency`), \
            access wider words, and reuse values in shared memory or registers.",
    }
    /// The next instruction is being fetched (after a branch, or at the warp's start).
    Fetch {
        label: "instruction fetch", short: "fetch", letter: 'f',
        terminal: TerminalColor::Blue, color: 0x7a_5195, hatch: Some((HatchLines::Level, WHITE)),
        reason: "because of instruction fetch",
        explanation: "waiting for the next instruction after a branch or at the start",
        advice: "Execute fewer branches: unroll short loops, and replace short branches by predicated \
            instructions or selects. More resident warps (`achieved_occupancy`) hide the rest.",
    }
    /// An execution unit still computes a register that the next instruction needs.
    ExecutionDependency {
        label: "execution dependency", short: "exec", letter: 'x',
        terminal: TerminalColor::Yellow, color: 0xf2_a65a, hatch: Some((HatchLines::Falling, DARK)),
        reason: "because of execution dependency",
        explanation: "an operand was still being computed",
        advice: "Give each thread more independent instructions (unroll loops, compute several \
            results per thread), or keep more warps resident (`achieved_occupancy`).",
    }
    /// A register that it needs is still being read from constant memory or the parameters.
    ConstantDependency {
        label: "constant dependency", short: "const", letter: 'c',
        terminal: TerminalColor::Yellow, color: 0xd6_a5e0, hatch: Some((HatchLines::Level, DARK)),
        reason: "because of constant dependency",
        explanation: "an operand was still being read from constant memory or parameters",
        advice: "Let all lanes of a warp read the same address (`const_replay_overhead`), keep the \
            constants in use smaller than the constant cache (`const_l1_misses`), and load a \
            constant once into a register.",
    }
    /// A register that it needs is still being read from shared memory.
    SharedDependency {
        label: "shared-memory dependency", short: "shared", letter: 's',
        terminal: TerminalColor::Yellow, color: 0x4a_a3df, hatch: Some((HatchLines::Crossed, WHITE)),
        reason: "because of shared-memory dependency",
        explanation: "an operand was still being read from {shared}",
        advice: "Remove bank conflicts (`shared_replay_overhead`), reuse values in registers, load a \
            value several instructions before its first use, or keep more warps resident \
            (`achieved_occupancy`).",
    }
    /// A register that it needs is on its way from global or local memory or a texture.
    MemoryDependency {
        label: "memory dependency", short: "memory", letter: 'm',
        terminal: TerminalColor::Red, color: 0x2f_68c8, hatch: Some((HatchLines::Rising, WHITE)),
        reason: "because of memory dependency",
        explanation: "an operand was pending in global, local or texture memory",
        advice: "Reduce traffic: coalesce (`gld_efficiency`), tile data through shared memory, reuse \
            values in registers, avoid spills to local memory (`local_load_requests`). Hide the \
            latency (`gld_latency`): keep more warps resident (`achieved_occupancy`), and issue \
            several loads before the first use. If `dram_utilization` is near 1, only less traffic \
            helps.",
    }
    /// The warp waits for the replies to a memory fence.
    Membar {
        label: "memory fence", short: "fence", letter: 'F',
        terminal: TerminalColor::Magenta, color: 0x7b_241c, hatch: Some((HatchLines::Upright, WHITE)),
        reason: "because of memory fences",
        explanation: "waiting for a memory fence",
        advice: "Use fewer fences, and membar.cta instead of membar.gl where only threads of the block \
            read the data. Place the fence some instructions after the stores.",
    }
    /// The warp waits for the other warps of its block at a barrier.
    Barrier {
        label: "barrier", short: "barrier", letter: 'B',
        terminal: TerminalColor::Magenta, color: 0xc0_392b, hatch: Some((HatchLines::Falling, WHITE)),
        reason: "because of barriers",
        explanation: "waiting for other warps of the {block} at bar.sync",
        advice: "Give all warps of a block the same amount of work between barriers, use smaller \
            blocks so that other blocks run in the meantime (`blocks_per_sm`), and remove barriers \
            that order no accesses.",
    }
    /// All lanes of the warp have exited; the warp keeps its slot until the block releases its
    /// slots.
    Exited {
        label: "exited, block resident", short: "exited", letter: '.',
        terminal: TerminalColor::Gray, color: 0xb8_b8b8, hatch: Some((HatchLines::Crossed, 0xe1_e1e1)),
        reason: "because the resident warps have exited",
        explanation: "finished; the rest of its {block} is not",
        advice: "Give all warps of a block the same amount of work, or use smaller blocks \
            (`blocks_per_sm`): a block keeps its warp slots until its last warp has exited.",
    }
}

impl WarpState {
    /// Whether the warp waits for something other than its selection by the scheduler.
    pub fn is_wait(self) -> bool {
        self > Self::NotSelected
    }

    /// Name of the state in tables.
    pub fn label(self) -> &'static str {
        self.row().label
    }

    /// Meaning of the state, for students.
    pub fn explanation(self, terms: &Terms) -> Cow<'static, str> {
        terms.fill(self.row().explanation)
    }

    /// Advice that usually reduces the cycles in this state; empty if there is nothing to reduce.
    pub fn advice(self) -> &'static str {
        self.row().advice
    }

    /// Whether the cycles in this state are charged to the last instruction that the warp has
    /// issued, which causes the wait: a barrier, a fence, an exit. The cycles of all other states
    /// are charged to the next instruction.
    #[inline]
    pub const fn is_of_last_instruction(self) -> bool {
        matches!(self, Self::Membar | Self::Barrier | Self::Exited)
    }

    /// Whether the wait is long: for memory, for other warps, or without an end.
    #[inline]
    pub const fn is_long_wait(self) -> bool {
        match self {
            Self::MemoryDependency | Self::Membar | Self::Barrier | Self::Exited => true,
            Self::Issuing
            | Self::NotSelected
            | Self::PipeBusy
            | Self::LsuFull
            | Self::Fetch
            | Self::ExecutionDependency
            | Self::ConstantDependency
            | Self::SharedDependency => false,
        }
    }
}

counters! {
    /// Issue slots by outcome.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, Value)]
    #[serde(default)]
    pub struct SlotBreakdown {
        /// A warp instruction issued.
        pub issued: u64,
        /// Slots of `issued` that used a second dispatch port.
        pub paired: u64,
        /// Later slots of a multi-slot instruction (a sequence on this hardware).
        pub held: u64,
        /// An instruction issued again to finish shared-memory passes after a bank conflict.
        pub replay_bank_conflict: u64,
        /// An instruction issued again for further addresses of constant memory: lanes of a group
        /// had different addresses.
        pub replay_constant: u64,
        /// Another scheduler's instruction kept this one from issuing: double precision on Fermi
        /// occupies the cores of both.
        pub shut_by_other: u64,
        /// The second port stayed empty because the first port issued nothing new: the second port
        /// issues only together with the first.
        pub as_first_port: u64,
        /// The second port stayed empty because no instruction could issue together with the one of
        /// the first port.
        pub not_pairable: u64,
        /// Nothing issued, and no warp was resident.
        pub no_warp: u64,
        /// Nothing issued: the least blocked state among the scheduler's warps; never `Issuing`,
        /// and never `NotSelected` under a work-conserving policy.
        pub empty: ByState,
    }
}

impl SlotBreakdown {
    /// Counts `slots` empty slots, charged to `reason`; `None`: no warp was resident.
    pub fn count_empty(&mut self, reason: Option<WarpState>, slots: u64) {
        match reason {
            Some(state) => self.empty[state] += slots,
            None => self.no_warp += slots,
        }
    }

    /// Number of slots in which nothing issued.
    pub fn empty_total(&self) -> u64 {
        self.no_warp + self.empty.total()
    }

    /// Number of slots in which an instruction issued again.
    pub fn replays(&self) -> u64 {
        self.replay_bank_conflict + self.replay_constant
    }

    /// Number of all slots: the sum of all counters except `paired`, which is a part of `issued`.
    pub fn total(&self) -> u64 {
        let (mut all, mut total) = (*self, 0);
        all.leaves(&mut |slots| total += *slots);
        total - self.paired
    }
}
