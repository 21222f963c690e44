//! What `x` prints: units of shared or global memory.

use super::command::Address;
use isa::uop::OperandKind;
use report::inspect::values::{Format, value};
use report::render::table::line;
use sim_core::debug::Session;

/// The message about an address outside of all allocations.
pub fn outside(session: &Session<'_>, address: u32) -> String {
    let nearest = session.allocations().iter().min_by_key(|one| {
        let (start, end) = (u64::from(one.start), one.end());
        let at = u64::from(address);
        if at < start { start - at } else { at.saturating_sub(end) }
    });
    let hint = nearest.map_or(String::new(), |one| {
        let name = one.name.as_deref().map_or(String::new(), |name| format!(" `{name}`"));
        format!("; the nearest allocation{name} is {:#x} to {:#x}", one.start, one.end() - 1)
    });
    format!("global {address:#x} is outside of all allocations{hint}")
}

/// `x`.
///
/// # Errors
/// The address is outside of the memory.
pub fn examine(
    session: &Session<'_>,
    block: Option<u64>,
    (units, format, bytes): (u32, Format, u32),
    address: Address,
) -> Result<String, String> {
    let length = units.saturating_mul(bytes);
    let (space, start, memory) = match address {
        Address::Global(start) => {
            let memory = session.global(start, length).ok_or_else(|| outside(session, start))?;
            ("global", start, memory)
        }
        Address::Shared(start) => {
            let block = block.ok_or("no warp is in focus, so there is no block with shared memory")?;
            let all = session.shared(block).unwrap_or(&[]);
            let end = u64::from(start) + u64::from(length);
            let range = start as usize..end as usize;
            let memory = all.get(range).ok_or_else(|| {
                let (last, bytes) = (end - 1, all.len());
                format!("shared {start:#x} to {last:#x} is outside of the {bytes} bytes of the block")
            })?;
            ("shared", start, memory.to_vec())
        }
    };
    let one = |unit: &[u8]| {
        let mut wide = [0; 8];
        wide[..unit.len()].copy_from_slice(unit);
        let bits = u64::from_le_bytes(wide);
        match (bytes, format) {
            (8, _) => value(OperandKind::D, Some(format), bits),
            (4, _) | (_, Format::Float) => value(OperandKind::W, Some(format), bits),
            (2, Format::Signed) => (bits as u16 as i16).to_string(),
            (1, Format::Signed) => (bits as u8 as i8).to_string(),
            (_, Format::Hex) => format!("{bits:#0width$x}", width = 2 + 2 * bytes as usize),
            (_, Format::Binary) => format!("{bits:#0width$b}", width = 2 + 8 * bytes as usize),
            (_, Format::Signed | Format::Unsigned) => bits.to_string(),
        }
    };
    let values: Vec<String> = memory.chunks(bytes as usize).map(one).collect();
    let width = values.iter().map(String::len).max().unwrap_or(0);
    let each = [16, 8, 4, 2, 1].into_iter().find(|each| 20 + each * (width + 1) <= 80).unwrap_or(1);
    let mut out = String::new();
    for (i, part) in values.chunks(each).enumerate() {
        let at = start as usize + i * each * bytes as usize;
        let mut text = format!("{space} {at:#010x}:");
        for one in part {
            text = format!("{text} {one:>width$}");
        }
        line(&mut out, text);
    }
    Ok(out)
}
