//! Random integer expressions whose values are known, so that none has undefined behavior.
//!
//! Operands have side effects where C++17 orders them: in a comma expression, `&&`, `||`, `?:`, a
//! shift and an assignment.

use std::fmt::Write as _;
use test_support::random::Numbers;

/// A type: its name, its bits, whether it is signed, and the suffix of its literals.
struct Type(&'static str, u32, bool, Option<&'static str>);

const TYPES: [Type; 12] = [
    Type("bool", 1, false, None),
    Type("char", 8, true, None),
    Type("signed char", 8, true, None),
    Type("unsigned char", 8, false, None),
    Type("short", 16, true, None),
    Type("unsigned short", 16, false, None),
    Type("int", 32, true, Some("")),
    Type("unsigned", 32, false, Some("u")),
    Type("long", 64, true, Some("l")),
    Type("unsigned long", 64, false, Some("ul")),
    Type("long long", 64, true, Some("ll")),
    Type("unsigned long long", 64, false, Some("ull")),
];
const BOOL: usize = 0;
const INT: usize = 6;
const UNSIGNED: usize = 7;
const LAST: usize = 11;

/// An expression, its type and its value. A bit field has fewer bits than its type.
#[derive(Clone)]
struct Expression {
    text: String,
    ty: usize,
    bits: u32,
    value: i128,
}

/// A variable or a bit field.
#[derive(Clone)]
struct Variable {
    name: String,
    ty: usize,
    bits: u32,
    value: i128,
}

/// The value of a conversion to a type, or to a bit field of it.
fn converted(value: i128, ty: usize, bits: u32) -> i128 {
    match TYPES[ty] {
        Type("bool", ..) => i128::from(value != 0),
        Type(_, _, true, _) => value << (128 - bits) >> (128 - bits),
        _ => value & ((1 << bits) - 1),
    }
}

fn fits(value: i128, ty: usize) -> bool {
    converted(value, ty, TYPES[ty].1) == value
}

/// The type of a promoted operand.
fn promoted(ty: usize, bits: u32) -> usize {
    match (ty, bits) {
        (..INT, _) | (_, ..32) => INT,
        (_, 32) if !TYPES[ty].2 => UNSIGNED,
        (_, 32) => INT,
        _ => ty,
    }
}

/// The common type of two promoted operands.
fn common(left: usize, right: usize) -> usize {
    let (low, high) = (left.min(right), left.max(right));
    let is_lost = !TYPES[low].2 && TYPES[high].2 && TYPES[low].1 == TYPES[high].1;
    if is_lost { high + 1 } else { high }
}

/// The random choices of one function, and its variables.
struct Maker<'n> {
    numbers: &'n mut Numbers,
    variables: Vec<Variable>,
    /// Whether the expression may change variables.
    has_effects: bool,
    /// Whether the expression must be constant.
    is_constant: bool,
}

impl Maker<'_> {
    fn number(&mut self) -> i128 {
        let small = i128::from(self.numbers.bits() >> self.numbers.below(64));
        let edge = i128::from(self.numbers.one_of(&[7, 8, 15, 16, 31, 32, 63]));
        match self.numbers.below(4) {
            0 => (1 << edge) - 1 + self.numbers.below(3) as i128,
            1 => self.numbers.below(40) as i128,
            _ => small,
        }
    }

    fn literal(&mut self) -> Expression {
        let ty = if self.numbers.below(8) == 0 { self.numbers.below(INT) } else { 0 };
        let ty = if ty == 0 { INT + self.numbers.below(LAST - INT + 1) } else { ty };
        let Type(name, bits, is_signed, suffix) = TYPES[ty];
        let value = self.number() & ((1 << (bits - u32::from(is_signed))) - 1);
        let text = match (suffix, self.numbers.below(3)) {
            (None, _) => format!("({name}){value}"),
            (Some(suffix), 0) => format!("{value:#x}{suffix}"),
            (Some(suffix), 1) => format!("0{value:o}{suffix}"),
            (Some(suffix), _) => format!("{value}{suffix}"),
        };
        // A literal without `u` in another base than ten may be unsigned.
        Expression { text, ty, bits, value }
    }

    fn leaf(&mut self) -> Expression {
        if self.is_constant || self.numbers.below(3) == 0 {
            return self.literal();
        }
        let at = self.numbers.below(self.variables.len());
        let Variable { name, ty, bits, value } = self.variables[at].clone();
        Expression { text: name, ty, bits, value }
    }

    /// An operand whose evaluation is not ordered with the others.
    fn unordered(&mut self, depth: usize) -> Expression {
        let before = std::mem::replace(&mut self.has_effects, false);
        let made = self.expression(depth);
        self.has_effects = before;
        made
    }

    /// An operand that is not evaluated.
    fn skipped(&mut self, depth: usize) -> Expression {
        let before = self.variables.clone();
        let made = self.expression(depth);
        self.variables = before;
        made
    }

    fn expression(&mut self, depth: usize) -> Expression {
        if depth == 0 {
            return self.leaf();
        }
        loop {
            let before = self.variables.clone();
            if let Some(made) = self.try_expression(depth - 1) {
                return made;
            }
            self.variables = before;
        }
    }

    /// An expression, unless its value is undefined.
    fn try_expression(&mut self, depth: usize) -> Option<Expression> {
        match self.numbers.below(16) {
            0 => Some(self.leaf()),
            1 | 2 => self.unary(depth),
            3 => {
                let inner = self.expression(depth);
                let ty = self.numbers.below(TYPES.len());
                let Type(name, bits, ..) = TYPES[ty];
                let text = match self.numbers.below(3) {
                    0 => format!("static_cast<{name}>({})", inner.text),
                    _ => format!("({name})({})", inner.text),
                };
                Some(Expression { text, ty, bits, value: converted(inner.value, ty, bits) })
            }
            4 => Some(self.choice(depth)),
            5 => Some(self.logical(depth)),
            6 => {
                let (left, right) = (self.expression(depth), self.expression(depth));
                let text = format!("({}, {})", left.text, right.text);
                (right.bits == TYPES[right.ty].1 && !self.is_constant).then_some(Expression { text, ..right })
            }
            7 | 8 => self.shift(depth),
            9 | 10 if self.has_effects => self.assignment(depth),
            _ => self.binary(depth),
        }
    }

    fn unary(&mut self, depth: usize) -> Option<Expression> {
        let inner = self.expression(depth);
        let ty = promoted(inner.ty, inner.bits);
        let operator = self.numbers.one_of(&["-", "+", "~", "!"]);
        let value = converted(inner.value, ty, TYPES[ty].1);
        let (ty, value) = match operator {
            "-" => (ty, -value),
            "+" => (ty, value),
            "~" => (ty, !value),
            _ => (BOOL, i128::from(value == 0)),
        };
        let made = if TYPES[ty].2 { value } else { converted(value, ty, TYPES[ty].1) };
        let text = format!("{operator}({})", inner.text);
        fits(made, ty).then_some(Expression { text, ty, bits: TYPES[ty].1, value: made })
    }

    fn choice(&mut self, depth: usize) -> Expression {
        let condition = self.expression(depth);
        let is_first = condition.value != 0;
        let first = if is_first { self.expression(depth) } else { self.skipped(depth) };
        let second = if is_first { self.skipped(depth) } else { self.expression(depth) };
        let is_whole = [&first, &second].iter().all(|one| one.bits == TYPES[one.ty].1);
        let mut ty = first.ty;
        // A conditional expression of two bit fields is a bit field.
        let plus = if first.ty == second.ty && is_whole {
            ""
        } else {
            ty = common(promoted(first.ty, first.bits), promoted(second.ty, second.bits));
            if is_whole { "" } else { "+" }
        };
        let value = converted(if is_first { first.value } else { second.value }, ty, TYPES[ty].1);
        let text = format!("({} ? {plus}({}) : {plus}({}))", condition.text, first.text, second.text);
        Expression { text, ty, bits: TYPES[ty].1, value }
    }

    fn logical(&mut self, depth: usize) -> Expression {
        let left = self.expression(depth);
        let is_and = self.numbers.below(2) == 0;
        let is_decided = is_and == (left.value == 0);
        let right = if is_decided { self.skipped(depth) } else { self.expression(depth) };
        let value = if is_decided { !is_and } else { right.value != 0 };
        let text = format!("({} {} {})", left.text, if is_and { "&&" } else { "||" }, right.text);
        Expression { text, ty: BOOL, bits: 1, value: i128::from(value) }
    }

    fn shift(&mut self, depth: usize) -> Option<Expression> {
        let left = self.expression(depth);
        let ty = promoted(left.ty, left.bits);
        let mut right = self.expression(depth);
        let Type(_, bits, is_signed, _) = TYPES[ty];
        if !(0..i128::from(bits)).contains(&right.value) {
            let mask = bits - 1;
            right.text = format!("(({}) & {mask})", right.text);
            right.value &= i128::from(mask);
        }
        let is_left = self.numbers.below(2) == 0;
        if is_left && is_signed && (left.value < 0 || !fits(left.value << right.value, ty)) {
            return None;
        }
        let value = if is_left { left.value << right.value } else { left.value >> right.value };
        let text = format!("({} {} {})", left.text, if is_left { "<<" } else { ">>" }, right.text);
        Some(Expression { text, ty, bits, value: converted(value, ty, bits) })
    }

    fn binary(&mut self, depth: usize) -> Option<Expression> {
        let (left, right) = (self.unordered(depth), self.unordered(depth));
        let operator =
            self.numbers.one_of(&["+", "-", "*", "/", "%", "&", "|", "^", "<", ">", "<=", ">=", "==", "!="]);
        let text = format!("({} {operator} {})", left.text, right.text);
        let ty = common(promoted(left.ty, left.bits), promoted(right.ty, right.bits));
        let (ty, value) = combined(operator, left.value, right.value, ty)?;
        Some(Expression { text, ty, bits: TYPES[ty].1, value })
    }

    fn assignment(&mut self, depth: usize) -> Option<Expression> {
        let at = self.numbers.below(self.variables.len());
        let right = self.expression(depth);
        let Variable { name, ty, bits, value } = self.variables[at].clone();
        let is_whole = bits == TYPES[ty].1;
        let operator = self.numbers.one_of(&["", "", "+", "-", "*", "/", "%", "&", "|", "^", "++", "--"]);
        let (text, made, result) = match operator {
            "" => (format!("({name} = {})", right.text), right.value, None),
            "++" | "--" if ty == BOOL => return None,
            "++" | "--" => {
                let made = if operator == "++" { value + 1 } else { value - 1 };
                if !fits(made, promoted(ty, bits)) && TYPES[ty].2 {
                    return None;
                }
                match self.numbers.below(2) {
                    0 => (format!("{operator}{name}"), made, None),
                    _ => (format!("{name}{operator}"), made, Some(value)),
                }
            }
            _ => {
                let common = common(promoted(ty, bits), promoted(right.ty, right.bits));
                let (_, made) = combined(operator, value, right.value, common)?;
                // g++ 12 divides by a bit field without its promotion here.
                let plus = if right.bits == TYPES[right.ty].1 { "" } else { "+" };
                (format!("({name} {operator}= {plus}{})", right.text), made, None)
            }
        };
        let made = converted(made, ty, bits);
        self.variables[at].value = made;
        // The value of an assignment to a bit field is a bit field.
        let text = if is_whole { text } else { format!("({})({text})", TYPES[ty].0) };
        Some(Expression { text, ty, bits: TYPES[ty].1, value: result.unwrap_or(made) })
    }
}

/// The type and the value of an operation on two operands that are converted to a type.
fn combined(operator: &str, left: i128, right: i128, ty: usize) -> Option<(usize, i128)> {
    let Type(_, bits, is_signed, _) = TYPES[ty];
    let (left, right) = (converted(left, ty, bits), converted(right, ty, bits));
    let value = match operator {
        "+" => left + right,
        "-" => left - right,
        "*" => left.wrapping_mul(right),
        "/" | "%" if right == 0 => return None,
        "/" => left / right,
        "%" if !fits(left / right, ty) => return None,
        "%" => left % right,
        "&" => left & right,
        "|" => left | right,
        "^" => left ^ right,
        _ => {
            let value = match operator {
                "<" => left < right,
                ">" => left > right,
                "<=" => left <= right,
                ">=" => left >= right,
                "==" => left == right,
                _ => left != right,
            };
            return Some((BOOL, i128::from(value)));
        }
    };
    let made = if is_signed { value } else { converted(value, ty, bits) };
    fits(made, ty).then_some((ty, made))
}

/// A function `f{at}` that computes with integers of all types.
pub fn function(numbers: &mut Numbers, at: usize) -> String {
    let mut text = String::new();
    let mut maker = Maker { numbers, variables: Vec::new(), has_effects: true, is_constant: false };
    let mut fields = String::new();
    for index in 0..8 {
        let ty = maker.numbers.below(TYPES.len());
        let Type(name, bits, ..) = TYPES[ty];
        let value = converted(maker.number(), ty, bits);
        let shown = format!("({name})({}ull + o.zero)", value as u64);
        if index < 5 {
            let _ = writeln!(text, "    {name} v{index} = {shown};");
            maker.variables.push(Variable { name: format!("v{index}"), ty, bits, value });
        } else {
            // g++ gives a field of 33 to 63 bits a separate type, as an extension.
            let width = 1 + maker.numbers.below(bits as usize) as u32;
            let width = if width > 32 { bits } else { width };
            let _ = writeln!(fields, "    {name} f{index} : {width};");
            let _ = writeln!(text, "    s.f{index} = {shown};");
            let value = converted(value, ty, width);
            maker.variables.push(Variable { name: format!("s.f{index}"), ty, bits: width, value });
        }
    }
    text = format!("    struct {{\n{fields}    }} s;\n{text}");
    for _ in 0..8 {
        let depth = 1 + maker.numbers.below(4);
        let made = maker.expression(depth);
        // The value is known: a different one is an error of the generator or of the compiler.
        let _ = writeln!(text, "    o({}); // {}", made.text, made.value);
    }
    maker.is_constant = true;
    maker.has_effects = false;
    for index in 0..3 {
        let depth = 1 + maker.numbers.below(3);
        let made = maker.expression(depth);
        let _ = match maker.numbers.below(4) {
            0 => writeln!(text, "    o(Constant<({})>::value);", made.text),
            1 => writeln!(
                text,
                "    static_assert(sizeof({}) == {});",
                made.text,
                TYPES[made.ty].1.div_ceil(8)
            ),
            2 => writeln!(text, "    constexpr auto c{index} = {};\n    o(c{index});", made.text),
            _ => writeln!(text, "    enum {{ e{index} = {} }};\n    o((u64)e{index});", made.text),
        };
    }
    for index in 0..8 {
        let _ = writeln!(text, "    o({});", maker.variables[index].name);
    }
    format!("HD void f{at}(Log &o) {{\n{text}}}\n")
}
