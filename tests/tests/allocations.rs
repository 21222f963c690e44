//! After warm-up, a simulated cycle allocates no memory: a run of many more instructions makes
//! hardly more allocations.

use kernels::Settings;
use sim_core::host::{Arg, Gpu};
use warpsim_tests::device::{Device, g80_with};

/// Runs a workload at a size. Returns its number of warp instructions and of allocations.
fn run(workload: &str, size: u64) -> (u64, u64) {
    let mut gpu = Gpu::new(g80_with(&[]));
    let mut instructions = 0;
    let info = allocation_counter::measure(|| {
        let settings = Settings { size: Some(size), ..Settings::default() };
        let outcome = kernels::run(workload, &mut gpu, settings).expect("it runs");
        instructions = outcome.reports.iter().map(|r| r.instructions.warp).sum();
    });
    (instructions, info.count_total)
}

/// Pages of device memory are allocated when they are first written, and queues grow until they
/// have reached their largest length. Slots of warps and blocks allocate with their first block, so
/// that the smaller run must use all of them. Nothing else allocates.
///
/// Tests: `no-allocation-per-cycle`.
#[test]
fn nothing_allocates_per_cycle() {
    for (workload, small, large) in
        [("matmul-tiled", 128, 256), ("matmul-naive", 112, 224), ("reduce-halving", 32_768, 262_144)]
    {
        let ((few, before), (many, after)) = (run(workload, small), run(workload, large));
        assert!(many >= 7 * few, "{workload}: the larger run is much larger");
        let (more, instructions) = (after.saturating_sub(before), many - few);
        assert!(more < 1_000, "{workload}: {more} more allocations for {instructions} more instructions");
    }
}

/// A kernel in which each thread runs a loop that stores to and loads from local memory, and that
/// loads and adds through a generic address of global, shared or local memory.
const SPACES: &str = "
.version 2.3
.target sm_20
.entry k(.param .u32 p, .param .u32 n) {
.local .align 4 .b8 own[256]; .shared .align 4 .b8 sh[1024];
.reg .u32 %r<12>; .reg .pred %p<3>;
ld.param.u32 %r1, [p]; ld.param.u32 %r2, [n]; mov.u32 %r3, %tid.x; shl.b32 %r4, %r3, 2; add.u32 %r1, %r1, %r4;
cvta.shared.u32 %r5, sh; add.u32 %r5, %r5, %r4; cvta.local.u32 %r6, own;
and.b32 %r7, %r3, 1; setp.eq.u32 %p1, %r7, 0; selp.u32 %r5, %r5, %r1, %p1;
and.b32 %r7, %r3, 2; setp.eq.u32 %p1, %r7, 0; selp.u32 %r6, %r5, %r6, %p1;
L: and.b32 %r8, %r2, 63; shl.b32 %r8, %r8, 2; mov.u32 %r9, own; add.u32 %r8, %r8, %r9;
st.local.u32 [%r8], %r2; ld.volatile.local.u32 %r10, [%r8];
ld.volatile.u32 %r11, [%r6]; add.u32 %r11, %r11, %r10; st.u32 [%r6], %r11; red.add.u32 [%r5], 1;
sub.u32 %r2, %r2, 1; setp.ne.u32 %p2, %r2, 0; @%p2 bra L;
exit;
}
";

/// Tests: `no-allocation-per-cycle`.
#[test]
fn local_memory_and_generic_addresses_do_not_allocate_per_access() {
    let run = |rounds: u32| {
        let mut device = Device::on("fermi", SPACES);
        let p = device.upload(&[0; 256]);
        let launch = device.launch("k", (4, 1), (256, 1, 1)).args(vec![Arg::Ptr(p), Arg::U32(rounds)]);
        let mut instructions = 0;
        let info = allocation_counter::measure(|| instructions = device.run(&launch).instructions.warp);
        (instructions, info.count_total)
    };
    let ((few, before), (many, after)) = (run(100), run(1_000));
    let (more, instructions) = (after.saturating_sub(before), many - few);
    assert!(instructions > 300_000, "{instructions}");
    assert!(more < 1_000, "{more} more allocations for {instructions} more instructions");
}
