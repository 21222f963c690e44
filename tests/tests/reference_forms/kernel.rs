//! Makes a kernel for each form and runs it in functional mode and in the reference interpreter.

use super::forms::{Form, bytes};
use isa::Compilation;
use isa::source::Source;
use sim_core::host::{Arg, DevicePtr, Gpu, Mode};
use std::fmt::Write;
use std::sync::Arc;
use test_support::random::Numbers;
use warpsim_tests::device::{Device, chip_with};
use warpsim_tests::reference::{self, Memory, ReferenceProgram};

/// Threads of a launch, each with its own operands.
const THREADS: u32 = 128;

/// A chip and a target of the text. Together they determine the semantics of single precision.
#[derive(Clone, Copy)]
pub struct Machine {
    pub chip: &'static str,
    pub capability: u32,
    pub target: &'static str,
    pub version: &'static str,
}

pub const OLD: Machine = Machine { chip: "g80", capability: 10, target: "sm_10", version: "1.4" };
pub const NEW: Machine = Machine { chip: "fermi", capability: 20, target: "sm_20", version: "2.3" };
/// The first header with `shf`.
pub const FUNNEL: (&str, &str) = ("4.0", "sm_32");
/// The first chip with double precision.
pub const DOUBLE: Machine = Machine { chip: "gt200", capability: 13, target: "sm_13", version: "1.4" };
/// A module of the first PTX versions, whose approximate functions have no modifier.
pub const FIRST: Machine = Machine { version: "1.3", ..OLD };
/// A module for an older target, on a chip without the truncating multiplier.
pub const OLD_ON_NEW: Machine = Machine { target: "sm_13", version: "1.4", ..NEW };

/// Returns a kernel in which each thread loads its operands, executes the instruction and stores
/// the result.
pub fn kernel(form: &Form, machine: Machine) -> String {
    let Form { name, types, predicate } = form;
    let later = name.starts_with("shf") && machine.target == NEW.target;
    let (version, target) = if later { FUNNEL } else { (machine.version, machine.target) };
    let mut text = format!(".version {version}\n.target {target}\n");
    // Before PTX 1.4 the parameters of a kernel were declared in its body.
    text.push_str(if version < "1.4" {
        ".entry k {\n.param .u32 in;\n.param .u32 out;\n"
    } else {
        ".entry k (.param .u32 in, .param .u32 out) {\n"
    });
    text.push_str(
        ".reg .u32 %t, %in, %out, %one;\n.reg .u64 %c;\n.reg .pred %p, %q, %r, %z;\n\
         mov.u32 %t, %tid.x;\nld.param.u32 %in, [in];\nld.param.u32 %out, [out];\n\
         mad24.lo.u32 %in, %t, 32, %in;\nmad24.lo.u32 %out, %t, 16, %out;\n\
         ld.global.u64 %c, [%in+24];\nand.b64 %c, %c, 1;\nsetp.ne.u64 %r, %c, 0;\n",
    );
    let mut operands = Vec::new();
    for (i, ty) in types.iter().enumerate().skip(1) {
        let _ = writeln!(text, ".reg .{ty} %s{i};\nld.global.{ty} %s{i}, [%in+{}];", 8 * (i - 1));
        operands.push(format!("%s{i}"));
    }
    if *predicate {
        operands.push("%r".to_owned());
    }
    let sources = operands.join(", ");
    if types[0] == "pred" {
        let _ = if name.starts_with("testp") {
            writeln!(text, "{name} %p, {sources};\nnot.pred %q, %p;")
        } else {
            writeln!(text, "{name} %p|%q, {sources};")
        };
        for (predicate, offset) in [("%p", 0), ("%q", 4)] {
            let _ = writeln!(text, "selp.u32 %one, 1, 0, {predicate};\nst.global.u32 [%out+{offset}], %one;");
        }
    } else {
        let ty = types[0];
        // Gives the lanes different carry flags: lanes without the predicate keep that of the
        // previous sum.
        if ["addc", "subc", "madc"].iter().any(|op| name.starts_with(op)) {
            text.push_str("add.cc.u32 %one, %t, 0xffffffc0;\n@%r sub.cc.u32 %one, %s1, %s2;\n");
        }
        let _ = writeln!(text, ".reg .{ty} %d;\n{name} %d, {sources};\nst.global.{ty} [%out], %d;");
        if name.contains(".cc") {
            text.push_str("addc.u32 %one, 0, 0;\nst.global.u32 [%out+8], %one;\n");
        }
        // Stores the whole register, so that bits above a narrow value would be noticed.
        if bytes(ty) == 2 {
            text.push_str(".reg .u32 %w;\ncvt.u32.u16 %w, %d;\nst.global.u32 [%out+8], %w;\n");
        }
    }
    text + "exit;\n}\n"
}

/// Returns operands: extreme values of all types, small numbers and random bits.
pub fn operands(numbers: &mut Numbers) -> Vec<u8> {
    const EXTREMES: [u64; 24] = [
        0,
        1,
        2,
        u64::MAX,
        1 << 63,
        0x8000_0000,
        0x8000,
        0x80,
        0x7f80_0000,
        0xff80_0000,
        0x0080_0000,
        0x3f80_0000,
        0x7fff_ffff,
        0x4f00_0000,
        0xcf00_0001,
        33,
        0x7ff0_0000_0000_0000,
        0xfff8_1234_5678_9abc,
        0x0010_0000_0000_0000,
        0x3ff0_0000_0000_0000,
        0xbfe0_0000_3f00_0000,
        0x4340_0000_4b00_0000,
        0xc1e0_0000_0000_0000,
        0x3810_0000_0000_0000,
    ];
    let mut one = || match numbers.below(5) {
        0 => numbers.one_of(&EXTREMES),
        1 => numbers.one_of(&EXTREMES).wrapping_sub(1),
        2 => numbers.bits() >> 58,
        // Random floating-point numbers near 1, within a few exponents.
        3 => numbers.bits() & 0x803f_ffff_81ff_ffff | 0x3fc0_0000_3e00_0000,
        _ => numbers.bits(),
    };
    (0..4 * THREADS).flat_map(|_| one().to_le_bytes()).collect()
}

/// Returns both results of a form, or `None` if the simulator does not support it.
pub fn both(form: &Form, machine: Machine, input: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    run_both(&kernel(form, machine), machine, input)
}

/// Returns the results of the simulator, or `None` if it rejects the kernel.
pub fn simulated(text: &str, machine: Machine, input: &[u8]) -> Option<Vec<u8>> {
    let device = Device::new(chip_with(machine.chip, &[]), "form.ptx", text).ok()?;
    Some(run(device, input).0)
}

/// Returns the results of a kernel that is lowered to the built-in chip `name`.
pub fn simulated_on(name: &str, text: &str, input: &[u8]) -> Result<Vec<u8>, String> {
    let chip = chip_with(name, &[]);
    let asked = Compilation { chip: Some(chip.capability), ..Compilation::default() };
    let (module, diagnostics) = isa::compile_for(&Arc::new(Source::new("form.ptx", text)), asked);
    let module = module.ok_or_else(|| isa::diag::render_all(&diagnostics, "form.ptx", text))?;
    let mut gpu = Gpu::new(chip);
    let module = gpu.load(module).map_err(|error| error.to_string())?;
    Ok(run(Device { gpu, module }, input).0)
}

/// Runs the kernel `k`. Returns its results and its arguments.
fn run(mut device: Device, input: &[u8]) -> (Vec<u8>, [DevicePtr; 2]) {
    let size = 16 * THREADS as usize;
    let at = device.gpu.malloc(input.len() as u64).expect("the memory has space");
    let out = device.gpu.malloc(size as u64).expect("the memory has space");
    device.gpu.copy_in(at, input).expect("the copy fits");
    let args = [Arg::Ptr(at), Arg::Ptr(out)];
    let launch = device.launch("k", (1, 1), (THREADS, 1, 1)).args(args).mode(Mode::Functional);
    device.run(&launch);
    let mut got = vec![0; size];
    device.gpu.copy_out(out, &mut got).expect("the copy fits");
    (got, [at, out])
}

/// Returns the results of the simulator and of the reference for a kernel, or `None` if the
/// simulator rejects it.
pub fn run_both(text: &str, machine: Machine, input: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let device = Device::new(chip_with(machine.chip, &[]), "form.ptx", text).ok()?;
    let (got, [at, out]) = run(device, input);
    let size = got.len();
    let program = ReferenceProgram::read(text, "k").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut memory = Memory::default();
    memory.add(at.address().into(), input.to_vec());
    memory.add(out.address().into(), vec![0; size]);
    let args = [at, out].map(|at| Arg::Ptr(at).to_bytes(4).expect("words")).into();
    let launch = reference::Launch {
        args,
        capability: machine.capability,
        ..reference::Launch::new(&program, 1, THREADS)
    };
    reference::run(&launch, &mut memory).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Some((got, memory.ranges()[1].bytes.clone()))
}
