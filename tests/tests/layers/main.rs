//! Tests over the source text for the layers of crates and modules.

mod crates;
mod modules;

use modules::Sources;
use std::fs;
use std::path::{Path, PathBuf};
use test_support::workspace::{members, root};

/// The crates whose modules are checked.
const MEMBERS: &[&str] = &[
    "check",
    "cli",
    "cuda",
    "cudart",
    "debugger",
    "embedded",
    "evidence",
    "exercises",
    "figures",
    "isa",
    "kernels",
    "lab",
    "report",
    "request",
    "sim-core",
    "studies",
    "tests",
    "warpcc",
];

/// Circles that are left, by crate and folder: mostly types that contain each other, as those of a
/// syntax tree do. No row may be added for `cli`, `report`, `request`, `debugger` or `studies`.
const CIRCLES: [(&str, &str, &str); 21] = [
    ("cuda", "ssa", "device func intrin op"),
    ("cuda", "syntax", "declaration declarator parser record"),
    ("cuda", "syntax/ast", "declaration expression statement"),
    ("evidence", "", "claims plan"),
    ("evidence", "measure", "micro table"),
    ("isa", "", "diag listing lower origin ptx source sreg uop"),
    ("isa", "lower", "finish functions image layout modules resolve selections"),
    ("isa", "uop", "issue program sampler"),
    ("kernels", "matmul", "tiled words"),
    ("lab", "", "check cuda_c request"),
    ("sim-core", "check/memory", "flow tags"),
    (
        "sim-core",
        "config",
        "base builtin caches check chip cluster data_caches execution file launch lsu partition schema set sm units",
    ),
    ("sim-core", "counters", "breakdown by"),
    ("sim-core", "debug", "history search session state status steps timeline"),
    ("sim-core", "exec", "barrier fault kernel ldst local mask objects rows surface texture trap warp wide"),
    (
        "sim-core",
        "host",
        "ahead checks gpu group identity launch module monitor objects output sample schedule speculation start state surfaces textures timed timeline warmup",
    ),
    ("sim-core", "mem/dram", "queue schedule"),
    ("sim-core", "sm", "account context decode execute front inspect issue memory probe status warps"),
    ("sim-core", "sm/memory", "l1 replies"),
    ("sim-core", "stats", "build caches collect limits mapped report timing"),
    ("tests", "recorded", "vector vote"),
];

/// Modules of `sim-core` from the lowest one up: a module imports only modules that come before it.
const LAYERS: [&str; 21] = [
    "state",
    "words",
    "components",
    "hooks",
    "time",
    "cache",
    "config",
    "registry",
    "exec",
    "counters",
    "events",
    "mem",
    "sm",
    "cluster",
    "gpu",
    "check",
    "occupancy",
    "stats",
    "observe",
    "debug",
    "host",
];

/// Public modules of `sim-core`. The others are private, so the compiler finds their unused items.
const PUBLIC: [&str; 9] =
    ["check", "config", "debug", "hooks", "host", "observe", "occupancy", "registry", "stats"];

/// Returns the folder with the sources of a crate, by the name of its folder.
fn source(name: &str) -> PathBuf {
    let all = members();
    let member = all.iter().find(|member| member.rsplit('/').next() == Some(name));
    root().join(member.expect("a crate of the workspace")).join("src")
}

/// No module imports one that imports it, in any folder of any crate: modules are layers.
#[test]
fn modules_are_layers() {
    let mut found = Vec::new();
    for member in MEMBERS {
        for (folder, modules) in Sources::read(&source(member)).circles() {
            found.push((*member, folder.join("/"), modules.join(" ")));
        }
    }
    let known = CIRCLES.map(|(member, folder, modules)| (member, folder.to_owned(), modules.to_owned()));
    assert_eq!(found, known);
}

#[test]
fn modules_of_sim_core_import_lower_layers_only() {
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let mut wrong = Vec::new();
    for (importing, imported) in Sources::read(&source("sim-core")).imports(&[]) {
        match (place(importing), place(imported)) {
            (None, _) => wrong.push(format!("{importing} has no layer")),
            (Some(own), Some(other)) if other >= own => {
                wrong.push(format!("{importing} imports {imported}, a higher layer"));
            }
            _ => {}
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn sim_core_has_few_public_modules() {
    let text = fs::read_to_string(source("sim-core").join("lib.rs")).expect("the file is readable");
    let public: Vec<&str> = text
        .lines()
        .filter_map(|line| line.strip_prefix("pub mod ").map(|rest| rest.trim_end_matches(';')))
        .collect();
    assert_eq!(public, PUBLIC);
}

/// The debugger gets what it needs of the command line as data and through its trait `Host`, and
/// sees host code through the traits of its module `program`.
#[test]
fn the_debugger_does_not_see_the_command_line() {
    const UPWARD: [&str; 6] = ["warpsim", "lab", "clap", "console", "cuda", "embedded"];
    let manifest = source("debugger").with_file_name("Cargo.toml");
    let text = fs::read_to_string(manifest).expect("the manifest is readable");
    let names = text.lines().filter_map(|line| line.split(".workspace").next());
    let upward: Vec<&str> = names.filter(|name| UPWARD.contains(name)).collect();
    assert_eq!(upward, [""; 0]);
    let others = ["cli", "report", "lab"].map(|member| {
        let manifest = source(member).with_file_name("Cargo.toml");
        fs::read_to_string(manifest).expect("the manifest is readable")
    });
    assert!(others.iter().all(|text| !text.contains("ratatui")), "only the debugger draws a screen");
}

/// A picture is drawn once: the other crates pass data to `figures`, which sees only reports.
#[test]
fn only_figures_draws() {
    let manifest = |member: &str| {
        let path = source(member).with_file_name("Cargo.toml");
        fs::read_to_string(path).expect("the manifest is readable")
    };
    let own = ["isa", "kernels", "evidence", "studies", "lab", "debugger", "warpsim"];
    let text = manifest("figures");
    let upward: Vec<&str> = own.into_iter().filter(|name| text.contains(&format!("\n{name}."))).collect();
    assert_eq!(upward, [""; 0], "figures depends on report and sim-core only");
    for member in ["report", "request", "evidence", "studies", "lab", "debugger", "cli", "cudart"] {
        assert!(!manifest(member).contains("plotters"), "{member} draws with plotters");
        let mut drawn = Vec::new();
        files(&source(member), &mut drawn);
        assert_eq!(drawn, [""; 0], "{member} writes SVG");
    }
}

/// Adds the source files that write elements of SVG, other than tests.
fn files(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder is readable") {
        let path = entry.expect("an entry is readable").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            let text = fs::read_to_string(&path).expect("a source file is readable");
            let shipped = text.split("#[cfg(test)]").next().expect("a text has a beginning");
            if shipped.contains("<rect ") || shipped.contains("<svg ") {
                found.push(path.display().to_string());
            }
        }
    }
}
