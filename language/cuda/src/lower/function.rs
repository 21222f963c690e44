//! Lowering of one function: parameters, blocks, and helpers that append instructions.

use super::addr::Addr;
use super::registered::Registered;
use super::{Lines, scalar};
use crate::hir::{
    self, FunctionId, FunctionKind, Inlining, LocalId, LocalKind, Program, Type, TypeId, Types,
};
use crate::options::Options;
use crate::source::{Sources, Span};
use crate::space::AddressSpace;
use crate::ssa::{
    Assignments, Binary, Block, Cmp, FuncId, Function, Jump, KernelParam, Loc, Local, Mem, Module, Op, Slot,
    Space, Terminator, Ty, Value,
};

/// Where `break` and `continue` go.
#[derive(Clone, Copy)]
pub(super) struct Exits {
    pub(super) on_break: Block,
    /// Scopes of objects around the loop or `switch`.
    pub(super) scopes: usize,
    /// The target, and the scopes of objects around the loop; none inside a `switch` that is in no
    /// loop.
    pub(super) on_continue: Option<(Block, usize)>,
}

/// Lowers one function.
pub(super) struct Lowerer<'a> {
    pub(super) program: &'a Program,
    pub(super) types: &'a Types,
    pub(super) options: &'a Options,
    pub(super) hir: &'a hir::Function,
    pub(super) module: &'a mut Module,
    pub(super) lines: Lines<'a>,
    pub(super) f: Function,
    /// The block that instructions are appended to.
    pub(super) at: Block,
    pub(super) loc: Loc,
    /// The last line so far.
    pub(super) last: u32,
    /// Variables whose scope has not ended.
    pub(super) declared: Vec<LocalId>,
    /// Slot of each local.
    pub(super) slots: Vec<u32>,
    /// Parameters that are objects of the caller, which destroys them, with their addresses.
    pub(super) lent: Vec<(LocalId, Value)>,
    pub(super) exits: Vec<Exits>,
    /// Objects that are registered for destruction, of each open scope; the first one is the
    /// function.
    pub(super) scopes: Vec<Vec<Registered>>,
    pub(super) labels: Vec<Block>,
    /// Address for the returned structure.
    pub(super) result: Option<Value>,
    pub(super) ptr: Ty,
}

impl<'a> Lowerer<'a> {
    pub(super) fn new(
        program: &'a Program,
        sources: &'a Sources,
        options: &'a Options,
        module: &'a mut Module,
        id: FuncId,
    ) -> Self {
        let hir = &program.functions[FunctionId(id.0)];
        let mut f = Function::new(&hir.symbol);
        f.kernel = hir.kind == FunctionKind::Kernel;
        f.noinline = hir.inlining == Inlining::Never;
        // Only kernels have parameters that name images.
        let has_objects = hir.parameters.iter().any(|param| hir.locals[*param].object.is_some());
        f.forceinline = hir.inlining == Inlining::Always || has_objects;
        f.work_group = hir.work_group;
        f.bounds = hir.launch_bounds.map(|bounds| (bounds.max_threads, bounds.min_blocks.unwrap_or(0)));
        f.keeps_variables = !options.optimizes();
        let at = f.add_block();
        Self {
            program,
            types: &program.types,
            options,
            hir,
            module,
            lines: Lines::new(sources),
            f,
            at,
            loc: Loc::default(),
            last: 0,
            declared: Vec::new(),
            slots: Vec::new(),
            exits: Vec::new(),
            scopes: vec![Vec::new()],
            labels: Vec::new(),
            lent: Vec::new(),
            result: None,
            ptr: if program.target.pointer_bytes == 8 { Ty::I64 } else { Ty::I32 },
        }
    }

    pub(super) fn run(mut self) -> Function {
        self.set_loc(self.hir.span);
        self.f.loc = self.loc;
        for local in &self.hir.locals {
            let slot = self.slot(&local.name, self.types.size(local.ty), local.align);
            self.slots.push(slot);
            let index = self.variable(local);
            self.f.slots[slot as usize].local = index;
        }
        self.labels = (0..self.hir.labels).map(|_| self.f.add_block()).collect();
        if self.f.kernel {
            self.kernel_params();
        } else {
            self.params();
        }
        self.stmts(&self.hir.body);
        self.set_loc(self.hir.end);
        self.leave(0);
        self.close(0);
        for &param in &self.hir.parameters {
            self.close_one(param);
        }
        self.end(Terminator::Return(None));
        self.returns();
        self.f
    }

    /// Adds a variable of the source; `None` for temporaries, which debuggers hide.
    fn variable(&mut self, local: &hir::Local) -> Option<u32> {
        if local.kind == LocalKind::Temporary || local.name.is_empty() {
            return None;
        }
        let loc = self.lines.of(local.span);
        if loc.file == 0 {
            return None;
        }
        let (name, c_type) = (local.name.clone(), local.c_type.clone());
        self.f.locals.push(Local {
            name,
            ty: local.ty.0,
            c_type,
            loc,
            last: loc.line,
            is_inlined: false,
            parameter: None,
            assigned: Assignments::default(),
        });
        Some(self.f.locals.len() as u32 - 1)
    }

    /// Ends the scopes of the variables that were declared after the first `open` ones.
    pub(super) fn close(&mut self, open: usize) {
        for local in self.declared.split_off(open) {
            self.close_one(local);
        }
    }

    fn close_one(&mut self, local: LocalId) {
        let slot = self.slots[local.0 as usize] as usize;
        if let Some(local) = self.f.slots[slot].local {
            self.f.locals[local as usize].last = self.last;
        }
    }

    /// Functions that return a value but reach their end return an undefined value.
    fn returns(&mut self) {
        if self.f.result == Ty::Void {
            return;
        }
        for block in self.f.block_ids() {
            if self.f.blocks[block.at()].term == Terminator::Return(None) {
                let loc = self.f.blocks[block.at()].loc;
                let undef = self.f.push(block, self.f.result, Op::Undef, loc);
                self.f.blocks[block.at()].term = Terminator::Return(Some(undef));
            }
        }
    }

    fn kernel_params(&mut self) {
        let mut offset = 0u64;
        for (index, &param) in self.hir.parameters.iter().enumerate() {
            let local = &self.hir.locals[param];
            if let Some(local) = self.f.slots[self.slots[param.0 as usize] as usize].local {
                self.f.locals[local as usize].parameter = Some(index);
            }
            let (size, align) = (self.types.size(local.ty), self.types.align(local.ty).max(1));
            offset = offset.next_multiple_of(align);
            let ptx = match (local.object, self.types.get(local.ty)) {
                (Some(hir::Object::Texture), _) => Some("texref"),
                (Some(hir::Object::Surface), _) => Some("surfref"),
                (Some(hir::Object::Sampler), _) => Some("samplerref"),
                (None, Type::Array(..) | Type::Struct(_)) => None,
                (None, _) => Some(self.mem(local.ty).ptx()),
            };
            let name = local.name.clone();
            let points_to = match self.types.get(local.ty) {
                Type::Pointer(to, space) if space != AddressSpace::Unnamed => {
                    Some((self.space_of(local.ty), self.types.align(to)))
                }
                _ => None,
            };
            let offset_of = offset as u32;
            self.f.kernel_params.push(KernelParam { name, ptx, size, align, offset: offset_of, points_to });
            for (at, mem, is_pointer) in self.leaves(local.ty) {
                let slot = self.slot_address(param);
                let to = self.object(Space::Local, slot, local.ty).at(at);
                let value = self.assembled(mem, to.align, |lower, part, mem| {
                    let offset = (offset + at + part) as u32;
                    let op = Op::KernelParam { offset, mem, pointer: is_pointer };
                    // Read where they are used, so they belong to the line of their user.
                    lower.f.push(lower.at, mem.ty(), op, Loc::default())
                });
                self.store_at(to, mem, value, false);
            }
            offset += size;
        }
    }

    fn params(&mut self) {
        let mut index = 0;
        let result = scalar(self.types, self.hir.result);
        match result {
            Some(Ty::I1) => self.f.result = Ty::I32,
            Some(ty) => self.f.result = ty,
            None => {
                self.f.params.push(self.ptr);
                self.result = Some(self.emit(self.ptr, Op::FuncParam(0)));
                index = 1;
            }
        }
        for &param in &self.hir.parameters {
            let local = &self.hir.locals[param];
            let ty = match scalar(self.types, local.ty) {
                Some(Ty::I1) => Ty::I32,
                Some(ty) => ty,
                None => self.ptr,
            };
            self.f.params.push(ty);
            let value = self.emit(ty, Op::FuncParam(index));
            index += 1;
            if self.types.as_struct(local.ty).is_some_and(|layout| layout.is_destroyed) {
                self.lent.push((param, value));
                continue;
            }
            let slot = self.slot_address(param);
            let to = self.object(Space::Local, slot, local.ty);
            if scalar(self.types, local.ty).is_some() {
                self.store_at(to, self.mem(local.ty), value, false);
            } else {
                self.copy(to, self.object(Space::Generic, value, local.ty), local.ty);
            }
        }
    }

    /// Adds a slot of local memory.
    pub(super) fn slot(&mut self, name: &str, size: u64, align: u64) -> u32 {
        let align = align.clamp(1, 128) as u32;
        self.f.slots.push(Slot { name: name.to_owned(), size, align, local: None });
        self.f.slots.len() as u32 - 1
    }

    /// Adds a slot for a value of a type and returns its address.
    pub(super) fn temporary(&mut self, ty: TypeId) -> Addr {
        let slot = self.slot("", self.types.size(ty), self.types.align(ty));
        let base = self.emit(self.ptr, Op::Slot(slot));
        self.object(Space::Local, base, ty)
    }

    /// Address of a local in local space.
    pub(super) fn slot_address(&mut self, local: LocalId) -> Value {
        let slot = self.slots[local.0 as usize];
        self.emit(self.ptr, Op::Slot(slot))
    }

    /// Memory type of a scalar.
    pub(super) fn mem(&self, id: TypeId) -> Mem {
        match self.types.get(id) {
            Type::Bool => Mem::U8,
            Type::Int(int) => match (int.bits, int.signed) {
                (8, false) => Mem::U8,
                (8, true) => Mem::S8,
                (16, false) => Mem::U16,
                (16, true) => Mem::S16,
                (64, _) => Mem::B64,
                _ => Mem::B32,
            },
            Type::F32 => Mem::F32,
            Type::F64 => Mem::F64,
            _ if self.ptr == Ty::I64 => Mem::B64,
            _ => Mem::B32,
        }
    }

    /// Sets the place of the following instructions.
    pub(super) fn set_loc(&mut self, span: Span) {
        let loc = self.lines.of(span);
        if loc.file != 0 {
            self.loc = loc;
            self.last = self.last.max(loc.line);
        }
    }

    /// Appends an instruction.
    pub(super) fn emit(&mut self, ty: Ty, op: Op) -> Value {
        self.f.push(self.at, ty, op, self.loc)
    }

    /// Appends an instruction without a result.
    pub(super) fn effect(&mut self, op: Op) {
        self.emit(Ty::Void, op);
    }

    /// A constant of a type.
    pub(super) fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        self.emit(ty, Op::Const(bits & ty.mask()))
    }

    /// A constant of 32 bits.
    pub(super) fn int(&mut self, value: i64) -> Value {
        self.constant(Ty::I32, value as u64)
    }

    /// A binary operation.
    pub(super) fn binary(&mut self, op: Binary, a: Value, b: Value) -> Value {
        self.emit(self.f.ty(a), Op::Binary(op, a, b))
    }

    /// A comparison.
    pub(super) fn cmp(&mut self, cmp: Cmp, a: Value, b: Value) -> Value {
        self.emit(Ty::I1, Op::Cmp(cmp, a, b))
    }

    /// A predicate as an integer.
    pub(super) fn bool_to_int(&mut self, value: Value) -> Value {
        let (one, zero) = (self.int(1), self.int(0));
        self.emit(Ty::I32, Op::Select(value, one, zero))
    }

    /// Whether an integer is not zero.
    pub(super) fn is_true(&mut self, value: Value) -> Value {
        let zero = self.constant(self.f.ty(value), 0);
        self.cmp(Cmp::Ne, value, zero)
    }

    /// Ends the current block; what follows goes to a new block that nothing reaches.
    pub(super) fn end(&mut self, term: Terminator) {
        let next = self.f.add_block();
        self.end_with(term, next);
    }

    /// Ends the current block and continues with `next`.
    pub(super) fn end_with(&mut self, term: Terminator, next: Block) {
        let block = &mut self.f.blocks[self.at.at()];
        block.term = term;
        block.loc = self.loc;
        self.at = next;
    }

    /// Ends the current block with a jump and continues with `next`.
    pub(super) fn jump(&mut self, to: Block, next: Block) {
        self.end_with(Terminator::Jump(Jump::to(to)), next);
    }

    /// Ends the current block with a branch and continues with `next`.
    pub(super) fn branch(&mut self, cond: Value, yes: Block, no: Block, next: Block) {
        self.end_with(Terminator::Branch(cond, Jump::to(yes), Jump::to(no)), next);
    }
}
