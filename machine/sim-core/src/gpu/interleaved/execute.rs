//! Execution of an action: the step of a warp with the instructions after it, and the delivery of
//! a request.

use super::machine::{Done, Interleaved};
use super::request::{Issue, Order, Request, Row, meets};
use super::touch::{Place, Touch, spans, touches};
use super::warp::{Activity, Arrived, Read, WarpState};
use crate::exec::mask::active;
use crate::exec::trap::Trap;
use crate::exec::{Access, Step, step};
use crate::gpu::functional::perform;
use isa::uop::{Inst, MemorySpace, Op, OperandKind};
use std::sync::Arc;

/// Most instructions that a warp executes without an access to shared or global memory; a warp
/// that executes more is said to repeat a loop forever.
pub(super) const LONGEST: u32 = 1 << 22;

/// Whether the order of the instruction with an action of another warp can be visible.
fn is_observed(inst: &Inst) -> bool {
    match inst.op {
        Op::BarSyncN | Op::BarArrive | Op::BarRedPopc | Op::BarRedAnd | Op::BarRedOr => true,
        op => op.memory().is_some_and(|memory| match memory.space {
            MemorySpace::Shared | MemorySpace::Global | MemorySpace::Generic => true,
            MemorySpace::Param | MemorySpace::Const | MemorySpace::Local => false,
        }),
    }
}

/// Whether the instruction reads or writes one of the rows.
fn uses(inst: &Inst, rows: &[Row]) -> bool {
    let has = |(kind, row): (OperandKind, u16)| match kind {
        OperandKind::W => rows.contains(&(false, row)),
        OperandKind::D => rows.contains(&(true, row)),
        OperandKind::Addr => rows.contains(&(inst.aux & Inst::ADDR64 != 0, row)),
        OperandKind::P => false,
    };
    !rows.is_empty() && inst.srcs().chain(inst.dsts()).any(has)
}

impl Interleaved {
    /// Requests of a warp that are under way.
    pub(super) fn requests_of(&self, w: usize) -> impl Iterator<Item = &Arc<Request>> {
        self.pending.iter().filter(move |request| request.warp as usize == w)
    }

    /// Returns the next instruction of a running warp, unless it waits for requests: its index, and
    /// whether its execution is a step.
    pub(super) fn next(&self, w: usize) -> Option<(u32, bool)> {
        let state = &self.warps[w];
        if state.activity != Activity::Running {
            return None;
        }
        let pc = state.warp.simt.pc();
        let inst = &self.kernel.program.code[pc as usize];
        if self.requests_of(w).any(|request| uses(inst, &request.rows)) {
            return None;
        }
        if !is_observed(inst) && inst.op != Op::MembarGl {
            return Some((pc, false));
        }
        let is_active = active(&self.kernel, &state.warp, inst) != 0;
        if inst.op == Op::MembarGl {
            return (!is_active || self.requests_of(w).next().is_none()).then_some((pc, false));
        }
        Some((pc, is_active))
    }

    /// Whether the warp has a step.
    pub(super) fn can_step(&self, w: usize) -> bool {
        matches!(self.next(w), Some((_, true)))
    }

    /// Ends a warp with a trap.
    pub(super) fn trapped(&mut self, w: usize, trap: Trap) {
        Arc::make_mut(&mut self.warps[w]).activity = Activity::Trapped;
        self.trap.get_or_insert_with(|| Arc::new(trap));
    }

    /// Executes an instruction of a warp, and returns its kind; `None` after a trap.
    fn execute(&mut self, w: usize, pc: u32, access: &mut Access) -> Option<Step> {
        let kernel = &self.kernel;
        let inst = &kernel.program.code[pc as usize];
        let state = Arc::make_mut(&mut self.warps[w]);
        state.acquire(|arrived| inst.op == Op::MembarGl || uses(inst, &arrived.rows));
        let now = state.instructions;
        state.instructions += 1;
        let space = inst.op.memory().map(|memory| memory.space);
        let is_shared = matches!(space, Some(MemorySpace::Shared | MemorySpace::Generic));
        let block = &mut self.blocks[state.warp.id.block as usize];
        let shared: &mut [u8] =
            if is_shared { Arc::make_mut(&mut block.shared).as_mut_slice() } else { &mut [] };
        if let Ok(step) = step(kernel, &mut state.warp, access, shared, now) {
            return Some(step);
        }
        let trap = Trap::new(kernel, &state.warp, access.take_fault(), None, now);
        self.trapped(w, trap);
        None
    }

    /// Executes the instructions of a warp up to its next step, and the instructions of warps that
    /// it releases.
    pub(super) fn advance(&mut self, w: usize) {
        let mut free = vec![w];
        while let Some(w) = free.pop() {
            self.advance_one(w, &mut free);
        }
    }

    fn advance_one(&mut self, w: usize, free: &mut Vec<usize>) {
        let mut access = Access::new();
        for _ in 0..LONGEST {
            let Some((pc, false)) = self.next(w) else { return };
            self.advance_by_one(w, pc, &mut access, free);
        }
        self.never_acts(w);
    }

    /// A warp has executed [`LONGEST`] instructions without a step.
    pub(super) fn never_acts(&mut self, w: usize) {
        Arc::make_mut(&mut self.warps[w]).activity = Activity::Endless;
    }

    /// Executes an instruction of a warp that is no step. Warps that it releases are added to
    /// `free`.
    pub(super) fn advance_by_one(&mut self, w: usize, pc: u32, access: &mut Access, free: &mut Vec<usize>) {
        match self.execute(w, pc, access) {
            Some(Step::Barrier) => {
                self.arrive(w, pc, (access.arrival, access.mask), free);
            }
            Some(Step::LastExit) => self.exited(w, free),
            Some(Step::Taken | Step::Diverged) if self.warps[w].warp.simt.pc() <= pc => {
                self.began_loop(w);
            }
            Some(_) => self.came_to_loop(w),
            None => {}
        }
    }

    /// Compares the warp with its state in earlier iterations, if it is where a loop begins.
    fn came_to_loop(&mut self, w: usize) {
        let state = &self.warps[w];
        if state.activity == Activity::Running && self.loops.begins_at(state.warp.simt.pc()) {
            self.began_loop(w);
        }
    }

    /// Executes the instruction of a step. Warps that it releases are added to `free`.
    pub(super) fn step(&mut self, w: usize, event: u32, access: &mut Access, free: &mut Vec<usize>) -> Done {
        let (pc, _) = self.next(w).expect("the warp has a step");
        let inst = self.kernel.program.code[pc as usize];
        let executed = self.execute(w, pc, access);
        let state = Arc::make_mut(&mut self.warps[w]);
        let causes = std::mem::replace(&mut state.horizon, vec![event]);
        let mut done = Done { pc, causes, first_request: state.requests, ..Done::default() };
        match executed {
            Some(Step::Shared) => self.accessed_shared(w, &inst, access, access.mask, &mut done),
            Some(Step::Global) => self.issue(w, &inst, access, event, &mut done),
            Some(Step::Generic) => {
                let parts = access.parts;
                if parts.shared != 0 {
                    self.accessed_shared(w, &inst, access, parts.shared, &mut done);
                }
                if parts.global != 0 {
                    let global = Access { mask: parts.global, ..access.clone() };
                    self.issue(w, &inst, &global, event, &mut done);
                }
            }
            Some(Step::Barrier) => {
                done.touches = self.arrive(w, pc, (access.arrival, access.mask), free);
            }
            _ => {}
        }
        if executed.is_some() {
            self.came_to_loop(w);
        }
        done
    }

    /// Notes an executed access to shared memory in the lanes of `mask`.
    fn accessed_shared(&mut self, w: usize, inst: &Inst, access: &Access, mask: u32, done: &mut Done) {
        let block = self.warps[w].warp.id.block as u32;
        let spans = spans(&access.addr, mask, access.bytes);
        let touches = touches(Place::Shared(block), &spans, access, inst.aux & Inst::VOLATILE != 0);
        self.note(w, &touches);
        (done.lanes, done.bytes) = (Self::lanes_of(&access.addr, mask), access.bytes);
        done.touches = touches;
    }

    /// Notes the effect of an access on the loops of its warp and of others.
    fn note(&mut self, w: usize, touches: &[Touch]) {
        let state = Arc::make_mut(&mut self.warps[w]);
        if touches.iter().any(|touch| touch.writes) {
            state.changed();
            self.wrote(w, touches);
        } else {
            state.reads.extend(touches.iter().map(|touch| Read { touch: *touch, stale: false }));
        }
    }

    /// Sends the requests of an access to global memory.
    fn issue(&mut self, w: usize, inst: &Inst, access: &Access, event: u32, done: &mut Done) {
        let state = Arc::make_mut(&mut self.warps[w]);
        let block = state.warp.id.block as u32;
        let issue = Issue { by: (block, w as u32), number: state.requests, inst, pc: done.pc, event };
        let requests = issue.requests(access, self.order, self.map);
        if access.store && access.atomic.is_none() {
            state.changed();
        }
        if self.order == Order::Sequential {
            for request in requests {
                done.lanes.extend(Self::lanes_of(&request.access.addr, request.access.mask));
                done.bytes = access.bytes;
                let touches = self.take_effect(&request);
                done.touches.extend(touches);
            }
            return;
        }
        state.requests += requests.len() as u32;
        done.requests = requests.len() as u32;
        if self.kernel.warps_per_block() > 1 {
            let place = Place::Queue(block);
            let queue = requests.iter().flat_map(|request| &request.queue);
            done.touches.extend(queue.map(|(first, last)| Touch {
                place,
                first: *first,
                last: *last,
                writes: true,
                synchronizes: true,
            }));
            done.accesses.extend(requests.iter().flat_map(|request| &request.touches));
        }
        self.pending.extend(requests.into_iter().map(Arc::new));
    }

    /// Performs a request. Returns what it touches: an atomic that changes nothing only reads.
    fn take_effect(&mut self, request: &Request) -> Vec<Touch> {
        let w = request.warp as usize;
        let bytes = |machine: &Self| -> Vec<u8> {
            let mut all = Vec::new();
            for touch in &request.touches {
                let start = all.len();
                all.resize(start + (touch.last - touch.first) as usize + 1, 0);
                machine.memory.read(touch.first, &mut all[start..]);
            }
            all
        };
        let is_atomic = request.access.atomic.is_some();
        let before = if is_atomic { bytes(self) } else { Vec::new() };
        let state: &mut WarpState = Arc::make_mut(&mut self.warps[w]);
        perform(&request.access, &mut state.warp, Arc::make_mut(&mut self.memory));
        let mut touches = request.touches.clone();
        if is_atomic && before == bytes(self) {
            for touch in &mut touches {
                touch.writes = false;
            }
        }
        if request.access.store && !is_atomic {
            // The loops of the warp have noted the step.
            self.wrote(w, &touches);
        } else {
            self.note(w, &touches);
        }
        touches
    }

    /// Delivers the request at `at`.
    pub(super) fn deliver(&mut self, at: usize, event: u32) -> Done {
        let request = self.pending.remove(at);
        let block = &mut self.blocks[request.block as usize];
        let mut causes = vec![request.issued];
        causes
            .extend(block.delivered.iter().filter(|(span, _)| meets(&request.queue, *span)).map(|one| one.1));
        block.delivered.retain(|(span, _)| !request.queue.contains(span));
        block.delivered.extend(request.queue.iter().map(|span| (*span, event)));
        let w = request.warp as usize;
        let touches = self.take_effect(&request);
        let arrived = Arrived { rows: request.rows.clone(), event };
        Arc::make_mut(&mut self.warps[w]).arrived.push(arrived);
        // A state with requests under way is not compared.
        self.came_to_loop(w);
        Done {
            pc: request.pc,
            touches,
            causes,
            lanes: Self::lanes_of(&request.access.addr, request.access.mask),
            bytes: request.access.bytes,
            ..Done::default()
        }
    }
}
