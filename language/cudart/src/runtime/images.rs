//! The device code of a program: PTX texts that its object files register, with the names of their
//! kernels, variables, textures and surfaces.
//!
//! A text is compiled at its first use. Texts that declare functions or variables of each other
//! (`-rdc=true`) are linked to one module; others are modules of their own, with their own
//! variables.

use super::error::{Error, Outcome};
use isa::Compilation;
use isa::diag::{Diagnostic, render_source};
use isa::lower::initial_bytes;
use isa::ptx::ast::Linkage;
use isa::source::Source;
use isa::types::StateSpace;
use isa::uop::Module;
use isa::variables::Variables;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

/// Functions of the device library, which texts declare without a definition.
const LIBRARY: [&str; 5] = ["vprintf", "malloc", "free", "__assertfail", "__assert_fail"];

/// A named object of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Number of the text.
    pub image: usize,
    /// Name in the text.
    pub name: String,
    /// Textures: whether integers are read as normalized numbers.
    pub normalized: bool,
}

/// All texts.
#[derive(Debug, Default)]
pub struct Images {
    texts: Vec<Option<String>>,
    /// Kernels, by the address of their function in the host program.
    pub functions: BTreeMap<u64, Named>,
    /// Variables, by the address of their shadow in the host program.
    pub variables: BTreeMap<u64, Named>,
    /// Texture references, by their address.
    pub textures: BTreeMap<u64, Named>,
    /// Surface references, by their address.
    pub surfaces: BTreeMap<u64, Named>,
    /// Size of the shadows of the variables in bytes, by their address.
    pub shadows: BTreeMap<u64, u64>,
    /// Host memory with the managed variables.
    pub managed: Vec<Range<u64>>,
    /// Managed variables that have their initial values.
    initialized: BTreeSet<u64>,
    linked: Option<bool>,
    /// Sources in CUDA C, by their names; others are read from files.
    pub sources: BTreeMap<String, String>,
    /// Variables of CUDA C of the first text.
    pub locals: Option<Arc<Variables>>,
    compiled: BTreeMap<usize, Result<Module, Error>>,
    /// Modules that several runs of a program share.
    pub shared: Option<Shared>,
    /// The module of the first text, instead of the compiled one.
    pub replaced: Option<Module>,
}

/// A text that is compiled, as [`Images::compile`] returns it.
type Made = (Outcome<Module>, Option<String>);

/// The module of a program with one text, for all runs of the program: it is compiled once for each
/// chip.
#[derive(Clone, Debug, Default)]
pub struct Shared(Arc<Mutex<Vec<(Compilation, Made)>>>);

impl Shared {
    fn get(&self, settings: Compilation, make: impl FnOnce() -> Made) -> Made {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, made)) = known.iter().find(|(of, _)| *of == settings) {
            return made.clone();
        }
        let made = make();
        known.push((settings, made.clone()));
        made
    }
}

impl Images {
    /// No text.
    pub const fn new() -> Self {
        Self {
            texts: Vec::new(),
            functions: BTreeMap::new(),
            variables: BTreeMap::new(),
            textures: BTreeMap::new(),
            surfaces: BTreeMap::new(),
            shadows: BTreeMap::new(),
            managed: Vec::new(),
            initialized: BTreeSet::new(),
            linked: None,
            sources: BTreeMap::new(),
            locals: None,
            compiled: BTreeMap::new(),
            shared: None,
            replaced: None,
        }
    }

    /// Adds a text and returns its number. `None`: the program was compiled for other hardware.
    pub fn add(&mut self, text: Option<String>) -> usize {
        self.texts.push(text);
        self.linked = None;
        self.texts.len() - 1
    }

    /// Returns the number of the module that contains a text.
    pub fn module_of(&mut self, image: usize) -> usize {
        if *self.linked.get_or_insert_with(|| needs_link(&self.texts)) { 0 } else { image }
    }

    /// Whether a variable is managed: its shadow is the variable.
    pub fn is_managed(&self, address: u64) -> bool {
        self.managed.iter().any(|range| range.contains(&address))
    }

    /// Returns the managed variables of a module: host address, name, bytes.
    pub fn managed_of(&mut self, module: usize) -> Vec<(u64, String, u64)> {
        let all = self.variables.iter().filter(|(address, _)| self.is_managed(**address));
        let all: Vec<(u64, Named)> = all.map(|(address, named)| (*address, named.clone())).collect();
        let mut own = Vec::new();
        for (address, named) in all {
            if self.module_of(named.image) == module {
                own.push((address, named.name, self.shadows.get(&address).copied().unwrap_or(0)));
            }
        }
        own
    }

    /// Returns the addresses and initial values of managed variables that are new.
    pub fn new_managed(&mut self) -> Vec<(u64, Vec<u8>)> {
        let new = self
            .variables
            .iter()
            .filter(|(address, _)| self.is_managed(**address) && !self.initialized.contains(*address));
        let value = |(address, named): (&u64, &Named)| {
            let text = self.texts.get(named.image)?.as_ref()?;
            let mut bytes = initial_bytes(text, &named.name)?;
            bytes.resize(*self.shadows.get(address)? as usize, 0);
            Some((*address, bytes))
        };
        let values: Vec<(u64, Vec<u8>)> = new.filter_map(value).collect();
        self.initialized.extend(values.iter().map(|(address, _)| *address));
        values
    }

    /// Returns the texts of a module.
    pub fn texts_of(&self, module: usize) -> Vec<(String, &str)> {
        let all = self.texts.iter().enumerate().filter_map(|(number, text)| Some((number, text.as_ref()?)));
        let linked = self.linked == Some(true);
        let own = all.filter(|(number, _)| linked || *number == module);
        own.map(|(number, text)| (file_name(number, text), text.as_str())).collect()
    }

    /// Returns a compiled module, and the compiler's messages if this is its first use.
    pub fn compile(&mut self, module: usize, settings: Compilation) -> (Outcome<Module>, Option<String>) {
        if let Some(replaced) = self.replaced.as_ref().filter(|_| module == 0) {
            return (Ok(replaced.clone()), None);
        }
        if let Some(known) = self.compiled.get(&module) {
            return (known.clone(), None);
        }
        let texts = self.texts_of(module);
        let (result, message) = if texts.is_empty() {
            let text = "warpsim: the program has no PTX: compile it with warpcc".to_owned();
            (Err(Error::NO_IMAGE), Some(text))
        } else {
            let read = |name: &str| match self.sources.get(name) {
                Some(text) => Some(text.clone()),
                None => std::fs::read_to_string(name).ok(),
            };
            let locals = self.locals.clone().filter(|_| module == 0);
            let make = || compile(&texts, settings, read, locals);
            match &self.shared {
                Some(shared) if self.texts.len() == 1 => shared.get(settings, make),
                _ => make(),
            }
        };
        self.compiled.insert(module, result.clone());
        (result, message)
    }
}

/// Compiles texts to one module; `read` returns the text of a source file. Returns the compiler's
/// messages too.
pub(super) fn compile(
    texts: &[(String, &str)],
    settings: Compilation,
    read: impl Fn(&str) -> Option<String>,
    variables: Option<Arc<Variables>>,
) -> (Outcome<Module>, Option<String>) {
    let mut source = match texts {
        [(name, text)] => Source::new(name.as_str(), *text),
        several => Source::linked(several.iter().map(|(name, text)| (name.as_str(), *text))),
    };
    source.set_variables(variables);
    source.read_origins(|name| Some((name.to_owned(), read(name)?)));
    let source = Arc::new(source);
    let (module, diagnostics) = isa::compile_for(&source, Compilation { header_note: false, ..settings });
    let failed = module.is_none();
    let shown: Vec<Diagnostic> = diagnostics.into_iter().filter(|one| one.is_error() || !failed).collect();
    let message = (!shown.is_empty()).then(|| render_source(&shown, &source));
    (module.ok_or(Error::INVALID_PTX), message)
}

/// Returns the name of a text for messages: the source file if the text names one.
pub(super) fn file_name(number: usize, text: &str) -> String {
    let named = text.lines().find_map(|line| line.trim().strip_prefix(".file")?.split('"').nth(1));
    let base = named.map(|path| path.rsplit('/').next().unwrap_or(path));
    base.map_or_else(|| format!("program-{}.ptx", number + 1), |base| format!("{base}.ptx"))
}

/// Whether a text declares an object that another text defines.
fn needs_link(texts: &[Option<String>]) -> bool {
    let texts: Vec<&str> = texts.iter().flatten().map(String::as_str).collect();
    if texts.len() < 2 || !texts.iter().any(|text| text.contains(".extern")) {
        return false;
    }
    let (mut wanted, mut defined) = (BTreeSet::new(), BTreeSet::new());
    for text in texts {
        let (tree, _) = isa::ptx::parse::parse_part(text, 0);
        let mut own = BTreeSet::new();
        let mut declared = BTreeSet::new();
        for function in &tree.functions {
            let list = if function.body.is_some() { &mut own } else { &mut declared };
            list.insert(function.name.name.to_owned());
        }
        for variable in tree.variables.iter().filter(|variable| variable.space != StateSpace::Shared) {
            let list = if variable.linkage == Linkage::Extern { &mut declared } else { &mut own };
            list.insert(variable.name.name.to_owned());
        }
        wanted.extend(declared.difference(&own).filter(|name| !LIBRARY.contains(&name.as_str())).cloned());
        defined.extend(own);
    }
    !wanted.is_disjoint(&defined)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = ".version 3.0\n.target sm_20\n.address_size 64\n";

    #[test]
    fn texts_that_use_each_other_are_linked() {
        let caller =
            format!("{HEAD}.extern .func twice;\n.visible .entry k()\n{{\n call twice;\n ret;\n}}\n");
        let callee = format!("{HEAD}.visible .func twice\n{{\n ret;\n}}\n");
        let mut images = Images::default();
        let first = images.add(Some(caller.clone()));
        assert_eq!(images.compile(first, Compilation::default()).0.err(), Some(Error::INVALID_PTX));
        let mut images = Images::default();
        images.add(Some(callee));
        let second = images.add(Some(caller));
        assert_eq!(images.module_of(second), 0);
        let (module, message) = images.compile(0, Compilation::default());
        assert_eq!((module.expect("a linked module").entries.len(), message), (1, None));
    }

    #[test]
    fn other_texts_are_modules() {
        let text = format!("{HEAD}.extern .shared .align 4 .b8 s[];\n.global .u32 g;\n");
        let mut images = Images::default();
        images.add(Some(text.clone()));
        let second = images.add(Some(text));
        assert_eq!(images.module_of(second), 1);
        let none = images.add(None);
        assert_eq!(images.compile(none, Compilation::default()).0.err(), Some(Error::NO_IMAGE));
    }

    #[test]
    fn managed_variables_have_their_initial_values_once() {
        let mut images = Images::default();
        let image = images.add(Some(format!("{HEAD}.global .align 4 .u32 x[3] = {{7, 300}};\n")));
        images.variables.insert(0x1000, Named { image, name: "x".to_owned(), normalized: false });
        images.shadows.insert(0x1000, 12);
        assert_eq!(images.new_managed(), [], "no memory is managed");
        images.managed.push(0x1000..0x1010);
        assert_eq!(images.new_managed(), [(0x1000, [[7, 0, 0, 0], [44, 1, 0, 0], [0; 4]].concat())]);
        assert_eq!(images.new_managed(), []);
        assert_eq!(images.managed_of(image), [(0x1000, "x".to_owned(), 12)]);
    }

    #[test]
    fn messages_come_once() {
        let mut images = Images::default();
        let wrong = images.add(Some("nonsense".to_owned()));
        let (result, message) = images.compile(wrong, Compilation::default());
        assert_eq!(result.err(), Some(Error::INVALID_PTX));
        assert!(message.expect("the compiler's message").contains("program-1.ptx"));
        assert_eq!(images.compile(wrong, Compilation::default()).1, None);
    }
}
