//! PTX text from SSA.

mod asm;
mod body;
mod call;
mod instruction;
mod legalize;
mod lines;
mod memory;
mod registers;
mod symbols;
pub(crate) mod variables;

use crate::hir::Program;
use crate::options::Options;
use crate::source::Sources;
use crate::ssa::{Function, KernelParam, Module, Op, Ty};
use isa::variables::Variables;
use std::fmt::Write as _;

/// Writes a module as PTX. Returns the text, and the variables of its program in it.
pub fn emit(module: &Module, program: &Program, options: &Options, sources: &Sources) -> (String, Variables) {
    let target = program.target;
    let mut variables = variables::of(program, sources);
    let mut out = String::with_capacity(1 << 14);
    let fermi = target.is_fermi();
    let is_later = target.architecture() > target.capability;
    let version = match (fermi, has_newer_shapes(module)) {
        // Inline PTX can use what the chip has of later versions.
        _ if is_later => "6.2",
        // Pointer parameters with a state space exist from 2.2 on.
        (false, _) if module.typed_pointers => "2.3",
        (false, _) => "1.4",
        (true, false) => "2.3",
        (true, true) => "3.0",
    };
    let has_objects =
        module.functions.iter().any(|function| function.kernel_params.iter().any(KernelParam::is_object));
    let texmode = if has_objects { ", texmode_independent" } else { "" };
    let _ = write!(out, "\t.version {version}\n\t.target {}{texmode}\n", target.name());
    if fermi && target.pointer_bytes == 8 {
        out.push_str("\t.address_size 64\n");
    }
    let mut lines = lines::Lines::new(module, sources, options);
    lines.files(module, &mut out);
    // The initial values of variables may have addresses of functions.
    declarations(module, &mut out);
    let owners = symbols::owners(module);
    symbols::emit(module, &owners, target, &mut out);
    let names = body::Names::new(module, &owners);
    for function in module.functions.iter().filter(|function| !function.blocks.is_empty()) {
        out.push('\n');
        body::emit(function, &names, target, options, &mut lines, &mut variables, &mut out);
    }
    (out, variables)
}

/// Declarations of device functions and of the functions of the device library.
fn declarations(module: &Module, out: &mut String) {
    let mut library: Vec<&'static str> = Vec::new();
    for function in &module.functions {
        for value in function.blocks.iter().flat_map(|block| &block.insts) {
            if let Op::Library(name, _) = function.op(*value)
                && !library.contains(name)
            {
                library.push(name);
            }
        }
    }
    for name in library {
        let text = match name {
            "vprintf" => "(.param .b32 result) vprintf (.param .b64 format, .param .b64 arguments)",
            "malloc" => "(.param .b64 result) malloc (.param .b64 size)",
            "free" => "free (.param .b64 address)",
            _ => {
                "__assertfail (.param .b64 message, .param .b64 file, .param .b32 line, \
                 .param .b64 function, .param .b64 size)"
            }
        };
        let _ = writeln!(out, ".extern .func {text};");
    }
    for function in module.functions.iter().filter(|function| !function.kernel && !function.blocks.is_empty())
    {
        let _ = writeln!(out, "{};", signature(function));
    }
}

/// The type of a parameter in the parameter space.
fn bits(ty: Ty) -> &'static str {
    match ty {
        Ty::I64 => "b64",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
        _ => "b32",
    }
}

/// The head of a device function.
fn signature(function: &Function) -> String {
    let params: Vec<String> = function
        .params
        .iter()
        .enumerate()
        .map(|(index, ty)| format!(".param .{} {}_param_{index}", bits(*ty), function.name))
        .collect();
    let result = match function.result {
        Ty::Void => String::new(),
        ty => format!("(.param .{} result) ", bits(ty)),
    };
    format!(".func {result}{} ({})", function.name, params.join(", "))
}

/// Whether faces of textures or layers of surfaces are accessed: PTX has them from 3.0 on.
fn has_newer_shapes(module: &Module) -> bool {
    module.functions.iter().any(|function| {
        let mut ops = function.blocks.iter().flat_map(|block| &block.insts).map(|value| function.op(*value));
        ops.any(|op| match op {
            Op::Tex(tex) => matches!(tex.geometry, "cube" | "acube"),
            Op::Surface(access) => matches!(access.geometry, "a1d" | "a2d"),
            _ => false,
        })
    })
}
