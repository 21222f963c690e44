//! Tables of texture objects and surface objects of a device, and their handles.

use super::textures::Bound;
use crate::exec::surface::Surface;
use crate::exec::texture::SamplerOptions;

/// The objects of a device by number; `None` for a number that is free.
#[derive(Debug, Default)]
pub(super) struct ObjectTables {
    pub textures: Vec<Option<Bound>>,
    pub surfaces: Vec<Option<Surface>>,
    pub samplers: Vec<Option<SamplerOptions>>,
}

/// Handles of a table: its number and the first handle of its kind.
#[derive(Clone, Copy)]
pub(super) struct Numbers(pub u32);

impl Numbers {
    /// Adds an object with the lowest free number. Returns its handle.
    pub fn insert<T>(self, table: &mut Vec<Option<T>>, object: T) -> u64 {
        let number = table.iter().position(Option::is_none).unwrap_or(table.len());
        if number == table.len() {
            table.push(None);
        }
        table[number] = Some(object);
        u64::from(self.0) + number as u64
    }

    /// Returns the object of a handle; `None` if there is none.
    pub fn get<T: Copy>(self, table: &[Option<T>], handle: u64) -> Option<T> {
        let number = usize::try_from(handle.checked_sub(self.0.into())?).ok()?;
        table.get(number).copied().flatten()
    }

    /// Removes the object of a handle; `None` if there is none.
    pub fn remove<T>(self, table: &mut [Option<T>], handle: u64) -> Option<()> {
        let number = usize::try_from(handle.checked_sub(self.0.into())?).ok()?;
        table.get_mut(number)?.take().map(|_| ())
    }
}

/// Returns the handle at an offset of a parameter block.
pub(super) fn handle_at(params: &[u8], offset: u32) -> u64 {
    let bytes = params.get(offset as usize..).unwrap_or_default();
    bytes.iter().take(8).rev().fold(0, |handle, byte| handle << 8 | u64::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lowest_free_number_is_used_again() {
        let (numbers, mut table) = (Numbers(100), Vec::new());
        assert_eq!([0, 1, 2].map(|object| numbers.insert(&mut table, object)), [100, 101, 102]);
        assert_eq!(numbers.remove(&mut table, 101), Some(()));
        assert_eq!(numbers.remove(&mut table, 101), None);
        assert_eq!([99, 103, u64::MAX].map(|handle| numbers.remove(&mut table, handle)), [None; 3]);
        assert_eq!((numbers.insert(&mut table, 3), table), (101, vec![Some(0), Some(3), Some(2)]));
    }
}
