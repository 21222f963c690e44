//! The exported functions are those of the header.

use std::collections::BTreeSet;

#[test]
fn the_header_declares_every_function() {
    let header = include_str!("../../warpcc/include/cuda_runtime_api.h");
    let declared: BTreeSet<&str> = header
        .lines()
        .filter(|line| !line.starts_with([' ', '#', '/', 't']))
        .filter_map(|line| {
            let before = line.split_once('(')?.0;
            before.rsplit([' ', '*']).next().filter(|name| name.contains("cuda"))
        })
        .collect();
    let registered = |name: &&str| warpsim_cuda::abi::registration::NAMES.contains(name);
    let exported: BTreeSet<&str> =
        warpsim_cuda::abi::names().into_iter().filter(|name| !registered(name)).collect();
    assert_eq!(exported, declared);
    assert!(exported.len() > 140, "{}", exported.len());
}

#[test]
fn the_page_lists_every_function_once() {
    let page = include_str!("../../docs/PROGRAMS.md");
    let table = page.split("## API").nth(1).expect("the page has the section");
    let mut listed = Vec::new();
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        assert!(["complete", "accepted", "refused"].contains(&cells[1]), "{row}");
        listed.extend(cells[0].split(", ").map(|name| name.trim_matches('`')));
    }
    let count = listed.len();
    let listed: BTreeSet<&str> = listed.into_iter().collect();
    assert_eq!(listed.len(), count, "each function is listed once");
    let registration = |name: &&str| warpsim_cuda::abi::registration::NAMES.contains(name);
    let exported: BTreeSet<&str> =
        warpsim_cuda::abi::names().into_iter().filter(|name| !registration(name)).collect();
    assert_eq!(exported, listed);
}
