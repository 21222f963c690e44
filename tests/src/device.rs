//! A device with one module loaded: the calls of a host program as tests need them, in one line
//! each.
//!
//! These helpers are for tests and panic where a host program would handle an error.

use crate::identities;
use isa::Options;
use sim_core::config::{Chip, builtin::builtin_text};
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, Launch, Mode, ModuleId};
use sim_core::stats::WarpState;
use sim_core::stats::report::{Report, TimingReport};

/// Both machines.
pub const MODES: [Mode; 2] = [Mode::Functional, Mode::Timed];

/// One built-in chip of each generation.
pub const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// A built-in chip with some of its numbers replaced, as `--set PATH=VALUE` does.
pub fn chip_with(name: &str, sets: &[(&str, &str)]) -> Chip {
    let sets: Vec<_> = sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let text = builtin_text(name).unwrap_or_else(|| panic!("no chip `{name}` is built in"));
    Chip::from_ron(name, text, &sets).unwrap_or_else(|complaints| panic!("{complaints}")).0
}

/// The G80 with some of its numbers replaced.
pub fn g80_with(sets: &[(&str, &str)]) -> Chip {
    chip_with("g80", sets)
}

/// A GPU with a module.
pub struct Device {
    /// The GPU, for whatever has no method here.
    pub gpu: Gpu,
    /// The module.
    pub module: ModuleId,
}

impl Device {
    /// A G80 that has loaded `ptx`.
    pub fn g80(ptx: &str) -> Self {
        Self::new(g80_with(&[]), "test.ptx", ptx).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The built-in chip `name`, as it stands, that has loaded `ptx`.
    pub fn on(name: &str, ptx: &str) -> Self {
        Self::new(chip_with(name, &[]), "test.ptx", ptx).unwrap_or_else(|e| panic!("{e}"))
    }

    /// The built-in chip `name` that has loaded `ptx` with all of its instructions, also those
    /// whose results nobody reads: they may be there for their time.
    pub fn plain(name: &str, ptx: &str) -> Self {
        let device = Self::compiled(chip_with(name, &[]), "test.ptx", ptx, Options::PLAIN);
        device.unwrap_or_else(|e| panic!("{e}"))
    }

    /// A chip that has loaded `ptx`; the error is what the compiler or the host says about the
    /// text.
    pub fn new(chip: Chip, file: &str, ptx: &str) -> Result<Self, String> {
        Self::compiled(chip, file, ptx, Options::default())
    }

    /// [`Self::new`], compiled as `options` say.
    pub fn compiled(chip: Chip, file: &str, ptx: &str, options: Options) -> Result<Self, String> {
        let (module, diagnostics) = isa::compile_with(file, ptx, options);
        let module = module.ok_or_else(|| isa::diag::render_all(&diagnostics, file, ptx))?;
        let mut gpu = Gpu::new(chip);
        let module = gpu.load(module).map_err(|e| e.to_string())?;
        Ok(Self { gpu, module })
    }

    /// Device memory that holds `words`.
    pub fn upload(&mut self, words: &[u32]) -> DevicePtr {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let ptr = self.gpu.malloc(bytes.len() as u64).expect("room in device memory");
        self.gpu.copy_in(ptr, &bytes).expect("a copy into an allocation");
        ptr
    }

    /// Device memory that holds single-precision numbers.
    pub fn upload_floats(&mut self, values: &[f32]) -> DevicePtr {
        self.upload(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>())
    }

    /// `words` words of device memory.
    pub fn download(&mut self, ptr: DevicePtr, words: usize) -> Vec<u32> {
        let mut bytes = vec![0; words * 4];
        self.gpu.copy_out(ptr, &mut bytes).expect("a copy from an allocation");
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// `count` single-precision numbers of device memory.
    pub fn download_floats(&mut self, ptr: DevicePtr, count: usize) -> Vec<f32> {
        self.download(ptr, count).into_iter().map(f32::from_bits).collect()
    }

    /// A launch of the module's entry `entry`, timed.
    pub fn launch(&self, entry: &str, grid: (u32, u32), block: (u32, u32, u32)) -> Launch {
        Launch::new(self.module, entry, grid, block)
    }

    /// Runs a launch that must finish, with books that balance.
    pub fn run(&mut self, launch: &Launch) -> Report {
        let report = self.gpu.launch(launch).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.verdict.is_finished(), "{:?}", report.verdict);
        identities::check(&report).unwrap_or_else(|e| panic!("{e}"));
        report
    }

    /// Why a launch is refused.
    pub fn refusal(&mut self, launch: &Launch) -> HostError {
        self.gpu.launch(launch).expect_err("the launch must be refused")
    }
}

/// Arguments from pointers.
pub fn pointers(list: &[DevicePtr]) -> Vec<Arg> {
    list.iter().map(|p| Arg::Ptr(*p)).collect()
}

/// The timed part of a timed run's report.
pub fn timing(report: &Report) -> &TimingReport {
    report.timing.as_ref().expect("a timed run")
}

/// Slots that were empty because the least blocked warp was in `state`.
pub fn empty_slots(report: &Report, state: WarpState) -> u64 {
    timing(report).slots.outcomes.empty[state]
}
