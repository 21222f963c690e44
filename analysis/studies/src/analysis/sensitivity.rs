//! Elasticities: by how many percent the time changes if a field of the chip changes by one
//! percent.

use serde::Serialize;

/// Result of a run with another value of a field.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Path of the field.
    pub path: String,
    /// Value of the field.
    pub value: f64,
    /// Time; NaN if the run failed.
    pub time: f64,
    /// Reason of a failure.
    pub failure: String,
}

/// Sensitivity of the time to a field.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Elasticity {
    /// Path of the field.
    pub path: String,
    /// Value of the field of the chip.
    pub value: f64,
    /// Slope of the logarithm of the time over the logarithm of the value, between the smallest and
    /// the largest value with a result; `None` without two results, or with a value of 0.
    pub elasticity: Option<f64>,
    /// Values and times, the smallest value first, with the chip's own.
    pub times: Vec<(f64, f64)>,
    /// Reasons of failures.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failures: Vec<String>,
}

/// Returns the sensitivity to each field, the largest first. `base` is the time without a change;
/// `values` has the value of each field in the chip. The trials of a field are consecutive.
pub fn elasticities(base: f64, trials: &[Trial], values: &dyn Fn(&str) -> f64) -> Vec<Elasticity> {
    let mut all: Vec<Elasticity> = Vec::new();
    for of_field in trials.chunk_by(|a, b| a.path == b.path) {
        let path = &of_field[0].path;
        let value = values(path);
        let mut times: Vec<(f64, f64)> = of_field.iter().map(|trial| (trial.value, trial.time)).collect();
        times.push((value, base));
        times.retain(|(_, time)| time.is_finite());
        times.sort_by(|a, b| a.0.total_cmp(&b.0));
        let failures: Vec<&Trial> = of_field.iter().filter(|trial| !trial.time.is_finite()).collect();
        let elasticity = match (times.first(), times.last()) {
            (Some((low, first)), Some((high, last))) if *low > 0.0 && low < high => {
                Some((last / first).ln() / (high / low).ln())
            }
            _ => None,
        };
        let failures = failures.iter().map(|trial| format!("{}: {}", trial.value, trial.failure)).collect();
        all.push(Elasticity { path: path.clone(), value, elasticity, times, failures });
    }
    let size = |e: &Elasticity| e.elasticity.map_or(-1.0, f64::abs);
    all.sort_by(|a, b| size(b).total_cmp(&size(a)));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn trial(path: &str, value: f64, time: f64) -> Trial {
        Trial { path: path.to_owned(), value, time, failure: "refused".to_owned() }
    }

    #[test]
    fn a_power_law_has_its_exponent_as_elasticity() {
        let trials = [
            trial("none", 75.0, 100.0),
            trial("none", 125.0, 100.0),
            trial("inverse", 5.0, 200.0),
            trial("inverse", 20.0, 50.0),
            trial("once", 5.0, f64::NAN),
            trial("once", 20.0, 200.0),
        ];
        let values = |path: &str| if path == "none" { 100.0 } else { 10.0 };
        let all = elasticities(100.0, &trials, &values);
        let found: Vec<(&str, f64)> = all.iter().map(|e| (e.path.as_str(), e.elasticity.unwrap())).collect();
        assert_eq!(found.iter().map(|(path, _)| *path).collect::<Vec<_>>(), ["inverse", "once", "none"]);
        for ((_, found), expected) in found.iter().zip([-1.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(all[1].failures, ["5: refused"]);
    }

    #[test]
    fn a_value_of_zero_has_no_elasticity() {
        let all = elasticities(1.0, &[trial("zero", 1.0, 2.0)], &|_| 0.0);
        assert_eq!((all[0].elasticity, all[0].times.len()), (None, 2));
    }
}
