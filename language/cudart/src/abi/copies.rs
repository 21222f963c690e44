//! Copies and fills of memory, and variables of the device.

use super::structs::{Extent, Pitched};
use super::{Address, api};
use crate::runtime::copies::Rows;
use crate::runtime::error::{Error, Outcome};
use crate::runtime::regions::Shape;
use crate::runtime::symbols::SymbolPart;
use std::ffi::c_int;

/// Returns the shape of rows.
fn plane(width: usize, height: usize) -> Shape {
    Shape { width: width as u64, height: height as u64, depth: 1 }
}

/// Returns the part of a variable.
fn part(symbol: Address, offset: usize, count: usize) -> SymbolPart {
    SymbolPart { symbol: symbol as u64, offset: offset as u64, count: count as u64 }
}

/// Returns the rows and the shape of `cudaMemset3D`.
fn box_of(to: Pitched, extent: Extent) -> Outcome<(Rows, Shape)> {
    let [width, height, depth] = extent.sizes();
    let slice = (to.pitch as u64).checked_mul(to.ysize as u64).ok_or(Error::INVALID_VALUE)?;
    let rows = Rows { address: to.ptr as u64, pitch: to.pitch as u64, slice };
    Ok((rows, Shape { width, height, depth }))
}

api! {
    fn cudaMemcpy(to: Address, from: Address, bytes: usize, kind: c_int) |runtime, thread| runtime.copy(
        thread, Rows::line(to as u64), Rows::line(from as u64), Shape::line(bytes as u64), kind, 0);
    fn cudaMemcpyAsync(to: Address, from: Address, bytes: usize, kind: c_int, stream: Address)
        |runtime, thread| runtime.copy(thread, Rows::line(to as u64), Rows::line(from as u64),
            Shape::line(bytes as u64), kind, stream as u64);
    fn cudaMemcpyPeer(to: Address, to_device: c_int, from: Address, from_device: c_int, bytes: usize)
        |runtime, thread| runtime.copy_peer(
            thread, (to as u64, to_device), (from as u64, from_device), bytes as u64, 0);
    fn cudaMemcpyPeerAsync(to: Address, to_device: c_int, from: Address, from_device: c_int, bytes: usize,
        stream: Address) |runtime, thread| runtime.copy_peer(
            thread, (to as u64, to_device), (from as u64, from_device), bytes as u64, stream as u64);
    fn cudaMemcpy2D(to: Address, to_pitch: usize, from: Address, from_pitch: usize, width: usize,
        height: usize, kind: c_int) |runtime, thread| runtime.copy_plane(thread,
            Rows::plane(to as u64, to_pitch as u64), Rows::plane(from as u64, from_pitch as u64),
            plane(width, height), kind, 0);
    fn cudaMemcpy2DAsync(to: Address, to_pitch: usize, from: Address, from_pitch: usize, width: usize,
        height: usize, kind: c_int, stream: Address) |runtime, thread| runtime.copy_plane(thread,
            Rows::plane(to as u64, to_pitch as u64), Rows::plane(from as u64, from_pitch as u64),
            plane(width, height), kind, stream as u64);
    fn cudaMemset(to: Address, value: c_int, bytes: usize) |runtime, thread|
        runtime.fill(thread, Rows::line(to as u64), value as u8, Shape::line(bytes as u64), 0);
    fn cudaMemsetAsync(to: Address, value: c_int, bytes: usize, stream: Address) |runtime, thread|
        runtime.fill(thread, Rows::line(to as u64), value as u8, Shape::line(bytes as u64), stream as u64);
    fn cudaMemset2D(to: Address, pitch: usize, value: c_int, width: usize, height: usize) |runtime, thread|
        runtime.fill(thread, Rows::plane(to as u64, pitch as u64), value as u8, plane(width, height), 0);
    fn cudaMemset2DAsync(to: Address, pitch: usize, value: c_int, width: usize, height: usize,
        stream: Address) |runtime, thread| runtime.fill(thread, Rows::plane(to as u64, pitch as u64),
            value as u8, plane(width, height), stream as u64);
    fn cudaMemset3D(to: Pitched, value: c_int, extent: Extent) |runtime, thread| {
        let (rows, shape) = box_of(to, extent)?;
        runtime.fill(thread, rows, value as u8, shape, 0)
    };
    fn cudaMemset3DAsync(to: Pitched, value: c_int, extent: Extent, stream: Address) |runtime, thread| {
        let (rows, shape) = box_of(to, extent)?;
        runtime.fill(thread, rows, value as u8, shape, stream as u64)
    };
    fn cudaMemcpyToSymbol(symbol: Address, from: Address, bytes: usize, offset: usize, kind: c_int)
        |runtime, thread| runtime.copy_symbol(
            thread, part(symbol, offset, bytes), from as u64, kind, 0, true);
    fn cudaMemcpyFromSymbol(to: Address, symbol: Address, bytes: usize, offset: usize, kind: c_int)
        |runtime, thread| runtime.copy_symbol(
            thread, part(symbol, offset, bytes), to as u64, kind, 0, false);
    fn cudaMemcpyToSymbolAsync(symbol: Address, from: Address, bytes: usize, offset: usize, kind: c_int,
        stream: Address) |runtime, thread| runtime.copy_symbol(
            thread, part(symbol, offset, bytes), from as u64, kind, stream as u64, true);
    fn cudaMemcpyFromSymbolAsync(to: Address, symbol: Address, bytes: usize, offset: usize, kind: c_int,
        stream: Address) |runtime, thread| runtime.copy_symbol(
            thread, part(symbol, offset, bytes), to as u64, kind, stream as u64, false);
    fn cudaGetSymbolAddress(out: Address, symbol: Address) |runtime, thread|
        runtime.symbol_address(thread, out as u64, symbol as u64);
    fn cudaGetSymbolSize(out: Address, symbol: Address) |runtime, thread|
        runtime.symbol_size(thread, out as u64, symbol as u64);
}
