//! Functions of the device that CUDA provides: `vprintf` and `__assertfail`, `malloc` and `free`.
//!
//! A module declares them without a body. They are PTX too (`TEXTS`) and are compiled with the
//! module, so both machines execute them like any other code: their atomics order them, and they
//! take as long as their instructions take. The host gives them their memory when it loads the
//! module, through the variables [`PRINTF`] and [`HEAP`].
//!
//! Invariant `device-library`: Device functions of CUDA are ordinary code: their output and their
//! addresses are the same for any number of host threads, and on both machines if the order of
//! their calls is.

use crate::diag::Diagnostic;
pub use crate::provided::cuda_name;
use crate::provided::{FUNCTIONS, Known, ProvidedKind};
use crate::ptx::ast::{Ast, Function, Linkage, Variable};
use crate::ptx::header::Header;
use crate::ptx::parse::parse_rest;
use crate::span::Span;

/// The variable with the state of the printf buffer: position of the next record, address of the
/// buffer, its size in bytes, of 64 bits each.
pub const PRINTF: &str = "__warpsim_printf";

/// The variable with the state of the heap: its address, its end, the lock (0), address of the
/// block at which the search begins, of 32 bits each.
pub const HEAP: &str = "__warpsim_heap";

/// First word of a record of `vprintf`.
pub const PRINTF_MARK: u32 = 0x7072_696e;

/// First word of a record of `__assertfail`.
pub const ASSERTION_MARK: u32 = 0x6173_7372;

/// Words of a record before its format.
pub const RECORD_WORDS: u32 = 5;

/// Maximum number of arguments of one `vprintf`; further ones are ignored.
pub const MAX_ARGUMENTS: usize = 32;

/// Bytes at the beginning of each block of the heap.
pub const BLOCK_BYTES: u32 = 16;

/// The function that traps after a failed assertion.
pub const ASSERTION_FAILED: &str = "__warpsim_assertion_failed";

/// The function that traps because of the operand of `free`.
pub const INVALID_FREE: &str = "__warpsim_invalid_free";

/// Format of the message of a failed assertion.
const ASSERTION: &str = "%s:%u: %s: block: [%d,%d,%d], thread: [%d,%d,%d] Assertion `%s` failed.\n";

/// Mark of a block of the heap in use, and of a free one.
const BLOCK_MARKS: [u32; 2] = [0x616c_6c6f, 0x6672_6565];

/// The texts, in which `#` is the address size in bits and words in braces are constants.
const TEXTS: [&str; 2] = [include_str!("print.template"), include_str!("heap.template")];

/// The functions of the library that a module uses.
pub struct Used {
    /// PTX text of the functions, without a header.
    pub text: String,
    /// Source range of the declaration of each function, by its name.
    pub declared: Vec<(&'static str, Span)>,
}

/// Returns the functions of the library that the modules declare and do not define; `None` if there
/// are none. A declaration with other parameters than CUDA's is reported as `E0313`.
pub fn used(trees: &[Ast], diagnostics: &mut Vec<Diagnostic>) -> Option<Used> {
    if trees.iter().any(|tree| Header::of(tree).target().is_none_or(|target| target < 20)) {
        return None;
    }
    let mut declared: Vec<(&'static str, Span)> = Vec::new();
    let (mut texts, mut address) = ([false; TEXTS.len()], None);
    let functions = trees.iter().flat_map(|tree| tree.functions.iter().map(move |head| (tree, head)));
    for (tree, head) in functions.filter(|(_, function)| !function.entry && function.body.is_none()) {
        let Some(known) = FUNCTIONS.iter().find(|known| known.name == head.name.name) else { continue };
        if is_defined(known.name, tree, trees) || declared.iter().any(|(name, _)| *name == known.name) {
            continue;
        }
        let Some(bytes) = known.address_bytes(head).filter(|bytes| address.is_none_or(|of| of == *bytes))
        else {
            diagnostics.push(known.conflict(head));
            continue;
        };
        address = Some(bytes);
        texts[known.text] = true;
        declared.push((known.name, head.span));
    }
    let bytes = address?;
    let chosen = TEXTS.iter().zip(texts).filter(|(_, chosen)| *chosen);
    Some(Used { text: chosen.map(|(text, _)| expanded(text, bytes)).collect(), declared })
}

/// Whether the modules `trees` define the function that a name of the module `tree` denotes.
fn is_defined(name: &str, tree: &Ast, trees: &[Ast]) -> bool {
    let body = |function: &&Function| function.body.is_some() && function.name.name == name;
    let shared = |tree: &Ast| tree.functions.iter().filter(body).any(|f| f.linkage != Linkage::Local);
    tree.functions.iter().any(|function| body(&function)) || trees.iter().any(shared)
}

/// Adds the module of the library, which begins at byte `start` of `whole`, to `trees`. Its
/// functions in `declared` define those that the other modules declare.
pub fn append<'t>(trees: &mut Vec<Ast<'t>>, whole: &'t str, start: usize, declared: &[(&'static str, Span)]) {
    let is_declared = |name: &str| declared.iter().any(|(known, _)| *known == name);
    for function in trees.iter_mut().flat_map(|tree| &mut tree.functions) {
        if is_declared(function.name.name) && function.body.is_none() {
            function.linkage = Linkage::Extern;
        }
    }
    let (mut library, diagnostics) = parse_rest(whole, start);
    debug_assert!(diagnostics.is_empty(), "{}", crate::diag::render_all(&diagnostics, "library", whole));
    for function in library.functions.iter_mut().filter(|function| is_declared(function.name.name)) {
        function.linkage = Linkage::Visible;
    }
    for variable in &mut library.variables {
        variable.linkage = Linkage::Visible;
    }
    if let Some(first) = trees.first() {
        (library.version, library.target) = (first.version, first.target.clone());
    }
    trees.push(library);
}

impl Known {
    /// Returns the address size in bytes of a declaration of this function; `None` if it has other
    /// parameters or results.
    fn address_bytes(&self, head: &Function) -> Option<u32> {
        let mut address = None;
        let mut fits = |kinds: &[ProvidedKind], variables: &[Variable]| {
            kinds.len() == variables.len()
                && kinds.iter().zip(variables).all(|(kind, variable)| {
                    let bytes = variable.ty.bytes();
                    let scalar = variable.dims.is_empty() && variable.vector == 1;
                    let expected = match kind {
                        ProvidedKind::Word => 4,
                        ProvidedKind::Address => *address.get_or_insert(bytes),
                    };
                    scalar && bytes == expected && matches!(bytes, 4 | 8)
                })
        };
        (fits(self.params, &head.params) && fits(self.returns, &head.returns)).then_some(())?;
        address
    }

    fn conflict(&self, head: &Function) -> Diagnostic {
        let list = |kinds: &[ProvidedKind]| {
            let ty = |kind: &ProvidedKind| match kind {
                ProvidedKind::Address => ".param .b64",
                ProvidedKind::Word => ".param .b32",
            };
            kinds.iter().map(ty).collect::<Vec<_>>().join(", ")
        };
        let message = format!("conflicting declarations of `{}`", self.name);
        let label = "the parameters or results differ from those of CUDA's function";
        let returns =
            if self.returns.is_empty() { String::new() } else { format!("({}) ", list(self.returns)) };
        let expected = format!("{returns}{} ({})", self.name, list(self.params));
        let help = format!("declare `{expected}`, or `.b32` instead of `.b64` with 32-bit addresses");
        Diagnostic::error("E0313", head.span, message).label(label).help(help)
    }
}

/// Returns one bit for each character, counted from `@`.
fn bits(characters: &str) -> String {
    bits_from(b'@', characters)
}

/// Returns one bit for each character, counted from `first`.
fn bits_from(first: u8, characters: &str) -> String {
    let set = characters.bytes().fold(0_u64, |set, character| set | 1 << (character - first));
    format!("{set:#x}")
}

/// Returns a text for addresses of `address` bytes.
fn expanded(text: &str, address: u32) -> String {
    let wide = address == 8;
    let at = |narrow: u32, wide_at: u32| if wide { wide_at } else { narrow }.to_string();
    let assertion: Vec<String> = ASSERTION.bytes().chain([0]).map(|byte| byte.to_string()).collect();
    let constants = [
        ("{assertion}", assertion.join(", ")),
        ("{assertion_bytes}", assertion.len().to_string()),
        ("{flags}", bits_from(b' ', "-+ #0123456789")),
        ("{types}", bits("cdiouxXpeEfFgGaAs")),
        ("{doubles}", bits("eEfFgGaA")),
        ("{integers}", bits("diouxX")),
        ("{pointers}", bits("ps")),
        // A `long` has the size of an address.
        ("{long}", at(2, 1)),
        ("{address}", address.to_string()),
        ("{at_line}", at(4, 8)),
        ("{at_function}", at(8, 16)),
        ("{at_block}", at(12, 24)),
        ("{mark}", PRINTF_MARK.to_string()),
        ("{assertion_mark}", ASSERTION_MARK.to_string()),
        ("{allocated}", BLOCK_MARKS[0].to_string()),
        ("{free}", BLOCK_MARKS[1].to_string()),
    ];
    let text = text.replace('#', if wide { "64" } else { "32" });
    constants.iter().fold(text, |text, (word, value)| text.replace(word, value))
}

#[cfg(test)]
mod tests;
