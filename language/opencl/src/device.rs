//! The platform and the device: what they answer.

use crate::objects::State;
use crate::status::{Done, Status};
use cuda::opencl::pragmas::extensions;
use cuda::target::Target;
use isa::terms::Terms;
use sim_core::config::Chip;
use sim_core::occupancy::rules::Rules;

/// The type of a device: a GPU.
const TYPE_GPU: u64 = 4;

/// A value of a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// 32 bits: numbers, flags, `cl_bool`.
    Word(u32),
    /// 64 bits: numbers, bit fields, `size_t`, handles.
    Long(u64),
    /// Several `size_t` or handles.
    List(Vec<u64>),
    /// A text.
    Text(String),
}

impl Answer {
    /// The bytes that a query writes.
    pub fn bytes(&self) -> Vec<u8> {
        match self {
            Self::Word(value) => value.to_le_bytes().to_vec(),
            Self::Long(value) => value.to_le_bytes().to_vec(),
            Self::List(values) => values.iter().flat_map(|value| value.to_le_bytes()).collect(),
            Self::Text(text) => text.bytes().chain([0]).collect(),
        }
    }
}

/// `clGetPlatformInfo`.
///
/// # Errors
///
/// There is no such property.
pub fn platform(name: u32) -> Done<Answer> {
    Ok(Answer::Text(
        match name {
            0x0900 => "FULL_PROFILE",
            0x0901 => concat!("OpenCL 1.1 warpsim ", env!("CARGO_PKG_VERSION")),
            0x0902 | 0x0903 => "warpsim",
            0x0904 => "cl_khr_icd cl_khr_byte_addressable_store cl_nv_compiler_options cl_nv_pragma_unroll",
            // CL_PLATFORM_ICD_SUFFIX_KHR
            0x0920 => "WARPSIM",
            _ => return Err(Status::INVALID_VALUE),
        }
        .to_owned(),
    ))
}

/// The extensions of a chip.
fn extensions_of(target: Target) -> String {
    extensions(target).chain(["cl_nv_device_attribute_query"]).collect::<Vec<_>>().join(" ")
}

/// Precisions of floating-point numbers: denormals, infinities and NaN, rounding to nearest, to
/// zero, to infinity, and fused multiply-adds.
fn float_config(target: Target) -> u64 {
    const INF_NAN: u64 = 2;
    const NEAREST: u64 = 4;
    const DENORM: u64 = 1;
    const TO_ZERO_AND_INF: u64 = 8 | 16;
    const FMA: u64 = 32;
    let all = INF_NAN | NEAREST | TO_ZERO_AND_INF;
    if target.is_fermi() { all | DENORM | FMA } else { INF_NAN | NEAREST | TO_ZERO_AND_INF }
}

impl State {
    /// The chip.
    ///
    /// # Errors
    ///
    /// An earlier launch has stopped the device.
    pub fn chip(&mut self) -> Done<Chip> {
        Ok(self.runtime.device(&self.thread)?.gpu.chip().clone())
    }

    /// Bytes of memory, and of the largest buffer.
    pub fn memory_limits(&self) -> (u64, u64) {
        let bytes = self.runtime.settings.chip.usable_bytes();
        (bytes, (bytes / 4).max(128 << 20).min(bytes))
    }

    /// `clGetDeviceInfo`.
    ///
    /// # Errors
    ///
    /// There is no such property.
    #[expect(clippy::match_same_arms, reason = "one row for each property, in their order")]
    pub fn device_info(&mut self, name: u32) -> Done<Answer> {
        use Answer::{List, Long, Text, Word};
        let chip = self.runtime.settings.chip.clone();
        let target = Target::of_chip(chip.capability, chip.features);
        let fermi = target.is_fermi();
        let (memory, largest) = self.memory_limits();
        let version = if fermi { "1.1" } else { "1.0" };
        let vector = |wide: bool| Word(u32::from(!wide || target.has_double()));
        Ok(match name {
            0x1000 => Long(TYPE_GPU),
            0x1001 => Word(0x5753),
            0x1002 => Word(chip.clusters * chip.cluster.sms),
            0x1003 => Word(3),
            0x1004 => Long(chip.limits.threads_per_block.into()),
            0x1005 => {
                List([chip.limits.block.x, chip.limits.block.y, chip.limits.block.z].map(u64::from).to_vec())
            }
            // Preferred and native widths of vectors: scalars.
            0x1006..=0x100A | 0x1036..=0x103A => Word(1),
            0x100B | 0x103B => vector(true),
            // No half.
            0x1034 | 0x103C => Word(0),
            0x100C => Word((chip.clocks.shader_khz / 1000) as u32),
            0x100D => Word(32),
            0x100E => Word(128),
            0x100F => Word(8),
            0x1010 => Long(largest),
            // Largest images: width and height of two dimensions, then of three dimensions.
            0x1011 | 0x1012 => Long(self.image_limits(2)[name as usize - 0x1011]),
            0x1013..=0x1015 => Long(self.image_limits(3)[name as usize - 0x1013]),
            0x1016 => Word(1),
            0x1017 => Long(Rules::of(&chip).param_bytes(&Terms::OPENCL).into()),
            0x1018 => Word(16),
            0x1019 => Word(2048),
            0x101A => Word(128),
            0x101B => Long(float_config(target)),
            // CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, its line and size: read and write on Fermi.
            0x101C => Word(if fermi { 2 } else { 0 }),
            0x101D => Word(if fermi { 128 } else { 0 }),
            0x101E => Long(if fermi { 16384 * u64::from(chip.clusters * chip.cluster.sms) } else { 0 }),
            0x101F => Long(memory),
            0x1020 => Long(chip.limits.const_bytes.into()),
            0x1021 => Word(9),
            0x1022 => Word(1),
            0x1023 => Long(if fermi { 48 << 10 } else { 16 << 10 }),
            0x1024 => Word(0),
            0x1025 => Long(1000),
            0x1026..=0x1028 => Word(1),
            0x1029 => Long(1),
            0x102A => Long(3),
            0x102B => Text(chip.board.clone()),
            0x102C => Text("warpsim".to_owned()),
            0x102D => Text(env!("CARGO_PKG_VERSION").to_owned()),
            0x102E => Text("FULL_PROFILE".to_owned()),
            0x102F => Text(format!("OpenCL {version} warpsim")),
            0x1030 => Text(extensions_of(target)),
            0x1031 => Long(self.platform),
            0x1032 if target.has_double() => Long(0x3f),
            0x1032 | 0x1033 => Long(0),
            // CL_DEVICE_HOST_UNIFIED_MEMORY, CL_DEVICE_OPENCL_C_VERSION
            0x1035 => Word(0),
            0x103D => Text(format!("OpenCL C {version} ")),
            // CL_DEVICE_LINKER_AVAILABLE, CL_DEVICE_BUILT_IN_KERNELS, image sizes of 1.2
            0x103E => Word(0),
            0x103F => Text(String::new()),
            0x1040 => Long(65536),
            0x1041 => Long(2048),
            // CL_DEVICE_PARENT_DEVICE, partitions: none
            0x1042 => Long(0),
            0x1043 => Word(0),
            0x1044 | 0x1046 => List(vec![0]),
            0x1045 => Long(0),
            0x1047 => Word(1),
            0x1048 => Word(1),
            0x1049 => Long(1 << 20),
            // cl_nv_device_attribute_query
            0x4000 => Word(chip.capability.major.into()),
            0x4001 => Word(chip.capability.minor.into()),
            0x4002 => Word(chip.sm.registers),
            0x4003 => Word(32),
            0x4004 => Word(u32::from(fermi)),
            0x4005 | 0x4006 => Word(0),
            _ => return Err(Status::INVALID_VALUE),
        })
    }
}
