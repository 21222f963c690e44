//! Instructions of Fermi that are a few older ones: extraction of a constant bit field, and the
//! number of leading zeros.

use crate::ptx::ast::{Ident, Instruction, Literal, Operand, OperandKind, Statement};

/// Bits of a double word.
const WIDE: u64 = 64;

/// Returns the statements with these instructions replaced.
pub fn expand(statements: Vec<Statement<'_>>) -> Vec<Statement<'_>> {
    statements.into_iter().flat_map(expanded).collect()
}

fn expanded(statement: Statement<'_>) -> Vec<Statement<'_>> {
    match statement {
        Statement::Block(inner) => vec![Statement::Block(expand(inner.into_vec()).into())],
        Statement::Instruction(inst) => {
            let parts = match inst.opcode.name {
                "bfe" => field(&inst),
                "clz" => leading_zeros(&inst),
                _ => None,
            };
            match parts {
                Some(parts) => parts.into_iter().map(|part| Statement::Instruction(Box::new(part))).collect(),
                None => vec![Statement::Instruction(inst)],
            }
        }
        other => vec![other],
    }
}

/// `bfe d, a, start, bits` with constants: the field is shifted to the upper end, and then to the
/// lower one, which fills with zeros or with its sign.
fn field<'t>(inst: &Instruction<'t>) -> Option<Vec<Instruction<'t>>> {
    let [to, from, start, bits] = &*inst.operands else { return None };
    let (start, bits) = (number(start)?, number(bits)?);
    let [ty] = &*inst.modifiers else { return None };
    let (width, shifted) = match ty.name {
        "u32" | "s32" => (32, "b32"),
        "u64" | "s64" => (WIDE, "b64"),
        _ => return None,
    };
    if bits == 0 || start + bits > width {
        return None;
    }
    let (left, right) = (constant(inst, width - start - bits), constant(inst, width - bits));
    let first = with(inst, "shl", &[shifted], [to.clone(), from.clone(), left]);
    let second = with(inst, "shr", &[ty.name], [to.clone(), to.clone(), right]);
    Some(vec![first, second])
}

/// `clz.b32 d, a`: the exponent of the number, rounded toward zero, tells its highest bit. That of
/// zero is 0, so that the difference is above 32.
fn leading_zeros<'t>(inst: &Instruction<'t>) -> Option<Vec<Instruction<'t>>> {
    const LARGEST_EXPONENT: u64 = 127 + 31;
    let ([to, from], [ty]) = (&*inst.operands, &*inst.modifiers) else { return None };
    if ty.name != "b32" {
        return None;
    }
    let (to, number) = (|| to.clone(), |value| constant(inst, value));
    Some(vec![
        with(inst, "cvt", &["rz", "f32", "u32"], [to(), from.clone()]),
        with(inst, "shr", &["u32"], [to(), to(), number(23)]),
        with(inst, "sub", &["u32"], [to(), number(LARGEST_EXPONENT), to()]),
        with(inst, "min", &["u32"], [to(), to(), number(32)]),
    ])
}

/// Returns the value of a constant operand.
fn number(operand: &Operand<'_>) -> Option<u64> {
    match operand.kind {
        OperandKind::Literal(Literal::Int { value, .. }) if value <= WIDE => Some(value),
        _ => None,
    }
}

fn constant<'t>(inst: &Instruction<'t>, value: u64) -> Operand<'t> {
    Operand { kind: OperandKind::Literal(Literal::Int { value, negative: false }), span: inst.span }
}

/// Returns another instruction at the place and under the guard of `inst`.
fn with<'t, const N: usize>(
    inst: &Instruction<'t>,
    opcode: &'t str,
    modifiers: &[&'t str],
    operands: [Operand<'t>; N],
) -> Instruction<'t> {
    let span = inst.opcode.span;
    let word = |name: &'t str| Ident { name, span };
    Instruction {
        guard: inst.guard,
        opcode: word(opcode),
        modifiers: modifiers.iter().map(|name| word(name)).collect(),
        operands: operands.into(),
        span: inst.span,
    }
}
