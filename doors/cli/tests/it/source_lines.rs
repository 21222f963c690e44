//! Messages about PTX of a compiler name the lines of its CUDA C file.

use crate::common::{Run, data, scratch, warpsim_with};

/// Runs a kernel of a PTX file in one block of 64 threads.
fn run(ptx: &str, entry: &str, params: &str, options: &[&str]) -> Run {
    // Tests run side by side: each run has its own folder.
    let folder = scratch(&format!("source-lines-{entry}-{}{}", ptx.len(), options.concat()));
    let launch = folder.join("launch.ron");
    let text = format!(
        "(entry: \"{entry}\", grid: 1, block: 64, params: [{params}], \
         buffers: {{\"y\": (type: f32, len: 64, init: zero), \"x\": (type: f32, len: 60, init: zero)}})"
    );
    std::fs::write(&launch, text).expect("written");
    let launch = launch.to_str().expect("UTF-8");
    let mut arguments = vec!["run", ptx, "--launch", launch, "--chip", "fermi"];
    arguments.extend(options);
    warpsim_with(&arguments)
}

const SCALE: &str = "buf(\"y\"), buf(\"x\"), s32(64)";

#[track_caller]
fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part} is missing in\n{text}");
    }
}

#[test]
fn a_trap_names_the_line_of_the_cuda_file() {
    let Run { code, stdout, stderr } = run("clang/lines.ptx", "scale", SCALE, &[]);
    assert_eq!(code, Some(3), "{stderr}");
    assert_has(&stdout, &["trapped at line 14: read of 4 bytes"]);
    assert_has(&stderr, &["--> lines.cu:14\n", "14 | y[i] = twice(x[i]);\n", "^^^^^^^", "   = PTX: ld."]);
}

#[test]
fn lines_of_the_ptx_remain_as_an_option() {
    let Run { code, stdout, stderr } = run("clang/lines.ptx", "scale", SCALE, &["--lines", "ptx"]);
    assert_eq!(code, Some(3), "{stderr}");
    assert_has(&stdout, &["(lines.cu:14): read of 4 bytes"]);
    assert_has(&stderr, &["--> clang/lines.ptx:", "   = lines.cu:14\n"]);
}

#[test]
fn a_report_has_the_lines_of_the_cuda_file_and_below_them_those_of_the_ptx() {
    let Run { stdout, .. } = run("clang/lines.ptx", "race", "buf(\"y\")", &["--details=all"]);
    assert_has(&stdout, &["    26 ", "s[THREAD] = THREAD;", "   PTX ", ": st.shared"]);
    let Run { stdout, .. } = run("clang/lines.ptx", "race", "buf(\"y\")", &["--json", "-"]);
    let json: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    let timing = &json["runs"][0]["timing"];
    let sum = |lines: &serde_json::Value, line: u64, key: &str| -> u64 {
        let all = lines.as_array().expect("lines").iter();
        let of = all.filter(|one| one[key].as_u64() == Some(line));
        of.map(|one| one["executed"].as_u64().expect("a count")).sum()
    };
    let (lines, ptx) = (&timing["lines"], &timing["ptx_lines"]);
    for line in [26, 27] {
        assert_eq!(sum(lines, line, "line"), sum(ptx, line, "of"), "line {line}");
        assert!(sum(lines, line, "line") > 0, "line {line}");
    }
}

#[test]
fn without_the_cuda_file_the_line_has_a_number_only() {
    let folder = scratch("source-lines-alone");
    let alone = folder.join("alone.ptx");
    std::fs::copy(data().join("clang/lines.ptx"), &alone).expect("copied");
    let Run { stderr, .. } = run(alone.to_str().expect("UTF-8"), "scale", SCALE, &[]);
    assert_has(&stderr, &["   = lines.cu:14\n"]);
}

#[test]
fn a_barrier_that_hangs_names_the_lines_of_the_cuda_file() {
    let Run { code, stderr, .. } = run("clang/lines.ptx", "barrier", "buf(\"y\")", &["--functional"]);
    assert_eq!(code, Some(4), "{stderr}");
    assert_has(&stderr, &["line 19", "line 21"]);
}

#[test]
fn a_finding_names_the_lines_of_the_cuda_file() {
    let Run { stdout, .. } =
        run("clang/lines.ptx", "race", "buf(\"y\")", &["--functional", "--check", "race"]);
    assert_has(
        &stdout,
        &[
            "lines.cu:27",
            "26 | s[THREAD] = THREAD;",
            "27 | y[INDEX] = s[(THREAD + 33) % 64];",
            "add a `__syncthreads()` before line 27",
        ],
    );
}
