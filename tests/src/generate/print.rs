//! A tree as PTX text for a target and one grid: extents are numbers in the text.

use super::frame::{
    ALIGNED, BOARD_BYTES, Extents, FIRST_DOUBLE, INPUT_BYTES, SCATTERED, TALLY, TALLY_BYTES, prologue,
};
use super::ops::{List, TALLIES};
use super::tree::{Block, Cell, Cond, DOUBLES, Exchange, FLOATS, Op, Stmt, Vote, WIDES, WORDS, Width};
use std::fmt::Write;

/// A printed kernel.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The module; its entry is `k`.
    pub text: String,
    /// Bytes that its exchanges need in global memory.
    pub cell_bytes: u32,
}

/// Prints `body` for target `sm` and a launch of `extents`.
pub fn print(body: &Block, extents: Extents, sm: u32) -> Printed {
    let text = String::new();
    let mut printer = Printer { extents, sm, text, labels: 0, cell_bytes: 0, repeats: 0, heap: false };
    printer.block(body);
    printer.results("");
    printer.heap();
    let version = if sm < 20 { "1.4" } else { "2.3" };
    let mut text = format!(".version {version}\n.target sm_{sm}\n.entry k (");
    text.push_str(".param .u32 input, .param .u32 own, .param .u32 crowd, ");
    text.push_str(".param .u32 cells, .param .u32 out, .param .u32 tally, .param .u32 counts)\n{\n");
    let declared = printer.labels.max(1);
    let _ = writeln!(text, ".shared .align 8 .b8 board[{BOARD_BYTES}];");
    let _ = writeln!(text, ".shared .align 8 .b8 heap[{TALLY_BYTES}];\n.shared .u32 mine[{MOST_THREADS}];");
    let _ = writeln!(text, ".reg .u32 %r<{WORDS}>, %t<4>, %c<{declared}>;");
    let _ =
        writeln!(text, ".reg .u32 %tid, %cta, %all, %lane, %dense, %double, %scattered, %aligned, %crowd;");
    let _ = writeln!(text, ".reg .u32 %cells, %board, %out, %out8, %tally, %heap, %mine;\n.reg .b16 %h<2>;");
    let _ =
        writeln!(text, ".reg .f32 %f<{FLOATS}>;\n.reg .u64 %d<{WIDES}>;\n.reg .pred %p<{declared}>, %q, %z;");
    if sm >= FIRST_DOUBLE {
        let _ = writeln!(text, ".reg .f64 %e<{DOUBLES}>;");
    }
    text.push_str(&prologue(extents, sm));
    text.push_str(&printer.text);
    text.push_str("exit;\n}\n");
    Printed { text, cell_bytes: printer.cell_bytes.max(8) }
}

/// Threads of a block at most.
const MOST_THREADS: u32 = 128;

/// Vectors: type behind the count, register's letter, count, and whether double precision is needed.
const VECTORS: [(&str, char, u32); 9] = [
    ("u32", 'r', 2),
    ("u32", 'r', 4),
    ("f32", 'f', 2),
    ("u64", 'd', 2),
    ("s16", 'r', 2),
    ("u16", 'r', 4),
    ("u8", 'r', 2),
    ("s8", 'r', 4),
    ("f64", 'e', 2),
];

struct Printer {
    extents: Extents,
    /// The target.
    sm: u32,
    text: String,
    /// Labels, predicates and counters handed out.
    labels: u32,
    cell_bytes: u32,
    /// Loops around the statement that all threads of the block go through.
    repeats: u32,
    /// There is a tally in shared memory.
    heap: bool,
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
            Stmt::Op(op) => self.op(op, guard),
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
            Stmt::Vector { store, form, reg, part } => self.vector(*store, *form, *reg, *part, guard),
            Stmt::Tally { op, src, index } => self.tally(*op, *src, *index, guard),
            Stmt::Fence { global } => {
                self.line(&format!("{guard}membar.{};", if *global { "gl" } else { "cta" }));
            }
            Stmt::Guarded { cond, negated, stmt } => {
                let p = self.cond(*cond);
                self.stmt(stmt, &format!("@{}{p} ", if *negated { "!" } else { "" }));
            }
            Stmt::Vote { mode, cond, dst, guard } => self.vote(*mode, *cond, *dst, *guard),
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

    /// An operation's instructions, each under the guard.
    fn op(&mut self, op: &Op, guard: &str) {
        let Op { list, op, dst, a, b, c, imm } = *op;
        let mut text = list.template(op, self.sm).to_owned();
        if let (List::Int, Some(imm)) = (list, imm) {
            text = text.replace("$rb", &(imm & 0x7fff_ffff).to_string());
        }
        for (letter, count, register) in
            [('r', WORDS, "r"), ('f', FLOATS, "f"), ('w', WIDES, "d"), ('e', DOUBLES, "e")]
        {
            for (role, number) in [('d', dst), ('a', a), ('b', b), ('c', c)] {
                text = text.replace(&format!("${letter}{role}"), &format!("%{register}{}", number % count));
            }
        }
        let text = text.replace("$own", "%dense").replace("$double", "%double").replace("$mine", "%mine");
        for instruction in text.split("; ") {
            self.line(&format!("{guard}{instruction};"));
        }
    }

    fn vector(&mut self, store: bool, form: u8, reg: u8, part: u8, guard: &str) {
        let forms = if self.sm >= FIRST_DOUBLE { &VECTORS[..] } else { &VECTORS[..8] };
        let (ty, letter, count) = forms[usize::from(form) % forms.len()];
        let of_kind = match letter {
            'r' => WORDS,
            'f' => FLOATS,
            'd' => WIDES,
            _ => DOUBLES,
        };
        let elements: Vec<String> =
            (0..count).map(|i| format!("%{letter}{}", (u32::from(reg) + i) % u32::from(of_kind))).collect();
        let elements = elements.join(", ");
        let bits: u32 = ty[1..].parse().expect("types end with their bits");
        let bytes = count * bits / 8;
        let offset = u32::from(part) % (ALIGNED / bytes) * bytes;
        if store {
            self.line(&format!("{guard}st.global.v{count}.{ty} [%aligned+{offset}], {{{elements}}};"));
        } else {
            self.line(&format!("{guard}ld.global.v{count}.{ty} {{{elements}}}, [%aligned+{offset}];"));
        }
    }

    fn tally(&mut self, op: u8, src: u8, index: u8, guard: &str) {
        let has: Vec<_> = TALLIES.iter().enumerate().filter(|(_, t)| t.from <= self.sm).collect();
        let Some((place, template)) = has.get(usize::from(op) % has.len().max(1)) else { return };
        let shared = template.text.contains("shared");
        self.heap |= shared;
        let (cells, bytes) = TALLY;
        self.line(&format!("and.b32 %t0, %r{index}, {};", (cells - 1) * bytes));
        self.line(&format!("add.u32 %t0, %t0, {};", if shared { "%heap" } else { "%tally" }));
        let text = template.text.replace("$t", &format!("%t0+{}", *place as u32 * cells * bytes));
        let text = text.replace("$ra", &format!("%r{src}")).replace("$wa", &format!("%d{}", src % WIDES));
        self.line(&format!("{guard}{text};"));
    }

    fn vote(&mut self, mode: Vote, cond: Cond, dst: u8, guard: Option<Cond>) {
        let p = self.cond(cond);
        let guard = guard.map_or_else(String::new, |guard| format!("@{} ", self.cond(guard)));
        let word = match mode {
            _ if self.sm < 12 => None,
            Vote::Ballot if self.sm >= 20 => {
                self.line(&format!("{guard}vote.ballot.b32 %t0, {p};"));
                self.line(&format!("{guard}add.u32 %r{dst}, %r{dst}, %t0;"));
                return;
            }
            Vote::All => Some("all"),
            Vote::Any | Vote::Ballot => Some("any"),
            Vote::Uni => Some("uni"),
        };
        match word {
            Some(word) => self.line(&format!("{guard}vote.{word}.pred %q, !{p};")),
            None => self.line(&format!("{guard}not.pred %q, {p};")),
        }
        self.line(&format!("{guard}selp.u32 %t0, 1, 2, %q;"));
        self.line(&format!("{guard}add.u32 %r{dst}, %r{dst}, %t0;"));
    }

    /// Copies the block's tallies in shared memory to global memory, if there are any.
    fn heap(&mut self) {
        if !self.heap {
            return;
        }
        let threads = self.extents.threads;
        let words = TALLY_BYTES / 4;
        for line in [
            "bar.sync 0;",
            &format!(
                "add.u32 %t3, %cta, 1;\nmad24.lo.u32 %t3, %t3, {TALLY_BYTES}, %tally;\nmov.u32 %t0, %tid;"
            ),
            &format!("HEAP:\nsetp.ge.u32 %q, %t0, {words};\n@%q bra HEAPEND;"),
            "mad24.lo.u32 %t1, %t0, 4, %heap;\nld.shared.u32 %t2, [%t1];",
            "mad24.lo.u32 %t1, %t0, 4, %t3;\nst.global.u32 [%t1], %t2;",
            &format!("add.u32 %t0, %t0, {threads};\nbra HEAP;\nHEAPEND:"),
        ] {
            self.line(line);
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
        let doubles = if self.sm >= FIRST_DOUBLE { u32::from(DOUBLES) } else { 0 };
        for k in 0..doubles {
            let offset = 8 * (u32::from(WIDES) + k) * all;
            self.line(&format!("{guard}st.global.f64 [%out8+{offset}], %e{k};"));
        }
    }
}
