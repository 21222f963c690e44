//! Prints a program as PTX for `sm_20` with 32-bit addresses: entry `k` with the address of the
//! output.

use super::tree::{Callee, Cond, FunctionProgram, Op, Stmt};
use super::{FUEL, VARIABLES};
use std::fmt::Write;

struct Printer<'p> {
    program: &'p FunctionProgram,
    text: String,
    /// Number of labels and counters so far.
    fresh: u32,
    /// Whether a function is printed, not the kernel.
    function: bool,
}

const HEAD: &str = "(.param .b32 r) f";
const PARAMS: &str = "(.param .b32 a, .param .b32 b, .param .b32 fuel)";

/// Returns the PTX module of a program.
pub fn print(program: &FunctionProgram) -> String {
    let mut printer = Printer { program, text: String::new(), fresh: 0, function: true };
    let p = &mut printer;
    p.line(".version 2.3\n.target sm_20\n.address_size 32");
    for i in 0..program.functions.len() {
        p.line(&format!(".func {HEAD}{i} {PARAMS};"));
    }
    if program.pointers {
        let names: Vec<String> = (0..program.functions.len()).map(|i| format!("f{i}")).collect();
        p.line(&format!(".const .u32 table[{}] = {{{}}};", names.len(), names.join(", ")));
    }
    for (i, body) in program.functions.iter().enumerate() {
        p.line(&format!(".func {HEAD}{i} {PARAMS}\n{{"));
        p.declare();
        p.line("ld.param.u32 %v0, [a]; ld.param.u32 %v1, [b]; ld.param.u32 %v2, [fuel];");
        p.line("mov.u32 %v3, 5; mov.u32 %v4, 6; mov.u32 %fuel, %v2;");
        p.line("xor.b32 %t, %v0, %v1; st.param.b32 [r], %t; setp.eq.u32 %p, %fuel, 0; @%p ret;");
        p.line("sub.u32 %fuel, %fuel, 1;");
        p.block(body);
        p.line("sub.u32 %t, %v0, %v1; st.param.b32 [r], %t;\n}");
    }
    p.function = false;
    p.line(".entry k (.param .u32 out)\n{\n.reg .u32 %o;");
    p.declare();
    p.line("mov.u32 %v0, %tid.x; add.u32 %t, %v0, 1; mul.lo.u32 %v1, %t, 0x9e3779b9;");
    p.line(&format!("mov.u32 %v2, 1; mov.u32 %v3, 2; mov.u32 %v4, 3; mov.u32 %fuel, {FUEL};"));
    p.block(&program.body);
    p.line("END: mov.u32 %t, %tid.x; ld.param.u32 %o, [out];");
    p.line(&format!("mad.lo.u32 %o, %t, {}, %o;", 4 * u32::from(VARIABLES)));
    for var in 0..VARIABLES {
        p.line(&format!("st.global.u32 [%o+{}], %v{var};", 4 * u32::from(var)));
    }
    p.line("exit;\n}");
    printer.text
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text += line;
        self.text.push('\n');
    }

    fn declare(&mut self) {
        self.line(&format!(".reg .u32 %v<{VARIABLES}>, %t, %fuel, %n; .reg .pred %p, %q;"));
        self.line("alike: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _, .param .b32 _);");
    }

    fn number(&mut self) -> u32 {
        self.fresh += 1;
        self.fresh
    }

    /// Sets `%p` to the value of a condition.
    fn cond(&mut self, Cond { var, bit }: Cond) {
        self.line(&format!("and.b32 %t, %v{var}, {}; setp.ne.u32 %p, %t, 0;", 1 << bit));
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Set(to, op, a, b) => {
                let op = match op {
                    Op::Add => "add.u32",
                    Op::Sub => "sub.u32",
                    Op::Mul => "mul.lo.u32",
                    Op::Xor => "xor.b32",
                };
                self.line(&format!("{op} %v{to}, %v{a}, %v{b};"));
            }
            Stmt::Call { to, callee, args: [a, b], guard } => {
                let functions = self.program.functions.len();
                let (mut callee_name, mut table) = (String::new(), "");
                match callee {
                    Callee::Pointed(var) if self.program.pointers => {
                        self.line(&format!("rem.u32 %n, %v{var}, {functions}; shl.b32 %n, %n, 2;"));
                        self.line("mov.u32 %t, table; add.u32 %n, %n, %t; ld.const.u32 %n, [%n];");
                        callee_name += "%n";
                        table = ", alike";
                    }
                    Callee::Named(number) | Callee::Pointed(number) => {
                        let _ = write!(callee_name, "f{}", usize::from(*number) % functions);
                    }
                }
                let mut at = "";
                if let Some(guard) = guard {
                    self.cond(*guard);
                    at = "@%p ";
                }
                // Half of the calls pass registers, half use variables of a call sequence.
                if (to + a) % 2 == 0 {
                    self.line(&format!("{at}call (%v{to}), {callee_name}, (%v{a}, %v{b}, %fuel){table};"));
                    return;
                }
                self.line("{ .param .b32 x; .param .b32 y; .param .b32 z; .param .b32 v;");
                self.line(&format!(
                    "st.param.b32 [x], %v{a}; st.param.b32 [y], %v{b}; st.param.b32 [z], %fuel;"
                ));
                self.line(&format!(
                    "{at}call (v), {callee_name}, (x, y, z){table}; {at}ld.param.b32 %v{to}, [v]; }}"
                ));
            }
            Stmt::If(cond, yes, no) => {
                let n = self.number();
                self.cond(*cond);
                self.line(&format!("@!%p bra ELSE{n};"));
                self.block(yes);
                self.line(&format!("bra DONE{n};\nELSE{n}:"));
                self.block(no);
                self.line(&format!("DONE{n}:"));
            }
            Stmt::Loop(var, body) => {
                let n = self.number();
                self.line(&format!("{{ .reg .u32 %i; and.b32 %i, %v{var}, 3;"));
                self.line(&format!("ROUND{n}: setp.eq.u32 %q, %i, 0; @%q bra LEAVE{n};"));
                self.block(body);
                self.line(&format!("sub.u32 %i, %i, 1; bra ROUND{n};\nLEAVE{n}: }}"));
            }
            Stmt::Return(cond, var) if self.function => {
                self.cond(*cond);
                self.line(&format!("@%p st.param.b32 [r], %v{var}; @%p ret;"));
            }
            Stmt::Return(cond, _) => {
                self.cond(*cond);
                self.line("@%p bra END;");
            }
        }
    }
}
