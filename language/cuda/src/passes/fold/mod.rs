//! Constant folding and algebraic simplification, one instruction at a time.
//!
//! The rules keep results exact: floating-point rules hold for all operands including NaN, infinity
//! and signed zeros. Rules for integers hold modulo the width, except where a rule uses `nsw`.

mod bits;
mod compare;
mod constant;
mod convert;
mod divide;
mod facts;
mod float;
mod integer;

use crate::ssa::{Block, Cfg, Function, Loc, Loops, Op, Replacements, Ty, Value};
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
    cfg: &'a Cfg,
    /// The block of the current instruction.
    block: Block,
    arithmetic: Arithmetic,
    /// Instructions that a rule adds before the current one.
    new: Vec<Value>,
    loc: Loc,
    /// Number of uses of each value at the start.
    uses: &'a [u32],
    /// Block of each value at the start.
    home: &'a [Block],
    /// Loops around each block; empty without loops.
    depth: &'a [u32],
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
    let (home, depth) = loops(function, &cfg);
    for &block in &cfg.order {
        let old = std::mem::take(&mut function.blocks[block.at()].insts);
        let new = Vec::with_capacity(old.len());
        let mut folder = Folder {
            f: function,
            cfg: &cfg,
            block,
            arithmetic,
            new,
            loc: Loc::default(),
            uses: &uses,
            home: &home,
            depth: &depth,
        };
        for value in old {
            folder.f.values[value.at()].op.each_mut(|operand| *operand = map.find(*operand));
            folder.loc = folder.f.values[value.at()].loc;
            let known = folder.f.values.len();
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
                    // A value that was made for this one has its variable.
                    if other.at() >= known {
                        folder.f.values[other.at()].variable = folder.f.values[value.at()].variable;
                    }
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

/// The block of each value, and the number of loops around each block; nothing without loops.
fn loops(function: &Function, cfg: &Cfg) -> (Vec<Block>, Vec<u32>) {
    let loops = Loops::new(function, cfg);
    if loops.loops.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let mut home = vec![Function::ENTRY; function.values.len()];
    for &block in &cfg.order {
        let data = &function.blocks[block.at()];
        data.params.iter().chain(&data.insts).for_each(|value| home[value.at()] = block);
    }
    let depth = loops.of.iter().map(|index| index.map_or(0, |index| loops.loops[index].depth)).collect();
    (home, depth)
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
    /// Whether a value has one use, so that a rule that takes it apart leaves nothing behind. A
    /// value that this round made is examined in the next one.
    fn single(&self, value: Value) -> bool {
        self.uses.get(value.at()).is_some_and(|uses| *uses == 1)
    }

    /// Whether a value is defined in a loop that the current block is not in: what it is made of
    /// should not stay alive behind the loop.
    fn leaves_loop(&self, value: Value) -> bool {
        let depth = |block: Block| self.depth.get(block.at()).copied().unwrap_or(0);
        self.home.get(value.at()).is_some_and(|home| depth(*home) > depth(self.block))
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
            Op::Store { mem, values, .. } => self.stored(value, mem, &values),
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
