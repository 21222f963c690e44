//! Variables of the device code, which a host program names by their shadows, or by their names as
//! programs before CUDA 5 do.

use super::Runtime;
use super::copies::Rows;
use super::error::{Error, Outcome};
use super::images::Named;
use super::regions::Shape;
use super::regions::Side;
use super::regions::sides;
use super::thread::Thread;
use sim_core::host::{DevicePtr, ModuleId, Row};

/// Longest name of a variable, in bytes.
pub(super) const LONGEST_NAME: u64 = 1024;

/// `cudaMemcpyDefault`.
const ANY_DIRECTION: i32 = 4;

/// A variable.
struct Variable {
    module: ModuleId,
    name: String,
    bytes: u64,
    /// Address of a `.global` variable.
    address: Option<DevicePtr>,
    /// Address of a managed variable in the host program.
    managed: Option<u64>,
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
        let gpu = &self.device(thread)?.gpu;
        let found = gpu.symbol_bytes(module, &named.name);
        let address = gpu.symbol_address(module, &named.name);
        // The compiler has removed a variable that no kernel uses.
        let (Ok(bytes), Ok(address)) = (found, address) else {
            return self.refuse(
                Error::INVALID_SYMBOL,
                format!("the device code has no variable `{}`: no kernel uses it", named.name),
            );
        };
        let managed = self.images.is_managed(shadow).then_some(shadow);
        Ok(Variable { module, name: named.name, bytes, address, managed })
    }

    fn variable_by_name(&self, symbol: u64) -> Outcome<(u64, Named)> {
        let name = self.get_text(symbol, LONGEST_NAME).map_err(|_| Error::INVALID_SYMBOL)?;
        let known = self.images.variables.iter().find(|(_, named)| named.name == name);
        known.map(|(shadow, named)| (*shadow, named.clone())).ok_or(Error::INVALID_SYMBOL)
    }

    /// `cudaMemcpyToSymbol` (`to_symbol`) and `cudaMemcpyFromSymbol`, with `other` as the other
    /// side.
    #[expect(clippy::too_many_arguments, reason = "the parameters of the function of the API")]
    pub fn copy_symbol(
        &mut self,
        thread: &Thread,
        symbol: u64,
        other: u64,
        count: u64,
        offset: u64,
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
        let own = variable.address.map(|ptr| [Row { ptr: ptr.offset(offset as u32), bytes: count }]);
        let Variable { module, name, .. } = variable;
        self.notes.flush |= stream.is_none();
        self.program.copies += 1;
        if to_symbol {
            let bytes = match place {
                super::regions::Place::Host(address) => self.get(address, count)?,
                super::regions::Place::Device(ptr) => self.read_device(thread, ptr, count)?,
            };
            let gpu = &mut self.device(thread)?.gpu;
            let result = match own {
                Some(rows) => gpu.copy_rows_in(stream, &rows, &bytes),
                None => gpu.copy_to_symbol(module, &name, offset, &bytes),
            };
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
        match place {
            super::regions::Place::Host(address) => self.put(address, &bytes),
            super::regions::Place::Device(ptr) => {
                let result =
                    self.device(thread)?.gpu.copy_rows_in(stream, &[Row { ptr, bytes: count }], &bytes);
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
        match variable.address {
            Some(_) if let Some(own) = variable.managed => self.put_word(out, own),
            Some(ptr) => self.put_word(out, ptr.address().into()),
            None => self.refuse(
                Error::INVALID_SYMBOL,
                format!(
                    "cudaGetSymbolAddress of `{}`: constant memory has no address here; use cudaMemcpyToSymbol",
                    variable.name
                ),
            ),
        }
    }

    /// `cudaGetSymbolSize`.
    pub fn symbol_size(&mut self, thread: &Thread, out: u64, symbol: u64) -> Outcome {
        let variable = self.variable(thread, symbol)?;
        self.put_word(out, variable.bytes)
    }
}
