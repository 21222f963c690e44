//! Texture objects and surface objects. A handle is a number of the simulated device, which kernels
//! read from parameters and memory.

use super::Runtime;
use super::arrays::Channels;
use super::error::{Error, Outcome};
use super::textures::{Binding, Sampler};
use super::thread::Thread;
use sim_core::host::{DevicePtr, SurfaceOptions, TexelFormat, TextureShape};

/// Bytes of `cudaResourceDesc`, `cudaTextureDesc` and `cudaResourceViewDesc`.
const RESOURCE_BYTES: u64 = 64;
const TEXTURE_BYTES: u64 = 64;
const VIEW_BYTES: u64 = 112;

/// The descriptions of an object, which the program can ask for.
#[derive(Clone, Debug)]
pub struct Descriptions {
    resource: Vec<u8>,
    /// Of a texture: the sampler.
    texture: Vec<u8>,
    /// Of a texture with a view.
    view: Option<Vec<u8>>,
}

/// A description of a texture object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Description {
    /// `cudaResourceDesc`.
    Resource,
    /// `cudaTextureDesc`.
    Texture,
    /// `cudaResourceViewDesc`.
    View,
}

/// The memory of an object.
struct Resource {
    ptr: DevicePtr,
    shape: TextureShape,
    format: TexelFormat,
    channels: u32,
    /// Width, height and depth of an array; `None` for linear memory.
    extent: Option<[u64; 3]>,
}

fn int(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]])
}

fn word(bytes: &[u8], at: usize) -> u64 {
    u64::from(int(bytes, at) as u32) | u64::from(int(bytes, at + 4) as u32) << 32
}

/// Returns the format of a `cudaResourceViewFormat`.
fn view_format(number: i32) -> Option<(TexelFormat, u32)> {
    let formats = [
        TexelFormat::U8,
        TexelFormat::S8,
        TexelFormat::U16,
        TexelFormat::S16,
        TexelFormat::U32,
        TexelFormat::S32,
        TexelFormat::F16,
        TexelFormat::F32,
    ];
    let number = usize::try_from(number).ok()?.checked_sub(1)?;
    Some((*formats.get(number / 3)?, [1, 2, 4][number % 3]))
}

impl Runtime {
    /// Returns the memory that a `cudaResourceDesc` names.
    fn resource(&mut self, thread: &Thread, bytes: &[u8]) -> Outcome<Resource> {
        match int(bytes, 0) {
            0 => {
                let array = self.array(thread, word(bytes, 8))?;
                let (format, channels) = array.channels.format()?;
                let shape = array.shape()?;
                Ok(Resource { ptr: array.ptr, shape, format, channels, extent: Some(array.extent) })
            }
            kind @ (2 | 3) => {
                let (format, channels) = Channels::read(&bytes[16..36]).format()?;
                let texel = u64::from(format.bytes() * channels);
                let binding = match kind {
                    2 => Binding::Linear(word(bytes, 40)),
                    _ => Binding::Pitch(word(bytes, 40), word(bytes, 48), word(bytes, 56)),
                };
                let (ptr, shape) = self.linear(thread, word(bytes, 8), texel, binding)?;
                Ok(Resource { ptr, shape, format, channels, extent: None })
            }
            1 => self.refuse(Error::NOT_SUPPORTED, "mipmapped arrays are not supported"),
            _ => Err(Error::INVALID_VALUE),
        }
    }

    /// Applies a `cudaResourceViewDesc`: another format of the same size for the whole array.
    fn view(&mut self, resource: &mut Resource, bytes: &[u8]) -> Outcome {
        let Some(extent) = resource.extent else { return Err(Error::INVALID_VALUE) };
        if int(bytes, 0) != 0 {
            let Some((format, channels)) = view_format(int(bytes, 0)) else {
                return self.refuse(Error::NOT_SUPPORTED, "compressed formats of a view are not supported");
            };
            if format.bytes() * channels != resource.format.bytes() * resource.channels {
                return Err(Error::INVALID_VALUE);
            }
            (resource.format, resource.channels) = (format, channels);
        }
        let (levels, [first, last]) = (word(bytes, 32), [40, 44].map(|at| u64::from(int(bytes, at) as u32)));
        let whole = first == 0 && (last == 0 || last + 1 == extent[2]);
        if [word(bytes, 8), word(bytes, 16), word(bytes, 24)] != extent || levels != 0 || !whole {
            return self.refuse(Error::NOT_SUPPORTED, "a view of a part of an array is not supported");
        }
        Ok(())
    }

    /// `cudaCreateTextureObject`; `view` may be null.
    pub fn create_texture(
        &mut self,
        thread: &Thread,
        out: u64,
        [resource, texture, view]: [u64; 3],
    ) -> Outcome {
        self.device(thread)?;
        let resource_bytes = self.get(resource, RESOURCE_BYTES)?;
        let bytes = self.get(texture, TEXTURE_BYTES)?;
        let view = if view == 0 { None } else { Some(self.get(view, VIEW_BYTES)?) };
        let mut resource = self.resource(thread, &resource_bytes)?;
        if let Some(view) = &view {
            self.view(&mut resource, view)?;
        }
        let sampler = Sampler {
            address: [0, 4, 8].map(|at| int(&bytes, at)),
            filter: int(&bytes, 12),
            normalized_read: int(&bytes, 16) == 1,
            normalized: int(&bytes, 40) != 0,
        };
        if int(&bytes, 20) != 0 {
            return self.refuse(Error::NOT_SUPPORTED, "textures with sRGB conversion are not supported");
        }
        // 3 is `cudaAddressModeBorder`.
        if sampler.address.contains(&3) && bytes[24..40].iter().any(|byte| *byte != 0) {
            return self.refuse(Error::NOT_SUPPORTED, "borders of a texture with a color are not supported");
        }
        let options = sampler.options(resource.shape, resource.format, resource.channels)?;
        let gpu = &mut self.device(thread)?.gpu;
        let created = gpu.create_texture(resource.ptr, options);
        let handle = self.told(created)?;
        let descriptions = Descriptions { resource: resource_bytes, texture: bytes, view };
        self.objects.insert((thread.device, handle), descriptions);
        self.put_word(out, handle).inspect_err(|_| _ = self.destroy_texture(thread, handle))
    }

    /// `cudaDestroyTextureObject`.
    pub fn destroy_texture(&mut self, thread: &Thread, handle: u64) -> Outcome {
        let gpu = &mut self.device(thread)?.gpu;
        if handle == 0 {
            return Ok(());
        }
        gpu.destroy_texture(handle).map_err(|_| Error::INVALID_VALUE)?;
        self.objects.remove(&(thread.device, handle));
        Ok(())
    }

    /// `cudaCreateSurfaceObject`.
    pub fn create_surface(&mut self, thread: &Thread, out: u64, resource: u64) -> Outcome {
        self.device(thread)?;
        let resource_bytes = self.get(resource, RESOURCE_BYTES)?;
        if int(&resource_bytes, 0) != 0 {
            return Err(Error::INVALID_VALUE);
        }
        let Resource { ptr, shape, format, channels, .. } = self.resource(thread, &resource_bytes)?;
        let gpu = &mut self.device(thread)?.gpu;
        let created = gpu.create_surface(ptr, SurfaceOptions::new(shape, format, channels));
        let handle = self.told(created)?;
        let descriptions = Descriptions { resource: resource_bytes, texture: Vec::new(), view: None };
        self.objects.insert((thread.device, handle), descriptions);
        self.put_word(out, handle).inspect_err(|_| _ = self.destroy_surface(thread, handle))
    }

    /// `cudaDestroySurfaceObject`.
    pub fn destroy_surface(&mut self, thread: &Thread, handle: u64) -> Outcome {
        let gpu = &mut self.device(thread)?.gpu;
        if handle == 0 {
            return Ok(());
        }
        gpu.destroy_surface(handle).map_err(|_| Error::INVALID_VALUE)?;
        self.objects.remove(&(thread.device, handle));
        Ok(())
    }

    /// `cudaGetTextureObjectResourceDesc` and the other functions that return a description;
    /// `surface`: of a surface object.
    pub fn description(
        &mut self,
        thread: &Thread,
        out: u64,
        handle: u64,
        of: Description,
        surface: bool,
    ) -> Outcome {
        self.device(thread)?;
        let known = self.objects.get(&(thread.device, handle)).ok_or(Error::INVALID_VALUE)?;
        if known.texture.is_empty() != surface {
            return Err(Error::INVALID_VALUE);
        }
        let bytes = match of {
            Description::Resource => known.resource.clone(),
            Description::Texture => known.texture.clone(),
            Description::View => known.view.clone().ok_or(Error::INVALID_VALUE)?,
        };
        self.put(out, &bytes)
    }
}
