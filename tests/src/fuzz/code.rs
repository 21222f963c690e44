//! The verifier's guarantee: no verified program makes the executor panic, for any data.
//!
//! The bytes are interpreted as micro-ops with operands that are usually in range. Those that the
//! verifier accepts form a program that no compiler would generate: any reconvergence points, any
//! addresses, barriers and calls anywhere. It runs to a verdict in functional mode, and
//! sometimes on the timed one.

use crate::device::{CHIPS, chip_with};
use crate::identities;
use arbitrary::{Arbitrary, Result, Unstructured};
use isa::feature::Features;
use isa::types::Capability;
use isa::uop::issue::Fused;
use isa::uop::program::FunctionCode;
use isa::uop::verify::verify;
use isa::uop::{
    ConstValue, Guard, Inst, Module, NO_ROW, Op, OperandKind, Program, RowCounts, TO_EXIT, disasm,
};
use sim_core::config::Chip;
use sim_core::host::{Arg, Gpu, Launch, Mode, RunOptions};
use sim_core::stats::report::Verdict;
use std::sync::{Arc, LazyLock};

/// A module with everything that a program can refer to: parameters, shared, constant and global
/// memory.
const FRAME: &str = ".version 2.3\n.target sm_20\n.address_size 32\n\
                     .global .align 16 .b8 bytes[256];\n.const .align 16 .b8 numbers[64];\n\
                     .entry k (.param .u32 buffer, .param .align 8 .b8 rest[12])\n{\n\
                     .shared .align 16 .b8 shared[256];\n.local .align 16 .b8 own[64];\nexit;\n}\n";

/// Maximum number of instructions of a kernel, and of a function that it may call.
const LENGTH: usize = 48;
const FUNCTION_LENGTH: usize = 8;

/// Bytes of the buffer that the parameters point to.
const BUFFER: u64 = 1 << 10;

/// The chips with all features, so that they execute every micro-op.
static CHIPS_READ: LazyLock<Vec<Chip>> = LazyLock::new(|| {
    CHIPS.iter().map(|name| Chip { features: Features::ALL, ..chip_with(name, &[]) }).collect()
});

static MODULE: LazyLock<Module> =
    LazyLock::new(|| isa::compile("frame.ptx", FRAME).0.expect("the frame compiles"));

/// Checks the property. Returns the number of instructions that the verifier accepted, and whether
/// the program ran.
pub fn executor(bytes: &[u8]) -> (usize, bool) {
    let mut bytes = Unstructured::new(bytes);
    made(&mut bytes).unwrap_or_default()
}

fn made(bytes: &mut Unstructured) -> Result<(usize, bool)> {
    let how: u8 = bytes.arbitrary()?;
    let chip = &CHIPS_READ[how as usize % CHIPS.len()];
    let block = [1, 31, 32, 33, 64, 96][how as usize / 4 % 6];
    let timed = how >= 0xe0;
    let mut gpu = Gpu::new(chip.clone());
    let Ok(buffer) = gpu.malloc(BUFFER) else { return Ok((0, false)) };
    let (program, taken) = program(bytes, buffer.address())?;
    assert_eq!(verify(&program), Ok(()));
    assert!(!disasm::program(&program).is_empty());

    let module = Module { entries: vec![Arc::new(program)], ..MODULE.clone() };
    let Ok(module) = gpu.load(module) else { return Ok((taken, false)) };
    let (mode, max_cycles) = if timed { (Mode::Timed, 20_000) } else { (Mode::Functional, 5_000) };
    let rest = Arg::Bytes(<[u8; 12]>::arbitrary(bytes)?.to_vec());
    let launch = Launch::new(module, "k", 2, block)
        .args([Arg::Ptr(buffer), rest])
        .mode(mode)
        .options(RunOptions { max_cycles, ..RunOptions::default() });
    let Ok(report) = gpu.launch(&launch) else { return Ok((taken, false)) };
    if matches!(report.verdict, Verdict::Finished) {
        identities::check(&report).unwrap_or_else(|e| panic!("{e}"));
    }
    Ok((taken, true))
}

/// Builds a verified program from the micro-ops in the bytes. Returns it with the number of
/// accepted micro-ops.
fn program(bytes: &mut Unstructured, buffer: u32) -> Result<(Program, usize)> {
    let mut program = Program::clone(&MODULE.entries[0]);
    let row = |bytes: &mut Unstructured| bytes.int_in_range(1..=6_u16);
    program.rows = RowCounts { w: row(bytes)?, d: row(bytes)?, p: row(bytes)? };
    program.registers = u32::from(program.rows.w + 2 * program.rows.d);
    program.target = Capability::new(1, 0);
    program.const32 = constants(bytes, buffer)?;
    program.const64 = constants(bytes, buffer)?;

    let nothing = Inst { dst: 0, src: [0, NO_ROW, NO_ROW, NO_ROW], ..Inst::new(Op::MovB32) };
    program.code = vec![nothing; bytes.int_in_range(1..=LENGTH)?];
    program.code.push(Inst::new(Op::Exit));
    program.call_depth = bytes.int_in_range(0..=3)?;
    for number in 0..bytes.int_in_range(0..=2)? {
        let start = program.code.len() as u32;
        program.code.resize(start as usize + bytes.int_in_range(1..=FUNCTION_LENGTH)?, nothing);
        program.code.push(Inst::new(Op::Ret));
        let (name, end) = (format!("f{number}"), program.code.len() as u32);
        program.functions.push(FunctionCode { number, name, start, end, ..FunctionCode::default() });
    }
    program.lines = vec![1; program.code.len()];
    program.spans = vec![program.spans[0]; program.code.len()];
    program.labels.clear();
    let mut taken = 0;
    for pc in 0..program.code.len() {
        let before = program.code[pc];
        program.code[pc] = instruction(bytes, &program)?;
        if verify(&program).is_ok() {
            taken += 1;
        } else {
            program.code[pc] = before;
        }
    }
    for pc in 0..program.code.len() - 1 {
        if bytes.is_empty() {
            break;
        }
        let before = program.code[pc];
        program.code[pc] = fused(bytes, &program, pc)?;
        if verify(&program).is_err() {
            program.code[pc] = before;
        }
    }
    Ok((program, taken))
}

/// Constants that are useful addresses, or any values.
fn constants(bytes: &mut Unstructured, buffer: u32) -> Result<Vec<ConstValue>> {
    let one = |bytes: &mut Unstructured| {
        Ok(match bytes.int_in_range(0..=8_u8)? {
            0 | 1 => ConstValue::Bits(u64::from(buffer) + u64::from(bytes.arbitrary::<u8>()?)),
            2 | 3 => ConstValue::Bits(bytes.arbitrary::<u8>()?.into()),
            4 => ConstValue::Global { symbol: 0, offset: bytes.arbitrary::<u8>()?.into() },
            5 => ConstValue::Param { offset: 8 * bytes.int_in_range(0..=1)? },
            6 => ConstValue::Bank { offset: bytes.arbitrary::<u8>()?.into() },
            7 => ConstValue::Bits(FunctionCode::address(bytes.int_in_range(0..=2)?).into()),
            _ => ConstValue::Bits(bytes.arbitrary()?),
        })
    };
    (0..bytes.int_in_range(1..=6)?).map(|_| one(bytes)).collect()
}

/// Returns the micro-op at `pc`, or a different one, marked as fused with its neighbor.
fn fused(bytes: &mut Unstructured, program: &Program, pc: usize) -> Result<Inst> {
    let mut inst = program.code[pc];
    if bytes.arbitrary()? {
        let ops = [Op::LdSharedB32, Op::LdConstB32, Op::NegFtzF32, Op::AbsF64, Op::SetpGtS32];
        let row = bytes.arbitrary::<u8>()?.into();
        inst = Inst { guard: inst.guard, ..Inst::new(*bytes.choose(&ops)?) };
        inst.set_dsts(inst.dsts().map(|_| 0));
        inst.set_srcs(inst.srcs().map(|_| row));
    }
    inst.aux |= Inst::FUSED;
    if inst.fused() == Some(Fused::Operand) {
        inst.guard = program.code[pc + 1].guard;
    }
    Ok(inst)
}

/// Returns a micro-op. Its rows are usually valid, its numbers usually small.
fn instruction(bytes: &mut Unstructured, program: &Program) -> Result<Inst> {
    let mut inst = Inst::new(*bytes.choose(Op::ALL)?);
    let registers = |kind| match kind {
        OperandKind::W | OperandKind::Addr => (program.rows.w, program.const32.len() as u16),
        OperandKind::D => (program.rows.d, program.const64.len() as u16),
        OperandKind::P => (program.rows.p, 2),
    };
    if bytes.ratio(1, 3)? {
        inst.guard = Guard::new(bytes.int_in_range(0..=program.rows.p + 1)?, bytes.arbitrary()?);
    }
    let wide_address = bytes.ratio(1, 4)?;
    let dsts = inst.dsts().map(|(kind, _)| bytes.int_in_range(0..=registers(kind).0 - 1));
    let dsts = dsts.collect::<Result<Vec<u16>>>()?;
    let srcs = inst.srcs().map(|(kind, _)| {
        let kind = if kind == OperandKind::Addr && wide_address { OperandKind::D } else { kind };
        let (registers, constants) = registers(kind);
        // One beyond the last row means no row.
        let row = bytes.int_in_range(0..=registers + constants)?;
        Ok(if row == registers + constants { NO_ROW } else { row })
    });
    let srcs = srcs.collect::<Result<Vec<u16>>>()?;
    inst.set_dsts(dsts);
    inst.set_srcs(srcs);
    let place = |bytes: &mut Unstructured| bytes.int_in_range(0..=program.code.len() as u32 - 1);
    inst.imm = match bytes.int_in_range(0..=7_u8)? {
        0 => bytes.arbitrary()?,
        1..=3 => bytes.arbitrary::<u8>()?.into(),
        4 if !program.functions.is_empty() => bytes.choose(&program.functions)?.start,
        _ => place(bytes)?,
    };
    inst.aux = if inst.op == Op::Bra {
        if bytes.arbitrary()? { TO_EXIT } else { place(bytes)? }
    } else {
        let flags = if bytes.arbitrary()? { Inst::VOLATILE } else { 0 };
        let operation = if inst.op.is_atomic() { u32::from(bytes.arbitrary::<u8>()? % 16) } else { 0 };
        flags | operation << Inst::OPERATION_SHIFT | if wide_address { Inst::ADDR64 } else { 0 }
    };
    Ok(inst)
}
