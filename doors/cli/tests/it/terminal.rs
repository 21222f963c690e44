//! Programs on a terminal: a pseudo-terminal, whose other end the tests read and write.

use crate::common::{command, scratch};
use rustix::pty::{OpenptFlags, grantpt, ioctl_tiocgptpeer, openpt, unlockpt};
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use test_support::tools::Tool;

/// Longest time in which an expected text appears.
const PATIENCE: Duration = Duration::from_mins(1);

/// A program on a terminal.
struct Terminal {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    /// Everything that was shown.
    shown: String,
    child: Child,
}

impl Terminal {
    /// Starts `warpsim` with these arguments; Ctrl-C on the terminal is for it.
    fn start(arguments: &[&str]) -> Self {
        let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
        let master = openpt(flags).expect("a terminal");
        grantpt(&master).and_then(|()| unlockpt(&master)).expect("it opens");
        let inner: OwnedFd = ioctl_tiocgptpeer(&master, flags).expect("its other end");
        let stream = || Stdio::from(inner.try_clone().expect("a file"));
        let warpsim = command(arguments);
        let mut setsid = Command::new("setsid");
        setsid.arg("--ctty").arg(warpsim.get_program()).args(warpsim.get_args());
        setsid.current_dir(warpsim.get_current_dir().expect("a folder"));
        let child = setsid.stdin(stream()).stdout(stream()).stderr(stream()).spawn().expect("it starts");
        drop((setsid, inner));
        let keyboard = File::from(master);
        let mut screen = keyboard.try_clone().expect("a file");
        let (sender, receiver) = channel();
        std::thread::spawn(move || {
            let mut part = [0; 4096];
            // The end of the last process of the terminal is an error.
            while let Ok(count @ 1..) = screen.read(&mut part) {
                if sender.send(part[..count].to_vec()).is_err() {
                    break;
                }
            }
        });
        Self { keyboard, screen: receiver, shown: String::new(), child }
    }

    /// Waits until a text is shown; returns what was shown before it and since the last one.
    fn expect(&mut self, text: &str) -> String {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some((before, after)) = self.shown.split_once(text) {
                let before = before.to_owned();
                self.shown = after.to_owned();
                return before;
            }
            let left = until.saturating_duration_since(Instant::now());
            match self.screen.recv_timeout(left) {
                Ok(part) => self.shown += &String::from_utf8_lossy(&part),
                Err(why) => panic!("{text:?} is not shown ({why}): {:?}", self.shown),
            }
        }
    }

    fn write(&mut self, text: &str) {
        self.keyboard.write_all(text.as_bytes()).expect("the terminal takes it");
    }

    /// Waits for the end; returns the exit code and the rest of the screen.
    fn end(mut self) -> (Option<i32>, String) {
        let status = self.child.wait().expect("it ends");
        while let Ok(part) = self.screen.recv_timeout(Duration::from_secs(1)) {
            self.shown += &String::from_utf8_lossy(&part);
        }
        (status.code(), self.shown)
    }
}

fn written(folder: &Path, text: &str) -> String {
    let path = folder.join("program.cu");
    std::fs::write(&path, text).expect("written");
    path.to_str().expect("UTF-8").to_owned()
}

/// Starts a program that the built-in compiler takes.
fn program(name: &str, text: &str) -> Terminal {
    Terminal::start(&["run", &written(&scratch(name), text), "--compiler", "embedded"])
}

#[test]
fn each_kind_of_read_answers_at_enter_and_shows_its_prompt_before() {
    let text = r#"
        #include <cstdio>
        #include <iostream>
        #include <string>
        int main() {
            int n = 0; char word[8], text[16];
            printf("number? "); printf("got %d: ", scanf("%d", &n)); printf("%d\n", n);
            printf("rest %d, letter? ", getchar()); printf("got %c\n", getchar());
            getchar();
            printf("line? "); fgets(text, sizeof text, stdin); printf("got %s", text);
            printf("bytes? "); printf("got %d\n", (int)fread(text, 1, 3, stdin));
            printf("words? "); scanf("%*[\n]%7s", word); printf("got %s\n", word);
            std::cout << "count? "; std::cin >> n; std::cout << "got " << n << "\n";
            std::string line;
            std::getline(std::cin, line);
            std::cout << "name? "; std::getline(std::cin, line); std::cout << "got " << line << "\n";
            fprintf(stdout, "more? "); printf("got %d\n", scanf("%d", &n));
            return 3;
        }"#;
    let mut terminal = program("terminal-reads", text);
    for (prompt, typed, answer) in [
        ("number? ", "17\n", "got 1: 17"),
        ("rest 10, letter? ", "x\n", "got x"),
        ("line? ", "a line\n", "got a line"),
        ("bytes? ", "ab\n", "got 3"),
        ("words? ", "\nthree\n", "got three"),
        ("count? ", "-4\n", "got -4"),
        ("name? ", "Ada L\n", "got Ada L"),
        ("more? ", "\u{4}", "got -1"),
    ] {
        terminal.expect(prompt);
        terminal.write(typed);
        terminal.expect(answer);
    }
    assert_eq!(terminal.end().0, Some(3));
}

#[test]
fn ctrl_c_in_an_endless_loop_shows_the_output_the_line_and_the_report() {
    let text = "#include <stdio.h>\n__global__ void k() {}\nvoid spin(volatile int *x) {\n    \
                for (;;) *x = *x + 1;\n}\nint main() {\n    k<<<1, 32>>>();\n    printf(\"before\\n\");\n    \
                printf(\"and this\");\n    volatile int x = 0;\n    spin(&x);\n}\n";
    let mut terminal = program("terminal-loop", text);
    // A line is shown at once, and a part of a line while the program computes.
    terminal.expect("before");
    terminal.expect("and this");
    terminal.write("\u{3}");
    terminal.expect("Ctrl-C received");
    terminal.expect("interrupted: the host program");
    terminal.expect("in `spin` at ");
    terminal.expect("program.cu:4: for (;;) *x = *x + 1;");
    terminal.expect("called by `main` at ");
    terminal.expect("program.cu:11: spin(&x);");
    terminal.expect("program    1 launch");
    assert_eq!(terminal.end().0, Some(130));
}

#[test]
fn ctrl_c_ends_a_read_and_a_launch() {
    let read =
        "#include <stdio.h>\nint main() {\n    int n;\n    printf(\"n? \");\n    scanf(\"%d\", &n);\n}\n";
    let launch = "#include <stdio.h>\n__global__ void k(int *p) {\n    for (int i = 1; i != 0; i += 2) *p = i;\n}\n\
                  int main() {\n    int *p;\n    cudaMalloc(&p, 4);\n    printf(\"n? \");\n    k<<<1, 32>>>(p);\n    \
                  cudaDeviceSynchronize();\n    printf(\"too late\");\n}\n";
    for (name, text, line) in [("read", read, "program.cu:5"), ("launch", launch, "program.cu:9")] {
        let mut terminal = program(&format!("terminal-{name}"), text);
        terminal.expect("n? ");
        std::thread::sleep(Duration::from_millis(200));
        terminal.write("\u{3}");
        terminal.expect("interrupted: the host program");
        terminal.expect("in `main` at ");
        terminal.expect(line);
        terminal.expect("program    ");
        let (code, rest) = terminal.end();
        assert_eq!(code, Some(130), "{rest}");
        assert!(!rest.contains("too late"), "{rest}");
    }
}

/// A program with a virtual base class.
const REFUSED: &str = "#include <stdio.h>\nstruct X {};\nstruct A : virtual X { int f() { return 4; } };\n\
                       int main() { A a; printf(\"ran %d\\n\", a.f()); return 6; }\n";

#[test]
fn a_refused_program_becomes_native_code_if_the_user_agrees() {
    if Tool::Clang.is_missing("a_refused_program_becomes_native_code_if_the_user_agrees") {
        return;
    }
    let source = written(&scratch("terminal-native"), REFUSED);
    for (answer, text, code) in
        [("n\n", "error: the program was not run", 2), ("\n", "was not run", 2), ("y\n", "ran 4", 6)]
    {
        let mut terminal = Terminal::start(&["run", &source]);
        terminal.expect("is not supported");
        terminal.expect("Run it as native code? [y/N] ");
        terminal.write(answer);
        terminal.expect(text);
        assert_eq!(terminal.end().0, Some(code), "{answer:?}");
    }
}
