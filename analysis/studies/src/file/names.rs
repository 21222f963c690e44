//! Names in the formulas of an experiment.

use super::schema::{Factor, Formula, NamedFormula, Quantity};
use crate::codes;
use isa::diag::Diagnostic;
use isa::span::{Span, Spanned};
use report::formula::{self, Budget, Names, Number, Scope};
use sim_core::config::read::Reader;
use sim_core::config::schema;

/// Names that the formulas at one place of the file can use.
pub(super) struct Known<'f> {
    /// Factors by which formulas can name values.
    pub factors: &'f [Factor],
    /// The named formulas that come before; `None` where formulas see factors only.
    pub formulas: Option<&'f [NamedFormula]>,
    /// Names of the metrics.
    pub metrics: &'f [&'static str],
}

impl Names for Known<'_> {
    type Name = Quantity;

    fn array(&self, _: &str) -> Option<Quantity> {
        None
    }

    fn number(&self, name: &str) -> Option<Number<Quantity>> {
        if let Some(index) = self.factors.iter().position(|factor| factor.name.value == name) {
            let numbers = self.factors[index].levels.iter().all(|level| level.number.is_some());
            return numbers.then_some(Number::Value(Quantity::Factor(index)));
        }
        let formulas = self.formulas?;
        if let Some(index) = formulas.iter().position(|formula| formula.name.value == name) {
            return Some(Number::Value(Quantity::Formula(index)));
        }
        if self.metrics.contains(&name) {
            return Some(Number::Value(Quantity::Metric(name.to_owned())));
        }
        // Whether the chips have the field is checked with the chips.
        let is_field = name.contains('.') || schema::has(name);
        is_field.then(|| Number::Value(Quantity::Field(name.to_owned())))
    }

    fn known(&self, name: &str) -> String {
        if self.factors.iter().any(|factor| factor.name.value == name) {
            return "the factor has values that are not numbers".to_owned();
        }
        let factors = self.factors.iter().map(|factor| factor.name.value.as_str());
        if self.formulas.is_none() {
            let all: Vec<&str> = factors.collect();
            return if all.is_empty() {
                "the file has no factors".to_owned()
            } else {
                format!("the factors are {}", all.join(", "))
            };
        }
        let formulas = self.formulas.iter().flat_map(|all| all.iter().map(|f| f.name.value.as_str()));
        let fields: Vec<String> = schema::paths().collect();
        let known = factors.chain(formulas).chain(self.metrics.iter().copied());
        let near = isa::diag::nearest(name, known.chain(fields.iter().map(String::as_str)));
        let near = near.map_or_else(String::new, |near| format!("did you mean `{near}`? "));
        near + "expected a factor, an earlier formula, a metric (docs/METRICS.md) or a field of the chip"
    }
}

/// Returns the value of a formula; `value` returns the value of each name. NaN if a value is
/// missing or the formula has no value.
pub fn value_of(formula: &Formula, value: &dyn Fn(&Quantity) -> f64) -> f64 {
    let scope = Scope { index: 0, length: 0, element: &|_, _| Err(0), value };
    formula.expression.eval(&scope, &mut Budget::default()).unwrap_or(f64::NAN)
}

/// Parses a formula.
pub(super) fn parse_formula(reader: &Reader, text: &Spanned<String>, names: &Known<'_>) -> Option<Formula> {
    match formula::parse(&text.value, names) {
        Ok(expression) => Some(Formula { text: text.clone(), expression }),
        Err(error) => {
            let span = error.within(text);
            reader.push(Diagnostic::error(codes::FORMULA, span, error.message).label("in this formula"));
            None
        }
    }
}

/// Returns a formula in place of one that has an error, so that a use of its name is no second
/// error.
pub(super) fn placeholder(text: &Spanned<String>, names: &Known<'_>) -> Option<Formula> {
    let expression = formula::parse("0", names).ok()?;
    Some(Formula { text: text.clone(), expression })
}

/// Reports a second use of a name.
pub(super) fn report_twice(reader: &Reader, what: &str, name: &str, span: Span, first: Span) {
    let message = format!("two {what} have the name `{name}`");
    let diagnostic = Diagnostic::error(codes::DUPLICATE, span, message).label("second use");
    reader.push(diagnostic.at(first, "first use").help("add a `name`"));
}
