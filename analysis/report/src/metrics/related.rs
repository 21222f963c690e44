//! Related metrics: a metric is related to the metrics of its formula and its advice, and to the
//! metrics whose formula or advice names it.

use super::{ALL, Metric};

/// Returns the words between backticks.
pub fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// Returns the metrics related to `metric`, without itself: first the metrics that it names, then
/// the metrics that name it, in the order of the registry.
pub fn related(metric: &Metric) -> Vec<&'static Metric> {
    let named = named_by(metric);
    let naming = ALL.iter().filter(|other| named_by(other).contains(&metric.name));
    let mut found: Vec<&'static Metric> = Vec::new();
    for other in ALL.iter().filter(|other| named.contains(&other.name)).chain(naming) {
        if other.name != metric.name && found.iter().all(|f| f.name != other.name) {
            found.push(other);
        }
    }
    found
}

/// Returns the metrics in the formula and the advice of a metric.
fn named_by(metric: &Metric) -> Vec<&'static str> {
    let formula = metric.formula();
    // A term of several words, such as "warp slots of an SM", is not a metric.
    let terms = formula.split(['+', '-', '*', '/', '(', ')']).map(str::trim);
    let named: Vec<&str> = terms.chain(quoted(metric.improve)).collect();
    ALL.iter().map(|m| m.name).filter(|name| named.contains(name)).collect()
}
