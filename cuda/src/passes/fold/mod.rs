//! Constant folding and algebraic simplification, one instruction at a time.
//!
//! The rules keep results exact: floating-point rules hold for all operands including NaN, infinity
//! and signed zeros. Rules for integers hold modulo the width, except where a rule uses `nsw`.

mod bits;
mod compare;
mod constant;
mod convert;
mod divide;
mod float;
mod integer;

use crate::ssa::{Cfg, Function, Loc, Op, Replacements, Ty, Value};
pub use bits::{non_negative, upper_bits};
pub use constant::Arithmetic;
pub(crate) use constant::evaluate_with;

/// What a rule makes of an instruction.
enum Result {
    /// An existing value.
    Value(Value),
    /// Another operation for the same value.
    Op(Op),
}

/// A function while its instructions are simplified.
struct Folder<'a> {
    f: &'a mut Function,
    arithmetic: Arithmetic,
    /// Instructions that a rule adds before the current one.
    new: Vec<Value>,
    loc: Loc,
    /// Number of uses of each value at the start.
    uses: &'a [u32],
}

/// Simplifies until nothing changes. Returns whether anything changed.
pub fn run(function: &mut Function, arithmetic: Arithmetic) -> bool {
    let mut any = false;
    // Chains of rules end soon; the limit is for safety.
    for _ in 0..16 {
        if !once(function, arithmetic) {
            break;
        }
        any = true;
    }
    any
}

fn once(function: &mut Function, arithmetic: Arithmetic) -> bool {
    let cfg = Cfg::new(function);
    let mut map = Replacements::default();
    let mut changed = false;
    let uses = uses(function);
    for &block in &cfg.order {
        let old = std::mem::take(&mut function.blocks[block.at()].insts);
        let new = Vec::with_capacity(old.len());
        let mut folder = Folder { f: function, arithmetic, new, loc: Loc::default(), uses: &uses };
        for value in old {
            folder.f.values[value.at()].op.each_mut(|operand| *operand = map.find(*operand));
            folder.loc = folder.f.values[value.at()].loc;
            let mut result = folder.simplify(value);
            let mut steps = 0;
            while let Some(Result::Op(op)) = result {
                changed = true;
                folder.f.values[value.at()].op = op;
                folder.f.values[value.at()].nsw = false;
                steps += 1;
                result = if steps < 8 { folder.simplify(value) } else { None };
            }
            match result {
                Some(Result::Value(other)) => {
                    map.set(value, other);
                    changed = true;
                }
                _ => folder.new.push(value),
            }
        }
        let new = folder.new;
        function.blocks[block.at()].insts = new;
        function.blocks[block.at()].term.each_mut(|operand| *operand = map.find(*operand));
    }
    function.replace(&mut map);
    changed
}

/// Number of uses of each value.
fn uses(function: &Function) -> Vec<u32> {
    let mut uses = vec![0; function.values.len()];
    for block in &function.blocks {
        block.insts.iter().for_each(|value| function.op(*value).each(|operand| uses[operand.at()] += 1));
        block.term.each(|operand| uses[operand.at()] += 1);
    }
    uses
}

impl Folder<'_> {
    /// Whether a value has one use, so that a rule that takes it apart leaves nothing behind.
    fn single(&self, value: Value) -> bool {
        self.uses.get(value.at()).is_none_or(|uses| *uses == 1)
    }

    fn simplify(&mut self, value: Value) -> Option<Result> {
        let op = self.f.op(value).clone();
        let ty = self.f.ty(value);
        if let Some(bits) =
            constant::evaluate(self.f, &op, ty, self.arithmetic, &|value| self.f.constant(value))
        {
            return Some(Result::Op(Op::Const(bits)));
        }
        match op {
            Op::Unary(op, a) => self.unary(op, a, ty),
            Op::Binary(op, a, b) if ty.is_float() => self.float(op, a, b, ty),
            Op::Binary(op, a, b) => self.integer(op, a, b, ty, self.f.values[value.at()].nsw),
            Op::Ternary(op, a, b, c) => self.ternary(op, a, b, c, ty),
            Op::Cmp(cmp, a, b) => self.compare(cmp, a, b),
            Op::Select(c, a, b) => self.select(c, a, b, ty),
            Op::Convert(convert, a) => self.convert(convert, a),
            Op::Bits(a) => match *self.f.op(a) {
                Op::Bits(inner) if self.f.ty(inner) == ty => Some(Result::Value(inner)),
                Op::Bits(inner) => Some(Result::Op(Op::Bits(inner))),
                _ if self.f.ty(a) == ty => Some(Result::Value(a)),
                _ => None,
            },
            _ => None,
        }
    }

    fn add(&mut self, ty: Ty, op: Op) -> Value {
        let value = self.f.add_value(ty, op, self.loc);
        self.new.push(value);
        value
    }

    fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        self.add(ty, Op::Const(bits & ty.mask()))
    }
}
