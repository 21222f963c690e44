//! 32-bit arithmetic for addresses that a 64-bit module computes in 64 bits: the hardware has
//! 32-bit registers. An address in shared and local memory is one of them. On chips below 2.0 so
//! is an address in global and constant memory: their load and store instructions take one
//! register.
//!
//! A 64-bit register becomes a 32-bit one if all its readers need only its lower half: accesses to
//! these spaces, and sums, products and shifts for registers that become 32-bit ones as well. Every
//! write of it must be such an operation. The lower half of these results depends only on the lower
//! halves of the operands.
//!
//! Of a parameter then only the lower half is read. [`Code::addresses`] names these parameters: a
//! launch that gives one of them more than 32 bits, such as a pointer of the host, uses code
//! without this pass, so that the access is out of bounds.

use crate::lower::code::{Code, File, OperandRow, VInst};
use crate::lower::slots::Numbering;
use crate::types::Capability;
use crate::uop::{ConstValue, Inst, MemorySpace, Op};

/// Maximum number of rounds. Longer chains of addresses stay as they are.
const ROUNDS: usize = 64;

/// Returns the 32-bit micro-op with the lower half of the result.
fn lower_half(inst: &VInst) -> Option<Op> {
    Some(match inst.op {
        Op::LdParamB64 if inst.src[0] == OperandRow::None => Op::LdParamB32,
        Op::MovB64 | Op::CvtB64U32 | Op::CvtB64S32 => Op::MovB32,
        Op::AddB64 => Op::AddB32,
        Op::SubB64 => Op::SubB32,
        Op::MulLoB64 | Op::MulWideU32 | Op::MulWideS32 => Op::MulLoB32,
        Op::MadLoB64 | Op::MadWideU32 | Op::MadWideS32 => Op::MadLoB32,
        // An amount from 32 on leaves zero in both.
        Op::ShlB64 => Op::ShlB32,
        Op::AndB64 => Op::AndB32,
        Op::OrB64 => Op::OrB32,
        Op::XorB64 => Op::XorB32,
        _ => return None,
    })
}

/// The state spaces whose addresses are narrowed.
#[derive(Clone, Copy)]
struct Spaces {
    /// Whether addresses of global and constant memory are.
    global: bool,
}

impl Spaces {
    /// Whether the micro-op accesses such a space at a 64-bit address.
    fn accessed(self, inst: &VInst) -> bool {
        let space = inst.op.memory().map(|memory| memory.space);
        let narrow = match space {
            Some(MemorySpace::Shared | MemorySpace::Local) => true,
            Some(MemorySpace::Global | MemorySpace::Const) => self.global,
            Some(MemorySpace::Param | MemorySpace::Generic) | None => false,
        };
        narrow && inst.aux & Inst::ADDR64 != 0
    }
}

/// Computes addresses in 32 bits where the code is for a chip of capability `target`. With
/// `wide_addresses`, addresses of global and constant memory keep their 64 bits.
pub fn addresses(code: &mut Code, target: Capability, wide_addresses: bool) {
    let spaces = Spaces { global: target.major < 2 && !wide_addresses };
    if !code.insts.iter().any(|inst| spaces.accessed(inst)) {
        return;
    }
    let numbers = Numbering::new([0, code.registers[File::D as usize], 0]);
    let mut narrow = vec![true; numbers.len];
    for shared in &code.shared {
        for (file, register) in shared.params.iter().chain(&shared.returns) {
            if *file == File::D {
                narrow[*register as usize] = false;
            }
        }
    }
    // Each round removes the registers that depend on one that was removed before.
    let count = |narrow: &[bool]| narrow.iter().filter(|narrow| **narrow).count();
    for _ in 0..ROUNDS {
        let before = count(&narrow);
        code.insts.iter().for_each(|inst| check(inst, code, spaces, &mut narrow));
        if count(&narrow) == before {
            rewrite(code, spaces, &narrow);
            return;
        }
    }
}

/// Removes from `narrow` the 64-bit registers of a micro-op that need both halves.
fn check(inst: &VInst, code: &Code, spaces: Spaces, narrow: &mut [bool]) {
    let wide = |(file, row): (File, OperandRow)| match row {
        OperandRow::Reg(register) if file == File::D => Some(register as usize),
        _ => None,
    };
    let result = inst.dsts().find_map(wide);
    let fits = |(file, row): (File, OperandRow)| {
        let whole = file == File::D && row != OperandRow::None;
        !whole || lower_constant(code, row).is_some() || wide((file, row)).is_some_and(|r| narrow[r])
    };
    let becomes_narrow =
        result.is_some_and(|result| narrow[result] && lower_half(inst).is_some() && inst.srcs().all(fits));
    if becomes_narrow {
        return;
    }
    let address = spaces.accessed(inst);
    for (place, source) in inst.srcs().enumerate() {
        if let Some(register) = wide(source).filter(|_| !(address && place == 0)) {
            narrow[register] = false;
        }
    }
    let all = inst.defs().chain(inst.passed.iter().flat_map(|passed| passed.uses.iter().copied()));
    for (_, register) in all.filter(|(file, _)| *file == File::D) {
        narrow[register as usize] = false;
    }
}

/// Returns the lower half of a 64-bit constant, if it is known here or a value of the launch.
fn lower_constant(code: &Code, row: OperandRow) -> Option<ConstValue> {
    let OperandRow::Const(number) = row else { return None };
    match code.pools[File::D as usize][number as usize] {
        ConstValue::Bits(bits) => Some(ConstValue::Bits(bits & u64::from(u32::MAX))),
        // Little-endian: the lower half is first.
        half @ (ConstValue::Param { .. } | ConstValue::Bank { .. }) => Some(half),
        ConstValue::Global { .. } => None,
    }
}

/// Replaces the registers in `narrow`.
fn rewrite(code: &mut Code, spaces: Spaces, narrow: &[bool]) {
    let mut new: Vec<Option<OperandRow>> = vec![None; narrow.len()];
    let mut insts = std::mem::take(&mut code.insts);
    for inst in &mut insts {
        let is_narrow =
            |row: OperandRow| matches!(row, OperandRow::Reg(register) if narrow[register as usize]);
        let mut half = |row: OperandRow, code: &mut Code| match row {
            OperandRow::Reg(register) => {
                *new[register as usize].get_or_insert_with(|| code.register(File::W))
            }
            OperandRow::Const(_) => match lower_constant(code, row) {
                Some(value) => code.constant(File::W, value),
                None => row,
            },
            OperandRow::None => row,
        };
        let result = inst.dsts().next().filter(|(file, row)| *file == File::D && is_narrow(*row));
        match (lower_half(inst), result) {
            (Some(op), Some((_, row))) => {
                let dst = half(row, code);
                inst.map_srcs(|file, row| if file == File::D { half(row, code) } else { row });
                if inst.op == Op::LdParamB64 && !code.addresses.contains(&inst.imm) {
                    code.addresses.push(inst.imm);
                }
                (inst.op, inst.dst, inst.fusable) = (op, dst, false);
            }
            _ if spaces.accessed(inst) && is_narrow(inst.src[0]) => {
                inst.src[0] = half(inst.src[0], code);
                inst.aux &= !Inst::ADDR64;
            }
            _ => {}
        }
    }
    code.insts = insts;
}

#[cfg(test)]
mod tests {
    use super::super::tests::{lines, program};
    use crate::options::Options;

    #[test]
    fn an_address_of_shared_memory_is_computed_in_32_bits() {
        let body = "mov.u32 %r1, %tid.x; mov.u64 %d1, s; mul.wide.u32 %d2, %r1, 8; add.u64 %d3, %d1, %d2;\n\
                    ld.shared.u32 %r2, [%d3+4]; st.shared.u32 [%d3], %r2;";
        assert_eq!(
            lines(&program("sm_20", Options::default(), body)),
            [
                "mov.sreg w0, %tid.x",
                "shl.b32 w0, w0, #3",
                "ld.shared.b32 w1, [w0+4]",
                "st.shared.b32 [w0], w1"
            ]
        );
    }

    #[test]
    fn an_address_that_a_loop_advances_is_a_32_bit_register() {
        let body = "mov.u32 %r1, %tid.x; cvt.u64.u32 %d1, %r1;\nL: ld.shared.u32 %r2, [%d1]; add.u64 %d1, %d1, 16;\n\
                    setp.eq.u32 %p1, %r2, 0; @%p1 bra L; st.shared.u32 [%d1], %r2;";
        let found = program("sm_20", Options::default(), body);
        let found = lines(&found);
        assert!(!found.iter().any(|line| line.contains("b64")), "{found:?}");
    }

    #[test]
    fn a_value_with_another_reader_keeps_64_bits() {
        let body = "mov.u32 %r1, %tid.x; mul.wide.u32 %d1, %r1, 12; ld.param.u64 %d2, [q]; add.u64 %d3, %d2, %d1;\n\
                    ld.shared.u32 %r2, [%d1]; st.global.u32 [%d3], %r2;";
        let found = program("sm_20", Options::default(), body);
        let found = lines(&found);
        assert!(found.iter().any(|line| line.starts_with("mul.wide")), "{found:?}");
    }

    #[test]
    fn a_parameter_at_a_computed_place_keeps_64_bits() {
        let body =
            "mov.b64 %d1, q; ld.param.u64 %d2, [%d1]; ld.global.u32 %r2, [%d2]; st.global.u32 [%d2+4], %r2;";
        let found = program("sm_13", Options::default(), body);
        assert!(found.addresses.is_empty() && lines(&found).iter().any(|line| line.contains("b64")));
    }

    #[test]
    fn an_address_of_global_memory_has_32_bits_on_chips_that_have_no_more() {
        let body = "mov.u32 %r1, %tid.x; ld.param.u64 %d1, [q]; mul.wide.s32 %d2, %r1, 4; add.u64 %d3, %d1, %d2;\n\
                    ld.global.u32 %r2, [%d3]; st.global.u32 [%d3+4], %r2;";
        let narrow = program("sm_13", Options::default(), body);
        let found = lines(&narrow);
        assert!(!found.iter().any(|line| line.contains("b64") || line.contains("wide")), "{found:?}");
        let offset = narrow.params.iter().find(|param| param.name == "q").expect("a parameter").offset;
        assert_eq!(narrow.addresses, [offset]);
        let mut params = vec![0; narrow.param_bytes as usize];
        assert!(narrow.with_wide_addresses(&params).is_none());
        params[offset as usize + 5] = 1;
        let wide = narrow.with_wide_addresses(&params).expect("more than 32 bits are an address");
        assert!(wide.addresses.is_empty() && lines(&wide).iter().any(|line| line.contains("wide")));
        let fermi = program("sm_20", Options::default(), body);
        assert!(lines(&fermi).iter().any(|line| line.contains("wide")) && fermi.addresses.is_empty());
    }
}
