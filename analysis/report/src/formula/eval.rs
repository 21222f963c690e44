//! Evaluates a formula at one index.

use super::{Binary, Expr, FormulaError, Function, Unary};

/// Maximum number of steps of all formulas of one launch file together. It bounds the time to
/// minutes.
const STEPS: u64 = 2_000_000_000;

/// Remaining steps.
#[derive(Debug)]
pub struct Budget(u64);

impl Default for Budget {
    fn default() -> Self {
        Self(STEPS)
    }
}

/// Values that a formula can use.
pub struct Scope<'s, A> {
    /// Index of the element.
    pub index: u64,
    /// Number of elements.
    pub length: u64,
    /// Returns an element of an array, or `Err` with the array's length if the index is out of
    /// range.
    pub element: &'s dyn Fn(&A, u64) -> Result<f64, u64>,
    /// Returns a named value.
    pub value: &'s dyn Fn(&A) -> f64,
}

impl<A> Expr<A> {
    /// Returns the value at the scope's index.
    pub fn eval(&self, scope: &Scope<'_, A>, budget: &mut Budget) -> Result<f64, FormulaError> {
        self.value(scope, budget, &mut Vec::new())
    }

    fn value(
        &self,
        scope: &Scope<'_, A>,
        budget: &mut Budget,
        variables: &mut Vec<f64>,
    ) -> Result<f64, FormulaError> {
        budget.0 = budget.0.saturating_sub(1);
        Ok(match self {
            Self::Number(value) => *value,
            Self::Index => scope.index as f64,
            Self::Length => scope.length as f64,
            Self::Value(name) => (scope.value)(name),
            Self::Variable(depth) => variables[*depth],
            Self::Element(array, index, range) => {
                let index = index.value(scope, budget, variables)?;
                let wrong = |message: String| FormulaError { range: range.clone(), message };
                if !(index >= 0.0 && index.fract() == 0.0 && index < 1e15) {
                    return Err(wrong(format!("for i = {}, the index {index} is invalid", scope.index)));
                }
                (scope.element)(array, index as u64).map_err(|length| {
                    wrong(format!(
                        "for i = {}, the index {index} is outside the {length} elements",
                        scope.index
                    ))
                })?
            }
            Self::Unary(operator, operand) => {
                let value = operand.value(scope, budget, variables)?;
                match operator {
                    Unary::Negate => -value,
                    Unary::Not => truth(value == 0.0),
                }
            }
            Self::Binary(operator, left, right) => {
                let left = left.value(scope, budget, variables)?;
                // The right side of `&&` and `||` may be out of range if the left side decides.
                match operator {
                    Binary::And if left == 0.0 => return Ok(0.0),
                    Binary::Or if left != 0.0 => return Ok(1.0),
                    _ => binary(*operator, left, right.value(scope, budget, variables)?),
                }
            }
            Self::Choice(condition, yes, no) => {
                let branch = if condition.value(scope, budget, variables)? == 0.0 { no } else { yes };
                branch.value(scope, budget, variables)?
            }
            Self::Call(function, arguments) => {
                let mut values = [0.0; 2];
                for (value, argument) in values.iter_mut().zip(arguments) {
                    *value = argument.value(scope, budget, variables)?;
                }
                call(*function, values)
            }
            Self::Sum { from, to, body, range } => {
                let mut at = from.value(scope, budget, variables)?;
                let to = to.value(scope, budget, variables)?;
                let mut sum = 0.0;
                while at < to {
                    if budget.0 == 0 {
                        let message = format!("the formulas require more than {STEPS} steps");
                        return Err(FormulaError { range: range.clone(), message });
                    }
                    variables.push(at);
                    let value = body.value(scope, budget, variables);
                    variables.pop();
                    sum += value?;
                    at += 1.0;
                }
                sum
            }
        })
    }
}

fn truth(value: bool) -> f64 {
    f64::from(u8::from(value))
}

#[expect(clippy::float_cmp, reason = "`==` in a formula means equal")]
fn binary(operator: Binary, left: f64, right: f64) -> f64 {
    match operator {
        Binary::Or | Binary::And => truth(right != 0.0),
        Binary::Equal => truth(left == right),
        Binary::NotEqual => truth(left != right),
        Binary::Less => truth(left < right),
        Binary::LessEqual => truth(left <= right),
        Binary::Greater => truth(left > right),
        Binary::GreaterEqual => truth(left >= right),
        Binary::Add => left + right,
        Binary::Subtract => left - right,
        Binary::Multiply => left * right,
        Binary::Divide => left / right,
        Binary::Remainder => left % right,
    }
}

fn call(function: Function, [first, second]: [f64; 2]) -> f64 {
    match function {
        Function::Abs => first.abs(),
        Function::Floor => first.floor(),
        Function::Sqrt => first.sqrt(),
        Function::Min => first.min(second),
        Function::Max => first.max(second),
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use super::super::parse::tests::Array;
    use super::*;

    fn value(text: &str, index: u64) -> Result<f64, FormulaError> {
        let array = [10.0, 20.0, 30.0];
        let formula = parse(text, &Array).expect(text);
        let element = |(): &(), i: u64| array.get(i as usize).copied().ok_or(array.len() as u64);
        let scope = Scope { index, length: 3, element: &element, value: &|()| 7.0 };
        formula.eval(&scope, &mut Budget::default())
    }

    #[test]
    fn operators_bind_as_in_c() {
        for (text, expected) in [
            ("1 + 2 * 3", 7.0),
            ("10 - 4 - 3", 3.0),
            ("-2 * -3", 6.0),
            ("7 % 4 * 2", 6.0),
            ("1 < 2 == 1", 1.0),
            ("1 || 0 && 0", 1.0),
            ("!0 + !5", 1.0),
            ("i > 0 ? 5 : i == 0 ? 6 : 7", 5.0),
            ("0x10 + 1.5e1 + 2e-1", 31.2),
            ("min(3, max(1, 2)) + floor(-0.5) + abs(-4) + sqrt(9)", 8.0),
            ("a[i] + a[n - 1 - i]", 40.0),
            ("sum(k, 0, n, a[k] * k)", 80.0),
            ("sum(k, 0, 2, sum(j, 0, 2, 10 * k + j))", 22.0),
            ("sum(i, 0, 3, i)", 3.0),
            ("sum(k, 5, 0, 1)", 0.0),
            ("sm.warps * 2", 14.0),
        ] {
            assert_eq!(value(text, 1), Ok(expected), "{text}");
        }
    }

    #[test]
    fn an_index_out_of_range_is_an_error_only_if_it_is_evaluated() {
        let error = value("1 + a[i + 1]", 2).expect_err("out of range");
        assert_eq!(
            (error.range, error.message.as_str()),
            (4..12, "for i = 2, the index 3 is outside the 3 elements")
        );
        assert!(value("a[i / 2]", 1).expect_err("no integer").message.contains("0.5"));
        assert!(
            value("a[0 - 1]", 0).is_err() && value("a[0 / 0]", 0).is_err() && value("a[1 / 0]", 0).is_err()
        );
        assert_eq!(value("i < 2 ? a[i + 1] : 0", 2), Ok(0.0));
        assert_eq!(value("i >= 3 && a[i]", 1), Ok(0.0));
    }

    #[test]
    fn an_endless_sum_ends() {
        let formula = parse("sum(k, 0, 1 / 0, 1)", &Array).expect("good");
        let scope = Scope { index: 0, length: 1, element: &|(), _| Err(0), value: &|()| 0.0 };
        let error = formula.eval(&scope, &mut Budget(1000));
        assert!(error.expect_err("endless").message.contains("steps"));
    }
}
