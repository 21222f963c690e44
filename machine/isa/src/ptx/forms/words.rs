//! Meaning of each word of an instruction's name.

use super::row::FormRow;
use super::{
    Atomic, Bounds, Cache, Combine, Compare, Form, Level, Opcode, Part, Permute, Rounding, Scale, Shuffle,
    Test, Vote,
};
use crate::types::{ScalarType, StateSpace};
use crate::uop::{Geometry, TextureQuery};

/// Returns the form that the words of a row's pattern describe.
pub(super) fn resolve(row: &FormRow, words: &[(&str, &str)]) -> Form {
    let mut form = Form {
        opcode: row.opcode,
        ty: None,
        source: None,
        second: None,
        compare: None,
        combine: None,
        test: None,
        part: None,
        rounding: None,
        ftz: false,
        sat: false,
        approx: false,
        full: false,
        cc: false,
        permute: None,
        space: None,
        volatile: false,
        cache: None,
        vector: 1,
        atomic: None,
        geometry: None,
        query: None,
        bounds: None,
        scale: None,
        plus_one: false,
        vote: None,
        shuffle: None,
        level: None,
        sm: row.sm as u8,
    };
    for (class, word) in words {
        // `lo`, `hi`, `and` and `or` have different meanings at different positions.
        match *class {
            "cmpi" | "cmpu" | "cmpf" | "eq|ne" => form.compare = find(&COMPARES, word),
            "bool" => form.combine = find(&COMBINES, word),
            "and|or" if row.opcode == Opcode::BarRed => form.combine = find(&COMBINES, word),
            "aword" => form.source = ScalarType::from_name(word),
            "u32" if matches!(row.opcode, Opcode::Vshl | Opcode::Vshr) => form.second = Some(ScalarType::U32),
            "bword" => form.second = ScalarType::from_name(word),
            "test" => form.test = find(&TESTS, word),
            "all|any|uni" | "ballot" => form.vote = find(&VOTES, word),
            _ => form = modifier(form, word),
        }
    }
    form
}

/// Returns `form` with the value of a word that has the same meaning in every instruction.
// The function uses struct expressions because an assignment to a field counts as a read; with
// struct expressions the compiler reports a field that is never read.
fn modifier(form: Form, word: &str) -> Form {
    match word {
        "lo" => Form { part: Some(Part::Lo), ..form },
        "hi" => Form { part: Some(Part::Hi), ..form },
        "wide" => Form { part: Some(Part::Wide), ..form },
        "ftz" => Form { ftz: true, ..form },
        "sat" => Form { sat: true, ..form },
        "approx" => Form { approx: true, ..form },
        "full" => Form { full: true, ..form },
        "cc" => Form { cc: true, ..form },
        "po" => Form { plus_one: true, ..form },
        "volatile" => Form { volatile: true, ..form },
        "v2" => Form { vector: 2, ..form },
        "v4" => Form { vector: 4, ..form },
        _ => {
            let mut form = form;
            let ty = ScalarType::from_name(word);
            // The second type of an instruction such as `cvt` is the source type.
            if form.ty.is_some() && ty.is_some() {
                form.source = ty;
            } else {
                form.ty = form.ty.or(ty);
            }
            let known = ty.is_some()
                | set(&mut form.rounding, &ROUNDINGS, word)
                | set(&mut form.space, &SPACES, word)
                | set(&mut form.cache, &CACHES, word)
                | set(&mut form.atomic, &ATOMICS, word)
                | set(&mut form.level, &LEVELS, word)
                | set(&mut form.permute, &PERMUTES, word)
                | set(&mut form.geometry, &Geometry::NAMES, word)
                | set(&mut form.bounds, &BOUNDS, word)
                | set(&mut form.scale, &SCALES, word)
                | set(&mut form.shuffle, &SHUFFLES, word)
                | set(&mut form.query, &TextureQuery::NAMES, word)
                | WITHOUT_FIELD.contains(&word);
            // The row's pattern has accepted the word, and a unit test resolves every word of every
            // pattern.
            assert!(known, "`modifier` does not know the word `.{word}` of the table of forms");
            form
        }
    }
}

/// Sets a field if it is empty. Returns whether the word is one of `names`.
fn set<T: Copy>(field: &mut Option<T>, names: &[(&str, T)], word: &str) -> bool {
    let found = find(names, word);
    *field = field.or(found);
    found.is_some()
}

fn find<T: Copy>(names: &[(&str, T)], word: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// Words that set no field because the opcode implies them (`bar.sync`), a micro-op has the same
/// name (`shf.l.wrap.b32`), or they change no result (`prefetch.L1`, `ld.global.nc`, `bra.uni`).
const WITHOUT_FIELD: [&str; 15] =
    ["L1", "L2", "arrive", "b", "l", "nc", "p", "popc", "r", "red", "shiftamt", "sync", "to", "uni", "warp"];

const COMPARES: [(&str, Compare); 18] = [
    ("eq", Compare::Eq),
    ("ne", Compare::Ne),
    ("lt", Compare::Lt),
    ("le", Compare::Le),
    ("gt", Compare::Gt),
    ("ge", Compare::Ge),
    ("lo", Compare::Lt),
    ("ls", Compare::Le),
    ("hi", Compare::Gt),
    ("hs", Compare::Ge),
    ("equ", Compare::Equ),
    ("neu", Compare::Neu),
    ("ltu", Compare::Ltu),
    ("leu", Compare::Leu),
    ("gtu", Compare::Gtu),
    ("geu", Compare::Geu),
    ("num", Compare::Num),
    ("nan", Compare::Nan),
];
const COMBINES: [(&str, Combine); 3] = [("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Xor)];
const TESTS: [(&str, Test); 6] = [
    ("finite", Test::Finite),
    ("infinite", Test::Infinite),
    ("number", Test::Number),
    ("notanumber", Test::NotANumber),
    ("normal", Test::Normal),
    ("subnormal", Test::Subnormal),
];
const ROUNDINGS: [(&str, Rounding); 8] = [
    ("rn", Rounding::Rn),
    ("rz", Rounding::Rz),
    ("rm", Rounding::Rm),
    ("rp", Rounding::Rp),
    ("rni", Rounding::Rni),
    ("rzi", Rounding::Rzi),
    ("rmi", Rounding::Rmi),
    ("rpi", Rounding::Rpi),
];
const PERMUTES: [(&str, Permute); 6] = [
    ("f4e", Permute::F4e),
    ("b4e", Permute::B4e),
    ("rc8", Permute::Rc8),
    ("ecl", Permute::Ecl),
    ("ecr", Permute::Ecr),
    ("rc16", Permute::Rc16),
];
const SPACES: [(&str, StateSpace); 5] = [
    ("const", StateSpace::Const),
    ("global", StateSpace::Global),
    ("local", StateSpace::Local),
    ("param", StateSpace::Param),
    ("shared", StateSpace::Shared),
];
const CACHES: [(&str, Cache); 7] = [
    ("ca", Cache::Ca),
    ("cg", Cache::Cg),
    ("cs", Cache::Cs),
    ("lu", Cache::Lu),
    ("cv", Cache::Cv),
    ("wb", Cache::Wb),
    ("wt", Cache::Wt),
];
const LEVELS: [(&str, Level); 3] = [("cta", Level::Cta), ("gl", Level::Gl), ("sys", Level::Sys)];
const ATOMICS: [(&str, Atomic); 10] = [
    ("add", Atomic::Add),
    ("inc", Atomic::Inc),
    ("dec", Atomic::Dec),
    ("min", Atomic::Min),
    ("max", Atomic::Max),
    ("and", Atomic::And),
    ("or", Atomic::Or),
    ("xor", Atomic::Xor),
    ("exch", Atomic::Exch),
    ("cas", Atomic::Cas),
];
const BOUNDS: [(&str, Bounds); 4] =
    [("clamp", Bounds::Clamp), ("wrap", Bounds::Wrap), ("trap", Bounds::Trap), ("zero", Bounds::Zero)];
const SCALES: [(&str, Scale); 2] = [("shr7", Scale::Shr7), ("shr15", Scale::Shr15)];
const SHUFFLES: [(&str, Shuffle); 4] =
    [("up", Shuffle::Up), ("down", Shuffle::Down), ("bfly", Shuffle::Bfly), ("idx", Shuffle::Idx)];
const VOTES: [(&str, Vote); 4] =
    [("all", Vote::All), ("any", Vote::Any), ("uni", Vote::Uni), ("ballot", Vote::Ballot)];

#[cfg(test)]
mod tests {
    use super::super::pattern::items;
    use super::super::table::FORMS;
    use super::*;

    #[test]
    fn every_word_of_the_table_has_a_meaning() {
        for row in FORMS {
            for item in items(row) {
                item.choices().for_each(|word| _ = resolve(row, &[(item.class, word)]));
            }
        }
    }
}
