//! The strategies that draw the tree of a kernel.

use super::ops::List;
use super::tree::{Block, Cell, Cond, Exchange, FLOATS, Op, Stmt, Vote, WORDS, Width};
use proptest::collection::vec;
use proptest::prelude::*;

fn word() -> BoxedStrategy<u8> {
    (0..WORDS).boxed()
}

fn width() -> impl Strategy<Value = Width> {
    prop_oneof![
        4 => Just(Width::B32),
        1 => Just(Width::U8),
        1 => Just(Width::S8),
        1 => Just(Width::U16),
        1 => Just(Width::S16),
        1 => Just(Width::B64),
    ]
}

fn cond() -> impl Strategy<Value = Cond> {
    prop_oneof![
        (word(), 0u8..8).prop_map(|(reg, bit)| Cond::Bit { reg, bit }),
        (1u8..32).prop_map(|lane| Cond::LaneBelow { lane }),
        (word(), word()).prop_map(|(a, b)| Cond::Less { a, b }),
        (0..FLOATS, 0..FLOATS).prop_map(|(a, b)| Cond::FloatLess { a, b }),
    ]
}

fn cell() -> impl Strategy<Value = Cell> {
    prop_oneof![Just(Cell::Dense), Just(Cell::Double), Just(Cell::Scattered)]
}

fn op() -> impl Strategy<Value = Op> {
    let list = prop_oneof![
        4 => Just(List::Int),
        2 => Just(List::Float),
        2 => Just(List::Wide),
        2 => Just(List::Double),
        1 => Just(List::Approximate),
        1 => Just(List::Atomic),
    ];
    let imm = proptest::option::weighted(0.3, any::<u32>());
    (list, any::<u8>(), (word(), word(), word(), word()), imm)
        .prop_map(|(list, op, (dst, a, b, c), imm)| Op { list, op, dst, a, b, c, imm })
}

fn leaf() -> impl Strategy<Value = Stmt> {
    prop_oneof![
        10 => op().prop_map(Stmt::Op),
        3 => (width(), word(), word()).prop_map(|(width, dst, index)| Stmt::Input { width, dst, index }),
        4 => (any::<bool>(), cell(), width(), word(), any::<u8>())
            .prop_map(|(store, cell, width, reg, part)| Stmt::Private { store, cell, width, reg, part }),
        3 => (any::<bool>(), width(), word(), word())
            .prop_map(|(store, width, reg, index)| Stmt::WarpCell { store, width, reg, index }),
        1 => (any::<bool>(), any::<u8>(), word(), any::<u8>())
            .prop_map(|(store, form, reg, part)| Stmt::Vector { store, form, reg, part }),
        1 => (any::<bool>(), width(), word(), word())
            .prop_map(|(store, width, reg, index)| Stmt::Slot { store, width, reg, index }),
        1 => (any::<u8>(), word(), word(), word())
            .prop_map(|(callee, dst, a, b)| Stmt::Call { callee, dst, a, b }),
        1 => (any::<u8>(), word(), word()).prop_map(|(op, src, index)| Stmt::Tally { op, src, index }),
        1 => any::<bool>().prop_map(|global| Stmt::Fence { global }),
    ]
}

fn simple() -> impl Strategy<Value = Stmt> {
    prop_oneof![
        4 => leaf(),
        1 => (cond(), any::<bool>(), leaf())
            .prop_map(|(cond, negated, stmt)| Stmt::Guarded { cond, negated, stmt: Box::new(stmt) }),
    ]
}

fn branching() -> impl Strategy<Value = Stmt> {
    simple().prop_recursive(3, 16, 3, |inner| {
        let body = vec(inner, 0..4);
        prop_oneof![
            (cond(), body.clone(), body.clone()).prop_map(|(cond, then, otherwise)| Stmt::If {
                cond,
                then,
                otherwise
            }),
            (0u8..3, word(), body).prop_map(|(base, reg, body)| Stmt::Loop { base, reg, body }),
        ]
    })
}

fn exchange() -> impl Strategy<Value = Stmt> {
    let what = (proptest::bool::weighted(0.3), width(), 0u8..4, any::<u8>());
    let how = (word(), word(), any::<u8>(), 0u8..8, 0u8..16, proptest::option::weighted(0.2, cond()));
    (what, how).prop_map(|((shared, width, spread, stir), (src, dst, shift, fence, barrier, guard))| {
        Stmt::Exchange(Exchange { shared, width, spread, stir, src, dst, shift, fence, barrier, guard })
    })
}

fn mode() -> impl Strategy<Value = Vote> {
    proptest::sample::select(vec![Vote::All, Vote::Any, Vote::Uni, Vote::Ballot])
}

fn reduce() -> impl Strategy<Value = Stmt> {
    (mode(), cond(), word(), 0u8..16).prop_map(|(mode, cond, dst, barrier)| Stmt::Reduce {
        mode,
        cond,
        dst,
        barrier,
    })
}

fn vote() -> impl Strategy<Value = Stmt> {
    (mode(), cond(), word(), proptest::option::weighted(0.2, cond()))
        .prop_map(|(mode, cond, dst, guard)| Stmt::Vote { mode, cond, dst, guard })
}

fn uniform() -> impl Strategy<Value = Stmt> {
    let flat = prop_oneof![12 => branching(), 8 => exchange(), 1 => vote(), 1 => reduce()].boxed();
    flat.prop_recursive(2, 12, 3, |inner| {
        let body = vec(inner, 1..4);
        prop_oneof![
            (0u8..2, body.clone()).prop_map(|(bit, then)| Stmt::BlocksIf { bit, then }),
            (1u8..4, body).prop_map(|(trips, body)| Stmt::Repeat { trips, body }),
        ]
    })
}

/// The statements of a kernel.
pub fn kernel() -> impl Strategy<Value = Block> {
    let stmt = prop_oneof![12 => uniform(), 1 => cond().prop_map(|cond| Stmt::Leave { cond })];
    vec(stmt, 1..8)
}
