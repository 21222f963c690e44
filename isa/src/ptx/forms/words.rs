//! What each word of an instruction's name means.

use super::row::Row;
use super::{Atomic, Cache, Combine, Compare, Form, Level, Opcode, Part, Permute, Rounding, Test, Vote};
use crate::types::{ScalarType, StateSpace};

/// What the words of a row's pattern say, as a form.
pub(super) fn resolve(row: &Row, words: &[(&str, &str)]) -> Form {
    let mut form = Form {
        opcode: row.opcode,
        ty: None,
        source: None,
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
        shiftamt: false,
        left: false,
        clamp: false,
        permute: None,
        space: None,
        volatile: false,
        cache: None,
        vector: 1,
        uni: false,
        atomic: None,
        vote: None,
        level: None,
        sm: row.sm,
    };
    for (class, word) in words {
        // `lo`, `hi`, `and` and `or` mean different things in different places.
        match *class {
            "cmpi" | "cmpu" | "cmpf" | "eq|ne" => form.compare = find(&COMPARES, word),
            "bool" => form.combine = find(&COMBINES, word),
            "and|or" if row.opcode == Opcode::BarRed => form.combine = find(&COMBINES, word),
            "test" => form.test = find(&TESTS, word),
            "all|any|uni" | "ballot" => form.vote = find(&VOTES, word),
            _ => modifier(&mut form, word),
        }
    }
    form
}

/// Enters a word that means the same in every instruction.
fn modifier(form: &mut Form, word: &str) {
    match word {
        "lo" => form.part = Some(Part::Lo),
        "hi" => form.part = Some(Part::Hi),
        "wide" => form.part = Some(Part::Wide),
        "ftz" => form.ftz = true,
        "sat" => form.sat = true,
        "approx" => form.approx = true,
        "full" => form.full = true,
        "cc" => form.cc = true,
        "shiftamt" => form.shiftamt = true,
        "l" => form.left = true,
        "clamp" => form.clamp = true,
        "volatile" => form.volatile = true,
        "uni" => form.uni = true,
        "v2" => form.vector = 2,
        "v4" => form.vector = 4,
        _ => {
            let ty = ScalarType::from_name(word);
            // The second type of `cvt` is the source's.
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
                | WITHOUT_FIELD.contains(&word);
            // A row's pattern has accepted the word, and the unit test resolves every word of every pattern.
            assert!(known, "`modifier` does not know the word `.{word}` of the table of forms");
        }
    }
}

/// Sets a field that is empty. Returns whether the word is one of `names`.
fn set<T: Copy>(field: &mut Option<T>, names: &[(&str, T)], word: &str) -> bool {
    let found = find(names, word);
    *field = field.or(found);
    found.is_some()
}

fn find<T: Copy>(names: &[(&str, T)], word: &str) -> Option<T> {
    names.iter().find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// Words that set no field: the opcode has them (`bar.sync`), they say what holds without them (`shf.r.wrap`), or they
/// change no result (`prefetch.L1`, `ld.global.nc`).
const WITHOUT_FIELD: [&str; 10] = ["L1", "L2", "arrive", "nc", "popc", "r", "red", "sync", "to", "wrap"];

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
