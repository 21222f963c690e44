//! The programs as trees, and the strategy that draws them.

use super::VARIABLES;
use proptest::collection::vec;
use proptest::prelude::*;

/// A binary operation.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    /// Sum.
    Add,
    /// Difference.
    Sub,
    /// Product, low half.
    Mul,
    /// Exclusive or.
    Xor,
}

/// A condition: whether a bit of a variable is set.
#[derive(Clone, Copy, Debug)]
pub struct Cond {
    /// Variable.
    pub var: u8,
    /// Bit of the value that the condition tests.
    pub bit: u8,
}

/// The called function.
#[derive(Clone, Copy, Debug)]
pub enum Callee {
    /// The function with this index, modulo the number of functions.
    Named(u8),
    /// The function with the index in a variable, modulo the number of functions, through a table
    /// of pointers.
    Pointed(u8),
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `to = a op b`
    Set(u8, Op, u8, u8),
    /// A call: destination, function, arguments and guard.
    Call {
        /// Variable that receives the result.
        to: u8,
        /// Called function.
        callee: Callee,
        /// Arguments.
        args: [u8; 2],
        /// Guard of the call.
        guard: Option<Cond>,
    },
    /// Conditional statement with two sides.
    If(Cond, Vec<Self>, Vec<Self>),
    /// A loop; the two low bits of a variable give the number of iterations.
    Loop(u8, Vec<Self>),
    /// Returns a variable if the condition holds.
    Return(Cond, u8),
}

/// Functions, and the kernel's body.
#[derive(Clone, Debug)]
pub struct FunctionProgram {
    /// Bodies of the functions.
    pub functions: Vec<Vec<Stmt>>,
    /// Body of the kernel, which starts with the thread index and a constant.
    pub body: Vec<Stmt>,
    /// Whether calls use the table of pointers: then every function has an address.
    pub pointers: bool,
}

fn var() -> impl Strategy<Value = u8> + Clone {
    0..VARIABLES
}

fn cond() -> impl Strategy<Value = Cond> + Clone {
    (var(), 0u8..5).prop_map(|(var, bit)| Cond { var, bit })
}

fn set() -> impl Strategy<Value = Stmt> {
    let op = prop_oneof![Just(Op::Add), Just(Op::Sub), Just(Op::Mul), Just(Op::Xor)];
    (var(), op, var(), var()).prop_map(|(to, op, a, b)| Stmt::Set(to, op, a, b))
}

fn call() -> impl Strategy<Value = Stmt> {
    let callee = prop_oneof![3 => any::<u8>().prop_map(Callee::Named), 1 => var().prop_map(Callee::Pointed)];
    (var(), callee, [var(), var()], proptest::option::of(cond()))
        .prop_map(|(to, callee, args, guard)| Stmt::Call { to, callee, args, guard })
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let leaf = prop_oneof![
        5 => set(),
        2 => call(),
        1 => (cond(), var()).prop_map(|(cond, var)| Stmt::Return(cond, var)),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let block = || vec(inner.clone(), 0..4);
        prop_oneof![
            3 => (cond(), block(), block()).prop_map(|(cond, yes, no)| Stmt::If(cond, yes, no)),
            1 => (var(), block()).prop_map(|(var, body)| Stmt::Loop(var, body)),
        ]
    })
}

/// Random programs.
pub fn programs() -> impl Strategy<Value = FunctionProgram> {
    (vec(vec(stmt(), 1..5), 1..4), vec(stmt(), 1..6), any::<bool>())
        .prop_map(|(functions, body, pointers)| FunctionProgram { functions, body, pointers })
}
