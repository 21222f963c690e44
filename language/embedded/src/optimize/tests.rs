//! Tests of the optimizer: single rules, and random functions against their unchanged code.

use super::optimize;
use crate::code::{Access, Compare, Function, Home, Instr, Launch, Local, Reg};
use cuda::source::Span;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Registers of the tests. The first is the result.
const REGISTERS: u16 = 12;
/// Elements of 4 bytes in the memory of the tests.
const ELEMENTS: u64 = 16;

fn function(code: Vec<Instr>, named: &[Reg]) -> Function {
    let local = |reg: &Reg| Local {
        name: format!("v{reg}"),
        ty: 0,
        c_type: "int".to_owned(),
        home: Home::Register(*reg),
        span: Span::NONE,
        end: 0,
    };
    Function {
        name: "f".to_owned(),
        span: Span::NONE,
        is_builtin: false,
        spans: vec![Span::NONE; code.len()],
        firsts: Vec::new(),
        code,
        registers: REGISTERS,
        variables: Vec::new(),
        locals: named.iter().map(local).collect(),
    }
}

fn optimized(code: Vec<Instr>, named: &[Reg]) -> Vec<Instr> {
    let mut function = function(code, named);
    optimize(&mut function, &[Launch { parameters: Vec::new() }]);
    assert_eq!(function.spans.len(), function.code.len());
    function.code
}

/// `for (i = 0; i < 10; i++) s += a[i];` as it is lowered: `s` is register 1, `i` 2, `a` 3.
#[test]
fn a_loop_over_an_array_has_no_copies() {
    let compare = Compare::LtSigned;
    let code = vec![
        Instr::Const { to: 1, value: 0 },
        Instr::Const { to: 2, value: 0 },
        Instr::Scaled { to: 7, base: 3, index: 2, scale: 4 },
        Instr::Load { access: Access::I32, to: 6, base: 7, offset: 0 },
        Instr::Move { to: 5, from: 1 },
        Instr::AddI32 { to: 6, a: 5, b: 6 },
        Instr::Move { to: 1, from: 6 },
        Instr::Move { to: 8, from: 6 },
        Instr::Move { to: 4, from: 2 },
        Instr::AddImm32 { to: 6, a: 4, value: 1 },
        Instr::Move { to: 2, from: 6 },
        Instr::Move { to: 5, from: 4 },
        Instr::Const { to: 5, value: 10 },
        Instr::JumpCompare { compare, a: 2, b: 5, value: true, target: 2 },
        Instr::Move { to: 0, from: 1 },
        Instr::Return,
    ];
    let expected = [
        Instr::Const { to: 1, value: 0 },
        Instr::Const { to: 2, value: 0 },
        Instr::LoadAt { access: Access::I32, to: 6, base: 3, index: 2, scale: 4, offset: 0 },
        Instr::AddI32 { to: 1, a: 1, b: 6 },
        Instr::AddImm32 { to: 2, a: 2, value: 1 },
        Instr::JumpCompareImm { compare, a: 2, b: 10, value: true, target: 2 },
        Instr::Move { to: 0, from: 1 },
        Instr::Return,
    ];
    assert_eq!(optimized(code, &[1, 2, 3]), expected);
}

#[test]
fn variables_of_the_source_keep_their_values_and_accesses_stay() {
    let code = vec![
        Instr::Const { to: 1, value: 5 },
        Instr::Move { to: 2, from: 1 },
        // Nothing reads it, but it may fail.
        Instr::Load { access: Access::U8, to: 6, base: 3, offset: 0 },
        Instr::Const { to: 7, value: 1 },
        Instr::Const { to: 0, value: 0 },
        Instr::Return,
    ];
    let mut kept = code.clone();
    kept.remove(3);
    assert_eq!(optimized(code, &[1, 2, 3]), kept);
}

#[test]
fn arguments_keep_their_registers() {
    let mut code: Vec<Instr> = (3..12).map(|to| Instr::AddImm32 { to, a: 0, value: 1 }).collect();
    code.extend([Instr::Launch { launch: 0, base: 3 }, Instr::Move { to: 1, from: 11 }, Instr::Return]);
    assert_eq!(optimized(code.clone(), &[0, 1]), code);
}

/// Executes code; `None` if it executes too much or leaves the memory. The bytes of the memory, and
/// the values of the registers at the end.
fn execute(code: &[Instr]) -> Option<(Vec<u8>, Vec<u64>)> {
    let mut regs: Vec<u64> = (0..u64::from(REGISTERS)).collect();
    let mut memory: Vec<u8> = (0..4 * ELEMENTS).map(|at| (at * 37) as u8).collect();
    let mut pc = 0;
    let at = |address: u64| usize::try_from(address).ok().filter(|at| *at <= 4 * ELEMENTS as usize - 4);
    for _ in 0..1000 {
        let instr = code[pc];
        pc += 1;
        let get = |reg: Reg| regs[usize::from(reg)];
        let holds = |compare: Compare, a: u64, b: u64| match compare {
            Compare::Eq => a == b,
            Compare::LtSigned => (a as i64) < b as i64,
            Compare::LeSigned => a as i64 <= b as i64,
            Compare::LtUnsigned => a < b,
            Compare::LeUnsigned => a <= b,
        };
        let plus = |a: Reg, value: i32| get(a).wrapping_add(i64::from(value) as u64);
        let element =
            |base: Reg, index: Reg, scale: u64| get(base).wrapping_add(get(index).wrapping_mul(scale));
        let (mut load, mut store) = (None, None);
        let (to, value) = match instr {
            Instr::Return => return Some((memory, regs)),
            Instr::Const { to, value } => (to, value),
            Instr::Move { to, from } => (to, get(from)),
            Instr::AddImm32 { to, a, value } => (to, i64::from((get(a) as i32).wrapping_add(value)) as u64),
            Instr::AddImm64 { to, a, value } => (to, plus(a, value)),
            Instr::Scaled { to, base, index, scale } => (to, element(base, index, scale.into())),
            Instr::AddI32 { to, a, b } => (to, i64::from((get(a) as i32).wrapping_add(get(b) as i32)) as u64),
            Instr::MulI32 { to, a, b } => (to, i64::from((get(a) as i32).wrapping_mul(get(b) as i32)) as u64),
            Instr::Add64 { to, a, b } => (to, get(a).wrapping_add(get(b))),
            Instr::And { to, a, b } => (to, get(a) & get(b)),
            Instr::Load { to, base, offset, .. } => {
                load = Some(at(plus(base, offset))?);
                (to, 0)
            }
            Instr::LoadAt { to, base, index, scale, offset, .. } => {
                load = Some(at(element(base, index, scale.into()).wrapping_add(i64::from(offset) as u64))?);
                (to, 0)
            }
            Instr::Store { from, base, offset, .. } => {
                store = Some(at(plus(base, offset))?);
                (from, get(from))
            }
            Instr::StoreAt { from, base, index, scale, offset, .. } => {
                store = Some(at(element(base, index, scale.into()).wrapping_add(i64::from(offset) as u64))?);
                (from, get(from))
            }
            Instr::Jump { target } => {
                pc = target as usize;
                continue;
            }
            Instr::JumpCompare { compare, a, b, value, target } => {
                if holds(compare, get(a), get(b)) == value {
                    pc = target as usize;
                }
                continue;
            }
            Instr::JumpCompareImm { compare, a, b, value, target } => {
                if holds(compare, get(a), i64::from(b) as u64) == value {
                    pc = target as usize;
                }
                continue;
            }
            other => unreachable!("the tests have no {other:?}"),
        };
        if let Some(at) = store {
            memory[at..at + 4].copy_from_slice(&(value as u32).to_le_bytes());
        }
        regs[usize::from(to)] = match load {
            Some(at) => {
                let bytes = memory[at..at + 4].try_into().expect("4 bytes");
                i64::from(i32::from_le_bytes(bytes)) as u64
            }
            None => value,
        };
    }
    None
}

fn random_instr(random: &mut ChaCha8Rng, length: u32) -> Instr {
    let mut reg = || random.random_range(0..REGISTERS);
    let (to, a, b) = (reg(), reg(), reg());
    let small = random.random_range(-8..8);
    let compare =
        [Compare::Eq, Compare::LtSigned, Compare::LeSigned, Compare::LtUnsigned, Compare::LeUnsigned]
            [random.random_range(0..5)];
    let (access, target) = (Access::I32, random.random_range(0..length));
    match random.random_range(0..20) {
        0..6 => Instr::Move { to, from: a },
        6 | 7 => Instr::Const { to, value: i64::from(small) as u64 },
        8 => Instr::AddImm32 { to, a, value: small },
        9 => Instr::AddImm64 { to, a, value: small },
        10 | 11 => Instr::Scaled { to, base: a, index: b, scale: 4 },
        12 => Instr::AddI32 { to, a, b },
        13 => Instr::MulI32 { to, a, b },
        14 => Instr::Add64 { to, a, b },
        15 | 16 => Instr::Load { access, to, base: a, offset: small },
        17 => Instr::Store { access, from: to, base: a, offset: small },
        18 => Instr::JumpCompare { compare, a, b, value: small > 0, target },
        _ => Instr::And { to, a, b },
    }
}

#[test]
fn random_functions_compute_the_same() {
    let mut random = ChaCha8Rng::seed_from_u64(61);
    let (mut compared, mut removed) = (0, 0);
    for _ in 0..30_000 {
        let length = random.random_range(4..28);
        let mut code: Vec<Instr> = (0..length).map(|_| random_instr(&mut random, length)).collect();
        code.push(Instr::Return);
        let named: Vec<Reg> = (0..3).map(|_| random.random_range(0..REGISTERS)).collect();
        let Some((memory, regs)) = execute(&code) else { continue };
        let made = optimized(code.clone(), &named);
        removed += code.len() - made.len();
        let Some((new_memory, new_regs)) = execute(&made) else {
            panic!("{code:?}\nbecomes {made:?}, which does not end");
        };
        let same = |reg: &Reg| regs[usize::from(*reg)] == new_regs[usize::from(*reg)];
        assert!(
            memory == new_memory && regs[0] == new_regs[0] && named.iter().all(same),
            "{code:?}\nbecomes {made:?}"
        );
        compared += 1;
    }
    assert!(compared > 5_000 && removed > 20_000, "{compared} functions, {removed} instructions removed");
}
