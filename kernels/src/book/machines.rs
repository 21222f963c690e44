//! A row on every machine: each chip it speaks of, timed and functional, and what came out on all
//! of them.

use super::finding::{Finding, list};
use crate::RunError;
use sim_core::host::Mode;
use std::fmt::{self, Display};

/// One built-in chip of each generation.
pub const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Boards of compute capability 1.0 and 1.1, whose half-warps coalesce in order or not at all.
pub const STRICT: [&str; 2] = ["g80", "8800gt"];

/// Both machines.
pub const MODES: [Mode; 2] = [Mode::Timed, Mode::Functional];

/// A built-in chip, cycle by cycle or without time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// The chip's name.
    pub chip: &'static str,
    /// Whether time is simulated.
    pub mode: Mode,
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

/// What came out on each machine.
#[derive(Clone, Debug)]
pub struct Everywhere<T>(Vec<(Machine, T)>);

impl<T> Everywhere<T> {
    /// Runs `program` on each of `chips`, timed and functional.
    ///
    /// # Errors
    /// Those of `program`.
    pub fn run(
        chips: &[&'static str],
        mut program: impl FnMut(Machine) -> Result<T, RunError>,
    ) -> Result<Self, RunError> {
        let machines = chips.iter().flat_map(|chip| MODES.map(|mode| Machine { chip, mode }));
        machines.map(|machine| Ok((machine, program(machine)?))).collect::<Result<_, _>>().map(Self)
    }

    /// What came out, machine by machine.
    pub fn iter(&self) -> impl Iterator<Item = &(Machine, T)> {
        self.0.iter()
    }

    /// What `get` picks must be `expected` on every machine. The finding shows it once if it is the
    /// same on all of them, else machine by machine.
    pub fn exact<V: Display>(&self, what: impl Into<String>, expected: V, get: impl Fn(&T) -> V) -> Finding {
        Finding::exact(what, expected.to_string(), self.in_words(|found| get(found).to_string()))
    }

    /// Numbers in a row that `get` picks must be `expected` on every machine.
    pub fn exact_list(
        &self,
        what: impl Into<String>,
        expected: &[f64],
        get: impl Fn(&T) -> Vec<f64>,
    ) -> Finding {
        Finding::exact(what, list(expected), self.in_words(|found| list(&get(found))))
    }

    /// What `get` picks once if it is the same everywhere, else machine by machine.
    pub fn in_words(&self, get: impl Fn(&T) -> String) -> String {
        let words: Vec<(Machine, String)> =
            self.0.iter().map(|(machine, found)| (*machine, get(found))).collect();
        match words.first() {
            Some((_, first)) if words.iter().all(|(_, other)| other == first) => first.clone(),
            _ => {
                let each = words.iter().map(|(machine, found)| format!("{found} ({machine})"));
                each.collect::<Vec<_>>().join("; ")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Verdict;

    #[test]
    fn what_differs_on_one_machine_fails_and_is_told() {
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
