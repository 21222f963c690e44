//! Draws the screen: head, panes, command line and keys.

use super::keys::{HELP, HINTS};
use super::layout::{Layout, Pane, SMALLEST, layout};
use super::panes::{Scene, View, content};
use super::state::Screen;
use super::text::{fit, mask, ranges, short, spread};
use super::theme::Theme;
use crate::front::{Front, InFocus};
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph};
use report::mangled;
use report::render::number::count;
use sim_core::debug::{Session, WarpView};
use sim_core::host::Mode;
use sim_core::stats::WarpState;
use std::collections::BTreeSet;

/// Draws the screen. Scroll positions are brought within their limits.
pub fn draw(frame: &mut Frame<'_>, screen: &mut Screen, front: &Front, session: &Session<'_>) {
    let area = frame.area();
    let Some(places) = layout(area, screen.selected, screen.lower, screen.zoomed) else {
        return too_small(frame);
    };
    let focus = front.focus();
    let warps: Vec<WarpView> = session.warps().into_iter().filter(|warp| warp.sm == focus.sm).collect();
    let warp = warps.iter().find(|warp| warp.slot == focus.slot);
    let breaks: BTreeSet<u32> = front.break_lines().collect();
    let scene = Scene {
        session,
        words: front.words(),
        focus,
        warp,
        warps: &warps,
        breaks: &breaks,
        before: &screen.before,
        theme: screen.theme,
        format: screen.format,
        allocation: screen.allocation,
        log: &screen.log,
    };
    frame.render_widget(Paragraph::new(head(&scene, places.head.width.into())), places.head);
    let is_cuda_c = scene.words.files().is_listing();
    let mut scroll = screen.scroll;
    let mut about = String::new();
    for (pane, place) in &places.panes {
        let view = View {
            width: place.width.into(),
            rows: usize::from(place.height).saturating_sub(1),
            scroll: scroll[*pane as usize],
        };
        let content = content(&scene, *pane, view);
        scroll[*pane as usize] = content.scroll;
        let selected = *pane == screen.selected;
        let title = if places.tabs == Some(*pane) && *pane != Pane::Source {
            about = format!(" {} {}", pane.name(is_cuda_c), content.title);
            tabs(screen.theme, *pane, selected, is_cuda_c)
        } else {
            let name = format!(" {} {} ", *pane as usize + 1, pane.name(is_cuda_c));
            title(screen.theme, &name, &content.title, selected, view.width)
        };
        let mut lines = vec![title];
        lines.extend(content.lines);
        frame.render_widget(Paragraph::new(Text::from(lines)), *place);
    }
    if screen.help {
        help(frame, &places, screen.theme);
    }
    screen.scroll = scroll;
    foot(frame, &places, screen, &about);
}

/// Draws which size is required.
fn too_small(frame: &mut Frame<'_>) {
    let Rect { width, height, .. } = frame.area();
    let (columns, rows) = SMALLEST;
    let text = [
        format!("The terminal has {width} columns and {height} rows."),
        format!("warpsim debug needs {columns} x {rows}."),
        "Enlarge it, or press q.".to_owned(),
    ];
    let lines: Vec<Line<'_>> = text.iter().map(|line| Line::from(fit(line, width.into()))).collect();
    frame.render_widget(Paragraph::new(Text::from(lines)), frame.area());
}

/// Where the debugger is, and why the warp in focus waits.
fn head(scene: &Scene<'_, '_>, width: usize) -> Text<'static> {
    let (session, focus, theme) = (scene.session, scene.focus, scene.theme);
    let place = scene
        .warp
        .map_or(String::new(), |warp| format!(" (block {}, warp {})", warp.block_index, warp.index));
    let InFocus { sm, slot, lane } = focus;
    let time = match session.mode() {
        Mode::Timed => format!("cycle {}", count(session.cycle())),
        Mode::Functional => format!("instruction {}", count(session.cycle())),
    };
    let right = format!("{time}, SM {sm}, warp {slot}{place}, lane {lane} ");
    let name = format!(" {}", mangled::plain(&session.program().name));
    let long = format!("{name} on {}, launch {}", session.chip().name, session.launch());
    let fits = long.chars().count() + right.chars().count() < width;
    let left = if fits { long } else { name };
    let first = Line::styled(spread(&left, &right, width), theme.head());
    let Some(warp) = scene.warp else {
        let text = if session.has_ended() {
            " The launch has ended. G, S and C go back."
        } else {
            " No warp is resident in this slot: choose a warp with the arrow keys, or an SM with [ and ]."
        };
        return Text::from(vec![first, Line::from(fit(text, width)), Line::default()]);
    };
    let lanes = format!("lanes [{}]", mask(warp.active, warp.live));
    let Some(status) = warp.status else {
        let text = spread(" The warp has not been scheduled.", &lanes, width);
        return Text::from(vec![first, Line::from(text), Line::default()]);
    };
    let state = match session.mode() {
        Mode::Timed => format!(" {} since cycle {}", status.state.label(), count(status.since)),
        Mode::Functional => {
            format!(" {} (functional machine, without time)", short(status.state, session.mode()))
        }
    };
    let why = scene.words.why(&status.why, session.cycle().saturating_sub(1).max(status.since));
    let why = if status.state == WarpState::Issuing {
        let (line, text) = (scene.words.place(status.pc), scene.words.text(status.pc));
        let guard = if why.is_empty() { why } else { format!(" ({why})") };
        format!(" Issued: line {line} {text}{guard}")
    } else if session.mode() == Mode::Functional && status.state == WarpState::NotSelected {
        " The warp can execute its next instruction.".to_owned()
    } else {
        let why = if why.is_empty() { status.state.explanation().to_owned() } else { why };
        format!(" Why: {why}{}", needed(scene, warp))
    };
    Text::from(vec![
        first,
        Line::styled(spread(&state, &lanes, width), theme.state(status.state)),
        Line::from(fit(&why, width)),
    ])
}

/// The registers or the warps that the warp in focus waits for.
fn needed(scene: &Scene<'_, '_>, warp: &WarpView) -> String {
    let Some(wait) = scene.session.wait(warp.sm, warp.slot) else { return String::new() };
    if let Some(barrier) = wait.barrier.filter(|barrier| !barrier.missing.is_empty()) {
        return format!("; missing: warps {}", ranges(barrier.missing.iter().map(|warp| warp.slot)));
    }
    let names: Vec<&str> = wait.registers.iter().filter_map(|register| register.name.as_deref()).collect();
    if names.is_empty() { String::new() } else { format!("; needs {}", names.join(", ")) }
}

fn title(theme: Theme, name: &str, text: &str, selected: bool, width: usize) -> Line<'static> {
    let text = if text.is_empty() { String::new() } else { format!("{text} ") };
    let text = fit(&text, width.saturating_sub(name.len() + 2));
    let rule = width.saturating_sub(name.chars().count() + text.chars().count());
    Line::from(vec![
        Span::styled(name.to_owned(), theme.title(selected)),
        Span::styled(text, theme.dim()),
        Span::styled("─".repeat(rule), theme.dim()),
    ])
}

/// The panes that share a place. The shown one is in brackets.
fn tabs(theme: Theme, shown: Pane, selected: bool, is_cuda_c: bool) -> Line<'static> {
    let tab = |pane: &Pane| {
        let name = format!("{} {}", *pane as usize + 1, pane.name(is_cuda_c));
        if *pane == shown {
            Span::styled(format!("[{name}]"), theme.title(selected))
        } else {
            Span::styled(format!(" {name}"), theme.dim())
        }
    };
    Line::from(Pane::ALL[1..].iter().map(tab).collect::<Vec<_>>())
}

/// The line of a command that is being executed; `at` is its progress.
fn running(command: &str, at: &str, width: usize, theme: Theme) -> Line<'static> {
    Line::styled(fit(&format!(" {command} …{at} Ctrl-C stops it"), width), theme.key())
}

/// The screen while a command is executed.
pub struct Progress {
    /// The screen at the start of the command.
    drawn: Buffer,
    /// The command line.
    line: Rect,
    command: String,
    theme: Theme,
    unit: &'static str,
}

impl Progress {
    /// The progress of the running command of `screen`, which looks like `drawn`; `None` if the
    /// terminal is too small.
    pub fn new(screen: &Screen, session: &Session<'_>, drawn: Buffer) -> Option<Self> {
        let places = layout(drawn.area, screen.selected, screen.lower, screen.zoomed)?;
        let unit = match session.mode() {
            Mode::Timed => "shader cycle",
            Mode::Functional => "warp instruction",
        };
        let command = screen.running.clone()?;
        Some(Self { drawn, line: places.input, command, theme: screen.theme, unit })
    }

    /// Draws the screen with the time `at` of the launch. Draws nothing if the size of the terminal
    /// has changed.
    pub fn draw(&self, frame: &mut Frame<'_>, at: u64) {
        if frame.area() != self.drawn.area {
            return;
        }
        frame.buffer_mut().clone_from(&self.drawn);
        let at = format!(" {} {};", self.unit, count(at));
        let line = running(&self.command, &at, self.line.width.into(), self.theme);
        frame.render_widget(Paragraph::new(line), self.line);
    }
}

/// The command line or the last message, and the most important keys.
///
/// `about` describes the pane below the source, whose title is the list of panes.
fn foot(frame: &mut Frame<'_>, places: &Layout, screen: &Screen, about: &str) {
    let theme = screen.theme;
    let width = usize::from(places.input.width);
    let line = if let Some(command) = &screen.running {
        running(command, "", width, theme)
    } else if let Some((text, cursor)) = screen.input.shown() {
        let prompt = "(warpsim) ";
        // The cursor stays visible in a long line.
        let room = width - prompt.len() - 1;
        let skip = cursor.saturating_sub(room);
        let shown: String = text.chars().skip(skip).take(room).collect();
        let column = (prompt.len() + cursor - skip) as u16;
        frame.set_cursor_position((places.input.x + column, places.input.y));
        Line::from(vec![Span::styled(prompt, theme.key()), Span::raw(shown)])
    } else if let Some((text, is_error)) = &screen.message {
        let style = if *is_error { theme.error() } else { ratatui::style::Style::new() };
        Line::styled(fit(&format!(" {text}"), width), style)
    } else {
        Line::styled(fit(about, width), theme.dim())
    };
    frame.render_widget(Paragraph::new(line), places.input);
    let hints = HINTS.iter().flat_map(|(key, word)| {
        [Span::styled(format!(" {key}"), theme.key()), Span::raw(format!(" {word}"))]
    });
    frame.render_widget(Paragraph::new(Line::from(hints.collect::<Vec<_>>())), places.keys);
}

/// Keys and signs, over the panes.
fn help(frame: &mut Frame<'_>, places: &Layout, theme: Theme) {
    let head = places.head;
    let place = Rect { y: head.y + head.height, height: places.input.y - head.y - head.height, ..head };
    let mut lines = vec![Line::styled(" Keys (any key closes this help)", theme.title(false))];
    lines.extend(HELP.iter().map(|(keys, text)| {
        Line::from(vec![Span::styled(format!(" {keys:<10} "), theme.key()), Span::raw(*text)])
    }));
    for text in [
        " Lanes: # active, . inactive, blank exited. PTX: => line of the warp in focus,",
        " > other warps, b breakpoint. *: values that changed since the last stop.",
        " A state is that of the last issue cycle; the line is the next to execute.",
    ] {
        lines.push(Line::from(text));
    }
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(Text::from(lines)), place);
}
