//! Text form of a program, for people and tests. [`super::assemble`] parses it.
//!
//! ```text
//! text      = { line }                                       `.entry` begins the next program
//! line      = [ head | label | instr ] [ ";" anything ]
//! head      = ".entry" name
//!           | ".func" name "number=" n [ "signature=" n ]    the code of a function, after the kernel's
//!           | ".rows" "w=" n "d=" n "p=" n                   register rows of each file
//!           | ( ".const32" | ".const64" ) [ constant { "," constant } ]      the pools
//! label     = name ":"
//! instr     = [ pc ] [ "@" [ "!" ] row ] micro-op [ operand { "," operand } ] { word }
//! operand   = rows | "[" address "]" | n | "%" special-register
//! rows      = row | row "|" row | "{" row { "," row } "}"    two results; the elements of a vector
//! row       = "w" n | "d" n | "p" n | constant [ "@" n ]     32-bit, 64-bit, predicate
//! constant  = "#" ( integer | "0x" digits | "global" n [ "+" n ] | "param+" n | "const+" n | "true" | "false" )
//! address   = n | [ "d" ] row [ ( "+" | "-" ) n ]              "d" before a constant of 64 bits
//! word      = operation | "reconv=" ( pc | "exit" ) | "volatile" | "fused" | "addr64" | cache | "signature=" n | "imm=" n | "aux=" n
//!                                                             operation: of an atomic, such as "min.s"; cache: an
//!                                                             operator, such as "cg"
//! ```
//!
//! The operands have the order of the micro-op's shape: results, address, sources, then the number
//! or special register in [`Inst::imm`]. A constant is a value of its pool. If the pool contains
//! the value several times, `@` and an index select one. `#param+8` is the parameter at byte 8,
//! `#const+8` the word of constant memory at byte 8. After an address on a constant `#global0+4`
//! the offset is written even if it is 0. Parts of `imm` and `aux` that the operands do not contain
//! follow as words, so that the text is complete.
//!
//! Invariant `disassembly-is-complete`: The text of a lowered program is complete: it parses back
//! to the same code, rows and constants.

use super::program::{ConstValue, FunctionCode, Inst, NO_ROW, Program, TO_EXIT};
use super::{CacheOperator, Op, OperandKind};
use crate::sreg::SReg;
use std::fmt::Write;

/// Returns the text of the whole program.
pub fn program(program: &Program) -> String {
    let mut text = head(program);
    let mut labels = program.labels.iter().peekable();
    let mut functions = program.functions.iter().peekable();
    for (pc, inst) in program.code.iter().enumerate() {
        while let Some(function) = functions.next_if(|function| function.start as usize <= pc) {
            text += &function_head(function);
        }
        while let Some((_, name)) = labels.next_if(|(at, _)| *at as usize <= pc) {
            let _ = writeln!(text, "{name}:");
        }
        let _ = writeln!(text, "{pc:>7}  {}", instruction(program, inst));
    }
    text
}

/// Returns the lines before the code: name, rows, pools of constants.
pub fn head(program: &Program) -> String {
    let rows = program.rows;
    let mut text = format!(".entry {}\n.rows w={} d={} p={}\n", program.name, rows.w, rows.d, rows.p);
    for (name, pool, width) in [(".const32", &program.const32, 32), (".const64", &program.const64, 64)] {
        if !pool.is_empty() {
            let values: Vec<String> = pool.iter().map(|value| constant(*value, width)).collect();
            let _ = writeln!(text, "{name} {}", values.join(", "));
        }
    }
    text
}

/// Returns the line before the code of a function.
pub fn function_head(function: &FunctionCode) -> String {
    let signature = function.signature.map_or(String::new(), |number| format!(" signature={number}"));
    format!(".func {} number={}{signature}\n", function.name, function.number)
}

/// Returns the text of one instruction, without its PC.
pub fn instruction(program: &Program, inst: &Inst) -> String {
    let mut text = String::new();
    if let Some((row, negated)) = inst.guard.get() {
        let not = if negated { "!" } else { "" };
        let _ = write!(text, "@{not}{} ", operand(program, OperandKind::P, row));
    }
    text += inst.op.text();
    let mut operands = Vec::new();
    let vector = inst.op.shape().elements() > 1;
    let listed = |rows: &mut dyn Iterator<Item = (OperandKind, u16)>| {
        let rows: Vec<String> = rows.map(|(kind, row)| operand(program, kind, row)).collect();
        if vector && !rows.is_empty() { format!("{{{}}}", rows.join(", ")) } else { rows.join(", ") }
    };
    operands.push(if vector {
        listed(&mut inst.dsts())
    } else {
        inst.dsts().map(|(kind, row)| operand(program, kind, row)).collect::<Vec<_>>().join("|")
    });
    let mut sources = inst.srcs().peekable();
    let mut written = Written::default();
    if let Some((_, row)) = sources.next_if(|(kind, _)| *kind == OperandKind::Addr) {
        operands.push(address(program, inst, row));
        written = Written { imm: true, aux: 0 };
        written.imm = inst.op != Op::CallInd || row == NO_ROW;
        if row != NO_ROW {
            written.aux = inst.aux & Inst::ADDR64;
        }
    }
    operands.push(listed(&mut sources));
    operands.retain(|text| !text.is_empty());
    let number = match (inst.op, SReg::from_code(inst.imm)) {
        (Op::Bra | Op::BarSync | Op::Call, _) => Some(inst.imm.to_string()),
        (Op::MovSreg | Op::MovSreg64, Some(register)) => Some(register.name().to_owned()),
        _ => None,
    };
    written.imm |= number.is_some() || inst.imm == 0 && inst.op != Op::CallInd;
    operands.extend(number);
    if !operands.is_empty() {
        let _ = write!(text, " {}", operands.join(", "));
    }
    words(&mut text, inst, written);
    text
}

/// The parts of an instruction that its operands already contain.
#[derive(Clone, Copy, Default)]
struct Written {
    /// Whether [`Inst::imm`] is written.
    imm: bool,
    /// Bits of [`Inst::aux`] that are written.
    aux: u32,
}

/// Appends the parts of an instruction that its operands do not contain.
fn words(text: &mut String, inst: &Inst, mut written: Written) {
    if inst.op == Op::Bra && inst.guard.get().is_some() {
        let _ = match inst.aux {
            TO_EXIT => write!(text, " reconv=exit"),
            pc => write!(text, " reconv={pc}"),
        };
    }
    if inst.op == Op::Bra {
        // The reconvergence point of an unguarded branch has no meaning; lowering sets it to the
        // end of the kernel.
        let meant = inst.guard.get().is_some() || inst.aux == TO_EXIT;
        written.aux = if meant { u32::MAX } else { 0 };
    }
    if let Some(operation) = inst.operation().filter(|_| inst.op.is_atomic()) {
        let _ = write!(text, " {}", operation.name());
        written.aux |= u32::MAX << Inst::OPERATION_SHIFT;
    }
    if inst.op.shape().srcs().first() == Some(&OperandKind::Addr) {
        let operator = inst.cache();
        if operator != CacheOperator::Default && !inst.op.is_atomic() {
            let _ = write!(text, " {}", operator.name());
            written.aux |= Inst::CACHE_BITS;
        }
        for (flag, word) in [(Inst::VOLATILE, " volatile"), (Inst::ADDR64, " addr64")] {
            if inst.aux & flag & !written.aux != 0 {
                *text += word;
                written.aux |= flag;
            }
        }
    }
    if inst.fused().is_some() {
        *text += " fused";
        written.aux |= Inst::FUSED;
    }
    if !written.imm {
        let word = if inst.op == Op::CallInd { "signature" } else { "imm" };
        let _ = write!(text, " {word}={}", inst.imm);
    }
    if inst.aux & !written.aux != 0 || inst.op == Op::Bra && written.aux == 0 {
        let _ = write!(text, " aux={:#x}", inst.aux & !written.aux);
    }
}

fn operand(program: &Program, kind: OperandKind, row: u16) -> String {
    let (letter, registers, pool) = match kind {
        OperandKind::W | OperandKind::Addr => ('w', program.rows.w, Some(&program.const32)),
        OperandKind::D => ('d', program.rows.d, Some(&program.const64)),
        OperandKind::P => ('p', program.rows.p, None),
    };
    let place = row.wrapping_sub(registers) as usize;
    match pool.and_then(|pool| Some((pool, pool.get(place)?))) {
        _ if row < registers => format!("{letter}{row}"),
        Some((pool, value)) => {
            let text = constant(*value, if letter == 'w' { 32 } else { 64 });
            let first = pool.iter().position(|other| other == value);
            if first == Some(place) { text } else { format!("{text}@{place}") }
        }
        None if letter == 'p' && place < 2 => format!("#{}", place == 1),
        None => format!("{letter}{row}?"),
    }
}

fn constant(value: ConstValue, width: u32) -> String {
    match value {
        ConstValue::Bits(bits) => number(bits, width),
        ConstValue::Global { symbol, offset: 0 } => format!("#global{symbol}"),
        ConstValue::Global { symbol, offset } => format!("#global{symbol}+{offset}"),
        ConstValue::Param { offset } => format!("#param+{offset}"),
        ConstValue::Bank { offset } => format!("#const+{offset}"),
    }
}

/// Returns a constant: in decimal, as a signed number, if it is short, otherwise in hexadecimal.
fn number(bits: u64, width: u32) -> String {
    let shift = 64 - width;
    match ((bits << shift) as i64) >> shift {
        small @ -9999..=9999 => format!("#{small}"),
        _ => format!("#{bits:#x}"),
    }
}

fn address(program: &Program, inst: &Inst, row: u16) -> String {
    let kind = if inst.aux & Inst::ADDR64 == 0 { OperandKind::W } else { OperandKind::D };
    if row == NO_ROW {
        return format!("[{}]", inst.imm);
    }
    let mut base = operand(program, kind, row);
    if kind == OperandKind::D && base.starts_with('#') {
        base.insert(0, 'd');
    }
    match inst.imm as i32 {
        _ if inst.op == Op::CallInd => base,
        0 if !base.contains('+') => format!("[{base}]"),
        offset => format!("[{base}{offset:+}]"),
    }
}
