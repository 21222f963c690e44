//! The load of a `__shared__` scalar stays behind `__syncthreads()` with each supported clang.
//! clang 14 moves it over the barrier.

use crate::support::{Folder, clangs};

/// Thread 0 writes the scalars; other threads read them after a barrier, also in a loop.
const PROGRAM: &str = "
__global__ void once(int *out, const int *in) {
    __shared__ int last;
    if (threadIdx.x == 0) last = in[blockIdx.x];
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = last;
}
__global__ void loop(int *out, int n) {
    __shared__ bool changed;
    do {
        __syncthreads();
        if (threadIdx.x == 0) changed = false;
        __syncthreads();
        if (out[threadIdx.x] > n) { out[threadIdx.x] -= 1; changed = true; }
        __syncthreads();
    } while (changed);
}
";

#[test]
fn a_shared_scalar_is_loaded_after_the_barrier() {
    let Some(folder) = Folder::new("loads of shared scalars behind barriers") else { return };
    folder.write("k.cu", PROGRAM);
    for clang in clangs() {
        let clang = clang.to_string_lossy();
        folder.good(&["-ptx", "k.cu", "-o", "k.ptx", "--clang", &clang]);
        let ptx = folder.read("k.ptx");
        let kernel = |name: &str| {
            let start = ptx.find(&format!(".entry {name}")).unwrap_or_else(|| panic!("{clang}: {ptx}"));
            ptx[start..].split("-- End function").next().expect("a split has a first part")
        };
        let once = kernel("_Z4oncePiPKi");
        let at = |text: &str| once.find(text).unwrap_or_else(|| panic!("{clang}: no {text}:\n{once}"));
        assert!(at("st.shared") < at("bar.sync") && at("bar.sync") < at("ld.shared"), "{clang}:\n{once}");
        // The load of the loop follows a barrier, not a store: blocks can be in any order.
        let loop_text = kernel("_Z4loopPii");
        let accesses = ["bar.sync", "st.shared", "ld.shared"];
        let steps: Vec<&str> = loop_text
            .lines()
            .filter_map(|line| accesses.into_iter().find(|name| line.contains(name)))
            .collect();
        let load = steps.iter().position(|step| *step == "ld.shared");
        let load = load.unwrap_or_else(|| panic!("{clang}: no load:\n{loop_text}"));
        assert_eq!(steps[load.saturating_sub(1)], "bar.sync", "{clang}:\n{loop_text}");
    }
}
