//! Accesses of memory: parameters, loads, stores, atomics, textures, surfaces.

use super::body::Body;
use crate::ssa::{Atomic, Mem, Object, Op, Query, Space, Surface, Tex, Ty, Value};

impl Body<'_> {
    /// The address of an access in brackets.
    fn address(&mut self, addr: Value, offset: i64) -> String {
        let base = match self.f.op(addr) {
            Op::Address(symbol) if self.direct[addr.at()] => self.module.symbols[symbol.at()].name.clone(),
            Op::Slot(slot) if self.direct[addr.at()] => format!("__local_{slot}"),
            _ => self.register(addr),
        };
        match offset {
            0 => format!("[{base}]"),
            offset => format!("[{base}+{offset}]"),
        }
    }

    /// The registers of the parts of a value in braces; unused parts get a register too.
    fn results(&mut self, value: Value, count: usize, ty: Ty) -> Vec<String> {
        let parts = self.parts.get(&value).cloned().unwrap_or_default();
        (0..count)
            .map(|index| match parts.get(index).copied().flatten() {
                Some(part) => self.registers.name(self.f, part),
                None => self.registers.fresh(ty),
            })
            .collect()
    }

    pub(super) fn memory(&mut self, value: Value, op: &Op, d: &str) {
        match op {
            Op::KernelParam { offset, mem, .. } => self.kernel_param(*offset, *mem, d),
            Op::FuncParam(index) => {
                let ty = self.f.params.get(*index as usize).copied().unwrap_or(Ty::I32);
                let name = format!("{}_param_{index}", self.f.name);
                self.text(&format!("ld.param.{} {d}, [{name}]", super::bits(ty)));
            }
            Op::Load { space, mem, lanes, addr, offset, volatile, .. } => {
                let address = self.address(*addr, *offset);
                let (v, space, ty) = (volatile_suffix(*volatile, *space), space.suffix(), mem.ptx());
                if *lanes == 1 {
                    self.text(&format!("ld{v}{space}.{ty} {d}, {address}"));
                } else {
                    let results = self.results(value, usize::from(*lanes), mem.ty()).join(", ");
                    self.text(&format!("ld{v}{space}.v{lanes}.{ty} {{{results}}}, {address}"));
                }
            }
            Op::Store { space, mem, addr, offset, volatile, values } => {
                let address = self.address(*addr, *offset);
                let (v, space, ty) = (volatile_suffix(*volatile, *space), space.suffix(), mem.ptx());
                let stored: Vec<String> = values.iter().map(|value| self.register(*value)).collect();
                if let [single] = &stored[..] {
                    self.text(&format!("st{v}{space}.{ty} {address}, {single}"));
                } else {
                    let lanes = stored.len();
                    self.text(&format!("st{v}{space}.v{lanes}.{ty} {address}, {{{}}}", stored.join(", ")));
                }
            }
            Op::Atomic { op, space, mem, addr, offset, b, c } => {
                let address = self.address(*addr, *offset);
                let mut operands = self.operand(*b);
                if let Some(c) = c {
                    operands.push_str(", ");
                    operands.push_str(&self.operand(*c));
                }
                let name = atomic(*op, *mem);
                let space = space.suffix();
                let unused = self.uses[value.at()] == 0 && !matches!(op, Atomic::Exch | Atomic::Cas);
                if unused {
                    self.text(&format!("red{space}.{name} {address}, {operands}"));
                } else {
                    self.text(&format!("atom{space}.{name} {d}, {address}, {operands}"));
                }
            }
            Op::Tex(tex) => self.texture(value, tex),
            Op::Surface(access) => self.surface(value, access),
            Op::Query(Query { instruction, object, handle }) => {
                let (name, _) = self.place(&[*object], handle);
                self.text(&format!("{instruction}.b32 {d}, [{name}]"));
            }
            _ => {}
        }
    }

    fn kernel_param(&mut self, offset: u32, mem: Mem, d: &str) {
        let params = &self.f.kernel_params;
        let index = params.iter().rposition(|param| param.offset <= offset).unwrap_or(0);
        let Some(param) = params.get(index) else { return };
        let more = offset - param.offset;
        let at = if more == 0 { String::new() } else { format!("+{more}") };
        let text = format!("ld.param.{} {d}, [{}{at}]", mem.ptx(), self.params[index]);
        self.text(&text);
    }

    fn texture(&mut self, value: Value, tex: &Tex) {
        let results = self.results(value, 4, tex.texel.ty()).join(", ");
        let objects: Vec<Object> = [tex.texture].into_iter().chain(tex.sampler).collect();
        let (name, coords) = self.place(&objects, &tex.coords);
        let (geometry, texel) = (tex.geometry, tex.texel.ptx());
        let kind = if tex.float { "f32" } else { "s32" };
        self.text(&format!("tex.{geometry}.v4.{texel}.{kind} {{{results}}}, [{name}, {{{coords}}}]"));
    }

    /// The texture with its sampler, or the surface, or the register with its handle, and the
    /// coordinates.
    fn place(&mut self, objects: &[Object], coords: &[Value]) -> (String, String) {
        let mut registers: Vec<String> = coords.iter().map(|coord| self.register(*coord)).collect();
        let names = objects.iter().map(|object| match object {
            Object::Symbol(symbol) => self.module.symbols[symbol.at()].name.clone(),
            Object::Param(index) => self.params[*index as usize].clone(),
            Object::Handle => registers.remove(0),
        });
        let names: Vec<String> = names.collect();
        // Three coordinates are written as four.
        if let [_, _, third] = &registers[..] {
            registers.push(third.clone());
        }
        (names.join(", "), registers.join(", "))
    }

    fn surface(&mut self, value: Value, access: &Surface) {
        let (name, coords) = self.place(&[access.surface], &access.coords);
        let (geometry, boundary, bits) = (access.geometry, access.boundary, 8 * access.mem.bytes());
        let vector = if access.lanes > 1 { format!(".v{}", access.lanes) } else { String::new() };
        let braces = |list: Vec<String>| {
            if list.len() > 1 { format!("{{{}}}", list.join(", ")) } else { list.concat() }
        };
        if access.values.is_empty() {
            let results = self.results(value, usize::from(access.lanes), access.mem.ty());
            let results = braces(results);
            self.text(&format!(
                "suld.b.{geometry}{vector}.b{bits}.{boundary} {results}, [{name}, {{{coords}}}]"
            ));
        } else {
            let values = access.values.iter().map(|value| self.register(*value)).collect();
            let values = braces(values);
            self.text(&format!(
                "sust.b.{geometry}{vector}.b{bits}.{boundary} [{name}, {{{coords}}}], {values}"
            ));
        }
    }
}

/// `.volatile`; memory of one thread and constant memory have none.
fn volatile_suffix(volatile: bool, space: Space) -> &'static str {
    let shared = matches!(space, Space::Global | Space::Shared | Space::Generic);
    if volatile && shared { ".volatile" } else { "" }
}

/// Operation and type of an atomic.
fn atomic(op: Atomic, mem: Mem) -> String {
    let bits = 8 * mem.bytes();
    match op {
        Atomic::Add if matches!(mem, Mem::F32 | Mem::F64) => format!("add.f{bits}"),
        Atomic::Add => format!("add.u{bits}"),
        Atomic::MinS => format!("min.s{bits}"),
        Atomic::MinU => format!("min.u{bits}"),
        Atomic::MaxS => format!("max.s{bits}"),
        Atomic::MaxU => format!("max.u{bits}"),
        Atomic::Inc => format!("inc.u{bits}"),
        Atomic::Dec => format!("dec.u{bits}"),
        Atomic::And => format!("and.b{bits}"),
        Atomic::Or => format!("or.b{bits}"),
        Atomic::Xor => format!("xor.b{bits}"),
        Atomic::Exch => format!("exch.b{bits}"),
        Atomic::Cas => format!("cas.b{bits}"),
    }
}
