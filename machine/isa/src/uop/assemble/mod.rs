//! Parser of the text form of a program. Module [`super::disasm`] documents the grammar.
//! `parse(&disasm::program(p))` returns one [`Listing`]: the code, rows, constants and labels of
//! `p`.
//!
//! The names of micro-ops and the number and kind of their operands come from the micro-op table.

use super::program::{ConstValue, FunctionCode, Guard, Inst, NO_ROW, Program, RowCounts, TO_EXIT};
use super::{CacheOperator, Op, OperandKind};
use crate::sem::atomic::Operation;
use crate::sreg::SReg;

/// The contents of one program in text form.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// Name of the entry.
    pub name: String,
    /// Number of register rows.
    pub rows: RowCounts,
    /// The pool of 32-bit constants.
    pub const32: Vec<ConstValue>,
    /// The pool of 64-bit constants.
    pub const64: Vec<ConstValue>,
    /// Labels with their PCs.
    pub labels: Vec<(u32, String)>,
    /// Functions, whose code follows the kernel's code.
    pub functions: Vec<FunctionCode>,
    /// Micro-ops of the kernel and its functions.
    pub code: Vec<Inst>,
}

impl From<&Program> for Listing {
    fn from(program: &Program) -> Self {
        Self {
            name: program.name.clone(),
            rows: program.rows,
            const32: program.const32.clone(),
            const64: program.const64.clone(),
            labels: program.labels.clone(),
            // A listing has no variables.
            functions: program
                .functions
                .iter()
                .map(|one| FunctionCode { local: Vec::new(), frame: None, ..one.clone() })
                .collect(),
            code: program.code.clone(),
        }
    }
}

/// An error in one line of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unreadable {
    /// Line number, from 1.
    pub line: usize,
    /// Description of the error.
    pub message: String,
}

/// Parses a text. Returns the errors of all invalid lines if there are any. A line with `.entry`
/// begins the next program.
pub fn parse(text: &str) -> Result<Vec<Listing>, Vec<Unreadable>> {
    let mut listings = vec![Listing::default()];
    let mut errors = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let line = line.split(';').next().unwrap_or_default().trim();
        if line.starts_with(".entry") && listings.last() != Some(&Listing::default()) {
            listings.push(Listing::default());
        }
        if let Err(message) = listings.last_mut().map_or(Ok(()), |listing| listing.line(line)) {
            errors.push(Unreadable { line: i + 1, message });
        }
    }
    if errors.is_empty() { Ok(listings) } else { Err(errors) }
}

impl Listing {
    fn line(&mut self, line: &str) -> Result<(), String> {
        let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match first {
            "" => {}
            ".entry" => rest.trim().clone_into(&mut self.name),
            ".func" => self.functions.push(function(rest, self.code.len() as u32)?),
            ".rows" => self.rows = rows(rest)?,
            ".const32" => self.const32 = pool(rest, 32)?,
            ".const64" => self.const64 = pool(rest, 64)?,
            _ if line.ends_with(':') && rest.is_empty() => {
                self.labels.push((self.code.len() as u32, line[..line.len() - 1].to_owned()));
            }
            _ => {
                let inst = self.instruction(line)?;
                self.code.push(inst);
                if let Some(function) = self.functions.last_mut() {
                    function.end = self.code.len() as u32;
                }
            }
        }
        Ok(())
    }

    /// Parses an instruction such as `3  @!p0 add.b32 w0, w1, #5`.
    fn instruction(&self, line: &str) -> Result<Inst, String> {
        let mut words = Words(line);
        let mut word = words.next();
        if word.starts_with(|c: char| c.is_ascii_digit()) {
            let place = self.code.len();
            if word.parse() != Ok(place) {
                return Err(format!("found PC `{word}`, expected {place}"));
            }
            word = words.next();
        }
        let mut guard = Guard::NONE;
        if let Some(pred) = word.strip_prefix('@') {
            let (negated, pred) = pred.strip_prefix('!').map_or((false, pred), |pred| (true, pred));
            guard = Guard::new(self.row(OperandKind::P, pred)?, negated);
            word = words.next();
        }
        let op = Op::named(word).ok_or_else(|| format!("unknown micro-op `{word}`"))?;
        let aux = if op == Op::Bra { TO_EXIT } else { 0 };
        let mut inst = Inst { guard, aux, ..Inst::new(op) };
        let operands = words.operands()?;
        self.operands(&mut inst, &operands)?;
        loop {
            match words.next() {
                "" => return Ok(inst),
                word => attribute(&mut inst, word)?,
            }
        }
    }

    /// Parses the operands, in the order of the shape.
    fn operands(&self, inst: &mut Inst, operands: &[&str]) -> Result<(), String> {
        let shape = inst.op.shape();
        let vector = shape.elements() > 1;
        let mut given = operands.iter().copied();
        let mut next = |what: &str| given.next().ok_or_else(|| format!("{what} is missing"));
        let kinds: Vec<OperandKind> = shape.dsts().into_iter().flatten().collect();
        if !kinds.is_empty() {
            let list = next("the result")?;
            let names: Vec<&str> = if vector { braced(list)? } else { list.split('|').collect() };
            inst.set_dsts(self.rows_of(&kinds, &names)?);
        }
        let mut kinds = shape.srcs();
        let mut rows = Vec::new();
        if let [OperandKind::Addr, others @ ..] = kinds {
            rows.push(self.address(inst, next("the address")?)?);
            kinds = others;
        }
        if vector && !kinds.is_empty() {
            rows.extend(self.rows_of(kinds, &braced(next("the list of sources")?)?)?);
        } else {
            for kind in kinds {
                rows.push(self.row(*kind, next("a source")?)?);
            }
        }
        // In a load of four elements, fields for sources of other micro-ops hold results.
        inst.set_srcs(rows);
        for extra in given {
            inst.imm = match extra.parse() {
                Ok(number) => number,
                Err(_) => match SReg::from_name(extra) {
                    Some(register) => register as u32,
                    None => return Err(format!("unexpected operand `{extra}`")),
                },
            };
        }
        Ok(())
    }

    fn rows_of(&self, kinds: &[OperandKind], names: &[&str]) -> Result<Vec<u16>, String> {
        if kinds.len() != names.len() {
            return Err(format!("found {} rows, expected {}", names.len(), kinds.len()));
        }
        kinds.iter().zip(names).map(|(kind, name)| self.row(*kind, name.trim())).collect()
    }

    /// Returns the number of a register row or of a constant.
    fn row(&self, kind: OperandKind, name: &str) -> Result<u16, String> {
        let (letter, registers, pool, width) = match kind {
            OperandKind::W | OperandKind::Addr => ('w', self.rows.w, Some(&self.const32), 32),
            OperandKind::D => ('d', self.rows.d, Some(&self.const64), 64),
            OperandKind::P => ('p', self.rows.p, None, 1),
        };
        let number = name.strip_prefix(letter).and_then(|number| number.parse::<u16>().ok());
        if let Some(row) = number.filter(|row| *row < registers) {
            return Ok(row);
        }
        let place = match (pool, name) {
            (None, "#false") => Some(0),
            (None, "#true") => Some(1),
            (Some(pool), _) if name.starts_with('#') => {
                let (value, place) = name.split_once('@').map_or((name, None), |(v, p)| (v, Some(p)));
                let value = constant(value, width)?;
                match place {
                    Some(place) => place.parse().ok().filter(|i| pool.get(*i) == Some(&value)),
                    None => pool.iter().position(|other| *other == value),
                }
            }
            _ => None,
        };
        let row = place.and_then(|place| u16::try_from(usize::from(registers) + place).ok());
        row.ok_or_else(|| format!("`{name}` is not a row of file `{letter}`"))
    }

    /// Parses an address such as `[4]`, `[w1]` or `[d1-4]`. Returns the row; stores offset and
    /// address width in the instruction.
    fn address(&self, inst: &mut Inst, text: &str) -> Result<u16, String> {
        if inst.op == Op::CallInd && !text.starts_with('[') {
            return self.base(inst, text);
        }
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
        let inner = inner.ok_or_else(|| format!("`{text}` is not an address in brackets"))?;
        if let Ok(offset) = inner.parse() {
            inst.imm = offset;
            return Ok(NO_ROW);
        }
        // The sign of a constant follows its `#`, so it does not begin an offset.
        let sign = inner.rfind(['+', '-']).filter(|at| !inner[..*at].ends_with('#'));
        let (base, offset) = sign.map_or((inner, "0"), |at| inner.split_at(at));
        inst.imm = offset.parse::<i32>().map_err(|_| format!("`{offset}` is not an offset"))? as u32;
        self.base(inst, base)
    }

    fn base(&self, inst: &mut Inst, base: &str) -> Result<u16, String> {
        match base.strip_prefix('d') {
            None => self.row(OperandKind::W, base),
            Some(constant) => {
                inst.aux |= Inst::ADDR64;
                self.row(OperandKind::D, if constant.starts_with('#') { constant } else { base })
            }
        }
    }
}

/// Parses an attribute after the operands.
fn attribute(inst: &mut Inst, word: &str) -> Result<(), String> {
    let unknown = || format!("unknown attribute `{word}`");
    match word.split_once('=') {
        None if word == "volatile" => inst.aux |= Inst::VOLATILE,
        None if inst.op.is_atomic() && operation(word).is_some() => {
            inst.aux |= operation(word).unwrap_or(0) << Inst::OPERATION_SHIFT;
        }
        None if word == "addr64" => inst.aux |= Inst::ADDR64,
        None if word == "fused" && inst.op != Op::Bra => inst.aux |= Inst::FUSED,
        None if cache_operator(word).is_some() => inst.aux |= cache_operator(word).unwrap_or(0),
        Some(("reconv", "exit")) => inst.aux = TO_EXIT,
        Some(("reconv", pc)) => inst.aux = pc.parse().map_err(|_| unknown())?,
        Some(("imm" | "signature", number)) => inst.imm = number.parse().map_err(|_| unknown())?,
        Some(("aux", bits)) => {
            let bits = bits.strip_prefix("0x").and_then(|digits| u32::from_str_radix(digits, 16).ok());
            let before = if inst.op == Op::Bra { 0 } else { inst.aux };
            inst.aux = before | bits.ok_or_else(unknown)?;
        }
        _ => return Err(unknown()),
    }
    Ok(())
}

/// Returns the bits of a cache operator.
fn cache_operator(word: &str) -> Option<u32> {
    let found = CacheOperator::ALL.iter().find(|operator| operator.name() == word && !word.is_empty());
    found.map(|operator| operator.bits())
}

/// Returns the number of an atomic operation.
fn operation(name: &str) -> Option<u32> {
    Operation::ALL.iter().position(|operation| operation.name() == name).map(|number| number as u32)
}

/// Parses a function header such as `name number=3 signature=1` at PC `start`.
fn function(text: &str, start: u32) -> Result<FunctionCode, String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let read = || {
        let [name, number, signature @ ..] = words.as_slice() else { return None };
        let signature = match signature {
            [] => None,
            [word] => Some(word.strip_prefix("signature=")?.parse().ok()?),
            _ => return None,
        };
        Some(FunctionCode {
            number: number.strip_prefix("number=")?.parse().ok()?,
            name: (*name).to_owned(),
            start,
            end: start,
            signature,
            ..FunctionCode::default()
        })
    };
    read().ok_or_else(|| format!("`{text}` is not a function header"))
}

/// Parses row counts such as `w=3 d=0 p=1`.
fn rows(text: &str) -> Result<RowCounts, String> {
    let mut rows = RowCounts::default();
    for word in text.split_whitespace() {
        let unknown = || format!("`{word}` is not a row count");
        let (file, number) = word.split_once('=').ok_or_else(unknown)?;
        let count = match file {
            "w" => &mut rows.w,
            "d" => &mut rows.d,
            "p" => &mut rows.p,
            _ => return Err(unknown()),
        };
        *count = number.parse().map_err(|_| unknown())?;
    }
    Ok(rows)
}

fn pool(text: &str, width: u32) -> Result<Vec<ConstValue>, String> {
    text.split(',').map(|value| constant(value.trim(), width)).collect()
}

/// Parses a constant such as `#-5`, `#0x3f800000` or `#global0+4`.
fn constant(text: &str, width: u32) -> Result<ConstValue, String> {
    let value = || -> Option<ConstValue> {
        let text = text.strip_prefix('#')?;
        if let Some(global) = text.strip_prefix("global") {
            let (symbol, offset) = global.split_once('+').unwrap_or((global, "0"));
            return Some(ConstValue::Global { symbol: symbol.parse().ok()?, offset: offset.parse().ok()? });
        }
        if let Some(offset) = text.strip_prefix("param+") {
            return Some(ConstValue::Param { offset: offset.parse().ok()? });
        }
        if let Some(offset) = text.strip_prefix("const+") {
            return Some(ConstValue::Bank { offset: offset.parse().ok()? });
        }
        let bits = match text.strip_prefix("0x") {
            Some(digits) => u64::from_str_radix(digits, 16).ok()?,
            None => text.parse::<i64>().ok()? as u64 & (u64::MAX >> (64 - width)),
        };
        (bits >> (width - 1) <= 1).then_some(ConstValue::Bits(bits))
    };
    value().ok_or_else(|| format!("`{text}` is not a {width}-bit constant"))
}

/// The remaining text of a line.
struct Words<'a>(&'a str);

impl<'a> Words<'a> {
    /// Returns the next word; empty at the end.
    fn next(&mut self) -> &'a str {
        let text = self.0.trim_start();
        let (word, rest) = text.split_at(text.find(char::is_whitespace).unwrap_or(text.len()));
        self.0 = rest;
        word
    }

    /// Parses operands separated by commas. Text that is not an operand begins the attributes.
    fn operands(&mut self) -> Result<Vec<&'a str>, String> {
        let mut operands = Vec::new();
        loop {
            let text = self.0.trim_start();
            let end = match text.chars().next() {
                Some('{') => text.find('}').map(|at| at + 1),
                Some('[') => text.find(']').map(|at| at + 1),
                _ => Some(text.find([',', ' ']).unwrap_or(text.len())),
            };
            let end = end.ok_or_else(|| format!("`{text}` is not closed"))?;
            let (operand, rest) = text.split_at(end);
            if operands.is_empty() && !is_operand(operand) {
                return Ok(operands);
            }
            operands.push(operand);
            self.0 = rest;
            match rest.trim_start().strip_prefix(',') {
                Some(rest) => self.0 = rest,
                None => return Ok(operands),
            }
        }
    }
}

/// Whether the text is an operand, in contrast to an attribute or nothing.
fn is_operand(text: &str) -> bool {
    let number = text.trim_start_matches(['w', 'd', 'p']);
    text.starts_with(['{', '[', '#', '%']) || number.starts_with(|c: char| c.is_ascii_digit() || c == '#')
}

fn braced(text: &str) -> Result<Vec<&str>, String> {
    let inner = text.strip_prefix('{').and_then(|text| text.strip_suffix('}'));
    inner.map(|inner| inner.split(',').collect()).ok_or_else(|| format!("`{text}` is not a list in braces"))
}

#[cfg(test)]
mod tests;
