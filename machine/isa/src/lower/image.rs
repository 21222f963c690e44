//! Initial values of variables: bytes, and the addresses of other variables and functions among
//! them.

use super::functions::Functions;
use super::layout::ModuleLayout;
use super::literal;
use super::modules::Modules;
use crate::diag::Diagnostic;
use crate::generic::base;
use crate::ptx::ast::{Init, Literal, Variable};
use crate::ptx::parse::parse_part;
use crate::types::StateSpace;
use crate::uop::FunctionCode;

/// Functions that a compiler puts in place of functions without a body, into the tables of virtual
/// functions. No file defines them; a call traps, because no function has their address.
const ABSTRACT: [&str; 2] = ["__cxa_pure_virtual", "__cxa_deleted_virtual"];

/// Initial bytes, and the relocations in them, as in [`Symbol::relocs`].
pub type Image = (Vec<u8>, Vec<(u32, u32, u64, u8)>);

/// Returns the initial bytes of the `.global` variable `name` of a PTX text, without trailing zeros
/// that the text leaves out; addresses are 0. `None` if the text has no such variable.
pub fn initial_bytes(text: &str, name: &str) -> Option<Vec<u8>> {
    let (tree, _) = parse_part(text, 0);
    let known = |variable: &&Variable| variable.space == StateSpace::Global && variable.title() == name;
    let variable = tree.variables.iter().find(known)?;
    let size = variable.ty.bytes() as usize;
    let bits = |init: &Init| match init {
        Init::Value(value, _) => literal::bits(*value, variable.ty).map_or(0, |literal| literal.bits),
        Init::Address(..) | Init::Generic(..) => 0,
    };
    let values = variable.init.as_deref().unwrap_or_default().iter().map(bits);
    Some(values.flat_map(|bits| bits.to_le_bytes().into_iter().take(size)).collect())
}

/// Returns the initial bytes of a variable and the relocations in them.
pub fn image(
    variable: &Variable,
    modules: &Modules,
    functions: &Functions,
    layout: &ModuleLayout,
    diagnostics: &mut Vec<Diagnostic>,
) -> Image {
    let size = variable.ty.bytes() as usize;
    let (mut bytes, mut relocs) = (Vec::new(), Vec::new());
    for init in variable.init.as_deref().unwrap_or(&[]) {
        let mut bits = 0;
        match init {
            // The parser pads with an integer zero for every type.
            Init::Value(Literal::Int { value: 0, .. }, _) => {}
            Init::Value(value, span) => match literal::bits(*value, variable.ty) {
                Ok(literal) => bits = literal.bits,
                Err(problem) => diagnostics.push(problem.diagnostic(*span, variable.ty)),
            },
            Init::Address(name, offset) | Init::Generic(name, offset) => {
                let generic = matches!(init, Init::Generic(..));
                let number = modules.variable(variable.module, name.name);
                let place = number.and_then(|number| layout.locations[number as usize]);
                let function =
                    functions.number(variable.module, name.name).filter(|_| number.is_none() && size >= 4);
                if let Some(function) = function {
                    let head = functions.get(function).head;
                    if head.body.is_none() && !ABSTRACT.contains(&name.name) {
                        let label = "its address is taken here";
                        diagnostics.push(functions.undefined(head, name.span, label));
                    }
                    bits = (FunctionCode::address(function) as u64).wrapping_add(*offset as u64);
                    bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
                    continue;
                }
                match (number, place) {
                    (None, _) => {
                        let message = format!("`{}` is not declared", name.name);
                        diagnostics.push(
                            Diagnostic::error("E0301", name.span, message).label("not found in this module"),
                        );
                    }
                    (_, Some(place)) if place.space == StateSpace::Global && size >= 4 => {
                        relocs.push((bytes.len() as u32, place.offset, *offset as u64, size as u8));
                    }
                    (_, Some(place)) if place.space == StateSpace::Const && size >= 4 => {
                        let window = if generic { base(StateSpace::Const).unwrap_or(0) } else { 0 };
                        bits = (u64::from(window) + u64::from(place.offset)).wrapping_add(*offset as u64);
                    }
                    _ => {
                        let message =
                            format!("the address of `{}` cannot be stored in a {}", name.name, variable.ty);
                        let label = "expected a .global or .const variable, and a type of 32 or 64 bits";
                        diagnostics.push(Diagnostic::error("E0307", name.span, message).label(label));
                    }
                }
            }
        }
        bytes.extend_from_slice(&bits.to_le_bytes()[..size]);
    }
    (bytes, relocs)
}
