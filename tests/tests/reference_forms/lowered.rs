//! Instructions of Fermi on chips of compute capability 1.x: each form for `sm_20` computes there
//! what it computes on Fermi. Doubles in memory have the values that conversions give.

use super::forms::{self, Form};
use super::kernel::{FUNNEL, NEW, kernel, operands, simulated, simulated_on};
use isa::sem::double::{f32_from_f64_rn_ftz, f64_from_f32};
use test_support::random::Numbers;

/// Instructions that are expanded.
const EXPANDED: [&str; 8] = ["bfe", "bfi", "bfind", "brev", "clz", "popc", "prmt", "shf"];

/// Chips of different capabilities.
const OLD: [&str; 3] = ["g80", "8800gt", "gt200"];

/// Tests: `retargeted-results`.
#[test]
fn expanded_instructions_compute_what_they_compute_on_fermi() {
    let mut forms: Vec<Form> = Vec::new();
    forms::bits(&mut forms);
    forms.retain(|form| EXPANDED.iter().any(|name| form.name.starts_with(name)));
    forms.push(forms::form("copysign.f32", &["f32", "f32", "f32"]));
    let mut numbers = Numbers::new(11);
    for form in &forms {
        // Small amounts of shifts and small fields are as frequent as others.
        for round in 0..4 {
            let mut input = operands(&mut numbers);
            if round % 2 == 1 {
                for amount in
                    input.chunks_mut(8).enumerate().filter(|(place, _)| place % 4 > 0).map(|(_, a)| a)
                {
                    amount[0] %= 70;
                    amount[1..].fill(0);
                }
            }
            let text = kernel(form, NEW);
            let wanted = simulated(&text, NEW, &input).unwrap_or_else(|| panic!("{}", form.name));
            for chip in OLD {
                let got = simulated_on(chip, &text, &input).unwrap_or_else(|e| panic!("{e}"));
                let differs = got.chunks(16).zip(wanted.chunks(16)).position(|(a, b)| a != b);
                let of = differs.map(|thread| &input[32 * thread..32 * thread + 32]);
                assert!(differs.is_none(), "{} on {chip}: {of:x?}", form.name);
            }
        }
    }
    assert_eq!(forms.len(), 32, "forms");
}

/// Fields and permutations with constants have shorter code.
///
/// Tests: `retargeted-results`.
#[test]
fn constant_operands_have_the_same_results() {
    let mut numbers = Numbers::new(12);
    let names = [
        "bfe.u32",
        "bfe.s32",
        "bfe.u64",
        "bfe.s64",
        "bfi.b32",
        "bfi.b64",
        "prmt.b32",
        "shf.l.wrap.b32",
        "shf.r.clamp.b32",
    ];
    for name in names {
        for _ in 0..12 {
            let (a, b) = (numbers.below(70), numbers.below(70));
            let wide = name.ends_with("64");
            let (ty, register) = if wide { ("b64", "%x") } else { ("b32", "%a") };
            let (source, last) = match &name[..4] {
                "bfe." => (register.to_owned(), format!("{a}, {b}")),
                "bfi." => (format!("{register}, {}", if wide { "%y" } else { "%b" }), format!("{a}, {b}")),
                "prmt" => ("%a, %b".to_owned(), format!("{:#x}", numbers.bits() & 0xffff)),
                _ => ("%a, %b".to_owned(), format!("{a}")),
            };
            let (version, target) = if name.starts_with("shf") { FUNNEL } else { ("3.2", "sm_20") };
            let text = format!(
                ".version {version}\n.target {target}\n.entry k (.param .u32 in, .param .u32 out) {{\n.reg .u32 %t, %in, %out; .reg .b32 %a, %b;\n\
                 .reg .b64 %x, %y; .reg .pred %p;\nmov.u32 %t, %tid.x; ld.param.u32 %in, [in]; ld.param.u32 %out, [out];\n\
                 mad24.lo.u32 %in, %t, 32, %in; mad24.lo.u32 %out, %t, 16, %out;\nld.global.b32 %a, [%in]; ld.global.b32 %b, [%in+8];\n\
                 ld.global.b64 %x, [%in]; ld.global.b64 %y, [%in+8]; setp.ne.u32 %p, %t, 5;\n\
                 @%p {name} {register}, {source}, {last};\nst.global.{ty} [%out], {register};\nexit;\n}}\n"
            );
            let input = operands(&mut numbers);
            let wanted = simulated(&text, NEW, &input).unwrap_or_else(|| panic!("{text}"));
            for chip in OLD {
                let got = simulated_on(chip, &text, &input).unwrap_or_else(|e| panic!("{e}"));
                assert_eq!(got, wanted, "{chip}: {text}");
            }
        }
    }
}

/// Tests: `retargeted-results`.
#[test]
fn doubles_in_memory_are_rounded_and_extended() {
    let text = ".version 3.2\n.target sm_20\n.entry k (.param .u32 in, .param .u32 out) {\n.reg .u32 %t, %in, %out;\n\
        .reg .f64 %a, %b, %c; .reg .f32 %f; .reg .b64 %x; .reg .b32 %low, %high;\n\
        mov.u32 %t, %tid.x; ld.param.u32 %in, [in]; ld.param.u32 %out, [out];\n\
        mad24.lo.u32 %in, %t, 32, %in; mad24.lo.u32 %out, %t, 16, %out;\n\
        ld.global.f64 %a, [%in]; cvt.rn.f32.f64 %f, %a; st.global.f32 [%out], %f;\n\
        ld.global.v2.f64 {%b, %c}, [%in+16]; mov.b64 {%low, %high}, %c; mov.b64 %x, %c; mov.b64 %c, %x;\n\
        st.global.b32 [%out+4], %high; st.global.f64 [%out+8], %c;\nexit;\n}\n";
    let mut numbers = Numbers::new(13);
    for round in 0..24 {
        let mut input = operands(&mut numbers);
        for double in input.chunks_mut(8) {
            let bits = numbers.bits();
            // Numbers near the smallest and the largest f32, and halves between two f32.
            let exponent = [0x380, 0x381, 0x37f, 0x47e, 0x47f, 0x36a, 0x7ff, 0x3ff][numbers.below(8)] << 52;
            let fraction = match numbers.below(4) {
                0 => bits >> 12,
                1 => bits >> 12 & !0x1fff_ffff | 0x1000_0000,
                2 => 0x000f_ffff_e000_0000 | bits & 0x1fff_ffff,
                _ => (bits >> 12 & 1) << 29 | [0, 1, 0x0fff_ffff, 0x1000_0000, 0x1000_0001][numbers.below(5)],
            };
            if round > 0 {
                double.copy_from_slice(&(bits & 1 << 63 | exponent | fraction).to_le_bytes());
            }
        }
        for chip in ["g80", "8800gt"] {
            let got = simulated_on(chip, text, &input).unwrap_or_else(|e| panic!("{e}"));
            for (got, input) in got.chunks(16).zip(input.chunks(32)) {
                let double = |at: usize| u64::from_le_bytes(*input[at..].first_chunk().expect("a double"));
                let [first, second] = [double(0), double(24)].map(f32_from_f64_rn_ftz);
                // The conversion to single precision, which both operands have, gives one NaN.
                let first = if f32::from_bits(first).is_nan() { 0x7fff_ffff } else { first };
                let stored = f64_from_f32(second);
                let wanted = [first, (stored >> 32) as u32, stored as u32, (stored >> 32) as u32];
                let wanted: Vec<u8> = wanted.iter().flat_map(|word| word.to_le_bytes()).collect();
                assert_eq!(got, wanted, "{chip}: {:x} {:x}", double(0), double(24));
            }
        }
    }
}

/// Tests: `retargeted-results`.
#[test]
fn masks_of_lanes_are_computed() {
    let names = ["eq", "lt", "le", "ge", "gt"];
    for name in names {
        let text = format!(
            ".version 3.2\n.target sm_20\n.entry k (.param .u32 in, .param .u32 out) {{\n.reg .u32 %t, %out, %m;\n\
             mov.u32 %t, %tid.x; ld.param.u32 %out, [out]; mad24.lo.u32 %out, %t, 16, %out;\n\
             mov.u32 %m, %lanemask_{name}; st.global.u32 [%out], %m;\nexit;\n}}\n"
        );
        let input = operands(&mut Numbers::new(1));
        let wanted = simulated(&text, NEW, &input).expect("it is executed");
        assert_eq!(simulated_on("g80", &text, &input).unwrap_or_else(|e| panic!("{e}")), wanted, "{name}");
    }
}
