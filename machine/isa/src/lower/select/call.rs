//! Calls and returns: moves arguments to the registers of the callee, and results from them.

use super::super::code::{Interface, OperandRow, Passed, Shared};
use super::super::functions::{Passing, Signature, Storage};
use super::super::resolve::{Arg, ArgKind, Inst, Targets};
use super::operand::fits;
use super::param::Stored;
use super::{Selected, Selector};
use crate::diag::Diagnostic;
use crate::ptx::ast::Variable;
use crate::span::Span;
use crate::types::{Capability, ScalarType};
use crate::uop::{self, Op};

/// Target of a call.
#[derive(Clone, Copy)]
enum Callee {
    /// A function, by number.
    Direct(u32),
    /// The function whose address is in this register.
    Indirect(u32),
}

/// The parts of a call instruction.
struct Call<'i> {
    callee: Callee,
    /// Operand that names the callee.
    target: &'i Arg,
    results: &'i [Arg],
    args: &'i [Arg],
    /// Formal results and parameters, which the lists must match.
    returns: &'i [Variable<'i>],
    params: &'i [Variable<'i>],
    /// Source range of the callee's declaration.
    head: Span,
}

impl<'a> Selector<'a, '_> {
    pub(super) fn call(&mut self, inst: &Inst) -> Selected {
        let call = self.call_parts(inst)?;
        Self::check_count(&call, ["argument", "expects"], call.args, call.params)?;
        Self::check_count(&call, ["result", "returns"], call.results, call.returns)?;
        let signature = match call.callee {
            Callee::Direct(number) => self.context.functions.get(number).signature.clone(),
            Callee::Indirect(_) => Signature::new(call.returns, call.params, &mut Vec::new()),
        };
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
            if from != OperandRow::Reg(*to) {
                self.copy(*file, *to, from);
            }
        }
        let passed = Passed { uses: params, defs: returns.clone() }.if_any();
        let (row, aux) = match call.callee {
            Callee::Direct(_) => (OperandRow::None, 0),
            Callee::Indirect(register) => {
                let wide = self.type_of(register).bytes() == 8;
                (self.row_of(register), if wide { uop::Inst::ADDR64 } else { 0 })
            }
        };
        let added = self.emit(op, OperandRow::None, &[row]);
        (added.imm, added.aux, added.passed) = (imm, aux, passed);
        let mut rest = returns.as_slice();
        for ((arg, passing), formal) in call.results.iter().zip(&signature.returns).zip(call.returns) {
            let (here, after) = rest.split_at(passing.registers() as usize);
            rest = after;
            let to = self.result(arg, *passing, formal)?;
            for ((file, from), to) in here.iter().zip(to) {
                if to != *from {
                    self.move_to(*file, to, OperandRow::Reg(*from));
                }
            }
        }
        Ok(())
    }

    /// Determines the callee, the arguments and the results of a call.
    fn call_parts<'i>(&mut self, inst: &'i Inst) -> Selected<Call<'i>>
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
                    return Err(functions.undefined(head, target.span, "called here"));
                }
                let callee = Callee::Direct(*number);
                let (returns, params, head) = (&head.returns, &head.params, head.span);
                Ok(Call { callee, target, results, args, returns, params, head })
            }
            (ArgKind::Function(_), Some(table)) => Err(self.wrong_operand(
                inst,
                table.span,
                "no operand here, because the call names its function",
            )),
            (ArgKind::Register(register), Some(Arg { kind: ArgKind::CallTable(number), span })) => {
                let (returns, params, head) = match &self.context.resolved.call_tables[*number as usize] {
                    Targets::Prototype(returns, params) => (*returns, *params, *span),
                    Targets::Functions(numbers) => self.common_head(*number, numbers, *span)?,
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
                Err(error.help("add the label of a .callprototype or .calltargets as the last operand"))
            }
            _ => Err(self.wrong_operand(
                inst,
                target.span,
                "a function, or a register that holds the address of one",
            )),
        }
    }

    /// Returns the formal results and parameters that all functions of a `.calltargets` share.
    fn common_head(
        &mut self,
        table: u32,
        numbers: &[u32],
        span: Span,
    ) -> Selected<(&'a [Variable<'a>], &'a [Variable<'a>], Span)> {
        let functions = self.context.functions;
        let Some(first) = numbers.first().map(|number| functions.get(*number)) else {
            return Err(Diagnostic::error("E0304", span, "the list of call targets is empty")
                .label("expected the name of a function"));
        };
        // Each table is checked only once, even if several calls name it.
        let compared = if self.agreed.contains(&table) { &[] } else { numbers };
        for known in compared.iter().map(|number| functions.get(*number)) {
            if known.signature != first.signature {
                let message = format!(
                    "`{}` and `{}` have different signatures and cannot be targets of one call",
                    first.head.name.name, known.head.name.name
                );
                let error = Diagnostic::error("E0311", span, message).label("both functions are targets");
                let (one, other) =
                    ((first.head.span, "one signature"), (known.head.span, "another signature"));
                return Err(error.at(one.0, one.1).at(other.0, other.1));
            }
        }
        self.agreed.insert(table);
        Ok((&first.head.returns, &first.head.params, first.head.span))
    }

    /// Rejects a recursive call below `sm_20`.
    fn check_recursion(&self, inst: &Inst, call: &Call, number: u32) -> Selected {
        let calls = self.context.calls;
        let recursive = self.context.own.is_some_and(|own| match call.callee {
            Callee::Direct(callee) => calls.may_recurse(own, callee),
            Callee::Indirect(_) => calls.may_recurse_through(own, number),
        });
        if recursive && self.context.target.major < 2 {
            let (target, needed) = (self.context.target, Capability::new(2, 0));
            let message =
                format!("recursion requires compute capability {needed}, but this module targets {target}");
            let label = "this call is recursive";
            return Err(Diagnostic::error("E0401", inst.span, message)
                .label(label)
                .help("write `.target sm_20` or above, and use a chip that has it"));
        }
        Ok(())
    }

    /// Rejects an argument or result list of the wrong length. `what` contains the noun for an
    /// element of the list and the verb for the function.
    fn check_count(call: &Call, what: [&str; 2], given: &[Arg], expected: &[Variable]) -> Selected {
        if given.len() == expected.len() {
            return Ok(());
        }
        let [what, does] = what;
        let count = |n: usize| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let message =
            format!("the call has {}, but the function {does} {}", count(given.len()), expected.len());
        let place = match (given.first(), given.last()) {
            (Some(first), Some(last)) => first.span.to(last.span),
            _ => call.target.span,
        };
        let error =
            Diagnostic::error("E0311", place, message).label(format!("expected {}", count(expected.len())));
        Err(error.at(call.head, "declared here"))
    }

    /// Returns the error for an argument or result of the wrong kind.
    fn mismatch(arg: &Arg, found: &str, passing: Passing, formal: &Variable) -> Diagnostic {
        let expected = passing.describe();
        let message = format!("`{}` expects {expected}, found {found}", formal.name.name);
        let error = Diagnostic::error("E0311", arg.span, message).label(format!("expected {expected}"));
        error.at(formal.span, "declared here")
    }

    /// Returns the variable of a call sequence that an operand names.
    fn variable(&self, arg: &Arg) -> Option<&Stored> {
        let ArgKind::Address(variable, 0) = arg.kind else { return None };
        self.passed.get(&variable)
    }

    /// Returns the rows of an argument.
    fn argument(
        &mut self,
        inst: &Inst,
        arg: &Arg,
        passing: Passing,
        formal: &Variable,
    ) -> Selected<Vec<OperandRow>> {
        if let Some(stored) = self.variable(arg) {
            return if stored.passing == passing {
                Ok(stored.registers.iter().map(|register| OperandRow::Reg(*register)).collect())
            } else {
                Err(Self::mismatch(arg, &stored.passing.describe(), passing, formal))
            };
        }
        if let Storage::Words(_) = passing.storage {
            return Err(Self::mismatch(arg, "another operand", passing, formal));
        }
        match arg.kind {
            ArgKind::Register(register) => {
                let ty = self.type_of(register);
                if !fits(ty, formal.ty) {
                    return Err(Self::mismatch(arg, &format!("a {ty}"), passing, formal));
                }
                Ok(vec![self.row_of(register)])
            }
            ArgKind::Literal(_) => {
                // The upper bits of a signed 16-bit argument are not sign-extended.
                let ty = if formal.ty.bytes() == 2 { ScalarType::B16 } else { formal.ty };
                Ok(vec![self.literal(arg, ty)?])
            }
            ArgKind::Function(_) => Ok(vec![self.read(inst, arg, formal.ty)?]),
            _ => Err(Self::mismatch(arg, "another operand", passing, formal)),
        }
    }

    /// Returns the virtual registers that receive a result; none for `_`.
    fn result(&self, arg: &Arg, passing: Passing, formal: &Variable) -> Selected<Vec<u32>> {
        if let Some(stored) = self.variable(arg) {
            return if stored.passing == passing {
                Ok(stored.registers.clone())
            } else {
                Err(Self::mismatch(arg, &stored.passing.describe(), passing, formal))
            };
        }
        match arg.kind {
            ArgKind::Sink => Ok(Vec::new()),
            ArgKind::Register(register) if !matches!(passing.storage, Storage::Words(_)) => {
                let ty = self.type_of(register);
                match self.row_of(register) {
                    OperandRow::Reg(row) if fits(ty, formal.ty) => Ok(vec![row]),
                    _ => Err(Self::mismatch(arg, &format!("a {ty}"), passing, formal)),
                }
            }
            _ => Err(Self::mismatch(arg, "another operand", passing, formal)),
        }
    }
}
