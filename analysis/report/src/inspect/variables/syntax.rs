//! The syntax of expressions: those of C, with registers of PTX, `@shared` types and `a[0]@N` of
//! the debugger.

use super::Space;
use isa::types::ScalarType;

/// Largest number of characters of an expression.
const LONGEST: usize = 400;

/// Signs between and before operands, each before its own prefixes.
const SIGNS: [&str; 35] = [
    "<<=", ">>=", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=",
    "+", "-", "*", "/", "%", "&", "|", "^", "~", "!", "<", ">", "(", ")", "[", "]", "=", "?",
];

/// An operation with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// `||`
    Or,
    /// `&&`
    And,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `&`
    BitAnd,
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `>`
    Greater,
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
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

/// Operations with two operands: sign and precedence.
const OPERATIONS: [(&str, u8, Operation); 18] = [
    ("||", 1, Operation::Or),
    ("&&", 2, Operation::And),
    ("|", 3, Operation::BitOr),
    ("^", 4, Operation::BitXor),
    ("&", 5, Operation::BitAnd),
    ("==", 6, Operation::Equal),
    ("!=", 6, Operation::NotEqual),
    ("<", 7, Operation::Less),
    (">", 7, Operation::Greater),
    ("<=", 7, Operation::AtMost),
    (">=", 7, Operation::AtLeast),
    ("<<", 8, Operation::ShiftLeft),
    (">>", 8, Operation::ShiftRight),
    ("+", 9, Operation::Add),
    ("-", 9, Operation::Subtract),
    ("*", 10, Operation::Multiply),
    ("/", 10, Operation::Divide),
    ("%", 10, Operation::Remainder),
];

impl Operation {
    /// Returns the sign.
    pub fn text(self) -> &'static str {
        OPERATIONS.iter().find(|(.., operation)| *operation == self).map_or("", |(sign, ..)| sign)
    }
}

impl Sign {
    /// Returns the sign.
    pub fn text(self) -> &'static str {
        match self {
            Self::Minus => "-",
            Self::Plus => "+",
            Self::Not => "!",
            Self::Complement => "~",
        }
    }
}

impl Named {
    /// Returns the type as C writes it.
    pub fn text(self) -> String {
        match self {
            Self::Number(ty) => c_name(ty).to_owned(),
            Self::Pointer(ty, space) => {
                let space = space.map_or("", Space::qualifier);
                format!("{space}{} *", c_name(ty))
            }
        }
    }
}

/// An operation with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// `-`
    Minus,
    /// `+`
    Plus,
    /// `!`
    Not,
    /// `~`
    Complement,
}

/// A type that an expression names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// A number.
    Number(ScalarType),
    /// A pointer to a number in a memory; `None`: in the memory of the converted pointer.
    Pointer(ScalarType, Option<Space>),
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// A variable, a register, or the first part of a built-in variable.
    Name(String),
    /// A constant.
    Number(ScalarType, u64),
    /// An operation with one operand.
    Sign(Sign, Box<Node>),
    /// An operation with two operands.
    Operation(Operation, Box<Node>, Box<Node>),
    /// `a ? b : c`
    Choice(Box<[Node; 3]>),
    /// An element, and the text of its index.
    Index(Box<Node>, Box<Node>, String),
    /// A member; with `true` of a pointer.
    Member(Box<Node>, String, bool),
    /// `*p`
    At(Box<Node>),
    /// `&a`
    Address(Box<Node>),
    /// `(int)a`
    Cast(Named, Box<Node>),
    /// `sizeof(a)`
    Size(Box<Node>),
    /// `sizeof(int)`
    SizeOfType(Named),
}

/// A parsed expression of C.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    /// Text as the user wrote it.
    pub text: String,
    /// Its meaning.
    pub node: Node,
    /// Elements that `@N` asks for.
    pub count: Option<Node>,
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    /// Returns a message about the wrong text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        if text.len() > LONGEST {
            return Err(format!("an expression has at most {LONGEST} characters"));
        }
        let mut reader = Reader { text, at: 0 };
        let node = reader.choice()?;
        let count = if reader.rest().starts_with('@') {
            reader.at += 1;
            Some(reader.unary()?)
        } else {
            None
        };
        match reader.rest() {
            "" => Ok(Self { text: text.to_owned(), node, count }),
            rest if rest.starts_with('=') => {
                Err("`=` assigns a value, which the debugger cannot do; `==` compares".to_owned())
            }
            rest => Err(format!("`{rest}` behind `{}` is not understood", text[..reader.at].trim())),
        }
    }

    /// Returns the names in the expression: of variables and registers, and of built-in variables
    /// with their component.
    pub fn names(&self) -> Vec<String> {
        let mut all = Vec::new();
        names(&self.node, &mut all);
        self.count.iter().for_each(|count| names(count, &mut all));
        all
    }
}

/// Adds the names in a part of an expression.
fn names(node: &Node, all: &mut Vec<String>) {
    match node {
        Node::Name(name) => all.push(name.clone()),
        Node::Number(..) | Node::SizeOfType(_) => {}
        Node::Member(of, ..)
        | Node::Sign(_, of)
        | Node::At(of)
        | Node::Address(of)
        | Node::Cast(_, of)
        | Node::Size(of) => names(of, all),
        Node::Operation(_, a, b) | Node::Index(a, b, _) => {
            names(a, all);
            names(b, all);
        }
        Node::Choice(parts) => parts.iter().for_each(|part| names(part, all)),
    }
}

/// Whether a character can be in a name.
fn is_in_name(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || c == '$'
}

/// Reads an expression from a text.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Reader<'t> {
    /// Returns the remaining text without leading blanks.
    fn rest(&mut self) -> &'t str {
        let rest = &self.text[self.at..];
        self.at += rest.len() - rest.trim_start().len();
        &self.text[self.at..]
    }

    /// The sign that follows.
    fn sign(&mut self) -> Option<&'static str> {
        let rest = self.rest();
        SIGNS.into_iter().find(|sign| rest.starts_with(sign))
    }

    /// Passes a sign, if it follows.
    fn passes(&mut self, sign: &str) -> bool {
        let is_next = self.sign() == Some(sign);
        if is_next {
            self.at += sign.len();
        }
        is_next
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.passes(sign) {
            return Ok(());
        }
        let found = self.rest();
        let found = if found.is_empty() { "the end".to_owned() } else { format!("`{found}`") };
        Err(format!("`{sign}` is missing before {found} in `{}`", self.text))
    }

    /// The name that follows; `%` begins a register.
    fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        let body = rest.strip_prefix('%').unwrap_or(rest);
        if !body.starts_with(|c: char| is_in_name(c) && !c.is_ascii_digit()) {
            return None;
        }
        let mut end = rest.len() - body.len();
        loop {
            let more = rest[end..].find(|c| !is_in_name(c)).map_or(rest.len(), |at| end + at);
            // A name of C++ has its namespaces.
            let inner = rest[more..].strip_prefix("::").is_some_and(|name| name.starts_with(is_in_name));
            if !inner {
                self.at += more;
                return Some(&rest[..more]);
            }
            end = more + 2;
        }
    }

    fn choice(&mut self) -> Result<Node, String> {
        let condition = self.operations(1)?;
        if !self.passes("?") {
            return Ok(condition);
        }
        let first = self.choice()?;
        if !self.rest().starts_with(':') {
            return Err(format!("`:` is missing in `{}`", self.text));
        }
        self.at += 1;
        Ok(Node::Choice(Box::new([condition, first, self.choice()?])))
    }

    /// Operations of at least a precedence.
    fn operations(&mut self, least: u8) -> Result<Node, String> {
        let mut left = self.unary()?;
        loop {
            let sign = self.sign();
            let found = OPERATIONS.iter().find(|(known, level, _)| Some(*known) == sign && *level >= least);
            let Some((sign, level, operation)) = found else { return Ok(left) };
            self.at += sign.len();
            let right = self.operations(level + 1)?;
            left = Node::Operation(*operation, Box::new(left), Box::new(right));
        }
    }

    fn unary(&mut self) -> Result<Node, String> {
        let rest = self.rest();
        let is_register = rest.starts_with('%') && rest[1..].starts_with(is_in_name);
        let sign = if is_register { None } else { self.sign() };
        let one = match sign {
            Some("*") => Node::At,
            Some("&") => Node::Address,
            Some("-") => |of| Node::Sign(Sign::Minus, of),
            Some("+") => |of| Node::Sign(Sign::Plus, of),
            Some("!") => |of| Node::Sign(Sign::Not, of),
            Some("~") => |of| Node::Sign(Sign::Complement, of),
            Some(sign @ ("++" | "--")) => {
                return Err(format!("`{sign}` changes a value, which the debugger cannot do"));
            }
            Some("(") => {
                let before = self.at;
                self.at += 1;
                if let Some(named) = self.named_type()? {
                    self.expect(")")?;
                    return Ok(Node::Cast(named, Box::new(self.unary()?)));
                }
                self.at = before;
                return self.postfix();
            }
            _ => return self.postfix(),
        };
        self.at += 1;
        Ok(one(Box::new(self.unary()?)))
    }

    fn postfix(&mut self) -> Result<Node, String> {
        let mut node = self.primary()?;
        loop {
            let rest = self.rest();
            if self.passes("[") {
                let start = self.at;
                let index = self.choice()?;
                let text = self.text[start..self.at].trim().to_owned();
                self.expect("]")?;
                node = Node::Index(Box::new(node), Box::new(index), text);
            } else if rest.starts_with("->") || rest.starts_with('.') {
                let is_arrow = rest.starts_with("->");
                self.at += if is_arrow { 2 } else { 1 };
                let name = self.name().ok_or_else(|| format!("a member is missing in `{}`", self.text))?;
                node = Node::Member(Box::new(node), name.to_owned(), is_arrow);
            } else if rest.starts_with('(') {
                return Err(format!(
                    "`{}` is a call, and the debugger calls no functions; `break FUNCTION` stops in one",
                    self.text
                ));
            } else {
                return Ok(node);
            }
        }
    }

    fn primary(&mut self) -> Result<Node, String> {
        if self.passes("(") {
            let node = self.choice()?;
            self.expect(")")?;
            return Ok(node);
        }
        let rest = self.rest();
        if rest.starts_with(|c: char| c.is_ascii_digit())
            || rest.starts_with('.') && rest[1..].starts_with(|c: char| c.is_ascii_digit())
        {
            return self.number();
        }
        if let Some(text) = rest.strip_prefix('\'') {
            let (character, length) = character(text).ok_or_else(|| format!("`{rest}` is no character"))?;
            self.at += 1 + length;
            return Ok(Node::Number(ScalarType::S32, u64::from(character)));
        }
        match self.name() {
            Some("sizeof") => self.size(),
            Some("true") => Ok(Node::Number(ScalarType::S32, 1)),
            Some("false" | "NULL" | "nullptr") => Ok(Node::Number(ScalarType::S32, 0)),
            Some(name) => Ok(Node::Name(name.to_owned())),
            None if rest.is_empty() => Err("an expression is missing a value at its end".to_owned()),
            None => Err(format!("`{rest}` is not the start of a value")),
        }
    }

    fn size(&mut self) -> Result<Node, String> {
        let before = self.at;
        if self.passes("(") {
            if let Some(named) = self.named_type()? {
                self.expect(")")?;
                return Ok(Node::SizeOfType(named));
            }
            self.at = before;
        }
        Ok(Node::Size(Box::new(self.unary()?)))
    }

    fn number(&mut self) -> Result<Node, String> {
        let rest = self.rest();
        let is_hex = rest.starts_with("0x") || rest.starts_with("0X");
        let mut end = 0;
        for (at, c) in rest.char_indices() {
            let after_exponent = !is_hex && rest[..at].ends_with(['e', 'E']);
            if !(c.is_ascii_alphanumeric() || c == '.' || (after_exponent && "+-".contains(c))) {
                break;
            }
            end = at + c.len_utf8();
        }
        let text = &rest[..end];
        self.at += end;
        let wrong = || format!("`{text}` is not a constant");
        let lower = text.to_ascii_lowercase();
        if !is_hex && lower.contains(['.', 'e']) {
            let (digits, is_single) = lower.strip_suffix('f').map_or((&*lower, false), |text| (text, true));
            let value: f64 = digits.parse().map_err(|_| wrong())?;
            return Ok(if is_single {
                Node::Number(ScalarType::F32, u64::from((value as f32).to_bits()))
            } else {
                Node::Number(ScalarType::F64, value.to_bits())
            });
        }
        let digits = lower.trim_end_matches(['u', 'l']);
        let suffix = &lower[digits.len()..];
        let value = match digits.strip_prefix("0x") {
            Some(hex) => u64::from_str_radix(hex, 16),
            None => digits.parse(),
        };
        let value = value.map_err(|_| wrong())?;
        let is_wide = suffix.contains('l') || value > u64::from(u32::MAX);
        let ty = match (suffix.contains('u'), is_wide) {
            (false, false) if i32::try_from(value).is_ok() => ScalarType::S32,
            (unsigned, false) if unsigned || is_hex => ScalarType::U32,
            (false, _) if i64::try_from(value).is_ok() => ScalarType::S64,
            _ => ScalarType::U64,
        };
        Ok(Node::Number(ty, value))
    }

    /// The type that follows, as in a cast; `None` if none follows.
    fn named_type(&mut self) -> Result<Option<Named>, String> {
        let start = self.at;
        let mut space = None;
        while let Some(after) = self.rest().strip_prefix('@') {
            let end = after.find(|c| !is_in_name(c)).unwrap_or(after.len());
            space = Some(match &after[..end] {
                "shared" => Space::Shared,
                "global" | "generic" => Space::Global,
                "local" => Space::Local,
                "constant" => Space::Constant,
                other => {
                    return Err(format!(
                        "unknown memory `@{other}`; expected @shared, @global, @local, @constant or @generic"
                    ));
                }
            });
            self.at += 1 + end;
        }
        let mut words = Vec::new();
        loop {
            let before = self.at;
            match self.name() {
                Some("const" | "volatile") => {}
                Some(word) if is_type_word(word) => words.push(word),
                _ => {
                    self.at = before;
                    break;
                }
            }
        }
        let Some(ty) = scalar(&words) else {
            if space.is_some() || !words.is_empty() {
                return Err(format!(
                    "`{}` is no type of a cast; casts are to numbers and pointers to numbers",
                    self.text[start..].trim()
                ));
            }
            self.at = start;
            return Ok(None);
        };
        if !self.passes("*") {
            return match space {
                None => Ok(Some(Named::Number(ty))),
                Some(_) => {
                    Err("a type with the name of a memory is a pointer, such as (@shared int *)".to_owned())
                }
            };
        }
        if self.sign() == Some("*") {
            return Err("a cast to a pointer to a pointer is not possible".to_owned());
        }
        Ok(Some(Named::Pointer(ty, space)))
    }
}

/// The character behind a quotation mark, and the length of its text with the closing mark.
fn character(text: &str) -> Option<(u8, usize)> {
    let mut all = text.bytes();
    let (value, length) = match all.next()? {
        b'\\' => {
            let value = match all.next()? {
                b'n' => b'\n',
                b't' => b'\t',
                b'0' => 0,
                other => other,
            };
            (value, 2)
        }
        b'\'' => return None,
        plain => (plain, 1),
    };
    (all.next()? == b'\'').then_some((value, length + 1))
}

fn is_type_word(word: &str) -> bool {
    scalar(&[word]).is_some() || matches!(word, "unsigned" | "signed" | "long")
}

/// The number that words of C name.
fn scalar(words: &[&str]) -> Option<ScalarType> {
    let mut sorted: Vec<&str> = words.to_vec();
    sorted.sort_unstable();
    Some(match sorted.as_slice() {
        ["int" | "int32_t" | "signed"] | ["int", "signed"] => ScalarType::S32,
        ["unsigned" | "uint32_t" | "uint"] | ["int", "unsigned"] => ScalarType::U32,
        ["char" | "int8_t"] | ["char", "signed"] => ScalarType::S8,
        ["uint8_t" | "uchar" | "bool"] | ["char", "unsigned"] => ScalarType::U8,
        ["short" | "int16_t"] | ["int", "short"] => ScalarType::S16,
        ["uint16_t" | "ushort"] | ["short", "unsigned"] | ["int", "short", "unsigned"] => ScalarType::U16,
        ["long" | "int64_t"] | ["long" | "int", "long"] | ["int", "long", "long"] => ScalarType::S64,
        ["uint64_t" | "size_t"] | ["long", "unsigned"] | ["long", "long", "unsigned"] => ScalarType::U64,
        ["float"] => ScalarType::F32,
        ["double"] => ScalarType::F64,
        _ => return None,
    })
}

/// The name of a number in C.
pub fn c_name(ty: ScalarType) -> &'static str {
    match ty {
        ScalarType::S8 | ScalarType::B8 => "char",
        ScalarType::U8 => "unsigned char",
        ScalarType::S16 | ScalarType::B16 => "short",
        ScalarType::U16 => "unsigned short",
        ScalarType::S32 | ScalarType::B32 => "int",
        ScalarType::U32 => "unsigned int",
        ScalarType::S64 | ScalarType::B64 => "long long",
        ScalarType::U64 => "unsigned long long",
        ScalarType::F16 => "half",
        ScalarType::F32 => "float",
        ScalarType::F64 => "double",
        ScalarType::Pred => "bool",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_have_the_precedence_of_c() {
        let tree = |text: &str| Expression::parse(text).expect(text).node;
        assert_eq!(tree("a+b*c == d && e"), tree("((a + (b * c)) == d) && e"));
        assert_eq!(tree("%r1 % 3"), tree("(%r1) % (3)"));
        assert_eq!(tree("-a[1].x"), tree("-((a[1]).x)"));
        assert_eq!(tree("*p+-1"), tree("(*p) + (-(1))"));
        assert_eq!(tree("a ? b : c ? d : e"), tree("a ? b : (c ? d : e)"));
        assert_eq!(tree("(int)x << 2 > 0x10"), tree("(((int) x) << 2) > 0x10"));
    }

    #[test]
    fn names_are_those_of_variables_and_registers() {
        let names = |text: &str| Expression::parse(text).expect(text).names();
        assert_eq!(names("tile[ty][3] + %r1 == blockIdx.x && p->x"), ["tile", "ty", "%r1", "blockIdx", "p"]);
        assert_eq!(names("a[1]@n"), ["a", "n"]);
        assert_eq!(names("ns::x + 'a'"), ["ns::x"]);
    }

    #[test]
    fn what_is_no_expression_says_why() {
        for (text, part) in [
            ("i = 3", "`==` compares"),
            ("f(3)", "calls no functions"),
            ("a +", "missing a value"),
            ("(a", "`)` is missing"),
            ("a b", "`b` behind `a`"),
            ("a[1", "`]` is missing"),
            ("@x", "not the start"),
            ("++i", "changes a value"),
            ("(@nosuch int *)4", "unknown memory"),
            ("(int **)4", "pointer to a pointer"),
            ("1x", "not a constant"),
        ] {
            let why = Expression::parse(text).expect_err(text);
            assert!(why.contains(part), "{text}: {why}");
        }
    }
}
