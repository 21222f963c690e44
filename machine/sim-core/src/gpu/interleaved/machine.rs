//! The state of the machine, its possible actions, and a copy of it for each value of an action.

use super::block::Block;
use super::loops::Loops;
use super::request::{Order, Request};
use super::touch::{Place, Touch};
use super::warp::{Activity, WarpState};
use crate::exec::mask::lanes;
use crate::exec::trap::Trap;
use crate::exec::{Access, Kernel, Warp, WarpId};
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use crate::sm::barrier::Barriers;
use isa::mangled::plain;
use isa::uop::{Program, Symbol};
use std::fmt;
use std::sync::Arc;

/// An action of the machine. Warps have the numbers of their place in the launch: all warps of
/// block 0, then the warps of block 1, and so on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// A warp executes its next instruction that others can observe, and then continues to the
    /// next such instruction.
    Step {
        /// Number of the warp in its block.
        warp: u32,
    },
    /// A request takes effect at its partition.
    Deliver {
        /// The warp that issued it.
        warp: u32,
        /// Number of the request, counted for each warp.
        request: u32,
    },
}

impl Action {
    /// The warp that acts.
    pub fn warp(self) -> u32 {
        match self {
            Self::Step { warp } | Self::Deliver { warp, .. } => warp,
        }
    }

    /// Whether it is a step of a warp.
    pub fn is_step(self) -> bool {
        matches!(self, Self::Step { .. })
    }
}

/// An executed action.
#[derive(Clone, Debug, Default)]
pub struct Done {
    /// Instruction.
    pub pc: u32,
    /// Places that the action touches; two actions whose touches conflict have a visible order.
    pub touches: Vec<Touch>,
    /// Memory that the requests of a step access when they take effect, if other warps share the
    /// queue of its SM.
    pub accesses: Vec<Touch>,
    /// Numbers of earlier actions, from 0, that must precede this one.
    pub causes: Vec<u32>,
    /// Number of the first request that a step has issued.
    pub first_request: u32,
    /// Number of requests that it has issued.
    pub requests: u32,
    /// Lanes that access memory, with their addresses.
    pub(super) lanes: Vec<(u32, u32)>,
    /// Bytes of each lane.
    pub(super) bytes: u32,
}

/// The memory of one lane before and after an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneValue {
    /// Lane of the access, 0 to 31.
    pub lane: u32,
    /// Address in global memory, or in the shared memory of the block.
    pub address: u32,
    /// Bytes; the values have the lowest eight of them.
    pub bytes: u32,
    /// Value before.
    pub before: u64,
    /// Value after.
    pub after: u64,
}

/// A launch on the interleaved machine. A copy continues like the original.
#[derive(Clone)]
pub struct Interleaved {
    pub(super) kernel: Arc<Kernel>,
    pub(super) loops: Arc<Loops>,
    pub(super) order: Order,
    pub(super) map: AddressMap,
    pub(super) memory: Arc<Memory>,
    pub(super) blocks: Vec<Block>,
    pub(super) warps: Vec<Arc<WarpState>>,
    /// Requests under way, in the order of their steps.
    pub(super) pending: Vec<Arc<Request>>,
    /// Number of actions so far.
    pub(super) events: u32,
    /// The first trap.
    pub(super) trap: Option<Arc<Trap>>,
    /// Whether a write lets spinning warps continue.
    pub(super) wakes: bool,
    /// Warps that the current action lets continue.
    pub(super) woken: Vec<usize>,
}

impl fmt::Debug for Interleaved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interleaved").field("events", &self.events).finish_non_exhaustive()
    }
}

impl Interleaved {
    /// Creates a launch before its first instruction, on `map`'s partitions. `sms` is the number of
    /// SMs, to which the blocks are assigned by turns for `%smid`. Actions are possible when it has
    /// [begun](Self::begun).
    ///
    /// One block alone has sequential consistency in every order: all its requests for a word wait
    /// in
    /// one queue, so a load returns the value of the last store before its step, whenever both take
    /// effect. Its requests therefore take effect at once.
    pub fn new(kernel: Arc<Kernel>, mut memory: Memory, order: Order, map: AddressMap, sms: u32) -> Self {
        memory.arrange(AddressMap::LINEAR);
        let count = if kernel.threads() == 0 { 0 } else { kernel.grid.count() };
        let order = if count == 1 { Order::Sequential } else { order };
        let start = |number: u64| {
            let ctaid = kernel.grid.index_of(number);
            let sm = (number % u64::from(sms.max(1))) as u32;
            let (kernel, threads) = (&kernel, kernel.threads());
            (0..kernel.warps_per_block()).map(move |index| {
                let mut warp = Warp::empty(kernel.program.rows, kernel.program.call_depth);
                warp.start(WarpId { block: number, ctaid, index, sm, slot: index }, threads);
                Arc::new(WarpState::new(warp))
            })
        };
        let warps = (0..count).flat_map(start).collect();
        let shared = Arc::new(vec![0; kernel.shared_bytes as usize]);
        let block = Block { shared, barriers: Barriers::default(), delivered: Vec::new() };
        let blocks = vec![block; count as usize];
        let loops = Arc::new(Loops::of(&kernel.program));
        Self {
            kernel,
            loops,
            order,
            map,
            memory: Arc::new(memory),
            blocks,
            warps,
            pending: Vec::new(),
            events: 0,
            trap: None,
            wakes: false,
            woken: Vec::new(),
        }
    }

    /// Executes the instructions of all warps before their first steps.
    #[must_use]
    pub fn begun(mut self) -> Self {
        (0..self.warps.len()).for_each(|w| self.advance(w));
        self
    }

    /// From now on, a write lets warps continue that spin on the word. For schedules that are not
    /// part of a search over all schedules.
    pub fn wake_spinning(&mut self) {
        self.wakes = true;
    }

    /// Returns the possible actions: steps by warp, then deliveries in the order of their steps.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        let steps = (0..self.warps.len()).filter(|w| self.can_step(*w));
        let steps = steps.map(|warp| Action::Step { warp: warp as u32 });
        let requests = (0..self.pending.len()).filter(|at| self.can_deliver(*at)).map(|at| {
            let request = &self.pending[at];
            Action::Deliver { warp: request.warp, request: request.number }
        });
        steps.chain(requests)
    }

    /// Whether an action is possible. A warp that spins has a step, too, if `forced`.
    pub fn is_possible(&self, action: Action, forced: bool) -> bool {
        match action {
            Action::Step { warp } => {
                let warp = warp as usize;
                let spins = |state: &Arc<WarpState>| forced && state.activity == Activity::Spinning;
                self.warps.get(warp).is_some_and(spins) || warp < self.warps.len() && self.can_step(warp)
            }
            Action::Deliver { .. } => self.place(action).is_some_and(|at| self.can_deliver(at)),
        }
    }

    /// Position of a request in `pending`.
    fn place(&self, action: Action) -> Option<usize> {
        let Action::Deliver { warp, request } = action else { return None };
        self.pending.iter().position(|other| (other.warp, other.number) == (warp, request))
    }

    fn can_deliver(&self, at: usize) -> bool {
        let request = &self.pending[at];
        !self.pending[..at].iter().any(|earlier| request.follows(earlier))
    }

    /// Executes a possible action.
    ///
    /// # Panics
    /// The action is not possible.
    pub fn perform(&mut self, action: Action) -> Done {
        if let Some(w) = self.wake_to(action) {
            self.advance(w);
        }
        let (done, free) = self.begin(action, &mut Access::new());
        for w in free {
            self.advance(w);
        }
        done
    }

    /// Lets a spinning warp execute another iteration, if it is the one that acts. The warp must
    /// advance to its next step before the action begins.
    pub(super) fn wake_to(&mut self, action: Action) -> Option<usize> {
        let Action::Step { warp } = action else { return None };
        let w = warp as usize;
        (self.warps[w].activity == Activity::Spinning).then(|| self.wake(w))?;
        Some(w)
    }

    /// Executes the instruction or the delivery of a possible action. Returns the warps that can
    /// advance to their next steps.
    pub(super) fn begin(&mut self, action: Action, access: &mut Access) -> (Done, Vec<usize>) {
        let event = self.events;
        self.events += 1;
        let mut free = Vec::new();
        let done = match action {
            Action::Step { warp } => self.step(warp as usize, event, access, &mut free),
            Action::Deliver { .. } => {
                let at = self.place(action).expect("the request is under way");
                self.deliver(at, event)
            }
        };
        free.push(action.warp() as usize);
        free.append(&mut self.woken);
        (done, free)
    }

    /// As [`Self::perform`]; also returns the memory of each lane before and after.
    ///
    /// # Panics
    /// The action is not possible.
    pub fn perform_shown(&mut self, action: Action) -> (Done, Vec<LaneValue>) {
        let before = self.clone();
        let done = self.perform(action);
        let shared = done.touches.iter().find_map(|touch| match touch.place {
            Place::Shared(block) => Some(block as usize),
            _ => None,
        });
        let values = done.lanes.iter().map(|(lane, address)| {
            let value = |machine: &Self| machine.value(shared, *address, done.bytes.min(8));
            let (before, after) = (value(&before), value(self));
            LaneValue { lane: *lane, address: *address, bytes: done.bytes, before, after }
        });
        let values = values.collect();
        (done, values)
    }

    /// Value at an address of the shared memory of a block, or of global memory.
    fn value(&self, shared: Option<usize>, address: u32, bytes: u32) -> u64 {
        let mut value = [0; 8];
        let into = &mut value[..bytes as usize];
        match shared.and_then(|block| self.blocks.get(block)) {
            Some(block) => {
                let from = block.shared.get(address as usize..).unwrap_or_default();
                into.iter_mut().zip(from).for_each(|(to, byte)| *to = *byte);
            }
            None => self.memory.read(address, into),
        }
        u64::from_le_bytes(value)
    }

    /// Number of warps.
    pub fn warps(&self) -> u32 {
        self.warps.len() as u32
    }

    /// Number of warps of a block.
    pub fn warps_per_block(&self) -> u32 {
        self.kernel.warps_per_block()
    }

    /// Number of actions so far.
    pub fn events(&self) -> u32 {
        self.events
    }

    /// Global memory.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// The kernel's program.
    pub fn program(&self) -> &Program {
        &self.kernel.program
    }

    /// Line of an instruction.
    pub fn line(&self, pc: u32) -> u32 {
        self.kernel.program.lines.get(pc as usize).copied().unwrap_or(0)
    }

    /// Name of the variable or allocation at a position of memory, and its first byte.
    pub fn object_at(&self, touch: &Touch) -> Option<(String, u32)> {
        let within = |start: u32, bytes: u32| touch.first >= start && touch.first - start < bytes;
        match touch.place {
            Place::Global => {
                let range = self.kernel.allocations.find(touch.first)?;
                Some((range.name.clone()?, range.start))
            }
            Place::Shared(_) => {
                let size = self.kernel.shared_bytes;
                let mut symbols = self.kernel.program.shared.iter();
                let bytes = |symbol: &Symbol| if symbol.bytes == 0 { size } else { symbol.bytes };
                let symbol = symbols.find(|symbol| within(symbol.offset, bytes(symbol)))?;
                Some((plain(&symbol.name).to_owned(), symbol.offset))
            }
            Place::Queue(_) | Place::Barrier(_) => None,
        }
    }

    /// Lanes of `mask` with their addresses.
    pub(super) fn lanes_of(addr: &[u32; 32], mask: u32) -> Vec<(u32, u32)> {
        lanes(mask).map(|lane| (lane as u32, addr[lane])).collect()
    }
}
