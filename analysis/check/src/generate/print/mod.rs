//! Prints a tree as PTX text for a target and one grid: the extents are numbers in the text.

mod communication;
mod private;

use super::frame::{
    BOARD_BYTES, Extents, FIRST_DOUBLE, INPUT_BYTES, SCATTERED, SLOT_BYTES, TALLY_BYTES, prologue,
};
use super::functions::functions;
use super::tree::{Block, Cell, Cond, DOUBLES, FLOATS, Stmt, WIDES, WORDS, Width};
use std::fmt::Write;

/// A printed kernel.
#[derive(Clone, Debug)]
pub struct Printed {
    /// The module; its entry is `k`.
    pub text: String,
    /// Byte offset of the kernel's own statements in the text.
    pub body: usize,
    /// Bytes of global memory that its exchanges need.
    pub cell_bytes: u32,
}

/// Blocks with index `cta` and `cta & mask == value` wait forever: warp 0 at barrier 14, the others
/// at barrier 15. Blocks of one warp pass. `mask` and `value` are replaced.
const DEADLOCK: &str = "and.b32 %stops, %cta, MASK;
setp.ne.u32 %stop0, %stops, VALUE;
@%stop0 bra PASSED;
setp.ge.u32 %stop1, %tid, 32;
@%stop1 bra OTHERS;
bar.sync 14;
bra.uni PASSED;
OTHERS:
bar.sync 15;
PASSED:
";

impl Printed {
    /// Returns the text with a barrier deadlock of some blocks, at a point that all their threads
    /// reach: at the beginning of the kernel, at its end, or at one of its barriers. `which`
    /// selects the blocks and the point.
    pub fn deadlocked(&self, which: u32) -> String {
        let (before, body) = self.text.split_at(self.body);
        let end = body.rfind("exit;\n}").expect("a kernel ends");
        let barriers = body.match_indices("\nbar.sync").map(|(at, _)| at + 1);
        let places: Vec<usize> = [0, end].into_iter().chain(barriers).collect();
        let at = places[which as usize / 16 % places.len()];
        let mask = [0, 1, 3, 7][which as usize % 4];
        let value = (which / 4) & mask;
        let deadlock = DEADLOCK.replace("MASK", &mask.to_string()).replace("VALUE", &value.to_string());
        let registers = ".reg .u32 %stops;\n.reg .pred %stop<2>;\n.reg .u32 %r<";
        let before = before.replace(".reg .u32 %r<", registers);
        format!("{before}{}{deadlock}{}", &body[..at], &body[at..])
    }
}

/// Prints `body` for target `sm` and a launch of `extents`.
pub fn print(body: &Block, extents: Extents, sm: u32) -> Printed {
    let text = String::new();
    let mut printer = Printer {
        extents,
        sm,
        text,
        labels: 0,
        cell_bytes: 0,
        repeats: 0,
        heap: false,
        calls: false,
        left: false,
    };
    printer.block(body);
    printer.results("");
    printer.heap();
    let version = if sm < 20 { "1.4" } else { "2.3" };
    let mut text = format!(".version {version}\n.target sm_{sm}\n");
    text.push_str(&if printer.calls { functions(sm) } else { String::new() });
    text.push_str(".entry k (");
    text.push_str(".param .u32 input, .param .u32 own, .param .u32 warp_cells, ");
    text.push_str(".param .u32 cells, .param .u32 out, .param .u32 tally, .param .u32 counts)\n{\n");
    let declared = printer.labels.max(1);
    let _ = writeln!(text, ".shared .align 8 .b8 board[{BOARD_BYTES}];");
    let _ = writeln!(text, ".shared .align 8 .b8 heap[{TALLY_BYTES}];\n.shared .u32 mine[{MOST_THREADS}];");
    let _ = writeln!(text, ".reg .u32 %r<{WORDS}>, %t<4>, %c<{declared}>;");
    let _ = writeln!(
        text,
        ".reg .u32 %tid, %cta, %all, %lane, %dense, %double, %scattered, %aligned, %warp_cells;"
    );
    let _ = writeln!(text, ".reg .u32 %cells, %board, %out, %out8, %tally, %heap, %mine;\n.reg .b16 %h<2>;");
    let _ =
        writeln!(text, ".reg .f32 %f<{FLOATS}>;\n.reg .u64 %d<{WIDES}>;\n.reg .pred %p<{declared}>, %q, %z;");
    if sm >= FIRST_DOUBLE {
        let _ = writeln!(text, ".reg .f64 %e<{DOUBLES}>;");
    }
    let _ = writeln!(text, ".local .align 8 .b8 slot[{SLOT_BYTES}];\n.reg .u32 %slot;\nmov.u32 %slot, slot;");
    if printer.calls && sm >= 20 {
        text.push_str("ALIKE: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);\n");
    }
    text.push_str(&prologue(extents, sm));
    let body = text.len();
    text.push_str(&printer.text);
    text.push_str("exit;\n}\n");
    Printed { text, body, cell_bytes: printer.cell_bytes.max(8) }
}

/// Maximum number of threads per block.
const MOST_THREADS: u32 = 128;

struct Printer {
    extents: Extents,
    /// Target.
    sm: u32,
    text: String,
    /// Number of labels, predicates and counters so far.
    labels: u32,
    cell_bytes: u32,
    /// Number of enclosing loops that all threads of the block execute.
    repeats: u32,
    /// Whether a tally in shared memory exists.
    heap: bool,
    /// Whether functions are called.
    calls: bool,
    /// Whether some threads may have exited.
    left: bool,
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

    /// Prints a statement; `guard` (such as `@%p1 `) precedes instructions with an effect.
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
            Stmt::Private { store, cell, width, reg, part } => {
                let (base, bytes) = match cell {
                    Cell::Dense if *width != Width::B64 => ("%dense", 4),
                    Cell::Scattered => ("%scattered", SCATTERED),
                    _ => ("%double", 8),
                };
                let offset = u32::from(*part) % (bytes / width.bytes()) * width.bytes();
                self.access(guard, *store, "global", *width, *reg, &format!("{base}+{offset}"));
            }
            Stmt::WarpCell { store, width, reg, index } => {
                self.line(&format!("and.b32 %t0, %r{index}, {};", 31 & !(width.bytes() - 1)));
                self.line("add.u32 %t0, %t0, %warp_cells;");
                self.access(guard, *store, "global", *width, *reg, "%t0");
            }
            Stmt::Vector { store, form, reg, part } => self.vector(*store, *form, *reg, *part, guard),
            Stmt::Slot { store, width, reg, index } => self.slot(*store, *width, *reg, *index, guard),
            Stmt::Call { callee, dst, a, b } => self.call(*callee, *dst, *a, *b, guard),
            Stmt::Reduce { mode, cond, dst, barrier } => self.reduce(*mode, *cond, *dst, *barrier),
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
                self.left = true;
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
