//! The configuration of VS Code in docs/DEBUGGING.md does what the page says.

use super::client::Client;
use serde_json::{Value, json};
use std::path::Path;
use test_support::workspace::root;

/// The JSON files of the section about VS Code: `package.json` and `launch.json`.
fn files() -> [Value; 2] {
    let page = std::fs::read_to_string(root().join("docs/DEBUGGING.md")).expect("readable");
    let (_, section) = page.split_once("#### Visual Studio Code").expect("a section");
    let (section, _) = section.split_once("\n#### ").expect("the section ends");
    let mut blocks = section.split("```json\n").skip(1).map(|block| {
        let (text, _) = block.split_once("```").expect("the block ends");
        serde_json::from_str(text).expect("JSON")
    });
    [blocks.next().expect("package.json"), blocks.next().expect("launch.json")]
}

/// The texts of a list.
fn texts<'a>(list: &'a Value, name: Option<&str>) -> Vec<&'a str> {
    let one = |value: &'a Value| name.map_or(value, |name| &value[name]).as_str().expect("a text");
    list.as_array().expect("a list").iter().map(one).collect()
}

#[test]
fn the_extension_allows_breakpoints_in_the_files_of_its_launches() {
    let [package, launch] = files();
    let contributes = &package["contributes"];
    let breakpoints = texts(&contributes["breakpoints"], Some("language"));
    let debugger = &contributes["debuggers"][0];
    assert_eq!(texts(&debugger["languages"], None), breakpoints);
    let languages = contributes["languages"].as_array().expect("a list");
    let language = |file: &str| {
        let end = format!(".{}", Path::new(file).extension()?.to_str()?);
        let found = languages.iter().find(|one| texts(&one["extensions"], None).contains(&&*end));
        found.map(|one| one["id"].as_str().expect("a name"))
    };
    let mut found = Vec::new();
    for one in launch["configurations"].as_array().expect("a list") {
        assert_eq!(one["type"], debugger["type"]);
        let program = one["program"].as_str().expect("a file or a kernel");
        // A built-in kernel has no file.
        if Path::new(program).extension().is_some() {
            let language = language(program).unwrap_or_else(|| panic!("{program} has a language"));
            assert!(breakpoints.contains(&language), "{program}");
            found.push(language);
        }
    }
    assert_eq!(found, ["cuda-cpp", "ptx"]);
}

#[test]
fn the_first_launch_has_breakpoints_in_host_code_and_kernels() {
    let [_, launch] = files();
    let mut one = launch["configurations"][0].clone();
    let file = root().join("examples/programs/vecadd.cu");
    assert_eq!(one["program"], "${workspaceFolder}/vecadd.cu");
    one["program"] = json!(file);
    let mut client = Client::launch(&one);
    let lines = json!([{ "line": 10 }, { "line": 31 }]);
    let set = json!({ "source": { "path": file }, "breakpoints": lines });
    let set = client.ask("setBreakpoints", set)["breakpoints"].clone();
    let verified = |at: usize| (set[at]["verified"].clone(), set[at]["line"].clone());
    assert_eq!([verified(0), verified(1)], [(json!(true), json!(10)), (json!(true), json!(31))]);
    let stop = client.run();
    assert_eq!(client.top(&stop["threadId"]).0, 16, "`stopOnEntry`");
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(client.top(&stop["threadId"]).0, 31);
    let stop = client.moves("continue", json!({ "threadId": stop["threadId"] }));
    assert_eq!(client.top(&stop["threadId"]).0, 10, "in the kernel");
    assert!(!client.output().contains("warning"), "the arguments are known: {}", client.output());
    client.ask("terminate", json!({}));
    assert_eq!(client.disconnect(), Some(0));
}
