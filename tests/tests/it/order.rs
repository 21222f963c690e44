//! Tests of the happens-before checker, and checks that the generator's programs are ordered.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use sim_core::host::Ending;
use sim_core::host::{Arg, Gpu, Launch};
use std::collections::BTreeSet;
use warpsim_check::draw::Checked;
use warpsim_check::draw::{Draw, for_all};
use warpsim_check::generate::Case;
use warpsim_check::generate::case::case;
use warpsim_check::run::Prepared;
use warpsim_tests::device::{Device, chip_with};
use warpsim_tests::order::happens::conflicts;
use warpsim_tests::order::{
    Access, Hazard, Kind, Log, MissingOrder, Rule, Severity, Space, describe, record, record_case, unordered,
};
use warpsim_tests::workload;

/// Returns the logs of two launches of `blocks` blocks of `threads` threads, with a kernel of
/// `body`. It has a shared array `cells`, the thread index `%t`, the offset `%at` of the thread's
/// cell, `%next` of the next thread's cell, and a pointer `%out`.
fn log_of(body: &str, blocks: u32, threads: u32) -> Vec<Log> {
    let text = format!(
        ".version 1.4\n.target sm_12\n.entry k (.param .u32 out) {{\n.shared .u32 cells[128];\n\
         .reg .u32 %t, %b, %at, %next, %out, %v;\n.reg .pred %p;\n\
         mov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\nmul24.lo.u32 %at, %t, 4;\nadd.u32 %next, %at, 4;\n\
         ld.param.u32 %out, [out];\nmov.u32 %v, %t;\n{body}\nexit;\n}}\n"
    );
    // Compiled without optimizations: the results of the loads are not used, so the optimizer would
    // remove them.
    let (module, diagnostics) = isa::compile_with("k.ptx", &text, isa::Options::PLAIN);
    let mut gpu = Gpu::new(chip_with("gt200", &[]));
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:#?}"))).expect("it has no variables");
    let mut device = Device { gpu, module };
    let out = device.upload(&[0; 256]);
    let launch = Launch::new(device.module, "k", blocks, threads).args([Arg::Ptr(out)]);
    let mut one = || {
        let (ending, log) = record(&mut device.gpu, &launch).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(ending, Ending::Finished);
        log
    };
    vec![one(), one()]
}

/// Line of the text in which the body begins.
const BODY: u32 = 13;

fn lines(pairs: &[Hazard]) -> Vec<(u32, u32, MissingOrder)> {
    pairs.iter().map(|p| (p.first.line - BODY, p.second.line - BODY, p.between)).collect()
}

#[test]
fn a_missing_barrier_is_found_with_both_lines() {
    let body = |barrier| format!("st.shared.u32 [%at], %v;\n{barrier}\nld.shared.u32 %v, [%next];");
    let pairs = unordered(&log_of(&body(""), 1, 64), Rule::Warps);
    assert_eq!(lines(&pairs), [(0, 2, MissingOrder::Warps)]);
    let pair = &pairs[0];
    // Thread 31 reads the cell of thread 32, which is in the next warp, in each of two launches.
    assert_eq!([pair.first.thread(), pair.second.thread()], [32, 31]);
    assert_eq!((pair.address, pair.bytes, pair.times, pair.barriers), (128, 4, 2, 0));
    assert_eq!((pair.first.warp, pair.second.warp), (1, 0));
    assert_eq!((pair.kind().to_string().as_str(), pair.severity()), ("RAW", Severity::Error));

    assert_eq!(unordered(&log_of(&body("bar.sync 0;"), 1, 64), Rule::Warps), []);
    // Within a warp the order of the instructions is enough, unless the rule ignores it.
    assert_eq!(unordered(&log_of(&body(""), 1, 32), Rule::Warps), []);
    assert_eq!(lines(&unordered(&log_of(&body(""), 1, 32), Rule::Barriers)), [(0, 2, MissingOrder::Lanes)]);
    assert_eq!(unordered(&log_of(&body("bar.sync 0;"), 1, 64), Rule::Barriers), []);
}

#[test]
fn a_barrier_before_but_not_after_is_not_enough() {
    let body = "st.shared.u32 [%at], %v;\nbar.sync 0;\nld.shared.u32 %v, [%next];\nst.shared.u32 [%at], %v;";
    let pairs = unordered(&log_of(body, 1, 64), Rule::Warps);
    assert_eq!(lines(&pairs), [(2, 3, MissingOrder::Warps)]);
    assert_eq!((pairs[0].barriers, pairs[0].kind().to_string().as_str()), (1, "WAR"));
}

#[test]
fn blocks_of_one_launch_must_not_share_data() {
    let one_word = "st.global.u32 [%out], %v;";
    let pairs = unordered(&log_of(one_word, 2, 1), Rule::Warps);
    assert_eq!(lines(&pairs), [(0, 0, MissingOrder::Blocks)]);
    assert_eq!(pairs[0].severity(), Severity::Info, "each writes its thread index, 0");
    // A barrier orders the threads of one block only.
    let barrier = "@!%p bra ON;\nON:\nst.global.u32 [%out], %v;\nbar.sync 0;\nbar.sync 0;";
    assert_eq!(
        lines(&unordered(&log_of(barrier, 2, 64), Rule::Warps)),
        [(2, 2, MissingOrder::Blocks), (2, 2, MissingOrder::Warps)]
    );
    // Launches run one after the other, reads do not conflict, and each block has its own shared
    // memory.
    assert_eq!(unordered(&log_of(one_word, 1, 1), Rule::Warps), []);
    assert_eq!(unordered(&log_of("ld.global.u32 %v, [%out];", 4, 64), Rule::Warps), []);
    assert_eq!(unordered(&log_of("st.shared.u32 [cells], %v;", 4, 1), Rule::Warps), []);
}

#[test]
fn overlapping_accesses_conflict_but_adjacent_ones_do_not() {
    let byte = "add.u32 %out, %out, %b;\nst.global.u8 [%out], %v;";
    assert_eq!(unordered(&log_of(byte, 4, 1), Rule::Warps), []);
    let word = "@%p bra ON;\nON:\nadd.u32 %at, %out, %b;\nst.global.u8 [%at], %v;\nld.global.u32 %v, [%out];";
    let pairs = unordered(&log_of(word, 4, 1), Rule::Warps);
    assert!(lines(&pairs).iter().all(|(_, _, why)| *why == MissingOrder::Blocks));
    assert!(pairs.iter().all(|p| p.bytes == 1 && p.first.kind != p.second.kind), "{pairs:?}");
}

/// An exited warp counts as having arrived at every later barrier.
#[test]
fn a_barrier_waits_for_exits() {
    let body = "setp.ge.u32 %p, %t, 32;\n@%p st.shared.u32 [%at], %v;\n@%p exit;\nbar.sync 0;\nld.shared.u32 %v, [%at+128];";
    assert_eq!(unordered(&log_of(body, 1, 64), Rule::Warps), []);
    assert_eq!(
        lines(&unordered(&log_of(&body.replace("bar.sync 0;", ""), 1, 64), Rule::Warps)),
        [(1, 4, MissingOrder::Warps)]
    );
}

/// Atomics do not race with each other, but with all other accesses. Only operations that commute
/// and return no value need no order.
///
/// Tests: `random-programs-are-ordered`.
#[test]
fn atomics_race_with_plain_accesses_only() {
    let pairs = |body: &str| {
        let log = log_of(&format!("mov.u32 %at, cells;\n{body}"), 1, 64);
        let found = unordered(&log, Rule::Warps);
        found
            .iter()
            .map(|p| {
                (
                    p.first.line - BODY - 1,
                    p.second.line - BODY - 1,
                    p.finding() != sim_core::check::Kind::AtomicOrder,
                )
            })
            .collect::<Vec<_>>()
    };
    let add = "red.shared.add.u32 [%at], %v;";
    let max = "red.shared.max.s32 [%at], %v;";
    let got = "atom.shared.add.u32 %v, [%at], %v;";
    assert_eq!(pairs(add), []);
    assert_eq!(pairs(&format!("{add}\n{add}\n@%p ld.shared.u32 %v, [%at+4];")), []);
    assert_eq!(pairs(got), [(0, 0, false)]);
    assert_eq!(pairs(&format!("{add}\n{max}")), [(0, 1, false)]);
    assert_eq!(pairs(&format!("{add}\n{got}")), [(0, 1, false), (1, 1, false)]);
    assert_eq!(pairs(&format!("{add}\nld.shared.u32 %v, [%at];")), [(0, 1, true)]);
    assert_eq!(pairs(&format!("{add}\nst.shared.u32 [%at], %v;")), [(0, 1, true), (1, 1, true)]);
    assert_eq!(pairs(&format!("{add}\nbar.sync 0;\nld.shared.u32 %v, [%at];")), []);
    // Atomics order nothing: a thread that sees the flag does not necessarily see the cell.
    let flag = "st.shared.u32 [%at+4], %v;\nred.shared.or.b32 [%at], 1;\natom.shared.cas.b32 %v, [%at], 0, 0;\n\
        setp.ne.u32 %p, %v, 0;\n@%p ld.shared.u32 %v, [%at+4];";
    assert!(pairs(flag).contains(&(0, 4, true)), "{:?}", pairs(flag));
}

/// Whether access `from` is ordered before access `to`. It follows the steps of the definition: to
/// the next access of the thread or the warp, through completed barriers, and through the end of a
/// launch.
fn precedes(log: &[(usize, Access)], from: (usize, Access), to: (usize, Access)) -> bool {
    let step = |(la, a): (usize, Access), (lb, b): (usize, Access)| {
        let warp = (la, a.block, a.warp) == (lb, b.block, b.warp);
        let barrier = (la, a.block) == (lb, b.block) && a.barriers < b.barriers;
        la < lb || barrier || warp && (a.instruction, a.lane) < (b.instruction, b.lane)
    };
    let (mut reached, mut todo) = (BTreeSet::new(), vec![from]);
    while let Some(at) = todo.pop() {
        for (index, next) in log.iter().enumerate() {
            if step(at, *next) && reached.insert(index) {
                todo.push(*next);
            }
        }
    }
    log.iter().enumerate().any(|(index, access)| *access == to && reached.contains(&index))
}

fn kinds() -> impl Strategy<Value = Kind> {
    prop_oneof![
        2 => Just(Kind::Read),
        2 => Just(Kind::Write),
        1 => Just(Kind::Atomic),
        2 => (0u8..2).prop_map(Kind::Reduction),
    ]
}

/// Small logs of two launches in the order of execution, with few threads and few bytes. The number
/// of barriers never decreases.
fn logs() -> impl Strategy<Value = Vec<Log>> {
    let one = (0usize..2, 0u32..2, 0u32..2, 0u32..2, 0u32..3, (any::<bool>(), 0u32..6, 1u32..6), kinds());
    vec((one, 0u32..3), 2..14).prop_map(|mut list| {
        list.sort_by_key(|((launch, block, _, _, barriers, ..), _)| (*launch, *block, *barriers));
        let mut logs = vec![Log::new(), Log::new()];
        for (index, ((launch, block, warp, lane, barriers, (shared, address, bytes), kind), trips)) in
            list.into_iter().enumerate()
        {
            logs[launch].push(Access {
                block,
                warp,
                lane,
                // The number 0 is not used.
                instruction: index as u64 + 1,
                barriers,
                phase: 0,
                epoch: 0,
                trips: [trips, trips + barriers],
                pc: index as u32,
                line: index as u32,
                space: if shared { Space::Shared } else { Space::Global },
                address,
                bytes,
                kind,
                value: None,
            });
        }
        logs
    })
}

proptest! {
    /// The checker finds exactly the pairs that the transitive closure of the definition leaves
    /// unordered.
    ///
    /// Tests: `random-programs-are-ordered`.
    #[test]
    fn counting_barriers_is_the_closure(logs in logs()) {
        let mut wanted = Vec::new();
        let log: Vec<_> = logs.iter().enumerate().flat_map(|(launch, log)| log.iter().map(move |a| (launch, *a))).collect();
        for (i, from) in log.iter().enumerate() {
            for to in &log[i + 1..] {
                let (a, b) = (&from.1, &to.1);
                let place = |x: &(usize, Access)| {
                    (x.1.space, if x.1.space == Space::Shared { (x.0, x.1.block) } else { (0, 0) })
                };
                let meet = place(from) == place(to)
                    && a.address < b.address + b.bytes
                    && b.address < a.address + a.bytes;
                let threads = (from.0, a.block, a.warp, a.lane) != (to.0, b.block, b.warp, b.lane);
                let ordered = || precedes(&log, *from, *to) || precedes(&log, *to, *from);
                if meet && threads && conflicts(a.kind, b.kind) && !ordered() {
                    wanted.push((a.line, b.line));
                }
            }
        }
        wanted.sort_unstable();
        let pair = |h: &Hazard| (h.first.line.min(h.second.line), h.first.line.max(h.second.line));
        let mut found: Vec<_> = unordered(&logs, Rule::Warps).iter().map(pair).collect();
        found.sort_unstable();
        prop_assert_eq!(found, wanted);
    }
}

fn ordered_by(rule: Rule, case: &Case) -> Checked {
    match unordered(&[record_case(&Prepared::new(case))], rule).first() {
        Some(pair) => Err(describe(pair)),
        None => Ok(()),
    }
}

/// The generator guarantees that each of its programs is ordered.
///
/// Tests: `random-programs-are-ordered`.
#[test]
fn every_random_program_is_ordered() {
    for_all(&case(), Draw::Same, 128, |case| ordered_by(Rule::Warps, case));
}

/// Without the cells that the lanes of a warp share, barriers alone order the programs, as the
/// reference interpreter requires.
///
/// Tests: `random-programs-are-ordered`.
#[test]
fn without_warp_cells_barriers_order_every_program() {
    let cases = case().prop_map(Case::without_warp_cells);
    for_all(&cases, Draw::Same, 128, |case| ordered_by(Rule::Barriers, case));
}

/// The same as the two tests above, with more cases.
#[test]
#[ignore = "minutes"]
fn random_programs_are_ordered_at_length() {
    for_all(&case(), Draw::New, 10_000, |case| ordered_by(Rule::Warps, case));
    let cases = case().prop_map(Case::without_warp_cells);
    for_all(&cases, Draw::New, 10_000, |case| ordered_by(Rule::Barriers, case));
}

/// Barriers alone order the book's kernels. Without them, those that use shared memory are
/// unordered.
#[test]
fn the_books_kernels_are_ordered() {
    for small in workload::ALL {
        let mut ready = small.ready();
        let (ending, log) = record(&mut ready.gpu, &ready.launch).unwrap_or_else(|e| panic!("{e}"));
        assert_eq!(ending, Ending::Finished);
        assert!(log.len() > 1_000, "{}: {} accesses", small.name, log.len());
        let mut log = [log];
        assert_eq!(unordered(&log, Rule::Barriers), [], "{}", small.name);
        // Treats the log as if no barrier had been passed.
        for access in &mut log[0] {
            access.barriers = 0;
        }
        let shares = log[0].iter().any(|access| access.space == Space::Shared);
        assert_eq!(!unordered(&log, Rule::Warps).is_empty(), shares, "{}", small.name);
    }
}

/// Programs with one barrier removed from their text are noticed, but not all of them.
///
/// Tests: `random-programs-are-ordered`.
#[test]
fn a_lost_barrier_is_noticed() {
    let mut runner = TestRunner::deterministic();
    let (mut tried, mut noticed) = (0, 0);
    for _ in 0..128 {
        let case = case().new_tree(&mut runner).expect("the generator rejects nothing").current();
        let prepared = Prepared::new(&case);
        let Some(at) = prepared.text().find("bar.sync") else { continue };
        let text = prepared.text();
        let end = at + text[at..].find('\n').expect("a line ends");
        let without = format!("{}{}", &text[..at], &text[end..]);
        tried += 1;
        let pairs = unordered(&[record_case(&prepared.with_text(without))], Rule::Warps);
        noticed += u32::from(!pairs.is_empty());
        assert!(pairs.iter().all(|pair| pair.between == MissingOrder::Warps), "{pairs:?}");
    }
    // Many exchanges need no barrier: within one warp, under a guard that is false in all threads,
    // or of a thread with itself.
    assert!(noticed >= 20 && noticed < tried, "{noticed} of {tried} programs without a barrier were noticed");
}
