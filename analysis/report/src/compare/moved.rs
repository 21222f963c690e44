//! Metrics that differ between two runs.

use super::report::ReadReport;
use crate::metrics::{ALL, Metric, Reports, Value};
use crate::render::number::{fixed, signed};

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
    /// Metric that has moved.
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

    /// Returns the larger value divided by the smaller one; `None` if one of them is 0, because
    /// then no factor says how much the metric moved.
    pub fn factor(&self) -> Option<f64> {
        let (smaller, larger) = (self.a.abs().min(self.b.abs()), self.a.abs().max(self.b.abs()));
        (smaller > 0.0).then(|| larger / smaller)
    }

    /// Returns the change from A to B as text: a factor if one value is more than twice the other,
    /// otherwise a percentage of A.
    pub fn change_text(&self) -> String {
        match self.factor() {
            None => "-".to_owned(),
            Some(factor) if factor > 2.0 => {
                format!("{} times {}", fixed(factor, 1), if self.b > self.a { "more" } else { "less" })
            }
            Some(_) => format!("{} %", signed((self.b / self.a - 1.0) * 100.0, 1)),
        }
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

/// Returns the metrics that differ by more than a tenth of the larger value, the largest factor
/// first. Metrics from or to 0 come last: they have no factor.
pub fn metrics(a: &ReadReport, b: &ReadReport) -> Vec<Moved> {
    let (a, b) = (Reports::read(a.runs.clone()), Reports::read(b.runs.clone()));
    let value = |of: &Reports, metric: &Metric| of.value(metric)?.as_f64();
    let moved =
        ALL.iter().filter_map(|metric| Some(Moved { metric, a: value(&a, metric)?, b: value(&b, metric)? }));
    let mut moved: Vec<Moved> = moved.filter(|moved| moved.change() > 1.0 - SAME).collect();
    // Equal changes keep the order of the list.
    let factor = |moved: &Moved| moved.factor().unwrap_or_default();
    moved.sort_by(|x, y| factor(y).total_cmp(&factor(x)));
    moved
}

/// Returns the metrics for the text output: first the cause; at most `most` in all, without metrics
/// that follow from the time, and at most two of each group of counters.
pub fn shown(moved: &[Moved], cause: Option<Moved>, most: usize) -> Vec<Moved> {
    const OF_A_GROUP: usize = 2;
    let mut shown: Vec<Moved> = cause.into_iter().collect();
    let is_cause = |moved: &Moved| cause.is_some_and(|cause| cause.metric.name == moved.metric.name);
    for metric in moved.iter().filter(|moved| !moved.with_time() && !moved.is_tiny() && !is_cause(moved)) {
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
    fn a_change_of_more_than_100_percent_is_a_factor() {
        let text = |a: f64, b: f64| Moved { metric: &ALL[0], a, b }.change_text();
        assert_eq!(text(1.5, 16.95), "11.3 times more");
        assert_eq!(text(16.95, 1.5), "11.3 times less");
        assert_eq!(text(10.0, 15.0), "+50.0 %");
        assert_eq!(text(10.0, 6.0), "-40.0 %");
        assert_eq!(text(0.0, 6.0), "-");
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
            |most: usize| shown(&moved, None, most).iter().map(|moved| moved.metric.name).collect::<Vec<_>>();
        assert_eq!(names(10), ["shared_load", "shared_load_passes", "barriers"]);
        assert_eq!(names(1), ["shared_load"]);
    }
}
