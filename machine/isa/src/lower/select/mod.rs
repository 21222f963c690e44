//! Instruction selection: PTX forms to micro-ops.
//!
//! One PTX instruction becomes one micro-op if the micro-op table has it, otherwise several. The
//! last of them writes the destination under the instruction's guard. The earlier ones write
//! temporaries without a guard: they have no side effects, and an unguarded write keeps the live
//! range of a temporary short. Loads and stores are always guarded.
//!
//! Rows hold 16-bit values zero-extended. Signed 16-bit operands are sign-extended when they are
//! read, and every 16-bit result is truncated to 16 bits when it is written, so 32-bit micro-ops
//! can do the computation.

mod across;
mod address;
mod alu;
mod atomic;
mod barrier;
mod call;
mod carry;
mod compare;
mod control;
mod convert;
mod double;
mod generic;
mod interface;
mod memory;
mod named;
mod operand;
mod pack;
mod param;
mod rounding;
mod single;
mod special;
mod surface;
mod texture;
mod truth;
mod video;

use super::calls::Calls;
use super::code::{Code, File, Interface, OperandRow, VInst};
use super::functions::Functions;
use super::layout::{FunctionLayout, ModuleLayout};
use super::resolve::{Arg, ArgKind, Inst, Item, Resolved};
use super::scope::VarRef;
use crate::diag::{Diagnostic, is_flood};
use crate::ptx::forms::{Form, Opcode};
use crate::span::Span;
use crate::types::{Capability, ScalarType};
use crate::uop::{ConstValue, Op, OperandKind};
use param::Stored;
use std::collections::{BTreeMap, BTreeSet};

/// Inputs of the instruction selection.
#[derive(Clone, Copy)]
pub struct Context<'a> {
    /// Source text of the module, for the names of instructions in messages.
    pub text: &'a str,
    /// The resolved entry or function.
    pub resolved: &'a Resolved<'a>,
    /// Number of the function; `None` for an entry.
    pub own: Option<u32>,
    /// Functions of the module.
    pub functions: &'a Functions<'a>,
    /// Call graph.
    pub calls: &'a Calls,
    /// Layout of the entry or function.
    pub layout: &'a FunctionLayout,
    /// Layout of the module.
    pub module: &'a ModuleLayout,
    /// Compute capability that the text was compiled for.
    pub target: Capability,
    /// `.version` of the module.
    pub version: (u32, u32),
    /// Address size in bits: 32 or 64.
    pub address_bits: u32,
    /// Whether textures and samplers are separate.
    pub independent: bool,
}

/// Selects micro-ops for an entry or function. `end` is the span of the implicit exit or return.
pub fn select(context: Context, end: Span, diagnostics: &mut Vec<Diagnostic>) -> Code {
    let mut selector = Selector::new(context, diagnostics);
    selector.span = end;
    selector.begin();
    for item in &context.resolved.items {
        if is_flood(selector.diagnostics) {
            break;
        }
        match item {
            Item::Label(number) => {
                selector.code.labels[*number as usize] = selector.code.insts.len() as u32;
            }
            Item::Inst(inst) => {
                if let Err(error) = selector.instruction(inst) {
                    selector.diagnostics.push(error);
                }
            }
        }
    }
    if let Some(own) = context.own.filter(|_| selector.code.runs_off()) {
        (selector.span, selector.guard) = (end, None);
        selector.return_from(own);
    }
    let mut code = selector.code;
    code.resolve_targets(end);
    code
}

type Selected<T = ()> = Result<T, Diagnostic>;

struct Selector<'a, 'd> {
    context: Context<'a>,
    code: Code,
    /// File and virtual register of each PTX register.
    registers: Vec<(File, u32)>,
    /// Call tables whose targets were found to have equal signatures.
    agreed: BTreeSet<u32>,
    /// Index of each interface in [`Code::shared`].
    shared: BTreeMap<Interface, usize>,
    /// The `.param` variables that are in registers.
    passed: BTreeMap<VarRef, Stored>,
    guard: Option<(u32, bool)>,
    /// Predicate register of the condition code, after its first use.
    condition: Option<OperandRow>,
    span: Span,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'a, 'd> Selector<'a, 'd> {
    fn new(context: Context<'a>, diagnostics: &'d mut Vec<Diagnostic>) -> Self {
        let mut code = Code::new(context.resolved.labels.len());
        let mut register = |ty: ScalarType| {
            let file = match ty.bytes() {
                _ if ty == ScalarType::Pred => File::P,
                8 => File::D,
                _ => File::W,
            };
            code.registers[file as usize] += 1;
            (file, code.registers[file as usize] - 1)
        };
        let registers = context.resolved.registers.iter().map(|r| register(r.ty)).collect();
        Self {
            context,
            code,
            registers,
            agreed: BTreeSet::new(),
            shared: BTreeMap::new(),
            passed: BTreeMap::new(),
            guard: None,
            condition: None,
            span: Span::default(),
            diagnostics,
        }
    }

    fn instruction(&mut self, inst: &Inst) -> Selected {
        self.span = inst.span;
        self.guard = None;
        if let Some((register, negated, span)) = inst.guard {
            self.guard = Some((self.predicate(register, span)?, negated));
        }
        match inst.form.opcode {
            Opcode::Mov => self.mov(inst),
            Opcode::Selp => self.selp(inst),
            Opcode::Set => self.set(inst),
            Opcode::Slct => self.slct(inst),
            Opcode::Cnot => self.cnot(inst),
            Opcode::Addc | Opcode::Subc | Opcode::Madc => self.carry(inst),
            Opcode::Add | Opcode::Sub | Opcode::Mad if inst.form.cc => self.carry(inst),
            Opcode::Setp => self.setp(inst),
            Opcode::Cvt => self.cvt(inst),
            Opcode::Cvta | Opcode::CvtaTo => self.cvta(inst),
            Opcode::Isspacep => self.isspacep(inst),
            Opcode::Testp if inst.form.ty == Some(ScalarType::F32) => self.testp_single(inst),
            Opcode::Testp => self.testp(inst),
            Opcode::Div
            | Opcode::Rcp
            | Opcode::Sqrt
            | Opcode::Rsqrt
            | Opcode::Sin
            | Opcode::Cos
            | Opcode::Lg2
            | Opcode::Ex2
                if inst.form.ty == Some(ScalarType::F32) =>
            {
                self.special(inst)
            }
            Opcode::Ld => self.load(inst),
            Opcode::St => self.store(inst),
            Opcode::Prefetch => self.prefetch(inst),
            Opcode::Call => self.call(inst),
            Opcode::Atom | Opcode::Red => self.atomic(inst),
            Opcode::Tex => self.fetch(inst),
            Opcode::Txq => self.texture_query(inst),
            Opcode::Suld => self.surface_load(inst),
            Opcode::Sust => self.surface_store(inst),
            Opcode::Suq => self.surface_query(inst),
            Opcode::Vadd => self.video(inst, Op::Vadd),
            Opcode::Vsub => self.video(inst, Op::Vsub),
            Opcode::Vabsdiff => self.video(inst, Op::Vabsdiff),
            Opcode::Vmin => self.video(inst, Op::Vmin),
            Opcode::Vmax => self.video(inst, Op::Vmax),
            Opcode::Vshl => self.video(inst, Op::Vshl),
            Opcode::Vshr => self.video(inst, Op::Vshr),
            Opcode::Vset => self.video(inst, Op::Vset),
            Opcode::Vmad => self.video(inst, Op::Vmad),
            Opcode::Vote | Opcode::VoteSync => self.vote(inst),
            Opcode::Activemask => self.active_mask(inst),
            Opcode::Shfl | Opcode::ShflSync => self.shuffle(inst),
            Opcode::BarSync | Opcode::BarArrive | Opcode::BarRed => self.barrier(inst),
            Opcode::Bra
            | Opcode::Membar
            | Opcode::Ret
            | Opcode::Exit
            | Opcode::Trap
            | Opcode::Brkpt
            | Opcode::Pmevent
            | Opcode::BarWarp => self.control(inst),
            _ => self.arithmetic(inst),
        }
    }

    /// Returns the instruction's name with its modifiers, as written.
    fn name(&self, inst: &Inst) -> &'a str {
        self.context.text.get(inst.name_span.range()).unwrap_or("instruction")
    }

    /// Returns the error for a form without a micro-op.
    fn missing(&self, inst: &Inst) -> Diagnostic {
        let message = format!("`{}` is not supported by this simulator", self.name(inst));
        let diagnostic = Diagnostic::error("E0402", inst.name_span, message).label("not supported");
        match inst.form.sm {
            0..=10 => diagnostic,
            sm => diagnostic.note(format!("it requires compute capability {}.{}", sm / 10, sm % 10)),
        }
    }

    /// Returns operand `i`. Forms have the right number of operands, so a missing one is an error
    /// in the table of forms.
    fn operand<'i>(&self, inst: &'i Inst, i: usize) -> Selected<&'i Arg> {
        inst.operands.get(i).ok_or_else(|| {
            let message = format!("`{}` has too few operands", self.name(inst));
            Diagnostic::error("E0304", inst.span, message).label(format!("operand {} is missing", i + 1))
        })
    }

    /// Returns the instruction's type.
    fn ty(&self, inst: &Inst) -> Selected<ScalarType> {
        inst.form.ty.ok_or_else(|| self.missing(inst))
    }

    /// Whether f32 arithmetic flushes subnormals: always below `sm_20`; from `sm_20` on only with
    /// `.ftz`.
    fn flushes(&self, inst: &Inst) -> bool {
        self.context.target.major < 2 || inst.form.ftz
    }

    /// Whether a form has no modifier that changes the result: no rounding other than to nearest,
    /// no saturation, no approximation.
    fn is_plain(form: &Form) -> bool {
        let nearest = matches!(form.rounding, None | Some(crate::ptx::forms::Rounding::Rn));
        nearest && !form.sat && !form.approx && !form.full
    }

    /// Emits a micro-op under the instruction's guard.
    fn emit(&mut self, op: Op, dst: OperandRow, src: &[OperandRow]) -> &mut VInst {
        let mut inst = VInst { guard: self.guard, dst, ..VInst::new(op, self.span) };
        inst.src[..src.len()].copy_from_slice(src);
        self.code.insts.push(inst);
        self.code.insts.last_mut().expect("the list is not empty after a push")
    }

    /// Emits a micro-op without side effects and without a guard. Returns the temporary with its
    /// result.
    fn temp(&mut self, op: Op, src: &[OperandRow]) -> OperandRow {
        let file = File::of(op.shape().dst().unwrap_or(OperandKind::W), 0);
        let dst = self.code.register(file);
        self.emit(op, dst, src).guard = None;
        dst
    }

    /// Marks the last micro-op as one that the assembler may fuse, if it is a sum or product
    /// without a rounding modifier (PTX ISA 2.3, "add", "mul").
    fn may_fuse(&mut self, inst: &Inst) {
        let form = &inst.form;
        if let Some(last) = self.code.insts.last_mut() {
            last.fusable = matches!(form.opcode, Opcode::Add | Opcode::Mul) && form.rounding.is_none();
        }
    }

    /// Returns a constant row.
    fn bits(&mut self, file: File, bits: u64) -> OperandRow {
        self.code.constant(file, ConstValue::Bits(bits))
    }

    /// Emits a micro-op that writes the destination operand, which has type `ty`.
    fn write(&mut self, inst: &Inst, ty: ScalarType, op: Op, src: &[OperandRow]) -> Selected {
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        if ty.bytes() == 2 && ty != ScalarType::F16 {
            let wide = self.temp(op, src);
            self.emit(Op::CvtU32U16, dst, &[wide]);
        } else {
            self.emit(op, dst, src);
        }
        Ok(())
    }

    fn mov(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let source = self.operand(inst, 1)?;
        match (&source.kind, ty.bytes()) {
            (ArgKind::Vector(_), _) => self.pack(inst),
            _ if matches!(self.operand(inst, 0)?.kind, ArgKind::Vector(_)) => self.unpack(inst),
            (ArgKind::Special(special), 2 | 4 | 8) => {
                self.check_special(inst, source, *special, ty)?;
                let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
                let full = if ty.bytes() == 2 { self.code.register(File::W) } else { dst };
                let op = if ty.bytes() == 8 { Op::MovSreg64 } else { Op::MovSreg };
                let read = self.emit(op, full, &[]);
                read.imm = *special as u32;
                if full != dst {
                    read.guard = None;
                    self.emit(Op::CvtU32U16, dst, &[full]);
                }
                Ok(())
            }
            (_, bytes) => {
                // A move copies bits: the upper half of a signed 16-bit value needs no sign
                // extension.
                let as_bits = if bytes == 2 { ScalarType::B16 } else { ty };
                let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
                let from = self.read(inst, source, as_bits)?;
                let op = match bytes {
                    0 => Op::MovPred,
                    8 => Op::MovB64,
                    _ => Op::MovB32,
                };
                self.emit(op, dst, &[from]);
                Ok(())
            }
        }
    }

    fn selp(&mut self, inst: &Inst) -> Selected {
        let ty = self.ty(inst)?;
        let as_bits = if ty.bytes() == 2 { ScalarType::B16 } else { ty };
        let op = if ty.bytes() == 8 { Op::SelpB64 } else { Op::SelpB32 };
        let dst = self.destination(inst, self.operand(inst, 0)?, ty)?;
        let mut a = self.read(inst, self.operand(inst, 1)?, as_bits)?;
        let mut b = self.read(inst, self.operand(inst, 2)?, as_bits)?;
        let condition = self.operand(inst, 3)?;
        let p = if let ArgKind::Not(register) = condition.kind {
            std::mem::swap(&mut a, &mut b);
            OperandRow::Reg(self.predicate(register, condition.span)?)
        } else {
            self.read(inst, condition, ScalarType::Pred)?
        };
        self.emit(op, dst, &[a, b, p]);
        Ok(())
    }
}
