//! The built-in kernels as people list them: the variants of a family in one entry.

use crate::render::number::count;
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

/// Words with which a sentence cannot stop.
const LEADING: [&str; 8] = ["a", "the", "of", "by", "with", "in", "section", "(figure"];

/// What all texts begin with, whole words of it; the first text where that is not even two words.
fn common(texts: &[&str]) -> String {
    let [first, rest @ ..] = texts else { return String::new() };
    if rest.iter().all(|text| text == first) {
        return (*first).to_owned();
    }
    let first_words: Vec<&str> = first.split(' ').collect();
    let same = |text: &&str| text.split(' ').zip(&first_words).take_while(|(a, b)| a == *b).count();
    let mut shared = rest.iter().map(same).min().unwrap_or(0);
    while shared > 0 && LEADING.contains(&first_words[shared - 1]) {
        shared -= 1;
    }
    if shared < 2 {
        return (*first).to_owned();
    }
    format!("{} …", first_words[..shared].join(" ").trim_end_matches(','))
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
    fn the_common_beginning_ends_with_a_word_that_can_end_it() {
        assert_eq!(common(&["adds two", "adds two"]), "adds two");
        assert_eq!(
            common(&["multiplies two by 2x2 tiles", "multiplies two by 4x4 tiles"]),
            "multiplies two …"
        );
        assert_eq!(common(&["potential of a slice", "the same, slower"]), "potential of a slice");
        assert_eq!(common(&["Kirk & Hwu, section 6.4", "Kirk & Hwu, section 6.5"]), "Kirk & Hwu …");
    }
}
