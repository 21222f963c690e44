//! Truncated and malformed input: the adapter always ends, and says why.

use crate::common::command;
use std::io::Write;
use std::process::Stdio;

/// The exit code, standard output and standard error for an input.
fn run(input: &[u8]) -> (Option<i32>, String, String) {
    let mut child = command(&["dap"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let _ = child.stdin.take().expect("piped").write_all(input);
    let output = child.wait_with_output().expect("ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn message(body: &str) -> String {
    format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// A short session.
fn session() -> String {
    let request = |seq: u32, command: &str, arguments: &str| {
        message(&format!(
            "{{\"seq\":{seq},\"type\":\"request\",\"command\":\"{command}\",\"arguments\":{arguments}}}"
        ))
    };
    request(1, "initialize", "{}")
        + &request(2, "launch", "{\"program\":\"vecadd\",\"size\":64,\"stopOnEntry\":true}")
        + &request(3, "configurationDone", "{}")
        + &request(4, "next", "{\"threadId\":1}")
        + &request(5, "stackTrace", "{\"threadId\":1}")
        + &request(6, "continue", "{\"threadId\":1}")
}

#[test]
fn a_session_that_is_cut_anywhere_ends() {
    let whole = session();
    // Beginnings of messages are good ends, other places are not.
    let starts: Vec<usize> = whole.match_indices("Content-Length").map(|(at, _)| at).collect();
    for cut in (0..=whole.len()).step_by(11).chain(starts.clone()).chain([whole.len()]) {
        let (code, _, stderr) = run(&whole.as_bytes()[..cut]);
        let good = starts.contains(&cut) || cut == whole.len();
        assert_eq!(code, Some(if good { 0 } else { 2 }), "cut at {cut}: {stderr}");
        assert_eq!(stderr.starts_with("error: "), !good, "cut at {cut}: {stderr}");
    }
}

#[test]
fn malformed_headers_end_the_session_with_a_message() {
    for (input, expected) in [
        ("hello\n", "header line 1 has no colon; expected `Content-Length: BYTES`"),
        ("{\"seq\":1}\n", "the header of a message"),
        ("Content-Length: x\r\n\r\n", "the value of Content-Length is not a number of bytes"),
        ("Content-Type: x\r\n\r\n{}", "the header of a message has no Content-Length"),
        ("Content-Length: 17000000\r\n\r\n", "a message of 17000000 bytes is longer than 16777216 bytes"),
    ] {
        let (code, stdout, stderr) = run(input.as_bytes());
        assert_eq!(code, Some(2), "{input}: {stderr}");
        assert!(stderr.contains(expected) || input.starts_with('{'), "{input}: {stderr}");
        assert!(stdout.contains("\"event\":\"output\""), "the client is told as well: {stdout}");
    }
    let long = "X".repeat(100_000);
    assert_eq!(run(long.as_bytes()).0, Some(2));
}

#[test]
fn bytes_at_random_places_change_nothing_but_the_answer() {
    let whole = session();
    // A fixed sequence of changes: a linear congruence.
    let mut state: u64 = 1;
    let mut random = |below: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    for _ in 0..40 {
        let mut bytes = whole.clone().into_bytes();
        for _ in 0..=random(4) {
            let at = random(bytes.len());
            bytes[at] = random(256) as u8;
        }
        let (code, _, stderr) = run(&bytes);
        assert!(matches!(code, Some(0 | 2)), "{code:?}: {stderr}\n{}", String::from_utf8_lossy(&bytes));
    }
}
