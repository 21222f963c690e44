//! Tests of `warpsim list`, `devices`, `check` and `disasm`, which run no kernel.

use crate::common::{Run, small, warpsim, warpsim_with};
use serde_json::Value;

fn text(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{line}");
    assert!(stdout.lines().all(|l| l.chars().count() <= 80 && l == l.trim_end()), "{stdout}");
    stdout
}

fn json(line: &str) -> Value {
    let Run { stdout, stderr, .. } = warpsim(&format!("{line} --format json"));
    assert_eq!(stderr, "", "{line}: errors are in the document");
    let document: Value = serde_json::from_str(&stdout).expect("standard output is JSON and nothing else");
    assert_eq!(document["schema"], 1);
    document
}

#[test]
fn the_list_names_every_kernel_with_its_size() {
    let list = text("list");
    let document = json("list");
    let listed = document["kernels"].as_array().expect("a list");
    assert_eq!(listed.len(), kernels::all().len());
    for (workload, kernel) in kernels::all().iter().zip(listed) {
        // A family is listed once, with the endings of its variants.
        let listed = match workload.family.and_then(|family| workload.name.strip_prefix(family)) {
            Some(ending) if !ending.is_empty() => list.contains(ending),
            _ => list.contains(workload.name),
        };
        assert!(listed, "{}", workload.name);
        assert_eq!((&kernel["name"], &kernel["family"]), (&workload.name.into(), &workload.family.into()));
        assert_eq!(kernel["default_size"], workload.default_size);
    }
    insta::assert_snapshot!(list);
}

#[test]
fn the_block_of_the_list_is_the_block_that_runs() {
    let document = json("list");
    let listed = document["kernels"].as_array().expect("a list");
    assert_eq!(listed.len(), kernels::all().len());
    for (workload, kernel) in kernels::all().iter().zip(listed) {
        let name = workload.name;
        // The only block has the size of the matrices.
        let line = if name == "matmul-single" { name.to_owned() } else { small(workload) };
        let run = warpsim(&format!("run {line} --functional --json -"));
        let report: Value = serde_json::from_str(&run.stdout).expect("JSON");
        let block = &report["runs"][0]["launch"]["block"];
        assert_eq!(kernel["block"], serde_json::json!([block["x"], block["y"], block["z"]]), "{name}");
    }
}

#[test]
fn a_device_has_the_property_names_of_cuda() {
    insta::assert_snapshot!(text("devices g80"));
}

#[test]
fn every_chip_has_a_line() {
    let table = text("devices");
    for name in sim_core::config::builtin::builtin_names() {
        assert!(table.lines().any(|line| line.trim_start().starts_with(name)), "{table}");
    }
    assert!(table.lines().any(|line| line.contains("kepler") && line.ends_with('-')), "{table}");
    let devices = json("devices");
    let g80 = &devices["devices"][0];
    assert_eq!(g80["chip"], "g80");
    let value = |wanted: &str| {
        let list = g80["properties"].as_array().expect("a list");
        list.iter().find(|p| p["name"] == wanted).map(|p| p["value"].clone())
    };
    assert_eq!(value("clockRate"), Some(1_350_000.into()));
    assert_eq!(value("maxGridSize"), Some(serde_json::json!([65535, 65535, 1])));
    assert_eq!(value("memPitch"), None, "unknown properties are not printed");
}

#[test]
fn devices_come_from_files_and_with_changes_too() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/g80.ron");
    let Run { code, stdout, .. } = warpsim_with(&["devices", file, "--set", "clusters=3"]);
    assert_eq!(code, Some(0));
    let count = stdout.lines().find(|l| l.contains("multiProcessorCount")).expect("the property");
    assert!(count.split_whitespace().nth(1) == Some("6"), "{count}");
    for (line, part) in [
        ("devices g81", "unknown chip `g81`\nhelp: did you mean `g80`?"),
        ("devices missing.ron", "cannot read missing.ron"),
        ("devices g80 --set sm.warps=3", "error["),
        ("devices --set clusters=3", "--set"),
    ] {
        let Run { code, stdout, stderr } = warpsim(line);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}");
        assert!(stderr.contains(part), "{line}: {stderr}");
    }
}

#[test]
fn a_checked_kernel_shows_its_needs_and_its_flow() {
    insta::assert_snapshot!(text("check matmul-tiled --chip g80"));
}

#[test]
fn the_text_of_a_kernel_is_printed_as_it_is_run_after_its_cuda_c() {
    let Run { code, stdout, stderr } = warpsim("check --source mri-fhd-tuned");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let workload = kernels::find("mri-fhd-tuned").expect("a built-in kernel");
    let comment = stdout.strip_suffix(workload.ptx).expect("the PTX is at the end").trim_end();
    let line = |line: &'static str| format!("// {line}").trim_end().to_owned();
    let cuda: Vec<String> = workload.cuda.lines().map(line).collect();
    assert_eq!(comment, format!("// CUDA C:\n//\n{}", cuda.join("\n")));
    let (module, _) = isa::compile(workload.file, &stdout);
    assert!(module.is_some(), "the output is a PTX file");
    let Run { code, stdout, stderr } = warpsim("check --source nix vecadd");
    assert!(code == Some(2) && stderr.contains("unknown kernel `nix`") && stdout.contains(".entry vecadd"));
    assert_eq!(warpsim("check --source vecadd --format json").code, Some(2), "texts have no JSON form");
}

#[test]
fn guards_reconvergence_and_declared_blocks_are_shown() {
    insta::assert_snapshot!(text("check shapes.ptx --chip 1.3"));
}

#[test]
fn every_file_is_checked_despite_errors_in_others() {
    let Run { code, stdout, stderr } = warpsim("check broken.ptx missing.ptx vecadd nix coulomb symbols.ptx");
    assert_eq!(code, Some(2));
    let verdicts: Vec<&str> =
        stdout.lines().filter(|l| !l.starts_with([' ', '=']) && !l.is_empty()).collect();
    assert_eq!(
        verdicts,
        [
            "broken.ptx: 2 errors",
            "missing.ptx: not checked",
            "vecadd.ptx: fine, 1 kernel",
            "nix: unknown kernel",
            "coulomb: unknown kernel",
            "symbols.ptx: fine, 1 kernel"
        ]
    );
    for part in [
        "error[E0205]",
        "error[E0301]",
        "cannot read missing.ptx",
        "unknown kernel `nix`",
        "`coulomb` is a family of kernels\nhelp: choose one of: coulomb-v1, coulomb-v2, coulomb-v3\n",
    ] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
}

#[test]
fn tools_get_places_and_flow() {
    let broken = &json("check broken.ptx")["files"][0];
    let first = &broken["diagnostics"][0];
    assert_eq!((&first["code"], &first["severity"]), (&"E0205".into(), &"error".into()));
    assert_eq!((&first["labels"][0]["line"], &first["labels"][0]["column"]), (&6.into(), &10.into()));
    assert_eq!(broken["kernels"], serde_json::json!([]));

    let tile = &json("check shapes.ptx")["files"][0]["kernels"][0];
    let branch = &tile["branches"][0];
    assert_eq!(
        (&branch["line"], &branch["reconverges"]),
        (&20.into(), &4.into()),
        "some lanes may leave at an exit, the others meet"
    );
    assert_eq!(tile["barriers"], serde_json::json!([25]));
    assert_eq!(tile["max_block"], serde_json::json!([16, 16, 1]));
    assert_eq!((&tile["shared_bytes"], &tile["chip"]), (&2048.into(), &Value::Null));
}

#[test]
fn check_reports_what_a_chip_rejects() {
    let Run { code, stdout, stderr } = warpsim("check shapes.ptx --chip g80");
    assert_eq!(code, Some(3));
    assert!(stdout.contains("cannot be launched") && stderr.contains("the chip has 1.0"), "{stdout}{stderr}");
    let asked = text("check endings.ptx --chip 1.3 --block 8x8");
    assert!(asked.contains("8 blocks of (8,8,1), 16 of 32 warps: 50.0 %"), "{asked}");
    assert_eq!(warpsim("check endings.ptx --chip 4.0").code, Some(2));
    assert_eq!(warpsim("check").code, Some(2));
    assert_eq!(warpsim("check endings.ptx --block 32").code, Some(2), "a block needs a chip");
}

#[test]
fn a_lowered_program_is_printed_with_its_text() {
    let Run { code, stdout, stderr } = warpsim("disasm vecadd");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let document = json("disasm vecadd");
    let kernel = &document["kernels"][0];
    let code = kernel["code"].as_array().expect("a list");
    let most = code.iter().map(|line| line["live"]["registers"].as_u64().expect("a number")).max();
    assert_eq!((&kernel["name"], most), (&"vecadd".into(), kernel["registers"].as_u64()));
    for line in code {
        let (pc, text) = (&line["pc"], line["text"].as_str().expect("text"));
        assert!(stdout.contains(&format!("{pc:>7}  {text}")), "{text}");
    }
    let whole = json("disasm vecadd -O 0")["kernels"][0]["code"].as_array().map(Vec::len);
    assert!(whole > Some(code.len()), "fused micro-ops are not listed");
}

#[test]
fn a_kernel_is_chosen_by_its_name() {
    let Run { code, stdout, .. } = warpsim("disasm shapes.ptx --entry fixed");
    assert_eq!((code, stdout.matches("\n.entry ").count()), (Some(0), 1));
    let Run { code, stderr, .. } = warpsim("disasm shapes.ptx --entry fixd");
    assert!(code == Some(2) && stderr.contains("did you mean `fixed`?"), "{stderr}");
}

#[test]
fn a_file_with_errors_has_a_fidelity_table() {
    let files = json("check broken.ptx");
    let uses = files["files"][0]["fidelity"].as_array().expect("a list");
    assert!(uses.iter().any(|uses| uses["result"] == "exact" && uses["uses"].as_u64() > Some(0)), "{uses:?}");
    let diagnostic = &files["files"][0]["diagnostics"][0];
    assert_eq!(diagnostic["line"], diagnostic["labels"][0]["line"]);
}
