//! A session with the client of the package `@vscode/debugadapter-testsupport`: its framing, its
//! order of requests, and its checks.

use crate::common::data;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

#[test]
fn a_client_from_a_package_registry_debugs_a_kernel() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let client = here.join("../target/dap-client");
    // Not `println!`, which the test harness shows only for failed tests.
    let skip = |why: &str| {
        writeln!(io::stderr(), "\n!!!! SKIPPED: the session with a DAP client from npm: {why}\n")
            .expect("written");
    };
    if !client.join("node_modules/@vscode/debugadapter-testsupport").is_dir() {
        return skip("scripts/dap-client installs it, as .ci/run does");
    }
    let mut command = Command::new("node");
    command.arg(here.join("tests/dap/session.mjs")).arg(env!("CARGO_BIN_EXE_warpsim")).arg(client);
    command.current_dir(data());
    let Ok(output) = command.output() else { return skip("node is not installed") };
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    assert!(text.ends_with("passed\n"), "{text}");
}
