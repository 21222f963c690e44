//! Functions: what they are passed, where they return to, and who runs meanwhile. Each kernel on both machines.

use isa::diag::render_all;
use sim_core::host::Mode;
use std::fs;
use std::path::Path;
use warpsim_tests::device::{Device, MODES, pointers};

/// Threads of a block in these tests: a warp and a piece of one.
const THREADS: usize = 48;

/// Runs entry `k` of a module, one block of [`THREADS`], on the chip `name`: `words` words of output for each thread.
#[track_caller]
fn run_on(name: &str, text: &str, words: usize, mode: Mode) -> Vec<u32> {
    let mut device = Device::on(name, text);
    let out = device.upload(&vec![0xdead_beef; THREADS * words]);
    let launch = device.launch("k", (1, 1), (THREADS as u32, 1, 1)).args(pointers(&[out])).mode(mode);
    device.run(&launch);
    device.download(out, THREADS * words)
}

/// Checks that every thread leaves what `expected` says of its number, on both machines of a Fermi.
#[track_caller]
fn assert_threads<const N: usize>(text: &str, expected: impl Fn(u32) -> [u32; N]) {
    let wanted: Vec<u32> = (0..THREADS as u32).flat_map(expected).collect();
    for mode in MODES {
        assert_eq!(run_on("fermi", text, N, mode), wanted, "{mode:?}");
    }
}

/// The head of a module for `sm_20`, and a kernel whose body begins with `%t` the thread and `%o` where its output goes.
fn kernel(functions: &str, words: usize, body: &str) -> String {
    let stride = 4 * words;
    format!(
        ".version 2.3\n.target sm_20\n.address_size 32\n{functions}\n\
         .entry k (.param .u32 out) {{\n.reg .u32 %t, %o, %a, %b, %c, %d; .reg .u64 %w; .reg .f32 %x; .reg .pred %p, %q;\n\
         mov.u32 %t, %tid.x; ld.param.u32 %o, [out]; mad.lo.u32 %o, %t, {stride}, %o;\n{body}\n}}\n"
    )
}

#[test]
fn recorded_programs_compute_what_silicon_computed() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("calls");
    let read = |name: &str| fs::read(folder.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
    let mut programs: Vec<String> = fs::read_dir(&folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .filter_map(|name| name.strip_suffix(".ptx").map(str::to_owned))
        .collect();
    programs.sort();
    let words = |bytes: &[u8]| bytes.as_chunks().0.iter().map(|w| u32::from_le_bytes(*w)).collect::<Vec<_>>();
    let input = words(&read("input.bin"));
    for name in &programs {
        let text = String::from_utf8(read(&format!("{name}.ptx"))).expect("text");
        let expected = words(&read(&format!("{name}.out.bin")));
        for mode in MODES {
            let mut device = Device::on("fermi", &text);
            let (a, out) = (device.upload(&input), device.upload(&vec![0; expected.len()]));
            device.run(&device.launch("k", (2, 1), (96, 1, 1)).args(pointers(&[a, out])).mode(mode));
            let got = device.download(out, expected.len());
            // Rows of 14 words, the last four of them f32, where any NaN is as good as another.
            let nan = |place: usize, word: u32| place % 14 >= 10 && f32::from_bits(word).is_nan();
            for (place, (got, wanted)) in got.iter().zip(&expected).enumerate() {
                let same = got == wanted || nan(place, *got) && nan(place, *wanted);
                assert!(same, "{name} {mode:?}: word {place} is {got:#x}, not {wanted:#x}");
            }
        }
    }
    assert!(programs.len() >= 4, "{programs:?}");
}
