//! PTX for Fermi on chips of compute capability 1.x.

use crate::common::{Run, scratch, warpsim_with};

fn run(entry: &str, chip: &str) -> Run {
    let folder = scratch(&format!("retarget-{entry}-{chip}"));
    let launch = folder.join("launch.ron");
    let weights: Vec<String> = (1..=8).map(|i| format!("{i}, 0, 0, 0")).collect();
    let text = format!(
        "(entry: \"{entry}\", grid: 2, block: 64, params: [buf(\"y\"), buf(\"x\"), bytes([{}])], \
         buffers: {{\"y\": (type: s32, len: 128, init: zero), \"x\": (type: s32, len: 128, init: iota(5, 3))}}, \
         expect: [(buf: \"y\", formula: \"(i % 8 + 1) * x[i] + i % 4 + 1\")])",
        weights.join(", ")
    );
    std::fs::write(&launch, text).expect("written");
    warpsim_with(&["run", "clang/spaces.ptx", "--launch", launch.to_str().expect("UTF-8"), "--chip", chip])
}

/// Tests: `retargeted-results`.
#[test]
fn a_kernel_of_clang_computes_the_same_on_every_chip() {
    for chip in ["fermi", "gt200", "g80"] {
        let Run { code, stdout, stderr } = run("spaces", chip);
        assert_eq!(code, Some(0), "{chip}: {stderr}{stdout}");
    }
}
