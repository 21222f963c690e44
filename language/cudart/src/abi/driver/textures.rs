//! Texture references and surface references, and the refused objects.

use super::driver;
use crate::abi::Address;
use crate::runtime::driver::Done;
use crate::runtime::driver::status::Status;
use crate::runtime::driver::textures::Property;
use std::ffi::c_int;

driver! {
    Context cuTexRefCreate(out: Address) |runtime, thread| runtime.texture_create(thread, out as u64);
    Context cuTexRefDestroy(texture: Address) |runtime, thread| runtime.texture_destroy(texture as u64);
    Context cuTexRefSetArray(texture: Address, array: Address, flags: u32) |runtime, thread|
        runtime.texture_array(thread, texture as u64, array as u64, flags);
    Context cuTexRefSetAddress_v2 = cuTexRefSetAddress(out: Address, texture: Address, ptr: u64, bytes: usize)
        |runtime, thread| runtime.texture_address(thread, out as u64, texture as u64, ptr, bytes as u64);
    Context cuTexRefSetAddress2D_v3 = cuTexRefSetAddress2D(texture: Address, descriptor: Address, ptr: u64,
        pitch: usize) |runtime, thread|
            runtime.texture_plane(thread, texture as u64, descriptor as u64, ptr, pitch as u64);
    Context cuTexRefSetAddress2D_v2(texture: Address, descriptor: Address, ptr: u64, pitch: usize)
        |runtime, thread|
            runtime.texture_plane(thread, texture as u64, descriptor as u64, ptr, pitch as u64);
    Context cuTexRefSetFormat(texture: Address, format: c_int, count: c_int) |runtime, thread|
        runtime.texture_format(thread, texture as u64, format as u32, count);
    Context cuTexRefSetAddressMode(texture: Address, dimension: c_int, mode: c_int) |runtime, thread|
        runtime.texture_mode(thread, texture as u64, dimension, mode);
    Context cuTexRefSetFilterMode(texture: Address, filter: c_int) |runtime, thread|
        runtime.texture_filter(thread, texture as u64, filter);
    Context cuTexRefSetFlags(texture: Address, flags: u32) |runtime, thread|
        runtime.texture_flags(thread, texture as u64, flags);
    Context cuTexRefGetAddress_v2 = cuTexRefGetAddress(out: Address, texture: Address) |runtime, thread|
        runtime.texture_property(thread, out as u64, texture as u64, Property::Address);
    Context cuTexRefGetArray(out: Address, texture: Address) |runtime, thread|
        runtime.texture_property(thread, out as u64, texture as u64, Property::Array);
    Context cuTexRefGetAddressMode(out: Address, texture: Address, dimension: c_int) |runtime, thread|
        runtime.texture_property(thread, out as u64, texture as u64, Property::Mode(dimension));
    Context cuTexRefGetFilterMode(out: Address, texture: Address) |runtime, thread|
        runtime.texture_property(thread, out as u64, texture as u64, Property::Filter);
    Context cuTexRefGetFormat(format: Address, count: Address, texture: Address) |runtime, thread|
        runtime.texture_property(thread, format as u64, texture as u64, Property::Format(count as u64));
    Context cuTexRefGetFlags(out: Address, texture: Address) |runtime, thread|
        runtime.texture_property(thread, out as u64, texture as u64, Property::Flags);
    Context cuSurfRefSetArray(surface: Address, array: Address, flags: u32) |runtime, thread|
        runtime.surface_array(thread, surface as u64, array as u64, flags);
    Context cuSurfRefGetArray(out: Address, surface: Address) |runtime, thread|
        runtime.surface_get_array(thread, out as u64, surface as u64);
    Context cuTexObjectCreate(out: Address, resource: Address, texture: Address, view: Address)
        |runtime, thread| runtime.no_objects(thread, "cuTexObjectCreate");
    Context cuTexObjectDestroy(object: u64) |runtime, thread| Done::Err(Status::INVALID_VALUE);
    Context cuSurfObjectCreate(out: Address, resource: Address) |runtime, thread|
        runtime.no_objects(thread, "cuSurfObjectCreate");
    Context cuSurfObjectDestroy(object: u64) |runtime, thread| Done::Err(Status::INVALID_VALUE);
}
