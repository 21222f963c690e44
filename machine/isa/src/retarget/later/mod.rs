//! Instructions and qualifiers of PTX 5.0 and later that mean the same as older ones, for modules
//! whose header has them. They become older PTX before anything else sees the tree:
//!
//! | construct | becomes |
//! |---|---|
//! | `ld.weak`, `st.weak` | a plain load or store |
//! | `ld.relaxed.scope`, `st.relaxed.scope` | a volatile access |
//! | `ld.acquire.scope` | a volatile load, then `membar` |
//! | `st.release.scope` | `membar`, then a volatile store |
//! | `atom`, `red` with an order and a scope | `membar` before for a release, after for an acquire |
//! | `fence.sc`, `fence.acq_rel`, `fence.acquire`, `fence.release` | `membar` |
//! | `.L1::no_allocate` of a load; `.L1::evict_first` | `.cg`; `.cs` |
//! | other priorities in caches, prefetch sizes, cache policies | nothing: hints without effect on results |
//! | `createpolicy.fractional` | `mov` of 0, which nothing reads |
//! | `.shared::cta`, `.param::entry`, `.param::func` | `.shared`, `.param` |
//! | `bar.cta`, `barrier` with `.aligned` | `bar` |
//! | `nanosleep` | nothing: it may sleep for no time |
//! | `brx.idx` | a comparison and a branch for each label |
//! | `add`, `sub`, `mad` of 64 bits with a carry in or out | two 32-bit operations with carries |
//!
//! The L1 of Fermi keeps a line that another SM has written. In these versions of PTX a load after
//! an acquire sees what was written before the release, so in modules with an acquire or a fence
//! beyond the block, loads of global memory become loads with `.cg`, which bypass the L1. Cache
//! operators change nothing of the memory model there, so these loads lose theirs.
//!
//! What has no equal stays, and the check of forms rejects it by name.

use super::expand::Block;
use crate::ptx::ast::{
    Ast, CallTargets, Function, Ident, Instruction, Literal, Operand, OperandKind, Statement,
};
use crate::ptx::forms::later::{
    self, BARRIERS, FENCES, ORDERS, POLICIES, Plain, SLEEP, SUBSPACES, TABLES, WIDE_CARRIES, is_later, level,
};
use crate::ptx::header::{Header, Needs};
use crate::types::ScalarType;

/// Rewrites later PTX in the modules `trees` that has an older equal.
pub fn rewrite(trees: &mut [Ast]) {
    let mut acquires = false;
    for tree in trees.iter_mut() {
        let mut pass = Pass { header: Header::of(tree), acquires: false, tables: Vec::new() };
        tree.functions.iter_mut().for_each(|function| pass.function(function));
        acquires |= pass.acquires;
    }
    if acquires {
        let functions = trees.iter_mut().flat_map(|tree| &mut tree.functions);
        functions.filter_map(|function| function.body.as_mut()).for_each(|body| bypass_l1(body));
    }
}

/// Makes loads from global memory bypass the L1.
fn bypass_l1(statements: &mut [Statement]) {
    // These bypass it, read what no thread writes, or read other memory.
    const KEPT: [&str; 8] = ["volatile", "cg", "cv", "nc", "const", "local", "param", "shared"];
    for statement in statements {
        match statement {
            Statement::Block(inner) => bypass_l1(inner),
            Statement::Instruction(inst)
                if inst.opcode.name == "ld" && !inst.modifiers.iter().any(|m| KEPT.contains(&m.name)) =>
            {
                let span = inst.opcode.span;
                let others = inst.modifiers.iter().filter(|m| !matches!(m.name, "ca" | "cs" | "lu"));
                let bypassing = std::iter::once(Ident { name: "cg", span });
                inst.modifiers = bypassing.chain(others.copied()).collect();
            }
            _ => {}
        }
    }
}

/// Whether the pass changes one of the statements.
fn concerns(statements: &[Statement]) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Block(inner) => concerns(inner),
        Statement::CallTable(table) => matches!(table.targets, CallTargets::Labels(_)),
        Statement::Instruction(inst) => match inst.opcode.name {
            "ld" | "st" | "atom" | "red" => inst.modifiers.iter().any(|m| is_later(m.name)),
            "fence" | "membar" | "createpolicy" | "barrier" | "nanosleep" => true,
            "bar" => inst.modifiers.iter().any(|m| m.name == "cta"),
            _ => Halves::of(inst).is_some(),
        },
        _ => false,
    })
}

struct Pass<'t> {
    header: Header,
    /// Whether there is an acquire or a fence beyond the block.
    acquires: bool,
    /// The tables of labels in the open blocks, the innermost last.
    tables: Vec<(&'t str, Vec<Ident<'t>>)>,
}

impl<'t> Pass<'t> {
    fn has(&self, needs: &Needs) -> bool {
        self.header.unmet(needs).is_none()
    }

    fn function(&mut self, function: &mut Function<'t>) {
        let Some(body) = &function.body else { return };
        if concerns(body) {
            function.body = function.body.take().map(|body| self.statements(body));
        }
    }

    fn statements(&mut self, statements: Vec<Statement<'t>>) -> Vec<Statement<'t>> {
        let outer = self.tables.len();
        for statement in &statements {
            if let Statement::CallTable(table) = statement
                && let CallTargets::Labels(labels) = &table.targets
            {
                self.tables.push((table.name.name, labels.clone()));
            }
        }
        let mut out = Vec::with_capacity(statements.len());
        for statement in statements {
            match statement {
                Statement::Block(inner) => {
                    out.push(Statement::Block(self.statements(inner.into_vec()).into()));
                }
                Statement::Instruction(inst) => self.instruction(*inst, &mut out),
                other => out.push(other),
            }
        }
        self.tables.truncate(outer);
        out
    }

    /// Adds the statements that an instruction becomes.
    fn instruction(&mut self, mut inst: Instruction<'t>, out: &mut Vec<Statement<'t>>) {
        match inst.opcode.name {
            "ld" | "st" | "atom" | "red" => return self.access(inst, out),
            "fence" => self.fence(&mut inst),
            "membar" if self.header.target().is_some_and(|target| target >= FENCES) => {
                self.acquires |= inst.modifiers.first().is_some_and(|level| level.name != "cta");
            }
            "createpolicy" if self.has(&POLICIES) => policy(&mut inst),
            "barrier" | "bar" => self.barrier(&mut inst),
            "nanosleep" if self.has(&SLEEP) => {
                let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
                if words == ["u32"] && inst.operands.len() == 1 {
                    return;
                }
            }
            "brx" if self.has(&TABLES) => {
                if let Some(chain) = self.branches(&inst) {
                    out.push(chain);
                    return;
                }
            }
            _ => {
                if let Some(halves) = Halves::of(&inst).filter(|_| self.has(&WIDE_CARRIES)) {
                    out.push(halves.statement(&inst));
                    return;
                }
            }
        }
        out.push(Statement::Instruction(Box::new(inst)));
    }

    fn access(&mut self, mut inst: Instruction<'t>, out: &mut Vec<Statement<'t>>) {
        match later::plain(&inst, &self.header) {
            None => out.push(Statement::Instruction(Box::new(inst))),
            Some(Plain { words, policy, order, level }) => {
                inst.modifiers = words.into();
                if policy {
                    inst.operands = inst.operands[..inst.operands.len() - 1].into();
                }
                let fence = level.map(|level| membar(&inst, level));
                let (before, after) = (order.releases(), order.acquires());
                self.acquires |= after && level != Some("cta");
                out.extend(fence.clone().filter(|_| before));
                out.push(Statement::Instruction(Box::new(inst)));
                out.extend(fence.filter(|_| after));
            }
        }
    }

    /// Makes a fence of threads `membar`.
    fn fence(&mut self, inst: &mut Instruction) {
        let is_order = |word: &str| matches!(word, "sc" | "acq_rel" | "acquire" | "release");
        let orders = inst.modifiers.iter().filter(|m| is_order(m.name)).count();
        let scopes: Vec<_> = inst.modifiers.iter().filter_map(|m| level(m.name)).collect();
        let [(level, needs)] = scopes[..] else { return };
        if orders > 1 || orders + 1 != inst.modifiers.len() || !self.has(&ORDERS) || !self.has(&needs) {
            return;
        }
        self.acquires |= level != "cta";
        inst.opcode.name = "membar";
        inst.modifiers = [Ident { name: level, span: inst.opcode.span }].into();
    }

    /// Makes an aligned barrier of the block `bar`.
    fn barrier(&self, inst: &mut Instruction) {
        let has = |name: &str| inst.modifiers.iter().any(|m| m.name == name);
        let later = inst.opcode.name == "barrier";
        let needed = if has("cta") { &SUBSPACES } else { &BARRIERS };
        if later && !has("aligned") || !self.has(needed) {
            return;
        }
        inst.opcode.name = "bar";
        let kept = inst.modifiers.iter().filter(|m| m.name != "cta" && !(later && m.name == "aligned"));
        inst.modifiers = kept.copied().collect();
    }

    /// Returns the branches of `brx.idx index, table`: a comparison for each label but the last,
    /// which an index beyond the table, without a meaning in PTX, reaches too.
    fn branches(&self, inst: &Instruction<'t>) -> Option<Statement<'t>> {
        let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
        let [index, table] = &inst.operands[..] else { return None };
        let OperandKind::Name(table) = table.kind else { return None };
        let (_, labels) = self.tables.iter().rev().find(|(name, _)| *name == table)?;
        if words != ["idx"] && words != ["idx", "uni"] {
            return None;
        }
        let (last, others) = labels.split_last()?;
        let mut block = Block::new(inst);
        let target = |label: &Ident<'t>| Operand { kind: OperandKind::Name(label.name), span: label.span };
        for (number, label) in others.iter().enumerate() {
            let (hit, number) = (block.register(ScalarType::Pred), block.number(number as u64));
            match inst.guard {
                None => block.op("setp.eq.u32", [&hit, index, &number]),
                Some((guard, negated)) => {
                    let named = if negated { OperandKind::Not } else { OperandKind::Name };
                    let kind = named(guard.name);
                    let guard = Operand { kind, span: guard.span };
                    block.op("setp.eq.and.u32", [&hit, index, &number, &guard]);
                }
            }
            let OperandKind::Name(name) = hit.kind else { return None };
            let span = inst.opcode.span;
            block.push(Instruction {
                guard: Some((Ident { name, span }, false)),
                opcode: Ident { name: "bra", span },
                modifiers: Box::default(),
                operands: [target(label)].into(),
                span: inst.span,
            });
        }
        block.last("bra", [&target(last)]);
        Some(block.finish())
    }
}

/// An operation of 64 bits with a carry in or out.
struct Halves {
    /// The multiplication before a sum.
    product: Option<&'static str>,
    /// The operation of the lower halves, which sets the carry.
    lower: &'static str,
    /// The operation of the upper halves.
    upper: &'static str,
    /// Whether the carry changes.
    sets: bool,
}

impl Halves {
    /// Returns the parts of a 64-bit operation with a carry in or out; `None` for another
    /// instruction.
    fn of(inst: &Instruction) -> Option<Self> {
        let (takes, adds) = match inst.opcode.name {
            "add" | "mad" => (false, true),
            "addc" | "madc" => (true, true),
            "sub" => (false, false),
            "subc" => (true, false),
            _ => return None,
        };
        let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
        let (ty @ (&"s64" | &"u64"), words) = words.split_last()? else { return None };
        let is_product = matches!(inst.opcode.name, "mad" | "madc");
        let (product, words) = match (is_product, words) {
            (true, ["lo", rest @ ..]) => (Some("mul.lo.u64"), rest),
            (true, ["hi", rest @ ..]) => (Some(if *ty == "s64" { "mul.hi.s64" } else { "mul.hi.u64" }), rest),
            (true, _) => return None,
            (false, words) => (None, words),
        };
        let sets = match words {
            [] if takes => false,
            ["cc"] => true,
            _ => return None,
        };
        let lower = match (takes, adds) {
            (false, true) => "add.cc.u32",
            (true, true) => "addc.cc.u32",
            (false, false) => "sub.cc.u32",
            (true, false) => "subc.cc.u32",
        };
        let upper = match (sets, adds) {
            (true, true) => "addc.cc.u32",
            (true, false) => "subc.cc.u32",
            (false, true) => "addc.u32",
            (false, false) => "subc.u32",
        };
        let operands = if is_product { 4 } else { 3 };
        (inst.operands.len() == operands).then_some(Self { product, lower, upper, sets })
    }

    /// Returns the operation as two of 32 bits. The instructions that change the carry have the
    /// guard.
    fn statement<'t>(&self, inst: &Instruction<'t>) -> Statement<'t> {
        let mut block = Block::new(inst);
        let (mut a, mut b) = (block.given(1), block.given(2));
        if let Some(multiply) = self.product {
            let product = block.register(ScalarType::B64);
            block.op(multiply, [&product, &a, &b]);
            (a, b) = (product, block.given(3));
        }
        let [a, b] = [a, b].map(|operand| block.halves(&operand));
        let sum = [block.word(), block.word()];
        // The carry between the halves must not stay if the instruction sets none.
        let before = (!self.sets).then(|| {
            let (carry, zero) = (block.word(), block.number(0));
            block.op("addc.u32", [&carry, &zero, &zero]);
            carry
        });
        block.last(self.lower, [&sum[0], &a[0], &b[0]]);
        block.last(self.upper, [&sum[1], &a[1], &b[1]]);
        if let Some(carry) = before {
            block.last("add.cc.u32", [&carry, &carry, &block.number(u64::from(u32::MAX))]);
        }
        let both = block.braces([&sum[0], &sum[1]]);
        block.last("mov.b64", [&block.given(0), &both]);
        block.finish()
    }
}

/// Returns a fence with the guard of an instruction.
fn membar<'t>(inst: &Instruction<'t>, level: &'static str) -> Statement<'t> {
    let span = inst.opcode.span;
    Statement::Instruction(Box::new(Instruction {
        opcode: Ident { name: "membar", span },
        modifiers: [Ident { name: level, span }].into(),
        operands: Box::default(),
        ..inst.clone()
    }))
}

/// Makes the creation of a cache policy, which nothing reads, a move of 0.
fn policy(inst: &mut Instruction) {
    let words: Vec<&str> = inst.modifiers.iter().map(|m| m.name).collect();
    let priority = |word: &str| {
        matches!(word, "L2::evict_last" | "L2::evict_normal" | "L2::evict_first" | "L2::evict_unchanged")
    };
    let fits = match words[..] {
        ["fractional", first, "b64"] => priority(first),
        ["fractional", first, second, "b64"] => priority(first) && priority(second),
        _ => false,
    };
    let (1 | 2, Some(to)) = (inst.operands.len(), inst.operands.first().cloned()) else { return };
    if fits {
        inst.opcode.name = "mov";
        inst.modifiers = [Ident { name: "b64", span: inst.opcode.span }].into();
        let kind = OperandKind::Literal(Literal::Int { value: 0, negative: false });
        inst.operands = [to, Operand { kind, span: inst.span }].into();
    }
}

#[cfg(test)]
mod tests;
