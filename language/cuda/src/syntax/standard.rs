//! Names of the C++ library that a program uses without a declaration.

use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// Names and the headers that declare them.
const HEADERS: [(&str, &str); 44] = [
    ("accumulate", "numeric"),
    ("array", "array"),
    ("async", "future"),
    ("atomic", "atomic"),
    ("cerr", "iostream"),
    ("cin", "iostream"),
    ("condition_variable", "condition_variable"),
    ("copy", "algorithm"),
    ("cout", "iostream"),
    ("deque", "deque"),
    ("endl", "iostream"),
    ("fill", "algorithm"),
    ("function", "functional"),
    ("future", "future"),
    ("ifstream", "fstream"),
    ("iota", "numeric"),
    ("istringstream", "sstream"),
    ("lock_guard", "mutex"),
    ("make_pair", "utility"),
    ("make_shared", "memory"),
    ("map", "map"),
    ("mutex", "mutex"),
    ("numeric_limits", "limits"),
    ("ofstream", "fstream"),
    ("ostringstream", "sstream"),
    ("pair", "utility"),
    ("promise", "future"),
    ("queue", "queue"),
    ("ref", "functional"),
    ("runtime_error", "stdexcept"),
    ("set", "set"),
    ("setprecision", "iomanip"),
    ("setw", "iomanip"),
    ("shared_ptr", "memory"),
    ("sort", "algorithm"),
    ("stack", "stack"),
    ("string", "string"),
    ("stringstream", "sstream"),
    ("this_thread", "thread"),
    ("thread", "thread"),
    ("unique_lock", "mutex"),
    ("unique_ptr", "memory"),
    ("unordered_map", "unordered_map"),
    ("vector", "vector"),
];

/// The names of [`HEADERS`] that are class templates.
const CLASS_TEMPLATES: [&str; 17] = [
    "array",
    "atomic",
    "deque",
    "function",
    "future",
    "lock_guard",
    "map",
    "numeric_limits",
    "pair",
    "promise",
    "queue",
    "set",
    "shared_ptr",
    "stack",
    "unique_ptr",
    "unordered_map",
    "vector",
];

/// The header that declares a name of `std`.
pub(crate) fn header_of(name: &str) -> Option<&'static str> {
    HEADERS.iter().find(|(known, _)| *known == name).map(|(_, header)| *header)
}

/// Whether a name of `std` is a class template.
pub(crate) fn is_class_template(name: &str) -> bool {
    CLASS_TEMPLATES.contains(&name)
}

/// The message for a name of `std` that is not declared.
pub fn missing(name: &str, span: Span) -> Diagnostic {
    match header_of(name) {
        Some(header) => Diagnostic::error("undeclared-name", span, format!("`std::{name}` is not declared"))
            .help(format!("write `#include <{header}>`")),
        None => crate::diagnostics::unsupported_in_host(span, format!("`std::{name}`")),
    }
}
