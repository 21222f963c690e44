//! The products by tiles: all variants of one template (`ptx/matmul/tiled.template`), filled in.

use super::words;
use crate::measure::programs::fill;
use isa::types::Dim3;
use std::fmt::Write;

const TEMPLATE: &str = include_str!("../../ptx/matmul/tiled.template");

/// Bytes that an operand in shared memory reaches from its address register on G80 and GT200: the
/// offset is one of 128 words (the open compiler for these chips, Mesa's `nv50_ir_target_nv50.cpp`,
/// adds no more than 127 to one).
const REACH: u32 = 512;

/// How a product by tiles is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tiled {
    /// Rows and columns of a block's threads, and of a tile: 2, 4, 8, 16 or 32.
    pub tile: u32,
    /// Tiles of the product that a block makes side by side, a power of two: the granularity of a
    /// thread.
    pub merged: u32,
    /// The loop over a tile is unrolled.
    pub unrolled: bool,
    /// The words of the next phase are fetched while this one's are multiplied.
    pub prefetching: bool,
    /// The barriers of a phase that are there.
    pub barriers: Barriers,
    /// Bytes of Ns that the unrolled loop reaches from one address register; behind them it adds.
    /// `None`: all of them.
    pub reach: Option<u32>,
}

/// Which barriers a phase has. It needs both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barriers {
    /// Both: the product is right.
    Both,
    /// The first is missing: words are read before they are written.
    WithoutFirst,
    /// The second is missing: words are overwritten before they are read.
    WithoutSecond,
}

impl Tiled {
    /// Tiles of `tile` x `tile`, an element for each thread, the plain loop.
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

    /// Elements for each thread.
    #[must_use]
    pub const fn merged(self, merged: u32) -> Self {
        Self { merged, ..self }
    }

    /// With the loop over a tile unrolled.
    #[must_use]
    pub const fn unrolled(self) -> Self {
        Self { unrolled: true, ..self }
    }

    /// With the next phase's words fetched ahead.
    #[must_use]
    pub const fn prefetching(self) -> Self {
        Self { prefetching: true, ..self }
    }

    /// As if an operand in shared memory could lie anywhere: the unrolled loop works out no
    /// address.
    #[must_use]
    pub const fn reaching_everywhere(self) -> Self {
        Self { reach: None, ..self }
    }

    /// With these barriers.
    #[must_use]
    pub const fn barriers(self, barriers: Barriers) -> Self {
        Self { barriers, ..self }
    }

    /// The twelve variants of chapter 6 with tiles of `tile` x `tile`: without and with unrolling,
    /// without and with prefetching, for 1, 2 and 4 elements of each thread.
    pub fn chapter_6(tile: u32) -> impl Iterator<Item = Self> {
        [1, 2, 4].into_iter().flat_map(move |merged| {
            let plain = Self::new(tile).merged(merged);
            [plain, plain.prefetching(), plain.unrolled(), plain.unrolled().prefetching()]
        })
    }

    /// The name of the variant: `16x16-1x2-unrolled-prefetch`.
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

    /// The name of the kernel in its text: `matmul_16x16_1x2_unrolled_prefetch`.
    pub fn entry(self) -> String {
        format!("matmul_{}", self.name().replace('-', "_"))
    }

    /// Threads of a block.
    pub const fn block(self) -> Dim3 {
        Dim3::new(self.tile, self.tile, 1)
    }

    /// Columns of the product that a block makes; the width of the matrices is a multiple of it.
    pub const fn wide(self) -> u32 {
        self.tile * self.merged
    }

    /// Blocks of the product of two matrices with `width` rows and columns.
    pub const fn grid(self, width: u32) -> Dim3 {
        Dim3::new(width / self.wide(), width / self.tile, 1)
    }

    /// Registers of a thread, where they are published.
    pub fn published_registers(self) -> Option<u32> {
        let plain = self.tile == 16 && self.merged == 1 && !self.prefetching;
        plain.then_some(super::PUBLISHED_REGISTERS)
    }

    /// The template, filled in.
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

    /// Bytes from Ms to Ns.
    fn ns(self) -> u32 {
        4 * self.tile * self.tile
    }

    /// Bytes of a row of Ns.
    fn pitch(self) -> u32 {
        4 * self.wide()
    }

    /// What `line` writes for each of the merged tiles.
    fn each(self, mut line: impl FnMut(&mut String, u32) -> std::fmt::Result) -> String {
        let mut text = String::new();
        for g in 0..self.merged {
            line(&mut text, g).expect("a string takes what is written to it");
        }
        text
    }

    /// The loads of a phase into registers, under a guard or none.
    fn loads(self, guard: &str) -> String {
        let tile = self.tile;
        format!("\t{guard}ld.global.f32\t%next_m, [%m];\n")
            + &self
                .each(|text, g| writeln!(text, "\t{guard}ld.global.f32\t%next_n{g}, [%n+{}];", 4 * tile * g))
    }

    /// What stands in front of the loop over the phases.
    fn first(self) -> String {
        if !self.prefetching {
            return String::new();
        }
        "\n\t// The words of phase 0.\n".to_owned() + &self.loads("")
    }

    /// What a phase begins with: the loads, where nothing was fetched ahead, and the stores into
    /// the tiles.
    fn fetch(self) -> String {
        let tile = self.tile;
        let stores = "\tst.shared.f32\t[%my_m], %next_m;\n".to_owned()
            + &self.each(|text, g| writeln!(text, "\tst.shared.f32\t[%my_n+{}], %next_n{g};", 4 * tile * g));
        if self.prefetching {
            return "\t// The words that were fetched ahead go into the tiles: here they are waited for.\n"
                .to_owned()
                + &stores;
        }
        format!("\t// The block fetches its tiles, {} words each thread, and stores them.\n", 1 + self.merged)
            + &self.loads("")
            + &stores
    }

    /// The loads of the next phase, where they come ahead.
    fn ahead(self) -> String {
        if !self.prefetching {
            return String::new();
        }
        "\n\t// The words of the next phase, if there is one: they travel while this phase is multiplied.\n"
            .to_owned()
            + &self.loads("@%again ")
    }

    fn first_barrier(self) -> &'static str {
        match self.barriers {
            Barriers::WithoutFirst => {
                "\n\t// Here a barrier is missing: words of the tiles are read that nobody has written yet."
            }
            _ => {
                "\n\t// First barrier: no thread may read a word that another one has not written yet.\n\tbar.sync\t0;"
            }
        }
    }

    fn second_barrier(self) -> &'static str {
        match self.barriers {
            Barriers::WithoutSecond => {
                "\t// Here a barrier is missing: words of the tiles are overwritten that others still have to read."
            }
            _ => {
                "\t// Second barrier: no thread may overwrite a word that another one still has to read.\n\tbar.sync\t0;"
            }
        }
    }

    /// Multiply-adds of one step, with the words `m` and `n` bytes from where the pointers into Ms
    /// and Ns point. What is used once is loaded right before: an operand of the multiply-add on
    /// compute capability 1.x.
    fn step(self, m: u32, n: u32) -> String {
        format!("\tld.shared.f32\t%left, [%ms+{m}];\n")
            + &self.each(|text, g| {
                writeln!(text, "\tld.shared.f32\t%right, [%ns+{}];", n + 4 * self.tile * g)?;
                writeln!(text, "\tmad.f32\t\t%sum{g}, %left, %right, %sum{g};")
            })
    }

    /// The loop over a tile, unrolled.
    fn straight(self) -> String {
        let head = format!(
            "\t// The loop over k, written out {} times: its addresses are numbers in the instructions.\n",
            self.tile
        );
        let Some(reach) = self.reach else {
            return (0..self.tile).fold(head, |text, k| text + &self.step(4 * k, self.pitch() * k));
        };
        let rows = (reach / self.pitch()).max(1);
        let windows = (self.tile - 1) / rows;
        let bytes = rows * self.pitch();
        let further =
            format!("\tadd.u32\t\t%ns, %ns, {bytes};\t\t// an operand's offset reaches no further\n");
        let steps = (0..self.tile).fold(head, |text, k| {
            let begins = if k > 0 && k % rows == 0 { further.as_str() } else { "" };
            text + begins + &self.step(4 * k, self.pitch() * (k % rows))
        });
        if windows == 0 {
            return steps;
        }
        steps + &format!("\tsub.u32\t\t%ns, %ns, {};\t\t// back to the first row\n", windows * bytes)
    }

    /// The loop over a tile.
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
