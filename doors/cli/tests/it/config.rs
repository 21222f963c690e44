//! Tests of `warpsim config`: chips are shown, checked, compared and explained.

use crate::common::{Run, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;

fn good(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(&format!("config {line}"));
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    assert!(stdout.lines().all(|l| l == l.trim_end()), "{line}");
    stdout
}

fn refused(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(&format!("config {line}"));
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}: {stderr}");
    stderr
}

#[test]
fn a_shown_chip_is_a_chip_file_with_the_overrides() {
    let folder = scratch("config-show");
    let file = folder.join("mine.ron");
    let text =
        good("show gt200 --set sm.max_warps=16 --set sm.max_threads=512 --set scheduler=gto --set name=mine");
    assert!(text.contains("scheduler: gto, // changed by --set: the file has"), "{text}");
    fs::write(&file, &text).expect("written");
    let file = file.to_str().expect("UTF-8");
    let diff = warpsim_with(&["config", "diff", "gt200", file]);
    assert_eq!(diff.code, Some(0), "{}", diff.stderr);
    for path in ["name ", "sm.max_warps ", "sm.max_threads ", "sm.scheduler "] {
        assert!(diff.stdout.lines().any(|l| l.trim_start().starts_with(path)), "{path}: {}", diff.stdout);
    }
    let again = warpsim_with(&["config", "show", file]);
    assert_eq!(again.stdout, text);
}

#[test]
fn a_chip_with_a_base_is_shown_explained_and_compared() {
    let folder = scratch("config-base");
    fs::create_dir_all(folder.join("sub")).expect("made");
    fs::write(folder.join("sub/low.ron"), "(base: \"gt200\", name: \"low\", clocks: (core_mhz: 600))")
        .expect("written");
    let own = "(\n    name: \"own\",\n    base: \"sub/low.ron\",\n    sm: (\n        max_blocks: 6, // of my own\n    ),\n)";
    let file = folder.join("own.ron");
    fs::write(&file, own).expect("written");
    let file = file.to_str().expect("UTF-8");
    let run = |args: &[&str]| {
        let run = warpsim_with(&[&["config"], args].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let shown = run(&["show", file]);
    for part in
        ["max_blocks: 6, ", "changed by own (of my own): its base has 8", "changed by low: its base has 602"]
    {
        assert!(shown.contains(part), "{part} is missing in\n{shown}");
    }
    let flat = folder.join("flat.ron");
    fs::write(&flat, &shown).expect("written");
    assert!(run(&["diff", file, flat.to_str().expect("UTF-8")]).contains("No field differs."));
    let diff = run(&["diff", "gt200", file]);
    let fields = diff.split("== Numbers").next().unwrap_or_default();
    let differing: Vec<&str> = fields.lines().filter_map(|l| l.trim_start().split("  ").next()).collect();
    for path in ["name", "clocks.core_mhz", "sm.max_blocks"] {
        assert!(differing.contains(&path), "{path}: {diff}");
    }
    let explained = run(&["explain", "sm.max_blocks", file]);
    assert!(explained.contains("own.ron, line 5") && explained.contains("of my own"), "{explained}");
    let explained = run(&["explain", "sm.max_warps", file]);
    assert!(
        explained.contains("gt200 (built-in chip), line ") && explained.contains("HARDWARE 1.2"),
        "{explained}"
    );
    assert!(run(&["check", file]).contains(": valid chip"));
    let bad = warpsim_with(&["config", "check", file, "--set", "sm.max_blocks=0", "--set", "clusters=0"]);
    assert_eq!((bad.code, bad.stderr.matches("error[E0506]").count()), (Some(2), 2), "{}", bad.stderr);
    fs::write(folder.join("sub/low.ron"), "(base: \"../own.ron\")").expect("written");
    let above = folder.to_str().expect("UTF-8");
    let bad = warpsim_with(&["config", "check", file, "--allow-path", above]);
    assert!(bad.stderr.contains("error[E0515]") && bad.stderr.contains("low.ron:1:8"), "{}", bad.stderr);
    fs::write(folder.join("sub/low.ron"), "(base: \"gone.ron\")").expect("written");
    let bad = warpsim_with(&["config", "check", file]);
    assert!(bad.stderr.contains("error[E0514]") && bad.stderr.contains("gone.ron"), "{}", bad.stderr);
}

#[test]
fn json_has_every_value_in_the_order_of_the_file() {
    let text = good("show --set sm.max_blocks=4 --format json");
    let chip: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&chip["schema"], &chip["chip"]["sm"]["max_blocks"]), (&Value::from(1), &Value::from(4)));
    assert_eq!(chip["chip"]["sm"]["scheduler"], "lrr");
    assert!(
        text.find("\"name\"") < text.find("\"capability\"")
            && text.find("\"clocks\"") < text.find("\"allocation\"")
    );
    let derived: Value = serde_json::from_str(&good("show fermi --derived --format json")).expect("JSON");
    let peak = |what: &str| {
        derived["derived"].as_array().and_then(|all| all.iter().find(|d| d["what"] == what)).cloned()
    };
    assert!(peak("peak, multiply-adds").expect("a peak")["value"].as_f64().is_some_and(|v| v > 1000.0));
}

#[test]
fn every_built_in_chip_is_valid_and_all_errors_of_a_bad_one_are_reported() {
    for chip in ["g80", "gt200", "fermi"] {
        assert!(good(&format!("check {chip}")).contains(": valid chip GeForce "), "{chip}");
    }
    let run = warpsim("config check g80 --set sm.max_warps=8");
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains(": valid chip") && run.stdout.contains("2 warnings"), "{}", run.stdout);
    assert_eq!(run.stderr.matches("warning[E0520]").count(), 2, "{}", run.stderr);
    let run = warpsim("config check g80 --set sm.max_warp=8 --set clusters=0 --set sm.shared.banks=12");
    assert_eq!(run.code, Some(2));
    assert!(run.stdout.contains(": invalid chip, 3 errors"), "{}", run.stdout);
    for part in ["error[E0508]", "did you mean `sm.max_warps`?", "error[E0506]", "error[E0509]"] {
        assert!(run.stderr.contains(part), "{part} is missing in\n{}", run.stderr);
    }
    assert!(warpsim("config check symbols.ron").stderr.contains("error[E0502]"));
    assert!(refused("check missing.ron").contains("cannot read missing.ron"));
}

#[test]
fn the_schema_of_chip_files_is_printed() {
    let text = good("schema");
    let schema: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert_eq!(schema["$defs"]["SmConfig"]["properties"]["max_warps"]["maximum"], 64);
    let [name, pcie] = ["\"name\"", "\"pcie\""].map(|field| text.find(field).expect("a field"));
    assert!(name < pcie, "fields are in the order of the file");
}

#[test]
fn differences_have_ratios_and_reach_derived_numbers() {
    assert!(good("diff g80 g80").contains("No field differs."));
    let text = good("diff g80 g80 --set clocks.memory_mhz=450");
    for part in ["clocks.memory_mhz", "x 0.50", "peak of the DRAM bus", "43.20"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(!text.contains("peak, multiply-adds"), "the shader clock is the same");
    let text = good("diff g80 fermi");
    assert!(text.contains("sm.max_warps") && text.contains("x 2.00"), "{text}");
}

#[test]
fn fields_of_launch_and_experiment_files_are_explained() {
    insta::assert_snapshot!("explain_launch", good("explain launch"));
    insta::assert_snapshot!("explain_init", good("explain launch.buffers.init"));
    let text = good("explain experiment.design.random");
    assert!(text.contains("points"), "{text}");
    let text = refused("explain launch.bufers");
    assert!(text.contains("did you mean `launch.buffers`?"), "{text}");
}

#[test]
fn a_field_is_explained_with_its_range_and_source() {
    insta::assert_snapshot!(good("explain sm.max_warps g80"));
    insta::assert_snapshot!("explain_a_part", good("explain sm.shared gt200"));
    let text = good("explain timing.rrd g80");
    assert!(text.contains("`partition.dram.timing`: ") && text.contains("1 to 1000000"), "{text}");
    let text = good("explain queue");
    assert!(
        text.contains("sm.lsu.queue = ") && text.contains("partition.dram.queue = "),
        "all fields with this end: {text}"
    );
}

#[test]
fn all_fields_are_listed_and_unknown_ones_suggest_others() {
    let text = good("explain");
    for part in ["== sm.lsu ", "max_warps", "== partition.dram.timing ", "fp_mad"] {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
    assert!(text.lines().all(|l| l.chars().count() <= 100), "{text}");
    assert!(good("explain fermi").starts_with("fermi (GeForce GTX 480)"), "a chip in place of a path");
    assert!(
        refused("explain sm.max_wraps")
            .contains("unknown path `sm.max_wraps`\nhelp: did you mean `sm.max_warps`?")
    );
    assert!(refused("explain sm.max_warps g81").contains("unknown chip `g81`"));
}
