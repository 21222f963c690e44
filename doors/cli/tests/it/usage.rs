//! Tests of impossible command lines: exit code 2 and a helpful message.

use crate::common::{Run, warpsim, warpsim_with};

fn refused(line: &str) -> String {
    let Run { code, stdout, stderr } = warpsim(line);
    assert_eq!(code, Some(2), "{line}: {stderr}");
    assert_eq!(stdout, "", "{line}");
    stderr
}

/// Tests: `occupancy-only-chips`.
#[test]
fn a_chip_with_occupancy_rules_only_runs_nothing() {
    for line in [
        "run vecadd --chip kepler",
        "run vecadd --chip kepler --functional",
        "trace vecadd --chip kepler --warp 0",
    ] {
        let Run { code, stderr, .. } = warpsim(line);
        assert_eq!(code, Some(2), "{line}: {stderr}");
        assert!(
            stderr.contains("chip `kepler` (")
                && stderr.contains("cannot run kernels")
                && stderr.contains("occupancy --chip kepler"),
            "{stderr}"
        );
    }
    let run = warpsim("occupancy --chip kepler --block 256 --regs 32");
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("2,048 of 2,048"), "{}", run.stdout);
    let swept = warpsim("sweep vecadd --size 64 --chip g80,kepler");
    assert_eq!(swept.code, Some(2), "{}", swept.stderr);
    assert!(
        swept.stdout.contains("kepler,bad_chip,") || swept.stdout.contains("bad_chip"),
        "{}",
        swept.stdout
    );
}

#[test]
fn usage_errors_end_with_code_2() {
    for line in ["", "run", "jump", "run vecadd --size many", "run vecadd --threads 0", "run vecadd --bogus"]
    {
        assert!(refused(line).contains("--help"), "{line}");
    }
    for line in ["--help", "run --help", "--version"] {
        assert_eq!(warpsim(line).code, Some(0), "{line}");
    }
}

#[test]
fn an_unknown_kernel_suggests_the_nearest() {
    let text = refused("run matmul-tilde");
    assert!(text.contains("unknown kernel `matmul-tilde`\nhelp: did you mean `matmul-tiled`?"), "{text}");
    assert!(refused("run coulom").contains("unknown kernel `coulom`\nhelp: did you mean `coulomb`?"));
    let text = refused("run coulomb");
    assert!(
        text.contains("is a family of kernels\nhelp: choose one of: coulomb-v1, coulomb-v2, coulomb-v3"),
        "{text}"
    );
    assert!(refused("run nonsense").contains("`warpsim list` lists the built-in kernels"));
    assert!(refused("run missing.ptx --launch symbols.ron").contains("cannot read missing.ptx"));
}

#[test]
fn options_of_the_other_kind_are_refused() {
    assert!(refused("run vecadd --launch symbols.ron").contains("does not accept --launch"));
    assert!(refused("run symbols.ptx --launch symbols.ron --size 3").contains("does not accept --size"));
    let text = refused("run symbols.ptx");
    assert!(
        text.contains("requires a launch file") && text.contains("kernel `scale_shift` (.u32 x, .u32 y)"),
        "{text}"
    );
}

/// CUDA C in a file without its extension is recognized by its words, and a PTX file that mentions
/// CUDA is not taken for it.
#[test]
fn the_error_for_cuda_c_explains_how_to_make_ptx() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = "// .version 1.4\n__global__ void add(float *a) { a[threadIdx.x] += 1; }\n";
    for name in ["add.ptx", "add.txt"] {
        let path = folder.path().join(name);
        std::fs::write(&path, source).expect("written");
        for command in ["run", "check", "disasm", "occupancy"] {
            let run = warpsim_with(&[command, path.to_str().expect("UTF-8")]);
            let text = run.stdout + &run.stderr;
            assert_eq!(run.code, Some(2), "{command} {name}: {text}");
            assert!(text.contains("add.") && text.contains("is CUDA C, not PTX"), "{command} {name}: {text}");
            assert!(text.contains("nvcc -ptx -arch=sm_20") && text.contains("docs/FROM-CUDA.md"), "{text}");
            assert_eq!(text.matches("error").count(), 1, "{command} {name}: {text}");
        }
    }
    let path = folder.path().join("fine.ptx");
    std::fs::write(
        &path,
        "// made from __global__ void k()\n.version 1.4\n.target sm_10\n.entry k { exit; }\n",
    )
    .expect("written");
    assert_eq!(warpsim_with(&["check", path.to_str().expect("UTF-8")]).code, Some(0));
}

#[test]
fn impossible_sizes_have_a_reason() {
    let text = refused("run matmul-tiled --size 100");
    assert!(text.contains("must be a multiple of 16; the nearest are 96 or 112"), "{text}");
    assert!(refused("run vecadd --size 0").contains("at least 1"));
    let text = refused("run vecadd --size 100000000");
    assert!(text.contains("a grid has at most 65535 in x: the largest size is 16776960"), "{text}");
    assert!(refused("run matmul-naive --size 16000").contains("bytes of device memory"));
    assert!(refused("run reduce-halving --size 18446744073709551615").contains("blocks"));
    assert!(refused("run matmul-tiled --size 18446744073709551600").contains("at most"));
}

#[test]
fn an_unknown_set_path_suggests_the_nearest() {
    let text = refused("run vecadd --set sm.max_warp=8");
    assert!(text.contains("sm.max_warp=8") && text.contains("did you mean `sm.max_warps`?"), "{text}");
    assert!(refused("run vecadd --set sm.max_warps").contains("PATH=VALUE"));
    assert!(refused("run vecadd --set sm.max_warps=many").contains("error["));
}

#[test]
fn a_set_changes_the_chip() {
    let report = |set: &str| warpsim(&format!("run vecadd --size 4096 --details --set {set}")).stdout;
    assert!(report("sm.max_blocks=1").contains("resident blocks per SM         1 ("));
    assert_ne!(report("crossbar.latency=90"), report("crossbar.latency=40"));
}

#[test]
fn chips_are_loaded_by_name_or_from_files() {
    assert!(refused("run vecadd --chip g81").contains("built-in chips: g80"));
    assert!(refused("run vecadd --chip missing.ron").contains("cannot read missing.ron"));
    assert!(refused("run vecadd --chip symbols.ron").contains("error[E05"));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/g80.ron");
    let run = |chip| warpsim_with(&["run", "vecadd", "--size", "1000", "--chip", chip]).stdout;
    assert_eq!(run(file), run("g80"));
}

#[test]
fn help_is_a_command_too() {
    let help = |line: &str| {
        let Run { code, stdout, stderr } = warpsim(line);
        assert_eq!((code, &*stderr), (Some(0), ""), "{line}");
        stdout
    };
    assert_eq!(help("help"), help("--help"));
    assert_eq!(help("help run"), help("run --help"));
    assert_eq!(help("help config explain"), help("config explain --help"));
    assert!(refused("help runn").contains("run"), "the nearest command");
    let start = refused("");
    for command in ["warpsim run matmul-tiled", "warpsim list", "warpsim explain memory_dependency"] {
        assert!(start.contains(command), "{start}");
    }
}

#[test]
fn names_are_explained() {
    let run = warpsim("explain barrier");
    assert_eq!((run.code, &*run.stderr), (Some(0), ""));
    assert!(run.stdout.starts_with("stall_barrier\n"), "{}", run.stdout);
    assert_eq!(warpsim("explain eligible, not selected").stdout, warpsim("explain not_selected").stdout);
    let json = warpsim("explain E0101 --format json").stdout;
    assert!(json.contains("\"kind\": \"diagnostic\"") && json.contains("\"schema\": 1"), "{json}");
    assert!(warpsim("explain").stdout.contains("stall_memory_dependency"));
    assert!(refused("explain memory_dependancy").contains("did you mean `memory_dependency`?"));
}
