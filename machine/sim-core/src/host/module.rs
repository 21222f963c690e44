//! A module in device memory: the addresses of its variables, and the constant bank that its
//! launches use.

use super::gpu::{Gpu, HostError, ModuleId};
use super::memory::DevicePtr;
use super::output::Library;
use super::textures::Bound;
use crate::exec::surface::Surface;
use isa::uop::{ConstValue, Module, Program, Symbol};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A loaded module.
pub struct Loaded {
    /// The compiled module.
    pub module: Module,
    /// Entries that need more registers of a thread than the chip has, compiled to fit.
    pub fitted: Vec<Arc<Program>>,
    globals: Vec<DevicePtr>,
    /// Shared with running launches: a write makes a copy.
    constants: Arc<Vec<u8>>,
    /// Memory of the library functions that the module uses.
    pub(super) library: Library,
    /// Memory bound to each texture.
    pub(super) textures: Vec<Option<Bound>>,
    /// Memory bound to each surface.
    pub(super) surfaces: Vec<Option<Surface>>,
}

/// Location of a module variable.
#[derive(Clone, Copy, Debug)]
pub struct SymbolLocation {
    /// Device address of a `.global` variable.
    pub global: Option<DevicePtr>,
    /// Offset in the constant bank of a `.const` variable.
    pub start: u64,
    /// Size of the variable in bytes.
    pub bytes: u64,
}

impl SymbolLocation {
    /// Rejects a copy that reaches beyond the variable.
    pub fn check(&self, name: &str, offset: u64, bytes: usize) -> Result<(), HostError> {
        let bytes = bytes as u64;
        if offset.checked_add(bytes).is_some_and(|end| end <= self.bytes) {
            return Ok(());
        }
        Err(HostError::SymbolRange { symbol: name.to_owned(), offset, bytes, size: self.bytes })
    }
}

impl Gpu {
    /// Loads a module: finishes its code for this chip, allocates its variables and initializes
    /// them.
    pub fn load(&mut self, module: Module) -> Result<ModuleId, HostError> {
        self.load_mapped(module, &BTreeSet::new())
    }

    /// Same as [`Self::load`], with the `.global` variables `mapped` in mapped host memory.
    pub fn load_mapped(&mut self, module: Module, mapped: &BTreeSet<String>) -> Result<ModuleId, HostError> {
        let module = module.compiled_for(self.chip.capability);
        let (needed, available) = (module.const_bytes.into(), self.chip.limits.const_bytes.into());
        if needed > available {
            return Err(HostError::ConstantMemory { needed, available });
        }
        let mut globals = Vec::new();
        for symbol in &module.globals {
            let (bytes, name) = (symbol.bytes.max(1).into(), Some(&*symbol.name));
            let mapped = mapped.contains(&symbol.name);
            let made =
                if mapped { self.alloc_mapped_named(bytes, name) } else { self.malloc_named(bytes, name) };
            globals.push(made.map_err(|error| named(&module, symbol, error))?);
        }
        let fitted = module.fitted(self.chip.limits.registers_per_thread, self.chip.capability);
        let mut loaded = Loaded::new(module, fitted, globals);
        for (ptr, symbol) in loaded.globals.iter().zip(&loaded.module.globals) {
            // New memory is zeros, so only the first bytes are written.
            self.write(ptr.address(), &loaded.image(symbol));
            self.checking.wrote(ptr.address(), symbol.bytes.into());
        }
        self.checking.owns(loaded.globals.iter().map(|ptr| ptr.address()));
        let address_bits = loaded.module.entries.first().map_or(64, |program| program.address_bits);
        loaded.library = self.load_library(&loaded.places(), address_bits)?;
        self.modules.push(loaded);
        Ok(ModuleId(self.modules.len() as u32 - 1))
    }
}

/// Names the variable whose allocation failed.
fn named(module: &Module, symbol: &Symbol, error: HostError) -> HostError {
    let HostError::Memory(error) = error else { return error };
    let source = module.entries.first().map(|program| &program.source);
    let line = source
        .map_or_else(|| symbol.line.to_string(), |source| source.files().described(symbol.line).to_string());
    HostError::Variable { name: symbol.name.clone(), line, error }
}

impl Loaded {
    /// Loads `module` with its `.global` variables at `globals`. `fitted` has entries that are
    /// launched instead of those of the module unless the launch gives the number of registers.
    pub fn new(module: Module, fitted: Vec<Arc<Program>>, globals: Vec<DevicePtr>) -> Self {
        let constants = Arc::new(vec![0; module.const_bytes as usize]);
        let textures = vec![None; module.textures.len()];
        let surfaces = vec![None; module.surfaces.len()];
        let library = Library::default();
        let mut loaded = Self { module, fitted, globals, constants, library, textures, surfaces };
        let mut bank = vec![0; loaded.module.const_bytes as usize];
        for symbol in &loaded.module.consts {
            let image = loaded.image(symbol);
            bank[symbol.offset as usize..][..image.len()].copy_from_slice(&image);
        }
        loaded.constants = Arc::new(bank);
        loaded
    }

    /// Returns the module and leaves one without contents.
    pub fn take(&mut self) -> Self {
        let module = Module {
            entries: Vec::new(),
            globals: Vec::new(),
            consts: Vec::new(),
            const_bytes: 0,
            textures: Arc::default(),
            surfaces: Arc::default(),
            samplers: Arc::default(),
        };
        std::mem::replace(self, Self::new(module, Vec::new(), Vec::new()))
    }

    /// Returns the initial bytes of a variable, with addresses filled in; the bytes after them are
    /// zeros.
    fn image(&self, symbol: &Symbol) -> Vec<u8> {
        let mut bytes = symbol.init.clone();
        for (at, global, addend, size) in &symbol.relocs {
            let address = u64::from(self.globals[*global as usize].address()).wrapping_add(*addend);
            let size = *size as usize;
            bytes[*at as usize..][..size].copy_from_slice(&address.to_le_bytes()[..size]);
        }
        bytes
    }

    /// Returns the name and the address of each `.global` variable.
    pub fn places(&self) -> Vec<(String, DevicePtr)> {
        self.module
            .globals
            .iter()
            .map(|symbol| symbol.name.clone())
            .zip(self.globals.iter().copied())
            .collect()
    }

    /// Returns the location of a variable.
    pub fn place(&self, name: &str) -> Result<SymbolLocation, HostError> {
        if let Some(i) = self.module.globals.iter().position(|s| s.name == name) {
            let bytes = self.module.globals[i].bytes.into();
            return Ok(SymbolLocation { global: Some(self.globals[i]), start: 0, bytes });
        }
        let symbol = self.module.consts.iter().find(|s| s.name == name);
        let symbol = symbol.ok_or_else(|| HostError::NoSymbol(name.to_owned()))?;
        Ok(SymbolLocation { global: None, start: symbol.offset.into(), bytes: symbol.bytes.into() })
    }

    /// Writes to the constant bank; running launches keep the old contents.
    pub fn write_const(&mut self, start: u64, bytes: &[u8]) {
        Arc::make_mut(&mut self.constants)[start as usize..][..bytes.len()].copy_from_slice(bytes);
    }

    /// Reads from the constant bank.
    pub fn read_const(&self, start: u64, bytes: &mut [u8]) {
        bytes.copy_from_slice(&self.constants[start as usize..][..bytes.len()]);
    }

    /// Returns the current constant bank.
    pub fn constants(&self) -> Arc<Vec<u8>> {
        Arc::clone(&self.constants)
    }

    /// Returns the bits of a constant for a launch with parameter block `params`. Missing bytes at
    /// the end of a block are zero.
    pub fn resolve(&self, value: ConstValue, params: &[u8]) -> u64 {
        let word = |block: &[u8], offset: u32| {
            let mut bytes = [0; 8];
            let from = block.get(offset as usize..).unwrap_or_default();
            bytes.iter_mut().zip(from).for_each(|(to, byte)| *to = *byte);
            u64::from_le_bytes(bytes)
        };
        match value {
            ConstValue::Param { offset } => word(params, offset),
            ConstValue::Bank { offset } => word(&self.constants, offset),
            ConstValue::Bits(bits) => bits,
            ConstValue::Global { symbol, offset } => {
                u64::from(self.globals[symbol as usize].address()).wrapping_add(offset)
            }
        }
    }
}
