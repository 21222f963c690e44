//! Steps of a user in an editor: breakpoints, stacks, variables, steps forward and back.

use super::client::Client;
use crate::common::data;
use serde_json::{Value, json};

/// The interleaved reduction of 4,096 elements.
fn reduction() -> Value {
    json!({ "program": "reduce-interleaved", "size": 4096 })
}

/// Breakpoints of its source.
fn lines(client: &mut Client, breakpoints: &Value) -> Value {
    let source = json!({ "name": "reduce_interleaved.ptx", "sourceReference": 1 });
    client.ask("setBreakpoints", json!({ "source": source, "breakpoints": breakpoints }))["breakpoints"]
        .clone()
}

fn named(variables: &[Value], name: &str) -> Value {
    let found = variables.iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is in {variables:?}")).clone()
}

#[test]
fn a_breakpoint_shows_warps_stacks_and_registers_and_steps_go_both_ways() {
    let mut client = Client::launch(&reduction());
    let set = lines(&mut client, &json!([{ "line": 71 }, { "line": 4000 }]));
    assert_eq!((&set[0]["verified"], &set[0]["line"]), (&json!(true), &json!(74)), "the next instruction");
    assert_eq!(set[1]["verified"], false);
    assert_eq!(set[1]["message"], "no instruction follows this line");
    let set = lines(&mut client, &json!([{ "line": 70 }]));

    let stop = client.run();
    assert_eq!(stop["reason"], "breakpoint", "{stop}");
    assert_eq!(stop["hitBreakpointIds"], json!([set[0]["id"]]));
    assert_eq!(stop["text"], "line 70: @%idle bra next");
    let thread = stop["threadId"].clone();
    let threads = client.ask("threads", Value::Null)["threads"].as_array().expect("threads").clone();
    assert_eq!(threads.len(), 8 * 16, "8 blocks of 16 warps");
    assert_eq!(threads[0], json!({ "id": 1, "name": "block (0,0,0) warp 0, SM 0" }));

    let (line, frame) = client.top(&thread);
    assert_eq!(line, 70);
    let registers = client.scope(&frame, "Registers");
    let t = named(&registers, "%t");
    assert_eq!((&t["type"], &t["indexedVariables"]), (&json!(".u32"), &json!(32)));
    let lanes = client.variables(&t["variablesReference"]);
    assert_eq!(lanes.len(), 32);
    assert_eq!((&lanes[3]["name"], &lanes[3]["evaluateName"]), (&json!("lane 3"), &json!("%t[3]")));
    let predicates = client.scope(&frame, "Predicates");
    assert_eq!(named(&predicates, "%idle")["value"], "[0, 1, 0, 1, 0, 1, 0, 1, …]");
    let special = client.scope(&frame, "Special registers");
    assert_eq!(named(&special, "%ntid.x")["value"], "512 (0x00000200) in all lanes");
    let parameters = client.scope(&frame, "Parameters");
    assert_eq!(named(&parameters, "n")["value"], "4096 (0x00001000)");
    let shared = client.scope(&frame, "Shared memory");
    let sums = client.variables(&named(&shared, "sums")["variablesReference"]);
    assert_eq!((sums.len(), &sums[511]["type"]), (512, &json!(".f32")));

    // Variables of CUDA C.
    let mut value = |text: &str| {
        client.ask("evaluate", json!({ "expression": text, "frameId": frame, "context": "hover" }))["result"]
            .clone()
    };
    assert_eq!(value("threadIdx.x[3]"), "3 (0x00000003)");
    assert_eq!(value("blockDim.x"), "512 (0x00000200) in all lanes");
    assert_eq!(
        value("gridDim"),
        "x = 8 (0x00000008) in all lanes, y = 1 (0x00000001) in all lanes, z = 1 (0x00000001) in all lanes"
    );

    // The branch diverges: the stack has two frames.
    let cycle =
        |client: &mut Client, frame: &Value| named(&client.scope(frame, "Warp"), "time")["value"].clone();
    let before = cycle(&mut client, &frame);
    let step = client.moves("next", json!({ "threadId": thread }));
    assert_eq!((&step["reason"], &step["threadId"]), (&json!("step"), &thread));
    let body = client.ask("stackTrace", json!({ "threadId": thread }));
    assert_eq!(body["totalFrames"], 2, "{body}");
    assert_eq!(body["stackFrames"][0]["name"], "reduce_interleaved (lanes 55555555)");
    assert_eq!(body["stackFrames"][1]["name"], "reduce_interleaved (all lanes, wait)");
    let stack = client.scope(&body["stackFrames"][0]["id"], "SIMT stack");
    assert_eq!(stack[0]["value"], "16 of 32 (0x55555555), line 74, reconverges at line 82");

    client.moves("stepBack", json!({ "threadId": thread }));
    let (line, frame) = client.top(&thread);
    assert_eq!((line, cycle(&mut client, &frame)), (70, before), "back in the same cycle");

    // A step out leaves the divergent side.
    client.moves("stepIn", json!({ "threadId": thread }));
    client.moves("stepOut", json!({ "threadId": thread }));
    let body = client.ask("stackTrace", json!({ "threadId": thread }));
    assert_eq!((&body["totalFrames"], &body["stackFrames"][0]["line"]), (&json!(1), &json!(82)));

    // Backwards to the breakpoint, and without breakpoints to the start.
    let back = client.moves("reverseContinue", json!({ "threadId": thread }));
    assert_eq!(back["reason"], "breakpoint");
    lines(&mut client, &json!([]));
    let start = client.moves("reverseContinue", json!({ "threadId": thread }));
    assert_eq!(start["description"], "This is the start of the launch");

    // To the end: the result is that of a plain run.
    client.ask("continue", json!({ "threadId": thread }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
    let output = client.output();
    assert!(output.contains("[Launch 1: kernel reduce_interleaved, grid (8,1,1)"), "{output}");
    assert!(output.contains("PASSED") || output.contains("equal"), "the check: {output}");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn expressions_and_commands_are_evaluated() {
    let mut client = Client::launch(&json!({
        "program": "reduce-interleaved", "size": 4096, "stopOnEntry": true,
    }));
    let stop = client.run();
    assert_eq!((&stop["reason"], &stop["description"]), (&json!("entry"), &json!("Start of launch 1")));
    let thread = stop["threadId"].clone();
    client.moves("stepIn", json!({ "threadId": thread }));
    let (_, frame) = client.top(&thread);
    assert_eq!(client.value(&frame, "%t[5]"), "5 (0x00000005)");
    assert_eq!(client.value(&frame, "t[5],x"), "0x00000005");
    assert_eq!(client.value(&frame, "%laneid"), "[0, 1, 2, 3, 4, 5, 6, 7, …]");
    assert_eq!(client.value(&frame, "n,d"), "4096");
    assert_eq!(client.value(&frame, "sums[3]"), "0.0 (0x00000000)");
    assert_eq!(client.value(&frame, "shared 0x10"), "0x00000000");
    for (wrong, expected) in [
        ("%nosuch", "`%nosuch` has no value"),
        ("%t[32]", "lane 32 does not exist"),
        ("sums[512]", "`sums` has 512 elements"),
        ("shared 0x10000", "is outside of the memory"),
    ] {
        let arguments = json!({ "expression": wrong, "frameId": frame, "context": "hover" });
        let found = client.refused("evaluate", arguments);
        assert!(found.contains(expected), "{wrong}: {found}");
    }

    // The debug console has the commands of `warpsim debug`.
    let repl = |text: &str| json!({ "expression": text, "context": "repl" });
    let body = client.ask("evaluate", repl("info line"));
    assert!(body["result"].as_str().expect("a text").contains("reduce_interleaved.ptx:"), "{body}");
    let body = client.ask("evaluate", repl("print/d %t"));
    assert!(body["result"].as_str().expect("a text").starts_with("%t ="), "{body}");
    assert_eq!(client.ask("evaluate", repl("%t[7]"))["result"], "7 (0x00000007)");
    let found = client.refused("evaluate", repl("brek 40"));
    assert_eq!(found, "unknown command `brek`; did you mean `break`?");
    client.ask("evaluate", repl("cycle 10"));
    assert_eq!(client.event("stopped")["reason"], "goto");
    client.ask("evaluate", repl("break divergence"));
    client.ask("evaluate", repl("continue"));
    let stop = client.event("stopped");
    assert_eq!(stop["description"], "Stopped at a breakpoint of the debug console");
    assert_eq!(client.top(&stop["threadId"]).0, 70);
    client.ask("evaluate", repl("kill"));
    client.event("terminated");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn memory_is_read_in_bytes() {
    let mut client =
        Client::launch(&json!({ "program": "reduce-interleaved", "size": 4096, "stopOnEntry": true }));
    let stop = client.run();
    let (_, frame) = client.top(&stop["threadId"]);
    let global = client.scope(&frame, "Global memory");
    let reference = global[0]["memoryReference"].clone();
    let read =
        |offset: i64, count: u32| json!({ "memoryReference": reference, "offset": offset, "count": count });
    let body = client.ask("readMemory", read(0, 4));
    assert_eq!((body["data"].as_str().expect("a text").len(), &body["unreadableBytes"]), (8, &json!(0)));
    let beyond = client.ask("readMemory", read(1 << 20, 16));
    assert_eq!((&beyond["data"], &beyond["unreadableBytes"]), (&json!(""), &json!(16)));
    let found = client.refused("readMemory", json!({ "memoryReference": "x", "count": 1 }));
    assert_eq!(found, "`x` is not a memory reference of this adapter");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_running_launch_can_be_paused_and_terminated() {
    let mut client = Client::launch(&json!({ "program": "matmul-naive", "size": 512 }));
    client.ask("configurationDone", Value::Null);
    let busy = client.refused("evaluate", json!({ "expression": "%t", "context": "hover" }));
    assert_eq!(busy, "the launch runs; pause it first");
    client.ask("threads", Value::Null);
    let stop = client.moves("pause", json!({ "threadId": 1 }));
    assert_eq!(stop["reason"], "pause");
    client.ask("stackTrace", json!({ "threadId": stop["threadId"] }));
    client.ask("continue", json!({ "threadId": 1 }));
    // A new breakpoint takes effect while the launch runs.
    let source = json!({ "sourceReference": 1 });
    let set = json!({ "source": source, "breakpoints": [{ "line": 1 }] });
    client.ask("setBreakpoints", set);
    assert_eq!(client.event("stopped")["reason"], "breakpoint");
    client.ask("setBreakpoints", json!({ "source": source, "breakpoints": [] }));
    client.ask("continue", json!({ "threadId": 1 }));
    client.ask("terminate", Value::Null);
    assert_eq!(client.event("exited")["exitCode"], 130);
    client.event("terminated");
    assert_eq!(client.disconnect(), Some(0));

    // A client that vanishes ends the program.
    let mut client = Client::launch(&json!({ "program": "matmul-naive", "size": 512 }));
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.close(), Some(0));
}

#[test]
fn breakpoints_of_linked_files_are_in_their_files() {
    let program = json!(["linked/main.ptx", "linked/lib.ptx"]);
    let launch = json!({ "program": program, "launch": "linked/launch.ron", "chip": "fermi" });
    let mut client = Client::launch(&launch);
    let path = |name: &str| data().join("linked").join(name).to_str().expect("UTF-8").to_owned();
    let mut set = |name: &str, line: u32| {
        let (source, breakpoints) = (json!({ "path": path(name) }), json!([{ "line": line }]));
        let body = client.ask("setBreakpoints", json!({ "source": source, "breakpoints": breakpoints }));
        body["breakpoints"][0].clone()
    };
    let (first, second, none) = (set("lib.ptx", 7), set("main.ptx", 15), set("trap.ptx", 9));
    assert_eq!((&first["verified"], &first["line"]), (&json!(true), &json!(9)), "the next instruction");
    assert_eq!((&second["verified"], &second["line"]), (&json!(true), &json!(15)));
    assert_eq!(none["message"], "this file is not the source of the launched program");
    let stop = client.run();
    assert_eq!(stop["hitBreakpointIds"], json!([first["id"]]), "{stop}");
    assert_eq!(stop["text"], "line linked/lib.ptx:9: ld.global.u32 %o, [offset]");
    let body = client.ask("stackTrace", json!({ "threadId": stop["threadId"] }));
    assert_eq!(
        (&body["stackFrames"][0]["line"], &body["stackFrames"][0]["name"]),
        (&json!(9), &json!("shifted (all lanes)"))
    );
    let source = body["stackFrames"][0]["source"]["path"].as_str().expect("a path").to_owned();
    assert!(source.ends_with("linked/lib.ptx"), "{source}");
    let source = json!({ "path": path("lib.ptx") });
    client.ask("setBreakpoints", json!({ "source": source, "breakpoints": [] }));
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(stop["hitBreakpointIds"], json!([second["id"]]), "the other file keeps its own: {stop}");
}

/// Values are those of `doors/cli/tests/cuda_c.rs`.
#[test]
fn variables_of_cuda_c_are_shown_and_decide_breakpoints() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let launch = folder.path().join("variables.ron");
    let pair = "bytes([0, 0, 192, 63, 5, 0, 0, 0])";
    let text = format!(
        "(entry: \"sums\", grid: 1, block: 32, params: [buf(\"out\"), s32(3), {pair}], \
         buffers: {{\"out\": (type: s32, len: 32)}})"
    );
    std::fs::write(&launch, text).expect("written");
    let program = data().join("variables.cu");
    let mut client = Client::launch(&json!({
        "program": program, "launch": launch, "chip": "gt200", "optLevel": 0,
    }));
    let set = client.ask(
        "setBreakpoints",
        json!({ "source": { "path": program }, "breakpoints": [{ "line": 26, "condition": "j == 2" }] }),
    );
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    let stop = client.run();
    assert_eq!(stop["reason"], "breakpoint", "{stop}");
    let thread = stop["threadId"].clone();
    let (line, frame) = client.top(&thread);
    assert_eq!(line, 26);
    let locals = client.scope(&frame, "Locals");
    let (j, sum) = (named(&locals, "j"), named(&locals, "sum"));
    assert_eq!((&j["value"], &j["type"]), (&json!("2 in all lanes"), &json!("int")));
    assert_eq!(sum["value"], "[8, 10, 12, 14, 16, 18, 20, 22, …]");
    let lanes = client.variables(&sum["variablesReference"]);
    assert_eq!(lanes[31]["value"], "22");
    assert_eq!(client.value(&frame, "tile[1][3]"), "11 in all lanes");
    assert_eq!(client.value(&frame, "last"), "last[0] = 1, last[1] = 12, last[2] = 23");

    // A data breakpoint stops before the next value is written.
    let info = client.ask("dataBreakpointInfo", json!({ "name": "sum", "frameId": frame }));
    let data = json!({ "breakpoints": [{ "dataId": info["dataId"], "accessType": "write" }] });
    assert_eq!(client.ask("setDataBreakpoints", data)["breakpoints"][0]["verified"], true);
    client.ask("setBreakpoints", json!({ "source": { "path": program }, "breakpoints": [] }));
    let stop = client.moves("continue", json!({ "threadId": thread }));
    assert_eq!(stop["reason"], "data breakpoint", "{stop}");
    let (line, frame) = client.top(&thread);
    assert_eq!((line, client.value(&frame, "sum")), (26, "[8, 10, 12, 14, 16, 18, 20, 22, …]".to_owned()));
    client.moves("stepIn", json!({ "threadId": thread, "granularity": "instruction" }));
    let (_, frame) = client.top(&thread);
    assert_eq!(client.value(&frame, "sum"), "[24, 27, 30, 33, 36, 39, 42, 45, …]");
    // A step without a granularity executes a line.
    assert_eq!(client.top(&thread).0, 23);
    client.moves("next", json!({ "threadId": thread }));
    assert_eq!(client.top(&thread).0, 28);
    client.moves("stepBack", json!({ "threadId": thread }));
    assert_eq!(client.top(&thread).0, 23);
    assert_eq!(client.disconnect(), Some(0));
}
