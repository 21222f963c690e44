//! Lists the tests that `cargo test --workspace` skipped because a tool is missing, and the command
//! that installs the tools.

use test_support::tools::{Tool, say, skipped};

fn main() {
    let missing: Vec<Tool> = Tool::ALL.into_iter().filter(|tool| !tool.is_installed()).collect();
    say(&skipped(&missing));
}
