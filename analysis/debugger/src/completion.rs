//! Completion of a command line: commands, places of breakpoints, and names of variables.

use crate::front::command::{COMMANDS, Coordinate, Verb, subjects};
use crate::front::parse::{EVENTS, RESTRICTIONS, row};
use crate::program::Stopped;
use crate::site::Site;
use report::inspect::variables::known_names;
use report::mangled;
use sim_core::debug::Session;
use std::path::Path;

/// The words with which a command can go on at the place where a program has stopped.
#[derive(Debug, Default)]
pub struct Words {
    /// Variables, and registers of a launch.
    names: Vec<String>,
    /// Functions and kernels.
    functions: Vec<String>,
    /// `FILE:LINE` of the lines that can have a breakpoint.
    places: Vec<String>,
}

impl Words {
    /// Returns the words of a place.
    pub fn of(site: &Site<'_, '_>) -> Self {
        match site {
            Site::Host { at, .. } => Self::of_host(*at),
            Site::Launch { session, .. } => Self::of_launch(session),
            Site::End { .. } => Self::default(),
        }
    }

    /// Returns the words of host code.
    pub fn of_host(at: &dyn Stopped) -> Self {
        let main = at.main_file();
        let (name, text) = at.file(main);
        let lines = (1..).zip(text.lines()).map(|(line, _)| line);
        let has_code =
            |line: &u32| at.with_code((main, *line)) == Some(*line) || at.is_in_kernel((main, *line));
        Self {
            names: at.names().into_iter().map(str::to_owned).collect(),
            functions: at.functions(),
            places: lines.filter(has_code).map(|line| format!("{}:{line}", base(name))).collect(),
        }
    }

    /// Returns the words of a launch.
    pub fn of_launch(session: &Session<'_>) -> Self {
        let program = session.program();
        let own = program.functions.iter().map(|one| &one.name).chain([&program.name]);
        let files = program.source.files();
        let place = |line: &u32| {
            let (file, line) = files.at(*line)?;
            Some(format!("{}:{line}", base(&file.name)))
        };
        Self {
            names: known_names(program, session.names()).map(str::to_owned).collect(),
            functions: own.map(|name| mangled::plain(name).to_owned()).collect(),
            places: program.lines.iter().filter_map(place).collect(),
        }
    }

    /// Returns the start of the last word of `typed`, and the words with which it can go on.
    pub fn after(&self, typed: &str) -> (usize, Vec<&str>) {
        let typed_word = typed.trim_start();
        let Some((command, rest)) = typed_word.split_once(char::is_whitespace) else {
            let start = typed.len() - typed_word.len();
            return (start, beginning(typed_word, COMMANDS.iter().map(|(_, name, ..)| *name)));
        };
        let Ok((verb, ..)) = row(command.split('/').next().unwrap_or(command)) else {
            return (typed.len(), Vec::new());
        };
        let is_in_condition = rest.split_whitespace().any(|word| word == "if") && !rest.ends_with("if");
        let word = rest.rsplit(char::is_whitespace).next().unwrap_or("");
        let start = typed.len() - word.len();
        let all = |words| (start, words);
        match verb {
            Verb::Break | Verb::TemporaryBreak | Verb::Until | Verb::Advance | Verb::Clear | Verb::List
                if !is_in_condition =>
            {
                let is_first = word.len() == rest.trim_start().len();
                let events = EVENTS.iter().map(|(name, _)| *name).filter(|_| *verb == Verb::Break);
                let functions = self.functions.iter().map(String::as_str);
                if !is_first {
                    return all(beginning(word, RESTRICTIONS));
                }
                // Lines are many: they follow the name of the file.
                let end = |place: &str| {
                    if word.contains(':') { place.len() } else { place.rfind(':').map_or(0, |at| at + 1) }
                };
                let places = self.places.iter().map(|place| &place[..end(place)]);
                all(beginning(word, functions.chain(events).chain(places)))
            }
            Verb::Info => {
                let names: Vec<&'static str> = subjects().into_iter().map(|(name, _)| name).collect();
                all(beginning(word, names))
            }
            Verb::Help => all(beginning(word, COMMANDS.iter().map(|(_, name, ..)| *name))),
            Verb::Cuda => all(beginning(word, Coordinate::ALL.map(|(name, _)| name))),
            Verb::Break
            | Verb::TemporaryBreak
            | Verb::Condition
            | Verb::Print
            | Verb::Display
            | Verb::PrintType
            | Verb::WhatIs
            | Verb::Examine
            | Verb::Watch
            | Verb::ReverseContinue => {
                let is_name = |c: char| c.is_alphanumeric() || "_%$".contains(c);
                let at = rest
                    .rfind(|c| !is_name(c))
                    .map_or(0, |at| at + rest[at..].chars().next().map_or(0, char::len_utf8));
                let name = &rest[at..];
                (typed.len() - name.len(), beginning(name, self.names.iter().map(String::as_str)))
            }
            _ => (typed.len(), Vec::new()),
        }
    }
}

/// The last part of a path.
fn base(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// The different words that begin with a text, by the alphabet; lines of files by their numbers.
fn beginning<'w>(text: &str, words: impl IntoIterator<Item = &'w str>) -> Vec<&'w str> {
    let mut all: Vec<&str> = words.into_iter().filter(|word| word.starts_with(text)).collect();
    all.sort_unstable_by_key(|word| (word.contains(':').then_some(word.len()), *word));
    all.dedup();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        let all = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        Words {
            names: all(&["threads", "total", "n"]),
            functions: all(&["main", "vecadd", "verify"]),
            places: all(&["vecadd.cu:9", "vecadd.cu:33", "vecadd.cu:34"]),
        }
    }

    #[test]
    fn a_line_goes_on_with_commands_places_and_names() {
        let words = words();
        for (typed, start, expected) in [
            ("wat", 0, vec!["watch"]),
            ("  tb", 2, vec!["tbreak"]),
            ("break vec", 6, vec!["vecadd", "vecadd.cu:"]),
            ("b vecadd.cu:", 2, vec!["vecadd.cu:9", "vecadd.cu:33", "vecadd.cu:34"]),
            ("break bank", 6, vec!["bank-conflict"]),
            ("break 33 th", 9, vec!["thread"]),
            ("break 33 if th", 12, vec!["threads"]),
            ("print &t", 7, vec!["threads", "total"]),
            ("p/x tot", 4, vec!["total"]),
            ("watch tot", 6, vec!["total"]),
            ("info warp", 5, vec!["warp", "warps"]),
            ("help reverse-c", 5, vec!["reverse-continue", "reverse-cycle"]),
            ("cuda thr", 5, vec!["thread"]),
            ("nonsense x", 10, vec![]),
            ("step t", 6, vec![]),
        ] {
            assert_eq!(words.after(typed), (start, expected), "{typed}");
        }
    }
}
