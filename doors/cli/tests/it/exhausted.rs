//! Tests of programs that need more memory than the system or the chip has.

use crate::common::{command, scratch};
use std::fs;
use std::path::Path;
use std::process::Command;

/// Runs `warpsim` with at most this many KiB of addresses; returns exit code and output.
fn limited(folder: &Path, limit: u32, arguments: &[&str]) -> (Option<i32>, String) {
    let program = command(&[]).get_program().to_owned();
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v $1; shift; exec \"$@\"", "sh", &limit.to_string()]);
    let run = shell.arg(program).args(arguments).current_dir(folder).output().expect("sh exists");
    let out = String::from_utf8_lossy(&run.stdout).into_owned();
    (run.status.code(), out + &String::from_utf8_lossy(&run.stderr))
}

#[cfg(target_os = "linux")]
#[test]
fn a_failed_allocation_has_an_exit_code() {
    let folder = scratch("exhausted");
    let device = "#include <stdio.h>\nint main() { for (int i = 0; i < 20; i++) { char *p; \
                  if (cudaMalloc(&p, 64 << 20)) return 1; cudaMemset(p, 1, 64 << 20); } return 0; }\n";
    fs::write(folder.join("device.cu"), device).expect("written");
    let host = "#include <stdlib.h>\nint main() { for (;;) { char *p = (char *)malloc(64 << 20); \
                if (!p) return 7; p[5] = 1; } }\n";
    fs::write(folder.join("host.cu"), host).expect("written");
    for limit in [300_000, 500_000, 800_000] {
        let (code, text) = limited(&folder, limit, &["run", "device.cu", "--compiler", "embedded"]);
        assert_eq!(code, Some(4), "{limit}: {text}");
        assert!(text.contains("memory allocation of"), "{limit}: {text}");
        let (code, text) = limited(&folder, limit, &["run", "host.cu", "--compiler", "embedded"]);
        assert_eq!(code, Some(7), "{limit}: {text}");
    }
    let (code, text) = limited(&folder, 8_000_000, &["run", "device.cu", "--compiler", "embedded"]);
    assert_eq!(code, Some(0), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_variable_that_is_larger_than_the_memory_of_the_chip_is_named() {
    let folder = scratch("exhausted-variables");
    let ptx = ".version 2.3\n.target sm_20\n.address_size 64\n.global .align 4 .b8 huge[3000000000];\n\
               .entry k () { .reg .u64 %a; mov.u64 %a, huge; st.global.u32 [%a], 1; exit; }\n";
    fs::write(folder.join("huge.ptx"), ptx).expect("written");
    let kernel = "__device__ int small;\n\n__device__ float huge[750000000];\n\
                  __global__ void k() { huge[threadIdx.x] = small; }\n";
    fs::write(folder.join("huge.cu"), kernel).expect("written");
    fs::write(folder.join("main.cu"), format!("{kernel}int main() {{ k<<<1, 1>>>(); return 0; }}\n"))
        .expect("written");
    let grid = ["--grid", "1", "--block", "32"];
    for (file, code, place) in [
        ("huge.ptx", 3, "variable `huge` (line 4): cannot allocate 3000000000 bytes"),
        ("huge.cu", 2, "huge.cu:3:"),
        ("main.cu", 3, "declared at main.cu:3:"),
    ] {
        let more = if file == "main.cu" { &["--compiler", "embedded"][..] } else { &grid };
        let (found, text) = limited(&folder, 600_000, &[&["run", file][..], more].concat());
        assert_eq!(found, Some(code), "{file}: {text}");
        assert!(text.contains(place) && text.contains("`huge`"), "{file}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_submission_that_ends_its_process_does_not_end_the_batch() {
    let folder = scratch("exhausted-grades");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../course/exercises/vector-add");
    let right = fs::read_to_string(root.join("solution.cu")).expect("a solution");
    let structures: Vec<String> =
        (0..28).map(|at| format!("struct S{} {{ S{at} a, b; }};\n", at + 1)).collect();
    let structures = structures.concat();
    let bomb = format!("struct S0 {{ int a; S0() {{ a = 1; }} }};\n{structures}S28 bomb;\n{right}");
    for (student, text) in [("ada", &right), ("bob", &bomb), ("eve", &right)] {
        let own = folder.join("class").join(student);
        fs::create_dir_all(&own).expect("a folder");
        fs::write(own.join("vector-add.cu"), text).expect("written");
    }
    // Of this much the bomb needs more, and the others less.
    let words = ["lab", "grade", "class", "--rubric", "vector-add", "--jobs", "1"];
    let (code, text) = limited(&folder, 300_000, &words);
    assert_eq!(code, Some(0), "{text}");
    let points: Vec<&str> = text.lines().filter(|line| line.contains(" of ")).collect();
    assert!(points[0].starts_with("ada   10 of  10"), "{text}");
    assert!(points[1].starts_with("bob    0 of  10  the grader failed with this program"), "{text}");
    assert!(points[2].starts_with("eve   10 of  10"), "{text}");
}
