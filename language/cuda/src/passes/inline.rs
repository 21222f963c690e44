//! Inlines calls: all calls below `sm_20`; from `sm_20` on, calls of small functions and of
//! functions with one call.

use super::unroll::copy_blocks;
use crate::lower::Problem;
use crate::ssa::{Block, FuncId, Function, Jump, Loc, Module, Op, Replacements, Terminator, Ty};

/// Instructions of a function that is always inlined.
const SMALL: usize = 160;
/// Instructions of a function that is inlined at its only call.
const SINGLE: usize = 4_000;
/// Instructions to which inlining may grow a function.
const LIMIT: usize = 200_000;
/// Instructions that inlining may copy in a program.
const ALL: usize = 400_000;

/// Runs the pass on all functions, callees first. `clean` simplifies each function before its
/// callers see it.
pub fn run(
    module: &mut Module,
    fermi: bool,
    problems: &mut Vec<Problem>,
    mut clean: impl FnMut(&mut Function),
) {
    let count = module.functions.len();
    let calls: Vec<Vec<(FuncId, Loc)>> = module.functions.iter().map(calls).collect();
    let order = bottom_up(&calls);
    let mut sites = vec![0usize; count];
    calls.iter().flatten().for_each(|(callee, _)| sites[callee.at()] += 1);
    let recursive = recursive(&calls, &order);
    let mut room = ALL;
    let mut users = Users::new(module, &calls);
    for index in order {
        let mut function = std::mem::replace(&mut module.functions[index], Function::new(""));
        // Loops are not cut short by a callee that contains calls: those are already inlined.
        for (callee, loc) in &calls[index] {
            if recursive[callee.at()] && !fermi {
                let name = &module.functions[callee.at()].name;
                problems.push(Problem {
                    message: format!("`{name}` is recursive"),
                    help: "recursion needs sm_20 or later; use a loop".to_owned(),
                    loc: *loc,
                    warning: false,
                });
            }
        }
        let wanted = |callee: FuncId, module: &Module, size: usize, room: usize| {
            let target = &module.functions[callee.at()];
            let fits = target.size() <= room && size + target.size() <= LIMIT;
            let small = target.size() <= SMALL || sites[callee.at()] == 1 && target.size() <= SINGLE;
            let always = !fermi || target.forceinline;
            !recursive[callee.at()] && (always && fits || !target.noinline && small && fits)
        };
        let inlined = inline_calls(&mut function, module, wanted, &mut room, fermi, problems);
        clean(&mut function);
        module.functions[index] = function;
        users.inlined(module, index, &inlined);
    }
}

/// How often each function is needed.
struct Users {
    calls: Vec<usize>,
    /// Kernels, and functions whose addresses are used.
    roots: Vec<bool>,
}

impl Users {
    fn new(module: &Module, calls: &[Vec<(FuncId, Loc)>]) -> Users {
        let mut users = Users {
            calls: vec![0; calls.len()],
            roots: module.functions.iter().map(|function| function.kernel).collect(),
        };
        calls.iter().flatten().for_each(|(callee, _)| users.calls[callee.at()] += 1);
        for function in &module.functions {
            for value in function.blocks.iter().flat_map(|block| &block.insts) {
                if let Op::FuncAddress(of) = function.op(*value) {
                    users.roots[of.at()] = true;
                }
            }
        }
        module.symbols.iter().flat_map(|one| &one.code).for_each(|(_, of)| users.roots[of.at()] = true);
        users
    }

    /// Frees the functions whose last call was inlined.
    fn inlined(&mut self, module: &mut Module, into: usize, inlined: &[FuncId]) {
        if inlined.is_empty() {
            return;
        }
        // The copies may have calls, too.
        for (callee, _) in &calls(&module.functions[into]) {
            self.calls[callee.at()] += 1;
        }
        for callee in inlined {
            self.calls[callee.at()] -= 1;
            if self.calls[callee.at()] == 0 && !self.roots[callee.at()] {
                let function = &mut module.functions[callee.at()];
                (function.blocks, function.values) = (Vec::new(), Vec::new());
            }
        }
    }
}

/// The functions that a function calls, each call once.
fn calls(function: &Function) -> Vec<(FuncId, Loc)> {
    let values = function.blocks.iter().flat_map(|block| &block.insts);
    values
        .filter_map(|value| match function.op(*value) {
            Op::Call { func, .. } => Some((*func, function.values[value.at()].loc)),
            _ => None,
        })
        .collect()
}

/// Functions in an order in which callees precede callers, except in cycles.
fn bottom_up(calls: &[Vec<(FuncId, Loc)>]) -> Vec<usize> {
    let mut order = Vec::new();
    let mut seen = vec![false; calls.len()];
    for start in 0..calls.len() {
        if seen[start] {
            continue;
        }
        seen[start] = true;
        let mut stack = vec![(start, 0)];
        while let Some((at, next)) = stack.pop() {
            match calls[at].get(next) {
                Some((callee, _)) => {
                    stack.push((at, next + 1));
                    if !seen[callee.at()] {
                        seen[callee.at()] = true;
                        stack.push((callee.at(), 0));
                    }
                }
                None => order.push(at),
            }
        }
    }
    order
}

/// For each function whether a chain of calls leads from it to itself; `order` has callees first.
fn recursive(calls: &[Vec<(FuncId, Loc)>], order: &[usize]) -> Vec<bool> {
    let mut callers = vec![Vec::new(); calls.len()];
    for (caller, list) in calls.iter().enumerate() {
        for (callee, _) in list {
            callers[callee.at()].push(caller);
        }
    }
    let mut recursive: Vec<bool> =
        calls.iter().enumerate().map(|(at, list)| list.iter().any(|(callee, _)| callee.at() == at)).collect();
    // Functions that call each other: callers that are reached against the order.
    let mut seen = vec![false; calls.len()];
    for &start in order.iter().rev() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut circle = vec![start];
        let mut at = 0;
        while let Some(&function) = circle.get(at) {
            at += 1;
            for &caller in &callers[function] {
                if !std::mem::replace(&mut seen[caller], true) {
                    circle.push(caller);
                }
            }
        }
        if circle.len() > 1 {
            for function in circle {
                recursive[function] = true;
            }
        }
    }
    recursive
}

/// Inlines the wanted calls of a function; `room` is the number of instructions that inlining may
/// still copy. Returns the inlined functions.
fn inline_calls(
    f: &mut Function,
    module: &Module,
    wanted: impl Fn(FuncId, &Module, usize, usize) -> bool,
    room: &mut usize,
    fermi: bool,
    problems: &mut Vec<Problem>,
) -> Vec<FuncId> {
    let mut inlined = Vec::new();
    let mut index = 0;
    let mut map = Replacements::default();
    // Inlined blocks are appended and looked at too; their calls were refused once already.
    let mut size = f.size();
    while index < f.blocks.len() {
        let block = Block(index as u32);
        let insts = &f.blocks[index].insts;
        let found = insts.iter().position(|value| match f.op(*value) {
            Op::Call { func, .. } => wanted(*func, module, size, *room),
            _ => false,
        });
        match found {
            Some(at) => {
                let Op::Call { func, .. } = *f.op(f.blocks[index].insts[at]) else { break };
                let more = module.functions[func.at()].size();
                (size, *room) = (size + more, *room - more);
                inlined.push(func);
                inline(f, &module.functions[func.at()], block, at, &mut map);
            }
            None => {
                index += 1;
            }
        }
    }
    f.replace(&mut map);
    if !fermi && let Some((_, loc)) = calls(f).first() {
        let whole = if f.size() < LIMIT / 2 { "the program" } else { &*format!("`{}`", f.name) };
        let most = if f.size() < LIMIT / 2 { ALL } else { LIMIT };
        problems.push(Problem {
            message: format!("{whole} has more than {most} instructions after inlining"),
            help: "below sm_20 all calls are inlined: use fewer or smaller functions, or compile for sm_20"
                .to_owned(),
            loc: *loc,
            warning: false,
        });
    }
    inlined
}

/// Replaces the call at position `at` of `block` by the callee's blocks.
fn inline(f: &mut Function, callee: &Function, block: Block, at: usize, map: &mut Replacements) {
    let call = f.blocks[block.at()].insts[at];
    let Op::Call { args, .. } = f.op(call).clone() else { return };
    let rest = f.blocks[block.at()].insts.split_off(at + 1);
    f.blocks[block.at()].insts.pop();
    let after = f.add_block();
    let term = std::mem::take(&mut f.blocks[block.at()].term);
    let loc = f.blocks[block.at()].loc;
    let home = &mut f.blocks[after.at()];
    (home.insts, home.term, home.loc) = (rest, term, loc);
    let (first, entry) = copy_blocks(f, callee);
    let ty = f.ty(call);
    let at_call = f.values[call.at()].loc;
    if ty != Ty::Void {
        let result = f.add_param(after, ty);
        f.values[result.at()].loc = at_call;
        map.set(call, result);
    }
    for index in first..f.blocks.len() as u32 {
        let new = Block(index);
        place(f, new, at_call);
        for value in f.blocks[new.at()].insts.clone() {
            if let Op::FuncParam(number) = *f.op(value)
                && let Some(arg) = args.get(number as usize)
            {
                if f.keeps_variables && f.values[value.at()].variable.is_some() {
                    f.values[value.at()].op = Op::Copy(*arg);
                    continue;
                }
                map.set(value, *arg);
                // The value stays defined until `dce`; nothing uses it.
                f.values[value.at()].op = Op::Undef;
            }
        }
        if let Terminator::Return(value) = f.blocks[new.at()].term {
            let args = if ty == Ty::Void { Vec::new() } else { value.into_iter().collect() };
            f.blocks[new.at()].term = Terminator::Jump(Jump { to: after, args });
        }
    }
    f.blocks[block.at()].term = Terminator::Jump(Jump::to(entry));
}

/// Instructions without a place get that of the call.
fn place(f: &mut Function, block: Block, loc: Loc) {
    let data = &mut f.blocks[block.at()];
    if data.loc == Loc::default() {
        data.loc = loc;
    }
    for &value in &data.insts {
        let data = &mut f.values[value.at()];
        if data.loc == Loc::default() {
            data.loc = loc;
        }
    }
}
