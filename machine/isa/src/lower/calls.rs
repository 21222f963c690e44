//! The calls of a module: which functions a kernel can reach, which functions have their address
//! taken, and which functions are recursive.

use super::code::Interface;
use super::functions::{Functions, Signature};
use super::graph::CallGraph;
use super::resolve::{Arg, ArgKind, Item, Resolved, Targets};
use crate::diag::Diagnostic;
use crate::ptx::ast::{Init, Variable};
use crate::ptx::forms::Opcode;
use std::collections::{BTreeMap, BTreeSet};

/// The calls of a module.
#[derive(Debug, Default)]
pub struct Calls {
    /// All signatures with their numbers.
    signatures: BTreeMap<Signature, u32>,
    /// Number of each function's signature, by function number.
    signature: Vec<u32>,
    /// Functions whose address is taken in the module.
    taken: BTreeSet<u32>,
    /// Functions of `taken` with each signature, by signature number.
    targets: Vec<Vec<u32>>,
    /// Call graph. Its nodes are the functions by their numbers, followed by the signatures.
    graph: CallGraph,
    /// Graph components of the targets of each signature.
    components: Vec<BTreeSet<u32>>,
}

/// A resolved body with the number of its function; `None` for a kernel.
pub type Body<'r, 'a> = (Option<u32>, &'r Resolved<'a>);

impl Calls {
    /// Collects the calls of all bodies of a module with the variables `module`. Errors in
    /// prototypes are added to `diagnostics`.
    pub fn new(
        functions: &Functions,
        bodies: &[Body],
        module: &[Variable],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Self {
        let mut calls = Self::default();
        for known in &functions.list {
            let number = calls.intern(known.signature.clone());
            calls.signature.push(number);
        }
        for (_, resolved) in bodies {
            for targets in &resolved.call_tables {
                match targets {
                    Targets::Prototype(returns, params) => {
                        calls.intern(Signature::new(returns, params, diagnostics));
                    }
                    Targets::Functions(numbers) => calls.taken.extend(numbers),
                }
            }
            let named = instructions(resolved).filter(|inst| inst.form.opcode != Opcode::Call);
            calls.taken.extend(named.flat_map(|inst| &inst.operands).filter_map(function));
        }
        for variable in module {
            for init in variable.init.iter().flatten() {
                if let Init::Address(name, _) | Init::Generic(name, _) = init {
                    calls.taken.extend(functions.number(variable.module, name.name));
                }
            }
        }
        calls.targets = vec![Vec::new(); calls.signatures.len()];
        for function in &calls.taken {
            calls.targets[calls.signature[*function as usize] as usize].push(*function);
        }
        let mut callees = vec![Vec::new(); functions.list.len()];
        for (number, resolved) in bodies {
            if let Some(number) = number {
                callees[*number as usize] = calls.called_in(resolved).into_iter().collect();
            }
        }
        callees.extend(calls.targets.iter().cloned());
        calls.graph = CallGraph::new(callees);
        let components = |targets: &Vec<u32>| targets.iter().map(|to| calls.graph.component(*to)).collect();
        calls.components = calls.targets.iter().map(components).collect();
        calls
    }

    fn intern(&mut self, signature: Signature) -> u32 {
        let next = self.signatures.len() as u32;
        *self.signatures.entry(signature).or_insert(next)
    }

    /// Returns the number of a signature; `None` if no function and no prototype has this
    /// signature.
    pub fn signature_number(&self, signature: &Signature) -> Option<u32> {
        self.signatures.get(signature).copied()
    }

    /// Returns the number of a function's signature.
    pub fn signature_of(&self, function: u32) -> u32 {
        self.signature[function as usize]
    }

    /// Returns the functions that an indirect call may reach through a pointer of a signature.
    pub fn targets(&self, signature: u32) -> &[u32] {
        &self.targets[signature as usize]
    }

    /// Returns the graph nodes that a body calls: functions, and signatures for indirect calls.
    fn called_in(&self, resolved: &Resolved) -> BTreeSet<u32> {
        let (mut called, mut tables) = (BTreeSet::new(), BTreeSet::new());
        for inst in instructions(resolved).filter(|inst| inst.form.opcode == Opcode::Call) {
            called.extend(inst.operands.iter().filter_map(function));
            tables.extend(inst.operands.iter().filter_map(|arg| match arg.kind {
                ArgKind::CallTable(table) => Some(table),
                _ => None,
            }));
        }
        for table in tables {
            match &resolved.call_tables[table as usize] {
                Targets::Functions(numbers) => called.extend(numbers),
                Targets::Prototype(returns, params) => {
                    let signature = Signature::new(returns, params, &mut Vec::new());
                    let number = self.signature_number(&signature);
                    called.extend(number.map(|number| self.signature.len() as u32 + number));
                }
            }
        }
        called
    }

    /// Whether a function is recursive: it may be called again while it runs.
    pub fn is_recursive(&self, function: u32) -> bool {
        self.graph.is_recursive(function)
    }

    /// Whether a call from `caller` to `callee` may call `caller` again before it returns.
    pub fn may_recurse(&self, caller: u32, callee: u32) -> bool {
        self.graph.may_recurse(caller, callee)
    }

    /// Whether an indirect call to functions of a signature may call `caller` again before it
    /// returns.
    pub fn may_recurse_through(&self, caller: u32, signature: u32) -> bool {
        let components = &self.components[signature as usize];
        self.is_recursive(caller) && components.contains(&self.graph.component(caller))
    }

    /// Returns the number of a function's signature if indirect calls may reach the function.
    pub fn indirect_signature(&self, function: u32) -> Option<u32> {
        self.taken.contains(&function).then(|| self.signature_of(function))
    }

    /// Returns the interface whose registers hold a function's parameters and results.
    pub fn interface(&self, function: u32) -> Interface {
        self.indirect_signature(function).map_or(Interface::Function(function), Interface::Signature)
    }

    /// Returns all functions that can be reached from a body, including the body's own function.
    pub fn reached(&self, resolved: &Resolved) -> BTreeSet<u32> {
        let mut reached = self.graph.reached(self.called_in(resolved));
        // Nodes of signatures have the highest numbers; remove them.
        drop(reached.split_off(&(self.signature.len() as u32)));
        reached
    }

    /// Returns the maximum depth of nested calls of a thread that has called one of `functions`,
    /// without counting recursive functions. `functions` also contains every function that its
    /// members call.
    pub fn depth(&self, functions: &BTreeSet<u32>) -> u32 {
        let signatures = functions.iter().map(|function| self.signature_of(*function));
        let signatures: BTreeSet<u32> = signatures.map(|s| self.signature.len() as u32 + s).collect();
        let mut order: Vec<u32> = functions.iter().chain(&signatures).copied().collect();
        order.sort_by_key(|node| self.graph.component(*node));
        let mut deepest: BTreeMap<u32, u32> = BTreeMap::new();
        for node in order {
            let component = self.graph.component(node);
            let callees = self.graph.callees(node).iter().map(|callee| self.graph.component(*callee));
            let below = callees.filter(|of| *of != component).filter_map(|of| deepest.get(&of)).max();
            let counts = functions.contains(&node) && !self.graph.is_recursive(node);
            let here = below.copied().unwrap_or(0) + u32::from(counts);
            let known = deepest.entry(component).or_default();
            *known = here.max(*known);
        }
        deepest.into_values().max().unwrap_or(0)
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
