//! Programs in OpenCL C: what they compute on the functional machine, and what is refused.

#[path = "../common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;
mod images;
mod messages;
mod values;

use cuda::compile::{Compiled, Entry};
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use std::path::Path;

/// Compiles a program in OpenCL C.
fn compile(text: &str, target: &str) -> Compiled {
    compile_with(text, target, |_| {})
}

fn compile_with(text: &str, target: &str, change: fn(&mut Options)) -> Compiled {
    let target = Target::from_name(target).expect("a known target");
    let mut options = Options::of(target).of_file(Path::new("test.cl"), target);
    change(&mut options);
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    cuda::compile("test.cl", text, &none, target, &options)
}

/// The messages about a program for `sm_20`.
fn messages(text: &str) -> String {
    compile(text, "sm_20").messages()
}

/// PTX and kernels of a valid program without warnings.
fn valid(text: &str, target: &str) -> (String, Vec<Entry>) {
    let compiled = compile(text, target);
    assert_eq!(compiled.messages(), "", "{text}");
    (compiled.ptx.expect("a valid program"), compiled.entries)
}
