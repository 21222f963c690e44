//! Options of `warpsim compare`.

use super::{Args, Command, RunArgs};
use crate::exit::Failure;
use clap::Parser;
use std::path::PathBuf;

/// Options of `compare`.
#[derive(Debug, clap::Args)]
#[command(override_usage = "warpsim compare [OPTIONS] A.json B.json
       warpsim compare [OPTIONS] -- run KERNEL … -- run KERNEL …
       warpsim compare [OPTIONS] A.json -- run KERNEL …")]
pub struct CompareArgs {
    /// Reports that `warpsim run --json FILE` wrote: A, then B
    #[arg(value_name = "REPORT.json", num_args = 0..)]
    pub reports: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "text")]
    pub format: CompareFormat,

    /// Write the chart of --format svg to this file, too
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,

    /// Write the comparison to this file as one HTML page with pictures (docs/PICTURES.md)
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,

    /// Runs instead of reports: after each `--` the word `run` and the arguments of `warpsim run`
    #[arg(last = true, value_name = "run KERNEL …", allow_hyphen_values = true)]
    pub runs: Vec<String>,
}

/// Output formats of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum CompareFormat {
    /// Plain text
    Text,
    /// One JSON document
    Json,
    /// Markdown
    Markdown,
    /// A bar chart of the time difference by issue slot outcome
    Svg,
}

/// The arguments of a run that is compared.
#[derive(Debug)]
pub struct RunToCompare {
    /// The arguments as one line: `run vecadd --size 64`.
    pub line: String,
    /// The same, parsed.
    pub args: RunArgs,
}

impl CompareArgs {
    /// Parses the argument lists of the runs.
    pub fn runs(&self) -> Result<Vec<RunToCompare>, Failure> {
        if self.runs.is_empty() {
            return Ok(Vec::new());
        }
        // Other dashes are before the arguments of a program.
        let mut starts: Vec<usize> = Vec::new();
        for (at, word) in self.runs.iter().enumerate() {
            let is_next = self.runs.get(at + 1).is_none_or(|next| next == "run") && word == "--";
            starts.extend(is_next.then_some(at));
        }
        let firsts = [0].into_iter().chain(starts.iter().map(|at| at + 1));
        let ends = starts.iter().copied().chain([self.runs.len()]);
        firsts.zip(ends).map(|(from, to)| parse(&self.runs[from..to])).collect()
    }
}

/// Message about a missing word behind dashes.
const RUN_FOLLOWS: &str = "the word `run` must follow `--`, as in `-- run matmul-tiled --size 64`";

/// Why a run is compared as a whole.
const ALL_LAUNCHES: &str = "all launches are compared, in pairs by their kernels";

/// Parses one argument list, and rejects options that have no meaning in a comparison.
fn parse(words: &[String]) -> Result<RunToCompare, Failure> {
    let line = words.join(" ");
    let wrong = |why: String| Failure::input(format!("error: `-- {line}`: {why}"));
    if words.first().is_none_or(|word| word != "run") {
        return Err(wrong(RUN_FOLLOWS.to_owned()));
    }
    let words = ["warpsim"].into_iter().chain(words.iter().map(String::as_str));
    let parsed = Args::try_parse_from(words);
    let parsed = parsed.map_err(|error| wrong(format!("\n{}", error.render().to_string().trim_end())))?;
    if !parsed.allow_path.is_empty() {
        return Err(wrong("--allow-path must be before the first `--`".to_owned()));
    }
    let Command::Run(args) = parsed.command else {
        return Err(wrong("only `run` can be compared".to_owned()));
    };
    if !args.workload.program_arguments.is_empty() && !args.workload.is_program() {
        return Err(wrong(RUN_FOLLOWS.to_owned()));
    }
    let refused = [
        (args.functional, "--functional", "a functional run has no time to compare"),
        (args.racecheck, "--racecheck", "a functional run has no time to compare"),
        (!args.check.is_empty(), "--check", "a functional run has no time to compare"),
        (args.json.is_some(), "--json", "use `warpsim run` to write a report, and compare the files"),
        (args.html.is_some(), "--html", "write it before the first `--`"),
        (args.host_stats, "--host-stats", "use `warpsim run` to see it"),
        (args.which.of_kernel.is_some(), "--kernel", ALL_LAUNCHES),
        (args.which.launch_index.is_some(), "--launch-index", ALL_LAUNCHES),
    ];
    match refused.into_iter().find(|(given, ..)| *given) {
        Some((_, option, why)) => Err(wrong(format!("{option} is not possible here: {why}"))),
        None => Ok(RunToCompare { line, args: *args }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    fn compare(line: &str) -> CompareArgs {
        let parsed = Args::try_parse_from(format!("warpsim compare {line}").split(' ')).expect(line);
        let Command::Compare(compare) = parsed.command else { panic!("it says compare") };
        compare
    }

    #[test]
    fn each_argument_list_follows_its_own_dashes() {
        let args = compare("--format json -- run vecadd --size 64 -- run saxpy --set scheduler=gto");
        let runs = args.runs().expect("two runs");
        let lines: Vec<&str> = runs.iter().map(|run| run.line.as_str()).collect();
        assert_eq!(lines, ["run vecadd --size 64", "run saxpy --set scheduler=gto"]);
        assert_eq!((runs[0].args.workload.size, runs[1].args.chip.sets.len()), (Some(64), 1));
        assert_eq!(args.format, CompareFormat::Json);
        let mixed = compare("a.json -- run vecadd");
        assert_eq!((mixed.reports.len(), mixed.runs().expect("a run").len()), (1, 1));
        assert_eq!((compare("a.json b.json").reports.len(), compare("a.json b.json").runs.len()), (2, 0));
    }

    #[test]
    fn argument_lists_that_cannot_be_compared_are_rejected() {
        for (line, why) in [
            ("-- vecadd", "the word `run` must follow"),
            ("-- sweep vecadd", "the word `run` must follow"),
            ("-- run vecadd --", "the word `run` must follow"),
            ("-- run vecadd --bogus", "--bogus"),
            ("-- run vecadd --functional", "--functional is not possible here"),
            ("-- run vecadd --json a.json", "--json is not possible here"),
            ("-- run vecadd --allow-path .", "before the first `--`"),
        ] {
            let failure = compare(line).runs().expect_err(line);
            assert!(failure.message.contains(why), "{line}: {}", failure.message);
        }
    }
}
