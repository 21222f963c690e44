//! Exploration of schedules: random small programs, against a search without any reduction.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use sim_core::config::Chip;
use sim_core::debug::{Debugger, Halt, ScoreboardEntry, Session, WarpView};
use sim_core::host::{Action, Arg, End, Gpu, Interleaved, Launch, Order};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::ops::ControlFlow;
use warpsim_check::explore::{Asks, Exploration, Limits, OutcomeKind, Schedule, Search, explore};

/// An access or another action of a thread; words are numbered.
#[derive(Clone, Copy, Debug)]
enum Step {
    Load(u32),
    Store(u32, u32),
    Add(u32),
    Fence,
    LoadShared(u32),
    StoreShared(u32, u32),
    Barrier,
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => (0..2_u32).prop_map(Step::Load),
        3 => (0..2_u32, 1..3_u32).prop_map(|(word, value)| Step::Store(word, value)),
        2 => (0..2_u32).prop_map(Step::Add),
        1 => Just(Step::Fence),
        1 => (0..2_u32).prop_map(Step::LoadShared),
        1 => (0..2_u32, 1..3_u32).prop_map(|(word, value)| Step::StoreShared(word, value)),
        1 => Just(Step::Barrier),
    ]
}

/// Returns PTX in which each warp executes one of the lists, and then stores a digest of the loaded
/// values to its result word.
fn text(warps: &[Vec<Step>]) -> String {
    let mut out = String::from(
        ".version 2.3\n.target sm_20\n.entry k (.param .u32 words, .param .u32 out)\n{\n.reg .u32 %w, %o, %t, %b, \
         %digest, %r<16>;\n.reg .pred %p;\n.shared .u32 s[2];\nld.param.u32 %w, [words];\nld.param.u32 %o, [out];\n\
         mov.u32 %digest, 0;\nmov.u32 %t, %tid.x;\nshr.u32 %t, %t, 5;\nmov.u32 %b, %ctaid.x;\nmad.lo.u32 %t, %b, 2, %t;\n",
    );
    for (warp, steps) in warps.iter().enumerate() {
        let _ = writeln!(out, "setp.ne.u32 %p, %t, {warp};\n@%p bra NOT{warp};");
        let mut loads = 0;
        for step in steps {
            let _ = match step {
                Step::Load(word) => writeln!(out, "ld.volatile.global.u32 %r{loads}, [%w+{}];", 4 * word),
                Step::Store(word, value) => {
                    writeln!(out, "st.volatile.global.u32 [%w+{}], {value};", 4 * word)
                }
                Step::Add(word) => writeln!(out, "atom.global.add.u32 %r{loads}, [%w+{}], 3;", 4 * word),
                Step::Fence => writeln!(out, "membar.gl;"),
                Step::LoadShared(word) => {
                    writeln!(out, "ld.volatile.shared.u32 %r{loads}, [s+{}];", 4 * word)
                }
                Step::StoreShared(word, value) => {
                    writeln!(out, "st.volatile.shared.u32 [s+{}], {value};", 4 * word)
                }
                Step::Barrier => writeln!(out, "bar.sync 0;"),
            };
            loads += u32::from(matches!(step, Step::Load(_) | Step::Add(_) | Step::LoadShared(_)));
        }
        for load in 0..loads {
            let _ = writeln!(out, "mad.lo.u32 %digest, %digest, 31, %r{load};\nadd.u32 %digest, %digest, 1;");
        }
        let _ = writeln!(out, "st.global.u32 [%o+{}], %digest;\nexit;\nNOT{warp}:", 4 * warp);
    }
    out + "exit;\n}\n"
}

/// The launch of a program: each block has `per_block` warps.
struct ExploredProgram {
    gpu: Gpu,
    launch: Launch,
    order: Order,
    start: Interleaved,
    words: u32,
    bytes: usize,
}

impl ExploredProgram {
    fn new(warps: &[Vec<Step>], per_block: u32, order: Order) -> Self {
        Self::on(warps, per_block, order, (warps.len() as u32).div_ceil(per_block))
    }

    /// The launch with this number of blocks.
    fn on(warps: &[Vec<Step>], per_block: u32, order: Order, blocks: u32) -> Self {
        let text = text(warps);
        let (module, diagnostics) = isa::compile_with("k.ptx", &text, isa::Options::PLAIN);
        let module = module.unwrap_or_else(|| panic!("{diagnostics:#?}\n{text}"));
        let mut gpu = Gpu::new(Chip::builtin("fermi").expect("a chip"));
        let module = gpu.load(module).expect("it fits");
        let words = gpu.malloc(8).expect("it fits");
        let out = gpu.malloc(256).expect("it fits");
        let launch = Launch::new(module, "k", blocks, 32 * per_block).args([words, out].map(Arg::Ptr));
        let start = gpu.interleave(&launch, order).expect("it fits");
        Self { gpu, launch, order, start, words: words.address(), bytes: 256 + 16 }
    }

    /// The words and the results.
    fn result(&self, state: &Interleaved) -> Vec<u8> {
        let mut bytes = vec![0; self.bytes + 256];
        state.memory().read(self.words, &mut bytes);
        bytes
    }

    fn explore(&self, search: Search) -> Exploration {
        let result = |state: &Interleaved| self.result(state);
        let limits = Limits { schedules: 200_000, ..Limits::default() };
        explore(&self.start, search, limits, Asks { result: &result, goes_on: &mut |_| true })
    }

    /// The outcomes of all schedules, without reduction; `None` if there are too many.
    fn all(&self) -> Option<BTreeSet<Option<Vec<u8>>>> {
        let (mut all, mut left) = (BTreeSet::new(), vec![self.start.clone()]);
        let mut runs = 0;
        while let Some(state) = left.pop() {
            match state.end() {
                Some(End::Finished) => drop(all.insert(Some(self.result(&state)))),
                Some(_) => drop(all.insert(None)),
                None => left.extend(state.actions().map(|action| {
                    let mut next = state.clone();
                    next.perform(action);
                    next
                })),
            }
            runs += 1;
            if runs > 80_000 {
                return None;
            }
        }
        Some(all)
    }
}

fn outcomes(found: &Exploration) -> BTreeSet<Option<Vec<u8>>> {
    let outcome = |kind: &OutcomeKind| match kind {
        OutcomeKind::Finished(bytes) => Some(bytes.clone()),
        OutcomeKind::Trapped(_) | OutcomeKind::Hung(_) => None,
    };
    found.outcomes.iter().map(|one| outcome(&one.kind)).collect()
}

/// Whether the reduction was of use, and whether some program had several outcomes.
#[derive(Debug, Default)]
struct Exercised {
    programs: u32,
    reduced: u32,
    several: u32,
    debugged: u32,
}

/// Tests: `explores-all`.
#[test]
fn the_reduced_search_finds_what_the_full_search_finds() {
    let mut exercised = Exercised::default();
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let lists = proptest::collection::vec(proptest::collection::vec(step(), 1..4), 2..4);
    let orders =
        prop_oneof![Just(Order::Words), Just(Order::Words), Just(Order::Partitions), Just(Order::Sequential)];
    for _ in 0..150 {
        let tree = (&lists, 1..3_u32, &orders).new_tree(&mut runner).expect("a program");
        let (warps, per_block, order) = tree.current();
        let program = ExploredProgram::new(&warps, per_block, order);
        let Some(all) = program.all() else { continue };
        let found = program.explore(Search::Exhaustive);
        assert!(found.is_exhaustive(), "{warps:?}");
        assert_eq!(outcomes(&found), all, "{warps:?}, {per_block} warps per block, {order:?}");
        exercised.programs += 1;
        exercised.reduced += u32::from(found.schedules > 1);
        exercised.several += u32::from(all.len() > 1);
        for outcome in &found.outcomes {
            let text = outcome.schedule.to_string();
            let schedule = Schedule::parse(&text).expect("it can be read");
            assert_eq!(schedule.to_string(), text);
            let mut actions = Vec::new();
            let end = schedule
                .replay(&program.start, &mut |shown| actions.push(shown.action))
                .unwrap_or_else(|e| panic!("{warps:?} {text}: {e}"));
            if exercised.programs % 4 == 0 {
                exercised.debugged += 1;
                let debugged = program.debugged(actions);
                assert_eq!(program.result(&debugged), program.result(&end), "{warps:?} {text}");
                assert_eq!(debugged.end(), end.end(), "{warps:?} {text}");
            }
            match &outcome.kind {
                OutcomeKind::Finished(bytes) => assert_eq!(program.result(&end), *bytes, "{warps:?} {text}"),
                _ => assert!(matches!(end.end(), Some(End::Hung(_))), "{warps:?} {text}"),
            }
        }
        let drawn = program.explore_some(Search::Random { seed: 1 });
        assert!(outcomes(&drawn).is_subset(&all), "{warps:?}: drawn schedules have no other outcomes");
        let drawn = program.explore_some(Search::Pct { seed: 1, depth: 3 });
        assert!(outcomes(&drawn).is_subset(&all), "{warps:?}: drawn schedules have no other outcomes");
    }
    assert!(exercised.programs > 60 && exercised.several > 30 && exercised.reduced > 30, "{exercised:?}");
    assert!(exercised.debugged > 30, "{exercised:?}");
}

/// One block has the outcomes of sequential consistency in every order. A second block, which ends
/// at once, keeps requests under way.
#[test]
fn requests_of_one_block_alone_take_effect_in_the_order_of_their_steps() {
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let lists = proptest::collection::vec(proptest::collection::vec(step(), 1..4), 2);
    let mut several = 0;
    for _ in 0..60 {
        let warps = lists.new_tree(&mut runner).expect("a program").current();
        for order in [Order::Words, Order::Partitions] {
            let (one, two) =
                (ExploredProgram::new(&warps, 2, order), ExploredProgram::on(&warps, 2, order, 2));
            let (one, two) = (one.explore(Search::Exhaustive), two.explore(Search::Exhaustive));
            assert!(one.is_exhaustive() && two.is_exhaustive(), "{warps:?}");
            assert_eq!(outcomes(&one), outcomes(&two), "{warps:?}, {order:?}");
            assert!(one.schedules <= two.schedules, "{warps:?}, {order:?}");
            several += u32::from(outcomes(&one).len() > 1);
        }
    }
    assert!(several > 20, "{several}");
}

/// Two warps that increment a word without an atomic: each reads before or after the other one
/// writes, and the writes have an order.
#[test]
fn equivalent_schedules_of_one_block_count_once() {
    let warps = vec![vec![Step::Load(0), Step::Store(0, 1)], vec![Step::Load(0), Step::Store(0, 2)]];
    for order in [Order::Words, Order::Partitions, Order::Sequential] {
        let found = ExploredProgram::new(&warps, 2, order).explore(Search::Exhaustive);
        assert_eq!((found.is_exhaustive(), found.schedules), (true, 4), "{order:?}");
    }
}

impl ExploredProgram {
    fn explore_some(&self, search: Search) -> Exploration {
        let result = |state: &Interleaved| self.result(state);
        let limits = Limits { schedules: 30, ..Limits::default() };
        explore(&self.start, search, limits, Asks { result: &result, goes_on: &mut |_| true })
    }
}

/// Goes through a launch forward and back.
struct Walk {
    words: u32,
}

impl Walk {
    /// Returns the state that the debugger shows at a position.
    fn view(&self, session: &Session<'_>) -> (u64, Vec<WarpView>, Option<Vec<u8>>, Vec<ScoreboardEntry>) {
        let warps = session.warps();
        let pending = warps.iter().flat_map(|warp| session.scoreboard(warp.sm, warp.slot)).collect();
        (session.cycle(), warps, session.global(self.words, 8), pending)
    }
}

impl Debugger for Walk {
    fn debug(&mut self, session: &mut Session<'_>) {
        let mut views = vec![self.view(session)];
        while session.step_cycle() != Halt::Ended {
            views.push(self.view(session));
        }
        assert!(session.verdict().is_some());
        for view in views.iter().rev() {
            assert_ne!(session.step_cycle_back(), Halt::Start);
            assert_eq!(self.view(session), *view);
        }
        assert_eq!(session.step_cycle_back(), Halt::Start);
        let middle = views.len() as u64 / 2;
        session.go_to(middle, &mut |_| ControlFlow::Continue(()));
        assert_eq!(self.view(session), views[middle as usize]);
    }
}

impl ExploredProgram {
    /// The launch at the end of a schedule in the debugger.
    fn debugged(&self, actions: Vec<Action>) -> Interleaved {
        let mut walk = Walk { words: self.words };
        let ended = self.gpu.debug_schedule(&self.launch, self.order, actions.into(), &mut walk);
        ended.expect("it fits").expect("it is not killed")
    }
}
