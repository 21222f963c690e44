//! Tests over the source text for the layers of `sim-core` and `cudart`, and the module cycles of
//! `cli`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Modules of `sim-core` from the lowest one up: a module imports only modules that come before it.
const LAYERS: [&str; 20] = [
    "state",
    "words",
    "hooks",
    "time",
    "cache",
    "config",
    "exec",
    "counters",
    "mem",
    "events",
    "sm",
    "cluster",
    "gpu",
    "racecheck",
    "check",
    "occupancy",
    "stats",
    "observe",
    "debug",
    "host",
];

/// Public modules of `sim-core`. The others are private, so the compiler finds their unused items.
const PUBLIC: [&str; 9] =
    ["check", "config", "debug", "hooks", "host", "observe", "occupancy", "racecheck", "stats"];

/// Pairs of modules of `cli` that may import each other, with the reason.
const PAIRS: [(&str, &str, &str); 3] = [
    ("chip", "output", "an error in a chip file is printed like any other message"),
    ("exit", "watch", "the exit code of an interrupted run is that of the signal"),
    ("output", "watch", "an interrupt removes temporary files"),
];

fn source(member: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .parent()
        .expect("the crate is in the workspace")
        .join(member)
        .join("src")
}

/// Returns, for each module of a crate, the modules of the crate that its code names, without test
/// code.
fn imports(source: &Path) -> BTreeMap<String, BTreeSet<String>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(source).expect("a folder is readable") {
        let path = entry.expect("an entry is readable").path();
        let module = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
        if module != "lib" && module != "main" {
            collect(&path, &module, all.entry(module.clone()).or_default());
        }
    }
    all
}

fn collect(path: &Path, module: &str, found: &mut BTreeSet<String>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).expect("a folder is readable") {
            let path = entry.expect("an entry is readable").path();
            if !path.ends_with("tests") && !path.ends_with("tests.rs") {
                collect(&path, module, found);
            }
        }
        return;
    }
    let text = fs::read_to_string(path).expect("a source file is readable");
    let shipped = text.split("#[cfg(test)]\nmod tests {").next().expect("a text has a beginning");
    let code = shipped.lines().filter(|line| !line.trim_start().starts_with("//"));
    let code = code.collect::<Vec<_>>().join(" ");
    for rest in code.split("crate::").skip(1) {
        found.extend(first_names(rest).into_iter().filter(|name| name != module));
    }
}

/// Returns the modules that a path after `crate::` begins with: one, or those of a list in braces.
fn first_names(rest: &str) -> Vec<String> {
    let name = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let Some(list) = rest.strip_prefix('{') else { return vec![name(rest)] };
    let (mut depth, mut names) = (0, vec![name(list.trim_start())]);
    for (at, c) in list.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => names.push(name(list[at + 1..].trim_start())),
            _ => {}
        }
    }
    names
}

#[test]
fn modules_of_sim_core_import_lower_layers_only() {
    let place = |name: &str| LAYERS.iter().position(|layer| *layer == name);
    let mut wrong = Vec::new();
    for (module, imported) in imports(&source("sim-core")) {
        let Some(own) = place(&module) else {
            wrong.push(format!("{module} has no layer"));
            continue;
        };
        let higher = imported.iter().filter(|name| place(name).is_some_and(|layer| layer >= own));
        wrong.extend(higher.map(|name| format!("{module} imports {name}, a higher layer")));
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

#[test]
fn modules_of_the_cli_import_each_other_in_known_pairs_only() {
    let all = imports(&source("cli"));
    let mut pairs = BTreeSet::new();
    for (module, imported) in &all {
        for other in imported.iter().filter(|other| module < *other) {
            if all.get(other).is_some_and(|back| back.contains(module)) {
                pairs.insert((module.as_str(), other.as_str()));
            }
        }
    }
    let known: BTreeSet<(&str, &str)> = PAIRS.iter().map(|(a, b, _)| (*a, *b)).collect();
    assert_eq!(pairs, known);
}

/// The runtime API is safe Rust below the C ABI.
#[test]
fn modules_of_cudart_import_lower_layers_only() {
    let layers = ["settings", "runtime", "abi"];
    let place = |name: &str| layers.iter().position(|layer| *layer == name);
    for (module, imported) in imports(&source("cudart")) {
        let own = place(&module).unwrap_or_else(|| panic!("{module} has no layer"));
        let higher = imported.iter().find(|name| place(name).is_some_and(|layer| layer >= own));
        assert_eq!(higher, None, "{module} imports a higher layer");
    }
}
