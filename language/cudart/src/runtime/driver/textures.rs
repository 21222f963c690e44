//! Texture references and surface references of modules.
//!
//! A reference has its properties here, and each change of a reference with memory binds it again.

use super::Done;
use super::copies::{channels, format_of};
use super::status::Status;
use crate::runtime::Runtime;
use crate::runtime::arrays::Channels;
use crate::runtime::error::Error;
use crate::runtime::textures::{MOST_TEXELS, Sampler};
use crate::runtime::thread::Thread;
use sim_core::host::{DevicePtr, ModuleId, SurfaceOptions, TextureShape};

/// A texture reference.
#[derive(Clone, Debug)]
pub struct Texture {
    /// Number of the context.
    pub(super) slot: usize,
    /// Module and name; `None` after `cuTexRefCreate`.
    place: Option<(ModuleId, String)>,
    channels: Channels,
    /// `CU_TRSF_…`.
    flags: u32,
    filter: i32,
    modes: [i32; 3],
    memory: Memory,
}

/// Memory of a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    None,
    /// Handle of an array.
    Array(u64),
    /// Address and bytes.
    Linear(u64, u64),
    /// Address, width and height in texels, pitch.
    Pitch(u64, u64, u64, u64),
}

/// A surface reference.
#[derive(Clone, Debug)]
pub struct Surface {
    /// Number of the context.
    pub(super) slot: usize,
    /// Module.
    pub(super) module: ModuleId,
    /// Name.
    pub(super) name: String,
    /// Handle of the array; 0 without one.
    pub(super) array: u64,
}

/// `CU_TRSF_READ_AS_INTEGER`, `CU_TRSF_NORMALIZED_COORDINATES`, `CU_TRSF_SRGB`.
const INTEGER: u32 = 1;
const NORMALIZED: u32 = 2;
const SRGB: u32 = 0x10;

impl Texture {
    /// A reference without memory.
    pub(super) fn new(slot: usize, place: Option<(ModuleId, String)>) -> Self {
        let channels = Channels { bits: [32, 0, 0, 0], kind: 2 };
        Self { slot, place, channels, flags: 0, filter: 0, modes: [1; 3], memory: Memory::None }
    }
}

/// Names a property of a reference for `cuTexRefGet…`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Property {
    /// Address of linear memory.
    Address,
    /// Handle of the array.
    Array,
    /// Address mode of a dimension.
    Mode(i32),
    /// Filter.
    Filter,
    /// Format and number of components, which has another pointer.
    Format(u64),
    /// Flags.
    Flags,
}

impl Runtime {
    /// `cuTexRefCreate`.
    pub fn texture_create(&mut self, thread: &Thread, out: u64) -> Done {
        let handle = self.handle();
        self.put_word(out, handle)?;
        self.driver.textures.insert(handle, Texture::new(thread.device, None));
        Ok(())
    }

    /// `cuTexRefDestroy`.
    pub fn texture_destroy(&mut self, handle: u64) -> Done {
        let own = self.driver.textures.get(&handle).is_some_and(|texture| texture.place.is_none());
        if !own {
            return Err(Status::INVALID_HANDLE);
        }
        self.driver.textures.remove(&handle);
        Ok(())
    }

    /// Changes a reference, and binds its memory again.
    fn change_texture(
        &mut self,
        thread: &Thread,
        handle: u64,
        change: impl FnOnce(&mut Texture) -> Done,
    ) -> Done {
        self.device(thread)?;
        let known = self.driver.textures.get(&handle).filter(|texture| texture.slot == thread.device);
        let mut texture = known.cloned().ok_or(Status::INVALID_HANDLE)?;
        change(&mut texture)?;
        self.bind_reference(thread, &texture)?;
        self.driver.textures.insert(handle, texture);
        Ok(())
    }

    fn bind_reference(&mut self, thread: &Thread, texture: &Texture) -> Done {
        let Some((module, name)) = &texture.place else { return Ok(()) };
        let small = |value: u64| u32::try_from(value).map_err(|_| Status::INVALID_VALUE);
        let (format, count) = texture.channels.format()?;
        let texel = u64::from(format.bytes() * count);
        let (address, shape) = match texture.memory {
            Memory::None => return Ok(()),
            Memory::Array(array) => {
                let array = self.array(thread, array)?;
                if texel != array.element {
                    return Err(Status::INVALID_VALUE);
                }
                (array.ptr.address(), array.shape()?)
            }
            Memory::Linear(address, bytes) => {
                (small(address)?, TextureShape::Linear((bytes / texel).min(MOST_TEXELS) as u32))
            }
            Memory::Pitch(address, width, height, pitch) => {
                let (width, height, pitch) = (small(width)?, small(height)?, small(pitch)?);
                (small(address)?, TextureShape::Pitch { width, height, pitch })
            }
        };
        let sampler = Sampler {
            normalized_read: texture.flags & INTEGER == 0,
            normalized: texture.flags & NORMALIZED != 0,
            filter: texture.filter,
            address: texture.modes,
        };
        let options = sampler.options(shape, format, count)?;
        let bound = self.device(thread)?.gpu.bind_texture(*module, name, DevicePtr::new(address), options);
        Ok(self.told(bound)?)
    }

    /// `cuTexRefSetArray`. The flag `CU_TRSA_OVERRIDE_FORMAT` is required; the format is that of
    /// the array.
    pub fn texture_array(&mut self, thread: &Thread, handle: u64, array: u64, flags: u32) -> Done {
        if flags & !1 != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let channels = self.array(thread, array)?.channels;
        self.change_texture(thread, handle, |texture| {
            texture.channels = channels;
            texture.memory = Memory::Array(array);
            Ok(())
        })
    }

    /// Checks that memory of a reference is device memory, and returns the bytes to its end.
    fn texture_memory(&mut self, thread: &Thread, address: u64) -> Done<u64> {
        let table = self.device(thread)?.gpu.allocations();
        let found = u32::try_from(address).ok().and_then(|at| table.find(at));
        found.map(|range| range.end() - address).ok_or(Status::INVALID_VALUE)
    }

    /// `cuTexRefSetAddress`; the offset is 0. Null removes the memory.
    pub fn texture_address(
        &mut self,
        thread: &Thread,
        out: u64,
        handle: u64,
        address: u64,
        bytes: u64,
    ) -> Done {
        let memory = if address == 0 {
            Memory::None
        } else {
            Memory::Linear(address, bytes.min(self.texture_memory(thread, address)?))
        };
        self.change_texture(thread, handle, |texture| {
            texture.memory = memory;
            Ok(())
        })?;
        if out == 0 { Ok(()) } else { Ok(self.put_word(out, 0)?) }
    }

    /// `cuTexRefSetAddress2D`: `descriptor` points to a `CUDA_ARRAY_DESCRIPTOR`.
    pub fn texture_plane(
        &mut self,
        thread: &Thread,
        handle: u64,
        descriptor: u64,
        address: u64,
        pitch: u64,
    ) -> Done {
        let bytes = self.get(descriptor, 24)?;
        let word = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"));
        let format = word(16);
        let channels = channels(format as u32, (format >> 32) as u32)?;
        self.texture_memory(thread, address)?;
        self.change_texture(thread, handle, |texture| {
            texture.channels = channels;
            texture.memory = Memory::Pitch(address, word(0), word(8), pitch);
            Ok(())
        })
    }

    /// `cuTexRefSetFormat`. An array keeps its format.
    pub fn texture_format(&mut self, thread: &Thread, handle: u64, format: u32, count: i32) -> Done {
        let channels = channels(format, count as u32)?;
        self.change_texture(thread, handle, |texture| {
            if !matches!(texture.memory, Memory::Array(_)) {
                texture.channels = channels;
            }
            Ok(())
        })
    }

    /// `cuTexRefSetAddressMode`.
    pub fn texture_mode(&mut self, thread: &Thread, handle: u64, dimension: i32, mode: i32) -> Done {
        let dimension = usize::try_from(dimension).ok().filter(|dimension| *dimension < 3);
        let dimension = dimension.filter(|_| (0..=3).contains(&mode)).ok_or(Status::INVALID_VALUE)?;
        self.change_texture(thread, handle, |texture| {
            texture.modes[dimension] = mode;
            Ok(())
        })
    }

    /// `cuTexRefSetFilterMode`.
    pub fn texture_filter(&mut self, thread: &Thread, handle: u64, filter: i32) -> Done {
        if !(0..=1).contains(&filter) {
            return Err(Status::INVALID_VALUE);
        }
        self.change_texture(thread, handle, |texture| {
            texture.filter = filter;
            Ok(())
        })
    }

    /// `cuTexRefSetFlags`.
    pub fn texture_flags(&mut self, thread: &Thread, handle: u64, flags: u32) -> Done {
        if flags & SRGB != 0 {
            return Err(Status::NOT_SUPPORTED);
        }
        if flags & !(INTEGER | NORMALIZED) != 0 {
            return Err(Status::INVALID_VALUE);
        }
        self.change_texture(thread, handle, |texture| {
            texture.flags = flags;
            Ok(())
        })
    }

    /// `cuTexRefGet…`: writes a property.
    pub fn texture_property(&mut self, thread: &Thread, out: u64, handle: u64, property: Property) -> Done {
        self.device(thread)?;
        let texture = self.driver.textures.get(&handle).ok_or(Status::INVALID_HANDLE)?;
        let result = match (property, texture.memory) {
            (Property::Address, Memory::Linear(address, _) | Memory::Pitch(address, ..)) => {
                self.put_word(out, address)
            }
            (Property::Array, Memory::Array(array)) => self.put_word(out, array),
            (Property::Address | Property::Array, _) => return Err(Status::INVALID_VALUE),
            (Property::Mode(dimension), _) => {
                let mode = usize::try_from(dimension).ok().and_then(|at| texture.modes.get(at));
                self.put_int(out, *mode.ok_or(Status::INVALID_VALUE)?)
            }
            (Property::Filter, _) => self.put_int(out, texture.filter),
            (Property::Flags, _) => self.put_int(out, texture.flags as i32),
            (Property::Format(count), _) => {
                let (format, components) = format_of(texture.channels);
                self.put_int(out, format as i32)?;
                self.put_int(count, components as i32)
            }
        };
        Ok(result?)
    }

    /// `cuTexObjectCreate` and `cuSurfObjectCreate`: objects come from the runtime API.
    pub fn no_objects(&mut self, thread: &Thread, function: &str) -> Done {
        self.device(thread)?;
        let text = format!("{function} is not supported; use references, or objects of the runtime API");
        Ok(self.refuse(Error::NOT_SUPPORTED, text)?)
    }

    /// `cuSurfRefSetArray`.
    pub fn surface_array(&mut self, thread: &Thread, handle: u64, array: u64, flags: u32) -> Done {
        self.device(thread)?;
        let known = self.driver.surfaces.get(&handle).filter(|surface| surface.slot == thread.device);
        let Surface { module, name, .. } = known.cloned().ok_or(Status::INVALID_HANDLE)?;
        if flags != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let own = self.array(thread, array)?;
        let (format, channels) = own.channels.format()?;
        let options = SurfaceOptions::new(own.shape()?, format, channels);
        let bound = self.device(thread)?.gpu.bind_surface(module, &name, own.ptr, options);
        self.told(bound)?;
        if let Some(surface) = self.driver.surfaces.get_mut(&handle) {
            surface.array = array;
        }
        Ok(())
    }

    /// `cuSurfRefGetArray`.
    pub fn surface_get_array(&mut self, thread: &Thread, out: u64, handle: u64) -> Done {
        self.device(thread)?;
        let array = self.driver.surfaces.get(&handle).map(|surface| surface.array);
        let array = array.ok_or(Status::INVALID_HANDLE)?;
        if array == 0 { Err(Status::INVALID_VALUE) } else { Ok(self.put_word(out, array)?) }
    }
}
