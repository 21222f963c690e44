//! Screens of short sessions, as a student drives them.

use super::draw::{Progress, draw};
use super::state::{Next, Screen};
use super::theme::Theme;
use crate::front::{Front, show};
use crate::site::Site;
use isa::uop;
use kernels::Settings;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent};
use ratatui::style::Color;
use sim_core::config::Chip;
use sim_core::debug::{Debugger, Session};
use sim_core::host::{Gpu, LaunchSettings, Mode};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A session: the keys of each step. After each step the screen is drawn; without steps, at the
/// start of a command and some time later.
struct Student {
    size: (u16, u16),
    colors: bool,
    steps: Vec<String>,
    screens: Arc<Mutex<Vec<Buffer>>>,
}

/// The keys of a step: characters, and names in angle brackets.
fn keys(step: &str) -> Vec<KeyEvent> {
    let mut rest = step;
    let mut keys = Vec::new();
    while let Some(first) = rest.chars().next() {
        let named = [
            ("<Enter>", KeyCode::Enter),
            ("<Tab>", KeyCode::Tab),
            ("<Down>", KeyCode::Down),
            ("<Right>", KeyCode::Right),
            ("<PageDown>", KeyCode::PageDown),
        ];
        let code = named.iter().find(|(name, _)| rest.starts_with(name));
        let (length, code) = code.map_or((first.len_utf8(), KeyCode::Char(first)), |(n, c)| (n.len(), *c));
        keys.push(KeyEvent::from(code));
        rest = &rest[length..];
    }
    keys
}

impl Debugger for Student {
    fn debug(&mut self, session: &mut Session<'_>) {
        let mut front = Front::default();
        let mut screen = Screen::new(Theme::new(self.colors));
        let mut poll = |_| ControlFlow::Continue(());
        screen.say(&show::begin(session));
        screen.say(&front.begin(session, &mut poll));
        let first = session.cycle();
        let mut site = Site::Launch { session, code: None, first };
        screen.begin(&front, &site);
        let mut terminal = Terminal::new(TestBackend::new(self.size.0, self.size.1)).expect("a terminal");
        let runs = self.steps.is_empty();
        for step in std::mem::take(&mut self.steps) {
            for key in keys(&step) {
                if let Next::Execute(line) = screen.press(&front, &site, key) {
                    screen.execute(&mut front, &mut site, &line, &mut poll);
                }
            }
            let drawn = terminal.draw(|frame| draw(frame, &mut screen, &front, &site)).expect("it is drawn");
            self.screens.lock().expect("no panic").push(drawn.buffer.clone());
        }
        if runs {
            screen.running = Some("continue".to_owned());
            let drawn = terminal.draw(|frame| draw(frame, &mut screen, &front, &site)).expect("it is drawn");
            let start = drawn.buffer.clone();
            let progress = Progress::new(&screen, &site, start.clone()).expect("there is space");
            let later = terminal.draw(|frame| progress.draw(frame, 1_234_567)).expect("it is drawn");
            self.screens.lock().expect("no panic").extend([start, later.buffer.clone()]);
        }
        if let Site::Launch { session, .. } = site {
            session.kill();
        }
    }
}

/// Name of a kernel, size of its problem, and mode.
type Kernel = (&'static str, u64, Mode);

/// Runs a session with a kernel; `edit` may change its module. Returns the
/// screen after each step.
fn session(
    (kernel, problem, mode): Kernel,
    (size, colors): ((u16, u16), bool),
    steps: &[&str],
    edit: impl FnOnce(&mut uop::Module),
) -> Vec<Buffer> {
    let chip = Chip::builtin("g80").expect("a built-in chip");
    let workload = kernels::find(kernel).expect("a kernel");
    let mut module = workload.compile().expect("it compiles");
    edit(&mut module);
    let settings =
        Settings { size: Some(problem), launches: LaunchSettings { mode, ..LaunchSettings::default() } };
    let screens = Arc::new(Mutex::new(Vec::new()));
    let steps = steps.iter().map(|step| (*step).to_owned()).collect();
    let student = Student { size, colors, steps, screens: Arc::clone(&screens) };
    let mut gpu = Gpu::new(chip);
    gpu.debug(Some(Box::new(student)));
    // The launch is killed, so its result is wrong.
    let _ = workload.run(module, &mut gpu, settings);
    std::mem::take(&mut *screens.lock().expect("no panic"))
}

/// The text of a screen, line by line.
fn text(screen: &Buffer) -> String {
    let width = usize::from(screen.area.width);
    if width == 0 {
        return String::new();
    }
    let lines = screen.content.chunks(width);
    let line = |cells: &[ratatui::buffer::Cell]| {
        let line: String = cells.iter().map(ratatui::buffer::Cell::symbol).collect();
        format!("{}\n", line.trim_end())
    };
    lines.map(line).collect()
}

/// The last screen of a session without colors.
fn last(kernel: Kernel, size: (u16, u16), steps: &[&str]) -> String {
    text(session(kernel, (size, false), steps, |_| {}).last().expect("a screen"))
}

const SMALL: (u16, u16) = (80, 24);
const LARGE: (u16, u16) = (160, 50);
const REDUCTION: Kernel = ("reduce-interleaved", 4096, Mode::Timed);
const PRODUCT: Kernel = ("matmul-naive", 64, Mode::Timed);

/// In a divergent branch.
const DIVERGENT: [&str; 2] = [":break divergence block (0,0,0) warp 0<Enter>gs", "4"];

/// A warp waits for its loads.
const STALLED: &str = ":break 65<Enter>gscccccccccccccccccccc7";

/// Another warp cannot issue its next load, because those before it are uncoalesced.
const UNCOALESCED: &str = ":break 65<Enter>gscccccccccccccccccccc7<Down><Down><Down>";

#[test]
fn a_running_command_changes_its_line_only() {
    let screens = session(("reduce-interleaved", 1024, Mode::Timed), ((80, 24), true), &[], |_| {});
    let [start, later] = &screens[..] else { panic!("there are two screens") };
    let (start, later) = (text(start), text(later));
    let changed: Vec<_> =
        start.lines().zip(later.lines()).filter(|(before, after)| before != after).collect();
    assert_eq!(
        changed,
        [(" continue … Ctrl-C stops it", " continue … shader cycle 1,234,567; Ctrl-C stops it")]
    );
}

#[test]
fn the_first_screen_explains_itself() {
    insta::assert_snapshot!("start_80x24", last(REDUCTION, SMALL, &[""]));
    insta::assert_snapshot!("start_160x50", last(REDUCTION, LARGE, &[""]));
}

#[test]
fn a_divergent_branch_is_drawn() {
    insta::assert_snapshot!("divergent_80x24", last(REDUCTION, SMALL, &DIVERGENT));
    insta::assert_snapshot!("divergent_160x50", last(REDUCTION, LARGE, &DIVERGENT));
}

#[test]
fn the_transactions_of_a_load_are_drawn() {
    insta::assert_snapshot!("stalled_80x24", last(PRODUCT, SMALL, &[STALLED]));
    insta::assert_snapshot!("uncoalesced_80x24", last(PRODUCT, SMALL, &[UNCOALESCED]));
    insta::assert_snapshot!("stalled_160x50", last(PRODUCT, LARGE, &[STALLED]));
}

/// The page shows the screen of the 80x24 test above.
#[test]
fn the_documentation_shows_a_screen() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/DEBUGGING.md");
    let page = std::fs::read_to_string(&path).expect("readable").replace("\r\n", "\n");
    let (head, rest) = page.split_once("<!-- screen -->\n```text\n").expect("the marker of the screen");
    let (_, rest) = rest.split_once("```\n").expect("the block ends");
    let now = format!("{head}<!-- screen -->\n```text\n{}```\n{rest}", last(PRODUCT, SMALL, &[UNCOALESCED]));
    if now != page {
        let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
        assert!(bless, "docs/DEBUGGING.md shows an old screen; run the test with BLESS=1");
        std::fs::write(path, now).expect("writable");
    }
}

#[test]
fn every_pane_and_the_help_have_a_screen() {
    let steps = [":break 57<Enter>gsss", "2", "3", "5", "6f", "8", "9", "?"];
    let all: Vec<String> = session(REDUCTION, (SMALL, false), &steps, |_| {}).iter().map(text).collect();
    insta::assert_snapshot!("panes_80x24", all.join("\n"));
}

#[test]
fn a_bank_conflict_is_drawn() {
    let steps = [":break bank-conflict<Enter>gs", "7"];
    insta::assert_snapshot!(last(("block-transpose", 64, Mode::Timed), SMALL, &steps));
}

#[test]
fn a_barrier_shows_the_missing_warps() {
    insta::assert_snapshot!(last(REDUCTION, SMALL, &[":break barrier<Enter>gscc", "8"]));
}

#[test]
fn changed_values_are_marked() {
    let screens = session(REDUCTION, (SMALL, false), &["3", "s", "s"], |_| {});
    let marked = |screen: &Buffer| text(screen).lines().any(|line| line.starts_with('*'));
    assert_eq!([marked(&screens[0]), marked(&screens[2])], [false, true], "{}", text(&screens[2]));
}

#[test]
fn without_colors_no_cell_has_a_color() {
    let has_color = |colors: bool| {
        let screens = session(REDUCTION, (LARGE, colors), &["sss", "?"], |_| {});
        screens
            .iter()
            .flat_map(|screen| &screen.content)
            .any(|cell| [cell.fg, cell.bg].iter().any(|color| *color != Color::Reset))
    };
    assert_eq!([has_color(false), has_color(true)], [false, true]);
}

#[test]
fn a_small_terminal_is_told_the_required_size() {
    let expected = "The terminal has 60 columns and 20 rows.\nwarpsim debug needs 80 x 24.\n";
    let found = last(REDUCTION, (60, 20), &["s"]);
    assert!(found.starts_with(expected), "{found}");
    for (width, height) in [(1, 1), (200, 3), (3, 200), (0, 0)] {
        last(REDUCTION, (width, height), &["s?"]);
    }
}

#[test]
fn a_kernel_without_source_text_is_shown_as_micro_ops() {
    let without_text = |module: &mut uop::Module| {
        for program in &mut module.entries {
            let mut copy = (**program).clone();
            copy.source = Arc::new(uop::program::Source::new("", ""));
            *program = Arc::new(copy);
        }
    };
    let screens = session(REDUCTION, (SMALL, false), &["sss"], without_text);
    insta::assert_snapshot!(text(&screens[0]));
}

#[test]
fn the_end_of_a_launch_can_be_left_backward() {
    let steps = ["", "g", "G", "s"];
    let screens = session(("vecadd", 512, Mode::Timed), (SMALL, false), &steps, |_| {});
    assert!(text(&screens[1]).contains("The launch has ended: G goes back"), "{}", text(&screens[1]));
    assert!(!text(&screens[2]).contains("has ended"), "{}", text(&screens[2]));
}

#[test]
fn the_functional_machine_has_a_screen_without_time() {
    let kernel = (REDUCTION.0, REDUCTION.1, Mode::Functional);
    insta::assert_snapshot!(last(kernel, LARGE, &[":break divergence<Enter>gsc"]));
}

/// Every key and pane at the start, in the middle and at the end of a launch, at odd sizes.
#[test]
fn no_key_causes_a_panic() {
    let keys = "123456789zfm[]?x<Tab><Down><Right><PageDown>scSCq:nonsense<Enter>:print %t<Enter>z";
    let steps = [keys, ":goto 2000<Enter>", keys, "g", keys, "G", keys];
    for size in [SMALL, (81, 25), (97, 61), (160, 48), (300, 90)] {
        assert_eq!(session(REDUCTION, (size, true), &steps, |_| {}).len(), steps.len());
    }
}
