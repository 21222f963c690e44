//! Draws the screen: head, panes, command line and keys.

use super::host::HostScene;
use super::keys::{help as helps, hints};
use super::layout::{Layout, Pane, SMALLEST, layout};
use super::panes::{Content, Scene, View, content};
use super::state::Screen;
use super::text::{fit, mask, ranges, short, spread};
use super::theme::Theme;
use crate::front::{Front, InFocus};
use crate::host_code::HostCode;
use crate::site::Site;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span, Text};
use ratatui::widgets::{Clear, Paragraph};
use report::mangled;
use report::render::number::count;
use sim_core::debug::WarpView;
use sim_core::host::Mode;
use sim_core::stats::WarpState;
use std::collections::BTreeSet;

/// State that the screen shows where the program has stopped.
enum Shows<'a, 's> {
    Launch(&'a Scene<'a, 's>),
    Host(HostScene<'a>),
}

impl Shows<'_, '_> {
    fn head(&self, width: usize) -> Text<'static> {
        match self {
            Self::Launch(scene) => head(scene, width),
            Self::Host(scene) => scene.head(width),
        }
    }

    fn name(&self, pane: Pane) -> &'static str {
        match self {
            Self::Launch(scene) => pane.name(scene.words.files().is_listing()),
            Self::Host(_) => HostScene::name(pane),
        }
    }

    fn content(&self, pane: Pane, view: View) -> Content {
        match self {
            Self::Launch(scene) => content(scene, pane, view),
            Self::Host(scene) => scene.content(pane, view),
        }
    }
}

/// Draws the screen. Scroll positions are brought within their limits.
pub fn draw(frame: &mut Frame<'_>, screen: &mut Screen, front: &Front, site: &Site<'_, '_>) {
    let Screen { theme, format, allocation, ref before, ref log, ref host, .. } = *screen;
    let breaks: BTreeSet<u32> = front.break_lines().collect();
    let Some(session) = site.session() else {
        let shift = site.code().map_or(0, HostCode::shift);
        let breaks = breaks.into_iter().filter_map(|line| line.checked_sub(shift)).collect();
        let shows = Shows::Host(HostScene { view: host, breaks: &breaks, theme, log });
        let scroll = draw_with(frame, screen, &shows);
        screen.scroll = scroll;
        return;
    };
    let focus = front.focus();
    let warps: Vec<WarpView> = session.warps().into_iter().filter(|warp| warp.sm == focus.sm).collect();
    let scene = Scene {
        session,
        words: front.words(),
        focus,
        warp: warps.iter().find(|warp| warp.slot == focus.slot),
        warps: &warps,
        breaks: &breaks,
        before,
        theme,
        format,
        allocation,
        log,
        is_of_program: site.code().is_some(),
    };
    let scroll = draw_with(frame, screen, &Shows::Launch(&scene));
    screen.scroll = scroll;
}

/// Draws the screen. Returns the scroll positions within their limits.
fn draw_with(frame: &mut Frame<'_>, screen: &Screen, shows: &Shows<'_, '_>) -> [i64; Pane::COUNT] {
    let mut scroll = screen.scroll;
    let choice = screen.choice;
    let Some(places) = layout(frame.area(), choice) else {
        too_small(frame);
        return scroll;
    };
    frame.render_widget(Paragraph::new(shows.head(places.head.width.into())), places.head);
    let mut about = String::new();
    for (pane, place) in &places.panes {
        let view = View {
            width: place.width.into(),
            rows: usize::from(place.height).saturating_sub(1),
            scroll: scroll[*pane as usize],
        };
        let content = shows.content(*pane, view);
        scroll[*pane as usize] = content.scroll;
        let selected = *pane == choice.selected;
        let title = if places.tabs == Some(*pane) && *pane != Pane::Source {
            about = format!(" {} {}", shows.name(*pane), content.title);
            tabs(screen, shows, selected, *pane)
        } else {
            let name = format!(" {} {} ", *pane as usize + 1, shows.name(*pane));
            title(screen.theme, &name, &content.title, selected, view.width)
        };
        let mut lines = vec![title];
        lines.extend(content.lines);
        frame.render_widget(Paragraph::new(Text::from(lines)), *place);
    }
    if screen.help {
        help(frame, &places, screen);
    }
    foot(frame, &places, screen, &about);
    scroll
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
    let terms = scene.words.terms();
    let place = scene.warp.map_or(String::new(), |warp| {
        format!(" ({} {}, warp {})", terms.block, warp.block_index, warp.index)
    });
    let InFocus { sm, slot, lane } = focus;
    let time = match session.mode() {
        Mode::Timed => format!("cycle {}", count(session.cycle())),
        Mode::Functional => format!("instruction {}", count(session.cycle())),
    };
    let right = format!("{time}, {} {sm}, warp {slot}{place}, lane {lane} ", terms.sm);
    let kind = if scene.is_of_program { "KERNEL  " } else { "" };
    let name = format!(" {kind}{}", mangled::plain(&session.program().name));
    let long = format!("{name} on {}, launch {}", session.chip().name, session.launch());
    let fits = long.chars().count() + right.chars().count() < width;
    let left = if fits { long } else { name };
    let first = Line::styled(spread(&left, &right, width), theme.head());
    let Some(warp) = scene.warp else {
        let text = if session.has_ended() {
            " The launch has ended. G, S and C go back.".into()
        } else {
            terms.fill(
                " No warp is resident in this slot: choose a warp with the arrow keys, or {an_sm} with [ and ].",
            )
        };
        return Text::from(vec![first, Line::from(fit(&text, width)), Line::default()]);
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
        let why = if why.is_empty() { status.state.explanation(terms).into_owned() } else { why };
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
fn tabs(screen: &Screen, shows: &Shows<'_, '_>, selected: bool, shown: Pane) -> Line<'static> {
    let theme = screen.theme;
    let tab = |pane: &Pane| {
        let name = format!("{} {}", *pane as usize + 1, shows.name(*pane));
        if *pane == shown {
            Span::styled(format!("[{name}]"), theme.title(selected))
        } else {
            Span::styled(format!(" {name}"), theme.dim())
        }
    };
    Line::from(Pane::all(screen.choice.is_host)[1..].iter().map(tab).collect::<Vec<_>>())
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
    /// terminal is too small, or the program is not in a launch.
    pub fn new(screen: &Screen, site: &Site<'_, '_>, drawn: Buffer) -> Option<Self> {
        let places = layout(drawn.area, screen.choice)?;
        let unit = match site.session()?.mode() {
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
    if screen.input.is_open() && !screen.input.hint.is_empty() {
        let hint = Line::styled(fit(&format!(" {}", screen.input.hint), width), theme.dim());
        frame.render_widget(Paragraph::new(hint), places.keys);
        return;
    }
    let hints = hints(screen.choice.is_host).iter().flat_map(|(key, word)| {
        [Span::styled(format!(" {key}"), theme.key()), Span::raw(format!(" {word}"))]
    });
    frame.render_widget(Paragraph::new(Line::from(hints.collect::<Vec<_>>())), places.keys);
}

/// Keys and signs, over the panes.
fn help(frame: &mut Frame<'_>, places: &Layout, screen: &Screen) {
    let theme = screen.theme;
    let is_host = screen.choice.is_host;
    let head = places.head;
    let place = Rect { y: head.y + head.height, height: places.input.y - head.y - head.height, ..head };
    let mut lines = vec![Line::styled(" Keys (any key closes this help)", theme.title(false))];
    lines.extend(helps(is_host).iter().map(|(keys, text)| {
        Line::from(vec![Span::styled(format!(" {keys:<10} "), theme.key()), Span::raw(*text)])
    }));
    let signs = [
        " Lanes: # active, . inactive, blank exited. PTX: => line of the warp in focus,",
        " > other warps, b breakpoint. *: values that changed since the last stop.",
        " A state is that of the last issue cycle; the line is the next to execute.",
    ];
    let of_host = [
        " => next line to execute, b breakpoint. *: values that changed since the last",
        " stop. The head is HOST in host code, and KERNEL in a launch.",
    ];
    let signs: &[&str] = if is_host { &of_host } else { &signs };
    lines.extend(signs.iter().map(|text| Line::from(*text)));
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(Text::from(lines)), place);
}
