//! Options of `warpsim trace`.

use super::WhichLaunch;
use super::run::threads;
use super::size::Size;
use super::watch::ProgressArgs;
use request::options::{ChipArgs, Request};
use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::str::FromStr;

/// Options of `trace`.
#[derive(Debug, clap::Args)]
pub struct TraceArgs {
    /// The launch.
    #[command(flatten)]
    pub workload: Request,

    /// The chip.
    #[command(flatten)]
    pub chip: ChipArgs,

    /// SMs: a number, `A..B` (both included) or `all`
    #[arg(long, value_name = "RANGE", default_value = "0")]
    pub sm: Numbers,

    /// Warp slots of each SM: a number, `A..B` (both included) or `all`
    #[arg(long, value_name = "RANGE", default_value = "0")]
    pub warp: Numbers,

    /// Shader cycles: `A..B` (both included), `A..`, `..B` or `all`; the launch stops after B
    #[arg(long, value_name = "RANGE", default_value = "all")]
    pub cycles: Numbers,

    /// Which launch.
    #[command(flatten)]
    pub which: WhichLaunch,

    /// Spans or issue cycles as text, or a file for Perfetto (docs/TRACE.md)
    #[arg(long, value_enum, default_value_t = TraceFormat::Text)]
    pub format: TraceFormat,

    /// Text: one line for all successive spans of a warp with the same state
    #[arg(long)]
    pub fold: bool,

    /// Show the values that each instruction writes to registers
    #[arg(long)]
    pub values: bool,

    /// End the trace and the launch when the output has this size: bytes, or a number with `kB`,
    /// `MB` or `GB`
    #[arg(long, value_name = "SIZE", default_value_t = Size::GIGABYTE)]
    pub max_size: Size,

    /// Write the trace to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Maximum number of host threads; fewer run while there is little work. The trace does not
    /// depend on it
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    pub threads: usize,

    /// The progress.
    #[command(flatten)]
    pub progress: ProgressArgs,

    /// Rejected: the functional machine has no time.
    #[arg(long, hide = true)]
    pub functional: bool,
}

/// Formats of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TraceFormat {
    /// One line for each span: the cycles of a warp in one state at one instruction
    Text,
    /// One line for each issue cycle of each warp
    Cycles,
    /// Chrome trace events as JSON, for Perfetto
    Chrome,
}

/// A range of numbers on the command line: first and last, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    first: u64,
    /// `None`: no last number.
    last: Option<u64>,
}

impl Numbers {
    /// The numbers as a range, which ends at `end` if no last number is given.
    pub fn up_to(self, end: u64) -> Range<u64> {
        self.first..self.last.map_or(end, |last| last.saturating_add(1))
    }

    /// Whether a last number is given.
    pub fn is_bounded(self) -> bool {
        self.last.is_some()
    }
}

impl FromStr for Numbers {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number =
            |text: &str| text.trim().parse::<u64>().map_err(|_| format!("`{text}` is not a whole number"));
        if text.trim() == "all" {
            return Ok(Self { first: 0, last: None });
        }
        let Some((first, last)) = text.split_once("..") else {
            let only = number(text)?;
            return Ok(Self { first: only, last: Some(only) });
        };
        let first = if first.trim().is_empty() { 0 } else { number(first)? };
        let last = if last.trim().is_empty() { None } else { Some(number(last)?) };
        match last {
            Some(last) if last < first => Err(format!("the end {last} is below the start {first}")),
            last => Ok(Self { first, last }),
        }
    }
}

impl fmt::Display for Numbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first, self.last) {
            (0, None) => f.write_str("all"),
            (first, None) => write!(f, "{first}.."),
            (first, Some(last)) if first == last => write!(f, "{first}"),
            (first, Some(last)) => write!(f, "{first}..{last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(text: &str) -> Result<Range<u64>, String> {
        Ok(text.parse::<Numbers>()?.up_to(100))
    }

    #[test]
    fn ranges_include_their_last_number() {
        assert_eq!(range("3"), Ok(3..4));
        assert_eq!(range("0..3"), Ok(0..4));
        assert_eq!(range("2..2"), Ok(2..3));
        assert_eq!(range("5.."), Ok(5..100));
        assert_eq!(range("..7"), Ok(0..8));
        assert_eq!((range("all"), range("..")), (Ok(0..100), Ok(0..100)));
    }

    #[test]
    fn what_is_no_range_says_why() {
        assert!(range("3..1").expect_err("backwards").contains("is below the start 3"));
        for bad in ["", "a", "1..b", "-1", "1...3", "0x10"] {
            assert!(range(bad).expect_err(bad).contains("not a whole number"), "{bad}");
        }
    }

    #[test]
    fn a_range_is_shown_as_it_is_written() {
        for text in ["all", "7", "5..", "2..9"] {
            assert_eq!(text.parse::<Numbers>().map(|n| n.to_string()), Ok(text.to_owned()));
        }
    }
}
