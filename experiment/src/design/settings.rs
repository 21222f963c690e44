//! The settings of the factors for a kernel, each computed from its number.
//!
//! A full design counts in a mixed radix. A Latin hypercube keeps a permutation for each factor,
//! and a random design its drawn settings. Conditions and duplicates are decided once, when the
//! design is made; then the numbers of the remaining settings are kept.

use super::{MOST_POINTS, factor_value, sample};
use crate::file::{Design, Experiment, Factor, Formula, Quantity, value_of};
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

/// Positions of the factors' values by the number of a setting.
#[derive(Debug)]
pub(super) enum Rule {
    /// Every combination of so many values; the last position varies fastest.
    Full(Vec<usize>),
    /// The base, and the settings that differ from it in one factor.
    OneAtATime {
        /// Positions of the base.
        base: Vec<usize>,
        /// Number of values of each factor.
        counts: Vec<usize>,
    },
    /// A Latin hypercube: for each factor the stratum of each setting.
    LatinHypercube {
        /// A permutation of the numbers of the settings for each factor.
        strata: Vec<Vec<u32>>,
        /// Number of values of each factor.
        counts: Vec<usize>,
        /// Number of settings.
        points: usize,
    },
    /// A list of settings.
    Listed(Vec<Vec<usize>>),
}

impl Settings {
    /// Returns the settings of the kernel `name`; `None` if there are too many.
    pub fn of(file: &Experiment, name: &str) -> Option<Self> {
        let applies =
            |factor: &Factor| factor.only.is_empty() || factor.only.iter().any(|kernel| kernel.value == name);
        let applies: Vec<bool> = file.factors.iter().map(applies).collect();
        let counts: Vec<usize> = file.factors.iter().map(|factor| factor.levels.len()).collect();
        let all_apply = applies.iter().all(|applies| *applies);
        let (rule, is_distinct) = match &file.design {
            Design::Full => {
                let of_kernel = counts.iter().zip(&applies).map(|(count, on)| if *on { *count } else { 1 });
                (Rule::Full(of_kernel.collect()), true)
            }
            Design::OneAtATime { base } => (Rule::OneAtATime { base: base.clone(), counts }, all_apply),
            Design::LatinHypercube { points, seed } => {
                (sample::latin_hypercube(*points, *seed, counts), false)
            }
            Design::Random { points, seed } => (sample::random(*points, *seed, counts), all_apply),
            Design::Sensitivity { .. } => (Rule::Listed(vec![Vec::new()]), true),
        };
        let count = rule.count().filter(|count| *count <= MOST_POINTS)?;
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

impl Rule {
    /// Returns the number of settings; `None` if it is no `usize`.
    pub fn count(&self) -> Option<usize> {
        match self {
            Self::Full(counts) => counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count)),
            Self::OneAtATime { counts, .. } => {
                Some(1 + counts.iter().map(|count| count.saturating_sub(1)).sum::<usize>())
            }
            Self::LatinHypercube { points, .. } => Some(*points),
            Self::Listed(settings) => Some(settings.len()),
        }
    }

    /// Returns the positions of the values in a setting.
    pub fn at(&self, number: usize) -> Vec<usize> {
        match self {
            Self::Full(counts) => {
                let (mut setting, mut rest) = (vec![0; counts.len()], number);
                for (level, count) in setting.iter_mut().zip(counts).rev() {
                    (rest, *level) = (rest / count, rest % count);
                }
                setting
            }
            Self::OneAtATime { base, counts } => {
                let (mut setting, mut rest) = (base.clone(), number);
                for (level, count) in setting.iter_mut().zip(counts) {
                    if (1..*count).contains(&rest) {
                        // The other values in ascending order, without that of the base.
                        *level = rest - usize::from(rest <= *level);
                        break;
                    }
                    if rest == 0 {
                        break;
                    }
                    rest -= count - 1;
                }
                setting
            }
            Self::LatinHypercube { strata, counts, points } => {
                let level = |(strata, count): (&Vec<u32>, &usize)| strata[number] as usize * count / points;
                strata.iter().zip(counts).map(level).collect()
            }
            Self::Listed(settings) => settings[number].clone(),
        }
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
