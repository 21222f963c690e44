//! Finds the kernel that a launch names, and the arguments of its parameters.

use super::Spanned;
use super::argument::{Argument, Arguments};
use super::value::{Number, encode, is_float};
use crate::mangled;
use isa::types::ScalarType;
use isa::uop::{Module, Param, Program};
use std::sync::Arc;

/// Returns the kernel with this name in PTX or, if only one kernel has it, in CUDA C.
pub fn kernel<'m>(module: &'m Module, name: &str) -> Option<&'m Arc<Program>> {
    let by_c_name = || module.entries.iter().find(|program| c_name(module, program) == name);
    module.entry(name).or_else(by_c_name)
}

/// Returns the name of a kernel in CUDA C. If kernels share the name, or if it is the PTX name of
/// another kernel, the result is the name in PTX.
pub fn c_name<'p>(module: &Module, program: &'p Program) -> &'p str {
    let Some(name) = mangled::function(&program.name) else { return &program.name };
    let shared = |other: &Arc<Program>| {
        other.name != program.name && (other.name == name || mangled::function(&other.name) == Some(name))
    };
    if module.entries.iter().any(shared) { &program.name } else { name }
}

/// Returns the arguments in the order of the kernel's parameters; arguments without a parameter and
/// wrong ones, which have been reported, are absent.
pub fn in_order<'a>(arguments: &'a Arguments, params: &[Param]) -> Vec<&'a Spanned<Argument>> {
    let named = arguments.value.iter().any(|given| given.name.is_some());
    if !named {
        return arguments.value.iter().filter_map(|given| given.value.as_ref()).collect();
    }
    let of = |param: &Param| {
        let is = |name: &Spanned<String>| name.value == param.name;
        arguments.value.iter().find(|given| given.name.as_ref().is_some_and(is))?.value.as_ref()
    };
    params.iter().filter_map(of).collect()
}

/// Returns the bytes of a number without a type as a parameter. Integers may be signed or unsigned,
/// because PTX often declares a signed parameter as unsigned.
pub fn number(number: Number, param: &Param) -> Result<Vec<u8>, String> {
    let ty = match (param.bytes, is_float(param.ty)) {
        (bytes, _) if bytes != param.ty.bytes() => {
            return Err("the parameter is an array; use `bytes([…])`".to_owned());
        }
        (_, true) => param.ty,
        (1, _) => ScalarType::B8,
        (2, _) => ScalarType::B16,
        (4, _) => ScalarType::B32,
        _ => ScalarType::B64,
    };
    let mut bytes = Vec::new();
    encode(ty, number, &mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_by_either_name() {
        let text = ".version 2.3\n.target sm_20\n.entry _Z1aPf () { exit; }\n.entry _Z1bi () { exit; }\n\
                    .entry _Z1bf () { exit; }\n";
        let module = isa::compile("k.ptx", text).0.expect("it compiles");
        let found = |name| kernel(&module, name).map(|program| program.name.as_str());
        assert_eq!(found("a"), Some("_Z1aPf"));
        assert_eq!(found("_Z1aPf"), Some("_Z1aPf"));
        assert_eq!(found("b"), None);
        assert_eq!(found("_Z1bi"), Some("_Z1bi"));
        let names: Vec<&str> = module.entries.iter().map(|program| c_name(&module, program)).collect();
        assert_eq!(names, ["a", "_Z1bi", "_Z1bf"]);
    }
}
