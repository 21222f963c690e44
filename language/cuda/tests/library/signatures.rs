//! The functions that the headers of `warpcc` declare for device code, with their signatures.

use std::process::Command;

/// Marks a function for the device; macros have made this text of `__device__`.
const DEVICE: [&str; 2] = ["__attribute__((device", "__attribute__((host, device"];

/// A function of the device.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Signature {
    /// Its name.
    pub name: String,
    /// Its result.
    pub result: String,
    /// The types of its parameters.
    pub parameters: Vec<String>,
}

/// The functions of the device that a program compiled by clang sees on `sm_20`; `None` without
/// clang.
pub fn of_clang() -> Option<Vec<Signature>> {
    let clang = warpcc::clang::find(None).ok()?;
    let headers = warpcc::headers::folder().expect("the headers can be written");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let source = folder.path().join("empty.cu");
    std::fs::write(&source, "").expect("the folder is writable");
    let mut command = Command::new(&clang.path);
    command.args(["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_20", "--cuda-device-only"]);
    command.args(["-std=gnu++14", "-E", "-P", "-isystem"]).arg(&headers);
    let output = command.arg("-include").arg(headers.join("cuda_runtime.h")).arg(&source).output();
    let output = output.expect("clang starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut all: Vec<Signature> =
        DEVICE.iter().flat_map(|mark| text.split(mark).skip(1)).filter_map(read).collect();
    all.sort();
    all.dedup();
    Some(all)
}

/// Reads a declaration behind the start of its attribute.
fn read(text: &str) -> Option<Signature> {
    let (_, mut rest) = text.split_once("))")?;
    // Other attributes and specifiers.
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix("__attribute__((") {
            rest = after.split_once("))")?.1;
        } else if let Some(after) = ["inline ", "static "].iter().find_map(|word| rest.strip_prefix(word)) {
            rest = after;
        } else {
            break;
        }
    }
    let (head, parameters) = rest.split_once('(')?;
    let (parameters, _) = parameters.split_once(')')?;
    let head = head.trim_end();
    let start = head.rfind(|c: char| !c.is_alphanumeric() && c != '_')? + 1;
    let (result, name) = head.split_at(start);
    let is_word = |text: &str| text.chars().all(|c| c.is_alphanumeric() || " _*".contains(c));
    if name.is_empty() || !is_word(result) || result.trim().is_empty() {
        return None;
    }
    let parameters = parameters.split(',').map(str::trim).filter(|one| !matches!(*one, "" | "void"));
    let parameters = parameters.map(parameter_type).collect();
    Some(Signature { name: name.to_owned(), result: result.trim().to_owned(), parameters })
}

/// The type of a parameter, without its name and default value.
fn parameter_type(text: &str) -> String {
    const TYPES: [&str; 8] = ["int", "long", "short", "char", "unsigned", "float", "double", "bool"];
    let text = text.split('=').next().unwrap_or(text).trim();
    let name = text.rfind([' ', '*']).map_or(text, |at| &text[at + 1..]);
    if TYPES.contains(&name) {
        text.to_owned()
    } else {
        text[..text.len() - name.len()].trim().replace(" *", "*")
    }
}
