//! Compares every instruction form that the simulator executes with the reference interpreter, in
//! functional mode, with extreme and intermediate operands.

mod floats;
mod forms;
mod kernel;
mod lowered;

use forms::Form;
use kernel::{DOUBLE, FIRST, Machine, NEW, OLD, OLD_ON_NEW, both, operands, run_both};
use test_support::random::Numbers;

/// Names that need `sm_20`.
const NEWER: [&str; 9] = ["bfe", "bfi", "bfind", "brev", "clz", "mad.", "madc", "popc", "prmt"];

/// Returns all forms that are computed exactly.
fn all() -> Vec<Form> {
    let mut forms = Vec::new();
    forms::arithmetic(&mut forms);
    forms::bits(&mut forms);
    forms::comparisons(&mut forms);
    forms::conversions(&mut forms);
    floats::single(&mut forms);
    floats::double(&mut forms);
    floats::double_conversions(&mut forms);
    forms
}

/// Largest difference between the results of a form. For some forms the manual bounds the error and
/// leaves the bits open.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Bound {
    /// Equal bits.
    Equal,
    /// One unit in the last place of an f64, because both sides are within half a unit of the true
    /// value.
    Unit,
    /// A fraction of the value or, if that is less, the smallest normal f64.
    Part(f64),
    /// A number, and a fraction of the value, of an f32. Zeros, infinities, NaN and 1 are equal.
    Single { number: f32, part: f32 },
}

fn bound(form: &Form) -> Bound {
    match form.name.as_str() {
        // The bounds of the PTX manual. Those of `sin` and `cos` hold for all operands, because the
        // reference reduces the angle as the unit does; 2^-149 is the step of subnormal results.
        name if name.starts_with("sin") => Bound::Single { number: 2f32.powf(-20.5), part: 0.0 },
        name if name.starts_with("cos") => Bound::Single { number: 2f32.powf(-20.9), part: 0.0 },
        name if name.starts_with("lg2") => Bound::Single { number: 2f32.powf(-22.0), part: 2f32.powi(-23) },
        name if name.starts_with("ex2") => Bound::Single { number: 2f32.powi(-149), part: 2f32.powi(-22) },
        "rsqrt.approx.f64" => Bound::Unit,
        "rcp.approx.ftz.f64" => Bound::Part(2f64.powi(-19)),
        _ => Bound::Equal,
    }
}

/// Whether the results of two threads, 16 bytes each, are within the bound.
fn near(bound: Bound, got: &[u8], wanted: &[u8]) -> bool {
    let [a, b] = [got, wanted].map(|bytes| u64::from_le_bytes(*bytes.first_chunk().expect("a result")));
    match bound {
        Bound::Equal => got == wanted,
        // Adjacent numbers of the same sign. NaN, infinities and zeros have no adjacent numbers
        // here.
        Bound::Unit => a == b || a.abs_diff(b) == 1 && (1..0x7ff0 << 48).contains(&(a << 1 >> 1)),
        Bound::Single { number, part } => {
            let [x, y] = [a, b].map(|bits| f64::from(f32::from_bits(bits as u32)));
            let (number, part) = (f64::from(number), f64::from(part));
            a == b || y != 0.0 && y.is_finite() && (x - y).abs() <= number + part * y.abs()
        }
        Bound::Part(part) => {
            let [x, y] = [a, b].map(f64::from_bits);
            a == b || (x - y).abs() <= (y * part).abs().max(f64::MIN_POSITIVE)
        }
    }
}

/// Compares forms. At least `least` of them must be supported.
fn compare(machine: Machine, least: usize, forms: &[Form]) {
    let mut numbers = Numbers::new(7);
    let (mut compared, mut wrong) = (0, Vec::new());
    for form in forms {
        let input = operands(&mut numbers);
        let Some((got, wanted)) = both(form, machine, &input) else { continue };
        compared += 1;
        let bound = bound(form);
        let mut results = got.chunks(16).zip(wanted.chunks(16)).zip(input.chunks(32));
        if let Some(((got, wanted), input)) = results.find(|((got, wanted), _)| !near(bound, got, wanted)) {
            wrong.push(format!(
                "{} {:?}: {got:x?}, reference {wanted:x?}, of {input:x?}",
                form.name, form.types
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(compared >= least, "the simulator has only {compared} of {} forms", forms.len());
}

/// Returns the forms with an operand or result of type `ty`.
fn with(ty: &str) -> Vec<Form> {
    all().into_iter().filter(|form| form.types.contains(&ty)).collect()
}

/// Tests: `independent-reference`.
#[test]
fn every_form_agrees_with_the_reference() {
    // This target computes double precision in single precision.
    let forms: Vec<Form> = all().into_iter().filter(|form| !form.types.contains(&"f64")).collect();
    compare(OLD, 3_600, &forms);
}

#[test]
fn single_precision_agrees_for_newer_targets_and_chips() {
    compare(NEW, 1_100, &with("f32"));
    compare(OLD_ON_NEW, 1_000, &with("f32"));
}

/// Tests: `independent-reference`.
#[test]
fn double_precision_agrees_with_the_reference() {
    compare(NEW, 880, &with("f64"));
    compare(DOUBLE, 860, &with("f64"));
}

/// The reference has the true values.
///
/// Tests: `independent-reference`.
#[test]
fn special_functions_are_within_the_manuals_bounds_of_the_reference() {
    for (machine, modifiers) in [(NEW, &[".approx", ".approx.ftz"]), (FIRST, &["", ""])] {
        let mut forms = Vec::new();
        (0..4).for_each(|_| floats::special(&mut forms, modifiers));
        compare(machine, 32, &forms);
    }
}

#[test]
fn instructions_of_sm_20_agree_with_the_reference() {
    let newer = |form: &Form| {
        let whole = form.name.starts_with("mad.") && !form.name.contains(".cc");
        NEWER.iter().any(|op| form.name.starts_with(op)) && !whole || form.name.starts_with("shf")
    };
    let forms: Vec<Form> = all().into_iter().filter(newer).collect();
    compare(NEW, 42, &forms);
}

#[test]
fn vector_moves_agree_with_the_reference() {
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
