//! Cases that the simulator does not support: each by name, with the code of the diagnostic that
//! rejects it.
//!
//! The list must be accurate. A case that is not listed must give the correct result; a listed one
//! must be rejected with its code among the errors, so that a new feature removes its cases from
//! the list. A case that compiles and computes a wrong result cannot be listed.

use super::run::Failure;
use std::collections::BTreeMap;

/// The list of unsupported cases.
#[derive(Clone, Debug, Default)]
pub struct Unsupported {
    codes: BTreeMap<String, String>,
}

impl Unsupported {
    /// Parses a list: a name and a code per line, except empty lines and those that begin with `#`.
    pub fn read(text: &str) -> Result<Self, String> {
        let mut codes = BTreeMap::new();
        for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let [name, code] = words[..] else { return Err(format!("expected a name and a code: {line}")) };
            if codes.insert(name.to_owned(), code.to_owned()).is_some() {
                return Err(format!("`{name}` is listed twice"));
            }
        }
        Ok(Self { codes })
    }

    /// Returns the listed names, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.codes.keys().map(String::as_str)
    }

    /// Judges the outcome of the case `name`.
    pub fn judge(&self, name: &str, outcome: Result<(), Failure>) -> Result<(), String> {
        match (self.codes.get(name), outcome) {
            (None, Ok(())) => Ok(()),
            (None, Err(Failure::Wrong(what))) => Err(what),
            (None, Err(Failure::Refused { text, .. })) => Err(format!("refused:\n{text}")),
            (Some(code), Err(Failure::Refused { codes, .. })) if codes.contains(code.as_str()) => Ok(()),
            (Some(_), Ok(())) => Err(format!("`{name}` works: remove it from the list of unsupported cases")),
            (Some(code), Err(failure)) => Err(format!("listed as refused with {code}: {failure:?}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_must_be_accurate() {
        let unsupported = Unsupported::read("# for calls\na/b E0402\n\n").expect("a list");
        let refused = |codes: &[&'static str]| {
            Err(Failure::Refused { codes: codes.iter().copied().collect(), text: String::new() })
        };
        let wrong = || Err(Failure::Wrong("1 differs".to_owned()));
        assert!(unsupported.judge("a/b", refused(&["E0402"])).is_ok());
        assert!(unsupported.judge("a/b", refused(&["E0401"])).is_err());
        assert!(unsupported.judge("a/b", refused(&["E0401", "E0402"])).is_ok());
        assert!(unsupported.judge("a/b", wrong()).is_err());
        assert!(unsupported.judge("a/b", Ok(())).is_err());
        assert!(unsupported.judge("c", Ok(())).is_ok());
        assert!(unsupported.judge("c", wrong()).is_err());
        assert!(unsupported.judge("c", refused(&["E0402"])).is_err());
        assert!(Unsupported::read("a E0402\na E0401").is_err());
        assert!(Unsupported::read("a").is_err());
    }
}
