//! The Best Practices Guide's copy with an offset (`ptx/measure/copy.ptx`): bandwidth, read and
//! written, by offset.

use super::gigabytes_per_second;
use crate::measure::{Measured, Scale};
use isa::Options;
use kernels::RunError;
use kernels::lab::Lab;
use kernels::lab::compiled_for;
use sim_core::config::Chip;
use sim_core::host::Arg;

const PTX: &str = include_str!("../../../../../kernels/ptx/measure/copy.ptx");
const THREADS: u32 = 256;
/// The published number of words is unknown; from 8 MB on the value does not change.
const WORDS: u32 = 1 << 21;
/// Words after the copied ones, for the largest offset.
const BEHIND: u32 = 32;

/// Measures the smallest GB/s of the copies with these offsets. The rule of compute capability 1.0
/// distinguishes only two kinds of offset, so a short run needs few of them.
pub fn run(chip: &Chip, offsets: &[u32], short: &[u32], scale: Scale) -> Result<Measured, RunError> {
    let (mut lab, out, input) = laboratory(chip, WORDS)?;
    let is_short = scale == Scale::Short && !short.is_empty();
    let mut least = f64::INFINITY;
    for &offset in if is_short { short } else { offsets } {
        least = least.min(bandwidth(&mut lab, [out, input], WORDS, offset)?);
    }
    let measured = Measured::new(least);
    let (Some(first), Some(last), true) = (offsets.first(), offsets.last(), is_short) else {
        return Ok(measured);
    };
    let run = match short {
        [one] => format!("offset {one}"),
        [some @ .., one] => {
            let some = some.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
            format!("offsets {some} and {one}")
        }
        [] => String::new(),
    };
    Ok(measured.instead(format!("{run} instead of {first} to {last}")))
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
