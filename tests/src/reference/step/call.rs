//! Calls: every activation of a function has separate registers, parameters and a frame in local
//! memory.

use super::super::memory::Memory;
use super::{
    Context, Formal, Instruction, Operand, ReferenceProgram, Result, Status, Thread, elements, number,
    truncate, width,
};
use isa::types::ScalarType;

/// Depth above which a recursion counts as endless.
const MOST_CALLS: usize = 10_000;

/// An active function of a thread.
#[derive(Debug)]
pub(super) struct Activation {
    /// Index of the function.
    pub function: usize,
    pub registers: Vec<u64>,
    /// Its formal parameters and other `.param` variables.
    pub params: Memory,
    /// Start of its variables in local memory.
    pub frame: u64,
    /// Index of the instruction to which it returns.
    back: usize,
    /// Destinations of its results in the caller.
    results: Vec<Operand>,
}

impl Activation {
    /// Creates an activation of function `function`, with registers of bytes `fill`.
    pub fn new(program: &ReferenceProgram, function: usize, frame: u64, fill: u8) -> Self {
        let of = &program.functions[function];
        let filled = i128::from(u64::from_le_bytes([fill; 8]));
        Self {
            function,
            registers: of.registers.iter().map(|ty| truncate(filled, width(*ty))).collect(),
            params: Memory::of(vec![0; of.param_bytes as usize]),
            frame,
            back: 0,
            results: Vec::new(),
        }
    }
}

/// Returns the address of a function.
pub(super) fn address(function: usize) -> u64 {
    8 * function as u64
}

/// A parameter in transfer: bits of a register, or the bytes of a variable.
enum Value {
    Bits(u64),
    Bytes(Vec<u64>),
}

impl Thread {
    /// `call{.uni} (results), function, (arguments){, prototype}`; empty lists are omitted.
    pub(super) fn call(&mut self, inst: &Instruction, context: &Context) -> Result<()> {
        let (results, rest) = match inst.operands.as_slice() {
            [Operand::List(results), rest @ ..] => (results.clone(), rest),
            rest => (Vec::new(), rest),
        };
        let (callee, rest) = rest.split_first().ok_or("nothing to call")?;
        let arguments = rest.first().filter(|o| matches!(o, Operand::List(_))).map_or(&[][..], elements);
        let function = match callee {
            Operand::Function(number) => *number,
            pointer => (self.read(pointer, ScalarType::U64, context)? / 8) as usize,
        };
        let of = context.program.functions.get(function).filter(|_| function > 0).ok_or("no function")?;
        if (of.inputs.len(), of.outputs.len()) != (arguments.len(), results.len()) {
            return Err("another number of arguments or results".to_owned());
        }
        if self.callers.len() == MOST_CALLS {
            return Err(format!("{MOST_CALLS} calls deep"));
        }
        let values =
            arguments.iter().zip(&of.inputs).map(|(argument, formal)| self.value(argument, formal, context));
        let values: Vec<Value> = values.collect::<Result<_>>()?;
        let frame =
            (self.now.frame + context.program.functions[self.now.function].local_bytes).next_multiple_of(16);
        self.local.resize(frame + of.local_bytes, context.fill);
        let mut next = Activation::new(context.program, function, frame, context.fill);
        (next.back, next.results) = (self.pc, results);
        let caller = std::mem::replace(&mut self.now, next);
        self.callers.push(caller);
        for (formal, value) in of.inputs.iter().zip(values) {
            self.put(&target(formal), value, context)?;
        }
        self.pc = of.start;
        Ok(())
    }

    /// Returns from a function, or from the entry, which ends the thread.
    pub(super) fn return_from(&mut self, context: &Context) -> Result<Status> {
        let Some(caller) = self.callers.pop() else { return Ok(Status::Exits) };
        let outputs = &context.program.functions[self.now.function].outputs;
        let values: Vec<Value> = outputs
            .iter()
            .map(|formal| self.value(&target(formal), formal, context))
            .collect::<Result<_>>()?;
        let done = std::mem::replace(&mut self.now, caller);
        for (result, value) in done.results.iter().zip(values) {
            self.put(result, value, context)?;
        }
        self.pc = done.back;
        Ok(Status::Runs)
    }

    /// Returns the value of an argument, converted for the formal parameter.
    fn value(&mut self, operand: &Operand, formal: &Formal, context: &Context) -> Result<Value> {
        match (operand, formal) {
            (Operand::Variable(_, place), _) => {
                let bytes = (0..place.bytes).map(|i| self.now.params.load(place.address + i, 1));
                Ok(Value::Bytes(bytes.collect::<Result<_>>()?))
            }
            (_, Formal::Register(_)) => Ok(Value::Bits(self.read(operand, ScalarType::B64, context)?)),
            (_, Formal::Param(place)) => {
                let ty = if place.bytes == 8 { ScalarType::B64 } else { ScalarType::B32 };
                Ok(Value::Bits(self.read(operand, ty, context)?))
            }
        }
    }

    /// Stores a parameter in its destination.
    fn put(&mut self, operand: &Operand, value: Value, context: &Context) -> Result<()> {
        let Operand::Variable(_, place) = operand else {
            let bits = match value {
                Value::Bits(bits) => bits,
                Value::Bytes(bytes) => bytes.iter().rev().fold(0, |bits, byte| bits << 8 | byte),
            };
            return self.write(operand, number(bits, ScalarType::B64), context);
        };
        let bytes = match value {
            Value::Bits(bits) => bits.to_le_bytes().map(u64::from).to_vec(),
            Value::Bytes(bytes) => bytes,
        };
        for (i, byte) in (0..place.bytes).zip(bytes) {
            self.now.params.store(place.address + i, 1, byte)?;
        }
        Ok(())
    }
}

/// Returns a formal parameter as an operand of its function.
fn target(formal: &Formal) -> Operand {
    match formal {
        Formal::Register(register) => Operand::Register(*register),
        Formal::Param(place) => Operand::Variable(super::Base::Zero, *place),
    }
}
