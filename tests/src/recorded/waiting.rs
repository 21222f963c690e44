//! Cases that the simulator does not do yet: each by name, with the code of the diagnostic that
//! refuses it.
//!
//! The list must be true. A case that is not listed has to come out right; one that is listed has
//! to be refused with its code among the errors, so that a feature which arrives takes its cases
//! off the list. Nothing that compiles and computes something wrong can be listed.

use super::run::Failure;
use std::collections::BTreeMap;

/// The list.
#[derive(Clone, Debug, Default)]
pub struct Waiting {
    /// Name and code.
    codes: BTreeMap<String, String>,
}

impl Waiting {
    /// Reads a list: a name and a code in each line, but for empty lines and those that begin with
    /// `#`.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut codes = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, code] = words[..] else { return Err(format!("no name and code: {line}")) };
            if codes.insert(name.to_owned(), code.to_owned()).is_some() {
                return Err(format!("`{name}` is listed twice"));
            }
        }
        Ok(Self { codes })
    }

    /// What is listed, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.codes.keys().map(String::as_str)
    }

    /// Judges what became of the case `name`.
    pub fn judge(&self, name: &str, outcome: Result<(), Failure>) -> Result<(), String> {
        match (self.codes.get(name), outcome) {
            (None, Ok(())) => Ok(()),
            (None, Err(Failure::Wrong(what))) => Err(what),
            (None, Err(Failure::Refused { text, .. })) => Err(format!("refused:\n{text}")),
            (Some(code), Err(Failure::Refused { codes, .. })) if codes.contains(code.as_str()) => Ok(()),
            (Some(_), Ok(())) => Err(format!("`{name}` works: take it off the list of those that do not")),
            (Some(code), Err(failure)) => Err(format!("listed as refused with {code}: {failure:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_must_be_true() {
        let waiting = Waiting::read("# for calls\na/b E0402\n\n").expect("a list");
        let refused = |codes: &[&'static str]| {
            Err(Failure::Refused { codes: codes.iter().copied().collect(), text: String::new() })
        };
        let wrong = || Err(Failure::Wrong("1 differs".to_owned()));
        assert!(waiting.judge("a/b", refused(&["E0402"])).is_ok());
        assert!(waiting.judge("a/b", refused(&["E0401"])).is_err());
        assert!(waiting.judge("a/b", refused(&["E0401", "E0402"])).is_ok());
        assert!(waiting.judge("a/b", wrong()).is_err());
        assert!(waiting.judge("a/b", Ok(())).is_err());
        assert!(waiting.judge("c", Ok(())).is_ok());
        assert!(waiting.judge("c", wrong()).is_err());
        assert!(waiting.judge("c", refused(&["E0402"])).is_err());
        assert!(Waiting::read("a E0402\na E0401").is_err());
        assert!(Waiting::read("a").is_err());
    }
}
