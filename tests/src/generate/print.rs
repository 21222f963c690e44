//! A tree as PTX text for `sm_10`, for one grid: extents are numbers in the text.

use super::frame::{BOARD_BYTES, Extents, INPUT_BYTES, SCATTERED, prologue};
use super::ops::{FLOAT_OPS, INT_OPS, WIDE_OPS};
use super::tree::{Block, Cell, Cond, Exchange, FLOATS, Stmt, WIDES, WORDS, Width};
use std::fmt::Write;

/// A printed kernel.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The module; its entry is `k`.
    pub text: String,
    /// Bytes that its exchanges need in global memory.
    pub cell_bytes: u32,
}

/// Prints `body` for a launch of `extents`.
pub fn print(body: &Block, extents: Extents) -> Printed {
    let mut printer = Printer { extents, text: String::new(), labels: 0, cell_bytes: 0, repeats: 0 };
    printer.block(body);
    printer.results("");
    let mut text = String::from(".version 1.4\n.target sm_10\n.entry k (");
    text.push_str(".param .u32 input, .param .u32 own, .param .u32 crowd, ");
    text.push_str(".param .u32 cells, .param .u32 out, .param .u32 counts)\n{\n");
    let declared = printer.labels.max(1);
    let _ = writeln!(text, ".shared .align 8 .b8 board[{BOARD_BYTES}];");
    let _ = writeln!(text, ".reg .u32 %r<{WORDS}>, %t<4>, %c<{declared}>;");
    let _ = writeln!(text, ".reg .u32 %tid, %cta, %all, %lane, %dense, %double, %scattered, %crowd;");
    let _ = writeln!(text, ".reg .u32 %cells, %board, %out, %out8;");
    let _ = writeln!(text, ".reg .f32 %f<{FLOATS}>;\n.reg .u64 %d<{WIDES}>;\n.reg .pred %p<{declared}>, %q;");
    text.push_str(&prologue(extents));
    text.push_str(&printer.text);
    text.push_str("exit;\n}\n");
    Printed { text, cell_bytes: printer.cell_bytes.max(8) }
}

struct Printer {
    extents: Extents,
    text: String,
    /// Labels, predicates and counters handed out.
    labels: u32,
    cell_bytes: u32,
    /// Loops around the statement that all threads of the block go through.
    repeats: u32,
}

impl Printer {
    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn label(&mut self) -> u32 {
        self.labels += 1;
        self.labels - 1
    }

    fn block(&mut self, body: &Block) {
        for stmt in body {
            self.stmt(stmt, "");
        }
    }

    /// Prints a condition and returns its predicate.
    fn cond(&mut self, cond: Cond) -> String {
        let p = format!("%p{}", self.label());
        match cond {
            Cond::Bit { reg, bit } => {
                self.line(&format!("and.b32 %t3, %r{reg}, {};", 1u32 << bit));
                self.line(&format!("setp.ne.u32 {p}, %t3, 0;"));
            }
            Cond::LaneBelow { lane } => self.line(&format!("setp.lt.u32 {p}, %lane, {lane};")),
            Cond::Less { a, b } => self.line(&format!("setp.lt.u32 {p}, %r{a}, %r{b};")),
            Cond::FloatLess { a, b } => self.line(&format!("setp.lt.f32 {p}, %f{a}, %f{b};")),
        }
        p
    }

    /// Prints a statement; `guard` (such as `@%p1 `) stands before what has an effect.
    fn stmt(&mut self, stmt: &Stmt, guard: &str) {
        match stmt {
            Stmt::Int { op, dst, a, b, c, imm } => {
                let b = imm.map_or_else(|| format!("%r{b}"), |imm| (imm & 0x7fff_ffff).to_string());
                let op = INT_OPS[*op as usize % INT_OPS.len()];
                let op = op.replace("$d", &format!("%r{dst}")).replace("$a", &format!("%r{a}"));
                let op = op.replace("$b", &b).replace("$c", &format!("%r{c}"));
                self.line(&format!("{guard}{op};"));
            }
            Stmt::Float { op, dst, a, b, c } => {
                let op = FLOAT_OPS[*op as usize % FLOAT_OPS.len()];
                let op = op.replace("$d", &format!("%f{dst}")).replace("$a", &format!("%f{a}"));
                let op = op.replace("$b", &format!("%f{b}")).replace("$c", &format!("%f{c}"));
                self.line(&format!("{guard}{op};"));
            }
            Stmt::Wide { op, dst, a } => {
                let op = WIDE_OPS[*op as usize % WIDE_OPS.len()];
                let op = op.replace("$rd", &format!("%r{dst}")).replace("$ra", &format!("%r{a}"));
                let op = op.replace("$fd", &format!("%f{}", dst % FLOATS));
                let op = op.replace("$fa", &format!("%f{}", a % FLOATS));
                let op = op.replace("$wd", &format!("%d{}", dst % WIDES));
                let op = op.replace("$wa", &format!("%d{}", a % WIDES));
                self.line(&format!("{guard}{op};"));
            }
            Stmt::Input { width, dst, index } => {
                let mask = (INPUT_BYTES - 1) & !(width.bytes() - 1);
                self.line("ld.param.u32 %t1, [input];");
                self.line(&format!("and.b32 %t0, %r{index}, {mask};"));
                self.line("add.u32 %t0, %t0, %t1;");
                self.access(guard, false, "global", *width, *dst, "%t0");
            }
            Stmt::Own { store, cell, width, reg, part } => {
                let (base, bytes) = match cell {
                    Cell::Dense if *width != Width::B64 => ("%dense", 4),
                    Cell::Scattered => ("%scattered", SCATTERED),
                    _ => ("%double", 8),
                };
                let offset = u32::from(*part) % (bytes / width.bytes()) * width.bytes();
                self.access(guard, *store, "global", *width, *reg, &format!("{base}+{offset}"));
            }
            Stmt::Crowd { store, width, reg, index } => {
                self.line(&format!("and.b32 %t0, %r{index}, {};", 31 & !(width.bytes() - 1)));
                self.line("add.u32 %t0, %t0, %crowd;");
                self.access(guard, *store, "global", *width, *reg, "%t0");
            }
            Stmt::Fence { global } => {
                self.line(&format!("{guard}membar.{};", if *global { "gl" } else { "cta" }));
            }
            Stmt::Guarded { cond, stmt } => {
                let p = self.cond(*cond);
                self.stmt(stmt, &format!("@{p} "));
            }
            Stmt::If { cond, then, otherwise } => self.branch(*cond, then, otherwise),
            Stmt::Loop { base, reg, body } => {
                let n = self.label();
                self.line(&format!("and.b32 %t0, %r{reg}, 1;"));
                self.line(&format!("add.u32 %c{n}, %t0, {base};"));
                self.looped(n, body);
            }
            Stmt::Exchange(exchange) => self.exchange(exchange),
            Stmt::BlocksIf { bit, then } => {
                let n = self.label();
                self.line(&format!("and.b32 %t0, %cta, {};", 1u32 << bit));
                self.line(&format!("setp.eq.u32 %p{n}, %t0, 0;"));
                self.line(&format!("@%p{n} bra END{n};"));
                self.block(then);
                self.line(&format!("END{n}:"));
            }
            Stmt::Repeat { trips, body } => {
                let n = self.label();
                self.line(&format!("mov.u32 %c{n}, {trips};"));
                self.repeats += 1;
                self.looped(n, body);
                self.repeats -= 1;
            }
            Stmt::Leave { cond } => {
                let p = self.cond(*cond);
                self.results(&format!("@{p} "));
                self.line(&format!("@{p} exit;"));
            }
        }
    }

    fn branch(&mut self, cond: Cond, then: &Block, otherwise: &Block) {
        let p = self.cond(cond);
        let n = self.label();
        if otherwise.is_empty() {
            self.line(&format!("@!{p} bra END{n};"));
            self.block(then);
        } else {
            self.line(&format!("@!{p} bra ELSE{n};"));
            self.block(then);
            self.line(&format!("bra END{n};"));
            self.line(&format!("ELSE{n}:"));
            self.block(otherwise);
        }
        self.line(&format!("END{n}:"));
    }

    /// Repeats `body` as often as counter `n` says.
    fn looped(&mut self, n: u32, body: &Block) {
        self.line(&format!("LOOP{n}:"));
        self.line(&format!("setp.eq.u32 %p{n}, %c{n}, 0;"));
        self.line(&format!("@%p{n} bra END{n};"));
        self.block(body);
        self.line(&format!("sub.u32 %c{n}, %c{n}, 1;"));
        self.line(&format!("bra LOOP{n};"));
        self.line(&format!("END{n}:"));
    }

    fn access(&mut self, guard: &str, store: bool, space: &str, width: Width, reg: u8, address: &str) {
        let ty = match (width, store) {
            (Width::U8, _) | (Width::S8, true) => "u8",
            (Width::S8, false) => "s8",
            (Width::U16, _) | (Width::S16, true) => "u16",
            (Width::S16, false) => "s16",
            (Width::B32, _) => "u32",
            (Width::B64, _) => "u64",
        };
        let reg = if width == Width::B64 { format!("%d{}", reg % WIDES) } else { format!("%r{reg}") };
        if store {
            self.line(&format!("{guard}st.{space}.{ty} [{address}], {reg};"));
        } else {
            self.line(&format!("{guard}ld.{space}.{ty} {reg}, [{address}];"));
        }
    }

    /// Into `register` the address of the cell of thread `register`; cells begin at `base`.
    fn cell(&mut self, register: &str, stir: u32, bytes: u32, base: &str) {
        self.line(&format!("mul24.lo.u32 {register}, {register}, {};", 2 * stir + 1));
        self.line(&format!("and.b32 {register}, {register}, {};", self.extents.cells() - 1));
        self.line(&format!("mad24.lo.u32 {register}, {register}, {bytes}, {base};"));
    }

    fn exchange(&mut self, x: &Exchange) {
        let Extents { blocks, threads, .. } = self.extents;
        let spread = if x.shared { x.spread.min(2) } else { x.spread };
        let bytes = x.width.bytes() << spread;
        let of_block = self.extents.cells() * bytes;
        let guard = x.guard.map_or_else(String::new, |cond| format!("@{} ", self.cond(cond)));
        let (space, base, offset) = if x.shared {
            ("shared", "%board", 0)
        } else {
            // Cells of its own, as no barrier lies between this exchange's loads and the next one's stores.
            let offset = self.cell_bytes.next_multiple_of(8);
            self.cell_bytes = offset + blocks * of_block;
            self.line(&format!("mad24.lo.u32 %t2, %cta, {of_block}, %cells;"));
            ("global", "%t2", offset)
        };
        let shift = u32::from(x.shift) % threads;
        self.line(&format!("add.u32 %t1, %tid, {shift};"));
        self.line(&format!("setp.ge.u32 %q, %t1, {threads};"));
        self.line(&format!("@%q sub.u32 %t1, %t1, {threads};"));
        self.line("mov.u32 %t0, %tid;");
        self.cell("%t0", u32::from(x.stir), bytes, base);
        self.cell("%t1", u32::from(x.stir), bytes, base);
        self.access(&guard, true, space, x.width, x.src, &format!("%t0+{offset}"));
        match x.fence {
            1 => self.line("membar.cta;"),
            2 => self.line("membar.gl;"),
            _ => {}
        }
        self.line(&format!("bar.sync {};", x.barrier));
        self.access("", false, space, x.width, x.dst, &format!("%t1+{offset}"));
        if x.shared || self.repeats > 0 {
            self.line(&format!("bar.sync {};", x.barrier));
        }
    }

    /// Stores every register.
    fn results(&mut self, guard: &str) {
        let all = if self.extents.results_by_thread { 1 } else { self.extents.all() };
        let words = (0..WORDS).map(|i| format!("%r{i}")).chain((0..FLOATS).map(|i| format!("%f{i}")));
        for (k, register) in (0u32..).zip(words) {
            let ty = if register.starts_with("%f") { "f32" } else { "u32" };
            self.line(&format!("{guard}st.global.{ty} [%out+{}], {register};", 4 * k * all));
        }
        for k in 0..u32::from(WIDES) {
            self.line(&format!("{guard}st.global.u64 [%out8+{}], %d{k};", 8 * k * all));
        }
    }
}
