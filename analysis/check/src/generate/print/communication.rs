//! Statements by which threads of a block, or of the grid, communicate.

use super::super::frame::{Extents, TALLY, TALLY_BYTES};
use super::super::ops::TALLIES;
use super::super::tree::{Cond, Exchange, Vote, WIDES};
use super::Printer;

impl Printer {
    pub(super) fn tally(&mut self, op: u8, src: u8, index: u8, guard: &str) {
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

    pub(super) fn vote(&mut self, mode: Vote, cond: Cond, dst: u8, guard: Option<Cond>) {
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

    /// All threads of the block wait at a barrier and receive the reduction of their predicates.
    pub(super) fn reduce(&mut self, mode: Vote, cond: Cond, dst: u8, barrier: u8) {
        let p = self.cond(cond);
        let all = self.extents.threads.next_multiple_of(32);
        match mode {
            _ if self.sm < 20 => {
                self.line(&format!("bar.sync {barrier};"));
                return;
            }
            // With or without a count the result is the same, if no thread has exited.
            Vote::Uni if !self.left => self.line(&format!("bar.red.popc.u32 %t0, {barrier}, {all}, !{p};")),
            Vote::Ballot | Vote::Uni => self.line(&format!("bar.red.popc.u32 %t0, {barrier}, {p};")),
            Vote::All | Vote::Any => {
                let word = if mode == Vote::All { "and" } else { "or" };
                self.line(&format!("bar.red.{word}.pred %q, {barrier}, {p};"));
                self.line("selp.u32 %t0, 3, 5, %q;");
            }
        }
        self.line(&format!("add.u32 %r{dst}, %r{dst}, %t0;"));
    }

    /// Copies the block's tallies in shared memory to global memory, if there are any.
    pub(super) fn heap(&mut self) {
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

    /// Computes in `register` the address of the cell of thread `register`; cells begin at `base`.
    fn cell(&mut self, register: &str, stir: u32, bytes: u32, base: &str) {
        self.line(&format!("mul24.lo.u32 {register}, {register}, {};", 2 * stir + 1));
        self.line(&format!("and.b32 {register}, {register}, {};", self.extents.cells() - 1));
        self.line(&format!("mad24.lo.u32 {register}, {register}, {bytes}, {base};"));
    }

    pub(super) fn exchange(&mut self, x: &Exchange) {
        let Extents { blocks, threads, .. } = self.extents;
        let spread = if x.shared { x.spread.min(2) } else { x.spread };
        let bytes = x.width.bytes() << spread;
        let of_block = self.extents.cells() * bytes;
        let guard = x.guard.map_or_else(String::new, |cond| format!("@{} ", self.cond(cond)));
        let (space, base, offset) = if x.shared {
            ("shared", "%board", 0)
        } else {
            // Separate cells for each exchange, because there is no barrier between the loads of
            // this exchange and the stores of the next one.
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
}
