//! Variables of the device code, which a host program names by their shadows, or by their names as
//! programs before CUDA 5 do.

use super::LONGEST_NAME;
use super::Runtime;
use super::copies::{Moved, Rows};
use super::error::{Error, Outcome};
use super::images::Named;
use super::regions::{Place, Shape, Side, sides};
use super::thread::Thread;
use isa::mangled::plain;
use sim_core::host::{DevicePtr, ModuleId, Row};

/// `cudaMemcpyDefault`.
const ANY_DIRECTION: i32 = 4;

/// A variable.
pub(super) struct Variable {
    module: ModuleId,
    name: String,
    /// Bytes.
    pub(super) bytes: u64,
    /// Address of a `.global` variable, or of a `.const` variable whose address the program has.
    address: Option<DevicePtr>,
    /// Address of a managed variable in the host program.
    managed: Option<u64>,
}

/// The part of a variable that a copy names.
#[derive(Clone, Copy, Debug)]
pub struct SymbolPart {
    /// Address of the shadow, or of the name.
    pub symbol: u64,
    /// Bytes before the part.
    pub offset: u64,
    /// Bytes.
    pub count: u64,
}

impl Runtime {
    /// Returns the variable of a symbol, whose module is loaded if necessary.
    fn variable(&mut self, thread: &Thread, symbol: u64) -> Outcome<Variable> {
        self.device(thread)?;
        let (shadow, named) = match self.images.variables.get(&symbol).cloned() {
            Some(named) => (symbol, named),
            None => self.variable_by_name(symbol)?,
        };
        let module = self.loaded(thread, named.image)?;
        match self.variable_of(thread, module, &named.name)? {
            Some(variable) => {
                Ok(Variable { managed: self.images.is_managed(shadow).then_some(shadow), ..variable })
            }
            // The compiler has removed a variable that no kernel uses.
            None => self.refuse(
                Error::INVALID_SYMBOL,
                format!("the device code has no variable `{}`: no kernel uses it", plain(&named.name)),
            ),
        }
    }

    /// Returns the variable of a module with a name.
    pub(super) fn variable_of(
        &mut self,
        thread: &Thread,
        module: ModuleId,
        name: &str,
    ) -> Outcome<Option<Variable>> {
        let device = self.device(thread)?;
        let found = device.gpu.symbol_bytes(module, name);
        let address = device.gpu.symbol_address(module, name);
        let (Ok(bytes), Ok(address)) = (found, address) else { return Ok(None) };
        let name = name.to_owned();
        let address = address.or_else(|| device.constants.get(&(module, name.clone())).copied());
        Ok(Some(Variable { module, name, bytes, address, managed: None }))
    }

    /// Returns the address of a variable. A constant variable gets device memory, which is copied
    /// to the constant bank before each launch of its module.
    pub(super) fn address_of(&mut self, thread: &Thread, variable: Variable) -> Outcome<DevicePtr> {
        if let Some(ptr) = variable.address {
            return Ok(ptr);
        }
        let Variable { module, name, bytes, .. } = variable;
        let ptr = self.device(thread)?.gpu.malloc(bytes.max(1));
        let ptr = self.told(ptr)?;
        let copied = self.device(thread)?.gpu.constant_to_memory(module, &name, ptr);
        self.told(copied)?;
        self.device(thread)?.constants.insert((module, name), ptr);
        Ok(ptr)
    }

    /// Copies the constant variables with device memory to the constant bank of a module.
    pub(super) fn constants_in(&mut self, device: usize, module: ModuleId) -> Outcome {
        let owner = &self.devices[device];
        let own = owner.constants.iter().filter(|((of, _), _)| *of == module);
        let own: Vec<(String, DevicePtr)> = own.map(|((_, name), ptr)| (name.clone(), *ptr)).collect();
        for (name, ptr) in own {
            let gpu = &mut self.devices[device].gpu;
            let result = gpu.constant_from_memory(module, &name, ptr);
            let changed = self.told(result)?;
            if let Some(bytes) = changed {
                self.constant_written(device, (module, &name), 0, &bytes);
            }
        }
        Ok(())
    }

    /// Returns the variable with the name that `symbol` is, or that the pointer at `symbol` points
    /// to: the templates of the API pass the address of a `const char *`.
    fn variable_by_name(&self, symbol: u64) -> Outcome<(u64, Named)> {
        let at = |address: u64| {
            let name = self.get_text(address, LONGEST_NAME).ok()?;
            let known = self.images.variables.iter().find(|(_, named)| named.name == name);
            known.map(|(shadow, named)| (*shadow, named.clone()))
        };
        let pointer = || {
            let bytes = self.get(symbol, 8).ok()?;
            at(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        at(symbol).or_else(pointer).ok_or(Error::INVALID_SYMBOL)
    }

    /// `cudaMemcpyToSymbol` (`to_symbol`) and `cudaMemcpyFromSymbol`, with `other` as the other
    /// side.
    pub fn copy_symbol(
        &mut self,
        thread: &Thread,
        SymbolPart { symbol, offset, count }: SymbolPart,
        other: u64,
        kind: i32,
        stream: u64,
        to_symbol: bool,
    ) -> Outcome {
        let (to, from) = sides(kind)?;
        let (own, side) = if to_symbol { (to, from) } else { (from, to) };
        if own == Side::Host {
            return Err(Error::INVALID_DIRECTION);
        }
        let variable = self.variable(thread, symbol)?;
        let call_stream = stream;
        let stream = self.stream_of(thread, stream)?;
        if offset.checked_add(count).is_none_or(|end| end > variable.bytes) {
            let Variable { name, bytes, .. } = &variable;
            let text =
                format!("{count} bytes at offset {offset} are outside `{name}`, which has {bytes} bytes");
            return self.refuse(Error::INVALID_VALUE, text);
        }
        if count == 0 {
            return Ok(());
        }
        if let Some(own) = variable.managed {
            // The variable is host memory, which the kernels of the device see too.
            let (own, other) = (Rows::line(own + offset), Rows::line(other));
            let (to, from) = if to_symbol { (own, other) } else { (other, own) };
            return self.copy(thread, to, from, Shape::line(count), ANY_DIRECTION, call_stream);
        }
        let place = self.place(thread, other, side, if to_symbol { "source" } else { "destination" })?;
        let (moved, parts, is_pinned) = match (place, to_symbol) {
            (Place::Device(_), _) => (Moved::Within, Vec::new(), false),
            (Place::Host(at), true) => (Moved::In, vec![(at, count)], self.block_at(at).is_some()),
            (Place::Host(at), false) => (Moved::Out, vec![(at, count)], self.block_at(at).is_some()),
        };
        self.order_copy(thread, call_stream, moved, is_pinned, parts);
        let own = variable.address.map(|ptr| [Row { ptr: ptr.offset(offset as u32), bytes: count }]);
        let device = match place {
            Place::Device(ptr) => Some([Row { ptr, bytes: count }]),
            Place::Host(_) => None,
        };
        let Variable { module, name, .. } = variable;
        self.notes.flush |= stream.is_none();
        self.program.copies += 1;
        if to_symbol {
            let bytes = match place {
                Place::Host(address) => self.get(address, count)?,
                Place::Device(ptr) => self.read_device(thread, ptr, count)?,
            };
            let gpu = &mut self.device(thread)?.gpu;
            let result = match own {
                Some(rows) => gpu.copy_rows_in(stream, &rows, &bytes),
                None => gpu.copy_to_symbol(module, &name, offset, &bytes),
            };
            if let (Some(own), Some(from)) = (&own, &device) {
                gpu.copy_state(own, from);
            }
            self.program.bytes_to_device += count;
            self.told(result)?;
            if own.is_none() {
                self.constant_written(thread.device, (module, &name), offset, &bytes);
            }
            return Ok(());
        }
        let gpu = &mut self.device(thread)?.gpu;
        let result = if let Some(rows) = own {
            gpu.copy_rows_out(stream, &rows)
        } else {
            let mut bytes = vec![0; count as usize];
            gpu.copy_from_symbol(module, &name, offset, &mut bytes).map(|()| bytes)
        };
        let bytes = self.told(result)?;
        self.program.bytes_to_host += count;
        if let (Some(own), None) = (&own, &device) {
            self.note_unwritten(thread, own, Some(plain(&name)));
        }
        match place {
            Place::Host(address) => self.put(address, &bytes),
            Place::Device(ptr) => {
                let to = [Row { ptr, bytes: count }];
                let gpu = &mut self.device(thread)?.gpu;
                let result = gpu.copy_rows_in(stream, &to, &bytes);
                if let Some(own) = &own {
                    gpu.copy_state(&to, own);
                }
                self.told(result)
            }
        }
    }

    fn read_device(&mut self, thread: &Thread, ptr: DevicePtr, bytes: u64) -> Outcome<Vec<u8>> {
        let result = self.device(thread)?.gpu.copy_rows_out(None, &[Row { ptr, bytes }]);
        self.told(result)
    }

    /// `cudaGetSymbolAddress`.
    pub fn symbol_address(&mut self, thread: &Thread, out: u64, symbol: u64) -> Outcome {
        let variable = self.variable(thread, symbol)?;
        if let Some(own) = variable.managed {
            return self.put_word(out, own);
        }
        self.get(out, 8)?;
        let ptr = self.address_of(thread, variable)?;
        self.put_word(out, ptr.address().into())
    }

    /// `cudaGetSymbolSize`.
    pub fn symbol_size(&mut self, thread: &Thread, out: u64, symbol: u64) -> Outcome {
        let variable = self.variable(thread, symbol)?;
        self.put_word(out, variable.bytes)
    }
}
