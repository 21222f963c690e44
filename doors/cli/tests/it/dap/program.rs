//! A whole program in an editor: its host code and its launches, forward and back.

use super::client::Client;
use serde_json::{Value, json};
use std::path::Path;
use test_support::workspace::root;

/// The program, its file and the breakpoints in it.
fn launch(arguments: &Value, lines: &[u32]) -> (Client, Value) {
    let file = root().join("examples/programs/vecadd.cu");
    let mut all = json!({ "program": file, "chip": "g80" });
    for (name, value) in arguments.as_object().expect("an object") {
        all[name] = value.clone();
    }
    let mut client = Client::launch(&all);
    let breakpoints: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
    let set = json!({ "source": { "path": file }, "breakpoints": breakpoints });
    let set = client.ask("setBreakpoints", set)["breakpoints"].clone();
    (client, set)
}

fn value(client: &mut Client, frame: &Value, name: &str) -> String {
    let locals = client.scope(frame, "Locals");
    let found = locals.iter().find(|one| one["name"] == name);
    found.unwrap_or_else(|| panic!("{name} is in {locals:?}"))["value"].as_str().expect("a text").to_owned()
}

#[test]
fn the_host_code_and_its_launch_are_stepped_through_both_ways() {
    let (mut client, _) = launch(&json!({ "stopOnEntry": true, "args": ["600"] }), &[]);
    let stop = client.run();
    let host = stop["threadId"].clone();
    let threads = client.ask("threads", Value::Null)["threads"].clone();
    assert_eq!(threads, json!([{ "id": host, "name": "host" }]));
    assert_eq!(client.top(&host).0, 16);

    client.moves("next", json!({ "threadId": host }));
    let (line, frame) = client.top(&host);
    assert_eq!((line, value(&mut client, &frame, "n").as_str()), (17, "600"));
    assert_eq!(client.value(&frame, "n"), "600");
    assert!(client.refused("evaluate", json!({ "expression": "x", "frameId": frame })).contains("`x`"));

    // A command of the debug console, then a step into the launch.
    client.ask("evaluate", json!({ "expression": "break 33", "context": "repl" }));
    let stop = client.moves("continue", json!({ "threadId": host }));
    assert_eq!(client.top(&stop["threadId"]).0, 33);
    let stop = client.moves("stepIn", json!({ "threadId": host }));
    let warp = stop["threadId"].clone();
    assert_eq!(stop["reason"], "entry");
    let threads = client.ask("threads", Value::Null)["threads"].as_array().expect("threads").clone();
    assert_eq!(threads[0]["name"], "host");
    assert!(threads.len() > 3, "{threads:?}");
    assert_eq!(client.top(&warp).0, 9);
    client.moves("next", json!({ "threadId": warp }));
    assert_eq!(client.top(&warp).0, 10);

    // Back to the line of the launch, and one line of host code more.
    client.moves("stepBack", json!({ "threadId": warp }));
    let stop = client.moves("stepBack", json!({ "threadId": warp }));
    assert_eq!((&stop["threadId"], client.top(&host).0), (&host, 33));
    client.moves("stepBack", json!({ "threadId": host }));
    let (line, frame) = client.top(&host);
    assert_eq!((line, value(&mut client, &frame, "threads").as_str()), (32, "256"));

    client.ask("evaluate", json!({ "expression": "delete 1", "context": "repl" }));
    client.ask("continue", json!({ "threadId": host }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    client.event("terminated");
    let output = client.output();
    assert_eq!(output.matches("600 elements, 0 wrong").count(), 1, "{output}");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn breakpoints_are_in_both_halves() {
    let (mut client, set) = launch(&json!({}), &[6, 10, 31, 45]);
    let lines: Vec<&Value> = (0..4).map(|at| &set[at]["line"]).collect();
    assert_eq!(lines, [&json!(9), &json!(10), &json!(31), &json!(45)], "{set}");
    let stop = client.run();
    assert_eq!((&stop["reason"], &stop["hitBreakpointIds"]), (&json!("breakpoint"), &json!([set[2]["id"]])));
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(client.top(&stop["threadId"]).0, 9);
    let file = root().join("examples/programs/vecadd.cu");
    client.ask("setBreakpoints", json!({ "source": { "path": file }, "breakpoints": [{ "line": 45 }] }));
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    let (line, frame) = client.top(&stop["threadId"]);
    assert_eq!((line, value(&mut client, &frame, "wrong").as_str()), (45, "0"));
    let stop = client.moves("reverseContinue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(client.top(&stop["threadId"]).0, 16, "the start of the program");
    client.ask("continue", json!({ "threadId": stop["threadId"] }));
    client.event("stopped");
    client.ask("terminate", json!({}));
    client.event("terminated");
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_data_breakpoint_stops_where_host_code_changes_a_value() {
    let (mut client, _) = launch(&json!({ "stopOnEntry": true, "args": ["600"] }), &[]);
    let stop = client.run();
    let host = stop["threadId"].clone();
    let unknown = client.ask("dataBreakpointInfo", json!({ "name": "nonsense" }));
    assert_eq!(unknown["dataId"], Value::Null, "{unknown}");
    let info = client.ask("dataBreakpointInfo", json!({ "name": "n", "variablesReference": 1 }));
    assert_eq!(info["description"], "watchpoint on n of main");
    let wanted = json!({ "breakpoints": [{ "dataId": info["dataId"] }] });
    let set = client.ask("setDataBreakpoints", wanted)["breakpoints"].clone();
    assert_eq!(set[0]["verified"], true, "{set}");
    let stop = client.moves("continue", json!({ "threadId": host }));
    assert_eq!(
        (&stop["reason"], &stop["hitBreakpointIds"]),
        (&json!("data breakpoint"), &json!([set[0]["id"]]))
    );
    assert_eq!(stop["description"], "n has changed in line 16: old value 0, new value 600");
    assert_eq!(client.top(&host).0, 17);
    client.ask("continue", json!({ "threadId": host }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_wrong_access_of_host_code_stops_at_its_line() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dap-wrong.cu");
    std::fs::write(&file, "int main() {\n    int n = 3, *p = 0;\n    return p[n];\n}\n").expect("written");
    let mut client = Client::launch(&json!({ "program": file }));
    let stop = client.run();
    assert_eq!(stop["reason"], "exception", "{stop}");
    let (line, frame) = client.top(&stop["threadId"]);
    assert_eq!((line, value(&mut client, &frame, "n").as_str()), (3, "3"));
    client.ask("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(client.event("exited")["exitCode"], 139);
    assert_eq!(client.disconnect(), Some(0));
}

/// Hits are counted over all launches of a program, and have their numbers again after a movement
/// back.
#[test]
fn hits_are_counted_in_host_code_and_at_kernels() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dap-hits.cu");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dap-include");
    std::fs::create_dir_all(&folder).expect("the folder is writable");
    std::fs::write(folder.join("first.cuh"), "#define FIRST START\n").expect("written");
    let text = "#include <first.cuh>\n__global__ void k(int *out) { out[0] = FIRST; }\nint main() {\n    \
                int *d;\n    cudaMalloc(&d, 4);\n    for (int i = 0; i < 9; i++) {\n        k<<<1, 1>>>(d);\n    }\n    \
                cudaFree(d);\n}\n";
    std::fs::write(&file, text).expect("written");
    let mut client =
        Client::launch(&json!({ "program": file, "includePath": [folder], "defineMacro": ["START=1"] }));
    let source = json!({ "path": file });
    let at_launch = json!([
        { "line": 7, "hitCondition": "== 4" },
        { "line": 7, "hitCondition": "% 3", "logMessage": "round {i}" },
    ]);
    client.ask("setBreakpoints", json!({ "source": source, "breakpoints": at_launch }));
    let kernel = json!({ "breakpoints": [{ "name": "k", "hitCondition": "== 6" }] });
    client.ask("setFunctionBreakpoints", kernel);
    let stop = client.run();
    let (line, frame) = client.top(&stop["threadId"]);
    assert_eq!((line, value(&mut client, &frame, "i").as_str()), (7, "3"));
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(stop["description"], "Start of launch 6");
    client.ask("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(client.event("exited")["exitCode"], 0);
    let output = client.output();
    let rounds: Vec<&str> = output.lines().filter(|line| line.starts_with("round")).collect();
    assert_eq!(rounds, ["round 2", "round 5", "round 8"]);
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn an_endless_loop_of_host_code_is_paused() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("dap-endless.cu");
    let text = "int main() {\n    volatile int i = 0;\n    for (;;)\n        i = i + 1;\n}\n";
    std::fs::write(&file, text).expect("written");
    let mut client = Client::launch(&json!({ "program": file, "stopOnEntry": true }));
    let stop = client.run();
    client.ask("continue", json!({ "threadId": stop["threadId"] }));
    let stop = client.moves("pause", json!({ "threadId": stop["threadId"] }));
    let (line, frame) = client.top(&stop["threadId"]);
    assert!((3..=4).contains(&line), "line {line}");
    assert!(value(&mut client, &frame, "i").parse::<i64>().expect("a number") > 1000);
    assert_eq!(client.disconnect(), Some(0));
}

#[test]
fn a_condition_in_a_kernel_is_an_expression_and_one_in_host_code_too() {
    let file = root().join("doors/cli/tests/data/debug/tile.cu");
    let mut client = Client::launch(&json!({ "program": file }));
    let source = json!({ "path": file });
    let set = |client: &mut Client, all: Value| {
        client.ask("setBreakpoints", json!({ "source": source, "breakpoints": all }))["breakpoints"].clone()
    };
    let wrong = set(
        &mut client,
        json!([{ "line": 22, "condition": "nosuch == 1" }, { "line": 22, "condition": "x = 1" }]),
    );
    assert_eq!(wrong[0]["message"], "no kernel has a variable `nosuch` here", "{wrong}");
    assert!(wrong[1]["message"].as_str().expect("a text").contains("`==` compares"), "{wrong}");
    let all = json!([
        { "line": 28, "condition": "i == 1999" },
        { "line": 22, "condition": "x == 35 && threadIdx.y == 1 && in[i] < 1000" },
    ]);
    let all = set(&mut client, all);
    assert!((0..2).all(|at| all[at]["verified"] == true), "{all}");
    let stop = client.run();
    assert_eq!(client.top(&stop["threadId"]).0, 28);
    let (_, frame) = client.top(&stop["threadId"]);
    assert_eq!(client.value(&frame, "i * 2"), "3998");
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    let (line, frame) = client.top(&stop["threadId"]);
    assert_eq!((line, &stop["hitBreakpointIds"]), (22, &json!([all[1]["id"]])));
    assert!(client.value(&frame, "x").starts_with("[32, 33, 34, 35,"));
    assert!(client.value(&frame, "x * 2 + threadIdx.y").starts_with("[64, 66, 68, 70,"));
    client.ask("disconnect", Value::Null);
}
