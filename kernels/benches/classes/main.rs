//! Host time of each class of instructions, timed and functional, in warp instructions per second.
//!
//! `cargo bench -p kernels --bench classes`; a filter after `--` selects classes: `-- f64`. A
//! benchmark is one launch of `kernel.ptx`, whose loop consists of the instructions of a line of
//! `classes.tsv`. With `--counts`, and the beginning of a name or nothing, each launch is made once
//! with a short and a long loop, for `scripts/classes`, which counts host instructions.

use criterion::{Criterion, SamplingMode, Throughput};
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch, Mode, ModuleId, RunOptions};
use std::hint::black_box;
use std::time::Duration;

/// The kernel, with a line of three dots in place of the instructions.
const KERNEL: &str = include_str!("kernel.ptx");
/// The classes: name, instructions, number of plain instructions among them.
const CLASSES: &str = include_str!("classes.tsv");
/// The class with which others are compared.
const PLAIN: &str = "add.s32";
/// Number of instructions in the loop; rounded up to a whole number of copies.
const LENGTH: usize = 64;
/// Threads of the only block: 16 warps hide the latency of most instructions.
const THREADS: u32 = 512;
/// Rounds of the short and of the long loop of `--counts`.
const ROUNDS: [u32; 2] = [1, 9];
/// Rounds of a benchmark.
const MANY: u32 = 200;

/// One class of instructions.
struct Class {
    name: &'static str,
    instructions: Vec<&'static str>,
}

impl Class {
    /// Number of copies of the instructions in the loop.
    fn copies(&self) -> usize {
        LENGTH.div_ceil(self.instructions.len())
    }

    /// Warp instructions of the class in `rounds` rounds.
    fn warp_instructions(&self, rounds: u32) -> u64 {
        (self.copies() * self.instructions.len()) as u64 * u64::from(rounds * THREADS / 32)
    }

    /// The PTX text.
    fn text(&self) -> String {
        let once = format!("\t{};\n", self.instructions.join(";\n\t"));
        KERNEL.replace("...\n", &once.repeat(self.copies()))
    }

    /// A GPU with the kernel loaded.
    fn loaded(&self) -> (Gpu, ModuleId) {
        let mut gpu = Gpu::new(Chip::builtin("fermi").expect("the chip is built in"));
        let (module, errors) = isa::compile("classes.ptx", &self.text());
        let module = module.unwrap_or_else(|| panic!("{} does not compile: {errors:?}", self.name));
        let module = gpu.load(module).expect("the module fits");
        (gpu, module)
    }
}

/// The launch of `rounds` rounds.
fn launch(gpu: &mut Gpu, module: ModuleId, mode: Mode, rounds: u32) -> Launch {
    let data = gpu.malloc(4096 + 8 * u64::from(THREADS)).expect("device memory suffices");
    Launch::new(module, "classes", 1, THREADS)
        .args([Arg::Ptr(data), Arg::U32(rounds)])
        .mode(mode)
        .options(RunOptions { threads: 1, ..RunOptions::default() })
}

fn classes() -> impl Iterator<Item = Class> {
    CLASSES.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut columns = line.split('\t');
        let name = columns.next().unwrap_or_default();
        let instructions = columns.next().unwrap_or_default();
        Class { name, instructions: instructions.split_terminator(';').collect() }
    })
}

/// The name of a machine, and its mode.
const MODES: [(&str, Mode); 2] = [("timed", Mode::Timed), ("functional", Mode::Functional)];

/// The part of `--counts` whose host instructions are counted.
#[inline(never)]
fn counted_launch(gpu: &mut Gpu, launch: &Launch) {
    let report = gpu.launch(launch).expect("the chip accepts the launch");
    assert!(report.verdict.is_finished(), "{:?}", report.verdict);
    black_box(report);
}

/// Makes each launch of the plain class and of the classes whose names begin with `name` once.
/// Prints its class, its machine and its number of warp instructions.
fn counts(name: &str) {
    for class in classes().filter(|class| class.name == PLAIN || class.name.starts_with(name)) {
        for (machine, mode) in MODES {
            for rounds in ROUNDS {
                let (mut gpu, module) = class.loaded();
                let launch = launch(&mut gpu, module, mode, rounds);
                counted_launch(&mut gpu, &launch);
                println!("{}\t{machine}\t{}", class.name, class.warp_instructions(rounds));
            }
        }
    }
}

fn benchmarks(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("classes");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    group.measurement_time(Duration::from_millis(200));
    for class in classes() {
        for (machine, mode) in MODES {
            let (mut gpu, module) = class.loaded();
            let launch = launch(&mut gpu, module, mode, MANY);
            group.throughput(Throughput::Elements(class.warp_instructions(MANY)));
            let name = format!("{} {machine}", class.name);
            group.bench_function(name, |bencher| bencher.iter(|| gpu.launch(&launch)));
        }
    }
    group.finish();
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|word| word == "--counts") {
        return counts(words.get(at + 1).map_or("", String::as_str));
    }
    let mut criterion = Criterion::default().configure_from_args();
    benchmarks(&mut criterion);
    criterion.final_summary();
}
