//! Rules: what must hold at every moment, or must happen.

use super::formula::Formula;
use super::moment::Moment;

/// A rule about one subject.
///
/// ```
/// use warpsim_check::rule::{Rule, always, at_a_barrier, eligible, issues, never, selected, when};
///
/// let _: Rule = never(eligible() & !issues());
/// // A warp that can issue does so, or loses its turn, within 100 issue cycles.
/// let _: Rule = when(eligible()).within(100, selected() | !eligible());
/// let _: Rule = when(at_a_barrier()).eventually(!at_a_barrier());
/// let _: Rule = always(selected().implies(eligible()));
/// ```
#[derive(Clone)]
pub struct Rule {
    parts: Vec<Part>,
    /// Number of moments at which it was put to the test.
    tested: u64,
}

#[derive(Clone)]
enum Part {
    Always { premise: Option<Formula>, what: Formula },
    Eventually { premise: Formula, goal: Formula, within: Option<u64>, waits: Option<u64> },
    Until { premise: Formula, hold: Formula, goal: Formula, waits: bool },
}

/// How a rule was broken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Broken {
    /// A formula that must always hold is false.
    Now,
    /// An event did not happen in time; the issue cycle from which it was due.
    Late(u64),
    /// An event never happened; the issue cycle from which it was due.
    NeverSince(u64),
}

/// The premise of a rule: see [`when`].
#[derive(Clone)]
pub struct When(Formula);

/// `what` holds at every moment.
pub fn always(what: Formula) -> Rule {
    Rule::of(Part::Always { premise: None, what })
}

/// `what` holds at no moment.
pub fn never(what: Formula) -> Rule {
    always(!what)
}

/// Begins a rule about the moments at which `premise` holds.
pub fn when(premise: Formula) -> When {
    When(premise)
}

impl When {
    /// `what` holds at each of them.
    pub fn always(self, what: Formula) -> Rule {
        Rule::of(Part::Always { premise: Some(self.0), what })
    }

    /// `what` holds at none of them.
    pub fn never(self, what: Formula) -> Rule {
        self.always(!what)
    }

    /// At each of them or later, `goal` holds: before the subject ends.
    pub fn eventually(self, goal: Formula) -> Rule {
        Rule::of(Part::Eventually { premise: self.0, goal, within: None, waits: None })
    }

    /// At each of them, or at most `cycles` issue cycles later, `goal` holds.
    pub fn within(self, cycles: u64, goal: Formula) -> Rule {
        Rule::of(Part::Eventually { premise: self.0, goal, within: Some(cycles), waits: None })
    }

    /// From each of them on, `hold` holds until `goal` does. `goal` need not happen.
    pub fn until(self, hold: Formula, goal: Formula) -> Rule {
        Rule::of(Part::Until { premise: self.0, hold, goal, waits: false })
    }
}

impl Rule {
    fn of(part: Part) -> Self {
        Self { parts: vec![part], tested: 0 }
    }

    /// Both rules.
    #[must_use]
    pub fn and(mut self, other: Self) -> Self {
        self.parts.extend(other.parts);
        self
    }

    /// Number of moments at which the rule was put to the test: those with its premise.
    pub fn tested(&self) -> u64 {
        self.tested
    }

    /// Takes the next moment.
    pub(super) fn step(&mut self, m: &Moment<'_>) -> Result<(), Broken> {
        let mut result = Ok(());
        for part in &mut self.parts {
            let (tested, broken) = part.step(m);
            self.tested += u64::from(tested);
            result = result.and(broken.map_or(Ok(()), Err));
        }
        result
    }

    /// The subject has ended.
    pub(super) fn end(&self) -> Result<(), Broken> {
        let pending = |part: &Part| match part {
            Part::Eventually { waits: Some(since), .. } => Some(*since),
            _ => None,
        };
        self.parts.iter().find_map(pending).map_or(Ok(()), |since| Err(Broken::NeverSince(since)))
    }
}

impl Part {
    /// Whether the rule is put to the test at this moment, and how it is broken.
    fn step(&mut self, m: &Moment<'_>) -> (bool, Option<Broken>) {
        match self {
            Self::Always { premise, what } => {
                let tested = premise.as_mut().is_none_or(|premise| premise.step(m));
                let holds = what.step(m);
                (tested, (tested && !holds).then_some(Broken::Now))
            }
            Self::Eventually { premise, goal, within, waits } => {
                let (tested, reached) = (premise.step(m), goal.step(m));
                let since = if tested { Some(waits.unwrap_or(m.cycle)) } else { *waits };
                // A goal that is reached too late has broken the rule before.
                let late = since.filter(|since| {
                    let passed = m.cycle - since;
                    within.is_some_and(|most| passed > most)
                });
                *waits = since.filter(|_| !reached);
                (tested, late.map(Broken::Late))
            }
            Self::Until { premise, hold, goal, waits } => {
                let (tested, holds, reached) = (premise.step(m), hold.step(m), goal.step(m));
                *waits = (*waits || tested) && !reached;
                (tested, (*waits && !holds).then_some(Broken::Now))
            }
        }
    }
}
