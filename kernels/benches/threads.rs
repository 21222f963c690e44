//! Speedup by more host threads for launches with much work, and overhead for launches with little.
//!
//! `cargo bench -p kernels --bench threads`; a filter after `--` selects one: `-- chase`. Each
//! launch runs with at most 1, 2 and 4 host threads. With several threads no case may take more
//! than 1.1 times as long as with one thread, even on a busy machine; `dense` should take about
//! half as long with 2 threads on free cores.

use criterion::{BenchmarkId, Criterion, SamplingMode, criterion_group, criterion_main};
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch, RunOptions};
use std::time::Duration;

/// `chase` waits after each load, `compute` never waits for memory, and `alternate` does both in
/// every round.
const TEXT: &str = "
.version 1.4
.target sm_10
.entry chase (.param .u32 chain, .param .u32 rounds)
{
	.reg .u32 %base, %at, %n;
	.reg .pred %more;
	ld.param.u32 %base, [chain];
	ld.param.u32 %n, [rounds];
	mov.u32 %at, %base;
next:
	ld.global.u32 %at, [%at];
	add.u32 %at, %at, %base;
	sub.u32 %n, %n, 1;
	setp.ne.u32 %more, %n, 0;
	@%more bra next;
	st.global.u32 [%base], 0;
	exit;
}
.entry compute (.param .u32 chain, .param .u32 rounds)
{
	.reg .u32 %base, %at, %n;
	.reg .pred %more;
	ld.param.u32 %base, [chain];
	ld.param.u32 %n, [rounds];
	mov.u32 %at, %tid.x;
next:
	xor.b32 %at, %at, %n;
	add.u32 %at, %at, %n;
	sub.u32 %n, %n, 1;
	setp.ne.u32 %more, %n, 0;
	@%more bra next;
	st.global.u32 [%base+4], %at;
	exit;
}
.entry alternate (.param .u32 chain, .param .u32 rounds)
{
	.reg .u32 %base, %at, %n, %k;
	.reg .pred %more;
	ld.param.u32 %base, [chain];
	ld.param.u32 %n, [rounds];
	mov.u32 %at, %base;
next:
	mov.u32 %k, 200;
load:
	ld.global.u32 %at, [%at];
	add.u32 %at, %at, %base;
	sub.u32 %k, %k, 1;
	setp.ne.u32 %more, %k, 0;
	@%more bra load;
	mov.u32 %k, 2000;
count:
	sub.u32 %k, %k, 1;
	setp.ne.u32 %more, %k, 0;
	@%more bra count;
	sub.u32 %n, %n, 1;
	setp.ne.u32 %more, %n, 0;
	@%more bra next;
	st.global.u32 [%base], 0;
	exit;
}
";

/// Name, kernel, blocks, threads per block, rounds.
const CASES: [(&str, &str, u32, u32, u32); 6] = [
    ("chase-in-one-warp", "chase", 1, 32, 50_000),
    ("chase-in-every-sm", "chase", 16, 32, 15_000),
    ("one-block", "compute", 1, 256, 15_000),
    ("one-warp-in-every-sm", "compute", 16, 32, 15_000),
    ("alternate", "alternate", 16, 64, 20),
    ("dense", "compute", 64, 256, 2_000),
];

fn threads(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("threads");
    group.sample_size(10).sampling_mode(SamplingMode::Flat).warm_up_time(Duration::from_millis(1));
    let (module, _) = isa::compile("threads.ptx", TEXT);
    let module = module.expect("the kernels compile");
    for (name, kernel, blocks, block, rounds) in CASES {
        let mut gpu = Gpu::new(Chip::builtin("g80").expect("the chip is built in"));
        let module = gpu.load(module.clone()).expect("the module fits");
        let chain = gpu.malloc(8).expect("device memory suffices");
        gpu.copy_in(chain, &[0; 8]).expect("the chain fits");
        let launch = Launch::new(module, kernel, blocks, block).args([Arg::Ptr(chain), Arg::U32(rounds)]);
        for threads in [1, 2, 4] {
            let launch = launch.clone().options(RunOptions { threads, ..RunOptions::default() });
            let report = gpu.launch(&launch).expect("the chip accepts the launch");
            assert!(report.verdict.is_finished(), "{name} does not finish");
            let id = BenchmarkId::new(name, threads);
            group.bench_function(id, |bencher| bencher.iter(|| gpu.launch(&launch)));
        }
    }
    group.finish();
}

criterion_group!(benches, threads);
criterion_main!(benches);
