//! Device addresses of constant memory, the parameters and the code, as the caches use them. No
//! host program gets these addresses. The values belong to the launch and are not stored here; the
//! addresses only identify cache lines.

/// Address of the first byte of constant memory. It is near the end of the 4 GiB address space,
/// where memory of any size has at most a row or two.
pub const CONSTANTS: u32 = 0xfe00_0000;

/// Address of the first byte of the parameters on chips that keep them in constant memory: behind
/// the largest constant memory that a chip can have.
pub const PARAMETERS: u32 = CONSTANTS + (1 << 20);

/// Address of the first byte of the code.
pub const CODE: u32 = 0xff00_0000;
