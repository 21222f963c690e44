//! The changes of one instruction.

use super::ChangeKind;
use isa::ptx::ast::{Ident, Instruction, Literal, OperandKind};
use isa::span::Span;

/// The text between two bytes.
fn between(start: u32, end: u32) -> Span {
    Span { start, end }
}

/// A replaced part of an instruction.
pub(super) struct Edit {
    pub(super) kind: ChangeKind,
    /// The part.
    pub(super) at: Span,
    /// The text in its place.
    pub(super) text: String,
    /// The change in a few words.
    pub(super) change: String,
}

/// Pairs of comparisons, each with the other border.
const BORDERS: [(&str, &str); 9] = [
    ("lt", "le"),
    ("gt", "ge"),
    ("lo", "ls"),
    ("hi", "hs"),
    ("eq", "ne"),
    ("ltu", "leu"),
    ("gtu", "geu"),
    ("equ", "neu"),
    ("num", "nan"),
];

/// Operations, each with another one.
const OPERATIONS: [(&str, &str); 18] = [
    ("add", "sub"),
    ("sub", "add"),
    ("mul", "add"),
    ("mul24", "add"),
    ("mad", "mul"),
    ("mad24", "mul24"),
    ("fma", "mul"),
    ("rem", "div"),
    ("div", "rem"),
    ("and", "or"),
    ("or", "and"),
    ("xor", "or"),
    ("shl", "shr"),
    ("shr", "shl"),
    ("min", "max"),
    ("max", "min"),
    ("neg", "mov"),
    ("not", "mov"),
];

/// Operations of atomics.
const ATOMICS: [&str; 10] = ["add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"];

/// Cache operators of loads and stores.
const CACHE: [&str; 8] = ["volatile", "ca", "cg", "cs", "lu", "cv", "wb", "wt"];

/// Instructions whose integer operands are strides, steps and indices.
const WITH_NUMBERS: [&str; 17] = [
    "add", "sub", "mul", "mad", "mul24", "mad24", "shl", "shr", "mov", "and", "or", "min", "max", "rem",
    "div", "setp", "selp",
];

/// An instruction with the text of its module.
struct Inst<'a> {
    inst: &'a Instruction<'a>,
    text: &'a str,
}

/// Returns all changes of an instruction, by kind.
pub(super) fn changes(inst: &Instruction, text: &str) -> Vec<Edit> {
    let inst = Inst { inst, text };
    let mut all = inst.removed();
    all.extend(inst.guards());
    all.extend(inst.borders());
    all.extend(inst.numbers());
    all.extend(inst.offsets());
    all.extend(inst.plain_atomic());
    all.extend(inst.operation());
    all.extend(inst.cache());
    all
}

impl<'a> Inst<'a> {
    fn opcode(&self) -> &'a str {
        self.inst.opcode.name
    }

    fn has(&self, modifier: &str) -> bool {
        self.inst.modifiers.iter().any(|m| m.name == modifier)
    }

    /// The last modifier, which is the type of the operation.
    fn ty(&self) -> &'a str {
        self.inst.modifiers.last().map_or("", |m| m.name)
    }

    fn is_float(&self) -> bool {
        self.ty().starts_with('f')
    }

    fn part(&self, span: Span) -> &'a str {
        &self.text[span.start as usize..span.end as usize]
    }

    /// The text of an operand.
    fn operand(&self, number: usize) -> Option<&'a str> {
        self.inst.operands.get(number).map(|operand| self.part(operand.span))
    }

    /// An edit of the whole instruction, without its guard if `guarded`.
    fn whole(&self, kind: ChangeKind, text: String, change: impl Into<String>) -> Edit {
        Edit { kind, at: self.inst.span, text, change: change.into() }
    }

    /// The place of a modifier without its dot, which belongs to its span.
    fn word(modifier: &Ident) -> Span {
        between(modifier.span.end - modifier.name.len() as u32, modifier.span.end)
    }

    /// Barriers, fences and atomic operations are removed.
    fn removed(&self) -> Vec<Edit> {
        let removed = |kind| self.whole(kind, String::new(), "removed");
        match self.opcode() {
            "bar" | "barrier" if self.has("sync") || self.has("arrive") => vec![removed(ChangeKind::Barrier)],
            "membar" | "fence" => {
                let scope = self.inst.modifiers.iter().find(|m| ["gl", "sys"].contains(&m.name));
                let narrower = scope.map(|scope| Edit {
                    kind: ChangeKind::Fence,
                    at: Self::word(scope),
                    text: "cta".to_owned(),
                    change: format!("{} → cta", scope.name),
                });
                [removed(ChangeKind::Fence)].into_iter().chain(narrower).collect()
            }
            "atom" | "red" => vec![removed(ChangeKind::Atomic)],
            _ => Vec::new(),
        }
    }

    /// The guard is removed or negated; the operands of a selection are exchanged.
    fn guards(&self) -> Vec<Edit> {
        let kind = ChangeKind::Guard;
        if let Some((predicate, negated)) = &self.inst.guard {
            let at = between(self.inst.span.start, self.inst.opcode.span.start);
            let sign = |negated: bool| if negated { "@!" } else { "@" };
            let (old, new) = (sign(*negated), sign(!negated));
            let name = predicate.name;
            let removed = Edit { kind, at, text: String::new(), change: format!("{old}{name} removed") };
            let change = format!("{old}{name} → {new}{name}");
            return vec![removed, Edit { kind, at, text: format!("{new}{name} "), change }];
        }
        match (self.opcode(), &*self.inst.operands) {
            ("selp", [_, first, second, _]) => {
                let (a, b) = (self.part(first.span), self.part(second.span));
                let at = between(first.span.start, second.span.end);
                let change = format!("{a}, {b} → {b}, {a}");
                vec![Edit { kind, at, text: format!("{b}, {a}"), change }]
            }
            _ => Vec::new(),
        }
    }

    /// Comparisons have another border.
    fn borders(&self) -> Vec<Edit> {
        if !["setp", "set"].contains(&self.opcode()) {
            return Vec::new();
        }
        let other = |m: &Ident| {
            let pair = BORDERS.iter().find(|(a, b)| m.name == *a || m.name == *b)?;
            let new = if m.name == pair.0 { pair.1 } else { pair.0 };
            let (text, change) = (new.to_owned(), format!("{} → {new}", m.name));
            Some(Edit { kind: ChangeKind::Bound, at: Self::word(m), text, change })
        };
        // The first one is the comparison.
        self.inst.modifiers.iter().find_map(other).into_iter().collect()
    }

    /// Integers are larger or smaller by one, or doubled.
    fn numbers(&self) -> Vec<Edit> {
        if !WITH_NUMBERS.contains(&self.opcode()) || self.is_float() {
            return Vec::new();
        }
        let mut all = Vec::new();
        for operand in &self.inst.operands {
            let OperandKind::Literal(Literal::Int { value, negative }) = operand.kind else { continue };
            // A positive number that does not fit is one of `u64`.
            let number = if negative { i128::from(value as i64) } else { i128::from(value) };
            let mut others = vec![number + 1, number - 1, 2 * number];
            others.dedup();
            let is_new = |at: usize| others[at] != number && !others[..at].contains(&others[at]);
            for other in (0..others.len()).filter(|at| is_new(*at)).map(|at| others[at]) {
                all.push(Edit {
                    kind: ChangeKind::Constant,
                    at: operand.span,
                    text: other.to_string(),
                    change: format!("{}: {} → {other}", self.opcode(), self.part(operand.span)),
                });
            }
        }
        all
    }

    /// Offsets of accesses are moved by the size of the access.
    fn offsets(&self) -> Vec<Edit> {
        if !["ld", "st", "atom", "red", "ldu"].contains(&self.opcode()) || self.has("param") {
            return Vec::new();
        }
        let bits: i64 = self.ty().get(1..).and_then(|bits| bits.parse().ok()).unwrap_or(0);
        let bytes = bits / 8 * if self.has("v4") { 4 } else { 1 + i64::from(self.has("v2")) };
        let memory = self.inst.operands.iter().find_map(|operand| match &operand.kind {
            OperandKind::Memory { base: Some(base), offset } => Some((operand.span, base.name, *offset)),
            _ => None,
        });
        let Some((at, base, offset)) = memory.filter(|_| bytes > 0) else { return Vec::new() };
        let moved = |by: i64| {
            let new = offset.checked_add(by)?;
            let text = if new == 0 { format!("[{base}]") } else { format!("[{base}+{new}]") };
            let change = format!("{}: {} → {text}", self.opcode(), self.part(at));
            Some(Edit { kind: ChangeKind::Constant, at, text, change })
        };
        [moved(bytes), moved(-bytes)].into_iter().flatten().collect()
    }

    /// An atomic operation becomes a load, an operation and a store.
    fn plain_atomic(&self) -> Option<Edit> {
        let result = match self.opcode() {
            "atom" => 1,
            "red" => 0,
            _ => return None,
        };
        let names: Vec<&str> = self.inst.modifiers.iter().map(|m| m.name).collect();
        let at = names.iter().position(|name| ATOMICS.contains(name))?;
        let (operation, ty) = (names[at], self.ty());
        let space = names[..at].iter().fold(String::new(), |text, name| text + "." + name);
        let (address, value) = (self.operand(result)?, self.operand(result + 1)?);
        let guard = self.inst.guard.as_ref().map_or_else(String::new, |(predicate, negated)| {
            format!("@{}{} ", if *negated { "!" } else { "" }, predicate.name)
        });
        let (predicate, steps) = match operation {
            "exch" => ("", vec![format!("mov.{ty} %new, {value}")]),
            "cas" => {
                let other = self.operand(result + 2)?;
                let test = format!("setp.eq.{ty} %is, %old, {value}");
                (".reg .pred %is; ", vec![test, format!("selp.{ty} %new, {other}, %old, %is")])
            }
            "inc" => {
                let test = format!("setp.ge.{ty} %is, %old, {value}");
                let sum = format!("add.{ty} %new, %old, 1");
                (".reg .pred %is; ", vec![test, sum, format!("selp.{ty} %new, 0, %new, %is")])
            }
            "dec" => {
                // It wraps from 0, and from values above the limit.
                let test = format!("setp.gt.{ty} %is, %old, {value}");
                let or_zero = format!("setp.eq.or.{ty} %is, %old, 0, %is");
                let less = format!("sub.{ty} %new, %old, 1");
                let select = format!("selp.{ty} %new, {value}, %new, %is");
                (".reg .pred %is; ", vec![test, or_zero, less, select])
            }
            _ => ("", vec![format!("{operation}.{ty} %new, %old, {value}")]),
        };
        let mut all = vec![format!("ld{space}.{ty} %old, {address}")];
        all.extend(steps);
        all.push(format!("st{space}.{ty} {address}, %new"));
        if let Some(result) = self.operand(0).filter(|name| result == 1 && *name != "_") {
            all.push(format!("mov.{ty} {result}, %old"));
        }
        let all: Vec<String> = all.into_iter().map(|step| format!("{guard}{step}; ")).collect();
        let text = format!("{{ .reg .{ty} %old, %new; {predicate}{}}}", all.concat());
        Some(self.whole(ChangeKind::Atomic, text, format!("load, {operation}, store")))
    }

    /// The operation becomes another one.
    fn operation(&self) -> Option<Edit> {
        let (_, new) = OPERATIONS.iter().find(|(old, _)| *old == self.opcode())?;
        // The low half of a product has the type of its operands; the others have no such sum.
        let is_long = self.has("wide") || self.has("hi");
        let is_excluded = match self.opcode() {
            "mul" | "mul24" => is_long,
            "div" => self.is_float(),
            _ => self.has("cc"),
        };
        if is_excluded {
            return None;
        }
        let keeps_operands = !["mad", "mad24", "fma"].contains(&self.opcode());
        let is_right_shift = self.opcode() == "shr";
        let type_of_new = format!("b{}", self.ty().get(1..)?);
        let is_dropped = |name: &str| match *new {
            "add" => name == "lo",
            "mov" => name == "ftz",
            _ => false,
        };
        let mut modifiers: Vec<&str> =
            self.inst.modifiers.iter().map(|m| m.name).filter(|name| !is_dropped(name)).collect();
        if is_right_shift {
            *modifiers.last_mut()? = &type_of_new;
        }
        let name = |name: &str, modifiers: &[&str]| {
            modifiers.iter().fold(name.to_owned(), |name, modifier| name + "." + modifier)
        };
        let last = self.inst.operands.last()?;
        let count = self.inst.operands.len();
        let end = if keeps_operands {
            last.span.end
        } else {
            self.inst.operands.get(count.checked_sub(2)?)?.span.end
        };
        let first = self.inst.operands.first()?;
        let at = between(self.inst.opcode.span.start, last.span.end);
        let operands = self.part(between(first.span.start, end));
        let old: Vec<&str> = self.inst.modifiers.iter().map(|m| m.name).collect();
        let (old, new) = (name(self.opcode(), &old), name(new, &modifiers));
        let text = format!("{new} {operands}");
        Some(Edit { kind: ChangeKind::Arithmetic, at, text, change: format!("{old} → {new}") })
    }

    /// `.volatile` or a cache operator is removed.
    fn cache(&self) -> Vec<Edit> {
        if !["ld", "st"].contains(&self.opcode()) {
            return Vec::new();
        }
        let found = self.inst.modifiers.iter().filter(|m| CACHE.contains(&m.name));
        let removed = |m: &Ident| Edit {
            kind: ChangeKind::Cache,
            at: m.span,
            text: String::new(),
            change: format!(".{} removed", m.name),
        };
        found.map(removed).collect()
    }
}
