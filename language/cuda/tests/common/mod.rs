//! Compiles and runs CUDA C on the functional machine.

use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use isa::feature::{Feature, Features};
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch, Mode};

/// A target such as `sm_20`, or `sm_20+shuffle+lop3` with features.
fn target_of(name: &str) -> Target {
    let mut words = name.split('+');
    let target = words.next().and_then(Target::from_name).expect("a known target");
    target.with(words.fold(Features::NONE, |all, word| {
        let feature = Feature::ALL.iter().find(|feature| feature.name() == word);
        all.with(*feature.expect("a known feature"))
    }))
}

/// PTX of a program; the messages of the compiler if it is refused.
pub fn compile(text: &str, target: &str, level: u32) -> Result<String, String> {
    let target = target_of(target);
    let options = Options { opt_level: level, ..Options::of(target) };
    let none = |_: &str, _: &str, _: bool| None::<Included>;
    let compiled = cuda::compile("test.cu", text, &none, target, &options);
    compiled.ptx.clone().ok_or_else(|| compiled.messages())
}

/// A GPU that runs programs for a target.
pub fn gpu(target: &str) -> Gpu {
    let Target { capability, features, .. } = target_of(target);
    let name = match capability {
        10 => "g80",
        20.. => "fermi",
        _ => "gt200",
    };
    let chip = Chip::builtin(name).expect("a chip of the simulator");
    Gpu::new(Chip { features, ..chip })
}

/// An argument of a kernel.
#[derive(Clone, Debug)]
pub enum Argument {
    /// A buffer with its bytes before the launch.
    Buffer(Vec<u8>),
    /// An `int`.
    Int(i32),
    /// A `float`.
    Float(f32),
    /// A structure with these members.
    Record(Vec<Argument>),
}

/// Bytes of numbers.
pub fn ints(values: &[i32]) -> Argument {
    Argument::Buffer(values.iter().flat_map(|value| value.to_le_bytes()).collect())
}

/// Bytes of numbers.
pub fn floats(values: &[f32]) -> Argument {
    Argument::Buffer(values.iter().flat_map(|value| value.to_le_bytes()).collect())
}

/// Runs a kernel; returns the bytes of the buffers after the launch.
pub fn run(
    ptx: &str,
    target: &str,
    entry: &str,
    shape: ((u32, u32), (u32, u32)),
    dynamic: u32,
    arguments: &[Argument],
) -> Result<Vec<Vec<u8>>, String> {
    run_counted(ptx, target, entry, shape, dynamic, arguments).map(|(buffers, _)| buffers)
}

/// Runs a kernel; returns the bytes of the buffers after the launch, and the executed warp
/// instructions.
pub fn run_counted(
    ptx: &str,
    target: &str,
    entry: &str,
    (grid, block): ((u32, u32), (u32, u32)),
    dynamic: u32,
    arguments: &[Argument],
) -> Result<(Vec<Vec<u8>>, u64), String> {
    let (module, diagnostics) = isa::compile("test.ptx", ptx);
    let module = module.ok_or_else(|| isa::diag::render_all(&diagnostics, "test.ptx", ptx))?;
    let mut gpu = gpu(target);
    let module = gpu.load(module).map_err(|e| e.to_string())?;
    let mut buffers = Vec::new();
    let pointer_bytes = if target.starts_with("sm_2") { 8 } else { 4 };
    let args: Result<Vec<Arg>, String> =
        arguments.iter().map(|argument| place(&mut gpu, argument, pointer_bytes, &mut buffers)).collect();
    let mut launch = Launch::new(module, entry, grid, block).args(args?).mode(Mode::Functional);
    launch.dynamic_shared = dynamic;
    launch.options.max_cycles = 50_000_000;
    let report = gpu.launch(&launch).map_err(|e| e.to_string())?;
    if !report.verdict.is_finished() {
        return Err(format!("{:?}", report.verdict));
    }
    let buffers: Result<Vec<Vec<u8>>, String> = buffers
        .into_iter()
        .map(|(pointer, size)| {
            let mut bytes = vec![0; size];
            gpu.copy_out(pointer, &mut bytes).map_err(|e| e.to_string())?;
            Ok(bytes)
        })
        .collect();
    Ok((buffers?, report.instructions.warp))
}

/// Makes the argument of a launch; buffers are allocated, filled and listed.
fn place(
    gpu: &mut Gpu,
    argument: &Argument,
    pointer_bytes: u32,
    buffers: &mut Vec<(DevicePtr, usize)>,
) -> Result<Arg, String> {
    Ok(match argument {
        Argument::Buffer(bytes) => {
            let pointer = gpu.malloc(bytes.len().max(4) as u64).map_err(|e| e.to_string())?;
            gpu.copy_in(pointer, bytes).map_err(|e| e.to_string())?;
            buffers.push((pointer, bytes.len()));
            Arg::Ptr(pointer)
        }
        Argument::Int(value) => Arg::S32(*value),
        Argument::Float(value) => Arg::F32(*value),
        Argument::Record(members) => {
            let mut bytes = Vec::new();
            let mut align = 1;
            for member in members {
                let value = place(gpu, member, pointer_bytes, buffers)?;
                let size = if matches!(value, Arg::Ptr(_)) { pointer_bytes } else { 4 };
                align = align.max(size as usize);
                bytes.resize(bytes.len().next_multiple_of(size as usize), 0);
                bytes.extend(value.to_bytes(size).expect("a scalar of this size"));
            }
            bytes.resize(bytes.len().next_multiple_of(align), 0);
            Arg::Bytes(bytes)
        }
    })
}

/// The integers in bytes.
pub fn as_ints(bytes: &[u8]) -> Vec<i32> {
    bytes.chunks_exact(4).map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]])).collect()
}

/// The floats in bytes.
pub fn as_floats(bytes: &[u8]) -> Vec<f32> {
    as_ints(bytes).into_iter().map(|bits| f32::from_bits(bits as u32)).collect()
}
