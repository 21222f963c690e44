//! Operations of the hardware: special registers, barriers, votes, atomics, textures, the device
//! library.

use super::addr::Addr;
use super::function::Lowerer;
use super::scalar;
use crate::hir::{
    AtomicOp, Axis, BarrierReduction, Expr, ExprKind, GlobalId, Intrinsic, Special as Register, TextureShape,
    Type, TypeId, VoteOp,
};
use crate::ssa::{
    Atomic, Cmp, Convert, Fence, Mem, Num, Object, Op, Query, Space, Special, SymId, Tex, Ty, Value, Vote,
};

fn axis(axis: Axis) -> u8 {
    match axis {
        Axis::X => 0,
        Axis::Y => 1,
        Axis::Z => 2,
    }
}

/// The geometry in PTX.
pub(super) fn geometry(shape: TextureShape) -> &'static str {
    match shape {
        TextureShape::OneD => "1d",
        TextureShape::TwoD => "2d",
        TextureShape::ThreeD => "3d",
        TextureShape::OneDLayered => "a1d",
        TextureShape::TwoDLayered => "a2d",
        TextureShape::Cube => "cube",
        TextureShape::CubeLayered => "acube",
    }
}

impl Lowerer<'_> {
    /// An operation with a scalar result or none.
    pub(super) fn intrinsic(&mut self, intrinsic: &Intrinsic, args: &[Expr], ty: TypeId) -> Option<Value> {
        Some(match intrinsic {
            Intrinsic::Special(register) => self.special(*register),
            Intrinsic::Defer => {
                self.register(args);
                return None;
            }
            Intrinsic::Forget => {
                self.forget(args.first()?);
                return None;
            }
            // Nothing is thrown: objects whose construction has begun are complete.
            Intrinsic::Guard => return None,
            Intrinsic::Library(_)
            | Intrinsic::AtExit
            | Intrinsic::Throw(_)
            | Intrinsic::Rethrow
            | Intrinsic::Caught(_) => unreachable!("host code is not lowered to PTX"),
            Intrinsic::Barrier => return self.nothing(Op::Barrier),
            Intrinsic::FenceBlock => return self.nothing(Op::Fence(Fence::Block)),
            Intrinsic::FenceDevice => return self.nothing(Op::Fence(Fence::Device)),
            Intrinsic::FenceSystem => return self.nothing(Op::Fence(Fence::System)),
            Intrinsic::Trap => return self.nothing(Op::Trap),
            Intrinsic::Breakpoint => return self.nothing(Op::Plain("brkpt".to_owned())),
            Intrinsic::ProfilerTrigger => {
                let number = match args.first().map(|arg| &arg.kind) {
                    Some(ExprKind::Int(number)) => *number & 15,
                    _ => 0,
                };
                return self.nothing(Op::Plain(format!("pmevent {number}")));
            }
            Intrinsic::BarrierReduce(kind) => {
                let value = self.expr(args.first()?);
                match kind {
                    BarrierReduction::Count => self.emit(Ty::I32, Op::Vote(Vote::BarrierCount, value)),
                    BarrierReduction::And => self.emit(Ty::I1, Op::Vote(Vote::BarrierAnd, value)),
                    BarrierReduction::Or => self.emit(Ty::I1, Op::Vote(Vote::BarrierOr, value)),
                }
            }
            Intrinsic::Vote(kind) => {
                let value = self.expr(args.first()?);
                match kind {
                    VoteOp::All => self.emit(Ty::I1, Op::Vote(Vote::All, value)),
                    VoteOp::Any => self.emit(Ty::I1, Op::Vote(Vote::Any, value)),
                    VoteOp::Ballot => self.emit(Ty::I32, Op::Vote(Vote::Ballot, value)),
                }
            }
            Intrinsic::Shuffle(mode) => {
                let [value, lane, bound] = args else { return None };
                let (value, lane, bound) = (self.expr(value), self.expr(lane), self.expr(bound));
                self.emit(Ty::I32, Op::Shuffle(*mode, value, lane, bound))
            }
            Intrinsic::Atomic(op) => return self.atomic(*op, args, ty),
            Intrinsic::Math(op) => return self.math(*op, args, ty),
            Intrinsic::Texture(..) | Intrinsic::Image(_) => {
                self.texture(intrinsic, args, ty)?;
                return None;
            }
            Intrinsic::ImageQuery(instruction) => {
                let handle = smallvec::smallvec![self.expr(args.first()?)];
                self.emit(Ty::I32, Op::Query(Query { instruction, object: Object::Handle, handle }))
            }
            Intrinsic::SurfaceLoad(access) => return self.surface_load(*access, args, ty),
            Intrinsic::SurfaceStore(access) => {
                self.surface_store(*access, args);
                return None;
            }
            Intrinsic::Printf => return self.printf(args),
            Intrinsic::AssertFail => {
                let mut values: Vec<Value> = args.iter().map(|arg| self.expr(arg)).collect();
                values.push(self.constant(self.ptr, 1));
                return self.nothing(Op::Library("__assertfail", values));
            }
            Intrinsic::Malloc => {
                let size = self.expr(args.first()?);
                self.emit(self.ptr, Op::Library("malloc", vec![size]))
            }
            Intrinsic::Free => {
                let address = self.expr(args.first()?);
                return self.nothing(Op::Library("free", vec![address]));
            }
        })
    }

    fn nothing(&mut self, op: Op) -> Option<Value> {
        self.effect(op);
        None
    }

    fn special(&mut self, register: Register) -> Value {
        let special = match register {
            Register::ThreadIdx(a) => Special::Tid(axis(a)),
            Register::BlockIdx(a) => Special::Ctaid(axis(a)),
            Register::BlockDim(a) => Special::Ntid(axis(a)),
            Register::GridDim(a) => Special::Nctaid(axis(a)),
            Register::Environment(number) => Special::Environment(number),
            Register::Clock => return self.emit(Ty::I32, Op::Clock("%clock")),
            Register::Clock64 if self.program.target.is_fermi() => {
                return self.emit(Ty::I64, Op::Clock("%clock64"));
            }
            Register::Clock64 => {
                let low = self.emit(Ty::I32, Op::Clock("%clock"));
                return self.emit(Ty::I64, Op::Convert(Convert::c(Num::U32, Num::U64), low));
            }
        };
        self.emit(Ty::I32, Op::Special(special))
    }

    fn atomic(&mut self, op: AtomicOp, args: &[Expr], ty: TypeId) -> Option<Value> {
        let [address, rest @ ..] = args else { return None };
        let value_type = match self.types.get(address.ty) {
            Type::Pointer(pointee, _) => pointee,
            _ => ty,
        };
        let addr = self.expr(address);
        let b = self.expr(rest.first()?);
        let c = rest.get(1).map(|arg| self.expr(arg));
        let mem = self.mem(value_type);
        let signed = self.is_signed(value_type);
        let op = match op {
            AtomicOp::Add => Atomic::Add,
            AtomicOp::Exchange => Atomic::Exch,
            AtomicOp::Min if signed => Atomic::MinS,
            AtomicOp::Min => Atomic::MinU,
            AtomicOp::Max if signed => Atomic::MaxS,
            AtomicOp::Max => Atomic::MaxU,
            AtomicOp::Increment => Atomic::Inc,
            AtomicOp::Decrement => Atomic::Dec,
            AtomicOp::CompareAndSwap => Atomic::Cas,
            AtomicOp::And => Atomic::And,
            AtomicOp::Or => Atomic::Or,
            AtomicOp::Xor => Atomic::Xor,
        };
        // Exchanges of floats are exchanges of bits.
        let bits = match mem {
            Mem::F32 if matches!(op, Atomic::Exch | Atomic::Cas) => Mem::B32,
            Mem::F64 if op != Atomic::Add => Mem::B64,
            mem => mem,
        };
        let (b, c) = if bits == mem {
            (b, c)
        } else {
            let b = self.emit(bits.ty(), Op::Bits(b));
            (b, c.map(|c| self.emit(bits.ty(), Op::Bits(c))))
        };
        let space = self.space_of(address.ty);
        let op = Op::Atomic { op, space, mem: bits, addr, offset: 0, b, c };
        let old = self.emit(bits.ty(), op);
        Some(if bits == mem { old } else { self.emit(mem.ty(), Op::Bits(old)) })
    }

    /// A fetch; returns the four texels as one value.
    fn texture(&mut self, intrinsic: &Intrinsic, args: &[Expr], ty: TypeId) -> Option<(Value, Num)> {
        let (texture, sampler, shape) = match intrinsic {
            Intrinsic::Texture(Some(GlobalId(id)), shape) => (Object::Symbol(SymId(*id)), None, shape),
            Intrinsic::Texture(None, shape) => (Object::Handle, None, shape),
            Intrinsic::Image(shape) => (Object::Handle, Some(Object::Handle), shape),
            _ => return None,
        };
        let geometry = geometry(*shape);
        let coords: smallvec::SmallVec<[Value; 4]> = args.iter().map(|arg| self.expr(arg)).collect();
        let float = args.last().is_some_and(|arg| matches!(self.types.get(arg.ty), Type::F32));
        let field = self.types.as_struct(ty).and_then(|layout| layout.fields.first());
        let texel = field.map_or(Num::F32, |field| self.num(self.types.get(field.ty)));
        let op = Op::Tex(Tex { texture, sampler, geometry, texel, float, coords });
        Some((self.emit(Ty::Multi, op), texel))
    }

    /// An operation whose result is a structure, stored at a temporary.
    pub(super) fn wide_intrinsic(&mut self, intrinsic: &Intrinsic, args: &[Expr], ty: TypeId, to: Addr) {
        if let Intrinsic::SurfaceLoad(access) = intrinsic {
            self.surface_load_wide(*access, args, ty, to);
            return;
        }
        let Some((all, texel)) = self.texture(intrinsic, args, ty) else { return };
        let Some(mem) = Mem::of(texel.ty()) else { return };
        for index in 0..4u32 {
            let value = self.emit(texel.ty(), Op::Extract(all, index));
            self.store_at(to.at(u64::from(index) * 4), mem, value, false);
        }
    }

    /// `printf`: the arguments are in a buffer in local memory, each at its own alignment.
    fn printf(&mut self, args: &[Expr]) -> Option<Value> {
        let [format, rest @ ..] = args else { return None };
        let format = self.expr(format);
        let mut size = 0u64;
        let mut values = Vec::new();
        for arg in rest {
            let Some(ty) = scalar(self.types, arg.ty).filter(|ty| *ty != Ty::Void) else { continue };
            let value = self.expr(arg);
            let value = match ty {
                Ty::I1 => self.bool_to_int(value),
                Ty::F32 => self.emit(Ty::F64, Op::Convert(Convert::c(Num::F32, Num::F64), value)),
                _ => value,
            };
            let Some(mem) = Mem::of(self.f.ty(value)) else { continue };
            size = size.next_multiple_of(mem.bytes());
            values.push((size, mem, value));
            size += mem.bytes();
        }
        let buffer = if values.is_empty() {
            self.constant(self.ptr, 0)
        } else {
            let slot = self.slot("", size.next_multiple_of(8), 8);
            let base = self.emit(self.ptr, Op::Slot(slot));
            let buffer = Addr { space: Space::Local, base, offset: 0, align: 8 };
            for (offset, mem, value) in values {
                self.store_at(buffer.at(offset), mem, value, false);
            }
            self.emit(self.ptr, Op::ToGeneric(Space::Local, base))
        };
        Some(self.emit(Ty::I32, Op::Library("vprintf", vec![format, buffer])))
    }

    /// Whether a float is NaN.
    pub(super) fn is_nan(&mut self, value: Value) -> Value {
        self.cmp(Cmp::FNeu, value, value)
    }
}
