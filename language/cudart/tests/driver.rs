//! A C program of the driver API, compiled with the header `cuda.h` and linked with the library.

use std::path::{Path, PathBuf};
use std::process::Command;
use test_support::tools::{Tool, clang};

/// The groups of `tests/programs/driver.c`.
const GROUPS: [&str; 9] =
    ["devices", "contexts", "limits", "modules", "memory", "copies", "streams", "kernels", "textures"];

/// Compiles the program into `folder`.
fn build(folder: &Path) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let test = std::env::current_exe().expect("a test has a file");
    let library = test.parent().expect("a file is in a folder");
    let program = folder.join("driver");
    let mut command = Command::new(clang().expect("the caller has checked it"));
    command.args(["-x", "c", "-std=c99", "-Wall", "-Wextra", "-Werror", "-I"]).arg(root.join("../include"));
    command.arg(root.join("tests/programs/driver.c")).arg("-o").arg(&program).arg("-L").arg(library);
    command.args(["-lwarpsim_cuda", &format!("-Wl,-rpath,{}", library.display())]);
    let output = command.output().expect("clang starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    program
}

#[test]
fn every_group_of_the_driver_api_does_what_cuda_defines() {
    if Tool::Clang.is_missing("every_group_of_the_driver_api_does_what_cuda_defines") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = build(folder.path());
    for group in GROUPS {
        let mut command = Command::new(&program);
        command.arg(group).current_dir(folder.path());
        command.envs([("WARPSIM_DEVICES", "2"), ("WARPSIM_CHIP", "fermi"), ("WARPSIM_REPORT", "r.json")]);
        let output = command.output().expect("the program starts");
        let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert_eq!(out, format!("{group} passed\n"), "{err}");
        let report = std::fs::read_to_string(folder.path().join("r.json")).expect("the program wrote it");
        let record: serde_json::Value = serde_json::from_str(&report).expect("a record is JSON");
        assert_eq!(record["unchecked"], serde_json::json!([]), "{group} reads every error");
    }
}
