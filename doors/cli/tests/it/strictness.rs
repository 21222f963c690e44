//! `--memory` and `--barriers`: what the strict rules forbid traps, or is counted and reported with
//! a warning. Also what the checkers say about host memory.

use crate::common::{Run, scratch, warpsim_with};
use serde_json::{Value, json};
use std::fs;

/// `stencil` reads the row above before it tests whether there is one. `past` writes behind a
/// buffer of 256 bytes and reads the values back; `generic` does so through generic addresses.
/// `far` reads 128 KB behind it.
const TEXT: &str = "
	.version 2.3
	.target sm_20
	.address_size 32
	.entry stencil (.param .u32 in, .param .u32 out)
	{
	.reg .u32 %i, %b, %v, %w, %in, %out; .reg .pred %first;
	mov.u32 %i, %tid.x;
	mov.u32 %b, %ctaid.x;
	mad.lo.u32 %i, %b, 64, %i;
	ld.param.u32 %in, [in];
	ld.param.u32 %out, [out];
	mad.lo.u32 %in, %i, 4, %in;
	mad.lo.u32 %out, %i, 4, %out;
	ld.global.u32 %v, [%in-256];
	ld.global.u32 %w, [%in];
	setp.eq.u32 %first, %b, 0;
	@%first mov.u32 %v, 0;
	add.u32 %v, %v, %w;
	st.global.u32 [%out], %v;
	exit;
	}
	.entry past (.param .u32 out)
	{
	.reg .u32 %i, %v, %out;
	mov.u32 %i, %tid.x;
	ld.param.u32 %out, [out];
	mad.lo.u32 %out, %i, 4, %out;
	st.global.u32 [%out+256], %i;
	ld.global.u32 %v, [%out+256];
	st.global.u32 [%out], %v;
	exit;
	}
	.entry generic (.param .u32 out)
	{
	.reg .u32 %i, %v, %out;
	mov.u32 %i, %tid.x;
	ld.param.u32 %out, [out];
	mad.lo.u32 %out, %i, 4, %out;
	st.u32 [%out+256], %i;
	ld.u32 %v, [%out+256];
	st.u32 [%out], %v;
	exit;
	}
	.entry far (.param .u32 out)
	{
	.reg .u32 %v, %out;
	ld.param.u32 %out, [out];
	ld.global.u32 %v, [%out+131072];
	st.global.u32 [%out], %v;
	exit;
	}
";

/// Runs a kernel of `text` with the launch file `launch` and more arguments.
fn run_text(name: &str, text: &str, launch: &str, more: &[&str]) -> Run {
    let folder = scratch(&format!("strictness-{name}-{}", more.concat().replace('-', "")));
    let (ptx, ron) = (folder.join("k.ptx"), folder.join("launch.ron"));
    fs::write(&ptx, text).expect("written");
    fs::write(&ron, launch).expect("written");
    let (ptx, ron) = (ptx.to_str().expect("UTF-8"), ron.to_str().expect("UTF-8"));
    warpsim_with(&[&["run", ptx, "--launch", ron, "--chip", "fermi"], more].concat())
}

const STENCIL: &str = "(entry: \"stencil\", grid: 4, block: 64, params: [buf(\"in\"), buf(\"out\")], \
    buffers: {\"in\": (type: u32, len: 256, init: iota(1, 1)), \"out\": (type: u32, len: 256)}, \
    expect: [(buf: \"out\", formula: \"i < 64 ? i + 1 : 2 * i - 62\")])";

fn of_one(entry: &str, formula: &str) -> String {
    format!(
        "(entry: \"{entry}\", grid: 1, block: 64, params: [buf(\"out\")], \
         buffers: {{\"out\": (type: u32, len: 64)}}, expect: [(buf: \"out\", formula: \"{formula}\")])"
    )
}

/// Returns the report of a run with `--json -`.
fn report(run: &Run) -> Value {
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
    let mut document: Value = serde_json::from_str(&run.stdout).expect("JSON");
    document["runs"][0].take()
}

/// The machines.
const MACHINES: [&[&str]; 2] = [&[], &["--functional"]];

/// Tests: `relaxed-rules-are-counted`.
#[test]
fn a_stencil_may_read_past_its_buffer_within_the_page() {
    for machine in MACHINES {
        let strict = run_text("stencil", TEXT, STENCIL, machine);
        assert_eq!(strict.code, Some(3), "{}", strict.stderr);
        let page = run_text("stencil", TEXT, STENCIL, &[machine, &["--memory", "page"]].concat());
        assert_eq!(page.code, Some(0), "{}{}", page.stdout, page.stderr);
        for part in ["PASSED", "WARNING: 64 reads outside of every allocation, line 15: ", "--memory page"] {
            assert!(page.stdout.contains(part), "{part} is missing in\n{}", page.stdout);
        }
        let json = run_text("stencil", TEXT, STENCIL, &[machine, &["--memory=page", "--json=-"]].concat());
        let report = report(&json);
        let line = json!([{"line": 15, "source": "ld.global.u32 %v, [%in-256];", "past_reads": 64,
                           "past_writes": 0, "divergent_barriers": 0}]);
        let expected = json!({"past_reads": 64, "past_writes": 0, "divergent_barriers": 0, "lines": line});
        assert_eq!(report["relaxed"], expected, "{machine:?}");
        assert_eq!(report["launch"]["memory"], "page");
        // The launch file can give the rule, and the command line overrides it.
        let file = STENCIL.replacen('(', "(memory: page, ", 1);
        assert_eq!(run_text("stencil-file", TEXT, &file, machine).code, Some(0));
        let strict = run_text("stencil-file", TEXT, &file, &[machine, &["--memory", "strict"]].concat());
        assert_eq!(strict.code, Some(3));
    }
}

/// Tests: `relaxed-rules-are-counted`.
#[test]
fn writes_past_a_buffer_are_kept_and_counted() {
    for entry in ["past", "generic"] {
        for machine in MACHINES {
            let more = [machine, &["--memory=page", "--json=-"]].concat();
            let report = report(&run_text(entry, TEXT, &of_one(entry, "i"), &more));
            let counts = ["past_reads", "past_writes"].map(|name| report["relaxed"][name].as_u64());
            assert_eq!(counts, [Some(64); 2], "{entry} {machine:?}");
        }
    }
}

#[test]
fn an_access_past_the_page_traps_under_every_rule() {
    for machine in MACHINES {
        let run = run_text("far", TEXT, &of_one("far", "0"), &[machine, &["--memory=page"]].concat());
        assert_eq!(run.code, Some(3), "{}", run.stderr);
        assert!(run.stderr.contains("is out of bounds"), "{}", run.stderr);
    }
}

#[test]
fn the_checker_still_finds_accesses_that_the_page_permits() {
    let run = run_text("check", TEXT, STENCIL, &["--memory=page", "--check=memory"]);
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    for part in ["error[crossing]: line 15: ", "WARNING: 64 reads outside"] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}", run.stdout);
    }
}

/// Half of each warp reaches one barrier, the other half another one.
const BARRIERS: &str = "
	.version 2.3
	.target sm_20
	.address_size 32
	.entry k (.param .u32 out)
	{
	.reg .u32 %i; .reg .pred %p;
	mov.u32 %i, %laneid;
	setp.lt.u32 %p, %i, 16;
	@%p bra low;
	bar.sync 0;
	bra end;
	low:
	bar.sync 0;
	end:
	exit;
	}
";

/// Tests: `relaxed-rules-are-counted`.
#[test]
fn divergent_barriers_are_counted() {
    for machine in MACHINES {
        let strict = run_text("barriers", BARRIERS, &of_one("k", "0"), machine);
        assert_eq!(strict.code, Some(3), "{}", strict.stderr);
        let more = [machine, &["--barriers=hardware", "--json=-"]].concat();
        let report = report(&run_text("barriers", BARRIERS, &of_one("k", "0"), &more));
        assert_eq!(
            report["relaxed"]["divergent_barriers"], 2,
            "{machine:?}: two warps, whose first half then exits"
        );
        let file = of_one("k", "0").replacen('(', "(barriers: hardware, ", 1);
        let run = run_text("barriers-file", BARRIERS, &file, machine);
        let warning = "WARNING: 2 warps at a barrier with only some of their threads, line 14: ";
        assert!(run.stdout.contains(warning), "{}{}", run.stdout, run.stderr);
    }
}

/// Tests: `relaxed-rules-are-counted`.
#[test]
fn a_run_without_such_accesses_has_the_same_report_under_all_rules() {
    let launch = of_one("far", "0").replace("len: 64", "len: 65536").replace("\"0\"", "\"i * 0\"");
    let run = |more: &[&str]| report(&run_text("none", TEXT, &launch, &[more, &["--json=-"]].concat()));
    let (mut strict, mut relaxed) = (run(&[]), run(&["--memory=page"]));
    assert_eq!((strict.get("relaxed"), strict["launch"].get("memory")), (None, None));
    let launch = relaxed["launch"].as_object_mut().expect("an object");
    assert_eq!(launch.remove("memory"), Some(json!("page")));
    // Each run has a folder.
    (strict["launch"]["file"], relaxed["launch"]["file"]) = (json!(""), json!(""));
    assert_eq!(relaxed, strict);
}

/// Two statements of one line race.
const RACE: &str = "
	.version 2.3
	.target sm_20
	.address_size 32
	.entry k (.param .u32 out)
	{
	.shared .u32 tile[64];
	.reg .u32 %i, %at, %v, %out;
	mov.u32 %i, %tid.x;
	mov.u32 %at, tile;
	mad.lo.u32 %at, %i, 4, %at;
	st.shared.u32 [%at], %i; ld.shared.u32 %v, [tile];
	ld.param.u32 %out, [out];
	mad.lo.u32 %out, %i, 4, %out;
	st.global.u32 [%out], %v;
	exit;
	}
";

#[test]
fn marks_are_under_their_statements() {
    let code = "st.shared.u32 [%at], %i; ld.shared.u32 %v, [tile];";
    for check in ["--racecheck", "--check=race,sync"] {
        let run = run_text("race", RACE, &of_one("k", "0"), &[check]);
        assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
        let lines: Vec<&str> = run.stdout.lines().collect();
        let at = lines.iter().position(|line| line.ends_with(code)).expect("the line is drawn");
        let first = lines[at].find(code).expect("the line is drawn");
        let marks: Vec<&str> = lines[at + 1..].iter().take(2).map(|line| &line[first..]).collect();
        let (store, load) = ("st.shared.u32 [%at], %i;".len(), "ld.shared.u32 %v, [tile];".len());
        let both: String = format!("{} {}", "M".repeat(store), "M".repeat(load));
        let drawn = marks[0].replace(['^', '-'], "M");
        assert!(drawn.starts_with(&both), "{}", run.stdout);
    }
}

/// Copies 32 words.
const COPY: &str = "
	.version 2.3
	.target sm_20
	.address_size 64
	.entry copy (.param .u64 from, .param .u64 to)
	{
	.reg .u32 %i, %v; .reg .u64 %at, %from, %to;
	mov.u32 %i, %tid.x;
	mul.wide.u32 %at, %i, 4;
	ld.param.u64 %from, [from];
	add.u64 %from, %from, %at;
	ld.global.u32 %v, [%from];
	ld.param.u64 %to, [to];
	add.u64 %to, %to, %at;
	st.global.u32 [%to], %v;
	exit;
	}
";

#[test]
fn a_pointer_to_host_memory_is_named() {
    let launch = "(entry: \"copy\", grid: 1, block: 32, params: [u64(0x7ffd12340000), buf(\"to\")], \
                  buffers: {\"to\": (type: u32, len: 32)})";
    let run = run_text("host", COPY, launch, &["--check=memory"]);
    for part in ["error[host_pointer]: line 12: ", "`from` is a pointer to host memory", "cudaMemcpy"] {
        assert!(run.stdout.contains(part), "{part} is missing in\n{}{}", run.stdout, run.stderr);
    }
    for machine in MACHINES {
        let run = run_text("host", COPY, launch, machine);
        assert_eq!(run.code, Some(3));
        assert!(run.stderr.contains("parameter `from` is a pointer to host memory"), "{}", run.stderr);
    }
}

#[test]
fn host_memory_that_the_host_did_not_set_can_count_as_written() {
    let launch = |init: &str| {
        format!(
            "(entry: \"copy\", grid: 1, block: 32, params: [buf(\"from\"), buf(\"to\")], buffers: \
             {{\"from\": (type: u32, len: 32{init}), \"to\": (type: u32, len: 32)}})"
        )
    };
    let run = run_text("init", COPY, &launch(""), &["--check=init"]);
    assert_eq!(run.code, Some(1), "{}{}", run.stdout, run.stderr);
    let run = run_text("init-host", COPY, &launch(", init: host"), &["--check=init"]);
    assert_eq!(run.code, Some(0), "{}{}", run.stdout, run.stderr);
}

/// A program whose kernel reads behind its buffer and has a barrier in one half of a warp, and
/// whose host code reads memory that nothing has written.
const PROGRAM: &str = r#"#include <cstdio>
#include <cstdlib>
__global__ void past(int *out) { out[threadIdx.x] = out[threadIdx.x + 32]; }
__global__ void half(int *out) {
    __shared__ int s[16];
    if (threadIdx.x < 16) {
        s[threadIdx.x] = threadIdx.x;
        __syncthreads();
        out[threadIdx.x] = s[15 - threadIdx.x];
    } else {
        __syncthreads();
        out[threadIdx.x] = 1;
    }
}
int main(int argc, char **argv) {
    int *h = (int *)malloc(32 * sizeof(int)), *d;
    cudaMalloc(&d, 32 * sizeof(int));
    if (argv[1][0] == 'p') past<<<1, 32>>>(d);
    if (argv[1][0] == 'b') half<<<1, 32>>>(d);
    if (argv[1][0] != 'h') cudaMemcpy(h, d, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d %s\n", h[0], cudaGetErrorString(cudaGetLastError()));
    cudaFree(d);
    free(h);
}
"#;

/// Runs [`PROGRAM`] with one word as its argument.
fn program(word: &str, more: &[&str]) -> Run {
    let folder = scratch(&format!("strict-program-{word}{}", more.concat()));
    let file = folder.join("rules.cu");
    fs::write(&file, PROGRAM).expect("the program is written");
    let file = file.to_str().expect("UTF-8");
    warpsim_with(&[&["run", file], more, &["--", word]].concat())
}

#[test]
fn a_program_with_host_code_takes_every_rule() {
    // What the message of the mistake names, and what the program then prints.
    let rules = [
        ("p", "--memory", "page", "is out of bounds", "0 no error\n", "32 reads outside of every allocation"),
        (
            "b",
            "--barriers",
            "hardware",
            "--barriers hardware",
            "15 no error\n",
            "at a barrier with only some of ",
        ),
        ("h", "--host-memory", "zero", "--host-memory zero", "0 no error\n", ""),
    ];
    for machine in MACHINES {
        for (word, option, rule, refused, printed, warned) in rules {
            let strict = program(word, machine);
            assert!(!strict.stdout.starts_with(printed), "{word}: {}", strict.stdout);
            assert!(strict.stderr.contains(refused), "{word}: {}", strict.stderr);
            let run = program(word, &[machine, &[option, rule]].concat());
            assert_eq!(run.code, Some(0), "{word}: {}", run.stderr);
            assert!(run.stdout.starts_with(printed), "{word}: {}{}", run.stdout, run.stderr);
            assert!(run.stderr.contains(warned), "{word}: {}", run.stderr);
        }
    }
}

#[test]
fn the_rule_for_host_memory_is_refused_where_it_has_no_effect() {
    let builtin = warpsim_with(&["run", "vecadd", "--host-memory", "zero"]);
    assert_eq!(builtin.code, Some(2), "{}", builtin.stderr);
    assert!(builtin.stderr.contains("--host-memory is not possible with vecadd"), "{}", builtin.stderr);
    let clang = program("h", &["--host-memory", "zero", "--compiler", "clang"]);
    assert_eq!(clang.code, Some(2), "{}", clang.stderr);
    assert!(
        clang.stderr.contains("--host-memory is not possible with host code that clang"),
        "{}",
        clang.stderr
    );
}
