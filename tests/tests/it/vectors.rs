//! Compares vector loads and stores with the reference interpreter: every space and element type,
//! with various addresses within a warp, on every chip and in both modes.

use sim_core::host::Arg;
use std::fmt::Write;
use test_support::random::Numbers;
use warpsim_tests::device::{CHIPS, Device, MODES, chip_with};
use warpsim_tests::reference::{self, Memory, ReferenceProgram};

/// Threads: four blocks of a warp.
const THREADS: usize = 128;

/// Number of elements of a vector, their type in memory, and the type of the registers.
const VECTORS: [(usize, &str, &str); 11] = [
    (2, "u8", "u32"),
    (4, "s8", "u32"),
    (4, "b8", "u16"),
    (2, "u16", "u16"),
    (4, "s16", "u32"),
    (2, "s16", "b64"),
    (2, "u32", "u32"),
    (2, "s32", "s64"),
    (4, "f32", "f32"),
    (4, "u32", "u64"),
    (2, "b64", "b64"),
];

/// Returns a kernel in which each thread loads a vector at its index, if its guard is set, and
/// passes it through shared memory to another thread. It stores what it received, once in its own
/// place and once in a place that it may share with lanes of its warp, and then does the same with
/// constants and a parameter.
fn kernel(elements: usize, ty: &str, held: &str) -> String {
    let size = elements * ty[1..].parse::<usize>().expect("bits") / 8;
    let list = |name: &str| (0..elements).map(|k| format!("%{name}{k}")).collect::<Vec<_>>().join(", ");
    let (v, w, suffix) = (list("v"), list("w"), format!("v{elements}.{ty}"));
    let start = if held == "f32" { "0f3F800000" } else { "99" };
    let mut text = format!(
        ".version 1.4\n.target sm_10\n\
         .const .align 16 .u32 c[64] = {{ {} }};\n\
         .entry k (.param .u32 in, .param .u32 index, .param .u32 out, .param .align 16 .b8 p[16]) {{\n\
         .shared .align 16 .b8 s[512];\n\
         .reg .u32 %t, %g, %in, %ix, %out, %a, %i, %j, %k;\n.reg .pred %p;\n.reg .{held} %v<4>, %w<4>;\n\
         mov.u32 %t, %tid.x;\nmov.u32 %g, %ctaid.x;\nmad24.lo.u32 %g, %g, 32, %t;\n\
         ld.param.u32 %in, [in];\nld.param.u32 %ix, [index];\nld.param.u32 %out, [out];\n\
         mad24.lo.u32 %a, %g, 8, %ix;\nld.global.v2.u32 {{%i, %j}}, [%a];\n\
         shr.u32 %k, %j, 8;\nsetp.ne.u32 %p, %k, 0;\nand.b32 %j, %j, 31;\n",
        (1..=64_u32).map(|n| n.wrapping_mul(0x9e37_79b9).to_string()).collect::<Vec<_>>().join(", "),
    );
    for k in 0..elements {
        let _ = writeln!(text, "mov.{held} %v{k}, {start};");
    }
    let _ = write!(
        text,
        "mad24.lo.u32 %a, %i, {size}, %in;\n@%p ld.global.{suffix} {{{v}}}, [%a];\n\
         mov.u32 %a, s;\nmad24.lo.u32 %a, %t, {size}, %a;\nst.shared.{suffix} [%a], {{{v}}};\n\
         bar.sync 0;\n\
         mov.u32 %a, s;\nmad24.lo.u32 %a, %j, {size}, %a;\nld.shared.{suffix} {{{w}}}, [%a];\n\
         mad24.lo.u32 %a, %g, 16, %out;\nst.global.{suffix} [%a], {{{w}}};\n\
         mov.u32 %a, %ctaid.x;\nmad24.lo.u32 %a, %a, 512, %out;\nmad24.lo.u32 %a, %j, {size}, %a;\n\
         @%p st.global.{suffix} [%a+2048], {{{v}}};\n\
         mov.u32 %a, c;\nand.b32 %j, %j, 15;\nmad24.lo.u32 %a, %j, {size}, %a;\nld.const.{suffix} {{{v}}}, [%a];\n\
         ld.param.{suffix} {{{w}}}, [p];\n\
         mad24.lo.u32 %a, %g, 16, %out;\n\
         st.global.{suffix} [%a+4096], {{{v}}};\nst.global.{suffix} [%a+6144], {{{w}}};\n"
    );
    // The bits of a register above the element are stored, too.
    if held != "f32" && size <= 8 {
        let _ = writeln!(text, "st.global.{held} [%a+{}], %v{};", 4096 + 8, elements - 1);
    }
    text + "exit;\n}\n"
}

/// Returns an index into 256 vectors for each thread, followed by the lane whose vector the thread
/// reads and whether it loads anything.
fn indices(numbers: &mut Numbers, pattern: usize) -> Vec<u32> {
    let guard =
        |numbers: &mut Numbers| if pattern.is_multiple_of(2) { 0x100 } else { numbers.bits() as u32 & 0x100 };
    let one = numbers.below(256) as u32;
    let both = |thread: usize, numbers: &mut Numbers| {
        let (thread, any) = (thread as u32, numbers.bits() as u32);
        let (i, j) = match pattern / 2 {
            0 => (thread, thread % 32),
            1 => (255 - thread, 31 - thread % 32),
            2 => (one, 7),
            3 => (any % 256, any >> 8 & 31),
            4 => ((one & !7) + any % 8, any >> 8 & 3),
            _ => ((thread + 8) ^ 1, thread * 2 % 32),
        };
        [i, j | guard(numbers)]
    };
    (0..THREADS).flat_map(|thread| both(thread, numbers)).collect()
}

fn bytes_of(arg: &Arg) -> Vec<u8> {
    arg.to_bytes(if matches!(arg, Arg::Bytes(_)) { 16 } else { 4 }).expect("its own size")
}

/// Tests: `vector-accesses`.
#[test]
fn vectors_agree_with_the_reference_on_every_chip() {
    let mut numbers = Numbers::new(11);
    let input: Vec<u8> = (0..512).flat_map(|_| numbers.bits().to_le_bytes()).collect();
    let param: Vec<u8> = (0..2).flat_map(|_| numbers.bits().to_le_bytes()).collect();
    for (elements, ty, held) in VECTORS {
        let text = kernel(elements, ty, held);
        let program = ReferenceProgram::read(&text, "k").unwrap_or_else(|e| panic!("{e}\n{text}"));
        for pattern in 0..12 {
            let index: Vec<u8> =
                indices(&mut numbers, pattern).iter().flat_map(|w| w.to_le_bytes()).collect();
            let mut wanted: Option<Vec<u8>> = None;
            for chip in CHIPS {
                for mode in MODES {
                    let mut device =
                        Device::new(chip_with(chip, &[]), "vector.ptx", &text).expect("it compiles");
                    let mut fill = |bytes: &[u8]| {
                        let at = device.gpu.malloc(bytes.len() as u64).expect("the memory has space");
                        device.gpu.copy_in(at, bytes).expect("the copy fits");
                        at
                    };
                    let places = [fill(&input), fill(&index), fill(&[0; 8192])];
                    let mut args: Vec<Arg> = places.iter().map(|at| Arg::Ptr(*at)).collect();
                    args.push(Arg::Bytes(param.clone()));
                    let launch = device.launch("k", (4, 1), (32, 1, 1)).args(args.clone()).mode(mode);
                    device.run(&launch);
                    let mut got = vec![0; 8192];
                    device.gpu.copy_out(places[2], &mut got).expect("the copy fits");
                    let wanted = wanted.get_or_insert_with(|| {
                        let mut memory = Memory::default();
                        for (at, bytes) in places.iter().zip([&input, &index, &vec![0; 8192]]) {
                            memory.add(at.address().into(), bytes.clone());
                        }
                        let args = args.iter().map(bytes_of).collect();
                        let launch = reference::Launch { args, ..reference::Launch::new(&program, 4, 32) };
                        reference::run(&launch, &mut memory).unwrap_or_else(|e| panic!("{e}\n{text}"));
                        memory.ranges()[2].bytes.clone()
                    });
                    let differs = got.iter().zip(wanted.iter()).position(|(a, b)| a != b);
                    assert_eq!(
                        differs, None,
                        "v{elements}.{ty} in {held}, pattern {pattern}, {chip} {mode:?}"
                    );
                }
            }
        }
    }
}
