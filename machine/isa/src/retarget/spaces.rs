//! The state spaces of generic addresses.
//!
//! A set of state spaces belongs to each register, parameter and variable. It flows along moves,
//! sums, selections and calls, without regard to the order of instructions. A number from memory or
//! from a parameter of a kernel may be an address of global memory, or an index: it counts as an
//! address unless it is added to one. If the module stores addresses of another space to memory, a
//! loaded number may also be one of these.

use super::{is_generic, space_of};
use crate::ptx::ast::{Ast, Function, Instruction, Operand, OperandKind, Statement, Variable};
use crate::types::StateSpace;
use std::collections::{BTreeMap, BTreeSet};

/// State spaces with generic addresses; the index is that of the bit in a set.
const SPACES: [StateSpace; 4] =
    [StateSpace::Global, StateSpace::Shared, StateSpace::Local, StateSpace::Const];

/// Bit of global memory.
const GLOBAL: u8 = 1;

/// Bit of a number that may be an address of global memory or an index.
const NUMBER: u8 = 1 << 4;

/// The space of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// The only space.
    One(StateSpace),
    /// Several spaces, in words.
    Several(String),
}

/// Spaces of all generic accesses.
#[derive(Debug)]
pub struct Spaces {
    /// Spaces of the accesses of each function, in the order of the text.
    accesses: Vec<Vec<Found>>,
}

/// A name in a scope of a function. Scope 0 is that of the function.
type Name<'t> = (usize, u32, &'t str);

impl Spaces {
    /// Infers the spaces of all generic accesses of linked modules.
    pub fn infer(trees: &[Ast]) -> Self {
        let mut flow = Flow::default();
        for variable in trees.iter().flat_map(|tree| &tree.variables) {
            flow.module.insert(variable.name.name, variable.space);
        }
        let functions: Vec<&Function> = trees.iter().flat_map(|tree| &tree.functions).collect();
        for (number, function) in functions.iter().enumerate() {
            if function.body.is_some() || !flow.functions.contains_key(function.name.name) {
                flow.functions.insert(function.name.name, (number, function));
            }
        }
        for (number, function) in functions.iter().enumerate() {
            flow.function = number;
            flow.scopes = vec![(0, function.params.iter().chain(&function.returns).collect())];
            (flow.next_scope, flow.accesses) = (1, Vec::new());
            flow.wide = trees.iter().any(|tree| tree.address_size.is_some_and(|(bits, _)| bits == 64));
            for param in function.params.iter().filter(|_| function.entry) {
                let node = flow.named((number, 0, param.name.name));
                flow.sets[node] |= NUMBER;
            }
            flow.statements(function.body.as_deref().unwrap_or_default(), 0);
            flow.all.push(std::mem::take(&mut flow.accesses));
        }
        flow.solve();
        let found = |node: &Option<usize>| {
            let set = node.map_or(0, |node| flow.sets[node]);
            let set = if set & NUMBER == 0 { set } else { set | GLOBAL };
            let mut spaces =
                SPACES.iter().enumerate().filter(|(bit, _)| set >> bit & 1 == 1).map(|(_, space)| *space);
            match (spaces.next(), spaces.next()) {
                (None, _) => Found::One(StateSpace::Global),
                (Some(space), None) => Found::One(space),
                (Some(first), Some(second)) => Found::Several(format!("{first} and {second}")),
            }
        };
        Self { accesses: flow.all.iter().map(|accesses| accesses.iter().map(found).collect()).collect() }
    }

    /// Returns the space of a generic access, by function and order in its text.
    pub fn of(&self, function: usize, access: usize) -> Found {
        self.accesses[function].get(access).cloned().unwrap_or(Found::One(StateSpace::Global))
    }
}

/// The flow of addresses.
#[derive(Default)]
struct Flow<'t> {
    /// State spaces of the variables of the modules.
    module: BTreeMap<&'t str, StateSpace>,
    functions: BTreeMap<&'t str, (usize, &'t Function<'t>)>,
    nodes: BTreeMap<Name<'t>, usize>,
    /// Set of each node.
    sets: Vec<u8>,
    /// Successors of each node.
    edges: Vec<BTreeSet<usize>>,
    /// Nodes of sums: a number that is added to an address is an index.
    sums: BTreeSet<usize>,
    /// Addresses in memory.
    memory: Option<usize>,
    /// Whether addresses have 64 bits.
    wide: bool,
    /// Function that is read, its open scopes with their declarations, and the next scope.
    function: usize,
    scopes: Vec<(u32, Vec<&'t Variable<'t>>)>,
    next_scope: u32,
    /// Node of the base of each generic access of the function; then those of all functions.
    accesses: Vec<Option<usize>>,
    all: Vec<Vec<Option<usize>>>,
}

impl<'t> Flow<'t> {
    fn new_node(&mut self) -> usize {
        self.sets.push(0);
        self.edges.push(BTreeSet::new());
        self.sets.len() - 1
    }

    fn named(&mut self, name: Name<'t>) -> usize {
        if let Some(node) = self.nodes.get(&name) {
            return *node;
        }
        let node = self.new_node();
        self.nodes.insert(name, node);
        node
    }

    /// Returns the scope of a name and its declaration, if it is not one of the module.
    fn declared(&self, name: &str) -> Option<(u32, &'t Variable<'t>)> {
        let declares = |variable: &&&Variable| {
            if variable.range.is_none() {
                return variable.name.name == name;
            }
            let number = name.strip_prefix(variable.name.name);
            number.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|c| c.is_ascii_digit()))
        };
        self.scopes
            .iter()
            .rev()
            .find_map(|(scope, declared)| Some((*scope, *declared.iter().find(declares)?)))
    }

    /// Returns the node of a register, parameter or variable.
    fn node(&mut self, name: &'t str) -> Option<usize> {
        if let Some((scope, variable)) = self.declared(name) {
            let node = self.named((self.function, scope, name));
            self.seed(node, variable.space);
            return Some(node);
        }
        let space = *self.module.get(name)?;
        let node = self.named((usize::MAX, 0, name));
        self.seed(node, space);
        Some(node)
    }

    /// Adds the space of a variable with an address.
    fn seed(&mut self, node: usize, space: StateSpace) {
        if let Some(bit) = SPACES.iter().position(|known| *known == space) {
            self.sets[node] |= 1 << bit;
        }
    }

    fn memory(&mut self) -> usize {
        if let Some(node) = self.memory {
            return node;
        }
        let node = self.new_node();
        self.sets[node] = NUMBER;
        *self.memory.insert(node)
    }

    fn edge(&mut self, from: Option<usize>, to: Option<usize>) {
        if let (Some(from), Some(to)) = (from, to) {
            self.edges[from].insert(to);
        }
    }

    fn statements(&mut self, statements: &'t [Statement<'t>], scope: u32) {
        let variables = statements.iter().filter_map(|statement| match statement {
            Statement::Variable(variable) => Some(&**variable),
            _ => None,
        });
        self.scopes.push((scope, variables.collect()));
        for statement in statements {
            match statement {
                Statement::Block(inner) => {
                    let scope = self.next_scope;
                    self.next_scope += 1;
                    self.statements(inner, scope);
                }
                Statement::Instruction(inst) => self.instruction(inst),
                _ => {}
            }
        }
        self.scopes.pop();
    }

    /// Returns the node of an operand: a name, or the base of an address.
    fn operand(&mut self, operand: Option<&'t Operand<'t>>) -> Option<usize> {
        match &operand?.kind {
            OperandKind::Name(name) | OperandKind::NameOffset(name, _) => self.node(name),
            OperandKind::Memory { base, .. } => self.node(base.as_ref()?.name),
            _ => None,
        }
    }

    fn instruction(&mut self, inst: &'t Instruction<'t>) {
        let arg = |i: usize| inst.operands.get(i);
        let word = |name: &str| inst.modifiers.iter().any(|word| word.name == name);
        match inst.opcode.name {
            "call" => self.call(inst),
            "ld" | "ldu" => {
                let base = self.operand(arg(1));
                if is_generic(inst) {
                    self.accesses.push(base);
                }
                let narrow = self.wide && !["b64", "u64", "s64"].into_iter().any(word);
                let from = if word("param") { base } else { Some(self.memory()) };
                self.each(arg(0), |flow, to| flow.edge(from.filter(|_| !narrow), to));
            }
            "st" => {
                let base = self.operand(arg(0));
                if is_generic(inst) {
                    self.accesses.push(base);
                }
                let to = if word("param") { base } else { Some(self.memory()) };
                self.each(arg(1), |flow, from| flow.edge(from, to));
            }
            "atom" => {
                let base = self.operand(arg(1));
                if is_generic(inst) {
                    self.accesses.push(base);
                }
                let memory = Some(self.memory());
                for value in inst.operands.iter().skip(2) {
                    self.each(Some(value), |flow, from| flow.edge(from, memory));
                }
                self.each(arg(0), |flow, to| flow.edge(memory, to));
            }
            "red" | "prefetch" if is_generic(inst) => {
                let base = self.operand(arg(0));
                self.accesses.push(base);
            }
            "cvta" => {
                let to = self.operand(arg(0));
                let space = inst.modifiers.iter().find_map(|word| space_of(word.name));
                if let (Some(to), Some(space)) = (to, space) {
                    self.seed(to, space);
                }
            }
            "mov" | "cvt" | "selp" => {
                let to = self.operand(arg(0));
                for i in [1, 2] {
                    let from = self.operand(arg(i));
                    self.edge(from, to);
                }
            }
            "add" | "and" | "or" | "min" | "max" => self.sum(inst, &[1, 2]),
            "sub" => self.sum(inst, &[1]),
            "mad" => self.sum(inst, &[3]),
            _ => {}
        }
    }

    /// Connects the result of a sum with the operands of these numbers.
    fn sum(&mut self, inst: &'t Instruction<'t>, operands: &[usize]) {
        let sum = self.new_node();
        self.sums.insert(sum);
        for i in operands {
            let from = self.operand(inst.operands.get(*i));
            self.edge(from, Some(sum));
        }
        let to = self.operand(inst.operands.first());
        self.edge(Some(sum), to);
    }

    /// Calls `see` for the node of an operand, or for those of the elements of a vector.
    fn each(&mut self, operand: Option<&'t Operand<'t>>, mut see: impl FnMut(&mut Self, Option<usize>)) {
        let Some(operand) = operand else { return };
        let elements = match &operand.kind {
            OperandKind::Vector(elements) => elements,
            _ => std::slice::from_ref(operand),
        };
        for element in elements {
            let node = self.operand(Some(element));
            see(self, node);
        }
    }

    /// Connects arguments and results with the parameters of the called function.
    fn call(&mut self, inst: &'t Instruction<'t>) {
        let callee = inst.operands.iter().position(|operand| matches!(operand.kind, OperandKind::Name(_)));
        let Some((at, OperandKind::Name(name))) = callee.map(|at| (at, &inst.operands[at].kind)) else {
            return;
        };
        let Some((number, function)) = self.functions.get(name).copied() else { return };
        let list = |operand: Option<&'t Operand<'t>>| match operand.map(|operand| &operand.kind) {
            Some(OperandKind::List(parts)) => &**parts,
            _ => &[],
        };
        let (results, arguments) =
            (list(at.checked_sub(1).map(|at| &inst.operands[at])), list(inst.operands.get(at + 1)));
        for (argument, param) in arguments.iter().zip(&function.params) {
            let (from, to) = (self.operand(Some(argument)), self.named((number, 0, param.name.name)));
            self.edge(from, Some(to));
        }
        for (result, param) in results.iter().zip(&function.returns) {
            let (from, to) = (self.named((number, 0, param.name.name)), self.operand(Some(result)));
            self.edge(Some(from), to);
        }
    }

    /// Propagates the sets along the edges: first the spaces, then the numbers.
    fn solve(&mut self) {
        for bits in [!NUMBER, NUMBER] {
            let mut open: Vec<usize> =
                (0..self.sets.len()).filter(|node| self.sets[*node] & bits != 0).collect();
            while let Some(node) = open.pop() {
                let is_index = bits == NUMBER && self.sums.contains(&node) && self.sets[node] & !NUMBER != 0;
                // Without another space in memory, a loaded number needs no space.
                let dropped = if self.memory == Some(node) { GLOBAL } else { 0 };
                let flows = if is_index { 0 } else { self.sets[node] & bits & !dropped };
                for to in &self.edges[node] {
                    if self.sets[*to] | flows != self.sets[*to] {
                        self.sets[*to] |= flows;
                        open.push(*to);
                    }
                }
            }
        }
    }
}
