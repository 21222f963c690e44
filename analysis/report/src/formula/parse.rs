//! Parses the text of a formula to a tree.

use super::{Binary, Expr, FormulaError, Function, Names, Number, Unary};
use std::ops::Range;

/// Maximum number of nodes of a formula, so that neither parsing nor evaluation exhausts the stack.
const MAX_PARTS: usize = 2000;
/// Maximum nesting, for the same reason.
const MAX_DEPTH: usize = 100;

/// Parses `text`, whose names are `names`.
pub fn parse<A>(text: &str, names: &dyn Names<Name = A>) -> Result<Expr<A>, FormulaError> {
    let mut parser = Parser { text, at: 0, names, variables: Vec::new(), parts: 0, depth: 0 };
    let expression = parser.choice()?;
    parser.skip_blanks();
    if parser.at < text.len() {
        return Err(parser.unexpected("an operator or the end of the formula"));
    }
    Ok(expression)
}

fn error<T>(range: Range<usize>, message: impl Into<String>) -> Result<T, FormulaError> {
    Err(FormulaError { range, message: message.into() })
}

struct Parser<'t, A> {
    text: &'t str,
    at: usize,
    names: &'t dyn Names<Name = A>,
    variables: Vec<&'t str>,
    parts: usize,
    depth: usize,
}

impl<'t, A> Parser<'t, A> {
    fn skip_blanks(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
    }

    fn unexpected(&self, expected: &str) -> FormulaError {
        let found = self.text[self.at..].chars().next();
        let message = match found {
            Some(c) => format!("expected {expected}, found `{c}`"),
            None => format!("expected {expected}, found the end of the formula"),
        };
        FormulaError { range: self.at..self.at + found.map_or(0, char::len_utf8), message }
    }

    /// Consumes `token` if it is next.
    fn take(&mut self, token: &str) -> bool {
        self.skip_blanks();
        let found = self.text[self.at..].starts_with(token);
        if found {
            self.at += token.len();
        }
        found
    }

    fn require(&mut self, token: &str) -> Result<(), FormulaError> {
        if self.take(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    fn part(&mut self, expression: Expr<A>) -> Result<Expr<A>, FormulaError> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            return error(
                self.at..self.at,
                format!("the formula is too long: the limit is {MAX_PARTS} parts"),
            );
        }
        Ok(expression)
    }

    /// Parses `condition ? yes : no`, or an expression that binds tighter.
    fn choice(&mut self) -> Result<Expr<A>, FormulaError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return error(
                self.at..self.at,
                format!("the formula is nested too deeply: the limit is {MAX_DEPTH} levels"),
            );
        }
        let mut expression = self.binary(0)?;
        if self.take("?") {
            let yes = self.choice()?;
            self.require(":")?;
            let no = self.choice()?;
            expression = self.part(Expr::Choice(Box::new(expression), Box::new(yes), Box::new(no)))?;
        }
        self.depth -= 1;
        Ok(expression)
    }

    /// Parses operators that bind tighter than `above`, left to right.
    fn binary(&mut self, above: u8) -> Result<Expr<A>, FormulaError> {
        let mut left = self.unary()?;
        loop {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            let next =
                Binary::TABLE.iter().find(|(token, _, power)| *power > above && rest.starts_with(token));
            let Some((token, operator, power)) = next else { return Ok(left) };
            self.at += token.len();
            let right = self.binary(*power)?;
            left = self.part(Expr::Binary(*operator, Box::new(left), Box::new(right)))?;
        }
    }

    fn unary(&mut self) -> Result<Expr<A>, FormulaError> {
        let mut operators = Vec::new();
        loop {
            if self.take("-") {
                operators.push(Unary::Negate);
            } else if self.take("!") {
                operators.push(Unary::Not);
            } else {
                break;
            }
        }
        let mut operand = self.primary()?;
        while let Some(operator) = operators.pop() {
            operand = self.part(Expr::Unary(operator, Box::new(operand)))?;
        }
        Ok(operand)
    }

    fn primary(&mut self) -> Result<Expr<A>, FormulaError> {
        self.skip_blanks();
        match self.text[self.at..].chars().next() {
            Some('(') => {
                self.at += 1;
                let inner = self.choice()?;
                self.require(")")?;
                Ok(inner)
            }
            Some(c) if c.is_ascii_digit() || c == '.' => self.number(),
            Some(c) if c.is_alphabetic() || c == '_' => self.name(),
            _ => Err(self.unexpected("a number, a name or `(`")),
        }
    }

    fn number(&mut self) -> Result<Expr<A>, FormulaError> {
        let rest = &self.text[self.at..];
        let mut end = 0;
        for (i, c) in rest.char_indices() {
            let exponent_sign = matches!(c, '+' | '-') && rest[..i].ends_with(['e', 'E']);
            if !(c.is_ascii_alphanumeric() || c == '.' || exponent_sign) {
                break;
            }
            end = i + 1;
        }
        let word = &rest[..end];
        let range = self.at..self.at + end;
        self.at += end;
        let value = match word.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok().map(|v| v as f64),
            None => word.parse().ok().filter(|value: &f64| value.is_finite()),
        };
        match value {
            Some(value) => self.part(Expr::Number(value)),
            None => error(range, format!("invalid number `{word}`")),
        }
    }

    fn name(&mut self) -> Result<Expr<A>, FormulaError> {
        let start = self.at;
        let rest = &self.text[start..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && !"_$.".contains(c)).unwrap_or(rest.len());
        let word = &rest[..length];
        self.at += length;
        let range = start..self.at;
        if self.take("[") {
            let Some(array) = self.names.array(word) else {
                return error(range, format!("unknown array `{word}`"));
            };
            let index = self.choice()?;
            self.require("]")?;
            return self.part(Expr::Element(array, Box::new(index), start..self.at));
        }
        if self.take("(") {
            return self.call(word, range);
        }
        if let Some(depth) = self.variables.iter().rposition(|v| *v == word) {
            return self.part(Expr::Variable(depth));
        }
        match self.names.number(word) {
            Some(Number::Index) => self.part(Expr::Index),
            Some(Number::Length) => self.part(Expr::Length),
            Some(Number::Value(name)) => self.part(Expr::Value(name)),
            None if self.names.array(word).is_some() => {
                error(range, format!("`{word}` is an array: select an element, such as `{word}[i]`"))
            }
            None => error(range, format!("unknown name `{word}`: {}", self.names.known(word))),
        }
    }

    /// Parses the rest of a call, after `word(`.
    fn call(&mut self, word: &'t str, range: Range<usize>) -> Result<Expr<A>, FormulaError> {
        if word == "sum" {
            return self.sum(range.start);
        }
        let Some((_, function, count)) = Function::TABLE.iter().find(|(name, ..)| *name == word) else {
            let names: Vec<&str> = Function::TABLE.iter().map(|(name, ..)| *name).collect();
            return error(
                range,
                format!("unknown function `{word}`; the functions are sum, {}", names.join(", ")),
            );
        };
        let mut arguments = vec![self.choice()?];
        while self.take(",") {
            arguments.push(self.choice()?);
        }
        self.require(")")?;
        if arguments.len() != *count {
            let message = format!("`{word}` expects {count} arguments, found {}", arguments.len());
            return error(range, message);
        }
        self.part(Expr::Call(*function, arguments))
    }

    /// Parses the rest of a sum: `k, from, to, body)`.
    fn sum(&mut self, start: usize) -> Result<Expr<A>, FormulaError> {
        self.skip_blanks();
        let rest = &self.text[self.at..];
        let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let variable = &rest[..length];
        if !variable.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return Err(self.unexpected("the name of the loop variable"));
        }
        self.at += length;
        self.require(",")?;
        let from = Box::new(self.choice()?);
        self.require(",")?;
        let to = Box::new(self.choice()?);
        self.require(",")?;
        self.variables.push(variable);
        let body = Box::new(self.choice()?);
        self.variables.pop();
        self.require(")")?;
        self.part(Expr::Sum { from, to, body, range: start..self.at })
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// The array `a`, the number `sm.warps`, and the names of a launch file.
    pub struct Array;

    impl Names for Array {
        type Name = ();

        fn array(&self, name: &str) -> Option<()> {
            (name == "a").then_some(())
        }

        fn number(&self, name: &str) -> Option<Number<()>> {
            match name {
                "i" => Some(Number::Index),
                "n" => Some(Number::Length),
                "sm.warps" => Some(Number::Value(())),
                _ => None,
            }
        }

        fn known(&self, _: &str) -> String {
            "a, i and n".to_owned()
        }
    }

    fn parse_text(text: &str) -> Result<Expr<()>, FormulaError> {
        parse(text, &Array)
    }

    fn failure(text: &str) -> (String, String) {
        let error = parse_text(text).expect_err(text);
        (text.get(error.range).expect("a range of the text").to_owned(), error.message)
    }

    #[test]
    fn errors_have_their_position() {
        assert_eq!(failure("a[i] + q"), ("q".into(), "unknown name `q`: a, i and n".into()));
        assert_eq!(failure("b[i]").0, "b");
        assert!(failure("a + 1").1.contains("`a[i]`"));
        assert_eq!(failure("1 + * 2"), ("*".into(), "expected a number, a name or `(`, found `*`".into()));
        assert_eq!(failure("(1").1, "expected `)`, found the end of the formula");
        assert_eq!(failure("1 2").0, "2");
        assert_eq!(failure("1.2.3").0, "1.2.3");
        assert_eq!(failure("min(1)").1, "`min` expects 2 arguments, found 1");
        assert_eq!(failure("sin(1)").0, "sin");
        assert_eq!(failure("sum(1, 2)").1, "expected the name of the loop variable, found `1`");
        assert_eq!(failure("1 + é").0, "é");
        assert_eq!(failure("").1, "expected a number, a name or `(`, found the end of the formula");
    }

    #[test]
    fn long_and_deep_formulas_are_rejected_without_a_crash() {
        assert!(failure(&"(".repeat(100_000)).1.contains("nested too deeply"));
        assert!(failure(&format!("1{}", "+1".repeat(100_000))).1.contains("the limit is"));
        assert!(failure(&format!("{}1", "-".repeat(100_000))).1.contains("the limit is"));
        assert!(failure(&"1?".repeat(100_000)).1.contains("nested too deeply"));
    }
}
