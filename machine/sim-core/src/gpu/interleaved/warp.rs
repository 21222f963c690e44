//! The state of a warp on the interleaved machine.

use super::request::Row;
use super::touch::Touch;
use crate::exec::Warp;

/// Activity of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Activity {
    /// It can continue, or waits for requests.
    Running,
    /// It waits at a barrier whose instruction is at `pc`.
    Waiting {
        /// Instruction index.
        pc: u32,
        /// Lanes that wait.
        lanes: u32,
    },
    /// It repeats a loop that changes nothing.
    Spinning,
    /// It repeats a loop without any access to shared or global memory.
    Endless,
    /// An instruction could not be executed.
    Trapped,
    /// It has exited.
    Exited,
}

/// A request that has been delivered, and whose value or completion no instruction has used.
#[derive(Clone, Debug)]
pub(super) struct Arrived {
    /// Rows of its reply.
    pub rows: Vec<Row>,
    /// Event of the delivery.
    pub event: u32,
}

/// Memory that a warp has read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Read {
    /// The memory.
    pub touch: Touch,
    /// Whether another warp has written it after that.
    pub stale: bool,
}

/// The state of a warp when it was at the beginning of a loop.
#[derive(Clone, Debug)]
pub(super) struct Mark {
    /// Registers and control state.
    pub warp: Warp,
    /// Number of reads before.
    pub reads: usize,
}

/// A warp.
#[derive(Clone, Debug)]
pub(super) struct WarpState {
    /// Registers and control state.
    pub warp: Warp,
    /// Activity in the next step.
    pub activity: Activity,
    /// Events that must precede its next step.
    pub horizon: Vec<u32>,
    /// Delivered requests that no instruction has used.
    pub arrived: Vec<Arrived>,
    /// Number of requests so far.
    pub requests: u32,
    /// Number of instructions so far, which `%clock` reads.
    pub instructions: u64,
    /// Loops in which the warp has changed nothing.
    pub marks: Vec<Mark>,
    /// Memory that the warp has read since it has changed something.
    pub reads: Vec<Read>,
    /// While it spins: the memory that the loop reads.
    pub watch: Vec<Touch>,
    /// While it spins: whether another warp has written some of it after the warp has read it.
    pub stale: bool,
}

impl WarpState {
    /// A warp before its first instruction.
    pub fn new(warp: Warp) -> Self {
        Self {
            warp,
            activity: Activity::Running,
            horizon: Vec::new(),
            arrived: Vec::new(),
            requests: 0,
            instructions: 0,
            marks: Vec::new(),
            reads: Vec::new(),
            watch: Vec::new(),
            stale: false,
        }
    }

    /// Notes that the warp has changed something that others can see.
    pub fn changed(&mut self) {
        self.marks.clear();
        self.reads.clear();
    }

    /// Adds the events of delivered requests that `used` selects to those before the next step.
    pub fn acquire(&mut self, used: impl Fn(&Arrived) -> bool) {
        let horizon = &mut self.horizon;
        self.arrived.retain(|arrived| {
            let is_used = used(arrived);
            if is_used {
                horizon.push(arrived.event);
            }
            !is_used
        });
    }
}
