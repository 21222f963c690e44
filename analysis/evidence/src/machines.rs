//! An experiment on every machine: each chip of the claim, timed and functional, with all results
//! side by side.

use super::finding::{Exact, Finding, list};
use kernels::RunError;
use sim_core::host::Mode;
use std::fmt::{self, Display};

/// One built-in chip of each generation.
pub const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Chips by name, for experiments as data.
pub const KNOWN: [&str; 4] = ["g80", "8800gt", "gt200", "fermi"];

/// Boards of compute capability 1.0 and 1.1, whose half-warps coalesce in order or not at all.
pub const STRICT: [&str; 2] = ["g80", "8800gt"];

/// Both execution modes.
pub const MODES: [Mode; 2] = [Mode::Timed, Mode::Functional];

/// A built-in chip in one execution mode: timed (cycle by cycle) or functional.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Name of the chip.
    pub chip: &'static str,
    /// Execution mode.
    pub mode: Mode,
}

impl Machine {
    /// Whether it has time.
    pub fn is_timed(self) -> bool {
        self.mode == Mode::Timed
    }
}

impl Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mode = match self.mode {
            Mode::Timed => "timed",
            Mode::Functional => "functional",
        };
        write!(f, "{}, {mode}", self.chip)
    }
}

/// Results of the same program on several machines.
#[derive(Clone, Debug)]
pub struct Everywhere<T>(Vec<(Machine, T)>);

impl<T> Everywhere<T> {
    /// Runs `program` on each of `chips`, timed and functional.
    ///
    /// # Errors
    /// The first error of `program`.
    pub fn run(
        chips: &[&'static str],
        mut program: impl FnMut(Machine) -> Result<T, RunError>,
    ) -> Result<Self, RunError> {
        let machines = chips.iter().flat_map(|chip| MODES.map(|mode| Machine { chip, mode }));
        machines.map(|machine| Ok((machine, program(machine)?))).collect::<Result<_, _>>().map(Self)
    }

    /// Iterates over the machines and their results.
    pub fn iter(&self) -> impl Iterator<Item = &(Machine, T)> {
        self.0.iter()
    }

    /// Compares the value that `get` picks from each result with `expected`. The finding shows the
    /// value once if all machines agree, and otherwise the value of each machine.
    #[expect(clippy::needless_pass_by_value, reason = "callers have just computed what they hand over")]
    pub fn exact<V: Exact>(&self, what: impl Into<String>, expected: V, get: impl Fn(&T) -> V) -> Finding {
        let shown = |value: &V| (value.to_string(), value.number().into_iter().collect());
        self.compare(what, shown(&expected), |found| shown(&get(found)))
    }

    /// Compares the numbers that `get` picks from each result with `expected`, like
    /// [`Self::exact`].
    pub fn exact_list(
        &self,
        what: impl Into<String>,
        expected: &[f64],
        get: impl Fn(&T) -> Vec<f64>,
    ) -> Finding {
        let shown = |values: &[f64]| (list(values), values.to_vec());
        self.compare(what, shown(expected), |found| shown(&get(found)))
    }

    /// Compares the text that `get` returns for each result. The finding has its numbers if all
    /// machines agree.
    fn compare(
        &self,
        what: impl Into<String>,
        (expected, stated): (String, Vec<f64>),
        get: impl Fn(&T) -> (String, Vec<f64>),
    ) -> Finding {
        let words = self.in_words(|found| get(found).0);
        let first = self.0.first().map(|(_, found)| get(found)).filter(|(text, _)| *text == words);
        let numbers = first.map(|(_, numbers)| numbers).unwrap_or_default();
        Finding::exact(what, expected, words).with_numbers(&stated, &numbers)
    }

    /// Text of the value that `get` picks: once if all machines agree, otherwise one value per
    /// machine.
    pub fn in_words(&self, get: impl Fn(&T) -> String) -> String {
        let words = self.0.iter().map(|(machine, found)| (Some(*machine), get(found)));
        in_words(&words.collect::<Vec<_>>())
    }
}

/// The found text once if all machines agree, otherwise the text of each machine.
pub fn in_words(found: &[(Option<Machine>, String)]) -> String {
    match found {
        [(_, first), others @ ..] if others.iter().all(|(_, other)| other == first) => first.clone(),
        _ => {
            let each = found.iter().map(|(machine, text)| match machine {
                Some(machine) => format!("{text} ({machine})"),
                None => text.clone(),
            });
            each.collect::<Vec<_>>().join("; ")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Verdict;

    #[test]
    fn a_different_value_on_one_machine_fails_and_is_shown() {
        let same = Everywhere::run(&CHIPS, |_| Ok(7)).unwrap();
        let finding = same.exact("number", 7, |n| *n);
        assert_eq!((finding.verdict, finding.simulated.as_str()), (Verdict::Passed, "7"));
        let odd = |machine: Machine| Ok(if machine.chip == "fermi" { 8 } else { 7 });
        let finding = Everywhere::run(&CHIPS[1..], odd).unwrap().exact("number", 7, |n| *n);
        assert_eq!(finding.verdict, Verdict::Failed);
        assert!(
            finding.simulated.starts_with("7 (gt200, timed); ")
                && finding.simulated.contains("8 (fermi, timed)")
        );
    }
}
