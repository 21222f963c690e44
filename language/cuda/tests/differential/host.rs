//! Runs the programs on the host, compiled by its C compiler.

use super::generate::{BLOCKS, INPUTS, RESULTS, THREADS};
use std::fmt::Write as _;
use std::process::Command;

const HEAD: &str = r"
#include <stdio.h>
#define min smaller
#define max larger
#define threadIdx thread
#define blockIdx block
#define blockDim blocks
#define __global__
#define __device__
#define __shared__ static
#define __noinline__
#define __forceinline__
#define __syncthreads()
static inline int min(int a, int b) { return a < b ? a : b; }
static inline int max(int a, int b) { return a > b ? a : b; }
struct dim { unsigned x, y, z; };
static struct dim threadIdx, blockIdx, blockDim;
";

/// A program in C whose functions are the kernels; it prints their results.
pub fn text(programs: &[(String, String)], input: &[i32]) -> String {
    let mut text = HEAD.to_owned();
    let words: Vec<String> = input.iter().map(ToString::to_string).collect();
    let _ = writeln!(text, "static const int input[] = {{{}}};", words.join(","));
    for (_, program) in programs {
        // The pragma of CUDA is not known to compilers of the host.
        let lines = program.lines().filter(|line| !line.trim_start().starts_with("#pragma"));
        text.extend(lines.flat_map(|line| [line, "\n"]));
    }
    let count = BLOCKS * THREADS * RESULTS;
    assert_eq!(input.len(), BLOCKS * THREADS * INPUTS);
    let _ = writeln!(text, "static int output[{count}];\nint main(void) {{ blockDim.x = {THREADS};");
    for (name, _) in programs {
        let _ = writeln!(
            text,
            "for (blockIdx.x = 0; blockIdx.x < {BLOCKS}; blockIdx.x++) \
             for (threadIdx.x = 0; threadIdx.x < {THREADS}; threadIdx.x++) {name}(input, output);\n\
             for (int i = 0; i < {count}; i++) printf(\"%d\\n\", output[i]);"
        );
    }
    text.push_str("return 0; }\n");
    text.replace("extern \"C\" ", "")
}

/// Results of all kernels, or `None` if there is no compiler on the host.
pub fn run(programs: &[(String, String)], input: &[i32]) -> Option<Vec<Vec<i32>>> {
    let folder = tempfile::tempdir().ok()?;
    let (source, binary) = (folder.path().join("host.c"), folder.path().join("host"));
    std::fs::write(&source, text(programs, input)).ok()?;
    let status = Command::new("cc")
        .args(["-std=gnu11", "-O1", "-w", "-fwrapv", "-ffp-contract=off", "-o"])
        .arg(&binary)
        .arg(&source)
        .status()
        .ok()?;
    assert!(status.success(), "the host's compiler rejects {}", source.display());
    let output = Command::new(&binary).output().expect("the program runs");
    assert!(output.status.success(), "the program fails on the host");
    let values: Vec<i32> =
        String::from_utf8_lossy(&output.stdout).lines().map(|line| line.parse().expect("a number")).collect();
    Some(values.chunks(BLOCKS * THREADS * RESULTS).map(<[i32]>::to_vec).collect())
}
