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
const NAMES: [&str; 10] = [
    "shared-memory dependency",
    "exited, block resident",
    "shared-memory bank conflicts",
    "block scheduling",
    "uneven work of the blocks",
    "the last blocks",
    "st.shared",
    "ld.shared",
    // Parts of the code.
    "Basic blocks, and the block",
    // The state space in PTX.
    ".shared address",
];

/// The texts of a page or a picture, without scripts and styles.
fn texts(html: &str) -> String {
    let mut rest = html.to_owned();
    for (open, close) in [("<script", "</script>"), ("<style", "</style>"), ("<", ">")] {
        while let Some(start) = rest.find(open) {
            let end = rest[start..].find(close).map_or(rest.len(), |end| start + end + close.len());
            rest.replace_range(start..end, "\n");
        }
    }
    rest
}

/// Fails if a text has a word of CUDA.
fn is_opencl(text: &str) {
    // The commands of the debugger stay.
    for line in text.lines().filter(|line| !line.starts_with("(warpsim)")) {
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

/// A kernel and its launch file.
fn kernel(folder: &str) -> (String, String) {
    let folder = scratch(&format!("opencl_words/{folder}"));
    let (path, launch) = (folder.join("sums.cl"), folder.join("sums.ron"));
    std::fs::write(&path, SUMS.replace("BARRIER", BARRIER).replace("DIVISOR", "1")).expect("written");
    let text = "(entry: \"sums\", grid: 4, block: 64, \
        params: { in: buf(\"in\"), out: buf(\"out\"), part: local(256) }, buffers: { \
        \"in\": (type: s32, len: 256, init: iota(0, 1)), \"out\": (type: s32, len: 256) })";
    std::fs::write(&launch, text).expect("written");
    (path.display().to_string(), launch.display().to_string())
}

fn said(words: &[&str]) -> String {
    let ran = warpsim_with(words);
    assert_eq!(ran.code, Some(0), "{words:?}: {}", ran.stderr);
    let text = ran.stdout + &ran.stderr;
    is_opencl(&text);
    text
}

#[test]
fn other_commands_name_work_items() {
    let (path, launch) = kernel("others");
    let parts = |text: &str, parts: &[&str]| {
        for part in parts {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    };
    let occupancy = ["occupancy", &path, "--block", "64", "--chip", "g80", "--sweep", "shared"];
    parts(
        &said(&occupancy),
        &["work-groups per compute unit ", "64 work-items = 2 warps", "of local memory"],
    );
    // The table of basic blocks has the title `block`.
    let check = warpsim_with(&["check", &path, "--chip", "g80"]).stdout;
    let check = check.split("\n  block ").next().unwrap_or_default();
    is_opencl(check);
    parts(check, &["registers per work-item ", "private memory per work-item "]);
    let run = [&*path, "--launch", &launch, "--chip", "g80"];
    let with = |before: &[&str], after: &[&str]| said(&[before, &run, after].concat());
    parts(&with(&["trace"], &[]), &["work-groups (4,1,1), work-groups of (64,1,1)", "compute unit 0"]);
    let options = ["--", "run", &path, "--global", "256", "--local", "64", "--arg", "part=256"];
    let twice = [&["compare", "--", "run"], &run[..], &options].concat();
    let compared = said(&twice).split_whitespace().collect::<Vec<_>>().join(" ");
    parts(&compared, &["4 of 15 compute units have work-groups instead of 4 of 16 compute units"]);
    let commands =
        ["blocks", "threads", "sms", "kernels", "devices", "warps", "lanes", "warp", "barrier", "shared"];
    let asked: Vec<String> = commands.iter().map(|one| format!("info {one}")).collect();
    let asked: Vec<&str> = asked.iter().flat_map(|one| ["--ex", one]).collect();
    let debugged = with(&["debug"], &[&["--ex", "break 6", "--ex", "continue"], &asked[..]].concat());
    parts(&debugged, &["4 work-groups have ended", "Local memory of work-group", "compute unit 0"]);
}

#[test]
fn pictures_name_work_items() {
    let (path, launch) = kernel("pictures");
    let svg = scratch("opencl_words/drawn").join("picture.svg").display().to_string();
    let page = scratch("opencl_words/drawn").join("page.html").display().to_string();
    let drawn = |words: &[&str], file: &str| {
        said(words);
        let text = texts(&std::fs::read_to_string(file).expect("a picture"));
        is_opencl(&text);
        text
    };
    for kind in ["stalls", "timeline", "tree"] {
        let words =
            ["picture", kind, &path, "--launch", &launch, "--chip", "g80", "--svg", &svg, "--line", "4"];
        let text = drawn(&words[..if kind == "tree" { 11 } else { 9 }], &svg);
        assert!(text.contains("work-group"), "{text}");
    }
    let occupancy = ["picture", "occupancy", &path, "--block", "64", "--svg", &svg];
    assert!(drawn(&occupancy, &svg).contains("local memory per work-group (bytes)"));
    let run = ["run", &path, "--launch", &launch, "--chip", "g80", "--html", &page];
    let text = drawn(&run, &page);
    let host = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/opencl/vadd_host.c");
    let of_program = drawn(&["run", host, "--html", &page], &page);
    assert!(of_program.contains("\nwork-groups\n\nwork-group\n"), "{of_program}");
    for part in ["Load of compute units and memory", "Resident work-groups of a compute unit", "local load:"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
}
