//! Each header compiles alone; all together in C++98 and C++17, for the device and for the host.

use crate::support::{Folder, clangs, outcome};
use std::path::Path;
use std::process::Command;

/// Arguments of clang for a CUDA file.
const CUDA: &[&str] = &["-x", "cuda", "-nocudainc", "-nocudalib", "--cuda-gpu-arch=sm_20", "-include"];

/// Parses a text; complains with `what`.
fn parse(clang: &Path, folder: &Folder, text: &str, arguments: &[&str], what: &str) -> Option<String> {
    let headers = warpcc::headers::folder().expect("the headers can be written");
    folder.write("h.cu", text);
    let mut command = Command::new(clang);
    let cuda = arguments.contains(&"cuda");
    command.args(arguments);
    if cuda {
        command.arg(headers.join("cuda_runtime.h"));
    }
    command.args(["-fsyntax-only", "-Wall", "-Werror", "-isystem"]).arg(&headers);
    command.arg("-isystem").arg(headers.join("common")).arg(folder.path("h.cu"));
    let (code, text) = outcome(&command.output().expect("clang starts"));
    (code != 0).then(|| format!("{what}:\n{text}"))
}

#[test]
fn each_header_compiles_alone() {
    let Some(folder) = Folder::new("headers alone") else { return };
    let clang = clangs().pop().expect("clang is installed");
    let mut complaints = Vec::new();
    let mut all = String::new();
    for (name, text) in warpcc::headers::HEADERS {
        // Parts of `cuda_runtime.h`, and names for it.
        if name.starts_with("device/") || name.starts_with("math/") {
            continue;
        }
        let include = format!("#include <{name}>\n#include <{name}>\n");
        all += &include;
        if text.contains("the names are in `cuda_runtime.h`") {
            continue;
        }
        let arguments = [&["--cuda-host-only"], CUDA].concat();
        complaints.extend(parse(&clang, &folder, &include, &arguments, name));
    }
    // Some headers are alternatives: their names collide.
    let alternative = |line: &&str| ["common/common.h", "wb.h"].iter().any(|header| line.contains(header));
    let together = all.lines().filter(|line| !alternative(line)).collect::<Vec<_>>().join("\n") + "\n";
    for clang in clangs() {
        for standard in ["-std=gnu++98", "-std=gnu++17"] {
            for side in ["--cuda-device-only", "--cuda-host-only"] {
                let arguments = [&[side, standard], CUDA].concat();
                let what = format!("all {side} {standard} {}", clang.display());
                complaints.extend(parse(&clang, &folder, &together, &arguments, &what));
            }
            let arguments = ["-x", "c++", standard];
            complaints.extend(parse(&clang, &folder, &together, &arguments, &format!("host {standard}")));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn headers_of_the_api_are_c() {
    let Some(folder) = Folder::new("headers in C") else { return };
    for header in
        ["cuda_runtime.h", "cuda_runtime_api.h", "vector_types.h", "omp.h", "parboil.h", "polybench.h"]
    {
        folder.write("c.c", &format!("#include <{header}>\nint x;\n"));
        folder.good(&["-c", "c.c", "-std=c99", "-Wall", "-Werror"]);
    }
}

#[test]
fn helpers_of_the_samples_find_their_macros() {
    let Some(folder) = Folder::new("macros of headers") else { return };
    // `helper_cuda.h` and `drvapi_error_string.h` of the samples are empty without these macros.
    folder.write(
        "m.cpp",
        "#include <cuda.h>\n#include <cuda_runtime.h>\n\
         #if !defined(__cuda_cuda_h__) || !defined(__DRIVER_TYPES_H__)\n#error no macros\n#endif\n",
    );
    folder.good(&["-c", "m.cpp", "-o", "m.o"]);
}
