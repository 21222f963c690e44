//! `#pragma OPENCL EXTENSION name : behavior`, and the extensions of each chip.

use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::lex::{Interner, Token};
use crate::source::Span;
use crate::target::Target;

/// Extensions of OpenCL C, with the lowest capability that has them.
pub const EXTENSIONS: [(&str, u32); 9] = [
    ("cl_khr_byte_addressable_store", 10),
    ("cl_khr_icd", 10),
    ("cl_nv_compiler_options", 10),
    ("cl_nv_pragma_unroll", 10),
    ("cl_khr_global_int32_base_atomics", 11),
    ("cl_khr_global_int32_extended_atomics", 11),
    ("cl_khr_local_int32_base_atomics", 12),
    ("cl_khr_local_int32_extended_atomics", 12),
    ("cl_khr_fp64", 13),
];

/// The extensions of a target.
pub fn extensions(target: Target) -> impl Iterator<Item = &'static str> {
    EXTENSIONS.iter().filter(move |(_, needs)| target.capability >= *needs).map(|(name, _)| *name)
}

/// Warns about pragmas that have no effect. Returns whether `double` is enabled or disabled, if a
/// pragma says so.
pub fn apply(pragmas: &[(Vec<String>, Span)], target: Target, out: &mut Diagnostics) -> Option<bool> {
    let mut doubles = None;
    for (words, span) in pragmas {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let unknown = match words.as_slice() {
            ["EXTENSION", "all", "disable"] => {
                doubles = Some(false);
                None
            }
            ["EXTENSION", "all", "enable"] => {
                doubles = Some(target.has_double());
                None
            }
            ["EXTENSION", name, behavior @ ("enable" | "disable")] => {
                // The older name of the same extension.
                let known = if *name == "cl_amd_fp64" { "cl_khr_fp64" } else { name };
                let has = extensions(target).any(|extension| extension == known);
                if known == "cl_khr_fp64" && has {
                    doubles = Some(*behavior == "enable");
                }
                (!has && *behavior == "enable")
                    .then(|| format!("extension `{name}` is not supported on {}", target.name()))
            }
            ["FP_CONTRACT", "ON" | "OFF" | "DEFAULT"] => None,
            _ => Some("this pragma has no effect".to_owned()),
        };
        if let Some(message) = unknown {
            out.push(Diagnostic::warning("pragma", *span, message));
        }
    }
    doubles
}

/// Whether a program without a pragma has `double`. Programs for OpenCL 1.2 have no pragma, as its
/// compilers need none; those of 1.1 refuse such a program.
pub fn uses_doubles(tokens: &[Token], names: &Interner, target: Target, out: &mut Diagnostics) -> bool {
    let is_double = |token: &&Token| {
        let width = token.name().and_then(|name| names.text(name).strip_prefix("double"));
        width.is_some_and(|width| ["", "2", "3", "4", "8", "16"].contains(&width))
    };
    let Some(first) = tokens.iter().find(is_double).filter(|_| target.has_double()) else { return false };
    let message = "`double` without its pragma: compilers of OpenCL 1.1 refuse it";
    let warning = Diagnostic::warning("extension", first.span, message);
    out.push(warning.help("write `#pragma OPENCL EXTENSION cl_khr_fp64 : enable` in front"));
    true
}

/// Whether a pragma forbids to contract products and sums.
pub fn forbids_contraction(pragmas: &[(Vec<String>, Span)]) -> bool {
    pragmas.iter().any(|(words, _)| words.iter().map(String::as_str).eq(["FP_CONTRACT", "OFF"]))
}
