//! The answers as sections: sentences, a table and pictures, which texts and pages show.

use crate::analysis::effects::LevelMean;
use crate::analysis::gains::Gain;
use crate::analysis::sensitivity::Elasticity;
use crate::answers::{Answers, Best, EffectsOf, Front, GainsOf, RankedPoint, Sensitivity};
use crate::draw::{self, Named};
use crate::text::{ALIKE, LEAST, described, number, percent, quantity};
use figures::embedded;
use report::page::Page;
use report::render::number::{count, plural};
use report::render::table::{Column, Columns, heading, line};

/// Maximum number of rows of a table in a text; pages and the JSON document have all.
const MOST_ROWS: usize = 20;

/// Maximum number of tables of gains in a text.
const MOST_TABLES: usize = 8;

/// An answer.
#[derive(Default)]
pub struct Section {
    title: String,
    /// Sentences before the table.
    before: Vec<String>,
    /// Columns of the table with their titles; empty without a table.
    columns: Vec<(Column, String)>,
    rows: Vec<Vec<String>>,
    /// Sentence after the table; may be empty.
    after: String,
    pictures: Vec<Named>,
}

/// Returns the sections of all answers; those of gains are the last ones.
pub fn sections(answers: &Answers, has_pictures: bool) -> Vec<Section> {
    let with = |draw: &dyn Fn(&Answers, usize) -> Vec<Named>, i: usize, section: Section| {
        let pictures = if has_pictures { draw(answers, i) } else { Vec::new() };
        Section { pictures, ..section }
    };
    let one = |draw: fn(&Answers, usize) -> Named| move |answers: &Answers, i| vec![draw(answers, i)];
    let Answers { effects: factors, fronts, best: points, sensitivity: fields, gains: resources, .. } =
        answers;
    let mut all = Vec::new();
    all.extend(factors.iter().enumerate().map(|(i, found)| with(&draw::of_effects, i, effects(found))));
    all.extend(fronts.iter().enumerate().map(|(i, found)| with(&one(draw::of_front), i, front(found))));
    all.extend(points.iter().map(best));
    let drawn = |(i, found)| with(&one(draw::of_sensitivity), i, sensitivity(found));
    all.extend(fields.iter().enumerate().map(drawn));
    all.extend(resources.iter().enumerate().map(|(i, found)| with(&draw::of_gains, i, gains(found))));
    all
}

/// Returns the answers as text; `done` is the number of points with a result.
pub fn text(answers: &Answers, done: usize) -> String {
    let mut out = String::new();
    let (done, all) = (count(done as u64), count(answers.points as u64));
    line(&mut out, format!("experiment {}: {done} of {all} points have a result", answers.experiment));
    let (sections, more) = (sections(answers, false), answers.gains.len().saturating_sub(MOST_TABLES));
    sections[..sections.len() - more].iter().for_each(|section| section.text(&mut out));
    if more > 0 {
        let points = plural(more as u64, "more point");
        line(&mut out, format!("\nGains of ideal resources at {points}: --json has all"));
    }
    out
}

impl Section {
    fn text(&self, out: &mut String) {
        out.push_str(&heading(&self.title));
        self.before.iter().for_each(|text| line(out, format!(" {text}")));
        if !self.columns.is_empty() {
            let columns: Vec<Column> = self.columns.iter().map(|(column, _)| *column).collect();
            let titles: Vec<&str> = self.columns.iter().map(|(_, title)| title.as_str()).collect();
            let mut table = Columns::new(&columns).titles(&titles);
            for row in self.rows.iter().take(MOST_ROWS) {
                table.row(&row.iter().map(String::as_str).collect::<Vec<_>>());
            }
            out.push_str(&table.draw());
        }
        if self.rows.len() > MOST_ROWS {
            let more = count((self.rows.len() - MOST_ROWS) as u64);
            line(out, format!(" and {more} more: --json has all"));
        }
        if !self.after.is_empty() {
            line(out, format!(" {}", self.after));
        }
    }

    /// Adds the section with this number to a page.
    pub fn show(&self, page: &mut Page, number: usize) {
        page.section(&format!("answer-{number}"), &self.title);
        self.before.iter().for_each(|text| page.paragraph(text));
        self.pictures
            .iter()
            .for_each(|picture| page.picture(&picture.scene.title, &embedded(&picture.scene)));
        if !self.columns.is_empty() {
            let titles: Vec<&str> = self.columns.iter().map(|(_, title)| title.as_str()).collect();
            let numbers: Vec<bool> =
                self.columns.iter().map(|(column, _)| matches!(column, Column::Numbers(_))).collect();
            page.table(&self.title, &titles, &numbers, &self.rows);
        }
        if !self.after.is_empty() {
            page.paragraph(&self.after);
        }
    }
}

/// Returns columns with their titles.
fn columns<const N: usize>(columns: [(Column, &str); N]) -> Vec<(Column, String)> {
    columns.map(|(column, title)| (column, title.to_owned())).to_vec()
}

fn effects(EffectsOf { kernel, of, effects }: &EffectsOf) -> Section {
    let results = plural(effects.results as u64, "result");
    let mut before = vec![format!("{results}, mean {}", quantity(effects.mean, of))];
    if !effects.balanced {
        before.push("not every combination of the values has a result: the shares overlap".to_owned());
    }
    let mut rows = Vec::new();
    for factor in &effects.factors {
        let mean = |level: &LevelMean| format!("{}: {}", level.value, number(level.mean));
        let shown = factor.levels.iter().take(MOST_ROWS).map(mean).collect::<Vec<_>>().join("; ");
        let more = factor.levels.len().saturating_sub(MOST_ROWS);
        let shown = if more > 0 { format!("{shown}; and {more} more") } else { shown };
        rows.push(vec![factor.factor.clone(), percent(factor.share), shown]);
    }
    for pair in &effects.pairs {
        rows.push(vec![pair.factors.join(" x "), percent(pair.share), "interaction".to_owned()]);
    }
    Section {
        title: format!("Effects on {of}: {kernel}"),
        before,
        columns: columns([
            (Column::Words(16), "factor"),
            (Column::Numbers(8), "share"),
            (Column::Rest, "mean for each value"),
        ]),
        rows,
        ..Section::default()
    }
}

fn front(front: &Front) -> Section {
    let [first, second] = &front.objectives;
    let row = |RankedPoint { point, values, objectives }: &RankedPoint| {
        let [a, b] = [0, 1].map(|i| number(objectives[i]));
        vec![count(*point as u64), a, b, described(values)]
    };
    Section {
        title: format!("Pareto front of {first} and {second}: {}", front.kernel),
        before: vec![format!("{} of {}", count(front.points.len() as u64), plural(front.of as u64, "point"))],
        columns: columns([
            (Column::Numbers(6), "point"),
            (Column::Numbers(12), first),
            (Column::Numbers(12), second),
            (Column::Rest, "values"),
        ]),
        rows: front.points.iter().map(row).collect(),
        ..Section::default()
    }
}

fn best(Best { kernel, objective, condition, best, of }: &Best) -> Section {
    let condition = condition.as_ref().map_or_else(String::new, |condition| format!(" where {condition}"));
    let found = |RankedPoint { point, values, objectives }: &RankedPoint| {
        format!(
            "{} at point {}, the best of {} ({})",
            quantity(objectives[0], objective),
            count(*point as u64),
            count(*of as u64),
            described(values)
        )
    };
    Section {
        title: format!("Best {objective}{condition}: {kernel}"),
        before: vec![best.as_ref().map_or_else(|| "no point".to_owned(), found)],
        ..Section::default()
    }
}

fn sensitivity(Sensitivity { kernel, chip, microseconds, fields, .. }: &Sensitivity) -> Section {
    let row = |field: &Elasticity| {
        let elasticity = field.elasticity.filter(|elasticity| elasticity.abs() >= LEAST)?;
        let times = field.times.iter().filter(|(value, _)| value.total_cmp(&field.value).is_ne());
        let times: Vec<String> =
            times.map(|(value, time)| format!("{}: {}", number(*value), number(*time))).collect();
        let (value, elasticity) = (number(field.value), format!("{elasticity:+.3}"));
        Some(vec![field.path.clone(), value, elasticity, times.join("; ")])
    };
    let rows: Vec<Vec<String>> = fields.iter().filter_map(row).collect();
    let us = number(*microseconds);
    Section {
        title: format!("Sensitivity of the time to the chip: {kernel} on {chip}"),
        before: vec![format!("{us} us; elasticity: percent of time for each percent of the field")],
        columns: columns([
            (Column::Words(34), "field"),
            (Column::Numbers(10), "value"),
            (Column::Numbers(11), "elasticity"),
            (Column::Rest, "time for other values"),
        ]),
        after: format!(
            "{} other fields do not change the time, or cannot be changed",
            fields.len() - rows.len()
        ),
        rows,
        ..Section::default()
    }
}

fn gains(GainsOf { kernel, values, microseconds, gains, .. }: &GainsOf) -> Section {
    let is_shown = |gain: &&Gain| {
        let changes = gain.gain.is_none_or(|gain| (gain - 1.0).abs() >= ALIKE);
        let together = gain.interaction.is_none_or(|share| share.abs() >= ALIKE);
        changes && together || gain.same_result == Some(false)
    };
    let row = |gain: &Gain| {
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
    };
    let rows: Vec<Vec<String>> = gains.iter().filter(is_shown).map(row).collect();
    let us = number(*microseconds);
    Section {
        title: format!("Gains of ideal resources: {kernel}, {}", described(values)),
        before: vec![format!("{us} us; gain: this time divided by the time with the ideal resource")],
        columns: columns([
            (Column::Words(44), "resource"),
            (Column::Numbers(8), "gain"),
            (Column::Numbers(13), "only together"),
            (Column::Rest, "result"),
        ]),
        after: format!("{} other resources gain less than 0.5 %", gains.len() - rows.len()),
        rows,
        ..Section::default()
    }
}
