//! Options of `warpsim debug`.

use super::WhichLaunch;
use super::run::threads;
use super::{DirectArgs, ExploreOrder};
use request::options::{ChipArgs, Request};
use std::ffi::OsString;
use std::path::PathBuf;

/// Options of `debug`.
#[derive(Debug, clap::Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub struct DebugArgs {
    /// Kernel or program that is launched.
    #[command(flatten)]
    pub workload: Request,

    /// The launch without a launch file.
    #[command(flatten)]
    pub direct: DirectArgs,

    /// Which chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// Execute the commands in this file first, one per line; `#` begins a comment
    #[arg(long, short = 'x', value_name = "FILE")]
    pub script: Option<PathBuf>,

    /// Execute this command after the commands of --script; may be repeated, and `-ex` is the same.
    /// A command that fails does not end the others, but the exit code is 2
    #[arg(long = "ex", value_name = "COMMAND", allow_hyphen_values = true)]
    pub commands: Vec<String>,

    /// End after the script, or after standard input; print each command before its output, and
    /// stop at the first command that fails
    #[arg(long)]
    pub batch: bool,

    /// Show the launch on the whole screen of the terminal; with --script, after its commands. This
    /// is the default if standard input and output are terminals and neither --batch, --script nor
    /// --ex is given
    #[arg(long, conflicts_with_all = ["batch", "no_tui"])]
    pub tui: bool,

    /// Read commands line by line also from a terminal
    #[arg(long)]
    pub no_tui: bool,

    /// Run on the functional machine: steps of warp instructions, without cycles
    #[arg(long)]
    pub functional: bool,

    /// Run exactly the schedule in this file, which `explore --out` has written: steps of warp
    /// instructions on the interleaved machine, without cycles
    #[arg(long, value_name = "FILE", conflicts_with = "functional")]
    pub replay: Option<PathBuf>,

    /// The launch of --replay.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// With --replay: requests for global memory that keep their order, as for `explore`
    #[arg(long, value_enum, value_name = "ORDER", default_value = "words", requires = "replay")]
    pub order: ExploreOrder,

    /// Most host threads for the simulation; the output does not depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,
}

/// Returns the words of a command line in which long options that begin with one hyphen have two:
/// `-std` of compilers, and `-ex` and `-batch` of GDB for `debug`. Words behind `--` stay the same.
pub fn hyphened(words: impl IntoIterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let (mut is_debug, mut is_option, mut number) = (false, true, 0);
    words.into_iter().map(move |word| {
        number += 1;
        if number == 2 {
            is_debug = word == "debug";
        }
        is_option &= word != "--";
        is_debug &= is_option;
        match word.to_str() {
            Some("-ex") if is_debug => "--ex".into(),
            Some("-batch") if is_debug => "--batch".into(),
            Some(word) if is_option && (word == "-std" || word.starts_with("-std=")) => {
                format!("-{word}").into()
            }
            _ => word,
        }
    })
}

#[cfg(test)]
mod tests {
    use super::hyphened;
    use std::ffi::OsString;

    #[test]
    fn long_options_with_one_hyphen_get_two() {
        let words = |line: &str| -> String {
            let words = hyphened(line.split(' ').map(OsString::from));
            words.map(|word| word.to_string_lossy().into_owned()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(words("warpsim run a.cu -std=c++20"), "warpsim run a.cu --std=c++20");
        assert_eq!(words("warpsim run a.cu -std c++20"), "warpsim run a.cu --std c++20");
        assert_eq!(words("warpsim run a.cu -- -std=c++20"), "warpsim run a.cu -- -std=c++20");
        assert_eq!(words("warpsim run a.cu -stdio -s"), "warpsim run a.cu -stdio -s");
        assert_eq!(words("warpsim debug a.cu -ex run -batch"), "warpsim debug a.cu --ex run --batch");
    }
}
