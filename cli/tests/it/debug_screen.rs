//! The screen of `warpsim debug` on a real terminal: tmux runs the program, sends keys and captures
//! the screen. Without tmux the tests are skipped with a message.

use crate::common::{command, data, scratch};
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, Instant};
use test_support::tools::Tool;

/// Longest wait for a text on the screen.
const PATIENCE: Duration = Duration::from_mins(2);

/// A terminal with a shell that runs the program.
struct Screen {
    server: String,
    folder: PathBuf,
}

impl Screen {
    /// Runs `warpsim debug ARGUMENTS`. `None`: tmux is not installed.
    fn open(test: &str, (columns, rows): (u32, u32), arguments: &str) -> Option<Self> {
        if Tool::Tmux.is_missing(test) {
            return None;
        }
        let folder = scratch(test);
        let server = format!("warpsim-{test}-{}", std::process::id());
        let program = env!("CARGO_BIN_EXE_warpsim");
        let pid = folder.join("pid");
        // The shell prints the exit code and the mode of the terminal when the program has ended.
        let script = format!(
            "echo before the screen\nsh -c 'echo $$ > {}; exec {program} debug {arguments}'\n\
             echo exit code $?\nstty -a | grep -o -e ' -*icanon' -e ' -*echo '\nsleep 600\n",
            pid.display()
        );
        let path = folder.join("script.sh");
        fs::write(&path, script).expect("the folder can be written");
        let screen = Self { server, folder };
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let path = path.to_str().expect("UTF-8").to_owned();
        let data = data();
        let start = ["new-session", "-d", "-x", &columns, "-y", &rows, "-c", data.to_str().expect("UTF-8")];
        screen.tmux(&[&start[..], &["sh", &path]].concat());
        Some(screen)
    }

    fn tmux(&self, arguments: &[&str]) -> String {
        let mut tmux = Command::new("tmux");
        tmux.args(["-L", &self.server, "-f", "/dev/null"]).args(arguments).env("LC_ALL", "C.UTF-8");
        let output = tmux.output().expect("tmux starts");
        assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    fn press(&self, keys: &[&str]) {
        self.tmux(&[&["send-keys"], keys].concat());
    }

    /// Waits until the screen has `text`, and returns the screen.
    fn wait_for(&self, text: &str) -> String {
        let start = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p"]);
            if screen.contains(text) {
                return screen;
            }
            assert!(start.elapsed() < PATIENCE, "`{text}` does not appear:\n{screen}");
            std::thread::sleep(Duration::from_millis(30));
        }
    }

    /// Waits for the end of the program. The terminal must have its previous mode and content.
    fn ends_with(&self, code: u32) -> String {
        let screen = self.wait_for(" echo");
        assert!(screen.contains("before the screen"), "the screen is left: {screen}");
        assert!(screen.contains(&format!("exit code {code}\n")), "{screen}");
        assert!(screen.contains(" icanon") && !screen.contains("-echo"), "the mode is restored: {screen}");
        screen
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = Command::new("tmux").args(["-L", &self.server, "kill-server"]).output();
    }
}

#[test]
fn keys_move_the_launch_and_the_screen_follows_the_size() {
    let Some(screen) = Screen::open("screen-keys", (80, 24), "vecadd --size 512") else { return };
    let first = screen.wait_for("q quit");
    assert!(first.contains("vecadd ") && first.contains("Why:"), "{first}");
    screen.press(&["3", "s", "s"]);
    screen.wait_for("*%");
    screen.press(&[":", "break divergense", "Enter"]);
    screen.wait_for("did you mean `divergence`?");
    screen.tmux(&["resize-window", "-x", "60", "-y", "20"]);
    screen.wait_for("needs 80 x 24");
    screen.tmux(&["resize-window", "-x", "160", "-y", "50"]);
    let large = screen.wait_for("8 Timeline");
    assert!(large.contains("4 Stack") && large.contains("1 PTX"), "{large}");
    screen.press(&["g"]);
    screen.wait_for("The launch has ended");
    screen.press(&["g"]);
    let end = screen.ends_with(0);
    assert!(end.contains("all 512 elements equal"), "the host program checks the result: {end}");
}

#[test]
fn variables_of_cuda_c_have_a_pane() {
    let launch = "variables.cu --grid 1 --block 32 --arg n=3 --arg \"pair=(weight:1.5,count:5)\" -O 0";
    let Some(screen) = Screen::open("screen-variables", (100, 40), launch) else { return };
    let first = screen.wait_for("q quit");
    assert!(first.contains("1 CUDA C ") && first.contains("3 Variables"), "{first}");
    screen.press(&["3", ":", "break 26 if j == 2", "Enter", "g"]);
    let stopped = screen.wait_for(" j = 2 in all lanes");
    for part in ["pair.weight = 1.5 in all lanes", " n = 3 in all lanes", "0-15   8 10 12 14 16 18 20 22"] {
        assert!(stopped.contains(part), "{part}: {stopped}");
    }
    screen.press(&["s"]);
    screen.wait_for("=>  23");
    screen.press(&["q"]);
    screen.ends_with(0);
}

#[test]
fn ctrl_c_stops_a_command_and_keeps_the_screen() {
    let Some(screen) = Screen::open("screen-ctrl-c", (80, 24), "matmul-tiled --size 1024") else { return };
    screen.wait_for("q quit");
    screen.press(&["g"]);
    screen.wait_for("Ctrl-C stops it");
    screen.press(&["C-c"]);
    screen.wait_for("Interrupted.");
    screen.press(&["s"]);
    screen.wait_for("2 Warps");
    screen.press(&["q"]);
    screen.ends_with(0);
}

#[test]
fn a_signal_restores_the_terminal() {
    let Some(screen) = Screen::open("screen-signal", (80, 24), "vecadd --size 512") else { return };
    screen.wait_for("q quit");
    let process = fs::read_to_string(screen.folder.join("pid")).expect("the number of the process");
    let sent = Command::new("kill").args(["-TERM", process.trim()]).status().expect("kill exists");
    assert!(sent.success());
    screen.ends_with(143);
}

#[test]
fn a_screen_needs_a_terminal() {
    let output = command(&["debug", "vecadd", "--tui"]).output().expect("it starts");
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("--tui requires a terminal on standard input and output"), "{message}");
}
