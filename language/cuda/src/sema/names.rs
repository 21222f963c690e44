//! Names that need advice of their own when they are not declared.

/// Variables that every kernel has.
pub const BUILTIN_VARIABLES: [&str; 5] = ["threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize"];

/// Functions that device code has without a declaration: name, parameters, and the least compute
/// capability.
pub const BUILTIN_FUNCTIONS: [(&str, &str, u32); 1] = [("printf", "(const char *format, ...)", 20)];

/// Advice for names of host code and of later hardware.
pub fn hint(name: &str) -> Option<String> {
    let later =
        |what: &str| Some(format!("{what} exists from sm_30 on, later than every target of this compiler"));
    Some(match name {
        "cout" | "cerr" | "endl" => "device code prints with `printf` on sm_20".to_owned(),
        "std" => "device code has no C++ standard library".to_owned(),
        "cudaMalloc" | "cudaMemcpy" | "cudaFree" | "cudaDeviceSynchronize" | "cudaMemset" => {
            "this function of the runtime is for host code".to_owned()
        }
        "fopen" | "fprintf" | "exit" | "rand" | "srand" | "time" | "getchar" => {
            "this function of the C library is for host code".to_owned()
        }
        _ if name.starts_with("__shfl") => return later("the warp shuffle"),
        _ if name.starts_with("__match_") || name.starts_with("__reduce_") => {
            return later("this warp function");
        }
        "__activemask" => return later("`__activemask`"),
        _ => return None,
    })
}
