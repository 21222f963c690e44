//! Where constant memory, the parameters and the code lie, as the caches see them: at device
//! addresses that no host program is given. The values are not there: they belong to the launch,
//! and the addresses say only which line is whose.

/// First byte of constant memory: at the end of the 4 GiB of addresses, where memory of any size
/// has no more than a row or two.
pub const CONSTANTS: u32 = 0xfe00_0000;

/// First byte of the parameters, where they lie in constant memory: behind the most constants that
/// a chip can have.
pub const PARAMETERS: u32 = CONSTANTS + (1 << 20);

/// First byte of the code.
pub const CODE: u32 = 0xff00_0000;
