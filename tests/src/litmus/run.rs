//! Runs a litmus test with random timing: a random chip, blocks that wait for some time, and one
//! store that is delayed on its link. Everything behind that store on the link is late, too, so
//! loads can also be delayed.

use super::{Litmus, Outcome, Placement, Shown};
use crate::device::{CHIPS, chip_with};
use isa::Options;
use isa::uop::Module;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::config::Chip;
use sim_core::hooks::{Delay, Hooks, Mutant};
use sim_core::host::AddressMap;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, Mode, RunOptions};
use test_support::random::Numbers;
use warpsim_check::generate::chip::chip;

/// A compiled test and a source of random timings.
pub struct Runner<'a> {
    litmus: &'a Litmus,
    module: Module,
    placement: Placement,
    chips: Vec<Chip>,
    mutant: Option<Mutant>,
    numbers: Numbers,
}

impl<'a> Runner<'a> {
    /// Creates a runner on `chips` random chips, with the same timings for the same seed; `mutant`
    /// modifies the simulator.
    ///
    /// # Panics
    /// The test does not compile.
    pub fn new(
        litmus: &'a Litmus,
        placement: Placement,
        seed: u64,
        chips: usize,
        mutant: Option<Mutant>,
    ) -> Self {
        let (mut numbers, mut random) = (Numbers::new(seed), TestRunner::deterministic());
        let chips = (0..chips).map(|i| draw_chip(litmus, placement, i, &mut numbers, &mut random)).collect();
        Self { litmus, module: compiled(litmus), placement, chips, mutant, numbers }
    }

    /// Creates a runner on these chips, with words and blocks apart.
    ///
    /// # Panics
    /// The test does not compile.
    pub fn on(litmus: &'a Litmus, chips: Vec<Chip>, seed: u64) -> Self {
        let (module, numbers) = (compiled(litmus), Numbers::new(seed));
        Self { litmus, module, placement: Placement::Apart, chips, mutant: None, numbers }
    }

    /// Returns the outcome in functional mode.
    pub fn functional(&mut self) -> Result<Outcome, String> {
        self.run(Mode::Functional)
    }

    /// Returns the outcome in timed mode with the next timing.
    pub fn timed(&mut self) -> Result<Outcome, String> {
        self.run(Mode::Timed)
    }

    fn run(&mut self, mode: Mode) -> Result<Outcome, String> {
        let chip = self.numbers.below(self.chips.len());
        let mut gpu = Gpu::new(self.chips[chip].clone());
        let module = gpu.load(self.module.clone()).map_err(|e| e.to_string())?;
        let blocks = self.litmus.blocks;
        let words = self.words(&mut gpu);
        let written = gpu.malloc(u64::from(8 * blocks)).map_err(|e| e.to_string())?;
        let control = gpu.malloc(u64::from(8 * blocks)).map_err(|e| e.to_string())?;
        let longest = self.numbers.one_of(&[2, 8, 40]);
        for block in 0..blocks {
            let wait = self.numbers.below(longest) as u32;
            // In another chunk of the same partition.
            let plug = self.numbers.one_of(&[words.plugs[0], words.plugs[1]]).offset(4 * block);
            let bytes = [wait.to_le_bytes(), plug.address().to_le_bytes()].concat();
            gpu.copy_in(control.offset(8 * block), &bytes).map_err(|e| e.to_string())?;
        }
        let clusters = gpu.chip().clusters;
        // The first store of a block is the additional one, which exists for this purpose.
        let delay = (self.numbers.below(8) > 0).then(|| Delay {
            cluster: self.numbers.below(clusters as usize) as u32,
            store: self.numbers.one_of(&[0, 0, 1, 2]),
            cycles: self.numbers.below(4_000) as u64,
        });
        let hooks = Hooks { mutant: self.mutant, delay, ..Hooks::default() };
        let options = RunOptions { max_cycles: 10_000_000, hooks, ..RunOptions::default() };
        let args = [words.x, words.y, written, control].map(Arg::Ptr);
        let launch =
            Launch::new(module, "k", blocks, self.litmus.threads).args(args).mode(mode).options(options);
        let report = gpu.launch(&launch).map_err(|e| e.to_string())?;
        if !report.verdict.is_finished() {
            return Err(format!("chip {chip}: {:?}", report.verdict));
        }
        let mut word = |at: DevicePtr| {
            let mut bytes = [0; 4];
            gpu.copy_out(at, &mut bytes).map_err(|e| e.to_string())?;
            Ok(u32::from_le_bytes(bytes))
        };
        let shown = self.litmus.shows.iter().map(|shown| match *shown {
            Shown::Written { block, word: index } => word(written.offset(8 * block + 4 * index)),
            Shown::Final(index) => word([words.x, words.y][index]),
        });
        shown.collect()
    }

    /// Places the words x and y, and a word for each block in the same partition as one of them.
    fn words(&mut self, gpu: &mut Gpu) -> Words {
        let map = AddressMap::of(gpu.chip());
        let chunk = map.chunk_bytes();
        let base = gpu.malloc(u64::from(chunk * (CHUNKS + 1))).expect("the device has enough memory");
        // From the first whole chunk on.
        let first = base.offset(base.address().next_multiple_of(chunk) - base.address());
        let owner = |at: DevicePtr| map.locate(at.address()).0;
        let chunks: Vec<DevicePtr> = (1..CHUNKS).map(|number| first.offset(number * chunk)).collect();
        let together = self.placement == Placement::OnePartition;
        let y = if together && self.numbers.below(2) == 0 {
            first.offset(64)
        } else {
            *chunks
                .iter()
                .find(|at| (owner(**at) == owner(first)) == together)
                .expect("chunks of both kinds exist")
        };
        let plug = |word| {
            let free = |at: &&DevicePtr| **at != y && owner(**at) == owner(word);
            *chunks.iter().rev().find(free).expect("each partition has several of these chunks")
        };
        Words { x: first, y, plugs: [plug(first), plug(y)] }
    }
}

/// Compiles without optimization: a value that only the text makes dependent on a load must stay
/// dependent.
///
/// # Panics
/// The test does not compile.
pub(super) fn compiled(litmus: &Litmus) -> Module {
    let (module, diagnostics) = isa::compile_with(&litmus.name, &litmus.text, Options::PLAIN);
    module.unwrap_or_else(|| panic!("{}: {diagnostics:#?}", litmus.name))
}

/// Number of memory chunks among which the words are placed.
const CHUNKS: u32 = 64;

/// Draws chip number `number`: every second one is random, the others are built-in chips with
/// different numbers of units.
fn draw_chip(
    litmus: &Litmus,
    placement: Placement,
    number: usize,
    numbers: &mut Numbers,
    random: &mut TestRunner,
) -> Chip {
    let blocks = litmus.blocks.to_string();
    let (clusters, sms) = match placement {
        Placement::OneCluster => ("1", numbers.one_of(&["1", "2", &*blocks])),
        Placement::Apart | Placement::OnePartition => (&*blocks, "1"),
    };
    let partitions = numbers.one_of(&["2", "3", "6"]);
    let parts = [("clusters", clusters), ("cluster.sms", sms), ("partitions", partitions)];
    if number.is_multiple_of(2) {
        return chip_with(CHIPS[number / 2 % CHIPS.len()], &parts);
    }
    // Enough space for all blocks on one SM.
    let slots = [("sm.max_blocks", "8"), ("sm.max_warps", "16")];
    let chip = chip().new_tree(random).expect("chips are never rejected").current();
    chip.with(&parts).with(&slots).chip()
}

struct Words {
    x: DevicePtr,
    y: DevicePtr,
    plugs: [DevicePtr; 2],
}
