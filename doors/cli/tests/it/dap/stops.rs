//! Conditions, counts, events, data breakpoints, and the ends of launches.

use super::client::Client;
use crate::common::scratch;
use serde_json::{Value, json};

fn reduction(breakpoints: &Value) -> Client {
    let mut client = Client::launch(&json!({ "program": "reduce-interleaved", "size": 512 }));
    let arguments = json!({ "source": { "sourceReference": 1 }, "breakpoints": breakpoints });
    let set = client.ask("setBreakpoints", arguments);
    for one in set["breakpoints"].as_array().expect("a list") {
        assert_eq!(one["verified"], true, "{one}");
    }
    client
}

#[test]
fn a_breakpoint_has_a_condition_a_count_or_a_text() {
    let mut client = reduction(&json!([{ "line": 70, "condition": "%t==37" }]));
    let stop = client.run();
    let (line, frame) = client.top(&stop["threadId"]);
    assert_eq!((line, client.value(&frame, "%t[5],d")), (70, "37".to_owned()), "warp 1 has thread 37");
    assert_eq!(client.disconnect(), Some(0));

    // The same warp reaches the line in each of the nine trips of the loop.
    let condition = "block (0,0,0) warp 0";
    let mut client = reduction(&json!([{ "line": 70, "condition": condition, "hitCondition": "== 3" }]));
    let stop = client.run();
    let (_, frame) = client.top(&stop["threadId"]);
    assert_eq!(client.value(&frame, "%twice[0],d"), "8", "2, 4, 8");
    client.moves("stepBack", json!({ "threadId": stop["threadId"] }));
    let again = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(again["hitBreakpointIds"], stop["hitBreakpointIds"], "the hit keeps its number");
    client.ask("continue", json!({ "threadId": 1 }));
    client.event("terminated");
    assert_eq!(client.disconnect(), Some(0));

    let log = json!([{ "line": 70, "condition": condition, "logMessage": "twice {%twice[0],d} {oops}" }]);
    let mut client = reduction(&log);
    client.ask("configurationDone", Value::Null);
    client.event("terminated");
    let output = client.output();
    let logged: Vec<&str> = output.lines().filter(|line| line.starts_with("twice ")).collect();
    assert_eq!(logged.len(), 9, "{output}");
    assert!(logged[3].starts_with("twice 16 <`oops` has no value"), "{output}");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_wrong_breakpoint_says_why() {
    let mut client = Client::launch(&json!({ "program": "reduce-interleaved", "size": 4096 }));
    let own = json!({ "sourceReference": 1 });
    let mut message = |source: &Value, breakpoint: Value| {
        let arguments = json!({ "source": source, "breakpoints": [breakpoint] });
        let one = client.ask("setBreakpoints", arguments)["breakpoints"][0].clone();
        assert_eq!(one["verified"], false, "{one}");
        one["message"].as_str().expect("a text").to_owned()
    };
    let found = message(&own, json!({ "line": 70, "condition": "%tt == 1" }));
    assert_eq!(found, "no instruction writes a register `%tt`; did you mean `%t`?");
    let found = message(&own, json!({ "line": 70, "condition": "%t = 1" }));
    assert!(found.starts_with("`=` assigns a value"), "{found}");
    let found = message(&own, json!({ "line": 70, "hitCondition": "often" }));
    assert!(found.starts_with("hit count `often` is not one of"), "{found}");
    let found = message(&json!({ "path": "/nosuch/other.ptx" }), json!({ "line": 70 }));
    assert_eq!(found, "this file is not the source of the launched program");
    let set = client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "nosuch" }] }));
    assert_eq!(set["breakpoints"][0]["message"], "there is no kernel `nosuch`; kernels: reduce_interleaved");
    let set = client.ask("setExceptionBreakpoints", json!({ "filters": ["nosuch"] }));
    assert_eq!(set["breakpoints"][0]["message"], "there is no filter `nosuch`");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn events_stop_a_launch_with_a_sentence() {
    let reduction = json!({ "program": "reduce-interleaved", "size": 4096 });
    let naive = json!({ "program": "matmul-naive", "size": 32 });
    let lessons = "debug/lessons";
    let columns = json!({
        "program": format!("{lessons}/lessons.ptx"), "launch": format!("{lessons}/columns.ron"),
    });
    for (launch, filter, condition, expected) in [
        (&reduction, "divergence", "", "Divergent branch at line 70: 16 of 32 lanes take it"),
        (&reduction, "barrier", "warp 3", "Barrier at line "),
        (&reduction, "stall", "500", "The warp continues after at least 500 shader cycles, at line "),
        (&reduction, "exit", "block (0,0,0)", " exits at line "),
        (&naive, "uncoalesced", "warp 0", "Uncoalesced access at line "),
        (&columns, "bank-conflict", "", "Bank conflicts at line "),
    ] {
        let mut client = Client::launch(launch);
        let options = json!([{ "filterId": filter, "condition": condition }]);
        let arguments = json!({ "filters": [], "filterOptions": options });
        let set = client.ask("setExceptionBreakpoints", arguments);
        assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
        let stop = client.run();
        assert_eq!(stop["reason"], "exception", "{filter}: {stop}");
        assert!(stop["text"].as_str().expect("a text").contains(expected), "{filter}: {stop}");
        let info = client.ask("exceptionInfo", json!({ "threadId": stop["threadId"] }));
        assert_eq!(info["description"], stop["text"]);
        assert_eq!(client.disconnect(), Some(0));
    }
}

#[test]
fn the_writers_of_a_register_and_of_memory_are_found_backwards() {
    let mut client = reduction(&json!([{ "line": 70, "condition": "block (0,0,0) warp 0" }]));
    let stop = client.run();
    let (_, frame) = client.top(&stop["threadId"]);
    let info = client.ask("dataBreakpointInfo", json!({ "name": "%value", "frameId": frame }));
    assert_eq!(info["accessTypes"], json!(["write"]), "{info}");
    let none = client.ask("dataBreakpointInfo", json!({ "name": "%tid.x", "frameId": frame }));
    assert_eq!(none["dataId"], Value::Null, "{none}");
    let arguments = json!({ "breakpoints": [{ "dataId": info["dataId"], "accessType": "write" }] });
    let set = client.ask("setDataBreakpoints", arguments);
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let back = client.moves("reverseContinue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(back["reason"], "data breakpoint", "{back}");
    assert_eq!(client.top(&back["threadId"]).0, 53, "the load wrote it");

    // A word of shared memory, by its row in the list of variables.
    client.ask("setDataBreakpoints", json!({ "breakpoints": [] }));
    let (_, frame) = client.top(&stop["threadId"]);
    let shared = client.scope(&frame, "Shared memory");
    let group = shared[0]["variablesReference"].clone();
    let info = client.ask("dataBreakpointInfo", json!({ "name": "[0]", "variablesReference": group }));
    assert_eq!(info["dataId"], "shared 0 0", "{info}");
    client.ask("setDataBreakpoints", json!({ "breakpoints": [{ "dataId": info["dataId"] }] }));
    client.ask("setBreakpoints", json!({ "source": { "sourceReference": 1 }, "breakpoints": [] }));
    let stop = client.moves("continue", json!({ "threadId": 1 }));
    assert_eq!(
        (&stop["reason"], &stop["description"]),
        (&json!("data breakpoint"), &json!("The watched memory changes"))
    );
    assert_eq!(client.disconnect(), Some(0));
}

/// Launches a kernel of `endings.ptx`.
fn ending(entry: &str) -> Client {
    let folder = scratch(&format!("dap-{entry}"));
    let launch = folder.join("launch.ron");
    let text = format!(
        "(entry: \"{entry}\", grid: 2, block: 64, params: [buf(\"out\")], \
         buffers: {{\"out\": (type: u32, len: 64)}})"
    );
    std::fs::write(&launch, text).expect("written");
    Client::launch(&json!({ "program": "endings.ptx", "launch": launch, "maxCycles": 50_000 }))
}

#[test]
fn a_trap_stops_the_launch_which_can_be_stepped_back() {
    let mut client = ending("out_of_bounds");
    let stop = client.run();
    assert_eq!(stop["reason"], "exception", "{stop}");
    let text = stop["text"].as_str().expect("a text");
    assert!(text.contains("--> endings.ptx:18") && text.contains("block (1,0,0), thread (33,0,0)"), "{text}");
    let thread = stop["threadId"].clone();
    let body = client.ask("stackTrace", json!({ "threadId": thread }));
    let path = body["stackFrames"][0]["source"]["path"].as_str().expect("a path").to_owned();
    assert!(path.ends_with("endings.ptx") && path.starts_with('/'), "{path}");
    client.moves("stepBack", json!({ "threadId": thread }));
    let (line, frame) = client.top(&thread);
    assert!(line <= 18 && client.value(&frame, "%t[1],d") == "33", "line {line}");

    // Forward again, and past the end.
    let set = json!({ "source": { "path": path }, "breakpoints": [{ "line": 18, "condition": "%t == 33" }] });
    assert_eq!(client.ask("setBreakpoints", set)["breakpoints"][0]["verified"], true);
    while client.moves("continue", json!({ "threadId": thread }))["reason"] != "exception" {}
    client.ask("continue", json!({ "threadId": thread }));
    assert_eq!(client.event("exited")["exitCode"], 3);
    client.event("terminated");
    assert!(client.output().contains("--> endings.ptx:18"), "the whole message");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_hang_stops_the_launch_and_the_end_if_asked() {
    let mut client = ending("hang");
    let stop = client.run();
    assert!(stop["text"].as_str().expect("a text").contains(" hangs: "), "{stop}");
    let thread = stop["threadId"].clone();
    let (_, frame) = client.top(&thread);
    let barriers = client.scope(&frame, "Barriers");
    assert!(barriers[0]["name"].as_str().expect("a name").starts_with("barrier "), "{barriers:?}");
    client.ask("continue", json!({ "threadId": thread }));
    assert_eq!(client.event("exited")["exitCode"], 4);
    assert_eq!(client.disconnect(), Some(0));

    let mut client = Client::launch(&json!({ "program": "vecadd", "size": 512 }));
    client.ask("setExceptionBreakpoints", json!({ "filters": ["end"] }));
    let stop = client.run();
    assert!(stop["text"].as_str().expect("a text").starts_with("The launch has finished"), "{stop}");
    client.moves("reverseContinue", json!({ "threadId": 1 }));
    client.moves("continue", json!({ "threadId": 1 }));
    client.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_kernel_by_its_name_stops_each_of_its_launches() {
    let mut client = Client::launch(&json!({ "program": "vecadd", "size": 512, "noDebug": true }));
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.event("exited")["exitCode"], 0, "without stops");
    assert_eq!(client.disconnect(), Some(0));

    let mut client = Client::launch(&json!({ "program": "vecadd", "size": 512 }));
    let set = client.ask("setFunctionBreakpoints", json!({ "breakpoints": [{ "name": "vecadd" }] }));
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let stop = client.run();
    assert_eq!(
        (&stop["reason"], &stop["description"]),
        (&json!("function breakpoint"), &json!("Start of launch 1"))
    );
    assert_eq!(client.disconnect(), Some(0));
}
