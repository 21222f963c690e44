//! Metrics that differ between two runs.

use super::report::ReadReport;
use crate::metrics::{ALL, Metric, Reports, Value};

/// A metric has moved if the smaller value is less than this part of the larger one.
const SAME: f64 = 0.9;

/// Metrics that follow from the time, or from the chip alone.
const WITH_TIME: [&str; 14] = [
    "cycles",
    "microseconds",
    "ipc",
    "gflops",
    "dram_gbps",
    "dram_utilization",
    "dram_refreshes",
    "issue_slots",
    "issue_slot_utilization",
    "resident_warp_cycles",
    "sms",
    "shader_mhz",
    "peak_gflops",
    "peak_gbps",
];

/// A metric that differs.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// The metric.
    pub metric: &'static Metric,
    /// Value in A.
    pub a: f64,
    /// Value in B.
    pub b: f64,
}

impl Moved {
    /// Relative change, from 0 (equal) to 1 (from or to 0): the difference divided by the larger
    /// value.
    pub fn change(&self) -> f64 {
        let larger = self.a.abs().max(self.b.abs());
        if larger == 0.0 { 0.0 } else { (self.b - self.a).abs() / larger }
    }

    /// Whether the metric follows from the time, or is a share of it that the comparison shows
    /// elsewhere.
    pub fn with_time(&self) -> bool {
        WITH_TIME.contains(&self.metric.name) || self.metric.name.starts_with("slots_")
    }

    /// Whether the metric is a share that is small in both runs.
    fn is_tiny(&self) -> bool {
        const TINY: f64 = 0.01;
        self.metric.unit == "fraction" && self.a.max(self.b) < TINY
    }

    /// Group of counters of the metric, by its path in the report.
    fn group(&self) -> &'static str {
        match self.metric.value {
            Value::Launches => "",
            Value::Sum(path) | Value::Mean(path, _) | Value::Share(path, _) | Value::Same(path) => {
                path.rsplit_once('.').map_or(path, |(group, _)| group)
            }
        }
    }
}

/// Returns the metrics that differ by more than a tenth of the larger value, the largest change
/// first.
pub fn metrics(a: &ReadReport, b: &ReadReport) -> Vec<Moved> {
    let (a, b) = (Reports::read(a.runs.clone()), Reports::read(b.runs.clone()));
    let value = |of: &Reports, metric: &Metric| of.value(metric)?.as_f64();
    let moved =
        ALL.iter().filter_map(|metric| Some(Moved { metric, a: value(&a, metric)?, b: value(&b, metric)? }));
    let mut moved: Vec<Moved> = moved.filter(|moved| moved.change() > 1.0 - SAME).collect();
    // Equal changes keep the order of the list.
    moved.sort_by(|x, y| y.change().total_cmp(&x.change()));
    moved
}

/// Returns the metrics for the text output: at most `most`, without metrics that follow from the
/// time, and at most two of each group of counters.
pub fn shown(moved: &[Moved], most: usize) -> Vec<Moved> {
    const OF_A_GROUP: usize = 2;
    let mut shown: Vec<Moved> = Vec::new();
    for metric in moved.iter().filter(|moved| !moved.with_time() && !moved.is_tiny()) {
        let alike = shown.iter().filter(|other| other.group() == metric.group()).count();
        if alike < OF_A_GROUP && shown.len() < most {
            shown.push(*metric);
        }
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn metrics_that_follow_from_the_time_exist() {
        for name in WITH_TIME {
            assert!(ALL.iter().any(|metric| metric.name == name), "there is no metric `{name}`");
        }
        assert!(ALL.iter().any(|metric| metric.name.starts_with("slots_")));
    }

    #[test]
    fn text_shows_two_metrics_of_a_group_and_no_tiny_share() {
        let named = |name: &str, a: f64, b: f64| {
            let metric = ALL.iter().find(|metric| metric.name == name).expect("a metric");
            Moved { metric, a, b }
        };
        let moved = [
            named("cycles", 1.0, 9.0),
            named("shared_load", 0.0, 4.0),
            named("shared_load_passes", 0.0, 8.0),
            named("shared_load_bytes", 0.0, 64.0),
            named("stall_barrier", 0.001, 0.0),
            named("barriers", 2.0, 1.0),
        ];
        let names =
            |most: usize| shown(&moved, most).iter().map(|moved| moved.metric.name).collect::<Vec<_>>();
        assert_eq!(names(10), ["shared_load", "shared_load_passes", "barriers"]);
        assert_eq!(names(1), ["shared_load"]);
    }
}
