//! Square matrix products for several suites: launches of any side of block, and the reference.

use crate::device::{Device, pointers};
use sim_core::config::Chip;
use sim_core::host::{Arg, HostError, Launch, Mode};
use sim_core::stats::Report;

const TILED: &str = include_str!("../ptx/matmul_tile.ptx");

/// How to multiply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The built-in kernel without tiles, in blocks of this side.
    Naive(u32),
    /// Tiles of this side, a power of two.
    Tiled(u32),
}

/// A product that is ready to be launched.
pub struct Product {
    /// The device.
    pub device: Device,
    launch: Launch,
    out: sim_core::host::DevicePtr,
    width: u32,
}

impl Product {
    /// Two matrices of `width` rows and columns on `chip`, to be multiplied by `method` on the machine of `mode`.
    pub fn new(chip: Chip, method: Method, mode: Mode, width: u32, left: &[f32], right: &[f32]) -> Self {
        let (text, entry, side) = match method {
            Method::Naive(side) => {
                let naive = kernels::find("matmul-naive").expect("a built-in kernel");
                (naive.ptx.to_owned(), "matmul_naive", side)
            }
            Method::Tiled(side) => {
                let text = TILED
                    .replace("LOG", &side.ilog2().to_string())
                    .replace("PITCH", &(4 * side).to_string())
                    .replace("BYTES", &(4 * side * side).to_string());
                (text, "matmul_tile", side)
            }
        };
        let mut device = Device::new(chip, "matmul.ptx", &text).unwrap_or_else(|e| panic!("{e}"));
        let (m, n) = (device.upload_floats(left), device.upload_floats(right));
        let out = device.upload(&vec![u32::MAX; (width * width) as usize]);
        let mut args = pointers(&[m, n, out]);
        args.push(Arg::U32(width));
        let blocks = width / side;
        let launch = device.launch(entry, (blocks, blocks), (side, side, 1)).args(args).mode(mode);
        Self { device, launch, out, width }
    }

    /// Multiplies.
    pub fn run(&mut self) -> (Report, Vec<f32>) {
        let report = self.device.run(&self.launch);
        (report, self.device.download_floats(self.out, (self.width * self.width) as usize))
    }

    /// Why the chip refuses to.
    pub fn refusal(&mut self) -> HostError {
        self.device.refusal(&self.launch)
    }
}

/// The product by the definition. Exact for small whole numbers.
pub fn reference(width: u32, left: &[f32], right: &[f32]) -> Vec<f32> {
    let w = width as usize;
    let element = |i: usize| (0..w).map(|k| left[i / w * w + k] * right[k * w + i % w]).sum();
    (0..w * w).map(element).collect()
}
