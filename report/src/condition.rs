//! Conditions over metrics, such as `gld_transactions_per_request <= 1.1`: expectations of launch
//! files, and limits of exercises.

use crate::formula::{self, Binary, Budget, Expr, FormulaError, Names, Number, Scope};
use crate::metrics::{self, Metric, Reports};
use crate::render::number::{count, fixed};
use isa::diag::nearest;
use std::cell::RefCell;

/// A name in a condition.
#[derive(Clone, Copy, Debug)]
pub enum Quantity {
    /// A metric of the launches.
    Metric(&'static Metric),
    /// Another number that the reader of the condition knows.
    Other(&'static str),
}

impl Quantity {
    /// Its name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.name,
            Self::Other(name) => name,
        }
    }

    /// The value of a metric; NaN for another quantity, and for a metric without a value.
    pub fn of(self, reports: &Reports) -> f64 {
        match self {
            Self::Metric(metric) => {
                reports.value(metric).and_then(|value| value.as_f64()).unwrap_or(f64::NAN)
            }
            Self::Other(_) => f64::NAN,
        }
    }
}

/// The names that a condition can use beside metrics.
struct Vocabulary(&'static [&'static str]);

impl Names for Vocabulary {
    type Name = Quantity;

    fn array(&self, _: &str) -> Option<Quantity> {
        None
    }

    fn number(&self, name: &str) -> Option<Number<Quantity>> {
        let other = self.0.iter().find(|known| **known == name).map(|name| Quantity::Other(name));
        let metric = || metrics::ALL.iter().find(|metric| metric.name == name).map(Quantity::Metric);
        other.or_else(metric).map(Number::Value)
    }

    fn known(&self, name: &str) -> String {
        let metrics = metrics::ALL.iter().map(|metric| metric.name);
        let near = nearest(name, self.0.iter().copied().chain(metrics));
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let others = self.0.iter().map(|name| format!("`{name}`"));
        let all: Vec<String> =
            std::iter::once("a metric (docs/METRICS.md)".to_owned()).chain(others).collect();
        format!("{near}expected {}", all.join(", "))
    }
}

/// A condition.
#[derive(Clone, Debug)]
pub struct Condition {
    /// Its text.
    pub text: String,
    expression: Expr<Quantity>,
}

impl Condition {
    /// Parses a condition; `others` are names that it can use beside metrics.
    ///
    /// # Errors
    ///
    /// The text is no formula, or names something unknown.
    pub fn parse(text: &str, others: &'static [&'static str]) -> Result<Self, FormulaError> {
        let expression = formula::parse(text, &Vocabulary(others))?;
        Ok(Self { text: text.to_owned(), expression })
    }

    /// Evaluates the condition; `value` returns NaN for a name without a value.
    pub fn test(&self, value: &dyn Fn(Quantity) -> f64) -> Tested {
        let used: RefCell<Vec<(&'static str, f64)>> = RefCell::default();
        let read = |quantity: &Quantity| {
            let (name, value) = (quantity.name(), value(*quantity));
            let mut used = used.borrow_mut();
            if !used.iter().any(|(known, _)| *known == name) {
                used.push((name, value));
            }
            value
        };
        let scope = Scope { index: 0, length: 0, element: &|_, _| Err(0), value: &read };
        let eval = |expression: &Expr<Quantity>| expression.eval(&scope, &mut Budget::default());
        let result = eval(&self.expression).unwrap_or(f64::NAN);
        let limit = match &self.expression {
            Expr::Binary(
                Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual,
                _,
                limit,
            ) => eval(limit).ok().filter(|_| !matches!(**limit, Expr::Number(_))),
            _ => None,
        };
        let used = used.into_inner();
        let is_known = used.iter().all(|(_, value)| !value.is_nan());
        Tested { holds: (is_known && !result.is_nan()).then_some(result != 0.0), used, limit }
    }
}

/// A condition and the values of its names.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// Whether it holds; `None` if a name has no value.
    pub holds: Option<bool>,
    /// The names that it reads, in the order of their first use, with their values.
    used: Vec<(&'static str, f64)>,
    /// Value of the right side of a comparison, if it is not a plain number.
    limit: Option<f64>,
}

impl Tested {
    /// Returns the values as text, such as `cycles is 1,234`.
    pub fn values(&self) -> String {
        let number = |value: f64| match value {
            value if value.is_nan() => "unknown".to_owned(),
            value if value.fract() == 0.0 && value.abs() < 1e15 => count(value as u64),
            value => fixed(value, 3),
        };
        let values = self.used.iter().map(|(name, value)| format!("`{name}` is {}", number(*value)));
        let limit = self.limit.map(|limit| format!("the limit is {}", number(limit)));
        values.chain(limit).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(text: &str) -> (Option<bool>, String) {
        let condition = Condition::parse(text, &["reference"]).expect("a condition");
        let tested = condition.test(&|quantity| match quantity.name() {
            "cycles" => 1200.0,
            "reference" => 2000.0,
            _ => f64::NAN,
        });
        (tested.holds, tested.values())
    }

    #[test]
    fn a_condition_says_the_values_that_it_reads() {
        assert_eq!(
            test("cycles <= 0.5 * reference"),
            (Some(false), "`cycles` is 1,200, `reference` is 2,000, the limit is 1,000".into())
        );
        assert_eq!(test("cycles <= 0.6 * reference && cycles > 0").0, Some(true));
        assert_eq!(test("ipc > 1"), (None, "`ipc` is unknown".into()));
        assert_eq!(test("cycles / 0 > 1").0, Some(true), "an infinity is more than 1");
    }

    #[test]
    fn an_unknown_name_has_the_nearest_one() {
        let error = Condition::parse("cycls < 5", &[]).expect_err("no such metric");
        assert!(error.message.contains("did you mean `cycles`?"), "{}", error.message);
        assert!(Condition::parse("reference < 5", &[]).is_err());
    }
}
