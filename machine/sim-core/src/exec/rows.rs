//! Operand rows: registers followed by the program's constants. Also the values of special
//! registers.

use super::{Kernel, Row32, Row64, Warp};
use isa::sreg::SReg;
use std::array::from_fn;

/// The 32-bit source row `row`.
#[inline]
pub fn w<'a>(kernel: &'a Kernel, warp: &'a Warp, row: u16) -> &'a Row32 {
    let row = row as usize;
    if row < warp.w.len() { &warp.w[row] } else { &kernel.const32[row - warp.w.len()] }
}

/// The 64-bit source row `row`.
#[inline]
pub fn d<'a>(kernel: &'a Kernel, warp: &'a Warp, row: u16) -> &'a Row64 {
    let row = row as usize;
    if row < warp.d.len() { &warp.d[row] } else { &kernel.const64[row - warp.d.len()] }
}

/// The predicate source row `row`: a register; after the registers follow false and true.
#[inline]
pub fn p(warp: &Warp, row: u16) -> u32 {
    let row = row as usize;
    if row < warp.p.len() { warp.p[row] } else { [0, u32::MAX][row - warp.p.len()] }
}

/// Values of a special register in each lane. `clock` is the value of `%clock`, supplied by the
/// caller.
pub fn special(kernel: &Kernel, warp: &Warp, register: SReg, clock: u32) -> Row32 {
    let same = |value: u32| [value; 32];
    let id = &warp.id;
    match register {
        SReg::TidX => tid(kernel, id.index, 0),
        SReg::TidY => tid(kernel, id.index, 1),
        SReg::TidZ => tid(kernel, id.index, 2),
        SReg::NtidX => same(kernel.block.x),
        SReg::NtidY => same(kernel.block.y),
        SReg::NtidZ => same(kernel.block.z),
        SReg::CtaidX => same(id.ctaid.x),
        SReg::CtaidY => same(id.ctaid.y),
        SReg::CtaidZ => same(id.ctaid.z),
        SReg::NctaidX => same(kernel.grid.x),
        SReg::NctaidY => same(kernel.grid.y),
        SReg::NctaidZ => same(kernel.grid.z),
        SReg::LaneId => from_fn(|lane| lane as u32),
        SReg::WarpId => same(id.slot),
        SReg::NwarpId => same(kernel.nwarpid),
        SReg::SmId => same(id.sm),
        SReg::NsmId => same(kernel.nsmid),
        SReg::GridId => same(kernel.grid_id),
        SReg::Clock | SReg::Clock64 => same(clock),
        SReg::LaneMaskEq => from_fn(|lane| 1 << lane),
        SReg::LaneMaskLe => from_fn(|lane| u32::MAX >> (31 - lane)),
        SReg::LaneMaskLt => from_fn(|lane| (1 << lane) - 1),
        SReg::LaneMaskGe => from_fn(|lane| u32::MAX << lane),
        SReg::LaneMaskGt => from_fn(|lane| u32::MAX << lane << 1),
        // The w component of a position is 0. No performance counter is configured.
        SReg::TidW
        | SReg::NtidW
        | SReg::CtaidW
        | SReg::NctaidW
        | SReg::Pm0
        | SReg::Pm1
        | SReg::Pm2
        | SReg::Pm3 => same(0),
        // All others are environment registers.
        other => same(other.environment().map_or(0, |number| kernel.environment[number])),
    }
}

/// One component of `%tid` (0: x, 1: y, 2: z) in the lanes of warp `index`. Threads are numbered x
/// first, then y, then z. Padding lanes continue the numbering.
fn tid(kernel: &Kernel, index: u32, component: usize) -> Row32 {
    let first = kernel.block.index_of(u64::from(index) * 32);
    let mut at = [first.x, first.y, first.z];
    let mut row = [0; 32];
    for value in &mut row {
        *value = at[component];
        at[0] += 1;
        if at[0] == kernel.block.x {
            at[0] = 0;
            at[1] += 1;
            if at[1] == kernel.block.y {
                at[1] = 0;
                at[2] += 1;
            }
        }
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::build::Builder;
    use isa::types::Dim3;

    #[test]
    fn threads_are_numbered_by_x_then_y_then_z() {
        let mut kernel = Builder::new().kernel();
        for extent in [(1, 1, 1), (32, 1, 1), (16, 16, 1), (5, 3, 7), (3, 1, 64), (512, 1, 1)] {
            kernel.block = Dim3::from(extent);
            for index in 0..kernel.warps_per_block() {
                let rows: [Row32; 3] = from_fn(|c| tid(&kernel, index, c));
                for lane in 0..32u32.min(kernel.threads() - 32 * index) {
                    let want = kernel.block.index_of(u64::from(32 * index + lane));
                    let got = rows.map(|row| row[lane as usize]);
                    assert_eq!(got, [want.x, want.y, want.z], "{extent:?} warp {index} lane {lane}");
                }
            }
        }
    }

    #[test]
    fn constants_follow_the_registers() {
        let (kernel, mut warp) = Builder::new().rows(2, 1, 1).const32(7).const64(1 << 40).started();
        warp.w[1] = [5; 32];
        warp.p[0] = 3;
        assert_eq!((w(&kernel, &warp, 1)[9], w(&kernel, &warp, 2)[9]), (5, 7));
        assert_eq!((d(&kernel, &warp, 0)[9], d(&kernel, &warp, 1)[9]), (0, 1 << 40));
        assert_eq!((p(&warp, 0), p(&warp, 1), p(&warp, 2)), (3, 0, u32::MAX));
    }

    /// Tests: `special-registers`.
    #[test]
    fn special_registers_come_from_kernel_and_warp() {
        let (mut kernel, mut warp) = Builder::new().started();
        kernel.block = Dim3::new(8, 4, 2);
        kernel.grid = Dim3::new(9, 10, 11);
        (kernel.nsmid, kernel.nwarpid, kernel.grid_id) = (16, 24, 3);
        warp.id.ctaid = Dim3::new(6, 7, 0);
        (warp.id.sm, warp.id.slot) = (13, 21);
        (kernel.environment[0], kernel.environment[31]) = (5, 4);
        let want = [
            ("%ntid.x", 8),
            ("%ntid.y", 4),
            ("%ntid.z", 2),
            ("%ctaid.x", 6),
            ("%ctaid.y", 7),
            ("%ctaid.z", 0),
            ("%nctaid.x", 9),
            ("%nctaid.y", 10),
            ("%nctaid.z", 11),
            ("%laneid", 17),
            ("%warpid", 21),
            ("%nwarpid", 24),
            ("%smid", 13),
            ("%nsmid", 16),
            ("%gridid", 3),
            ("%clock", 77),
            ("%tid.x", 1),
            ("%tid.y", 2),
            ("%tid.z", 0),
            ("%clock64", 77),
            ("%lanemask_eq", 0x0002_0000),
            ("%lanemask_le", 0x0003_ffff),
            ("%lanemask_lt", 0x0001_ffff),
            ("%lanemask_ge", 0xfffe_0000),
            ("%lanemask_gt", 0xfffc_0000),
            ("%ctaid.w", 0),
            ("%pm3", 0),
            ("%envreg0", 5),
            ("%envreg1", 0),
            ("%envreg31", 4),
        ];
        for (name, value) in want {
            let register = SReg::from_name(name).expect("a PTX name");
            assert_eq!(special(&kernel, &warp, register, 77)[17], value, "{name}");
        }
        let at = |register, lane: usize| special(&kernel, &warp, register, 0)[lane];
        assert_eq!(
            (at(SReg::LaneMaskGt, 31), at(SReg::LaneMaskLe, 31), at(SReg::LaneMaskLt, 0)),
            (0, u32::MAX, 0)
        );
    }
}
