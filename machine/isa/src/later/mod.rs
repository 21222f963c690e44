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
//!
//! The L1 of Fermi keeps a line that another SM has written. In these versions of PTX a load after
//! an acquire sees what was written before the release, so in modules with an acquire or a fence
//! beyond the block, plain loads of global memory become loads with `.cg`, which bypass the L1.
//!
//! What has no equal stays, and the check of forms rejects it by name.

use crate::diag::Diagnostic;
use crate::ptx::ast::{
    Ast, CallTargets, Function, Ident, Instruction, Literal, Operand, OperandKind, Statement,
};
use crate::ptx::forms::has_no_equal;
use crate::ptx::header::{Header, Needs};
use crate::retarget::Block;
use crate::types::{ScalarType, Version};

/// Instructions without a form in the table of which some forms have an older equal.
pub const OPCODES: [&str; 5] = ["barrier", "brx", "createpolicy", "fence", "nanosleep"];

/// First target whose `membar` is a fence of the memory model of PTX 6.0.
const FENCES: u32 = 70;

/// Returns the requirement of PTX `major.minor` and target `sm_sm`.
const fn needs(major: u8, minor: u8, sm: u32) -> Needs {
    Needs { sm, ..Needs::version(Version::new(major, minor)) }
}

/// The first PTX of the memory model with orders and scopes.
const ORDERS: Needs = needs(6, 0, FENCES);
/// Scopes of atomics without an order.
const SCOPES: Needs = needs(5, 0, 60);
const CLUSTERS: Needs = needs(7, 8, 90);
const PRIORITIES: Needs = needs(7, 4, 70);
const SUBSPACES: Needs = needs(7, 8, 30);
const PARAMETERS: Needs = needs(8, 3, 30);
const POLICIES: Needs = needs(7, 4, 80);
const SLEEP: Needs = needs(6, 2, 70);
const BARRIERS: Needs = needs(6, 0, 30);
const TABLES: Needs = needs(6, 0, 30);

/// Sizes of prefetches into the L2, with the first target of each.
const PREFETCHES: [(&str, Needs); 3] =
    [("L2::64B", needs(7, 4, 75)), ("L2::128B", needs(7, 4, 75)), ("L2::256B", POLICIES)];

/// The word for an access with a cache policy as its last operand.
const POLICY: &str = "L2::cache_hint";

/// Rewrites the modules `trees`.
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

/// Makes plain loads from global memory bypass the L1.
fn bypass_l1(statements: &mut [Statement]) {
    const KEPT: [&str; 12] =
        ["volatile", "ca", "cg", "cs", "lu", "cv", "nc", "const", "local", "param", "shared", "cta"];
    for statement in statements {
        match statement {
            Statement::Block(inner) => bypass_l1(inner),
            Statement::Instruction(inst)
                if inst.opcode.name == "ld" && !inst.modifiers.iter().any(|m| KEPT.contains(&m.name)) =>
            {
                add_word(inst, "cg");
            }
            _ => {}
        }
    }
}

/// Adds a word to the name of an instruction.
fn add_word(inst: &mut Instruction, name: &'static str) {
    let word = Ident { name, span: inst.opcode.span };
    inst.modifiers = std::iter::once(word).chain(inst.modifiers.iter().copied()).collect();
}

/// The order of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Weak,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
}

impl Order {
    /// The order of a word, if the instruction can have it.
    fn of(opcode: &str, word: &str) -> Option<Self> {
        Some(match (word, opcode) {
            ("weak", "ld" | "st") => Self::Weak,
            ("relaxed", _) => Self::Relaxed,
            ("acquire", "ld" | "atom") => Self::Acquire,
            ("release", "st" | "atom" | "red") => Self::Release,
            ("acq_rel", "atom") => Self::AcquireRelease,
            _ => return None,
        })
    }

    fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcquireRelease)
    }

    fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcquireRelease)
    }
}

/// Returns the level of `membar` for a scope, and the requirements of the scope.
fn level(scope: &str) -> Option<(&'static str, Needs)> {
    Some(match scope {
        "cta" => ("cta", SCOPES),
        "gpu" => ("gl", SCOPES),
        "sys" => ("sys", SCOPES),
        // A block is a cluster alone; a wider fence is correct.
        "cluster" => ("gl", CLUSTERS),
        _ => return None,
    })
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
            _ => false,
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
            _ => {}
        }
        out.push(Statement::Instruction(Box::new(inst)));
    }

    fn access(&mut self, mut inst: Instruction<'t>, out: &mut Vec<Statement<'t>>) {
        match self.plain(&inst) {
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

    /// Returns the older form of an access; `None` without later words, or if the words do not fit.
    fn plain(&self, inst: &Instruction<'t>) -> Option<Plain<'t>> {
        let opcode = inst.opcode.name;
        let (load, store) = (opcode == "ld", opcode == "st");
        let (mut order, mut scope, mut priority) = (None, None, None);
        let (mut prefetched, mut policy) = (false, false);
        let mut words = Vec::with_capacity(inst.modifiers.len());
        for word in &inst.modifiers {
            let name = word.name;
            if let Some(found) = Order::of(opcode, name) {
                if order.is_some() || !self.has(&ORDERS) {
                    return None;
                }
                order = Some(found);
            } else if let Some((level, needs)) = level(name) {
                if scope.is_some() || !self.has(&needs) {
                    return None;
                }
                scope = Some(level);
            } else if let Some(found) = priority_of(name).filter(|_| load || store) {
                if priority.is_some() || !self.has(&PRIORITIES) {
                    return None;
                }
                priority = Some(found);
            } else if let Some((_, needs)) = PREFETCHES.iter().find(|(size, _)| load && *size == name) {
                if prefetched || !self.has(needs) {
                    return None;
                }
                prefetched = true;
            } else if name == POLICY {
                if policy || !self.has(&POLICIES) {
                    return None;
                }
                policy = true;
            } else {
                words.push(Ident { name: self.space(opcode, name), ..*word });
            }
        }
        let is = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.name));
        let cached = is(&["ca", "cg", "cs", "lu", "cv", "wb", "wt"]);
        let strong = order.is_some_and(|order| order != Order::Weak);
        // An order needs a scope and memory that several threads share. An atomic has either alone.
        let ordered = match (order, scope) {
            (None | Some(Order::Weak), None) => true,
            _ if load || store => {
                strong && scope.is_some() && !cached && !is(&["volatile", "nc", "const", "local", "param"])
            }
            _ => true,
        };
        let hinted = (priority.is_none() || !cached)
            && (priority.is_none() && !policy || !is(&["volatile"]))
            && (priority.is_none() && !prefetched && !policy || !is(&["const", "local", "param", "shared"]));
        // The data of an access: all but the address, and for loads and atomics the destination.
        let operands = match opcode {
            "atom" if is(&["cas"]) => 4,
            "atom" => 3,
            _ => 2,
        };
        let fits = ordered && hinted && inst.operands.len() == operands + usize::from(policy);
        if !fits {
            return None;
        }
        let span = inst.opcode.span;
        let added = match priority {
            _ if strong && (load || store) => Some("volatile"),
            Some("L1::no_allocate") if load && !is(&["nc"]) => Some("cg"),
            Some("L1::evict_first") if !is(&["nc"]) => Some("cs"),
            _ => None,
        };
        words.splice(0..0, added.map(|name| Ident { name, span }));
        let order = order.unwrap_or(Order::Relaxed);
        Some(Plain { words, policy, order, level: scope.or(strong.then_some("gl")) })
    }

    /// Returns the name of a state space without the part that says whose it is.
    fn space(&self, opcode: &str, word: &'t str) -> &'t str {
        match (word, opcode) {
            ("shared::cta", _) if self.has(&SUBSPACES) => "shared",
            ("param::entry", "ld") | ("param::func", "ld" | "st") if self.has(&PARAMETERS) => "param",
            _ => word,
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

/// The older form of an access.
struct Plain<'t> {
    words: Vec<Ident<'t>>,
    /// Whether the last operand is a cache policy.
    policy: bool,
    order: Order,
    /// Level of the fence.
    level: Option<&'static str>,
}

/// Returns the requirements of a word of this module's instructions.
fn needs_of(opcode: &str, word: &str) -> Option<Needs> {
    match word {
        "cta" if matches!(opcode, "bar" | "barrier") => Some(SUBSPACES),
        "shared::cta" => Some(SUBSPACES),
        "param::entry" | "param::func" => Some(PARAMETERS),
        "weak" | "relaxed" | "acquire" | "release" | "acq_rel" => Some(ORDERS),
        POLICY => Some(POLICIES),
        _ => priority_of(word).map(|_| PRIORITIES).or_else(|| {
            let prefetch = PREFETCHES.iter().find(|(size, _)| *size == word).map(|(_, needs)| *needs);
            prefetch.or_else(|| level(word).map(|(_, needs)| needs))
        }),
    }
}

/// Returns the error for an instruction with a word of later PTX, or of later PTX itself, that the
/// header does not have or that does not fit the other words. `None` for another instruction, or
/// one without an older equal.
pub fn rejection(inst: &Instruction, header: &Header) -> Option<Diagnostic> {
    let opcode = inst.opcode.name;
    let (own, rule) = match opcode {
        "ld" | "st" => (
            None,
            "write an order with a scope, such as `.relaxed.gpu`, for global, shared or generic addresses; one \
             priority of a cache; no cache operator beside them",
        ),
        "atom" | "red" => (None, "write at most one order and one scope, such as `.relaxed.gpu`"),
        "fence" => (Some(ORDERS), "write one scope and at most one order, such as `fence.acq_rel.gpu`"),
        "createpolicy" => (Some(POLICIES), "write `createpolicy.fractional.L2::evict_first.b64 d, 1.0`"),
        "nanosleep" => (Some(SLEEP), "write `nanosleep.u32 a`"),
        "barrier" => (Some(BARRIERS), "write the form of `bar`, with `.aligned`"),
        "bar" => (None, "write `.cta` in a form of `bar`"),
        _ => return None,
    };
    let mut known = own.is_some();
    for word in std::iter::once(&inst.opcode).chain(&inst.modifiers) {
        let needs = if word.span == inst.opcode.span { own } else { needs_of(opcode, word.name) };
        known |= needs.is_some();
        let what = if needs == own { opcode.to_owned() } else { format!(".{}` of `{opcode}", word.name) };
        if let Some(rejection) = needs.and_then(|needs| header.rejection(&what, &needs, word.span)) {
            return Some(rejection);
        }
    }
    let without_equal = inst.modifiers.iter().any(|word| match opcode {
        "fence" => !matches!(word.name, "sc") && needs_of(opcode, word.name).is_none(),
        "createpolicy" => matches!(word.name, "range" | "cvt"),
        "barrier" => true,
        _ => has_no_equal(word.name),
    });
    if !known || without_equal {
        return None;
    }
    let name = inst.modifiers.iter().fold(opcode.to_owned(), |name, word| name + "." + word.name);
    let error = Diagnostic::error("E0203", inst.opcode.span, format!("the words of `{name}` do not fit"));
    Some(error.label("PTX does not have this combination").help(rule))
}

/// Whether a word of an access can be one of those that the pass removes.
fn is_later(word: &str) -> bool {
    word.contains("::")
        || level(word).is_some()
        || ["ld", "st", "atom"].iter().any(|opcode| Order::of(opcode, word).is_some())
}

/// Returns the priority of a line in the L1.
fn priority_of(word: &str) -> Option<&'static str> {
    const ALL: [&str; 5] =
        ["L1::evict_normal", "L1::evict_unchanged", "L1::evict_first", "L1::evict_last", "L1::no_allocate"];
    ALL.into_iter().find(|priority| *priority == word)
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
