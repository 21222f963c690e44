//! A device with a loaded module: the calls of a host program in one line each, for tests.
//!
//! These helpers panic where a host program would handle an error.

use crate::identities;
use isa::Options;
use sim_core::config::{Chip, builtin::builtin_text};
use sim_core::host::{Arg, DevicePtr, Gpu, HostError, Launch, Mode, ModuleId};
use sim_core::stats::WarpState;
use sim_core::stats::report::{Report, TimingReport};

/// Both execution modes.
pub const MODES: [Mode; 2] = [Mode::Functional, Mode::Timed];

/// One built-in chip of each generation.
pub const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Returns a built-in chip with overrides, like `--set PATH=VALUE`.
pub fn chip_with(name: &str, sets: &[(&str, &str)]) -> Chip {
    let sets: Vec<_> = sets.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    let text = builtin_text(name).unwrap_or_else(|| panic!("no chip `{name}` is built in"));
    Chip::from_ron(name, text, &sets).unwrap_or_else(|complaints| panic!("{complaints}")).0
}

/// Returns the G80 with overrides.
pub fn g80_with(sets: &[(&str, &str)]) -> Chip {
    chip_with("g80", sets)
}

/// A GPU with a module.
pub struct Device {
    /// The GPU, for calls without a method here.
    pub gpu: Gpu,
    /// The loaded module.
    pub module: ModuleId,
}

impl Device {
    /// Loads `ptx` on a G80.
    pub fn g80(ptx: &str) -> Self {
        Self::new(g80_with(&[]), "test.ptx", ptx).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Loads `ptx` on the unmodified built-in chip `name`.
    pub fn on(name: &str, ptx: &str) -> Self {
        Self::new(chip_with(name, &[]), "test.ptx", ptx).unwrap_or_else(|e| panic!("{e}"))
    }

    /// Loads `ptx` on the built-in chip `name` without optimization, so that instructions with
    /// unused results remain; a test may need their time.
    pub fn plain(name: &str, ptx: &str) -> Self {
        let device = Self::compiled(chip_with(name, &[]), "test.ptx", ptx, Options::PLAIN);
        device.unwrap_or_else(|e| panic!("{e}"))
    }

    /// Loads `ptx` on a chip. The error is the message of the compiler or the host.
    pub fn new(chip: Chip, file: &str, ptx: &str) -> Result<Self, String> {
        Self::compiled(chip, file, ptx, Options::default())
    }

    /// Like [`Self::new`], compiled with `options`.
    pub fn compiled(chip: Chip, file: &str, ptx: &str, options: Options) -> Result<Self, String> {
        let (module, diagnostics) = isa::compile_with(file, ptx, options);
        let module = module.ok_or_else(|| isa::diag::render_all(&diagnostics, file, ptx))?;
        let mut gpu = Gpu::new(chip);
        let module = gpu.load(module).map_err(|e| e.to_string())?;
        Ok(Self { gpu, module })
    }

    /// Allocates device memory with the content `words`.
    pub fn upload(&mut self, words: &[u32]) -> DevicePtr {
        let bytes: Vec<u8> = words.iter().flat_map(|w| w.to_le_bytes()).collect();
        let ptr = self.gpu.malloc(bytes.len() as u64).expect("the device has enough memory");
        self.gpu.copy_in(ptr, &bytes).expect("the copy is inside the allocation");
        ptr
    }

    /// Allocates device memory with single-precision numbers.
    pub fn upload_floats(&mut self, values: &[f32]) -> DevicePtr {
        self.upload(&values.iter().map(|v| v.to_bits()).collect::<Vec<_>>())
    }

    /// Reads `words` words of device memory.
    pub fn download(&mut self, ptr: DevicePtr, words: usize) -> Vec<u32> {
        let mut bytes = vec![0; words * 4];
        self.gpu.copy_out(ptr, &mut bytes).expect("the copy is inside the allocation");
        bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
    }

    /// Reads `count` single-precision numbers of device memory.
    pub fn download_floats(&mut self, ptr: DevicePtr, count: usize) -> Vec<f32> {
        self.download(ptr, count).into_iter().map(f32::from_bits).collect()
    }

    /// Describes a timed launch of the entry `entry`.
    pub fn launch(&self, entry: &str, grid: (u32, u32), block: (u32, u32, u32)) -> Launch {
        Launch::new(self.module, entry, grid, block)
    }

    /// Runs a launch that must finish, and checks the identities of its report.
    pub fn run(&mut self, launch: &Launch) -> Report {
        let report = self.gpu.launch(launch).unwrap_or_else(|e| panic!("{e}"));
        assert!(report.verdict.is_finished(), "{:?}", report.verdict);
        identities::check(&report).unwrap_or_else(|e| panic!("{e}"));
        report
    }

    /// Returns the error of a launch that must be refused.
    pub fn refusal(&mut self, launch: &Launch) -> HostError {
        self.gpu.launch(launch).expect_err("the launch must be refused")
    }
}

/// Converts pointers to kernel arguments.
pub fn pointers(list: &[DevicePtr]) -> Vec<Arg> {
    list.iter().map(|p| Arg::Ptr(*p)).collect()
}

/// Returns the timing section of a timed run's report.
pub fn timing(report: &Report) -> &TimingReport {
    report.timing.as_ref().expect("a timed run")
}

/// Issue slots that stayed empty because the warp closest to issuing was in `state`.
pub fn empty_slots(report: &Report, state: WarpState) -> u64 {
    timing(report).slots.outcomes.empty[state]
}
