//! The Best Practices Guide's copy with an offset (`ptx/measure/copy.ptx`): bandwidth, read and
//! written, by offset.

use super::{compiled_for, gigabytes_per_second, unknown};
use crate::RunError;
use crate::measure::lab::Lab;
use crate::measure::{Experiment, Measured, Scale};
use isa::Options;
use sim_core::config::Chip;
use sim_core::host::Arg;

const PTX: &str = include_str!("../../../ptx/measure/copy.ptx");
const THREADS: u32 = 256;
/// The published number of words is unknown; from 8 MB on the value does not change.
const WORDS: u32 = 1 << 21;
/// Words after the copied ones, for the largest offset.
const BEHIND: u32 = 32;

/// The experiments.
pub static EXPERIMENTS: &[Experiment] =
    &[Experiment { rows: &["V140", "V141", "V142", "V143", "V144", "V145"], run }];

fn run(chip: &Chip, row: &str, scale: Scale) -> Result<Measured, RunError> {
    let (mut lab, out, input) = laboratory(chip, WORDS)?;
    let mut least = |offsets: &[u32]| {
        let mut least = f64::INFINITY;
        for &offset in offsets {
            least = least.min(bandwidth(&mut lab, [out, input], WORDS, offset)?);
        }
        Ok::<_, RunError>(Measured::emergent(least))
    };
    match (row, scale) {
        ("V140" | "V142" | "V144", _) => least(&[0, 16]),
        // The rule of compute capability 1.0 distinguishes only two kinds of offset.
        ("V141" | "V145", Scale::Short) => Ok(least(&[1])?.instead("offset 1 instead of 1 to 15")),
        ("V143", Scale::Short) => Ok(least(&[1, 8, 15])?.instead("offsets 1, 8 and 15 instead of 1 to 15")),
        ("V141" | "V143" | "V145", Scale::Full) => {
            least(&std::array::from_fn::<u32, 15, _>(|i| i as u32 + 1))
        }
        _ => Err(unknown(row)),
    }
}

type Pointer = sim_core::host::DevicePtr;

/// Creates a GPU with two buffers of `words` + [`BEHIND`] words: (test setup, destination, source).
fn laboratory(chip: &Chip, words: u32) -> Result<(Lab, Pointer, Pointer), RunError> {
    let mut lab = Lab::new(chip.clone(), "copy.ptx", &compiled_for(chip, PTX), Options::default())?;
    let out = lab.allocate((words + BEHIND).into())?;
    let input = lab.allocate((words + BEHIND).into())?;
    Ok((lab, out, input))
}

/// GB/s of copying `words` words.
fn bandwidth(lab: &mut Lab, [out, input]: [Pointer; 2], words: u32, offset: u32) -> Result<f64, RunError> {
    let args = [Arg::Ptr(out), Arg::Ptr(input), Arg::S32(offset as i32)];
    let report = lab.launch("offset_copy", words / THREADS, THREADS, args)?;
    Ok(gigabytes_per_second(8.0 * f64::from(words), &report))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests: `measured-kernels-are-right`.
    #[test]
    fn copies_the_words_after_the_offset() {
        for name in ["g80", "fermi"] {
            let (mut lab, out, input) = laboratory(&Chip::builtin(name).unwrap(), 1024).unwrap();
            let words: Vec<u32> = (1..=1024 + BEHIND).collect();
            lab.write(input, &words).unwrap();
            bandwidth(&mut lab, [out, input], 1024, 5).unwrap();
            let copy = lab.download(out, words.len()).unwrap();
            assert_eq!(copy[5..1029], words[5..1029], "{name}");
            assert!(copy[..5].iter().chain(&copy[1029..]).all(|&word| word == 0), "{name}");
        }
    }

    #[test]
    fn an_offset_of_a_word_costs_most_of_the_bandwidth_on_g80() {
        let (mut lab, out, input) = laboratory(&Chip::builtin("g80").unwrap(), 1 << 16).unwrap();
        let mut at = |offset| bandwidth(&mut lab, [out, input], 1 << 16, offset).unwrap();
        let (aligned, moved, again) = (at(0), at(1), at(16));
        assert!(moved < aligned / 5.0, "{moved} {aligned}");
        assert!((again / aligned - 1.0).abs() < 0.05, "{again} {aligned}");
    }
}
