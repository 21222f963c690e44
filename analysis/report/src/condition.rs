//! Conditions over metrics, such as `gld_transactions_per_request <= 1.1`: expectations of launch
//! files, and limits of exercises.

use crate::formula::{self, Binary, Budget, Expr, FormulaError, Names, Number, Scope};
use crate::metrics::{self, Metric, Reports};
use crate::render::number::{count, fixed};
use isa::diag::nearest;
use sim_core::config::{Named, Word};
use std::cell::RefCell;
use std::marker::PhantomData;

/// A name in a condition. `N` are the names beside metrics.
#[derive(Clone, Copy, Debug)]
pub enum Quantity<N> {
    /// A metric of the launches.
    Metric(&'static Metric),
    /// Another number that the reader of the condition knows.
    Other(N),
}

/// No names beside metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricsOnly {}

impl Named for MetricsOnly {
    const VALUES: &'static [(&'static str, Self)] = &[];
    const LIST: &'static [Word] = &[];
}

impl<N: Named + PartialEq> Quantity<N> {
    /// Its name.
    fn name(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.name,
            Self::Other(other) => {
                N::VALUES.iter().find(|(_, value)| *value == other).map_or("", |(name, _)| name)
            }
        }
    }
}

/// Returns the value of a metric; NaN if no launch has it.
pub fn value_of(metric: &Metric, reports: &Reports) -> f64 {
    reports.value(metric).and_then(|value| value.as_f64()).unwrap_or(f64::NAN)
}

/// The names that a condition can use.
struct Vocabulary<N>(PhantomData<N>);

impl<N: Named> Names for Vocabulary<N> {
    type Name = Quantity<N>;

    fn array(&self, _: &str) -> Option<Self::Name> {
        None
    }

    fn number(&self, name: &str) -> Option<Number<Self::Name>> {
        let other =
            N::VALUES.iter().find(|(known, _)| *known == name).map(|(_, other)| Quantity::Other(*other));
        let metric = || metrics::ALL.iter().find(|metric| metric.name == name).map(Quantity::Metric);
        other.or_else(metric).map(Number::Value)
    }

    fn known(&self, name: &str) -> String {
        let others = || N::VALUES.iter().map(|(name, _)| *name);
        let near = nearest(name, others().chain(metrics::ALL.iter().map(|metric| metric.name)));
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        let all = std::iter::once("a metric (docs/METRICS.md)".to_owned());
        let all: Vec<String> = all.chain(others().map(|name| format!("`{name}`"))).collect();
        format!("{near}expected {}", all.join(", "))
    }
}

/// A formula over metrics that is true or false.
#[derive(Clone, Debug)]
pub struct Condition<N> {
    /// Text as in the file.
    pub text: String,
    expression: Expr<Quantity<N>>,
}

impl<N: Named + PartialEq> Condition<N> {
    /// Parses a condition.
    ///
    /// # Errors
    ///
    /// The text is no formula, or names something unknown.
    pub fn parse(text: &str) -> Result<Self, FormulaError> {
        let expression = formula::parse(text, &Vocabulary(PhantomData))?;
        Ok(Self { text: text.to_owned(), expression })
    }

    /// Whether the condition reads one of these names.
    pub fn reads(&self, names: &[N]) -> bool {
        let mut found = false;
        self.expression.each_name(&mut |quantity| {
            found |= matches!(quantity, Quantity::Other(other) if names.contains(other));
        });
        found
    }

    /// Evaluates the condition; `value` returns NaN for a name without a value.
    pub fn test(&self, value: &dyn Fn(Quantity<N>) -> f64) -> Tested {
        let used: RefCell<Vec<(&'static str, f64)>> = RefCell::default();
        let read = |quantity: &Quantity<N>| {
            let (name, value) = (quantity.name(), value(*quantity));
            let mut used = used.borrow_mut();
            if !used.iter().any(|(known, _)| *known == name) {
                used.push((name, value));
            }
            value
        };
        let scope = Scope { index: 0, length: 0, element: &|_, _| Err(0), value: &read };
        let eval = |expression: &Expr<Quantity<N>>| expression.eval(&scope, &mut Budget::default());
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

    sim_core::words! {
        /// A number beside metrics.
        pub enum Other {
            /// One.
            Reference = "reference",
        }
    }

    fn test(text: &str) -> (Option<bool>, String) {
        let condition: Condition<Other> = Condition::parse(text).expect("a condition");
        let tested = condition.test(&|quantity| match quantity {
            Quantity::Other(Other::Reference) => 2000.0,
            Quantity::Metric(metric) if metric.name == "cycles" => 1200.0,
            Quantity::Metric(_) => f64::NAN,
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
        let error = Condition::<MetricsOnly>::parse("cycls < 5").expect_err("no such metric");
        assert!(error.message.contains("did you mean `cycles`?"), "{}", error.message);
        assert!(Condition::<MetricsOnly>::parse("reference < 5").is_err());
        let reads = |text: &str| Condition::parse(text).expect("a condition").reads(&[Other::Reference]);
        assert!(reads("cycles < 0.5 * reference") && reads("ipc > 1 ? cycles < 5 : cycles < reference"));
        assert!(!reads("cycles < 5"), "the word is not in the formula");
    }
}
