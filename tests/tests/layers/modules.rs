//! Reads which modules of a crate import which, from the tokens of its files.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// A path of modules, from the root of the crate.
type Names = Vec<String>;

/// A module of a crate, without its tests.
#[derive(Default)]
struct Module {
    /// Items of the crate that it names.
    named: BTreeSet<Names>,
    /// Items that it exports from elsewhere, by their name here.
    exported: BTreeMap<String, Names>,
}

/// The modules of a crate.
pub struct Sources {
    modules: BTreeMap<Names, Module>,
    /// A module, and a module of which it names an item.
    edges: BTreeSet<(Names, Names)>,
}

impl Sources {
    /// Reads the folder `src` of a crate.
    pub fn read(source: &Path) -> Self {
        let mut sources = Self { modules: BTreeMap::new(), edges: BTreeSet::new() };
        sources.add_folder(source, &[]);
        let edges = sources.modules.iter().flat_map(|(name, module)| {
            module.named.iter().map(|item| (name.clone(), sources.module_of(item, 0)))
        });
        sources.edges = edges.collect();
        sources
    }

    fn add_folder(&mut self, folder: &Path, own: &[String]) {
        for entry in fs::read_dir(folder).expect("a folder is readable") {
            let path = entry.expect("an entry is readable").path();
            let stem = path.file_stem().expect("an entry has a name").to_string_lossy().into_owned();
            let below = || own.iter().cloned().chain([stem.clone()]).collect::<Names>();
            if path.is_dir() && stem != "tests" && stem != "snapshots" {
                self.add_folder(&path, &below());
            } else if path.extension().is_some_and(|end| end == "rs") && stem != "tests" {
                let name =
                    if ["mod", "lib", "main"].contains(&stem.as_str()) { own.to_vec() } else { below() };
                let text = fs::read_to_string(&path).expect("a source file is readable");
                let tokens = text.parse().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let mut module = Module::default();
                module.read(tokens, &name);
                self.modules.insert(name, module);
            }
        }
    }

    /// Returns the imports between the modules of a folder: importing and imported.
    pub fn imports(&self, folder: &[String]) -> BTreeSet<(&str, &str)> {
        fn below<'n>(name: &'n Names, folder: &[String]) -> Option<&'n str> {
            name.strip_prefix(folder).and_then(<[String]>::first).map(String::as_str)
        }
        let pairs =
            self.edges.iter().filter_map(|(from, to)| Some((below(from, folder)?, below(to, folder)?)));
        pairs.filter(|(importing, imported)| importing != imported).collect()
    }

    /// Returns the folders with circles, and the modules of these.
    pub fn circles(&self) -> Vec<(Names, Names)> {
        let folders: BTreeSet<&[String]> =
            self.modules.keys().filter_map(|name| name.split_last().map(|(_, folder)| folder)).collect();
        let mut found = Vec::new();
        for folder in folders {
            let mut edges = self.imports(folder);
            // What imports nothing, or is not imported, is in no circle.
            loop {
                let from: BTreeSet<&str> = edges.iter().map(|edge| edge.0).collect();
                let to: BTreeSet<&str> = edges.iter().map(|edge| edge.1).collect();
                let before = edges.len();
                edges.retain(|edge| to.contains(edge.0) && from.contains(edge.1));
                if edges.len() == before {
                    break;
                }
            }
            let modules: BTreeSet<String> = edges.into_iter().map(|edge| edge.0.to_owned()).collect();
            if !modules.is_empty() {
                found.push((folder.to_vec(), modules.into_iter().collect()));
            }
        }
        found
    }

    /// Returns the module of an item, where it is defined. `depth` counts exports.
    fn module_of(&self, item: &[String], depth: usize) -> Names {
        let mut place = Names::new();
        for (at, name) in item.iter().enumerate() {
            place.push(name.clone());
            if self.modules.contains_key(&place) {
                continue;
            }
            place.pop();
            let exported = self.modules.get(&place).and_then(|module| module.exported.get(name));
            if let Some(path) = exported.filter(|path| depth < 8 && path[..] != item[..=at]) {
                let rest = &item[at + 1..];
                return self.module_of(&[path.as_slice(), rest].concat(), depth + 1);
            }
            break;
        }
        place
    }
}

impl Module {
    /// Reads the tokens of the module `own`.
    fn read(&mut self, tokens: TokenStream, own: &[String]) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < tokens.len() {
            if is_for_tests(&tokens[at..]) {
                // The item ends with a semicolon or a block.
                at += 2;
                while at < tokens.len() && !ends_item(&tokens[at]) {
                    at += 1;
                }
            } else if let Some(used) = exports(&tokens[at..]) {
                for path in paths(&tokens[at + used..], &mut 0) {
                    let full = from_root(&path, own).unwrap_or_else(|| [own, path.as_slice()].concat());
                    self.exported.extend(full.last().cloned().map(|name| (name, full)));
                }
                at += used - 1;
            } else if is_root(&tokens[at])
                && is_path(&tokens[at + 1..])
                && (at == 0 || !is_colon(&tokens[at - 1]))
            {
                let mut read = 0;
                let found = paths(&tokens[at..], &mut read);
                self.named.extend(found.iter().filter_map(|path| from_root(path, own)));
                at += read;
                continue;
            } else if let TokenTree::Group(group) = &tokens[at] {
                self.read(group.stream(), own);
            }
            at += 1;
        }
    }
}

/// Whether tokens begin with `#[cfg(test)]`.
fn is_for_tests(tokens: &[TokenTree]) -> bool {
    let [TokenTree::Punct(sign), TokenTree::Group(attribute), ..] = tokens else { return false };
    sign.as_char() == '#' && attribute.to_string().replace(' ', "") == "[cfg(test)]"
}

fn ends_item(token: &TokenTree) -> bool {
    match token {
        TokenTree::Punct(sign) => sign.as_char() == ';',
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Ident(_) | TokenTree::Literal(_) => false,
    }
}

/// Returns the number of tokens before the path of `pub use`.
fn exports(tokens: &[TokenTree]) -> Option<usize> {
    let is = |token: &TokenTree, word: &str| matches!(token, TokenTree::Ident(ident) if ident == word);
    match tokens {
        [first, second, ..] if is(first, "pub") && is(second, "use") => Some(2),
        [first, TokenTree::Group(_), third, ..] if is(first, "pub") && is(third, "use") => Some(3),
        _ => None,
    }
}

fn is_root(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Ident(word) if word == "crate" || word == "self" || word == "super")
}

fn is_colon(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(sign) if sign.as_char() == ':')
}

/// Whether tokens begin with `::`.
fn is_path(tokens: &[TokenTree]) -> bool {
    matches!(tokens, [first, second, ..] if is_colon(first) && is_colon(second))
}

/// Returns the paths at the start of tokens: one, or those of a list in braces. Adds the number of
/// tokens to `read`.
fn paths(tokens: &[TokenTree], read: &mut usize) -> Vec<Names> {
    let mut path = Names::new();
    let mut at = 0;
    let mut all = Vec::new();
    loop {
        match tokens.get(at) {
            Some(TokenTree::Ident(word)) => path.push(word.to_string()),
            Some(TokenTree::Group(list)) if list.delimiter() == Delimiter::Brace => {
                let inner: Vec<TokenTree> = list.stream().into_iter().collect();
                let items =
                    inner.split(|token| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ','));
                for item in items {
                    all.extend(paths(item, &mut 0).into_iter().map(|rest| [path.as_slice(), &rest].concat()));
                }
                *read += at + 1;
                return all;
            }
            _ => break,
        }
        at += 1;
        if !is_path(&tokens[at.min(tokens.len())..]) {
            break;
        }
        at += 2;
    }
    *read += at;
    if !path.is_empty() {
        all.push(path);
    }
    all
}

/// Returns a path from the root of the crate; `None` if it does not begin with `crate`, `self` or
/// `super`.
fn from_root(path: &[String], own: &[String]) -> Option<Names> {
    let mut base = match path.first()?.as_str() {
        "crate" => return Some(path[1..].to_vec()),
        "self" | "super" => own.to_vec(),
        _ => return None,
    };
    let rest = path.iter().skip_while(|name| match name.as_str() {
        "super" => base.pop().is_some(),
        word => word == "self",
    });
    let rest: Vec<String> = rest.cloned().collect();
    Some([base, rest].concat())
}
