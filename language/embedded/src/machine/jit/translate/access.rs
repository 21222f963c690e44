//! Translates accesses to memory, with their checks.

use super::Translator;
use crate::code::{Access, Instr, Reg};
use crate::flow::{Class, Effects, Known, Set, effects};
use crate::machine::jit::context::{self, Context, Status};
use crate::memory::{OFFSET_BITS, ROW, Row, SLOT_BITS};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, F64, I8, I16, I32, I64};
use cranelift_codegen::ir::{InstBuilder, Value};
use std::mem::offset_of;

/// A block of memory that may have an address.
struct Found {
    row: Value,
    /// The offset in the block.
    delta: Value,
    /// Whether all bytes are in the block.
    inside: Value,
}

impl Translator<'_> {
    /// Copies or fills bytes, which count as instructions.
    pub(super) fn bulk(&mut self, address: usize, arguments: [Value; 3], pc: usize, live: &Set) {
        let status = self.help(address, arguments);
        let is_done = self.builder.ins().icmp_imm_s(IntCC::Equal, status, Status::Done as i64);
        self.check(is_done, pc, live);
        let more = self.field(offset_of!(Context, more));
        let steps = self.builder.use_var(self.steps);
        let steps = self.builder.ins().iadd(steps, more);
        self.builder.def_var(self.steps, steps);
    }

    /// The address of a variable, which a helper allocates at its first use.
    pub(super) fn variable(&mut self, to: Reg, variable: u32, pc: usize, live: &Set) {
        let all = self.field(offset_of!(Context, locals));
        let at = self.builder.ins().iadd_imm_s(self.locals, i64::from(variable));
        let at = self.builder.ins().ishl_imm_s(at, 3);
        let at = self.builder.ins().iadd(all, at);
        let known = self.builder.ins().load(I64, self.kinds.context, at, 0);
        self.touch(live);
        let [new, on] = [(); 2].map(|()| self.builder.create_block());
        let result = self.builder.append_block_param(on, I64);
        self.builder.set_cold_block(new);
        self.builder.ins().brif(known, on, &[known.into()], new, &[]);
        self.open(new);
        let stored = self.stored.clone();
        self.rare(pc, live, false);
        let frame = self.frame();
        let made = self.load_register(frame, to, Class::Int);
        self.builder.ins().jump(on, &[made.into()]);
        self.open(on);
        self.stored = stored;
        self.set_int(to, result);
    }

    /// Finds the block of an address.
    fn find(&mut self, address: Value, bytes: i64) -> Found {
        let slot = self.builder.ins().ushr_imm_s(address, i64::from(OFFSET_BITS));
        let slot = self.builder.ins().band_imm_s(slot, (1 << SLOT_BITS) - 1);
        // Row 0 has no memory.
        let count = self.field(offset_of!(Context, row_count));
        let known = self.builder.ins().icmp(IntCC::UnsignedLessThan, slot, count);
        let zero = self.number(0);
        let slot = self.builder.ins().select(known, slot, zero);
        let offset = self.builder.ins().ishl_imm_s(slot, i64::from(ROW.trailing_zeros()));
        let rows = self.field(offset_of!(Context, rows));
        let row = self.builder.ins().iadd(rows, offset);
        let [first, size] = self.parts(row, [offset_of!(Row, base), offset_of!(Row, size)]);
        let delta = self.builder.ins().isub(address, first);
        let last = self.builder.ins().iadd_imm_s(delta, bytes - 1);
        let inside = self.builder.ins().icmp(IntCC::UnsignedLessThan, last, size);
        Found { row, delta, inside }
    }

    fn parts(&mut self, row: Value, offsets: [usize; 2]) -> [Value; 2] {
        offsets.map(|at| self.builder.ins().load(I64, self.kinds.rows, row, at as i32))
    }

    /// The word with the bits of bytes that have a value, its address, and the first bit.
    fn written_word(&mut self, written: Value, delta: Value) -> (Value, Value, Value) {
        let word = self.builder.ins().ushr_imm_s(delta, 6);
        let word = self.builder.ins().ishl_imm_s(word, 3);
        let word = self.builder.ins().iadd(written, word);
        let bits = self.builder.ins().load(I64, self.kinds.written, word, 0);
        let bit = self.builder.ins().band_imm_s(delta, 63);
        (bits, word, bit)
    }

    /// Copies bytes: in place if there are few, all have values and nothing watches them.
    pub(super) fn copy(&mut self, arguments: [Value; 3], size: Option<u64>, pc: usize, live: &Set) {
        let help = context::copy as *const () as usize;
        let Some(bytes @ (1 | 2 | 4 | 8 | 12 | 16 | 24 | 32)) = size else {
            self.bulk(help, arguments, pc, live);
            return;
        };
        let bytes = bytes as i64;
        self.touch(live);
        let [inside, some, checked, marked, mark, usual, slow, done] =
            [(); 8].map(|()| self.builder.create_block());
        self.builder.set_cold_block(slow);
        let source = self.find(arguments[1], bytes);
        let target = self.find(arguments[0], bytes);
        let both = self.builder.ins().band(source.inside, target.inside);
        self.builder.ins().brif(both, inside, &[], slow, &[]);
        self.open(inside);
        let offsets = [offset_of!(Row, bytes), offset_of!(Row, written)];
        let [start, written] = self.parts(source.row, offsets);
        let read = self.builder.ins().iadd(start, source.delta);
        let [start, set] = self.parts(target.row, offsets);
        let write = self.builder.ins().iadd(start, target.delta);
        self.builder.ins().brif(written, some, &[], checked, &[]);
        self.open(some);
        let (bits, _, bit) = self.written_word(written, source.delta);
        let mask = (1_i64 << bytes) - 1;
        let own = self.builder.ins().ushr(bits, bit);
        let own = self.builder.ins().band_imm_s(own, mask);
        let all = self.builder.ins().icmp_imm_s(IntCC::Equal, own, mask);
        self.builder.ins().brif(all, checked, &[], slow, &[]);
        self.open(checked);
        self.builder.ins().brif(set, marked, &[], usual, &[]);
        self.open(marked);
        let (bits, word, bit) = self.written_word(set, target.delta);
        let fits = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, bit, 64 - bytes);
        self.builder.ins().brif(fits, mark, &[], slow, &[]);
        self.open(mark);
        let mask = self.builder.ins().iconst(I64, mask);
        let mask = self.builder.ins().ishl(mask, bit);
        let bits = self.builder.ins().bor(bits, mask);
        self.builder.ins().store(self.kinds.written, bits, word, 0);
        self.builder.ins().jump(usual, &[]);
        self.open(usual);
        // All are loaded before the first is stored: the objects may overlap.
        let flags = self.kinds.bytes;
        let part = match bytes {
            1 => I8,
            2 => I16,
            4 | 12 => I32,
            _ => I64,
        };
        let offsets = (0..bytes as i32).step_by(part.bytes() as usize);
        let values: Vec<(i32, Value)> =
            offsets.map(|at| (at, self.builder.ins().load(part, flags, read, at))).collect();
        for (at, value) in values {
            self.builder.ins().store(flags, value, write, at);
        }
        self.builder.ins().jump(done, &[]);
        self.open(slow);
        self.bulk(help, arguments, pc, live);
        self.builder.ins().jump(done, &[]);
        self.open(done);
    }

    /// The place of the bytes of an access in the memory of this process.
    pub(super) fn address(
        &mut self,
        access: Access,
        (base, offset): (Value, i32),
        writes: bool,
        pc: usize,
        live: &Set,
    ) -> Value {
        let bytes: i64 = match access {
            Access::I8 | Access::U8 => 1,
            Access::I16 | Access::U16 => 2,
            Access::I32 | Access::U32 => 4,
            Access::W64 => 8,
        };
        let address = self.builder.ins().iadd_imm_s(base, i64::from(offset));
        let Found { row, delta, inside } = self.find(address, bytes);
        self.check(inside, pc, live);
        let [start, written] = self.parts(row, [offset_of!(Row, bytes), offset_of!(Row, written)]);
        let [some, done] = [(); 2].map(|()| self.builder.create_block());
        self.builder.ins().brif(written, some, &[], done, &[]);
        self.open(some);
        let (bits, word, bit) = self.written_word(written, delta);
        let mask = (1_i64 << bytes) - 1;
        if writes {
            if bytes > 1 {
                let fits = self.builder.ins().icmp_imm_s(IntCC::UnsignedLessThanOrEqual, bit, 64 - bytes);
                self.check(fits, pc, live);
            }
            let mask = self.builder.ins().iconst(I64, mask);
            let mask = self.builder.ins().ishl(mask, bit);
            let bits = self.builder.ins().bor(bits, mask);
            self.builder.ins().store(self.kinds.written, bits, word, 0);
        } else {
            // Bits behind the word are missing, so such an access leaves, too.
            let own = self.builder.ins().ushr(bits, bit);
            let own = self.builder.ins().band_imm_s(own, mask);
            let all = self.builder.ins().icmp_imm_s(IntCC::Equal, own, mask);
            self.check(all, pc, live);
        }
        self.builder.ins().jump(done, &[]);
        self.open(done);
        self.builder.ins().iadd(start, delta)
    }

    pub(super) fn load(&mut self, access: Access, to: Reg, at: Value, pc: usize, out: &Set) {
        let flags = self.kinds.bytes;
        let wanted = self.wanted(to, pc, out);
        let ins = self.builder.ins();
        match access {
            Access::U32 if wanted == Some(Class::F32) => {
                let value = ins.load(F32, flags, at, 0);
                self.set(to, Class::F32, value);
            }
            Access::W64 if wanted == Some(Class::F64) => {
                let value = ins.load(F64, flags, at, 0);
                self.set(to, Class::F64, value);
            }
            _ => {
                let value = match access {
                    Access::I8 => ins.sload8(I64, flags, at, 0),
                    Access::U8 => ins.uload8(I64, flags, at, 0),
                    Access::I16 => ins.sload16(I64, flags, at, 0),
                    Access::U16 => ins.uload16(I64, flags, at, 0),
                    Access::I32 => ins.sload32(flags, at, 0),
                    Access::U32 => ins.uload32(flags, at, 0),
                    Access::W64 => ins.load(I64, flags, at, 0),
                };
                self.set_int(to, value);
            }
        }
    }

    pub(super) fn store_bytes(&mut self, access: Access, from: Reg, at: Value) {
        let flags = self.kinds.bytes;
        let typed = self.typed(from);
        if let (Access::U32, Class::F32) | (Access::W64, Class::F64) = (access, typed.class) {
            self.builder.ins().store(flags, typed.value, at, 0);
            return;
        }
        let value = self.convert(typed, Class::Int);
        let ins = self.builder.ins();
        match access {
            Access::I8 | Access::U8 => ins.istore8(flags, value, at, 0),
            Access::I16 | Access::U16 => ins.istore16(flags, value, at, 0),
            Access::I32 | Access::U32 => ins.istore32(flags, value, at, 0),
            Access::W64 => ins.store(flags, value, at, 0),
        };
    }

    /// The class in which a value of a register is used next.
    pub(super) fn wanted(&self, reg: Reg, pc: usize, out: &Set) -> Known {
        let mut reg = reg;
        for instr in &self.function.code[pc + 1..] {
            let Effects { uses, def, .. } = effects(&self.program.launches, *instr);
            if let Some((_, class)) = uses.iter().find(|(one, _)| *one == reg) {
                if let (Instr::Move { to, .. }, None) = (instr, class) {
                    reg = *to;
                    continue;
                }
                return *class;
            }
            if def.is_some_and(|(one, _)| one == reg) {
                return None;
            }
            if matches!(
                instr,
                Instr::Jump { .. }
                    | Instr::JumpIf { .. }
                    | Instr::JumpCompare { .. }
                    | Instr::JumpCompareImm { .. }
                    | Instr::Return
            ) {
                break;
            }
        }
        out.contains(reg).then(|| self.classes[usize::from(reg)])
    }
}
