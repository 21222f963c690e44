//! Reads the terminal on a separate thread, so that Ctrl-C stops a command that is being executed.

use crate::watch::interrupt;
use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers, poll, read};
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
    /// Whether the thread is to end.
    ends: Arc<AtomicBool>,
}

/// The next event.
pub enum Input {
    /// An event.
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
        let ends = Arc::new(AtomicBool::new(false));
        let end = Arc::clone(&ends);
        // Without a thread the channel is closed, which ends the screen.
        drop(thread::Builder::new().name("terminal".to_owned()).spawn(move || forward(&send, &end)));
        Self { received, ends }
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
        self.ends.store(true, Ordering::Relaxed);
    }
}

fn forward(send: &Sender<Event>, ends: &AtomicBool) {
    while !ends.load(Ordering::Relaxed) {
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
            interrupt::pause(true);
        }
        if send.send(event).is_err() {
            return;
        }
    }
}
