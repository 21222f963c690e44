//! Names of images and samplers (OpenCL C): an access whose handle is a parameter of the kernel, or
//! a constant, gets its name.
//!
//! PTX has images and samplers as names only where it has both, so functions with such parameters
//! are inlined before.

use crate::lower::Problem;
use crate::ssa::{Function, Object, Op, Space, SymId, Symbol, Value};
use smallvec::SmallVec;

/// Runs the pass. In OpenCL C every handle has a name.
pub fn run(f: &mut Function, symbols: &mut Vec<Symbol>, is_open_cl: bool, problems: &mut Vec<Problem>) {
    let mut values: Vec<Value> = f.blocks.iter().flat_map(|block| block.insts.iter().copied()).collect();
    for &value in &values {
        if !matches!(f.op(value), Op::Tex(_) | Op::Surface(_) | Op::Query(_)) {
            continue;
        }
        let mut op = f.op(value).clone();
        let is_named = match &mut op {
            Op::Tex(tex) => {
                let texture = name(f, None, &mut tex.texture, 0, &mut tex.coords);
                let at = usize::from(!texture);
                let sampler = tex.sampler.as_mut();
                texture & sampler.is_none_or(|one| name(f, Some(symbols), one, at, &mut tex.coords))
            }
            Op::Surface(access) => name(f, None, &mut access.surface, 0, &mut access.coords),
            Op::Query(query) => name(f, None, &mut query.object, 0, &mut query.handle),
            _ => true,
        };
        if is_open_cl && !is_named {
            problems.push(Problem {
                message: format!("`{}` has an image or sampler as parameter, but is not inlined", f.name),
                help: "use fewer or smaller functions".to_owned(),
                loc: f.values[value.at()].loc,
                warning: false,
            });
        }
        f.values[value.at()].op = op;
    }
    // A handle has no value that a debugger could show.
    values.retain(|value| matches!(f.op(*value), Op::Copy(_)) && param(f, *value).is_some());
    for value in values {
        f.values[value.at()].op = Op::Undef;
        f.values[value.at()].variable = None;
    }
}

/// Gives an object its name, and removes its handle, which is at `at`. A sampler can be a constant,
/// which becomes one of the `samplers` of the module. Returns whether the object has a name.
fn name(
    f: &Function,
    samplers: Option<&mut Vec<Symbol>>,
    object: &mut Object,
    at: usize,
    handles: &mut SmallVec<[Value; 4]>,
) -> bool {
    if *object != Object::Handle {
        return true;
    }
    let value = original(f, handles[at]);
    let named = match (f.op(value), samplers) {
        (Op::Const(bits), Some(symbols)) => Some(Object::Symbol(sampler(symbols, *bits as u32))),
        _ => param(f, value).map(Object::Param),
    };
    let Some(named) = named else { return false };
    *object = named;
    handles.remove(at);
    true
}

/// The value that others are copies of.
fn original(f: &Function, mut value: Value) -> Value {
    while let Op::Copy(of) = f.op(value) {
        value = *of;
    }
    value
}

/// The parameter of the kernel that has a handle.
fn param(f: &Function, value: Value) -> Option<u32> {
    let Op::KernelParam { offset, .. } = f.op(original(f, value)) else { return None };
    let found = f.kernel_params.iter().position(|param| param.offset == *offset && param.is_object());
    found.map(|index| index as u32)
}

/// The sampler of the module with a value.
fn sampler(symbols: &mut Vec<Symbol>, value: u32) -> SymId {
    let known = symbols.iter().position(|symbol| symbol.sampler == Some(value));
    let index = known.unwrap_or_else(|| {
        symbols.push(Symbol {
            name: format!("__sampler_{value}"),
            space: Space::Global,
            size: 0,
            align: 1,
            init: Vec::new(),
            relocations: Vec::new(),
            code: Vec::new(),
            external: false,
            visible: false,
            texture: false,
            surface: false,
            sampler: Some(value),
        });
        symbols.len() - 1
    });
    SymId(index as u32)
}
