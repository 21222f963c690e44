//! The instruction forms other than floating point.

use isa::types::ScalarType;

/// An instruction form: its name, the type of each operand (the result's first), and whether a
/// predicate is the last operand.
pub struct Form {
    pub name: String,
    pub types: Vec<&'static str>,
    pub predicate: bool,
}

pub fn form(name: impl Into<String>, types: &[&'static str]) -> Form {
    Form { name: name.into(), types: types.to_vec(), predicate: false }
}

pub fn bytes(ty: &str) -> u32 {
    ScalarType::from_name(ty).expect("a type").bytes()
}

pub const INTS: [&str; 6] = ["u16", "u32", "u64", "s16", "s32", "s64"];
pub const SMALL: [&str; 2] = ["u8", "s8"];

/// Type of the result of `mul.wide`.
fn twice(ty: &str) -> &'static str {
    match ty {
        "u16" => "u32",
        "s16" => "s32",
        "u32" => "u64",
        _ => "s64",
    }
}

pub fn arithmetic(forms: &mut Vec<Form>) {
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
}

pub fn bits(forms: &mut Vec<Form>) {
    for ty in ["u32", "s32"] {
        for op in ["add.cc", "sub.cc", "addc", "addc.cc", "subc", "subc.cc"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty]));
        }
        for op in ["mad.lo.cc", "mad.hi.cc", "madc.lo", "madc.hi", "madc.lo.cc", "madc.hi.cc"] {
            forms.push(form(format!("{op}.{ty}"), &[ty, ty, ty, ty]));
        }
    }
    for ty in ["u16", "s16", "u64", "s64"] {
        forms.push(form(format!("addc.{ty}"), &[ty, ty, ty]));
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

pub fn comparisons(forms: &mut Vec<Form>) {
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

pub fn conversions(forms: &mut Vec<Form>) {
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
