//! Memory: references of the client, `readMemory`, and elements of arrays.

use super::protocol::ReadMemory;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use sim_core::debug::{Allocation, Session};

/// Most bytes of one answer.
const MOST: u32 = 1 << 20;

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Global memory.
    Global,
    /// Shared memory of the block with this number.
    Shared(u64),
}

/// Writes a reference to a byte.
pub fn reference(space: Space, address: u32) -> String {
    match space {
        Space::Global => format!("global:{address:#x}"),
        Space::Shared(block) => format!("shared:{block}:{address:#x}"),
    }
}

/// Reads a reference.
///
/// # Errors
/// It is no reference of this adapter.
pub fn place(text: &str) -> Result<(Space, u32), String> {
    let parts: Vec<&str> = text.split(':').collect();
    let number = |text: &str| u32::from_str_radix(text.strip_prefix("0x")?, 16).ok();
    let found = match parts.as_slice() {
        ["global", address] => number(address).map(|address| (Space::Global, address)),
        ["shared", block, address] => {
            let block = block.parse().ok();
            block.zip(number(address)).map(|(block, address)| (Space::Shared(block), address))
        }
        _ => None,
    };
    found.ok_or_else(|| format!("`{text}` is not a memory reference of this adapter"))
}

/// Returns bytes of memory; `None` if one of them does not exist.
pub fn bytes(session: &Session<'_>, space: Space, address: u32, count: u32) -> Option<Vec<u8>> {
    match space {
        Space::Global => session.global(address, count),
        Space::Shared(block) => {
            let from = address as usize;
            Some(session.shared(block)?.get(from..from.checked_add(count as usize)?)?.to_vec())
        }
    }
}

/// Returns the longest readable range of at most `count` bytes.
fn readable(session: &Session<'_>, space: Space, address: u32, count: u32) -> Vec<u8> {
    let end = match space {
        Space::Global => {
            let own = |one: &&Allocation| (u64::from(one.start)..one.end()).contains(&u64::from(address));
            session.allocations().iter().find(own).map_or(0, Allocation::end)
        }
        Space::Shared(block) => session.shared(block).map_or(0, |all| all.len() as u64),
    };
    let left = end.saturating_sub(u64::from(address)).min(u64::from(count.min(MOST))) as u32;
    bytes(session, space, address, left).unwrap_or_default()
}

/// Answers `readMemory`. Bytes after the end of an allocation are reported as unreadable.
///
/// # Errors
/// The reference is wrong.
pub fn read(session: &Session<'_>, wanted: &ReadMemory) -> Result<Value, String> {
    let (space, start) = place(&wanted.memory_reference)?;
    let address = i64::from(start).checked_add(wanted.offset).and_then(|at| u32::try_from(at).ok());
    let address = address.ok_or("the offset leads outside of the addresses")?;
    let bytes = readable(session, space, address, wanted.count);
    let unreadable = wanted.count - bytes.len() as u32;
    Ok(json!({
        "address": format!("{address:#010x}"), "data": STANDARD.encode(&bytes), "unreadableBytes": unreadable,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reference_names_its_place() {
        for (space, address) in [(Space::Global, 0x1000), (Space::Shared(7), 4)] {
            assert_eq!(place(&reference(space, address)), Ok((space, address)));
        }
        for bad in ["", "global", "global:16", "shared:0x0", "local:0x0", "shared:x:0x0"] {
            assert!(place(bad).is_err(), "{bad}");
        }
    }
}
