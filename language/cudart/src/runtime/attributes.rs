//! Properties of a device: those of the chip, and those that its compute capability determines.

use super::Runtime;
use super::error::{Error, Outcome};
use sim_core::config::{Chip, WARP_SIZE};
use sim_core::stats::build::{memory_bus, peak_gbps};

/// Bytes of `name`.
const NAME_BYTES: usize = 256;

/// Bits of the memory bus of a partition whose bus is not known.
const PARTITION_BITS: u32 = 64;

/// Version of CUDA whose API this is.
pub const VERSION: i32 = 8000;

/// A field of `cudaDeviceProp`.
enum Field {
    /// A `size_t`.
    Size(u64),
    /// One or several `int`.
    Ints(Vec<u64>),
}

/// Returns the fields after `name`, in their order.
fn fields(chip: &Chip, devices: usize) -> Vec<(&'static str, Field)> {
    use Field::Size;
    let one = |value: u64| Field::Ints(vec![value]);
    let flag = |value: bool| Field::Ints(vec![u64::from(value)]);
    let list = |values: &[u64]| Field::Ints(values.to_vec());
    let fermi = chip.capability.major >= 2;
    let by = |older: u64, newer: u64| if fermi { newer } else { older };
    let lists = |older: &[u64], newer: &[u64]| list(if fermi { newer } else { older });
    let (limits, pcie, sm) = (&chip.limits, &chip.pcie, &chip.sm);
    let extents = |size: isa::types::Dim3| list(&[size.x.into(), size.y.into(), size.z.into()]);
    let (bus, memory_khz) = memory_bus(chip).unwrap_or_else(|| {
        let bus = chip.partitions * PARTITION_BITS;
        // Two transfers of the whole bus in each cycle.
        (bus, (peak_gbps(chip) * 1e6 / (f64::from(bus) / 4.0)).round() as u64)
    });
    let l2 = chip.partition.l2.as_ref().map_or(0, |l2| l2.bytes * chip.partitions);
    let ratio = if fermi { 2 } else { 8 };
    vec![
        ("totalGlobalMem", Size(chip.usable_bytes())),
        ("sharedMemPerBlock", Size(sm.shared_bytes.into())),
        ("regsPerBlock", one(sm.registers.into())),
        ("warpSize", one(WARP_SIZE.into())),
        ("memPitch", Size(i32::MAX as u64)),
        ("maxThreadsPerBlock", one(limits.threads_per_block.into())),
        ("maxThreadsDim", extents(limits.block)),
        ("maxGridSize", extents(limits.grid)),
        ("clockRate", one(chip.clocks.shader_khz)),
        ("totalConstMem", Size(limits.const_bytes.into())),
        ("major", one(chip.capability.major.into())),
        ("minor", one(chip.capability.minor.into())),
        ("textureAlignment", Size(by(256, 512))),
        ("texturePitchAlignment", Size(32)),
        ("deviceOverlap", flag(pcie.copy_engines > 0)),
        ("multiProcessorCount", one((chip.clusters * chip.cluster.sms).into())),
        ("kernelExecTimeoutEnabled", one(0)),
        ("integrated", one(0)),
        ("canMapHostMemory", flag(pcie.mapped)),
        ("computeMode", one(0)),
        // Programming Guide, table "Technical Specifications per Compute Capability": functions of
        // layered and cubemap textures begin with capability 2.0.
        ("maxTexture1D", one(by(8192, 65536))),
        ("maxTexture1DMipmap", one(0)),
        ("maxTexture1DLinear", one(1 << 27)),
        ("maxTexture2D", lists(&[65536, 32768], &[65536, 65535])),
        ("maxTexture2DMipmap", list(&[0, 0])),
        ("maxTexture2DLinear", list(&[65000, 65000, 1 << 20])),
        ("maxTexture2DGather", list(&[0, 0])),
        ("maxTexture3D", list(&[2048, 2048, 2048])),
        ("maxTexture3DAlt", list(&[0, 0, 0])),
        ("maxTextureCubemap", one(by(0, 16384))),
        ("maxTexture1DLayered", lists(&[0, 0], &[16384, 2048])),
        ("maxTexture2DLayered", lists(&[0, 0, 0], &[16384, 16384, 2048])),
        ("maxTextureCubemapLayered", lists(&[0, 0], &[16384, 2046])),
        ("maxSurface1D", one(by(0, 65536))),
        ("maxSurface2D", lists(&[0, 0], &[65536, 32768])),
        ("maxSurface3D", lists(&[0, 0, 0], &[65536, 32768, 2048])),
        ("maxSurface1DLayered", lists(&[0, 0], &[65536, 2048])),
        ("maxSurface2DLayered", lists(&[0, 0, 0], &[65536, 32768, 2048])),
        ("maxSurfaceCubemap", one(by(0, 32768))),
        ("maxSurfaceCubemapLayered", lists(&[0, 0], &[32768, 2046])),
        ("surfaceAlignment", Size(by(256, 512))),
        ("concurrentKernels", flag(chip.dispatch.concurrent_kernels > 1)),
        ("ECCEnabled", flag(chip.partition.dram.ecc_bursts > 0)),
        ("pciBusID", one(0)),
        ("pciDeviceID", one(0)),
        ("pciDomainID", one(0)),
        ("tccDriver", one(0)),
        ("asyncEngineCount", one(pcie.copy_engines.into())),
        // The addresses of two devices overlap.
        ("unifiedAddressing", flag(is_unified(chip, devices))),
        ("memoryClockRate", one(memory_khz)),
        ("memoryBusWidth", one(bus.into())),
        ("l2CacheSize", one(l2.into())),
        ("maxThreadsPerMultiProcessor", one(sm.max_threads.into())),
        ("streamPrioritiesSupported", one(0)),
        ("globalL1CacheSupported", flag(sm.l1.is_some_and(|l1| l1.global))),
        ("localL1CacheSupported", flag(sm.l1.is_some())),
        ("sharedMemPerMultiprocessor", Size(sm.shared_bytes.into())),
        ("regsPerMultiprocessor", one(sm.registers.into())),
        ("managedMemory", flag(pcie.mapped)),
        ("isMultiGpuBoard", one(0)),
        ("multiGpuBoardGroupID", one(0)),
        ("hostNativeAtomicSupported", one(0)),
        ("singleToDoublePrecisionPerfRatio", one(ratio)),
        ("pageableMemoryAccess", one(0)),
        ("concurrentManagedAccess", one(0)),
    ]
}

/// Numbers of `cudaDeviceAttr` with the field and the index in it.
const ATTRIBUTES: &[(i32, &str, usize)] = &[
    (1, "maxThreadsPerBlock", 0),
    (2, "maxThreadsDim", 0),
    (3, "maxThreadsDim", 1),
    (4, "maxThreadsDim", 2),
    (5, "maxGridSize", 0),
    (6, "maxGridSize", 1),
    (7, "maxGridSize", 2),
    (8, "sharedMemPerBlock", 0),
    (9, "totalConstMem", 0),
    (10, "warpSize", 0),
    (11, "memPitch", 0),
    (12, "regsPerBlock", 0),
    (13, "clockRate", 0),
    (14, "textureAlignment", 0),
    (15, "deviceOverlap", 0),
    (16, "multiProcessorCount", 0),
    (17, "kernelExecTimeoutEnabled", 0),
    (18, "integrated", 0),
    (19, "canMapHostMemory", 0),
    (20, "computeMode", 0),
    (21, "maxTexture1D", 0),
    (22, "maxTexture2D", 0),
    (23, "maxTexture2D", 1),
    (24, "maxTexture3D", 0),
    (25, "maxTexture3D", 1),
    (26, "maxTexture3D", 2),
    (27, "maxTexture2DLayered", 0),
    (28, "maxTexture2DLayered", 1),
    (29, "maxTexture2DLayered", 2),
    (30, "surfaceAlignment", 0),
    (31, "concurrentKernels", 0),
    (32, "ECCEnabled", 0),
    (33, "pciBusID", 0),
    (34, "pciDeviceID", 0),
    (35, "tccDriver", 0),
    (36, "memoryClockRate", 0),
    (37, "memoryBusWidth", 0),
    (38, "l2CacheSize", 0),
    (39, "maxThreadsPerMultiProcessor", 0),
    (40, "asyncEngineCount", 0),
    (41, "unifiedAddressing", 0),
    (42, "maxTexture1DLayered", 0),
    (43, "maxTexture1DLayered", 1),
    (45, "maxTexture2DGather", 0),
    (46, "maxTexture2DGather", 1),
    (47, "maxTexture3DAlt", 0),
    (48, "maxTexture3DAlt", 1),
    (49, "maxTexture3DAlt", 2),
    (50, "pciDomainID", 0),
    (51, "texturePitchAlignment", 0),
    (52, "maxTextureCubemap", 0),
    (53, "maxTextureCubemapLayered", 0),
    (54, "maxTextureCubemapLayered", 1),
    (55, "maxSurface1D", 0),
    (56, "maxSurface2D", 0),
    (57, "maxSurface2D", 1),
    (58, "maxSurface3D", 0),
    (59, "maxSurface3D", 1),
    (60, "maxSurface3D", 2),
    (61, "maxSurface1DLayered", 0),
    (62, "maxSurface1DLayered", 1),
    (63, "maxSurface2DLayered", 0),
    (64, "maxSurface2DLayered", 1),
    (65, "maxSurface2DLayered", 2),
    (66, "maxSurfaceCubemap", 0),
    (67, "maxSurfaceCubemapLayered", 0),
    (68, "maxSurfaceCubemapLayered", 1),
    (69, "maxTexture1DLinear", 0),
    (70, "maxTexture2DLinear", 0),
    (71, "maxTexture2DLinear", 1),
    (72, "maxTexture2DLinear", 2),
    (73, "maxTexture2DMipmap", 0),
    (74, "maxTexture2DMipmap", 1),
    (75, "major", 0),
    (76, "minor", 0),
    (77, "maxTexture1DMipmap", 0),
    (78, "streamPrioritiesSupported", 0),
    (79, "globalL1CacheSupported", 0),
    (80, "localL1CacheSupported", 0),
    (81, "sharedMemPerMultiprocessor", 0),
    (82, "regsPerMultiprocessor", 0),
    (83, "managedMemory", 0),
    (84, "isMultiGpuBoard", 0),
    (85, "multiGpuBoardGroupID", 0),
    (86, "hostNativeAtomicSupported", 0),
    (87, "singleToDoublePrecisionPerfRatio", 0),
    (88, "pageableMemoryAccess", 0),
    (89, "concurrentManagedAccess", 0),
];

/// Numbers of `cudaDeviceAttr` without a field, of which no chip has any: gathering textures,
/// preemption of kernels, and registered memory at its own address.
const ABSENT: [i32; 3] = [44, 90, 91];

/// Returns the number as an `int` of C.
fn int(value: u64) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// Whether host memory and device memory have different addresses, of `devices` such devices.
pub fn is_unified(chip: &Chip, devices: usize) -> bool {
    chip.capability.major >= 2 && chip.pcie.mapped && devices == 1
}

/// Returns the bytes of a `cudaDeviceProp` with the layout of C.
pub fn properties(chip: &Chip, number: usize, devices: usize) -> Vec<u8> {
    let mut bytes = vec![0; NAME_BYTES];
    let name = chip.board.as_bytes();
    let length = name.len().min(NAME_BYTES - 1);
    bytes[..length].copy_from_slice(&name[..length]);
    for (field, value) in fields(chip, devices) {
        match value {
            Field::Size(size) => {
                bytes.resize(bytes.len().next_multiple_of(8), 0);
                bytes.extend_from_slice(&size.to_le_bytes());
            }
            Field::Ints(values) => {
                let bus = if field == "pciBusID" { number as u64 + 1 } else { 0 };
                bytes.extend(values.into_iter().flat_map(|value| int(value + bus).to_le_bytes()));
            }
        }
    }
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

impl Runtime {
    /// `cudaGetDeviceProperties`.
    pub fn device_properties(&mut self, out: u64, number: i32) -> Outcome {
        let devices = self.devices.len();
        let bytes = properties(self.numbered(number)?.gpu.chip(), number as usize, devices);
        self.put(out, &bytes)
    }

    /// `cudaDeviceGetAttribute`.
    pub fn device_attribute(&mut self, out: u64, attribute: i32, number: i32) -> Outcome {
        let devices = self.devices.len();
        let fields = fields(self.numbered(number)?.gpu.chip(), devices);
        if ABSENT.contains(&attribute) {
            return self.put_int(out, 0);
        }
        let known = ATTRIBUTES.iter().find(|(known, ..)| *known == attribute);
        let (_, name, at) = known.ok_or(Error::INVALID_VALUE)?;
        let field = fields.iter().find(|(field, _)| field == name);
        let value = match &field.ok_or(Error::INVALID_VALUE)?.1 {
            Field::Size(size) => *size,
            Field::Ints(values) if *name == "pciBusID" => values[*at] + number as u64 + 1,
            Field::Ints(values) => values[*at],
        };
        self.put_int(out, int(value))
    }

    /// `cudaChooseDevice`: all devices are alike.
    pub fn choose_device(&mut self, out: u64, properties: u64) -> Outcome {
        self.get(properties, 1)?;
        self.put_int(out, 0)
    }

    /// `cudaDeviceGetP2PAttribute`.
    pub fn peer_attribute(&mut self, out: u64, attribute: i32, from: i32, to: i32) -> Outcome {
        if from == to || !(1..=3).contains(&attribute) {
            return Err(Error::INVALID_VALUE);
        }
        if attribute == 2 {
            return self.can_access_peer(out, from, to);
        }
        self.numbered(from)?;
        self.numbered(to)?;
        self.put_int(out, 0)
    }

    /// `cudaDeviceGetPCIBusId`: `0000:01:00.0` for device 0.
    pub fn bus_id(&mut self, out: u64, length: i32, number: i32) -> Outcome {
        self.numbered(number)?;
        let text = format!("0000:{:02x}:00.0\0", number + 1);
        if usize::try_from(length).is_ok_and(|length| length >= text.len()) {
            self.put(out, text.as_bytes())
        } else {
            Err(Error::INVALID_VALUE)
        }
    }

    /// `cudaDeviceGetByPCIBusId`.
    pub fn by_bus_id(&mut self, out: u64, text: u64) -> Outcome {
        let text = self.get_text(text, 64)?;
        let bus = bus_of(&text).ok_or(Error::INVALID_VALUE)?;
        let known = (0..self.settings.devices).find(|number| number + 1 == bus);
        self.put_int(out, known.ok_or(Error::INVALID_DEVICE)? as i32)
    }
}

/// The bus in `[domain:]bus:device[.function]`, in hexadecimal; 0 of another domain, device or
/// function. `None` if a text has another form.
fn bus_of(text: &str) -> Option<usize> {
    let (address, function) = text.split_once('.').unwrap_or((text, "0"));
    let parts: Vec<&str> = address.split(':').collect();
    let number = |text: &str| usize::from_str_radix(text, 16).ok();
    let (domain, bus, device) = match parts[..] {
        [domain, bus, device] => (number(domain)?, number(bus)?, number(device)?),
        [bus, device] => (0, number(bus)?, number(device)?),
        _ => return None,
    };
    let is_first = (domain, device, number(function)?) == (0, 0, 0);
    Some(if is_first { bus } else { 0 })
}
