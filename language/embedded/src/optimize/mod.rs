//! Removes copies and dead code from portable code, and computes addresses in the accesses that use
//! them.
//!
//! Registers of variables of the source keep the values that the source gives them, for debuggers.

use crate::code::{Compare, Function, Home, Instr, Launch, Reg};
use crate::flow::{Flow, Set, effects as effects_of, leaves};

/// What is remembered of earlier instructions of a block, and how far back uses are looked for.
const REACH: usize = 16;

/// Most bits of the sets of live registers of a function; larger functions stay as they are.
const MOST_BITS: usize = 1 << 26;

/// Simplifies the code of a function.
pub fn optimize(function: &mut Function, launches: &[Launch]) {
    let mut flow = Flow::blocks(function, 0);
    if flow.blocks.len() * usize::from(function.registers) > MOST_BITS {
        return;
    }
    let mut named = Set::new(function.registers);
    for local in &function.locals {
        if let Home::Register(reg) | Home::Memory(reg) = local.home {
            named.insert(reg);
        }
    }
    let mut kept = vec![false; function.code.len()];
    for block in &flow.blocks {
        kept[block.start..block.end].fill(true);
        Forward { named: &named, launches, facts: Vec::new() }
            .run(&mut function.code[block.start..block.end]);
    }
    flow.find_live(launches, function);
    for at in 0..flow.blocks.len() {
        let (start, end) = (flow.blocks[at].start, flow.blocks[at].end);
        let code = &mut function.code[start..end];
        Backward { named: &named, launches, flow: &flow, kept: &mut kept[start..end], code }
            .run(&flow.live_out(at));
    }
    compact(function, &kept);
}

/// What a register holds.
#[derive(Clone, Copy)]
enum Fact {
    /// The value of another register.
    Copy(Reg),
    Constant(u64),
    /// The address in another register, and bytes behind it.
    Offset(Reg, i32),
}

/// Replaces operands by what they are known to be, from the start of a block to its end.
struct Forward<'a> {
    named: &'a Set,
    launches: &'a [Launch],
    /// The newest last.
    facts: Vec<(Reg, Fact)>,
}

impl Forward<'_> {
    fn run(&mut self, code: &mut [Instr]) {
        for instr in code {
            instr.operands_mut(|reg| {
                if let Some(Fact::Copy(of)) = fact(&self.facts, *reg) {
                    *reg = of;
                }
            });
            *instr = self.simplified(*instr);
            let effects = effects_of(self.launches, *instr);
            self.facts.retain(|(reg, fact)| {
                let is_source_lost = match fact {
                    Fact::Copy(of) | Fact::Offset(of, _) => effects.writes(*of),
                    Fact::Constant(_) => false,
                };
                !is_source_lost && !effects.writes(*reg)
            });
            self.learn(*instr);
        }
    }

    fn learn(&mut self, instr: Instr) {
        let new = match instr {
            Instr::Move { to, from } if to == from => return,
            Instr::Move { to, from } if !self.named.contains(to) => (to, Fact::Copy(from)),
            Instr::Move { to, from } if !self.named.contains(from) => (from, Fact::Copy(to)),
            Instr::Const { to, value } if !self.named.contains(to) => (to, Fact::Constant(value)),
            Instr::AddImm64 { to, a, value } if to != a && !self.named.contains(to) => {
                (to, Fact::Offset(a, value))
            }
            _ => return,
        };
        if self.facts.len() == REACH {
            self.facts.remove(0);
        }
        self.facts.push(new);
    }

    fn constant(&self, reg: Reg) -> Option<i32> {
        match fact(&self.facts, reg) {
            Some(Fact::Constant(value)) => i32::try_from(value as i64).ok(),
            _ => None,
        }
    }

    /// The register and the bytes behind it of an address.
    fn offset(&self, base: Reg, offset: i32) -> (Reg, i32) {
        match fact(&self.facts, base) {
            Some(Fact::Offset(of, bytes)) => {
                offset.checked_add(bytes).map_or((base, offset), |sum| (of, sum))
            }
            _ => (base, offset),
        }
    }

    fn simplified(&self, instr: Instr) -> Instr {
        match instr {
            Instr::Load { access, to, base, offset } => {
                let (base, offset) = self.offset(base, offset);
                Instr::Load { access, to, base, offset }
            }
            Instr::Store { access, from, base, offset } => {
                let (base, offset) = self.offset(base, offset);
                Instr::Store { access, from, base, offset }
            }
            Instr::JumpCompare { compare, a, b, value, target } => {
                if let Some(b) = self.constant(b) {
                    return Instr::JumpCompareImm { compare, a, b, value, target };
                }
                let Some(constant) = self.constant(a) else { return instr };
                // a < b is not b <= a.
                let (compare, value) = match compare {
                    Compare::Eq => (Compare::Eq, value),
                    Compare::LtSigned => (Compare::LeSigned, !value),
                    Compare::LeSigned => (Compare::LtSigned, !value),
                    Compare::LtUnsigned => (Compare::LeUnsigned, !value),
                    Compare::LeUnsigned => (Compare::LtUnsigned, !value),
                };
                Instr::JumpCompareImm { compare, a: b, b: constant, value, target }
            }
            Instr::AddI32 { to, a, b } => match (self.constant(a), self.constant(b)) {
                (_, Some(value)) => Instr::AddImm32 { to, a, value },
                (Some(value), None) => Instr::AddImm32 { to, a: b, value },
                _ => instr,
            },
            Instr::Add64 { to, a, b } => match (self.constant(a), self.constant(b)) {
                (_, Some(value)) => Instr::AddImm64 { to, a, value },
                (Some(value), None) => Instr::AddImm64 { to, a: b, value },
                _ => instr,
            },
            _ => instr,
        }
    }
}

fn fact(facts: &[(Reg, Fact)], reg: Reg) -> Option<Fact> {
    facts.iter().rev().find(|(one, _)| *one == reg).map(|(_, fact)| *fact)
}

/// Removes dead code, from the end of a block to its start.
struct Backward<'a> {
    named: &'a Set,
    launches: &'a [Launch],
    flow: &'a Flow,
    code: &'a mut [Instr],
    kept: &'a mut [bool],
}

impl Backward<'_> {
    fn run(&mut self, out: &Set) {
        let mut live = out.clone();
        for at in (0..self.code.len()).rev() {
            self.kept[at] &= !self.is_dead(at, &live);
            if self.kept[at] {
                self.flow.back(self.launches, self.code[at], &mut live);
            }
        }
        // Copies of addresses are gone.
        live.clone_from(out);
        for at in (0..self.code.len()).rev() {
            if self.kept[at] {
                self.index(at, &live);
                self.flow.back(self.launches, self.code[at], &mut live);
            }
        }
    }

    /// Whether an instruction has no effect, or has none any more.
    fn is_dead(&mut self, at: usize, live: &Set) -> bool {
        if !self.kept[at] {
            return true;
        }
        let mut instr = self.code[at];
        let is_unused = |reg: Reg| !live.contains(reg) && !self.named.contains(reg);
        match instr {
            Instr::Move { to, from } if to == from => true,
            Instr::Move { to, .. } if is_unused(to) => true,
            Instr::Move { to, from } => is_unused(from) && self.retarget(at, from, to),
            _ => instr.is_pure() && instr.result_mut().is_some_and(|to| is_unused(*to)),
        }
    }

    /// Lets the instruction that computes a register compute another one, up to a copy of it.
    /// Returns whether it does.
    fn retarget(&mut self, copy: usize, from: Reg, to: Reg) -> bool {
        for at in (copy.saturating_sub(REACH)..copy).rev().filter(|at| self.kept[*at]) {
            let mut instr = self.code[at];
            let effects = effects_of(self.launches, instr);
            if instr.result_mut().is_some_and(|result| *result == from) {
                for between in (at + 1..copy).filter(|between| self.kept[*between]) {
                    self.code[between].operands_mut(|reg| {
                        if *reg == from {
                            *reg = to;
                        }
                    });
                }
                self.code[at].result_mut().into_iter().for_each(|result| *result = to);
                return true;
            }
            // Arguments of calls have their places.
            let mut fixed = effects.uses.iter().filter(|(reg, _)| *reg == from).count();
            instr.operands_mut(|reg| fixed -= usize::from(*reg == from));
            let is_changed = effects.writes(from) || effects.writes(to);
            // A handler sees what was computed before its exception.
            if fixed > 0 || is_changed || effects.reads(to) || leaves(instr) {
                return false;
            }
        }
        false
    }

    /// Lets an access to memory compute its address from a base and an index.
    fn index(&mut self, at: usize, live: &Set) {
        let (address, offset) = match self.code[at] {
            Instr::Load { to, base, offset, .. } if to == base || !live.contains(base) => (base, offset),
            Instr::Store { from, base, offset, .. } if from != base && !live.contains(base) => (base, offset),
            _ => return,
        };
        if self.named.contains(address) {
            return;
        }
        for before in (at.saturating_sub(REACH)..at).rev().filter(|at| self.kept[*at]) {
            let effects = effects_of(self.launches, self.code[before]);
            if let Instr::Scaled { to, base, index, scale } = self.code[before]
                && to == address
            {
                let Ok(scale) = u16::try_from(scale) else { return };
                let is_changed = (before + 1..at).filter(|one| self.kept[*one]).any(|one| {
                    let effects = effects_of(self.launches, self.code[one]);
                    effects.writes(base) || effects.writes(index)
                });
                if is_changed {
                    return;
                }
                self.code[at] = match self.code[at] {
                    Instr::Load { access, to, .. } => {
                        Instr::LoadAt { access, to, base, index, scale, offset }
                    }
                    Instr::Store { access, from, .. } => {
                        Instr::StoreAt { access, from, base, index, scale, offset }
                    }
                    other => other,
                };
                self.kept[before] = false;
                return;
            }
            if effects.reads(address) || effects.writes(address) || leaves(self.code[before]) {
                return;
            }
        }
    }
}

/// Removes the instructions that are not kept.
fn compact(function: &mut Function, kept: &[bool]) {
    let mut places = Vec::with_capacity(kept.len() + 1);
    let mut next = 0;
    for is_kept in kept {
        places.push(next);
        next += u32::from(*is_kept);
    }
    places.push(next);
    if !function.is_builtin {
        let mut first = None;
        for (span, is_kept) in function.spans.iter().zip(kept) {
            let start = *first.get_or_insert(*span);
            if *is_kept {
                function.firsts.push(start);
                first = None;
            }
        }
    }
    let mut flags = kept.iter();
    function.code.retain(|_| flags.next().copied().unwrap_or(true));
    let mut flags = kept.iter();
    function.spans.retain(|_| flags.next().copied().unwrap_or(true));
    for instr in &mut function.code {
        if let Some(target) = instr.target_mut() {
            *target = places[*target as usize];
        }
    }
}

#[cfg(test)]
mod tests;
