//! The built-in kernels as people list them: the variants of a family in one entry.

use crate::exit::Failure;
use crate::render::number::count;
use isa::diag::nearest;
use isa::types::Dim3;
use kernels::Workload;

/// A kernel, or a family of variants.
pub struct Entry {
    /// What it is called; a variant's name begins with it.
    pub name: &'static str,
    /// The kernel, or the variants.
    pub members: &'static [Workload],
}

/// All entries, in order.
pub fn entries() -> Vec<Entry> {
    let members = kernels::all().chunk_by(|a, b| a.family.is_some() && a.family == b.family);
    let entry = |members: &'static [Workload]| match (members, members[0].family) {
        ([_, _, ..], Some(family)) => Entry { name: family, members },
        _ => Entry { name: members[0].name, members },
    };
    members.map(entry).collect()
}

/// The kernels of these names, each in an entry of its own; a family's name means all its variants. Names that mean nothing
/// are told, each with the nearest that does.
pub fn named(names: &[String]) -> Result<Vec<Entry>, Failure> {
    let is_meant = |w: &Workload, name: &str| w.name == name || w.family == Some(name);
    let known = || kernels::all().iter().flat_map(|w| [Some(w.name), w.family]).flatten();
    let unknown = |name: &str| {
        let near =
            nearest(name, known()).map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
        format!("error: there is no kernel or family `{name}`{near}")
    };
    let wrong = names.iter().filter(|name| !kernels::all().iter().any(|w| is_meant(w, name)));
    let wrong: Vec<String> = wrong.map(|name| unknown(name)).collect();
    if !wrong.is_empty() {
        return Err(Failure::input(wrong.join("\n")));
    }
    let wanted = kernels::all().chunks(1).filter(|one| names.iter().any(|name| is_meant(&one[0], name)));
    Ok(wanted.map(|members| Entry { name: members[0].name, members }).collect())
}

impl Entry {
    /// What it does.
    pub fn about(&self) -> String {
        self.common(|member| member.about)
    }

    /// Where the book has it.
    pub fn book(&self) -> String {
        self.common(|member| member.book)
    }

    /// What its size counts, and the size where none is given.
    pub fn size(&self) -> String {
        let mut sizes: Vec<u64> = self.members.iter().map(|member| member.default_size).collect();
        sizes.dedup();
        let sizes: Vec<String> = sizes.into_iter().map(count).collect();
        format!("{}; default {}", self.common(|member| member.size_meaning), sizes.join(" or "))
    }

    /// The blocks that are launched.
    pub fn blocks(&self) -> String {
        let mut blocks: Vec<Dim3> = Vec::new();
        for member in self.members {
            if !blocks.contains(&member.block) {
                blocks.push(member.block);
            }
        }
        match blocks[..] {
            [one] => format!("{one} = {} threads", count(one.count())),
            _ => blocks.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "),
        }
    }

    /// Of a family: its name where that alone is a variant, and what is put behind it to name the others.
    pub fn variants(&self) -> Option<String> {
        let ending = |member: &Workload| match member.name.strip_prefix(self.name) {
            Some(ending) if !ending.is_empty() => ending.to_owned(),
            _ => member.name.to_owned(),
        };
        let endings: Vec<String> = self.members.iter().map(ending).collect();
        (self.members.len() > 1).then(|| endings.join(", "))
    }

    fn common(&self, text: impl Fn(&'static Workload) -> &'static str) -> String {
        let texts: Vec<&str> = self.members.iter().map(text).collect();
        common(&texts)
    }
}

/// What all texts begin with, whole words of it; the first text where that is not even two words.
fn common(texts: &[&str]) -> String {
    let [first, rest @ ..] = texts else { return String::new() };
    if rest.iter().all(|text| text == first) {
        return (*first).to_owned();
    }
    let words: Vec<&str> = first.split(' ').collect();
    let plain = |word: &str| word.trim_end_matches(',').to_owned();
    let same = |text: &&str| text.split(' ').zip(&words).take_while(|(a, b)| plain(a) == plain(b)).count();
    match rest.iter().map(same).min().unwrap_or(0) {
        0 | 1 => (*first).to_owned(),
        shared => format!("{} …", plain(&words[..shared].join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_one_entry_each_and_nobody_is_left_out() {
        let entries = entries();
        let members: usize = entries.iter().map(|entry| entry.members.len()).sum();
        assert_eq!(members, kernels::all().len());
        for (i, entry) in entries.iter().enumerate() {
            assert!(
                entries[..i].iter().all(|other| other.name != entry.name),
                "{} is torn apart",
                entry.name
            );
            assert_eq!(entry.variants().is_some(), entry.members.len() > 1);
            for member in entry.members {
                let ending = member.name.strip_prefix(entry.name);
                assert!(ending.is_some_and(|e| e.is_empty() || e.starts_with('-')), "{}", member.name);
            }
        }
        let coulomb = entries.iter().find(|entry| entry.name == "coulomb").expect("a family");
        assert_eq!(coulomb.variants().as_deref(), Some("-v1, -v2, -v3"));
        let tiled = entries.iter().find(|entry| entry.name == "matmul-tiled").expect("a family");
        assert!(tiled.variants().is_some_and(|names| names.starts_with("matmul-tiled, -2, ")));
        assert!(tiled.blocks().contains("(16,16,1), (2,2,1)"), "{}", tiled.blocks());
        assert!(
            entries.iter().any(|entry| entry.name == "vecadd" && entry.blocks() == "(256,1,1) = 256 threads")
        );
    }

    #[test]
    fn a_familys_name_means_its_variants() {
        let named = |line: &str| {
            let names: Vec<String> = line.split(' ').map(str::to_owned).collect();
            let names = named(&names).map_err(|failure| failure.message);
            names.map(|entries| entries.iter().map(|entry| entry.name).collect::<Vec<_>>())
        };
        assert_eq!(named("coulomb vecadd").unwrap(), ["vecadd", "coulomb-v1", "coulomb-v2", "coulomb-v3"]);
        let told = named("coulom vecadd matmul-tiled-9").unwrap_err();
        assert!(
            told.contains("`coulom`; did you mean `coulomb`?") && told.contains("`matmul-tiled-9`"),
            "{told}"
        );
    }

    #[test]
    fn the_common_beginning_is_of_whole_words() {
        assert_eq!(common(&["adds two", "adds two"]), "adds two");
        assert_eq!(common(&["a product by 2x2 tiles", "a product by 4x4 tiles"]), "a product by …");
        assert_eq!(common(&["one for each thread", "one for each thread, twice"]), "one for each thread …");
        assert_eq!(common(&["potential of a slice", "the same, slower"]), "potential of a slice");
        assert_eq!(common(&["Kirk & Hwu, section 6.4", "Kirk & Hwu, section 6.5"]), "Kirk & Hwu, section …");
    }
}
