//! Calls and returns: arguments are moved to the registers of what is called, results from there.

use super::super::code::{File, Interface, Passed, Row, Shared};
use super::super::functions::{Held, Passing, Signature};
use super::super::resolve::{Arg, ArgKind, Base, Inst, Item, Targets};
use super::super::scope::VarRef;
use super::operand::fits;
use super::param::Stored;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::ast::Variable;
use crate::ptx::forms::Opcode;
use crate::span::Span;
use crate::types::{Capability, ScalarType, StateSpace};
use crate::uop::{self, FunctionCode, Op};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What is called.
#[derive(Clone, Copy)]
enum Callee {
    /// This function.
    Direct(u32),
    /// The function whose address is in this register.
    Indirect(u32),
}

/// A call instruction, taken apart.
struct Call<'i> {
    callee: Callee,
    /// The operand that says what is called.
    target: &'i Arg,
    results: &'i [Arg],
    args: &'i [Arg],
    /// Heads that the lists must match.
    returns: &'i [Variable],
    params: &'i [Variable],
    /// Where those heads stand.
    head: Span,
}

impl<'a> Selector<'a, '_> {
    /// Prepares the body of a function: parameters and results get their registers.
    pub(super) fn begin(&mut self) {
        self.find_variables();
        let Some(own) = self.context.own else { return };
        let signature = &self.context.functions.get(own).signature;
        let calls = self.context.calls;
        let shared = self.shared(calls.interface(own), signature);
        let Shared { params, returns, .. } = self.code.shared[shared].clone();
        // Where the same registers may be filled again for another call, before this one has ended, they are emptied.
        let copies = calls.is_recursive(own) || matches!(calls.interface(own), Interface::Signature(_));
        self.code.shared[shared].kept = !copies;
        let place = |refs: fn(u32) -> VarRef, passings: &[Passing], registers: &[Option<u32>]| {
            let vars = (0..).zip(passings).zip(registers.to_vec());
            vars.map(|((i, passing), register)| (refs(i), *passing, register)).collect::<Vec<_>>()
        };
        let resolved = self.context.resolved;
        let ins = place(VarRef::Param, &signature.params, &resolved.params);
        let outs = place(VarRef::Return, &signature.returns, &resolved.returns);
        for (variables, mut shared, incoming) in [(ins, params.as_slice(), true), (outs, &returns, false)] {
            for (variable, passing, register) in variables {
                let (here, rest) = shared.split_at(passing.registers() as usize);
                shared = rest;
                let stored = if copies {
                    let copy = self.stored(passing);
                    if incoming {
                        let pairs: Vec<_> = copy.all().zip(here.to_vec()).collect();
                        pairs
                            .into_iter()
                            .for_each(|((file, to), (_, from))| self.copy(file, to, Row::Reg(from)));
                    }
                    copy
                } else {
                    Stored { passing, registers: here.iter().map(|(_, register)| *register).collect() }
                };
                if let Some(register) = register {
                    self.registers[register as usize] = (passing.file(), stored.registers[0]);
                }
                self.passed.insert(variable, stored);
            }
        }
    }

    /// Gives the `.param` variables of call sequences their registers: those of what is called, if they are used
    /// for one call only and nothing comes between.
    fn find_variables(&mut self) {
        let resolved = self.context.resolved;
        let lent = self.lent();
        for (number, variable) in (0..).zip(&resolved.variables) {
            if variable.space != StateSpace::Param {
                continue;
            }
            let stored = match Passing::of(variable) {
                Ok(passing) => match lent.get(&number).and_then(|lent| self.lend(passing, lent)) {
                    Some(registers) => Stored { passing, registers },
                    None => self.stored(passing),
                },
                Err(error) => {
                    self.diagnostics.push(error);
                    continue;
                }
            };
            self.passed.insert(VarRef::Function(number), stored);
        }
    }

    /// The variables of the body that are filled for one call, or emptied after one, in straight code: for each the
    /// call, the place in its list, and whether it is a result.
    fn lent(&self) -> BTreeMap<u32, (&'a Inst, usize, bool)> {
        let mut lent: BTreeMap<u32, Option<(&Inst, usize, bool, u32)>> = BTreeMap::new();
        let mut uses: BTreeMap<u32, Vec<(Opcode, u32)>> = BTreeMap::new();
        let mut segment = 0; // straight pieces of code, numbered
        for item in &self.context.resolved.items {
            let Item::Inst(inst) = item else {
                segment += 1;
                continue;
            };
            let opcode = inst.form.opcode;
            let mut lists = inst.operands.iter().filter_map(|arg| match &arg.kind {
                ArgKind::List(list) => Some(list.as_slice()),
                _ => None,
            });
            let results = matches!(inst.operands.first(), Some(Arg { kind: ArgKind::List(_), .. }));
            let results = if results { lists.next().unwrap_or(&[]) } else { &[] };
            for (list, result) in [(results, true), (lists.next().unwrap_or(&[]), false)] {
                for (place, arg) in list.iter().enumerate() {
                    let ArgKind::Address(VarRef::Function(number), 0) = arg.kind else { continue };
                    let again = lent.contains_key(&number);
                    lent.insert(number, (!again).then_some((&**inst, place, result, segment)));
                }
            }
            for arg in &inst.operands {
                if let ArgKind::Memory(Base::Variable(VarRef::Function(number)), _) = arg.kind {
                    uses.entry(number).or_default().push((opcode, segment));
                }
            }
            let turns =
                matches!(opcode, Opcode::Call | Opcode::Bra | Opcode::Ret | Opcode::Exit | Opcode::Trap);
            segment += u32::from(turns);
        }
        let suits = |(number, lent): (u32, Option<(&'a Inst, usize, bool, u32)>)| {
            let (inst, place, result, segment) = lent?;
            let expected = if result { (Opcode::Ld, segment + 1) } else { (Opcode::St, segment) };
            let uses = uses.get(&number).map_or(&[][..], Vec::as_slice);
            uses.iter().all(|found| *found == expected).then_some((number, (inst, place, result)))
        };
        lent.into_iter().filter_map(suits).collect()
    }

    /// The registers that the callee of a direct call has for a place in its lists.
    fn lend(&mut self, passing: Passing, (inst, place, result): &(&Inst, usize, bool)) -> Option<Vec<u32>> {
        let callee = inst.operands.iter().find_map(|arg| match arg.kind {
            ArgKind::Function(number) => Some(number),
            _ => None,
        })?;
        let signature = &self.context.functions.get(callee).signature;
        let passings = if *result { &signature.returns } else { &signature.params };
        if passings.get(*place) != Some(&passing) {
            return None;
        }
        let shared = self.shared(self.context.calls.interface(callee), signature);
        let shared = &self.code.shared[shared];
        let registers = if *result { &shared.returns } else { &shared.params };
        let before: u32 = passings[..*place].iter().map(|passing| passing.registers()).sum();
        let here = registers.iter().skip(before as usize).take(passing.registers() as usize);
        Some(here.map(|(_, register)| *register).collect())
    }

    /// The registers of an interface in this body: an index into [`super::super::code::Code::shared`].
    fn shared(&mut self, interface: Interface, signature: &Signature) -> usize {
        if let Some(known) = self.code.shared.iter().position(|shared| shared.interface == interface) {
            return known;
        }
        let mut registers = |passings: &[Passing]| {
            let stored: Vec<Stored> = passings.iter().map(|passing| self.stored(*passing)).collect();
            stored.iter().flat_map(Stored::all).collect()
        };
        let (params, returns) = (registers(&signature.params), registers(&signature.returns));
        self.code.shared.push(Shared { interface, params, returns, kept: false });
        self.code.shared.len() - 1
    }

    /// Moves a value to a register, in all lanes that are here.
    fn copy(&mut self, file: File, to: u32, from: Row) {
        self.move_to(file, to, from).guard = None;
    }

    /// Moves a value to a register under the instruction's guard.
    fn move_to(&mut self, file: File, to: u32, from: Row) -> &mut super::VInst {
        let op = match file {
            File::W => Op::MovB32,
            File::D => Op::MovB64,
            File::P => Op::MovPred,
        };
        self.emit(op, Row::Reg(to), &[from])
    }

    /// `ret` of a function, or control that runs off its end.
    pub(super) fn return_from(&mut self, own: u32) {
        let signature = &self.context.functions.get(own).signature;
        let shared = self.shared(self.context.calls.interface(own), signature);
        let returns = self.code.shared[shared].returns.clone();
        let results = (0..signature.returns.len() as u32).map(VarRef::Return);
        let held: Vec<(File, u32)> =
            results.filter_map(|result| self.passed.get(&result)).flat_map(Stored::all).collect();
        for ((file, from), (_, to)) in held.into_iter().zip(&returns) {
            if from != *to {
                self.move_to(file, *to, Row::Reg(from));
            }
        }
        let passed = Passed { uses: returns, defs: Vec::new() };
        self.emit(Op::Ret, Row::None, &[]).passed = Some(Arc::new(passed));
    }

    pub(super) fn call(&mut self, inst: &Inst) -> Selected {
        let call = self.take_call_apart(inst)?;
        let signature = match call.callee {
            Callee::Direct(number) => self.context.functions.get(number).signature.clone(),
            Callee::Indirect(_) => Signature::new(call.returns, call.params, &mut Vec::new()),
        };
        self.check_count(&call, ["argument", "takes"], call.args, call.params)?;
        self.check_count(&call, ["result", "gives"], call.results, call.returns)?;
        let (interface, op, imm) = match call.callee {
            Callee::Direct(number) => (self.context.calls.interface(number), Op::Call, number),
            Callee::Indirect(_) => {
                let Some(number) = self.context.calls.signature_number(&signature) else {
                    return Err(self.missing(inst));
                };
                (Interface::Signature(number), Op::CallInd, number)
            }
        };
        self.check_recursion(inst, &call, imm)?;
        let shared = self.shared(interface, &signature);
        let Shared { params, returns, .. } = self.code.shared[shared].clone();
        let mut rows = Vec::new();
        for ((arg, passing), formal) in call.args.iter().zip(&signature.params).zip(call.params) {
            rows.extend(self.argument(inst, arg, *passing, formal)?);
        }
        for ((file, to), from) in params.iter().zip(rows) {
            if from != Row::Reg(*to) {
                self.copy(*file, *to, from);
            }
        }
        let passed = Some(Arc::new(Passed { uses: params, defs: returns.clone() }));
        let (row, aux) = match call.callee {
            Callee::Direct(_) => (Row::None, 0),
            Callee::Indirect(register) => {
                let wide = self.type_of(register).bytes() == 8;
                (self.row_of(register), if wide { uop::Inst::ADDR64 } else { 0 })
            }
        };
        let added = self.emit(op, Row::None, &[row]);
        (added.imm, added.aux, added.passed) = (imm, aux, passed);
        let mut rest = returns.as_slice();
        for ((arg, passing), formal) in call.results.iter().zip(&signature.returns).zip(call.returns) {
            let (here, behind) = rest.split_at(passing.registers() as usize);
            rest = behind;
            let to = self.result(arg, *passing, formal)?;
            for ((file, from), to) in here.iter().zip(to) {
                if to != *from {
                    self.move_to(*file, to, Row::Reg(*from));
                }
            }
        }
        Ok(())
    }

    /// Finds out what is called and with what.
    fn take_call_apart<'i>(&self, inst: &'i Inst) -> Selected<Call<'i>>
    where
        'a: 'i,
    {
        let list = |arg: Option<&'i Arg>| match arg.map(|arg| &arg.kind) {
            Some(ArgKind::List(list)) => Some(list.as_slice()),
            _ => None,
        };
        let results = list(inst.operands.first());
        let mut at = usize::from(results.is_some());
        let target = self.operand(inst, at)?;
        let args = list(inst.operands.get(at + 1));
        at += 1 + usize::from(args.is_some());
        let table = inst.operands.get(at);
        let (results, args) = (results.unwrap_or(&[]), args.unwrap_or(&[]));
        let functions = self.context.functions;
        match (&target.kind, table) {
            (ArgKind::Function(number), None) => {
                let head = functions.get(*number).head;
                if head.body.is_none() {
                    let name = &head.name.name;
                    let message = format!("`{name}` is called, but has no body in this module");
                    let error = Diagnostic::error("E0312", message, target.span, "called here");
                    return Err(error.label(head.span, "only declared here"));
                }
                let callee = Callee::Direct(*number);
                let (returns, params, head) = (&head.returns, &head.params, head.span);
                Ok(Call { callee, target, results, args, returns, params, head })
            }
            (ArgKind::Function(_), Some(table)) => {
                Err(self.wrong_operand(inst, table.span, "nothing here: the function is known"))
            }
            (ArgKind::Register(register), Some(Arg { kind: ArgKind::CallTable(number), span })) => {
                let (returns, params, head) = match &self.context.resolved.call_tables[*number as usize] {
                    Targets::Prototype(returns, params) => (*returns, *params, *span),
                    Targets::Functions(numbers) => self.common_head(numbers, *span)?,
                };
                let ty = self.type_of(*register);
                if ty.bytes() * 8 != self.context.address_bits
                    || ty == ScalarType::F32
                    || ty == ScalarType::F64
                {
                    let expected = format!("an address of {} bits", self.context.address_bits);
                    return Err(self.wrong_type(inst, *register, target.span, &expected));
                }
                let callee = Callee::Indirect(*register);
                Ok(Call { callee, target, results, args, returns, params, head })
            }
            (ArgKind::Register(_), Some(table)) => {
                Err(self.wrong_operand(inst, table.span, "the label of a .callprototype or .calltargets"))
            }
            (ArgKind::Register(_), None) => {
                let error = self.wrong_operand(inst, target.span, "a function");
                Err(error.note("a call through a register names its targets: the label of a .callprototype or .calltargets stands last"))
            }
            _ => Err(self.wrong_operand(
                inst,
                target.span,
                "a function, or a register that holds the address of one",
            )),
        }
    }

    /// The head that all functions of a `.calltargets` share.
    fn common_head(&self, numbers: &[u32], span: Span) -> Selected<(&'a [Variable], &'a [Variable], Span)> {
        let functions = self.context.functions;
        let Some(first) = numbers.first().map(|number| functions.get(*number)) else {
            return Err(Diagnostic::error(
                "E0304",
                "a call without targets",
                span,
                "no function is named there",
            ));
        };
        for known in numbers.iter().map(|number| functions.get(*number)) {
            if known.signature != first.signature {
                let message = format!(
                    "`{}` and `{}` cannot be called through one pointer",
                    first.head.name.name, known.head.name.name
                );
                let error = Diagnostic::error("E0311", message, span, "both are among the targets");
                let (one, other) =
                    ((first.head.span, "takes this"), (known.head.span, "takes something else"));
                return Err(error.label(one.0, one.1).label(other.0, other.1));
            }
        }
        Ok((&first.head.returns, &first.head.params, first.head.span))
    }

    /// Refuses a call that may come back to its own function before it returns.
    fn check_recursion(&self, inst: &Inst, call: &Call, number: u32) -> Selected {
        let calls = self.context.calls;
        let comes_back = |callee| self.context.own.is_some_and(|own| calls.comes_back(own, callee));
        let recursive = match call.callee {
            Callee::Direct(callee) => comes_back(callee),
            Callee::Indirect(_) => calls.targets(number).any(comes_back),
        };
        if !recursive {
            return Ok(());
        }
        if self.context.target.major < 2 {
            let (target, needed) = (self.context.target, Capability::new(2, 0));
            let message = format!("recursion needs compute capability {needed}; this module is for {target}");
            let label = "this call comes back to its own function";
            return Err(Diagnostic::error("E0401", message, inst.span, label));
        }
        let message = "recursion is not implemented by this simulator yet";
        Err(Diagnostic::error("E0402", message, inst.span, "this call comes back to its own function"))
    }

    /// Refuses a list that is not as long as that of the head. `what` stands in it, and the function `gives` or `takes`
    /// it.
    fn check_count(&self, call: &Call, what: [&str; 2], given: &[Arg], expected: &[Variable]) -> Selected {
        if given.len() == expected.len() {
            return Ok(());
        }
        let [what, does] = what;
        let count = |n: usize| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let message = format!("{}; the function {does} {}", count(given.len()), expected.len());
        let place = match (given.first(), given.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => call.target.span,
        };
        let error = Diagnostic::error("E0311", message, place, format!("expected {}", count(expected.len())));
        Err(error.label(call.head, "declared here"))
    }

    /// The complaint that something passed is not what is expected.
    fn misfit(&self, arg: &Arg, found: &str, passing: Passing, formal: &Variable) -> Diagnostic {
        let expected = passing.describe();
        let message = format!("{found} is passed for `{}`, which is {expected}", formal.name.name);
        let error = Diagnostic::error("E0311", message, arg.span, format!("expected {expected}"));
        error.label(formal.span, "declared here")
    }

    /// The variable of a call sequence that an operand names.
    fn variable(&self, arg: &Arg) -> Option<&Stored> {
        let ArgKind::Address(variable, 0) = arg.kind else { return None };
        self.passed.get(&variable)
    }

    /// The rows of an argument.
    fn argument(
        &mut self,
        inst: &Inst,
        arg: &Arg,
        passing: Passing,
        formal: &Variable,
    ) -> Selected<Vec<Row>> {
        if let Some(stored) = self.variable(arg) {
            return if stored.passing == passing {
                Ok(stored.registers.iter().map(|register| Row::Reg(*register)).collect())
            } else {
                Err(self.misfit(arg, &stored.passing.describe(), passing, formal))
            };
        }
        if let Held::Words(_) = passing.held {
            return Err(self.misfit(arg, "this", passing, formal));
        }
        match arg.kind {
            ArgKind::Register(register) => {
                let ty = self.type_of(register);
                if !fits(ty, formal.ty) {
                    return Err(self.misfit(arg, &format!("a {ty}"), passing, formal));
                }
                Ok(vec![self.row_of(register)])
            }
            ArgKind::Literal(_) => {
                // The bits of a signed short number have no sign above.
                let ty = if formal.ty.bytes() == 2 { ScalarType::B16 } else { formal.ty };
                Ok(vec![self.literal(arg, ty)?])
            }
            ArgKind::Function(_) => Ok(vec![self.read(inst, arg, formal.ty)?]),
            _ => Err(self.misfit(arg, "this", passing, formal)),
        }
    }

    /// The virtual registers that take a result; none for `_`.
    fn result(&self, arg: &Arg, passing: Passing, formal: &Variable) -> Selected<Vec<u32>> {
        if let Some(stored) = self.variable(arg) {
            return if stored.passing == passing {
                Ok(stored.registers.clone())
            } else {
                Err(self.misfit(arg, &stored.passing.describe(), passing, formal))
            };
        }
        match arg.kind {
            ArgKind::Sink => Ok(Vec::new()),
            ArgKind::Register(register) if !matches!(passing.held, Held::Words(_)) => {
                let ty = self.type_of(register);
                match self.row_of(register) {
                    Row::Reg(row) if fits(ty, formal.ty) => Ok(vec![row]),
                    _ => Err(self.misfit(arg, &format!("a {ty}"), passing, formal)),
                }
            }
            _ => Err(self.misfit(arg, "this", passing, formal)),
        }
    }

    /// The constant row of a function's address.
    pub(super) fn function_address(&mut self, arg: &Arg, number: u32, ty: ScalarType) -> Selected<Row> {
        if self.context.target.major < 2 {
            let (target, needed) = (self.context.target, Capability::new(2, 0));
            let message = format!(
                "the address of a function needs compute capability {needed}; this module is for {target}"
            );
            let error =
                Diagnostic::error("E0401", message, arg.span, format!("not in compute capability {target}"));
            return Err(error.note("write `.target sm_20` or above"));
        }
        let bits = self.context.address_bits;
        if ty.bytes() * 8 != bits || matches!(ty, ScalarType::F32 | ScalarType::F64) {
            let message = format!("the address of a function has {bits} bits and is no {ty}");
            let label = format!("expected a .u{bits} operation");
            return Err(Diagnostic::error("E0305", message, arg.span, label));
        }
        let head = self.context.functions.get(number).head;
        if head.body.is_none() {
            let message = format!("`{}` has no body in this module", head.name.name);
            let error = Diagnostic::error("E0312", message, arg.span, "its address is taken here");
            return Err(error.label(head.span, "only declared here"));
        }
        let file = if ty.bytes() == 8 { File::D } else { File::W };
        Ok(self.bits(file, FunctionCode::address(number) as u64))
    }
}
