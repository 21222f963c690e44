//! Settings of the random designs, from a seed.

use super::MOST_POINTS;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Returns `points` settings in which each factor has each of its values equally often, or once
/// more than others if the values do not divide the points.
pub(super) fn latin_hypercube(points: u64, seed: u64, counts: &[usize]) -> Vec<Vec<usize>> {
    let points = points as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut settings = vec![Vec::with_capacity(counts.len()); points];
    for count in counts {
        let mut strata: Vec<usize> = (0..points).collect();
        for i in (1..points).rev() {
            strata.swap(i, rng.random_range(0..=i));
        }
        for (setting, stratum) in settings.iter_mut().zip(strata) {
            setting.push(stratum * count / points);
        }
    }
    settings
}

/// Returns up to `points` different settings with independent values: all settings if there are
/// not more.
pub(super) fn random(points: u64, seed: u64, counts: &[usize]) -> Vec<Vec<usize>> {
    let all = counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count));
    let points = points as usize;
    if let Some(all) = all.filter(|all| *all <= points && *all <= MOST_POINTS) {
        return super::full(counts).unwrap_or_else(|| Vec::with_capacity(all));
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut settings, mut seen) = (Vec::new(), BTreeSet::new());
    while settings.len() < points {
        let setting: Vec<usize> = counts.iter().map(|count| rng.random_range(0..*count)).collect();
        if seen.insert(setting.clone()) {
            settings.push(setting);
        }
    }
    settings
}
