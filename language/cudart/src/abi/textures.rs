//! Texture and surface references and objects.

use super::structs::Descriptor;
use super::{Address, api};
use crate::runtime::error::Error;
use crate::runtime::objects::Description;
use crate::runtime::textures::Binding;
use std::ffi::c_int;

/// Names of the other functions of this file.
pub const OTHERS: &[&str] = &["cudaCreateChannelDesc"];

api! {
    fn cudaBindTexture(offset: Address, reference: Address, ptr: Address, channels: Address, bytes: usize)
        |runtime, thread| runtime.bind_memory(thread, offset as u64, reference as u64, ptr as u64,
            channels as u64, Binding::Linear(bytes as u64));
    fn cudaBindTexture2D(offset: Address, reference: Address, ptr: Address, channels: Address, width: usize,
        height: usize, pitch: usize) |runtime, thread| runtime.bind_memory(thread, offset as u64,
            reference as u64, ptr as u64, channels as u64,
            Binding::Pitch(width as u64, height as u64, pitch as u64));
    fn cudaBindTextureToArray(reference: Address, array: Address, channels: Address) |runtime, thread|
        runtime.bind_array(thread, reference as u64, array as u64, channels as u64);
    fn cudaBindTextureToMipmappedArray(reference: Address, array: Address, channels: Address)
        |runtime, thread| Err(Error::NOT_SUPPORTED);
    fn cudaUnbindTexture(reference: Address) |runtime, thread| runtime.unbind(thread, reference as u64);
    fn cudaGetTextureAlignmentOffset(out: Address, reference: Address) |runtime, thread|
        runtime.texture_offset(thread, out as u64, reference as u64);
    fn cudaGetTextureReference(out: Address, symbol: Address) |runtime, thread|
        runtime.reference_of(thread, out as u64, symbol as u64, false);
    fn cudaGetSurfaceReference(out: Address, symbol: Address) |runtime, thread|
        runtime.reference_of(thread, out as u64, symbol as u64, true);
    fn cudaBindSurfaceToArray(reference: Address, array: Address, channels: Address) |runtime, thread|
        runtime.bind_surface(thread, reference as u64, array as u64, channels as u64);
    fn cudaCreateTextureObject(out: Address, resource: Address, texture: Address, view: Address)
        |runtime, thread| runtime.create_texture(
            thread, out as u64, [resource, texture, view].map(|from| from as u64));
    fn cudaDestroyTextureObject(object: u64) |runtime, thread| runtime.destroy_texture(thread, object);
    fn cudaGetTextureObjectResourceDesc(out: Address, object: u64) |runtime, thread|
        runtime.description(thread, out as u64, object, Description::Resource, false);
    fn cudaGetTextureObjectTextureDesc(out: Address, object: u64) |runtime, thread|
        runtime.description(thread, out as u64, object, Description::Texture, false);
    fn cudaGetTextureObjectResourceViewDesc(out: Address, object: u64) |runtime, thread|
        runtime.description(thread, out as u64, object, Description::View, false);
    fn cudaCreateSurfaceObject(out: Address, resource: Address) |runtime, thread|
        runtime.create_surface(thread, out as u64, resource as u64);
    fn cudaDestroySurfaceObject(object: u64) |runtime, thread| runtime.destroy_surface(thread, object);
    fn cudaGetSurfaceObjectResourceDesc(out: Address, object: u64) |runtime, thread|
        runtime.description(thread, out as u64, object, Description::Resource, true);
}

/// `cudaCreateChannelDesc`
#[cfg_attr(not(target_arch = "wasm32"), unsafe(no_mangle))]
pub extern "C" fn cudaCreateChannelDesc(x: c_int, y: c_int, z: c_int, w: c_int, kind: c_int) -> Descriptor {
    Descriptor { bits: [x, y, z, w], kind }
}
