//! Calls with the ABI of `sm_20`.

use super::bits;
use super::body::Body;
use crate::ssa::{Op, Ty, Value};
use std::fmt::Write as _;

impl Body<'_> {
    pub(super) fn call(&mut self, value: Value, op: &Op) {
        let (args, name, proto): (&[Value], String, Option<u32>) = match op {
            Op::Call { func, args } => (args, self.module.functions[func.at()].name.clone(), None),
            Op::Library(name, args) => (args, (*name).to_owned(), None),
            Op::CallIndirect { target, args, proto } => (args, self.register(*target), Some(*proto)),
            _ => return,
        };
        let ty = self.f.ty(value);
        let number = self.calls;
        self.calls += 1;
        let sources: Vec<(Ty, String)> =
            args.iter().map(|arg| (self.f.ty(*arg), self.register(*arg))).collect();
        self.out.push_str("\t{\n");
        for (index, (ty, source)) in sources.iter().enumerate() {
            let ty = bits(*ty);
            let _ = writeln!(self.out, "\t.param .{ty} arg{index};");
            self.text(&format!("st.param.{ty} [arg{index}], {source}"));
        }
        let list: Vec<String> = (0..sources.len()).map(|index| format!("arg{index}")).collect();
        let mut text = "call ".to_owned();
        if ty != Ty::Void {
            let _ = writeln!(self.out, "\t.param .{} back;", bits(ty));
            text.push_str("(back), ");
        }
        if let Some(types) = proto.and_then(|index| self.module.protos.get(index as usize)) {
            let result = match types.1 {
                Ty::Void => String::new(),
                ty => format!("(.param .{} _) ", bits(ty)),
            };
            let params: Vec<String> = types.0.iter().map(|ty| format!(".param .{} _", bits(*ty))).collect();
            let _ = writeln!(self.out, "\t$P{number}: .callprototype {result}_ ({});", params.join(", "));
        }
        text.push_str(&name);
        if !list.is_empty() || proto.is_some() {
            let _ = write!(text, ", ({})", list.join(", "));
        }
        if proto.is_some() {
            let _ = write!(text, ", $P{number}");
        }
        self.text(&text);
        if ty != Ty::Void {
            let d = self.registers.name(self.f, value);
            self.text(&format!("ld.param.{} {d}, [back]", bits(ty)));
        }
        self.out.push_str("\t}\n");
    }
}
