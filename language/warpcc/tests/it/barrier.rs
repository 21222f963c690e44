//! The load of a `__shared__` scalar stays behind `__syncthreads()` with each supported clang.
//! clang 14 moves it over the barrier.

use crate::support::{Folder, clangs, outcome};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

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

/// Barriers and accesses to shared memory.
const STEPS: [&str; 3] = ["bar.sync", "st.shared", "ld.shared"];

/// The lines of a kernel, with its control flow.
struct Kernel<'a>(Vec<&'a str>);

impl<'a> Kernel<'a> {
    fn new(ptx: &'a str, name: &str) -> Self {
        let start = ptx.find(&format!(".entry {name}")).unwrap_or_else(|| panic!("no {name}:\n{ptx}"));
        let end = ptx[start..].find("\n}").expect("a kernel ends");
        Self(ptx[start..start + end].lines().map(str::trim).collect())
    }

    /// Returns the steps that can follow line `place` next, each with its line; a line after the
    /// end for a return.
    fn next(&self, place: usize) -> BTreeSet<usize> {
        let (mut found, mut seen, mut open) = (BTreeSet::new(), BTreeSet::new(), vec![place + 1]);
        while let Some(place) = open.pop() {
            let line = self.0.get(place).copied().unwrap_or("ret;");
            if !seen.insert(place) {
            } else if line == "ret;" || STEPS.iter().any(|step| line.starts_with(step)) {
                found.insert(if line == "ret;" { self.0.len() } else { place });
            } else {
                if let Some((_, label)) = line.split_once("bra") {
                    let label = label.trim_start_matches(".uni").trim().trim_end_matches(';');
                    let at = self.0.iter().position(|line| line.starts_with(&format!("{label}:")));
                    open.push(at.unwrap_or_else(|| panic!("no label {label}")));
                }
                if !line.starts_with("bra") {
                    open.push(place + 1);
                }
            }
        }
        found
    }

    fn step(&self, place: usize) -> &'static str {
        let line = self.0.get(place).copied().unwrap_or("ret");
        STEPS.into_iter().find(|step| line.starts_with(step)).unwrap_or("ret")
    }

    /// Returns the pairs of steps that can follow each store.
    fn after_stores(&self) -> Vec<BTreeSet<[&'static str; 2]>> {
        let stores = (0..self.0.len()).filter(|place| self.step(*place) == "st.shared");
        let pairs = |store: usize| {
            let firsts = self.next(store).into_iter();
            firsts.flat_map(|first| self.next(first).into_iter().map(move |second| (first, second)))
        };
        stores.map(|store| pairs(store).map(|(a, b)| [self.step(a), self.step(b)]).collect()).collect()
    }
}

/// Checks the PTX of the program: in both kernels the load follows the barrier that follows a
/// store.
fn check(ptx: &str) -> Result<(), String> {
    for name in ["_Z4oncePiPKi", "_Z4loopPii"] {
        let after = Kernel::new(ptx, name).after_stores();
        if !after.contains(&BTreeSet::from([["bar.sync", "ld.shared"]])) {
            return Err(format!("{name}: {after:?}\n{ptx}"));
        }
    }
    Ok(())
}

#[test]
fn a_shared_scalar_is_loaded_after_the_barrier() {
    let Some(folder) = Folder::new("loads of shared scalars behind barriers") else { return };
    folder.write("k.cu", PROGRAM);
    for clang in clangs() {
        let clang = clang.to_string_lossy();
        folder.good(&["-ptx", "k.cu", "-o", "k.ptx", "--clang", &clang]);
        if let Err(text) = check(&folder.read("k.ptx")) {
            panic!("{clang}: {text}");
        }
    }
}

/// Without clang 14 the test is empty; the test below has its code.
#[test]
fn clang_14_moves_the_load() {
    let Some(folder) = Folder::new("loads of shared scalars with clang 14") else { return };
    folder.write("k.cu", PROGRAM);
    let (code, text) = folder.run(&["-ptx", "k.cu", "-o", "k.ptx", "--clang", "clang-14"]);
    if text.contains("is not a clang") {
        return;
    }
    assert_eq!(code, 2, "{text}");
    // The command of a clang that is accepted, with the other name.
    let newest = warpcc::clang::find(None::<&Path>).expect("clang is installed");
    let commands = folder.good(&["-ptx", "k.cu", "-o", "k.ptx", "-dryrun"]);
    let arguments =
        commands.trim().strip_prefix("#$ ").and_then(|line| line.split_once(' ')).expect("a command");
    assert_eq!(Path::new(arguments.0), newest.path);
    let mut command = Command::new("sh");
    command.args(["-c", &format!("clang-14 {}", arguments.1)]).current_dir(folder.path("."));
    let (code, text) = outcome(&command.output().expect("sh starts"));
    assert_eq!(code, 0, "{text}");
    let ptx = folder.read("k.ptx");
    for name in ["_Z4oncePiPKi", "_Z4loopPii"] {
        let after = Kernel::new(&ptx, name).after_stores();
        assert!(!after.contains(&BTreeSet::from([["bar.sync", "ld.shared"]])), "{name}: {after:?}\n{ptx}");
    }
}

/// The control flow of the loop as clang 14 compiles it: threads without a change read the scalar
/// before the last barrier.
#[test]
fn a_load_that_moved_is_found() {
    let moved = ".entry _Z4loopPii(\n{\n bra.uni L1;\nL5:\n st.shared.u8 [c], 1;\nL6:\n bar.sync 0;\n \
                 @%p3 bra L1;\n bra.uni L7;\nL1:\n bar.sync 0;\n @%p1 bra L3;\n st.shared.u8 [c], 0;\n\
                 L3:\n bar.sync 0;\n @%p2 bra L5;\n ld.shared.u8 %r, [c];\n bra.uni L6;\nL7:\n ret;\n}\n";
    let after = Kernel::new(moved, "_Z4loopPii").after_stores();
    assert_eq!(
        after,
        [
            BTreeSet::from([["bar.sync", "bar.sync"], ["bar.sync", "ret"]]),
            BTreeSet::from([["bar.sync", "st.shared"], ["bar.sync", "ld.shared"]]),
        ]
    );
}
