//! The table of the options: nvcc's names, long and short, and what the driver does with each.

use Meaning as M;

/// The last step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Links a program.
    Program,
    /// Links a shared library.
    Shared,
    /// Writes an object file for each source file.
    Object,
    /// As [`Stop::Object`], with device functions that other files can call.
    DeviceObject,
    /// nvcc's separate step that links device code. Here the library links it when a program
    /// starts; the step writes an empty object file.
    DeviceLink,
    /// Writes the PTX of each source file.
    Ptx,
    /// Writes the PTX under the names of nvcc's binary formats; the extension of the default name.
    Binary(&'static str),
    /// Writes the preprocessed text.
    Preprocess,
    /// Writes a rule for make; with system headers if true.
    Dependencies(bool),
    /// Makes a static library of the object files.
    Archive,
}

/// What an option means to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// `-o`: name of the result.
    Output,
    /// `-odir`: folder of the results.
    Folder,
    /// Selects the last step.
    Stop(Stop),
    /// For both sides, joined with its value (`-Ivalue`).
    Joined(&'static str),
    /// For both sides, followed by its value.
    Followed(&'static str),
    /// `-std`.
    Standard,
    /// `-O`: of the host; device code is always optimized.
    Optimize,
    /// `-x`: language of the files.
    Language,
    /// `-Xcompiler`: a list for the host compiler.
    Host,
    /// `-Xlinker`: a list for the linker.
    Linker,
    /// `-Xptxas`: a list for the assembler of PTX, of which `-v` and `-maxrregcount` are known.
    Assembler,
    /// `-res-usage`.
    Resources,
    /// `-l`.
    Library,
    /// `-L`.
    LibraryFolder,
    /// `-arch`, `-code`, `-gencode`: remembered for messages only.
    Architecture,
    /// `-maxrregcount`.
    Registers,
    /// `-use_fast_math`.
    FastMath,
    /// `-ftz`, `-prec-div`, `-prec-sqrt`, `-fmad`: with a value true or false.
    Precision(Precision),
    /// `-rdc`, also set by `-dc`.
    Relocatable,
    /// `-g`, `-pg`, `-w`: for the host compiler as they are.
    HostFlag(&'static str),
    /// Options of dependencies for make (`-MF` and the like), with their value.
    Dependencies(&'static str),
    /// `-keep`.
    Keep,
    /// `-keep-dir`.
    KeepFolder,
    /// `-dryrun`.
    Dry,
    /// `-v`.
    Verbose,
    /// `-optf`: a file with options.
    File,
    /// `--clang`.
    Clang,
    /// `--toolkit`: writes a folder that build systems accept as a CUDA toolkit.
    Toolkit,
    /// `--device-arch`.
    DeviceArch,
    /// `-m64`.
    Machine,
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// `--headers`: prints their folder.
    Headers,
    /// Has no effect here, without a note: the result is the same.
    Silent,
    /// Has no effect here: a note says so.
    Ignored,
}

/// A property of arithmetic that an option changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Precision {
    /// Denormals become zero.
    Flush,
    /// Divisions are rounded as IEEE 754 demands.
    Division,
    /// Square roots are rounded as IEEE 754 demands.
    Root,
    /// Products and sums are contracted.
    Fused,
}

/// A row of the table: names (without hyphens), whether a value follows, the meaning.
pub(crate) struct Row {
    pub(crate) names: &'static [&'static str],
    pub(crate) value: bool,
    pub(crate) meaning: Meaning,
}

const fn flag(names: &'static [&'static str], meaning: Meaning) -> Row {
    Row { names, value: false, meaning }
}

const fn value(names: &'static [&'static str], meaning: Meaning) -> Row {
    Row { names, value: true, meaning }
}

/// All options. A name of one letter may be joined with its value; other names take the value
/// after `=` or as the next argument.
pub(crate) const OPTIONS: &[Row] = &[
    value(&["o", "output-file"], M::Output),
    value(&["odir", "output-directory"], M::Folder),
    flag(&["c", "compile"], M::Stop(Stop::Object)),
    flag(&["dc", "device-c"], M::Stop(Stop::DeviceObject)),
    flag(&["dw", "device-w"], M::Stop(Stop::Object)),
    flag(&["dlink", "device-link"], M::Stop(Stop::DeviceLink)),
    flag(&["ptx"], M::Stop(Stop::Ptx)),
    flag(&["cubin"], M::Stop(Stop::Binary("cubin"))),
    flag(&["fatbin"], M::Stop(Stop::Binary("fatbin"))),
    flag(&["E", "preprocess"], M::Stop(Stop::Preprocess)),
    flag(&["M", "generate-dependencies"], M::Stop(Stop::Dependencies(true))),
    flag(&["MM", "generate-nonsystem-dependencies"], M::Stop(Stop::Dependencies(false))),
    flag(&["lib"], M::Stop(Stop::Archive)),
    flag(&["link"], M::Stop(Stop::Program)),
    flag(&["shared"], M::Stop(Stop::Shared)),
    value(&["I", "include-path"], M::Joined("-I")),
    value(&["D", "define-macro"], M::Joined("-D")),
    value(&["U", "undefine-macro"], M::Joined("-U")),
    value(&["include", "pre-include"], M::Followed("-include")),
    value(&["isystem", "system-include"], M::Followed("-isystem")),
    value(&["std"], M::Standard),
    value(&["O", "optimize"], M::Optimize),
    value(&["x"], M::Language),
    value(&["Xcompiler", "compiler-options"], M::Host),
    value(&["Xlinker", "linker-options"], M::Linker),
    value(&["Xptxas", "ptxas-options", "po"], M::Assembler),
    flag(&["res-usage", "resource-usage"], M::Resources),
    value(&["l", "library"], M::Library),
    value(&["L", "library-path"], M::LibraryFolder),
    value(&["arch", "gpu-architecture"], M::Architecture),
    value(&["code", "gpu-code"], M::Architecture),
    value(&["gencode", "generate-code"], M::Architecture),
    value(&["maxrregcount"], M::Registers),
    flag(&["use_fast_math"], M::FastMath),
    value(&["ftz"], M::Precision(Precision::Flush)),
    value(&["prec-div"], M::Precision(Precision::Division)),
    value(&["prec-sqrt"], M::Precision(Precision::Root)),
    value(&["fmad"], M::Precision(Precision::Fused)),
    value(&["rdc", "relocatable-device-code"], M::Relocatable),
    flag(&["g", "debug"], M::HostFlag("-g")),
    flag(&["pg", "profile"], M::HostFlag("-pg")),
    flag(&["w", "disable-warnings"], M::HostFlag("-w")),
    flag(&["MD", "generate-dependencies-with-compile"], M::HostFlag("-MD")),
    flag(&["MMD", "generate-nonsystem-dependencies-with-compile"], M::HostFlag("-MMD")),
    flag(&["MP", "generate-dependency-targets"], M::HostFlag("-MP")),
    value(&["MF", "dependency-output"], M::Dependencies("-MF")),
    value(&["MT", "dependency-target-name"], M::Dependencies("-MT")),
    value(&["MQ"], M::Dependencies("-MQ")),
    flag(&["keep", "save-temps"], M::Keep),
    value(&["keep-dir"], M::KeepFolder),
    flag(&["dryrun"], M::Dry),
    flag(&["v", "verbose"], M::Verbose),
    value(&["optf", "options-file"], M::File),
    value(&["clang"], M::Clang),
    value(&["device-arch"], M::DeviceArch),
    value(&["toolkit"], M::Toolkit),
    flag(&["help", "h"], M::Help),
    flag(&["version", "V"], M::Version),
    flag(&["headers"], M::Headers),
    // The simulator executes 64-bit addresses and always has line numbers.
    value(&["m", "machine"], M::Machine),
    flag(&["lineinfo", "generate-line-info"], M::Silent),
    flag(&["src-in-ptx", "source-in-ptx"], M::Silent),
    flag(&["expt-relaxed-constexpr", "expt-extended-lambda", "extended-lambda"], M::Silent),
    flag(&["Wno-deprecated-gpu-targets"], M::Silent),
    flag(&["noprof", "nodebug", "dont-use-profile"], M::Silent),
    value(&["cudart"], M::Silent),
    value(&["t", "threads"], M::Silent),
    value(&["objtemp"], M::Silent),
    value(&["default-stream"], M::Ignored),
    flag(&["G", "device-debug"], M::Ignored),
    value(&["dopt"], M::Silent),
    value(&["ccbin", "compiler-bindir"], M::Ignored),
    value(&["Xcudafe", "cudafe-options"], M::Ignored),
    value(&["Xnvlink", "nvlink-options"], M::Ignored),
    value(&["Xarchive", "archive-options"], M::Ignored),
    value(&["Xfatbin", "fatbin-options"], M::Ignored),
    value(&["diag-suppress", "diag-error", "diag-warn"], M::Ignored),
    flag(&["restrict"], M::Ignored),
    flag(&["deviceemu"], M::Ignored),
];
