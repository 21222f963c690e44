//! The recorded CUDA C kernels, compiled by this compiler, have the results that a GPU computed.

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use sim_core::host::Mode;
use test_support::record;
use warpsim_tests::recorded::case;
use warpsim_tests::recorded::run::{Build, Compiled, Failure, run};

/// Compiles the source of a recorded PTX file, such as `ptx/clang13-sm20/vecadd.ptx`.
fn source(file: &str, target: &str, level: u32) -> Compiled {
    let name = file.rsplit('/').next().and_then(|name| name.strip_suffix(".ptx")).expect("a PTX file");
    let text = record::text(&format!("src/{name}.cu")).expect("the source is recorded");
    let target = Target::from_name(target).expect("a known target");
    // clang contracted products and sums for sm_20 only.
    let options = Options { opt_level: level, fmad: target.is_fermi(), ..Options::of(target) };
    let load = |path: &str, _: &str, _: bool| {
        let text = record::text(&format!("src/{path}")).ok()?;
        Some(Included { name: path.to_owned(), text: text.into(), hidden: false })
    };
    let compiled = cuda::compile(&format!("{name}.cu"), text, &load, target, &options);
    if let Some(ptx) = &compiled.ptx {
        isa::compile(file, ptx)
    } else {
        println!("{}", compiled.messages());
        (None, Vec::new())
    }
}

const SM20: Build = Build { name: "sm_20", compile: |file, _| source(file, "sm_20", 3) };
const SM20_PLAIN: Build = Build { name: "sm_20 -O0", compile: |file, _| source(file, "sm_20", 0) };
const SM13: Build = Build { name: "sm_13", compile: |file, _| source(file, "sm_13", 3) };

#[test]
fn recorded_kernels_have_the_results_of_silicon() {
    let filter = std::env::var("WARPSIM_CUDA_CASE").unwrap_or_default();
    let mut wrong = Vec::new();
    let mut count = 0;
    for case in case::all().expect("the record is complete") {
        let chips: &[(&str, Build)] = match case.compiler.as_str() {
            // clang compiles `__int2float_rz` as `__int2float_rn`.
            name if case.kernel == "cvt_mix" && name.starts_with("clang") => continue,
            "nvrtc9.0-sm30" if case.kernel != "cvt_mix" => continue,
            "clang13-sm20" | "nvrtc9.0-sm30" => &[("fermi", SM20), ("fermi", SM20_PLAIN)],
            "clang13-sm1x" => &[("gt200", SM13)],
            _ => continue,
        };
        if !case.id.contains(&filter) {
            continue;
        }
        for (chip, build) in chips {
            count += 1;
            let result = match run(&case, *build, chip, Mode::Functional) {
                Ok(()) => continue,
                Err(Failure::Refused { text, .. } | Failure::Wrong(text)) => text,
            };
            wrong.push(format!("{} {}: {result}", case.id, build.name));
        }
    }
    assert!(count > 0, "no case matches `{filter}`");
    assert!(wrong.is_empty(), "{} of {count} cases:\n{}", wrong.len(), wrong.join("\n"));
}
