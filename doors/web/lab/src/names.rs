//! The names of CUDA C that the editor completes: what the compiler and its headers declare, and
//! the functions of the C library and of the runtime that host code can call.

use crate::request::Request;
use cuda::names::{CompletionKind, Name, names};
use cuda::target::Target;
use report::exit::Failure;
use serde::Serialize;
use std::collections::BTreeMap;

/// A name that the editor completes.
#[derive(Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Completion {
    /// The name.
    pub name: String,
    /// `keyword`, `variable`, `function`, `type` or `constant`.
    pub kind: &'static str,
    /// Parameters of a function, as its header writes them.
    pub parameters: String,
    /// `device` or `host` if only this code has the name; else empty.
    pub place: &'static str,
}

/// Returns the names for the chip of a request.
///
/// # Errors
///
/// If the chip is invalid.
pub fn completions(request: &Request) -> Result<Vec<Completion>, Failure> {
    let chip = request.chip()?;
    let target = Target::of_chip(chip.capability, chip.features);
    let (device, mut host) = (names(target), names(target.host()));
    host.retain(|name, one| one.kind != CompletionKind::Library || embedded::library::find(name).is_some());
    let all: BTreeMap<&String, &Name> = host.iter().chain(&device).collect();
    let completion = |(name, one): (&String, &Name)| Completion {
        name: name.clone(),
        kind: match one.kind {
            CompletionKind::Keyword => "keyword",
            CompletionKind::Variable => "variable",
            CompletionKind::Function | CompletionKind::Library => "function",
            CompletionKind::Type => "type",
            CompletionKind::Constant => "constant",
        },
        parameters: one.parameters.clone(),
        place: match (device.contains_key(name), host.contains_key(name)) {
            (true, false) => "device",
            (false, true) => "host",
            _ => "",
        },
    };
    Ok(all.into_iter().map(completion).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_where_they_can_be_used() {
        let of = |chip: &str| {
            let request = Request { chip: Some(chip.to_owned()), ..Request::default() };
            completions(&request).expect("a built-in chip")
        };
        let fermi = of("fermi");
        let place = |name: &str| fermi.iter().find(|one| one.name == name).map(|one| (one.kind, one.place));
        assert_eq!(place("threadIdx.x"), Some(("variable", "device")));
        assert_eq!(place("__syncthreads"), Some(("function", "device")));
        assert_eq!(place("cudaMemcpy"), Some(("function", "host")));
        assert_eq!(place("sqrtf"), Some(("function", "")));
        assert_eq!(place("cudaMemcpyHostToDevice"), Some(("constant", "host")));
        assert_eq!(place("__shared__"), Some(("keyword", "")));
        assert!(fermi.len() > 500, "{} names", fermi.len());
        // Each chip has the names of its compute capability.
        assert!(fermi.iter().any(|one| one.name == "__syncwarp"));
        assert!(of("g80").iter().all(|one| one.name != "__syncwarp"));
    }
}
