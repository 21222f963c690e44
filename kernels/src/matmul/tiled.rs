//! Tiled products: all variants, generated from one template (`ptx/matmul/tiled.template`).

use super::words;
use crate::template::{define, fill};
use isa::types::Dim3;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("../../ptx/matmul/tiled.template");
const CUDA: &str = include_str!("../../cuda/matmul_tiled.cu");

/// Bytes that an operand in shared memory reaches from its address register on G80 and GT200: the
/// offset has 128 words (the open compiler for these chips, Mesa's `nv50_ir_target_nv50.cpp`, adds
/// at most 127 words).
const REACH: u32 = 512;

/// A variant of the tiled product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiled {
    /// Rows and columns of a block's threads, and of a tile: 2, 4, 8, 16 or 32.
    pub tile: u32,
    /// Tiles of the product per block, side by side, a power of two: the elements per thread.
    pub merged: u32,
    /// Whether the loop over a tile is unrolled.
    pub unrolled: bool,
    /// Whether the words of the next phase are prefetched during the multiplication.
    pub prefetching: bool,
    /// Barriers of a phase.
    pub barriers: Barriers,
    /// Bytes of Ns that the unrolled loop reaches from one address register before it must add to
    /// it. `None`: no limit.
    pub reach: Option<u32>,
}

/// The barriers of a phase. A correct product needs both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barriers {
    /// Both: the product is correct.
    Both,
    /// The first is missing: words are read before they are written.
    WithoutFirst,
    /// The second is missing: words are overwritten before they are read.
    WithoutSecond,
}

impl Tiled {
    /// Tiles of `tile` x `tile`, one element per thread, the plain loop.
    pub const fn new(tile: u32) -> Self {
        Self {
            tile,
            merged: 1,
            unrolled: false,
            prefetching: false,
            barriers: Barriers::Both,
            reach: Some(REACH),
        }
    }

    /// Sets the elements per thread.
    #[must_use]
    pub const fn merged(self, merged: u32) -> Self {
        Self { merged, ..self }
    }

    /// Unrolls the loop over a tile.
    #[must_use]
    pub const fn unrolled(self) -> Self {
        Self { unrolled: true, ..self }
    }

    /// Prefetches the words of the next phase.
    #[must_use]
    pub const fn prefetching(self) -> Self {
        Self { prefetching: true, ..self }
    }

    /// Removes the limit of offsets in shared memory: the unrolled loop computes no addresses.
    #[must_use]
    pub const fn reaching_everywhere(self) -> Self {
        Self { reach: None, ..self }
    }

    /// Sets the barriers.
    #[must_use]
    pub const fn barriers(self, barriers: Barriers) -> Self {
        Self { barriers, ..self }
    }

    /// Returns the twelve variants of chapter 6 with tiles of `tile` x `tile`: with and without
    /// unrolling, with and without prefetching, for 1, 2 and 4 elements per thread.
    pub fn chapter_6(tile: u32) -> impl Iterator<Item = Self> {
        [1, 2, 4].into_iter().flat_map(move |merged| {
            let plain = Self::new(tile).merged(merged);
            [plain, plain.prefetching(), plain.unrolled(), plain.unrolled().prefetching()]
        })
    }

    /// Name of the variant: `16x16-1x2-unrolled-prefetch`.
    pub fn name(self) -> String {
        let Self { tile, merged, .. } = self;
        let unrolled = if self.unrolled { "-unrolled" } else { "" };
        let prefetch = if self.prefetching { "-prefetch" } else { "" };
        let barriers = match self.barriers {
            Barriers::Both => "",
            Barriers::WithoutFirst => "-without-first-barrier",
            Barriers::WithoutSecond => "-without-second-barrier",
        };
        format!("{tile}x{tile}-1x{merged}{unrolled}{prefetch}{barriers}")
    }

    /// Name of the kernel in its text: `matmul_16x16_1x2_unrolled_prefetch`.
    pub fn entry(self) -> String {
        format!("matmul_{}", self.name().replace('-', "_"))
    }

    /// Threads per block.
    pub const fn block(self) -> Dim3 {
        Dim3::new(self.tile, self.tile, 1)
    }

    /// Columns of the product per block; the width of the matrices is a multiple of it.
    pub const fn wide(self) -> u32 {
        self.tile * self.merged
    }

    /// Grid for the product of two matrices with `width` rows and columns.
    pub const fn grid(self, width: u32) -> Dim3 {
        Dim3::new(width / self.wide(), width / self.tile, 1)
    }

    /// Registers per thread, if published.
    pub fn published_registers(self) -> Option<u32> {
        let plain = self.tile == 16 && self.merged == 1 && !self.prefetching;
        plain.then_some(super::PUBLISHED_REGISTERS)
    }

    /// Fills the template.
    pub fn text(self) -> String {
        let Self { tile, merged, .. } = self;
        let (log, log_merged) = (tile.ilog2(), merged.ilog2());
        let (s, are) = if merged == 1 { ("", "is") } else { ("s", "are") };
        let values = [
            ("BOOK", words::book(self).to_owned()),
            ("ABOUT", words::head(self)),
            ("PSEUDO", words::pseudo_code(self)),
            ("LOOK", words::what_to_look_for(self)),
            ("ENTRY", self.entry()),
            ("TILE", tile.to_string()),
            ("WIDE", self.wide().to_string()),
            ("MERGED", merged.to_string()),
            ("S", s.to_owned()),
            ("ARE", are.to_owned()),
            ("WORDS", (tile * tile * (1 + merged)).to_string()),
            ("NS", self.ns().to_string()),
            ("LOG", log.to_string()),
            ("LOG_WIDE", (log + log_merged).to_string()),
            ("LOG_ROWS", (log + 2).to_string()),
            ("PITCH_M", (4 * tile).to_string()),
            ("PITCH_N", self.pitch().to_string()),
            ("CLEAR", self.each(|text, g| writeln!(text, "\tmov.f32\t\t%sum{g}, 0f00000000;"))),
            ("FIRST", self.first()),
            ("FETCH", self.fetch()),
            ("BARRIER_1", self.first_barrier().to_owned()),
            ("PREFETCH", self.ahead()),
            ("INNER", if self.unrolled { self.straight() } else { self.looped() }),
            ("BARRIER_2", self.second_barrier().to_owned()),
            (
                "STORE",
                self.each(|text, g| writeln!(text, "\tst.global.f32\t[%p+{}], %sum{g};", 4 * tile * g)),
            ),
        ];
        fill(TEMPLATE, &values)
    }

    /// Returns the kernel in CUDA C, with both barriers and under the name `entry`.
    pub fn cuda(self, entry: &str) -> String {
        let unroll = if self.unrolled { self.tile } else { 1 };
        let values = [
            ("ENTRY", entry.to_owned()),
            ("TILE", self.tile.to_string()),
            ("MERGED", self.merged.to_string()),
            ("UNROLL", unroll.to_string()),
            ("PREFETCH", u8::from(self.prefetching).to_string()),
        ];
        define(&values, CUDA)
    }

    /// Bytes from Ms to Ns.
    fn ns(self) -> u32 {
        4 * self.tile * self.tile
    }

    /// Bytes of a row of Ns.
    fn pitch(self) -> u32 {
        4 * self.wide()
    }

    /// Concatenates the output of `line` for each of the merged tiles.
    fn each(self, mut line: impl FnMut(&mut String, u32) -> std::fmt::Result) -> String {
        let mut text = String::new();
        for g in 0..self.merged {
            line(&mut text, g).expect("writing to a string succeeds");
        }
        text
    }

    /// Returns the loads of a phase into registers, with a guard or with none.
    fn loads(self, guard: &str) -> String {
        let tile = self.tile;
        format!("\t{guard}ld.global.f32\t%next_m, [%m];\n")
            + &self
                .each(|text, g| writeln!(text, "\t{guard}ld.global.f32\t%next_n{g}, [%n+{}];", 4 * tile * g))
    }

    /// Returns the code before the loop over the phases.
    fn first(self) -> String {
        if !self.prefetching {
            return String::new();
        }
        "\n\t// The words of phase 0.\n".to_owned() + &self.loads("")
    }

    /// Returns the beginning of a phase: the loads, unless they were prefetched, and the stores
    /// into the tiles.
    fn fetch(self) -> String {
        let tile = self.tile;
        let stores = "\tst.shared.f32\t[%my_m], %next_m;\n".to_owned()
            + &self.each(|text, g| writeln!(text, "\tst.shared.f32\t[%my_n+{}], %next_n{g};", 4 * tile * g));
        if self.prefetching {
            return "\t// The prefetched words go into the tiles: the stores wait for them.\n".to_owned()
                + &stores;
        }
        format!("\t// The block fetches its tiles, {} words each thread, and stores them.\n", 1 + self.merged)
            + &self.loads("")
            + &stores
    }

    /// Returns the prefetching loads of the next phase.
    fn ahead(self) -> String {
        if !self.prefetching {
            return String::new();
        }
        "\n\t// The words of the next phase, if there is one: they arrive while this phase is multiplied.\n"
            .to_owned()
            + &self.loads("@%again ")
    }

    fn first_barrier(self) -> &'static str {
        match self.barriers {
            Barriers::WithoutFirst => {
                "\n\t// Here a barrier is missing: words of the tiles are read before they are written."
            }
            _ => {
                "\n\t// First barrier: no thread may read a word before another thread has written it.\n\tbar.sync\t0;"
            }
        }
    }

    fn second_barrier(self) -> &'static str {
        match self.barriers {
            Barriers::WithoutSecond => {
                "\t// Here a barrier is missing: words of the tiles are overwritten before other threads have read them."
            }
            _ => {
                "\t// Second barrier: no thread may overwrite a word before other threads have read it.\n\tbar.sync\t0;"
            }
        }
    }

    /// Returns the multiply-adds of one step, with words at offsets `m` and `n` bytes from the
    /// pointers into Ms and Ns. A word that is used once is loaded directly before its use, so that
    /// it becomes an operand of the multiply-add on compute capability 1.x.
    fn step(self, m: u32, n: u32) -> String {
        format!("\tld.shared.f32\t%left, [%ms+{m}];\n")
            + &self.each(|text, g| {
                writeln!(text, "\tld.shared.f32\t%right, [%ns+{}];", n + 4 * self.tile * g)?;
                writeln!(text, "\tmad.f32\t\t%sum{g}, %left, %right, %sum{g};")
            })
    }

    /// Returns the unrolled loop over a tile.
    fn straight(self) -> String {
        let head = format!(
            "\t// The loop over k, unrolled {} times: its addresses are offsets in the instructions.\n",
            self.tile
        );
        let Some(reach) = self.reach else {
            return (0..self.tile).fold(head, |text, k| text + &self.step(4 * k, self.pitch() * k));
        };
        let rows = (reach / self.pitch()).max(1);
        let windows = (self.tile - 1) / rows;
        let bytes = rows * self.pitch();
        let further = format!("\tadd.u32\t\t%ns, %ns, {bytes};\t\t// the limit of an operand's offset\n");
        let steps = (0..self.tile).fold(head, |text, k| {
            let begins = if k > 0 && k % rows == 0 { further.as_str() } else { "" };
            text + begins + &self.step(4 * k, self.pitch() * (k % rows))
        });
        if windows == 0 {
            return steps;
        }
        steps + &format!("\tsub.u32\t\t%ns, %ns, {};\t\t// back to the first row\n", windows * bytes)
    }

    /// Returns the plain loop over a tile.
    fn looped(self) -> String {
        let (row, pitch) = (4 * self.tile, self.pitch());
        format!(
            "\t// {} multiply-adds on words of the tiles: no global memory in here.\n",
            self.tile * self.merged
        ) + &format!("\tadd.u32\t\t%ms_end, %ms, {row};\t\t// one past Ms[ty][{}]\ninner:\n", self.tile - 1)
            + &self.step(0, 0)
            + "\tadd.u32\t\t%ms, %ms, 4;\t\t\t// next column of Ms\n"
            + &format!("\tadd.u32\t\t%ns, %ns, {pitch};\t\t// next row of Ns\n")
            + "\tsetp.lt.u32\t%more, %ms, %ms_end;\n\t@%more bra\tinner;\n"
            + &format!("\tsub.u32\t\t%ms, %ms, {row};\t\t// back to the first column\n")
            + &format!("\tsub.u32\t\t%ns, %ns, {};\t\t// and the first row\n", self.tile * pitch)
    }
}
