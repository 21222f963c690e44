//! Reads the arguments: nvcc's options to a [`Request`].

use crate::error::Failure;
use crate::options::{Meaning, OPTIONS, Precision, Row, Stop};
use std::path::{Path, PathBuf};

/// An argument of the linker, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// An input file.
    File(PathBuf),
    /// An option such as `-lm`.
    Option(String),
}

/// Accuracy of device code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each option of nvcc")]
pub struct Arithmetic {
    /// Functions such as `sinf` become instructions of the special function units.
    pub fast_functions: bool,
    /// Denormals of `float` become zero.
    pub flush: bool,
    /// Divisions of `float` are rounded correctly.
    pub division: bool,
    /// Square roots of `float` are rounded correctly.
    pub root: bool,
    /// Products and sums are contracted to fused multiply-adds.
    pub fused: bool,
}

/// What the command line asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "one for each independent option of the command line")]
pub struct Request {
    /// Last step.
    pub stop: Stop,
    /// Input files and options of the linker.
    pub items: Vec<Item>,
    /// Name of the result.
    pub output: Option<PathBuf>,
    /// Folder of results without a given name.
    pub folder: Option<PathBuf>,
    /// Options of the preprocessor, for all compilations.
    pub preprocessor: Vec<String>,
    /// Language standard, as given.
    pub standard: Option<String>,
    /// Optimization level of host code.
    pub optimize: Option<String>,
    /// Language of all files, as given.
    pub language: Option<String>,
    /// Options of the host compiler.
    pub host: Vec<String>,
    /// Greatest compute capability that `-arch` and the like name, times 10; 0 without.
    pub architecture: u32,
    /// Target of the device code.
    pub device_arch: String,
    /// Maximum number of registers of a thread.
    pub registers: Option<u32>,
    /// Accuracy of device code.
    pub arithmetic: Arithmetic,
    /// Device functions can be defined in another file.
    pub relocatable: bool,
    /// Prints registers and shared memory of each kernel.
    pub resources: bool,
    /// Keeps the PTX and the object files.
    pub keep: Option<PathBuf>,
    /// Prints the commands without running them.
    pub dry: bool,
    /// Prints the commands.
    pub verbose: bool,
    /// Path of clang.
    pub clang: Option<PathBuf>,
    /// Links functions of OpenMP if there is a library of them.
    pub openmp: bool,
    /// Folder of the library.
    pub library: Option<PathBuf>,
    /// Folder that becomes a CUDA toolkit; nothing is compiled.
    pub toolkit: Option<PathBuf>,
    /// A question that ends the run.
    pub question: Option<Question>,
    /// Options without an effect.
    pub ignored: Vec<String>,
}

/// An option that prints something and ends the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// `--headers`.
    Headers,
}

impl Default for Request {
    fn default() -> Self {
        let arithmetic =
            Arithmetic { fast_functions: false, flush: false, division: true, root: true, fused: true };
        Self {
            stop: Stop::Program,
            items: Vec::new(),
            output: None,
            folder: None,
            preprocessor: Vec::new(),
            standard: None,
            optimize: None,
            language: None,
            host: Vec::new(),
            architecture: 0,
            device_arch: "sm_20".to_owned(),
            registers: None,
            arithmetic,
            relocatable: false,
            resources: false,
            keep: None,
            dry: false,
            verbose: false,
            clang: None,
            openmp: false,
            library: None,
            toolkit: None,
            question: None,
            ignored: Vec::new(),
        }
    }
}

impl Request {
    /// Returns the input files in order.
    pub fn files(&self) -> impl Iterator<Item = &Path> {
        self.items.iter().filter_map(|item| match item {
            Item::File(path) => Some(path.as_path()),
            Item::Option(_) => None,
        })
    }
}

/// Maximum depth of response files that name others.
const DEPTH: u32 = 8;

/// Reads the arguments after the name of the program.
pub fn parse(arguments: Vec<String>) -> Result<Request, Failure> {
    let mut request = Request::default();
    if let Ok(arch) = std::env::var("WARPSIM_DEVICE_ARCH")
        && !arch.is_empty()
    {
        request.device_arch = device_arch(&arch)?;
    }
    read(arguments, &mut request, 0)?;
    Ok(request)
}

fn read(arguments: Vec<String>, request: &mut Request, depth: u32) -> Result<(), Failure> {
    let mut rest = arguments.into_iter();
    while let Some(argument) = rest.next() {
        if let Some(file) = argument.strip_prefix('@') {
            read_file(Path::new(file), request, depth)?;
        } else if argument.starts_with('-') && argument.len() > 1 {
            if passed_to_host(&argument) {
                request.host.push(argument);
                continue;
            }
            if let Some(folder) = argument.strip_prefix("--lib=") {
                request.library = Some(PathBuf::from(folder));
                continue;
            }
            let (row, joined) = find(&argument)
                .ok_or_else(|| Failure::Usage(format!("unknown option {argument}; see warpcc --help")))?;
            let value = match joined {
                Some(value) => value,
                None if row.value => rest
                    .next()
                    .ok_or_else(|| Failure::Usage(format!("a value must follow the option {argument}")))?,
                None => String::new(),
            };
            if row.meaning == Meaning::File {
                read_file(Path::new(&value), request, depth)?;
            } else {
                apply(row, &argument, value, request)?;
            }
        } else {
            request.items.push(Item::File(PathBuf::from(argument)));
        }
    }
    Ok(())
}

/// Whether an option is one of the host compiler that nvcc itself does not have.
fn passed_to_host(argument: &str) -> bool {
    let host = argument.starts_with("-W") || argument.starts_with("-f") && !argument.starts_with("-f=");
    let ours = argument == "-Wno-deprecated-gpu-targets"
        || ["-fmad", "-ftz", "-fatbin"].iter().any(|o| argument.starts_with(o));
    host && !ours || argument == "-pthread" || argument == "-rdynamic" || argument.starts_with("-march=")
}

/// Finds the row of an option, and the value that is joined with it.
fn find(argument: &str) -> Option<(&'static Row, Option<String>)> {
    let name = argument.trim_start_matches('-');
    if argument.len() - name.len() > 2 {
        return None;
    }
    let (before, value) = name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value)));
    let named = |row: &&Row| row.names.contains(&before) && (row.value || value.is_none());
    if let Some(row) = OPTIONS.iter().find(named) {
        return Some((row, value.map(str::to_owned)));
    }
    // One letter with its value: `-Iinclude`, `-DN=3`, `-O3`.
    let first = name.get(..1)?;
    let short = |row: &&Row| row.value && row.names.contains(&first);
    let row = OPTIONS.iter().find(short)?;
    let value = &name[1..];
    (!argument.starts_with("--")).then(|| (row, Some(value.to_owned())))
}

/// Reads the arguments in a file.
fn read_file(path: &Path, request: &mut Request, depth: u32) -> Result<(), Failure> {
    if depth >= DEPTH {
        let text = format!("response files are nested more than {DEPTH} deep at {}", path.display());
        return Err(Failure::Usage(text));
    }
    let text = std::fs::read_to_string(path).map_err(|error| {
        Failure::Usage(format!("cannot read the response file {}: {error}", path.display()))
    })?;
    let words = shlex::split(&text).ok_or_else(|| {
        Failure::Usage(format!("{}: a quotation mark is missing in the response file", path.display()))
    })?;
    read(words, request, depth + 1)
}

/// Applies an option to the request.
fn apply(row: &Row, argument: &str, value: String, request: &mut Request) -> Result<(), Failure> {
    let list =
        |value: &str| value.split(',').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    match row.meaning {
        Meaning::Output => request.output = Some(PathBuf::from(value)),
        Meaning::Folder => request.folder = Some(PathBuf::from(value)),
        Meaning::Stop(stop) => {
            request.stop = stop;
            request.relocatable |= stop == Stop::DeviceObject;
        }
        Meaning::Joined(name) => request.preprocessor.push(format!("{name}{value}")),
        Meaning::Followed(name) => request.preprocessor.extend([name.to_owned(), value]),
        Meaning::Standard => request.standard = Some(value),
        Meaning::Optimize => request.optimize = Some(value),
        Meaning::Language => request.language = Some(value),
        Meaning::Host => {
            for word in shlex::split(&value).unwrap_or_else(|| vec![value.clone()]) {
                let whole = ["-Wl,", "-Wa,", "-Wp,"].iter().any(|start| word.starts_with(start));
                let options = if whole { vec![word] } else { list(&word) };
                for option in options {
                    host_option(option, request);
                }
            }
        }
        Meaning::Linker => {
            let options = list(&value).into_iter().map(|option| Item::Option(format!("-Wl,{option}")));
            request.items.extend(options);
        }
        Meaning::Assembler => {
            for option in value.split([',', ' ']).filter(|option| !option.is_empty()) {
                // nvcc adds the hyphens that are missing.
                let name = option.trim_start_matches('-');
                match name.split_once('=') {
                    None if matches!(name, "v" | "verbose") => request.resources = true,
                    Some(("maxrregcount", value)) => request.registers = Some(registers(value)?),
                    _ => request.ignored.push(format!("-Xptxas {option}")),
                }
            }
        }
        Meaning::Resources => request.resources = true,
        Meaning::Library => {
            request.openmp |= matches!(value.as_str(), "gomp" | "omp" | "iomp5");
            request.items.push(Item::Option(format!("-l{value}")));
        }
        Meaning::LibraryFolder => request.items.push(Item::Option(format!("-L{value}"))),
        Meaning::Architecture => request.architecture = request.architecture.max(capability(&value)),
        Meaning::Registers => request.registers = Some(registers(&value)?),
        Meaning::FastMath => {
            request.arithmetic =
                Arithmetic { fast_functions: true, flush: true, division: false, root: false, fused: true };
        }
        Meaning::Precision(precision) => {
            let value = truth(argument, &value)?;
            let arithmetic = &mut request.arithmetic;
            *match precision {
                Precision::Flush => &mut arithmetic.flush,
                Precision::Division => &mut arithmetic.division,
                Precision::Root => &mut arithmetic.root,
                Precision::Fused => &mut arithmetic.fused,
            } = value;
        }
        Meaning::Relocatable => request.relocatable = truth(argument, &value)?,
        Meaning::HostFlag(flag) => request.host.push(flag.to_owned()),
        Meaning::Dependencies(name) => request.host.extend([name.to_owned(), value]),
        Meaning::Keep => request.keep = Some(request.keep.take().unwrap_or_else(|| PathBuf::from("."))),
        Meaning::KeepFolder => request.keep = Some(PathBuf::from(value)),
        Meaning::Dry => request.dry = true,
        Meaning::Verbose => request.verbose = true,
        Meaning::Clang => request.clang = Some(PathBuf::from(value)),
        Meaning::DeviceArch => request.device_arch = device_arch(&value)?,
        Meaning::Toolkit => request.toolkit = Some(PathBuf::from(value)),
        Meaning::Machine if value == "64" => {}
        Meaning::Help => request.question = Some(Question::Help),
        Meaning::Version => request.question = Some(Question::Version),
        Meaning::Headers => request.question = Some(Question::Headers),
        Meaning::Ignored | Meaning::Machine => {
            let same = argument.ends_with(&value) && !value.is_empty() || value.is_empty();
            request.ignored.push(if same { argument.to_owned() } else { format!("{argument} {value}") });
        }
        Meaning::Silent | Meaning::File => {}
    }
    Ok(())
}

/// Adds an option of `-Xcompiler`, which can be one of the linker too.
fn host_option(option: String, request: &mut Request) {
    if option == "-fopenmp" || option == "/openmp" {
        request.ignored.push(format!("-Xcompiler {option} (omp.h is serial)"));
        request.openmp = true;
    } else if option.starts_with("-Wl,") || option.starts_with("-l") || option.starts_with("-L") {
        request.items.push(Item::Option(option));
    } else {
        request.host.push(option);
    }
}

/// Returns the greatest compute capability that a value of `-arch` or `-gencode` names, times 10.
fn capability(value: &str) -> u32 {
    let names = value.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    let numbers = names.filter_map(|name| name.strip_prefix("sm_").or(name.strip_prefix("compute_")));
    numbers.filter_map(|number| number.trim_end_matches('a').parse().ok()).max().unwrap_or(0)
}

fn device_arch(value: &str) -> Result<String, Failure> {
    let number: Option<u32> = value.strip_prefix("sm_").and_then(|number| number.parse().ok());
    match number {
        Some(20..=120) => Ok(value.to_owned()),
        _ => Err(Failure::Usage(format!("the device architecture must be sm_20 or later, not {value}"))),
    }
}

fn registers(value: &str) -> Result<u32, Failure> {
    let number = value.parse().ok().filter(|number| (1..=255).contains(number));
    number.ok_or_else(|| Failure::Usage(format!("-maxrregcount must be a number from 1 to 255, not {value}")))
}

fn truth(argument: &str, value: &str) -> Result<bool, Failure> {
    match value {
        "true" | "1" => Ok(true),
        "false" | "0" => Ok(false),
        _ => Err(Failure::Usage(format!("the value of {argument} must be true or false, not {value}"))),
    }
}
