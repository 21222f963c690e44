//! How fast the timed machine runs, in warp instructions per second on one host thread.
//!
//! `cargo bench -p kernels`; a filter after `--` picks one: `cargo bench -p kernels -- matmul-naive`. What is timed
//! is the launch alone: no compiling, no copies, no reference. `docs/BENCHMARKS.md` keeps what was measured.

use criterion::{Criterion, SamplingMode, Throughput, criterion_group, criterion_main};
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch};
use std::time::Duration;

/// Width of the square matrices.
const WIDTH: u32 = 512;
/// Elements of the sum, and threads of a block that sums some of them.
const ELEMENTS: u32 = 1 << 20;
const BLOCK: u32 = 512;

/// A GPU with the workload `name` loaded, its buffers filled, and the launch that the workload's host program makes.
fn prepare(name: &str) -> (Gpu, Launch) {
    let workload = kernels::find(name).expect("the workload exists");
    let chip = Chip::builtin("g80").expect("the chip is built in");
    let mut gpu = Gpu::new(chip);
    let (module, _) = isa::compile(workload.file, workload.ptx);
    let module = gpu.load(module.expect("the workload compiles")).expect("the module fits");
    let mut buffer = |elements: u32| {
        let data: Vec<u8> = (0..elements).flat_map(|i| ((i % 7) as f32).to_le_bytes()).collect();
        let pointer = gpu.malloc(data.len() as u64).expect("device memory suffices");
        gpu.copy_in(pointer, &data).expect("the buffer is as long as the data");
        Arg::Ptr(pointer)
    };
    let entry = name.replace('-', "_");
    let launch = if entry.starts_with("matmul") {
        let matrices = [(); 3].map(|()| buffer(WIDTH * WIDTH));
        let args = matrices.into_iter().chain([Arg::S32(WIDTH as i32)]);
        Launch::new(module, &entry, (WIDTH / 16, WIDTH / 16), (16, 16)).args(args)
    } else {
        let args = [buffer(ELEMENTS), buffer(ELEMENTS / BLOCK), Arg::U32(ELEMENTS)];
        Launch::new(module, &entry, ELEMENTS / BLOCK, BLOCK).args(args)
    };
    (gpu, launch)
}

fn engine(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("engine");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    for name in ["matmul-tiled", "matmul-naive", "reduce-interleaved"] {
        let (mut gpu, launch) = prepare(name);
        let report = gpu.launch(&launch).expect("the chip takes the launch");
        assert!(report.verdict.is_finished(), "{name} ends");
        group.throughput(Throughput::Elements(report.instructions.warp));
        group.bench_function(name, |bencher| bencher.iter(|| gpu.launch(&launch)));
    }
    group.finish();
}

criterion_group!(benches, engine);
criterion_main!(benches);
