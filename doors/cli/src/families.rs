//! The built-in kernels for listings: the variants of a family are one entry.

use crate::exit::Failure;
use crate::render::number::count;
use isa::types::Dim3;
use kernels::Workload;
use kernels::families::{Family, family};

/// A kernel, or a family of variants.
pub struct Entry {
    /// Name; the names of variants begin with it.
    pub name: &'static str,
    /// The kernel, or the variants.
    pub members: &'static [Workload],
}

/// Returns all entries, in order.
pub fn entries() -> Vec<Entry> {
    let members = kernels::all().chunk_by(|a, b| a.family.is_some() && a.family == b.family);
    let entry = |members: &'static [Workload]| match (members, members[0].family) {
        ([_, _, ..], Some(family)) => Entry { name: family, members },
        _ => Entry { name: members[0].name, members },
    };
    members.map(entry).collect()
}

/// Returns the kernels of these names, one entry each; the name of a family means all its variants.
/// The error lists every unknown name with the nearest known one.
pub fn named(names: &[String]) -> Result<Vec<Entry>, Failure> {
    let is_meant = |w: &Workload, name: &str| w.name == name || w.family == Some(name);
    let unknown =
        |name: &str| format!("error: unknown kernel or family `{name}`{}", kernels::families::near(name));
    let wrong = names.iter().filter(|name| !kernels::all().iter().any(|w| is_meant(w, name)));
    let wrong: Vec<String> = wrong.map(|name| unknown(name)).collect();
    if !wrong.is_empty() {
        return Err(Failure::input(wrong.join("\n")));
    }
    let wanted = kernels::all().chunks(1).filter(|one| names.iter().any(|name| is_meant(&one[0], name)));
    Ok(wanted.map(|members| Entry { name: members[0].name, members }).collect())
}

impl Entry {
    /// Returns the description.
    pub fn about(&self) -> &'static str {
        self.family().map_or(self.members[0].about, |family| family.about)
    }

    /// Returns the place in the book.
    pub fn book(&self) -> &'static str {
        self.family().and_then(|family| family.book).unwrap_or(self.members[0].book)
    }

    /// Returns the meaning of the size, and its default.
    pub fn size(&self) -> String {
        let mut sizes: Vec<u64> = self.members.iter().map(|member| member.default_size).collect();
        sizes.dedup();
        let sizes: Vec<String> = sizes.into_iter().map(count).collect();
        let own = self.family().and_then(|family| family.size_meaning);
        let meaning = own.unwrap_or(self.members[0].size_meaning);
        format!("{meaning}; default {}", sizes.join(" or "))
    }

    /// Returns the block sizes of the launches.
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

    /// For a family: its name if that alone is a variant, and the endings of the other variants.
    pub fn variants(&self) -> Option<String> {
        let ending = |member: &Workload| match member.name.strip_prefix(self.name) {
            Some(ending) if !ending.is_empty() => ending.to_owned(),
            _ => member.name.to_owned(),
        };
        let endings: Vec<String> = self.members.iter().map(ending).collect();
        (self.members.len() > 1).then(|| endings.join(", "))
    }

    /// Returns the family, if the entry has several variants.
    fn family(&self) -> Option<&'static Family> {
        (self.members.len() > 1).then(|| family(self.name)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_one_entry_and_every_kernel_is_listed() {
        let entries = entries();
        let members: usize = entries.iter().map(|entry| entry.members.len()).sum();
        assert_eq!(members, kernels::all().len());
        for (i, entry) in entries.iter().enumerate() {
            assert!(
                entries[..i].iter().all(|other| other.name != entry.name),
                "the variants of {} are not contiguous",
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
        let message = named("coulom vecadd matmul-tiled-9").unwrap_err();
        assert!(
            message.contains("`coulom`\nhelp: did you mean `coulomb`?")
                && message.contains("`matmul-tiled-9`"),
            "{message}"
        );
    }
}
