//! Every complaint about a chip file, as a user sees it.

use super::*;

/// All complaints about the G80 with `edit` made in its text and `sets` applied to it, drawn.
fn complaints(edit: (&str, &str), sets: &[(&str, &str)]) -> String {
    assert!(g80().contains(edit.0), "{}", edit.0);
    let text = g80().replacen(edit.0, edit.1, 1);
    let sets: Vec<(String, String)> = sets.iter().map(|(p, v)| ((*p).into(), (*v).into())).collect();
    let own = Text { id: "self".into(), name: "g80.ron".into(), text: text.into() };
    let itself = own.clone();
    let texts = Texts::collect(own, |base, _| match base {
        "self" => Ok(itself.clone()),
        _ => Err("built-in chips: g80, …".to_owned()),
    });
    match Chip::from_texts(&texts, &sets) {
        Ok((_, warnings)) => warnings.to_string(),
        Err(complaints) => complaints.to_string(),
    }
}

/// One case: the edit of the file, the `--set` arguments, and texts that the drawn complaints must
/// contain.
type Case = ((&'static str, &'static str), &'static [(&'static str, &'static str)], &'static [&'static str]);

const NO_EDIT: (&str, &str) = ("(", "(");

const CASES: [Case; 54] = [
    (
        NO_EDIT,
        &[("sm.const_cache.replacement", "lifo")],
        &["error[E0507]: unknown value `lifo` for sm.const_cache.replacement", "did you mean `fifo`?"],
    ),
    (
        NO_EDIT,
        &[("sm.const_cache.replacement", "random")],
        &["error[E0503]: missing field `seed` in sm.const_cache.replacement", "random(seed: 1)"],
    ),
    (
        ("ways: 4, // calibrated: as on the GT200", "ways: 3, replacement: pseudo_lru, bytes: 768,"),
        &[],
        &[
            "error[E0509]: cluster.const_cache.ways must be a power of two for the replacement policy pseudo_lru",
        ],
    ),
    (
        NO_EDIT,
        &[("replacement", "fifo")],
        &[
            "error[E0508]: ambiguous path `replacement`: 5 paths",
            "one of: cluster.const_cache.replacement, cluster.texture_cache",
        ],
    ),
    (("clusters: 8,", "clusters: 8"), &[], &["error[E0501]", "invalid RON: Expected comma"]),
    (NO_EDIT, &[("sm.max_warps", "(")], &["error[E0501]", "--set:1:14"]),
    (
        ("max_warps: 24", "max_wraps: 24"),
        &[],
        &[
            "error[E0502]: unknown field `max_wraps` in sm",
            "did you mean `max_warps`?",
            "error[E0503]: missing field `max_warps` in sm",
        ],
    ),
    (
        ("mov: (unit", "movv: (unit"),
        &[],
        &["unknown field `movv` in sm.classes", "missing field `mov` in sm.classes"],
    ),
    (
        ("pcie: (", "pcie2: ("),
        &[],
        &["unknown field `pcie2` in the file", "missing field `pcie` in the file"],
    ),
    (("clusters: 8,", "clusters: 8, clusters: 9,"), &[], &["error[E0504]: duplicate field `clusters`"]),
    (("\"sfu\":", "\"sp\":"), &[], &["error[E0504]: duplicate unit `sp`"]),
    (
        NO_EDIT,
        &[("clusters", "eight")],
        &["error[E0505]: clusters must be an integer, found a word", "clusters=eight"],
    ),
    (NO_EDIT, &[("clusters", "2.5")], &["error[E0505]", "found a number with a fraction"]),
    (NO_EDIT, &[("limits.grid", "(1, 2)")], &["error[E0505]: limits.grid must be three extents `(x, y, z)`"]),
    (NO_EDIT, &[("sm", "5")], &["error[E0505]: sm must be a struct"]),
    (NO_EDIT, &[("sm.units", "[8]")], &["error[E0505]: sm.units must be a map of units"]),
    (NO_EDIT, &[("allocation.params_in_shared", "1")], &["error[E0505]", "expected true or false"]),
    (NO_EDIT, &[("clocks.core_mhz", "fast")], &["error[E0505]: clocks.core_mhz must be a number"]),
    (NO_EDIT, &[("sm.max_warps", "65")], &["error[E0506]: sm.max_warps is out of range: 65", "from 1 to 64"]),
    (NO_EDIT, &[("clusters", "99999999999999999999")], &["error[E0505]"]),
    (NO_EDIT, &[("clocks.core_mhz", "NaN")], &["error[E0506]: clocks.core_mhz is out of range"]),
    (NO_EDIT, &[("capability", "ten")], &["error[E0506]: capability is not a compute capability: `ten`"]),
    (NO_EDIT, &[("sm.units", "{}")], &["error[E0506]: sm.units has 0 units"]),
    (
        NO_EDIT,
        &[("scheduler", "gtoo")],
        &["error[E0507]: unknown value `gtoo` for sm.scheduler", "did you mean `gto`?"],
    ),
    (
        NO_EDIT,
        &[("scheduler", "two_level")],
        &["error[E0503]: missing field `active` in sm.scheduler", "`two_level(active: 1)`"],
    ),
    (NO_EDIT, &[("sm.shared.rule", "multi")], &["error[E0507]", "one of: one_broadcast, multicast"]),
    (
        NO_EDIT,
        &[("sm.max_wraps", "2")],
        &["error[E0508]: unknown path `sm.max_wraps`", "mean `sm.max_warps`?"],
    ),
    (
        NO_EDIT,
        &[("queue", "2")],
        &["error[E0508]: ambiguous path `queue`: 2 paths", "one of: sm.lsu.queue, "],
    ),
    (
        NO_EDIT,
        &[("partition.chunk_bytes", "192")],
        &["error[E0509]: partition.chunk_bytes must be a power of two"],
    ),
    (NO_EDIT, &[("sm.units.sp.lanes", "7")], &["error[E0509]: sm.units.sp.lanes must be a power of two"]),
    (
        NO_EDIT,
        &[("crossbar.latency", "300")],
        &["error[E0510]: dispatch.launch_cycles must be at least two crossbar crossings, 600"],
    ),
    (NO_EDIT, &[("sm.lsu.group", "8")], &["error[E0510]: sm.lsu.group must be 16: the strict rule"]),
    (NO_EDIT, &[("sm.lsu.group", "32")], &["error[E0510]: sm.lsu.group must be 16: the strict rule"]),
    (
        NO_EDIT,
        &[("sm.lsu.rule", "segments"), ("sm.lsu.group", "32")],
        &["error[E0510]: sm.lsu.group must be 16: the segments rule"],
    ),
    (
        NO_EDIT,
        &[(
            "sm.l1",
            "(bytes: 500, ways: 4, hit_cycles: 1, misses: 1, merges: 1, global: true, prefer_l1: none)",
        )],
        &[
            "error[E0510]: sm.l1 must have a whole number of sets of 512 bytes",
            "error[E0510]: a cache of global memory requires the coalescing rule `lines` (sm.lsu.rule)",
        ],
    ),
    (
        NO_EDIT,
        &[("partition.l2", "(bytes: 512, ways: 4, hit_cycles: 1, sector_cycles: 1, misses: 1)")],
        &["error[E0510]: a cache of global memory requires the coalescing rule `lines` (sm.lsu.rule)"],
    ),
    (
        NO_EDIT,
        &[("partition.l2", "7")],
        &["error[E0505]: partition.l2 must be a struct `(field: value, …)` or `none`, found an integer"],
    ),
    (NO_EDIT, &[("sm.lsu.rule", "lines")], &["error[E0510]: sm.lsu.group must be 32: the lines rule"]),
    (
        NO_EDIT,
        &[("partition.map", "hashd")],
        &["error[E0507]: unknown value `hashd` for partition.map", "did you mean `hashed`?"],
    ),
    (
        NO_EDIT,
        &[("sm.units", "{\"sp\": (lanes: 8)}")],
        &["error[E0503]: missing field `per_scheduler` in sm.units.sp"],
    ),
    (
        NO_EDIT,
        &[(
            "sm.classes.ld_global",
            "(unit: \"lsu\", slots: 1, latency: 24, second: (unit: \"sfu\", busy: 8, latency: 28))",
        )],
        &["error[E0510]: class ld_global cannot use the second dispatch port"],
    ),
    (NO_EDIT, &[("sm.shared.group", "8")], &["error[E0510]: sm.shared.group must be 16 (half-warp) or 32"]),
    (
        NO_EDIT,
        &[("partition.dram.row_bytes", "128")],
        &["error[E0510]: partition.dram.row_bytes must be a multiple of"],
    ),
    (
        NO_EDIT,
        &[("partition.chunk_bytes", "4096")],
        &["error[E0510]: partition.dram.row_bytes must be a multiple of"],
    ),
    (
        NO_EDIT,
        &[("partition.dram.burst_bytes", "48")],
        &["error[E0509]: partition.dram.burst_bytes must be a power of two"],
    ),
    (NO_EDIT, &[("sm.shared_bytes", "128")], &["error[E0510]: each block may reserve 272 bytes"]),
    (NO_EDIT, &[("sm.classes.mov.unit", "fpu")], &["error[E0511]", "one of: sp, sfu, lsu, control"]),
    (NO_EDIT, &[("partition.dram.timing.rc", "40")], &["error[E0512]: rc must be at least ras + rp"]),
    (
        NO_EDIT,
        &[("partition.dram.timing.refi", "200")],
        &["error[E0512]: refi must be 0 (no refresh) or more"],
    ),
    (
        NO_EDIT,
        &[("clusters", "64"), ("cluster.sms", "16"), ("sm.registers", "1048576")],
        &["error[E0513]: registers and shared memory"],
    ),
    (
        ("name: \"g80\",", "base: \"g81\","),
        &[],
        &["error[E0514]: unknown base chip `g81`", "built-in chips: g80, "],
    ),
    (("name: \"g80\",", "base: \"self\","), &[], &["error[E0515]: base `self` is based on this chip"]),
    (NO_EDIT, &[("name", "\"g\\u{1b}80\"")], &["error[E0516]: name has control characters"]),
    (
        NO_EDIT,
        &[("sm.max_warps", "8"), ("crossbar.depth", "2")],
        &[
            "warning[E0520]: sm.max_threads=768 has no effect: sm.max_warps=8 allows 256 threads",
            "warning[E0520]: limits.threads_per_block is larger",
            "warning[E0521]: crossbar links of fewer than 5 messages",
            "::: g80.ron:",
            "`crossbar.latency` is 100",
        ],
    ),
];

#[test]
fn complaints_say_what_is_wrong_and_where() {
    for (edit, sets, wanted) in CASES {
        let drawn = complaints(edit, sets);
        for part in wanted {
            assert!(drawn.contains(part), "{edit:?} {sets:?}: no {part:?} in\n{drawn}");
        }
    }
}

/// Tests: `every-code-has-a-case`.
#[test]
fn every_code_has_a_case() {
    let all: Vec<&str> = CASES.iter().flat_map(|c| c.2.iter().copied()).collect();
    for (code, meaning) in codes::ALL {
        assert!(all.iter().any(|part| part.contains(&format!("[{code}]"))), "{code}: {meaning}");
    }
    assert!(codes::ALL.windows(2).all(|w| w[0].0 < w[1].0), "in order, each once");
}

#[test]
fn a_complaint_in_full() {
    let drawn = complaints(NO_EDIT, &[("partition.dram.timing.rc", "40")]);
    let line = 1 + g80().lines().position(|l| l.trim_start().starts_with("ras:")).unwrap();
    let next = line + 1;
    let expected = format!(
        "error[E0512]: rc must be at least ras + rp: a row is open, then precharged
   --> --set:1:26
    |
  1 | partition.dram.timing.rc=40
    |                          ^^ `partition.dram.timing.rc` is 40
    |
   ::: g80.ron:{line}:22
    |
{line} |                 ras: 29, // 25 at 800 MHz
    |                      -- `partition.dram.timing.ras` is 29
{next} |                 rp: 12, // 10 at 800 MHz
    |                     -- `partition.dram.timing.rp` is 12"
    );
    assert_eq!(drawn, expected);
}

#[test]
fn all_complaints_are_reported_at_once() {
    let drawn = complaints(
        ("max_warps: 24", "max_wraps: 24"),
        &[
            ("cluster.sms", "0"),
            ("sm.units.sp.lanes", "7"),
            ("sm.classes.mov.slots", "0"),
            ("crossbar.latency", "300"),
            ("crossbar.depth", "1"),
            ("no.such", "1"),
        ],
    );
    let codes: Vec<&str> = drawn
        .lines()
        .filter(|l| l.starts_with("error[") || l.starts_with("warning["))
        .filter_map(|l| Some(l.split_once('[')?.1.split_once("]:")?.0))
        .collect();
    assert_eq!(codes, ["E0503", "E0502", "E0506", "E0509", "E0506", "E0510", "E0508", "E0521"], "{drawn}");
}

#[test]
fn a_broken_struct_causes_one_complaint() {
    let drawn = complaints(NO_EDIT, &[("sm.classes", "5")]);
    assert_eq!(drawn.matches("error[").count(), 1, "{drawn}");
}

/// Tests: `no-input-panics`.
#[test]
fn no_damage_to_the_text_causes_a_panic() {
    let text = g80();
    for at in (0..text.len()).step_by(41).filter(|at| text.is_char_boundary(*at)) {
        let _ = Chip::from_ron("cut.ron", &text[..at], &[]);
        for put in [")", "(", "\"", "-", "1e99", "é", ", ", ":", "'"] {
            if let Err(complaints) =
                Chip::from_ron("dirty.ron", &format!("{}{put}{}", &text[..at], &text[at..]), &[])
            {
                assert!(!complaints.to_string().is_empty());
            }
        }
    }
}
