//! A prefetcher: each load instruction of a warp has a stride (Chen & Baer, IEEE Trans. Computers
//! 1995, with a table by instruction and warp).

use std::collections::BTreeMap;
use warpsim::l1::{L1Access, Prefetcher};

/// Largest number of table entries.
const ENTRIES: usize = 1024;

/// Requests the line one stride ahead, if an instruction of a warp has kept its stride.
#[derive(Clone, Debug, Default)]
pub struct Stride {
    /// The last line and the last stride of an instruction of a warp.
    table: BTreeMap<(u64, u32), (u32, u32)>,
}

impl Prefetcher for Stride {
    fn access(&mut self, access: &L1Access, wanted: &mut Vec<u32>) {
        if self.table.len() == ENTRIES {
            self.table.clear();
        }
        let known = self.table.entry((access.age, access.pc)).or_insert((access.address, 0));
        let stride = access.address.wrapping_sub(known.0);
        if stride != 0 {
            if stride == known.1 {
                wanted.push(access.address.wrapping_add(stride));
            }
            *known = (access.address, stride);
        }
    }
}
