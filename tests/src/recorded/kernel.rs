//! The kernel of an instruction form: thread i loads the i-th operands, executes the instruction
//! once, and stores the results. Parameters are a pointer for each operand, then the number of
//! active threads.

use super::vector::{Form, stride};
use std::fmt::Write;

/// Returns the PTX of a form's kernel with addresses of 32 or 64 bits: the recorded text.
pub fn text(form: &Form, bits: u32) -> Result<String, String> {
    let mut text = String::new();
    let writer = Writer { form, bits, address: format!("u{bits}"), text: &mut text };
    writer.kernel()?;
    Ok(text)
}

/// Returns the kernel in which some lanes exit before the instruction, scattered over each warp;
/// with `others`, the complementary lanes.
pub fn with_exiting_lanes(text: &str, others: bool) -> Result<String, String> {
    let exit_branch = "  @%ex bra DONE;\n";
    let (before, after) = text.split_once(exit_branch).ok_or("the kernel has no exit branch")?;
    let leave = if others { "ne" } else { "eq" };
    Ok(format!(
        "{before}  .reg .u32 %h;\n  mul.lo.u32 %h, %i, 0x9E3779B1;\n  shr.u32 %h, %h, 31;\n  \
         setp.{leave}.or.u32 %ex, %h, 0, %ex;\n{exit_branch}{after}"
    ))
}

/// Whether thread i exits before the instruction in [`with_exiting_lanes`].
pub fn exits(i: u32, others: bool) -> bool {
    (i.wrapping_mul(0x9e37_79b1) >> 31 == 0) != others
}

/// Names of the inputs.
const INPUTS: [char; 4] = ['a', 'b', 'c', 'e'];

struct Writer<'a> {
    form: &'a Form,
    bits: u32,
    /// Type of an address.
    address: String,
    text: &'a mut String,
}

/// Returns the type with which an operand is loaded and stored: registers hold bytes as words,
/// halves as bits, and bits as unsigned numbers.
fn memory_type(ty: &str) -> String {
    match ty {
        "pred" | "u8" | "b8" => "u32".to_owned(),
        "f16" => "u16".to_owned(),
        "s8" => "s32".to_owned(),
        _ => ty.replace('b', "u"),
    }
}

/// Returns the type of the register that holds an operand.
fn register_type(ty: &str) -> &str {
    match ty {
        "u8" => "u32",
        "s8" => "s32",
        "b8" => "b32",
        "f16" => "b16",
        other => other,
    }
}

impl Writer<'_> {
    fn line(&mut self, line: impl AsRef<str>) {
        let _ = writeln!(self.text, "  {}", line.as_ref());
    }

    fn kernel(mut self) -> Result<(), String> {
        let form = self.form;
        let pointers = |letter: char, n: usize| -> Vec<String> {
            let name = |i| if letter == 'p' { format!("p{}", INPUTS[i]) } else { format!("q{i}") };
            (0..n).map(|i| format!(".param .{} {}", self.address, name(i))).collect()
        };
        let mut params = pointers('p', form.ins.len());
        params.extend(pointers('q', form.outs.len()));
        params.push(".param .u32 n".to_owned());
        let old = form.target == "v1.3";
        let head = match form.target.as_str() {
            "sm_20" => format!(".version 2.3\n.target sm_20\n.address_size {}", self.bits),
            "sm_13" => ".version 1.4\n.target sm_13".to_owned(),
            "v1.3" => ".version 1.3\n.target sm_13".to_owned(),
            other => return Err(format!("unknown target `{other}`")),
        };
        let list = if old { String::new() } else { format!(" ({})", params.join(", ")) };
        let _ = writeln!(self.text, "{head}\n.entry {}{list}\n{{", form.name);
        if old {
            for param in params {
                self.line(format!("{param};"));
            }
        }
        let address = self.address.clone();
        self.line(format!(".reg .u32 %i, %n, %t; .reg .pred %ex; .reg .{address} %p, %o, %m;"));
        let atomic = form.ptx.strip_prefix("ATOM ").and_then(|rest| rest.split_once(' '));
        if atomic.is_some_and(|(space, _)| space == "shared") {
            self.line(".shared .align 8 .b8 sbuf[1024];");
        }
        self.registers();
        for line in [
            "mov.u32 %i, %ctaid.x;",
            "mov.u32 %n, %ntid.x;",
            "mov.u32 %t, %tid.x;",
            "mad.lo.u32 %i, %i, %n, %t;",
            "ld.param.u32 %n, [n];",
            "setp.ge.u32 %ex, %i, %n;",
            "@%ex bra DONE;",
        ] {
            self.line(line);
        }
        if let Some(load) = form.ptx.strip_prefix("LDX ") {
            self.narrow_load(load)?;
        } else {
            self.loads()?;
            match atomic {
                Some((space, instruction)) => self.atomic(space, instruction)?,
                None => self.instruction(&form.ptx),
            }
        }
        self.stores()?;
        self.text.push_str("DONE:\n  exit;\n}\n");
        Ok(())
    }

    fn registers(&mut self) {
        let named =
            self.form.ins.iter().zip(INPUTS).map(|(ty, name)| (ty, format!("v{name}"), format!("w{name}")));
        let numbered =
            self.form.outs.iter().enumerate().map(|(i, ty)| (ty, format!("d{i}"), format!("e{i}")));
        for (ty, register, word) in named.chain(numbered).collect::<Vec<_>>() {
            let word = if ty == "pred" { format!(" .reg .u32 %{word};") } else { String::new() };
            self.line(format!(".reg .{} %{register};{word}", register_type(ty)));
        }
    }

    /// Computes in `%p` the address of thread i's operand.
    fn place(&mut self, pointer: &str, ty: &str) -> Result<(), String> {
        let multiply = if self.bits == 64 { "mul.wide.u32" } else { "mul.lo.u32" };
        let (address, size) = (self.address.clone(), stride(ty)?);
        self.line(format!("{multiply} %o, %i, {size};"));
        self.line(format!("ld.param.{address} %p, [{pointer}];"));
        self.line(format!("add.{address} %p, %p, %o;"));
        Ok(())
    }

    fn loads(&mut self) -> Result<(), String> {
        for (ty, name) in self.form.ins.iter().zip(INPUTS) {
            self.place(&format!("p{name}"), ty)?;
            if ty == "pred" {
                self.line(format!("ld.global.u32 %w{name}, [%p];"));
                self.line(format!("and.b32 %w{name}, %w{name}, 1;"));
                self.line(format!("setp.ne.u32 %v{name}, %w{name}, 0;"));
            } else {
                self.line(format!("ld.global.{} %v{name}, [%p];", memory_type(ty)));
            }
        }
        Ok(())
    }

    /// Loads a few bytes of the operand, extended to the register.
    fn narrow_load(&mut self, load: &str) -> Result<(), String> {
        let ty = load.split(' ').next().unwrap_or_default();
        self.place("pa", &self.form.ins[0])?;
        self.line(format!("ld.global.{ty} %d0, [%p];"));
        Ok(())
    }

    /// Stores the operand in memory, lets the instruction change it there, and loads it back.
    fn atomic(&mut self, space: &str, instruction: &str) -> Result<(), String> {
        let (form, address) = (self.form, self.address.clone());
        let last = form.outs.len() - 1;
        let ty = memory_type(&form.ins[0]);
        if space == "shared" {
            let multiply = if self.bits == 64 { "mul.wide.u32" } else { "mul.lo.u32" };
            self.line(format!("mov.{address} %m, sbuf;"));
            self.line(format!("{multiply} %o, %t, {};", stride(&form.ins[0])?));
            self.line(format!("add.{address} %m, %m, %o;"));
        } else {
            self.place(&format!("q{last}"), &form.outs[last])?;
            self.line(format!("mov.{address} %m, %p;"));
        }
        self.line(format!("st.{space}.{ty} [%m], %va;"));
        self.instruction(instruction);
        self.line(format!("ld.{space}.{ty} %d{last}, [%m];"));
        Ok(())
    }

    /// Prints the instructions, one per line, with registers as operands.
    fn instruction(&mut self, ptx: &str) {
        let mut ptx = ptx.replace("$d", "%d").replace("$m", "%m");
        for name in INPUTS {
            ptx = ptx.replace(&format!("${name}"), &format!("%v{name}"));
        }
        for one in ptx.split_inclusive(';') {
            self.line(one.trim_start());
        }
    }

    fn stores(&mut self) -> Result<(), String> {
        for (i, ty) in self.form.outs.iter().enumerate() {
            self.place(&format!("q{i}"), ty)?;
            let from = if ty == "pred" {
                self.line(format!("selp.u32 %e{i}, 1, 0, %d{i};"));
                format!("%e{i}")
            } else {
                format!("%d{i}")
            };
            self.line(format!("st.global.{} [%p], {from};", memory_type(ty)));
        }
        Ok(())
    }
}
