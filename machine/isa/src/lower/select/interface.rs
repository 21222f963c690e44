//! The interface of a body to its callers and callees: registers of parameters, results and call
//! sequences, returns, and the stack pointer.

use super::super::code::{File, Interface, OperandRow, Passed, Shared};
use super::super::functions::{Passing, Signature, Storage};
use super::super::resolve::{Arg, ArgKind, Base, Inst, Item};
use super::super::scope::VarRef;
use super::param::Stored;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::forms::Opcode;
use crate::types::{Capability, ScalarType, StateSpace};
use crate::uop::{FunctionCode, Op};
use std::collections::BTreeMap;

impl<'a> Selector<'a, '_> {
    /// Prepares the body of a function: assigns registers to parameters and results.
    pub(super) fn begin(&mut self) {
        self.find_variables();
        let Some(own) = self.context.own else { return };
        let signature = &self.context.functions.get(own).signature;
        let calls = self.context.calls;
        let shared = self.shared(calls.interface(own), signature);
        let Shared { params, returns, .. } = self.code.shared[shared].clone();
        // If another call may overwrite these registers before this call returns, the values are
        // copied to other registers.
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
                        for ((file, to), (_, from)) in pairs {
                            self.copy(file, to, OperandRow::Reg(from));
                        }
                    }
                    copy
                } else {
                    Stored { passing, registers: here.iter().map(|(_, register)| *register).collect() }
                };
                if let Some(register) = register {
                    self.registers[register as usize] = (passing.file(), stored.registers[0]);
                }
                if incoming {
                    self.copy_to_local(variable, &stored);
                }
                self.passed.insert(variable, stored);
            }
        }
    }

    /// Assigns registers to the `.param` variables of call sequences. A variable gets the callee's
    /// registers if it is used for only one call and no other call is in between.
    fn find_variables(&mut self) {
        let resolved = self.context.resolved;
        let calls = self.single_call_variables();
        for (number, variable) in (0..).zip(&resolved.variables) {
            if variable.space != StateSpace::Param {
                continue;
            }
            let stored = match Passing::of(variable) {
                Ok(passing) => {
                    match calls.get(&number).and_then(|calls| self.callee_registers(passing, calls)) {
                        Some(registers) => Stored { passing, registers },
                        None => self.stored(passing),
                    }
                }
                Err(error) => {
                    self.diagnostics.push(error);
                    continue;
                }
            };
            self.passed.insert(VarRef::Function(number), stored);
        }
    }

    /// Returns the variables of the body that are written for one call, or read after one call, in
    /// straight-line code. For each variable: the call, the index in its list, and whether it is a
    /// result.
    fn single_call_variables(&self) -> BTreeMap<u32, (&'a Inst, usize, bool)> {
        let mut calls: BTreeMap<u32, Option<(&Inst, usize, bool, u32)>> = BTreeMap::new();
        let mut uses: BTreeMap<u32, Vec<(Opcode, u32)>> = BTreeMap::new();
        let mut segment = 0; // number of the straight-line segment
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
                    let again = calls.contains_key(&number);
                    calls.insert(number, (!again).then_some((&**inst, place, result, segment)));
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
        let registers_fit = |(number, calls): (u32, Option<(&'a Inst, usize, bool, u32)>)| {
            let (inst, place, result, segment) = calls?;
            let expected = if result { (Opcode::Ld, segment + 1) } else { (Opcode::St, segment) };
            let uses = uses.get(&number).map_or(&[][..], Vec::as_slice);
            uses.iter().all(|found| *found == expected).then_some((number, (inst, place, result)))
        };
        calls.into_iter().filter_map(registers_fit).collect()
    }

    /// Returns the registers of the callee of a direct call for one position in its lists.
    fn callee_registers(
        &mut self,
        passing: Passing,
        (inst, place, result): &(&Inst, usize, bool),
    ) -> Option<Vec<u32>> {
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

    /// Returns the registers of an interface in this body, as an index into
    /// [`super::super::code::Code::shared`].
    pub(super) fn shared(&mut self, interface: Interface, signature: &Signature) -> usize {
        if let Some(known) = self.shared.get(&interface) {
            return *known;
        }
        let mut registers = |passings: &[Passing]| {
            let stored: Vec<Stored> = passings.iter().map(|passing| self.stored(*passing)).collect();
            stored.iter().flat_map(Stored::all).collect()
        };
        let (params, returns) = (registers(&signature.params), registers(&signature.returns));
        self.shared.insert(interface, self.code.shared.len());
        self.code.shared.push(Shared { interface, params, returns, kept: false });
        self.code.shared.len() - 1
    }

    /// Returns the row of the thread's stack pointer.
    pub(super) fn stack(&mut self) -> OperandRow {
        let word = Passing { storage: Storage::Word, bytes: 4 };
        let signature = Signature { returns: Vec::new(), params: vec![word] };
        let shared = self.shared(Interface::Stack, &signature);
        self.code.shared[shared].kept = true;
        OperandRow::Reg(self.code.shared[shared].params[0].1)
    }

    /// Whether a variable is in the stack frame of a recursive function.
    pub(super) fn in_frame(&self, variable: VarRef, space: StateSpace) -> bool {
        let own = !matches!(variable, VarRef::Module(_)) && space == StateSpace::Local;
        own && self.context.layout.frame_bytes.is_some()
    }

    /// Moves a value to a register in all active lanes, without a guard.
    pub(super) fn copy(&mut self, file: File, to: u32, from: OperandRow) {
        self.move_to(file, to, from).guard = None;
    }

    /// Moves a value to a register under the instruction's guard.
    pub(super) fn move_to(&mut self, file: File, to: u32, from: OperandRow) -> &mut super::VInst {
        let op = match file {
            File::W => Op::MovB32,
            File::D => Op::MovB64,
            File::P => Op::MovPred,
        };
        self.emit(op, OperandRow::Reg(to), &[from])
    }

    /// Selects the `ret` of a function, or the implicit return at its end.
    pub(super) fn return_from(&mut self, own: u32) {
        let signature = &self.context.functions.get(own).signature;
        let shared = self.shared(self.context.calls.interface(own), signature);
        let returns = self.code.shared[shared].returns.clone();
        let results = (0..signature.returns.len() as u32).map(VarRef::Return);
        let held: Vec<(File, u32)> =
            results.filter_map(|result| self.passed.get(&result)).flat_map(Stored::all).collect();
        for ((file, from), (_, to)) in held.into_iter().zip(&returns) {
            if from != *to {
                self.move_to(file, *to, OperandRow::Reg(from));
            }
        }
        let passed = Passed { uses: returns, defs: Vec::new() };
        self.emit(Op::Ret, OperandRow::None, &[]).passed = passed.if_any();
    }

    /// Returns the constant row of a function's address.
    pub(super) fn function_address(
        &mut self,
        arg: &Arg,
        number: u32,
        ty: ScalarType,
    ) -> Selected<OperandRow> {
        if self.context.target.major < 2 {
            let (target, needed) = (self.context.target, Capability::new(2, 0));
            let message = format!(
                "the address of a function requires compute capability {needed}, but this module targets {target}"
            );
            let error = Diagnostic::error("E0401", arg.span, message)
                .label(format!("not available in compute capability {target}"));
            return Err(error.help("write `.target sm_20` or above"));
        }
        let bits = self.context.address_bits;
        if ty.bytes() * 8 != bits || matches!(ty, ScalarType::F32 | ScalarType::F64) {
            let message =
                format!("the address of a function has {bits} bits, but the instruction has type {ty}");
            let label = format!("expected an instruction of type .u{bits}");
            return Err(Diagnostic::error("E0305", arg.span, message).label(label));
        }
        let head = self.context.functions.get(number).head;
        if head.body.is_none() {
            return Err(self.context.functions.undefined(head, arg.span, "its address is taken here"));
        }
        let file = if ty.bytes() == 8 { File::D } else { File::W };
        Ok(self.bits(file, FunctionCode::address(number) as u64))
    }
}
