//! Chips with a base: their values, and the file of every complaint.

use super::super::{Chip, set};
use super::*;

fn text(name: &str, text: &str) -> Text {
    Text { id: name.to_owned(), name: name.to_owned(), text: text.to_owned().into() }
}

/// The texts of the first file, which may name the other files and the built-in chips.
fn texts(files: &[(&str, &str)]) -> Texts {
    Texts::collect(text(files[0].0, files[0].1), |base, _| {
        let found = files.iter().find(|(name, _)| *name == base).map(|(n, t)| text(n, t));
        found.or_else(|| Text::builtin(base)).ok_or_else(|| "no such file".to_owned())
    })
}

fn chip(files: &[(&str, &str)], sets: &[(&str, &str)]) -> Result<Chip, String> {
    let sets: Vec<(String, String)> = sets.iter().map(|(p, v)| ((*p).into(), (*v).into())).collect();
    Chip::from_texts(&texts(files), &sets).map(|(chip, _)| chip).map_err(|c| c.to_string())
}

/// Tests: `based-chips`.
#[test]
fn a_chip_has_the_values_of_its_bases_and_its_own_on_top() {
    let middle = "(name: \"m\", base: \"g80\", clocks: (memory_mhz: 800), sm: (units: {\"sfu\": (lanes: 4)}, \
                  scheduler: two_level(active: 4), max_blocks: 6))";
    let own = "(base: \"m.ron\", name: \"own\", limits: (grid: (9, 9, 1)), sm: (scheduler: gto, classes: (mov: (latency: 20))))";
    let made = chip(&[("own.ron", own), ("m.ron", middle)], &[("sm.max_blocks", "5")]).unwrap();
    let mut expected = Chip::builtin("g80").unwrap();
    expected.name = "own".to_owned();
    expected.clocks.memory_khz = 800_000;
    let sfu = expected.sm.units.iter().position(|u| u.name == "sfu").unwrap();
    expected.sm.units[sfu].lanes = 4;
    expected.sm.policy = crate::sm::scheduler::PolicyKind::GreedyThenOldest;
    expected.sm.max_blocks = 5;
    expected.limits.grid = isa::types::Dim3::new(9, 9, 1);
    expected.sm.classes[isa::uop::Class::Mov as usize].latency = 20;
    assert_eq!(made, expected);
}

#[test]
fn a_base_alone_is_the_base() {
    assert_eq!(chip(&[("a.ron", "(base: \"gt200\")")], &[]).unwrap(), Chip::builtin("gt200").unwrap());
    assert_eq!(
        chip(&[("a.ron", "(base: \"gt200\", sm: ())")], &[]).unwrap(),
        Chip::builtin("gt200").unwrap()
    );
}

/// Tests: `based-chips`.
#[test]
fn every_complaint_shows_its_file_and_all_are_reported_at_once() {
    let middle = "(\n  base: \"g80\",\n  sm: (max_blocks: 99),\n  partition: (chunk_bytes: 4096),\n)";
    let own = "(\n  base: \"m.ron\",\n  sm: (max_wraps: 3, max_warps: true),\n  crossbar: (latency: 300),\n  \
               dispatch: (launch_cycles: 7, launch_cycles: 8),\n)";
    let said = chip(&[("own.ron", own), ("m.ron", middle)], &[("clusters", "0")]).unwrap_err();
    for part in [
        "unknown field `max_wraps` in sm\n --> own.ron:3:8",
        "sm.max_warps must be an integer, found true or false\n --> own.ron:3:33",
        "did you mean `max_warps`?",
        "duplicate field `launch_cycles`\n --> own.ron:5:32",
        "first value",
        "`crossbar.latency` is 300",
        "sm.max_blocks is out of range: 99\n --> m.ron:3:20",
        "`partition.chunk_bytes` is 4096",
        "--> m.ron:4:28",
        "::: g80 (built-in chip):",
        "`partition.dram.row_bytes` is 2048",
        "clusters is out of range: 0\n --> --set:1:10",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
}

#[test]
fn an_unknown_base_is_reported_with_the_other_complaints() {
    let own = "(\n  base: \"g81\",\n  sm: (max_warps: 0, max_blocks: 4),\n)";
    let said = chip(&[("own.ron", own)], &[("sm.max_threads", "5")]).unwrap_err();
    for part in [
        "error[E0514]: unknown base chip `g81`",
        "own.ron:2:9",
        "no such file",
        "sm.max_warps is out of range",
    ] {
        assert!(said.contains(part), "{part} is missing in\n{said}");
    }
    assert_eq!(said.matches("error[").count(), 2, "fields of the missing base are not reported:\n{said}");
    let known = Chip::from_ron("own.ron", own, &[]).unwrap_err().to_string();
    assert!(known.contains("built-in chips: g80, "), "{known}");
}

/// Tests: `based-chips`.
#[test]
fn a_circle_of_bases_is_reported_where_it_closes() {
    let files = [("a.ron", "(base: \"b.ron\")"), ("b.ron", "(\n base: \"a.ron\")")];
    let said = chip(&files, &[]).unwrap_err();
    assert!(said.contains("error[E0515]: base `a.ron` is based on this chip\n --> b.ron:2:8"), "{said}");
    let said = chip(&[("a.ron", "(base: \"a.ron\")")], &[]).unwrap_err();
    assert!(said.contains("E0515") && said.contains("a.ron:1:8"), "{said}");
    let endless = Texts::collect(text("0", "(base: \"x\")"), |_, last| {
        Ok(text(&format!("{}0", last.id), "(base: \"x\")"))
    });
    let said = Chip::from_texts(&endless, &[]).unwrap_err().to_string();
    assert!(said.contains("the chain of base chips has more than 16 chips"), "{said}");
}

#[test]
fn a_base_that_is_no_name_or_not_ron_is_reported() {
    let said = chip(&[("a.ron", "(base: 3, base: \"g80\")")], &[]).unwrap_err();
    assert!(said.contains("E0505") && said.contains("E0504"), "{said}");
    let said = chip(&[("a.ron", "(base: \"b.ron\")"), ("b.ron", "(\n a 1)")], &[]).unwrap_err();
    assert!(said.contains("E0501") && said.contains("b.ron:2:"), "{said}");
}

#[test]
fn a_value_that_is_no_record_replaces_and_a_record_replaces_it() {
    let at = |over: &str, base: &str| {
        let (over, base) = (tree::parse(over, 100).unwrap(), tree::parse(base, 0).unwrap());
        merge(&over, base)
    };
    let merged = at(
        "(a: (x: 1), b: none, c: {\"k\": (n: 2)})",
        "(a: none, b: (y: 3), c: {\"k\": (n: 1, m: 1)}, d: 4)",
    );
    let kind = |path: &str| set::find(&merged, path).map(|n| (n.kind.clone(), n.span.start >= 100));
    assert_eq!(kind("a.x"), Some((NodeKind::Int(1), true)));
    assert_eq!(kind("b.y"), None);
    assert_eq!(kind("c.k.n"), Some((NodeKind::Int(2), true)));
    assert_eq!(kind("c.k.m"), Some((NodeKind::Int(1), false)));
    assert_eq!(kind("d"), Some((NodeKind::Int(4), false)));
}
