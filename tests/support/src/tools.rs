//! Tools that some tests need. Without its tool, a test passes with a message
//! ([`Tool::is_missing`]); the last test of `cargo test --workspace` lists what was skipped
//! ([`skipped`]).

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The command that installs all tools.
pub const INSTALL: &str = "scripts/test-tools";

/// A tool outside the project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    /// The terminal multiplexer tmux.
    Tmux,
    /// Node and a client of the Debug Adapter Protocol from npm.
    DapClient,
    /// `HyperQueue`.
    HyperQueue,
    /// Slurm.
    Slurm,
    /// Clang 16 or newer, which compiles CUDA C++.
    Clang,
    /// NVIDIA's header `cuda_occupancy.h`, and a C compiler.
    OccupancyHeaders,
    /// NVIDIA's assembler `ptxas`.
    Assembler,
    /// The right to mount a file system.
    Mount,
}

impl Tool {
    /// All tools.
    pub const ALL: [Self; 8] = [
        Self::Tmux,
        Self::DapClient,
        Self::HyperQueue,
        Self::Slurm,
        Self::Clang,
        Self::OccupancyHeaders,
        Self::Assembler,
        Self::Mount,
    ];

    /// Returns the tool's name, and the tests that need it.
    pub fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Tmux => ("tmux", "the screen of `warpsim debug`"),
            Self::DapClient => ("node and its DAP client", "a session of `warpsim dap` with that client"),
            Self::HyperQueue => ("HyperQueue", "experiments on its clusters"),
            Self::Slurm => ("Slurm", "experiments on its clusters"),
            Self::Clang => ("clang 16 or newer", "CUDA C++ programs"),
            Self::OccupancyHeaders => {
                ("cuda_occupancy.h of CUDA and a C compiler (cc)", "occupancy compared with that header")
            }
            Self::Assembler => ("ptxas of CUDA 12.9", "verdicts about PTX, asked again"),
            Self::Mount => ("the right to mount a file system", "an experiment on a full disk"),
        }
    }

    /// Returns the folder into which [`INSTALL`] writes the tool, if it does.
    pub fn folder(self) -> Option<PathBuf> {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target");
        match self {
            Self::DapClient => Some(target.join("dap-client")),
            Self::HyperQueue => Some(target.join("hyperqueue")),
            Self::OccupancyHeaders => Some(target.join("occupancy-headers")),
            Self::Assembler => Some(target.join("assembler")),
            Self::Tmux | Self::Slurm | Self::Clang | Self::Mount => None,
        }
    }

    /// Whether the tool can be used.
    pub fn is_installed(self) -> bool {
        let runs = |command: &[&str]| {
            let mut process = Command::new(command[0]);
            process.args(&command[1..]).stdout(Stdio::null()).stderr(Stdio::null());
            process.status().is_ok_and(|status| status.success())
        };
        let has = |file: &str| self.folder().is_some_and(|folder| folder.join(file).exists());
        match self {
            Self::Tmux => runs(&["tmux", "-V"]),
            Self::DapClient => {
                has("node_modules/@vscode/debugadapter-testsupport") && runs(&["node", "--version"])
            }
            Self::HyperQueue => has("bin/python"),
            Self::Slurm => runs(&["sbatch", "--version"]),
            Self::Clang => clang().is_some(),
            Self::OccupancyHeaders => {
                let versions = ["11.8", "13.5"].map(|version| format!("{version}/cuda_occupancy.h"));
                versions.iter().all(|file| has(file)) && runs(&["cc", "--version"])
            }
            Self::Assembler => has("ptxas"),
            Self::Mount => runs(&["unshare", "--mount", "true"]),
        }
    }

    /// Whether the tool is missing. If so, standard error reports that `test` is skipped.
    pub fn is_missing(self, test: &str) -> bool {
        let missing = !self.is_installed();
        if missing {
            say(&format!("!!!! SKIPPED: {test}: needs {}\n", self.words().0));
        }
        missing
    }
}

/// Returns the command of the newest installed clang++ from version 16 on.
pub fn clang() -> Option<String> {
    let names = (16..=22).rev().map(|version| format!("clang++-{version}"));
    names.chain(["clang++".to_owned()]).find(|name| {
        let output = Command::new(name).arg("-dumpversion").stderr(Stdio::null()).output();
        let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
        let major = text.ok().and_then(|text| text.split('.').next()?.trim().parse::<u32>().ok());
        major.is_some_and(|major| major >= 16)
    })
}

/// Writes to standard error directly: the test harness hides the output of passing tests.
pub fn say(text: &str) {
    std::io::stderr().lock().write_all(text.as_bytes()).expect("standard error can be written");
}

/// Returns the list of the tests that are skipped without `missing` tools, with the command that
/// installs them.
pub fn skipped(missing: &[Tool]) -> String {
    if missing.is_empty() {
        return "\nNo test was skipped for a missing tool.\n".to_owned();
    }
    let mut text = "\nSKIPPED, because a tool is missing:\n".to_owned();
    for tool in missing {
        let (name, tests) = tool.words();
        writeln!(text, "  {tests}: needs {name}").expect("writing to a string cannot fail");
    }
    if missing.iter().any(|tool| *tool != Tool::Mount) {
        writeln!(text, "Install the tools with: {INSTALL}").expect("writing to a string cannot fail");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_has_each_missing_tool_and_the_command() {
        assert_eq!(
            skipped(&[Tool::Tmux, Tool::Slurm]),
            "\nSKIPPED, because a tool is missing:\n  \
             the screen of `warpsim debug`: needs tmux\n  \
             experiments on its clusters: needs Slurm\n\
             Install the tools with: scripts/test-tools\n"
        );
        assert!(!skipped(&[]).contains("Install"));
        assert!(!skipped(&[Tool::Mount]).contains("Install"));
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(INSTALL);
        assert!(script.exists(), "{INSTALL}");
    }
}
