//! Conditions over memory at the end of a schedule, as herd7 writes them: `exists (x=1 /\ y=0)`,
//! `forall (x=1 \/ y=1)` and `~exists (…)`.
//!
//! They are formulas of launch files with the spellings of herd7: `/\`, `\/`, `~` or `not`, and `=`
//! for `&&`, `||`, `!` and `==`. `x` is the first element of the buffer `x`, which herd7 also
//! writes `[x]`.

use crate::exit::Failure;
use crate::launch_file::Area;
use report::formula::{self, Budget, Expr, FormulaError, Names, Number, Scope};
use report::outcome::{Fact, Subject};
use sim_core::host::Interleaved;

/// For which schedules a condition must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// At the end of every schedule.
    Forall,
    /// At the end of some schedule.
    Exists,
    /// At the end of no schedule.
    NotExists,
}

impl Quantifier {
    const NAMES: [(&str, Self); 4] = [
        ("forall", Self::Forall),
        ("exists", Self::Exists),
        ("~exists", Self::NotExists),
        ("~ exists", Self::NotExists),
    ];
}

/// A condition of `--assert` over memory.
#[derive(Debug)]
pub struct Condition {
    /// As the user wrote it.
    pub text: String,
    /// For which schedules it must hold.
    pub quantifier: Quantifier,
    expression: Expr<usize>,
}

/// The names of a condition: buffers and variables.
struct Memory<'a>(&'a [Area]);

impl Memory<'_> {
    fn place(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|area| area.name == name)
    }
}

impl Names for Memory<'_> {
    type Name = usize;

    fn array(&self, name: &str) -> Option<usize> {
        self.place(name)
    }

    fn number(&self, name: &str) -> Option<Number<usize>> {
        match name {
            // `Length` has the value 1, and `Index` 0.
            "true" => Some(Number::Length),
            "false" => Some(Number::Index),
            _ => self.place(name).map(Number::Value),
        }
    }

    fn known(&self, _: &str) -> String {
        let names: Vec<String> = self.0.iter().map(|area| format!("`{}`", area.name)).collect();
        format!("the launch file has the buffers {}", names.join(", "))
    }
}

impl Condition {
    /// Parses a condition; one without a quantifier must hold for every schedule.
    ///
    /// # Errors
    ///
    /// The text is not a condition over the areas.
    pub fn parse(text: &str, areas: &[Area]) -> Result<Self, Failure> {
        let trimmed = text.trim();
        let named = Quantifier::NAMES.iter().find_map(|(word, quantifier)| {
            let rest = trimmed.strip_prefix(word)?;
            rest.starts_with([' ', '(']).then_some((*quantifier, rest))
        });
        let (quantifier, body) = named.unwrap_or((Quantifier::Forall, trimmed));
        let (formula, places) = in_formula(body);
        let expression = formula::parse(&formula, &Memory(areas)).map_err(|error| {
            let at = |end: usize| places.get(end).copied().unwrap_or(body.len());
            let part = body.get(at(error.range.start)..at(error.range.end)).unwrap_or_default();
            let part = if part.is_empty() { String::new() } else { format!(" at `{part}`") };
            Failure::input(format!(
                "error: --assert `{text}`: {}{part}\nhelp: write a condition such as `exists (x[0]=1 /\\ y[0]=0)`",
                error.message
            ))
        })?;
        Ok(Self { text: trimmed.to_owned(), quantifier, expression })
    }

    /// Whether the condition names an area, by its position.
    pub fn names(&self, area: usize) -> bool {
        let mut found = false;
        self.expression.each_name(&mut |name| found |= *name == area);
        found
    }

    /// Whether the condition without its quantifier holds at the end of a schedule.
    ///
    /// # Errors
    ///
    /// An index is out of range.
    pub fn holds(&self, areas: &[Area], state: &Interleaved) -> Result<bool, Failure> {
        let element = |name: &usize, index: u64| {
            let area = &areas[*name];
            let (bytes, size) = (area.contents(state), area.ty.bytes() as usize);
            let at = usize::try_from(index).ok().and_then(|index| index.checked_mul(size));
            let found = at.and_then(|at| bytes.get(at..)?.get(..size));
            found.map(|bytes| area.element(bytes).as_f64()).ok_or((bytes.len() / size) as u64)
        };
        let value = |name: &usize| element(name, 0).unwrap_or(f64::NAN);
        let scope = Scope { index: 0, length: 1, element: &element, value: &value };
        let result = self.expression.eval(&scope, &mut Budget::default());
        let wrong = |error: FormulaError| {
            Failure::input(format!("error: --assert `{}`: {}", self.text, error.message))
        };
        result.map(|value| value != 0.0).map_err(wrong)
    }

    /// Fact about one outcome that follows from the condition: whether its result is right.
    /// `exists` is about all outcomes together.
    pub fn fact(&self, holds: bool) -> Option<Fact> {
        let passed = match self.quantifier {
            Quantifier::Forall => holds,
            Quantifier::NotExists => !holds,
            Quantifier::Exists => return None,
        };
        let verb = if passed { "holds" } else { "does not hold" };
        Some(Fact {
            subject: Subject::Data,
            passed: Some(passed),
            text: format!("condition `{}` {verb}", self.text),
        })
    }
}

/// Returns the formula of a condition, and for each of its bytes the place in the condition.
fn in_formula(text: &str) -> (String, Vec<usize>) {
    let (mut out, mut places) = (String::new(), Vec::new());
    let mut at = 0;
    while let Some(next) = text[at..].chars().next() {
        let rest = &text[at..];
        let before = text[..at].chars().next_back();
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let bracketed = || {
            // `[x]` without a name before it.
            let (name, _) = rest.strip_prefix('[')?.split_once(']')?;
            let head = text[..at].trim_end();
            let follows = head.ends_with(|c: char| is_word(c) || c == ']' || c == '.');
            let is_operand = !follows || head.rsplit(|c: char| !is_word(c)).next() == Some("not");
            (is_operand && !name.is_empty() && name.chars().all(is_word))
                .then(|| (name.to_owned(), name.len() + 2))
        };
        let is_not = || {
            let after = rest.strip_prefix("not")?;
            let ends = !after.starts_with(is_word) && !before.is_some_and(is_word);
            ends.then(|| ("!".to_owned(), 3))
        };
        let both = |token: &str, new: &str| rest.starts_with(token).then(|| (new.to_owned(), token.len()));
        let equal = || {
            let is_part = before.is_some_and(|c| "=<>!".contains(c)) || rest.starts_with("==");
            (rest.starts_with('=') && !is_part).then(|| ("==".to_owned(), 1))
        };
        let found = both("/\\", "&&").or_else(|| both("\\/", "||")).or_else(|| both("~", "!"));
        let found = found.or_else(is_not).or_else(bracketed).or_else(equal);
        let (new, length) = found.unwrap_or_else(|| (next.to_string(), next.len_utf8()));
        places.extend(std::iter::repeat_n(at, new.len()));
        out += &new;
        at += length;
    }
    (out, places)
}

#[cfg(test)]
mod tests {
    use super::*;
    use isa::types::ScalarType;

    fn areas() -> Vec<Area> {
        let area = |name: &str| Area {
            name: name.to_owned(),
            ty: ScalarType::S32,
            address: 0,
            bytes: 8,
            is_expected: false,
        };
        vec![area("x"), area("y")]
    }

    #[test]
    fn the_spellings_of_herd7_are_formulas() {
        let formula = |text: &str| in_formula(text).0;
        assert_eq!(formula("(x=1 /\\ [y]=0 /\\ not [x]=2)"), "(x==1 && y==0 && ! x==2)");
        assert_eq!(formula("not (x[1] = 1 \\/ ~(y==2))"), "! (x[1] == 1 || !(y==2))");
        assert_eq!(formula("x <= 1 && x != 2 && nothing >= 3"), "x <= 1 && x != 2 && nothing >= 3");
    }

    #[test]
    fn a_condition_has_a_quantifier() {
        for (text, quantifier) in [
            ("exists (x=1)", Quantifier::Exists),
            ("~exists(x=1 /\\ y=1)", Quantifier::NotExists),
            ("forall (x=1 \\/ true)", Quantifier::Forall),
            ("x[1] + y[0] == 3", Quantifier::Forall),
        ] {
            let condition = Condition::parse(text, &areas()).expect(text);
            assert_eq!((condition.quantifier, condition.names(0)), (quantifier, true), "{text}");
        }
    }

    #[test]
    fn a_wrong_condition_is_refused_with_its_part() {
        for (text, part) in [
            ("exists (z=1)", "unknown name `z`: the launch file has the buffers `x`, `y` at `z`"),
            ("exists (0:r1=1)", "expected `)`, found `:`"),
            ("forall (x=1 /\\ )", "expected a number, a name or `(`"),
            ("", "expected a number, a name or `(`"),
        ] {
            let failure = Condition::parse(text, &areas()).expect_err(text);
            assert!(failure.message.contains(part), "{text}: {}", failure.message);
        }
    }
}
