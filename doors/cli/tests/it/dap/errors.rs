//! Wrong requests, and programs that cannot be launched.

use super::client::Client;
use serde_json::{Value, json};

#[test]
fn a_wrong_request_is_refused_and_the_session_goes_on() {
    let mut client = Client::start();
    for (command, arguments, expected) in [
        ("nosuch", json!({}), "unknown request `nosuch`"),
        ("restart", json!({}), "unknown request `restart`"),
        ("initialize", json!({ "linesStartAt1": "yes" }), "wrong arguments: invalid type: string"),
        ("attach", json!({}), "there is nothing to attach to"),
        ("configurationDone", json!({}), "no program waits for its configuration"),
        ("setBreakpoints", json!({ "source": {} }), "breakpoints are set after the event `initialized`"),
        ("continue", json!({ "threadId": 1 }), "no launch is stopped"),
        ("variables", json!({ "variablesReference": 1 }), "no launch is stopped"),
        ("source", json!({}), "the source of this program is a file"),
    ] {
        let found = client.refused(command, arguments);
        assert!(found.starts_with(expected), "{command}: {found}");
    }
    // Messages that are no requests.
    client.send(&json!([1, 2]));
    client.send(&json!({ "seq": 100, "type": "request" }));
    client.send(&json!({ "seq": 101, "type": "response", "request_seq": 1, "success": true }));
    client.write(b"Content-Length: 3\r\n\r\n{x}");
    for _ in 0..2 {
        let found = client.response_to_any();
        assert_eq!(found["message"], "a message without a command");
    }
    client.ask("initialize", json!({}));

    client.ask("launch", json!({ "program": "vecadd", "size": 512, "stopOnEntry": true, "sise": 1 }));
    client.event("initialized");
    assert_eq!(client.refused("launch", json!({})), "a program is already launched");
    let stop = client.run();
    let output = client.output();
    assert!(output.contains("warning: unknown launch argument `sise`; did you mean `size`?"), "{output}");
    assert!(output.contains("error: a message is not JSON"), "{output}");
    for (command, arguments, expected) in [
        ("stackTrace", json!({ "threadId": 99_999 }), "the warp with thread number 99999 is not resident"),
        ("stackTrace", json!({}), "wrong arguments: missing field `threadId`"),
        ("next", json!({ "threadId": -1 }), "wrong arguments: invalid value"),
        ("scopes", json!({ "frameId": 77 }), "there is no frame 77 at this stop"),
        ("variables", json!({ "variablesReference": 0 }), "there is no group of variables 0 at this stop"),
        ("variables", json!({ "variablesReference": "x" }), "wrong arguments: invalid type"),
        ("evaluate", json!({ "expression": 5 }), "wrong arguments: invalid type"),
        ("configurationDone", json!({}), "no program waits for its configuration"),
    ] {
        let found = client.refused(command, arguments);
        assert!(found.starts_with(expected), "{command}: {found}");
    }
    // References of an earlier stop are not valid.
    let (_, frame) = client.top(&stop["threadId"]);
    client.moves("next", json!({ "threadId": stop["threadId"] }));
    let found = client.refused("scopes", json!({ "frameId": frame }));
    assert!(found.starts_with("there is no frame"), "{found}");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_program_that_cannot_be_launched_says_why() {
    for (arguments, expected) in [
        (json!({}), "the launch argument `program` is missing"),
        (json!({ "program": "nosuch.ptx", "launch": "trace.ron" }), "nosuch.ptx"),
        (json!({ "program": "vecad" }), "unknown kernel `vecad`"),
        (json!({ "program": "trace.ptx" }), "a PTX file requires a launch file"),
        (json!({ "program": "trace.ptx", "launch": "nosuch.ron" }), "nosuch.ron"),
        (json!({ "program": "broken.ptx", "launch": "trace.ron" }), "broken.ptx:6"),
        (json!({ "program": "vecadd", "chip": "g81" }), "did you mean `g80`?"),
        (json!({ "program": "vecadd", "set": ["sm.max_warps=x"] }), "max_warps"),
        (json!({ "program": "vecadd", "size": -1 }), "invalid value '-1' for '--size <N>'"),
        (json!({ "program": "vecadd", "cwd": "/nosuch/folder" }), "cannot use the folder /nosuch/folder"),
    ] {
        let mut client = Client::start();
        client.ask("initialize", json!({ "adapterID": "warpsim" }));
        let found = client.refused("launch", arguments.clone());
        assert!(found.contains(expected), "{arguments}: {found}");
        assert!(client.output().contains(expected), "{arguments}: the console shows it too");
        // Another attempt is possible.
        client.ask("launch", json!({ "program": "vecadd", "size": 512 }));
        client.event("initialized");
        assert_eq!(client.disconnect(), Some(0));
    }
}

#[test]
fn a_launch_that_the_chip_refuses_ends_with_its_exit_code() {
    let mut client = Client::launch(&json!({ "program": "vecadd", "size": 512, "registers": 200 }));
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.event("exited")["exitCode"], 3);
    client.event("terminated");
    assert!(client.output().starts_with("error: "));
    assert_eq!(client.disconnect(), Some(0));
}
