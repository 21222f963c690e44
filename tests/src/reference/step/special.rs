//! Special registers.

use super::{Context, Result, Thread};

impl Thread {
    /// Returns the value of a special register. Registers that depend on the machine or on time are
    /// unknown.
    pub(super) fn special(&self, name: &str, context: &Context) -> Result<u64> {
        let lane = self.number % 32;
        let below = (1u32 << lane) - 1;
        let alone = 1u32 << lane;
        let value = match name {
            "%laneid" => lane,
            "%lanemask_eq" => alone,
            "%lanemask_lt" => below,
            "%lanemask_le" => below | alone,
            "%lanemask_gt" => !(below | alone),
            "%lanemask_ge" => !below,
            "WARP_SZ" => 32,
            _ => {
                let (of, axis) = name.rsplit_once('.').ok_or_else(|| format!("`{name}`"))?;
                let of = match of {
                    "%tid" => self.tid,
                    "%ntid" => context.block,
                    "%ctaid" => context.ctaid,
                    "%nctaid" => context.grid,
                    _ => return Err(format!("`{name}`")),
                };
                match axis {
                    "x" => of.x,
                    "y" => of.y,
                    "z" => of.z,
                    "w" => 0,
                    _ => return Err(format!("`{name}`")),
                }
            }
        };
        Ok(value.into())
    }
}
