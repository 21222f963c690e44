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

/// A program of the examples.
const VECADD: &str = "../../../../examples/programs/vecadd.cu";

#[test]
fn a_program_is_stepped_in_host_code_and_in_its_launch() {
    let Some(screen) = Screen::open("screen-program", (80, 24), VECADD) else { return };
    let first = screen.wait_for("q quit");
    assert!(first.starts_with(" HOST  main, "), "{first}");
    assert!(first.contains("0 CUDA calls, 0 launches") && first.contains("[3 Variables]"), "{first}");
    screen.press(&["Down"]);
    screen.wait_for("* n = 20000 ");
    // The message names the change, as the output is in another pane.
    screen.press(&[":", "watch bytes", "Enter", "g"]);
    screen.wait_for("\n bytes has changed in line 17: old value 0, new value 80000\n");
    screen.press(&[":", "d 1", "Enter", ":", "break 33", "Enter", "g"]);
    let stopped = screen.wait_for("b=>  33");
    assert!(stopped.contains(" Last call: line 29, cudaMemcpy: done"), "{stopped}");
    // Into the launch and back to its line, then over it.
    screen.press(&["Right"]);
    // The titles of the panes are drawn after the first line.
    let kernel = screen.wait_for("[2 Warps]");
    assert!(kernel.contains("KERNEL  vecadd") && kernel.contains(" =>   9 "), "{kernel}");
    screen.press(&["S"]);
    screen.wait_for(" HOST  main, ");
    screen.press(&["2", "n"]);
    screen.wait_for("5 CUDA calls, 1 launch");
    for part in ["vecadd<<<79, 256>>>  finished, ", "line   28  cudaMemcpy", "[2 CUDA calls]", " =>  34 "] {
        screen.wait_for(part);
    }
    screen.press(&["9", "g"]);
    let end = screen.wait_for("The program has ended with exit code 0: G and S go back, q quits.");
    assert!(end.contains("PASSED") && end.contains("9 CUDA calls, 1 launch"), "{end}");
    screen.press(&["G"]);
    screen.wait_for("b=>  33");
    screen.press(&["q"]);
    let left = screen.ends_with(0);
    assert!(left.contains("20000 elements, 0 wrong"), "the output is printed: {left}");
}

#[test]
fn all_panes_of_host_code_are_visible_on_a_large_screen() {
    let Some(screen) = Screen::open("screen-program-large", (120, 40), "both.cu") else { return };
    screen.wait_for("q quit");
    screen.press(&[":", "watch total", "Enter", "g"]);
    let stopped = screen.wait_for("total has changed in line 43: old value 7, new value 31");
    for part in ["1 Host code", "2 CUDA calls", "3 Variables", "4 Functions", "9 Output"] {
        assert!(stopped.contains(part), "{part}: {stopped}");
    }
    screen.press(&["7"]);
    screen.wait_for("Access is a pane of a launch, and host code runs now.");
    screen.press(&["?"]);
    screen.wait_for("The head is HOST in host code, and KERNEL in a launch.");
    screen.press(&["x", "q"]);
    screen.ends_with(0);
}

/// The page shows the screen of a program that has called its kernel.
#[test]
fn the_documentation_shows_the_screen_of_a_program() {
    let Some(screen) = Screen::open("screen-program-page", (80, 24), VECADD) else { return };
    screen.wait_for("q quit");
    screen.press(&[":", "break 33", "Enter", "g"]);
    screen.wait_for("b=>  33");
    screen.press(&["n", "2"]);
    let found = screen.wait_for("[2 CUDA calls]");
    let shown: Vec<&str> = found.lines().map(str::trim_end).collect();
    let shown = shown.join("\n");
    let path = test_support::workspace::root().join("docs/DEBUGGING.md");
    let page = fs::read_to_string(&path).expect("readable").replace("\r\n", "\n");
    let marker = "<!-- screen of a program -->\n```text\n";
    let (head, rest) = page.split_once(marker).expect("the marker of the screen");
    let (_, rest) = rest.split_once("```\n").expect("the block ends");
    let now = format!("{head}{marker}{}\n```\n{rest}", shown.trim_end());
    if now != page {
        let bless = std::env::var_os("BLESS").is_some_and(|value| value == "1");
        assert!(bless, "docs/DEBUGGING.md shows an old screen; run the test with BLESS=1\n{shown}");
        fs::write(path, now).expect("writable");
    }
    screen.press(&["q"]);
    screen.ends_with(0);
}

#[test]
fn ctrl_c_stops_host_code_and_keeps_the_screen() {
    let file = scratch("screen-endless-source").join("endless.cu");
    let text = "int main()\n{\n    volatile long n = 0;\n    for (;;)\n        n++;\n}\n";
    fs::write(&file, text).expect("the folder can be written");
    let file = file.to_str().expect("UTF-8");
    let Some(screen) = Screen::open("screen-endless", (80, 24), file) else { return };
    screen.wait_for("q quit");
    screen.press(&["g"]);
    screen.wait_for("Ctrl-C stops it");
    screen.press(&["C-c"]);
    screen.wait_for("=>   5 ");
    screen.press(&["q"]);
    screen.ends_with(0);
}

#[test]
fn a_line_of_the_console_is_edited_and_completed() {
    let Some(screen) = Screen::open("console-edit", (80, 24), &format!("{VECADD} --no-tui")) else { return };
    screen.wait_for("(warpsim)");
    screen.press(&["next", "Enter"]);
    screen.wait_for("  17");
    // A command, and a variable.
    screen.press(&["wat", "Tab"]);
    screen.wait_for("(warpsim) watch");
    screen.press(&["b", "Tab", "Enter"]);
    screen.wait_for("watchpoint on bytes of main");
    // A kernel, and the line of a file; Tab lists the words between which it cannot decide.
    screen.press(&["break vec", "Tab", "Tab"]);
    screen.wait_for("vecadd vecadd.cu:");
    screen.press(&[".", "Tab", "3", "Tab"]);
    screen.wait_for("vecadd.cu:31 vecadd.cu:32 vecadd.cu:33");
    screen.press(&["3", "Enter"]);
    screen.wait_for("breakpoint at line 33");
    // The history, and the keys in a line.
    screen.press(&["Up", "Home", "Right", "Right", "Delete", "BSpace", "C-k"]);
    screen.press(&["C-u", "print n", "Enter"]);
    screen.wait_for("n = 20000");
    screen.press(&["C-d"]);
    screen.ends_with(0);
}

#[test]
fn ctrl_c_at_the_prompt_ends_the_commands() {
    let Some(screen) = Screen::open("console-ctrl-c", (80, 24), &format!("{VECADD} --no-tui")) else {
        return;
    };
    screen.wait_for("(warpsim)");
    // In a line that is typed, it drops the line.
    screen.press(&["nonsense", "C-c"]);
    screen.press(&["C-c"]);
    screen.wait_for("Ctrl-C received");
    screen.ends_with(130);
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
