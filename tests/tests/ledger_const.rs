//! Constant memory and its caches: rows MEM-11, MEM-12, MEM-14 and MEM-19 of the claims ledger, and the latencies that
//! Wong et al. measured on GT200, observed as they did it: by a chain of loads, each of which reads the address of the
//! next, and the clock before and after.
//!
//! Their 8 cycles for a hit cannot be a whole load, which like any instruction takes 24 until its result can be used:
//! they are what a load takes more than that ("raw": the paper takes two arithmetic instructions off, the load and the
//! computation of its address; the chain here needs no such computation).

use sim_core::host::HostError;
use sim_core::stats::report::{ConstantReport, Report};
use warpsim_tests::device::{CHIPS, Device, chip_with, pointers, timing};

const HEADER: &str = ".version 2.0\n.target sm_10\n";

/// A kernel of one thread that reads `steps` elements of a chain through `bytes` bytes, `stride` apart, twice: what the
/// caches can keep they have kept when the second round begins, whose cycles it stores.
fn chain(bytes: u32, stride: u32) -> String {
    let steps = (bytes / stride) as usize;
    let words: Vec<String> = (0..bytes / 4).map(|word| ((4 * word + stride) % bytes).to_string()).collect();
    let round = "ld.const.u32 %at, [%at];\n".repeat(steps);
    let clock = |t: &str| format!("setp.ne.u32 %p, %at, 1;\n@%p mov.u32 {t}, %clock;\n");
    let (none, start, end) = (clock("%none"), clock("%start"), clock("%end"));
    format!(
        "{HEADER}.const .u32 chain[{}] = {{ {} }};\n.entry chase(.param .u32 out)\n{{\n\
         .reg .u32 %at, %none, %start, %end, %to;\n.reg .pred %p;\n\
         mov.u32 %at, 0;\n{round}{none}{start}{round}{end}\
         ld.param.u32 %to, [out];\nsub.u32 %end, %end, %start;\nsub.u32 %start, %start, %none;\n\
         st.global.u32 [%to], %end;\nst.global.u32 [%to+4], %start;\nexit;\n}}\n",
        bytes / 4,
        words.join(", ")
    )
}

/// Mean hot cycles of a load of such a chain: of the second round less what the same reads of the clock take with
/// nothing between them.
fn latency(chip: &str, bytes: u32, stride: u32) -> f64 {
    let mut device = Device::plain(chip, &chain(bytes, stride));
    let out = device.upload(&[0; 2]);
    device.run(&device.launch("chase", (1, 1), (1, 1, 1)).args(pointers(&[out])));
    let [loads, nothing] = device.download(out, 2)[..] else { panic!("two words") };
    f64::from(loads - nothing) / f64::from(bytes / stride)
}

/// Wong et al. (ISPASS 2010), GTX 280: 8, 81, 220 and 476 cycles for a hit in 2 KB, 8 KB, 32 KB, and beyond; what a
/// dependent load takes on top of the 24 cycles of any instruction. Instructions issue every 4 cycles.
#[test]
fn constant_latency_steps_where_the_caches_of_gt200_end() {
    for (bytes, stride, published) in [
        (1024, 64, 8.0),
        (2048, 64, 8.0),
        (4096, 64, 81.0),
        (8192, 64, 81.0),
        (16384, 256, 220.0),
        (32768, 256, 220.0),
        (65536, 256, 476.0),
    ] {
        let raw = latency("gt200", bytes, stride) - 24.0;
        assert!((raw - published).abs() <= 0.02 * published, "{bytes} bytes: {raw} cycles, not {published}");
    }
}

/// A kernel that reads `loads` times: thread t the word of constant memory that `index` makes of `%t`, in `%i`.
fn reads(index: &str, loads: usize) -> String {
    let load = "ld.const.u32 %v, [%a];\nadd.u32 %sum, %sum, %v;\n".repeat(loads);
    format!(
        "{HEADER}.const .u32 words[1280] = {{ {} }};\n.entry read(.param .u32 out)\n{{\n\
         .reg .u32 %t, %i, %a, %v, %sum, %to;\n\
         mov.u32 %t, %tid.x;\n{index}\nshl.b32 %a, %i, 2;\nmov.u32 %sum, 0;\n{load}\
         ld.param.u32 %to, [out];\nshl.b32 %t, %t, 2;\nadd.u32 %to, %to, %t;\n\
         st.global.u32 [%to], %sum;\nexit;\n}}\n",
        (0..1280).map(|word| (1000 + word).to_string()).collect::<Vec<_>>().join(", ")
    )
}

/// Runs `loads` reads of a warp and checks the sums.
fn read(chip: &str, index: &str, loads: u32, word: impl Fn(u32) -> u32) -> Report {
    let mut device = Device::plain(chip, &reads(index, loads as usize));
    let out = device.upload(&[0; 32]);
    let report = device.run(&device.launch("read", (1, 1), (32, 1, 1)).args(pointers(&[out])));
    let sums: Vec<u32> = (0..32).map(|t| loads * (1000 + word(t))).collect();
    assert_eq!(device.download(out, 32), sums);
    report
}

/// What `loads` reads were to the caches, without those of the parameter.
fn constants(chip: &str, index: &str, loads: u32, word: impl Fn(u32) -> u32 + Copy) -> ConstantReport {
    let of = |loads| timing(&read(chip, index, loads, word)).constant.clone();
    let (mut more, less) = (of(loads), of(0));
    more.l1.accesses -= less.l1.accesses;
    more.l1.hits -= less.l1.hits;
    more.l1.misses -= less.l1.misses;
    more.line_requests -= less.line_requests;
    more
}

/// MEM-12: one address is one access for the lanes of a half-warp (on Fermi of a warp); each different one is an access
/// more, one after the other.
#[test]
fn mem_12_different_addresses_serialise() {
    for (chip, groups) in [("g80", 2), ("gt200", 2), ("fermi", 1)] {
        let same = constants(chip, "mov.u32 %i, 5;", 10, |_| 5);
        assert_eq!(same.l1.accesses, 10 * groups, "{chip}");
        let replays =
            |index: &str, word: fn(u32) -> u32| timing(&read(chip, index, 10, word)).slots.replay_constant;
        assert_eq!(replays("mov.u32 %i, 5;", |_| 5), 0, "{chip}");
        // 16 cycles for each group of lanes with 8 addresses, of which the first is free.
        let (period, passes) = if chip == "fermi" { (2, 8) } else { (4, 16) };
        let spread = constants(chip, "and.b32 %i, %t, 7;", 10, |t| t % 8);
        assert_eq!(spread.l1.accesses, 10 * passes, "{chip}");
        let slots = (2 * passes - 2 * groups) / period;
        assert_eq!(replays("and.b32 %i, %t, 7;", |t| t % 8), 10 * slots, "{chip}");
        assert_eq!(replays("mov.u32 %i, %t;", |t| t), 10 * (2 * 32 - 2 * groups) / period, "{chip}");
    }
}

/// MEM-11: the fields of a sample in three arrays are in three lines, those of a structure in one. 16 warps, each at
/// samples of its own, need 48 lines at a time of the arrays, more than the 32 that the cache of G80 and GT200 holds, and
/// 16 of the structures: the misses fall to less than a quarter. (Fermi's cache holds both.)
#[test]
fn mem_11_structures_miss_less_than_arrays() {
    // Field f of sample n: word 320 f + n of arrays, 4 n + f of structures. Warp w reads samples 20 w to 20 w + 15.
    let kernel = |sample: u32, field: u32| {
        let step = |k: u32| {
            let load = |f: u32| {
                format!("ld.const.u32 %v, [%a+{}];\nadd.u32 %sum, %sum, %v;\n", 4 * (k * sample + f * field))
            };
            format!("{}bar.sync 0;\n", (0..3).map(load).collect::<String>())
        };
        reads(&format!("shr.u32 %i, %t, 5;\nmul.lo.u32 %i, %i, {};", 20 * sample), 0).replace(
            "mov.u32 %sum, 0;\n",
            &format!("mov.u32 %sum, 0;\n{}", (0..16).map(step).collect::<String>()),
        )
    };
    for chip in ["g80", "gt200"] {
        let misses = |sample, field| {
            let mut device = Device::plain(chip, &kernel(sample, field));
            let out = device.upload(&[0; 512]);
            let report = device.run(&device.launch("read", (1, 1), (512, 1, 1)).args(pointers(&[out])));
            let word = |w, k, f| 1000 + (20 * w + k) * sample + f * field;
            let sum = |t: u32| (0..16).map(|k| (0..3).map(|f| word(t / 32, k, f)).sum::<u32>()).sum::<u32>();
            assert_eq!(device.download(out, 512), (0..512).map(sum).collect::<Vec<_>>(), "{chip}");
            timing(&report).constant.l1.misses
        };
        let (arrays, structures) = (misses(1, 320), misses(4, 1));
        assert!(4 * structures < arrays, "{chip}: {arrays} misses of arrays, {structures} of structures");
        // Each line that is touched once, however often it is read.
        assert_eq!(structures, 16 * 4, "{chip}");
    }
}

/// MEM-14: more than 65,536 bytes of constant memory are refused, and the limit is named.
#[test]
fn mem_14_more_constant_memory_than_there_is() {
    let module = |words: u32| format!("{HEADER}.const .u32 many[{words}];\n.entry k()\n{{\nexit;\n}}\n");
    for chip in CHIPS {
        let load = |words| {
            let (module, _) = isa::compile("many.ptx", &module(words));
            let mut gpu = sim_core::host::Gpu::new(chip_with(chip, &[]));
            gpu.load(module.expect("the text is good"))
        };
        assert!(load(16384).is_ok(), "{chip}");
        let refusal = load(16385).expect_err("a word too much");
        assert!(matches!(refusal, HostError::ConstantMemory { needed: 65540, available: 65536 }), "{chip}");
        let words = "the module needs 65540 bytes of constant memory, the chip has 65536";
        assert_eq!(refusal.to_string(), words, "{chip}");
    }
}

/// MEM-19: where all threads of a warp read one address, at most one of 32 reads goes beyond the cache: at least 96 % are
/// saved. Here the line is asked for once, and every other read of any thread finds it.
#[test]
fn mem_19_a_warp_at_one_address_saves_96_percent() {
    for chip in CHIPS {
        for loads in [1, 10] {
            let report = constants(chip, "mov.u32 %i, 5;", loads, |_| 5);
            let (asked, beyond) = (f64::from(32 * loads), report.line_requests as f64);
            assert!(1.0 - beyond / asked >= 0.96, "{chip}: {beyond} of {asked}");
            assert_eq!((report.l1.misses, report.line_requests), (1, 1), "{chip}");
        }
    }
}

/// On a GTX 480 uniform loads of constants were measured at 14.98 lanes a clock and SM (gpumembench): its 16 lanes, less
/// what the rest of the loop takes.
#[test]
fn uniform_constants_are_read_at_the_rate_measured_on_fermi() {
    let cycles = |loads: usize| {
        let mut device =
            Device::plain("fermi", &reads("mov.u32 %i, 5;", loads).replace("add.u32 %sum, %sum, %v;", ""));
        let out = device.upload(&[0; 512]);
        let report = device.run(&device.launch("read", (1, 1), (512, 1, 1)).args(pointers(&[out])));
        timing(&report).cycles
    };
    let lanes_per_clock = (400 * 512) as f64 / (cycles(600) - cycles(200)) as f64;
    assert!((14.5..=16.1).contains(&lanes_per_clock), "{lanes_per_clock}");
}
