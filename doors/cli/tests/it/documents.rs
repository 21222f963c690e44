//! Tests of the JSON document of `run`: one for every exit code, with the diagnostics of `check`;
//! and of the limit on wall time.

use crate::common::{Run, command, data, scratch, warpsim_with};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns a folder with the kernels of `endings.ptx` and their launch file.
fn prepared(name: &str, entry: &str) -> PathBuf {
    let folder = scratch(name);
    fs::copy(data().join("endings.ptx"), folder.join("endings.ptx")).expect("copied");
    let launch = format!(
        "(entry: \"{entry}\", grid: 1, block: 64, params: [buf(\"out\")], \
         buffers: {{\"out\": (type: u32, len: 64)}})"
    );
    fs::write(folder.join("launch.ron"), launch).expect("written");
    folder
}

/// Runs the program in a folder; returns its end and the document on standard output.
fn document(folder: &Path, line: &str) -> (Run, Value) {
    let arguments: Vec<&str> = line.split_whitespace().collect();
    let output = command(&arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    let run = Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) };
    let json = serde_json::from_str(&run.stdout).unwrap_or_else(|why| panic!("{line}: {why}: {run:?}"));
    (run, json)
}

#[test]
fn every_exit_code_has_a_document() {
    let folder = prepared("documents-codes", "counts");
    let run = "run endings.ptx --launch launch.ron --json -";
    let trap = prepared("documents-trap", "trap_instruction");
    for (folder, line, code, kind) in [
        (&folder, "run vecadd --size 64 --json -".to_owned(), 0, "finished"),
        (&trap, run.to_owned(), 3, "trapped"),
        (&folder, format!("{run} --max-cycles 5000"), 4, "limit"),
    ] {
        let (run, json) = document(folder, &line);
        assert_eq!(run.code, Some(code), "{line}: {}", run.stderr);
        assert_eq!(json["runs"][0]["verdict"]["kind"], kind, "{line}");
    }
    for (line, code, kind, message) in [
        ("run nosuch --json -", 2, "bad_input", "unknown kernel `nosuch`"),
        ("run vecadd --size 1e9 --json=-", 2, "bad_input", "invalid value '1e9'"),
        ("run --json - --bogus", 2, "bad_input", "--bogus"),
        ("run vecadd --json - --allow-path nowhere", 2, "bad_input", "nowhere"),
        ("run endings.ptx --json -", 2, "bad_input", "a PTX file requires a launch file"),
        ("run vecadd --registers 9000 --json -", 3, "refused", "registers"),
    ] {
        let (run, json) = document(&folder, line);
        assert_eq!(
            (run.code, json["exit_code"].as_i64()),
            (Some(code), Some(i64::from(code))),
            "{line}: {json}"
        );
        assert_eq!(json["verdict"]["kind"], kind, "{line}");
        assert!(json["message"].as_str().expect("a text").contains(message), "{line}: {json}");
        assert!(run.stderr.contains(message), "{line}: {}", run.stderr);
        assert_eq!((&json["runs"], &json["files"]), (&Value::from([0; 0]), &Value::from([0; 0])), "{line}");
    }
    let plain = warpsim_with(&["run", "--bogus"]);
    assert_eq!((plain.code, plain.stdout.as_str()), (Some(2), ""));
}

#[test]
fn run_and_check_give_the_same_diagnostics() {
    let folder = prepared("documents-diagnostics", "counts");
    let text = fs::read_to_string(folder.join("endings.ptx")).expect("there");
    let wrong = text.replacen("add.u32\t\t%n, %n, 1;", "add.f32\t\t%n, %m, 1;", 1);
    assert_ne!(text, wrong);
    fs::write(folder.join("wrong.ptx"), wrong).expect("written");
    let (check, checked) = document(&folder, "check wrong.ptx --format json");
    let (run, ran) = document(&folder, "run wrong.ptx --launch launch.ron --json -");
    assert_eq!((check.code, run.code), (Some(2), Some(2)));
    let (checked, ran) = (&checked["files"][0], &ran["files"][0]);
    assert_eq!((&ran["file"], &ran["diagnostics"]), (&checked["file"], &checked["diagnostics"]));
    let first = &ran["diagnostics"][0];
    assert_eq!(first["code"], "E0206", "{first}");
    assert!(first["labels"][0]["line"].as_u64() > Some(60), "{first}");

    // The launch file and the chip, each with its place.
    fs::write(folder.join("bad.ron"), "(entry: \"counts\",\n grid: 1, blok: 64)").expect("written");
    let (run, ran) = document(&folder, "run endings.ptx --launch bad.ron --json -");
    assert_eq!((run.code, &ran["files"][0]["file"]), (Some(2), &Value::from("bad.ron")), "{ran}");
    let diagnostics = ran["files"][0]["diagnostics"].as_array().expect("a list");
    let unknown = diagnostics.iter().find(|diagnostic| diagnostic["code"] == "E0502").expect("`blok`");
    assert_eq!((&unknown["line"], &unknown["labels"][0]["bytes"]), (&2.into(), &4.into()), "{unknown}");
    let (run, ran) = document(&folder, "run vecadd --set sm.max_warps=0 --json -");
    let first = &ran["files"][0]["diagnostics"][0];
    assert_eq!((run.code, &first["file"], &first["line"]), (Some(2), &"--set".into(), &1.into()), "{ran}");
    assert!(first["code"].as_str().is_some_and(|code| code.starts_with("E05")), "{first}");
}

/// The cycle of the stop depends on the host, so it is not compared.
#[test]
fn a_limit_on_wall_time_stops_a_launch_on_both_machines() {
    let folder = prepared("documents-time", "counts");
    for machine in ["", " --functional"] {
        let line = format!("run endings.ptx --launch launch.ron --time-limit 0.3s --json -{machine}");
        let (run, json) = document(&folder, &line);
        assert_eq!(run.code, Some(4), "{}", run.stderr);
        let verdict = &json["runs"][0]["verdict"];
        assert_eq!((&verdict["kind"], &verdict["stuck"]["class"]), (&"time_limit".into(), &"limit".into()));
        assert!(verdict["cycle"].as_u64() > Some(1000), "{verdict}");
        for part in
            ["was stopped by --time-limit at ", "depends on the host", "increase the limit with --time"]
        {
            assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
        }
    }
    let (run, _) = document(&folder, "run vecadd --size 64 --time-limit 1h --json -");
    assert_eq!(run.code, Some(0));
    let bad = warpsim_with(&["run", "vecadd", "--time-limit", "soon"]);
    assert_eq!(bad.code, Some(2));
    assert!(bad.stderr.contains("expected a time above 0, such as 90s"), "{}", bad.stderr);
}
