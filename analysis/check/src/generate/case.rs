//! A case: kernel, launch and chip.

use super::chip::{self, ChipSpec};
use super::draw;
use super::frame::Extents;
use super::print::{Printed, print};
use super::tree::{Block, Stmt};
use proptest::prelude::*;

/// A launch on a chip.
#[derive(Clone)]
pub struct Case {
    /// Statements of the kernel.
    pub body: Block,
    /// Extents of the launch.
    pub extents: Extents,
    /// Target of the kernel: 10 for `sm_10`.
    pub target: u32,
    /// Seed of the initial content of memory.
    pub seed: u32,
    /// Chip of the case.
    pub chip: ChipSpec,
    /// Window sizes to run with, in addition to 1 and the longest; taken modulo the longest.
    pub windows: (u32, u32),
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        writeln!(f, "{:?}, seed {}, windows {:?}", self.extents, self.seed, self.windows)?;
        writeln!(f, "chip {:?}", self.chip)?;
        writeln!(f, "{}", self.printed().text)
    }
}

impl Case {
    /// Returns the kernel as PTX.
    pub fn printed(&self) -> Printed {
        print(&self.body, self.extents, self.target)
    }

    /// Returns the case on an unmodified built-in chip, for one of its targets.
    #[must_use]
    pub fn on(self, base: &'static str) -> Self {
        let chip = ChipSpec::built_in(base);
        Self { target: chip.target(self.seed as u8), chip, ..self }
    }

    /// Replaces the cells that a warp shares by private cells of each thread. Then threads
    /// communicate only through barriers and votes, and the order in which they run between those
    /// does not matter. Operations whose result depends on the implementation are replaced, too.
    #[must_use]
    pub fn without_warp_cells(mut self) -> Self {
        self.body.iter_mut().for_each(Stmt::replace_warp_cells);
        self
    }
}

fn extents() -> impl Strategy<Value = Extents> {
    let threads = prop_oneof![1 => 1u32..33, 3 => 33u32..129, 1 => Just(64u32), 1 => Just(128u32)];
    (1u32..9, threads, any::<bool>()).prop_map(|(blocks, threads, results_by_thread)| Extents {
        blocks,
        threads,
        results_by_thread,
    })
}

/// Random cases on one SM with few block slots, so that slots change their warps, and with
/// schedulers of one dispatch port.
pub fn crowded() -> impl Strategy<Value = Case> {
    (case(), 1u32..4, 3u32..9).prop_map(|(case, slots, blocks)| {
        let slots = slots.to_string();
        let few = [("clusters", "1"), ("cluster.sms", "1"), ("sm.max_blocks", slots.as_str())];
        let extents = Extents { blocks, ..case.extents };
        Case { chip: chip::one_port(case.chip.with(&few)), extents, ..case }
    })
}

/// A random case.
pub fn case() -> impl Strategy<Value = Case> {
    (draw::kernel(), extents(), any::<u32>(), chip::chip(), any::<(u8, u8, u8)>()).prop_map(
        |(body, extents, seed, chip, (w0, w1, target))| Case {
            body,
            extents,
            target: chip.target(target),
            seed,
            chip,
            windows: (w0.into(), w1.into()),
        },
    )
}
