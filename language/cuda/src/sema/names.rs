//! Names that are not declared, with advice.

use isa::feature::{Feature, Features};

/// Variables that every kernel has.
pub const BUILTIN_VARIABLES: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// Functions that device code has without a declaration: name, parameters, and the least compute
/// capability.
pub const BUILTIN_FUNCTIONS: [(&str, &str, u32); 1] = [("printf", "(const char *format, ...)", 20)];

/// Functions, types and namespaces of later hardware that no chip of the simulator has: the name,
/// or with `_` at the end how it starts; what it is; and the least compute capability.
const LATER: [(&str, &str, &str); 18] = [
    ("__match_", "`__match_any_sync` and its like", "7.0"),
    ("__reduce_", "the reduction of a warp", "8.0"),
    ("__nanosleep", "`__nanosleep`", "7.0"),
    ("__dp4a", "the dot product of bytes", "6.1"),
    ("__dp2a_", "the dot product of bytes", "6.1"),
    ("__half", "arithmetic of half precision", "5.3"),
    ("__half2", "arithmetic of half precision", "5.3"),
    ("half", "arithmetic of half precision", "5.3"),
    ("half2", "arithmetic of half precision", "5.3"),
    ("__nv_bfloat16", "arithmetic of half precision", "8.0"),
    ("nvcuda", "the tensor cores", "7.0"),
    ("wmma", "the tensor cores", "7.0"),
    ("this_grid", "a barrier of the whole grid", "6.0"),
    ("grid_group", "a barrier of the whole grid", "6.0"),
    ("coalesced_threads", "a group of the active threads", "3.0"),
    ("coalesced_group", "a group of the active threads", "3.0"),
    ("cudaStreamCreateWithFlags", "a stream of device code", "3.5"),
    ("cudaDeviceSynchronize", "the runtime in device code", "3.5"),
];

/// Functions, types and constants of the system that programs have on a computer and not in the
/// simulator, and why not.
const OF_THE_SYSTEM: [(&str, &str); 10] = [
    (
        "system popen pclose fork vfork execl execlp execle execv execvp execve posix_spawn \
         posix_spawnp waitpid dup2",
        "a program of the simulator starts no other programs",
    ),
    (
        "mmap munmap mprotect msync shm_open shm_unlink shmget shmat PROT_READ PROT_WRITE \
         PROT_EXEC PROT_NONE MAP_PRIVATE MAP_SHARED MAP_ANONYMOUS MAP_ANON MAP_FIXED MAP_FAILED",
        "a program of the simulator maps no files and shares no memory: read the file, or use `malloc`",
    ),
    ("socket sockaddr sockaddr_in gethostbyname getaddrinfo", "a program of the simulator has no network"),
    ("dlopen dlsym dlclose dlerror", "a program of the simulator loads no libraries"),
    ("sigaction sigprocmask alarm setitimer kill pause", "only `signal` and `raise` exist"),
    ("setjmp longjmp sigsetjmp siglongjmp jmp_buf", "throw an exception, or return a code"),
    (
        "gethostname getpwuid getuid geteuid getgid getppid getlogin ttyname getloadavg",
        "results would depend on the computer",
    ),
    ("chdir fchdir", "a program of the simulator stays in its folder: put the folder in front of the name"),
    ("freopen", "the standard streams stay where they are: open the file with `fopen`, and use `fprintf`"),
    ("regcomp regexec regfree regex_t", "search with the functions of <string.h>"),
];

/// Why host code does not have a name of the system.
pub fn missing_in_host(name: &str) -> Option<&'static str> {
    let has = |names: &str| names.split(' ').any(|known| known == name);
    OF_THE_SYSTEM.iter().find(|(names, _)| has(names)).map(|(_, why)| *why)
}

/// Says which feature a call of a function after Fermi needs, and how a chip gets it; `address` is
/// the type that the first argument points to.
pub fn needs_feature(name: &str, address: &str, features: Features) -> Option<String> {
    let wide = ["long long", "unsigned long long", "long", "unsigned long"];
    let feature = match name {
        _ if name.starts_with("__shfl") => Feature::Shuffle,
        "atomicAdd" if address == "double" => Feature::AtomicF64,
        "atomicMin" | "atomicMax" | "atomicAnd" | "atomicOr" | "atomicXor" if wide.contains(&address) => {
            Feature::Atomics64
        }
        _ => return None,
    };
    if features.has(feature) {
        return None;
    }
    let all = features.with(feature).to_string().replace(' ', "");
    Some(format!(
        "the function needs compute capability {}, or a Fermi with the feature `{}`: `--set 'features={all}'`",
        feature.since(),
        feature.name(),
    ))
}

/// Advice for names of host code and of later hardware.
pub fn hint(name: &str, features: Features) -> Option<String> {
    Some(match name {
        "cout" | "cerr" | "endl" => "device code prints with `printf` on sm_20".to_owned(),
        "std" => "device code has no C++ standard library".to_owned(),
        "cudaMalloc" | "cudaMemcpy" | "cudaFree" | "cudaMemset" => {
            "this function of the runtime is for host code".to_owned()
        }
        "fopen" | "fprintf" | "exit" | "rand" | "srand" | "time" | "getchar" => {
            "this function of the C library is for host code".to_owned()
        }
        _ => {
            let later = LATER
                .iter()
                .find(|(known, ..)| name == *known || known.ends_with('_') && name.starts_with(known));
            return needs_feature(name, "", features).or_else(|| {
                let (_, what, since) = later?;
                Some(format!(
                    "{what} needs compute capability {since}, later than every chip of the simulator"
                ))
            });
        }
    })
}
