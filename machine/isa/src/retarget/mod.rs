//! PTX of a newer target on a chip of compute capability 1.x.
//!
//! The tree of the module is rewritten before its names are resolved, so that the later passes see
//! PTX of the chip's target:
//!
//! | construct | becomes |
//! |---|---|
//! | load, store or atomic with a generic address | one in the state space that the pass `spaces` infers |
//! | `cvta` | `mov`: the address in its state space is used |
//! | `fma.rn.f32` | `mad.f32`, which truncates the product |
//! | `div`, `rcp`, `sqrt` with `.rn` of type `.f32` | `div.full`, `rcp.approx`, `sqrt.approx` |
//! | `popc`, `clz`, `brev`, `bfind`, `bfe`, `bfi`, `prmt`, `shf`, `copysign` | older instructions with the same results |
//! | `%lanemask_lt` and the like | shifts by `%laneid` |
//! | below `sm_13`: a double in memory | 64 bits, with conversions from and to `.f32` |
//! | `.ftz` | nothing: subnormal numbers are always flushed |
//! | cache operators, `ld.global.nc`, `ldu`; `prefetch` | a plain load or store; nothing |
//!
//! Other instructions that the chip lacks are rejected with their line. Double precision below
//! `sm_13` is computed in single precision. In memory a double keeps its eight bytes and its value,
//! rounded to single precision, so that host and device agree.
//!
//! Invariant `retargeted-results`: A kernel for `sm_20` that is lowered to a chip of compute
//! capability 1.x computes there what it computes on Fermi.

mod doubles;
mod expand;
mod later;
mod spaces;

use crate::diag::Diagnostic;
use crate::lower::{double_warning, drop_uncalled};
use crate::ptx::ast::{Ast, Ident, Instruction, Statement};
use crate::types::{Capability, StateSpace};
pub use expand::older;
pub use later::rewrite as rewrite_later;
use spaces::{Found, Spaces};

/// Names of the targets below 2.0.
const TARGETS: [(u32, &str); 4] = [(10, "sm_10"), (11, "sm_11"), (12, "sm_12"), (13, "sm_13")];

/// The first target with double precision.
const DOUBLES: u32 = 13;

/// Words that the instructions of a chip of 1.x do not have.
const DROPPED: [&str; 9] = ["ca", "cg", "cs", "lu", "cv", "wb", "wt", "nc", "ftz"];

/// Rewrites the modules `trees` for a chip of compute capability `chip`, if it is below 2.0 and
/// below their target. Error: `E0401` for an access whose state space is not known. Warning:
/// `W0303` for a double in memory below `sm_13`.
pub fn retarget(trees: &mut [Ast], chip: Capability, diagnostics: &mut Vec<Diagnostic>) {
    let number = u32::from(chip.major) * 10 + u32::from(chip.minor);
    let Some((_, name)) = TARGETS.iter().find(|(target, _)| *target == number) else { return };
    let target = |tree: &Ast| Capability::from_target(tree.target.first()?.name);
    if !trees.iter().any(|tree| target(tree).is_some_and(|target| target > chip)) {
        return;
    }
    drop_uncalled(trees);
    let mut first = None;
    for function in trees.iter_mut().flat_map(|tree| &mut tree.functions) {
        function.body = function.body.take().map(|body| expand::expand(body, number));
        if number < DOUBLES {
            let found = doubles::convert(function);
            first = first.or(found);
        }
    }
    diagnostics.extend(first.map(|span| double_warning(span, number, true)));
    let spaces = Spaces::infer(trees);
    let mut function_number = 0;
    for tree in trees {
        if let Some(first) = tree.target.first_mut() {
            first.name = name;
        }
        tree.lowered = true;
        for function in &mut tree.functions {
            if let Some(body) = &mut function.body {
                let mut pass = Pass { spaces: &spaces, accesses: 0, function: function_number, diagnostics };
                pass.statements(body);
            }
            function_number += 1;
        }
    }
}

struct Pass<'s, 'd> {
    spaces: &'s Spaces,
    /// Number of generic accesses of the function so far.
    accesses: usize,
    function: usize,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Pass<'_, '_> {
    fn statements(&mut self, statements: &mut [Statement]) {
        for statement in statements {
            match statement {
                Statement::Block(inner) => self.statements(inner),
                Statement::Instruction(inst) => self.instruction(inst),
                _ => {}
            }
        }
    }

    fn instruction(&mut self, inst: &mut Instruction) {
        let (opcode, span) = (inst.opcode.name, inst.span);
        let has = |inst: &Instruction, name: &str| inst.modifiers.iter().any(|word| word.name == name);
        let generic = is_generic(inst);
        let mut words: Vec<Ident> = inst.modifiers.to_vec();
        match opcode {
            "cvta" => {
                words.retain(|word| matches!(word.name, "u32" | "u64"));
                inst.opcode.name = "mov";
            }
            "ldu" => inst.opcode.name = "ld",
            // Another rounding mode has no equivalent, and stays for the check of forms.
            "fma" if has(inst, "f32") && has(inst, "rn") => {
                inst.opcode.name = "mad";
                words.retain(|word| word.name != "rn");
            }
            "div" | "rcp" | "sqrt" if has(inst, "f32") => {
                let name = if opcode == "div" { "full" } else { "approx" };
                words.iter_mut().filter(|word| word.name == "rn").for_each(|word| word.name = name);
            }
            "membar" => words.iter_mut().filter(|word| word.name == "sys").for_each(|word| word.name = "gl"),
            _ => {}
        }
        words.retain(|word| !DROPPED.contains(&word.name));
        if generic {
            let found = self.spaces.of(self.function, self.accesses);
            self.accesses += 1;
            match found {
                Found::One(space) => {
                    // Memory of one thread, or constant memory, has no volatile access.
                    let shared = matches!(space, StateSpace::Global | StateSpace::Shared);
                    words.retain(|word| shared || word.name != "volatile");
                    let at = usize::from(words.first().is_some_and(|word| word.name == "volatile"));
                    let span = inst.opcode.span;
                    words.insert(at, Ident { name: space.name(), span });
                }
                Found::Several(spaces) => {
                    // The access has one error only.
                    words.insert(0, Ident { name: "global", span: inst.opcode.span });
                    let message = format!(
                        "`{opcode}` may access {spaces} memory, but chips of compute capability 1.x have no generic \
                         addresses"
                    );
                    let error =
                        Diagnostic::error("E0401", span, message).label("the pointer can point to either");
                    self.diagnostics.push(error.help(
                        "use a pointer for each kind of memory, or a chip of compute capability 2.0 or above",
                    ));
                }
            }
        }
        inst.modifiers = words.into();
    }
}

/// Whether an access has a generic address.
fn is_generic(inst: &Instruction) -> bool {
    let memory = matches!(inst.opcode.name, "ld" | "ldu" | "st" | "atom" | "red" | "prefetch");
    memory && !inst.modifiers.iter().any(|word| space_of(word.name).is_some())
}

/// Returns the state space of a word.
fn space_of(word: &str) -> Option<StateSpace> {
    use StateSpace::{Const, Global, Local, Param, Shared};
    [Const, Global, Local, Param, Shared].into_iter().find(|space| space.name() == word)
}

#[cfg(test)]
mod tests;
