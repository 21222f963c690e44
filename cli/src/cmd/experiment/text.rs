//! The answers as text tables.

use super::answers::{Answers, Best, EffectsOf, Front, GainsOf, Place, Sensitivity};
use super::plan::Plan;
use super::rows::Pairs;
use crate::metrics;
use crate::render::number::{self, count, fixed, plural};
use crate::render::table::{Column, Columns, heading, line};
use experiment::store::Outcome;
use serde_json::Value;

/// Maximum number of rows of a table; the JSON document has all.
const MOST_ROWS: usize = 20;

/// Maximum number of tables of gains; the JSON document has all.
const MOST_TABLES: usize = 8;

/// Elasticities below this are not shown.
pub const LEAST: f64 = 0.0005;

/// Gains nearer to 1 than this are not shown.
pub const ALIKE: f64 = 0.005;

/// Returns the answers as text.
pub fn render(plan: &Plan<'_>, outcomes: &[Option<Outcome>], answers: &Answers) -> String {
    let mut out = String::new();
    let done = outcomes.iter().flatten().count();
    line(
        &mut out,
        format!(
            "experiment {}: {} of {} points have a result",
            plan.loaded.name,
            count(done as u64),
            count(answers.points as u64)
        ),
    );
    answers.effects.iter().for_each(|effects| render_effects(&mut out, effects));
    answers.fronts.iter().for_each(|front| render_front(&mut out, front));
    answers.best.iter().for_each(|best| render_best(&mut out, best));
    answers.sensitivity.iter().for_each(|sensitivity| render_sensitivity(&mut out, sensitivity));
    answers.gains.iter().take(MOST_TABLES).for_each(|gains| render_gains(&mut out, gains));
    if answers.gains.len() > MOST_TABLES {
        let more = answers.gains.len() - MOST_TABLES;
        line(
            &mut out,
            format!(
                "\nGains of ideal resources at {} more {}: --json has all",
                count(more as u64),
                if more == 1 { "point" } else { "points" }
            ),
        );
    }
    out
}

pub fn number(value: f64) -> String {
    if value == 0.0 {
        "0".to_owned()
    } else if value.abs() >= 1e15 || value.abs() < 1e-3 {
        format!("{value:.3e}")
    } else {
        fixed(value, if value.fract() == 0.0 { 0 } else { 3 })
    }
}

/// Formats a value of a quantity, with its unit if the quantity is a metric that has one.
pub fn quantity(value: f64, name: &str) -> String {
    let metric = metrics::ALL.iter().find(|metric| metric.name == name);
    match metric.map_or("", |metric| metric.unit) {
        "" => number(value),
        unit => format!("{} {unit}", number(value)),
    }
}

pub fn percent(share: f64) -> String {
    format!("{} %", number::percent(share))
}

pub fn described(Pairs(values): &Pairs) -> String {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let parts = values.iter().filter(|(_, value)| !value.is_null());
    parts.map(|(name, value)| format!("{name} {}", text(value))).collect::<Vec<_>>().join(", ")
}

fn render_effects(out: &mut String, EffectsOf { kernel, of, effects }: &EffectsOf) {
    out.push_str(&heading(&format!("Effects on {of}: {kernel}")));
    let results = plural(effects.results as u64, "result");
    line(out, format!(" {results}, mean {}", quantity(effects.mean, of)));
    if !effects.balanced {
        line(out, " not every combination of the values has a result: the shares overlap");
    }
    let mut table = Columns::new(&[Column::Words(16), Column::Numbers(8), Column::Rest]).titles(&[
        "factor",
        "share",
        "mean for each value",
    ]);
    for factor in &effects.factors {
        let mean = |level: &experiment::analysis::effects::LevelMean| {
            format!("{}: {}", level.value, number(level.mean))
        };
        let shown = factor.levels.iter().take(MOST_ROWS).map(mean).collect::<Vec<_>>().join("; ");
        let more = factor.levels.len().saturating_sub(MOST_ROWS);
        let shown = if more > 0 { format!("{shown}; and {more} more") } else { shown };
        table.row(&[&factor.factor, &percent(factor.share), &shown]);
    }
    for pair in effects.pairs.iter().take(MOST_ROWS) {
        table.row(&[&pair.factors.join(" x "), &percent(pair.share), "interaction"]);
    }
    out.push_str(&table.draw());
}

fn render_front(out: &mut String, front: &Front) {
    let [first, second] = &front.objectives;
    out.push_str(&heading(&format!("Pareto front of {first} and {second}: {}", front.kernel)));
    line(out, format!(" {} of {}", count(front.points.len() as u64), plural(front.of as u64, "point")));
    let mut table =
        Columns::new(&[Column::Numbers(6), Column::Numbers(12), Column::Numbers(12), Column::Rest])
            .titles(&["point", first, second, "values"]);
    for Place { point, values, objectives } in front.points.iter().take(MOST_ROWS) {
        let [a, b] = [0, 1].map(|i| number(objectives[i]));
        table.row(&[&count(*point as u64), &a, &b, &described(values)]);
    }
    out.push_str(&table.draw());
    more(out, front.points.len());
}

fn more(out: &mut String, rows: usize) {
    if rows > MOST_ROWS {
        line(out, format!(" and {} more: --json has all", count((rows - MOST_ROWS) as u64)));
    }
}

fn render_best(out: &mut String, best: &Best) {
    let Best { kernel, objective, condition, best, of } = best;
    let condition = condition.as_ref().map_or_else(String::new, |condition| format!(" where {condition}"));
    out.push_str(&heading(&format!("Best {objective}{condition}: {kernel}")));
    match best {
        Some(Place { point, values, objectives }) => {
            line(
                out,
                format!(
                    " {} at point {}, the best of {} ({})",
                    quantity(objectives[0], objective),
                    count(*point as u64),
                    count(*of as u64),
                    described(values)
                ),
            );
        }
        None => line(out, " no point"),
    }
}

fn render_sensitivity(out: &mut String, sensitivity: &Sensitivity) {
    let Sensitivity { kernel, chip, microseconds, fields, .. } = sensitivity;
    out.push_str(&heading(&format!("Sensitivity of the time to the chip: {kernel} on {chip}")));
    line(
        out,
        format!(" {} us; elasticity: percent of time for each percent of the field", number(*microseconds)),
    );
    let mut table = Columns::new(&[
        Column::Words(34),
        Column::Numbers(10),
        Column::Numbers(11),
        Column::Rest,
    ])
    .titles(&["field", "value", "elasticity", "time for other values"]);
    let is_shown = |field: &&experiment::analysis::sensitivity::Elasticity| {
        field.elasticity.is_some_and(|elasticity| elasticity.abs() >= LEAST)
    };
    let shown: Vec<_> = fields.iter().filter(is_shown).collect();
    for field in shown.iter().take(MOST_ROWS) {
        let times = field.times.iter().filter(|(value, _)| value.total_cmp(&field.value).is_ne());
        let times: Vec<String> =
            times.map(|(value, time)| format!("{}: {}", number(*value), number(*time))).collect();
        let elasticity = field.elasticity.unwrap_or_default();
        table.row(&[&field.path, &number(field.value), &format!("{elasticity:+.3}"), &times.join("; ")]);
    }
    out.push_str(&table.draw());
    more(out, shown.len());
    let without = fields.len() - shown.len();
    line(out, format!(" {without} other fields do not change the time, or cannot be changed"));
}

fn render_gains(out: &mut String, gains: &GainsOf) {
    let GainsOf { kernel, values, microseconds, gains, .. } = gains;
    out.push_str(&heading(&format!("Gains of ideal resources: {kernel}, {}", described(values))));
    line(
        out,
        format!(" {} us; gain: this time divided by the time with the ideal resource", number(*microseconds)),
    );
    let mut table = Columns::new(&[Column::Words(44), Column::Numbers(8), Column::Numbers(13), Column::Rest])
        .titles(&["resource", "gain", "only together", "result"]);
    let is_shown = |gain: &&experiment::analysis::gains::Gain| {
        let changes = gain.gain.is_none_or(|gain| (gain - 1.0).abs() >= ALIKE);
        let together = gain.interaction.is_none_or(|share| share.abs() >= ALIKE);
        changes && together || gain.same_result == Some(false)
    };
    let shown: Vec<_> = gains.iter().filter(is_shown).collect();
    for gain in shown.iter().take(MOST_ROWS) {
        let factor = gain.gain.map_or_else(|| "failed".to_owned(), |gain| format!("{gain:.3}"));
        let together = gain.interaction.map_or_else(String::new, percent);
        let result = match gain.same_result {
            Some(true) => "same",
            Some(false) => "other bytes in device memory",
            None => "",
        };
        table.row(&[&gain.resources.join(" + "), &factor, &together, result]);
    }
    out.push_str(&table.draw());
    more(out, shown.len());
    line(out, format!(" {} other resources gain less than 0.5 %", gains.len() - shown.len()));
}
