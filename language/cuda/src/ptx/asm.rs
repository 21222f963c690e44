//! Inline PTX: the text with the registers of its operands, in its own scope.

use super::body::Body;
use crate::ssa::{Asm, AsmKind, Ty, Value};
use std::fmt::Write as _;

fn ty(kind: AsmKind) -> Ty {
    match kind {
        AsmKind::Half | AsmKind::Word | AsmKind::Immediate => Ty::I32,
        AsmKind::Long => Ty::I64,
        AsmKind::Float => Ty::F32,
        AsmKind::Double => Ty::F64,
    }
}

impl Body<'_> {
    pub(super) fn asm(&mut self, value: Value, asm: &Asm) {
        // Each output has a register that no input shares, since the text may write it early.
        let mut names: Vec<String> = Vec::new();
        let mut halves = Vec::new();
        let mut before = String::new();
        let mut after = String::new();
        for (index, (kind, _)) in asm.outputs.iter().enumerate() {
            if *kind == AsmKind::Half {
                halves.push(format!("%ah{index}"));
                names.push(format!("%ah{index}"));
            } else {
                names.push(self.registers.fresh(ty(*kind)));
            }
        }
        let mut inputs = Vec::new();
        for (index, (input, kind)) in asm.inputs.iter().zip(&asm.kinds).enumerate() {
            let register =
                if *kind == AsmKind::Immediate { self.operand(*input) } else { self.register(*input) };
            if *kind == AsmKind::Half {
                let half = format!("%ai{index}");
                let _ = writeln!(before, "\tcvt.u16.u32 \t{half}, {register};");
                halves.push(half.clone());
                inputs.push(half);
            } else {
                inputs.push(register);
            }
        }
        for (index, (kind, tied)) in asm.outputs.iter().enumerate() {
            if let Some(input) = tied.and_then(|tied| inputs.get(tied as usize)) {
                let _ = writeln!(before, "\tmov.{} \t{}, {input};", move_kind(*kind), names[index]);
            }
        }
        let parts = self.parts.get(&value).cloned().unwrap_or_default();
        for (index, (kind, _)) in asm.outputs.iter().enumerate() {
            if let Some(part) = parts.get(index).copied().flatten() {
                let name = self.registers.name(self.f, part);
                let convert = if *kind == AsmKind::Half { "cvt.u32.u16" } else { "" };
                let _ = if convert.is_empty() {
                    writeln!(after, "\tmov.{} \t{name}, {};", move_kind(*kind), names[index])
                } else {
                    writeln!(after, "\t{convert} \t{name}, {};", names[index])
                };
            }
        }
        names.extend(inputs);
        let mut text = String::new();
        for (piece, operand) in &asm.pieces {
            text.push_str(piece);
            if let Some(name) = operand.and_then(|operand| names.get(operand as usize)) {
                text.push_str(name);
            }
        }
        self.out.push_str("\t{\n");
        for half in halves {
            let _ = writeln!(self.out, "\t.reg .b16 {half};");
        }
        self.out.push_str(&before);
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
            let _ = writeln!(self.out, "\t{line}");
        }
        let ends = text.trim_end();
        if !ends.is_empty() && !ends.ends_with([';', '}', ':']) {
            self.out.push_str("\t;\n");
        }
        self.out.push_str(&after);
        self.out.push_str("\t}\n");
    }
}

fn move_kind(kind: AsmKind) -> &'static str {
    match kind {
        AsmKind::Half => "u16",
        AsmKind::Word | AsmKind::Immediate => "u32",
        AsmKind::Long => "u64",
        AsmKind::Float => "f32",
        AsmKind::Double => "f64",
    }
}
