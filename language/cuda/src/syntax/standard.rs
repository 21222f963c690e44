//! Names of the C++ library that a program uses without a declaration.

use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// Names and the headers that declare them.
const HEADERS: [(&str, &str); 24] = [
    ("accumulate", "numeric"),
    ("array", "array"),
    ("cerr", "iostream"),
    ("cin", "iostream"),
    ("copy", "algorithm"),
    ("cout", "iostream"),
    ("endl", "iostream"),
    ("fill", "algorithm"),
    ("function", "functional"),
    ("ifstream", "fstream"),
    ("iota", "numeric"),
    ("make_pair", "utility"),
    ("map", "map"),
    ("numeric_limits", "limits"),
    ("ofstream", "fstream"),
    ("ostringstream", "sstream"),
    ("pair", "utility"),
    ("runtime_error", "stdexcept"),
    ("setprecision", "iomanip"),
    ("setw", "iomanip"),
    ("sort", "algorithm"),
    ("string", "string"),
    ("unique_ptr", "memory"),
    ("vector", "vector"),
];

/// The message for a name of `std` that is not declared.
pub fn missing(name: &str, span: Span) -> Diagnostic {
    match HEADERS.iter().find(|(known, _)| *known == name) {
        Some((_, header)) => {
            Diagnostic::error("undeclared-name", span, format!("`std::{name}` is not declared"))
                .help(format!("write `#include <{header}>`"))
        }
        None => crate::diagnostics::unsupported_in_host(span, format!("`std::{name}`")),
    }
}
