//! Arithmetic and memory accesses in a given ratio (`ptx/measure/mixbench.template`), as published
//! by mixbench.

use crate::measure::unit::Unit;
use crate::measure::{Measured, Scale};
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use kernels::lab::wave;
use kernels::template::fill;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Launch};
use std::fmt::Write;

const PTX: &str = include_str!("../../../../../kernels/ptx/measure/mixbench.template");
const THREADS: u32 = 256;
/// Arithmetic and memory slots of an iteration of the loop.
const SLOTS: u32 = 32;
/// Rows of a block's region; a row has one value per thread.
const ROWS: u32 = 32;
/// Published: 4,096 blocks and 8,192 iterations, 32 of which are one iteration of the unrolled
/// loop.
const BLOCKS: u32 = 4096;
const TRIPS: u32 = 8192 / SLOTS;
/// Size of the short run.
const SHORT_TRIPS: u32 = 16;
const WAVES: u32 = 2;

/// A ratio of arithmetic to memory accesses.
#[derive(Clone, Copy, Debug)]
pub struct Mix {
    /// Slots of arithmetic among 32.
    pub arithmetic: u32,
    /// Whether the arithmetic is in double precision.
    pub double: bool,
}

/// Measures a mix in the unit of its row.
pub fn run(chip: &Chip, mix: Mix, unit: Unit, scale: Scale) -> Result<Measured, RunError> {
    let mut lab = mix.laboratory(chip)?;
    let unsized_launch = Launch::new(lab.module, "mixbench", 1, THREADS);
    let resident = wave(&lab, &unsized_launch);
    let (blocks, trips) = super::by_scale(scale, (WAVES * resident, SHORT_TRIPS), (BLOCKS, TRIPS));
    let buffers = mix.buffers(&mut lab, blocks)?;
    let report =
        lab.run(&Launch::new(lab.module, "mixbench", blocks, THREADS).args(mix.args(buffers, trips)))?;
    let ns = Lab::kernel_ns(&report);
    let slots = f64::from(blocks) * f64::from(THREADS) * f64::from(trips);
    let value = match unit {
        Unit::GbPerSecond => slots * f64::from((SLOTS - mix.arithmetic) * mix.bytes()) / ns,
        // Four multiply-adds per slot.
        Unit::Gflops => slots * f64::from(mix.arithmetic * 8) / ns,
        _ => ns / 1e6 * f64::from(BLOCKS) / f64::from(blocks) * f64::from(TRIPS) / f64::from(trips),
    };
    let measured = Measured::new(value);
    let scaled = if unit == Unit::Milliseconds { ", the time in proportion" } else { "" };
    Ok(match scale {
        Scale::Short => measured.instead(format!(
            "{blocks} blocks and {} iterations instead of {BLOCKS} and 8192{scaled}",
            trips * SLOTS
        )),
        Scale::Full => measured,
    })
}

impl Mix {
    fn laboratory(self, chip: &Chip) -> Result<Lab, RunError> {
        Lab::new(chip.clone(), "mixbench.ptx", &self.text(), Options::default())
    }

    /// Bytes of a value.
    fn bytes(self) -> u32 {
        if self.double { 8 } else { 4 }
    }

    /// Pairs of a store and a load per iteration.
    fn pairs(self) -> u32 {
        (SLOTS - self.arithmetic) / 2
    }

    /// Allocates the buffers of loaded values, stored values and sums.
    fn buffers(self, lab: &mut Lab, blocks: u32) -> Result<[DevicePtr; 3], RunError> {
        let threads = u64::from(blocks) * u64::from(THREADS);
        let words = threads * u64::from(self.bytes() / 4);
        let rows = u64::from(ROWS);
        Ok([lab.allocate(words * rows)?, lab.allocate(words * rows)?, lab.allocate(words)?])
    }

    fn args(self, [from, to, sums]: [DevicePtr; 3], trips: u32) -> [Arg; 5] {
        let seed = if self.double { Arg::F64(SEED) } else { Arg::F32(SEED as f32) };
        [Arg::Ptr(from), Arg::Ptr(to), Arg::Ptr(sums), seed, Arg::U32(trips)]
    }

    /// Fills the template.
    fn text(self) -> String {
        let row = THREADS * self.bytes();
        let values = [
            ("T", if self.double { "f64" } else { "f32" }.to_owned()),
            ("LOG", self.bytes().ilog2().to_string()),
            ("LAST", ((ROWS - self.pairs()) * row).to_string()),
            ("ARITHMETIC", self.arithmetic_slots()),
            ("ACCESSES", self.access_slots(row)),
        ];
        // The slots contain the type as well, so they are filled in first.
        let [t, .., arithmetic, accesses] = &values;
        let text = fill(PTX, &[arithmetic.clone(), accesses.clone()]);
        fill(&text, &[t.clone(), values[1].clone(), values[2].clone()])
    }

    fn arithmetic_slots(self) -> String {
        let square = |k: u32| format!("\tfma.rn.@T@\t%a{k}, %a{k}, %a{k}, %b;\n");
        [0, 1, 2, 3].map(square).concat().repeat(self.arithmetic as usize)
    }

    fn access_slots(self, row: u32) -> String {
        let (pairs, mut text) = (self.pairs(), String::new());
        if pairs == 0 {
            return text;
        }
        for pair in 0..pairs {
            let (k, at) = (pair % 4, pair * row);
            writeln!(text, "\tst.global.@T@\t[%to+{at}], %a{k};\n\tld.global.@T@\t%a{k}, [%from+{at}];")
                .expect("writing to a string succeeds");
        }
        let step = pairs * row;
        text + &format!("\tadd.u32\t\t%from, %from, {step};\n\tadd.u32\t\t%to, %to, {step};\n")
            + "\tsetp.gt.u32\t%again, %from, %last;\n"
            + "\t@%again sub.u32\t%offset, %from, %first;\n"
            + "\t@%again sub.u32\t%to, %to, %offset;\n\t@%again mov.u32\t%from, %first;\n"
    }
}

/// Negative and small, so that a = a * a + b stays small.
const SEED: f64 = -1.0 / 65536.0;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::table::{self, Program};

    /// Result of a thread in its precision, as words: its stored rows, and its sum.
    macro_rules! reference {
        ($name:ident, $t:ty, $words:expr) => {
            fn $name(mix: Mix, i: u32, trips: u32) -> (Vec<Vec<u32>>, Vec<u32>) {
                let seed = SEED as $t;
                let mut a = [i as $t * seed; 4];
                for k in 1..4 {
                    a[k] = a[k - 1] + seed;
                }
                let (mut to, mut row) = (vec![0.0; ROWS as usize], 0);
                for _ in 0..trips {
                    for _ in 0..mix.arithmetic {
                        a = a.map(|a| a.mul_add(a, seed));
                    }
                    for pair in 0..mix.pairs() {
                        to[(row + pair) as usize] = a[pair as usize % 4];
                        a[pair as usize % 4] = value(i, row + pair) as $t;
                    }
                    row += mix.pairs();
                    if row > ROWS - mix.pairs() {
                        row = 0;
                    }
                }
                (to.into_iter().map($words).collect(), $words(a[0] + a[1] + a[2] + a[3]))
            }
        };
    }
    reference!(in_single, f32, single_words);
    reference!(in_double, f64, double_words);

    fn single_words(value: f32) -> Vec<u32> {
        vec![value.to_bits()]
    }

    fn double_words(value: f64) -> Vec<u32> {
        vec![value.to_bits() as u32, (value.to_bits() >> 32) as u32]
    }

    /// Initial value in a row of a thread.
    fn value(i: u32, row: u32) -> f64 {
        f64::from(i + 600 * row + 1) * SEED
    }

    /// Runs two blocks and returns the stored values and the sums, as words.
    fn simulated(mix: Mix, trips: u32) -> [Vec<u32>; 2] {
        let mut lab = mix.laboratory(&Chip::builtin("fermi").unwrap()).unwrap();
        let buffers = mix.buffers(&mut lab, 2).unwrap();
        let words = |value: f64| if mix.double { double_words(value) } else { single_words(value as f32) };
        let place = |block, row, t| words(value(block * THREADS + t, row));
        let all = (0..2).flat_map(|block| (0..ROWS).map(move |row| (block, row)));
        let from: Vec<u32> =
            all.flat_map(|(block, row)| (0..THREADS).flat_map(move |t| place(block, row, t))).collect();
        lab.write(buffers[0], &from).unwrap();
        lab.run(&Launch::new(lab.module, "mixbench", 2, THREADS).args(mix.args(buffers, trips))).unwrap();
        let sums = from.len() / ROWS as usize;
        [lab.download(buffers[1], from.len()).unwrap(), lab.download(buffers[2], sums).unwrap()]
    }

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn every_mix_computes_the_same_as_the_host() {
        let trips = 3;
        for row in table::published() {
            let Program::Mix { arithmetic, double } = row.program else { continue };
            let mix = Mix { arithmetic, double };
            let [to, sums] = simulated(mix, trips);
            let size = mix.bytes() as usize / 4;
            for i in 0..2 * THREADS {
                let (stored, sum) =
                    if mix.double { in_double(mix, i, trips) } else { in_single(mix, i, trips) };
                for (row, stored) in stored.iter().enumerate() {
                    let index = ((i / THREADS * ROWS + row as u32) * THREADS + i % THREADS) as usize;
                    assert_eq!(&to[index * size..][..size], stored, "{mix:?}, thread {i}, row {row}");
                }
                assert_eq!(sums[i as usize * size..][..size], sum, "{mix:?}, thread {i}");
            }
        }
    }
}
