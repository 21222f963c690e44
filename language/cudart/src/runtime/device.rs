//! A device: its simulator, its loaded modules and its settings; the selection of devices.

use super::Runtime;
use super::error::{Error, Outcome};
use super::functions::Function;
use super::thread::Thread;
use crate::settings::Settings;
use sim_core::host::{DevicePtr, Effects, Gpu, Limit, ModuleId, Sampling};
use std::collections::{BTreeMap, BTreeSet};

/// A device.
pub struct Device {
    /// Number of the device. Contexts of the driver API are further devices with this number.
    pub number: usize,
    /// Whether a call of the runtime API has used it since its last reset.
    pub active: bool,
    /// The simulated GPU.
    pub gpu: Gpu,
    /// Error of a launch, which all later calls return.
    pub failed: Option<Error>,
    /// Whether `cudaGetLastError` has returned the error of the launch: it returns it once, and
    /// then the errors of calls.
    pub taken: bool,
    /// Loaded modules, by the number of their image; those of the driver API by their handle.
    pub(super) modules: BTreeMap<u64, ModuleId>,
    /// Used kernels, by the address of their function in the host program.
    pub(super) functions: BTreeMap<u64, Function>,
    /// Device memory of the constant variables whose address the program has.
    pub(super) constants: BTreeMap<(ModuleId, String), DevicePtr>,
    /// Devices whose memory this one may access.
    pub(super) peers: BTreeSet<usize>,
    /// `cudaFuncCache` of the device.
    pub(super) cache: i32,
    /// `cudaSharedMemConfig` of the device.
    pub(super) banks: i32,
    /// Flags of `cudaSetDeviceFlags`.
    pub(super) flags: u32,
    /// Limits without effect, by their number.
    limits: BTreeMap<i32, u64>,
    /// Nanoseconds before the last reset.
    pub(super) past_ns: u64,
    /// Real nanoseconds of the host program that are on the timeline.
    host_ns: u64,
}

impl Device {
    /// A device that has not been used.
    pub fn new(settings: &Settings, number: usize) -> Self {
        let mut gpu = Gpu::new(settings.chip.clone());
        gpu.sample(settings.sample.then(Sampling::default));
        gpu.check(settings.checks);
        Self {
            number,
            active: false,
            gpu,
            failed: None,
            taken: false,
            modules: BTreeMap::new(),
            functions: BTreeMap::new(),
            constants: BTreeMap::new(),
            peers: BTreeSet::new(),
            cache: 0,
            banks: 0,
            flags: 0,
            limits: BTreeMap::new(),
            past_ns: 0,
            host_ns: 0,
        }
    }

    /// Simulated nanoseconds of the device's timeline, over all resets.
    pub fn elapsed_ns(&self) -> u64 {
        self.past_ns + self.gpu.timeline().now_ns()
    }

    /// Simulated nanoseconds at which the host makes its next call, over all resets.
    pub fn host_ns(&self) -> u64 {
        self.past_ns + self.gpu.timeline().host_ns()
    }

    /// Returns the addresses of all variables of the loaded modules.
    pub(super) fn variables(&self) -> impl Iterator<Item = DevicePtr> {
        let gpu = &self.gpu;
        let own = self.modules.values().flat_map(move |module| {
            let names = gpu.module(*module).globals.iter().map(|symbol| symbol.name.as_str());
            names.filter_map(move |name| gpu.symbol_address(*module, name).ok().flatten())
        });
        own.chain(self.constants.values().copied())
    }

    /// Returns the real time that the host program has used since the last call.
    pub(super) fn host_reached(&mut self, now: u64) -> u64 {
        let worked = now.saturating_sub(self.host_ns);
        self.host_ns = now;
        worked
    }
}

/// Flags of `cudaSetDeviceFlags`.
pub(super) const DEVICE_FLAGS: u32 = 0x1f;

/// `cudaDeviceMapHost`.
const MAP_HOST: u32 = 8;

/// `cudaLimit`: the last number, and the numbers with an effect.
const LAST_LIMIT: i32 = 4;
const PRINTF_LIMIT: i32 = 1;
const HEAP_LIMIT: i32 = 2;

impl Runtime {
    /// `cudaGetDeviceCount`.
    pub fn device_count(&self, count: u64) -> Outcome {
        self.put_int(count, self.settings.devices as i32)
    }

    /// `cudaSetDevice`.
    pub fn set_device(&mut self, thread: &mut Thread, number: i32) -> Outcome {
        self.numbered(number)?;
        thread.chosen = number as usize;
        if !thread.contexts.is_empty() {
            let primary = self.primary(number as usize);
            thread.contexts.pop();
            thread.contexts.push(primary);
        }
        thread.device = number as usize;
        Ok(())
    }

    /// `cudaGetDevice`.
    pub fn get_device(&self, thread: &Thread, number: u64) -> Outcome {
        self.put_int(number, self.devices[thread.device].number as i32)
    }

    /// `cudaSetValidDevices`: all devices stay valid.
    pub fn set_valid_devices(&mut self, devices: u64, count: i32) -> Outcome {
        let count = u64::try_from(count).map_err(|_| Error::INVALID_VALUE)?;
        if count > self.settings.devices as u64 {
            return Err(Error::INVALID_VALUE);
        }
        for number in self.get(devices, 4 * count)?.chunks_exact(4) {
            self.numbered(i32::from_le_bytes([number[0], number[1], number[2], number[3]]))?;
        }
        Ok(())
    }

    /// `cudaSetDeviceFlags`.
    pub fn set_device_flags(&mut self, thread: &Thread, flags: u32) -> Outcome {
        if flags & !DEVICE_FLAGS != 0 || (flags & 7).count_ones() > 1 {
            return Err(Error::INVALID_VALUE);
        }
        self.device(thread)?.flags = flags;
        Ok(())
    }

    /// `cudaGetDeviceFlags`.
    pub fn get_device_flags(&mut self, thread: &Thread, flags: u64) -> Outcome {
        let device = self.device(thread)?;
        // Devices that can map host memory do so, as since CUDA 4.
        let maps = if device.gpu.chip().pcie.mapped { MAP_HOST } else { 0 };
        let value = device.flags | maps;
        self.put_int(flags, value as i32)
    }

    /// `cudaDeviceReset`: frees all memory of the device and forgets its error.
    pub fn reset(&mut self, thread: &mut Thread) -> Outcome {
        self.reset_context(thread.device);
        thread.calls.clear();
        Ok(())
    }

    /// Frees everything in a context, and forgets its error.
    pub(super) fn reset_context(&mut self, number: usize) {
        self.settle();
        self.order_waits_for_device(number);
        self.note_leaks(number);
        self.lose_unread(Some(number));
        self.notes.flush = true;
        let past_ns = self.devices[number].elapsed_ns();
        let host_ns = self.devices[number].host_ns;
        let mut new = self.new_device(self.devices[number].number);
        new.gpu.set_effects(self.devices[number].gpu.set_effects(Effects::Off));
        self.devices[number] = Device { past_ns, host_ns, ..new };
        self.streams.retain(|_, stream| stream.device != number);
        self.events.retain(|_, event| event.device != number);
        self.arrays.retain(|_, array| array.device != number);
        self.references.retain(|_, reference| reference.device != number);
        self.objects.retain(|(device, _), _| *device != number);
        self.constants.retain(|((device, ..), _)| *device != number);
        self.forget_blocks(number);
        self.driver.forget(number);
    }

    /// `cudaDeviceSynchronize`.
    pub fn synchronize(&mut self, thread: &Thread) -> Outcome {
        self.notes.flush = true;
        self.device(thread)?.gpu.synchronize();
        self.order_waits_for_device(thread.device);
        Ok(())
    }

    /// `cudaDeviceSetLimit`. The stack needs no limit: local memory has the size that a kernel
    /// declares.
    pub fn set_limit(&mut self, thread: &Thread, limit: i32, bytes: u64) -> Outcome {
        if !(0..=LAST_LIMIT).contains(&limit) {
            return Err(Error::UNSUPPORTED_LIMIT);
        }
        let device = self.device(thread)?;
        let set = match limit {
            PRINTF_LIMIT => device.gpu.set_limit(Limit::PrintfFifoSize, bytes),
            HEAP_LIMIT => device.gpu.set_limit(Limit::MallocHeapSize, bytes),
            _ => {
                device.limits.insert(limit, bytes);
                Ok(())
            }
        };
        self.told(set)
    }

    /// `cudaDeviceGetLimit`.
    pub fn get_limit(&mut self, thread: &Thread, value: u64, limit: i32) -> Outcome {
        let device = self.device(thread)?;
        let bytes = match limit {
            PRINTF_LIMIT => device.gpu.limit(Limit::PrintfFifoSize),
            HEAP_LIMIT => device.gpu.limit(Limit::MallocHeapSize),
            // 1 KiB is the stack size that CUDA documents; devices below 3.5 launch no kernels.
            0 => device.limits.get(&limit).copied().unwrap_or(1024),
            3 | LAST_LIMIT => device.limits.get(&limit).copied().unwrap_or(0),
            _ => return Err(Error::UNSUPPORTED_LIMIT),
        };
        self.put_word(value, bytes)
    }

    /// `cudaDeviceSetCacheConfig`.
    pub fn set_cache(&mut self, thread: &Thread, config: i32) -> Outcome {
        if !(0..=3).contains(&config) {
            return Err(Error::INVALID_VALUE);
        }
        self.device(thread)?.cache = config;
        Ok(())
    }

    /// `cudaDeviceGetCacheConfig`.
    pub fn get_cache(&mut self, thread: &Thread, config: u64) -> Outcome {
        let value = self.device(thread)?.cache;
        self.put_int(config, value)
    }

    /// `cudaDeviceSetSharedMemConfig`. The size of the banks does not change.
    pub fn set_banks(&mut self, thread: &Thread, config: i32) -> Outcome {
        if !(0..=2).contains(&config) {
            return Err(Error::INVALID_VALUE);
        }
        self.device(thread)?.banks = config;
        Ok(())
    }

    /// `cudaDeviceGetSharedMemConfig`: banks of four bytes.
    pub fn get_banks(&mut self, thread: &Thread, config: u64) -> Outcome {
        self.device(thread)?;
        self.put_int(config, 1)
    }

    /// `cudaDeviceGetStreamPriorityRange`: one priority.
    pub fn priorities(&mut self, thread: &Thread, least: u64, greatest: u64) -> Outcome {
        self.device(thread)?;
        for address in [least, greatest].into_iter().filter(|address| *address != 0) {
            self.put_int(address, 0)?;
        }
        Ok(())
    }
}
