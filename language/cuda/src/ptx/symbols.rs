//! Variables of the module.

use crate::opencl::samplers;
use crate::ssa::{Module, Object, Op, Space, Symbol};
use crate::target::Target;
use std::fmt::Write as _;

/// The function that alone uses each shared variable; such variables are declared inside it.
pub(super) fn owners(module: &Module) -> Vec<Option<usize>> {
    let mut owners = vec![None; module.symbols.len()];
    let mut shared = vec![false; module.symbols.len()];
    for (index, function) in module.functions.iter().enumerate() {
        for value in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Address(symbol) = function.op(*value) {
                match owners[symbol.at()] {
                    None => owners[symbol.at()] = Some(index),
                    Some(owner) if owner == index => {}
                    Some(_) => shared[symbol.at()] = true,
                }
            }
        }
    }
    for (index, symbol) in module.symbols.iter().enumerate() {
        if shared[index] || symbol.space != Space::Shared || symbol.external {
            owners[index] = None;
        }
    }
    owners
}

/// Writes the variables at module scope that are used or that the host can find.
pub(super) fn emit(module: &Module, owners: &[Option<usize>], target: Target, out: &mut String) {
    let used = used(module);
    // A variable whose address is in an initial value precedes that value.
    let mut order: Vec<usize> = Vec::new();
    let mut seen = vec![false; module.symbols.len()];
    for index in 0..module.symbols.len() {
        visit(module, index, &mut order, &mut seen, 0);
    }
    for index in order {
        let symbol = &module.symbols[index];
        if owners[index].is_none() && (used[index] || symbol.visible) {
            declare(symbol, module, target, out);
        }
    }
}

fn visit(module: &Module, index: usize, order: &mut Vec<usize>, seen: &mut [bool], depth: usize) {
    if seen[index] || depth > 64 {
        return;
    }
    for (_, symbol, _) in &module.symbols[index].relocations {
        visit(module, symbol.at(), order, seen, depth + 1);
    }
    if !std::mem::replace(&mut seen[index], true) {
        order.push(index);
    }
}

fn used(module: &Module) -> Vec<bool> {
    let mut used = vec![false; module.symbols.len()];
    for function in &module.functions {
        for value in function.blocks.iter().flat_map(|block| &block.insts) {
            let mut object = |object: Object| {
                if let Object::Symbol(symbol) = object {
                    used[symbol.at()] = true;
                }
            };
            match function.op(*value) {
                Op::Address(symbol) => used[symbol.at()] = true,
                Op::Tex(tex) => [tex.texture].into_iter().chain(tex.sampler).for_each(&mut object),
                Op::Surface(access) => object(access.surface),
                _ => {}
            }
        }
    }
    let mut work: Vec<usize> = (0..used.len()).filter(|i| used[*i] || module.symbols[*i].visible).collect();
    while let Some(index) = work.pop() {
        for (_, symbol, _) in &module.symbols[index].relocations {
            if !used[symbol.at()] {
                used[symbol.at()] = true;
                work.push(symbol.at());
            }
        }
    }
    used
}

/// Writes one variable.
pub(super) fn declare(symbol: &Symbol, module: &Module, target: Target, out: &mut String) {
    if symbol.texture {
        let kind = if target.is_fermi() { ".global .texref" } else { ".tex .u32" };
        let _ = writeln!(out, "\t{kind} {};", symbol.name);
        return;
    }
    if symbol.surface {
        let _ = writeln!(out, "\t.global .surfref {};", symbol.name);
        return;
    }
    if let Some(value) = symbol.sampler {
        let _ = writeln!(out, "\t.global .samplerref {} = {{ {} }};", symbol.name, sampler(value));
        return;
    }
    let space = symbol.space.suffix();
    if symbol.external {
        let align = symbol.align.max(16);
        let _ = writeln!(out, "\t.extern {space} .align {align} .b8 {}[];", symbol.name);
        return;
    }
    let (align, name) = (symbol.align, &symbol.name);
    if !symbol.relocations.is_empty() || !symbol.code.is_empty() {
        addresses(symbol, module, target, out);
        return;
    }
    let _ = write!(out, "\t{space} .align {align} .b8 {name}[{}]", symbol.size.max(1));
    if !symbol.init.is_empty() && symbol.space != Space::Shared {
        out.push_str(" = {");
        // Zeros at the end are implied.
        let end = symbol.init.iter().rposition(|byte| *byte != 0).map_or(1, |last| last + 1);
        for (index, byte) in symbol.init[..end].iter().enumerate() {
            let _ = write!(out, "{}{byte}", if index == 0 { "" } else { ", " });
        }
        out.push('}');
    }
    out.push_str(";\n");
}

/// The properties of a sampler of OpenCL C.
fn sampler(value: u32) -> String {
    let has = |bits: u32| value & bits == bits;
    // Without a mode, positions outside are undefined: they are the nearest texels.
    let address = match value & samplers::ADDRESS {
        samplers::CLAMP => "clamp_to_border",
        samplers::REPEAT => "wrap",
        samplers::MIRRORED_REPEAT => "mirror",
        _ => "clamp_to_edge",
    };
    let filter = if has(samplers::LINEAR) { "linear" } else { "nearest" };
    let unnormalized = u32::from(!has(samplers::NORMALIZED));
    format!(
        "addr_mode_0 = {address}, addr_mode_1 = {address}, addr_mode_2 = {address}, \
         filter_mode = {filter}, force_unnormalized_coords = {unnormalized}"
    )
}

/// A variable with addresses in its initial value: an array of words of the size of pointers.
fn addresses(symbol: &Symbol, module: &Module, target: Target, out: &mut String) {
    let bytes = usize::from(target.pointer_bytes);
    let count = symbol.init.len().div_ceil(bytes).max(1);
    let (space, align) = (symbol.space.suffix(), symbol.align.max(u32::from(target.pointer_bytes)));
    let _ = write!(out, "\t{space} .align {align} .u{} {}[{count}] = {{", 8 * bytes, symbol.name);
    for index in 0..count {
        let separator = if index == 0 { "" } else { ", " };
        let at = (index * bytes) as u64;
        if let Some((_, function)) = symbol.code.iter().find(|(offset, _)| *offset == at) {
            let _ = write!(out, "{separator}{}", module.functions[function.at()].name);
            continue;
        }
        match symbol.relocations.iter().find(|(offset, ..)| *offset == at) {
            Some((_, other, 0)) => {
                let _ = write!(out, "{separator}{}", module.symbols[other.at()].name);
            }
            Some((_, other, plus)) => {
                let _ = write!(out, "{separator}{}+{plus}", module.symbols[other.at()].name);
            }
            None => {
                let mut word = [0u8; 8];
                let part = &symbol.init[(index * bytes).min(symbol.init.len())..];
                let part = &part[..part.len().min(bytes)];
                word[..part.len()].copy_from_slice(part);
                let _ = write!(out, "{separator}{}", u64::from_le_bytes(word));
            }
        }
    }
    out.push_str("};\n");
}
