//! Speed of the simulator on one launch of each kind of work, usually in warp instructions per
//! second.
//!
//! `cargo bench -p kernels --bench engine`; a filter after `--` selects benchmarks: `--
//! matmul-naive`. Only the launch is timed: no compilation, no copies, no reference.
//! `docs/PERFORMANCE.md` lists the benchmarks.

mod built_in;
mod memory;
mod workloads;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch, Mode, RunOptions};
use sim_core::stats::Report;
use std::time::Duration;

/// One timed launch.
struct Benchmark {
    name: &'static str,
    /// Creates a GPU with filled buffers, and the launch.
    prepare: fn() -> (Gpu, Launch),
    mode: Mode,
    /// Maximum number of host threads.
    threads: usize,
    /// Amount of work of the launch; criterion prints its rate as elements per second.
    work: fn(&Report) -> u64,
}

impl Benchmark {
    /// A benchmark on one host thread, measured in warp instructions.
    const fn timed(name: &'static str, prepare: fn() -> (Gpu, Launch)) -> Self {
        Self { name, prepare, mode: Mode::Timed, threads: 1, work: warp_instructions }
    }

    const fn functional(self) -> Self {
        Self { mode: Mode::Functional, ..self }
    }

    const fn two_threads(self) -> Self {
        Self { threads: 2, ..self }
    }

    const fn in_units(self, work: fn(&Report) -> u64) -> Self {
        Self { work, ..self }
    }
}

/// All benchmarks. The names contain chip and kernel, so that a filter can select either.
static BENCHMARKS: [Benchmark; 17] = [
    Benchmark::timed("matmul-tiled-g80", || built_in::matmul("matmul-tiled", "g80", 512)),
    Benchmark::timed("matmul-naive-g80", || built_in::matmul("matmul-naive", "g80", 512)),
    Benchmark::timed("reduce-interleaved-g80", built_in::reduce),
    Benchmark::timed("coulomb-v3-g80", built_in::coulomb),
    Benchmark::timed("matmul-tiled-fermi", || built_in::matmul("matmul-tiled", "fermi", 512)),
    Benchmark::timed("histogram-shared-gtx460", built_in::histogram),
    Benchmark::timed("gather-fermi", memory::gather).in_units(load_transactions),
    Benchmark::timed("chase-fermi", memory::chase).in_units(sm_cycles),
    Benchmark::timed("columns-fermi", workloads::columns),
    Benchmark::timed("sparse-fermi", workloads::sparse),
    Benchmark::timed("search-fermi", workloads::search),
    Benchmark::timed("counters-fermi", workloads::counters),
    Benchmark::timed("forces-fermi", workloads::forces),
    Benchmark::timed("matmul-tiled-functional", || built_in::matmul("matmul-tiled", "g80", 1024))
        .functional(),
    Benchmark::timed("matmul-tiled-g80-two-threads", || built_in::matmul("matmul-tiled", "g80", 512))
        .two_threads(),
    Benchmark::timed("matmul-naive-g80-two-threads", || built_in::matmul("matmul-naive", "g80", 512))
        .two_threads(),
    Benchmark::timed("reduce-interleaved-g80-two-threads", built_in::reduce).two_threads(),
];

fn warp_instructions(report: &Report) -> u64 {
    report.instructions.warp
}

fn load_transactions(report: &Report) -> u64 {
    report.timing.as_ref().expect("the launch is timed").global.load.transactions
}

/// Shader cycles of the launch, multiplied by the number of SMs.
fn sm_cycles(report: &Report) -> u64 {
    report.timing.as_ref().expect("the launch is timed").cycles * u64::from(report.chip.sms)
}

/// Creates a GPU of a built-in chip.
fn gpu(chip: &str) -> Gpu {
    Gpu::new(Chip::builtin(chip).expect("the chip is built in"))
}

/// Creates a buffer with the content `words`.
fn buffer(gpu: &mut Gpu, words: impl Iterator<Item = u32>) -> Arg {
    let data: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let pointer = gpu.malloc(data.len() as u64).expect("device memory suffices");
    gpu.copy_in(pointer, &data).expect("the buffer is as long as the data");
    Arg::Ptr(pointer)
}

/// Whether the command line selects the benchmark. Criterion applies its filter only after the
/// launch that counts the work, which takes seconds.
fn selected(benchmark: &Benchmark) -> bool {
    let named = |word: &String| BENCHMARKS.iter().any(|benchmark| benchmark.name.contains(word.as_str()));
    let letters = |word: &String| word.contains(char::is_alphabetic);
    let mut filters = std::env::args().skip(1).filter(|word| letters(word) && named(word)).peekable();
    filters.peek().is_none() || filters.any(|word| benchmark.name.contains(&word))
}

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    for benchmark in BENCHMARKS.iter().filter(|benchmark| selected(benchmark)) {
        let (mut gpu, launch) = (benchmark.prepare)();
        let options = RunOptions { threads: benchmark.threads, ..RunOptions::default() };
        let launch = launch.mode(benchmark.mode).options(options);
        let report = gpu.launch(&launch).expect("the chip accepts the launch");
        assert!(report.verdict.is_finished(), "{} does not finish", benchmark.name);
        group.throughput(Throughput::Elements((benchmark.work)(&report)));
        group.bench_function(benchmark.name, |bencher| bencher.iter(|| gpu.launch(&launch)));
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
