//! The answers as pictures: an SVG file for each question and kernel.

use super::answers::{Answers, EffectsOf, Front, GainsOf, Sensitivity};
use crate::cmd::sweep::draw::{Line, Picture};
use crate::exit::Failure;
use crate::output::{Files, shown};
use std::path::Path;

/// Maximum number of names on an axis.
const MOST_NAMES: usize = 16;

/// Writes all pictures into a folder, which is created if it does not exist.
pub fn write(answers: &Answers, folder: &Path, files: &mut Files) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot write to {}: {why}", shown(folder))))?;
    let mut pictures: Vec<(String, String)> = Vec::new();
    for (i, effects) in answers.effects.iter().enumerate() {
        pictures.push((format!("effects-{}", i + 1), of_effects(effects)?));
    }
    for (i, front) in answers.fronts.iter().enumerate() {
        pictures.push((format!("front-{}", i + 1), of_front(front)?));
    }
    for (i, sensitivity) in answers.sensitivity.iter().enumerate() {
        pictures.push((format!("sensitivity-{}", i + 1), of_sensitivity(sensitivity)?));
    }
    for (i, gains) in answers.gains.iter().enumerate() {
        pictures.push((format!("gains-{}", i + 1), of_gains(gains)?));
    }
    pictures
        .iter()
        .try_for_each(|(name, svg)| files.open(&folder.join(format!("{name}.svg")))?.write(svg.as_bytes()))
}

fn drawn(picture: &Picture<'_>) -> Result<String, Failure> {
    picture.svg().map_err(|why| Failure::input(format!("error: cannot draw: {why}")))
}

/// A line for each factor over the numbers of its values.
fn of_effects(EffectsOf { kernel, of, effects }: &EffectsOf) -> Result<String, Failure> {
    let lines = effects.factors.iter().enumerate().map(|(number, factor)| Line {
        number,
        name: format!("{} ({:.0} %)", factor.factor, factor.share * 100.0),
        points: factor.levels.iter().enumerate().map(|(i, level)| (i as f64 + 1.0, level.mean)).collect(),
        joined: true,
    });
    drawn(&Picture {
        x_label: "number of the value".to_owned(),
        y_label: format!("mean of {of}"),
        categories: None,
        lines: lines.collect(),
        note: kernel.clone(),
    })
}

fn of_front(front: &Front) -> Result<String, Failure> {
    let points = front.points.iter().map(|place| (place.objectives[0], place.objectives[1]));
    let mut points: Vec<(f64, f64)> = points.collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let [x, y] = &front.objectives;
    drawn(&Picture {
        x_label: x.clone(),
        y_label: y.clone(),
        categories: None,
        lines: vec![Line { number: 0, name: String::new(), points, joined: true }],
        note: format!("{}: Pareto front", front.kernel),
    })
}

/// A marker for each name.
fn of_names(names: &[String], values: Vec<f64>, y_label: &str, note: String) -> Result<String, Failure> {
    let points = values.into_iter().enumerate().map(|(i, value)| (i as f64, value)).collect();
    drawn(&Picture {
        x_label: String::new(),
        y_label: y_label.to_owned(),
        categories: Some(names),
        lines: vec![Line { number: 0, name: String::new(), points, joined: false }],
        note,
    })
}

fn of_sensitivity(sensitivity: &Sensitivity) -> Result<String, Failure> {
    let fields: Vec<_> =
        sensitivity.fields.iter().filter(|field| field.elasticity.is_some()).take(MOST_NAMES).collect();
    let last = |path: &str| {
        path.rsplit('.').take(2).collect::<Vec<_>>().into_iter().rev().collect::<Vec<_>>().join(".")
    };
    let names: Vec<String> = fields.iter().map(|field| last(&field.path)).collect();
    let values = fields.iter().filter_map(|field| field.elasticity).collect();
    of_names(&names, values, "elasticity", format!("{} on {}", sensitivity.kernel, sensitivity.chip))
}

fn of_gains(gains: &GainsOf) -> Result<String, Failure> {
    let found: Vec<_> = gains.gains.iter().filter(|gain| gain.gain.is_some()).take(MOST_NAMES).collect();
    let names: Vec<String> = found.iter().map(|gain| gain.resources.join(" + ")).collect();
    let values = found.iter().filter_map(|gain| gain.gain).collect();
    of_names(&names, values, "gain", format!("{}, point {}", gains.kernel, gains.point))
}
