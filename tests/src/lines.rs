//! Programs whose threads communicate through the lines of an L1: all threads of a block read and
//! write words of the same few lines, and barriers order them.
//!
//! Each thread owns two adjacent words. In round r it writes its word r mod 2, and reads the other
//! word of other threads, which the previous round wrote; a barrier ends the round. So around every
//! load of a round there are stores by other warps to the same line, on which the load does not
//! depend: fills are pending while stores pass. The launch is *ordered*, and its result is that of
//! functional mode. In the programs of `warpsim_check::generate` few threads share a line, so these
//! programs have a separate generator.

use proptest::collection::vec;
use proptest::prelude::*;
use sim_core::hooks::{Hooks, Mutant};
use sim_core::host::RunOptions;
use std::fmt::Write;
use warpsim_check::example::{Buffer, Example, Failure};
use warpsim_check::generate::chip::{ChipSpec, chip};
use warpsim_check::relation::timing_changes_no_result;

/// An action of the threads in a round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Act {
    /// Writes the thread's own word.
    Store,
    /// Exchanges it with the value of the round.
    Exchange,
    /// Reads the word of the thread `further` positions ahead, through the L1 or bypassing it.
    Load {
        /// Distance of the thread.
        further: u32,
        /// Whether the load is `ld.volatile`.
        volatile: bool,
    },
    /// Waits for a number of loop iterations.
    Wait(u32),
}

/// A program, its launch and its chip.
#[derive(Clone, Debug)]
pub struct LineCase {
    /// Number of blocks.
    pub blocks: u32,
    /// Threads per block.
    pub threads: u32,
    /// Actions of each round.
    pub rounds: Vec<Vec<Act>>,
    /// A chip with an L1.
    pub chip: ChipSpec,
}

fn act() -> impl Strategy<Value = Act> {
    let load = (0u32..128, prop::bool::weighted(0.1));
    prop_oneof![
        3 => Just(Act::Store),
        1 => Just(Act::Exchange),
        6 => load.prop_map(|(further, volatile)| Act::Load { further, volatile }),
        1 => (1u32..40).prop_map(Act::Wait),
    ]
}

/// Random programs, on random chips whose L1 is small or large.
pub fn lines() -> impl Strategy<Value = LineCase> {
    let policies = (any::<bool>(), any::<bool>()).prop_map(|(update, sectors)| {
        let (stores, fill) =
            (["evict", "update"][usize::from(update)], ["line", "sectors"][usize::from(sectors)]);
        format!("stores: {stores}, fill: {fill}")
    });
    let l1 = (1u32..4, 1u32..8, 0u32..60, 1u32..9, 1u32..9, policies).prop_map(
        |(ways, sets, hit, misses, merges, policies)| {
            let bytes = 128 * ways * sets;
            format!(
                "(bytes: {bytes}, ways: {ways}, hit_cycles: {hit}, misses: {misses}, merges: {merges}, \
                 global: true, {policies}, prefer_l1: none)"
            )
        },
    );
    let rounds = vec(vec(act(), 1..7), 2..8);
    (1u32..4, prop_oneof![33u32..97, Just(64), Just(128)], rounds, chip(), l1).prop_map(
        |(blocks, threads, rounds, chip, l1)| {
            let sets = [("sm.lsu.rule", "lines"), ("sm.lsu.group", "32"), ("sm.l1", &*l1)];
            let chip = ChipSpec { base: "fermi", ..chip }.with(&sets);
            LineCase { blocks, threads, rounds, chip }
        },
    )
}

impl LineCase {
    /// Returns the kernel as PTX.
    pub fn text(&self) -> String {
        let threads = self.threads;
        let mut text = format!(
            ".version 2.0\n.target sm_20\n.entry k (.param .u32 data, .param .u32 out)\n{{\n\
             .reg .u32 %t, %b, %base, %own, %at, %sum, %n, %v<64>;\n.reg .pred %p;\n\
             mov.u32 %t, %tid.x; mov.u32 %b, %ctaid.x; ld.param.u32 %base, [data];\n\
             mul.lo.u32 %n, %b, {}; add.u32 %base, %base, %n;\n\
             shl.b32 %own, %t, 3; add.u32 %own, %own, %base; mov.u32 %sum, 0;\n",
            self.block_bytes()
        );
        for (round, acts) in self.rounds.iter().enumerate() {
            let (mine, theirs) = (4 * (round % 2), 4 * ((round + 1) % 2));
            let _ = writeln!(text, "mul.lo.u32 %n, %t, 17; add.u32 %n, %n, {};", 1000 * (round + 1));
            for (place, act) in acts.iter().enumerate() {
                let _ = match act {
                    Act::Store => writeln!(text, "st.global.u32 [%own+{mine}], %n;"),
                    Act::Exchange => writeln!(text, "atom.global.exch.b32 %v63, [%own+{mine}], %n;"),
                    Act::Load { further, volatile } => {
                        let how = if *volatile { ".volatile" } else { "" };
                        writeln!(
                            text,
                            "add.u32 %at, %t, {further}; rem.u32 %at, %at, {threads}; shl.b32 %at, %at, 3;\n\
                             add.u32 %at, %at, %base; ld{how}.global.u32 %v{place}, [%at+{theirs}];"
                        )
                    }
                    Act::Wait(turns) => writeln!(
                        text,
                        "mov.u32 %at, {turns};\nW{round}_{place}: sub.u32 %at, %at, 1; setp.ne.u32 %p, %at, 0; \
                         @%p bra W{round}_{place};"
                    ),
                };
            }
            for (place, act) in acts.iter().enumerate() {
                if matches!(act, Act::Load { .. }) {
                    let _ = writeln!(text, "mad.lo.u32 %sum, %sum, 31, %v{place};");
                }
            }
            text += "bar.sync 0;\n";
        }
        let _ = writeln!(
            text,
            "ld.param.u32 %at, [out]; mad.lo.u32 %n, %b, {threads}, %t; shl.b32 %n, %n, 2;\n\
             add.u32 %at, %at, %n; st.global.u32 [%at], %sum;\nexit;\n}}"
        );
        text
    }

    /// Bytes of a block's words: whole lines.
    fn block_bytes(&self) -> u32 {
        (8 * self.threads).next_multiple_of(128)
    }

    /// The case as an example.
    pub fn example(&self) -> Example {
        let buffer = |name: &str, bytes: u32| {
            let bytes = (0..bytes).map(|byte| ((byte * 7) >> 2) as u8).collect();
            Buffer { name: name.to_owned(), bytes }
        };
        Example {
            text: self.text(),
            blocks: self.blocks,
            threads: self.threads,
            buffers: vec![
                buffer("data", self.blocks * self.block_bytes()),
                buffer("out", 4 * self.blocks * self.threads),
            ],
            chip: self.chip.clone(),
            scheduler: None,
        }
    }

    /// Checks that timed mode, with `mutant` if there is one, leaves the same bytes as functional
    /// mode.
    pub fn timed_is_functional(&self, mutant: Option<Mutant>) -> Result<(), Failure> {
        timed_is_functional(&self.example(), mutant)
    }
}

/// Checks that timed mode, with `mutant` if there is one, leaves the same bytes as functional mode.
pub fn timed_is_functional(example: &Example, mutant: Option<Mutant>) -> Result<(), Failure> {
    let hooks = Hooks { mutant, ..Hooks::default() };
    timing_changes_no_result(example, RunOptions { hooks, ..RunOptions::default() })
}
