//! `#pragma OPENCL EXTENSION name : behavior`, and the extensions of each chip.

use crate::diagnostics::{Diagnostic, Diagnostics};
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

/// Warns about pragmas that have no effect. Returns whether `double` is enabled.
pub fn apply(pragmas: &[(Vec<String>, Span)], target: Target, out: &mut Diagnostics) -> bool {
    let mut doubles = false;
    for (words, span) in pragmas {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let unknown = match words.as_slice() {
            ["EXTENSION", "all", "disable"] => {
                doubles = false;
                None
            }
            ["EXTENSION", "all", "enable"] => {
                doubles = target.has_double();
                None
            }
            ["EXTENSION", name, behavior @ ("enable" | "disable")] => {
                // The older name of the same extension.
                let known = if *name == "cl_amd_fp64" { "cl_khr_fp64" } else { name };
                let has = extensions(target).any(|extension| extension == known);
                if known == "cl_khr_fp64" && has {
                    doubles = *behavior == "enable";
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

/// Whether a pragma forbids to contract products and sums.
pub fn forbids_contraction(pragmas: &[(Vec<String>, Span)]) -> bool {
    pragmas.iter().any(|(words, _)| words.iter().map(String::as_str).eq(["FP_CONTRACT", "OFF"]))
}
