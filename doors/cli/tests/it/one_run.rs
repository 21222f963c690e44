//! Every command takes every kind of what can run, or says in one sentence why not: the table of
//! docs/PROGRAMS.md, cell by cell.
//!
//! A launch of a program has the report of the same launch as a launch file.

use crate::common::{Run, command, in_folder, scratch, warpsim_with};
use std::fs;
use std::path::Path;

/// A program with two kernels and three launches.
const PROGRAM: &str = "#include <cstdio>
__global__ void scale(float *x, float factor, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] *= factor;
}
__global__ void shift(float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < n) x[i] += 1;
}
int main() {
    const int n = 60;
    float host[n], *x;
    for (int i = 0; i < n; i++) host[i] = i;
    cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    scale<<<1, 64>>>(x, 2, n);
    shift<<<1, 64>>>(x, n);
    scale<<<1, 64>>>(x, 3, n);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    for (int i = 0; i < n; i++) {
        float expected = (2 * i + (i + 1 < n)) * 3;
        if (host[i] != expected) return 1;
    }
    printf(\"right\\n\");
    return 0;
}
";

/// A program that the built-in compiler refuses.
const NATIVE: &str = "struct X {};
struct A : virtual X { int f() { return 0; } };
__global__ void k(int *p) { p[threadIdx.x] = threadIdx.x; }
int main() { int *d; cudaMalloc(&d, 128); k<<<1, 32>>>(d); cudaFree(d); A a; return a.f(); }
";

/// The arguments of each command: `@` is the place of the kernel or program.
const COMMANDS: [(&str, &str); 14] = [
    ("run", "run @ --why --timeline timeline.json --json report.json --html page.html"),
    ("run --details", "run @ --details"),
    ("run --check", "run @ --check all"),
    ("run --save-state", "run @ --save-state state.bin --at-cycle 100"),
    ("compare", "compare -- run @ -- run @ --set sm.max_warps=8"),
    ("sweep", "sweep @ --set sm.max_warps=8,16 --metrics cycles"),
    ("trace", "trace @ --launch-index 1"),
    ("picture", "picture timeline @ --svg timeline.svg"),
    ("mutate", "mutate @ --limit 2"),
    ("debug", "debug @ --batch --ex continue"),
    ("explore", "explore @ --schedules 50"),
    ("init", "init @"),
    ("check", "check @"),
    ("disasm", "disasm @"),
];

/// The commands of the table, each with its cells. A row names one or more commands.
fn rows() -> Vec<(String, Vec<String>)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/PROGRAMS.md");
    let page = fs::read_to_string(page).expect("the page");
    let lines = page.lines().skip_while(|line| !line.starts_with("| command | kernel |")).skip(2);
    let row = |line: &str| {
        let cells: Vec<String> =
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect();
        let of = |name: &str| (name.trim_matches('`').to_owned(), cells[1..].to_vec());
        cells[0].split(", ").map(of).collect::<Vec<_>>()
    };
    lines.take_while(|line| line.starts_with('|')).flat_map(row).collect()
}

#[test]
fn every_command_takes_every_kind_of_run_or_says_why_not() {
    let rows = rows();
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, COMMANDS.map(|(name, _)| name), "the table and this test have the same rows");
    let folder = scratch("one-run");
    fs::write(folder.join("program.cu"), PROGRAM).expect("written");
    fs::write(folder.join("native.cu"), NATIVE).expect("written");
    let made = in_folder(&folder, &["init", "program.cu", "--out", "launch.ron"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    let kinds = ["vecadd --size 64", "launch.ron", "program.cu", "native.cu"];
    for ((name, cells), (_, arguments)) in rows.iter().zip(COMMANDS) {
        for (cell, kind) in cells.iter().zip(kinds) {
            let kind = if name == "init" || name == "check" || name == "disasm" {
                kind.trim_end_matches(" --size 64")
            } else {
                kind
            };
            let line = arguments.replace('@', kind);
            let words: Vec<&str> = line.split(' ').collect();
            let Run { code, stderr, stdout } = in_folder(&folder, &words);
            if cell == "yes" {
                assert_eq!(code, Some(0), "{line}: {stderr}\n{stdout}");
                assert!(!stderr.contains("error: "), "{line}: {stderr}");
            } else {
                assert_eq!(code, Some(2), "{line}: {stderr}\n{stdout}");
                assert!(stderr.contains(cell), "{line}: {cell}: {stderr}");
            }
        }
    }
}

/// The report of the only launch of a document, without what names the file.
fn launch(document: &str, number: usize) -> serde_json::Value {
    let document: serde_json::Value = serde_json::from_str(document).expect("JSON");
    let mut launch = document["runs"][number].clone();
    for field in ["kernel", "file", "files", "registers_from"] {
        if let Some(of) = launch["launch"].as_object_mut() {
            of.remove(field);
        }
    }
    launch
}

#[test]
fn a_launch_of_a_program_has_the_report_of_its_launch_file() {
    let folder = scratch("one-run-launch");
    fs::write(folder.join("program.cu"), PROGRAM).expect("written");
    let whole = in_folder(&folder, &["run", "program.cu", "--json", "-"]);
    assert_eq!((whole.code, whole.stderr.contains("right")), (Some(0), true), "{}", whole.stderr);
    for number in 1..=3 {
        let (file, index) = (format!("launch{number}.ron"), number.to_string());
        let made = in_folder(&folder, &["init", "program.cu", "--launch-index", &index, "--out", &file]);
        assert_eq!(made.code, Some(0), "{}", made.stderr);
        let one = in_folder(&folder, &["run", &file, "--chip", "fermi", "--json", "-"]);
        assert_eq!(one.code, Some(0), "{}", one.stderr);
        let (of_program, of_file) = (launch(&whole.stdout, number - 1), launch(&one.stdout, 0));
        assert_eq!(of_program["timing"], of_file["timing"], "launch {number}");
        assert_eq!(of_program["instructions"], of_file["instructions"], "launch {number}");
    }
}

#[test]
fn a_program_names_the_cause_of_the_launch_that_is_selected() {
    let folder = scratch("one-run-selected");
    fs::write(folder.join("program.cu"), PROGRAM).expect("written");
    let text = |options: &[&str]| {
        let run = in_folder(&folder, &[&["run", "program.cu"], options].concat());
        assert_eq!(run.stdout, "right\n", "{}", run.stderr);
        (run.code, run.stderr)
    };
    let (code, longest) = text(&[]);
    assert_eq!(code, Some(0));
    for row in ["limited by ", "occupancy ", "stalls ", "checks     coalescing", "lines ", "next "] {
        assert!(longest.lines().any(|line| line.starts_with(row)), "{row}: {longest}");
    }
    assert!(text(&["--kernel", "shift"]).1.contains("shown      launch 2 of `shift`"));
    let one = text(&["--kernel", "scale:2", "--details"]).1;
    assert!(one.contains("shown      launch 3 of `scale`"), "{one}");
    assert!(one.contains("\nLaunch 3 of ") && !one.contains("\nLaunch 1 of "), "{one}");
    assert!(text(&["--launch-index", "2"]).1.contains("shown      launch 2 of `shift`"));
    let (code, wrong) = text(&["--kernel", "none"]);
    assert!(code == Some(2) && wrong.contains("the number of launches of `none` is 0"), "{wrong}");
    assert!(wrong.contains("limited by "), "the report is not lost: {wrong}");
}

#[test]
fn programs_of_a_sweep_write_no_files() {
    let folder = scratch("one-run-files");
    let text = "#include <cstdio>
__global__ void k(int *p) { *p = 5; }
int main() { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
  FILE *f = fopen(\"out.txt\", \"w\"); fprintf(f, \"%d\", h); fclose(f); cudaFree(d);
  f = fopen(\"out.txt\", \"r\"); int back = 0; fscanf(f, \"%d\", &back); fclose(f); return back != 5; }
";
    fs::write(folder.join("p.cu"), text).expect("written");
    let run = in_folder(&folder, &["sweep", "p.cu", "--set", "sm.max_warps=8,16", "--metrics", "cycles"]);
    assert_eq!((run.code, run.stdout.matches("finished").count()), (Some(0), 2), "{}", run.stderr);
    assert!(!folder.join("out.txt").exists());
}

#[test]
fn arguments_of_a_program_follow_the_dashes() {
    let folder = scratch("one-run-arguments");
    let text = "#include <cstdlib>
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main(int c, char **v) { int *d; cudaMalloc(&d, 4096); k<<<1, atoi(v[1])>>>(d); cudaFree(d); return 0; }
";
    fs::write(folder.join("p.cu"), text).expect("written");
    let words = ["compare", "--", "run", "p.cu", "--", "32", "--", "run", "p.cu", "--", "64"];
    let run = in_folder(&folder, &words);
    assert!(run.code == Some(0) && run.stdout.contains("run p.cu -- 64"), "{}{}", run.stdout, run.stderr);
    let refused = warpsim_with(&["run", "vecadd", "--", "5"]);
    assert!(refused.code == Some(2) && refused.stderr.contains("takes no arguments"), "{}", refused.stderr);
}

#[test]
fn an_option_without_effect_is_refused_by_name() {
    let folder = scratch("one-run-options");
    fs::write(folder.join("program.cu"), PROGRAM).expect("written");
    fs::write(folder.join("kernel.cu"), "__global__ void k(int *p) { *p = 1; }\n").expect("written");
    let made = in_folder(&folder, &["init", "program.cu", "--out", "launch.ron"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for (line, option) in [
        ("run vecadd --record launches", "--record"),
        ("run vecadd --launch-index 1", "--launch-index"),
        ("run launch.ron --kernel scale", "--kernel"),
        ("run program.cu --size 5", "--size"),
        ("run program.cu --lines ptx", "--lines ptx"),
        ("run vecadd -- 5", "takes no arguments behind `--`"),
        ("run vecadd --launch 2", "does not accept --launch"),
        ("run none.ron", "error: cannot read none.ron"),
        ("trace program.cu --launch 2", "have the option --launch-index"),
        ("sweep program.cu --grid 1,2", "--grid"),
        ("sweep program.cu --block 32", "--block"),
        ("explore launch.ron --launch-index 1", "--launch-index"),
        ("init kernel.cu --launch-index 1", "--launch-index"),
        ("init kernel.cu --chip g80", "--chip"),
        ("init vecadd -- 5", "-- ARGUMENT"),
        ("init program.cu --entry scale", "--entry"),
    ] {
        let run = in_folder(&folder, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(2), "{line}: {}{}", run.stdout, run.stderr);
        assert!(run.stderr.contains(option), "{line}: {}", run.stderr);
    }
}

/// Options of the compilation of PTX reach the kernels of a program.
#[test]
fn a_program_takes_the_options_of_ptx() {
    let folder = scratch("one-run-ptx-options");
    let text = "__global__ void k(float *p) { p[threadIdx.x] = p[threadIdx.x] * 3 + p[threadIdx.x + 32]; }
int main() { float *d; cudaMalloc(&d, 512); cudaMemset(d, 0, 512); k<<<1, 32>>>(d); cudaFree(d); return 0; }
";
    fs::write(folder.join("p.cu"), text).expect("written");
    let launch = |options: &[&str]| {
        let run = in_folder(&folder, &[&["run", "p.cu", "--json", "-"], options].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let document: serde_json::Value = serde_json::from_str(&run.stdout).expect("JSON");
        document["runs"][0]["launch"].clone()
    };
    assert_eq!((&launch(&[])["fmad"], &launch(&["--fmad", "true"])["fmad"]), (&false.into(), &true.into()));
    assert_eq!(launch(&["--schedule", "true"])["schedule"], true);
    assert_eq!(launch(&["-O", "0"])["opt_level"], 0);
    assert_eq!(launch(&["--registers", "30"])["registers"], 30);
}

/// `--why` runs the program again: it reads the same input, so that its launches are the same.
#[test]
fn a_program_reads_its_input_again() {
    let folder = scratch("one-run-input");
    let text = "#include <cstdio>
__global__ void k(int *p, int n) { for (int i = 0; i < n; i++) p[threadIdx.x] += i; }
int main() { int n = 0; if (scanf(\"%d\", &n) != 1) return 1; int *d; cudaMalloc(&d, 4096);
  cudaMemset(d, 0, 4096); k<<<1, 256>>>(d, n); cudaFree(d); return 0; }
";
    fs::write(folder.join("p.cu"), text).expect("written");
    fs::write(folder.join("input"), "200").expect("written");
    let input = fs::File::open(folder.join("input")).expect("a file");
    let mut run = command(&["run", "p.cu", "--why", "--json", "why.json"]);
    let output = run.current_dir(&folder).stdin(input).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let document = fs::read_to_string(folder.join("why.json")).expect("written");
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let gains = document["why"]["gains"].as_array().expect("a list");
    let largest = gains.iter().filter_map(|gain| gain["twice"].as_f64()).fold(0.0, f64::max);
    // Without its input the program makes no launch, and nothing could be compared.
    assert!(!gains.is_empty() && largest > 1.0 && largest < 3.0, "{gains:?}");
}

#[test]
fn a_launch_at_its_limit_is_no_success() {
    let folder = scratch("one-run-limit");
    let text = "#include <cstdio>
__global__ void k(int *p, int n) { for (int i = 0; i < n; i++) p[threadIdx.x] += i; }
int main() { int *d; cudaMalloc(&d, 4096); cudaMemset(d, 0, 4096); k<<<1, 256>>>(d, 20000);
  cudaThreadSynchronize(); printf(\"done\\n\"); return 0; }
";
    fs::write(folder.join("p.cu"), text).expect("written");
    let run = in_folder(&folder, &["run", "p.cu", "--max-cycles", "2000"]);
    assert_eq!((run.code, run.stdout.as_str()), (Some(4), "done\n"), "{}", run.stderr);
    assert!(run.stderr.contains("a launch of `k` did not end, so results are missing"), "{}", run.stderr);
    // A trace stops the launch itself.
    let run = in_folder(&folder, &["trace", "p.cu", "--cycles", "500..700"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
}

#[test]
fn every_command_runs_a_program_on_the_same_chip() {
    let folder = scratch("one-run-chip");
    // Only a chip of compute capability 2.0 has it.
    let text = "__global__ void k(float *p) { atomicAdd(p, 1.0f); }
int main() { float *d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); k<<<1, 32>>>(d); cudaFree(d); return 0; }
";
    fs::write(folder.join("p.cu"), text).expect("written");
    for line in [
        "run p.cu",
        "sweep p.cu --metrics cycles",
        "compare -- run p.cu -- run p.cu",
        "trace p.cu",
        "picture stalls p.cu --svg p.svg",
        "mutate p.cu --limit 1",
        "explore p.cu --schedules 5",
        "init p.cu",
        "debug p.cu --batch --ex continue",
    ] {
        let run = in_folder(&folder, &line.split(' ').collect::<Vec<_>>());
        assert_eq!(run.code, Some(0), "{line}: {}{}", run.stdout, run.stderr);
    }
}

/// A launch that the chip refuses leaves no work to measure, although a program that does not read
/// the error ends with exit code 0.
#[test]
fn a_refused_launch_is_no_row_of_a_sweep() {
    let folder = scratch("one-run-refused");
    let row = |threads: u32| {
        let file = folder.join("refused.cu");
        let program = format!(
            "__global__ void fill(int *x) {{ x[threadIdx.x] = 1; }}
             int main() {{ int *x; cudaMalloc(&x, 1 << 14); fill<<<1, {threads}>>>(x); cudaFree(x); return 0; }}"
        );
        fs::write(&file, program).expect("the folder is writable");
        let file = file.to_str().expect("UTF-8");
        warpsim_with(&["sweep", file, "--set", "sm.max_blocks=8", "--metrics", "cycles"])
    };
    let Run { code, stdout, stderr } = row(2048);
    assert!(stdout.contains("8,refused,\"a launch of fill in"), "{stdout}{stderr}");
    assert!(
        stdout.ends_with("cudaErrorInvalidConfiguration, which the program never reads\",\n"),
        "{stdout}"
    );
    assert_eq!(code, Some(3), "{stderr}");
    let Run { code, stdout, stderr } = row(1024);
    assert!(stdout.contains("8,finished,,") && code == Some(0), "{stdout}{stderr}");
}

/// A program whose recorded launch has arguments with fractions, and whose texture reads have four
/// results.
const FETCH: &str = "#include <cstdio>
texture<float4, 1, cudaReadModeElementType> t;
__global__ void fetch(float *out, float f, double d)
{
    float4 v = tex1Dfetch(t, threadIdx.x);
    out[threadIdx.x] = (v.x + v.y + v.z + v.w) * f + (float)d;
}
__global__ void scale(float *out, float f, double d) { out[threadIdx.x] *= f + (float)d; }
int main()
{
    float host[128], *in, *out;
    for (int i = 0; i < 128; i++) host[i] = i;
    cudaMalloc(&in, sizeof(host));
    cudaMalloc(&out, 128);
    cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
    cudaBindTexture(0, t, in, sizeof(host));
    fetch<<<1, 32>>>(out, 2.0f, 0.5);
    scale<<<1, 32>>>(out, 0.5f, 1.5);
    cudaMemcpy(host, out, 128, cudaMemcpyDeviceToHost);
    printf(\"%g %g\\n\", host[0], host[1]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
";

#[test]
fn fractions_are_recorded_and_all_results_of_a_texture_are_defined() {
    let folder = scratch("one-run-fetch");
    fs::write(folder.join("fetch.cu"), FETCH).expect("written");
    let checked = in_folder(&folder, &["run", "fetch.cu", "--check", "all"]);
    assert_eq!((checked.code, checked.stdout.as_str()), (Some(0), "25 89\n"), "{}", checked.stderr);
    let recorded = in_folder(&folder, &["run", "fetch.cu", "--record", "launches"]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.stderr);
    let again = in_folder(&folder, &["run", "launches/00002-scale/launch.ron"]);
    assert!(
        again.code == Some(0) && again.stdout.starts_with("PASSED: "),
        "{}{}",
        again.stdout,
        again.stderr
    );
    let compared = ["compare", "--", "run", "fetch.cu", "--kernel", "scale", "--", "run", "fetch.cu"];
    let refused = in_folder(&folder, &compared);
    assert!(
        refused.code == Some(2) && refused.stderr.contains("--kernel is not possible here"),
        "{}",
        refused.stderr
    );
}
