//! Speed of the simulator on one launch of each kind of work, mostly in warp instructions per
//! second.
//!
//! `cargo bench -p kernels --bench engine`; a filter after `--` selects rows: `-- matmul-naive`.
//! Only the launch is timed: no compiling, no copies, no reference. `docs/BENCHMARKS.md` has the
//! table of the rows.

mod built_in;
mod own;

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch, Mode, RunOptions};
use sim_core::stats::Report;
use std::time::Duration;

/// One launch that is timed.
struct Row {
    name: &'static str,
    /// Builds a GPU with filled buffers, and the launch.
    prepare: fn() -> (Gpu, Launch),
    mode: Mode,
    /// Most host threads.
    threads: usize,
    /// Work of the launch, whose rate criterion prints as elements per second.
    work: fn(&Report) -> u64,
}

impl Row {
    /// A row on one host thread, in warp instructions.
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

/// All rows. The names contain chip and kernel, so that a filter can select either.
static ROWS: [Row; 12] = [
    Row::timed("matmul-tiled-g80", || built_in::matmul("matmul-tiled", "g80", 512)),
    Row::timed("matmul-naive-g80", || built_in::matmul("matmul-naive", "g80", 512)),
    Row::timed("reduce-interleaved-g80", built_in::reduce),
    Row::timed("coulomb-v3-g80", built_in::coulomb),
    Row::timed("matmul-tiled-fermi", || built_in::matmul("matmul-tiled", "fermi", 512)),
    Row::timed("histogram-shared-gtx460", built_in::histogram),
    Row::timed("gather-fermi", own::gather).in_units(load_transactions),
    Row::timed("chase-fermi", own::chase).in_units(sm_cycles),
    Row::timed("matmul-tiled-functional", || built_in::matmul("matmul-tiled", "g80", 1024)).functional(),
    Row::timed("matmul-tiled-g80-two-threads", || built_in::matmul("matmul-tiled", "g80", 512)).two_threads(),
    Row::timed("matmul-naive-g80-two-threads", || built_in::matmul("matmul-naive", "g80", 512)).two_threads(),
    Row::timed("reduce-interleaved-g80-two-threads", built_in::reduce).two_threads(),
];

fn warp_instructions(report: &Report) -> u64 {
    report.instructions.warp
}

fn load_transactions(report: &Report) -> u64 {
    report.timing.as_ref().expect("the launch is timed").global.load.transactions
}

/// Shader cycles of the launch, once for each SM.
fn sm_cycles(report: &Report) -> u64 {
    report.timing.as_ref().expect("the launch is timed").cycles * u64::from(report.chip.sms)
}

/// A GPU of a built-in chip.
fn gpu(chip: &str) -> Gpu {
    Gpu::new(Chip::builtin(chip).expect("the chip is built in"))
}

/// A new buffer with `words`.
fn buffer(gpu: &mut Gpu, words: impl Iterator<Item = u32>) -> Arg {
    let data: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
    let pointer = gpu.malloc(data.len() as u64).expect("device memory suffices");
    gpu.copy_in(pointer, &data).expect("the buffer is as long as the data");
    Arg::Ptr(pointer)
}

/// Whether the command line selects the row, as far as its words match names: criterion applies its
/// filter only after the launch that counts a row's work, which takes seconds.
fn selected(row: &Row) -> bool {
    let named = |word: &String| ROWS.iter().any(|row| row.name.contains(word.as_str()));
    let letters = |word: &String| word.contains(char::is_alphabetic);
    let mut filters = std::env::args().skip(1).filter(|word| letters(word) && named(word)).peekable();
    filters.peek().is_none() || filters.any(|word| row.name.contains(&word))
}

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    for row in ROWS.iter().filter(|row| selected(row)) {
        let (mut gpu, launch) = (row.prepare)();
        let options = RunOptions { threads: row.threads, ..RunOptions::default() };
        let launch = launch.mode(row.mode).options(options);
        let report = gpu.launch(&launch).expect("the chip takes the launch");
        assert!(report.verdict.is_finished(), "{} ends", row.name);
        group.throughput(Throughput::Elements((row.work)(&report)));
        group.bench_function(row.name, |bencher| bencher.iter(|| gpu.launch(&launch)));
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
