//! The arguments of a `launch` request: the options of the command line, as JSON.
//!
//! The names, types and defaults are those of [`LaunchArgs`]: `maxCycles: 1000` is
//! `--max-cycles=1000`, `set: ["sm.max_warps=16"]` is `--set=sm.max_warps=16`.

use crate::args::LaunchArgs;
use clap::{ArgAction, CommandFactory, Parser};
use isa::diag::nearest;
use serde_json::{Map, Value};
use std::path::PathBuf;

/// Name of the argument for the kernel or PTX file, as editors call it.
const PROGRAM: &str = "program";

/// Arguments that editors add for themselves; others begin with two underscores.
const OF_EDITORS: [&str; 12] = [
    "console",
    "debugServer",
    "env",
    "internalConsoleOptions",
    "name",
    "outputCapture",
    "postDebugTask",
    "preLaunchTask",
    "presentation",
    "request",
    "suppressMultipleSessionWarning",
    "type",
];

/// Reads launch arguments. Also returns warnings about arguments that are unknown.
///
/// # Errors
/// The message of the command line about a wrong value.
pub fn read(arguments: &Value) -> Result<(LaunchArgs, Vec<String>), String> {
    let empty = Map::new();
    let given = match arguments {
        Value::Null => &empty,
        Value::Object(given) => given,
        Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            return Err("the launch arguments are not an object".to_owned());
        }
    };
    let command = LaunchArgs::command();
    let (mut line, mut positional, mut warnings) = (Vec::new(), Vec::new(), Vec::new());
    for (name, value) in given {
        if value.is_null() || name.starts_with("__") || OF_EDITORS.contains(&name.as_str()) {
            continue;
        }
        if name == PROGRAM {
            let list = match value {
                Value::Array(list) => list.as_slice(),
                one => std::slice::from_ref(one),
            };
            let text = |one: &Value| one.as_str().map(str::to_owned);
            let names: Option<Vec<String>> = list.iter().map(text).collect();
            positional = names
                .ok_or_else(|| format!("launch argument `{PROGRAM}` is not a text or a list of texts"))?;
            continue;
        }
        let long = kebab(name);
        let known = || command.get_arguments().filter(|arg| !arg.is_positional());
        let Some(arg) = known().find(|arg| arg.get_long() == Some(&long)) else {
            let names: Vec<String> = known().filter_map(|arg| arg.get_long().map(camel)).collect();
            let near = nearest(name, names.iter().map(String::as_str).chain([PROGRAM]));
            let near = near.map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            warnings.push(format!("warning: unknown launch argument `{name}`{near}\n"));
            continue;
        };
        let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
        push(&mut line, &long, is_switch, value).map_err(|why| format!("launch argument `{name}` {why}"))?;
    }
    if positional.is_empty() {
        return Err(format!("the launch argument `{PROGRAM}` is missing: a built-in kernel or a PTX file"));
    }
    // A name that begins with a hyphen is no option.
    line.push(String::new());
    let mut args = LaunchArgs::try_parse_from(line).map_err(|error| {
        let text = error.render().to_string();
        text.split("\n\nUsage").next().unwrap_or("").trim().to_owned()
    })?;
    let mut names = positional.into_iter();
    args.workload.kernel = names.next().unwrap_or_default();
    args.workload.linked = names.map(PathBuf::from).collect();
    args.workload.program_arguments = std::mem::take(&mut args.args).into_iter().map(Into::into).collect();
    Ok((args, warnings))
}

/// Adds an option with its value, or one for each element of a list.
fn push(line: &mut Vec<String>, long: &str, is_switch: bool, value: &Value) -> Result<(), String> {
    match value {
        Value::Bool(on) if is_switch => {
            if *on {
                line.push(format!("--{long}"));
            }
            Ok(())
        }
        _ if is_switch => Err("is neither true nor false".to_owned()),
        Value::Bool(value) => {
            line.push(format!("--{long}={value}"));
            Ok(())
        }
        Value::Number(value) => {
            line.push(format!("--{long}={value}"));
            Ok(())
        }
        Value::String(value) => {
            line.push(format!("--{long}={value}"));
            Ok(())
        }
        Value::Array(all) => all.iter().try_for_each(|one| match one {
            Value::Array(_) | Value::Object(_) => Err("is a list of lists or objects".to_owned()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {
                push(line, long, is_switch, one)
            }
        }),
        Value::Null => Ok(()),
        Value::Object(_) => Err("is an object; expected a text, a number or a list".to_owned()),
    }
}

/// `maxCycles` as `max-cycles`.
fn kebab(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            out.push('-');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// `max-cycles` as `maxCycles`.
fn camel(name: &str) -> String {
    let mut out = String::new();
    for part in name.split('-') {
        let mut letters = part.chars();
        match letters.next() {
            Some(first) if !out.is_empty() => out.push(first.to_ascii_uppercase()),
            Some(first) => out.push(first),
            None => {}
        }
        out.extend(letters);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn launch_arguments_are_options_of_the_command_line() {
        let (args, warnings) = read(&json!({
            "name": "x", "type": "warpsim", "request": "launch", "__sessionId": 5,
            "program": "-k.ptx", "launch": "k.ron", "chip": "fermi", "set": ["a=1", "b=2"],
            "maxCycles": 7, "optLevel": 0, "fmad": true, "stopOnEntry": true, "noDebug": false,
        }))
        .expect("good");
        assert_eq!(warnings, [""; 0]);
        assert_eq!((args.workload.kernel.as_str(), args.chip.chip.as_str()), ("-k.ptx", "fermi"));
        assert_eq!((args.chip.sets.len(), args.workload.max_cycles, args.stop_on_entry), (2, Some(7), true));
        assert_eq!((args.workload.compile.opt_level, args.workload.compile.fmad), (0, Some(true)));
    }

    #[test]
    fn wrong_launch_arguments_are_rejected() {
        for (bad, expected) in [
            (json!({}), "the launch argument `program` is missing"),
            (json!([1]), "the launch arguments are not an object"),
            (json!({ "program": 5 }), "launch argument `program` is not a text or a list of texts"),
            (json!({ "program": "vecadd", "size": "x" }), "invalid value 'x' for '--size <N>'"),
            (json!({ "program": "vecadd", "stopOnEntry": 1 }), "`stopOnEntry` is neither true nor false"),
            (json!({ "program": "vecadd", "set": { "a": 1 } }), "`set` is an object"),
            (json!({ "program": "vecadd", "set": [[1]] }), "`set` is a list of lists"),
        ] {
            let found = read(&bad).expect_err("bad");
            assert!(found.contains(expected), "{bad}: {found}");
        }
        let (_, warnings) = read(&json!({ "program": "vecadd", "maxCycle": 1 })).expect("a warning");
        assert_eq!(warnings, ["warning: unknown launch argument `maxCycle`; did you mean `maxCycles`?\n"]);
    }
}
