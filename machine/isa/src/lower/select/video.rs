//! Selection of video instructions.

use super::super::code::{File, OperandRow};
use super::super::resolve::{Arg, ArgKind, Inst};
use super::operand::fits;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::forms::{Atomic, Bounds, Compare, Opcode, Scale};
use crate::sem::video::{Relation, Second, Selector as Part, Video};
use crate::types::{ScalarType, TypeKind};
use crate::uop::Op;

impl Selector<'_, '_> {
    /// Selects a video instruction. All its operands have 32 bits; its modifiers, and the parts and
    /// signs of its operands, become the immediate.
    pub(super) fn video(&mut self, inst: &Inst, op: Op) -> Selected {
        let types = [0, 1, 2, 3].map(|place| inst.form.operand_type(place).unwrap_or(ScalarType::U32));
        let signed = types.map(|ty| ty.kind() == TypeKind::Signed);
        let (a, b) = (self.operand(inst, 1)?, self.operand(inst, 2)?);
        let c = inst.operands.get(3);
        let (negates_a, negates_b) = (is_negated(a), is_negated(b));
        let negates_third = c.is_some_and(is_negated);
        if negates_third && negates_a != negates_b {
            let message = format!("`{}` negates both the product and the addend", self.name(inst));
            let error = Diagnostic::error("E0304", inst.span, message).label("one of them can be negated");
            return Err(error.help("compute the sum without negations, and negate it"));
        }
        let destination = self.operand(inst, 0)?;
        let video = Video {
            is_signed: signed[0],
            a_is_signed: signed[1],
            b_is_signed: signed[2],
            a: selected(a),
            b: selected(b),
            into: selected(destination),
            saturates: inst.form.sat,
            second: self.second(inst)?,
            wraps: inst.form.bounds == Some(Bounds::Wrap),
            relation: self.relation(inst)?,
            negates_product: negates_a != negates_b,
            negates_third,
            adds_one: inst.form.plus_one,
            shift: match inst.form.scale {
                None => 0,
                Some(Scale::Shr7) => 7,
                Some(Scale::Shr15) => 15,
            },
        };
        let mut sources = [self.bits(File::W, 0); 3];
        for (source, (arg, ty)) in sources.iter_mut().zip(inst.operands.iter().zip(types).skip(1)) {
            *source = self.word_or_part(inst, arg, ty)?;
        }
        let dst = match destination.kind {
            ArgKind::Part { .. } => self.word_or_part(inst, destination, types[0])?,
            _ => self.destination(inst, destination, types[0])?,
        };
        self.emit(op, dst, &sources).imm = video.encode();
        Ok(())
    }

    /// Returns the row of an operand, which may be a part of a register.
    fn word_or_part(&mut self, inst: &Inst, arg: &Arg, ty: ScalarType) -> Selected<OperandRow> {
        match arg.kind {
            ArgKind::Part { register, .. } if fits(self.type_of(register), ty) => Ok(self.row_of(register)),
            ArgKind::Part { register, .. } => {
                Err(self.wrong_type(inst, register, arg.span, &format!("a {ty}")))
            }
            _ => self.read(inst, arg, ty),
        }
    }

    /// Returns the second operation.
    fn second(&self, inst: &Inst) -> Selected<Option<Second>> {
        match inst.form.atomic {
            None => Ok(None),
            Some(Atomic::Add) => Ok(Some(Second::Add)),
            Some(Atomic::Min) => Ok(Some(Second::Min)),
            Some(Atomic::Max) => Ok(Some(Second::Max)),
            Some(
                Atomic::Inc
                | Atomic::Dec
                | Atomic::And
                | Atomic::Or
                | Atomic::Xor
                | Atomic::Exch
                | Atomic::Cas,
            ) => Err(self.missing(inst)),
        }
    }

    /// Returns the comparison of `vset`.
    fn relation(&self, inst: &Inst) -> Selected<Relation> {
        if inst.form.opcode != Opcode::Vset {
            return Ok(Relation::default());
        }
        match inst.form.compare {
            Some(Compare::Eq) => Ok(Relation::Eq),
            Some(Compare::Ne) => Ok(Relation::Ne),
            Some(Compare::Lt) => Ok(Relation::Lt),
            Some(Compare::Le) => Ok(Relation::Le),
            Some(Compare::Gt) => Ok(Relation::Gt),
            Some(Compare::Ge) => Ok(Relation::Ge),
            None
            | Some(
                Compare::Equ
                | Compare::Neu
                | Compare::Ltu
                | Compare::Leu
                | Compare::Gtu
                | Compare::Geu
                | Compare::Num
                | Compare::Nan,
            ) => Err(self.missing(inst)),
        }
    }
}

/// Returns the part that an operand names.
fn selected(arg: &Arg) -> Part {
    match arg.kind {
        ArgKind::Part { selector, .. } => selector,
        _ => Part::Word,
    }
}

/// Whether an operand has a minus sign.
fn is_negated(arg: &Arg) -> bool {
    matches!(arg.kind, ArgKind::Part { negated: true, .. })
}
