//! Addresses of parameters and of shared, local and constant variables in their state spaces, and
//! initial values of variables.

use super::functions::Functions;
use super::image::image;
use super::modules::Modules;
use super::resolve::{Resolved, declared_twice};
use super::scope::VarRef;
use super::selections;
use crate::diag::Diagnostic;
use crate::ptx::ast::{Function, Linkage, Variable};
use crate::types::{ScalarType, StateSpace};
use crate::uop::{Param, Sampler, Selections, Symbol, VariableUse};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Most bytes of static shared memory of a kernel, on every target (ptxas 11.8 to 13.5).
const MOST_SHARED: u32 = 48 << 10;

/// Address of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Location {
    /// State space.
    pub space: StateSpace,
    /// Byte offset in the state space; for `.global`, `.tex`, `.surf` and `.sampler` the index into
    /// [`crate::uop::Module::globals`], [`crate::uop::Module::textures`] and so on.
    pub offset: u32,
    /// Size in bytes; 0 for an `.extern` array.
    pub bytes: u32,
}

impl Location {
    /// Returns a placeholder for a variable whose declaration was rejected, so that its uses cause
    /// no further errors.
    fn rejected(space: StateSpace) -> Self {
        Self { space, offset: 0, bytes: u32::MAX }
    }
}

/// Layout of the module's variables. Shared and local variables get their offsets per entry.
#[derive(Debug, Default)]
pub struct ModuleLayout {
    /// `.global` variables in order.
    pub globals: Vec<Symbol>,
    /// `.const` variables in order.
    pub consts: Vec<Symbol>,
    /// Size of the constant bank in bytes.
    pub const_bytes: u32,
    /// Names of the textures in order.
    pub textures: Vec<String>,
    /// Names of the surfaces in order.
    pub surfaces: Vec<String>,
    /// Samplers in order.
    pub samplers: Vec<Sampler>,
    /// Location of each module variable, by order; `None` for a variable that is placed per entry
    /// or is invalid.
    pub locations: Vec<Option<Location>>,
}

/// Layout of the variables of one entry, or of the private variables of a function.
#[derive(Debug, Default)]
pub struct FunctionLayout {
    /// Parameters in order.
    pub params: Vec<Param>,
    /// Size of the parameter block in bytes.
    pub param_bytes: u32,
    /// Textures and surfaces of all bodies that the launch selects.
    pub selections: Arc<Selections>,
    /// Shared variables: static variables, then the variables of dynamic shared memory.
    pub shared: Vec<Symbol>,
    /// Size of static shared memory in bytes; dynamic shared memory begins at this offset.
    pub shared_bytes: u32,
    /// Local variables with fixed addresses.
    pub local: Vec<Symbol>,
    /// Instructions of all bodies that name a shared or local variable; only in the layout of the
    /// entry.
    pub uses: Vec<VariableUse>,
    /// Size of local memory per thread in bytes.
    pub local_bytes: u32,
    /// Size in bytes of the stack frame with the function's local variables; `None` if these
    /// variables have fixed addresses.
    pub frame_bytes: Option<u32>,
    /// Local variables of the body by name, with their offsets.
    pub own: Vec<(String, u32)>,
    locations: BTreeMap<VarRef, Location>,
}

impl FunctionLayout {
    /// Returns the location of a variable; `None` if its declaration was rejected.
    pub fn location(&self, variable: VarRef, module: &ModuleLayout) -> Option<Location> {
        match (self.locations.get(&variable), variable) {
            (Some(place), _) => Some(*place),
            (None, VarRef::Module(number)) => module.locations.get(number as usize).copied().flatten(),
            _ => None,
        }
    }
}

/// Returns the size of a variable in bytes: 0 for `[]` without a size, `None` above 32 bits.
pub fn size_of(variable: &Variable) -> Option<u32> {
    let elements = variable.dims.iter().try_fold(1, |n: u64, dim| n.checked_mul(dim.unwrap_or(0)));
    // The initializer determines a missing first dimension.
    let given = variable.init.as_ref().map_or(0, |init| init.len() as u64 * variable.ty.bytes() as u64);
    let bytes = elements?.checked_mul(variable.vector as u64)?.checked_mul(variable.ty.bytes() as u64)?;
    let open = matches!(variable.dims.first(), Some(None));
    u32::try_from(if open { given } else { bytes }).ok()
}

/// Maximum alignment of a `.global` variable in bytes: device memory is allocated in multiples of
/// this size.
const MAX_GLOBAL_ALIGNMENT: u32 = 256;

/// Returns the alignment in bytes: the declared one, or the natural one.
pub fn align_of(variable: &Variable) -> u32 {
    let natural = (variable.ty.bytes() * variable.vector).max(1);
    variable.align.map_or(natural, |(align, _)| align.max(1))
}

/// Appends variables to a state space, each at its alignment.
#[derive(Default)]
struct Cursor {
    end: u32,
}

impl Cursor {
    /// Returns the offset of the next variable; `None` if the space would exceed 4 GiB.
    fn place(&mut self, bytes: u32, align: u32) -> Option<u32> {
        let offset = self.end.checked_next_multiple_of(align)?;
        self.end = offset.checked_add(bytes)?;
        Some(offset)
    }

    /// Places a variable, or reports an error in its declaration.
    fn append(&mut self, variable: &Variable, diagnostics: &mut Vec<Diagnostic>) -> Location {
        let space = variable.space;
        let placed = || Some((size_of(variable)?, align_of(variable)));
        let error = match (check(variable), placed()) {
            (Some(error), _) => error,
            (None, Some((bytes, align))) => match self.place(bytes, align) {
                Some(offset) => return Location { space, offset, bytes },
                None => too_big(variable),
            },
            (None, None) => too_big(variable),
        };
        diagnostics.push(error);
        Location::rejected(space)
    }
}

fn too_big(variable: &Variable) -> Diagnostic {
    let message = format!("`{}` does not fit in an address space of 4 GiB", variable.name.name);
    Diagnostic::error("E0309", variable.span, message).label("too large")
}

/// Checks that a declaration is valid in its state space.
fn check(variable: &Variable) -> Option<Diagnostic> {
    let Variable { name, space, span, .. } = variable;
    let error =
        |code, message: String, label: &str| Some(Diagnostic::error(code, *span, message).label(label));
    let open = variable.dims.iter().any(Option::is_none);
    let dynamic = *space == StateSpace::Shared && variable.linkage == Linkage::Extern;
    let kind = variable.opaque.unwrap_or(*space);
    let opaque = matches!(kind, StateSpace::Tex | StateSpace::Surf | StateSpace::Sampler);
    let what = match kind {
        StateSpace::Surf => "surface",
        StateSpace::Sampler => "sampler",
        _ => "texture",
    };
    if variable.ty == ScalarType::Pred {
        error(
            "E0309",
            format!("`{}`: a predicate cannot be stored in memory", name.name),
            "expected a type other than .pred",
        )
    } else if variable.range.is_some() {
        error(
            "E0309",
            format!("`{}<…>`: only registers can be declared as a range", name.name),
            "expected an array: `name[n]`",
        )
    } else if opaque && (!variable.dims.is_empty() || variable.vector > 1) {
        let message = format!("`{}`: an array of {what}s is not supported by this simulator", name.name);
        error("E0402", message, "not supported")
    } else if opaque && variable.init.is_some() {
        let message =
            format!("`{}`: initial values of a {what} are not supported by this simulator", name.name);
        error("E0402", message, "the host program sets its properties")
    } else if *space == StateSpace::Tex && !matches!(variable.ty, ScalarType::U32 | ScalarType::U64) {
        let message = format!("the texture `{}` has type {}", name.name, variable.ty);
        error("E0309", message, "expected .u32 or .u64")
    } else if variable.linkage == Linkage::Extern && !dynamic {
        let message = format!("`{}` is not defined in the given files", name.name);
        let found = Diagnostic::error("E0315", *span, message).label("declared without a definition");
        Some(found.help("give the PTX file that defines the variable with `.visible` as another file"))
    } else if open && !dynamic && variable.init.is_none() {
        error(
            "E0309",
            format!("the size of `{}` is missing", name.name),
            "only an `.extern .shared` array may omit its size",
        )
    } else if *space == StateSpace::Global && align_of(variable) > MAX_GLOBAL_ALIGNMENT {
        let message = format!(
            "`{}`: an alignment of more than {MAX_GLOBAL_ALIGNMENT} bytes in .global memory is not supported by this simulator",
            name.name
        );
        error("E0402", message, "device memory is allocated with an alignment of 256 bytes")
    } else if variable.init.is_some() && !matches!(space, StateSpace::Global | StateSpace::Const) {
        error(
            "E0309",
            format!("`{}`: a {space} variable cannot be initialized", name.name),
            "only .global and .const variables can",
        )
    } else {
        None
    }
}

fn symbol(variable: &Variable, offset: u32, bytes: u32) -> Symbol {
    Symbol {
        name: variable.title().to_owned(),
        ty: variable.ty,
        offset,
        bytes,
        align: align_of(variable),
        line: 0,
        init: Vec::new(),
        relocs: Vec::new(),
    }
}

/// Whether a module variable is placed separately for each entry that uses it, in the memory of a
/// block or a thread.
fn per_entry(variable: &Variable) -> bool {
    matches!(variable.space, StateSpace::Shared | StateSpace::Local)
}

/// Computes the layout of the modules' variables.
pub fn module(modules: &Modules, functions: &Functions, diagnostics: &mut Vec<Diagnostic>) -> ModuleLayout {
    let variables = &modules.tree.variables;
    let mut layout = ModuleLayout::default();
    let mut bank = Cursor::default();
    for (number, variable) in (0..).zip(variables) {
        let first = modules.variable(variable.module, variable.name.name);
        if let Some(first) = first.filter(|first| *first != number) {
            diagnostics.push(declared_twice(&variable.name, variables[first as usize].name.span));
        }
        let placed = match check(variable) {
            // Shared and local variables are placed and checked with the entries that use them.
            _ if per_entry(variable) => Ok(None),
            None => module_place(variable, &mut layout, &mut bank),
            Some(error) => Err(error),
        };
        layout.locations.push(placed.unwrap_or_else(|error| {
            diagnostics.push(error);
            Some(Location::rejected(variable.space))
        }));
    }
    layout.const_bytes = bank.end;
    // The symbols of one space are in the order of their variables. The order does not matter if a
    // variable is rejected, because the compilation then fails.
    let (mut globals, mut consts) = (0, 0);
    for variable in variables {
        let (init, relocs) = image(variable, modules, functions, &layout, diagnostics);
        let (symbols, next) = match variable.space {
            StateSpace::Global => (&mut layout.globals, &mut globals),
            StateSpace::Const => (&mut layout.consts, &mut consts),
            _ => continue,
        };
        if let Some(symbol) = symbols.get_mut(*next).filter(|symbol| symbol.name == variable.title()) {
            (symbol.init, symbol.relocs) = (init, relocs);
            *next += 1;
        }
    }
    layout
}

fn module_place(
    variable: &Variable,
    layout: &mut ModuleLayout,
    bank: &mut Cursor,
) -> Result<Option<Location>, Diagnostic> {
    let space = variable.space;
    let bytes = size_of(variable).ok_or_else(|| too_big(variable))?;
    let offset = match space {
        StateSpace::Global => {
            layout.globals.push(symbol(variable, 0, bytes));
            layout.globals.len() as u32 - 1
        }
        StateSpace::Tex => {
            layout.textures.push(variable.title().to_owned());
            layout.textures.len() as u32 - 1
        }
        StateSpace::Sampler => {
            layout.samplers.push(variable.sampler);
            layout.samplers.len() as u32 - 1
        }
        StateSpace::Surf => {
            layout.surfaces.push(variable.title().to_owned());
            layout.surfaces.len() as u32 - 1
        }
        StateSpace::Const => {
            let offset = bank.place(bytes, align_of(variable)).ok_or_else(|| too_big(variable))?;
            layout.consts.push(symbol(variable, offset, bytes));
            offset
        }
        _ => {
            let message = format!("a {space} variable at module scope is not supported by this simulator");
            return Err(Diagnostic::error("E0402", variable.span, message).label("not supported"));
        }
    };
    Ok(Some(Location { space, offset, bytes }))
}

/// Computes the layout of an entry's parameters, and of the shared and local variables of the entry
/// and the functions that it can reach. `bodies` contains the entry first; each body comes with a
/// flag whether it is recursive, in which case its local variables are in a stack frame. Returns
/// one layout for each body. The layout of the entry also contains the values that apply to all
/// bodies.
pub fn kernel(
    function: &Function,
    bodies: &[(&Resolved, bool)],
    module: &[Variable],
    module_layout: &ModuleLayout,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<FunctionLayout> {
    let mut layout = FunctionLayout::default();
    let mut block = Cursor::default();
    for (i, param) in function.params.iter().enumerate().filter(|_| function.entry) {
        let place = block.append(param, diagnostics);
        let Location { offset, bytes, .. } = place;
        let Variable { ty, opaque, pointee, .. } = *param;
        layout.params.push(Param { name: param.name.name.to_owned(), ty, offset, bytes, opaque, pointee });
        layout.locations.insert(VarRef::Param(i as u32), place);
    }
    layout.param_bytes = block.end;
    layout.selections = Arc::new(selections::of(bodies, &layout.params, function.entry, module_layout));
    let chosen = Arc::clone(&layout.selections);
    let mut layouts = vec![layout];
    layouts.resize_with(bodies.len(), || FunctionLayout {
        selections: Arc::clone(&chosen),
        ..Default::default()
    });
    variables(&mut layouts, bodies, module, diagnostics);
    layouts
}

/// Places the variables of all bodies of a kernel.
fn variables(
    layouts: &mut [FunctionLayout],
    bodies: &[(&Resolved, bool)],
    module: &[Variable],
    diagnostics: &mut Vec<Diagnostic>,
) {
    for (layout, (_, recursive)) in layouts.iter_mut().zip(bodies) {
        layout.frame_bytes = recursive.then_some(0);
    }
    let used: BTreeSet<u32> = bodies.iter().flat_map(|(resolved, _)| &resolved.used).copied().collect();
    let of_module = used.iter().map(|number| (None, VarRef::Module(*number), &module[*number as usize]));
    let of_module = of_module.filter(|(_, _, variable)| per_entry(variable));
    let own = bodies.iter().enumerate().flat_map(|(body, (resolved, _))| {
        let numbered = (0..).zip(&resolved.variables);
        let declared = numbered.map(move |(i, variable)| (Some(body), VarRef::Function(i), *variable));
        let copied = resolved.addressed.iter();
        declared.chain(copied.map(move |(i, param)| (Some(body), VarRef::Param(*i), *param)))
    });
    let (mut shared, mut local) = (Cursor::default(), Cursor::default());
    let mut dynamic = Vec::new();
    for (body, reference, variable) in of_module.chain(own) {
        let copied = matches!(reference, VarRef::Param(_));
        let space = if copied { StateSpace::Local } else { variable.space };
        let place = match space {
            // Variables of call sequences are in registers.
            StateSpace::Param => continue,
            StateSpace::Shared if variable.linkage == Linkage::Extern => {
                dynamic.push((body, reference, variable));
                continue;
            }
            StateSpace::Shared => {
                let before = shared.end;
                let place = shared.append(variable, diagnostics);
                if before <= MOST_SHARED && shared.end > MOST_SHARED {
                    diagnostics.push(too_much_shared(variable, shared.end));
                }
                place
            }
            StateSpace::Local => {
                let frame = body.and_then(|body| layouts[body].frame_bytes);
                let cursor = &mut Cursor { end: frame.unwrap_or(local.end) };
                // A parameter is copied in words.
                cursor.end =
                    cursor.end.checked_next_multiple_of(if copied { 8 } else { 1 }).unwrap_or(u32::MAX);
                let place = Location { space, ..cursor.append(variable, diagnostics) };
                if let Some(body) = body {
                    layouts[body].own.push((variable.title().to_owned(), place.offset));
                }
                if let Some(body) = body.filter(|_| frame.is_some()) {
                    layouts[body].frame_bytes = Some(cursor.end);
                } else {
                    local.end = cursor.end;
                    layouts[0].local.push(symbol(variable, place.offset, place.bytes));
                }
                place
            }
            _ => {
                let message = format!("a {space} variable in a function is not supported by this simulator");
                let label = "declare it at module scope";
                diagnostics.push(Diagnostic::error("E0402", variable.span, message).label(label));
                Location::rejected(space)
            }
        };
        insert(layouts, body, reference, place);
        if space == StateSpace::Shared {
            layouts[0].shared.push(symbol(variable, place.offset, place.bytes));
        }
    }
    // All dynamic variables begin at the same address.
    let align = dynamic.iter().map(|(_, _, variable)| align_of(variable)).max().unwrap_or(1);
    let shared_bytes = shared.end.checked_next_multiple_of(align).unwrap_or(shared.end);
    layouts[0].shared_bytes = shared_bytes;
    for (body, reference, variable) in dynamic {
        diagnostics.extend(check(variable));
        let place = Location { space: StateSpace::Shared, offset: shared_bytes, bytes: 0 };
        insert(layouts, body, reference, place);
        layouts[0].shared.push(symbol(variable, shared_bytes, 0));
    }
    layouts[0].local_bytes = local.end;
}

/// Returns the error for the variable with which static shared memory has `bytes` bytes.
fn too_much_shared(variable: &Variable, bytes: u32) -> Diagnostic {
    let message = format!("the kernel has {bytes} bytes of static shared memory; PTX allows {MOST_SHARED}");
    Diagnostic::error("E0403", variable.span, message)
        .label("too large with the variables before it")
        .help("declare it `.extern`, without a size, and give its size at the launch")
}

/// Records the location of a variable: in one body, or, for a module variable, in all bodies.
fn insert(layouts: &mut [FunctionLayout], body: Option<usize>, reference: VarRef, place: Location) {
    let of = match body {
        Some(body) => &mut layouts[body..=body],
        None => layouts,
    };
    for layout in of {
        layout.locations.insert(reference, place);
    }
}
