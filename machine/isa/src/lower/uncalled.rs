//! Functions that no kernel can reach: their bodies are dropped before they are checked. Compilers
//! keep the functions that they have inlined everywhere, also with instructions that no kernel
//! executes.

use crate::ptx::ast::{Ast, CallTargets, Init, Operand, OperandKind, Statement};
use std::collections::{BTreeMap, BTreeSet};

/// Removes the bodies of the functions whose names no kernel, no variable and no function reached
/// from these mentions. Without a kernel all bodies stay: they
/// are a library.
pub fn drop_uncalled(trees: &mut [Ast]) {
    let all = || trees.iter().flat_map(|tree| &tree.functions);
    if !all().any(|function| function.entry && function.body.is_some())
        || all().all(|function| function.entry)
    {
        return;
    }
    let mut bodies: BTreeMap<&str, Vec<&[Statement]>> = BTreeMap::new();
    let mut open: Vec<&[Statement]> = Vec::new();
    for function in all() {
        let body = function.body.as_deref().unwrap_or_default();
        if function.entry {
            open.push(body);
        } else {
            bodies.entry(function.name.name).or_default().push(body);
        }
    }
    let mut named: BTreeSet<&str> = BTreeSet::new();
    let variables = trees.iter().flat_map(|tree| &tree.variables);
    for init in variables.flat_map(|variable| variable.init.iter().flatten()) {
        if let Init::Address(name, _) | Init::Generic(name, _) = init {
            named.insert(name.name);
        }
    }
    open.extend(named.iter().filter_map(|name| bodies.get(name)).flatten());
    while let Some(body) = open.pop() {
        names(body, &mut |name| {
            if bodies.contains_key(name) && named.insert(name) {
                open.extend(&bodies[name]);
            }
        });
    }
    let uncalled: Vec<bool> =
        all().map(|function| !function.entry && !named.contains(function.name.name)).collect();
    let functions = trees.iter_mut().flat_map(|tree| &mut tree.functions);
    for (function, _) in functions.zip(uncalled).filter(|(_, uncalled)| *uncalled) {
        function.body = None;
    }
}

/// Calls `see` for each name in the operands and call tables of a body.
fn names<'a>(body: &'a [Statement<'a>], see: &mut impl FnMut(&'a str)) {
    for statement in body {
        match statement {
            Statement::Block(inner) => names(inner, see),
            Statement::Instruction(instruction) => {
                for operand in &instruction.operands {
                    operand_names(operand, see);
                }
            }
            Statement::CallTable(table) => {
                if let CallTargets::Functions(functions) = &table.targets {
                    for function in functions {
                        see(function.name);
                    }
                }
            }
            Statement::Variable(_) | Statement::Label(_) | Statement::Loc { .. } => {}
        }
    }
}

fn operand_names<'a>(operand: &'a Operand<'a>, see: &mut impl FnMut(&'a str)) {
    match &operand.kind {
        OperandKind::Name(name) | OperandKind::NameOffset(name, _) => see(name),
        OperandKind::Memory { base: Some(base), .. } => see(base.name),
        OperandKind::Vector(parts) | OperandKind::List(parts) => {
            parts.iter().for_each(|part| operand_names(part, see));
        }
        _ => {}
    }
}
