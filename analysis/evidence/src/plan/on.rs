//! The chip of a run, and the shape of a block.

use super::scope::Scope;
use crate::runner::Runner;
use isa::types::Dim3;
use kernels::RunError;
use serde::Deserialize;
use sim_core::config::Chip;

/// A built-in chip with overrides.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum On {
    /// The chip as it is.
    Chip(String),
    /// With overrides: templates of path and value.
    With(String, Vec<(String, String)>),
}

impl On {
    /// Returns the chip.
    pub fn chip(&self, runner: &Runner, scope: &Scope<'_>) -> Result<Chip, RunError> {
        let (name, sets) = match self {
            Self::Chip(name) => (name, &[][..]),
            Self::With(name, sets) => (name, &sets[..]),
        };
        let sets = sets.iter().map(|(path, value)| Ok((scope.text(path)?, scope.text(value)?)));
        let sets = sets.collect::<Result<Vec<_>, RunError>>()?;
        let sets: Vec<_> = sets.iter().map(|(path, value)| (path.as_str(), value.as_str())).collect();
        runner.chip(&scope.text(name)?, &sets)
    }
}

/// Returns the shape of a block.
pub fn shape(scope: &Scope<'_>, block: &[String]) -> Result<Dim3, RunError> {
    let sides = block.iter().map(|side| scope.number(side)).collect::<Result<Vec<_>, _>>()?;
    let side = |i: usize| sides.get(i).map_or(1, |side| *side as u32);
    Ok(Dim3::new(side(0), side(1), side(2)))
}
