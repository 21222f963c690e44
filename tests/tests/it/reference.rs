//! Compares both modes with an independent implementation of the manual, the reference interpreter,
//! which runs one thread at a time: random programs and the book's kernels. `reference_recorded.rs`
//! compares it with the results of silicon.
//!
//! The ignored test draws many more programs, new ones in every run: `cargo test -p warpsim-tests
//! --test it reference:: -- --ignored`.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::generate::chip::ChipSpec;
use warpsim_check::generate::frame::Extents;
use warpsim_check::generate::ops::{List, TALLIES, Template};
use warpsim_check::generate::tree::{Cond, Op, Stmt, Vote, Width};
use warpsim_check::run::Prepared;
use warpsim_tests::check::machines_are_the_reference;
use warpsim_tests::device::{CHIPS, MODES};
use warpsim_tests::reference::{self, Memory, ReferenceProgram};
use warpsim_tests::workload::{self, Ready};

fn ordered() -> impl Strategy<Value = Case> {
    case().prop_map(Case::without_warp_cells)
}

fn agrees(case: &Case) -> Checked {
    machines_are_the_reference(&Prepared::new(case))
}

/// Reference, functional and timed mode leave the same bytes, on chips with random timing.
///
/// Tests: `independent-reference`.
#[test]
fn random_programs_agree_with_the_reference() {
    for_all(&ordered(), Draw::Same, 96, agrees);
}

/// The same as [`random_programs_agree_with_the_reference`], on an unmodified chip of each
/// generation.
///
/// Tests: `independent-reference`.
#[test]
fn random_programs_agree_on_every_chip() {
    for name in CHIPS {
        let cases = ordered().prop_map(|case| case.on(name));
        for_all(&cases, Draw::Same, 24, |case| agrees(case).map_err(|e| format!("{name}: {e}")));
    }
}

/// The same as [`random_programs_agree_with_the_reference`], with more cases.
#[test]
#[ignore = "minutes"]
fn random_programs_agree_at_length() {
    for_all(&ordered(), Draw::New, 10_000, agrees);
}

/// Every operation of the generator, for every target that has it: a kernel of this operation
/// alone.
///
/// Tests: `independent-reference`.
#[test]
fn every_operation_of_the_generator_agrees() {
    let registers = |op: u8| (op % 6, op / 6 % 6, op % 5);
    let mut tried = 0;
    for (base, which) in [("g80", 0), ("gt200", 4), ("gt200", 2), ("gt200", 1), ("fermi", 1)] {
        let chip = ChipSpec::built_in(base);
        let target = chip.target(which);
        let has =
            |list: &[Template]| list.iter().filter(|t| t.from <= target && target < t.below).count() as u8;
        let mut bodies: Vec<Stmt> = Vec::new();
        for list in List::ALL.into_iter().filter(|list| *list != List::Approximate) {
            bodies.extend((0..has(list.templates())).map(|op| {
                let (dst, a, b) = registers(op);
                Stmt::Op(Op { list, op, dst, a, b, c: (a + 1) % 6, imm: None })
            }));
        }
        bodies.extend((0..has(TALLIES)).map(|op| Stmt::Tally { op, src: op % 6, index: 1 }));
        for form in 0..9 {
            let vector = |store, reg| Stmt::Vector { store, form, reg, part: 1 };
            bodies.extend([vector(true, 1), vector(false, 2)]);
        }
        let slot = |store| Stmt::Slot { store, width: Width::U16, reg: 1, index: 0 };
        bodies.extend([slot(true), slot(false)]);
        bodies.extend((0..8).map(|callee| Stmt::Call { callee, dst: 3, a: 0, b: 1 }));
        for mode in [Vote::All, Vote::Any, Vote::Uni, Vote::Ballot] {
            bodies.push(Stmt::Reduce { mode, cond: Cond::Bit { reg: 1, bit: 2 }, dst: 3, barrier: 2 });
            let guard = Some(Cond::Bit { reg: 1, bit: 3 });
            let vote = |cond, guard| Stmt::Vote { mode, cond, dst: 2, guard };
            bodies.extend([vote(Cond::Bit { reg: 1, bit: 4 }, None), vote(Cond::Less { a: 0, b: 4 }, guard)]);
        }
        for stmt in bodies {
            let extents = Extents { blocks: 2, threads: 70, results_by_thread: false };
            // Twice, so that what it leaves in memory and registers is read again.
            let body = vec![stmt.clone(), stmt];
            let case = Case { body, extents, target, seed: 5, chip: chip.clone(), windows: (0, 1) };
            assert_eq!(agrees(&case), Ok(()), "{case:?}");
            tried += 1;
        }
    }
    assert!(tried > 700, "{tried}");
}

/// The comparison can fail: the reference loses data that lanes exchange by the order of their
/// warp's instructions.
#[test]
fn programs_that_need_their_warps_are_noticed() {
    let mut runner = TestRunner::deterministic();
    let mut draw = || case().new_tree(&mut runner).expect("the generator rejects nothing").current();
    assert!((0..64).any(|_| agrees(&draw()).is_err()));
}

/// Lanes that exchange data without a barrier do not see it in the reference; with a barrier they
/// do.
#[test]
fn the_reference_exchanges_data_at_barriers_only() {
    let text = "
        .version 1.4
        .target sm_10
        .entry k (.param .u32 out) {
        .shared .u32 cells[32];
        .reg .u32 %t, %at, %v, %out;
        mov.u32 %t, %tid.x;
        mul24.lo.u32 %at, %t, 4;
        add.u32 %v, %t, 7;
        st.shared.u32 [%at], %v;
        xor.b32 %v, %at, 124;
        ld.shared.u32 %v, [%v];
        ld.param.u32 %out, [out];
        add.u32 %out, %out, %at;
        st.global.u32 [%out], %v;
        exit;
        }";
    let program = ReferenceProgram::read(text, "k").unwrap();
    let run = |program: &ReferenceProgram| {
        let mut memory = Memory::default();
        memory.add(0x1000, vec![0; 128]);
        let launch = reference::Launch::new(program, 1, 32);
        reference::run(&reference::Launch { args: vec![vec![0, 0x10, 0, 0]], ..launch }, &mut memory)
            .unwrap();
        (0..32).map(|t| memory.load(0x1000 + 4 * t, 4).unwrap()).collect::<Vec<_>>()
    };
    let reversed: Vec<u64> = (0..32).map(|t| 31 - t + 7).collect();
    assert_ne!(run(&program), reversed, "a thread does not see the stores of threads that run later");
    let with_barrier = text.replace("xor.b32", "bar.sync 0;\nxor.b32");
    assert_eq!(run(&ReferenceProgram::read(&with_barrier, "k").unwrap()), reversed);
}

/// The book's kernels: reference, functional and timed mode leave the same bytes, and these differ
/// from those before the launch.
///
/// Tests: `independent-reference`.
#[test]
fn the_books_kernels_agree_with_the_reference() {
    for small in workload::ALL {
        let Ready { workload, entry, mut gpu, launch, buffers } = small.ready();
        let mut memory = Memory::default();
        for (at, bytes) in &buffers {
            memory.add(at.address().into(), bytes.clone());
        }
        let name = small.name;
        let program = ReferenceProgram::read(workload.ptx, &entry).unwrap_or_else(|e| panic!("{name}: {e}"));
        let args = launch.args.iter().map(|arg| arg.to_bytes(4).expect("words")).collect();
        let alone = reference::Launch { args, ..reference::Launch::new(&program, small.grid, small.block) };
        reference::run(&alone, &mut memory).unwrap_or_else(|e| panic!("{name}: {e}"));
        for mode in MODES {
            for (at, bytes) in &buffers {
                gpu.copy_in(*at, bytes).expect("the copy fits");
            }
            assert!(gpu.launch(&launch.clone().mode(mode)).expect("it fits").verdict.is_finished());
            for (range, (at, bytes)) in memory.ranges().iter().zip(&buffers) {
                let mut got = vec![0; bytes.len()];
                gpu.copy_out(*at, &mut got).expect("the copy fits");
                assert!(got == range.bytes, "{name}, {mode:?}: another result");
            }
        }
        let result = memory.ranges().last().zip(buffers.last());
        assert!(result.is_some_and(|(range, (_, before))| range.bytes != *before), "{name}");
    }
}
