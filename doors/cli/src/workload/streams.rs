//! Standard streams of programs: those of this process, or none.

use crate::output::interrupt;
use report::program::streams::Streams;
use std::io::{IsTerminal as _, Read as _, Write as _};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// Most bytes of standard input that are read at once.
const PART: usize = 1 << 16;
/// Time between two questions whether a signal has arrived, during a read.
const PAUSE: Duration = Duration::from_millis(50);

/// The streams of this process.
pub struct Terminal {
    /// Where standard output goes.
    to: To,
    /// Called before the program prints.
    before: Box<dyn Fn() + Send>,
}

/// A stream of this process.
#[derive(Clone, Copy, PartialEq, Eq)]
enum To {
    Output,
    Error,
}

impl Terminal {
    /// Standard output and standard error; `before` is called before the program prints.
    pub fn new(before: impl Fn() + Send + 'static) -> Self {
        Self { to: To::Output, before: Box::new(before) }
    }

    /// The same, but standard output goes to standard error, as standard output has a document.
    #[must_use]
    pub fn beside_document(self) -> Self {
        Self { to: To::Error, ..self }
    }
}

impl Streams for Terminal {
    fn print(&mut self, bytes: &[u8]) {
        if self.to == To::Error {
            return self.complain(bytes);
        }
        (self.before)();
        // A reader may have closed the pipe.
        let mut out = std::io::stdout().lock();
        let _ = out.write_all(bytes).and_then(|()| out.flush());
    }

    fn complain(&mut self, bytes: &[u8]) {
        (self.before)();
        let _ = std::io::stderr().lock().write_all(bytes);
    }

    fn input(&mut self) -> Option<Vec<u8>> {
        // A signal does not end a read, so another thread waits for the input.
        let (sender, receiver) = channel();
        let read = move || drop(sender.send(read_part()));
        if thread::Builder::new().name("input".to_owned()).spawn(read).is_err() {
            return Some(read_part());
        }
        loop {
            match receiver.recv_timeout(PAUSE) {
                Ok(bytes) => return Some(bytes),
                Err(RecvTimeoutError::Disconnected) => return Some(Vec::new()),
                Err(RecvTimeoutError::Timeout) if interrupt::flow().is_break() => return None,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn is_terminal(&self) -> bool {
        match self.to {
            To::Output => std::io::stdout().is_terminal(),
            To::Error => std::io::stderr().is_terminal(),
        }
    }
}

/// Reads what standard input has: of a terminal, a line. Empty at the end of the input.
fn read_part() -> Vec<u8> {
    let mut bytes = vec![0; PART];
    let count = loop {
        match std::io::stdin().lock().read(&mut bytes) {
            Err(why) if why.kind() == std::io::ErrorKind::Interrupted => {}
            result => break result.unwrap_or(0),
        }
    };
    bytes.truncate(count);
    bytes
}
