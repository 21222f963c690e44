//! Runs a litmus test with a timing drawn at random: another chip, blocks that wait for a while, one store that is
//! kept on the wire. What a link carries behind that store is late, too, so that loads can be held up as well.

use super::{Litmus, Outcome, Placement, Shown};
use crate::generate::chip::{ChipSpec, chip};
use crate::mutate::Numbers;
use isa::uop::Module;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use sim_core::config::Chip;
use sim_core::hooks::{Delay, Hooks, Mutant};
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, Mode, RunOptions};
use sim_core::mem::map::AddressMap;

/// A compiled test and a source of timings.
pub struct Runner<'a> {
    litmus: &'a Litmus,
    module: Module,
    placement: Placement,
    chips: Vec<Chip>,
    mutant: Option<Mutant>,
    numbers: Numbers,
}

impl<'a> Runner<'a> {
    /// A runner on `chips` chips, whose timings are the same for the same seed; `mutant` breaks the engine.
    ///
    /// # Panics
    /// If the test does not compile.
    pub fn new(
        litmus: &'a Litmus,
        placement: Placement,
        seed: u64,
        chips: usize,
        mutant: Option<Mutant>,
    ) -> Self {
        let (module, diagnostics) = isa::compile(&litmus.name, &litmus.text);
        let module = module.unwrap_or_else(|| panic!("{}: {diagnostics:#?}", litmus.name));
        let (mut numbers, mut random) = (Numbers::new(seed), TestRunner::deterministic());
        let chips = (0..chips).map(|i| draw_chip(litmus, placement, i, &mut numbers, &mut random)).collect();
        Self { litmus, module, placement, chips, mutant, numbers }
    }

    /// The outcome on the functional machine.
    pub fn functional(&mut self) -> Result<Outcome, String> {
        self.run(Mode::Functional)
    }

    /// The outcome on the timed machine with the next timing.
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
            // In the chunk behind the word's own, in the same partition.
            let plug = self.numbers.one_of(&[words.plugs[0], words.plugs[1]]).offset(4 * block);
            let bytes = [wait.to_le_bytes(), plug.address().to_le_bytes()].concat();
            gpu.copy_in(control.offset(8 * block), &bytes).map_err(|e| e.to_string())?;
        }
        let clusters = gpu.chip().clusters;
        let delay = (self.numbers.below(4) > 0).then(|| Delay {
            cluster: self.numbers.below(clusters as usize) as u32,
            store: self.numbers.below(4) as u64,
            cycles: self.numbers.below(4_000) as u64,
        });
        let hooks = Hooks { mutant: self.mutant, delay };
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

    /// Places the words x and y, and a word for each block that goes to the same partition as one of them.
    fn words(&mut self, gpu: &mut Gpu) -> Words {
        let (chunk, partitions) = (gpu.chip().partition.chunk_bytes, gpu.chip().partitions);
        let map = AddressMap::new(chunk, partitions);
        let base = gpu.malloc(u64::from(chunk * (4 * partitions + 1))).expect("there is room");
        // From the first whole chunk on.
        let first = base.offset(base.address().next_multiple_of(chunk) - base.address());
        let at = |number: u32| first.offset(number * chunk);
        let together = self.placement == Placement::OnePartition;
        let y = match (together, self.numbers.below(2)) {
            (true, 0) => first.offset(64),
            (true, _) => at(partitions),
            (false, _) => at(1),
        };
        let owner = |at: DevicePtr| map.locate(at.address()).0;
        assert_eq!(owner(first) == owner(y), together, "x and y lie as the placement says");
        let plug = |word: DevicePtr| word.offset(2 * partitions * chunk);
        assert!(owner(plug(first)) == owner(first) && owner(plug(y)) == owner(y));
        Words { x: first, y, plugs: [plug(first), plug(y)] }
    }
}

/// Chip number `number`: every other one is random, the others are a G80 but for the number of their parts.
fn draw_chip(
    litmus: &Litmus,
    placement: Placement,
    number: usize,
    numbers: &mut Numbers,
    random: &mut TestRunner,
) -> Chip {
    let spec = if number.is_multiple_of(2) {
        ChipSpec::new([])
    } else {
        chip().new_tree(random).expect("chips are never rejected").current()
    };
    let blocks = litmus.blocks.to_string();
    let (clusters, sms) = match placement {
        Placement::OneCluster => ("1", numbers.one_of(&["1", "2", &*blocks])),
        Placement::Apart | Placement::OnePartition => (&*blocks, "1"),
    };
    let parts =
        [("clusters", clusters), ("cluster.sms", sms), ("partitions", numbers.one_of(&["2", "3", "6"]))];
    // Room for all blocks on one SM.
    spec.with(&parts).with(&[("sm.max_blocks", "8"), ("sm.max_warps", "16")]).chip()
}

struct Words {
    x: DevicePtr,
    y: DevicePtr,
    plugs: [DevicePtr; 2],
}
