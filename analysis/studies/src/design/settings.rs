//! The settings of the factors for a kernel, each computed from its number.
//!
//! A full design counts in a mixed radix. A Latin hypercube keeps a permutation for each factor,
//! and a random design its drawn settings. Conditions and duplicates are decided once, when the
//! design is made; then the numbers of the remaining settings are kept.

use super::rule::Rule;
use super::{factor_value, sample};
use crate::file::{Design, Experiment, Factor, Formula, Quantity, Sampled, value_of};
use std::collections::BTreeSet;

/// The settings of a kernel.
#[derive(Debug)]
pub(super) struct Settings {
    rule: Rule,
    /// Whether each factor applies to the kernel.
    applies: Vec<bool>,
    /// Numbers of the settings that remain; `None` for all.
    kept: Option<Vec<u32>>,
    /// Number of settings that the conditions exclude.
    pub excluded: u64,
}

impl Settings {
    /// Returns the settings of the kernel `name`; `None` if there are more than `most`.
    pub fn of(file: &Experiment, name: &str, most: usize) -> Option<Self> {
        let applies =
            |factor: &Factor| factor.only.is_empty() || factor.only.iter().any(|kernel| kernel.value == name);
        let applies: Vec<bool> = file.factors.iter().map(applies).collect();
        let counts: Vec<usize> = file.factors.iter().map(|factor| factor.levels.len()).collect();
        let all_apply = applies.iter().all(|applies| *applies);
        let (rule, is_distinct) = match &file.given.design {
            Design::Full => {
                let of_kernel = counts.iter().zip(&applies).map(|(count, on)| if *on { *count } else { 1 });
                (Rule::Full(of_kernel.collect()), true)
            }
            Design::OneAtATime(_) => (Rule::OneAtATime { base: file.base.clone(), counts }, all_apply),
            Design::LatinHypercube(Sampled { points, seed }) => {
                (sample::latin_hypercube(*points, *seed, counts), false)
            }
            Design::Random(Sampled { points, seed }) => (sample::random(*points, *seed, counts), all_apply),
            Design::Sensitivity(_) => (Rule::Listed(vec![Vec::new()]), true),
        };
        let count = rule.count().filter(|count| *count <= most)?;
        let mut settings = Self { rule, applies, kept: None, excluded: 0 };
        if is_distinct && file.conditions.is_empty() {
            return Some(settings);
        }
        let (mut seen, mut kept) = (BTreeSet::new(), Vec::new());
        for number in 0..count {
            let levels = settings.levels(number);
            let holds = file.conditions.iter().all(|condition| holds(file, condition, &levels));
            if is_distinct || seen.insert(levels) {
                if holds {
                    kept.push(number as u32);
                } else {
                    settings.excluded += 1;
                }
            }
        }
        settings.kept = Some(kept);
        Some(settings)
    }

    /// Returns the number of settings.
    pub fn count(&self) -> usize {
        let all = || self.rule.count().unwrap_or(usize::MAX);
        self.kept.as_ref().map_or_else(all, Vec::len)
    }

    /// Returns a setting: the position of the value of each factor, `None` for a factor that does
    /// not apply to the kernel.
    pub fn at(&self, number: usize) -> Vec<Option<usize>> {
        self.levels(self.kept.as_ref().map_or(number, |kept| kept[number] as usize))
    }

    fn levels(&self, number: usize) -> Vec<Option<usize>> {
        let positions = self.rule.at(number).into_iter();
        positions.zip(&self.applies).map(|(level, applies)| applies.then_some(level)).collect()
    }
}

/// Whether a setting meets a condition. A condition over a factor that does not apply to the kernel
/// is met.
fn holds(file: &Experiment, condition: &Formula, levels: &[Option<usize>]) -> bool {
    let mut all = true;
    condition.expression.each_name(&mut |name| {
        all &= !matches!(name, Quantity::Factor(index) if levels[*index].is_none());
    });
    !all || value_of(condition, &|name| factor_value(file, levels, name)) != 0.0
}
