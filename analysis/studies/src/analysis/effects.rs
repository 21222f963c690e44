//! Main effects of factors on a quantity, and effects of pairs of factors.
//!
//! The variance of the quantity over all points is divided: the share of a factor is the variance
//! of the means of its values; the share of a pair is the variance of the means of its
//! combinations, minus the shares of the two factors. If every combination of all values has the
//! same number of results, the shares of all factors, pairs and larger groups sum to 1.

use serde::Serialize;
use std::collections::BTreeMap;

/// A factor and the texts of its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Name.
    pub name: String,
    /// Values.
    pub levels: Vec<String>,
}

/// Effects on a quantity.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Effects {
    /// Number of results.
    pub results: usize,
    /// Mean of the quantity.
    pub mean: f64,
    /// Whether every combination of the values has the same number of results. Otherwise shares
    /// overlap, and their sum has no meaning.
    pub balanced: bool,
    /// The factors, the largest share first.
    pub factors: Vec<MainEffect>,
    /// The pairs of factors, the largest share first; empty unless requested.
    pub pairs: Vec<PairEffect>,
}

/// Effect of a factor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MainEffect {
    /// Name of the factor.
    pub factor: String,
    /// Share of the variance, from 0 to 1.
    pub share: f64,
    /// Value, number of results and mean for each value with a result.
    pub levels: Vec<LevelMean>,
}

/// Mean of the results with a value of a factor.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LevelMean {
    /// Value of the factor, as text.
    pub value: String,
    /// Number of results.
    pub results: usize,
    /// Mean of the quantity.
    pub mean: f64,
}

/// Effect of a pair of factors that the factors alone do not explain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairEffect {
    /// Names of the factors.
    pub factors: [String; 2],
    /// Share of the variance, from 0 to 1.
    pub share: f64,
}

/// A result: the position of the value of each column, and the quantity.
pub type Sample = (Vec<usize>, f64);

/// Returns the effects of the columns with several values; `None` without a result.
pub fn effects(columns: &[Column], samples: &[Sample], pairs: bool) -> Option<Effects> {
    let samples: Vec<&Sample> = samples.iter().filter(|(_, value)| value.is_finite()).collect();
    if samples.is_empty() {
        return None;
    }
    let mean = samples.iter().map(|(_, value)| value).sum::<f64>() / samples.len() as f64;
    let total: f64 = samples.iter().map(|(_, value)| (value - mean).powi(2)).sum();
    let share = |part: f64| if total > 0.0 { (part / total).clamp(0.0, 1.0) } else { 0.0 };
    let varied: Vec<usize> = (0..columns.len()).filter(|column| columns[*column].levels.len() > 1).collect();
    let mut of_columns = BTreeMap::new();
    let mut factors = Vec::new();
    for column in &varied {
        let groups = groups(&samples, &[*column]);
        let part = spread(&groups, mean);
        of_columns.insert(*column, part);
        let Column { name, levels } = &columns[*column];
        let of_level = |(key, (results, sum)): (&Vec<usize>, &(usize, f64))| LevelMean {
            value: levels[key[0]].clone(),
            results: *results,
            mean: sum / *results as f64,
        };
        let levels = groups.iter().map(of_level).collect();
        factors.push(MainEffect { factor: name.clone(), share: share(part), levels });
    }
    factors.sort_by(|a, b| b.share.total_cmp(&a.share));
    let mut of_pairs = Vec::new();
    if pairs {
        for (i, a) in varied.iter().enumerate() {
            for b in &varied[i + 1..] {
                let both = spread(&groups(&samples, &[*a, *b]), mean);
                let names = [*a, *b].map(|column| columns[column].name.clone());
                let part = both - of_columns[a] - of_columns[b];
                of_pairs.push(PairEffect { factors: names, share: share(part) });
            }
        }
        of_pairs.sort_by(|a, b| b.share.total_cmp(&a.share));
    }
    let cells = groups(&samples, &varied);
    let all: usize = varied.iter().map(|column| columns[*column].levels.len()).product();
    let counts: Vec<usize> = cells.values().map(|(count, _)| *count).collect();
    let balanced = cells.len() == all && counts.iter().all(|count| *count == counts[0]);
    Some(Effects { results: samples.len(), mean, balanced, factors, pairs: of_pairs })
}

/// Returns number and sum of the results with each combination of the values of some columns.
fn groups(samples: &[&Sample], columns: &[usize]) -> BTreeMap<Vec<usize>, (usize, f64)> {
    let mut groups = BTreeMap::new();
    for (levels, value) in samples {
        let key: Vec<usize> = columns.iter().map(|column| levels[*column]).collect();
        let group = groups.entry(key).or_insert((0, 0.0));
        group.0 += 1;
        group.1 += value;
    }
    groups
}

/// Returns the sum of the squared differences between the means of groups and the mean of all.
fn spread(groups: &BTreeMap<Vec<usize>, (usize, f64)>, mean: f64) -> f64 {
    groups.values().map(|(count, sum)| *count as f64 * (sum / *count as f64 - mean).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> Vec<Column> {
        let column = |name: &str, levels: &[&str]| Column {
            name: name.to_owned(),
            levels: levels.iter().map(|level| (*level).to_owned()).collect(),
        };
        vec![column("a", &["1", "2"]), column("b", &["x", "y", "z"]), column("c", &["only"])]
    }

    fn samples(value: impl Fn(usize, usize) -> f64) -> Vec<Sample> {
        let all = (0..2).flat_map(|a| (0..3).map(move |b| (a, b)));
        all.map(|(a, b)| (vec![a, b, 0], value(a, b))).collect()
    }

    #[test]
    fn a_sum_has_main_effects_only() {
        let samples = samples(|a, b| 10.0 * a as f64 + b as f64);
        let effects = effects(&columns(), &samples, true).unwrap();
        let shares: Vec<(&str, f64)> = effects.factors.iter().map(|f| (f.factor.as_str(), f.share)).collect();
        assert_eq!((shares[0].0, shares[1].0, shares.len()), ("a", "b", 2));
        assert!((shares[0].1 + shares[1].1 - 1.0).abs() < 1e-12, "{shares:?}");
        assert!(effects.pairs[0].share < 1e-12 && effects.balanced);
        let means: Vec<f64> = effects.factors[0].levels.iter().map(|level| level.mean).collect();
        assert_eq!(means, [1.0, 11.0]);
    }

    #[test]
    fn a_product_has_an_interaction() {
        let samples = samples(|a, b| (a as f64 - 0.5) * (b as f64 - 1.0));
        let effects = effects(&columns(), &samples, true).unwrap();
        assert!(effects.factors.iter().all(|factor| factor.share < 1e-12));
        assert!((effects.pairs[0].share - 1.0).abs() < 1e-12);
    }

    #[test]
    fn missing_results_are_left_out() {
        let mut all = samples(|a, _| a as f64);
        all[2].1 = f64::NAN;
        let effects = effects(&columns(), &all, false).unwrap();
        assert_eq!((effects.results, effects.balanced, effects.pairs.len()), (5, false, 0));
        assert!(super::effects(&columns(), &samples(|_, _| f64::NAN), true).is_none());
    }
}
