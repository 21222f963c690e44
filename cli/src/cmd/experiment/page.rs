//! The answers as one HTML page without references to other files: tables and pictures, in light
//! and dark colors.

use super::answers::{Answers, Best, Place};
use super::draw;
use super::plan::Plan;
use super::rows::{Rows, plain};
use super::text::{described, number, percent, quantity};
use report::page::Page;

/// Maximum number of rows of the table of points; `--out` writes all.
const MOST_POINTS: usize = 1000;

/// Returns the page.
pub fn render(plan: &Plan<'_>, rows: &Rows<'_>, answers: &Answers) -> String {
    let mut page = Page::new(&answers.experiment);
    let done = rows.outcomes.iter().flatten().count();
    page.answer(
        done == answers.points,
        &format!("{} of {} points have a result", number(done as f64), number(answers.points as f64)),
    );
    effects(&mut page, answers);
    fronts(&mut page, answers);
    best(&mut page, answers);
    sensitivity(&mut page, answers);
    gains(&mut page, answers);
    points(&mut page, plan, rows);
    page.finish(answers.program, &())
}

fn effects(page: &mut Page, answers: &Answers) {
    for (i, found) in answers.effects.iter().enumerate() {
        let title = format!("Effects on {}: {}", found.of, found.kernel);
        page.section(&format!("effects-{i}"), &title);
        page.paragraph(&format!(
            "{} results, mean {}{}",
            found.effects.results,
            quantity(found.effects.mean, &found.of),
            if found.effects.balanced {
                ""
            } else {
                "; not every combination of the values has a result, so the shares overlap"
            }
        ));
        let mut rows: Vec<Vec<String>> =
            found.effects.factors.iter().map(|f| vec![f.factor.clone(), percent(f.share)]).collect();
        let pairs = found.effects.pairs.iter();
        rows.extend(pairs.map(|pair| vec![pair.factors.join(" × "), percent(pair.share)]));
        page.table(&title, &["factor", "share of the variance"], &[false, true], &rows);
        for picture in draw::of_effects(answers, i) {
            page.picture(&title, &picture.svg);
        }
    }
}

fn fronts(page: &mut Page, answers: &Answers) {
    for (i, front) in answers.fronts.iter().enumerate() {
        let [first, second] = &front.objectives;
        let title = format!("Pareto front of {first} and {second}: {}", front.kernel);
        page.section(&format!("front-{i}"), &title);
        page.picture(&title, &draw::of_front(answers, i).svg);
        let row = |place: &Place| {
            let value = |i: usize| quantity(place.objectives[i], &front.objectives[i]);
            vec![place.point.to_string(), value(0), value(1), described(&place.values)]
        };
        let rows: Vec<Vec<String>> = front.points.iter().map(row).collect();
        page.table(&title, &["point", first, second, "values"], &[true, true, true], &rows);
    }
}

fn best(page: &mut Page, answers: &Answers) {
    for (i, Best { kernel, objective, condition, best, of }) in answers.best.iter().enumerate() {
        let condition = condition.as_ref().map_or_else(String::new, |text| format!(" where {text}"));
        page.section(&format!("best-{i}"), &format!("Best {objective}{condition}: {kernel}"));
        page.paragraph(&best.as_ref().map_or_else(
            || "No point.".to_owned(),
            |place| {
                format!(
                    "{} at point {}, the best of {of} ({})",
                    quantity(place.objectives[0], objective),
                    place.point,
                    described(&place.values)
                )
            },
        ));
    }
}

fn sensitivity(page: &mut Page, answers: &Answers) {
    for (i, found) in answers.sensitivity.iter().enumerate() {
        let title = format!("Sensitivity of the time: {} on {}", found.kernel, found.chip);
        page.section(&format!("sensitivity-{i}"), &title);
        page.paragraph(&format!("{} us without a change.", number(found.microseconds)));
        page.picture(&title, &draw::of_sensitivity(answers, i).svg);
        let rows: Vec<Vec<String>> = found
            .fields
            .iter()
            .filter_map(|field| {
                let elasticity = field.elasticity?;
                let times: Vec<String> =
                    field.times.iter().map(|(v, t)| format!("{}: {}", number(*v), number(*t))).collect();
                Some(vec![
                    field.path.clone(),
                    number(field.value),
                    format!("{elasticity:+.3}"),
                    times.join("; "),
                ])
            })
            .collect();
        page.table(
            &title,
            &["field", "value", "elasticity", "value: time (us)"],
            &[false, true, true],
            &rows,
        );
    }
}

fn gains(page: &mut Page, answers: &Answers) {
    for (i, found) in answers.gains.iter().enumerate() {
        let title = format!("Gains of ideal resources: {}, {}", found.kernel, described(&found.values));
        page.section(&format!("gains-{i}"), &title);
        page.paragraph(&format!("{} us without an ideal resource.", number(found.microseconds)));
        for picture in draw::of_gains(answers, i) {
            page.picture(&title, &picture.svg);
        }
        let rows: Vec<Vec<String>> = found
            .gains
            .iter()
            .map(|gain| {
                let result = match gain.same_result {
                    Some(true) => "same",
                    Some(false) => "other bytes in device memory",
                    None => "",
                };
                vec![
                    gain.resources.join(" + "),
                    gain.gain.map_or_else(|| "failed".to_owned(), |gain| format!("{gain:.3}")),
                    gain.interaction.map_or_else(String::new, percent),
                    result.to_owned(),
                ]
            })
            .collect();
        page.table(&title, &["resource", "gain", "only together", "result"], &[false, true, true], &rows);
    }
}

/// Adds the rows of all points.
fn points(page: &mut Page, plan: &Plan<'_>, rows: &Rows<'_>) {
    page.section("points", "Points");
    let all = plan.points.len();
    if all > MOST_POINTS {
        page.paragraph(&format!(
            "The first {} of {}; --out writes all.",
            number(MOST_POINTS as f64),
            number(all as f64)
        ));
    }
    let (names, table) = rows.table(all.min(MOST_POINTS));
    let table: Vec<_> = table.collect();
    let kept: Vec<usize> = (0..names.len()).filter(|i| names[*i] != "digest").collect();
    let titles: Vec<&str> = kept.iter().map(|i| names[*i].as_str()).collect();
    let numbers: Vec<bool> = kept.iter().map(|i| table.iter().any(|row| row[*i].is_number())).collect();
    let rows: Vec<Vec<String>> =
        table.iter().map(|row| kept.iter().map(|i| plain(&row[*i])).collect()).collect();
    page.table("Points", &titles, &numbers, &rows);
}
