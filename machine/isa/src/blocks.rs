//! Blocks and statements of C source text: where a statement can be inserted, and what it belongs
//! to.
//!
//! Only the punctuation and the words of control statements are read. So the text need not be
//! valid, and macros that hide a brace are not understood: a text whose braces do not match has no
//! functions. Both sides of an `#if` are read, and nothing can be inserted there.

use std::ops::RangeInclusive;

/// Maximum depth of nested statements.
const DEEPEST: u32 = 100;

/// Kind of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// The body of a function.
    Function,
    /// The first side of an `if`; `alone` if there is no `else`.
    If {
        /// Whether there is no `else`.
        alone: bool,
    },
    /// The second side of an `if`.
    Else,
    /// The body of a `for`, `while` or `do`.
    Loop,
    /// The body of a `switch`.
    Switch,
    /// Braces without a control statement.
    Plain,
}

/// A sequence of statements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Function, loop, condition or another statement.
    pub kind: BlockKind,
    /// Name of a function; otherwise empty.
    pub name: String,
    /// Whether it is a function that the host launches.
    pub is_kernel: bool,
    /// Lines of the control statement without its body.
    pub header: RangeInclusive<u32>,
    /// Lines of the body.
    pub body: RangeInclusive<u32>,
    /// The block around it.
    pub parent: Option<usize>,
    /// Statements in order.
    pub statements: Vec<Statement>,
    /// Line of the closing brace, if the brace is the first character of its line.
    pub end: Option<u32>,
}

/// A statement of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Lines of the source.
    pub lines: RangeInclusive<u32>,
    /// Whether a statement can be inserted before its first line.
    pub can_precede: bool,
    /// Its blocks: of an `if` with `else`, two.
    pub blocks: Vec<usize>,
}

/// Kind of a jump.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JumpKind {
    /// `return`.
    Return,
    /// `break`.
    Break,
    /// `continue`.
    Continue,
    /// `goto`.
    Goto,
}

/// A statement that jumps, with its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Jump {
    /// Statement that jumps.
    pub kind: JumpKind,
    /// Line of the source.
    pub line: u32,
    /// The block that contains it.
    pub block: usize,
}

/// The functions of a source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Blocks {
    /// All blocks. A block follows the block around it.
    pub all: Vec<Block>,
    /// Jumps in the order of the text.
    pub jumps: Vec<Jump>,
    /// Names that parentheses follow, in functions: calls, with their lines and blocks.
    calls: Vec<(String, u32, usize)>,
}

/// A token: its text, its line, whether it is the first one of its line, and the number of `#if`
/// around it.
#[derive(Clone, Copy, Debug)]
struct Token<'a> {
    text: &'a str,
    line: u32,
    is_first: bool,
    conditions: u32,
}

impl Blocks {
    /// Reads a text.
    pub fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let mut reader = Reader { tokens: &tokens, at: 0, conditions: 0, found: Self::default() };
        match reader.declarations(0) {
            Some(()) => reader.found,
            None => Self::default(),
        }
    }

    /// Returns the function that contains a line; the innermost one.
    pub fn function_at(&self, line: u32) -> Option<usize> {
        let of = |block: &Block| block.kind == BlockKind::Function && block.body.contains(&line);
        self.all.iter().rposition(of)
    }

    /// Returns the lines that call a function.
    pub fn calls_of<'a>(&'a self, name: &'a str) -> impl Iterator<Item = (u32, usize)> + 'a {
        self.calls.iter().filter(move |(called, ..)| called == name).map(|(_, line, block)| (*line, *block))
    }

    /// Iterates over a block and the blocks around it, to the function.
    pub fn around(&self, block: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(block), |block| self.all[*block].parent)
    }

    /// Returns the way from a function to the statement at a line: blocks with the number of their
    /// statement, from 1; 0 for the condition of a loop. Of several statements on the line it is
    /// the last one if `is_last`, otherwise the first.
    pub fn way(&self, function: usize, line: u32, is_last: bool) -> Vec<(usize, usize)> {
        let (mut way, mut block) = (Vec::new(), function);
        loop {
            let own = &self.all[block].statements;
            let covers = |statement: &Statement| statement.lines.contains(&line);
            let at = if is_last { own.iter().rposition(covers) } else { own.iter().position(covers) };
            let Some(at) = at else {
                if block != function {
                    way.push((block, 0));
                }
                return way;
            };
            way.push((block, at + 1));
            // A line of the header belongs to the statement, except of a loop, which repeats it.
            let inner = own[at].blocks.iter().copied().find(|inner| {
                let inner = &self.all[*inner];
                let repeats = inner.kind == BlockKind::Loop && inner.header.contains(&line);
                repeats || inner.body.contains(&line) && !inner.header.contains(&line)
            });
            let Some(inner) = inner else { return way };
            block = inner;
        }
    }
}

/// Reads tokens into blocks. A function returns `None` if the text is not understood.
struct Reader<'a> {
    tokens: &'a [Token<'a>],
    at: usize,
    /// Number of `#if` around the function.
    conditions: u32,
    found: Blocks,
}

impl<'a> Reader<'a> {
    fn peek(&self) -> Option<Token<'a>> {
        self.tokens.get(self.at).copied()
    }

    fn is(&self, text: &str) -> bool {
        self.peek().is_some_and(|token| token.text == text)
    }

    fn next(&mut self) -> Option<Token<'a>> {
        let token = self.peek()?;
        self.at += 1;
        Some(token)
    }

    /// Skips a group that begins with an opening bracket; returns the line of its end.
    fn group(&mut self) -> Option<u32> {
        let mut depth = 0_u32;
        loop {
            let token = self.next()?;
            match token.text {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.checked_sub(1)?,
                _ => {}
            }
            if depth == 0 {
                return Some(token.line);
            }
        }
    }

    /// Reads declarations to the end of the text, or to the end of a namespace or structure.
    fn declarations(&mut self, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let mut start = self.at;
        loop {
            let Some(token) = self.peek() else { return (depth == 0).then_some(()) };
            match token.text {
                "}" => return (depth > 0).then_some(()),
                ";" => {
                    self.at += 1;
                    start = self.at;
                }
                "(" | "[" => {
                    self.group()?;
                }
                "{" => {
                    let words = &self.tokens[start..self.at];
                    let has = |word: &str| words.iter().any(|token| token.text == word);
                    let is_scope = has("namespace") || has("extern") && !has("(");
                    let is_type = ["struct", "class", "union"].iter().any(|word| has(word)) && !has(")");
                    let name = function_name(words);
                    if is_scope || is_type {
                        self.at += 1;
                        self.declarations(depth + 1)?;
                        self.at += 1;
                    } else if let Some(name) = name.filter(|_| !has("=")) {
                        let is_kernel = ["__global__", "__kernel", "kernel"].iter().any(|word| has(word));
                        self.function(name, is_kernel, words.first()?.line)?;
                    } else {
                        self.group()?;
                        // The declaration of a variable goes on after its initial value.
                        continue;
                    }
                    start = self.at;
                }
                _ => self.at += 1,
            }
        }
    }

    fn function(&mut self, name: &str, is_kernel: bool, first: u32) -> Option<()> {
        self.conditions = self.peek()?.conditions;
        let block = self.open(BlockKind::Function, None, first..=self.peek()?.line);
        name.clone_into(&mut self.found.all[block].name);
        self.found.all[block].is_kernel = is_kernel;
        self.body(block, 0)
    }

    fn open(&mut self, kind: BlockKind, parent: Option<usize>, header: RangeInclusive<u32>) -> usize {
        let body = *header.end()..=*header.end();
        let (name, is_kernel) = (String::new(), false);
        let block = Block { kind, name, is_kernel, header, body, parent, statements: Vec::new(), end: None };
        self.found.all.push(block);
        self.found.all.len() - 1
    }

    /// Reads the body of a block: statements in braces, or one statement.
    fn body(&mut self, block: usize, depth: u32) -> Option<()> {
        if depth > DEEPEST {
            return None;
        }
        let first = self.peek()?.line;
        let last = if self.is("{") {
            self.at += 1;
            while !self.is("}") {
                self.statement(block, true, depth)?;
            }
            let end = self.next()?;
            let is_open = end.is_first && end.conditions == self.conditions;
            self.found.all[block].end = is_open.then_some(end.line);
            end.line
        } else {
            self.statement(block, false, depth)?
        };
        self.found.all[block].body = first..=last;
        Some(())
    }

    /// Reads a statement; returns its last line.
    fn statement(&mut self, block: usize, in_braces: bool, depth: u32) -> Option<u32> {
        // Labels.
        let start = self.at;
        while self.label()? {}
        let token = self.peek()?;
        let is_open = token.is_first && token.conditions == self.conditions;
        let can_precede = in_braces && is_open && self.at == start;
        let first = token.line;
        let mut blocks = Vec::new();
        let last = match token.text {
            "{" => {
                let inner = self.open(BlockKind::Plain, Some(block), first..=first);
                blocks.push(inner);
                self.body(inner, depth + 1)?;
                *self.found.all[inner].body.end()
            }
            "if" => {
                let inner = self.controlled(BlockKind::If { alone: true }, block, depth)?;
                blocks.push(inner);
                let mut last = *self.found.all[inner].body.end();
                if self.is("else") {
                    self.found.all[inner].kind = BlockKind::If { alone: false };
                    self.at += 1;
                    let header = self.found.all[inner].header.clone();
                    let other = self.open(BlockKind::Else, Some(block), header);
                    blocks.push(other);
                    self.body(other, depth + 1)?;
                    last = *self.found.all[other].body.end();
                }
                last
            }
            "for" | "while" => {
                let inner = self.controlled(BlockKind::Loop, block, depth)?;
                blocks.push(inner);
                *self.found.all[inner].body.end()
            }
            "switch" => {
                let inner = self.controlled(BlockKind::Switch, block, depth)?;
                blocks.push(inner);
                *self.found.all[inner].body.end()
            }
            "do" => {
                self.at += 1;
                let inner = self.open(BlockKind::Loop, Some(block), first..=first);
                blocks.push(inner);
                self.body(inner, depth + 1)?;
                let condition = self.next().filter(|token| token.text == "while")?.line;
                let last = self.simple(block)?;
                self.found.all[inner].header = condition..=last;
                last
            }
            _ => self.simple(block)?,
        };
        let statement = Statement { lines: first..=last, can_precede, blocks };
        self.found.all[block].statements.push(statement);
        Some(last)
    }

    /// Skips a label, if there is one.
    fn label(&mut self) -> Option<bool> {
        let next = |by: usize| self.tokens.get(self.at + by).map_or("", |token| token.text);
        match self.peek()?.text {
            "case" => {
                while self.next()?.text != ":" {}
                Some(true)
            }
            // A name, but not the first part of `a::b`.
            text if next(1) == ":" && next(2) != ":" && is_name(text) => {
                self.at += 2;
                Some(true)
            }
            _ => Some(false),
        }
    }

    /// Reads a control statement with a condition in parentheses.
    fn controlled(&mut self, kind: BlockKind, parent: usize, depth: u32) -> Option<usize> {
        let first = self.next()?.line;
        if self.is("constexpr") {
            self.at += 1;
        }
        if !self.is("(") {
            return None;
        }
        let start = self.at;
        let last = self.group()?;
        let block = self.open(kind, Some(parent), first..=last);
        self.calls(start, if kind == BlockKind::Loop { block } else { parent });
        self.body(block, depth + 1)?;
        Some(block)
    }

    /// Reads a statement that ends with a semicolon; returns its last line.
    fn simple(&mut self, block: usize) -> Option<u32> {
        let start = self.at;
        let first = self.peek()?;
        let kind = match first.text {
            "return" => Some(JumpKind::Return),
            "break" => Some(JumpKind::Break),
            "continue" => Some(JumpKind::Continue),
            "goto" => Some(JumpKind::Goto),
            _ => None,
        };
        self.found.jumps.extend(kind.map(|kind| Jump { kind, line: first.line, block }));
        loop {
            match self.peek()?.text {
                ";" => break,
                "}" => return None,
                "(" | "[" | "{" => {
                    self.group()?;
                }
                _ => self.at += 1,
            }
        }
        let last = self.next()?.line;
        self.calls(start, block);
        Some(last)
    }

    /// Notes the calls among the tokens since `start`.
    fn calls(&mut self, start: usize, block: usize) {
        for pair in self.tokens[start..self.at].windows(2) {
            if pair[1].text == "(" && is_name(pair[0].text) {
                self.found.calls.push((pair[0].text.to_owned(), pair[0].line, block));
            }
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Returns the name of a function from the tokens before its body; `None` if it is no function.
fn function_name<'a>(words: &[Token<'a>]) -> Option<&'a str> {
    let mut depth = 0_u32;
    let mut name = None;
    for (at, token) in words.iter().enumerate() {
        match token.text {
            "(" => {
                let before = at.checked_sub(1).map_or("", |before| words[before].text);
                if depth == 0 && is_name(before) {
                    name = Some(before);
                }
                depth += 1;
            }
            ")" => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    name
}

/// Returns the tokens of a text: words, and single characters. Comments, strings and lines of the
/// preprocessor have none; a string is one token, `"`.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let bytes = text.as_bytes();
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let (mut at, mut line, mut is_first, mut conditions) = (0, 1, true, 0_u32);
    // Moves to the end of a part, and counts its lines.
    let lines = |part: &[u8]| part.split(|byte| *byte == b'\n').count() as u32 - 1;
    while at < bytes.len() {
        let rest = &bytes[at..];
        match rest[0] {
            b'\n' => {
                (line, is_first) = (line + 1, true);
                at += 1;
            }
            byte if byte.is_ascii_whitespace() => at += 1,
            b'#' if is_first => {
                let mut end = 0;
                while end < rest.len() && (rest[end] != b'\n' || end > 0 && rest[end - 1] == b'\\') {
                    end += 1;
                }
                let directive = text.get(at + 1..at + end).unwrap_or("").trim_start();
                if directive.starts_with("if") {
                    conditions += 1;
                } else if directive.starts_with("endif") {
                    conditions = conditions.saturating_sub(1);
                }
                line += lines(&rest[..end]);
                at += end;
            }
            b'/' if rest.starts_with(b"//") => {
                at += rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
            }
            b'/' if rest.starts_with(b"/*") => {
                let end = rest[2..].windows(2).position(|pair| pair == b"*/");
                let end = end.map_or(rest.len(), |end| end + 4);
                line += lines(&rest[..end]);
                at += end;
            }
            quote @ (b'"' | b'\'') => {
                let mut end = 1;
                while end < rest.len() && rest[end] != quote && rest[end] != b'\n' {
                    end += if rest[end] == b'\\' { 2 } else { 1 };
                }
                let end = (end + 1).min(rest.len());
                tokens.push(Token { text: "\"", line, is_first, conditions });
                line += lines(&rest[..end]);
                (at, is_first) = (at + end, false);
            }
            byte => {
                let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
                let length = if is_word(byte) {
                    rest.iter().position(|byte| !is_word(*byte)).unwrap_or(rest.len())
                } else {
                    1
                };
                let Some(word) = text.get(at..at + length) else { return Vec::new() };
                tokens.push(Token { text: word, line, is_first, conditions });
                (at, is_first) = (at + length, false);
            }
        }
    }
    tokens
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "\
#include <cstdio>
#define TWO(x) \\
    { x }
struct P { int a; __device__ int get() const { return a; } };
__constant__ int table[2] = {1, 2};
__device__ int twice(int x) { // { not a brace
    return 2 * x;
}
template <typename T>
__global__ void __launch_bounds__(64) k(T *out, int n)
{
    __shared__ int s[64];
    if (n == 0) return;
    for (int i = threadIdx.x;
         i < n; i += 64)
        s[i] = '{';
    do {
        s[0] += twice(n);
        n--;
    } while (n > 0);
    if (n) {
        s[1] = 2;
    } else if (n > 3)
        s[2] = 3;
    switch (n) {
    case 1:
        s[3] = 1;
        break;
    }
}
";

    #[test]
    fn kernels_of_opencl_c_are_kernels() {
        let blocks =
            Blocks::of("int f(int x) { return x; }\n__kernel void k(__global int *a) { a[0] = f(1); }\n");
        let names: Vec<(&str, bool)> =
            blocks.all.iter().map(|block| (&*block.name, block.is_kernel)).collect();
        assert_eq!(names, [("f", false), ("k", true)]);
    }

    #[test]
    fn statements_have_their_lines_and_their_blocks() {
        let blocks = Blocks::of(TEXT);
        let names: Vec<(&str, bool)> = blocks
            .all
            .iter()
            .filter(|block| block.kind == BlockKind::Function)
            .map(|block| (&*block.name, block.is_kernel))
            .collect();
        assert_eq!(names, [("get", false), ("twice", false), ("k", true)]);
        let kernel = blocks.function_at(16).expect("a function");
        let lines: Vec<(RangeInclusive<u32>, bool)> = blocks.all[kernel]
            .statements
            .iter()
            .map(|statement| (statement.lines.clone(), statement.can_precede))
            .collect();
        let expected = [(12, 12), (13, 13), (14, 16), (17, 20), (21, 24), (25, 29)];
        assert_eq!(lines, expected.map(|(first, last)| (first..=last, true)));
        assert_eq!(blocks.all[kernel].end, Some(30));
        let inner = |line| {
            let way = blocks.way(kernel, line, false);
            let (block, at) = *way.last().expect("a statement");
            let statement = at.checked_sub(1).map(|at| &blocks.all[block].statements[at]);
            (blocks.all[block].kind, statement.is_some_and(|one| one.can_precede), way.len())
        };
        assert_eq!(inner(16), (BlockKind::Loop, false, 2), "the body of a loop without braces");
        assert_eq!(inner(15), (BlockKind::Loop, false, 2), "the condition of the loop");
        assert_eq!(inner(18), (BlockKind::Loop, true, 2));
        assert_eq!(inner(22), (BlockKind::If { alone: false }, true, 2));
        assert_eq!(inner(24), (BlockKind::If { alone: true }, false, 3), "behind `else`");
        assert_eq!(inner(27), (BlockKind::Switch, false, 2), "behind a label");
        assert_eq!(blocks.calls_of("twice").map(|(line, _)| line).collect::<Vec<_>>(), [18]);
        let jumps: Vec<(JumpKind, u32)> = blocks.jumps.iter().map(|jump| (jump.kind, jump.line)).collect();
        let returns = [4, 7, 13].map(|line| (JumpKind::Return, line));
        assert_eq!(jumps, [&returns[..], &[(JumpKind::Break, 28)]].concat());
    }

    #[test]
    fn nothing_can_be_inserted_between_conditions() {
        let text = "#ifndef A\nvoid f() {\n    a();\n#ifdef B\n    b();\n#endif\n    c();\n}\n#endif\n";
        let blocks = Blocks::of(text);
        let can: Vec<bool> = blocks.all[0].statements.iter().map(|statement| statement.can_precede).collect();
        assert_eq!((can, blocks.all[0].end), (vec![true, false, true], Some(8)));
    }

    #[test]
    fn any_text_has_an_answer() {
        for text in ["", "{", "}", "void f() {", "void f() { if }", "void f() { case", "'", "\"", "/*", "#"] {
            assert_eq!(Blocks::of(text), Blocks::default(), "{text}");
        }
        let deep = format!("void f() {}{}", "{".repeat(9999), "}".repeat(9999));
        assert_eq!(Blocks::of(&deep).function_at(1), None);
        // Every part of a text.
        for end in 0..TEXT.len() {
            let _ = Blocks::of(&TEXT[..end]);
            let _ = Blocks::of(&TEXT[end..]);
        }
    }
}
