//! Result of a search, with the comparison of each outcome with the expectations.

use super::condition::{Condition, Quantifier};
use crate::args::{ExploreArgs, ExploreMode};
use crate::exit::{Code, Failure};
use crate::launch_file::{Area, Ready};
use crate::render::number::{count, plural};
use report::outcome::Check;
use sim_core::host::{End, Interleaved};
use warpsim_check::explore::{Exploration, OutcomeKind};

/// Most elements that are shown of those that differ.
const MOST_ELEMENTS: usize = 6;

/// An element of a result that is not the same in all outcomes.
pub struct Element {
    /// Name of the buffer with the index.
    pub name: String,
    /// Its value in each outcome, as text; empty if the outcome has no result.
    pub values: Vec<String>,
}

/// A condition of the command line, and the outcomes for which it holds.
pub struct Tested {
    /// The condition.
    pub text: String,
    /// Whether it holds with its quantifier, for the schedules that were run.
    pub holds: bool,
    /// Indices of the outcomes at whose end it holds without its quantifier.
    pub outcomes: Vec<usize>,
}

/// The answer of a search.
pub struct Answer<'a> {
    /// Result of the search.
    pub found: Exploration,
    /// For each outcome, the comparison of its result with the expectations.
    pub checks: Vec<Check>,
    /// The conditions of the command line.
    pub conditions: Vec<Tested>,
    /// Elements that differ between outcomes.
    pub elements: Vec<Element>,
    /// Number of elements that differ, of which only the first are in `elements`.
    pub differing: usize,
    /// The launch before its first action.
    pub start: &'a Interleaved,
    /// The buffers of the launch file.
    pub areas: Vec<Area>,
    /// The command.
    pub args: &'a ExploreArgs,
}

impl<'a> Answer<'a> {
    /// Compares each outcome with the expectations, and the outcomes with each other.
    pub fn new(
        args: &'a ExploreArgs,
        ready: &mut Ready<'_>,
        (results, asked): (&[Area], &[Condition]),
        start: &'a Interleaved,
        found: Exploration,
    ) -> Result<Self, Failure> {
        let mut checks: Vec<Check> = Vec::new();
        for outcome in &found.outcomes {
            checks.push(match outcome.end {
                End::Finished | End::Redundant => ready.check(&outcome.state)?,
                End::Trapped(_) | End::Hung(_) => Check::default(),
            });
        }
        let mut conditions = Vec::new();
        for condition in asked {
            let mut outcomes = Vec::new();
            for (number, outcome) in found.outcomes.iter().enumerate() {
                if !matches!(outcome.end, End::Finished | End::Redundant) {
                    continue;
                }
                let holds = condition.holds(ready.areas(), &outcome.state)?;
                outcomes.extend(holds.then_some(number));
                if let Some(fact) = condition.fact(holds) {
                    checks[number].add(fact);
                }
            }
            let holds = match condition.quantifier {
                Quantifier::Forall => outcomes.len() == found.outcomes.len(),
                Quantifier::Exists => !outcomes.is_empty(),
                Quantifier::NotExists => outcomes.is_empty(),
            };
            conditions.push(Tested { text: condition.text.clone(), holds, outcomes });
        }
        let (elements, differing) = elements(results, &found);
        Ok(Self {
            found,
            checks,
            conditions,
            elements,
            differing,
            start,
            areas: ready.areas().to_vec(),
            args,
        })
    }

    /// Whether an outcome is finished and meets all expectations.
    pub fn is_right(&self, outcome: usize) -> bool {
        matches!(self.found.outcomes[outcome].end, End::Finished)
            && self.checks[outcome].passed != Some(false)
    }

    /// Index of the first outcome that is not finished or violates an expectation.
    pub fn first_wrong(&self) -> Option<usize> {
        (0..self.found.outcomes.len()).find(|outcome| !self.is_right(*outcome))
    }

    /// The exit code.
    pub fn code(&self) -> Code {
        match self.found.outcomes.len() {
            0 => Code::HangOrLimit,
            number => {
                let is_fine = self.first_wrong().is_none() && self.conditions.iter().all(|one| one.holds);
                let is_one = number == 1 || !self.conditions.is_empty();
                if is_fine && is_one { Code::Fine } else { Code::WrongResult }
            }
        }
    }

    /// Returns the coverage as one sentence.
    pub fn coverage(&self) -> String {
        let found = &self.found;
        let number = plural(found.schedules, "schedule");
        let within = match self.args.preemptions {
            Some(1) => " with at most 1 preemption".to_owned(),
            Some(most) => format!(" with at most {most} preemptions"),
            None => String::new(),
        };
        match self.args.mode {
            _ if found.is_interrupted => format!("{number}{within}, not exhaustive: interrupted"),
            ExploreMode::Exhaustive if found.is_exhaustive() => {
                let number = plural(found.schedules, "inequivalent schedule");
                format!("all {number}: exhaustive")
            }
            ExploreMode::Exhaustive if !found.is_complete => {
                format!("{number}{within}, not exhaustive: stopped at the limit of schedules")
            }
            ExploreMode::Exhaustive if found.too_long > 0 => {
                let long = plural(found.too_long, "schedule");
                format!("{number}{within}, not exhaustive: {long} longer than {} actions", self.args.actions)
            }
            ExploreMode::Exhaustive => {
                let cut = count(found.cut_by_preemptions);
                format!("{number}{within}, not exhaustive: the limit of preemptions has cut {cut} branches")
            }
            ExploreMode::Random => format!("{number} drawn with seed {}, not exhaustive", self.args.seed),
            ExploreMode::Pct => {
                let (depth, seed) = (self.args.depth, self.args.seed);
                format!("{number} drawn by PCT of depth {depth} with seed {seed}, not exhaustive")
            }
        }
    }
}

/// Returns the first elements that differ between outcomes with a result, and their number.
fn elements(results: &[Area], found: &Exploration) -> (Vec<Element>, usize) {
    let contents: Vec<Option<&[u8]>> = found
        .outcomes
        .iter()
        .map(|outcome| match &outcome.kind {
            OutcomeKind::Finished(bytes) => Some(&**bytes),
            OutcomeKind::Trapped(_) | OutcomeKind::Hung(_) => None,
        })
        .collect();
    let (mut elements, mut differing, mut start) = (Vec::new(), 0, 0);
    for area in results {
        let size = area.ty.bytes() as usize;
        for index in 0..area.bytes as usize / size {
            let range = start + index * size..start + (index + 1) * size;
            let mut all = contents.iter().flatten().map(|bytes| &bytes[range.clone()]);
            let first = all.next();
            if all.all(|other| Some(other) == first) {
                continue;
            }
            differing += 1;
            if elements.len() < MOST_ELEMENTS {
                let value = |bytes: Option<&[u8]>| {
                    bytes.map_or_else(String::new, |bytes| area.element(&bytes[range.clone()]).to_string())
                };
                let name = format!("{}[{index}]", area.name);
                elements.push(Element { name, values: contents.iter().copied().map(value).collect() });
            }
        }
        start += area.bytes as usize;
    }
    (elements, differing)
}
