//! Counts, bit fields, permutations and signs.

use super::{Block, recipe};
use crate::ptx::ast::{Instruction, Literal, Operand, OperandKind, Statement};
use crate::sem::bits;
use crate::types::ScalarType;

/// The first target whose registers of type `.f64` have 64 bits.
const DOUBLES: u32 = 13;

/// Returns the block for an instruction on target `sm_number`; `None` if it has no expansion.
pub fn code<'t>(inst: &Instruction<'t>, number: u32) -> Option<Statement<'t>> {
    let mut block = Block::new(inst);
    let has = |word: &str| inst.modifiers.iter().any(|found| found.name == word);
    let wide = has("b64") || has("u64") || has("s64");
    let signed = has("s32") || has("s64");
    match (inst.opcode.name, inst.operands.len()) {
        ("popc", 2) => popc(&mut block, wide),
        ("clz", 2) => {
            let zeros = leading_zeros(&mut block, wide);
            let to = block.given(0);
            block.last("mov.b32", [&to, &zeros]);
        }
        ("brev", 2) => brev(&mut block, wide),
        ("bfind", 2) => bfind(&mut block, wide, signed, has("shiftamt")),
        ("bfe", 4) => bfe(&mut block, wide, signed),
        ("bfi", 5) => bfi(&mut block, wide),
        ("prmt", 4) => prmt(&mut block, inst.modifiers.get(1).map(|word| word.name))?,
        ("shf", 4) => shf(&mut block, has("l"), has("clamp")),
        ("copysign", 3) if has("f32") || number < DOUBLES => copysign(&mut block),
        ("copysign", 3) => copysign_wide(&mut block),
        _ => return None,
    }
    Some(block.finish())
}

fn popc(block: &mut Block, wide: bool) {
    let (to, from) = (block.given(0), block.given(1));
    let count = if wide {
        let [low, high] = block.halves(&from);
        let [low, high] = [recipe::ones(block, &low), recipe::ones(block, &high)];
        block.op("add.u32", [&low, &low, &high]);
        low
    } else {
        let from = block.copy(&from);
        recipe::ones(block, &from)
    };
    block.last("mov.b32", [&to, &count]);
}

/// Returns the number of leading zeros of the instruction's source.
fn leading_zeros<'t>(block: &mut Block<'_, 't>, wide: bool) -> Operand<'t> {
    let from = block.given(1);
    if wide {
        let halves = block.halves(&from);
        return zeros_of_halves(block, &halves);
    }
    let from = block.copy(&from);
    recipe::leading_zeros(block, &from)
}

fn zeros_of_halves<'t>(block: &mut Block<'_, 't>, [low, high]: &[Operand<'t>; 2]) -> Operand<'t> {
    let (below, above) = (recipe::leading_zeros(block, low), recipe::leading_zeros(block, high));
    let is_zero = block.register(ScalarType::Pred);
    let (zero, word) = (block.number(0), block.number(32));
    block.op("add.u32", [&below, &below, &word]);
    block.op("setp.eq.u32", [&is_zero, high, &zero]);
    block.op("selp.b32", [&above, &below, &above, &is_zero]);
    above
}

fn brev(block: &mut Block, wide: bool) {
    let (to, from) = (block.given(0), block.given(1));
    if wide {
        let [low, high] = block.halves(&from);
        let [low, high] = [recipe::reversed(block, &high), recipe::reversed(block, &low)];
        let both = block.braces([&low, &high]);
        block.last("mov.b64", [&to, &both]);
    } else {
        let all = recipe::reversed(block, &from);
        block.last("mov.b32", [&to, &all]);
    }
}

/// The highest bit that differs from the sign is the highest one of the exclusive or with the
/// sign.
fn bfind(block: &mut Block, wide: bool, signed: bool, distance: bool) {
    let (to, from) = (block.given(0), block.given(1));
    let sign = block.word();
    let count = if wide {
        let halves = block.halves(&from);
        if signed {
            let last = block.number(31);
            block.op("shr.s32", [&sign, &halves[1], &last]);
            for half in &halves {
                block.op("xor.b32", [half, half, &sign]);
            }
        }
        zeros_of_halves(block, &halves)
    } else {
        let from = block.copy(&from);
        if signed {
            let last = block.number(31);
            block.op("shr.s32", [&sign, &from, &last]);
            block.op("xor.b32", [&from, &from, &sign]);
        }
        recipe::leading_zeros(block, &from)
    };
    let (width, last) = if wide { (64, 63) } else { (32, 31) };
    if distance {
        let none = block.register(ScalarType::Pred);
        let (width, ones) = (block.number(width), block.number(0xffff_ffff));
        block.op("setp.eq.u32", [&none, &count, &width]);
        block.op("selp.b32", [&count, &ones, &count, &none]);
    } else {
        let last = block.number(last);
        block.op("sub.u32", [&count, &last, &count]);
    }
    block.last("mov.b32", [&to, &count]);
}

/// Returns a register with the lower byte of an operand, which is at most `most`.
fn byte<'t>(block: &mut Block<'_, 't>, of: &Operand<'t>, most: Option<u64>) -> Operand<'t> {
    let amount = block.word();
    let mask = block.number(0xff);
    block.op("and.b32", [&amount, of, &mask]);
    if let Some(most) = most {
        let most = block.number(most);
        block.op("min.u32", [&amount, &amount, &most]);
    }
    amount
}

/// The field is shifted to the upper end and back, which extends it. If its place is not a
/// constant, it is first shifted to the lower end: a shift by more bits than there are leaves
/// zeros, or the sign.
fn bfe(block: &mut Block, wide: bool, signed: bool) {
    let [to, from, start, length] = [0, 1, 2, 3].map(|place| block.given(place));
    let width = if wide { 64 } else { 32 };
    let field = block.register(if wide { ScalarType::B64 } else { ScalarType::B32 });
    let [copy, left, right] = match (wide, signed) {
        (false, false) => ["mov.b32", "shl.b32", "shr.u32"],
        (false, true) => ["mov.b32", "shl.b32", "shr.s32"],
        (true, false) => ["mov.b64", "shl.b64", "shr.u64"],
        (true, true) => ["mov.b64", "shl.b64", "shr.s64"],
    };
    match (constant(&start), constant(&length)) {
        (Some(start), Some(length)) if length > 0 && start + length <= width => {
            let [up, down] = [width - start - length, width - length].map(|value| block.number(value));
            block.op(left, [&field, &from, &up]);
            block.op(right, [&field, &field, &down]);
        }
        _ => {
            let (start, length) = (byte(block, &start, None), byte(block, &length, Some(width)));
            let width = block.number(width);
            block.op("sub.u32", [&length, &width, &length]);
            block.op(right, [&field, &from, &start]);
            block.op(left, [&field, &field, &length]);
            block.op(right, [&field, &field, &length]);
        }
    }
    block.last(copy, [&to, &field]);
}

/// Returns the value of a constant of at most one byte.
fn constant(operand: &Operand) -> Option<u64> {
    match operand.kind {
        OperandKind::Literal(Literal::Int { value, .. }) if value <= 0xff => Some(value),
        _ => None,
    }
}

/// A shift by more bits than there are leaves zeros: so a field of all bits is 0 - 1.
fn bfi(block: &mut Block, wide: bool) {
    let [to, from, into, start, length] = [0, 1, 2, 3, 4].map(|place| block.given(place));
    let (start, length) = (byte(block, &start, None), byte(block, &length, None));
    let ty = if wide { ScalarType::B64 } else { ScalarType::B32 };
    let (field, rest) = (block.register(ty), block.register(ty));
    let [copy, shift, subtract, and, or, not] = if wide {
        ["mov.b64", "shl.b64", "sub.u64", "and.b64", "or.b64", "not.b64"]
    } else {
        ["mov.b32", "shl.b32", "sub.u32", "and.b32", "or.b32", "not.b32"]
    };
    let one = block.number(1);
    block.op(copy, [&field, &one]);
    block.op(shift, [&field, &field, &length]);
    block.op(subtract, [&field, &field, &one]);
    block.op(shift, [&field, &field, &start]);
    block.op(not, [&rest, &field]);
    block.op(and, [&rest, &into, &rest]);
    let inserted = block.register(ty);
    block.op(shift, [&inserted, &from, &start]);
    block.op(and, [&inserted, &inserted, &field]);
    block.op(or, [&rest, &rest, &inserted]);
    block.last(copy, [&to, &rest]);
}

/// Each digit of the selector shifts the eight bytes;
/// its highest bit replaces the byte by its sign.
fn prmt(block: &mut Block, mode: Option<&str>) -> Option<()> {
    let [to, a, b, c] = [0, 1, 2, 3].map(|place| block.given(place));
    let [a, b, selector] = [block.copy(&a), block.copy(&b), block.copy(&c)];
    let bytes = block.register(ScalarType::B64);
    if let Some(mode) = mode {
        let (_, four) = bits::PERMUTATIONS.iter().find(|(name, _)| *name == mode)?;
        let all = four.iter().rev().fold(0, |all, one| all << 16 | u64::from(*one));
        let (three, all, digits) = (block.number(3), block.number(all), block.number(4));
        block.op("and.b32", [&selector, &selector, &three]);
        block.op("shl.b32", [&selector, &selector, &digits]);
        block.op("mov.b64", [&bytes, &all]);
        block.op("shr.u64", [&bytes, &bytes, &selector]);
        block.op("cvt.u32.u64", [&selector, &bytes]);
    }
    let both = block.braces([&a, &b]);
    block.op("mov.b64", [&bytes, &both]);
    let (out, digit, byte, sign) = (block.word(), block.word(), block.word(), block.word());
    let shifted = block.register(ScalarType::B64);
    let zero = block.number(0);
    block.op("mov.b32", [&out, &zero]);
    for place in 0..4 {
        let [at, eight, seven, all] = [4 * place, 3, 7, 0xff].map(|value| block.number(value));
        block.op("shr.u32", [&digit, &selector, &at]);
        block.op("and.b32", [&byte, &digit, &seven]);
        block.op("shl.b32", [&byte, &byte, &eight]);
        block.op("shr.u64", [&shifted, &bytes, &byte]);
        block.op("cvt.u32.u64", [&byte, &shifted]);
        // All ones where the sign replaces the byte.
        let [top, last, upper] = [28, 31, 24].map(|value| block.number(value));
        block.op("shl.b32", [&digit, &digit, &top]);
        block.op("shr.s32", [&digit, &digit, &last]);
        block.op("shl.b32", [&sign, &byte, &upper]);
        block.op("shr.s32", [&sign, &sign, &last]);
        block.op("and.b32", [&sign, &sign, &digit]);
        block.op("not.b32", [&digit, &digit]);
        block.op("and.b32", [&byte, &byte, &digit]);
        block.op("or.b32", [&byte, &byte, &sign]);
        block.op("and.b32", [&byte, &byte, &all]);
        let left = block.number(8 * place);
        block.op("shl.b32", [&byte, &byte, &left]);
        block.op("or.b32", [&out, &out, &byte]);
    }
    block.last("mov.b32", [&to, &out]);
    Some(())
}

fn shf(block: &mut Block, left: bool, clamp: bool) {
    let [to, a, b, c] = [0, 1, 2, 3].map(|place| block.given(place));
    let (amount, all) = (block.word(), block.register(ScalarType::B64));
    if clamp {
        let most = block.number(32);
        block.op("min.u32", [&amount, &c, &most]);
    } else {
        let mask = block.number(31);
        block.op("and.b32", [&amount, &c, &mask]);
    }
    let [a, b] = [block.copy(&a), block.copy(&b)];
    let both = block.braces([&a, &b]);
    block.op("mov.b64", [&all, &both]);
    block.op(if left { "shl.b64" } else { "shr.u64" }, [&all, &all, &amount]);
    let [low, high] = block.halves(&all);
    block.last("mov.b32", [&to, if left { &high } else { &low }]);
}

fn copysign(block: &mut Block) {
    let [to, sign, magnitude] = [0, 1, 2].map(|place| block.given(place));
    let [sign, magnitude] = [block.copy(&sign), block.copy(&magnitude)];
    let [top, rest] = [0x8000_0000, 0x7fff_ffff].map(|value| block.number(value));
    block.op("and.b32", [&sign, &sign, &top]);
    block.op("and.b32", [&magnitude, &magnitude, &rest]);
    block.op("or.b32", [&sign, &sign, &magnitude]);
    block.last("mov.b32", [&to, &sign]);
}

fn copysign_wide(block: &mut Block) {
    let [to, sign, magnitude] = [0, 1, 2].map(|place| block.given(place));
    let ([_, sign], [low, magnitude]) = (block.halves(&sign), block.halves(&magnitude));
    let [top, rest] = [0x8000_0000, 0x7fff_ffff].map(|value| block.number(value));
    block.op("and.b32", [&sign, &sign, &top]);
    block.op("and.b32", [&magnitude, &magnitude, &rest]);
    block.op("or.b32", [&sign, &sign, &magnitude]);
    let both = block.braces([&low, &sign]);
    block.last("mov.b64", [&to, &both]);
}
