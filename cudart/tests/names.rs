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
    let registered = |name: &&str| {
        name.starts_with("__cudaRegister")
            || name.starts_with("__cudaUnregister")
            || *name == "__cudaInitModule"
    };
    let exported: BTreeSet<&str> =
        warpsim_cuda::abi::names().into_iter().filter(|name| !registered(name)).collect();
    assert_eq!(exported, declared);
    assert!(exported.len() > 140, "{}", exported.len());
}
