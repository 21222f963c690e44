//! State spaces of addresses.
//!
//! Pointers are generic addresses when they come out of lowering; the address of a shared, local or
//! constant variable is converted with `ToGeneric`. This pass finds the space that each pointer has
//! on all paths. Below `sm_20`, where no generic addresses exist, every access must have one; a
//! pointer that was loaded from memory is taken as global, with a warning, as nvcc did.

use crate::lower::Problem;
use crate::ssa::{Binary, Block, Cfg, Function, Loc, Module, Op, Space, Ty, Value, null};
use rustc_hash::FxHashMap;

/// What is known about a value as an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// No address, or nothing yet.
    None,
    /// An address in a space. A global address is also a generic address.
    In(Space),
    /// A loaded pointer or a parameter of a function.
    Unknown,
    /// Addresses in different spaces.
    Several,
}

impl Known {
    fn join(self, other: Known) -> Known {
        match (self, other) {
            (Known::None, other) | (other, Known::None) => other,
            (a, b) if a == b => a,
            // Loaded pointers are mostly global.
            (Known::Unknown, Known::In(Space::Global)) | (Known::In(Space::Global), Known::Unknown) => {
                Known::Unknown
            }
            _ => Known::Several,
        }
    }

    /// The sum of an address and a distance. A counter that starts with 0 looks like a pointer that
    /// may be null, so an address in another space is the address.
    fn sum(self, other: Known) -> Known {
        match (self, other) {
            (Known::In(Space::Global), Known::In(space)) | (Known::In(space), Known::In(Space::Global)) => {
                Known::In(space)
            }
            (one, other) => one.join(other),
        }
    }
}

/// Runs the pass. `fermi`: generic addresses exist. In a typed module the type of each pointer
/// names its space: only addresses that were made generic are traced.
pub fn run(f: &mut Function, module: &Module, fermi: bool, problems: &mut Vec<Problem>) {
    if !fermi && !module.typed_pointers {
        warn_of_null(f, problems);
    }
    let known = infer(f, module, fermi);
    let rewrite = Rewrite { known, fermi, generic: FxHashMap::default() };
    rewrite.run(f, problems);
}

/// Warns about a null pointer that may be the address of a variable.
fn warn_of_null(f: &Function, problems: &mut Vec<Problem>) {
    for (space, name) in [(Space::Shared, "shared"), (Space::Const, "constant")] {
        let is_address = |op: &Op| matches!(op, Op::ToGeneric(of, _) if *of == space);
        let Some(found) = null::comparison(f, is_address) else { continue };
        problems.push(Problem {
            message: format!(
                "a null pointer is compared with an address of {name} memory, which can be 0, too"
            ),
            help: "compare an index or a flag; from sm_20 on no variable has the address 0".to_owned(),
            loc: f.values[found.at()].loc,
            warning: true,
        });
    }
}

fn infer(f: &Function, module: &Module, fermi: bool) -> Vec<Known> {
    let cfg = Cfg::new(f);
    let mut known = vec![Known::None; f.values.len()];
    let mut changed = true;
    while changed {
        changed = false;
        let mut update = |known: &mut Vec<Known>, value: Value, new: Known| {
            let joined = known[value.at()].join(new);
            changed |= joined != known[value.at()];
            known[value.at()] = joined;
        };
        for &block in &cfg.order {
            for &value in &f.blocks[block.at()].insts {
                let of = |v: Value| known[v.at()];
                let new = match f.op(value) {
                    Op::Slot(_)
                    | Op::Address(_)
                    | Op::KernelParam { .. }
                    | Op::Load { .. }
                    | Op::FuncParam(_)
                    | Op::Call { .. }
                        if module.typed_pointers =>
                    {
                        Known::None
                    }
                    Op::Slot(_) => Known::In(Space::Local),
                    Op::Address(symbol) => Known::In(module.symbols[symbol.at()].space),
                    Op::ToGeneric(Space::Generic, _) => Known::None,
                    Op::ToGeneric(space, _) => Known::In(*space),
                    Op::KernelParam { pointer: true, .. } | Op::Library("malloc", _) => {
                        Known::In(Space::Global)
                    }
                    Op::Load { pointer: true, .. }
                    | Op::FuncParam(_)
                    | Op::Call { .. }
                    | Op::CallIndirect { .. } => {
                        if f.ty(value).is_int() {
                            Known::Unknown
                        } else {
                            Known::None
                        }
                    }
                    Op::Binary(Binary::Add, a, b) => of(*a).sum(of(*b)),
                    Op::Copy(a) | Op::Binary(Binary::Sub | Binary::And | Binary::Or, a, _) => of(*a),
                    Op::Convert(convert, a) if !convert.from.is_float() => of(*a),
                    Op::Select(_, a, b) => merge(f, *a, of(*a), fermi).join(merge(f, *b, of(*b), fermi)),
                    _ => Known::None,
                };
                update(&mut known, value, new);
            }
            for jump in f.blocks[block.at()].term.jumps() {
                for (param, arg) in f.blocks[jump.to.at()].params.iter().zip(&jump.args) {
                    let new = merge(f, *arg, known[arg.at()], fermi);
                    update(&mut known, *param, new);
                }
            }
        }
    }
    known
}

/// A null pointer among others is a generic address: in the other spaces 0 is a valid address.
fn merge(f: &Function, value: Value, known: Known, fermi: bool) -> Known {
    if fermi && f.constant(value) == Some(0) && f.ty(value) == Ty::I64 {
        Known::In(Space::Global)
    } else {
        known
    }
}

struct Rewrite {
    known: Vec<Known>,
    fermi: bool,
    /// Generic addresses of values, by block.
    generic: FxHashMap<(Block, Value), Value>,
}

impl Rewrite {
    /// Space in which a value is represented: its own, if it is neither global nor unknown.
    fn own(&self, value: Value) -> Option<Space> {
        match self.known.get(value.at()) {
            Some(Known::In(space)) if *space != Space::Global => Some(*space),
            _ => None,
        }
    }

    fn run(mut self, f: &mut Function, problems: &mut Vec<Problem>) {
        let cfg = Cfg::new(f);
        for &block in &cfg.order {
            let old = std::mem::take(&mut f.blocks[block.at()].insts);
            let mut new = Vec::with_capacity(old.len());
            for value in old {
                self.value(f, block, value, &mut new, problems);
            }
            let mut term = std::mem::take(&mut f.blocks[block.at()].term);
            for jump in term.jumps_mut() {
                let params = f.blocks[jump.to.at()].params.clone();
                for (param, arg) in params.iter().zip(&mut jump.args) {
                    if self.own(*param).is_none() {
                        *arg = self.as_generic(f, block, *arg, &mut new);
                    }
                }
            }
            if let crate::ssa::Terminator::Return(Some(value)) = &mut term {
                *value = self.as_generic(f, block, *value, &mut new);
            }
            f.blocks[block.at()].insts = new;
            f.blocks[block.at()].term = term;
        }
    }

    /// The value as a generic or global address.
    fn as_generic(&mut self, f: &mut Function, block: Block, value: Value, new: &mut Vec<Value>) -> Value {
        let Some(space) = self.own(value) else { return value };
        if !self.fermi {
            return value;
        }
        if let Some(&found) = self.generic.get(&(block, value)) {
            return found;
        }
        let loc = f.values[value.at()].loc;
        let generic = f.add_value(f.ty(value), Op::ToGeneric(space, value), loc);
        new.push(generic);
        self.generic.insert((block, value), generic);
        generic
    }

    fn value(
        &mut self,
        f: &mut Function,
        block: Block,
        value: Value,
        new: &mut Vec<Value>,
        problems: &mut Vec<Problem>,
    ) {
        let mut op = f.op(value).clone();
        let loc = f.values[value.at()].loc;
        match &mut op {
            Op::ToGeneric(Space::Generic, inner) => {
                op = Op::Bits(self.as_generic(f, block, *inner, new));
            }
            Op::ToGeneric(_, inner) => {
                // Its users convert it where they need to.
                op = Op::Bits(*inner);
            }
            Op::Binary(kind @ Binary::Diff, a, b) => {
                *kind = Binary::Sub;
                if self.own(*a) != self.own(*b) {
                    *a = self.as_generic(f, block, *a, new);
                    *b = self.as_generic(f, block, *b, new);
                }
            }
            Op::Load { space, addr, .. } | Op::Atomic { space, addr, .. } => {
                self.access(*addr, space, loc, problems);
                if let Op::Atomic { space, b, c, .. } = &mut op {
                    if matches!(space, Space::Local | Space::Const) {
                        problems.push(Problem {
                            message: "an atomic operation needs global or shared memory".to_owned(),
                            help: "a variable of a thread needs no atomic operation".to_owned(),
                            loc,
                            warning: false,
                        });
                    }
                    *b = self.as_generic(f, block, *b, new);
                    if let Some(c) = c {
                        *c = self.as_generic(f, block, *c, new);
                    }
                }
            }
            Op::Store { space, addr, values, .. } => {
                self.access(*addr, space, loc, problems);
                for value in values {
                    *value = self.as_generic(f, block, *value, new);
                }
            }
            Op::Copy(_) => {}
            Op::Cmp(_, a, b) if self.own(*a) == self.own(*b) => {}
            // Sums and selections have the space of their operands.
            Op::Binary(Binary::Add | Binary::Sub | Binary::And | Binary::Or, ..)
            | Op::Select(..)
            | Op::Convert(..)
                if self.own(value).is_some() => {}
            Op::Binary(Binary::Add, ..) | Op::Select(..) if !self.fermi => {}
            op => {
                let mut operands = Vec::new();
                op.each(|operand| operands.push(operand));
                let operands: Vec<Value> =
                    operands.into_iter().map(|operand| self.as_generic(f, block, operand, new)).collect();
                let mut index = 0;
                op.each_mut(|operand| {
                    *operand = operands[index];
                    index += 1;
                });
            }
        }
        f.values[value.at()].op = op;
        new.push(value);
    }

    /// Sets the space of an access.
    fn access(&self, addr: Value, space: &mut Space, loc: Loc, problems: &mut Vec<Problem>) {
        if *space != Space::Generic {
            return;
        }
        let known = self.known.get(addr.at()).copied().unwrap_or(Known::None);
        *space = match known {
            Known::In(space) => space,
            Known::None | Known::Unknown | Known::Several if self.fermi => Space::Generic,
            Known::None => Space::Global,
            Known::Unknown => {
                problems.push(Problem {
                    message:
                        "cannot tell what the pointer points to; it is taken as a pointer to global memory"
                            .to_owned(),
                    help: "this target has no generic addresses; sm_20 has".to_owned(),
                    loc,
                    warning: true,
                });
                Space::Global
            }
            Known::Several => {
                problems.push(Problem {
                    message: "the pointer can point to different state spaces".to_owned(),
                    help: "without generic addresses a pointer needs one state space; sm_20 has them"
                        .to_owned(),
                    loc,
                    warning: false,
                });
                Space::Global
            }
        };
    }
}
