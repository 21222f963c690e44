//! Instruction caches and address translation, as a program measures them with the clock.

use warpsim_tests::device::{Device, chip_with, pointers, timing};

const HEADER: &str = ".version 2.0\n.target sm_10\n";

/// Shader cycles of the second pass through `length` independent additions, on a GT200 with its
/// instruction cache.
fn straight(length: usize) -> u32 {
    let body: Vec<String> = (0..length).map(|k| format!("add.u32 %a{0}, %a{0}, {k};\n", k % 8)).collect();
    let body = body.concat();
    // Without these, the optimizer would merge registers that are never read.
    let zero: Vec<String> = (0..8).map(|k| format!("mov.u32 %a{k}, 0;\n")).collect();
    let sum: Vec<String> = (1..8).map(|k| format!("add.u32 %a0, %a0, %a{k};\n")).collect();
    let (zero, sum) = (zero.concat(), sum.concat());
    let text = format!(
        "{HEADER}.entry straight(.param .u32 out)\n{{\n\
         .reg .u32 %a<8>, %n, %start, %end, %to;\n.reg .pred %p;\n\
         {zero}mov.u32 %n, 0;\nROUND:\nmov.u32 %start, %clock;\n{body}mov.u32 %end, %clock;\n\
         add.u32 %n, %n, 1;\nsetp.lt.u32 %p, %n, 2;\n@%p bra ROUND;\n\
         ld.param.u32 %to, [out];\nsub.u32 %end, %end, %start;\n{sum}st.global.u32 [%to], %end;\nst.global.u32 [%to+4], %a0;\nexit;\n}}\n"
    );
    let cache = "(bytes: 4096, line_bytes: 256, ways: 4, instruction_bytes: 8)";
    let chip = chip_with("gt200", &[("sm.instr_cache", cache)]);
    let device = Device::compiled(chip, "straight.ptx", &text, isa::Options::PLAIN);
    let mut device = device.unwrap_or_else(|e| panic!("{e}"));
    let out = device.upload(&[0; 2]);
    let report = device.run(&device.launch("straight", (1, 1), (1, 1, 1)).args(pointers(&[out])));
    assert!(timing(&report).fetch.misses > 0, "the first pass misses");
    device.download(out, 1)[0]
}

/// 32 instructions of 8 bytes are a line, and issue in 128 cycles. Code of more than 4 KB waits for
/// each line: first for the cluster's 8 KB cache, then for the partitions' 32 KB, then for the
/// DRAM, as long as a constant would.
///
/// Tests: `instruction-and-address-caches`.
#[test]
fn straight_code_slows_down_where_the_instruction_caches_end() {
    for (length, wait) in [(448, 0), (768, 80), (960, 80), (2048, 220), (3584, 220), (6144, 476)] {
        let per_line = f64::from(straight(length)) / length as f64 * 32.0 - 128.0;
        // The line is requested when the last instruction before it issues, 4 cycles before the
        // next could issue.
        let expected = f64::from(wait - 4 * i32::from(wait > 0));
        assert!((per_line - expected).abs() <= 0.05 * expected + 1.0, "{length}: {per_line}, not {expected}");
    }
}

/// Shader cycles of 256 loads, each of which reads the address of the next, on `pages` pages of 512
/// KB.
fn pages(pages: u32, sets: &[(&str, &str)]) -> u32 {
    const PAGE: u32 = 512 << 10;
    let round = |times: usize| "ld.global.u32 %at, [%at];\n".repeat(times);
    let text = format!(
        "{HEADER}.entry chase(.param .u32 first, .param .u32 out)\n{{\n\
         .reg .u32 %at, %start, %end, %to;\n.reg .pred %p;\nld.param.u32 %at, [first];\n\
         {}setp.ne.u32 %p, %at, 1;\n@%p mov.u32 %start, %clock;\n{}setp.ne.u32 %p, %at, 1;\n\
         @%p mov.u32 %end, %clock;\nld.param.u32 %to, [out];\nsub.u32 %end, %end, %start;\n\
         st.global.u32 [%to], %end;\nexit;\n}}\n",
        round(pages as usize),
        round(256)
    );
    let mut device =
        Device::new(chip_with("gt200", sets), "chase.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
    let first = device.gpu.malloc(u64::from(PAGE * pages)).expect("the device memory has space");
    for page in 0..pages {
        let next = first.offset((page + 1) % pages * PAGE).address();
        device
            .gpu
            .copy_in(first.offset(page * PAGE), &next.to_le_bytes())
            .expect("a copy into an allocation");
    }
    let out = device.upload(&[0]);
    device.run(&device.launch("chase", (1, 1), (1, 1, 1)).args(pointers(&[first, out])));
    device.download(out, 1)[0]
}

/// A load of a page that is not in the 16 entries of the first level takes 48 cycles more; if it is
/// not in the 64 entries of the second level either, it takes 248 cycles more.
///
/// Tests: `instruction-and-address-caches`.
#[test]
fn tlb_misses_delay_loads() {
    let levels = "(page_bytes: 524288, first: (entries: 16, ways: 16, miss_cycles: 48), \
                  second: (entries: 64, ways: 8, miss_cycles: 200))";
    for (count, late) in [(8, 0), (15, 0), (32, 48), (62, 48), (128, 248)] {
        // Refreshes depend on the clock and not on the load, so they are switched off.
        let refresh = ("partition.dram.timing.refi", "0");
        let with = pages(count, &[("cluster.tlb", levels), refresh]);
        let without = pages(count, &[("cluster.tlb", "none"), refresh]);
        let mean = (f64::from(with) - f64::from(without)) / 256.0;
        // A load ends at a multiple of the 4 cycles of an instruction, and the phase of the memory
        // clocks differs.
        assert!((mean - f64::from(late)).abs() < 4.0, "{count} pages: {mean} cycles late, not {late}");
    }
}
