//! Framing of the Debug Adapter Protocol: messages with a `Content-Length` header on standard input
//! and output.
//!
//! A thread reads standard input, so that a request reaches a running launch. A message whose end
//! is known is always skipped as a whole; a message whose end is unknown ends the session.

use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

/// Largest body of a message in bytes.
pub const LONGEST_MESSAGE: u64 = 16 << 20;

/// Largest header of a message in bytes.
const LONGEST_HEADER: u64 = 4 << 10;

/// Messages that wait to be handled; further ones stay in the pipe.
const MOST_WAITING: usize = 64;

/// Interval at which a wait for a message looks for signals.
const SIGNALS: Duration = Duration::from_millis(100);

/// Input from the client.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    /// A complete message as JSON.
    Message(Value),
    /// A message that is not JSON; the next message can be read.
    Invalid(String),
    /// The end of a message is unknown, so no further message can be read.
    Broken(String),
    /// The end of the input.
    End,
}

/// Reads one message.
fn read(input: &mut impl BufRead) -> Input {
    let cannot = |error: io::Error| Input::Broken(format!("cannot read standard input: {error}"));
    let (mut length, mut bytes, mut lines) = (None, 0, 0);
    loop {
        let mut line = Vec::new();
        match input.by_ref().take(LONGEST_HEADER - bytes).read_until(b'\n', &mut line) {
            Ok(0) if bytes == 0 => return Input::End,
            Ok(read) => bytes += read as u64,
            Err(error) => return cannot(error),
        }
        if line.last() != Some(&b'\n') {
            let why =
                if bytes >= LONGEST_HEADER { "is longer than 4,096 bytes" } else { "ends in the middle" };
            return Input::Broken(format!("the header of a message {why}"));
        }
        lines += 1;
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        if text.is_empty() {
            break;
        }
        let Some((name, value)) = text.split_once(':') else {
            return Input::Broken(format!(
                "header line {lines} has no colon; expected `Content-Length: BYTES`"
            ));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            match value.trim().parse::<u64>() {
                Ok(found) if found <= LONGEST_MESSAGE => length = Some(found),
                Ok(found) => {
                    return Input::Broken(format!(
                        "a message of {found} bytes is longer than {LONGEST_MESSAGE} bytes"
                    ));
                }
                Err(_) => {
                    return Input::Broken("the value of Content-Length is not a number of bytes".into());
                }
            }
        }
    }
    let Some(length) = length else {
        return Input::Broken("the header of a message has no Content-Length".to_owned());
    };
    let mut body = Vec::new();
    match input.take(length).read_to_end(&mut body) {
        Ok(read) if (read as u64) < length => {
            return Input::Broken(format!("the input ends after {read} of the {length} bytes of a message"));
        }
        Ok(_) => {}
        Err(error) => return cannot(error),
    }
    match serde_json::from_slice(&body) {
        Ok(message) => Input::Message(message),
        Err(error) => Input::Invalid(format!("a message is not JSON: {error}")),
    }
}

/// The connection to the client.
pub struct Wire {
    input: Receiver<Input>,
    /// Sequence number of the latest message to the client.
    seq: u64,
    /// Whether the client has closed standard output.
    closed: bool,
}

impl Wire {
    /// Starts to read standard input.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn start() -> io::Result<Self> {
        let (send, input) = sync_channel(MOST_WAITING);
        let listen = move || {
            let mut stdin = BufReader::new(io::stdin());
            loop {
                let read = read(&mut stdin);
                let last = matches!(read, Input::End | Input::Broken(_));
                if send.send(read).is_err() || last {
                    return;
                }
            }
        };
        thread::Builder::new().name("client".to_owned()).spawn(listen)?;
        Ok(Self { input, seq: 0, closed: false })
    }

    /// Waits for the next input. Returns [`Input::End`] when `stop` is true.
    pub fn wait(&mut self, stop: impl Fn() -> bool) -> Input {
        loop {
            if self.closed || stop() {
                return Input::End;
            }
            match self.input.recv_timeout(SIGNALS) {
                Ok(input) => return input,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Input::End,
            }
        }
    }

    /// Returns the next input if there is one.
    pub fn poll(&mut self) -> Option<Input> {
        match self.input.try_recv() {
            _ if self.closed => Some(Input::End),
            Ok(input) => Some(input),
            Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some(Input::End),
        }
    }

    /// Sends a message with the next sequence number.
    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        let body = message.to_string();
        let mut stdout = io::stdout().lock();
        let written = write!(stdout, "Content-Length: {}\r\n\r\n{body}", body.len());
        if written.and_then(|()| stdout.flush()).is_err() {
            self.closed = true;
        }
    }

    /// Sends an event.
    pub fn event(&mut self, event: &str, body: impl Serialize) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    /// Sends text for the debug console. The categories are those of the protocol: `console`,
    /// `important`, `stdout`, `stderr`.
    pub fn output(&mut self, category: &str, text: &str) {
        if !text.is_empty() {
            self.event("output", json!({ "category": category, "output": text }));
        }
    }

    /// Answers a request with a body.
    pub fn answer(&mut self, request: &Header, body: impl Serialize) {
        let Header { seq, command } = request;
        self.send(json!({
            "type": "response", "request_seq": seq, "success": true, "command": command, "body": body,
        }));
    }

    /// Answers a request with an error: a short text, and one for the user.
    pub fn refuse(&mut self, request: &Header, error: &Refusal) {
        let Header { seq, command } = request;
        let Refusal { short, text, show } = error;
        // Braces in `format` name variables of the message.
        let error = json!({
            "id": 1, "format": "{text}", "variables": { "text": text }, "showUser": show,
        });
        self.send(json!({
            "type": "response", "request_seq": seq, "success": false, "command": command,
            "message": short.unwrap_or(text), "body": { "error": error },
        }));
    }
}

/// The header of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// Sequence number; 0 if the client sent none.
    pub seq: i64,
    /// Name of the request.
    pub command: String,
}

/// An error response.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// A word of the protocol for the kind of error; `None`: the text.
    pub short: Option<&'static str>,
    /// Message for the user.
    pub text: String,
    /// Whether the client shows a window with the text.
    pub show: bool,
}

impl<T: Into<String>> From<T> for Refusal {
    fn from(text: T) -> Self {
        Self { short: None, text: text.into(), show: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one(text: &[u8]) -> Input {
        read(&mut BufReader::new(text))
    }

    #[test]
    fn a_message_has_a_header_and_a_body() {
        let message = Input::Message(json!({ "a": 1 }));
        assert_eq!(one(b"Content-Length: 7\r\n\r\n{\"a\":1}"), message);
        assert_eq!(one(b"content-length:7\r\nContent-Type: x\r\n\r\n{\"a\":1}rest"), message);
        assert_eq!(one(b"Content-Length: 7\n\n{\"a\":1}"), message, "line ends without a return");
        assert_eq!(one(b""), Input::End);
    }

    #[test]
    fn what_is_wrong_with_a_message_is_said() {
        for (text, expected) in [
            ("Content-Length: 7\r\n\r\n{\"a\"", "the input ends after 4 of the 7 bytes of a message"),
            ("Content-Length: 7\r\n", "the header of a message ends in the middle"),
            ("Content-Len", "the header of a message ends in the middle"),
            ("\r\n{}", "the header of a message has no Content-Length"),
            ("{\"seq\":1}\n", "the value of Content-Length"),
            ("hello\r\n\r\n", "header line 1 has no colon"),
            ("Content-Length: -1\r\n\r\n", "the value of Content-Length is not a number"),
            ("Content-Length: 99999999\r\n\r\n", "a message of 99999999 bytes is longer than"),
        ] {
            let Input::Broken(found) = one(text.as_bytes()) else { panic!("{text}") };
            assert!(found.contains(expected) || text.starts_with('{'), "{text}: {found}");
        }
        let long = format!("X: {}\r\n", "x".repeat(5000));
        assert_eq!(
            one(long.as_bytes()),
            Input::Broken("the header of a message is longer than 4,096 bytes".into())
        );
    }

    #[test]
    fn an_invalid_body_does_not_hide_the_next_message() {
        let mut input = BufReader::new(&b"Content-Length: 2\r\n\r\n{xContent-Length: 2\r\n\r\n{}"[..]);
        assert!(matches!(read(&mut input), Input::Invalid(_)));
        assert_eq!(read(&mut input), Input::Message(json!({})));
        assert_eq!(read(&mut input), Input::End);
    }

    proptest! {
        #[test]
        fn any_input_is_read_to_an_end(bytes: Vec<u8>) {
            let mut input = BufReader::new(&bytes[..]);
            let end = (0..=bytes.len()).any(|_| matches!(read(&mut input), Input::End | Input::Broken(_)));
            prop_assert!(end);
        }
    }
}
