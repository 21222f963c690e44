//! `--chip` and `--set`: which chip is simulated.

use crate::args::ChipArgs;
use crate::exit::Failure;
use crate::output::{complain, read_text};
use sim_core::config::Chip;
use sim_core::config::builtin::{builtin_names, builtin_text};
use sim_core::config::tree::MAX_BYTES;
use std::borrow::Cow;
use std::path::Path;

/// The text of a chip, before anything is laid over it.
#[derive(Clone, Debug)]
pub struct ChipText {
    /// What complaints call it.
    pub name: String,
    /// The RON text.
    pub text: Cow<'static, str>,
}

/// The text of the chip of that name or file.
pub fn text(chip: &str) -> Result<ChipText, Failure> {
    match builtin_text(chip) {
        Some(text) => Ok(ChipText { name: format!("{chip} (built-in chip)"), text: text.into() }),
        None if looks_like_a_file(chip) => {
            let text = read_text(Path::new(chip), MAX_BYTES as u64)?;
            Ok(ChipText { name: chip.to_owned(), text: text.into() })
        }
        None => {
            let names: Vec<&str> = builtin_names().collect();
            let message = format!("error: there is no chip `{chip}`; built in: {}", names.join(", "));
            Err(Failure::input(message + "\nA chip file ends in `.ron`."))
        }
    }
}

/// The chip of that name or file, with the overrides laid over it. Warnings go to standard error.
pub fn load(args: &ChipArgs) -> Result<Chip, Failure> {
    let sets = args.sets.iter().map(|set| split(set)).collect::<Result<Vec<_>, _>>()?;
    let ChipText { name, text } = text(&args.chip)?;
    let (chip, warnings) = Chip::from_ron(&name, &text, &sets).map_err(|c| Failure::input(c.to_string()))?;
    if !warnings.is_empty() {
        complain(&warnings.to_string());
    }
    Ok(chip)
}

/// Whether a word can only mean a chip: the name of a built-in one, or a chip file.
pub fn is_named(word: &str) -> bool {
    builtin_text(word).is_some() || looks_like_a_file(word)
}

fn looks_like_a_file(chip: &str) -> bool {
    let path = Path::new(chip);
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ron")) || path.is_file()
}

/// `PATH=VALUE`.
pub fn split(set: &str) -> Result<(String, String), Failure> {
    match set.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() && !value.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.to_owned()))
        }
        _ => Err(Failure::input(format!("error: `--set {set}` must have the form PATH=VALUE"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_a_path_and_a_value() {
        assert_eq!(split("sm.max_warps=16").unwrap(), ("sm.max_warps".to_owned(), "16".to_owned()));
        assert_eq!(split("a = b=c").unwrap().1, " b=c");
        for bad in ["a", "=1", "a=", " = "] {
            assert!(split(bad).unwrap_err().message.contains("PATH=VALUE"), "{bad}");
        }
    }

    #[test]
    fn an_unknown_chip_names_the_known_ones() {
        let failure = load(&ChipArgs { chip: "g81".to_owned(), sets: Vec::new() }).unwrap_err();
        assert!(failure.message.contains("no chip `g81`; built in: g80"), "{}", failure.message);
    }
}
