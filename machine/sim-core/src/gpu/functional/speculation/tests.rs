//! Tests of blocks on several host threads: the result is the one of one thread.

use super::super::{FunctionalEnd, run};
use super::*;
use crate::exec::Kernel;
use crate::exec::build::{Builder, bra, guarded, inst, memory, with_imm};
use crate::mem::map::AddressMap;
use isa::sem::atomic::Operation;
use isa::sreg::SReg;
use isa::types::Dim3;
use isa::uop::{Inst, Op};

const BASE: u32 = 0x1000;
const BLOCKS: u32 = 60_000;
const WORDS: u32 = 1 << 16;

/// Runs `kernel` on `threads` threads. The memory has the words 0, 1, 2 and so on.
fn on(threads: usize, kernel: &Kernel, limit: u64) -> (FunctionalEnd, Memory) {
    let mut memory = Memory::new(AddressMap::LINEAR);
    (0..WORDS).for_each(|word| memory.store(BASE + 4 * word, word.to_le_bytes()));
    let end = run(
        kernel,
        &mut memory,
        limit,
        Hooks { tell: None, watch: UNOBSERVED, speculation: Some(Speculation::default().on(threads)) },
    );
    (end, memory)
}

/// Compares one thread with several; returns the memory and the end.
fn compare(kernel: &Kernel, limit: u64) -> (FunctionalEnd, Memory) {
    let single = on(1, kernel, limit);
    for threads in [2, 3, 8] {
        let several = on(threads, kernel, limit);
        assert_eq!(single.0, several.0, "{threads} threads");
        assert!(single.1 == several.1, "memories differ on {threads} threads");
    }
    single
}

/// A block of one warp. Row 0: number of the block; row 1: address of its word. Rows 8, 9, 10: the
/// constants 4, the base and 1.
fn blocks() -> Builder {
    Builder::new()
        .rows(8, 1, 1)
        .allocate(BASE, 4 * WORDS)
        .const32(4)
        .const32(BASE)
        .const32(1)
        .launch(BLOCKS, 32)
        .inst(with_imm(Op::MovSreg, 0, SReg::CtaidX as u32))
        .inst(inst(Op::MadLoB32, 1, [0, 8, 9]))
}

/// The number of the last block after some attempts that follow the first block.
fn last_of<const ATTEMPTS: usize>(kernel: &Kernel) -> [u64; ATTEMPTS] {
    let (_, mut memory) = on(1, kernel, 0);
    let mut block = Block::new(kernel, false);
    let mut hooks = Hooks { tell: None, watch: UNOBSERVED, speculation: None };
    assert_eq!(block.run(&mut memory, &mut hooks), Some(Ending::Finished));
    let mut ahead = Speculation::default();
    std::array::from_fn(|_| {
        ahead.on(2).run(&mut block, &mut memory, &mut None);
        block.number
    })
}

/// Tests: `functional-threads`.
#[test]
fn blocks_with_words_of_their_own_run_ahead() {
    let kernel = blocks()
        .inst(memory(Op::LdGlobalB32, 2, 1, 0))
        .inst(inst(Op::AddB32, 2, [2, 10]))
        .inst(memory(Op::StGlobalB32, 2, 1, 0))
        .exit()
        .kernel();
    let (end, memory) = compare(&kernel, u64::MAX);
    assert_eq!((end.ending, end.counts.warp), (Ending::Finished, 6 * u64::from(BLOCKS)));
    assert!((0..BLOCKS).all(|word| memory.load(BASE + 4 * word) == (word + 1).to_le_bytes()));
    assert_eq!(last_of(&kernel), [43_690]);
}

/// Tests: `functional-threads`.
#[test]
fn blocks_that_interleave_their_words_run_ahead_when_all_words_are_noted() {
    let kernel = blocks()
        .const32(40_503)
        .const32(WORDS - 1)
        .inst(inst(Op::MulLoB32, 1, [0, 11]))
        .inst(inst(Op::AndB32, 1, [1, 12]))
        .inst(inst(Op::MadLoB32, 1, [1, 8, 9]))
        .inst(memory(Op::LdGlobalB32, 2, 1, 0))
        .inst(inst(Op::MadLoB32, 2, [2, 8, 0]))
        .inst(memory(Op::StGlobalB32, 2, 1, 0))
        .exit()
        .kernel();
    compare(&kernel, u64::MAX);
    assert_eq!(last_of(&kernel), [14_563, 43_689], "the first group, then both groups");
}

/// Tests: `functional-threads`.
#[test]
fn a_limit_and_a_trap_are_exact() {
    let store = |kernel: Builder| kernel.inst(memory(Op::StGlobalB32, 10, 1, 0)).exit().kernel();
    let kernel = store(blocks());
    for limit in [100_000, 100_001, 4 * u64::from(BLOCKS) - 1] {
        assert!(matches!(compare(&kernel, limit).0.ending, Ending::Limit(_)), "{limit}");
    }
    let kernel = store(blocks().const32(30_000).inst(inst(Op::SetpEqB32, 0, [0, 11])).inst(guarded(
        inst(Op::SubB32, 1, [8, 8]),
        0,
        false,
    )));
    let end = compare(&kernel, u64::MAX).0;
    let Ending::Trapped(trap) = end.ending else { panic!("{:?}", end.ending) };
    assert_eq!(trap.block, Dim3::new(30_000, 0, 0));
}

/// Tests: `functional-threads`.
#[test]
fn blocks_that_read_what_the_block_before_wrote_run_in_order() {
    let kernel = blocks()
        .inst(memory(Op::LdGlobalB32, 2, 1, 0))
        .inst(inst(Op::MulLoB32, 2, [2, 8]))
        .inst(memory(Op::StGlobalB32, 2, 1, 4))
        .exit()
        .kernel();
    let (_, memory) = compare(&kernel, u64::MAX);
    assert!((1..20).all(|word| memory.load(BASE + 4 * word) == [0; 4]));
    assert_eq!(last_of(&kernel), [21_845], "the first group alone");
}

/// Tests: `functional-threads`.
#[test]
fn blocks_that_count_together_run_in_order() {
    let mut add = memory(Op::RedGlobalB32, 10, 9, 0);
    add.aux = (Operation::Add as u32) << Inst::OPERATION_SHIFT;
    let counter = blocks().inst(add).exit().kernel();
    let (_, memory) = compare(&counter, u64::MAX);
    assert_eq!(memory.load(BASE), (32 * BLOCKS).to_le_bytes());
}

/// Tests: `functional-threads`.
#[test]
fn a_block_that_waits_for_an_earlier_one_runs_after_it() {
    // Each block waits until its word is 0; the block before it stores that.
    let kernel = blocks()
        .const32(0)
        .inst(memory(Op::LdGlobalB32, 2, 1, 0))
        .inst(inst(Op::SetpEqB32, 0, [2, 11]))
        .inst(guarded(bra(2, 5), 0, true))
        .inst(memory(Op::StGlobalB32, 11, 1, 4))
        .exit()
        .kernel();
    let (end, memory) = compare(&kernel, u64::MAX);
    assert_eq!((end.ending, end.counts.warp), (Ending::Finished, 7 * u64::from(BLOCKS)));
    assert_eq!(memory.load(BASE + 4 * BLOCKS - 4), [0; 4]);
}

#[test]
fn the_progress_callback_stops_groups() {
    let kernel = (0..8).fold(blocks(), |all, _| all.inst(memory(Op::StGlobalB32, 10, 1, 0))).exit().kernel();
    let mut memory = Memory::new(AddressMap::LINEAR);
    let mut tell = |_: Reached| ControlFlow::Break(StopReason::Interrupted);
    let end = run(
        &kernel,
        &mut memory,
        u64::MAX,
        Hooks { tell: Some(&mut tell), watch: UNOBSERVED, speculation: Some(Speculation::default().on(2)) },
    );
    assert!(matches!(end.ending, Ending::Stopped(StopReason::Interrupted, _)));
}
