//! Tests of one SM: its breakdowns are compared with tables that have a letter for every issue
//! cycle of every warp.
//!
//! To check a table, the run is stopped after each of its cycles. The increase of the breakdowns
//! between two stops must match the letters of that cycle. A table therefore states the cycle of
//! every event, and the test also shows that a run can end at any cycle.
//!
//! Letters of warps: `I` issuing, `N` not selected, `P` pipe busy, `L` load/store unit full, `F`
//! fetch, dependencies `E`xecution, `C`onstant, `S`hared and `M`emory, `G` membar, `B` barrier, `X`
//! exited, `.` not resident. Letters of slots: `I` issued, `H` further slot of a sequence, `R`
//! replay for bank conflicts, `K` replay for constants, `D` blocked by an instruction of another
//! scheduler, `.` no warp; otherwise the state of the least blocked warp. Letters of a second port:
//! `T` issued, `A` same as the first port, `Q` not pairable.

mod breakdowns;
mod constants;
mod flow;
mod fused;
mod generic;
mod l1;
mod local;
mod lsu;
mod observed;
mod policies;
mod ports;
mod scoreboard;
mod units;

use super::Sm;
use super::context::SmContext;
use crate::config::{Chip, ClassCost, SmConfig, UnitConfig};
use crate::counters::{ByState, Counters, SlotBreakdown, WarpState};
use crate::exec::build::{Builder, inst};
use crate::hooks::Hooks;
use crate::mem::local::LocalArea;
use crate::mem::map::AddressMap;
use crate::time::message::{REQUEST_LANES, Reply, Request, RequestKind};
use isa::uop::{Class, Inst, Op};
use std::sync::Arc;

/// Units of [`config`].
const SP: u8 = 0;
const SFU: u8 = 1;
const LSU: u8 = 2;
const CONTROL: u8 = 3;

/// A row that is always ready: the first constant after the builder's four registers.
const CONST: u16 = 4;

/// An SM with round numbers, independent of the built-in chips: issue period 4; latency 24, of
/// shared memory 36, of constants 32, of branches 8, of other control instructions 4; blocks start
/// without delay.
fn config() -> SmConfig {
    let mut config = Chip::builtin("g80").expect("a built-in chip").sm;
    let unit = |name: &str, lanes| UnitConfig {
        name: name.to_owned(),
        lanes,
        count: 1,
        per_scheduler: false,
        blocks_others: false,
    };
    config.units = vec![unit("sp", 8), unit("sfu", 2), unit("lsu", 8), unit("control", 32)];
    for class in Class::ALL {
        let (unit, latency) = match class {
            Class::LdShared => (LSU, 36),
            Class::LdConst | Class::LdParam => (SP, 32),
            Class::LdGlobal | Class::AtomGlobal | Class::LdLocal => (LSU, 24),
            Class::StShared | Class::StGlobal | Class::StLocal => (LSU, 4),
            Class::AtomShared => (LSU, 76),
            Class::Branch => (CONTROL, 8),
            Class::Barrier | Class::Membar | Class::Exit => (CONTROL, 4),
            _ => (SP, 24),
        };
        config.classes[class as usize] = ClassCost::new(unit, 1, latency);
    }
    config.policy = super::scheduler::PolicyKind::LooseRoundRobin;
    (config.schedulers, config.issue_period) = (1, 4);
    (config.block_start_cycles, config.barrier_cycles) = (0, 16);
    (config.lsu.queue, config.lsu.latency, config.lsu.transaction_cycles) = (8, 24, 2);
    config.const_cache = None;
    config
}

/// [`config`] with `change` applied.
fn config_with(change: impl Fn(&mut SmConfig)) -> SmConfig {
    let mut config = config();
    change(&mut config);
    config
}

/// Cost of a class.
fn cost(config: &mut SmConfig, class: Class) -> &mut ClassCost {
    &mut config.classes[class as usize]
}

/// An addition into row `dst` that depends on no other instruction.
fn free_add(dst: u16) -> Inst {
    inst(Op::AddB32, dst, [CONST, CONST])
}

/// A program of `code` for blocks of `warps` warps, with one constant and 4096 bytes of global
/// memory at 4096.
fn program<const N: usize>(warps: u32, code: [Inst; N]) -> Builder {
    let builder = Builder::new().const32(1).launch(64, 32 * warps).allocate(4096, 4096);
    code.into_iter().fold(builder, Builder::inst).exit()
}

/// Test scenario: the inputs of the SM and its initial state.
#[derive(Clone, Copy)]
struct Scene {
    /// Arriving blocks: shader cycle and block number.
    blocks: &'static [(u64, u64)],
    /// Sets registers of a warp slot before the warp starts.
    prepare: fn(u32, &mut crate::exec::Warp),
    /// Shader cycle until which no message may leave.
    port_shut: u64,
    /// Shader cycles from the departure of a message to its reply.
    answer: u64,
}

/// One block at cycle 0, registers zero, the port open, replies after 12 cycles.
const SCENE: Scene = Scene { blocks: &[(0, 0)], prepare: |_, _| {}, port_shut: 0, answer: 12 };

/// Test context: the SM and the state of its environment.
struct TestSm {
    sm: Sm,
    context: Arc<SmContext>,
    scene: Scene,
    now: u64,
    /// Whether to tick in every issue cycle, not only when the SM requests it.
    eager: bool,
    /// Messages that left: shader cycle and message.
    left: Vec<(u64, Request)>,
    answered: usize,
    /// Issued instructions: issue cycle and warp slot.
    issued: Vec<(u64, usize)>,
}

impl TestSm {
    fn new(builder: Builder, config: &SmConfig, scene: Scene) -> Self {
        let mut kernel = builder.kernel();
        kernel.shared_bytes = 4096;
        let map = AddressMap::new(256, 6);
        let chip = Chip::builtin("g80").expect("a built-in chip");
        let local = LocalArea::of(&chip, &kernel, 8);
        let context =
            SmContext::new(Arc::new(kernel), config.clone(), map, 32, Hooks::default()).local(local);
        let context = Arc::new(context);
        let sm = Sm::new(0, 0, &context);
        Self { sm, context, scene, now: 0, eager: false, left: vec![], answered: 0, issued: vec![] }
    }

    /// Runs to shader cycle `end` as a cluster does: replies, ticks, sending of messages.
    fn run(mut self, end: u64) -> Self {
        while self.now < end {
            let now = self.now;
            self.mail(now);
            let tick = self.sm.period.begins(now) && (self.eager || self.sm.wake() <= now);
            if tick {
                self.sm.tick(now, &self.context);
                let cycle = self.sm.period.cycle(now);
                let issued =
                    (0..self.sm.warps.len()).filter(|w| self.sm.warps.last_issue[*w as u32] == cycle + 1);
                self.issued.extend(issued.map(|w| (cycle, w)));
            }
            self.sm.act(now, &self.context);
            let head = self.sm.memory.outgoing().map(|(at, message)| (at, message.1));
            if let Some((_, request)) = head.filter(|(at, _)| (*at).max(self.scene.port_shut) <= now) {
                self.left.push((now, request));
                self.sm.sent(now);
            }
            self.now += 1;
        }
        self
    }

    fn mail(&mut self, now: u64) {
        self.sm.take_hits(now, &self.context);
        for (_, block) in self.scene.blocks.iter().filter(|(at, _)| *at == now) {
            self.sm.start_block(now, *block, &self.context);
            for slot in 0..self.sm.warps.len() as u32 {
                let arch = &mut self.sm.warps.arch[slot];
                if arch.live != 0 {
                    (self.scene.prepare)(slot, arch);
                }
            }
        }
        while let Some((at, request)) =
            self.left.get(self.answered).filter(|m| m.0 + self.scene.answer == now)
        {
            debug_assert!(at + self.scene.answer == now, "replies arrive in order");
            let (kind, tag) = (request.kind, request.tag);
            let reply = Reply {
                kind,
                sm: 0,
                tag,
                bytes: request.bytes,
                wire_bytes: 64,
                lanes: request.lanes,
                quads: request.quads,
                data: [0; REQUEST_LANES],
            };
            match kind {
                RequestKind::Load | RequestKind::LocalLoad | RequestKind::Atomic(_) => {
                    self.sm.load_reply(now, &reply, &self.context);
                }
                RequestKind::Fill { .. } => self.sm.fill_reply(now, &reply, &self.context),
                RequestKind::Fence => self.sm.fence_reply(now, &reply),
                RequestKind::Store
                | RequestKind::LocalStore
                | RequestKind::Line
                | RequestKind::Texture
                | RequestKind::Reduction(_) => {}
            }
            self.answered += 1;
        }
    }

    /// Shader cycles at which messages left.
    fn departures(&self) -> Vec<u64> {
        self.left.iter().map(|m| m.0).collect()
    }
}

/// The letter of each warp state.
const LETTERS: &[u8; WarpState::COUNT] = b"INPLFECSMGBX";

/// The warp state of a letter.
fn state(letter: u8) -> WarpState {
    WarpState::ALL[LETTERS.iter().position(|l| *l == letter).expect("a letter of the table")]
}

/// The breakdowns of the first `cycles` letters.
fn count(warps: &[&str], slots: &[&str], cycles: usize) -> (ByState, SlotBreakdown) {
    let (mut warp_ledger, mut slot_ledger) = (ByState::default(), SlotBreakdown::default());
    for letter in warps.iter().flat_map(|w| w.bytes().take(cycles)).filter(|l| *l != b'.') {
        warp_ledger.add(state(letter), 1);
    }
    for letter in slots.iter().flat_map(|s| s.bytes().take(cycles)) {
        match letter {
            b'I' => slot_ledger.issued += 1,
            b'H' => slot_ledger.held += 1,
            b'R' => slot_ledger.replay_bank_conflict += 1,
            b'K' => slot_ledger.replay_constant += 1,
            b'D' => slot_ledger.shut_by_other += 1,
            b'A' => slot_ledger.as_first_port += 1,
            b'Q' => slot_ledger.not_pairable += 1,
            b'T' => {
                slot_ledger.issued += 1;
                slot_ledger.paired += 1;
            }
            b'.' => slot_ledger.no_warp += 1,
            other => slot_ledger.empty[state(other)] += 1,
        }
    }
    (warp_ledger, slot_ledger)
}

/// Runs `make()` up to every cycle of the table, with ticks on request and in every cycle, and
/// compares the breakdowns with the table. Also checks the events of an SM that is observed from
/// each cycle on.
fn check(make: impl Fn() -> TestSm, warps: &[&str], slots: &[&str]) {
    let length = warps[0].len();
    assert!(
        warps.iter().chain(slots).all(|row| row.len() == length),
        "all rows must have the same length: {warps:?} {slots:?}"
    );
    observed::check(&make, warps);
    for cycles in 0..=length {
        let (warp_ledger, slot_ledger) = count(warps, slots, cycles);
        for eager in [false, true] {
            let mut sm = make();
            sm.eager = eager;
            // The stops are at different positions within the last issue cycle.
            let end = (cycles as u64 * sm.sm.period).saturating_sub(cycles as u64 % sm.sm.period.cycles());
            let mut sm = sm.run(end);
            sm.sm.close(end);
            let books = &sm.sm.account;
            let place = format!("stopped after cycle {cycles}, eager: {eager}, issued: {:?}", sm.issued);
            assert_eq!(books.warps(), warp_ledger, "warps, {place}");
            assert_eq!(books.slots.breakdown, slot_ledger, "slots, {place}");
            assert_eq!(books.resident_cycles, warp_ledger.total(), "resident cycles, {place}");
            let mut by_instruction = ByState::default();
            books.pcs.iter().for_each(|pc| by_instruction.merge(&pc.warp));
            assert_eq!(by_instruction, warp_ledger, "warps by instruction, {place}");
            let sum = |f: fn(&crate::counters::PcCounters) -> u64| books.pcs.iter().map(f).sum::<u64>();
            let taken = (sum(|pc| pc.executed), sum(|pc| pc.held), sum(|pc| pc.replay));
            let (issued, held, replay) = (slot_ledger.issued, slot_ledger.held, slot_ledger.replays());
            assert_eq!(taken, (issued, held, replay), "slots by instruction, {place}");
            let active = (0..cycles).filter(|c| warps.iter().any(|w| w.as_bytes()[*c] != b'.')).count();
            assert_eq!(books.active, active as u64, "cycles with a block, {place}");
        }
    }
}

/// Runs [`check`] for a single warp.
fn check_alone<const N: usize>(code: [Inst; N], config: &SmConfig, scene: Scene, warp: &str, slots: &str) {
    check(|| TestSm::new(program(1, code), config, scene), &[warp], &[slots]);
}
