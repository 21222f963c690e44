//! Texts about a kernel in OpenCL C have the words of OpenCL.

use crate::common::{scratch, warpsim_with};

const SUMS: &str = "__kernel void sums(__global const int *in, __global int *out, __local int *part)\n\
    {\n\
    int own = get_local_id(0);\n\
    part[own] = in[get_global_id(0)];\n\
    BARRIER\n\
    out[get_global_id(0)] = part[get_local_size(0) - 1 - own] / DIVISOR;\n\
    }\n";

/// Words of CUDA, and names with such words that other commands look up.
const WORDS: [&str; 10] =
    ["thread", "threads", "block", "blocks", "grid", "SM", "SMs", "shared", "__syncthreads", "SM's"];
const NAMES: [&str; 8] = [
    "shared-memory dependency",
    "exited, block resident",
    "shared-memory bank conflicts",
    "block scheduling",
    "uneven work of the blocks",
    "the last blocks",
    "st.shared",
    // The state space in PTX.
    ".shared address",
];

/// Fails if a text has a word of CUDA.
fn is_opencl(text: &str) {
    for line in text.lines() {
        let bare = NAMES.iter().fold(line.to_owned(), |line, name| line.replace(name, ""));
        let words = bare.split(|c: char| !c.is_alphanumeric() && c != '_' && c != '\'' && c != '-');
        let found: Vec<&str> = words.filter(|word| WORDS.contains(word)).collect();
        assert!(found.is_empty(), "{found:?} in\n{line}\nof\n{text}");
    }
}

fn run(name: &str, (barrier, divisor): (&str, &str), more: &[&str]) -> String {
    let folder = scratch(&format!("opencl_words/{name}"));
    let path = folder.join("sums.cl");
    std::fs::write(&path, SUMS.replace("BARRIER", barrier).replace("DIVISOR", divisor)).expect("written");
    let path = path.display().to_string();
    let usual = ["run", &path, "--chip", "g80", "--arg", "in=iota(0,1)"];
    let words: Vec<&str> = usual.into_iter().chain(more.iter().copied()).collect();
    let ran = warpsim_with(&words);
    let text = ran.stdout + &ran.stderr;
    is_opencl(&text);
    text
}

const BARRIER: &str = "barrier(CLK_LOCAL_MEM_FENCE);";

#[test]
fn reports_name_work_items() {
    let report = run("report", (BARRIER, "1"), &["--global", "256", "--local", "64", "--arg", "part=256"]);
    assert!(report.contains("sums: 4 work-groups (4,1,1) of 64 work-items (64,1,1)"), "{report}");
    assert!(report.contains("16 compute units at 1,350 MHz"), "{report}");
    let details = run(
        "details",
        (BARRIER, "1"),
        &["--global", "256", "--local", "64", "--arg", "part=256", "--details"],
    );
    for part in ["NDRange ", "registers per work-item", "local memory per work-group", "compute units used"] {
        assert!(details.contains(part), "{part} in\n{details}");
    }
    run("why", (BARRIER, "1"), &["--global", "256", "--local", "64", "--arg", "part=256", "--why"]);
}

#[test]
fn findings_name_work_items() {
    let race =
        run("race", ("", "1"), &["--global", "256", "--local", "64", "--arg", "part=256", "--check", "race"]);
    for part in
        ["work-item (31,0,0) of work-group (0,0,0)", "of local memory", "barrier(CLK_LOCAL_MEM_FENCE)"]
    {
        assert!(race.contains(part), "{part} in\n{race}");
    }
    let bounds = run(
        "bounds",
        (BARRIER, "1"),
        &["--global", "256", "--local", "64", "--arg", "part=128", "--check", "memory"],
    );
    assert!(bounds.contains("error[out_of_bounds]"), "{bounds}");
    let divided = run(
        "zero",
        (BARRIER, "own"),
        &["--global", "256", "--local", "64", "--arg", "part=256", "--check", "init"],
    );
    for part in ["error[division_by_zero]: line 6: division by zero", "divides by 0"] {
        assert!(divided.contains(part), "{part} in\n{divided}");
    }
    let some = "if (own < 40) barrier(CLK_LOCAL_MEM_FENCE);";
    let sync = run(
        "sync",
        (some, "1"),
        &["--global", "256", "--local", "64", "--arg", "part=256", "--check", "sync"],
    );
    assert!(sync.contains("work-items"), "{sync}");
}

#[test]
fn refusals_name_work_groups() {
    let large = run("large", (BARRIER, "1"), &["--global", "1024", "--local", "1024", "--arg", "part=256"]);
    assert!(large.contains("the number of work-items per work-group is 1024; this chip allows at most 512"));
    let memory = run("memory", (BARRIER, "1"), &["--global", "256", "--local", "64", "--arg", "part=20000"]);
    assert!(memory.contains("the local memory per work-group in bytes is"), "{memory}");
}
