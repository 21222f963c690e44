//! Inline PTX.

use super::addr::Addr;
use super::function::Lowerer;
use super::scalar;
use crate::hir::{AsmClass, AsmPiece, InlineAsm};
use crate::ssa::{Asm, AsmKind, Mem, Op, Ty, Value};

fn kind(class: AsmClass) -> AsmKind {
    match class {
        AsmClass::Half => AsmKind::Half,
        AsmClass::Word => AsmKind::Word,
        AsmClass::Long => AsmKind::Long,
        AsmClass::Float => AsmKind::Float,
        AsmClass::Double => AsmKind::Double,
        AsmClass::Immediate => AsmKind::Immediate,
    }
}

fn register(kind: AsmKind) -> Ty {
    match kind {
        AsmKind::Half | AsmKind::Word | AsmKind::Immediate => Ty::I32,
        AsmKind::Long => Ty::I64,
        AsmKind::Float => Ty::F32,
        AsmKind::Double => Ty::F64,
    }
}

impl Lowerer<'_> {
    pub(super) fn inline_asm(&mut self, asm: &InlineAsm) {
        let places: Vec<Addr> = asm.outputs.iter().map(|output| self.place(&output.place)).collect();
        let mut inputs = Vec::new();
        let mut kinds = Vec::new();
        for input in &asm.inputs {
            let value = self.expr(&input.value);
            inputs.push(self.fitted(value, register(kind(input.class))));
            kinds.push(kind(input.class));
        }
        // The values of outputs that are read too are further inputs.
        let mut outputs = Vec::new();
        for (output, at) in asm.outputs.iter().zip(&places) {
            let mut tied = None;
            if output.read {
                let value = self.load_scalar(*at, output.place.ty, output.place.volatile);
                tied = Some(inputs.len() as u32);
                inputs.push(self.fitted(value, register(kind(output.class))));
                kinds.push(kind(output.class));
            }
            outputs.push((kind(output.class), tied));
        }
        let mut pieces = vec![(String::new(), None)];
        for piece in &asm.template {
            if pieces.last().is_some_and(|(_, operand): &(String, Option<u32>)| operand.is_some()) {
                pieces.push((String::new(), None));
            }
            if let Some((text, operand)) = pieces.last_mut() {
                match piece {
                    AsmPiece::Text(more) => text.push_str(more),
                    AsmPiece::Operand(index) => *operand = Some(*index as u32),
                }
            }
        }
        let volatile = asm.volatile || asm.memory || outputs.is_empty();
        let results: Vec<AsmKind> = outputs.iter().map(|(kind, _)| *kind).collect();
        let ty = if outputs.is_empty() { Ty::Void } else { Ty::Multi };
        let all = self.emit(ty, Op::Asm(Box::new(Asm { pieces, outputs, kinds, inputs, volatile })));
        for (index, (output, at)) in asm.outputs.iter().zip(places).enumerate() {
            let value = self.emit(register(results[index]), Op::Extract(all, index as u32));
            let Some(ty) = scalar(self.types, output.place.ty) else { continue };
            let value = if ty == Ty::I1 { self.is_true(value) } else { self.fitted(value, ty) };
            let value = match (ty, self.types.get(output.place.ty)) {
                (Ty::I32, crate::hir::Type::Int(int)) if int.bits < 32 => self.extend(value, int),
                _ => value,
            };
            self.store_scalar(at, output.place.ty, value, output.place.volatile);
        }
    }

    /// The bits of a value in a register of another type; the front end checks the sizes.
    fn fitted(&mut self, value: Value, ty: Ty) -> Value {
        let from = self.f.ty(value);
        if from == ty || Mem::of(ty).is_none() {
            return value;
        }
        if from == Ty::I1 {
            let value = self.bool_to_int(value);
            return self.fitted(value, ty);
        }
        if from.bits() == ty.bits() {
            return self.emit(ty, Op::Bits(value));
        }
        self.emit(ty, Op::Undef)
    }
}
