//! Names of a plan: values of the case, numbers of the claim, and results of runs; formulas and
//! texts over them.

use super::Values;
use super::result::Ran;
use crate::claims::Claim;
use crate::text::{Value, fill};
use kernels::RunError;
use report::formula::{self, Budget, Expr, Names, Number};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The names that a formula or a text can use.
pub struct Scope<'s> {
    /// The claim, whose numbers have the lowest rank.
    pub claim: &'s Claim,
    values: &'s Values,
    runs: &'s BTreeMap<String, Ran>,
    /// Results of earlier parts.
    kept: &'s BTreeMap<String, Ran>,
    /// The point of a curve: its value by the name of the curve's variable, and its result, named
    /// `point`.
    point: Option<(&'s str, f64, &'s Ran)>,
    /// Name and value of a curve's variable, while its run is made.
    variable: Option<(&'s str, f64)>,
    /// Name and value of the number for which a formula is repeated.
    own: Option<(&'s str, f64)>,
}

impl<'s> Scope<'s> {
    /// The names of a claim, a case and its runs, and earlier runs.
    pub fn new(
        claim: &'s Claim,
        values: &'s Values,
        runs: &'s BTreeMap<String, Ran>,
        kept: &'s BTreeMap<String, Ran>,
    ) -> Self {
        Self { claim, values, runs, kept, point: None, variable: None, own: None }
    }

    /// The same names, and the variable of a curve.
    pub fn with<'n>(&'n self, name: &'n str, value: f64) -> Scope<'n> {
        Scope { variable: Some((name, value)), ..*self }
    }

    /// The same names, and a number for which a text is repeated.
    pub fn numbered<'n>(&'n self, name: &'n str, value: f64) -> Scope<'n> {
        Scope { own: Some((name, value)), ..*self }
    }

    /// The values of the case and more values, whose texts are templates; a text can become a
    /// number.
    pub fn filled(&self, more: &Values) -> Result<Values, RunError> {
        let mut values = self.values.clone();
        for (name, value) in more {
            let value = match value {
                Value::Text(text) => {
                    let text = self.text(text)?;
                    let number = text.parse().ok().filter(|number: &f64| number.to_string() == text);
                    number.map_or(Value::Text(text), Value::One)
                }
                number => number.clone(),
            };
            values.insert(name.clone(), value);
        }
        Ok(values)
    }

    /// The same names with these values of the case.
    pub fn over<'n>(&'n self, values: &'n Values) -> Scope<'n> {
        Scope { values, ..*self }
    }

    /// The same names, and the result of a run under the name `point`.
    pub fn at<'n>(&'n self, over: &'n str, value: f64, ran: &'n Ran) -> Scope<'n> {
        Scope { point: Some((over, value, ran)), ..*self }
    }

    /// A scope for each point of a curve, whose name is a template.
    pub fn points(&self, curve: &str) -> Result<Vec<Scope<'s>>, RunError> {
        let curve = self.text(curve)?;
        let ran = self.run(&curve).filter(|ran| !ran.points.is_empty());
        let ran = ran.ok_or_else(|| RunError::Wrong(format!("{}: no curve `{curve}`", self.claim.id)))?;
        let point = |(value, at): &'s (f64, Ran)| Scope { point: Some((&ran.over, *value, at)), ..*self };
        Ok(ran.points.iter().map(point).collect())
    }

    /// Returns a run.
    pub fn run(&self, label: &str) -> Option<&'s Ran> {
        self.runs.get(label).or_else(|| self.kept.get(label))
    }

    /// Returns the value of a name.
    pub fn get(&self, name: &str) -> Option<Value> {
        let mut numbers = self.own.into_iter().chain(self.variable);
        if let Some((_, value)) = numbers.find(|(own, _)| *own == name) {
            return Some(Value::One(value));
        }
        if let Some((over, value, ran)) = self.point {
            if name == over {
                return Some(Value::One(value));
            }
            if let Some(field) = name.strip_prefix("point.") {
                return ran.get(field);
            }
        }
        if let Some(value) = self.values.get(name).or_else(|| self.claim.numbers.get(name)) {
            return Some(value.clone());
        }
        if name == "band" {
            return self.claim.band.map(Value::One);
        }
        let (label, field) = name.split_once('.')?;
        match self.run(label) {
            None if label == "same" => self.claim.same()?.numbers.get(field).cloned(),
            run => run?.get(field),
        }
    }

    /// Returns the value of a formula.
    ///
    /// # Errors
    /// The formula is invalid, or names something that is not there.
    pub fn number(&self, text: &str) -> Result<f64, RunError> {
        Ok(self.each("", text, 1)?[0])
    }

    /// Returns the values of a formula for 0, 1 and so on, the values of `over`.
    ///
    /// # Errors
    /// The formula is invalid, or names something that is not there.
    pub fn each(&self, over: &str, text: &str, count: usize) -> Result<Vec<f64>, RunError> {
        let wrong = |message: String| RunError::Wrong(format!("{}: `{text}`: {message}", self.claim.id));
        let own = if over.is_empty() { self.own } else { Some((over, 0.0)) };
        let names = Scope { own, ..*self };
        let parsed = formula::parse(text, &names).map_err(|why| wrong(why.message))?;
        let mut values = Values::new();
        parsed.each_name(&mut |name: &String| {
            values.extend(names.get(name).map(|value| (name.clone(), value)));
        });
        let element = |name: &String, at: u64| match values.get(name) {
            Some(Value::List(list)) => list.get(at as usize).copied().ok_or(list.len() as u64),
            _ => Err(0),
        };
        if let Expr::Number(value) = parsed {
            return Ok(vec![value; count]);
        }
        // Elements of a list, in order.
        if let Expr::Element(name, index, _) = &parsed
            && matches!(&**index, Expr::Value(at) if at == over)
            && let Some(Value::List(list)) = values.get(name)
            && let Some(elements) = list.get(..count)
        {
            return Ok(elements.to_vec());
        }
        let mut budget = Budget::default();
        let mut value = |i: usize| {
            let value = |name: &String| match values.get(name) {
                _ if name == over => i as f64,
                Some(Value::One(value)) => *value,
                _ => f64::NAN,
            };
            let scope = formula::Scope { index: 0, length: 0, element: &element, value: &value };
            parsed.eval(&scope, &mut budget).map_err(|why| wrong(why.message))
        };
        (0..count).map(&mut value).collect()
    }

    /// Returns the numbers of formulas.
    pub fn numbers(&self, formulas: &[String]) -> Result<Vec<f64>, RunError> {
        let mut all = Vec::new();
        for formula in formulas {
            match self.get(formula) {
                Some(Value::List(list)) => all.extend(list),
                _ => all.push(self.number(formula)?),
            }
        }
        Ok(all)
    }

    /// Returns the numbers of formulas, separated by commas.
    pub fn list(&self, formulas: &[String]) -> Result<String, RunError> {
        Ok(crate::finding::list(&self.numbers(formulas)?))
    }

    /// Fills a template with names and formulas.
    pub fn text(&self, template: &str) -> Result<String, RunError> {
        let error = RefCell::new(None);
        let text = fill(template, &|name| match self.get(name) {
            Some(value) => Some(value),
            None => self.number(name).map(Value::One).map_err(|why| error.replace(Some(why))).ok(),
        });
        error.into_inner().map_or(Ok(text), Err)
    }
}

impl Names for Scope<'_> {
    type Name = String;

    fn array(&self, name: &str) -> Option<String> {
        matches!(self.get(name), Some(Value::List(_))).then(|| name.to_owned())
    }

    fn number(&self, name: &str) -> Option<Number<String>> {
        matches!(self.get(name), Some(Value::One(_))).then(|| Number::Value(name.to_owned()))
    }

    fn known(&self, _: &str) -> String {
        "neither a value, a number of the claim nor a result of a run".to_owned()
    }
}
