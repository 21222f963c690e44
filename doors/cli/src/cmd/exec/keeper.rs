//! The end of native programs: none outlives this program, also after SIGKILL.
//!
//! ```text
//! warpsim run or exec       waits; a signal ends the keeper
//!   keeper                  this program again: ends all processes below it when warpsim ends
//!     the program           asks the system for SIGKILL at the end of its keeper, then is replaced
//!       its processes       become children of the keeper when their parents end
//! ```
//!
//! All of them stay in the process group of the terminal, so that Ctrl-C, Ctrl-Z and reads of the
//! terminal reach the program.

use crate::exit::{Code, Failure};
use crate::output::{complain, interrupt, shown};
use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
use signal_hook::iterator::Signals;
use std::ffi::OsString;
use std::io;
use std::os::unix::process::{CommandExt as _, parent_id};
use std::path::Path;
use std::process::{Child, Command, ExitCode, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// First arguments of this program as the keeper, and as the start of a native program. The next
/// argument is the process that started it.
const KEEPER: &str = "--keep-native-program";
const START: &str = "--start-native-program";

/// Time between two questions whether the parent has ended, or a signal has arrived.
const PAUSE: Duration = Duration::from_millis(50);
/// Time that a program has after SIGTERM, or after a signal of the terminal.
const GRACE: Duration = Duration::from_millis(300);
/// Most rounds in which processes are ended: new ones may start meanwhile.
const ROUNDS: usize = 200;

/// Event that ends the wait of a keeper.
enum Event {
    /// The child has ended.
    Ended(io::Result<ExitStatus>),
    /// A signal asks for the end.
    Signal,
}

/// Plays the part of the keeper or of the start of a program, if the arguments of this process ask
/// for one.
pub fn part() -> Option<ExitCode> {
    let mut words = std::env::args_os().skip(1);
    let part = words.next()?;
    let is_keeper = part == KEEPER;
    if !is_keeper && part != START {
        return None;
    }
    let parent = words.next()?.to_str()?.parse().ok()?;
    let words: Vec<OsString> = words.collect();
    Some(if is_keeper { keep(parent, &words) } else { start(parent, &words) }.into())
}

/// Runs a native program and waits for its end. The exit code is that of the program, or of the
/// signal that ends this run.
pub fn run(words: &[OsString], variables: Vec<(&'static str, OsString)>) -> Result<u8, Failure> {
    interrupt::catch();
    let cannot = |why| Failure::input(format!("error: cannot start this program again: {why}"));
    let mut keeper = again(KEEPER, words).map_err(cannot)?.envs(variables).spawn().map_err(cannot)?;
    let process = Pid::from_child(&keeper);
    let (sender, events) = channel();
    thread::spawn(move || drop(sender.send(Event::Ended(keeper.wait()))));
    let mut asked: Option<Instant> = None;
    let status = loop {
        if let Ok(Event::Ended(status)) = events.recv_timeout(PAUSE) {
            break status.map_err(cannot)?;
        }
        if interrupt::flow().is_break() {
            // The terminal has sent its signal to the program, too, which may end by itself.
            let since = asked.get_or_insert_with(Instant::now).elapsed();
            if since >= GRACE {
                let _ = kill_process(process, Signal::TERM);
            }
        }
    };
    Ok(if asked.is_some() { interrupt::code() as u8 } else { super::code(status) })
}

/// This program in another part, as a command.
fn again(part: &str, words: &[OsString]) -> io::Result<Command> {
    let mut command = Command::new(std::env::current_exe()?);
    command.arg(part).arg(std::process::id().to_string()).args(words);
    Ok(command)
}

/// Starts a program and waits for its end, or for the end of the process `parent`. Then it ends all
/// processes below this one. Returns the exit code.
fn keep(parent: u32, words: &[OsString]) -> u8 {
    let (sender, events) = channel();
    // Without signals, the end of the parent remains.
    let _ = listen(sender.clone());
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
    // The system regards the end of the thread that starts a process: this one waits until the end.
    let child = match again(START, words).and_then(|mut command| command.spawn()) {
        Ok(child) => child,
        Err(why) => {
            complain(&format!("error: cannot start this program again: {why}"));
            return Code::BadInput as u8;
        }
    };
    let process = Pid::from_child(&child);
    wait_for(child, sender);
    let ended = loop {
        match events.recv_timeout(PAUSE) {
            Ok(Event::Ended(status)) => break Some(status),
            Err(RecvTimeoutError::Timeout) if parent_id() == parent => {}
            Ok(Event::Signal) | Err(_) => break None,
        }
    };
    let ended = ended.or_else(|| {
        for one in below(process) {
            let _ = kill_process(one, Signal::TERM);
        }
        end_of(&events)
    });
    for _ in 0..ROUNDS {
        let all: Vec<Pid> = below(process).filter(|one| ended.is_none() || *one != process).collect();
        if all.is_empty() {
            break;
        }
        for one in all {
            let _ = kill_process(one, Signal::KILL);
        }
        thread::sleep(Duration::from_millis(5));
    }
    match ended {
        Some(Ok(status)) => super::code(status),
        _ => Code::Terminated as u8,
    }
}

/// Sends the end of a child.
fn wait_for(mut child: Child, sender: Sender<Event>) {
    thread::spawn(move || drop(sender.send(Event::Ended(child.wait()))));
}

/// Waits a moment for the end of the child.
fn end_of(events: &Receiver<Event>) -> Option<io::Result<ExitStatus>> {
    let until = Instant::now() + GRACE;
    loop {
        match events.recv_timeout(until.checked_duration_since(Instant::now())?) {
            Ok(Event::Ended(status)) => return Some(status),
            Ok(Event::Signal) => {}
            Err(_) => return None,
        }
    }
}

/// Sends SIGTERM as an event. The other signals of a terminal are for the program.
fn listen(sender: Sender<Event>) -> io::Result<()> {
    // The program ignores what this process ignores.
    let all = [SIGINT, SIGQUIT, SIGHUP, SIGTERM].into_iter().filter(|signal| !interrupt::ignores(*signal));
    let mut signals = Signals::new(all)?;
    let wait = move || {
        for signal in signals.forever() {
            if signal == SIGTERM && sender.send(Event::Signal).is_err() {
                break;
            }
        }
    };
    thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Becomes the program, which ends with the process `parent`. Returns the exit code of a program
/// that cannot be started.
fn start(parent: u32, words: &[OsString]) -> u8 {
    #[cfg(target_os = "linux")]
    let _ = rustix::process::set_parent_process_death_signal(Some(Signal::KILL));
    // The parent may have ended before.
    if parent_id() != parent {
        return Code::Terminated as u8;
    }
    let [name, arguments @ ..] = words else { return Code::BadInput as u8 };
    let why = Command::new(name).args(arguments).exec();
    let name = shown(Path::new(name));
    complain(&format!(
        "error: cannot start {name}: {why}\nhelp: build a program from CUDA C: warpcc FILE.cu -o NAME"
    ));
    Code::BadInput as u8
}

/// The processes below this one: on Linux all, elsewhere the child.
fn below(child: Pid) -> impl Iterator<Item = Pid> {
    let mut all = children(std::process::id());
    let mut next = 0;
    while let Some(process) = all.get(next) {
        next += 1;
        for below in children(*process) {
            if !all.contains(&below) {
                all.push(below);
            }
        }
    }
    let pid = |process: u32| Pid::from_raw(i32::try_from(process).ok()?);
    let only = if cfg!(target_os = "linux") { None } else { Some(child) };
    all.into_iter().filter_map(pid).chain(only)
}

/// The running children of a process.
fn children(process: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let words = lists.flat_map(|list| list.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
    words.filter_map(|word| word.parse().ok()).filter(|process| is_running(*process)).collect()
}

/// Whether a process has not ended: its parent may not have asked for its exit code.
fn is_running(process: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The state is behind the name, which may have any characters.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.split_whitespace().next());
    state.is_some_and(|state| !matches!(state, "Z" | "X"))
}
