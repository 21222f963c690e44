//! A client that speaks the protocol over pipes.

use crate::common::command;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Longest wait for a message: tests run beside each other on slow machines.
const PATIENCE: Duration = Duration::from_mins(2);

/// A running adapter.
pub struct Client {
    child: Child,
    stdin: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Events that no test has taken.
    events: Vec<Value>,
    seq: i64,
}

/// Reads one message; `None` at the end.
fn read(input: &mut impl BufRead) -> Option<Value> {
    let mut length = None;
    loop {
        let mut line = String::new();
        if input.read_line(&mut line).expect("UTF-8") == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", bytes)) => length = bytes.parse::<usize>().ok(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length.expect("each message has a length")];
    input.read_exact(&mut body).expect("the whole body");
    Some(serde_json::from_slice(&body).expect("JSON"))
}

impl Client {
    /// Starts the adapter.
    pub fn start() -> Self {
        let mut child = command(&["dap"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("starts");
        let stdin = child.stdin.take();
        let mut stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (send, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut stdout) {
                if send.send(message).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, messages, events: Vec::new(), seq: 0 }
    }

    /// Starts the adapter and launches a program; breakpoints can be set.
    pub fn launch(arguments: &Value) -> Self {
        let mut client = Self::start();
        client.ask("initialize", json!({ "adapterID": "warpsim", "linesStartAt1": true }));
        client.ask("launch", arguments.clone());
        client.event("initialized");
        client
    }

    /// Writes bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("open");
        // An adapter that has ended does not read.
        let _ = stdin.write_all(bytes).and_then(|()| stdin.flush());
    }

    /// Sends a message.
    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.write(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    /// Sends a request; returns its number.
    pub fn request(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let mut message = json!({ "seq": self.seq, "type": "request", "command": command });
        if !arguments.is_null() {
            message["arguments"] = arguments;
        }
        self.send(&message);
        self.seq
    }

    fn next(&mut self) -> Value {
        self.messages.recv_timeout(PATIENCE).expect("a message arrives")
    }

    /// Waits for the response to a request.
    pub fn response(&mut self, seq: i64) -> Value {
        loop {
            let message = self.next();
            if message["type"] == "response" && message["request_seq"] == seq {
                return message;
            }
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Waits for the next response.
    pub fn response_to_any(&mut self) -> Value {
        loop {
            let message = self.next();
            if message["type"] == "response" {
                return message;
            }
            self.events.push(message);
        }
    }

    /// Sends a request and returns the body of its successful response.
    pub fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.request(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], true, "{command}: {response}");
        response["body"].clone()
    }

    /// Sends a request that is refused; returns the message.
    pub fn refused(&mut self, command: &str, arguments: Value) -> String {
        let seq = self.request(command, arguments);
        let response = self.response(seq);
        assert_eq!(response["success"], false, "{command}: {response}");
        let error = &response["body"]["error"];
        assert_eq!(error["format"], "{text}");
        error["variables"]["text"].as_str().expect("a text").to_owned()
    }

    /// Waits for an event, and returns its body.
    pub fn event(&mut self, name: &str) -> Value {
        if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
            return self.events.remove(at)["body"].take();
        }
        loop {
            let mut message = self.next();
            assert_eq!(message["type"], "event", "{message}");
            if message["event"] == name {
                return message["body"].take();
            }
            self.events.push(message);
        }
    }

    /// Sends a request that moves the launch, and returns the body of the event `stopped`.
    pub fn moves(&mut self, command: &str, arguments: Value) -> Value {
        self.ask(command, arguments);
        self.event("stopped")
    }

    /// Ends the configuration; returns the first stop.
    pub fn run(&mut self) -> Value {
        self.moves("configurationDone", Value::Null)
    }

    /// The output events so far, as one text.
    pub fn output(&mut self) -> String {
        let (output, others) = self.events.drain(..).partition(|event| event["event"] == "output");
        self.events = others;
        let texts: Vec<Value> = output;
        texts.iter().filter_map(|event| event["body"]["output"].as_str()).collect()
    }

    /// The first frame of a thread: its line and its number.
    pub fn top(&mut self, thread: &Value) -> (u64, Value) {
        let body = self.ask("stackTrace", json!({ "threadId": thread }));
        let frame = &body["stackFrames"][0];
        (frame["line"].as_u64().expect("a line"), frame["id"].clone())
    }

    /// The variables of a scope.
    pub fn scope(&mut self, frame: &Value, name: &str) -> Vec<Value> {
        let body = self.ask("scopes", json!({ "frameId": frame }));
        let scopes = body["scopes"].as_array().expect("scopes").clone();
        let scope = scopes.iter().find(|scope| scope["name"] == name).expect("the scope exists");
        self.variables(&scope["variablesReference"])
    }

    /// The variables of a group.
    pub fn variables(&mut self, reference: &Value) -> Vec<Value> {
        let body = self.ask("variables", json!({ "variablesReference": reference }));
        body["variables"].as_array().expect("variables").clone()
    }

    /// The value of an expression for a frame.
    pub fn value(&mut self, frame: &Value, expression: &str) -> String {
        let arguments = json!({ "expression": expression, "frameId": frame, "context": "watch" });
        self.ask("evaluate", arguments)["result"].as_str().expect("a text").to_owned()
    }

    /// Closes standard input; returns the exit code.
    pub fn close(mut self) -> Option<i32> {
        drop(self.stdin.take());
        self.child.wait().expect("ends").code()
    }

    /// Disconnects; returns the exit code.
    pub fn disconnect(mut self) -> Option<i32> {
        self.ask("disconnect", json!({}));
        self.child.wait().expect("ends").code()
    }
}
