//! Matrix products as published: one thread per element, and by tiles in all variants, whose text comes from one
//! template (`ptx/measure/matmul.template`).

use super::{compiled_for, fill, unknown, wave};
use crate::RunError;
use crate::measure::lab::Lab;
use crate::measure::{Experiment, Measured, Scale};
use isa::Options;
use isa::types::Dim3;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch};
use std::fmt::Write;

const NAIVE: &str = include_str!("../../../ptx/matmul_naive.ptx");
const TILED: &str = include_str!("../../../ptx/measure/matmul.template");
/// Rows and columns of the short run. 4 KB rows go round the partitions of G80 as the 16 KB rows of 4096 columns do:
/// both are 1,024 bytes over a multiple of their 1,536.
const SHORT: u32 = 1024;
/// Waves of resident blocks in the short run, and of those that make an element with each thread, which take long.
const WAVES: u32 = 2;
const ELEMENTWISE_WAVES: u32 = 1;

/// The rows.
pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { rows: &["V187", "V188", "V200", "V306", "V307", "V308", "V309"], run }];

/// How a product is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant {
    /// Rows and columns of a block's threads, and of a tile.
    tile: u32,
    /// Tiles of the result that a block makes, side by side: the granularity of a thread. 0: no tiles at all.
    merged: u32,
    /// The loop over a tile is unrolled.
    unrolled: bool,
    /// The next tile is fetched ahead.
    prefetching: bool,
    /// Registers of a thread, where they are published.
    registers: Option<u32>,
}

/// One thread per element, all operands from global memory.
const ELEMENTWISE: Variant =
    Variant { tile: 16, merged: 0, unrolled: false, prefetching: false, registers: None };
/// 10 registers: Ryoo et al., `PPoPP` 2008; Kirk & Hwu, sections 5.4 and 6.3.
const TILED_16: Variant = Variant { merged: 1, registers: Some(10), ..ELEMENTWISE };
const UNROLLED_16: Variant = Variant { unrolled: true, ..TILED_16 };

/// What is tried for a row, of which the best is its value; and rows and columns of the published matrices.
fn variants(row: &str) -> Option<(&'static [Variant], u32)> {
    const MERGED: [Variant; 2] = [
        Variant { merged: 2, registers: None, ..UNROLLED_16 },
        Variant { merged: 4, registers: None, ..UNROLLED_16 },
    ];
    // Fetching ahead costs registers, and so a block of three: any number from 11 to 16 does.
    const PREFETCHING: Variant = Variant { prefetching: true, registers: Some(11), ..UNROLLED_16 };
    match row {
        "V187" => Some((&[Variant { tile: 8, ..TILED_16 }], 2048)),
        "V188" => Some((&MERGED, 2048)),
        "V200" | "V306" => Some((&[ELEMENTWISE], 4096)),
        "V307" => Some((&[TILED_16], 4096)),
        "V308" => Some((&[UNROLLED_16], 4096)),
        "V309" => Some((&[PREFETCHING], 4096)),
        _ => None,
    }
}

fn run(chip: &Chip, row: &str, scale: Scale) -> Result<Measured, RunError> {
    let (variants, published) = variants(row).ok_or_else(|| unknown(row))?;
    let mut best = 0.0f64;
    for &variant in variants {
        let mut lab = laboratory(chip, variant)?;
        let width = super::by_scale(scale, SHORT, published);
        let words = u64::from(width) * u64::from(width);
        let factors = [lab.allocate(words)?, lab.allocate(words)?];
        let product = lab.allocate(words)?;
        let mut launch = variant.launch(&lab, factors, product, width);
        if scale == Scale::Short {
            launch.grid = some_blocks(variant.waves() * wave(&lab, &launch), launch.grid.x);
        }
        let report = lab.run(&launch)?;
        let threads = launch.grid.count() * launch.block.count();
        let words = threads * u64::from(variant.merged.max(1));
        best = best.max(2.0 * words as f64 * f64::from(width) / Lab::kernel_ns(&report));
    }
    let measured = Measured::emergent(best);
    Ok(match scale {
        Scale::Short => {
            let waves = variants.iter().map(|variant| variant.waves()).max().unwrap_or(0);
            let s = if waves == 1 { "" } else { "s" };
            measured.instead(format!(
                "{waves} wave{s} of blocks of a {SHORT} x {SHORT} product instead of {published} x {published}"
            ))
        }
        Scale::Full => measured,
    })
}

/// A grid of so many blocks, as wide as possible and `most` wide at most.
fn some_blocks(blocks: u32, most: u32) -> Dim3 {
    let wide = (1..=most.min(blocks)).rev().find(|&wide| blocks.is_multiple_of(wide)).unwrap_or(1);
    Dim3::new(wide, blocks / wide, 1)
}

fn laboratory(chip: &Chip, variant: Variant) -> Result<Lab, RunError> {
    let (file, text) = if variant.merged == 0 {
        ("matmul_naive.ptx", NAIVE.to_owned())
    } else {
        ("matmul.ptx", variant.text())
    };
    Lab::new(chip.clone(), file, &compiled_for(chip, &text), Options::default())
}

impl Variant {
    /// Waves of blocks in the short run.
    fn waves(self) -> u32 {
        if self.merged == 0 { ELEMENTWISE_WAVES } else { WAVES }
    }

    /// The whole product of two matrices with `width` rows and columns.
    fn launch(self, lab: &Lab, [m, n]: [DevicePtr; 2], p: DevicePtr, width: u32) -> Launch {
        let entry = if self.merged == 0 { "matmul_naive" } else { "tiled" };
        let grid = (width / self.tile / self.merged.max(1), width / self.tile);
        let args = [Arg::Ptr(m), Arg::Ptr(n), Arg::Ptr(p), Arg::S32(width as i32)];
        let launch = Launch::new(lab.module, entry, grid, (self.tile, self.tile)).args(args);
        Launch { registers: self.registers, ..launch }
    }

    /// The template, filled in.
    fn text(self) -> String {
        let Self { tile, merged, .. } = self;
        let (log, log_merged) = (tile.ilog2(), merged.ilog2());
        let values = [
            ("TILE", tile.to_string()),
            ("MERGED", merged.to_string()),
            ("WORDS", (tile * tile * (1 + merged)).to_string()),
            ("NS", self.ns().to_string()),
            ("LOG", log.to_string()),
            ("LOG_WIDE", (log + log_merged).to_string()),
            ("LOG_ROWS", (log + 2).to_string()),
            ("PITCH_M", (4 * tile).to_string()),
            ("PITCH_N", self.pitch().to_string()),
            ("CLEAR", self.each(|text, g| writeln!(text, "\tmov.f32\t\t%sum{g}, 0f00000000;"))),
            ("FIRST", if self.prefetching { self.loads("") } else { String::new() }),
            ("FETCH", self.fetch()),
            ("PREFETCH", if self.prefetching { self.loads("@%again ") } else { String::new() }),
            ("INNER", if self.unrolled { self.straight() } else { self.looped() }),
            (
                "STORE",
                self.each(|text, g| writeln!(text, "\tst.global.f32\t[%p+{}], %sum{g};", 4 * tile * g)),
            ),
        ];
        fill(TILED, &values)
    }

    /// Bytes from Ms to Ns.
    fn ns(self) -> u32 {
        4 * self.tile * self.tile
    }

    /// Bytes of a row of Ns.
    fn pitch(self) -> u32 {
        4 * self.tile * self.merged
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

    /// What a phase begins with: the loads, where nothing was fetched ahead, and the stores into the tiles.
    fn fetch(self) -> String {
        let (tile, ns) = (self.tile, self.ns());
        let stores = "\tst.shared.f32\t[%my_m], %next_m;\n".to_owned()
            + &self.each(|text, g| {
                writeln!(text, "\tst.shared.f32\t[%my_n+{}], %next_n{g};", ns + 4 * tile * g)
            });
        if self.prefetching { stores } else { self.loads("") + &stores }
    }

    /// Multiply-adds of one step, with Ms at `m` bytes and Ns at `n` bytes from where the pointers point. What is used
    /// once is loaded right before.
    fn step(self, m: u32, n: u32) -> String {
        format!("\tld.shared.f32\t%left, [%ms+{m}];\n")
            + &self.each(|text, g| {
                writeln!(text, "\tld.shared.f32\t%right, [%ns+{}];", self.ns() + n + 4 * self.tile * g)?;
                writeln!(text, "\tmad.f32\t\t%sum{g}, %left, %right, %sum{g};")
            })
    }

    /// The loop over a tile, unrolled.
    fn straight(self) -> String {
        (0..self.tile).map(|k| self.step(4 * k, self.pitch() * k)).collect()
    }

    /// The loop over a tile.
    fn looped(self) -> String {
        let (row, pitch) = (4 * self.tile, self.pitch());
        format!("\tadd.u32\t\t%ms_end, %ms, {row};\ninner:\n")
            + &self.step(0, 0)
            + &format!("\tadd.u32\t\t%ms, %ms, 4;\n\tadd.u32\t\t%ns, %ns, {pitch};\n")
            + "\tsetp.lt.u32\t%more, %ms, %ms_end;\n\t@%more bra\tinner;\n"
            + &format!("\tsub.u32\t\t%ms, %ms, {row};\n\tsub.u32\t\t%ns, %ns, {};\n", self.tile * pitch)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numbers::{floats, wholes};

    #[test]
    fn every_variant_multiplies() {
        let width = 64u32;
        let (left, right) = (wholes(1, 4096, -8, 8), wholes(2, 4096, -8, 8));
        let at = |i: usize| {
            let (row, column) = (i / 64, i % 64);
            (0..64).map(|k| left[64 * row + k] * right[64 * k + column]).sum::<i32>()
        };
        let expected: Vec<u32> = (0..4096).map(|i| (at(i) as f32).to_bits()).collect();
        let bits = |values: &[i32]| floats(values).iter().map(|v| v.to_bits()).collect::<Vec<_>>();
        for chip in ["g80", "fermi"] {
            for row in ["V187", "V188", "V306", "V307", "V308", "V309"] {
                for &variant in variants(row).unwrap().0 {
                    let mut lab = laboratory(&Chip::builtin(chip).unwrap(), variant).unwrap();
                    let factors = [lab.upload(&bits(&left)).unwrap(), lab.upload(&bits(&right)).unwrap()];
                    let product = lab.allocate(4096).unwrap();
                    let launch = variant.launch(&lab, factors, product, width);
                    lab.run(&launch).unwrap();
                    assert_eq!(lab.download(product, 4096).unwrap(), expected, "{variant:?} on {chip}");
                }
            }
        }
    }

    #[test]
    fn a_block_of_three_is_lost_to_prefetching_on_g80() {
        let blocks = |row: &str| {
            let variant = variants(row).unwrap().0[0];
            let mut lab = laboratory(&Chip::builtin("g80").unwrap(), variant).unwrap();
            let matrix = lab.allocate(256).unwrap();
            let launch = variant.launch(&lab, [matrix, matrix], matrix, 16);
            wave(&lab, &launch) / 16
        };
        assert_eq!([blocks("V307"), blocks("V308"), blocks("V309")], [3, 3, 2]);
    }

    #[test]
    fn grids_of_whole_waves_are_as_wide_as_they_can_be() {
        assert_eq!(some_blocks(96, 64), Dim3::new(48, 2, 1));
        assert_eq!(some_blocks(180, 64), Dim3::new(60, 3, 1));
        assert_eq!(some_blocks(7, 4), Dim3::new(1, 7, 1));
    }
}
