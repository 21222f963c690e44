//! PTX names of registers that nothing wrote.
//!
//! Rows of registers have no names. The candidates are the registers that the text of the reading
//! instruction names as operands. The register is the candidate that no instruction of the text
//! writes, or that an instruction writes to the same row on a path to this read. If there is none,
//! the sources of moves to the candidates are candidates. Without a single such candidate the
//! finding names no register.

use super::rule::Rule;
use crate::exec::ways;
use isa::uop::{OperandKind, Program};
use std::collections::BTreeSet;

/// Returns the name of the register in row `slot` that the instruction at `pc` reads.
pub fn of(program: &Program, pc: u32, slot: u32) -> Option<String> {
    let source = &program.ptx.text;
    let statements: Vec<&str> = source.split(';').map(start).collect();
    let mut operands = sources(program.ptx_text(pc));
    operands.retain(|name| is_declared(source, name));
    let written: BTreeSet<&str> = statements.iter().copied().flat_map(destinations).collect();
    let writers = writers(program, pc, slot);
    let here: BTreeSet<&str> = writers.iter().flat_map(|pc| destinations(program.ptx_text(*pc))).collect();
    let known = |operands: &[&str]| {
        let only = |is: &dyn Fn(&str) -> bool| {
            let mut all = operands.iter().filter(|name| is(name));
            let first = all.next();
            first.filter(|_| all.next().is_none()).map(|name| (*name).to_owned())
        };
        only(&|name| !written.contains(name)).or_else(|| only(&|name| here.contains(name)))
    };
    known(&operands).or_else(|| {
        // The optimizer replaces a copy by its source.
        let mut next = 0;
        while let Some(copy) = operands.get(next).copied() {
            let moves = statements.iter().filter(|text| operation(text).starts_with("mov."));
            for text in moves.filter(|text| destinations(text).any(|name| name == copy)) {
                for name in sources(text) {
                    if is_declared(source, name) && !operands.contains(&name) {
                        operands.push(name);
                    }
                }
            }
            next += 1;
        }
        known(&operands)
    })
}

/// Whether row `slot` is the carry that the instruction at `pc` adds or subtracts.
pub fn is_carry(program: &Program, pc: u32, slot: u32) -> bool {
    let operation = operation(program.ptx_text(pc));
    let carries = ["addc.", "subc.", "madc."].iter().any(|name| operation.starts_with(name));
    let kinds = program.code[pc as usize].op.shape().srcs();
    let rule = Rule::all(program)[pc as usize];
    carries && kinds.iter().zip(rule.srcs).any(|(kind, of)| *kind == OperandKind::P && of == slot)
}

/// Returns the instructions that can write row `slot` last before `pc`.
fn writers(program: &Program, pc: u32, slot: u32) -> Vec<u32> {
    let rules = Rule::all(program);
    let mut before = vec![Vec::new(); program.code.len()];
    for from in 0..program.code.len() as u32 {
        ways::after(program, from).for_each(|to| before[to as usize].push(from));
    }
    let mut found = Vec::new();
    let mut seen = vec![false; program.code.len()];
    let mut open = vec![pc];
    while let Some(at) = open.pop() {
        for from in &before[at as usize] {
            if std::mem::replace(&mut seen[*from as usize], true) {
                continue;
            }
            if rules[*from as usize].dsts.contains(&slot) {
                found.push(*from);
            } else {
                open.push(*from);
            }
        }
    }
    found
}

/// Operation of an instruction.
fn operation(text: &str) -> &str {
    parts(text).1.split(char::is_whitespace).next().unwrap_or("")
}

/// Splits the text of an instruction into guard and operands, without the operation.
fn split(text: &str) -> (Option<&str>, &str) {
    let (guard, text) = parts(text);
    (guard, text.split_once(char::is_whitespace).map_or("", |(_, operands)| operands).trim())
}

/// Splits the text of an instruction into guard and instruction.
fn parts(text: &str) -> (Option<&str>, &str) {
    let text = text.trim().trim_end_matches(';');
    let (guard, text) = match text.strip_prefix('@') {
        Some(rest) => {
            let (guard, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            (Some(guard.trim_start_matches('!')), rest)
        }
        None => (None, text),
    };
    (guard, text.trim_start())
}

/// Whether a text can be the name of a register.
fn is_register(name: &&str) -> bool {
    let word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '%');
    !name.is_empty() && name.chars().all(word) && !name.starts_with(|c: char| c.is_ascii_digit())
}

/// Whether a `.reg` in the text declares a register: by its name, or in a range such as `%r<5>`.
fn is_declared(source: &str, name: &str) -> bool {
    source.split(".reg").skip(1).any(|rest| {
        let list = rest.split(';').next().unwrap_or("");
        // The type, and the size of a vector.
        let names = list.split([',', ' ', '\t', '\n']).map(str::trim).filter(|word| !word.starts_with('.'));
        names.into_iter().any(|declared| match declared.split_once('<') {
            Some((prefix, _)) => {
                name.strip_prefix(prefix).is_some_and(|number| number.parse::<u32>().is_ok())
            }
            None => declared == name,
        })
    })
}

/// Splits the operands into the first one, or the braces around a first vector, and the others.
fn halves(operands: &str) -> (&str, &str) {
    match operands.strip_prefix('{') {
        Some(list) => list.split_once('}').unwrap_or((list, "")),
        None => operands.split_once(',').unwrap_or((operands, "")),
    }
}

/// Registers that an instruction writes by its text.
fn destinations(text: &str) -> impl Iterator<Item = &str> {
    let (first, _) = halves(split(text).1);
    let address = first.starts_with('[');
    first
        .split([',', '|'])
        .map(|name| name.trim().trim_matches(['(', ')']))
        .filter(move |name| !address && is_register(name))
}

/// Removes comments, braces and labels in front of an instruction.
fn start(mut statement: &str) -> &str {
    loop {
        statement = statement.trim_start_matches(|c: char| c.is_whitespace() || matches!(c, '{' | '}'));
        if statement.starts_with("//") {
            statement = statement.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some((_, rest)) = statement.split_once(':').filter(|(name, _)| is_register(name)) {
            statement = rest;
        } else {
            return statement;
        }
    }
}

/// Registers and other names that an instruction reads by its text, each once.
fn sources(text: &str) -> Vec<&str> {
    let (guard, operands) = split(text);
    let (first, rest) = halves(operands);
    let reads = if first.starts_with('[') || rest.trim().is_empty() { operands } else { rest };
    let names = reads.split([',', '[', ']', '+', '{', '}', '!', '-', '(', ')']).map(str::trim);
    let mut all = Vec::new();
    for name in guard.into_iter().chain(names).filter(is_register) {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_are_destinations_or_sources() {
        let of = |text| (destinations(text).collect::<Vec<_>>(), sources(text));
        assert_eq!(of("add.f32 %f3, %f1, %f2;"), (vec!["%f3"], vec!["%f1", "%f2"]));
        let load = of("@!%p1 ld.global.v2.f32 {%f1, %f2}, [%r1+4];");
        assert_eq!(load, (vec!["%f1", "%f2"], vec!["%p1", "%r1"]));
        assert_eq!(of("st.global.v2.u32 [%to], {%t, %v};"), (vec![], vec!["%to", "%t", "%v"]));
        assert_eq!(of("setp.lt.u32 %p|%q, %a, 5;"), (vec!["%p", "%q"], vec!["%a"]));
    }

    #[test]
    fn statements_begin_after_labels_and_comments() {
        assert_eq!(start(" // a: b\n again:\n\tadd.u32 %a, %b, 1"), "add.u32 %a, %b, 1");
        assert_eq!(start("{\n ld.global.v2.u32 {%a, %b}, [%c]"), "ld.global.v2.u32 {%a, %b}, [%c]");
    }

    #[test]
    fn declarations_name_registers_or_ranges() {
        let source = ".reg .u32 %t, %off; .reg .v2 .f32 %pair;\n.reg .pred %p<3>;";
        let declared = |name| is_declared(source, name);
        assert!(["%t", "%off", "%pair", "%p0", "%p12"].into_iter().all(declared));
        assert!(!["tile", "%p", "%q", "%of", "u32"].into_iter().any(declared));
    }
}
