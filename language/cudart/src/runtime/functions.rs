//! Kernels: their modules, their properties, and the occupancy of their launches.

use super::LONGEST_NAME;
use super::Runtime;
use super::error::{Error, Outcome};
use super::images::Named;
use super::thread::Thread;
use isa::mangled::plain;
use isa::types::Dim3;
use isa::uop::{Module, Program};
use isa::{Compilation, Options};
use sim_core::host::ModuleId;
use sim_core::host::fit::Request;
use sim_core::occupancy::Rules;
use std::sync::Arc;

/// A kernel on a device.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its module.
    pub module: ModuleId,
    /// Its code.
    pub program: Arc<Program>,
    /// `cudaFuncCache` of the kernel; `None` if only the device has one.
    pub cache: Option<i32>,
}

/// Threads of the largest block that a launch of a kernel can have, in whole warps; 0 if none.
pub(super) fn largest_block(rules: &Rules, program: &Program) -> u32 {
    let fits = |threads: u32| {
        let (grid, block) = (Dim3::new(1, 1, 1), Dim3::new(threads, 1, 1));
        let request =
            Request { required_block: None, ..Request::of(program, grid, block, 0, program.registers) };
        request.refusals(rules).is_empty()
    };
    let most = rules.limits.threads_per_block;
    (1..=most / 32).rev().map(|warps| 32 * warps).find(|threads| fits(*threads)).unwrap_or(0)
}

impl Runtime {
    /// Returns the module that contains a text, compiled and loaded.
    pub(super) fn loaded(&mut self, thread: &Thread, image: usize) -> Outcome<ModuleId> {
        let number = self.images.module_of(image);
        if let Some(module) = self.collecting(thread)?.modules.get(&(number as u64)) {
            return Ok(*module);
        }
        let settings = self.compilation(thread);
        let (module, message) = self.images.compile(number, settings);
        if let Some(message) = message {
            self.notes.once(message);
        }
        let managed = self.images.managed_of(number);
        self.load(thread, number as u64, module?, managed)
    }

    /// Returns how modules are compiled: for the chip of the device, so that PTX for Fermi is
    /// lowered to older ones.
    pub(super) fn compilation(&self, thread: &Thread) -> Compilation {
        let own = self.settings.compilation;
        let optimize = own.optimize && !self.settings.checks.need_plain_code();
        let options = Options { optimize, ..own };
        let chip = self.devices[thread.device].gpu.chip().capability;
        Compilation { options, chip: Some(chip), ..Compilation::default() }
    }

    /// Loads a compiled module under a number. `managed`: its managed variables, each with its
    /// address in the host program, its name and its bytes.
    pub(super) fn load(
        &mut self,
        thread: &Thread,
        number: u64,
        module: Module,
        managed: Vec<(u64, String, u64)>,
    ) -> Outcome<ModuleId> {
        let names = managed.iter().map(|(_, name, _)| name.clone()).collect();
        let loaded = self.device(thread)?.gpu.load_mapped(module, &names);
        let loaded = self.told(loaded)?;
        self.device(thread)?.modules.insert(number, loaded);
        for (address, name, bytes) in managed {
            let ptr = self.device(thread)?.gpu.symbol_address(loaded, &name);
            // The compiler has removed a variable that no kernel uses.
            if let Ok(Some(ptr)) = ptr {
                self.add_variable(thread.device, address, bytes, ptr);
            }
        }
        Ok(loaded)
    }

    /// Returns a kernel by the address of its function in the host program, or of its name as
    /// programs before CUDA 5 give it.
    pub(super) fn function(&mut self, thread: &Thread, address: u64) -> Outcome<Function> {
        if let Some(function) = self.collecting(thread)?.functions.get(&address) {
            return Ok(function.clone());
        }
        let named = match self.images.functions.get(&address).cloned() {
            Some(named) => named,
            None => self.function_by_name(address)?,
        };
        let module = self.loaded(thread, named.image)?;
        let gpu = &self.collecting(thread)?.gpu;
        let Some(program) = gpu.kernels(module).find(|program| program.name == named.name).cloned() else {
            let text = format!("the device code has no kernel `{}`", plain(&named.name));
            return self.refuse(Error::INVALID_DEVICE_FUNCTION, text);
        };
        let function = Function { module, program, cache: None };
        self.collecting(thread)?.functions.insert(address, function.clone());
        Ok(function)
    }

    fn function_by_name(&self, address: u64) -> Outcome<Named> {
        let name = self.get_text(address, LONGEST_NAME).map_err(|_| Error::INVALID_DEVICE_FUNCTION)?;
        let known = self.images.functions.values().find(|named| named.name == name);
        known.cloned().ok_or(Error::INVALID_DEVICE_FUNCTION)
    }

    /// Returns the numbers of `cudaFuncAttributes`: three of eight bytes and five of four.
    pub(super) fn attributes_of(&mut self, thread: &Thread, address: u64) -> Outcome<([u64; 3], [i32; 5])> {
        let Function { module, program, .. } = self.function(thread, address)?;
        let gpu = &self.device(thread)?.gpu;
        let rules = Rules::of(gpu.chip());
        let threads = largest_block(&rules, &program);
        let version = |major: u8, minor: u8| i32::from(major) * 10 + i32::from(minor);
        let target = version(program.target.major, program.target.minor);
        let binary = version(rules.capability.major, rules.capability.minor);
        let constants = gpu.module(module).const_bytes;
        let sizes = [program.shared_bytes, constants, program.local_bytes].map(u64::from);
        Ok((sizes, [threads as i32, program.registers as i32, target, binary, 0]))
    }

    /// `cudaFuncGetAttributes`.
    pub fn function_attributes(&mut self, thread: &Thread, out: u64, address: u64) -> Outcome {
        let (sizes, values) = self.attributes_of(thread, address)?;
        let sizes = sizes.into_iter().flat_map(u64::to_le_bytes);
        // The structure ends with four bytes of padding.
        let values = values.into_iter().chain([0]).flat_map(i32::to_le_bytes);
        let bytes: Vec<u8> = sizes.chain(values).collect();
        self.put(out, &bytes)
    }

    /// `cudaFuncSetCacheConfig`.
    pub fn function_cache(&mut self, thread: &Thread, address: u64, config: i32) -> Outcome {
        self.function(thread, address)?;
        if !(0..=3).contains(&config) {
            return Err(Error::INVALID_VALUE);
        }
        if let Some(function) = self.device(thread)?.functions.get_mut(&address) {
            function.cache = Some(config);
        }
        Ok(())
    }

    /// `cudaFuncSetSharedMemConfig`: the size of the banks does not change.
    pub fn function_banks(&mut self, thread: &Thread, address: u64, config: i32) -> Outcome {
        self.function(thread, address)?;
        if (0..=2).contains(&config) { Ok(()) } else { Err(Error::INVALID_VALUE) }
    }

    /// `cudaOccupancyMaxActiveBlocksPerMultiprocessor`.
    pub fn occupancy(
        &mut self,
        thread: &Thread,
        out: u64,
        address: u64,
        threads: i32,
        shared: u64,
    ) -> Outcome {
        let blocks = self.resident_blocks(thread, address, threads, shared)?;
        self.put_int(out, blocks as i32)
    }

    /// Returns the number of blocks that an SM can hold.
    pub(super) fn resident_blocks(
        &mut self,
        thread: &Thread,
        address: u64,
        threads: i32,
        shared: u64,
    ) -> Outcome<u32> {
        let Function { program, .. } = self.function(thread, address)?;
        let (Ok(threads), Ok(shared)) = (u32::try_from(threads), u32::try_from(shared)) else {
            return Err(Error::INVALID_VALUE);
        };
        let gpu = &self.device(thread)?.gpu;
        let rules = Rules::of(gpu.chip());
        if threads == 0 {
            return Err(Error::INVALID_VALUE);
        }
        let (grid, block) = (Dim3::new(1, 1, 1), Dim3::new(threads, 1, 1));
        let request = Request::of(&program, grid, block, shared, program.registers);
        Ok(request.occupancy(&rules).blocks)
    }
}
