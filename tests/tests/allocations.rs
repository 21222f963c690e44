//! Memory of the simulator. After warm-up, a simulated cycle allocates no memory: a run of many
//! more instructions makes hardly more allocations. The memory of a launch does not grow with its
//! blocks.

use kernels::Settings;
use sim_core::host::{Arg, Gpu, Mode};
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
st.local.u32 [%r8], %r2; ld.local.u32 %r10, [%r8];
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

/// A kernel with `registers` values that live across a barrier. A thread loads a word, `apart`
/// bytes after the word of the thread before it.
fn loads(registers: u32, apart: u32) -> String {
    let each = |text: &dyn Fn(u32) -> String| (0..registers).map(text).collect::<String>();
    let load = each(&|n| format!("add.u32 %v{n}, %r4, {n};\n"));
    let store = each(&|n| format!("xor.b32 %r4, %r4, %v{n};\n"));
    format!(
        ".version 2.3\n.target sm_10\n.entry k(.param .u32 p) {{\n.reg .u32 %r<8>, %v<{registers}>;\n\
         ld.param.u32 %r1, [p]; mov.u32 %r2, %tid.x; mul.lo.u32 %r3, %r2, {apart}; add.u32 %r3, %r1, %r3;\n\
         ld.global.u32 %r4, [%r3];\n{load}bar.sync 0;\n{store}st.global.u32 [%r1], %r4;\nexit;\n}}\n"
    )
}

/// Bytes that a launch of the kernel `text` has allocated at most at one time, without those of
/// device memory.
fn most_bytes(chip: &str, text: &str, grid: (u32, u32), threads: u32, mode: Mode) -> u64 {
    let mut device = Device::on(chip, text);
    let p = device.upload(&vec![0; 32 << 10]);
    let launch = device.launch("k", grid, (threads, 1, 1)).args(vec![Arg::Ptr(p)]).mode(mode);
    allocation_counter::measure(|| drop(device.run(&launch))).bytes_max
}

/// Tests: `no-allocation-per-cycle`.
#[test]
fn many_blocks_need_no_more_memory_than_few() {
    let text = loads(1, 4);
    for mode in [Mode::Timed, Mode::Functional] {
        let bytes = |rows| most_bytes("fermi", &text, (1024, rows), 64, mode);
        let (few, many) = (bytes(1), bytes(64));
        // A long launch is examined for whether it ends, which copies the state of a block.
        let most = few + few / 100 + 2000;
        assert!(many <= most, "{mode:?}: {few} bytes for 1,024 blocks, {many} for 65,536");
    }
}

/// Prints the table of `docs/PERFORMANCE.md`: `cargo test -p warpsim-tests --test allocations --
/// --ignored --nocapture`.
#[test]
#[ignore = "a measurement"]
fn bytes_of_the_simulator() {
    let held = |words: usize| {
        let mut gpu = Gpu::new(g80_with(&[]));
        let bytes = vec![1; 4 * words];
        let all = allocation_counter::measure(|| {
            let to = gpu.malloc(bytes.len() as u64).expect("it fits");
            gpu.copy_in(to, &bytes).expect("it is as long");
        });
        all.bytes_current as f64
    };
    let each = (held(5 << 20) - held(1 << 20)) / f64::from(16 << 20);
    println!("| byte of device memory that was written | {each:.3} |");
    for (chip, sms, threads) in [("g80", 16, 512), ("fermi", 15, 1024)] {
        let timed = |text: &str, blocks, threads| most_bytes(chip, text, (blocks, 1), threads, Mode::Timed);
        let (few, many) = (loads(1, 4), loads(14, 4));
        let (one, all) = (timed(&few, 1, 32), timed(&few, sms, 32));
        println!("| {chip}: launch of one warp | {one} |");
        println!("| {chip}: SM with a block | {} |", (all - one) / u64::from(sms - 1));
        for (text, registers) in [(&few, "few"), (&many, "13 more")] {
            let warps = u64::from(threads / 32 - 1);
            let more = timed(text, 1, threads) - timed(text, 1, 32);
            println!("| {chip}: warp with {registers} registers | {} |", more / warps);
        }
        let far = loads(1, 128);
        let transactions = u64::from(sms * threads / 32);
        let more = timed(&far, sms, threads).saturating_sub(timed(&few, sms, threads));
        println!("| {chip}: transaction | {} |", more / (31 * transactions));
        let functional = |threads| most_bytes(chip, &many, (sms, 1), threads, Mode::Functional);
        println!(
            "| {chip}: functional launch, of 1 and of {} warps | {} and {} |",
            threads / 32,
            functional(32),
            functional(threads)
        );
    }
}
