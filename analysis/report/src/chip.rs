//! Chips by their names or files: the texts from which a chip is made.

use crate::access::{self, Refusal};
use crate::exit::Failure;
use crate::text::shown;
use isa::diag::nearest;
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

/// Whether a word can only mean a chip: the name of a built-in chip, or a chip file.
pub fn is_named(word: &str) -> bool {
    builtin_text(word).is_some() || looks_like_a_file(Path::new(word))
}

fn looks_like_a_file(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ron")) || path.is_file()
}
