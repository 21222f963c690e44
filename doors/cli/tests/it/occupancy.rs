//! Tests of `warpsim occupancy`: NVIDIA's numbers through the command line.

use crate::common::{Run, warpsim, warpsim_with};
use serde_json::Value;

fn text(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    assert!(stdout.lines().all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{stdout}");
    stdout
}

/// Returns the first kernel of the JSON document.
fn json(line: &str) -> Value {
    let Run { code, stdout, stderr } = warpsim(&format!("{line} --format json"));
    assert_eq!(code, Some(0), "{line}: {stderr}");
    let document: Value = serde_json::from_str(&stdout).expect("standard output is JSON and nothing else");
    assert_eq!(document["schema"], 1);
    document["kernels"][0].clone()
}

/// Tests: `occupancy`.
#[test]
fn every_row_of_the_published_samples_through_the_program() {
    let rows = include_str!("../../../../machine/sim-core/tests/data/occupancy.csv").lines().skip(1);
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let line = format!(
            "occupancy --chip {} --block {} --regs {} --shared {} --format json",
            cells[0], cells[1], cells[2], cells[3]
        );
        let Run { code, stdout, .. } = warpsim(&line);
        let document: Value = serde_json::from_str(&stdout).expect("JSON");
        let answer = &document["kernels"][0];
        let result = &answer["result"];
        assert_eq!(result["blocks"].to_string(), cells[4], "{row}");
        assert_eq!(result["warps"].to_string(), cells[5], "{row}");
        let occupancy = result["occupancy"].as_f64().expect("a number");
        assert_eq!(format!("{occupancy:.4}"), cells[6], "{row}");
        let refused = answer["refusals"].as_array().is_some_and(|list| !list.is_empty());
        assert_eq!(
            (code, refused),
            if cells[4] == "0" { (Some(3), true) } else { (Some(0), false) },
            "{row}"
        );
    }
}

#[test]
fn a_kernels_answer_shows_its_calculation() {
    insta::assert_snapshot!(text("occupancy matmul-tiled --chip g80"));
}

#[test]
fn plain_numbers_have_the_calculators_result_and_the_launched_one() {
    insta::assert_snapshot!(text("occupancy --chip g80 --block 256 --regs 11 --shared 2048"));
}

#[test]
fn fermi_allocates_registers_per_warp() {
    insta::assert_snapshot!(text(
        "occupancy --chip 2.0 --block 16x16 --regs 21 --sweep block=64,192,256,1024,1056"
    ));
}

#[test]
fn sweeps_join_values_with_equal_results() {
    let table = |over: &str| {
        let all = text(&format!("occupancy matmul-tiled --chip g80 --sweep {over}"));
        all.rsplit("\n== ").next().unwrap_or_default().to_owned()
    };
    insta::assert_snapshot!(table("regs") + "\n" + &table("shared"));
}

#[test]
fn both_ways_of_counting_shared_memory_are_shown() {
    // Claim OCC-12: 2,048 bytes allow 8 blocks without, and 6 blocks with 16 bytes of launch state
    // and 16 bytes of parameters.
    let kernel = json("occupancy matmul-tiled --chip g80");
    let limits = |result: &Value| result["limits"]["shared"].as_u64();
    assert_eq!((limits(&kernel["result"]), limits(&kernel["other"])), (Some(6), Some(8)));
    assert_eq!(kernel["result"]["needs"]["shared_bytes"], 2080);
    let numbers = json("occupancy --chip g80 --block 256 --shared 2048");
    assert_eq!((limits(&numbers["result"]), limits(&numbers["other"])), (Some(8), Some(6)));
    let given = json("occupancy --chip g80 --block 256 --regs 10 --shared 2048 --params 16");
    assert_eq!(given["result"], kernel["result"]);
    // From 2.0 on parameters are not in shared memory, so both results are equal.
    assert!(json("occupancy --chip 2.0 --block 256 --shared 2048")["other"].is_null());
}

/// Tests: `occupancy-command`.
#[test]
fn occupancy_is_what_a_run_reports() {
    for kernel in ["vecadd", "matmul-naive", "reduce-halving"] {
        let size = if kernel.starts_with("matmul") { 16 } else { 512 };
        let run = warpsim(&format!("run {kernel} --chip g80 --size {size} --functional --json -"));
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        assert_eq!(
            json(&format!("occupancy {kernel} --chip g80"))["result"],
            report["runs"][0]["launch"]["occupancy"]
        );
    }
}

/// Blocks whose shared memory fits into the part left by the larger L1 use that division, others
/// the usual one; a kernel has the division that its run reports.
///
/// Tests: `occupancy-command`.
#[test]
fn the_preference_of_a_launch_divides_the_memory() {
    let bytes = |line: &str| json(line)["sm_shared_bytes"].clone();
    let numbers = |shared: u32, cache: &str| {
        json(&format!("occupancy --chip fermi --block 64 --shared {shared} --cache {cache}"))
    };
    assert_eq!(bytes("occupancy --chip fermi --block 64 --shared 8192"), 49_152);
    for (shared, cache, size, blocks) in [
        (8192, "prefer-l1", 16_384, 2),
        (8192, "prefer-shared", 49_152, 6),
        (8192, "prefer-none", 49_152, 6),
        (16_384, "prefer-l1", 16_384, 1),
        (20_000, "prefer-l1", 49_152, 2),
    ] {
        let answer = numbers(shared, cache);
        assert_eq!(answer["sm_shared_bytes"], size, "{shared} {cache}");
        assert_eq!(answer["result"]["limits"]["shared"], blocks, "{shared} {cache}");
    }
    for cache in ["prefer-l1", "prefer-shared"] {
        let run = warpsim(&format!(
            "run matmul-tiled --size 16 --chip fermi --cache {cache} --functional --json -"
        ));
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let launch = &report["runs"][0]["launch"];
        let answer = json(&format!("occupancy matmul-tiled --chip fermi --cache {cache}"));
        assert_eq!(
            (&answer["result"], &answer["sm_shared_bytes"]),
            (&launch["occupancy"], &launch["sm_shared_bytes"])
        );
    }
    // The text names the division.
    for (line, row) in [
        ("fermi --shared 8192 --cache prefer-l1", "16,384 bytes (prefer-l1)"),
        ("fermi --shared 8192 --cache prefer-shared", "49,152 bytes (prefer-shared)"),
        ("fermi --shared 20000 --cache prefer-l1", "49,152 bytes: the block does not fit beside the"),
        ("g80 --cache prefer-l1", "16,384 bytes: this chip has no choice"),
    ] {
        let text = warpsim(&format!("occupancy --block 64 --chip {line}")).stdout;
        assert!(text.contains(&format!("\n  shared memory per SM  {row}")), "{text}");
    }
    assert!(!warpsim("occupancy --block 64 --chip fermi").stdout.contains("shared memory per SM"));
    // A chip without a choice ignores the preference, as a launch on it does.
    assert_eq!(
        json("occupancy --chip g80 --block 64 --cache prefer-l1"),
        json("occupancy --chip g80 --block 64")
    );
}

/// From 8.0 on the system reserves 1 KB of each block, for plain numbers and for launched kernels.
#[test]
fn reserved_bytes_always_count() {
    for chip in ["8.0", "8.6", "8.9", "9.0"] {
        let line = format!("occupancy --chip {chip} --block 64 --shared 12288");
        let answer = json(&line);
        assert_eq!(answer["result"]["needs"]["shared_bytes"], 13_312, "{chip}");
        assert_eq!(answer["result"], json(&format!("{line} --params 8"))["result"], "{chip}");
        assert!(answer["other"].is_null(), "{chip}");
    }
    let text = text("occupancy --chip 8.6 --block 64 --shared 12288");
    assert!(text.contains("12,288 declared + 1,024 reserved by the system = 13,312"), "{text}");
    assert!(!text.contains("launch state"), "{text}");
}

/// The check of a launch rounds the warps of a block up to four partitions, and the text has the
/// numbers that it compares.
#[test]
fn registers_are_checked_for_whole_partitions() {
    for (line, why) in [
        ("3.7 --block 288 --regs 176", "a block needs 67584 registers; at most 65536 are allowed"),
        ("6.0 --block 288 --regs 176", "a block needs 67584 registers; an SM has 65536"),
        ("5.2 --block 288 --regs 224", "a block needs 86016 registers; an SM has 65536"),
    ] {
        let Run { code, stdout, stderr } = warpsim(&format!("occupancy --chip {line}"));
        assert_eq!(code, Some(3), "{line}: {stdout}");
        assert!(stderr.contains(why), "{line}: {stderr}");
        let words = stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains("9 warps, rounded up to 12 (multiples of 4), x"), "{line}: {stdout}");
        assert!(words.contains("a block can have 65,536: 0 blocks"), "{line}: {stdout}");
    }
}

/// An SM of 9.0 has 64 barriers for its blocks. A kernel uses all up to its highest number, and all
/// 16 if a register has the number. Recorded on an H200 (driver 13.0): 21 blocks with barrier 2, 10
/// with barrier 5, 4 with barrier 15 or a register, 32 with barrier 0, 1 or none.
#[test]
fn barriers_limit_the_blocks_of_9_0() {
    let blocks = |line: &str| {
        let answer = json(&format!("occupancy {line} --block 32"));
        let result = &answer["result"];
        (result["blocks"].clone(), result["limits"]["barriers"].clone(), result["limiters"].clone())
    };
    assert_eq!(blocks("--chip 9.0 --barriers 3"), (21.into(), 21.into(), serde_json::json!(["barriers"])));
    let both = serde_json::json!(["block_slots", "barriers"]);
    assert_eq!(blocks("--chip 9.0 --barriers 2"), (32.into(), 32.into(), both));
    assert_eq!(blocks("--chip 9.0 --barriers 0").1, Value::Null);
    for (kernel, on_9_0, on_8_0) in [("constant", 10, 32), ("register", 4, 32), ("plain", 32, 32)] {
        let line = |chip: &str| format!("barriers.ptx --entry {kernel} --chip {chip}");
        assert_eq!(blocks(&line("9.0")).0, on_9_0, "{kernel}");
        assert_eq!(blocks(&line("8.0")).0, on_8_0, "{kernel}");
        assert_eq!(blocks(&line("8.0")).1, Value::Null, "{kernel}");
    }
    let text = text("occupancy --chip 9.0 --barriers 6 --block 32");
    let row = "64 barriers / 6 = 10 blocks, 4 barriers left over";
    assert!(text.contains("barriers") && text.contains(row), "{text}");
}

/// A block has more than 48 KB of shared memory only if the program opts in.
#[test]
fn more_than_48_kb_need_an_opt_in() {
    let Run { code, stdout, stderr } = warpsim("occupancy --chip 8.0 --block 256 --dynamic-shared 60000");
    assert_eq!(code, Some(3), "{stdout}");
    let why = "the shared memory per block in bytes is 60000; this chip allows at most 49152\nhelp: --opt-in";
    assert!(stderr.contains(why), "{stderr}");
    assert!(stdout.contains("a block can have 50,176"), "{stdout}");
    let blocks = |line: &str| {
        json(&format!("occupancy --block 256 --opt-in --chip {line}"))["result"]["blocks"].clone()
    };
    assert_eq!(blocks("8.0 --dynamic-shared 60000"), 2);
    assert_eq!(blocks("8.0 --dynamic-shared 166912"), 1);
    assert_eq!(blocks("7.5 --dynamic-shared 65536"), 1);
    let Run { code, stderr, .. } =
        warpsim("occupancy --chip 8.0 --block 256 --opt-in --dynamic-shared 166913");
    assert_eq!(code, Some(3));
    assert!(stderr.contains("at most 166912") && !stderr.contains("help"), "{stderr}");
}

/// A block that the preferred shared memory does not hold gets a larger one.
#[test]
fn a_preferred_size_is_no_limit() {
    for (line, bytes, blocks, row) in [
        ("3.0 --shared-config 16 --shared 16384", 16_384, 1, "16,384 bytes (--shared-config)"),
        (
            "3.0 --shared-config 16 --shared 16385",
            49_152,
            2,
            "49,152 bytes: the block does not fit into 16,384",
        ),
        ("9.0 --shared-config 0", 8192, 8, "8,192 bytes: the block does not fit into 0"),
        ("9.0 --shared-config 8 --shared 7169", 16_384, 1, "16,384 bytes: the block does not fit into 8,192"),
    ] {
        let line = format!("occupancy --block 32 --chip {line}");
        let answer = json(&line);
        assert_eq!(answer["sm_shared_bytes"], bytes, "{line}");
        assert_eq!(answer["result"]["blocks"], blocks, "{line}");
        assert!(text(&line).contains(&format!("\n  shared memory per SM  {row}")), "{line}");
    }
}

#[test]
fn hints_agree_with_the_calculator() {
    let kernel = json("occupancy --chip g80 --block 256 --regs 11 --shared 3000");
    let changes = kernel["changes"].as_array().expect("a list");
    assert!(
        changes.iter().any(|c| c["over"] == "regs" && c["from"] == 10 && c["blocks"] == 3),
        "{changes:#?}"
    );
    for change in changes {
        let value =
            |over, old: u64| if change["over"] == over { change["from"].as_u64().unwrap() } else { old };
        let (block, regs, shared) = (value("block", 256), value("regs", 11), value("shared", 3000));
        let other = json(&format!("occupancy --chip g80 --block {block} --regs {regs} --shared {shared}"));
        assert_eq!(other["result"]["blocks"], change["blocks"], "{change:#?}");
    }
}

#[test]
fn blocks_can_be_written_in_several_ways() {
    let same: Vec<Value> = ["16x16", "(16,16)", "16,16,1"]
        .map(|block| json(&format!("occupancy --chip g80 --block {block} --regs 9")))
        .to_vec();
    assert!(same.iter().all(|answer| *answer == same[0]));
    assert_eq!(json("occupancy --chip g80 --block 256 --regs 9")["result"], same[0]["result"]);
}

#[test]
fn a_files_kernels_bring_their_own_blocks() {
    let Run { code, stdout, stderr } = warpsim("occupancy shapes.ptx --chip 1.3");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    for part in [
        "of `tile` (shapes.ptx)",
        "(16,16,1) = 256 threads = 8 warps; the kernel's .maxntid",
        "of `fixed` (shapes.ptx)",
        "(64,1,1) = 64 threads = 2 warps; the kernel's .reqntid",
    ] {
        assert!(stdout.contains(part), "{part}: {stdout}");
    }
    assert!(!warpsim("occupancy shapes.ptx --entry tile --chip 1.3").stdout.contains("fixed"));
    let more = json("occupancy shapes.ptx --entry tile --chip 1.3 --dynamic-shared 4096 --regs 20");
    assert_eq!(
        (&more["result"]["needs"]["shared_bytes"], &more["registers_from"]),
        (&6164.into(), &"given".into())
    );
}

#[test]
fn an_impossible_launch_ends_with_3_and_every_reason() {
    let Run { code, stdout, stderr } = warpsim("occupancy --chip g80 --block 1024 --regs 200");
    assert_eq!(code, Some(3));
    insta::assert_snapshot!(format!("{stdout}\n{stderr}"));
    // The message is the same as that of `run`.
    let run = warpsim("run matmul-tiled --chip g80 --size 16 --registers 33");
    let asked = warpsim("occupancy matmul-tiled --chip g80 --regs 33");
    assert_eq!((asked.code, asked.stderr), (run.code, run.stderr));
    let newer = warpsim("occupancy shapes.ptx --chip g80 --entry tile");
    assert_eq!(newer.code, Some(3));
    assert!(
        newer
            .stderr
            .contains("requires compute capability 1.3, but the chip has 1.0\nhelp: try `--chip gt200`"),
        "{}",
        newer.stderr
    );
    let all_shared = text("occupancy --chip g80 --block 32 --shared 16384");
    let all_shared = all_shared.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(all_shared.contains("cannot be launched, a block needs 16896 bytes of shared"), "{all_shared}");
}

#[test]
fn meaningless_requests_are_bad_usage() {
    for (line, part) in [
        ("occupancy", "the block size is unknown"),
        ("occupancy --chip g80 --regs 10", "give the threads of a block with --block"),
        ("occupancy endings.ptx --chip g80", "the block size of kernel"),
        ("occupancy endings.ptx --chip g80 --entry hung --block 32", "did you mean `hang`?"),
        ("occupancy matmul-tilde --chip g80", "did you mean `matmul-tiled`?"),
        ("occupancy broken.ptx --chip g80 --block 32", "error[E0205]"),
        ("occupancy vecadd --chip g80 --shared 5", "--shared"),
        ("occupancy --chip g80 --block 16y16", "one to three extents"),
        ("occupancy --chip g80 --block 0", "extent block x is 0"),
        ("occupancy shapes.ptx --entry fixed --block 32 --chip 1.3", "requires blocks of (64,1,1)"),
        ("occupancy --block 32 --chip 3.2", "unknown compute capability 3.2\nhelp: expected one of: 1.0"),
        ("occupancy --block 32 --chip 2.0 --shared-config 32", "sizes in KB: 48, 16"),
        ("occupancy --block 32 --chip 2.0 --cache prefer-l1", "--cache requires a chip"),
        ("occupancy --block 32 --chip fermi --cache prefer-l1 --shared-config 16", "cannot be used with"),
        ("occupancy --block 32 --chip 2.0 --set sm.max_warps=8", "--set requires a chip"),
        ("occupancy --block 32 --chip 6.1 --opt-in", "--opt-in requires a compute capability from 7.0 on"),
        ("occupancy --block 32 --chip fermi --opt-in", "--opt-in requires a compute capability from 7.0 on"),
        ("occupancy --block 32 --chip g81", "a compute capability"),
        ("occupancy --block 32 --chip 8.9 --barriers 3", "--barriers requires compute capability 9.0"),
        ("occupancy --block 32 --chip 9.0 --barriers 17", "17 is not in 0..=16"),
        ("occupancy --chip g80 --block 32 --sweep grid", "expected `block`"),
    ] {
        let Run { code, stderr, .. } = warpsim(line);
        assert_eq!(code, Some(2), "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: {stderr}");
    }
}

#[test]
fn a_changed_chip_changes_the_answer() {
    let plain = json("occupancy --chip g80 --block 256 --regs 11");
    let wide = warpsim_with(&[
        "occupancy",
        "--chip",
        "g80",
        "--block",
        "256",
        "--regs",
        "11",
        "--set",
        "sm.registers=16384",
        "--format",
        "json",
    ]);
    let wide: Value = serde_json::from_str(&wide.stdout).expect("JSON");
    assert_eq!((&plain["result"]["blocks"], &wide["kernels"][0]["result"]["blocks"]), (&2.into(), &3.into()));
    let small = json("occupancy --chip 2.0 --shared-config 16 --block 1024 --shared 8192");
    assert_eq!(small["result"]["limits"]["shared"], 2);
}
