//! Modules: PTX that a program loads at run time, with its kernels, variables, textures and
//! surfaces. Each loaded module has separate variables.

use super::Done;
use super::status::Status;
use super::textures::{Surface, Texture};
use crate::runtime::LONGEST_NAME;
use crate::runtime::Runtime;
use crate::runtime::error::Outcome;
use crate::runtime::functions::Function;
use crate::runtime::host::{Code, read_code};
use crate::runtime::images::{compile, file_name};
use crate::runtime::thread::Thread;
use isa::uop::Module;
use sim_core::host::ModuleId;
use std::collections::BTreeMap;

/// A loaded module.
#[derive(Debug)]
pub struct Loaded {
    /// Number of its context.
    pub(super) slot: usize,
    /// Its number on the simulated GPU.
    pub(super) module: ModuleId,
    /// Handles of its kernels, textures and surfaces, by name.
    handles: BTreeMap<String, u64>,
}

/// Largest size of a file with PTX.
const MOST_FILE: u64 = 1 << 28;

/// Maximum number of options of the compiler.
const MOST_OPTIONS: u32 = 64;

/// Last number of a `CUjit_option`.
const LAST_OPTION: u32 = 17;

/// The line between the texts of an image.
pub const SEPARATOR: &str = "\n// warpsim: the next text of a linked image\n";

/// Options of the compiler: buffers for its messages, and lists of numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct JitOptions {
    info: LogBuffer,
    errors: LogBuffer,
}

/// A buffer for messages.
#[derive(Clone, Copy, Debug, Default)]
struct LogBuffer {
    address: u64,
    bytes: u64,
    /// Address of the option's value, which becomes the number of written bytes.
    size_at: u64,
}

impl Runtime {
    /// Reads the options of `cuModuleLoadDataEx` and `cuLinkCreate`. Options that select code or
    /// registers have no effect.
    pub(super) fn jit_options(&self, count: u32, numbers: u64, values: u64) -> Done<JitOptions> {
        let mut options = JitOptions::default();
        if count > MOST_OPTIONS {
            return Err(Status::INVALID_VALUE);
        }
        let numbers = self.get(numbers, 4 * u64::from(count))?;
        let list = self.get(values, 8 * u64::from(count))?;
        for (at, (number, value)) in numbers.chunks_exact(4).zip(list.chunks_exact(8)).enumerate() {
            let number = u32::from_le_bytes(number.try_into().expect("a chunk has 4 bytes"));
            let value = u64::from_le_bytes(value.try_into().expect("a chunk has 8 bytes"));
            let size_at = values + 8 * at as u64;
            match number {
                3 => options.info.address = value,
                // A size is an unsigned int in a pointer.
                4 => (options.info.bytes, options.info.size_at) = (value & 0xffff_ffff, size_at),
                5 => options.errors.address = value,
                6 => (options.errors.bytes, options.errors.size_at) = (value & 0xffff_ffff, size_at),
                number if number <= LAST_OPTION => {}
                _ => return Err(Status::INVALID_VALUE),
            }
        }
        Ok(options)
    }

    /// Writes messages to a buffer, cut to its size. Returns whether there is a buffer.
    fn write_log(&self, log: LogBuffer, text: &str) -> Outcome<bool> {
        let has_buffer = log.address != 0 && log.bytes > 0;
        let mut bytes = Vec::new();
        if has_buffer {
            bytes = text.as_bytes().to_vec();
            bytes.truncate(log.bytes as usize - 1);
            bytes.push(0);
            self.put(log.address, &bytes)?;
        }
        if log.size_at != 0 {
            self.put_word(log.size_at, bytes.len().saturating_sub(1) as u64)?;
        }
        Ok(has_buffer)
    }

    /// Compiles texts. Messages without a buffer go to standard error.
    pub(super) fn compile_texts(
        &mut self,
        thread: &Thread,
        texts: &[&str],
        options: JitOptions,
    ) -> Done<Module> {
        let named: Vec<(String, &str)> =
            texts.iter().enumerate().map(|(number, text)| (file_name(number, text), *text)).collect();
        let (module, message) =
            compile(&named, self.compilation(thread), |name| std::fs::read_to_string(name).ok(), None);
        let message = message.unwrap_or_default();
        let (info, errors) = if module.is_ok() { (message.as_str(), "") } else { ("", message.as_str()) };
        let (info_taken, errors_taken) =
            (self.write_log(options.info, info)?, self.write_log(options.errors, errors)?);
        let taken = if module.is_ok() { info_taken } else { errors_taken };
        if !taken && !message.is_empty() {
            self.notes.once(message);
        }
        Ok(module?)
    }

    /// Loads a text, and writes the handle of its module to `out`.
    fn load_text(&mut self, thread: &Thread, out: u64, text: &str, options: JitOptions) -> Done {
        self.device(thread)?;
        self.get(out, 8)?;
        let texts: Vec<&str> = text.split(SEPARATOR).collect();
        let module = self.compile_texts(thread, &texts, options)?;
        let handle = self.handle();
        let module = self.load(thread, handle, module, Vec::new())?;
        self.put_word(out, handle)?;
        let loaded = Loaded { slot: thread.device, module, handles: BTreeMap::new() };
        self.driver.modules.insert(handle, loaded);
        Ok(())
    }

    /// `cuModuleLoadData`, `cuModuleLoadDataEx` and `cuModuleLoadFatBinary`.
    pub fn module_load_data(
        &mut self,
        thread: &Thread,
        out: u64,
        image: u64,
        (count, numbers, values): (u32, u64, u64),
    ) -> Done {
        let options = self.jit_options(count, numbers, values)?;
        let text = self.code_at(image)?;
        self.load_text(thread, out, &text, options)
    }

    /// Reads the PTX of an image.
    pub(super) fn code_at(&mut self, image: u64) -> Done<String> {
        if image == 0 {
            return Err(Status::INVALID_VALUE);
        }
        match read_code(&*self.process, image).ok_or(Status::INVALID_IMAGE)? {
            Code::Text(text) => Ok(text),
            Code::Binary => Err(self.no_binary()),
        }
    }

    fn no_binary(&mut self) -> Status {
        self.notes.once("warpsim: a module is code for other hardware: load its PTX".to_owned());
        Status::NO_BINARY_FOR_GPU
    }

    /// `cuModuleLoad`.
    pub fn module_load(&mut self, thread: &Thread, out: u64, name: u64) -> Done {
        let name = self.get_text(name, LONGEST_NAME)?;
        let text = self.code_in(&name)?;
        self.load_text(thread, out, &text, JitOptions::default())
    }

    /// Reads the PTX of a file.
    pub(super) fn code_in(&mut self, name: &str) -> Done<String> {
        let data = std::fs::metadata(name).map_err(|_| Status::FILE_NOT_FOUND)?;
        if !data.is_file() || data.len() > MOST_FILE {
            return Err(Status::INVALID_IMAGE);
        }
        let bytes = std::fs::read(name).map_err(|_| Status::FILE_NOT_FOUND)?;
        let text = bytes.split(|byte| *byte == 0).next().unwrap_or_default();
        let binary = bytes.starts_with(b"\x7fELF") || bytes.starts_with(&0xba55_ed50_u32.to_le_bytes());
        match String::from_utf8(text.to_vec()) {
            Ok(text) if !binary => Ok(text),
            _ => Err(self.no_binary()),
        }
    }

    /// `cuModuleUnload`.
    pub fn module_unload(&mut self, thread: &Thread, handle: u64) -> Done {
        let module = self.own_module(thread, handle)?;
        let Some(Loaded { handles, .. }) = self.driver.modules.remove(&handle) else { return Ok(()) };
        let device = self.device(thread)?;
        device.modules.remove(&handle);
        for (_, ptr) in device.constants.extract_if(.., |(of, _), _| *of == module) {
            let _ = device.gpu.free(ptr);
        }
        let unloaded = device.gpu.unload(module);
        for own in handles.values() {
            self.devices[thread.device].functions.remove(own);
            self.driver.setups.remove(own);
            self.driver.textures.remove(own);
            self.driver.surfaces.remove(own);
        }
        self.constants.retain(|((slot, of, _), _)| *slot != thread.device || *of != module);
        Ok(self.told(unloaded)?)
    }

    /// Returns a module of the current context.
    fn own_module(&mut self, thread: &Thread, handle: u64) -> Done<ModuleId> {
        self.device(thread)?;
        let loaded = self.driver.modules.get(&handle).filter(|loaded| loaded.slot == thread.device);
        loaded.map(|loaded| loaded.module).ok_or(Status::INVALID_HANDLE)
    }

    /// Returns the handle of a named object: the known one, or a new one that `insert` has created.
    fn named_object(
        &mut self,
        thread: &Thread,
        out: u64,
        (handle, name): (u64, u64),
        insert: impl FnOnce(&mut Self, ModuleId, &str, u64) -> Done,
    ) -> Done {
        let module = self.own_module(thread, handle)?;
        let name = self.get_text(name, LONGEST_NAME)?;
        self.get(out, 8)?;
        let known = self.driver.modules[&handle].handles.get(&name).copied();
        let own = match known {
            Some(own) => own,
            None => self.handle(),
        };
        insert(self, module, &name, own)?;
        if let Some(loaded) = self.driver.modules.get_mut(&handle) {
            loaded.handles.insert(name, own);
        }
        Ok(self.put_word(out, own)?)
    }

    /// `cuModuleGetFunction`.
    pub fn module_function(&mut self, thread: &Thread, out: u64, handle: u64, name: u64) -> Done {
        let slot = thread.device;
        self.named_object(thread, out, (handle, name), |runtime, module, name, own| {
            let device = &mut runtime.devices[slot];
            let found = device.gpu.kernels(module).find(|program| program.name == *name).cloned();
            let program = found.ok_or(Status::NOT_FOUND)?;
            device.functions.entry(own).or_insert(Function { module, program, cache: None });
            Ok(())
        })
    }

    /// `cuModuleGetTexRef`.
    pub fn module_texture(&mut self, thread: &Thread, out: u64, handle: u64, name: u64) -> Done {
        let slot = thread.device;
        self.named_object(thread, out, (handle, name), |runtime, module, name, own| {
            let known = runtime.devices[slot].gpu.module(module).textures.iter().any(|known| known == name);
            if !known {
                return Err(Status::NOT_FOUND);
            }
            let new = || Texture::new(slot, Some((module, name.to_owned())));
            runtime.driver.textures.entry(own).or_insert_with(new);
            Ok(())
        })
    }

    /// `cuModuleGetSurfRef`.
    pub fn module_surface(&mut self, thread: &Thread, out: u64, handle: u64, name: u64) -> Done {
        let slot = thread.device;
        self.named_object(thread, out, (handle, name), |runtime, module, name, own| {
            let known = runtime.devices[slot].gpu.module(module).surfaces.iter().any(|known| known == name);
            if !known {
                return Err(Status::NOT_FOUND);
            }
            let new = || Surface { slot, module, name: name.to_owned(), array: 0 };
            runtime.driver.surfaces.entry(own).or_insert_with(new);
            Ok(())
        })
    }

    /// `cuModuleGetGlobal`; null pointers are left out.
    pub fn module_variable(&mut self, thread: &Thread, out: u64, bytes: u64, handle: u64, name: u64) -> Done {
        let module = self.own_module(thread, handle)?;
        let name = self.get_text(name, LONGEST_NAME)?;
        let variable = self.variable_of(thread, module, &name)?.ok_or(Status::NOT_FOUND)?;
        if bytes != 0 {
            self.put_word(bytes, variable.bytes)?;
        }
        if out != 0 {
            self.get(out, 8)?;
            let ptr = self.address_of(thread, variable)?;
            self.put_word(out, ptr.address().into())?;
        }
        Ok(())
    }
}
