//! Searches random cases for one that fails, and makes it small.

use crate::draw::Draw;
use crate::example::folder::{self, Replay};
use crate::example::reduce::reduce;
use crate::example::{Example, Failure};
use crate::generate::Case;
use crate::rule::Violation;
use crate::run::Prepared;
use proptest::strategy::{Strategy, ValueTree};
use std::fmt;
use std::path::Path;

/// A small example that fails.
#[derive(Clone, Debug)]
pub struct Counterexample {
    /// Number of the case in which it was found, from 1.
    pub case: u32,
    /// The kernel, its launch and its chip.
    pub example: Example,
    /// How it fails.
    pub violation: Violation,
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { case, example, violation } = self;
        write!(f, "{violation}\nFound in case {case}; at its smallest:\n{example:?}")
    }
}

/// Tests `count` of `cases` and returns the first that fails, made small: what is small breaks the
/// same rule.
///
/// # Panics
/// A case is invalid, for example because `test` gives it a setting that its chip cannot have.
pub fn search(
    cases: &impl Strategy<Value = Case>,
    draw: Draw,
    count: u32,
    test: impl Fn(&Example) -> Result<(), Failure>,
) -> Option<Counterexample> {
    let mut runner = draw.runner(count);
    let broken = |example: &Example| match test(example) {
        Err(Failure::Broken(violation)) => Some(*violation),
        _ => None,
    };
    (1..=count).find_map(|number| {
        let case = cases.new_tree(&mut runner).ok()?.current();
        let example = Example::of(&Prepared::new(&case));
        let first = match test(&example) {
            Ok(()) => return None,
            Err(Failure::Broken(violation)) => *violation,
            Err(Failure::Invalid(why)) => panic!("case {number} is invalid: {why}\n{example:?}"),
        };
        let same = |example: &Example| broken(example).is_some_and(|found| found.property == first.property);
        let example = reduce(example, same);
        let violation = broken(&example).unwrap_or(first);
        Some(Counterexample { case: number, example, violation })
    })
}

/// Tests `count` of `cases`, the same ones in every run. If one fails, writes the small
/// counterexample to `folder`.
///
/// ```no_run
/// use warpsim_check::generate::case::crowded;
/// use warpsim_check::hold;
/// use warpsim_check::rule::property;
///
/// hold(&crowded(), 256, "target/counterexample", |example| example.keeps(&property::work_conserving()));
/// ```
///
/// # Panics
/// A case fails, or the folder cannot be written.
pub fn hold(
    cases: &impl Strategy<Value = Case>,
    count: u32,
    folder: impl AsRef<Path>,
    test: impl Fn(&Example) -> Result<(), Failure>,
) {
    if let Some(found) = search(cases, Draw::Same, count, test) {
        let folder = folder.as_ref();
        found.write(folder).unwrap_or_else(|e| panic!("{}: {e}\n{found}", folder.display()));
        panic!("{found}\n{} replays it: see its README.md", folder.display());
    }
}

impl Counterexample {
    /// Writes it to a folder that replays it: see [`folder`].
    pub fn write(&self, folder: &Path) -> std::io::Result<()> {
        folder::write(folder, &self.example, &self.violation)
    }

    /// Writes it to a folder, and tests what the folder says: it must break the same rule in the
    /// same way, and give the same files.
    ///
    /// # Errors
    /// Describes the difference, or why the folder cannot be written or read.
    pub fn replays(
        &self,
        folder: &Path,
        test: impl Fn(&Example) -> Result<(), Failure>,
    ) -> Result<(), String> {
        self.write(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
        let Replay { example, chip } = Replay::read(folder)?;
        if self.example.chip.checked()? != chip {
            return Err("chip.ron has another chip".to_owned());
        }
        let example = Example { chip: self.example.chip.clone(), ..example };
        match test(&example) {
            Err(Failure::Broken(violation)) => {
                let is_same =
                    folder::files(&example, &violation) == folder::files(&self.example, &self.violation);
                if is_same { Ok(()) } else { Err(format!("the replay gives another folder: {violation}")) }
            }
            other => Err(format!("the replay breaks nothing: {other:?}")),
        }
    }
}
