//! `PyCUDA` from the registry of Python packages, built with a toolkit folder.

use std::path::Path;
use std::process::Command;
use test_support::tools::Tool;

/// Exit code of the script if `PyCUDA` cannot be installed.
const CANNOT_INSTALL: i32 = 77;

/// The checks of `tests/pycuda/check.py`.
const CHECKS: [&str; 9] = [
    "source_module",
    "in_out",
    "arrays",
    "reductions",
    "scans",
    "events",
    "attributes",
    "textures",
    "contexts",
];

#[test]
#[ignore = "builds PyCUDA from its source package: about two minutes and the registry of Python packages"]
fn pycuda_runs_on_a_simulated_gpu() {
    if Tool::Clang.is_missing("pycuda_runs_on_a_simulated_gpu") {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let test = std::env::current_exe().expect("a test has a file");
    let library = test.parent().expect("a file is in a folder");
    let toolkit = folder.path().join("cuda");
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpcc"));
    let status = command.arg("--toolkit").arg(&toolkit).env("WARPSIM_LIB", library).status();
    assert!(status.expect("warpcc starts").success());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pycuda/run");
    let output = Command::new(script).arg(&toolkit).arg(folder.path()).output().expect("the script starts");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if output.status.code() == Some(CANNOT_INSTALL) {
        println!("!!!! SKIPPED: PyCUDA: it cannot be installed: {err}");
        return;
    }
    assert!(output.status.success(), "{out}{err}");
    for check in CHECKS {
        assert!(out.contains(&format!("{check} passed")), "{check}: {out}{err}");
    }
}
