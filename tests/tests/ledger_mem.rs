//! Global and shared memory of all three chips: rows MEM-01 to MEM-07, MEM-13 and MEM-16 of the claims
//! ledger.
//!
//! The numbers are those of NVIDIA's guide. G80 (compute capability 1.0): a half-warp coalesces in order into one
//! aligned segment or not at all, and then moves 32 bytes per lane. GT200 (1.3): a half-warp makes one transaction for
//! each segment that it touches, as small as holds what is asked. Fermi (2.0): a warp loads whole lines of 128 bytes,
//! here at first touch, and stores sectors of 32. What its caches do with them: `ledger_caches.rs`.

use kernels::Settings;
use sim_core::host::{Arg, Gpu, HostError, LaunchError, Mode};
use sim_core::stats::{GlobalCounters, Report};
use warpsim_tests::device::{CHIPS, Device, chip_with, pointers, timing};
use warpsim_tests::matmul::{Method, Product, reference};

const COALESCING: &str = include_str!("../ptx/coalescing.ptx");
const WALK: &str = include_str!("../ptx/walk.ptx");

/// The single load of a block of `threads` threads on `chip`, thread t at word `index(t)`, or idle where that is
/// `None`. `ptx` makes the same index in `%i` of thread `%t`, and sets `%idle`.
fn gather(chip: &str, threads: u32, ptx: &str, index: impl Fn(u32) -> Option<u32>) -> GlobalCounters {
    let mut device = Device::on(chip, &COALESCING.replace("// INDEX", ptx));
    let words: Vec<u32> = (0..256).map(|i| 1000 + i).collect();
    let (input, out) = (device.upload(&words), device.upload(&vec![0; threads as usize]));
    assert_eq!(input.address() % 256, 0, "allocations are aligned");
    let launch = device.launch("gather", (1, 1), (threads, 1, 1)).args(pointers(&[input, out]));
    let report = device.run(&launch);
    let expected: Vec<u32> = (0..threads).map(|t| index(t).map_or(0, |i| 1000 + i)).collect();
    assert_eq!(device.download(out, threads as usize), expected);
    let load = timing(&report).global.load;
    assert_eq!(load.requests, 1);
    let asked = (0..threads).filter(|t| index(*t).is_some()).count();
    assert_eq!(load.bytes_asked, 4 * asked as u64);
    load
}

/// (transactions, bytes moved)
fn moved(load: GlobalCounters) -> (u64, u64) {
    (load.transactions, load.bytes_moved)
}

/// MEM-01: a half-warp that reads 32-bit words in order from an aligned segment makes one transaction of 64 bytes,
/// also where a lane is idle. Fermi loads the line.
#[test]
fn mem_01_in_order_with_an_idle_lane() {
    for (chip, half, warp) in
        [("g80", (1, 64), (2, 128)), ("gt200", (1, 64), (2, 128)), ("fermi", (1, 128), (1, 128))]
    {
        assert_eq!(moved(gather(chip, 16, "mov.u32 %i, %t;", Some)), half, "{chip}");
        for idle in 0..16 {
            let ptx = format!("mov.u32 %i, %t; setp.eq.u32 %idle, %t, {idle};");
            let load = gather(chip, 16, &ptx, |t| (t != idle).then_some(t));
            assert_eq!(moved(load), half, "{chip}, lane {idle} idle");
            if chip == "g80" {
                assert_eq!((load.coalesced_groups, load.uncoalesced_groups), (1, 0));
            }
        }
        // The half-warps of a warp are looked at apart from each other, but on Fermi.
        assert_eq!(moved(gather(chip, 32, "mov.u32 %i, %t;", Some)), warp, "{chip}, a whole warp");
    }
}

/// MEM-02: two lanes swapped, still within the segment: 16 transactions on the G80, one on those that came later.
#[test]
fn mem_02_two_lanes_swapped() {
    // The other half-warp of a G80 is none the worse for it.
    for (chip, half, warp) in
        [("g80", (16, 512), (16 + 1, 512 + 64)), ("gt200", (1, 64), (2, 128)), ("fermi", (1, 128), (1, 128))]
    {
        for (a, b) in [(0, 1), (3, 12), (14, 15)] {
            let ptx = format!(
                "mov.u32 %i, %t; setp.eq.u32 %p, %t, {a}; @%p mov.u32 %i, {b}; \
                 setp.eq.u32 %p, %t, {b}; @%p mov.u32 %i, {a};"
            );
            let swapped =
                |t| Some([(a, b), (b, a)].iter().find(|(from, _)| *from == t).map_or(t, |(_, to)| *to));
            let load = gather(chip, 16, &ptx, swapped);
            assert_eq!(moved(load), half, "{chip}, lanes {a} and {b}");
            if chip == "g80" {
                assert_eq!((load.coalesced_groups, load.uncoalesced_groups), (0, 1));
            }
            assert_eq!(moved(gather(chip, 32, &ptx, swapped)), warp, "{chip}, a whole warp");
        }
    }
}

/// MEM-03: in order but beginning off a 64-byte boundary. The G80 makes 16 transactions; they are of 32 bytes by
/// NVIDIA's guide, and the book's 64 are a slip. The GT200 makes one of 128 bytes if all lies in one segment of 128,
/// else two, the smaller of which has 32. Fermi loads every line that is touched.
#[test]
fn mem_03_in_order_but_misaligned() {
    for offset in 1..32 {
        let ptx = format!("add.u32 %i, %t, {offset};");
        let load = |chip, threads| moved(gather(chip, threads, &ptx, |t| Some(t + offset)));
        // 16 words further on begins another segment of 64 bytes.
        let aligned = offset == 16;
        assert_eq!(load("g80", 16), if aligned { (1, 64) } else { (16, 16 * 32) }, "{offset} words off");
        let on_gt200 = match offset {
            16 => (1, 64),
            0..16 => (1, 128),
            24 => (2, 32 + 32),
            _ => (2, 64 + 32),
        };
        assert_eq!(load("gt200", 16), on_gt200, "{offset} words off");
        let lines = if offset <= 16 { 1 } else { 2 };
        assert_eq!(load("fermi", 16), (lines, 128 * lines), "{offset} words off");
        assert_eq!(load("fermi", 32), (2, 256), "{offset} words off, a whole warp");
    }
}

/// MEM-04: threads that walk along rows, a row apart from each other, never share a transaction: 8 bytes moved for
/// each byte used on G80 and GT200, 32 on Fermi at first touch. Threads that walk down columns side by side always do:
/// 1 for 1.
#[test]
fn mem_04_walking_rows_and_columns() {
    const WIDTH: u32 = 64;
    let words: Vec<u32> = (0..WIDTH * WIDTH).collect();
    let row_sum = |t: u32| (0..WIDTH).map(|k| t * WIDTH + k).sum::<u32>();
    let column_sum = |t: u32| (0..WIDTH).map(|k| k * WIDTH + t).sum::<u32>();
    let run = |chip: &str, entry: &str, sum: &dyn Fn(u32) -> u32| {
        let mut device = Device::on(chip, WALK);
        let (input, out) = (device.upload(&words), device.upload(&[0; WIDTH as usize]));
        let mut args = pointers(&[input, out]);
        args.push(Arg::U32(WIDTH));
        let report = device.run(&device.launch(entry, (2, 1), (32, 1, 1)).args(args));
        let expected: Vec<u32> = (0..WIDTH).map(sum).collect();
        assert_eq!(device.download(out, WIDTH as usize), expected, "{entry}");
        let load = timing(&report).global.load;
        assert_eq!(load.bytes_asked, u64::from(4 * WIDTH * WIDTH), "every element once");
        (load, timing(&report).global.load_efficiency)
    };
    let warps = u64::from(WIDTH * WIDTH / 32);
    for (chip, bytes_per_byte, per_warp) in [("g80", 8, 2), ("gt200", 8, 2), ("fermi", 32, 1)] {
        let (rows, efficiency) = run(chip, "walk_rows", &row_sum);
        assert_eq!(
            (rows.transactions, rows.bytes_moved),
            (32 * warps, bytes_per_byte * rows.bytes_asked),
            "{chip}"
        );
        assert!((efficiency - 1.0 / bytes_per_byte as f64).abs() < f64::EPSILON, "{chip}");

        let (columns, efficiency) = run(chip, "walk_columns", &column_sum);
        assert_eq!(
            (columns.transactions, columns.bytes_moved),
            (per_warp * warps, columns.bytes_asked),
            "{chip}"
        );
        assert!((efficiency - 1.0).abs() < f64::EPSILON, "{chip}");
        if chip == "g80" {
            assert_eq!((rows.coalesced_groups, rows.uncoalesced_groups), (0, 2 * warps));
            assert_eq!((columns.coalesced_groups, columns.uncoalesced_groups), (2 * warps, 0));
        }
    }
}

/// The report of a built-in workload, its result checked.
fn builtin(chip: &str, name: &str, size: u64) -> Report {
    let mut gpu = Gpu::new(chip_with(chip, &[]));
    let outcome = kernels::run(name, &mut gpu, Settings { size: Some(size), ..Settings::default() });
    let outcome = outcome.unwrap_or_else(|e| panic!("{e}"));
    assert!(outcome.check.passed(), "{}", outcome.summary);
    outcome.reports.into_iter().next().expect("one launch")
}

/// MEM-05: with tiles of 16 x 16 every load of a tile coalesces, and shared memory is read without conflicts: a
/// half-warp reads one word of the left tile, which is broadcast, and 16 words in 16 banks of the right one.
///
/// A row of the tile is 64 bytes: a segment of G80 and GT200, and half a line of Fermi, whose warp takes two rows of
/// the tile and so two lines; the halves that it does not use are another block's, or the next phase's.
#[test]
fn mem_05_tile_loads_coalesce_and_shared_reads_do_not_conflict() {
    const WIDTH: u64 = 64;
    let threads = WIDTH * WIDTH;
    for (chip, line, lanes) in [("g80", 64, 16), ("gt200", 64, 16), ("fermi", 128, 32)] {
        let report = builtin(chip, "matmul-tiled", WIDTH);
        let (global, shared) = (&timing(&report).global, &timing(&report).shared);
        let (loaded, stored) = (2 * WIDTH / 16 * threads, threads);
        assert_eq!((global.load.bytes_asked, global.store.bytes_asked), (4 * loaded, 4 * stored), "{chip}");
        let rows = loaded / 16;
        assert_eq!((global.load.transactions, global.load.bytes_moved), (rows, rows * line), "{chip}: loads");
        assert_eq!(global.store.bytes_moved, 4 * stored, "{chip}: stores");
        if chip == "g80" {
            assert_eq!((global.load.coalesced_groups, global.load.uncoalesced_groups), (rows, 0));
            assert_eq!((global.store.coalesced_groups, global.store.uncoalesced_groups), (stored / 16, 0));
        }
        for (what, counters, words) in
            [("reads", shared.load, 2 * WIDTH * threads), ("writes", shared.store, 2 * WIDTH / 16 * threads)]
        {
            assert_eq!(counters.bytes_asked, 4 * words, "{chip}: {what} by the lanes");
            let passes = (counters.passes, counters.conflict_passes);
            assert_eq!(passes, (words / lanes, 0), "{chip}: {what}, a pass per {lanes} lanes");
        }
        assert_eq!(timing(&report).slots.replay_bank_conflict, 0, "{chip}");
    }
}

/// Small whole numbers that differ from place to place.
fn matrix(width: u32, salt: u32) -> Vec<f32> {
    (0..width * width).map(|i| ((i * 7 + i / width * 3 + salt) % 11) as u16).map(f32::from).collect()
}

/// Global loads of threads, not of warps and not transactions.
fn thread_loads(report: &Report) -> u64 {
    timing(report).global.load.bytes_asked / 4
}

/// MEM-06: without tiles each thread loads 2 x width words; with tiles of N x N exactly N times fewer.
#[test]
fn mem_06_tiles_cut_loads_by_their_side() {
    const WIDTH: u32 = 32;
    let (left, right) = (matrix(WIDTH, 1), matrix(WIDTH, 5));
    let expected = reference(WIDTH, &left, &right);
    for chip in CHIPS {
        let run = |method| {
            let mut product = Product::new(chip_with(chip, &[]), method, Mode::Timed, WIDTH, &left, &right);
            let (report, found) = product.run();
            assert_eq!(found, expected, "{chip}: {method:?}");
            thread_loads(&report)
        };
        let naive = run(Method::Naive(16));
        assert_eq!(naive, u64::from(2 * WIDTH * WIDTH * WIDTH));
        for side in [2, 4, 8, 16] {
            let tiled = run(Method::Tiled(side));
            assert_eq!(tiled * u64::from(side), naive, "{chip}: tiles of {side} x {side}");
        }
        let builtin = builtin(chip, "matmul-tiled", WIDTH.into());
        assert_eq!(thread_loads(&builtin) * 16, naive, "{chip}: the built-in kernel");
    }
}

/// MEM-07: a block with tiles of 16 x 16 does 512 loads per phase for 8,192 additions and multiplications, which are
/// 4,096 multiply-adds; with tiles of 32 x 32 it is 2,048 loads for 65,536.
///
/// A block of 32 x 32 threads needs a chip that takes 1,024: Fermi does, G80 and GT200 refuse it, and run it with their
/// limits raised.
#[test]
fn mem_07_work_per_load_of_a_phase() {
    // One block and one phase: matrices as large as the tile.
    let (left, right) = (matrix(32, 2), matrix(32, 3));
    let raised = [
        ("limits.threads_per_block", "1024"),
        ("sm.max_threads", "1024"),
        ("sm.max_warps", "32"),
        ("sm.registers", "32768"),
    ];
    for name in CHIPS {
        let large = chip_with(name, if name == "fermi" { &[] } else { &raised });
        let sides = [(chip_with(name, &[]), 16, 512, 8_192), (large, 32, 2_048, 65_536)];
        for (chip, side, loads, operations) in sides {
            let count = (side * side) as usize;
            let (left, right) = (&left[..count], &right[..count]);
            let (report, found) =
                Product::new(chip, Method::Tiled(side), Mode::Timed, side, left, right).run();
            assert_eq!(found, reference(side, left, right));
            assert_eq!(thread_loads(&report), loads, "{name}");
            assert_eq!(report.instructions.flops, operations, "{name}");
            let mads = report.instructions.by_class.iter().find(|(class, _)| *class == "fp_mad");
            assert_eq!(mads.map(|(_, warps)| warps * 32), Some(operations / 2), "{name}: as multiply-adds");
        }
    }
    for name in ["g80", "gt200"] {
        let chip = chip_with(name, &[]);
        let refusal = Product::new(chip, Method::Tiled(32), Mode::Timed, 32, &left, &right).refusal();
        let HostError::Launch(LaunchError::Limit { limit, needed: 1024, available: 512, .. }) = &refusal
        else {
            panic!("{refusal}");
        };
        assert_eq!(limit, "threads per block");
    }
}

/// A kernel in which each thread adds up 8 numbers: those that it has put into an array of its own, at places that
/// depend on the thread; or, without the array, those that it holds in a register.
fn automatic(array: bool) -> String {
    let put = "add.u32 %i, %n, %k; and.b32 %i, %i, 7; shl.b32 %i, %i, 2; add.u32 %i, %i, %base; st.local.u32 [%i], %k;";
    let get = "shl.b32 %i, %k, 2; add.u32 %i, %i, %base; ld.local.u32 %v, [%i]; add.u32 %sum, %sum, %v;";
    let body = |with: &str, without: &str| if array { with.to_owned() } else { without.to_owned() };
    let (put, get) = (body(put, ""), body(get, "add.u32 %sum, %sum, %k;"));
    let declared = if array { ".local .align 4 .b8 a[32];\nmov.u32 %base, a;" } else { "" };
    format!(
        ".version 1.4\n.target sm_10\n.entry k(.param .u32 out) {{
        .reg .u32 %n, %k, %i, %v, %sum, %base, %at; .reg .pred %p;
        {declared}
        mov.u32 %n, %tid.x; mov.u32 %sum, 0; mov.u32 %k, 0;
        PUT: {put} add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 8; @%p bra PUT;
        mov.u32 %k, 0;
        GET: {get} add.u32 %k, %k, 1; setp.lt.u32 %p, %k, 8; @%p bra GET;
        ld.param.u32 %at, [out]; shl.b32 %i, %n, 2; add.u32 %at, %at, %i; st.global.u32 [%at], %sum; exit; }}"
    )
}

/// MEM-13: an automatic array lives in local memory, which is off the chip: it shows as local traffic and on the DRAM's
/// bus, or, on Fermi, in the L1, as long as that holds it. What stays in registers does not.
#[test]
fn mem_13_an_automatic_array_is_off_chip() {
    for name in CHIPS {
        let traffic = |array| {
            let mut device = Device::on(name, &automatic(array));
            let out = device.upload(&[0; 64]);
            let launch = device.launch("k", (1, 1), (64, 1, 1)).args(pointers(&[out]));
            let report = device.run(&launch);
            assert_eq!(device.download(out, 64), [28; 64], "{name}");
            let timing = timing(&report).clone();
            (timing.local, timing.dram.read_bytes, timing.dram.write_bytes, timing.l1)
        };
        let (with, without) = (traffic(true), traffic(false));
        assert_eq!((with.0.store.requests, with.0.load.requests), (16, 16), "{name}: 8 for each warp");
        assert_eq!((without.0.store.requests, without.0.load.requests), (0, 0), "{name}");
        assert_eq!(without.1, 0, "{name}");
        if name == "fermi" {
            // Eight lines of each warp: they stay where they are, and nobody needs them when the threads have ended.
            let l1 = with.3;
            assert_eq!((with.1, with.2, l1.local_words_left), (0, without.2, 64 * 8), "{name}");
            let c = l1.counters;
            assert_eq!((c.local_load_hit, c.local_load_miss, c.local_store_miss), (16, 0, 16), "{name}");
            assert_eq!(c.local_store_hit, with.0.store.transactions - 16, "{name}");
        } else {
            assert!(with.1 >= 64 * 8 * 4, "{name}: {} bytes read", with.1);
            assert!(with.2 >= without.2 + 64 * 8 * 4, "{name}: {} bytes written", with.2);
        }
        // The same place of all threads coalesces; places that depend on the thread do not.
        assert!(with.0.load_transactions_per_request <= 2.0, "{name}");
        assert!(with.0.store_transactions_per_request >= 8.0, "{name}");
    }
}

/// MEM-16: on Fermi a generic pointer reaches global, shared or local memory, whichever it points to; compute capability
/// 1.x has none.
#[test]
fn mem_16_a_generic_pointer_on_fermi_only() {
    let text = |target: &str| {
        format!(
            ".version 2.3\n.target {target}\n.entry k(.param .u32 out) {{
            .reg .u32 %g, %s, %l, %v, %sum;
            .shared .u32 shared; .local .u32 own;
            ld.param.u32 %g, [out]; cvta.shared.u32 %s, shared; cvta.local.u32 %l, own;
            st.global.u32 [%g], 1; st.shared.u32 [shared], 20; st.local.u32 [own], 300;
            ld.u32 %sum, [%g]; ld.u32 %v, [%s]; add.u32 %sum, %sum, %v;
            ld.u32 %v, [%l]; add.u32 %sum, %sum, %v; st.u32 [%g], %sum; exit; }}"
        )
    };
    let mut device = Device::on("fermi", &text("sm_20"));
    let out = device.upload(&[0]);
    let launch = device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[out]));
    device.run(&launch);
    assert_eq!(device.download(out, 1), [321]);
    let Err(refused) = Device::new(chip_with("g80", &[]), "k.ptx", &text("sm_13")) else {
        panic!("it compiles")
    };
    assert!(refused.contains("`ld.u32` needs sm_20, this module targets sm_13"), "{refused}");
    for name in ["g80", "gt200"] {
        let mut device = Device::on(name, &text("sm_20"));
        let out = device.upload(&[0]);
        let launch = device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[out]));
        let refusal = device.refusal(&launch).to_string();
        assert!(refusal.contains("2.0"), "{refusal}");
    }
}
