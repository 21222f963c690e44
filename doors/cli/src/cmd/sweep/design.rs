//! The lists of the command line as the design of a study: every combination, and the last list
//! varies fastest.

use super::list;
use crate::args::SweepArgs;
use crate::chip;
use crate::exit::Failure;
use isa::diag::render_source;
use isa::span::{Span, Spanned};
use request::options::split;
use sim_core::config::builtin::DEFAULT_CHIP;
use sim_core::config::source::Sources;
use std::path::PathBuf;
use studies::check_targets;
use studies::chip::ChipEntry;
use studies::file::{Experiment, Factor, Kernel, Level, Source, Target};

/// The lists, with the texts to which the positions of the paths belong.
#[derive(Debug)]
pub struct Lists {
    /// Kernels, chips and factors.
    pub file: Experiment,
    sources: Sources,
}

/// Returns a value without a position.
fn plain<T>(value: T) -> Spanned<T> {
    Spanned { value, span: Span::default() }
}

impl Lists {
    /// Returns the lists of the arguments: kernels, chips, sizes, grids, blocks and registers, then
    /// each `--set` in order.
    pub fn new(args: &SweepArgs) -> Result<Self, Failure> {
        let wrong = |option: &str, why: String| Failure::input(format!("error: {option}: {why}"));
        let values = |option: &str, list: &str| list::values(list).map_err(|why| wrong(option, why));
        let mut file = Experiment::default();
        for name in args.kernels()? {
            let source = if kernels::find(&name).is_some() {
                Source::Builtin { kernel: plain(name.clone()), size: None }
            } else {
                let launch = args.launch.clone().unwrap_or_else(|| PathBuf::from(&name));
                Source::File { ptx: plain(PathBuf::from(&name)), launch: plain(launch) }
            };
            file.kernels.push(Kernel { name, span: Span::default(), source });
        }
        let chips = args.chip.as_deref().unwrap_or(DEFAULT_CHIP);
        file.given.chips = values("--chip", chips)?.into_iter().map(plain).collect();
        let mut factor = |name: String, target: Spanned<Target>, values: Vec<String>| {
            let level = |text| Level { text, number: None };
            let levels = values.into_iter().map(level).collect();
            file.factors.push(Factor { name: plain(name), targets: vec![target], levels, only: Vec::new() });
        };
        for (name, target, list) in [
            ("size", Target::Size, &args.size),
            ("grid", Target::Launch("grid".to_owned()), &args.grid),
            ("block", Target::Launch("block".to_owned()), &args.block),
            ("registers", Target::Registers, &args.registers),
        ] {
            let Some(list) = list else { continue };
            let values = values(&format!("--{name}"), list)?;
            if let Some(bad) = values.iter().find(|value| !is_possible(&target, value)) {
                return Err(wrong(&format!("--{name}"), format!("`{bad}` is not a whole number")));
            }
            factor(name.to_owned(), plain(target), values);
        }
        let mut sources = Sources::default();
        for set in &args.sets {
            let (path, list) = split(set)?;
            let values = values(&format!("--set {path}"), &list)?;
            let base = sources.add("--set", format!("{path}={list}"));
            let span = Span::new(base, base + path.len());
            factor(path.clone(), Spanned { value: Target::Chip(path), span }, values);
        }
        Ok(Self { file, sources })
    }

    /// Returns the chips. Rejects texts that are not RON, and paths that none of the chips has:
    /// with a misspelled path every point would fail.
    pub fn chips(&self) -> Result<Vec<ChipEntry>, Failure> {
        let entry = |name: &Spanned<String>| {
            let (name, texts) = (name.value.clone(), chip::texts(&name.value)?);
            let root = texts.read().map_err(|complaints| Failure::input(complaints.to_string()))?.root;
            Ok(ChipEntry { name, texts, root, resources: Vec::new() })
        };
        let chips: Vec<ChipEntry> =
            self.file.given.chips.iter().map(entry).collect::<Result<_, Failure>>()?;
        let mut wrong = Vec::new();
        check_targets(&self.file, &chips.iter().collect::<Vec<_>>(), &mut wrong);
        if wrong.is_empty() {
            return Ok(chips);
        }
        Err(Failure::input(render_source(&wrong, &self.sources)))
    }
}

/// Whether a size or a number of registers is a whole number. Each point checks whether the other
/// values are possible.
fn is_possible(target: &Target, value: &str) -> bool {
    match target {
        Target::Size => value.parse::<u64>().is_ok(),
        Target::Registers => value.parse::<u32>().is_ok_and(|n| n > 0),
        Target::Chip(_) | Target::Launch(_) | Target::Argument(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Args, Command};
    use clap::Parser;

    fn lists(line: &str) -> Result<Lists, Failure> {
        let line = format!("warpsim sweep vecadd {line}");
        let Command::Sweep(args) = Args::try_parse_from(line.split_whitespace()).expect("good").command
        else {
            panic!("{line}")
        };
        Lists::new(&args)
    }

    #[test]
    fn each_list_is_a_factor_in_the_order_of_the_loops() {
        let file = lists("--set a=1,2 --set b=x,y,z --size 4,8 --chip g80,gt200").expect("valid").file;
        let names: Vec<&str> = file.factors.iter().map(|factor| factor.name.value.as_str()).collect();
        assert_eq!((names, file.given.chips.len()), (vec!["size", "a", "b"], 2));
        let levels: Vec<&str> = file.factors[2].levels.iter().map(|level| level.text.as_str()).collect();
        assert_eq!(levels, ["x", "y", "z"]);
        assert_eq!(lists("").expect("valid").file.given.chips, [plain(DEFAULT_CHIP.to_owned())]);
    }

    #[test]
    fn an_invalid_list_has_a_message() {
        for (line, part) in [
            ("--size 4,x", "--size: `x` is not a whole number"),
            ("--registers 0", "--registers: `0`"),
            ("--set a", "PATH=VALUE"),
            ("--set a=1,,2", "--set a: "),
        ] {
            assert!(lists(line).unwrap_err().message.contains(part), "{line}");
        }
    }
}
