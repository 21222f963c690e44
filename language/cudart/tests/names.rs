//! The exported functions are those of the headers and of the documentation.

use std::collections::BTreeSet;

/// Returns the exported functions without those that compiled code calls before `main`, and without
/// the versions in names.
fn exported() -> BTreeSet<&'static str> {
    let registered = |name: &&str| warpsim_cuda::abi::registration::NAMES.contains(name);
    let all = warpsim_cuda::abi::names().into_iter().filter(|name| !registered(name));
    all.map(unversioned).collect()
}

fn unversioned(name: &str) -> &str {
    name.trim_end_matches("_v2").trim_end_matches("_v3")
}

/// Returns the functions that a header declares.
fn declared(header: &'static str) -> BTreeSet<&'static str> {
    let lines = header.lines().filter(|line| !line.starts_with([' ', '#', '/', 't']));
    let names = lines.filter_map(|line| line.split_once('(')?.0.rsplit([' ', '*']).next());
    names.filter(|name| name.starts_with("cu") || name.contains("cuda")).collect()
}

#[test]
fn the_headers_declare_every_function() {
    let mut all = declared(include_str!("../../include/cuda_runtime_api.h"));
    let driver = declared(include_str!("../../include/cuda.h"));
    assert!(all.len() > 140 && driver.len() > 160, "{} and {}", all.len(), driver.len());
    all.extend(driver);
    assert_eq!(exported(), all);
}

/// A program that is compiled with `cuda.h` calls the newest version of a function.
#[test]
fn the_header_maps_names_to_their_versions() {
    let header = include_str!("../../include/cuda.h");
    let lines = header.lines().filter_map(|line| line.strip_prefix("#define cu")?.split_once(" cu"));
    let mapped: BTreeSet<(&str, &str)> = lines.collect();
    let names = warpsim_cuda::abi::names();
    let versions = names.iter().filter_map(|name| name.strip_prefix("cu"));
    // The version of CUDA 4.0, which 4.1 has replaced.
    let versions = versions.filter(|name| unversioned(name) != *name && *name != "TexRefSetAddress2D_v2");
    let expected: BTreeSet<(&str, &str)> = versions.map(|name| (unversioned(name), name)).collect();
    assert_eq!(mapped, expected);
    for (old, _) in mapped {
        assert!(names.iter().any(|name| name.strip_prefix("cu") == Some(old)), "{old}");
    }
}

#[test]
fn the_page_lists_every_function_once() {
    let page = include_str!("../../../docs/PROGRAMS.md");
    let table = page.split("## API").nth(1).expect("the page has the section");
    let mut listed = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `cu") || line.starts_with("| `__cuda")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(["complete", "accepted", "refused"].contains(&cells[1]), "{row}");
        listed.extend(cells[0].split(", ").map(|name| name.trim_matches('`')));
    }
    let count = listed.len();
    let listed: BTreeSet<&str> = listed.into_iter().collect();
    assert_eq!(listed.len(), count, "each function is listed once");
    assert_eq!(exported(), listed);
}
