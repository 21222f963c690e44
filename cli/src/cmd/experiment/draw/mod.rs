//! The answers as pictures: an SVG for each question and kernel.

mod bars;
mod matrix;
mod scatter;
pub mod svg;

use super::answers::{Answers, EffectsOf, Front, GainsOf, Sensitivity};
use super::text::{described, number};
use crate::exit::Failure;
use crate::metrics;
use crate::output::{Files, shown};
use bars::{Bar, Bars};
use experiment::analysis::gains::Gain;
use matrix::Matrix;
use scatter::Scatter;
use std::path::Path;

/// Maximum number of bars of a picture.
const MOST_BARS: usize = 20;
/// Maximum number of bars for means: all values of several factors.
const MOST_MEANS: usize = 48;
/// Maximum number of rows of a matrix.
const MOST_ROWS: usize = 12;

/// A picture with the name of its file, without an ending.
pub struct Named {
    /// Name of the file.
    pub name: String,
    /// The picture as SVG.
    pub svg: String,
}

/// Writes all pictures into a folder, which is created if it does not exist.
pub fn write(answers: &Answers, folder: &Path, files: &mut Files) -> Result<(), Failure> {
    std::fs::create_dir_all(folder)
        .map_err(|why| Failure::input(format!("error: cannot write to {}: {why}", shown(folder))))?;
    let mut all: Vec<Named> = Vec::new();
    for i in 0..answers.effects.len() {
        all.extend(of_effects(answers, i));
    }
    all.extend((0..answers.fronts.len()).map(|i| of_front(answers, i)));
    all.extend((0..answers.sensitivity.len()).map(|i| of_sensitivity(answers, i)));
    for i in 0..answers.gains.len() {
        all.extend(of_gains(answers, i));
    }
    all.iter().try_for_each(|Named { name, svg }| {
        files.open(&folder.join(format!("{name}.svg")))?.write(svg.as_bytes())
    })
}

/// Returns a quantity with its unit, if it is a metric that has one.
fn labeled(name: &str) -> String {
    let metric = metrics::ALL.iter().find(|metric| metric.name == name);
    match metric.map_or("", |metric| metric.unit) {
        "" => name.to_owned(),
        unit => format!("{name} ({unit})"),
    }
}

/// Returns the pictures of the effects with index `i`: the means, and the shares of pairs.
pub fn of_effects(answers: &Answers, i: usize) -> Vec<Named> {
    let EffectsOf { kernel, of, effects } = &answers.effects[i];
    let bars = effects.factors.iter().flat_map(|factor| {
        factor.levels.iter().map(move |level| Bar {
            name: format!("{} = {}", factor.factor, level.value),
            value: level.mean,
            text: number(level.mean),
        })
    });
    let means = Bars {
        title: format!("{kernel}: mean for each value of the factors"),
        quantity: format!("mean of {}", labeled(of)),
        from: 0.0,
        bars: bars.take(MOST_MEANS).collect(),
    };
    let mut all = vec![Named { name: format!("effects-{}", i + 1), svg: means.svg() }];
    if !effects.pairs.is_empty() {
        let names: Vec<String> =
            effects.factors.iter().take(MOST_ROWS).map(|factor| factor.factor.clone()).collect();
        let place = |name: &String| names.iter().position(|other| other == name);
        let cell = |pair: &experiment::analysis::effects::PairEffect| {
            let (a, b) = (place(&pair.factors[0])?, place(&pair.factors[1])?);
            Some((a.max(b), a.min(b), pair.share * 100.0))
        };
        let matrix = Matrix {
            title: format!("{kernel}: what explains the variance of {of}"),
            notes: vec![
                "diagonal: share of the factor alone".to_owned(),
                "below: share that only the pair explains (percentage points)".to_owned(),
            ],
            cells: effects.pairs.iter().filter_map(cell).collect(),
            diagonal: effects
                .factors
                .iter()
                .take(MOST_ROWS)
                .map(|f| format!("{:.1} %", f.share * 100.0))
                .collect(),
            names,
        };
        all.push(Named { name: format!("interactions-{}", i + 1), svg: matrix.svg() });
    }
    all
}

/// Returns the picture of the front with index `i`.
pub fn of_front(answers: &Answers, i: usize) -> Named {
    let Front { kernel, objectives, points, all, .. } = &answers.fronts[i];
    let mut front: Vec<[f64; 2]> =
        points.iter().map(|place| [place.objectives[0], place.objectives[1]]).collect();
    front.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let picture = Scatter {
        title: format!("{kernel}: {} and {}", objectives[0], objectives[1]),
        labels: [0, 1].map(|i| labeled(&objectives[i])),
        points: all.clone(),
        front,
    };
    Named { name: format!("front-{}", i + 1), svg: picture.svg() }
}

/// Returns the picture of the sensitivity with index `i`.
pub fn of_sensitivity(answers: &Answers, i: usize) -> Named {
    let Sensitivity { kernel, chip, fields, .. } = &answers.sensitivity[i];
    let bars = fields.iter().filter_map(|field| {
        let value = field.elasticity.filter(|value| value.abs() >= super::text::LEAST)?;
        Some(Bar { name: field.path.clone(), value, text: format!("{value:+.3}") })
    });
    let picture = Bars {
        title: format!("{kernel} on {chip}: sensitivity of the time"),
        quantity: "elasticity (% of time for each % of the field)".to_owned(),
        from: 0.0,
        bars: bars.take(MOST_BARS).collect(),
    };
    Named { name: format!("sensitivity-{}", i + 1), svg: picture.svg() }
}

/// Returns the pictures of the gains with index `i`: the gains of single resources, and the
/// interactions of pairs.
pub fn of_gains(answers: &Answers, i: usize) -> Vec<Named> {
    let GainsOf { kernel, values, gains, .. } = &answers.gains[i];
    let title = format!("{kernel}, {}", described(values));
    let single = || gains.iter().filter(|gain| gain.resources.len() == 1);
    let bars = single().filter_map(|gain| {
        let value = gain.gain.filter(|value| (value - 1.0).abs() >= super::text::ALIKE)?;
        Some(Bar { name: gain.resources[0].clone(), value, text: format!("{value:.2}") })
    });
    let picture = Bars {
        title: format!("{title}: gains of ideal resources"),
        quantity: "gain (time / time with the ideal resource)".to_owned(),
        from: 1.0,
        bars: bars.take(MOST_BARS).collect(),
    };
    let mut all = vec![Named { name: format!("gains-{}", i + 1), svg: picture.svg() }];
    if gains.iter().any(|gain| gain.resources.len() == 2) {
        all.push(Named { name: format!("gain-pairs-{}", i + 1), svg: of_pairs(&title, gains) });
    }
    all
}

/// Returns the matrix of the interactions of the resources that have the largest effects.
fn of_pairs(title: &str, gains: &[Gain]) -> String {
    // The size of a resource: its own effect, or its largest interaction.
    let size = |name: &String| {
        let own = gains.iter().filter(|gain| gain.resources == std::slice::from_ref(name));
        let own = own.filter_map(|gain| gain.gain).map(|gain| (gain - 1.0).abs());
        let pairs = gains.iter().filter(|gain| gain.resources.len() == 2 && gain.resources.contains(name));
        let pairs = pairs.filter_map(|gain| gain.interaction).map(f64::abs);
        own.chain(pairs).fold(0.0, f64::max)
    };
    let mut names: Vec<(f64, &Gain)> = gains
        .iter()
        .filter(|gain| gain.resources.len() == 1)
        .map(|gain| (size(&gain.resources[0]), gain))
        .filter(|(size, _)| *size >= super::text::ALIKE)
        .collect();
    names.sort_by(|a, b| b.0.total_cmp(&a.0));
    names.truncate(MOST_ROWS);
    let place = |name: &String| names.iter().position(|(_, gain)| gain.resources[0] == *name);
    let cell = |gain: &Gain| match gain.resources.as_slice() {
        [a, b] => {
            let (a, b) = (place(a)?, place(b)?);
            Some((a.max(b), a.min(b), gain.interaction? * 100.0))
        }
        _ => None,
    };
    let matrix = Matrix {
        title: format!("{title}: interactions of ideal resources"),
        notes: vec![
            "diagonal: gain of the resource alone".to_owned(),
            "below: % of the time that is saved only if both are ideal; negative: both save the same time"
                .to_owned(),
        ],
        cells: gains.iter().filter_map(cell).collect(),
        diagonal: names
            .iter()
            .map(|(_, gain)| gain.gain.map_or_else(|| "-".to_owned(), |gain| format!("{gain:.2}")))
            .collect(),
        names: names.iter().map(|(_, gain)| gain.resources[0].clone()).collect(),
    };
    matrix.svg()
}
