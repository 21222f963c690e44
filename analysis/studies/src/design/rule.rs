//! Rules that compute the positions of the factors' values from the number of a setting.

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
