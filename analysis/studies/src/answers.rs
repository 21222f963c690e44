//! The answers to the questions of an experiment file.

use crate::analysis::effects::{Column, Effects, Sample, effects};
use crate::analysis::front::{best, front};
use crate::analysis::gains::{Gain, IdealRun, gains};
use crate::analysis::sensitivity::{Elasticity, Trial, elasticities};
use crate::design::{Point, Variant};
use crate::file::{Analysis, Formula, Objective};
use crate::outcome::Outcome;
use crate::plan::Plan;
use crate::study::Pairs;
use crate::values::Values;
use report::provenance::PROGRAM;
use serde::Serialize;
use serde_json::Value;

/// Metric that gains and elasticities are about.
const TIME: &str = "microseconds";

/// Answers to all questions of an experiment.
#[derive(Debug, Serialize)]
pub struct Answers {
    /// Name of the experiment.
    pub experiment: String,
    /// Program and version.
    pub program: &'static str,
    /// Number of points.
    pub points: usize,
    /// Main effects, one entry for each question and kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub effects: Vec<EffectsOf>,
    /// Pareto fronts, one entry for each question and kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fronts: Vec<Front>,
    /// Best points, one entry for each question and kernel.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub best: Vec<Best>,
    /// Sensitivities to the timing fields, one entry for each kernel, chip and seed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sensitivity: Vec<Sensitivity>,
    /// Gains of ideal resources, one entry for each point.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub gains: Vec<GainsOf>,
}

/// Effects of the factors on a quantity of a kernel.
#[derive(Debug, Serialize)]
pub struct EffectsOf {
    /// Name of the kernel.
    pub kernel: String,
    /// The quantity.
    pub of: String,
    /// Effects of the factors.
    #[serde(flatten)]
    pub effects: Effects,
}

/// Pareto front of a kernel.
#[derive(Debug, Serialize)]
pub struct Front {
    /// Name of the kernel.
    pub kernel: String,
    /// The two objectives.
    pub objectives: [String; 2],
    /// Points of the front, the best in the first objective first.
    pub points: Vec<RankedPoint>,
    /// Number of points with values of both objectives.
    pub of: usize,
    /// The objectives of these points, for the picture.
    #[serde(skip)]
    pub all: Vec<[f64; 2]>,
}

/// A point with values of objectives.
#[derive(Clone, Debug, Serialize)]
pub struct RankedPoint {
    /// Number of the point.
    pub point: usize,
    /// Chip, factors and seed.
    pub values: Pairs<String, Value>,
    /// Values of the objectives.
    pub objectives: Vec<f64>,
}

/// Best point of a kernel.
#[derive(Debug, Serialize)]
pub struct Best {
    /// Name of the kernel.
    pub kernel: String,
    /// Quantity that is minimized or maximized.
    pub objective: String,
    /// Condition that the point meets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub condition: Option<String>,
    /// The point; `None` if no point meets the condition.
    pub best: Option<RankedPoint>,
    /// Number of points that meet the condition.
    pub of: usize,
}

/// Sensitivity of the time of a kernel to the timing fields of a chip.
#[derive(Debug, Serialize)]
pub struct Sensitivity {
    /// Name of the kernel.
    pub kernel: String,
    /// Name or file of the chip.
    pub chip: String,
    /// Number of the point without a change.
    pub point: usize,
    /// Microseconds without a change.
    pub microseconds: f64,
    /// The fields, the largest elasticity first.
    pub fields: Vec<Elasticity>,
}

/// Gains of ideal resources at a point.
#[derive(Debug, Serialize)]
pub struct GainsOf {
    /// Name of the kernel.
    pub kernel: String,
    /// Number of the point.
    pub point: usize,
    /// Chip, factors and seed.
    pub values: Pairs<String, Value>,
    /// Microseconds without ideal resources.
    pub microseconds: f64,
    /// The gains, the largest first.
    pub gains: Vec<Gain>,
}

/// Returns the answers from the results that exist.
pub fn answers(plan: &Plan<'_>, outcomes: &[Option<Outcome>]) -> Answers {
    let file = plan.study.file;
    let mut answers = Answers {
        experiment: plan.study.name.to_owned(),
        program: PROGRAM,
        points: outcomes.len(),
        effects: Vec::new(),
        fronts: Vec::new(),
        best: Vec::new(),
        sensitivity: Vec::new(),
        gains: Vec::new(),
    };
    for (kernel, entry) in file.kernels.iter().enumerate() {
        let points = base_points(plan, outcomes, kernel);
        let name = || entry.name.clone();
        for analysis in &file.analyses {
            match &analysis.value {
                Analysis::Effects { of, interactions } => {
                    let found = effects_of(plan, kernel, &points, of, *interactions);
                    answers.effects.extend(found.map(|effects| EffectsOf {
                        kernel: name(),
                        of: of.text.value.clone(),
                        effects,
                    }));
                }
                Analysis::Pareto(pair) => answers.fronts.push(front_of(plan, name(), &points, pair)),
                Analysis::Best { objective, condition } => {
                    answers.best.push(best_of(plan, name(), &points, objective, condition.as_ref()));
                }
            }
        }
        for base in &points {
            answers.sensitivity.extend(sensitivity_of(plan, outcomes, base));
            answers.gains.extend(gains_of(plan, outcomes, base));
        }
    }
    answers
}

/// Returns the points of a kernel without a variant that have a result.
fn base_points<'a>(plan: &'a Plan<'a>, outcomes: &'a [Option<Outcome>], kernel: usize) -> Vec<Values<'a>> {
    let is_base = |index: &usize| {
        let point = &plan.points[*index].point;
        point.kernel == kernel && point.variant == Variant::Base
    };
    let indices = (0..outcomes.len()).filter(is_base);
    indices.filter_map(|index| Values::of(plan, index, outcomes[index].as_ref())).collect()
}

/// Iterates over the selected variants of a point, which follow it: index and point.
fn variants<'a>(plan: &'a Plan<'a>, base: &Values<'_>) -> impl Iterator<Item = (usize, &'a Point)> {
    let of = |point: &'a Point| (point.kernel, point.chip, &point.levels, point.seed);
    let own = of(&plan.points[base.index].point);
    let points = plan.points.iter().enumerate().skip(base.index + 1);
    points
        .map(|(index, planned)| (index, &planned.point))
        .take_while(move |(_, point)| point.variant != Variant::Base && of(point) == own)
}

fn effects_of(
    plan: &Plan<'_>,
    kernel: usize,
    points: &[Values<'_>],
    of: &Formula,
    interactions: bool,
) -> Option<Effects> {
    let file = plan.study.file;
    let applies = |factor: usize| {
        let mut of_kernel = plan.points.iter().filter(|planned| planned.point.kernel == kernel);
        of_kernel.next().is_some_and(|planned| planned.point.levels[factor].is_some())
    };
    let factors: Vec<usize> = (0..file.factors.len()).filter(|factor| applies(*factor)).collect();
    let chips = plan.study.chips.iter().map(|chip| chip.name.clone()).collect();
    let mut columns = vec![Column { name: "chip".to_owned(), levels: chips }];
    columns.extend(factors.iter().map(|factor| {
        let factor = &file.factors[*factor];
        Column {
            name: factor.name.value.clone(),
            levels: factor.levels.iter().map(|level| level.text.clone()).collect(),
        }
    }));
    let seeds = file.given.seeds.iter().map(u64::to_string).collect();
    columns.push(Column { name: "seed".to_owned(), levels: seeds });
    let sample = |values: &Values<'_>| -> Sample {
        let point = &values.planned.point;
        let mut levels = vec![point.chip];
        levels.extend(factors.iter().map(|factor| point.levels[*factor].unwrap_or(0)));
        levels.push(file.given.seeds.iter().position(|seed| Some(*seed) == point.seed).unwrap_or(0));
        (levels, values.formula(of))
    };
    effects(&columns, &points.iter().map(sample).collect::<Vec<_>>(), interactions)
}

/// Returns chip, factors and seed of a point.
fn values_of(plan: &Plan<'_>, point: &Point) -> Pairs<String, Value> {
    let chip = ("chip".to_owned(), Value::from(plan.study.chip(point).name.clone()));
    Pairs(std::iter::once(chip).chain(plan.study.values(point)).collect())
}

fn place(plan: &Plan<'_>, values: &Values<'_>, objectives: Vec<f64>) -> RankedPoint {
    RankedPoint { point: values.planned.number, values: values_of(plan, &values.planned.point), objectives }
}

fn front_of(plan: &Plan<'_>, kernel: String, points: &[Values<'_>], pair: &[Objective; 2]) -> Front {
    let value = |values: &Values<'_>| [values.formula(&pair[0].formula), values.formula(&pair[1].formula)];
    let values: Vec<[f64; 2]> = points.iter().map(value).collect();
    let found = front(&values, [pair[0].goal, pair[1].goal]);
    let is_whole = |pair: &&[f64; 2]| pair.iter().all(|value| value.is_finite());
    let all: Vec<[f64; 2]> = values.iter().filter(is_whole).copied().collect();
    Front {
        kernel,
        objectives: [pair[0].name.clone(), pair[1].name.clone()],
        points: found.into_iter().map(|i| place(plan, &points[i], values[i].to_vec())).collect(),
        of: all.len(),
        all,
    }
}

fn best_of(
    plan: &Plan<'_>,
    kernel: String,
    points: &[Values<'_>],
    objective: &Objective,
    condition: Option<&Formula>,
) -> Best {
    let holds = |values: &&Values<'_>| {
        let value = condition.map_or(1.0, |condition| values.formula(condition));
        value.is_finite() && value != 0.0
    };
    let points: Vec<&Values<'_>> = points.iter().filter(holds).collect();
    let values: Vec<f64> = points.iter().map(|values| values.formula(&objective.formula)).collect();
    let found = best(values.iter().copied(), objective.goal);
    Best {
        kernel,
        objective: objective.name.clone(),
        condition: condition.map(|condition| condition.text.value.clone()),
        best: found.map(|i| place(plan, points[i], vec![values[i]])),
        of: points.len(),
    }
}

fn sensitivity_of(plan: &Plan<'_>, outcomes: &[Option<Outcome>], base: &Values<'_>) -> Option<Sensitivity> {
    let trial = |(index, point): (usize, &Point)| {
        let Variant::Field(change) = &point.variant else { return None };
        let outcome = outcomes[index].as_ref()?;
        let time = Values::of(plan, index, Some(outcome)).map_or(f64::NAN, |values| values.metric(TIME));
        Some(Trial {
            path: change.path.clone(),
            value: change.value.parse().unwrap_or(f64::NAN),
            time,
            failure: format!("{}: {}", outcome.ending.word(), outcome.message),
        })
    };
    let trials: Vec<Trial> = variants(plan, base).filter_map(trial).collect();
    let point = &base.planned.point;
    (!trials.is_empty()).then(|| Sensitivity {
        kernel: plan.study.kernel(point).name.clone(),
        chip: plan.study.chip(point).name.clone(),
        point: base.planned.number,
        microseconds: base.metric(TIME),
        fields: elasticities(base.metric(TIME), &trials, &|path| base.field(path)),
    })
}

fn gains_of(plan: &Plan<'_>, outcomes: &[Option<Outcome>], base: &Values<'_>) -> Option<GainsOf> {
    let run = |(index, point): (usize, &Point)| {
        let Variant::Ideal(resources) = &point.variant else { return None };
        let outcome = outcomes[index].as_ref()?;
        let values = Values::of(plan, index, Some(outcome));
        Some(IdealRun {
            resources: resources.clone(),
            time: values.as_ref().map_or(f64::NAN, |values| values.metric(TIME)),
            memory: values.map_or_else(String::new, |values| values.memory().to_owned()),
        })
    };
    let runs: Vec<IdealRun> = variants(plan, base).filter_map(run).collect();
    let point = &base.planned.point;
    let names: Vec<String> =
        plan.study.chip(point).resources.iter().map(|resource| resource.name.clone()).collect();
    (!runs.is_empty()).then(|| GainsOf {
        kernel: plan.study.kernel(point).name.clone(),
        point: base.planned.number,
        values: values_of(plan, point),
        microseconds: base.metric(TIME),
        gains: gains(base.metric(TIME), base.memory(), &runs, &names),
    })
}
