//! The functions of the device are the same for both compilers, the embedded one and clang: their
//! names, and the bits of their results on Fermi, with and without contraction.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod signatures;

use common::{compile, gpu};
use cuda::names::{CompletionKind, names};
use cuda::target::Target;
use signatures::Signature;
use sim_core::host::{Arg, Gpu, Launch, Mode, ModuleId};
use std::collections::{BTreeMap, BTreeSet};
use test_support::tools::say;

/// Functions that only clang knows, with the reason.
const CLANG_ONLY: [(&str, &str); 8] = [
    ("__assert_fail", "the macro `assert` of the C library calls it"),
    ("__assert_rtn", "the macro `assert` of the C library calls it"),
    ("__assertfail", "the macro `assert` of the C library calls it"),
    ("vprintf", "`printf` calls it"),
    ("__isGlobal", "pointers of the embedded compiler have a state space"),
    ("__isLocal", "pointers of the embedded compiler have a state space"),
    ("__isShared", "pointers of the embedded compiler have a state space"),
    ("from", "a member of a texture"),
];

/// Functions that only the embedded compiler knows, with the reason.
const EMBEDDED_ONLY: [(&str, &str); 11] = [
    ("__syncthreads", "a builtin of clang"),
    ("assert", "a macro of the C library for clang"),
    ("offsetof", "a macro of the C library for clang"),
    ("INT16_C", "a macro of the C library for clang"),
    ("INT32_C", "a macro of the C library for clang"),
    ("INT64_C", "a macro of the C library for clang"),
    ("INT8_C", "a macro of the C library for clang"),
    ("UINT16_C", "a macro of the C library for clang"),
    ("UINT32_C", "a macro of the C library for clang"),
    ("UINT64_C", "a macro of the C library for clang"),
    ("UINT8_C", "a macro of the C library for clang"),
];

/// Starts of names that are no functions of the library: of members, of functions that the headers
/// call, and of textures and surfaces, which have types of their own.
const OTHERS: [&str; 14] = [
    "__wm_", "warpcc_", "__nv_", "__nvvm", "operator", "load_", "store_", "pio2s_", "tex", "surf", "new",
    "delete", "dim3", "uint3",
];

/// Threads of the launch: each has separate arguments.
const THREADS: usize = 256;

/// Parameters of a function at most.
const PARAMETERS: usize = 5;

/// The functions of the headers for clang, without those that only headers call.
fn of_clang(test: &str) -> Option<Vec<Signature>> {
    let Some(all) = signatures::of_clang() else {
        say(&format!("!!!! SKIPPED: {test}: needs clang\n"));
        return None;
    };
    let constant =
        |one: &Signature| one.parameters.is_empty() && (one.name.ends_with("_h") || one.name.ends_with("_l"));
    let is_other = |one: &Signature| OTHERS.iter().any(|start| one.name.starts_with(start)) || constant(one);
    Some(all.into_iter().filter(|one| !is_other(one)).collect())
}

#[test]
fn both_compilers_know_the_same_functions() {
    let Some(clang) = of_clang("functions of the device") else { return };
    let target = Target::from_name("sm_20").expect("a target");
    let clang: BTreeSet<String> = clang.into_iter().map(|one| one.name).collect();
    let all = names(target).into_iter().filter(|(_, name)| name.kind == CompletionKind::Function);
    let embedded: BTreeSet<String> = all.map(|(name, _)| name).collect();
    let missing = |from: &BTreeSet<String>, of: &BTreeSet<String>, known: &[(&str, &str)]| {
        let missing = of.difference(from).filter(|name| known.iter().all(|(known, _)| known != name));
        missing.cloned().collect::<Vec<_>>().join(" ")
    };
    let (a, b) = (missing(&clang, &embedded, &EMBEDDED_ONLY), missing(&embedded, &clang, &CLANG_ONLY));
    assert!(a.is_empty() && b.is_empty(), "unknown to clang: {a}\nunknown to the embedded compiler: {b}");
    let known = CLANG_ONLY.iter().chain(&EMBEDDED_ONLY).map(|(name, _)| *name);
    let both: Vec<&str> = known.filter(|name| clang.contains(*name) == embedded.contains(*name)).collect();
    assert!(both.is_empty(), "known to both or to none, and listed: {both:?}");
}

/// The argument of a type that a thread reads from its word of the input.
fn argument(ty: &str, word: &str) -> Option<String> {
    Some(match ty {
        "float" => format!("__int_as_float((int){word})"),
        "double" => format!("__longlong_as_double((long long){word})"),
        "int" | "unsigned int" | "unsigned" | "long" | "long long" | "unsigned long long"
        | "unsigned short" => {
            format!("({ty}){word}")
        }
        "bool" => format!("({word} & 1) != 0"),
        _ => return None,
    })
}

/// A result as a word of 64 bits; all NaN are equal.
fn bits(ty: &str, value: &str) -> Option<String> {
    Some(match ty {
        "float" | "double" => format!("word({value})"),
        "int" | "unsigned int" | "unsigned" | "unsigned short" | "bool" => format!("(unsigned int)({value})"),
        "long" | "long long" | "unsigned long long" => format!("(unsigned long long)({value})"),
        _ => return None,
    })
}

/// Functions of the kernels.
const WORDS: &str = "
static __device__ unsigned long long word(float x) { return x != x ? 0x7fc00000u : __float_as_uint(x); }
static __device__ unsigned long long word(double x) { return x != x ? ~0ull : __double_as_longlong(x); }
";

/// The kernel that calls a function; `None` if the function does not only compute.
fn kernel(number: usize, of: &Signature) -> Option<String> {
    let mut arguments = Vec::new();
    let mut results = 1;
    for (index, ty) in of.parameters.iter().enumerate() {
        if let Some(pointee) = ty.strip_suffix('*') {
            bits(pointee, "0")?;
            arguments.push(format!("({ty})(out + {results})"));
            results += 1;
        } else {
            arguments.push(argument(ty, &format!("in[{index}]"))?);
        }
    }
    let computes = !arguments.is_empty() && (of.result != "void" || results > 1);
    if !computes || of.parameters.len() > PARAMETERS || results > 3 {
        return None;
    }
    let call = format!("{}({})", of.name, arguments.join(", "));
    let call = if of.result == "void" { call } else { format!("out[0] = {}", bits(&of.result, &call)?) };
    Some(format!(
        "extern \"C\" __global__ void k{number}(const unsigned long long *in, unsigned long long *out) {{\n\
         in += {PARAMETERS} * threadIdx.x; out += 3 * threadIdx.x;\n{call}; }}\n"
    ))
}

/// The words of the arguments: special values, then numbers of all sizes and of moderate ones.
fn words(of: &Signature) -> Vec<u8> {
    const DOUBLES: [f64; 20] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        10.0,
        88.73,
        -104.0,
        709.79,
        1e30,
        -1e30,
        1e-30,
        4e-45,
        1e-310,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        1e300,
    ];
    let has_floats = of.parameters.iter().any(|ty| ty.starts_with("float") || ty.starts_with("double"));
    let mut state = 1_u64;
    let mut next = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mixed = (state ^ (state >> 33)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 29)
    };
    let mut all = Vec::new();
    for thread in 0..THREADS {
        for index in 0..PARAMETERS {
            let random = next();
            let unit = (random >> 11) as f64 / (1_u64 << 53) as f64;
            let number = match thread {
                _ if thread < 20 && index == 0 => DOUBLES[thread],
                _ if thread < 60 => DOUBLES[random as usize % DOUBLES.len()],
                _ if thread % 4 == 0 => f64::from_bits(random),
                _ if thread % 4 == 1 => 2.0 * unit - 1.0,
                _ => 40.0 * unit - 20.0,
            };
            let word = match of.parameters.get(index).map(String::as_str) {
                Some("float") if thread >= 60 && thread % 4 == 0 => random >> 32,
                Some("float") => u64::from((number as f32).to_bits()),
                Some("double") => number.to_bits(),
                // A count or an exponent.
                Some(_) if has_floats => (random % 50).wrapping_sub(10),
                _ if thread < 8 => [0, 1, u64::MAX, 0x7fff_ffff, 0x8000_0000, 31, 32, 1 << 63][thread],
                _ => random >> (thread % 64),
            };
            all.extend(word.to_le_bytes());
        }
    }
    all
}

/// The kernels of a program on a chip.
struct Program {
    gpu: Gpu,
    module: ModuleId,
}

impl Program {
    fn new(ptx: &str) -> Self {
        let (module, diagnostics) = isa::compile("all.ptx", ptx);
        let module =
            module.unwrap_or_else(|| panic!("{}", isa::diag::render_all(&diagnostics, "all.ptx", ptx)));
        let mut gpu = gpu("sm_20");
        let module = gpu.load(module).expect("the chip takes the module");
        Self { gpu, module }
    }

    /// The output of the kernel of a function.
    fn results(&mut self, number: usize, of: &Signature, input: &[u8]) -> Vec<u8> {
        let gpu = &mut self.gpu;
        let mut output = vec![0; 24 * THREADS];
        let pointers = [input, &*output].map(|bytes| {
            let pointer = gpu.malloc(bytes.len() as u64).expect("memory");
            gpu.copy_in(pointer, bytes).expect("an allocation");
            pointer
        });
        let args = pointers.map(Arg::Ptr).to_vec();
        let entry = format!("k{number}");
        let launch = Launch::new(self.module, &entry, (1, 1), (THREADS as u32, 1)).args(args);
        let report = gpu.launch(&launch.mode(Mode::Functional)).expect("a launch");
        assert!(report.verdict.is_finished(), "{}: {:?}", of.name, report.verdict);
        gpu.copy_out(pointers[1], &mut output).expect("an allocation");
        for pointer in pointers {
            gpu.free(pointer).expect("an allocation");
        }
        output
    }
}

/// PTX of clang.
fn clang(text: &str, fmad: bool) -> String {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (source, output) = (folder.path().join("all.cu"), folder.path().join("all.ptx"));
    std::fs::write(&source, text).expect("the folder is writable");
    let shown = |path: &std::path::Path| path.display().to_string();
    let (output_name, source_name) = (shown(&output), shown(&source));
    let fmad = format!("-fmad={fmad}");
    let arguments = ["-ptx", "-arch=sm_20", "-std=c++14", &*fmad, "-o", &*output_name, &*source_name];
    warpcc::driver::run(arguments.iter().map(ToString::to_string).collect())
        .unwrap_or_else(|failure| panic!("{:?}", failure.message()));
    std::fs::read_to_string(output).expect("clang wrote it")
}

#[test]
fn results_have_the_same_bits_with_both_compilers() {
    let Some(all) = of_clang("bits of the functions of the device") else { return };
    let ignored = |name: &str| CLANG_ONLY.iter().any(|(one, _)| *one == name);
    let mut text = WORDS.to_owned();
    let mut compared = Vec::new();
    for one in all.into_iter().filter(|one| !ignored(&one.name)) {
        if let Some(kernel) = kernel(compared.len(), &one) {
            text += &kernel;
            compared.push(one);
        }
    }
    let own = compile(&text, "sm_20", 3).unwrap_or_else(|messages| panic!("{messages}"));
    // The option of contraction must have no influence.
    let mut own = Program::new(&own);
    let mut others = [true, false].map(|fmad| Program::new(&clang(&text, fmad)));
    let mut differ = BTreeMap::new();
    for (number, one) in compared.iter().enumerate() {
        let input = words(one);
        let own = own.results(number, one, &input);
        for other in &mut others {
            let other = other.results(number, one, &input);
            let pairs = own.chunks_exact(24).zip(other.chunks_exact(24));
            let wrong: Vec<usize> =
                pairs.enumerate().filter(|(_, (a, b))| a != b).map(|(at, _)| at).collect();
            if let Some(first) = wrong.first() {
                let show = |bytes: &[u8], words: usize, at: usize| {
                    let bytes = &bytes[8 * words * at..8 * words * (at + 1)];
                    let words = bytes
                        .chunks_exact(8)
                        .map(|word| u64::from_le_bytes(word.try_into().expect("8 bytes")));
                    words.map(|word| format!("{word:x}")).collect::<Vec<_>>().join(" ")
                };
                let text = format!(
                    "{} of {THREADS}, e. g. of {}: {} and {} of clang",
                    wrong.len(),
                    show(&input, PARAMETERS, *first),
                    show(&own, 3, *first),
                    show(&other, 3, *first)
                );
                differ.insert(format!("{}({})", one.name, one.parameters.join(", ")), text);
            }
        }
    }
    println!("{} functions compared", compared.len());
    assert!(compared.len() > 300, "{} functions compared", compared.len());
    assert!(differ.is_empty(), "{differ:#?}");
}
