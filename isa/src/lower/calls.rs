//! Who calls whom: which functions a kernel can reach, whose addresses are taken, and who calls itself.

use super::code::Interface;
use super::functions::{Functions, Signature};
use super::resolve::{Arg, ArgKind, Item, Resolved, Targets};
use crate::diag::Diagnostic;
use crate::ptx::ast::{Init, Variable};
use crate::ptx::forms::Opcode;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use std::collections::BTreeSet;

/// The calls of a module.
#[derive(Debug, Default)]
pub struct Calls {
    /// All signatures, without duplicates.
    signatures: Vec<Signature>,
    /// For each function the number of its signature.
    signature: Vec<u32>,
    /// Functions whose address is taken anywhere.
    taken: BTreeSet<u32>,
    /// For each function those that it calls.
    callees: Vec<BTreeSet<u32>>,
    /// For each function the number of its component: functions of one component call each other.
    component: Vec<usize>,
    /// For each component whether its functions call themselves or each other.
    recursive: Vec<bool>,
}

/// A body that is resolved, with the number of its function; `None` of a kernel.
pub type Body<'r, 'a> = (Option<u32>, &'r Resolved<'a>);

impl Calls {
    /// Looks at all bodies of a module with the variables `module`. What is wrong with prototypes goes to
    /// `diagnostics`.
    pub fn new(
        functions: &Functions,
        bodies: &[Body],
        module: &[Variable],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut calls = Self { callees: vec![BTreeSet::new(); functions.list.len()], ..Self::default() };
        for known in &functions.list {
            let number = calls.intern(&known.signature);
            calls.signature.push(number);
        }
        for (_, resolved) in bodies {
            for targets in &resolved.call_tables {
                match targets {
                    Targets::Prototype(returns, params) => {
                        let signature = Signature::new(returns, params, diagnostics);
                        calls.intern(&signature);
                    }
                    Targets::Functions(numbers) => calls.taken.extend(numbers),
                }
            }
            let named = instructions(resolved).filter(|inst| inst.form.opcode != Opcode::Call);
            calls.taken.extend(named.flat_map(|inst| &inst.operands).filter_map(function));
        }
        for init in module.iter().flat_map(|variable| variable.init.iter().flatten()) {
            if let Init::Address(name, _) = init {
                calls.taken.extend(functions.number(&name.name));
            }
        }
        for (number, resolved) in bodies {
            if let Some(number) = number {
                calls.callees[*number as usize] = calls.called_in(resolved);
            }
        }
        calls.find_cycles();
        calls
    }

    fn intern(&mut self, signature: &Signature) -> u32 {
        self.signature_number(signature).unwrap_or_else(|| {
            self.signatures.push(signature.clone());
            self.signatures.len() as u32 - 1
        })
    }

    /// The number of a signature; `None` if no function and no prototype has it.
    pub fn signature_number(&self, signature: &Signature) -> Option<u32> {
        self.signatures.iter().position(|known| known == signature).map(|number| number as u32)
    }

    /// The number of a function's signature.
    pub fn signature_of(&self, function: u32) -> u32 {
        self.signature[function as usize]
    }

    /// The functions that an indirect call through a pointer to functions of a signature may reach.
    pub fn targets(&self, signature: u32) -> impl Iterator<Item = u32> {
        self.taken.iter().copied().filter(move |function| self.signature_of(*function) == signature)
    }

    /// What a body calls.
    fn called_in(&self, resolved: &Resolved) -> BTreeSet<u32> {
        let mut called = BTreeSet::new();
        for inst in instructions(resolved).filter(|inst| inst.form.opcode == Opcode::Call) {
            called.extend(inst.operands.iter().filter_map(function));
            for arg in &inst.operands {
                let ArgKind::CallTable(table) = arg.kind else { continue };
                match &resolved.call_tables[table as usize] {
                    Targets::Functions(numbers) => called.extend(numbers),
                    Targets::Prototype(returns, params) => {
                        let signature = Signature::new(returns, params, &mut Vec::new());
                        called
                            .extend(self.signature_number(&signature).iter().flat_map(|s| self.targets(*s)));
                    }
                }
            }
        }
        called
    }

    fn find_cycles(&mut self) {
        let mut graph = DiGraph::<(), (), u32>::new();
        for _ in &self.callees {
            graph.add_node(());
        }
        let node = |number: u32| NodeIndex::<u32>::new(number as usize);
        for (from, callees) in (0..).zip(&self.callees) {
            for to in callees {
                graph.add_edge(node(from), node(*to), ());
            }
        }
        self.component = vec![0; self.callees.len()];
        for component in kosaraju_scc(&graph) {
            let number = self.recursive.len();
            let itself = |n: &NodeIndex<u32>| self.callees[n.index()].contains(&(n.index() as u32));
            self.recursive.push(component.len() > 1 || component.iter().any(itself));
            for n in component {
                self.component[n.index()] = number;
            }
        }
    }

    /// Whether a function may be called while it runs.
    pub fn is_recursive(&self, function: u32) -> bool {
        self.recursive[self.component[function as usize]]
    }

    /// Whether a call from `caller` to `callee` may come back to `caller` before it returns.
    pub fn comes_back(&self, caller: u32, callee: u32) -> bool {
        self.component[caller as usize] == self.component[callee as usize] && self.is_recursive(caller)
    }

    /// The registers that a function's parameters and results lie in.
    pub fn interface(&self, function: u32) -> Interface {
        if self.taken.contains(&function) {
            Interface::Signature(self.signature_of(function))
        } else {
            Interface::Function(function)
        }
    }

    /// The functions that can be reached from a body, or from `function` where it is one, itself included.
    pub fn reached(&self, resolved: &Resolved) -> BTreeSet<u32> {
        self.reached_from(self.called_in(resolved))
    }

    /// The functions that can be reached from those of `open`, which are among them.
    pub fn reached_from(&self, open: impl IntoIterator<Item = u32>) -> BTreeSet<u32> {
        let mut open: Vec<u32> = open.into_iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(function) = open.pop() {
            if seen.insert(function) {
                open.extend(&self.callees[function as usize]);
            }
        }
        seen
    }

    /// Most calls that a thread can be inside of when it has called one of `functions`, not counting those of functions
    /// that can run while they wait for themselves.
    pub fn depth(&self, functions: &BTreeSet<u32>) -> u32 {
        // Components come with those that they call first.
        let mut deepest = vec![0_u32; self.recursive.len()];
        let mut order: Vec<u32> = functions.iter().copied().collect();
        order.sort_by_key(|function| self.component[*function as usize]);
        let mut most = 0;
        for function in order {
            let component = self.component[function as usize];
            let callees =
                self.callees[function as usize].iter().map(|callee| self.component[*callee as usize]);
            let below = callees.filter(|of| *of != component).map(|of| deepest[of]).max().unwrap_or(0);
            let here = below + !self.recursive[component] as u32;
            deepest[component] = deepest[component].max(here);
            most = most.max(here);
        }
        most
    }
}

fn instructions<'r>(resolved: &'r Resolved) -> impl Iterator<Item = &'r super::resolve::Inst> {
    resolved.items.iter().filter_map(|item| match item {
        Item::Inst(inst) => Some(&**inst),
        Item::Label(_) => None,
    })
}

fn function(arg: &Arg) -> Option<u32> {
    if let ArgKind::Function(number) = arg.kind { Some(number) } else { None }
}
