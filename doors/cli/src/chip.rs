//! `--chip` and `--set`: the simulated chip and the files from which it is made.

use crate::args::ChipArgs;
use crate::exit::{Failure, not_simulated};
use crate::output::{Files, complain};
use cuda::target::Target;
use isa::feature::Features;
use isa::types::Capability;
pub use report::chip::{files, is_named, texts};
use sim_core::config::Chip;
use sim_core::config::base::Texts;
use sim_core::config::builtin::builtin_text;

/// Adds the files of the chip of that name or file to the inputs of a run.
pub fn reads(files: &mut Files, chip: &str) -> Result<(), Failure> {
    if builtin_text(chip).is_some() {
        return Ok(());
    }
    // A chip that cannot be read is reported when it is loaded.
    texts(chip).map_or(Ok(()), |texts| self::files(&texts).try_for_each(|file| files.reads(&file)))
}

/// Loads the chip of that name or file with the overrides applied on top. Warnings go to standard
/// error.
pub fn load(args: &ChipArgs) -> Result<Chip, Failure> {
    Ok(load_with_texts(args)?.0)
}

/// As [`load`]; also returns the texts of the chip.
fn load_with_texts(args: &ChipArgs) -> Result<(Chip, Texts), Failure> {
    let sets = args.sets()?;
    let texts = texts(&args.chip)?;
    let (chip, warnings) = Chip::from_texts(&texts, &sets).map_err(|c| Failure::input(c.to_string()))?;
    if !warnings.is_empty() {
        complain(&warnings.to_string());
    }
    Ok((chip, texts))
}

/// Loads a chip on which a program can run, with its texts.
pub fn load_to_run(args: &ChipArgs) -> Result<(Chip, Texts), Failure> {
    let (chip, texts) = load_with_texts(args)?;
    if chip.simulated {
        Ok((chip, texts))
    } else {
        Err(Failure::input(format!("error: {}", not_simulated(&chip))))
    }
}

/// Returns the compute capability of the chip with the overrides and its instructions after Fermi,
/// without warnings.
pub fn capability(args: &ChipArgs) -> Result<(Capability, Features), Failure> {
    let (texts, sets) = (texts(&args.chip)?, args.sets()?);
    let (chip, _) = Chip::from_texts(&texts, &sets).map_err(|c| Failure::input(c.to_string()))?;
    Ok((chip.capability, chip.features))
}

/// Returns the target of a chip's code.
pub fn target_of(chip: &str) -> Result<Target, Failure> {
    let texts = texts(chip)?;
    let (chip, _) = Chip::from_texts(&texts, &[]).map_err(|errors| Failure::input(errors.to_string()))?;
    Ok(Target::of_chip(chip.capability, chip.features))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_chip_names_the_known_ones() {
        let failure = load(&ChipArgs::new("g81")).unwrap_err();
        assert!(
            failure.message.contains("unknown chip `g81`\nhelp: did you mean `g80`?"),
            "{}",
            failure.message
        );
    }
}
