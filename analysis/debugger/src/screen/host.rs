//! Panes of host code: its lines, variables, functions, and calls of the CUDA runtime.

use super::layout::Pane;
use super::panes::source::{SourceLine, expanded};
use super::panes::{Content, View, output, window};
use super::text::{fit, spread};
use super::theme::Theme;
use crate::program::{CallEnd, Called, Frame, Place, Stopped};
use ratatui::style::Style;
use ratatui::text::{Line, Span, Text};
use report::inspect::variables::Shown;
use report::render::number::{count, plural};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Host code at a stop, as plain data: it is shown until the program stops elsewhere.
#[derive(Debug, Default)]
pub struct HostView {
    /// Name of the file of the current line.
    file: String,
    /// Lines of this file.
    text: Vec<String>,
    /// The current place.
    place: Option<Place>,
    /// Whether it is in the file of `main`.
    is_main_file: bool,
    /// The innermost function.
    frame: Option<Frame>,
    /// The functions that are executed with their places, the innermost first.
    stack: Vec<(String, String)>,
    /// The variables that the line sees.
    variables: Vec<(String, Result<Vec<Shown>, String>)>,
    /// Their values at the previous stop, if it was in the same function.
    before: BTreeMap<String, String>,
    /// The calls of the runtime and the launches, with their lines.
    calls: Vec<(Called, String)>,
    /// The exit code of a program that has ended.
    code: Option<i32>,
}

impl HostView {
    /// The host code has stopped.
    pub fn arrives(&mut self, at: &dyn Stopped) {
        let frame = at.frame();
        let is_same = frame == self.frame;
        let parts = self.variables.iter().flat_map(|(_, found)| found.iter().flatten());
        let before = parts.map(|one| (one.name.clone(), one.text(0))).filter(|_| is_same).collect();
        let place = at.place();
        let main = at.main_file();
        let (file, text) = at.file(place.map_or(main, |(file, _)| file));
        let stack = at.frames().into_iter().map(|(function, place)| {
            let (name, _) = at.file(place.0);
            (function, format!("{name}:{}", place.1))
        });
        let variables = at.names().into_iter().filter_map(|name| {
            let found = at.evaluate(name, None)?;
            Some((name.to_owned(), found))
        });
        *self = Self {
            file: base(file),
            text: text.lines().map(str::to_owned).collect(),
            place,
            is_main_file: place.is_none_or(|(file, _)| file == main),
            frame,
            stack: stack.collect(),
            variables: variables.collect(),
            before,
            calls: Vec::new(),
            code: None,
        };
        self.calls_of(at);
    }

    /// Notes the calls of the runtime so far.
    pub fn calls_of(&mut self, at: &dyn Stopped) {
        let main = at.main_file();
        let named = |call: Called| {
            let (file, line) = call.place;
            let (name, _) = at.file(file.max(1));
            let place = if file == main { line.to_string() } else { format!("{name}:{line}") };
            (call, place)
        };
        self.calls = at.calls().into_iter().map(named).collect();
    }

    /// The program has ended.
    pub fn ends(&mut self, code: i32) {
        self.code = Some(code);
        self.frame = None;
    }

    /// Number of calls and of launches.
    fn counts(&self) -> String {
        let launches = self.calls.iter().filter(|(call, _)| is_launch(call)).count() as u64;
        let calls = self.calls.len() as u64 - launches;
        format!("{}, {}", plural(calls, "CUDA call"), launched(launches))
    }
}

fn launched(launches: u64) -> String {
    if launches == 1 { "1 launch".to_owned() } else { format!("{} launches", count(launches)) }
}

fn is_launch(call: &Called) -> bool {
    matches!(call.end, CallEnd::Ran(_) | CallEnd::Stopped(_) | CallEnd::Queued)
}

/// The last part of a path.
fn base(path: &str) -> String {
    Path::new(path).file_name().map_or_else(|| path.to_owned(), |name| name.to_string_lossy().into_owned())
}

/// How a call ended, in words.
fn ending(end: &CallEnd) -> String {
    match end {
        CallEnd::Done => "done".to_owned(),
        CallEnd::Failed(error) => format!("failed: {error}"),
        CallEnd::Ran(0) => "finished".to_owned(),
        CallEnd::Ran(cycles) => format!("finished, {} shader cycles", count(*cycles)),
        CallEnd::Stopped(verdict) => format!("not finished: {verdict}"),
        CallEnd::Queued => "waits for concurrent launches".to_owned(),
    }
}

/// Host code with the styles of a screen.
pub struct HostScene<'a> {
    /// The host code.
    pub view: &'a HostView,
    /// Lines of the file of `main` with a breakpoint.
    pub breaks: &'a BTreeSet<u32>,
    /// Styles.
    pub theme: Theme,
    /// Output of the program and of commands.
    pub log: &'a [String],
}

impl HostScene<'_> {
    /// Where the program is, the text of the line, and the last call.
    pub fn head(&self, width: usize) -> Text<'static> {
        let Self { view, theme, .. } = self;
        let right = format!("{} ", view.counts());
        let function = view.stack.first().map_or("", |(function, _)| function);
        let line = view.place.map_or(0, |(_, line)| line);
        let left = match view.code {
            Some(code) => format!(" HOST  the program has ended with exit code {code}"),
            None => format!(" HOST  {function}, {} line {line}", view.file),
        };
        let text = view.text.get(line.saturating_sub(1) as usize).map_or("", |text| text.trim());
        let text = if view.code.is_some() { "G and S go back, q quits." } else { text };
        let last = view.calls.last().map_or_else(
            || " No call of the CUDA runtime so far.".to_owned(),
            |(call, at)| format!(" Last call: line {at}, {}: {}", call.name, ending(&call.end)),
        );
        Text::from(vec![
            Line::styled(spread(&left, &right, width), theme.head()),
            Line::styled(fit(&format!(" {text}"), width), theme.focus()),
            Line::from(fit(&last, width)),
        ])
    }

    /// The name of a pane in titles.
    pub fn name(pane: Pane) -> &'static str {
        match pane {
            Pane::Source => "Host code",
            Pane::Warps => "CUDA calls",
            Pane::Registers => "Variables",
            Pane::Stack => "Functions",
            pane => pane.name(true),
        }
    }

    /// The content of a pane.
    pub fn content(&self, pane: Pane, view: View) -> Content {
        match pane {
            Pane::Source => self.source(view),
            Pane::Warps => self.calls(view),
            Pane::Registers => self.variables(view),
            Pane::Stack => self.functions(view),
            Pane::Output => output::content(self.theme, self.log, "of the program and of commands", view),
            Pane::Shared | Pane::Global | Pane::Access | Pane::Timeline => Content::nothing(""),
        }
    }

    /// The lines of the file, with the current one.
    fn source(&self, view: View) -> Content {
        let HostView { file, text, place, is_main_file, code, .. } = self.view;
        let here = place.map(|(_, line)| line).filter(|_| code.is_none());
        let focus = place.map_or(0, |(_, line)| line.saturating_sub(1) as usize);
        let (first, scroll) = window(text.len(), view.rows, focus, view.scroll);
        let lines = (1..).zip(text).skip(first).take(view.rows).map(|(number, text)| {
            let here = here == Some(number);
            let row = SourceLine {
                has_break: *is_main_file && self.breaks.contains(&number),
                arrow: if here { "=>" } else { "  " },
                place: &number.to_string(),
                text: &expanded(text),
                here,
            };
            row.line(self.theme, ("", Style::new()), view.width - 1)
        });
        Content { title: format!("{file}; => next line, b breakpoint"), lines: lines.collect(), scroll }
    }

    /// The variables that the line sees, in their types.
    fn variables(&self, view: View) -> Content {
        let mut lines = Vec::new();
        for (name, found) in &self.view.variables {
            match found {
                Ok(all) => lines.extend(all.iter().flat_map(|one| self.variable(one, view.width))),
                Err(why) => {
                    lines.push(Line::styled(
                        fit(&format!("  {name}: {why}"), view.width - 1),
                        self.theme.dim(),
                    ));
                }
            }
        }
        if lines.is_empty() {
            return Content::nothing("The line sees no variable.");
        }
        Content::scrolled("of the line; * changed since the last stop".to_owned(), lines, view)
    }

    fn variable(&self, one: &Shown, width: usize) -> Vec<Line<'static>> {
        let text = one.text(0);
        let is_changed = self.view.before.get(&one.name).is_some_and(|before| *before != text);
        let mark = if is_changed { '*' } else { ' ' };
        let line = spread(&format!("{mark} {} = {text}", one.name), &one.c_type, width - 1);
        let (line, ty) = line.split_at(line.len() - one.c_type.len().min(line.len()));
        let style = if is_changed { self.theme.changed() } else { Style::new() };
        let notes = one
            .notes
            .iter()
            .map(|note| Line::styled(fit(&format!("    {note}"), width - 1), self.theme.dim()));
        let value = Line::from(vec![
            Span::styled(line.to_owned(), style),
            Span::styled(ty.to_owned(), self.theme.dim()),
        ]);
        std::iter::once(value).chain(notes).collect()
    }

    /// The functions that are executed, the innermost first.
    fn functions(&self, view: View) -> Content {
        let stack = &self.view.stack;
        let wide = stack.iter().map(|(function, _)| function.chars().count()).max().unwrap_or(0);
        let lines = stack.iter().enumerate().map(|(number, (function, place))| {
            let style = if number == 0 { self.theme.focus() } else { Style::new() };
            let text = format!(" #{number:<2} {function:<wide$}  {place}");
            Line::styled(fit(&text, view.width - 1), style)
        });
        Content::scrolled("that are executed, the innermost first".to_owned(), lines.collect(), view)
    }

    /// The calls of the CUDA runtime and the launches; scroll position 0 is the end.
    fn calls(&self, view: View) -> Content {
        let calls = &self.view.calls;
        if calls.is_empty() {
            return Content::nothing("No call of the CUDA runtime so far.");
        }
        let (first, scroll) = output::at_end(calls.len(), view);
        let wide =
            calls.iter().map(|(call, _)| call.name.chars().count()).max().unwrap_or(0).min(view.width / 2);
        let lines = calls.iter().skip(first).take(view.rows).map(|(call, at)| {
            let style = match &call.end {
                CallEnd::Failed(_) | CallEnd::Stopped(_) => self.theme.error(),
                _ if is_launch(call) => self.theme.focus(),
                _ => Style::new(),
            };
            let name = fit(&call.name, wide);
            let text = format!(" line {at:>4}  {name:<wide$}  {}", ending(&call.end));
            Line::styled(fit(&text, view.width - 1), style)
        });
        Content { title: "so far".to_owned(), lines: lines.collect(), scroll }
    }
}
