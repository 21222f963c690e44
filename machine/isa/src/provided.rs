//! Names and types of the functions of CUDA that the device library defines.

use ProvidedKind::{Address, Word};

/// Type of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProvidedKind {
    /// An address, or a size, of the module's address size.
    Address,
    /// 32 bits.
    Word,
}

/// A function of the library.
pub struct Known {
    /// Name in PTX.
    pub name: &'static str,
    /// Types of the results.
    pub returns: &'static [ProvidedKind],
    /// Types of the parameters.
    pub params: &'static [ProvidedKind],
    /// Index of the text that defines it.
    pub text: usize,
}

/// All of them.
pub const FUNCTIONS: [Known; 4] = [
    Known { name: "vprintf", returns: &[Word], params: &[Address, Address], text: 0 },
    Known {
        name: "__assertfail",
        returns: &[],
        params: &[Address, Address, Word, Address, Address],
        text: 0,
    },
    Known { name: "malloc", returns: &[Address], params: &[Address], text: 1 },
    Known { name: "free", returns: &[], params: &[Address], text: 1 },
];

/// Returns the name in CUDA C of a function of the library; `None` for other functions.
pub fn cuda_name(name: &str) -> Option<&str> {
    let known = FUNCTIONS.iter().any(|known| known.name == name);
    known.then_some(match name {
        "vprintf" => "printf",
        "__assertfail" => "assert",
        same => same,
    })
}
