//! Programs in CUDA C with their host code: `warpsim run FILE.cu` and `warpsim exec`.

use crate::common::{Run, scratch, warpsim_with};
use test_support::tools::Tool;

/// Three launches with a barrier that nothing needs, and one that every chip refuses. Ends with the
/// exit code of its argument.
const SOURCE: &str = r#"#include <cstdio>
#include <cstdlib>

__global__ void scale(float *data, float by) {
    __syncthreads();
    data[threadIdx.x] *= by;
}

int main(int, char **arguments) {
    float *data;
    cudaMalloc(&data, 256);
    cudaMemset(data, 0, 256);
    for (int i = 0; i < 3; i++)
        scale<<<1, 64>>>(data, 2);
    scale<<<1, 4096>>>(data, 2);
    cudaFree(data);
    std::printf("done\n");
    return std::atoi(arguments[1]);
}
"#;

/// Returns a section of a page, to the end of its table.
fn section<'a>(page: &'a str, id: &str) -> &'a str {
    let begin = format!("<section id=\"{id}\"");
    let (_, rest) = page.split_once(&begin).unwrap_or_else(|| panic!("no section {id}"));
    rest.split_once("</table>").expect("it has a table").0
}

#[test]
fn a_source_is_compiled_and_its_page_has_findings_and_unread_errors() {
    if Tool::Clang.is_missing("a_source_is_compiled_and_its_page_has_findings_and_unread_errors") {
        return;
    }
    let folder = scratch("program-run");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (source, page) = (text("scale.cu"), text("page.html"));
    std::fs::write(&source, SOURCE).expect("written");
    let Run { code, stdout, stderr } =
        warpsim_with(&["run", &source, "--check", "all", "--html", &page, "--", "7"]);
    assert_eq!((code, stdout.as_str()), (Some(7), "done\n"), "{stderr}");
    assert_eq!(stderr.matches("warning[unneeded_barrier]").count(), 1, "{stderr}");
    let page = std::fs::read_to_string(page).expect("the page is written");
    assert!(page.contains("0 back; 1 call failed; 1 finding of the checkers"), "{page}");
    let unread = section(&page, "unchecked");
    let findings = section(&page, "findings");
    for (table, parts) in [
        (unread, ["scale", "cudaErrorInvalidConfiguration", ">1</td>"]),
        (findings, ["unneeded_barrier", "scale.cu:5", ">3</td>"]),
    ] {
        assert!(parts.iter().all(|part| table.contains(part)), "{parts:?} in\n{table}");
    }
}

/// A copy of elements without a thread, and a read of page-locked memory before its copy has ended.
const EARLY: &str = r#"#include <cstdio>

__global__ void square(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i * i;
}

int main() {
    const int n = 150;
    float *d_out, *early, late[n];
    cudaMalloc(&d_out, sizeof late);
    cudaMallocHost(&early, sizeof late);
    square<<<n / 64, 64>>>(d_out, n);
    cudaMemcpyAsync(early, d_out, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    float sum = early[3];
    cudaMemcpy(late, d_out, sizeof late, cudaMemcpyDeviceToHost);
    printf("%g\n", sum + late[4]);
    cudaFree(d_out);
    cudaFreeHost(early);
}
"#;

#[test]
fn mistakes_of_host_code_are_findings_of_the_text_the_document_and_the_page() {
    let folder = scratch("program-host");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (source, page, json) = (text("square.cu"), text("page.html"), text("run.json"));
    std::fs::write(&source, EARLY).expect("written");
    let run = |options: &[&str]| {
        warpsim_with(&[&["run", &source, "--chip", "fermi", "--compiler", "embedded"], options].concat())
    };
    let Run { code, stdout, stderr } = run(&["--check", "all", "--html", &page, "--json", &json]);
    assert_eq!((code, stdout.as_str()), (Some(1), "25\n"), "{stderr}");
    let messages = [
        "the host reads `early[3]` before a copy that writes it has ended",
        "a copy to the host reads 22 of 150 elements of `d_out` that nothing has written",
    ];
    for part in
        ["error[host_read]: ", "error[unwritten_copy]: ", "`d_out[128] ... d_out[149]` were never written"]
    {
        assert!(stderr.contains(part), "`{part}` is missing in\n{stderr}");
    }
    assert!(messages.iter().all(|message| stderr.contains(message)), "{stderr}");
    assert!(stderr.contains("--check memory,race,init,sync: 1 launch, 2 errors"), "{stderr}");
    let document = std::fs::read_to_string(json).expect("the document is written");
    let document: serde_json::Value = serde_json::from_str(&document).expect("JSON");
    let findings = document["program"]["findings"].as_array().expect("a list");
    for (finding, message) in findings.iter().zip(messages) {
        assert_eq!((&finding["message"], &finding["kernel"]), (&message.into(), &"host program".into()));
    }
    let of = |name: &str| findings.iter().map(|finding| finding[name].clone()).collect::<Vec<_>>();
    assert_eq!(of("kind"), ["host_read", "unwritten_copy"]);
    assert_eq!(of("place"), ["square.cu:15", "square.cu:16"]);
    assert_eq!(of("buffer"), ["early", "d_out"]);
    let page = std::fs::read_to_string(page).expect("the page is written");
    let table = section(&page, "findings");
    for part in ["unwritten_copy", "square.cu:16", "22 of 150 elements of", "host_read"] {
        assert!(table.contains(part), "`{part}` is missing in\n{table}");
    }
    let unchecked = run(&[]);
    assert_eq!(unchecked.code, Some(0), "{}", unchecked.stderr);
    assert!(!unchecked.stderr.contains("error["), "{}", unchecked.stderr);
}

/// A grid that rounds down, and memory that is not freed.
const ROUNDED: &str = r#"#include <cstdio>
#include <cstdlib>

__global__ void twice(const float *from, float *to, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        to[i] = 2 * from[i];
}

int main() {
    int n = 10000;
    float *from, *to, *host = (float *)calloc(n, sizeof(float));
    cudaMalloc(&from, n * sizeof(float));
    cudaMalloc(&to, n * sizeof(float));
    cudaMemcpy(from, host, n * sizeof(float), cudaMemcpyHostToDevice);
    for (int i = 0; i < REPEATS; i++)
        twice<<<n / 256, 256>>>(from, to, n);
    cudaMemcpy(host, to, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaFree(from);
    printf("%g\n", 100 * 1.0f * 1e-2);
}
"#;

#[test]
fn a_program_is_followed_by_its_report() {
    let folder = scratch("program-report");
    let path = folder.join("twice.cu");
    let file = path.to_str().expect("UTF-8");
    let report = |repeats: &str| {
        std::fs::write(&path, ROUNDED.replace("REPEATS", repeats)).expect("written");
        let run = warpsim_with(&["run", file, "--compiler", "embedded"]);
        assert_eq!((run.code, run.stdout.as_str()), (Some(0), "1\n"), "{}", run.stderr);
        // The message about the copy has an address.
        let (message, report) = run.stderr.split_once("program ").expect("a report");
        assert!(message.contains("is not device memory: it is a pointer to host memory"), "{message}");
        report.replace(file, "twice.cu")
    };
    insta::assert_snapshot!(report("1"));
    insta::assert_snapshot!("the_launches_of_a_kernel_are_joined", report("12"));
}

#[test]
fn exec_runs_a_program_on_the_chip_of_its_options() {
    if Tool::Clang.is_missing("exec_runs_a_program_on_the_chip_of_its_options") {
        return;
    }
    let folder = scratch("program-exec");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (source, program, report) = (text("scale.cu"), text("scale"), text("run.json"));
    std::fs::write(&source, SOURCE).expect("written");
    warpcc::driver::run(vec![source, "-o".to_owned(), program.clone()]).expect("it compiles");
    let options = ["exec", "--chip", "gt200", "--launches", "2..2", "--report", &report, "--", &program, "0"];
    let Run { code, stdout, stderr } = warpsim_with(&options);
    assert_eq!((code, stdout.as_str()), (Some(0), "done\n"), "{stderr}");
    let record = std::fs::read_to_string(report).expect("the record is written");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    let record = &record["program"];
    assert_eq!(record["chip"], "gt200");
    let timed = |launch: &serde_json::Value| launch["timed"].as_bool().expect("a truth value");
    let timed: Vec<bool> = record["launches"].as_array().expect("a list").iter().map(timed).collect();
    assert_eq!(timed, [false, true, false], "the refused launch is none");
}

/// Launches with 64 and with 128 threads, in turn.
const REPEATED: &str = r"
__global__ void scale(float *data, float by) {
    data[threadIdx.x] *= by;
}

int main() {
    float *data;
    cudaMalloc(&data, 512);
    cudaMemset(data, 0, 512);
    for (int i = 0; i < 40; i++)
        scale<<<1, i % 2 ? 64 : 128>>>(data, 2);
    cudaFree(data);
}
";

#[test]
fn repeated_launches_are_estimated_and_marked() {
    if Tool::Clang.is_missing("repeated_launches_are_estimated_and_marked") {
        return;
    }
    let folder = scratch("program-repeated");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (source, page, json) = (text("scale.cu"), text("page.html"), text("run.json"));
    std::fs::write(&source, REPEATED).expect("written");
    let options = ["run", &source, "--sample-launches", "2"];
    let Run { code, stderr, .. } = warpsim_with(&[&options[..], &["--html", &page]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    for part in [
        "estimated  scale: 40 launches, 16 timed; the others took ",
        " \u{b5}s \u{b1} 0.00 %",
        "program    40 launches (16 timed, 24 estimated) and 0 copies in ",
    ] {
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
    let page = std::fs::read_to_string(page).expect("the page is written");
    let series = section(&page, "estimates");
    for part in ["scale", ">64</td>", ">128</td>", ">20</td>", ">8</td>", "0.00 %"] {
        assert!(series.contains(part), "{part} in\n{series}");
    }
    assert_eq!(section(&page, "launches").matches("estimated").count(), 24);
    warpsim_with(&[&options[..], &["--json", &json]].concat());
    let record = std::fs::read_to_string(json).expect("the record is written");
    let record: serde_json::Value = serde_json::from_str(&record).expect("JSON");
    let record = &record["program"];
    let launches = record["launches"].as_array().expect("a list");
    let estimated = launches.iter().filter(|launch| launch["estimated"] == true);
    assert!(estimated.clone().all(|launch| launch["timed"] == false && launch["cycles"].as_u64() > Some(0)));
    assert_eq!((estimated.count(), record["series"].as_array().map(Vec::len)), (24, Some(2)));
}

/// A long kernel between two short ones.
const LONG: &str = r#"
#include <cstdio>

__global__ void scale(float *x, float by) { x[threadIdx.x] *= by; }

__global__ void count(int *sum, int rounds) {
    int own = 0;
    for (int i = 0; i < rounds; i++)
        own += i % 7 == 3;
    if (threadIdx.x == 0)
        sum[blockIdx.x] = own;
}

int main() {
    float *data;
    int *sum, first;
    cudaMalloc(&data, 512);
    cudaMemset(data, 0, 512);
    cudaMalloc(&sum, 4 * 64);
    scale<<<1, 128>>>(data, 2);
    count<<<64, 256>>>(sum, 500);
    scale<<<1, 128>>>(data, 2);
    cudaMemcpy(&first, sum, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", first);
    cudaFree(data);
    cudaFree(sum);
}
"#;

/// The limit of the work of timed launches: the results are the same, and the report says what has
/// no time.
#[test]
fn launches_beyond_the_limit_of_work_are_not_timed() {
    let folder = scratch("program-limited");
    let text = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (source, json) = (text("long.cu"), text("run.json"));
    std::fs::write(&source, LONG).expect("written");
    let run = |options: &[&str]| {
        let Run { code, stdout, stderr } =
            warpsim_with(&[&["run", &source, "--compiler", "embedded"], options].concat());
        assert_eq!((code, stdout.lines().next()), (Some(0), Some("71")), "{stderr}");
        stdout + &stderr
    };
    let all = run(&["--timed-work", "all"]);
    assert_eq!(all, run(&[]), "the program does less work than the usual limit");
    assert!(!all.contains("not timed"), "{all}");
    let limited = run(&["--timed-work", "1", "--json", &json]);
    for part in [
        "program    3 launches (1 timed, 1 estimated, 1 not timed) and 1 copy in ",
        "limit      not timed from launch 2 on: the work of timed launches is limited to\n           1 million (--timed-work N, or all)",
        "instructions, not timed",
    ] {
        assert!(limited.contains(part), "{part}: {limited}");
    }
    let record: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("written")).expect("JSON");
    assert_eq!(record["program"]["timed_work"], 1_000_000);
    let threads = run(&["--timed-work", "1", "--threads", "2"]);
    assert_eq!(threads, run(&["--timed-work", "1"]));
    for option in ["--functional", "--sample", "--check=race", "--sample-launches=2", "--warmup=1"] {
        let Run { code, stderr, .. } = warpsim_with(&["run", &source, "--timed-work", "1", option]);
        assert!(code == Some(2) && stderr.contains("cannot be used with"), "{option}: {stderr}");
    }
    let Run { code, stderr, .. } = warpsim_with(&["run", "vecadd", "--timed-work", "1"]);
    assert!(code == Some(2) && stderr.contains("is for a program with host code"), "{stderr}");
    for number in ["0", "x", "-1", "1000001"] {
        let Run { code, stderr, .. } = warpsim_with(&["run", &source, &format!("--timed-work={number}")]);
        assert!(code == Some(2) && stderr.contains("expected a whole number of millions"), "{stderr}");
    }
}

#[test]
fn the_limit_of_work_applies_to_programs_for_opencl() {
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/opencl/vadd_host.c");
    let run = |limit: &str| {
        let words = ["run", source, "--timed-work", limit, "--", "4000000"];
        let Run { code, stdout, stderr } = warpsim_with(&words);
        assert!(code == Some(0) && stdout.contains(": PASSED"), "{stdout}{stderr}");
        stdout + &stderr
    };
    let limited = run("1");
    for part in ["warp instructions, not timed", "not timed from launch 1 on", "--timed-work all: times"] {
        let text = limited.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(text.contains(part), "{part}: {limited}");
    }
    assert!(!run("60").contains("not timed"));
}

#[test]
fn sampled_launches_need_a_program_that_times_all_of_them() {
    for (words, part) in [
        (&["exec", "--sample-launches", "0", "--", "true"][..], "expected a whole number from 1 to 1000000"),
        (&["exec", "--sample-launches", "4", "--functional", "--", "true"], "cannot be used with"),
        (&["exec", "--sample-launches", "4", "--sample", "--", "true"], "cannot be used with"),
        (&["exec", "--sample-launches", "4", "--launches", "1..2", "--", "true"], "cannot be used with"),
        (&["exec", "--sample-launches", "4", "--check", "race", "--", "true"], "cannot be used with"),
        (&["run", "matmul-tiled", "--sample-launches", "4"], "is for a CUDA C program"),
    ] {
        let Run { code, stderr, .. } = warpsim_with(words);
        assert_eq!(code, Some(2), "{words:?}: {stderr}");
        assert!(stderr.contains(part), "{part}: {stderr}");
    }
}
