//! Runs the program as a user does, in the folder of test data.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Result of a run.
#[derive(Debug)]
pub struct Run {
    /// Exit code.
    pub code: Option<i32>,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Returns the folder of test data, in which the program runs.
pub fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

/// Returns the program with these arguments, ready to start.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_warpsim"));
    command.args(arguments).current_dir(data()).stdin(Stdio::null());
    command
}

/// Returns the largest of the small sizes of a built-in kernel, and a chip for it if the default
/// chip does not support the kernel.
pub fn small(workload: &kernels::Workload) -> String {
    let size = workload.small_sizes.last().expect("it has small sizes");
    let target = workload.target().expect("it has a target");
    let chip = match (target.major, target.minor) {
        (1, 0) if workload.block.count() <= 512 => "",
        (1, _) if workload.block.count() <= 512 => " --chip gt200",
        _ => " --chip fermi",
    };
    format!("{} --size {size}{chip}", workload.name)
}

/// Runs the program with arguments separated by blanks.
pub fn warpsim(line: &str) -> Run {
    warpsim_with(&line.split_whitespace().collect::<Vec<_>>())
}

/// Runs the program.
pub fn warpsim_with(arguments: &[&str]) -> Run {
    let output = command(arguments).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs a program whose output is closed: it must end successfully and print nothing to standard
/// error.
pub fn ends_well_unread(mut command: Command) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("starts");
    drop(child.stdout.take());
    let mut stderr = String::new();
    child.stderr.take().expect("piped").read_to_string(&mut stderr).expect("UTF-8");
    assert_eq!((child.wait().expect("ends").code(), stderr.as_str()), (Some(0), ""));
}

/// Returns an empty folder for a test's files.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a scratch folder");
    folder
}

/// Runs the program in a folder.
pub fn in_folder(folder: &Path, words: &[&str]) -> Run {
    let output = command(words).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}
