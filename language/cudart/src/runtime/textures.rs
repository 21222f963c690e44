//! Texture references and surface references: the memory that a program binds to them.

use super::LONGEST_NAME;
use super::Runtime;
use super::arrays::Channels;
use super::error::{Error, Outcome};
use super::images::Named;
use super::thread::Thread;
use sim_core::host::{
    AddressMode, DevicePtr, FilterMode, ReadMode, SurfaceOptions, TexelFormat, TextureOptions, TextureShape,
};

/// Bytes of a `textureReference` that the runtime reads.
const REFERENCE_BYTES: u64 = 40;

/// Largest number of texels in linear memory.
pub(super) const MOST_TEXELS: u64 = 1 << 27;

/// A reference with memory.
#[derive(Clone, Copy, Debug)]
pub struct Reference {
    /// Number of the device.
    pub device: usize,
}

/// Shape of the memory of a texture, from the call that binds it.
#[derive(Clone, Copy, Debug)]
pub enum Binding {
    /// `cudaBindTexture`: this many bytes at most.
    Linear(u64),
    /// `cudaBindTexture2D`: width, height, pitch.
    Pitch(u64, u64, u64),
}

impl Runtime {
    /// Returns the texture of a reference, and the properties that the program has given it.
    fn reference(&mut self, address: u64) -> Outcome<(Named, Vec<i32>)> {
        let named = self.images.textures.get(&address).cloned().ok_or(Error::INVALID_TEXTURE)?;
        let bytes = self.get(address, REFERENCE_BYTES)?;
        let ints = bytes.chunks_exact(4).map(|word| i32::from_le_bytes([word[0], word[1], word[2], word[3]]));
        Ok((named, ints.collect()))
    }

    /// `cudaBindTexture` and `cudaBindTexture2D`. `offset` is always 0: texels may begin at each
    /// multiple of their size.
    pub fn bind_memory(
        &mut self,
        thread: &Thread,
        offset: u64,
        reference: u64,
        address: u64,
        channels: u64,
        binding: Binding,
    ) -> Outcome {
        self.device(thread)?;
        let (named, properties) = self.reference(reference)?;
        let (format, count) = Channels::read(&self.get(channels, 20)?).format()?;
        let (ptr, shape) = self.linear(thread, address, u64::from(format.bytes() * count), binding)?;
        let options = Sampler::of_reference(&named, &properties).options(shape, format, count)?;
        self.bind(thread, reference, &named, ptr, options)?;
        if offset == 0 { Ok(()) } else { self.put_word(offset, 0) }
    }

    /// `cudaBindTextureToArray`; `channels` may be null.
    pub fn bind_array(&mut self, thread: &Thread, reference: u64, array: u64, channels: u64) -> Outcome {
        self.device(thread)?;
        let (named, properties) = self.reference(reference)?;
        let array = self.array(thread, array)?;
        let own = if channels == 0 { array.channels } else { Channels::read(&self.get(channels, 20)?) };
        let (format, count) = own.format()?;
        if u64::from(format.bytes() * count) != array.element {
            return Err(Error::INVALID_CHANNELS);
        }
        let sampler = Sampler::of_reference(&named, &properties);
        self.bind(thread, reference, &named, array.ptr, sampler.options(array.shape()?, format, count)?)
    }

    /// Returns the shape of a texture in linear memory.
    ///
    /// # Errors
    ///
    /// The address is not device memory.
    pub(super) fn linear(
        &mut self,
        thread: &Thread,
        address: u64,
        texel: u64,
        binding: Binding,
    ) -> Outcome<(DevicePtr, TextureShape)> {
        let table = self.devices[thread.device].gpu.allocations();
        let small = u32::try_from(address).ok();
        let Some((at, range)) = small.and_then(|at| Some((at, table.find(at)?))) else {
            let text = format!("memory of a texture: {address:#x} is not device memory");
            return self.refuse(Error::INVALID_VALUE, text);
        };
        let left = range.end() - u64::from(at);
        let shape = match binding {
            Binding::Linear(bytes) => {
                let texels = bytes.min(left) / texel;
                TextureShape::Linear(texels.min(MOST_TEXELS) as u32)
            }
            Binding::Pitch(width, height, pitch) => {
                let small = |value: u64| u32::try_from(value).map_err(|_| Error::INVALID_VALUE);
                TextureShape::Pitch { width: small(width)?, height: small(height)?, pitch: small(pitch)? }
            }
        };
        Ok((DevicePtr::new(at), shape))
    }

    fn bind(
        &mut self,
        thread: &Thread,
        reference: u64,
        named: &Named,
        ptr: DevicePtr,
        options: TextureOptions,
    ) -> Outcome {
        let module = self.loaded(thread, named.image)?;
        let gpu = &mut self.device(thread)?.gpu;
        // The compiler has removed a texture that no kernel reads.
        if gpu.module(module).textures.contains(&named.name) {
            let bound = gpu.bind_texture(module, &named.name, ptr, options);
            self.told(bound)?;
        }
        self.references.insert(reference, Reference { device: thread.device });
        Ok(())
    }

    /// `cudaUnbindTexture`. The memory stays bound: a launch that reads it is not an error of CUDA
    /// either.
    pub fn unbind(&mut self, thread: &Thread, reference: u64) -> Outcome {
        self.device(thread)?;
        if !self.images.textures.contains_key(&reference) {
            return Err(Error::INVALID_TEXTURE);
        }
        self.references.remove(&reference);
        Ok(())
    }

    /// `cudaGetTextureAlignmentOffset`: 0.
    pub fn texture_offset(&mut self, thread: &Thread, out: u64, reference: u64) -> Outcome {
        self.device(thread)?;
        if !self.references.contains_key(&reference) {
            return Err(Error::INVALID_TEXTURE_BINDING);
        }
        self.put_word(out, 0)
    }

    /// `cudaGetTextureReference` and `cudaGetSurfaceReference`: `symbol` is the reference, or its
    /// name.
    pub fn reference_of(&mut self, thread: &Thread, out: u64, symbol: u64, surface: bool) -> Outcome {
        self.device(thread)?;
        let error = if surface { Error::INVALID_SURFACE } else { Error::INVALID_TEXTURE };
        let known = if surface { &self.images.surfaces } else { &self.images.textures };
        if known.contains_key(&symbol) {
            return self.put_word(out, symbol);
        }
        let name = self.get_text(symbol, LONGEST_NAME).map_err(|_| error)?;
        let found = known.iter().find(|(_, named)| named.name == name).map(|(address, _)| *address);
        self.put_word(out, found.ok_or(error)?)
    }

    /// `cudaBindSurfaceToArray`; `channels` may be null.
    pub fn bind_surface(&mut self, thread: &Thread, reference: u64, array: u64, channels: u64) -> Outcome {
        self.device(thread)?;
        let named = self.images.surfaces.get(&reference).cloned().ok_or(Error::INVALID_SURFACE)?;
        let array = self.array(thread, array)?;
        let own = if channels == 0 { array.channels } else { Channels::read(&self.get(channels, 20)?) };
        let (format, channels) = own.format()?;
        let options = SurfaceOptions::new(array.shape()?, format, channels);
        let module = self.loaded(thread, named.image)?;
        let gpu = &mut self.device(thread)?.gpu;
        if !gpu.module(module).surfaces.contains(&named.name) {
            return Ok(());
        }
        let bound = gpu.bind_surface(module, &named.name, array.ptr, options);
        self.told(bound)
    }
}

/// How fetches read a texture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sampler {
    /// Whether integers are read as normalized numbers.
    pub normalized_read: bool,
    /// Whether coordinates are from 0 to 1.
    pub normalized: bool,
    /// `cudaTextureFilterMode`.
    pub filter: i32,
    /// `cudaTextureAddressMode` of each dimension.
    pub address: [i32; 3],
}

impl Sampler {
    /// Returns the properties of a reference: normalized, filter, three address modes.
    fn of_reference(named: &Named, properties: &[i32]) -> Self {
        Self {
            normalized_read: named.normalized,
            normalized: properties[0] != 0,
            filter: properties[1],
            address: [properties[2], properties[3], properties[4]],
        }
    }

    /// Returns the properties of a texture.
    pub(super) fn options(
        self,
        shape: TextureShape,
        format: TexelFormat,
        channels: u32,
    ) -> Outcome<TextureOptions> {
        let mut options = TextureOptions::new(shape, format, channels);
        if self.normalized_read && format.can_be_normalized() {
            options.read = ReadMode::Normalized;
        }
        // Linear memory has neither filter nor normalized coordinates: CUDA ignores them.
        if !matches!(shape, TextureShape::Linear(_)) {
            options.normalized = self.normalized;
            options.filter = if self.filter == 1 { FilterMode::Linear } else { FilterMode::Point };
        }
        for (mode, number) in options.address.iter_mut().zip(self.address) {
            *mode = match number {
                0 => AddressMode::Wrap,
                1 => AddressMode::Clamp,
                2 => AddressMode::Mirror,
                3 => AddressMode::Border,
                _ => return Err(Error::INVALID_VALUE),
            };
        }
        Ok(options)
    }
}
