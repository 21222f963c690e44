//! The book's kernels as launches on small inputs, for suites that compare engines or observe one.

use isa::types::Dim3;
use kernels::Workload;
use sim_core::config::Chip;
use sim_core::host::{Arg, DevicePtr, Gpu, Launch};

/// One launch of a kernel of the book.
#[derive(Clone, Copy, Debug)]
pub struct Small {
    /// Name of the workload.
    pub name: &'static str,
    /// Grid dimensions.
    pub grid: Dim3,
    /// Block dimensions.
    pub block: Dim3,
    /// Words of its buffers, the result's last.
    pub words: &'static [u32],
    /// Its last argument.
    pub count: u32,
}

const fn small(
    name: &'static str,
    grid: (u32, u32),
    block: (u32, u32),
    words: &'static [u32],
    count: u32,
) -> Small {
    let (grid, block) = (Dim3::new(grid.0, grid.1, 1), Dim3::new(block.0, block.1, 1));
    Small { name, grid, block, words, count }
}

/// One launch of each kernel, with sizes that do not fill blocks evenly if possible.
pub const ALL: [Small; 5] = [
    small("vecadd", (4, 1), (256, 1), &[1_001, 1_001, 1_001], 1_001),
    small("matmul-naive", (3, 3), (16, 16), &[2_304, 2_304, 2_304], 48),
    small("matmul-tiled", (3, 3), (16, 16), &[2_304, 2_304, 2_304], 48),
    small("reduce-interleaved", (3, 1), (512, 1), &[1_500, 3], 1_500),
    small("reduce-halving", (3, 1), (512, 1), &[1_500, 3], 1_500),
];

/// A prepared launch on a G80.
pub struct Ready {
    /// The kernel.
    pub workload: &'static Workload,
    /// Name of its entry.
    pub entry: String,
    /// The GPU, with filled buffers.
    pub gpu: Gpu,
    /// Grid, block and arguments.
    pub launch: Launch,
    /// Buffers and their initial contents.
    pub buffers: Vec<(DevicePtr, Vec<u8>)>,
}

impl Small {
    /// Compiles the kernel and fills its buffers, including that of the result, with small
    /// integers.
    ///
    /// # Panics
    /// The kernel does not exist or does not compile.
    pub fn ready(&self) -> Ready {
        let workload = kernels::find(self.name).expect("the workload exists");
        let (module, _) = isa::compile(workload.file, workload.ptx);
        let mut gpu = Gpu::new(Chip::builtin("g80").expect("the chip is built in"));
        let module = gpu.load(module.expect("the kernel compiles")).expect("the module fits");
        let mut buffer = |words: &u32| {
            let word = |i: u32| ((i * 37 % 101) as f32 - 50.0).to_bits().to_le_bytes();
            let bytes: Vec<u8> = (0..*words).flat_map(word).collect();
            let at = gpu.malloc(bytes.len() as u64).expect("the device has enough memory");
            gpu.copy_in(at, &bytes).expect("the copy fits");
            (at, bytes)
        };
        let buffers: Vec<_> = self.words.iter().map(&mut buffer).collect();
        let args = buffers.iter().map(|(at, _)| Arg::Ptr(*at)).chain([Arg::U32(self.count)]);
        let entry = self.name.replace('-', "_");
        let launch = Launch::new(module, &entry, self.grid, self.block).args(args);
        Ready { workload, entry, gpu, launch, buffers }
    }
}
