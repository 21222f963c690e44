//! Formulas over the past: true or false at every moment, evaluated while the machine runs, with as
//! much memory as the formula has operators.

use super::moment::Moment;
use std::sync::Arc;

type Test = Arc<dyn Fn(&Moment<'_>) -> bool + Send + Sync>;
type Measure = Arc<dyn Fn(&Moment<'_>) -> u64 + Send + Sync>;

/// A formula. It has a value at each moment of its subject, which depends on this moment and the
/// ones before it.
///
/// ```
/// use warpsim_check::rule::{Formula, Moment, is};
///
/// let issues = is(|m: &Moment| m.issued().is_some());
/// // Something issues now, and nothing did at the moment before.
/// let _begins: Formula = issues.clone() & !issues.previously();
/// ```
#[derive(Clone)]
pub struct Formula(Node);

#[derive(Clone)]
enum Node {
    Is(Test),
    Not(Box<Formula>),
    And(Box<[Formula; 2]>),
    Or(Box<[Formula; 2]>),
    Previously { what: Box<Formula>, last: bool },
    Once { what: Box<Formula>, seen: bool },
    Since { parts: Box<[Formula; 2]>, holds: bool },
    Below { parts: Box<[Number; 2]> },
}

/// A number with a value at each moment.
///
/// ```
/// use warpsim_check::rule::{Formula, Number, Subject, count, is, selected};
///
/// // A warp has issued fewer than 1,000 instructions.
/// let _few: Formula = count(selected()).since(is(|_| false)).below(Number::of(|_| 1_000));
/// ```
#[derive(Clone)]
pub struct Number(Value);

#[derive(Clone)]
enum Value {
    Of(Measure),
    Count {
        what: Box<Formula>,
        reset: Option<Box<Formula>>,
        count: u64,
    },
    Gathered {
        mask: Measure,
        reset: Option<Box<Formula>>,
        seen: u64,
    },
    Spread {
        up: Box<Formula>,
        down: Box<Formula>,
        reset: Option<Box<Formula>>,
        now: i64,
        least: i64,
        most: i64,
    },
}

/// A formula about the present moment.
pub fn is(test: impl Fn(&Moment<'_>) -> bool + Send + Sync + 'static) -> Formula {
    Formula(Node::Is(Arc::new(test)))
}

/// Number of moments in which `what` was true.
pub fn count(what: Formula) -> Number {
    Number(Value::Count { what: Box::new(what), reset: None, count: 0 })
}

/// Number of bits that were set in `mask` at some moment.
pub fn gathered(mask: impl Fn(&Moment<'_>) -> u64 + Send + Sync + 'static) -> Number {
    Number(Value::Gathered { mask: Arc::new(mask), reset: None, seen: 0 })
}

/// How far the number of moments with `up` minus the number of moments with `down` has ranged: its
/// largest minus its smallest value.
pub fn spread(up: Formula, down: Formula) -> Number {
    Number(Value::Spread { up: Box::new(up), down: Box::new(down), reset: None, now: 0, least: 0, most: 0 })
}

impl Formula {
    /// This is false, or `then` is true.
    #[must_use]
    pub fn implies(self, then: Self) -> Self {
        !self | then
    }

    /// It was true at the moment before; false at the first one.
    #[must_use]
    pub fn previously(self) -> Self {
        Self(Node::Previously { what: Box::new(self), last: false })
    }

    /// It is true or was true at some moment.
    #[must_use]
    pub fn once(self) -> Self {
        Self(Node::Once { what: Box::new(self), seen: false })
    }

    /// `start` was true at some moment, and this at every moment after it.
    #[must_use]
    pub fn since(self, start: Self) -> Self {
        Self(Node::Since { parts: Box::new([self, start]), holds: false })
    }

    /// Its value at the next moment. Every part sees every moment.
    pub(super) fn step(&mut self, m: &Moment<'_>) -> bool {
        match &mut self.0 {
            Node::Is(test) => test(m),
            Node::Not(what) => !what.step(m),
            Node::And(parts) => {
                let [a, b] = &mut **parts;
                a.step(m) & b.step(m)
            }
            Node::Or(parts) => {
                let [a, b] = &mut **parts;
                a.step(m) | b.step(m)
            }
            Node::Previously { what, last } => std::mem::replace(last, what.step(m)),
            Node::Once { what, seen } => {
                *seen |= what.step(m);
                *seen
            }
            Node::Since { parts, holds } => {
                let [hold, start] = &mut **parts;
                let (keeps, starts) = (hold.step(m), start.step(m));
                *holds = *holds && keeps || starts;
                *holds
            }
            Node::Below { parts } => {
                let [a, b] = &mut **parts;
                a.step(m) < b.step(m)
            }
        }
    }
}

/// Both are true.
impl std::ops::BitAnd for Formula {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(Node::And(Box::new([self, other])))
    }
}

/// At least one is true.
impl std::ops::BitOr for Formula {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(Node::Or(Box::new([self, other])))
    }
}

impl std::ops::Not for Formula {
    type Output = Self;

    fn not(self) -> Self {
        Self(Node::Not(Box::new(self)))
    }
}

impl Number {
    /// A number of the present moment.
    pub fn of(measure: impl Fn(&Moment<'_>) -> u64 + Send + Sync + 'static) -> Self {
        Self(Value::Of(Arc::new(measure)))
    }

    /// Counts again from 0 at each moment in which `start` is true; this moment counts.
    #[must_use]
    pub fn since(mut self, start: Formula) -> Self {
        match &mut self.0 {
            Value::Of(_) => {}
            Value::Count { reset, .. } | Value::Gathered { reset, .. } | Value::Spread { reset, .. } => {
                *reset = Some(Box::new(start));
            }
        }
        self
    }

    /// This is less than `other`.
    pub fn below(self, other: Self) -> Formula {
        Formula(Node::Below { parts: Box::new([self, other]) })
    }

    /// This is `most` or less.
    pub fn at_most(self, most: u64) -> Formula {
        self.below(Self::of(move |_| most.saturating_add(1)))
    }

    fn step(&mut self, m: &Moment<'_>) -> u64 {
        let again = |reset: &mut Option<Box<Formula>>| reset.as_mut().is_some_and(|reset| reset.step(m));
        match &mut self.0 {
            Value::Of(measure) => measure(m),
            Value::Count { what, reset, count } => {
                *count = if again(reset) { 0 } else { *count } + u64::from(what.step(m));
                *count
            }
            Value::Gathered { mask, reset, seen } => {
                *seen = if again(reset) { 0 } else { *seen } | mask(m);
                seen.count_ones().into()
            }
            Value::Spread { up, down, reset, now, least, most } => {
                if again(reset) {
                    (*now, *least, *most) = (0, 0, 0);
                }
                *now += i64::from(up.step(m)) - i64::from(down.step(m));
                (*least, *most) = ((*least).min(*now), (*most).max(*now));
                most.abs_diff(*least)
            }
        }
    }
}
