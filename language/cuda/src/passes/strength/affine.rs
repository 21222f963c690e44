//! Values that grow by an invariant amount in each iteration of a loop.

use super::counter_of;
use crate::passes::unroll::Counter;
use crate::ssa::{Binary, Block, Function, Loc, Op, Ty, Unary, Value};

/// How a value changes in a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// Not at all.
    Invariant,
    /// By an invariant step; it wraps around at the width.
    Linear,
    /// By an invariant step, without overflow as a signed integer.
    Exact,
}

pub(super) struct Affine<'a> {
    pub(super) f: &'a mut Function,
    pub(super) inside: &'a [bool],
    pub(super) counters: &'a [Counter],
}

impl Affine<'_> {
    /// The shape of a value; `None`: it changes in another way.
    pub(super) fn shape(&self, value: Value) -> Option<Shape> {
        self.shape_of(value, 12)
    }

    fn is_inside(&self, value: Value) -> bool {
        self.inside.get(value.at()).copied().unwrap_or(false)
    }

    fn shape_of(&self, value: Value, depth: u32) -> Option<Shape> {
        if !self.is_inside(value) {
            return Some(Shape::Invariant);
        }
        if let Some(counter) = counter_of(self.counters, value) {
            let exact = self.f.values[counter.next.at()].nsw;
            return Some(if exact { Shape::Exact } else { Shape::Linear });
        }
        if depth == 0 {
            return None;
        }
        let of = |operand: Value| self.shape_of(operand, depth - 1);
        let nsw = self.f.values[value.at()].nsw;
        let both = |a: Shape, b: Shape| {
            let linear = nsw && a != Shape::Linear && b != Shape::Linear;
            match (a, b) {
                (Shape::Invariant, Shape::Invariant) => Shape::Invariant,
                _ if linear => Shape::Exact,
                _ => Shape::Linear,
            }
        };
        match *self.f.op(value) {
            Op::Const(_) => Some(Shape::Invariant),
            Op::Binary(Binary::Add | Binary::Sub, a, b) => Some(both(of(a)?, of(b)?)),
            Op::Binary(Binary::Mul, a, b) => match (of(a)?, of(b)?) {
                (a, Shape::Invariant) => Some(both(a, Shape::Invariant)),
                (Shape::Invariant, b) => Some(both(Shape::Invariant, b)),
                _ => None,
            },
            Op::Binary(Binary::Shl, a, b) => match (of(a)?, of(b)?) {
                (Shape::Invariant, Shape::Invariant) => Some(Shape::Invariant),
                (a, Shape::Invariant) => Some(both(a, Shape::Invariant)),
                _ => None,
            },
            Op::Binary(Binary::MulWideS, a, b) => match (of(a)?, of(b)?) {
                (Shape::Invariant, Shape::Invariant) => Some(Shape::Invariant),
                (Shape::Exact, Shape::Invariant) | (Shape::Invariant, Shape::Exact) => Some(Shape::Exact),
                _ => None,
            },
            Op::Unary(Unary::Neg, a) => Some(both(of(a)?, Shape::Invariant)),
            Op::Convert(convert, a) if convert.from.signed() && convert.to.ty() == Ty::I64 => match of(a)? {
                Shape::Linear => None,
                shape if convert.from.ty() == Ty::I32 => Some(shape),
                _ => None,
            },
            _ => None,
        }
    }

    fn push(&mut self, at: Block, ty: Ty, op: Op, loc: Loc) -> Value {
        self.f.push(at, ty, op, loc)
    }

    /// The value before the first iteration, computed at the end of `at`.
    pub(super) fn start(&mut self, value: Value, at: Block) -> Value {
        if !self.is_inside(value) {
            return value;
        }
        if let Some(counter) = counter_of(self.counters, value) {
            return counter.start;
        }
        let data = self.f.values[value.at()].clone();
        let mut operands = Vec::new();
        data.op.each(|operand| operands.push(operand));
        let operands: Vec<Value> = operands.into_iter().map(|operand| self.start(operand, at)).collect();
        let mut op = data.op;
        let mut index = 0;
        op.each_mut(|operand| {
            *operand = operands[index];
            index += 1;
        });
        let new = self.push(at, data.ty, op, data.loc);
        self.f.values[new.at()].nsw = data.nsw;
        new
    }

    /// The step of a value, computed at the end of `at`; `None`: the value does not change.
    pub(super) fn step(&mut self, value: Value, at: Block) -> Option<Value> {
        if !self.is_inside(value) {
            return None;
        }
        let loc = self.f.values[value.at()].loc;
        if let Some(counter) = counter_of(self.counters, value).copied() {
            let ty = self.f.ty(value);
            if counter.down {
                return Some(self.push(at, ty, Op::Unary(Unary::Neg, counter.step), loc));
            }
            return Some(counter.step);
        }
        let ty = self.f.ty(value);
        match *self.f.op(value) {
            Op::Binary(op @ (Binary::Add | Binary::Sub), a, b) => {
                match (self.step(a, at), self.step(b, at)) {
                    (Some(a), Some(b)) => Some(self.push(at, ty, Op::Binary(op, a, b), loc)),
                    (Some(a), None) => Some(a),
                    (None, Some(b)) if op == Binary::Add => Some(b),
                    (None, Some(b)) => Some(self.push(at, ty, Op::Unary(Unary::Neg, b), loc)),
                    (None, None) => None,
                }
            }
            Op::Binary(op @ (Binary::Mul | Binary::MulWideS | Binary::Shl), a, b) => {
                let (changing, factor) = match (self.step(a, at), self.step(b, at)) {
                    (Some(step), _) => (step, b),
                    (None, Some(step)) => (step, a),
                    (None, None) => return None,
                };
                let factor = self.start(factor, at);
                Some(self.push(at, ty, Op::Binary(op, changing, factor), loc))
            }
            Op::Unary(Unary::Neg, a) => {
                let step = self.step(a, at)?;
                Some(self.push(at, ty, Op::Unary(Unary::Neg, step), loc))
            }
            Op::Convert(convert, a) => {
                let step = self.step(a, at)?;
                Some(self.push(at, ty, Op::Convert(convert, step), loc))
            }
            _ => None,
        }
    }
}
