//! The instruction forms of single and double precision.

use super::forms::{Form, INTS, SMALL, bytes, form};

/// Single precision.
pub fn single(forms: &mut Vec<Form>) {
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

/// The approximate functions other than division and roots, with their modifiers. PTX 1.0 to 1.3
/// writes them without modifiers.
pub fn special(forms: &mut Vec<Form>, modifiers: &[&str]) {
    for op in ["sin", "cos", "lg2", "ex2"] {
        forms.extend(modifiers.iter().map(|word| form(format!("{op}{word}.f32"), &["f32", "f32"])));
    }
}

const ROUNDS: [&str; 4] = [".rn", ".rz", ".rm", ".rp"];

/// Double precision.
pub fn double(forms: &mut Vec<Form>) {
    let d = "f64";
    for round in ["", ".rn", ".rz", ".rm", ".rp"] {
        forms.extend(["add", "sub", "mul", "div"].map(|op| form(format!("{op}{round}.f64"), &[d, d, d])));
        forms.extend(["mad", "fma"].map(|op| form(format!("{op}{round}.f64"), &[d, d, d, d])));
        forms.extend(["rcp", "sqrt"].map(|op| form(format!("{op}{round}.f64"), &[d, d])));
    }
    forms.extend(["min", "max", "copysign"].map(|op| form(format!("{op}.f64"), &[d, d, d])));
    forms.extend(["neg", "abs", "mov"].map(|op| form(format!("{op}.f64"), &[d, d])));
    forms.extend(["rcp.approx.ftz.f64", "rsqrt.approx.f64"].map(|name| form(name, &[d, d])));
    for test in ["finite", "infinite", "number", "notanumber", "normal", "subnormal"] {
        forms.push(form(format!("testp.{test}.f64"), &["pred", d]));
    }
    for word in COMPARISONS.split(' ') {
        for combine in ["", ".and", ".or", ".xor"] {
            let predicate = !combine.is_empty();
            forms.push(Form { predicate, ..form(format!("setp.{word}{combine}.f64"), &["pred", d, d]) });
            for to in ["u32", "s32", "f32"] {
                let set = form(format!("set.{word}{combine}.{to}.f64"), &[to, d, d]);
                forms.push(Form { predicate, ..set });
            }
        }
    }
    forms.push(Form { predicate: true, ..form("selp.f64", &[d, d, d]) });
    forms.push(form("slct.f64.s32", &[d, d, d, "s32"]));
    forms.extend(["slct.f64.f32", "slct.ftz.f64.f32"].map(|name| form(name, &[d, d, d, "f32"])));
}

/// All words for comparisons of floating-point numbers.
pub const COMPARISONS: &str = "eq ne lt le gt ge equ neu ltu leu gtu geu num nan";

/// Conversions from and to double precision.
pub fn double_conversions(forms: &mut Vec<Form>) {
    let wider = |ty: &'static str| INTS.into_iter().filter(move |held| bytes(held) >= bytes(ty));
    for ty in INTS.into_iter().chain(SMALL) {
        for sat in ["", ".sat"] {
            for round in ROUNDS {
                let name = format!("cvt{round}{sat}.f64.{ty}");
                forms.extend(wider(ty).map(|held| form(name.clone(), &["f64", held])));
            }
            for round in [".rni", ".rzi", ".rmi", ".rpi"] {
                let name = format!("cvt{round}{sat}.{ty}.f64");
                forms.extend(wider(ty).map(|held| form(name.clone(), &[held, "f64"])));
            }
        }
    }
    for sat in ["", ".sat"] {
        for round in ["", ".rni", ".rzi", ".rmi", ".rpi"] {
            forms.push(form(format!("cvt{round}{sat}.f64.f64"), &["f64", "f64"]));
        }
        for flush in ["", ".ftz"] {
            forms.push(form(format!("cvt{flush}{sat}.f64.f32"), &["f64", "f32"]));
            for round in ROUNDS {
                forms.push(form(format!("cvt{round}{flush}{sat}.f32.f64"), &["f32", "f64"]));
            }
        }
    }
}
