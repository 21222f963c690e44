//! `--chip` and `--set`: the simulated chip and the files from which it is made.

use crate::access::{self, Refusal};
use crate::args::ChipArgs;
use crate::exit::{Failure, not_simulated};
use crate::output::{Files, complain, shown};
use isa::diag::nearest;
use sim_core::config::Chip;
use sim_core::config::base::{Text, Texts};
use sim_core::config::builtin::{builtin_names, builtin_text};
use sim_core::config::tree::MAX_BYTES;
use std::path::{Path, PathBuf};

/// Returns the texts of the chip of that name or file and of its bases, without overrides.
pub fn texts(chip: &str) -> Result<Texts, Failure> {
    Ok(Texts::collect(text(chip)?, |base, of| {
        if let Some(text) = Text::builtin(base) {
            return Ok(text);
        }
        let known = || format!("built-in chips: {}", builtin_names().collect::<Vec<_>>().join(", "));
        let Some(file) = file_of(of) else { return Err(known()) };
        let folder = file.parent().unwrap_or(Path::new(""));
        let path = folder.join(base);
        if !looks_like_a_file(&path) {
            return Err(known());
        }
        if let Err(refusal) = access::named(folder, Path::new(base)) {
            let advice =
                if matches!(refusal, Refusal::Outside) { access::ADVICE.to_owned() } else { known() };
            return Err(format!("cannot read {}: {refusal}; {advice}", shown(&path)));
        }
        from_file(&path).map_err(|failure| {
            let why = failure.message.strip_prefix("error: ").unwrap_or(&failure.message).to_owned();
            format!("{why}; {}", known())
        })
    }))
}

/// Iterates over the files from which a chip was read: none for a built-in chip.
pub fn files(texts: &Texts) -> impl Iterator<Item = PathBuf> {
    texts.all().iter().filter_map(file_of)
}

/// Adds the files of the chip of that name or file to the inputs of a run.
pub fn reads(files: &mut Files, chip: &str) -> Result<(), Failure> {
    // A chip that cannot be read is reported when it is loaded.
    texts(chip).map_or(Ok(()), |texts| self::files(&texts).try_for_each(|file| files.reads(&file)))
}

/// Returns the file of a text; `None` for a built-in chip.
fn file_of(text: &Text) -> Option<PathBuf> {
    builtin_text(&text.id).is_none().then(|| PathBuf::from(&text.name))
}

fn from_file(path: &Path) -> Result<Text, Failure> {
    let text = access::read_ron(path, MAX_BYTES as u64)?;
    let id = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let id = format!("file {}", id.display());
    Ok(Text { id, name: path.display().to_string(), text: text.into() })
}

/// Returns the text of the chip of that name or file.
fn text(chip: &str) -> Result<Text, Failure> {
    match Text::builtin(chip) {
        Some(text) => Ok(text),
        None if looks_like_a_file(Path::new(chip)) => from_file(Path::new(chip)),
        None => {
            let names: Vec<&str> = builtin_names().collect();
            let near = nearest(chip, names.iter().copied());
            let near = near.map_or_else(String::new, |near| format!("\nhelp: did you mean `{near}`?"));
            Err(Failure::input(format!(
                "error: unknown chip `{chip}`{near}\nhelp: built-in chips: {}; a chip file ends in `.ron`",
                names.join(", ")
            )))
        }
    }
}

/// Loads the chip of that name or file with the overrides applied on top. Warnings go to standard
/// error.
pub fn load(args: &ChipArgs) -> Result<Chip, Failure> {
    Ok(load_with_texts(args)?.0)
}

/// As [`load`]; also returns the texts of the chip.
fn load_with_texts(args: &ChipArgs) -> Result<(Chip, Texts), Failure> {
    let sets = sets(args)?;
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

/// Whether a word can only mean a chip: the name of a built-in chip, or a chip file.
pub fn is_named(word: &str) -> bool {
    builtin_text(word).is_some() || looks_like_a_file(Path::new(word))
}

fn looks_like_a_file(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ron")) || path.is_file()
}

/// Returns the overrides, path and value.
pub fn sets(args: &ChipArgs) -> Result<Vec<(String, String)>, Failure> {
    args.sets.iter().map(|set| split(set)).collect()
}

/// Splits `PATH=VALUE`.
pub fn split(set: &str) -> Result<(String, String), Failure> {
    match set.split_once('=') {
        Some((path, value)) if !path.trim().is_empty() && !value.trim().is_empty() => {
            Ok((path.trim().to_owned(), value.to_owned()))
        }
        _ => Err(Failure::input(format!(
            "error: invalid `--set {set}`: expected PATH=VALUE, such as sm.max_warps=16"
        ))),
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
        assert!(
            failure.message.contains("unknown chip `g81`\nhelp: did you mean `g80`?"),
            "{}",
            failure.message
        );
    }
}
