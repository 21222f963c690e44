//! Gains of ideal resources: how much time each resource costs.

use serde::Serialize;

/// Gain of one ideal resource, or of two.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// Names of the ideal resources: one or two.
    pub resources: Vec<String>,
    /// Time before divided by time after; `None` if a run failed.
    pub gain: Option<f64>,
    /// For two resources: share of the time that is saved only if both are ideal; negative if both
    /// save the same time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interaction: Option<f64>,
    /// Whether device memory has the same bytes after the run as without ideal resources; `None` if
    /// a run failed or was sampled.
    pub same_result: Option<bool>,
}

/// A run with ideal resources.
#[derive(Clone, Debug, PartialEq)]
pub struct IdealRun {
    /// Indices of the ideal resources: one or two.
    pub resources: Vec<usize>,
    /// Time; NaN if the run failed.
    pub time: f64,
    /// Digest of device memory after the run.
    pub memory: String,
}

/// Returns the gains, the largest first; single resources come before pairs. `base` and `memory`
/// are the time and the digest of memory of the run without ideal resources.
pub fn gains(base: f64, memory: &str, runs: &[IdealRun], names: &[String]) -> Vec<Gain> {
    let time_of = |resource: usize| {
        let single = runs.iter().find(|run| run.resources == [resource]);
        single.map_or(f64::NAN, |run| run.time)
    };
    let gain = |run: &IdealRun| {
        let interaction = match run.resources.as_slice() {
            [a, b] => {
                let saved = time_of(*a) + time_of(*b) - base - run.time;
                Some(saved / base).filter(|share| share.is_finite())
            }
            _ => None,
        };
        let finished = run.time.is_finite() && base.is_finite();
        Gain {
            resources: run.resources.iter().map(|resource| names[*resource].clone()).collect(),
            gain: finished.then_some(base / run.time),
            interaction,
            same_result: (finished && !memory.is_empty()).then_some(run.memory == memory),
        }
    };
    let mut all: Vec<Gain> = runs.iter().map(gain).collect();
    let size = |gain: &Gain| gain.gain.unwrap_or(0.0);
    all.sort_by(|a, b| a.resources.len().cmp(&b.resources.len()).then(size(b).total_cmp(&size(a))));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_has_an_interaction() {
        let run = |resources: &[usize], time| IdealRun {
            resources: resources.to_vec(),
            time,
            memory: if time < 30.0 { "other" } else { "same" }.to_owned(),
        };
        let names = ["a", "b", "c"].map(str::to_owned);
        let runs =
            [run(&[0], 90.0), run(&[1], 80.0), run(&[2], f64::NAN), run(&[0, 1], 25.0), run(&[0, 2], 50.0)];
        let all = gains(100.0, "same", &runs, &names);
        let shown: Vec<(String, Option<bool>)> =
            all.iter().map(|gain| (gain.resources.join("+"), gain.same_result)).collect();
        let expected =
            [("b", Some(true)), ("a", Some(true)), ("c", None), ("a+b", Some(false)), ("a+c", Some(true))];
        assert_eq!(shown, expected.map(|(name, same)| (name.to_owned(), same)));
        assert_eq!((all[0].gain, all[2].gain, all[3].gain), (Some(1.25), None, Some(4.0)));
        // 90 and 80 save 30 together; both ideal save 75.
        assert!((all[3].interaction.unwrap() - 0.45).abs() < 1e-12);
        assert_eq!(all[4].interaction, None);
    }
}
