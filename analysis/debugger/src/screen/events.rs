//! Reads the terminal on a separate thread, so that Ctrl-C stops a command that is being executed.

use crate::host::AnyHost;
use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, poll, read};
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;
use std::time::Duration;

/// Longest time for which a thread waits without looking at signals.
const WAIT: Duration = Duration::from_millis(50);

/// Events of the terminal.
pub struct Events {
    received: Receiver<Event>,
    flags: Arc<Flags>,
}

/// Flags that both threads use.
#[derive(Default)]
struct Flags {
    /// Whether the thread is to end.
    ends: AtomicBool,
    /// Whether Ctrl-C was pressed.
    stops: AtomicBool,
}

/// The next event.
pub enum Input {
    /// An event of the terminal.
    Event(Event),
    /// There was none for some time.
    Nothing,
    /// The terminal is closed.
    Closed,
}

impl Events {
    /// Starts the thread.
    pub fn read() -> Self {
        let (send, received) = channel();
        let flags = Arc::new(Flags::default());
        let of_thread = Arc::clone(&flags);
        // Without a thread the channel is closed, which ends the screen.
        drop(thread::Builder::new().name("terminal".to_owned()).spawn(move || forward(&send, &of_thread)));
        Self { received, flags }
    }

    /// Begins a command that Ctrl-C stops. Returns the function that the command calls regularly.
    pub fn command(&self, host: AnyHost) -> impl FnMut(u64) -> ControlFlow<()> + use<> {
        let flags = Arc::clone(&self.flags);
        flags.stops.store(false, Ordering::Relaxed);
        move |_| {
            if flags.stops.load(Ordering::Relaxed) { ControlFlow::Break(()) } else { host.flow() }
        }
    }

    /// Whether Ctrl-C was pressed since the last command or call.
    pub fn takes_stop(&self) -> bool {
        self.flags.stops.swap(false, Ordering::Relaxed)
    }

    /// Waits for the next event, for a short time.
    pub fn next(&self) -> Input {
        match self.received.recv_timeout(WAIT) {
            Ok(event) => Input::Event(event),
            Err(RecvTimeoutError::Timeout) => Input::Nothing,
            Err(RecvTimeoutError::Disconnected) => Input::Closed,
        }
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.flags.ends.store(true, Ordering::Relaxed);
    }
}

fn forward(send: &Sender<Event>, flags: &Flags) {
    while !flags.ends.load(Ordering::Relaxed) {
        match poll(WAIT) {
            Ok(false) => continue,
            Ok(true) => {}
            Err(_) => return,
        }
        let Ok(event) = read() else { return };
        if let Event::Key(key) = &event
            && key.code == KeyCode::Char('c')
            && key.modifiers.contains(KeyModifiers::CONTROL)
        {
            flags.stops.store(true, Ordering::Relaxed);
        }
        if send.send(event).is_err() {
            return;
        }
    }
}
