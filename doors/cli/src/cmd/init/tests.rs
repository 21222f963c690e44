//! Launch files of the project's kernels and of the recorded programs: they are accepted as they
//! are, and their buffers are those of the recorded launches.

use super::*;
use crate::exit::Code;
use crate::launch_file::Plan;
use isa::uop::Module;
use kernels::Settings;
use report::outcome::RunResult;
use report::skeleton::{pointers, text};
use request::Source;
use sim_core::config::Chip;
use sim_core::host::{Gpu, LaunchSettings, Mode, RunOptions};
use std::fs;
use std::path::PathBuf;
use test_support::record;
use test_support::workspace::{files, root};

/// Instructions of a warp after which the functional machine stops a launch.
const LIMIT: u64 = 20_000;

/// Files are compiled without a chip.
fn usual() -> Compilation {
    Compilation::usual(CompileArgs::default())
}

/// Writes a recorded file. Returns its path.
fn written(folder: &tempfile::TempDir, name: &str, text: &str) -> PathBuf {
    let path = folder.path().join(name.replace('/', "-"));
    fs::write(&path, text).expect("written");
    path
}

/// The module of a text, and the launch file of one of its kernels.
fn of(ptx: &Ptx, entry: &str) -> (Module, String) {
    let module = ptx.compile(&usual(), &mut |_| {}).expect("it compiles");
    let program = module.entry(entry).expect("the kernel").clone();
    let text = skeleton(
        (&[ptx.name()], &ptx.source.text),
        ptx.workload.map(|workload| workload.name),
        &module,
        &[&program],
        None,
    )
    .expect("it has a kernel");
    (module, text)
}

fn ptx(text: &'static str) -> Ptx {
    let source = Arc::new(isa::source::Source::new("k.ptx", text));
    Ptx { source, workload: None, warnings: String::new(), included: Vec::new() }
}

/// Runs a PTX file with a launch file on the functional machine of the least chip for it.
fn launched(file: &Path, launch: &Path, program: &Program) -> Result<RunResult, Failure> {
    let source = Source::Kernel { ptx: vec![file.to_owned()], launch: launch.to_owned() };
    let settings = Settings {
        size: None,
        launches: LaunchSettings {
            mode: Mode::Functional,
            registers: None,
            barriers: None,
            memory: None,
            cache: None,
            options: RunOptions { max_cycles: LIMIT, ..RunOptions::default() },
        },
    };
    let mut gpu = Gpu::new(Chip::builtin(text::chip(program)).expect("a built-in chip"));
    source.prepare(&usual(), &mut |_| {})?.run(&mut gpu, settings)
}

/// Every launch file is accepted; its launch finishes, or ends in a verdict.
#[test]
fn every_launch_file_is_accepted_as_it_is() {
    let mut files = files(&root().join("kernels/ptx"), &["ptx"]);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let recorded = record::ptx("ptx/clang").chain(record::ptx("fuzz/fuzz_cfg"));
    files.extend(recorded.map(|(name, text)| written(&folder, name, text)));
    let (mut launches, mut finished) = (0, 0);
    for file in files {
        let ptx = Ptx::read(&[&file], &usual()).expect("readable");
        let entries = ptx.compile(&usual(), &mut |_| {}).expect("it compiles").entries;
        for program in entries {
            let (module, text) = of(&ptx, &program.name);
            let launch = folder.path().join(format!("{launches}.ron"));
            Plan::read(&launch, &text, &module, 1 << 28).unwrap_or_else(|why| panic!("{why}\n{text}"));
            fs::write(&launch, &text).expect("written");
            launches += 1;
            match launched(&file, &launch, &program) {
                Ok(result) => {
                    finished += usize::from(result.reports.iter().all(|report| report.verdict.is_finished()));
                }
                Err(failure) => assert_eq!(failure.code, Code::Trap, "{}: {}", shown(&file), failure.message),
            }
        }
    }
    assert!(launches >= 200, "{launches} launches");
    // The others trap outside of a buffer: their guessed counts are larger than the placeholders. A
    // trap shows what to fill in, and a count that is too small would hide it.
    assert!(finished * 10 >= launches * 4, "{finished} of {launches} launches finish");
}

/// The guess agrees with the launches that were recorded: what is a buffer there is one here.
#[test]
fn buffers_are_those_of_the_recorded_launches() {
    let manifest = record::text("manifest.json").expect("a recorded file");
    let manifest: serde_json::Value = serde_json::from_str(manifest).expect("JSON");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cases = manifest["cases"].as_array().expect("a list");
    let mut wrong = Vec::new();
    for case in cases {
        let word = |key: &str| case[key].as_str().expect("a string").to_owned();
        let text = record::text(&word("ptx")).expect("a recorded file");
        let ptx = Ptx::read(&[&written(&folder, &word("ptx"), text)], &usual()).expect("readable");
        let module = ptx.compile(&usual(), &mut |_| {}).expect("it compiles");
        let found = pointers::of(module.entry(&word("entry")).expect("the kernel"));
        let recorded = case["params"].as_array().expect("a list");
        for (number, (param, found)) in recorded.iter().zip(&found).enumerate() {
            if (param["kind"] == "buf") != found.is_some() {
                wrong.push(format!("{}: parameter {number}: {found:?}, recorded {param}", word("id")));
            }
        }
    }
    assert!(cases.len() == 210 && wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_pointer_is_followed_through_branches_calls_and_guards() {
    let (_, text) = of(
        &ptx(".version 2.0\n.target sm_20\n\
            .func (.reg .u32 %out) pick (.reg .u32 %in, .reg .u32 %by) { add.u32 %out, %in, %by; ret; }\n\
            .entry k (.param .u32 p, .param .u32 q, .param .u32 width, .param .f32 scale)\n{\n\
            .reg .u32 %r<8>; .reg .f32 %f<3>; .reg .pred %c;\n\
            mov.u32 %r0, %tid.x; ld.param.u32 %r1, [p]; ld.param.u32 %r2, [q]; ld.param.u32 %r3, [width];\n\
            setp.gt.u32 %c, %r0, 16; @%c mov.u32 %r1, %r2;\n\
            mul.lo.u32 %r4, %r0, %r3; shl.b32 %r4, %r4, 2; call (%r5), pick, (%r1, %r4);\n\
            ld.global.f32 %f0, [%r5]; ld.param.f32 %f1, [scale]; mul.f32 %f0, %f0, %f1;\n\
            st.global.f32 [%r5], %f0; exit;\n}\n"),
        "k",
    );
    for line in [
        "buf(\"p\"),",
        "buf(\"q\"),",
        "u32(1),",
        "f32(1.0),",
        "\"q\": (type: f32, len: 1024, init: fill(1)),",
    ] {
        assert!(text.contains(line), "{line} in\n{text}");
    }
}

/// The guessed count lets every thread work: a kernel that leaves out an element fails its check.
#[test]
fn a_count_is_guessed_from_the_threads() {
    let kernel = |compare: &str| {
        let text = format!(
            ".version 1.4\n.target sm_10\n.entry k (.param .u32 out, .param .u32 n, .param .u32 scale)\n{{\n\
             .reg .u32 %r<8>; .reg .pred %p;\n\
             cvt.u32.u16 %r0, %tid.x; cvt.u32.u16 %r1, %ctaid.x; cvt.u32.u16 %r2, %ntid.x;\n\
             mad.lo.u32 %r0, %r1, %r2, %r0; ld.param.u32 %r3, [n]; sub.u32 %r3, %r3, 1;\n\
             setp.{compare}.u32 %p, %r0, %r3; @%p bra DONE;\n\
             ld.param.u32 %r4, [out]; ld.param.u32 %r5, [scale]; shl.b32 %r6, %r0, 2;\n\
             add.u32 %r4, %r4, %r6; mul.lo.u32 %r0, %r0, %r5; st.global.u32 [%r4], %r0;\nDONE: exit;\n}}\n"
        );
        ptx(text.leak())
    };
    for (compare, passes) in [("gt", true), ("ge", false)] {
        let ptx = kernel(compare);
        let (_, text) = of(&ptx, "k");
        assert!(text.contains("u32(1024),") && text.contains("u32(1),"), "{text}");
        let folder = tempfile::tempdir().expect("a temporary folder");
        let launch = folder.path().join("k.ron");
        let check = "expect: [(buf: \"out\", formula: \"i\")],";
        let commented = text.lines().find(|line| line.contains("expect:")).expect("a commented check");
        fs::write(&launch, text.replace(commented, check)).expect("written");
        let file = written(&folder, "k.ptx", &ptx.source.text);
        let program = ptx.compile(&usual(), &mut |_| {}).expect("it compiles").entries[0].clone();
        let result = launched(&file, &launch, &program).unwrap_or_else(|why| panic!("{}", why.message));
        assert_eq!(result.check.passed, Some(passes), "{compare}: {:?}", result.check.lines);
    }
}

/// Arrays and types that launch files do not have, variables, `.reqntid`, dynamic shared memory.
#[test]
fn everything_that_a_launch_needs_has_a_placeholder() {
    let (module, text) = of(
        &ptx(
            ".version 2.3\n.target sm_20\n.const .f32 scale;\n.global .u32 done;\n.extern .shared .b8 s[];\n\
            .entry k (.param .align 8 .b8 pair[20], .param .f16 half, .param .u64 out) .reqntid 8, 4\n{\n\
            .reg .u64 %rd<2>; .reg .f64 %fd<3>;\n\
            ld.param.u64 %rd0, [out]; ld.global.v2.f64 {%fd0, %fd1}, [%rd0];\n\
            st.global.v2.f64 [%rd0], {%fd1, %fd0}; exit;\n}\n",
        ),
        "k",
    );
    Plan::read(Path::new("k.ron"), &text, &module, 1 << 20).unwrap_or_else(|why| panic!("{why}\n{text}"));
    insta::assert_snapshot!(text);
}

/// Numba's name describes two arrays: the kernel stores with the distances that it is given, and
/// the launch file passes its check.
#[test]
fn arrays_of_numba_are_filled_in() {
    let array = |dimensions: u32, order: &str| format!("5ArrayIfLi{dimensions}E1{order}7mutable7alignedE");
    let name = format!("_ZN8__main__4copyB2v1B3abcEi{}{}", array(1, "C"), array(2, "F"));
    let params: Vec<String> = std::iter::once(format!(".param .u32 {name}_param_0"))
        .chain((1..=16).map(|number| format!(".param .u64 {name}_param_{number}")))
        .collect();
    // out[i % rows, i / rows] = in[i], for each element of the second array.
    let text = format!(
        ".version 2.3\n.target sm_20\n.address_size 64\n.entry {name} ({})\n{{\n\
         .reg .u32 %r<5>; .reg .u64 %d<9>; .reg .f32 %f; .reg .pred %p;\n\
         mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mad.lo.u32 %r1, %r2, %r3, %r1;\n\
         cvt.u64.u32 %d1, %r1; ld.param.u64 %d2, [{name}_param_10]; setp.ge.u64 %p, %d1, %d2; @%p exit;\n\
         ld.param.u64 %d3, [{name}_param_5]; ld.param.u64 %d4, [{name}_param_7];\n\
         mad.lo.u64 %d3, %d1, %d4, %d3; ld.global.f32 %f, [%d3];\n\
         ld.param.u64 %d5, [{name}_param_13]; rem.u64 %d6, %d1, %d5; div.u64 %d7, %d1, %d5;\n\
         ld.param.u64 %d3, [{name}_param_12]; ld.param.u64 %d4, [{name}_param_15]; mad.lo.u64 %d3, %d6, %d4, %d3;\n\
         ld.param.u64 %d4, [{name}_param_16]; mad.lo.u64 %d3, %d7, %d4, %d3; st.global.f32 [%d3], %f;\nexit;\n}}\n",
        params.join(", ")
    );
    let ptx = ptx(text.leak());
    let (_, launch) = of(&ptx, &name);
    assert!(launch.contains("entry: \"copy\"") && launch.contains("buf(\"param_5\")"), "{launch}");
    let commented = launch.lines().find(|line| line.contains("expect:")).expect("a commented check");
    let check = "    expect: [(buf: \"param_12\", formula: \"i\")],";
    let checked = launch.replace(commented, check).replacen("init: fill(1)", "init: iota(0, 1)", 1);
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (file, plan) = (written(&folder, "k.ptx", &ptx.source.text), written(&folder, "k.ron", &checked));
    let program = ptx.compile(&usual(), &mut |_| {}).expect("it compiles").entries[0].clone();
    let result = launched(&file, &plan, &program).unwrap_or_else(|why| panic!("{}", why.message));
    assert_eq!(result.check.passed, Some(true), "{:?}\n{checked}", result.check.lines);
}

/// A second kernel is a comment, and takes the place of the first if its comment marks go.
#[test]
fn further_kernels_are_comments() {
    let ptx = ptx(".version 1.4\n.target sm_10\n.entry a (.param .u32 n) { exit; }\n.entry b { exit; }\n");
    let module = ptx.compile(&usual(), &mut |_| {}).expect("it compiles");
    let entries: Vec<&Program> = module.entries.iter().map(Arc::as_ref).collect();
    let text = skeleton(
        (&[ptx.name()], &ptx.source.text),
        ptx.workload.map(|workload| workload.name),
        &module,
        &entries,
        None,
    )
    .expect("it has kernels");
    let plan = Plan::read(Path::new("k.ron"), &text, &module, 1 << 20).expect("accepted");
    assert_eq!(plan.file.entry.expect("an entry").value, "a");
    let second = text.split_once("in place of the one above:\n").expect("a second launch").1;
    let second: Vec<&str> = second.lines().filter_map(|line| line.strip_prefix("// ")).collect();
    let plan = Plan::read(Path::new("k.ron"), &second.join("\n"), &module, 1 << 20);
    assert_eq!(plan.expect("accepted").file.entry.expect("an entry").value, "b");
}

/// Extents and parameters beyond every chip neither overflow nor fill the memory.
#[test]
fn absurd_extents_are_bounded_and_absurd_parameters_refused() {
    let (module, text) = of(
        &ptx(".version 2.3\n.target sm_20\n.extern .shared .b8 s[];\n\
            .entry k (.param .u64 out) .maxntid 4294967295, 4294967295, 4294967295\n{\n\
            .reg .u64 %rd<2>; ld.param.u64 %rd0, [out]; st.global.u64 [%rd0], 1; exit;\n}\n"),
        "k",
    );
    Plan::read(Path::new("k.ron"), &text, &module, 1 << 20).unwrap_or_else(|why| panic!("{why}\n{text}"));
    let ptx = ptx(".version 2.3\n.target sm_20\n.entry k (.param .b8 p[4000000000]) { exit; }\n");
    let module = ptx.compile(&usual(), &mut |_| {}).expect("it compiles");
    let failure = skeleton(
        (&[ptx.name()], &ptx.source.text),
        ptx.workload.map(|workload| workload.name),
        &module,
        &[&module.entries[0]],
        None,
    )
    .expect_err("too many bytes");
    assert_eq!(failure.code, Code::Trap);
    assert!(failure.message.contains("4000000000"), "{}", failure.message);
}
