//! Errors and correlations of the measured rows: of those that are set, calibrated and predicted.
//!
//! Values of different quantities differ by many powers of ten, and the largest values would
//! dominate a common correlation. So Pearson's coefficient of values is computed only within one
//! quantity, in its common unit; everywhere else it is computed of the values' logarithms.

use super::MeasurementResult;
use super::result::ResultKind;
use evidence::measure::table::Family;
use evidence::measure::unit::Unit;
use serde::Serialize;

/// Minimum number of rows of a correlation.
const LEAST: usize = 3;

/// Heads of the summaries' columns.
pub const TITLES: [&str; 7] =
    ["group", "rows", "within the aim", "MAPE %", "median %", "r", "r of logarithms"];

/// Summary of a group of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
    /// Name of the group.
    pub of: String,
    /// Number of rows.
    pub rows: usize,
    /// Number of rows within the aim.
    pub within: usize,
    /// Mean absolute error, in percent of the published values.
    pub mape: Option<f64>,
    /// Median of the absolute errors, in percent.
    pub median: Option<f64>,
    /// Pearson's coefficient of published and simulated values, within one quantity.
    pub correlation: Option<f64>,
    /// Pearson's coefficient of their logarithms.
    pub correlation_of_logarithms: Option<f64>,
}

/// Cells of a summary.
pub fn totals(summary: &Summary) -> [String; 7] {
    let number =
        |value: Option<f64>, decimals: usize| value.map_or_else(String::new, |v| format!("{v:.decimals$}"));
    [
        summary.of.clone(),
        summary.rows.to_string(),
        summary.within.to_string(),
        number(summary.mape, 1),
        number(summary.median, 1),
        number(summary.correlation, 3),
        number(summary.correlation_of_logarithms, 3),
    ]
}

/// Summaries of the rows of one kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// Kind of the summarized rows.
    pub kind: ResultKind,
    /// Summaries by chip.
    pub chips: Vec<Summary>,
    /// Summaries by family over all chips. The rows of a family have the same aim.
    pub families: Vec<Summary>,
    /// Summaries by quantity over all chips.
    pub quantities: Vec<Summary>,
    /// Summary of all rows of the kind.
    pub all: Summary,
}

/// Summaries of all groups of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summaries {
    /// Summaries by kind, without kinds that have no row.
    pub groups: Vec<Group>,
    /// Summary of the calibrated and predicted rows.
    pub overall: Summary,
}

impl Summaries {
    /// Summarizes `results`.
    pub fn of(results: &[MeasurementResult]) -> Self {
        let group = |kind| {
            let rows: Vec<_> = results.iter().filter(|result| result.kind() == Some(kind)).collect();
            (!rows.is_empty()).then(|| Group::of(kind, &rows))
        };
        let emergent =
            |result: &&MeasurementResult| result.kind().is_some_and(|kind| kind != ResultKind::Set);
        Self {
            groups: ResultKind::ALL.into_iter().filter_map(group).collect(),
            overall: Summary::of("all", &results.iter().filter(emergent).collect::<Vec<_>>()),
        }
    }

    /// Returns the summary of the predicted rows, if there are any.
    pub fn predicted(&self) -> Option<&Summary> {
        self.groups.iter().find(|group| group.kind == ResultKind::Predicted).map(|group| &group.all)
    }
}

impl Group {
    fn of(kind: ResultKind, rows: &[&MeasurementResult]) -> Self {
        let mut chips: Vec<&str> = rows.iter().map(|result| result.row.chip).collect();
        chips.dedup();
        let some = |name: &str, wanted: &dyn Fn(&MeasurementResult) -> bool| {
            let rows: Vec<&MeasurementResult> = rows.iter().copied().filter(|o| wanted(o)).collect();
            (!rows.is_empty()).then(|| Summary::of(name, &rows))
        };
        let chip = |chip: &str| some(chip, &|o| o.row.chip == chip);
        let family = |family: Family| some(family.name(), &|o| o.row.family == family);
        let quantity = |quantity| some(quantity, &|o| o.row.unit.quantity() == quantity);
        Self {
            kind,
            chips: chips.into_iter().filter_map(chip).collect(),
            families: Family::ALL.into_iter().filter_map(family).collect(),
            quantities: Unit::quantities().into_iter().filter_map(quantity).collect(),
            all: Summary::of("all", rows),
        }
    }

    /// Summaries by chip, by family and by quantity, and that of all rows.
    pub fn parts(&self) -> [&[Summary]; 4] {
        [&self.chips, &self.families, &self.quantities, std::slice::from_ref(&self.all)]
    }
}

impl Summary {
    fn of(of: &str, rows: &[&MeasurementResult]) -> Self {
        let pairs: Vec<(f64, f64)> = rows
            .iter()
            .filter_map(|o| Some((o.row.unit.common(o.row.value), o.row.unit.common(o.value()?))))
            .collect();
        let errors: Vec<f64> = rows.iter().filter_map(|o| o.error().map(f64::abs)).collect();
        let one_quantity = rows.windows(2).all(|w| w[0].row.unit.quantity() == w[1].row.unit.quantity());
        Self {
            of: of.to_owned(),
            rows: rows.len(),
            within: rows.iter().filter(|o| o.is_within() == Some(true)).count(),
            mape: mean(&errors),
            median: median(errors),
            correlation: one_quantity.then(|| pearson(&pairs)).flatten(),
            correlation_of_logarithms: logarithms(&pairs).and_then(|pairs| pearson(&pairs)),
        }
    }
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the median: of an even number of values, the mean of the two in the middle.
fn median(mut values: Vec<f64>) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let (upper, lower) = (values.get(values.len() / 2)?, values.get(values.len().checked_sub(1)? / 2)?);
    Some(f64::midpoint(*upper, *lower))
}

/// Returns the logarithms of pairs; `None` if a value is not above 0.
fn logarithms(pairs: &[(f64, f64)]) -> Option<Vec<(f64, f64)>> {
    pairs.iter().map(|(x, y)| (*x > 0.0 && *y > 0.0).then(|| (x.ln(), y.ln()))).collect()
}

/// Returns Pearson's coefficient; `None` for too few pairs, or if all values of one side are equal.
fn pearson(pairs: &[(f64, f64)]) -> Option<f64> {
    if pairs.len() < LEAST {
        return None;
    }
    let count = pairs.len() as f64;
    let (x, y) = pairs.iter().fold((0.0, 0.0), |sum, pair| (sum.0 + pair.0 / count, sum.1 + pair.1 / count));
    let (mut xx, mut yy, mut xy) = (0.0, 0.0, 0.0);
    for pair in pairs {
        let (dx, dy) = (pair.0 - x, pair.1 - y);
        xx += dx * dx;
        yy += dy * dy;
        xy += dx * dy;
    }
    (xx > 0.0 && yy > 0.0).then(|| xy / (xx.sqrt() * yy.sqrt()))
}

#[cfg(test)]
mod tests {
    use super::super::result::tests::result;
    use super::*;

    /// Tests: `published-measurements`.
    #[test]
    fn rows_are_summarized_by_kind_and_set_rows_do_not_count_overall() {
        let rows = [
            result("V318", 300.0),
            result("V318t", -4.0),
            result("V345", 10.0),
            result("V050", 6.0),
            result("V312", -50.0),
        ];
        let summaries = Summaries::of(&rows);
        let overall = &summaries.overall;
        assert_eq!((overall.rows, overall.within), (4, 2));
        assert!((overall.mape.unwrap() - 17.5).abs() < 1e-9, "{overall:?}");
        assert!((overall.median.unwrap() - 8.0).abs() < 1e-9, "{overall:?}");
        assert_eq!(overall.correlation, None, "the quantities differ");
        assert!(overall.correlation_of_logarithms.unwrap() > 0.9);
        let kinds: Vec<_> = summaries.groups.iter().map(|group| (group.kind, group.all.rows)).collect();
        assert_eq!(kinds, [(ResultKind::Set, 1), (ResultKind::Calibrated, 2), (ResultKind::Predicted, 2)]);
        let chips = |group: &Group| group.chips.iter().map(|s| (s.of.clone(), s.rows)).collect::<Vec<_>>();
        let predicted = [("gt200".to_owned(), 1), ("g80".to_owned(), 1)];
        assert_eq!(chips(&summaries.groups[2]), predicted);
        let quantities = &summaries.groups[1].quantities;
        let latency = quantities.iter().find(|s| s.of == "latency (cycles)").unwrap();
        assert_eq!((latency.rows, latency.correlation), (1, None), "too few for a correlation");
    }

    #[test]
    fn medians() {
        assert_eq!(median(vec![]), None);
        assert_eq!(median(vec![3.0, 1.0, 9.0]), Some(3.0));
        assert_eq!(median(vec![3.0, 1.0, 9.0, 5.0]), Some(4.0));
    }

    #[test]
    fn correlation_is_pearsons() {
        let line: Vec<(f64, f64)> = (1..6).map(|i| (f64::from(i), 3.0 * f64::from(i) + 7.0)).collect();
        assert!((pearson(&line).unwrap() - 1.0).abs() < 1e-12);
        let falling: Vec<(f64, f64)> = line.iter().map(|(x, y)| (*x, -y)).collect();
        assert!((pearson(&falling).unwrap() + 1.0).abs() < 1e-12);
        // By hand: dx = -1, 0, 1; dy = -1, 1, 0: 1 / (sqrt 2 sqrt 2).
        assert!((pearson(&[(1.0, 1.0), (2.0, 3.0), (3.0, 2.0)]).unwrap() - 0.5).abs() < 1e-12);
        assert_eq!(pearson(&[(1.0, 2.0), (2.0, 2.0), (3.0, 2.0)]), None);
    }
}
