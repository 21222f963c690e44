//! The text form of functions, for tests and for reading.

use super::func::{Function, Jump, Terminator, Value};
use super::op::Op;
use super::types::Ty;
use std::fmt::{self, Write as _};

impl fmt::Display for Function {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "function {}", self.name)?;
        for block in self.block_ids() {
            let data = &self.blocks[block.at()];
            write!(f, "b{}{}:", block.0, list(&data.params))?;
            writeln!(f)?;
            for &value in &data.insts {
                let ValueData { ty, op, .. } = &self.values[value.at()];
                match ty {
                    Ty::Void => writeln!(f, "    {}", show(op))?,
                    ty => writeln!(f, "    v{} = {} {}", value.0, name(*ty), show(op))?,
                }
            }
            writeln!(f, "    {}", end(&data.term))?;
        }
        Ok(())
    }
}

use super::func::ValueData;

fn name(ty: Ty) -> &'static str {
    match ty {
        Ty::Void => "void",
        Ty::I1 => "i1",
        Ty::I32 => "i32",
        Ty::I64 => "i64",
        Ty::F32 => "f32",
        Ty::F64 => "f64",
        Ty::Multi => "multi",
    }
}

fn list(values: &[Value]) -> String {
    if values.is_empty() {
        return String::new();
    }
    let names: Vec<String> = values.iter().map(|value| format!("v{}", value.0)).collect();
    format!("({})", names.join(", "))
}

fn jump(jump: &Jump) -> String {
    format!("b{}{}", jump.to.0, list(&jump.args))
}

fn end(term: &Terminator) -> String {
    match term {
        Terminator::Unreachable => "unreachable".to_owned(),
        Terminator::Jump(to) => format!("jump {}", jump(to)),
        Terminator::Branch(cond, a, b) => format!("branch v{}, {}, {}", cond.0, jump(a), jump(b)),
        Terminator::Return(None) => "return".to_owned(),
        Terminator::Return(Some(value)) => format!("return v{}", value.0),
    }
}

/// One operation: its name in lower case and its operands.
fn show(op: &Op) -> String {
    let mut operands = Vec::new();
    op.each(|operand| operands.push(format!("v{}", operand.0)));
    let mut text = match op {
        Op::Const(bits) => format!("const {bits:#x}"),
        Op::Unary(kind, _) => format!("{kind:?}").to_lowercase(),
        Op::Binary(kind, ..) => format!("{kind:?}").to_lowercase(),
        Op::Ternary(kind, ..) => format!("{kind:?}").to_lowercase(),
        Op::Cmp(kind, ..) => format!("cmp.{kind:?}").to_lowercase(),
        Op::Convert(kind, _) => format!("cvt.{}.{}", kind.to.ptx(), kind.from.ptx()),
        Op::Load { space, mem, lanes, offset, .. } => {
            format!("load{}.x{lanes}.{} +{offset}", space.suffix(), mem.ptx())
        }
        Op::Store { space, mem, offset, .. } => format!("store{}.{} +{offset}", space.suffix(), mem.ptx()),
        Op::Special(register) => format!("special {}", register.ptx()),
        Op::KernelParam { offset, .. } => format!("param +{offset}"),
        Op::Address(symbol) => format!("address g{}", symbol.0),
        Op::Slot(slot) => format!("slot {slot}"),
        Op::Select(..) => "select".to_owned(),
        Op::Extract(_, index) => format!("extract {index}"),
        other => {
            let text = format!("{other:?}");
            text.split([' ', '(', '{']).next().unwrap_or_default().to_lowercase()
        }
    };
    if !operands.is_empty() {
        let _ = write!(text, " {}", operands.join(", "));
    }
    text
}
