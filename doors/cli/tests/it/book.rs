//! Tests of `warpsim book`: the list of claims, and claims that are run.

use crate::common::{Run, command, ends_well_unread, scratch, warpsim, warpsim_with};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::Duration;

/// Claims that take almost no time.
const CLAIMS: &str = "OCC-05 OCC-12 SIMT-02 FP-04";

fn json(line: &str, code: i32) -> Value {
    let run = warpsim(&format!("book {line} --format json"));
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    serde_json::from_str(&run.stdout).expect("standard output is JSON and nothing else")
}

#[test]
fn the_list_has_every_claim_and_runs_nothing() {
    let Run { code, stdout, stderr } = warpsim("book");
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    assert!(stdout.lines().all(|l| l.chars().count() <= 100 && l == l.trim_end()), "{stdout}");
    let document = json("", 0);
    let claims = document["claims"].as_array().expect("a list");
    assert_eq!(claims.len(), evidence::claims::claims().len());
    for (claim, listed) in evidence::claims::claims().iter().zip(claims) {
        assert!(stdout.contains(&format!("\n  {} ", claim.id)), "{}", claim.id);
        assert_eq!((&listed["id"], &listed["ran"]), (&Value::from(claim.id.as_str()), &Value::Null));
    }
    let section = stdout.find("== Memory (exact unless said) =").expect("the list has sections");
    assert!(stdout.find("  OCC-16 ").expect("a claim") < section);
}

#[test]
fn claims_and_their_page_do_not_depend_on_jobs_and_threads() {
    let folder = scratch("book-jobs");
    let run = |name: &str, rest: &[&str]| {
        let path = folder.join(name);
        let page = ["--markdown", path.to_str().expect("UTF-8")];
        let line: Vec<&str> =
            ["book"].into_iter().chain(CLAIMS.split(' ')).chain(page).chain(rest.iter().copied()).collect();
        let run = warpsim_with(&line);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
        assert!(run.stdout.lines().all(|l| l.chars().count() <= 100 && l == l.trim_end()), "{}", run.stdout);
        (run.stdout, fs::read_to_string(path).expect("written"))
    };
    let (text, page) = run("one.md", &["--jobs", "1"]);
    assert_eq!((text.clone(), page.clone()), run("again.md", &["--jobs", "1"]));
    assert_eq!((text.clone(), page.clone()), run("three.md", &["--jobs", "3", "--threads", "2"]));
    for id in CLAIMS.split(' ') {
        assert!(text.contains(&format!("\n== {id} (")) && page.contains(&format!("\n| {id} | ")), "{id}");
        assert!(page.contains(&format!("\n### {id} (")), "{id} has its findings and reasons");
    }
    assert!(text.ends_with(" 4 claims at small sizes, no launch sampled: 4 passed\n"), "{text}");
    assert!(page.contains(&format!("`warpsim book {CLAIMS} --markdown FILE`")), "{page}");
}

#[test]
fn a_failing_claim_is_reported_and_the_others_run() {
    // Half the shared memory gives other numbers of blocks.
    let failed = json("OCC-12 SIMT-02 --set sm.shared_bytes=8192", 1);
    let verdict = |document: &Value, i: usize| document["claims"][i]["verdict"].clone();
    assert_eq!((verdict(&failed, 0), verdict(&failed, 1)), ("FAILED".into(), "passed".into()));
    let first = &failed["claims"][0]["findings"][0];
    assert_eq!(
        (&first["verdict"], &first["expected"], &first["simulated"]),
        (&"FAILED".into(), &"8, 8".into(), &"4, 4".into())
    );
    // Blocks of 64 threads are rejected.
    let refused = json("OCC-12 SIMT-02 --set limits.threads_per_block=48", 1);
    assert_eq!((verdict(&refused, 0), verdict(&refused, 1)), ("ERROR".into(), "passed".into()));
    assert!(refused["claims"][0]["error"].as_str().is_some_and(|why| why.contains("48")), "{refused}");
    let text = warpsim("book OCC-12 SIMT-02 --set limits.threads_per_block=48");
    assert_eq!((text.code, text.stderr.as_str()), (Some(1), "1 of 2 claims failed\n"));
    assert!(
        text.stdout.contains("== OCC-12 (B 5.4): ERROR =") && text.stdout.contains("\n error: "),
        "{}",
        text.stdout
    );
    // A field that one chip does not have: the message names the claim's chip and contains the
    // diagnostic.
    let text = warpsim("book SIMT-02 --set sm.l1.misses=64").stdout;
    assert!(text.contains("\n on g80: error[E0508]"), "{text}");
    assert!(
        !text.contains("error: on") && text.lines().all(|l| l.is_empty() || l.starts_with([' ', '='])),
        "{text}"
    );
}

/// The second claim takes hours: it is not started, or is stopped.
#[test]
fn claims_without_a_reader_are_not_run() {
    for jobs in ["1", "2"] {
        ends_well_unread(command(&[
            "book",
            "OCC-12",
            "PERF-07",
            "--full-size",
            "--no-sample",
            "--jobs",
            jobs,
        ]));
    }
}

#[test]
fn bad_names_and_options_are_reported() {
    for (line, part) in [
        ("PERF-4O", "unknown claim, group or chapter `PERF-4O`\nhelp: did you mean `PERF-"),
        ("ch66 OCC-12", "did you mean `ch6`?"),
        ("OCC-12 --set sm.max_wraps=8", "max_wraps"),
        ("OCC-12 --set sm.max_warps", "PATH=VALUE"),
        ("OCC-12 --sample --no-sample", "cannot be used with"),
        ("--full-size", "required"),
        ("OCC-12 --markdown .", "the path is a folder"),
        ("OCC-12 --markdown -", "--markdown cannot write to standard output"),
    ] {
        let Run { code, stdout, stderr } = warpsim(&format!("book {line}"));
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}: {stderr}");
        assert!(stderr.contains(part), "{line}: {stderr}");
    }
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_the_claims_so_far() {
    let path = scratch("book-interrupt").join("page.md");
    // The second claim takes hours.
    let mut run =
        command(&["book", "OCC-12", "PERF-07", "--full-size", "--no-sample", "--jobs", "1", "--markdown"])
            .arg(&path)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("it runs");
    let mut output = BufReader::new(run.stdout.take().expect("a pipe"));
    let mut out = String::new();
    while !out.contains("launched: bytes") {
        assert!(output.read_line(&mut out).expect("UTF-8") > 0, "{out}");
    }
    // The second claim prepares its data before its launch.
    std::thread::sleep(Duration::from_secs(3));
    let sent = Command::new("kill").args(["-INT", &run.id().to_string()]).status().expect("kill exists");
    assert!(sent.success());
    let mut errors = String::new();
    output.read_to_string(&mut out).expect("UTF-8");
    run.stderr.take().expect("a pipe").read_to_string(&mut errors).expect("UTF-8");
    assert_eq!(run.wait().expect("it ends").code(), Some(130), "{errors}");
    let (first, rest) = errors.split_once('\n').expect("two lines");
    assert!(first.starts_with("Ctrl-C received: the run stops"), "{errors}");
    assert_eq!(rest, "interrupted: 1 of 2 claims were not run\n");
    assert!(out.ends_with("no launch sampled: 1 passed, 1 not run\n"), "{out}");
    let page = fs::read_to_string(path).expect("the file was written");
    assert!(page.contains("| passed |\n") && page.contains("\n### PERF-07 (B 9.2-9.4): not run\n"), "{page}");
}
