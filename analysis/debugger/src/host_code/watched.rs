//! Watchpoints on host code: the values of their expressions are compared where a line begins.

use crate::front::stops::{HostWatch, Point};
use crate::program::{Place, Stopped, first_lane};
use report::inspect::variables::{Expressions as _, Missing, Scope, Shown, never};
use std::fmt::Write as _;

/// Most changed parts of a value that are named.
const PARTS: usize = 8;

/// The value of an expression, or why it has none.
type Value = Result<Vec<Shown>, String>;

/// Change of a watchpoint since the last line.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Since {
    /// The value is the same.
    Same,
    /// The value has changed: old and new value, and the line.
    Changed(String),
    /// The function that sees its variables has returned.
    Returned,
}

/// A watchpoint with its last value.
#[derive(Debug)]
struct Seen {
    watch: HostWatch,
    /// `None`: its function is not executed, or no line of it has seen its variables.
    value: Option<Value>,
    since: Since,
}

/// All watchpoints of host code with their last values.
#[derive(Debug, Default)]
pub struct Watched {
    all: Vec<Seen>,
    /// The lines of the functions that were executed at the last line, the outermost first.
    lines: Vec<Place>,
}

impl Watched {
    /// Notes the values of new watchpoints, and forgets those of removed ones.
    pub fn note<'p>(&mut self, points: impl Iterator<Item = &'p Point>, at: &dyn Stopped) {
        let mut known = std::mem::take(&mut self.all);
        if known.is_empty() {
            self.lines = lines(at);
        }
        for point in points {
            let Point::Host(watch) = point else { continue };
            let seen = known.iter().position(|seen| seen.watch == *watch).map(|at| known.swap_remove(at));
            self.all.push(seen.unwrap_or_else(|| {
                let value = match now(watch, at) {
                    Now::Is(value) => Some(value),
                    Now::Unseen | Now::Returned => None,
                };
                Seen { watch: watch.clone(), value, since: Since::Same }
            }));
        }
    }

    /// A line begins: compares the values.
    pub fn arrives(&mut self, at: &dyn Stopped) {
        if self.all.is_empty() {
            return;
        }
        let lines = lines(at);
        // After the return of a function, its caller has executed the rest of the line of the call.
        let last = self.lines.get(self.lines.len().min(lines.len()).wrapping_sub(1)).copied();
        let line = last.map_or_else(|| "the program".to_owned(), |place| name(place, at));
        self.lines = lines;
        for Seen { watch, value, since } in &mut self.all {
            let has_returned = watch.frame.as_ref().is_some_and(|(frame, _)| at.lowest() <= frame.outer);
            let new = if has_returned && value.is_some() { Now::Returned } else { now(watch, at) };
            *since = match (&*value, &new) {
                (Some(_), Now::Returned) => Since::Returned,
                (Some(old), Now::Is(new)) if old != new => {
                    Since::Changed(change(&watch.expression.text, old, new, &line))
                }
                _ => Since::Same,
            };
            match new {
                Now::Is(new) => *value = Some(new),
                Now::Unseen => {}
                Now::Returned => *value = None,
            }
        }
    }

    /// The program begins again.
    pub fn restarts(&mut self) {
        self.lines.clear();
        for seen in &mut self.all {
            (seen.value, seen.since) = (None, Since::Same);
        }
    }

    /// Whether a watchpoint stops at the line that begins.
    pub fn stops(&self, watch: &HostWatch) -> bool {
        self.all.iter().any(|seen| seen.watch == *watch && seen.since != Since::Same)
    }

    /// Returns the changes since the last line as text.
    pub fn changes(&self) -> String {
        let text = |seen: &Seen| match &seen.since {
            Since::Same => String::new(),
            Since::Changed(text) => text.clone(),
            Since::Returned => {
                let text = &seen.watch.expression.text;
                let function = seen.watch.frame.as_ref().map_or("", |(_, function)| function);
                format!("The watchpoint on {text} is removed: `{function}` has returned.\n")
            }
        };
        self.all.iter().map(text).collect()
    }

    /// The watchpoints whose functions have returned.
    pub fn returned(&self) -> impl Iterator<Item = &HostWatch> {
        self.all.iter().filter(|seen| seen.since == Since::Returned).map(|seen| &seen.watch)
    }
}

/// The lines of the functions that are executed, the outermost first.
fn lines(at: &dyn Stopped) -> Vec<Place> {
    at.frames().into_iter().rev().map(|(_, place)| place).collect()
}

/// The value of a watchpoint at a line.
enum Now {
    Is(Value),
    /// The line does not see its variables.
    Unseen,
    /// The function that sees its variables is not executed.
    Returned,
}

fn now(watch: &HostWatch, at: &dyn Stopped) -> Now {
    let mut found = Now::Returned;
    let mut evaluate = |scope: &dyn Scope<'_>| {
        found = match scope.evaluate_expression(&watch.expression, None, &mut never) {
            Ok(all) => Now::Is(Ok(first_lane(all))),
            Err(Missing::Value(why)) => Now::Is(Err(why)),
            Err(Missing::Name(_)) => Now::Unseen,
        };
    };
    at.with_scope_of(watch.frame.as_ref().map(|(frame, _)| *frame), &mut evaluate);
    found
}

/// A line, with the name of its file if it is not that of `main`.
fn name((file, line): Place, at: &dyn Stopped) -> String {
    let (name, _) = at.file(file);
    if file == at.main_file() { format!("line {line}") } else { format!("line {line} of {name}") }
}

/// Old and new value, and the line that has changed it.
fn change(text: &str, old: &Value, new: &Value, line: &str) -> String {
    let part = |value: &Value, name: &str| {
        let all = value.as_ref().map_or(&[][..], Vec::as_slice);
        all.iter().find(|one| one.name == name).map_or_else(|| "-".to_owned(), |one| one.text(0))
    };
    let names = |value: &Value| -> Vec<String> {
        value
            .as_ref()
            .map_or_else(|_| vec![text.to_owned()], |all| all.iter().map(|one| one.name.clone()).collect())
    };
    let mut all = names(new);
    all.extend(names(old).into_iter().filter(|name| !all.contains(name)).collect::<Vec<_>>());
    all.retain(|name| part(old, name) != part(new, name));
    let mut out = String::new();
    for name in all.iter().take(PARTS) {
        let (old, new) = (part(old, name), part(new, name));
        let _ = writeln!(out, "{name} has changed in {line}: old value {old}, new value {new}");
    }
    if all.len() > PARTS {
        let _ = writeln!(out, "{} more parts of {text} have changed.", all.len() - PARTS);
    }
    out
}
