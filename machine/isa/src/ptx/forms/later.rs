//! Words of instructions of PTX 5.0 and later that mean the same as older ones, with the header
//! that each needs; docs/MODEL.md has the table. `retarget::later` rewrites the instructions before
//! their forms are resolved. What stays has no older equal, or is wrong.

use super::has_no_equal;
use crate::diag::Diagnostic;
use crate::ptx::ast::{Ident, Instruction};
use crate::ptx::header::{Header, Needs};
use crate::types::Version;

/// Instructions without a form in the table of which some forms have an older equal.
pub const OPCODES: [&str; 5] = ["barrier", "brx", "createpolicy", "fence", "nanosleep"];

/// First target whose `membar` is a fence of the memory model of PTX 6.0.
pub const FENCES: u32 = 70;

/// Returns the requirement of PTX `major.minor` and target `sm_sm`.
const fn needs(major: u8, minor: u8, sm: u32) -> Needs {
    Needs { sm, ..Needs::version(Version::new(major, minor)) }
}

/// The first PTX of the memory model with orders and scopes.
pub const ORDERS: Needs = needs(6, 0, FENCES);
/// Scopes of atomics without an order.
const SCOPES: Needs = needs(5, 0, 60);
/// The scope of a cluster of blocks.
const CLUSTERS: Needs = needs(7, 8, 90);
/// Priorities of lines in the L1.
const PRIORITIES: Needs = needs(7, 4, 70);
/// Words that say whose shared memory or barrier it is.
pub const SUBSPACES: Needs = needs(7, 8, 30);
/// Words that say whose parameters they are.
const PARAMETERS: Needs = needs(8, 3, 30);
/// Cache policies, and `createpolicy`.
pub const POLICIES: Needs = needs(7, 4, 80);
/// `nanosleep`.
pub const SLEEP: Needs = needs(6, 2, 70);
/// `barrier`.
pub const BARRIERS: Needs = needs(6, 0, 30);
/// Carries of 64-bit operations.
pub const WIDE_CARRIES: Needs = needs(4, 3, 20);
/// `brx.idx`.
pub const TABLES: Needs = needs(6, 0, 30);

/// Sizes of prefetches into the L2, with the first target of each.
const PREFETCHES: [(&str, Needs); 3] =
    [("L2::64B", needs(7, 4, 75)), ("L2::128B", needs(7, 4, 75)), ("L2::256B", POLICIES)];

/// The word for an access with a cache policy as its last operand.
const POLICY: &str = "L2::cache_hint";

/// The order of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Order {
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

    pub fn acquires(self) -> bool {
        matches!(self, Self::Acquire | Self::AcquireRelease)
    }

    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcquireRelease)
    }
}

/// Returns the level of `membar` for a scope, and the requirements of the scope.
pub fn level(scope: &str) -> Option<(&'static str, Needs)> {
    Some(match scope {
        "cta" => ("cta", SCOPES),
        "gpu" => ("gl", SCOPES),
        "sys" => ("sys", SCOPES),
        // A block is a cluster alone; a wider fence is correct.
        "cluster" => ("gl", CLUSTERS),
        _ => return None,
    })
}

/// Returns the older form of an access; `None` without later words, or if the words do not fit.
pub fn plain<'t>(inst: &Instruction<'t>, header: &Header) -> Option<Plain<'t>> {
    let has = |needs: &Needs| header.unmet(needs).is_none();
    let opcode = inst.opcode.name;
    let (load, store) = (opcode == "ld", opcode == "st");
    let (mut order, mut scope, mut priority) = (None, None, None);
    let (mut prefetched, mut policy) = (false, false);
    let mut words = Vec::with_capacity(inst.modifiers.len());
    for word in &inst.modifiers {
        let name = word.name;
        if let Some(found) = Order::of(opcode, name) {
            if order.is_some() || !has(&ORDERS) {
                return None;
            }
            order = Some(found);
        } else if let Some((level, needs)) = level(name) {
            if scope.is_some() || !has(&needs) {
                return None;
            }
            scope = Some(level);
        } else if let Some(found) = priority_of(name).filter(|_| load || store) {
            if priority.is_some() || !has(&PRIORITIES) {
                return None;
            }
            priority = Some(found);
        } else if let Some((_, needs)) = PREFETCHES.iter().find(|(size, _)| load && *size == name) {
            if prefetched || !has(needs) {
                return None;
            }
            prefetched = true;
        } else if name == POLICY {
            if policy || !has(&POLICIES) {
                return None;
            }
            policy = true;
        } else {
            words.push(Ident { name: space(opcode, name, header), ..*word });
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
fn space<'t>(opcode: &str, word: &'t str, header: &Header) -> &'t str {
    let has = |needs: &Needs| header.unmet(needs).is_none();
    match (word, opcode) {
        ("shared::cta", _) if has(&SUBSPACES) => "shared",
        ("param::entry", "ld") | ("param::func", "ld" | "st") if has(&PARAMETERS) => "param",
        _ => word,
    }
}

/// The older form of an access.
pub struct Plain<'t> {
    /// Words of the name, without the first one.
    pub words: Vec<Ident<'t>>,
    /// Whether the last operand is a cache policy.
    pub policy: bool,
    /// The order; relaxed without one.
    pub order: Order,
    /// Level of the fence.
    pub level: Option<&'static str>,
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
            "write an order with a scope, such as `.relaxed.gpu`, without a cache operator, for global, shared \
             or generic addresses; or one `.L1::` word, for global or generic addresses",
        ),
        "atom" | "red" => (None, "write at most one order and one scope, such as `.relaxed.gpu`"),
        "fence" => (Some(ORDERS), "write one scope and at most one order, such as `fence.acq_rel.gpu`"),
        "createpolicy" => (Some(POLICIES), "write `createpolicy.fractional.L2::evict_first.b64 d, 1.0`"),
        "nanosleep" => (Some(SLEEP), "write `nanosleep.u32 a`"),
        "barrier" => (Some(BARRIERS), "write the form of `bar`, with `.aligned`"),
        "bar" => (None, "write `.cta` in a form of `bar`"),
        _ => return None,
    };
    let too_new = own.and_then(|needs| header.rejection(opcode, &needs, inst.opcode.span));
    if too_new.is_some() {
        return too_new;
    }
    let mut known = own.is_some();
    for word in &inst.modifiers {
        let Some(needs) = needs_of(opcode, word.name) else { continue };
        known = true;
        let what = format!(".{}` of `{opcode}", word.name);
        if let Some(rejection) = header.rejection(&what, &needs, word.span) {
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
pub fn is_later(word: &str) -> bool {
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
