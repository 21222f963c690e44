//! The answers as pictures: one for each question and kernel.

use crate::analysis::effects::PairEffect;
use crate::analysis::gains::Gain;
use crate::answers::{Answers, EffectsOf, Front, GainsOf, Sensitivity};
use crate::text::{ALIKE, LEAST, described, number};
use figures::bars::{Bar, Bars};
use figures::matrix::Matrix;
use figures::palette::{color, hatch};
use figures::scatter;
use figures::scene::Scene;
use report::metrics;

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
    /// The picture.
    pub scene: Scene,
}

/// Returns all pictures of the answers.
pub fn all(answers: &Answers) -> Vec<Named> {
    let effects = (0..answers.effects.len()).flat_map(|i| of_effects(answers, i));
    let fronts = (0..answers.fronts.len()).map(|i| of_front(answers, i));
    let sensitivity = (0..answers.sensitivity.len()).map(|i| of_sensitivity(answers, i));
    let gains = (0..answers.gains.len()).flat_map(|i| of_gains(answers, i));
    effects.chain(fronts).chain(sensitivity).chain(gains).collect()
}

/// Returns a quantity with its unit, if it is a metric that has one.
fn labeled(name: &str) -> String {
    let metric = metrics::ALL.iter().find(|metric| metric.name == name);
    match metric.map_or("", |metric| metric.unit) {
        "" => name.to_owned(),
        unit => format!("{name} ({unit})"),
    }
}

/// Returns bars over an axis that begin at `from`; shorter ones have another color.
fn measured(title: String, quantity: String, from: f64, bars: Vec<Bar>) -> Scene {
    let paint = |bar: &Bar| if bar.value < from { (color(1), hatch(1)) } else { (color(0), None) };
    let bars = bars.into_iter().map(|bar| Bar { paint: paint(&bar), ..bar }).collect();
    Bars { quantity, from, ..Bars::new(title, bars) }.scene()
}

/// Returns the pictures of the effects with index `i`: the means, and the shares of pairs.
pub fn of_effects(answers: &Answers, i: usize) -> Vec<Named> {
    let EffectsOf { kernel, of, effects } = &answers.effects[i];
    let bars = effects.factors.iter().flat_map(|factor| {
        factor.levels.iter().map(move |level| {
            Bar::new(format!("{} = {}", factor.factor, level.value), level.mean, number(level.mean))
        })
    });
    let title = format!("{kernel}: mean for each value of the factors");
    let means = measured(title, format!("mean of {}", labeled(of)), 0.0, bars.take(MOST_MEANS).collect());
    let mut all = vec![Named { name: format!("effects-{}", i + 1), scene: means }];
    if !effects.pairs.is_empty() {
        let names: Vec<String> =
            effects.factors.iter().take(MOST_ROWS).map(|factor| factor.factor.clone()).collect();
        let place = |name: &String| names.iter().position(|other| other == name);
        let cell = |pair: &PairEffect| {
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
        all.push(Named { name: format!("interactions-{}", i + 1), scene: matrix.scene() });
    }
    all
}

/// Returns the picture of the front with index `i`.
pub fn of_front(answers: &Answers, i: usize) -> Named {
    let Front { kernel, objectives, points, all, .. } = &answers.fronts[i];
    let mut front: Vec<[f64; 2]> =
        points.iter().map(|place| [place.objectives[0], place.objectives[1]]).collect();
    front.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let picture = scatter::Front {
        title: format!("{kernel}: {} and {}", objectives[0], objectives[1]),
        labels: [0, 1].map(|i| labeled(&objectives[i])),
        points: all.clone(),
        front,
    };
    Named { name: format!("front-{}", i + 1), scene: picture.scene() }
}

/// Returns the picture of the sensitivity with index `i`.
pub fn of_sensitivity(answers: &Answers, i: usize) -> Named {
    let Sensitivity { kernel, chip, fields, .. } = &answers.sensitivity[i];
    let bars = fields.iter().filter_map(|field| {
        let value = field.elasticity.filter(|value| value.abs() >= LEAST)?;
        Some(Bar::new(&field.path, value, format!("{value:+.3}")))
    });
    let title = format!("{kernel} on {chip}: sensitivity of the time");
    let quantity = "elasticity (% of time for each % of the field)".to_owned();
    let picture = measured(title, quantity, 0.0, bars.take(MOST_BARS).collect());
    Named { name: format!("sensitivity-{}", i + 1), scene: picture }
}

/// Returns the pictures of the gains with index `i`: the gains of single resources, and the
/// interactions of pairs.
pub fn of_gains(answers: &Answers, i: usize) -> Vec<Named> {
    let GainsOf { kernel, values, gains, .. } = &answers.gains[i];
    let title = format!("{kernel}, {}", described(values));
    let single = || gains.iter().filter(|gain| gain.resources.len() == 1);
    let bars = single().filter_map(|gain| {
        let value = gain.gain.filter(|value| (value - 1.0).abs() >= ALIKE)?;
        Some(Bar::new(&gain.resources[0], value, format!("{value:.2}")))
    });
    let quantity = "gain (time / time with the ideal resource)".to_owned();
    let title_of_gains = format!("{title}: gains of ideal resources");
    let picture = measured(title_of_gains, quantity, 1.0, bars.take(MOST_BARS).collect());
    let mut all = vec![Named { name: format!("gains-{}", i + 1), scene: picture }];
    if gains.iter().any(|gain| gain.resources.len() == 2) {
        all.push(Named { name: format!("gain-pairs-{}", i + 1), scene: of_pairs(&title, gains) });
    }
    all
}

/// Returns the matrix of the interactions of the resources that have the largest effects.
fn of_pairs(title: &str, gains: &[Gain]) -> Scene {
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
        .filter(|(size, _)| *size >= ALIKE)
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
    matrix.scene()
}
