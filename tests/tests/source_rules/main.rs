//! Rules of the project that the compiler does not check, as tests over the source text.

mod budget;
mod texts;
mod width;
mod words;

use std::fs;
use std::path::PathBuf;
use test_support::workspace::{self, relative, root};

/// Files with a hash map that is accessed by key only and never iterated.
const LOOKED_UP: [&str; 1] = ["machine/isa/src/lower/code.rs"];

/// The module with wide vectors, the folders of the C ABI, and what translated code calls. The
/// compiler rejects `unsafe` code where no `#[expect]` allows it.
const UNSAFE: [&str; 5] = [
    "machine/sim-core/src/exec/wide/mod.rs",
    "machine/sim-core/src/mem/image/pages.rs",
    "language/cudart/src/abi/",
    "language/opencl/src/abi/",
    "language/embedded/src/machine/jit/context.rs",
];

/// A file of the workspace.
struct Source {
    /// Path from the root, with slashes.
    path: String,
    text: String,
}

impl Source {
    /// Whether the whole file is test code: a file of a `tests` or `benches` folder, or a module
    /// that exists in test builds only.
    fn is_test(&self) -> bool {
        let parts: Vec<&str> = self.path.split('/').collect();
        let folder = |part: &&str| ["tests", "benches", "complaints"].contains(part);
        let only_for_tests = ["tests.rs", "complaints.rs", "speed.rs", "build.rs"];
        let (file, folders) = parts.split_last().expect("a path has parts");
        folders.iter().any(folder)
            || only_for_tests.contains(file) && self.declared_for_tests(file.trim_end_matches(".rs"))
    }

    /// Whether the parent module declares the module with `#[cfg(test)]`.
    fn declared_for_tests(&self, module: &str) -> bool {
        let folder = self.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let parents = [format!("{folder}/mod.rs"), format!("{folder}.rs"), format!("{folder}/lib.rs")];
        parents.iter().filter_map(|parent| fs::read_to_string(root().join(parent)).ok()).any(|text| {
            let lines: Vec<&str> = text.lines().map(str::trim).collect();
            lines
                .windows(2)
                .any(|pair| pair[0] == "#[cfg(test)]" && pair[1].ends_with(&format!("mod {module};")))
        })
    }

    /// Returns the lines of code of the program, numbered from 1: without comments and without the
    /// file's first inline test module, which is its last item.
    fn shipped(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines: Vec<&str> = self.text.lines().collect();
        let inline_tests = |pair: &[&str]| {
            pair[0].trim() == "#[cfg(test)]"
                && pair[1].trim_start().starts_with("mod ")
                && pair[1].ends_with('{')
        };
        let end = lines.windows(2).position(inline_tests).unwrap_or(lines.len());
        let code = self.text.lines().take(end).enumerate().map(|(i, line)| (i + 1, line));
        code.filter(|(_, line)| !line.trim_start().starts_with("//"))
    }
}

/// Returns all Rust files of the workspace, in the order of their paths.
fn sources() -> Vec<Source> {
    let files = workspace::sources();
    assert!(files.len() > 100, "the walk finds the workspace");
    let source = |path: PathBuf| Source {
        text: fs::read_to_string(&path).expect("a source file is readable"),
        path: relative(&path),
    };
    files.into_iter().map(source).collect()
}

fn none(complaints: &[String]) {
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

#[test]
fn every_file_has_a_module_comment() {
    let without = sources().into_iter().filter(|source| !source.text.starts_with("//! "));
    none(&without.map(|source| format!("{}: no module comment at the top", source.path)).collect::<Vec<_>>());
}

#[test]
fn a_module_with_parts_is_the_mod_file_of_its_folder() {
    let misplaced = sources().into_iter().filter(|source| {
        source.path.contains("/src/") && root().join(source.path.trim_end_matches(".rs")).is_dir()
    });
    none(
        &misplaced
            .map(|source| format!("{}: move it to `mod.rs` of its folder", source.path))
            .collect::<Vec<_>>(),
    );
}

/// Tests: `no-host-access`.
#[test]
fn the_machine_touches_nothing_of_the_host() {
    let forbidden = [
        ("std::time", "a host clock"),
        ("std::fs", "files"),
        ("std::io", "input or output"),
        ("std::env", "the environment"),
        ("std::net", "the network"),
        ("std::process", "processes"),
        ("println!", "output"),
        ("eprintln!", "output"),
        ("print!(", "output"),
        ("dbg!(", "output"),
        ("HashMap", "an order of iteration that differs from run to run"),
        ("HashSet", "an order of iteration that differs from run to run"),
    ];
    let mut complaints = Vec::new();
    for source in sources() {
        let inside =
            source.path.starts_with("machine/isa/src/") || source.path.starts_with("machine/sim-core/src/");
        if !inside || source.is_test() {
            continue;
        }
        for (number, line) in source.shipped() {
            for (word, what) in forbidden.iter().filter(|(word, _)| line.contains(word)) {
                if word.starts_with("Hash") && LOOKED_UP.contains(&source.path.as_str()) {
                    continue;
                }
                complaints.push(format!("{}:{number}: {word} is {what}", source.path));
            }
        }
    }
    none(&complaints);
}

#[test]
fn every_chip_file_is_built_in() {
    let files = fs::read_dir(root().join("configs")).expect("the folder of chips");
    let paths = files.map(|file| file.expect("a file").path());
    let chips = paths.filter(|path| path.extension().is_some_and(|extension| extension == "ron"));
    for name in chips.map(|path| path.file_stem().expect("a name").to_string_lossy().into_owned()) {
        let found = sim_core::config::builtin::builtin_names().any(|builtin| builtin == name);
        assert!(
            found,
            "configs/{name}.ron has no row in `BUILTIN` of machine/sim-core/src/config/builtin.rs"
        );
    }
}

/// Tests: `exec-sees-no-cycle`.
#[test]
fn isa_and_exec_see_no_cycle() {
    let mut complaints = Vec::new();
    for source in sources() {
        let exec = source.path.starts_with("machine/sim-core/src/exec/");
        if !(exec || source.path.starts_with("machine/isa/src/")) || source.is_test() {
            continue;
        }
        let words: &[&str] = if exec {
            &["crate::sm", "crate::gpu", "crate::cluster", "crate::mem", "crate::time"]
        } else {
            &["sim_core"]
        };
        for (number, line) in source.shipped() {
            for word in words.iter().filter(|word| line.contains(*word)) {
                complaints.push(format!("{}:{number}: uses {word}", source.path));
            }
        }
    }
    none(&complaints);
}

/// Settings are strings of the environment only for another process: native programs.
#[test]
fn no_part_of_the_process_passes_settings_by_the_environment() {
    let mut complaints = Vec::new();
    for source in sources() {
        let is_native =
            ["language/cudart/", "language/warpcc/", "language/cuda/src/names.rs", "doors/cli/src/cmd/exec/"]
                .iter()
                .any(|folder| source.path.starts_with(folder));
        if is_native || source.is_test() || source.path.ends_with("build.rs") {
            continue;
        }
        for (number, line) in source.shipped() {
            if line.contains("\"WARPSIM_") && !line.contains("env!(") {
                complaints.push(format!("{}:{number}: names a variable of the environment", source.path));
            }
        }
    }
    none(&complaints);
}

#[test]
fn no_lint_is_silenced_without_a_reason() {
    let mut complaints = Vec::new();
    for source in sources() {
        for (number, line) in source.text.lines().enumerate() {
            let line = line.trim_start();
            if line.starts_with("#[allow(") || line.starts_with("#![allow(") {
                complaints.push(format!("{}:{}: use #[expect(…, reason = …)]", source.path, number + 1));
            }
        }
    }
    none(&complaints);
}

/// Only `sim-core` and `check`, on which crates of users depend, have examples that are compiled.
/// The other crates have `doctest = false`, because cargo compiles the documentation of each crate
/// for this, with or without examples.
#[test]
fn examples_are_compiled() {
    let mut complaints = Vec::new();
    let has_examples =
        |path: &str| ["machine/sim-core/", "analysis/check/"].iter().any(|folder| path.starts_with(folder));
    for source in sources().iter().filter(|source| !has_examples(&source.path)) {
        let fences = source.text.lines().enumerate().filter_map(|(number, line)| {
            let comment = line.trim_start().strip_prefix("//")?.strip_prefix(['/', '!'])?;
            Some((number, comment.trim_start().strip_prefix("```")?))
        });
        for (number, language) in fences.step_by(2).filter(|(_, language)| *language != "text") {
            let number = number + 1;
            complaints.push(format!("{}:{number}: `{language}` would not be compiled", source.path));
        }
    }
    none(&complaints);
}

#[test]
fn few_places_alone_are_unsafe() {
    let lint = concat!("unsafe", "_code");
    let is_known = |path: &str| UNSAFE.iter().any(|known| path.starts_with(known));
    let others = sources().into_iter().filter(|source| !is_known(&source.path) && source.text.contains(lint));
    let complaint = |source: Source| format!("{}: only {} have unsafe code", source.path, UNSAFE.join(", "));
    none(&others.map(complaint).collect::<Vec<_>>());
}
