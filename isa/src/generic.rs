//! Generic addresses (compute capability 2.0): one number for an address in global, shared, local
//! or constant memory.
//!
//! Shared, local and constant memory each have a window of 16 MiB at the top of the 32-bit address
//! space, in which their byte 0 is the window's first; every other address is one of global memory,
//! as it is. No device memory lies in the windows. PTX code must not know where they are: `cvta`
//! and `isspacep` do.

use crate::types::StateSpace;

/// Bytes of a window.
pub const WINDOW_BYTES: u32 = 1 << 24;

/// First address of the window of constant memory, and of all windows.
pub const CONST_WINDOW: u32 = 0xfd00_0000;

/// First address of the window of shared memory.
pub const SHARED_WINDOW: u32 = 0xfe00_0000;

/// First address of the window of local memory.
pub const LOCAL_WINDOW: u32 = 0xff00_0000;

/// What has to be subtracted from a generic address in `space` to give the address there; `None`
/// for spaces without generic addresses.
pub const fn base(space: StateSpace) -> Option<u32> {
    match space {
        StateSpace::Global => Some(0),
        StateSpace::Const => Some(CONST_WINDOW),
        StateSpace::Shared => Some(SHARED_WINDOW),
        StateSpace::Local => Some(LOCAL_WINDOW),
        StateSpace::Param | StateSpace::Reg => None,
    }
}

/// The space in which a generic address lies. What no 32-bit address reaches counts as global
/// memory, of which there is none there.
pub const fn space_of(address: u64) -> StateSpace {
    match address >> 24 {
        0xfd => StateSpace::Const,
        0xfe => StateSpace::Shared,
        0xff => StateSpace::Local,
        _ => StateSpace::Global,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_are_side_by_side_at_the_top() {
        let spaces = [StateSpace::Const, StateSpace::Shared, StateSpace::Local];
        for space in spaces {
            let first = base(space).expect("it has a window") as u64;
            let last = first + WINDOW_BYTES as u64 - 1;
            assert_eq!([first, last].map(space_of), [space; 2]);
        }
        for address in [0, 0x1000, CONST_WINDOW as u64 - 1, 1 << 32, 0x1_fe00_0000, u64::MAX] {
            assert_eq!(space_of(address), StateSpace::Global, "{address:#x}");
        }
        assert_eq!(space_of(u32::MAX as u64), StateSpace::Local);
    }
}
