//! Undefined bits of the results of logic, shifts, bit fields and conversions.
//!
//! Other operations have results that are undefined as a whole.

use super::rule::Rule;
use super::state::State;
use crate::exec::{Kernel, Warp, rows};
use isa::sem::{bits, int};
use isa::uop::{Inst, Op, OperandKind};

/// The operands of an executed instruction in one lane.
pub struct Operands<'a> {
    /// The launch.
    pub kernel: &'a Kernel,
    /// Registers after the instruction.
    pub registers: &'a Warp,
    /// The instruction.
    pub inst: &'a Inst,
    /// Rule of the micro-op.
    pub rule: &'a Rule,
    /// Undefined values before the instruction.
    pub state: &'a State,
    /// Lane whose bits are computed.
    pub lane: usize,
}

impl Operands<'_> {
    fn kind(&self, place: usize) -> OperandKind {
        self.inst.op.shape().srcs().get(place).copied().unwrap_or(OperandKind::W)
    }

    /// The undefined bits of an operand.
    fn bits(&self, place: usize) -> u64 {
        let all = match self.kind(place) {
            OperandKind::D => u64::MAX,
            OperandKind::P => 1,
            OperandKind::W | OperandKind::Addr => u64::from(u32::MAX),
        };
        self.state.bits(self.rule.srcs[place], self.lane) & all
    }

    /// The value of an operand, if it is defined and the result has not replaced it.
    fn value(&self, place: usize) -> Option<u64> {
        if self.bits(place) == 0 { self.content(place) } else { None }
    }

    /// The content of an operand, if the result has not replaced it. Undefined bits have a value,
    /// too.
    fn content(&self, place: usize) -> Option<u64> {
        let slot = self.rule.srcs[place];
        let is_register = slot < self.state.undefined.len() as u32 - 2;
        if is_register && self.rule.dsts.contains(&slot) {
            return None;
        }
        let row = self.inst.src[place];
        match self.kind(place) {
            OperandKind::W => Some(rows::w(self.kernel, self.registers, row)[self.lane].into()),
            OperandKind::D => Some(rows::d(self.kernel, self.registers, row)[self.lane]),
            OperandKind::P | OperandKind::Addr => None,
        }
    }

    /// The undefined bits of a logical operation. An operand decides a bit of the result if its bit
    /// is defined and is the bit of `decides`, which is 0 or all ones.
    fn decided(&self, decides: u64) -> u64 {
        let [a, b] = [self.bits(0), self.bits(1)];
        let known = |place: usize, bits: u64| self.content(place).map_or(0, |v| !(v ^ decides) & !bits);
        (a | b) & !known(0, a) & !known(1, b)
    }

    /// The value of an operand of 32 bits.
    fn word(&self, place: usize) -> Option<u32> {
        self.value(place).map(|value| value as u32)
    }

    fn some_bits(&self) -> Option<u64> {
        let [a, b] = [self.bits(0), self.bits(1)];
        let [low, high] = [a as u32, b as u32];
        let narrow = |bits: u32| Some(u64::from(bits));
        match self.inst.op {
            Op::MovB32 | Op::MovB64 | Op::NotB32 | Op::NotB64 => Some(a),
            Op::AndB32 | Op::AndB64 => Some(self.decided(0)),
            Op::OrB32 | Op::OrB64 => Some(self.decided(u64::MAX)),
            Op::XorB32 | Op::XorB64 => Some(a | b),
            // A carry only goes up.
            Op::AddB32 | Op::SubB32 | Op::AddB64 | Op::SubB64 => Some((a | b) | (a | b).wrapping_neg()),
            Op::ShlB32 => narrow(int::shl32(low, self.word(1)?)),
            Op::ShrU32 => narrow(int::shr_u32(low, self.word(1)?)),
            Op::ShrS32 => narrow(int::shr_s32(low, self.word(1)?)),
            Op::ShlB64 => Some(int::shl64(a, self.word(1)?)),
            Op::ShrU64 => Some(int::shr_u64(a, self.word(1)?)),
            Op::ShrS64 => Some(int::shr_s64(a, self.word(1)?)),
            Op::BfeU32 => narrow(bits::bfe_u32(low, self.word(1)?, self.word(2)?)),
            Op::BfeS32 => narrow(bits::bfe_s32(low, self.word(1)?, self.word(2)?)),
            Op::BfeU64 => Some(bits::bfe_u64(a, self.word(1)?, self.word(2)?)),
            Op::BfeS64 => Some(bits::bfe_s64(a, self.word(1)?, self.word(2)?)),
            Op::BfiB32 => narrow(bits::bfi32(low, high, self.word(2)?, self.word(3)?)),
            Op::BfiB64 => Some(bits::bfi64(a, b, self.word(2)?, self.word(3)?)),
            Op::PrmtB32 => narrow(bits::prmt(low, high, self.word(2)?)),
            Op::ShfLWrap => narrow(bits::shf_l_wrap(low, high, self.word(2)?)),
            Op::ShfLClamp => narrow(bits::shf_l_clamp(low, high, self.word(2)?)),
            Op::ShfRWrap => narrow(bits::shf_r_wrap(low, high, self.word(2)?)),
            Op::ShfRClamp => narrow(bits::shf_r_clamp(low, high, self.word(2)?)),
            Op::PackB32 => narrow(bits::pack32(low, high)),
            Op::PackB64 => Some(bits::pack64(low, high)),
            Op::HiB64 => narrow(bits::hi32(a)),
            Op::CvtB32B64 => narrow(int::lo32(a)),
            Op::CvtB64U32 => Some(int::zext64(low)),
            Op::CvtB64S32 => Some(int::sext64(low)),
            Op::CvtU32U8 => narrow(int::zext8(low)),
            Op::CvtS32S8 => narrow(int::sext8(low)),
            Op::CvtU32U16 => narrow(int::zext16(low)),
            Op::CvtS32S16 => narrow(int::sext16(low)),
            Op::SelpB32 | Op::SelpB64 if self.bits(2) == 0 => {
                let selects = rows::p(self.registers, self.inst.src[2]) >> self.lane & 1 != 0;
                Some(if selects { a } else { b })
            }
            Op::Lop3 => Some(self.lop3(self.word(3)?)),
            _ => None,
        }
    }

    /// A bit of a three-input operation is undefined if undefined bits of the operands change it.
    fn lop3(&self, table: u32) -> u64 {
        let undefined = [0, 1, 2].map(|place| self.bits(place) as u32);
        let [Some(a), Some(b), Some(c)] = [0, 1, 2].map(|place| self.content(place)) else {
            return (undefined[0] | undefined[1] | undefined[2]).into();
        };
        let values = [a as u32, b as u32, c as u32];
        let result = |flipped: u32| {
            let of =
                |place: usize| values[place] ^ if flipped >> place & 1 != 0 { undefined[place] } else { 0 };
            bits::lop3(of(0), of(1), of(2), table)
        };
        (1..8).fold(0, |all, flipped| all | u64::from(result(flipped) ^ result(0)))
    }
}

/// The undefined bits of the result of an instruction with undefined operands.
pub fn of_result(operands: &Operands) -> u64 {
    operands.some_bits().unwrap_or(u64::MAX)
}

/// Whether the undefined bits of the result are the undefined bits of one operand, each at its
/// place.
pub fn keeps(operands: &Operands) -> bool {
    match operands.inst.op {
        Op::MovB32 | Op::MovB64 | Op::CvtU32U8 | Op::CvtU32U16 => true,
        Op::AndB32 | Op::AndB64 | Op::OrB32 | Op::OrB64 => operands.bits(0) == 0 || operands.bits(1) == 0,
        Op::BfiB32 | Op::BfiB64 => operands.bits(0) == 0,
        _ => false,
    }
}
