//! Every form of instruction that the simulator executes, with operands at and between the extremes: the reference
//! interpreter against the functional machine, which runs what the lowering made of it.

use isa::types::ScalarType;
use sim_core::host::{Arg, Mode};
use std::fmt::Write;
use warpsim_tests::device::{Device, chip_with};
use warpsim_tests::mutate::Numbers;
use warpsim_tests::reference::{self, Memory, Program};

/// Threads of a launch, each with operands of its own.
const THREADS: u32 = 128;

/// An instruction to try: its name, the type of each operand (the result's first), and whether it ends with a
/// predicate.
struct Form {
    name: String,
    types: Vec<&'static str>,
    predicate: bool,
}

fn form(name: impl Into<String>, types: &[&'static str]) -> Form {
    Form { name: name.into(), types: types.to_vec(), predicate: false }
}

fn bytes(ty: &str) -> u32 {
    ScalarType::from_name(ty).expect("a type").bytes()
}

const INTS: [&str; 6] = ["u16", "u32", "u64", "s16", "s32", "s64"];
const SMALL: [&str; 2] = ["u8", "s8"];

/// Results of `mul.wide`.
fn twice(ty: &str) -> &'static str {
    match ty {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        _ => "s64",
    }
}

fn arithmetic(forms: &mut Vec<Form>) {
    for ty in INTS {
        for op in ["add", "sub", "min", "max", "mul.lo", "mul.hi", "div", "rem"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty]));
        }
        for op in ["mad.lo", "mad.hi", "sad"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty, ty]));
        }
        if ty.starts_with('s') {
            forms.extend(["neg", "abs"].map(|op| form(format!("{op}.{ty}"), &[ty, ty])));
        }
        if bytes(ty) < 8 {
            forms.push(form(format!("mul.wide.{ty}"), &[twice(ty), ty, ty]));
            forms.push(form(format!("mad.wide.{ty}"), &[twice(ty), ty, ty, twice(ty)]));
        }
        if bytes(ty) == 4 {
            for part in ["lo", "hi"] {
                forms.push(form(format!("mul24.{part}.{ty}"), &[ty, ty, ty]));
                forms.push(form(format!("mad24.{part}.{ty}"), &[ty, ty, ty, ty]));
            }
        }
        forms.push(form(format!("shr.{ty}"), &[ty, ty, "u32"]));
    }
    for ty in ["b16", "b32", "b64"] {
        for op in ["and", "or", "xor"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty]));
        }
        forms.push(form(format!("not.{ty}"), &[ty, ty]));
        forms.push(form(format!("shl.{ty}"), &[ty, ty, "u32"]));
        forms.push(form(format!("mov.{ty}"), &[ty, ty]));
        forms.push(Form { predicate: true, ..form(format!("selp.{ty}"), &[ty, ty, ty]) });
    }
    let f = "f32";
    for op in ["add", "sub", "mul", "add.rn", "sub.rn", "mul.rn", "min", "max"] {
        forms.push(form(format!("{op}.f32"), &[f, f, f]));
    }
    forms.push(form("mad.f32", &[f, f, f, f]));
    for op in ["mad.rn", "mad.ftz", "fma.rn", "fma.rn.ftz", "mad.rn.ftz"] {
        forms.push(form(format!("{op}.f32"), &[f, f, f, f]));
    }
    for op in ["add", "sub", "mul", "min", "max", "add.rn"] {
        forms.push(form(format!("{op}.ftz.f32"), &[f, f, f]));
    }
    for flush in ["", ".ftz"] {
        for sat in ["", ".sat"] {
            for round in ["", ".rn", ".rz", ".rm", ".rp"] {
                for op in ["add", "sub", "mul"] {
                    forms.push(form(format!("{op}{round}{flush}{sat}.f32"), &[f, f, f]));
                }
                for op in ["mad", "fma"] {
                    forms.push(form(format!("{op}{round}{flush}{sat}.f32"), &[f, f, f, f]));
                }
            }
        }
    }
    forms.push(form("copysign.f32", &[f, f, f]));
    for test in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
        forms.push(form(format!("testp.{test}.f32"), &["pred", f]));
    }
    for modifiers in ["rn", "rz", "rm", "rp", "approx", "full"] {
        for flush in ["", ".ftz"] {
            forms.push(form(format!("div.{modifiers}{flush}.f32"), &[f, f, f]));
            if modifiers != "full" {
                forms.extend(["rcp", "sqrt"].map(|op| form(format!("{op}.{modifiers}{flush}.f32"), &[f, f])));
            }
        }
    }
    forms.extend(["rsqrt.approx.f32", "rsqrt.approx.ftz.f32"].map(|name| form(name, &[f, f])));
    forms.extend(["neg", "abs", "mov", "neg.ftz", "abs.ftz"].map(|op| form(format!("{op}.f32"), &[f, f])));
}

/// What needs `sm_20`.
const NEWER: [&str; 9] = ["bfe", "bfi", "bfind", "brev", "clz", "mad.", "madc", "popc", "prmt"];

fn bits(forms: &mut Vec<Form>) {
    for ty in ["u32", "s32"] {
        for op in ["add.cc", "sub.cc", "addc", "addc.cc", "subc", "subc.cc"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty]));
        }
        for op in ["mad.lo.cc", "mad.hi.cc", "madc.lo", "madc.hi", "madc.lo.cc", "madc.hi.cc"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty, ty]));
        }
    }
    forms.extend(["add.sat.s32", "sub.sat.s32"].map(|name| form(name, &["s32"; 3])));
    forms.extend(["mad.hi.sat.s32", "mad24.hi.sat.s32"].map(|name| form(name, &["s32"; 4])));
    for ty in ["b16", "b32", "b64"] {
        forms.push(form(format!("cnot.{ty}"), &[ty, ty]));
    }
    for ty in ["b32", "b64"] {
        forms.extend(["popc", "clz"].map(|op| form(format!("{op}.{ty}"), &["u32", ty])));
        forms.push(form(format!("brev.{ty}"), &[ty, ty]));
        forms.push(form(format!("bfi.{ty}"), &[ty, ty, ty, "u32", "u32"]));
    }
    for ty in ["u32", "s32", "u64", "s64"] {
        forms.extend(["bfind", "bfind.shiftamt"].map(|op| form(format!("{op}.{ty}"), &["u32", ty])));
        forms.push(form(format!("bfe.{ty}"), &[ty, ty, "u32", "u32"]));
    }
    for mode in ["", ".f4e", ".b4e", ".rc8", ".ecl", ".ecr", ".rc16"] {
        forms.push(form(format!("prmt.b32{mode}"), &["b32"; 4]));
    }
    for op in ["shf.l.wrap", "shf.l.clamp", "shf.r.wrap", "shf.r.clamp"] {
        forms.push(form(format!("{op}.b32"), &["b32", "b32", "b32", "u32"]));
    }
    for ty in INTS.into_iter().chain(["b16", "b32", "b64", "f32"]) {
        forms.push(form(format!("slct.{ty}.s32"), &[ty, ty, ty, "s32"]));
        forms.push(form(format!("slct.{ty}.f32"), &[ty, ty, ty, "f32"]));
        forms.push(form(format!("slct.ftz.{ty}.f32"), &[ty, ty, ty, "f32"]));
        for word in ["eq", "ne", "lt", "ge", "hi", "ls", "equ", "ltu", "num", "nan"] {
            for combine in ["", ".and", ".or", ".xor"] {
                for to in ["u32", "s32", "f32"] {
                    let set = form(format!("set.{word}{combine}.{to}.{ty}"), &[to, ty, ty]);
                    forms.push(Form { predicate: !combine.is_empty(), ..set });
                }
            }
        }
    }
}

fn comparisons(forms: &mut Vec<Form>) {
    let all = INTS.into_iter().chain(["b16", "b32", "b64", "f32", "ftz.f32"]);
    let words = "eq ne lt le gt ge lo ls hi hs equ neu ltu leu gtu geu num nan";
    for ty in all {
        for word in words.split(' ') {
            for combine in ["", ".and", ".or", ".xor"] {
                let predicate = !combine.is_empty();
                let name = format!("setp.{word}{combine}.{ty}");
                let ty = ty.trim_start_matches("ftz.");
                forms.push(Form { predicate, ..form(name, &["pred", ty, ty]) });
            }
        }
    }
}

fn conversions(forms: &mut Vec<Form>) {
    // A register may be wider than the type that is converted.
    let wider = |ty: &'static str| INTS.into_iter().filter(move |held| bytes(held) >= bytes(ty));
    let ints = || INTS.into_iter().chain(SMALL);
    for from in ints() {
        for held in wider(from) {
            for to in ints() {
                for sat in ["", ".sat"] {
                    forms.extend(wider(to).map(|into| form(format!("cvt{sat}.{to}.{from}"), &[into, held])));
                }
            }
            for round in ["rn", "rz", "rm", "rp", "rn.sat"] {
                forms.push(form(format!("cvt.{round}.f32.{from}"), &["f32", held]));
            }
        }
    }
    for to in ints() {
        for flush in ["", ".ftz"] {
            for round in ["rni", "rzi", "rmi", "rpi"] {
                let name = format!("cvt.{round}{flush}.{to}.f32");
                forms.extend(wider(to).map(|into| form(name.clone(), &[into, "f32"])));
            }
        }
    }
    for modifiers in ["", ".ftz", ".sat", ".ftz.sat"] {
        for round in ["", ".rni", ".rzi", ".rmi", ".rpi"] {
            forms.push(form(format!("cvt{round}{modifiers}.f32.f32"), &["f32", "f32"]));
        }
        for round in ["rn", "rz", "rm", "rp"] {
            forms.push(form(format!("cvt.{round}{modifiers}.f16.f32"), &["b16", "f32"]));
        }
        forms.push(form(format!("cvt{modifiers}.f32.f16"), &["f32", "b16"]));
    }
}

/// A kernel in which each thread loads its operands, executes the instruction and stores what it gives.
fn kernel(form: &Form, machine: Machine) -> String {
    let Form { name, types, predicate } = form;
    let mut text = format!(".version {}\n.target {}\n", machine.version, machine.target);
    text.push_str(
        ".entry k (.param .u32 in, .param .u32 out) {\n\
         .reg .u32 %t, %in, %out, %one;\n.reg .u64 %c;\n.reg .pred %p, %q, %r, %z;\n\
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
        // A condition code that the lanes have of their own: those that do not pass keep the one of the sum before.
        if ["addc", "subc", "madc"].iter().any(|op| name.starts_with(op)) {
            text.push_str("add.cc.u32 %one, %t, 0xffffffc0;\n@%r sub.cc.u32 %one, %s1, %s2;\n");
        }
        let _ = writeln!(text, ".reg .{ty} %d;\n{name} %d, {sources};\nst.global.{ty} [%out], %d;");
        if name.contains(".cc") {
            text.push_str("addc.u32 %one, 0, 0;\nst.global.u32 [%out+8], %one;\n");
        }
        // Sums use the whole register: what lies above a narrow value would be seen.
        if bytes(ty) == 2 {
            text.push_str(".reg .u32 %w;\ncvt.u32.u16 %w, %d;\nst.global.u32 [%out+8], %w;\n");
        }
    }
    text + "exit;\n}\n"
}

/// Operands: extremes of all types, small numbers, and bits at random.
fn operands(numbers: &mut Numbers) -> Vec<u8> {
    const EXTREMES: [u64; 16] = [
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
    ];
    let mut one = || match numbers.below(4) {
        0 => numbers.one_of(&EXTREMES),
        1 => numbers.one_of(&EXTREMES).wrapping_sub(1),
        2 => numbers.bits() >> 58,
        _ => numbers.bits(),
    };
    (0..4 * THREADS).flat_map(|_| one().to_le_bytes()).collect()
}

/// Both results for a form; `None` if the simulator does not have it.
fn both(form: &Form, machine: Machine, input: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    run_both(&kernel(form, machine), machine, input)
}

/// What machine and reference make of a kernel; `None` if the simulator does not take it.
fn run_both(text: &str, machine: Machine, input: &[u8]) -> Option<(Vec<u8>, Vec<u8>)> {
    let mut device = Device::new(chip_with(machine.chip, &[]), "form.ptx", text).ok()?;
    let size = 16 * THREADS as usize;
    let at = device.gpu.malloc(input.len() as u64).expect("there is room");
    let out = device.gpu.malloc(size as u64).expect("there is room");
    device.gpu.copy_in(at, input).expect("the copy fits");
    let args = [Arg::Ptr(at), Arg::Ptr(out)];
    let launch = device.launch("k", (1, 1), (THREADS, 1, 1)).args(args.clone()).mode(Mode::Functional);
    device.run(&launch);
    let mut got = vec![0; size];
    device.gpu.copy_out(out, &mut got).expect("the copy fits");

    let program = Program::read(text, "k").unwrap_or_else(|e| panic!("{e}\n{text}"));
    let mut memory = Memory::default();
    memory.add(at.address().into(), input.to_vec());
    memory.add(out.address().into(), vec![0; size]);
    let args = args.iter().map(|arg| arg.to_bytes(4).expect("words")).collect();
    let launch = reference::Launch {
        args,
        capability: machine.capability,
        ..reference::Launch::new(&program, 1, THREADS)
    };
    reference::run(&launch, &mut memory).unwrap_or_else(|e| panic!("{e}\n{text}"));
    Some((got, memory.ranges()[1].bytes.clone()))
}

/// A chip and a target for the text, which mean something of their own for single precision.
#[derive(Clone, Copy)]
struct Machine {
    chip: &'static str,
    capability: u32,
    target: &'static str,
    version: &'static str,
}

const OLD: Machine = Machine { chip: "g80", capability: 10, target: "sm_10", version: "1.4" };
const NEW: Machine = Machine { chip: "fermi", capability: 20, target: "sm_20", version: "2.3" };
/// A module from before on a chip without truncating multiplier.
const OLD_ON_NEW: Machine = Machine { target: "sm_13", version: "1.4", ..NEW };

/// Compares all forms that `keep` lets through; `least` of them or more must be there.
fn compare(machine: Machine, least: usize, keep: impl Fn(&Form) -> bool) {
    let mut forms = Vec::new();
    arithmetic(&mut forms);
    bits(&mut forms);
    comparisons(&mut forms);
    conversions(&mut forms);
    forms.retain(keep);
    let mut numbers = Numbers::new(7);
    let (mut compared, mut wrong) = (0, Vec::new());
    for form in &forms {
        let input = operands(&mut numbers);
        let Some((got, wanted)) = both(form, machine, &input) else { continue };
        compared += 1;
        if let Some(at) = got.iter().zip(&wanted).position(|(a, b)| a != b) {
            let thread = at / 16;
            let (got, wanted) = (&got[16 * thread..][..16], &wanted[16 * thread..][..16]);
            let input = &input[32 * thread..][..32];
            wrong.push(format!(
                "{} {:?}: {got:x?}, reference {wanted:x?}, of {input:x?}",
                form.name, form.types
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= least, "the simulator has only {compared} of {} forms", forms.len());
}

#[test]
fn every_form_means_the_same_in_the_reference() {
    compare(OLD, 1_600, |_| true);
}

#[test]
fn single_precision_means_the_same_for_newer_targets_and_chips() {
    compare(NEW, 500, |form| form.types.contains(&"f32"));
    compare(OLD_ON_NEW, 400, |form| form.types.contains(&"f32"));
}

#[test]
fn what_sm_20_brought_means_the_same_in_the_reference() {
    let newer = |form: &Form| {
        let whole = form.name.starts_with("mad.") && !form.name.contains(".cc");
        NEWER.iter().any(|op| form.name.starts_with(op)) && !whole || form.name.starts_with("shf")
    };
    compare(NEW, 42, newer);
}

#[test]
fn parts_in_braces_mean_the_same_in_the_reference() {
    let text = ".version 2.3\n.target sm_20\n.entry k (.param .u32 in, .param .u32 out) {\n\
        .reg .u32 %t, %in, %out, %lo, %hi; .reg .b16 %h<6>; .reg .b64 %d; .reg .pred %p;\n\
        mov.u32 %t, %tid.x;\nld.param.u32 %in, [in];\nld.param.u32 %out, [out];\n\
        mad24.lo.u32 %in, %t, 32, %in;\nmad24.lo.u32 %out, %t, 16, %out;\n\
        ld.global.u64 %d, [%in];\nmov.b64 {%lo, %hi}, %d;\nmov.b64 {_, %h1, %h2, %h3}, %d;\n\
        mov.b32 {%h4, %h5}, %lo;\nmov.b32 %lo, {%h5, %h2};\nmov.b64 %d, {%hi, %lo};\n\
        st.global.u64 [%out], %d;\nsetp.lt.u32 %p, %t, 9;\n\
        @%p mov.b64 %d, {%h3, %h4, %h1, %h2};\nst.global.u64 [%out+8], %d;\nexit;\n}\n";
    let (got, wanted) = run_both(text, NEW, &operands(&mut Numbers::new(9))).expect("it is executed");
    assert_eq!(got, wanted);
}
