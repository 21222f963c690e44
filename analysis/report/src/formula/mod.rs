//! Formulas: the expected value of an element in a launch file, such as `a[i] + 2 * b[n - 1 - i]`,
//! and the conditions, linked values and costs of an experiment, such as `sm.registers * 4`.
//!
//! A small expression language of numbers, parsed by precedence climbing, with positions for error
//! messages. All arithmetic is in double precision. The module is independent of files, buffers and
//! chips: the caller resolves names ([`Names`]).

use isa::span::{Span, Spanned};
use std::ops::Range;

mod eval;
mod parse;

pub use eval::{Budget, Scope};
pub use parse::parse;

/// The names that a formula can use.
pub trait Names {
    /// Type to which names of arrays and values are resolved.
    type Name;

    /// Returns the array of this name, whose elements are `name[index]`.
    fn array(&self, name: &str) -> Option<Self::Name>;

    /// Returns the number of this name.
    fn number(&self, name: &str) -> Option<Number<Self::Name>>;

    /// Returns the known names, for the message about an unknown one.
    fn known(&self, name: &str) -> String;
}

/// A number that a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number<A> {
    /// Index of the element.
    Index,
    /// Number of elements.
    Length,
    /// A value that [`Scope::value`] returns.
    Value(A),
}

/// An error in a formula, and its position in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaError {
    /// Byte range in the formula's text.
    pub range: Range<usize>,
    /// Message for the user.
    pub message: String,
}

impl FormulaError {
    /// Returns the place of the error in the file whose string the formula is. A string with
    /// escapes is the place itself.
    pub fn within(&self, text: &Spanned<String>) -> Span {
        let (start, end) = (text.span.start as usize, text.span.end as usize);
        // A plain string is its content between two quotes; a raw string has the same number of
        // additional characters on both sides.
        let extra = (end - start).saturating_sub(text.value.len());
        let (before, is_plain) = if extra == 2 { (1, true) } else { (extra.div_ceil(2), extra % 2 == 1) };
        if is_plain {
            Span::new(start + before + self.range.start, start + before + self.range.end)
        } else {
            text.span
        }
    }
}

/// A parsed formula. `A` is the type to which names are resolved.
#[derive(Clone, Debug, PartialEq)]
pub enum Expr<A> {
    /// A number.
    Number(f64),
    /// Index of the element.
    Index,
    /// Number of elements.
    Length,
    /// A named value.
    Value(A),
    /// The loop variable of the `depth`-th enclosing `sum`, outermost 0.
    Variable(usize),
    /// `a[index]`, with its position.
    Element(A, Box<Self>, Range<usize>),
    /// `-x` or `!x`.
    Unary(Unary, Box<Self>),
    /// `x + y` and other operators with two operands.
    Binary(Binary, Box<Self>, Box<Self>),
    /// `condition ? yes : no`.
    Choice(Box<Self>, Box<Self>, Box<Self>),
    /// `sqrt(x)` and other functions.
    Call(Function, Vec<Self>),
    /// `sum(k, from, to, body)`: the sum over k from `from` to `to - 1`; with its position.
    Sum {
        /// First value of the variable.
        from: Box<Self>,
        /// One past its last value.
        to: Box<Self>,
        /// The summed expression.
        body: Box<Self>,
        /// Position in the text.
        range: Range<usize>,
    },
}

/// An operator before its operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `-`
    Negate,
    /// `!`: 1 for 0, otherwise 0.
    Not,
}

/// An operator between its operands. Comparisons and logic give 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
    /// `%`
    Remainder,
}

impl Binary {
    /// Every operator with its binding power: higher binds tighter. A longer operator comes before
    /// its prefix.
    pub const TABLE: [(&'static str, Self, u8); 13] = [
        ("||", Self::Or, 1),
        ("&&", Self::And, 2),
        ("==", Self::Equal, 3),
        ("!=", Self::NotEqual, 3),
        ("<=", Self::LessEqual, 4),
        (">=", Self::GreaterEqual, 4),
        ("<", Self::Less, 4),
        (">", Self::Greater, 4),
        ("+", Self::Add, 5),
        ("-", Self::Subtract, 5),
        ("*", Self::Multiply, 6),
        ("/", Self::Divide, 6),
        ("%", Self::Remainder, 6),
    ];
}

/// A named function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// Absolute value.
    Abs,
    /// Largest whole number that is not greater.
    Floor,
    /// Square root.
    Sqrt,
    /// Smaller of two values.
    Min,
    /// Larger of two values.
    Max,
}

impl Function {
    /// Every function with its name and number of arguments.
    pub const TABLE: [(&'static str, Self, usize); 5] = [
        ("abs", Self::Abs, 1),
        ("floor", Self::Floor, 1),
        ("sqrt", Self::Sqrt, 1),
        ("min", Self::Min, 2),
        ("max", Self::Max, 2),
    ];
}

impl<A> Expr<A> {
    /// Calls `visit` for every name of the formula.
    pub fn each_name(&self, visit: &mut dyn FnMut(&A)) {
        match self {
            Self::Number(_) | Self::Index | Self::Length | Self::Variable(_) => {}
            Self::Value(name) => visit(name),
            Self::Element(name, index, _) => {
                visit(name);
                index.each_name(visit);
            }
            Self::Unary(_, operand) => operand.each_name(visit),
            Self::Binary(_, left, right) => {
                left.each_name(visit);
                right.each_name(visit);
            }
            Self::Choice(condition, yes, no) => {
                condition.each_name(visit);
                yes.each_name(visit);
                no.each_name(visit);
            }
            Self::Call(_, arguments) => arguments.iter().for_each(|argument| argument.each_name(visit)),
            Self::Sum { from, to, body, .. } => {
                from.each_name(visit);
                to.each_name(visit);
                body.each_name(visit);
            }
        }
    }
}
