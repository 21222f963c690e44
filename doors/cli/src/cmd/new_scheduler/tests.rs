//! Tests of new crates: their files, wrong arguments, and a build.

use super::*;
use std::process::Command;

/// The folder of the workspace.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace exists")
}

/// Writes a crate of this name to a temporary folder.
fn new(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join(name);
    run(&NewSchedulerArgs { folder: path.clone(), source: None }).expect("the folder is new");
    (folder, path)
}

#[test]
fn a_new_crate_has_the_files_of_the_example_under_its_name() {
    let (_folder, path) = new("my-policy");
    let read = |name: &str| fs::read_to_string(path.join(name)).expect("the file is written");
    let example = root().join("examples/new-scheduler");
    for (name, _) in EXAMPLE {
        let text = fs::read_to_string(example.join(name)).expect("the example has the file");
        assert_eq!(read(name), text.replace("new_scheduler", "my_policy"), "{name}");
    }
    for name in COPIED {
        assert_eq!(read(name), fs::read_to_string(root().join(name)).unwrap(), "{name}");
    }
    let manifest = read("Cargo.toml");
    assert!(manifest.contains("name = \"my-policy\"") && !manifest.contains("CLI"), "{manifest}");
    assert!(
        manifest.contains(&format!("warpsim = {{ path = {:?} }}", root().join("doors/cli"))),
        "{manifest}"
    );
    let manifest = fs::read_to_string(example.join("Cargo.toml")).unwrap();
    for dependency in ["[dependencies]\nwarpsim", "[dev-dependencies]\nwarpsim-check"] {
        assert!(manifest.contains(dependency) && read("Cargo.toml").contains(dependency), "{dependency}");
    }
}

#[test]
fn files_are_not_replaced_and_names_are_checked() {
    let (_folder, path) = new("mine");
    let again = run(&NewSchedulerArgs { folder: path, source: None }).unwrap_err();
    assert!(again.message.contains("exists\nhelp: name a new folder"), "{}", again.message);
    for name in ["3rd", "Mine", "a b", "warpsim", "ä", "/"] {
        let failure = name_of(Path::new(name)).unwrap_err();
        assert!(failure.message.contains("such as my-scheduler"), "{name}: {}", failure.message);
    }
}

#[test]
fn a_wrong_source_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let args = NewSchedulerArgs { folder: folder.path().join("a"), source: Some(folder.path().to_owned()) };
    let failure = run(&args).unwrap_err();
    assert!(failure.message.contains("the folder has not the source code of warpsim"), "{}", failure.message);
    assert!(!folder.path().join("a").exists(), "nothing is written");
}

/// Builds the crate, runs a kernel with the policy, and runs its tests.
#[test]
#[ignore = "compiles the simulator"]
fn a_new_crate_works() {
    let (_folder, path) = new("my-policy");
    let cargo = |words: &[&str]| {
        let start = std::time::Instant::now();
        let mut command = Command::new(env!("CARGO"));
        let output = command.args(words).current_dir(&path).env_remove("CARGO_TARGET_DIR").output();
        let output = output.expect("cargo starts");
        println!("cargo {}: {:.0} s", words.join(" "), start.elapsed().as_secs_f64());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
        text
    };
    cargo(&["build", "--release", "--offline"]);
    let run = [
        &["run", "--release", "--offline", "--", "run", "vecadd", "--json", "-"][..],
        &["--set", "sm.scheduler=abreast"],
    ]
    .concat();
    assert!(cargo(&run).contains("abreast(slack: 4)"));
    let policy = path.join("src/lib.rs");
    let text = fs::read_to_string(&policy).expect("the crate has a policy");
    fs::write(&policy, text.replace("0..=1_000_000, 4,", "0..=1_000_000, 6,")).expect("it can be changed");
    assert!(cargo(&run).contains("abreast(slack: 6)"));
    assert!(cargo(&["test", "--release", "--offline"]).contains("2 passed"));
}
