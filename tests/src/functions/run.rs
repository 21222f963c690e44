//! Runs one thread of a program, one statement after the other.

use super::tree::{Callee, Cond, FunctionProgram, Op, Stmt};
use super::{FUEL, VARIABLES};

/// Number of calls of one thread above which its program is too long.
const MOST_CALLS: u32 = 2_000;

type Variables = [u32; VARIABLES as usize];

struct Thread<'p> {
    program: &'p FunctionProgram,
    calls: u32,
}

/// Returns the final variables of the kernel's thread `t`, or `None` if it makes too many calls.
pub fn run(program: &FunctionProgram, t: u32) -> Option<Variables> {
    let mut thread = Thread { program, calls: 0 };
    let mut vars = [t, 0x9e37_79b9_u32.wrapping_mul(t + 1), 1, 2, 3];
    thread.block(&program.body, &mut vars, FUEL);
    (thread.calls <= MOST_CALLS).then_some(vars)
}

fn holds(cond: Cond, vars: &Variables) -> bool {
    vars[cond.var as usize] >> cond.bit & 1 == 1
}

impl Thread<'_> {
    /// Runs a block and returns the return value, if it returns.
    fn block(&mut self, block: &[Stmt], vars: &mut Variables, fuel: u32) -> Option<u32> {
        for stmt in block {
            if self.calls > MOST_CALLS {
                return Some(0);
            }
            match stmt {
                Stmt::Set(to, op, a, b) => {
                    let (a, b) = (vars[*a as usize], vars[*b as usize]);
                    vars[*to as usize] = match op {
                        Op::Add => a.wrapping_add(b),
                        Op::Sub => a.wrapping_sub(b),
                        Op::Mul => a.wrapping_mul(b),
                        Op::Xor => a ^ b,
                    };
                }
                Stmt::Call { to, callee, args, guard } => {
                    if guard.is_none_or(|guard| holds(guard, vars)) {
                        let functions = self.program.functions.len() as u32;
                        let number = match callee {
                            Callee::Pointed(var) if self.program.pointers => vars[*var as usize],
                            Callee::Named(number) | Callee::Pointed(number) => u32::from(*number),
                        };
                        let args = args.map(|arg| vars[arg as usize]);
                        vars[*to as usize] = self.call((number % functions) as usize, args, fuel);
                    }
                }
                Stmt::If(cond, yes, no) => {
                    let side = if holds(*cond, vars) { yes } else { no };
                    if let Some(value) = self.block(side, vars, fuel) {
                        return Some(value);
                    }
                }
                Stmt::Loop(var, body) => {
                    for _ in 0..vars[*var as usize] & 3 {
                        if let Some(value) = self.block(body, vars, fuel) {
                            return Some(value);
                        }
                    }
                }
                Stmt::Return(cond, var) => {
                    if holds(*cond, vars) {
                        return Some(vars[*var as usize]);
                    }
                }
            }
        }
        None
    }

    fn call(&mut self, number: usize, [a, b]: [u32; 2], fuel: u32) -> u32 {
        self.calls += 1;
        if fuel == 0 {
            return a ^ b;
        }
        let mut vars = [a, b, fuel, 5, 6];
        let functions = &self.program.functions;
        self.block(&functions[number], &mut vars, fuel - 1).unwrap_or_else(|| vars[0].wrapping_sub(vars[1]))
    }
}
