//! Generic addresses (compute capability 2.0): one 32-bit address space that contains global,
//! shared, local and constant memory.
//!
//! Shared, local and constant memory each have a window of 16 MiB at the top of the 32-bit address
//! space. The first address of a window is byte 0 of its state space. Every other generic address
//! is the global address with the same number; no device memory lies inside the windows. PTX code
//! must not depend on where the windows are: it uses `cvta` and `isspacep`.

use crate::types::StateSpace;

/// Size of a window in bytes.
pub const WINDOW_BYTES: u32 = 1 << 24;

/// First address of the window of constant memory, which is the lowest window.
pub const CONST_WINDOW: u32 = 0xfd00_0000;

/// First address of the window of shared memory.
pub const SHARED_WINDOW: u32 = 0xfe00_0000;

/// First address of the window of local memory.
pub const LOCAL_WINDOW: u32 = 0xff00_0000;

/// Returns the number to subtract from a generic address in `space` to get the address within that
/// space; `None` for spaces without generic addresses.
pub const fn base(space: StateSpace) -> Option<u32> {
    match space {
        StateSpace::Global => Some(0),
        StateSpace::Const => Some(CONST_WINDOW),
        StateSpace::Shared => Some(SHARED_WINDOW),
        StateSpace::Local => Some(LOCAL_WINDOW),
        StateSpace::Param | StateSpace::Reg | StateSpace::Tex | StateSpace::Surf | StateSpace::Sampler => {
            None
        }
    }
}

/// Returns the state space of a generic address. An address above 32 bits counts as global memory,
/// which has no storage there.
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
    fn windows_are_adjacent_at_the_top() {
        let spaces = [StateSpace::Const, StateSpace::Shared, StateSpace::Local];
        for space in spaces {
            let first = base(space).expect("every one of these spaces has a window") as u64;
            let last = first + WINDOW_BYTES as u64 - 1;
            assert_eq!([first, last].map(space_of), [space; 2]);
        }
        for address in [0, 0x1000, CONST_WINDOW as u64 - 1, 1 << 32, 0x1_fe00_0000, u64::MAX] {
            assert_eq!(space_of(address), StateSpace::Global, "{address:#x}");
        }
        assert_eq!(space_of(u32::MAX as u64), StateSpace::Local);
    }
}
