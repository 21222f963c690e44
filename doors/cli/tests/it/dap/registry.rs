//! A session with the client of the package `@vscode/debugadapter-testsupport`: its framing, its
//! order of requests, and its checks.

use crate::common::data;
use std::path::Path;
use std::process::Command;
use test_support::tools::Tool;

#[test]
fn a_client_from_a_package_registry_debugs_a_kernel() {
    if Tool::DapClient.is_missing("a_client_from_a_package_registry_debugs_a_kernel") {
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let client = Tool::DapClient.folder().expect("a folder");
    let mut command = Command::new("node");
    command.arg(here.join("tests/dap/session.mjs")).arg(env!("CARGO_BIN_EXE_warpsim")).arg(client);
    let output = command.current_dir(data()).output().expect("node runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.ends_with("passed\n"), "{text}");
}
