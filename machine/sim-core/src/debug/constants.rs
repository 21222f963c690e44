//! Values that do not change while a warp is resident: special registers, kernel parameters and
//! constant memory.

use super::session::Session;
use crate::exec::rows;
use isa::sreg::SReg;

impl Session<'_> {
    /// Returns the values of a special register of a warp, one per lane. Returns `None` if no warp
    /// is resident in the slot, and for a register that changes with time (`%clock`).
    pub fn special(&self, sm: u32, slot: u32, register: SReg) -> Option<[u32; 32]> {
        if matches!(register, SReg::Clock | SReg::Clock64) {
            return None;
        }
        Some(rows::special(self.kernel(), self.architecture(sm, slot)?, register, 0))
    }

    /// Returns `bytes` bytes of constant memory from `address`; `None` outside of it.
    pub fn constant(&self, address: u32, bytes: u32) -> Option<&[u8]> {
        self.kernel().constants.get(address as usize..address.checked_add(bytes)? as usize)
    }

    /// Returns the bytes of a kernel parameter, by its index in
    /// [`params`](isa::uop::Program::params); `None` if there is no such parameter.
    pub fn param(&self, index: usize) -> Option<&[u8]> {
        let kernel = self.kernel();
        let param = kernel.program.params.get(index)?;
        kernel.params.get(param.offset as usize..(param.offset + param.bytes) as usize)
    }
}
