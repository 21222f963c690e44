//! What debuggers need: the variables of the source, and the registers and memory of their values.

use super::registers::Registers;
use crate::hir::{ExprKind, Program, Type as HirType, visit};
use crate::source::Sources;
use crate::ssa::{Assigned, Function, Loc, Module, Value, Variable};
use isa::types::ScalarType;
use isa::variables::{Field, Local, Silent, Symbol, Type, Variables, Write};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The types, the variables in memory and the functions of a program.
pub(crate) fn of(program: &Program, sources: &Sources) -> Variables {
    let types = &program.types;
    let ty = |ty: HirType| match ty {
        HirType::Void => Type::Void,
        HirType::Bool => Type::Bool,
        HirType::Int(int) => Type::Scalar(match (int.bits, int.signed) {
            (8, true) => ScalarType::S8,
            (8, false) => ScalarType::U8,
            (16, true) => ScalarType::S16,
            (16, false) => ScalarType::U16,
            (32, true) => ScalarType::S32,
            (32, false) => ScalarType::U32,
            (_, true) => ScalarType::S64,
            (_, false) => ScalarType::U64,
        }),
        HirType::F32 => Type::Scalar(ScalarType::F32),
        HirType::F64 => Type::Scalar(ScalarType::F64),
        HirType::Pointer(to, _) => Type::Pointer(to.0, program.target.pointer_bytes),
        HirType::FunctionPointer(_) => Type::Pointer(0, program.target.pointer_bytes),
        HirType::Array(element, count) => Type::Array(element.0, count),
        HirType::Struct(id) => {
            let layout = types.layout(id);
            let field = |field: &crate::hir::Field| Field {
                name: field.name.clone(),
                ty: field.ty.0,
                offset: field.offset,
                bits: field.bits,
            };
            Type::Struct(layout.fields.iter().map(field).collect(), layout.size)
        }
    };
    let symbols = program.globals.iter().filter(|global| !global.name.is_empty()).map(|global| Symbol {
        name: global.name.clone(),
        symbol: global.symbol.clone(),
        ty: global.ty.0,
        c_type: global.c_type.clone(),
    });
    let functions = program.functions.iter().map(|function| {
        let line = |span| sources.location(span).map_or(0, |at| at.line);
        let file = sources.location(function.span).map(|at| sources.file(at.file).name.clone());
        let mut calls = Vec::new();
        visit::statements(&function.body, &mut |expr| {
            if let ExprKind::Call(callee, _) = &expr.kind {
                calls.push(callee.0);
            }
        });
        calls.sort_unstable();
        calls.dedup();
        let lines = (line(function.span), line(function.end));
        let first = function.body.first().map_or(lines.0, |statement| line(statement.span));
        let name = function.name.clone();
        isa::variables::Function { name, first, file: file.unwrap_or_default(), lines, calls }
    });
    Variables {
        types: types.iter().map(ty).collect(),
        symbols: symbols.collect(),
        locals: Vec::new(),
        functions: functions.collect(),
    }
}

/// The instructions of a function as they were written.
pub(super) struct Written<'a> {
    pub(super) f: &'a Function,
    /// Names of the parameters of a kernel.
    pub(super) params: &'a [String],
    pub(super) registers: &'a Registers,
    /// Values of variables, each with the line after which its register has it.
    pub(super) writes: &'a [(u32, Value)],
    /// Slots in local memory.
    pub(super) used: &'a [bool],
}

/// Number of instructions that write each variable at each place.
fn made(body: &Written<'_>) -> FxHashMap<(Variable, Loc), u32> {
    let mut made = FxHashMap::default();
    for (_, value) in body.writes {
        let data = &body.f.values[value.at()];
        if let Some(variable) = data.variable {
            *made.entry((variable, data.loc)).or_insert(0) += 1;
        }
    }
    made
}

/// Adds the variables of a function whose instructions begin after so many lines of the PTX.
pub(super) fn locals(body: &Written<'_>, module: &Module, all: &mut Variables, lines: u32) {
    let f = body.f;
    let first = all.locals.len();
    let loops: Arc<[(u32, u32)]> = f.loops.iter().copied().collect();
    let made = made(body);
    let mut slots: Vec<Option<usize>> = vec![None; f.locals.len()];
    for (slot, _) in body.used.iter().enumerate().filter(|(_, used)| **used) {
        if let Some(local) = f.slots[slot].local {
            slots[local as usize].get_or_insert(slot);
        }
    }
    for (index, local) in f.locals.iter().enumerate() {
        let memory = slots[index];
        // Whether each execution of an assignment writes a register.
        let is_written = |one: &&Assigned| {
            let variable = Variable { local: index as u32, offset: one.offset };
            one.made > 0 && made.get(&(variable, one.loc)).is_some_and(|made| *made >= one.made)
        };
        let silent = local.assigned.iter().filter(|one| !is_written(one));
        let silent =
            silent.map(|one| Silent { line: one.loc.line, offset: one.offset, constant: one.constant });
        let mut silent: Vec<Silent> = silent.collect();
        silent.sort_by_key(|one| (one.line, one.offset));
        silent.dedup();
        all.locals.push(Local {
            name: local.name.clone(),
            ty: local.ty,
            c_type: local.c_type.clone(),
            function: f.name.clone(),
            file: module.files.get(local.loc.file as usize - 1).cloned().unwrap_or_default(),
            scope: (local.loc.line, local.last),
            parameter: local.parameter.and_then(|index| body.params.get(index).cloned()),
            memory: memory.map(|slot| format!("__local_{slot}")),
            writes: Vec::new(),
            loops: if local.is_inlined { Arc::new([(0, u32::MAX)]) } else { Arc::clone(&loops) },
            silent,
        });
    }
    for &(line, value) in body.writes {
        let Some(variable) = f.values[value.at()].variable else { continue };
        let (line, register) = (lines + line, body.registers.name(f, value));
        let write = Write { line, register, offset: variable.offset };
        all.locals[first + variable.local as usize].writes.push(write);
    }
}
