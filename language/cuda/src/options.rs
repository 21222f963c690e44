//! Options of the code generator, with the names that nvcc uses.

use crate::target::Target;
use std::path::Path;
use std::str::FromStr;

/// The language of a source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Language {
    /// CUDA C, and C++ in host code.
    #[default]
    CudaC,
    /// C, for host programs.
    C,
    /// OpenCL C 1.0 or 1.1, as `__OPENCL_VERSION__` says: 100 or 110.
    OpenClC(u32),
}

/// A standard of C++ or C, which macros such as `__cplusplus` name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standard {
    /// The name without `gnu`, as in `c++20`.
    name: &'static str,
    /// The value of `__cplusplus` or `__STDC_VERSION__`; 0 where the standard has no such macro.
    version: u32,
}

impl Standard {
    /// The standard of C++ without an option, as in nvcc.
    pub const USUAL: Self = Self { name: "c++17", version: 201_703 };

    /// The standard of C without an option.
    pub const USUAL_C: Self = Self { name: "c99", version: 199_901 };

    /// Other names of a standard.
    const ALIASES: [(&str, &str); 3] = [("c++98", "c++03"), ("c90", "c89"), ("c18", "c17")];

    /// All standards.
    const ALL: [Self; 9] = [
        Self { name: "c++03", version: 199_711 },
        Self { name: "c++11", version: 201_103 },
        Self { name: "c++14", version: 201_402 },
        Self::USUAL,
        Self { name: "c++20", version: 202_002 },
        Self { name: "c89", version: 0 },
        Self::USUAL_C,
        Self { name: "c11", version: 201_112 },
        Self { name: "c17", version: 201_710 },
    ];

    /// The name, as in `-std=c++20`.
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Whether it is a standard of C++, not of C.
    pub fn is_cpp(self) -> bool {
        self.name.contains('+')
    }

    /// Whether it is C++20 or a later standard.
    pub fn is_cpp20(self) -> bool {
        self.is_cpp() && self.version >= 202_002
    }

    /// The macros that name it.
    pub fn macros(self) -> String {
        let version = self.version;
        match (self.is_cpp(), version) {
            (false, 0) => String::new(),
            (false, _) => format!("#define __STDC_VERSION__ {version}L\n"),
            (true, ..202_002) => format!("#define __cplusplus {version}L\n"),
            (true, _) => format!(
                "#define __cplusplus {version}L\n#define __cpp_concepts 202002L\n\
                 #define __cpp_lib_concepts 202002L\n#define __cpp_lib_span 202002L\n"
            ),
        }
    }
}

impl FromStr for Standard {
    type Err = String;

    fn from_str(given: &str) -> Result<Self, String> {
        let name = given.strip_prefix("gnu").map_or(given.to_owned(), |rest| format!("c{rest}"));
        let known = Self::ALIASES.iter().find(|(alias, _)| *alias == name).map_or(&*name, |(_, name)| name);
        Self::ALL.into_iter().find(|one| one.name == known).ok_or_else(|| {
            let names: Vec<&str> = Self::ALL.iter().map(|one| one.name).collect();
            format!(
                "unknown standard; known are {}, also with gnu in place of the c, as in gnu++17",
                names.join(", ")
            )
        })
    }
}

/// Options of the code generator.
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of nvcc")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The language of the source.
    pub language: Language,
    /// The standard of C++ or C, if an option names it.
    pub standard: Option<Standard>,
    /// Numbers without suffix are `float` (OpenCL C, `-cl-single-precision-constant`).
    pub single_literals: bool,
    /// Optimization level, 0 to 3; 1 to 3 are the same.
    pub opt_level: u32,
    /// Contract products and sums into multiply-adds.
    pub fmad: bool,
    /// Subnormal floats are zeros (`-ftz`); below `sm_20` always.
    pub ftz: bool,
    /// Exact division of floats; from `sm_20` on.
    pub prec_div: bool,
    /// Exact square roots of floats; from `sm_20` on.
    pub prec_sqrt: bool,
    /// Write `.file` and `.loc`.
    pub lines: bool,
    /// Write the line of CUDA C above its instructions.
    pub comments: bool,
    /// Functions of the mathematical library are the fast ones (`-use_fast_math`).
    pub use_fast_math: bool,
    /// Macros of the command line: `NAME` or `NAME=VALUE` (`-D`).
    pub defines: Vec<String>,
    /// Maximum number of registers per thread (`.maxnreg`).
    pub max_registers: Option<u32>,
    /// An NDRange may be several launches (OpenCL C): environment registers have the first
    /// work-group of the launch, and the number of all work-groups.
    pub parts: bool,
    /// Bytes of device memory, if the chip is known: larger variables are refused.
    pub memory_bytes: Option<u64>,
}

impl Options {
    /// The defaults of nvcc for a target.
    pub fn of(target: Target) -> Options {
        let exact = target.is_fermi();
        Options {
            language: Language::CudaC,
            standard: None,
            single_literals: false,
            opt_level: 3,
            fmad: true,
            ftz: !exact,
            prec_div: exact,
            prec_sqrt: exact,
            lines: true,
            comments: true,
            use_fast_math: false,
            defines: Vec::new(),
            max_registers: None,
            parts: false,
            memory_bytes: None,
        }
    }

    /// The options for a file: the language follows from the ending of its name.
    #[must_use]
    pub fn of_file(self, path: &Path, target: Target) -> Options {
        let is = |known: &str| path.extension().is_some_and(|end| end.eq_ignore_ascii_case(known));
        if self.language != Language::CudaC {
            return self;
        }
        if is("c") {
            return Options { language: Language::C, ..self };
        }
        if !is("cl") {
            return self;
        }
        // NVIDIA's drivers had OpenCL 1.0 below compute capability 2.0.
        let version = if target.is_fermi() { 110 } else { 100 };
        self.in_open_cl(version)
    }

    /// The options for OpenCL C, where divisions and square roots may be approximate.
    #[must_use]
    pub fn in_open_cl(self, version: u32) -> Options {
        Options { language: Language::OpenClC(version), prec_div: false, prec_sqrt: false, ..self }
    }

    /// Applies `-use_fast_math`.
    pub fn fast_math(&mut self) {
        self.use_fast_math = true;
        self.fmad = true;
        self.ftz = true;
        self.prec_div = false;
        self.prec_sqrt = false;
    }

    /// Whether the optimizer runs.
    pub fn optimizes(&self) -> bool {
        self.opt_level > 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standards_have_the_names_of_nvcc() {
        let version = |name: &str| name.parse::<Standard>().map(|one| (one.name, one.version));
        assert_eq!(version("c++20"), Ok(("c++20", 202_002)));
        assert_eq!(version("gnu++14"), Ok(("c++14", 201_402)));
        assert_eq!(version("c++98"), Ok(("c++03", 199_711)));
        assert_eq!(version("gnu99"), Ok(("c99", 199_901)));
        for unknown in ["c++21", "c++", "gnu", "", "20", "C++17", "gnu++20 "] {
            assert!(version(unknown).is_err(), "{unknown}");
        }
    }
}
