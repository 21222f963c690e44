//! Texture references and objects by the functions of the C ABI: results of fetches against a
//! computation of the host, and rebinding between launches.

use std::ffi::{CStr, c_int};
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use warpsim_cuda::abi::arrays::*;
use warpsim_cuda::abi::copies::*;
use warpsim_cuda::abi::devices::*;
use warpsim_cuda::abi::launches::*;
use warpsim_cuda::abi::memory::*;
use warpsim_cuda::abi::registration::*;
use warpsim_cuda::abi::structs::{CDim3, Extent};
use warpsim_cuda::abi::textures::*;
use warpsim_cuda::runtime::error::Error;

/// One test at a time uses device 0.
static TURN: Mutex<()> = Mutex::new(());

static LINE: u8 = 0;
static PLANE: u8 = 0;
static BYTES: u8 = 0;
static OBJECT: u8 = 0;

/// Texture references of the program.
type Reference = [AtomicI32; 31];
static LINEAR: Reference = [const { AtomicI32::new(0) }; 31];
static FLOATS: Reference = [const { AtomicI32::new(0) }; 31];
static NORMALIZED: Reference = [const { AtomicI32::new(0) }; 31];

const PTX: &CStr = c".version 3.1
.target sm_20
.address_size 64
.global .texref linear;
.global .texref floats;
.global .texref normalized;
.visible .entry line(.param .u64 out)
{
    .reg .b32 %r<6>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [out];
    mov.u32 %r0, %tid.x;
    sub.s32 %r1, %r0, 4;
    tex.1d.v4.u32.s32 {%r2, %r3, %r4, %r5}, [linear, {%r1}];
    mad.wide.u32 %d2, %r0, 4, %d1;
    st.global.u32 [%d2], %r2;
    exit;
}
.visible .entry plane(.param .u64 out, .param .u64 at)
{
    .reg .b32 %r<5>;
    .reg .f32 %f<2>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    ld.param.u64 %d2, [at];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %d3, %r0, 8, %d2;
    ld.global.v2.f32 {%f0, %f1}, [%d3];
    tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [floats, {%f0, %f1}];
    mad.wide.u32 %d3, %r0, 4, %d1;
    st.global.u32 [%d3], %r1;
    exit;
}
.visible .entry bytes(.param .u64 out, .param .u64 at)
{
    .reg .b32 %r<5>;
    .reg .f32 %f<2>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [out];
    ld.param.u64 %d2, [at];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %d3, %r0, 8, %d2;
    ld.global.v2.f32 {%f0, %f1}, [%d3];
    tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [normalized, {%f0, %f1}];
    mad.wide.u32 %d3, %r0, 4, %d1;
    st.global.u32 [%d3], %r1;
    exit;
}
.visible .entry object(.param .u64 out, .param .u64 at, .param .u64 handle)
{
    .reg .b32 %r<5>;
    .reg .f32 %f<2>;
    .reg .b64 %d<5>;
    ld.param.u64 %d1, [out];
    ld.param.u64 %d2, [at];
    ld.param.u64 %d4, [handle];
    mov.u32 %r0, %tid.x;
    mad.wide.u32 %d3, %r0, 8, %d2;
    ld.global.v2.f32 {%f0, %f1}, [%d3];
    tex.2d.v4.u32.f32 {%r1, %r2, %r3, %r4}, [%d4, {%f0, %f1}];
    mad.wide.u32 %d3, %r0, 4, %d1;
    st.global.u32 [%d3], %r1;
    exit;
}
";

/// The wrapper of the text, as compiled code has it.
#[repr(C)]
struct Wrapper {
    magic: u32,
    version: u32,
    data: usize,
    file: usize,
}

fn at<T: ?Sized>(value: &T) -> usize {
    std::ptr::from_ref(value).cast::<u8>() as usize
}

fn out<T>(value: &mut T) -> usize {
    std::ptr::from_mut(value) as usize
}

/// Waits for the other tests, registers the device code once, and resets the device.
fn begin() -> MutexGuard<'static, ()> {
    static ONCE: std::sync::Once = std::sync::Once::new();
    let guard = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    ONCE.call_once(|| {
        let wrapper = Wrapper { magic: 0x4662_43b1, version: 1, data: PTX.as_ptr() as usize, file: 0 };
        let handle = __cudaRegisterFatBinary(at(&wrapper));
        for (function, name) in
            [(&LINE, c"line"), (&PLANE, c"plane"), (&BYTES, c"bytes"), (&OBJECT, c"object")]
        {
            __cudaRegisterFunction(handle, at(function), 0, name.as_ptr() as usize, -1, 0, 0, 0, 0, 0);
        }
        let textures =
            [(&LINEAR, c"linear", 1, 0), (&FLOATS, c"floats", 2, 0), (&NORMALIZED, c"normalized", 2, 1)];
        for (reference, name, dimensions, normalized) in textures {
            let name = name.as_ptr() as usize;
            __cudaRegisterTexture(handle, at(reference), 0, name, dimensions, normalized, 0);
        }
    });
    assert_eq!(cudaDeviceReset(), 0);
    guard
}

fn dim(x: u32) -> CDim3 {
    CDim3 { x, y: 1, z: 1 }
}

fn upload<T>(data: &[T]) -> usize {
    let (mut ptr, bytes) = (0_usize, size_of_val(data));
    assert_eq!((cudaMalloc(out(&mut ptr), bytes), cudaMemcpy(ptr, at(data), bytes, 1)), (0, 0));
    ptr
}

fn words(ptr: usize, count: usize) -> Vec<u32> {
    let mut data = vec![0_u32; count];
    assert_eq!(cudaMemcpy(out(&mut data[0]), ptr, 4 * count, 2), 0);
    data
}

/// Channels of `f32`, and of `u8`.
const SINGLE: [c_int; 5] = [32, 0, 0, 0, 2];
const BYTE: [c_int; 5] = [8, 0, 0, 0, 1];

/// Sets normalized coordinates, filter and address mode of a reference.
fn set(reference: &Reference, normalized: bool, filter: i32, address: i32) {
    let values = [i32::from(normalized), filter, address, address, address];
    values.iter().zip(reference).for_each(|(value, word)| word.store(*value, Ordering::Relaxed));
}

#[test]
fn linear_memory_is_bound_again_between_launches() {
    let _turn = begin();
    let data: Vec<u32> = (0..64).map(|i| i * 3 + 1).collect();
    let (memory, result) = (upload(&data), upload(&[0_u32; 32]));
    let launch = || {
        assert_eq!(cudaLaunchKernel(at(&LINE), dim(1), dim(32), at(&[at(&result)]), 0, 0), 0);
        words(result, 32)
    };
    let expected = |first: usize, texels: usize| -> Vec<u32> {
        let texel = |x: usize| x.checked_sub(4).filter(|x| *x < texels).map_or(0, |x| data[first + x]);
        (0..32).map(texel).collect()
    };
    let channels = [32, 0, 0, 0, 1];
    let bind = |first: usize, bytes: usize| {
        let mut offset = 99_usize;
        let pointer = memory + 4 * first;
        let error = cudaBindTexture(out(&mut offset), at(&LINEAR), pointer, at(&channels), bytes);
        assert_eq!((error, offset), (0, 0));
    };
    bind(0, 256);
    assert_eq!(launch(), expected(0, 64));
    bind(4, 40);
    assert_eq!(launch(), expected(4, 10), "a pointer into the memory, and a part of it");
    bind(60, usize::MAX);
    assert_eq!(launch(), expected(60, 4), "at most the allocation");
    let mut offset = 99_usize;
    assert_eq!((cudaGetTextureAlignmentOffset(out(&mut offset), at(&LINEAR)), offset), (0, 0));
    assert_eq!(cudaUnbindTexture(at(&LINEAR)), 0);
    let error = cudaGetTextureAlignmentOffset(out(&mut offset), at(&LINEAR));
    assert_eq!(error, Error::INVALID_TEXTURE_BINDING.0);
    assert_eq!(launch(), expected(60, 4), "as on hardware, the texture is still there");
}

#[test]
fn a_fetch_from_a_texture_that_was_never_bound_fails_the_launch() {
    let _turn = begin();
    let result = upload(&[0_u32; 32]);
    assert_eq!(cudaLaunchKernel(at(&LINE), dim(1), dim(32), at(&[at(&result)]), 0, 0), 0);
    assert_eq!(cudaDeviceSynchronize(), Error::LAUNCH_FAILURE.0);
    assert_eq!(cudaDeviceReset(), 0);
}

const WIDTH: i64 = 8;
const HEIGHT: i64 = 4;

/// The texel at a position along a dimension, as the programming guide defines the address modes.
fn inside(mode: i32, at: i64, size: i64, normalized: bool) -> Option<i64> {
    match mode {
        0 if normalized => Some(at.rem_euclid(size)),
        2 if normalized => Some(at.rem_euclid(2 * size).min(2 * size - 1 - at.rem_euclid(2 * size))),
        3 => (0..size).contains(&at).then_some(at),
        _ => Some(at.clamp(0, size - 1)),
    }
}

/// A fetch as the programming guide defines it; `texel` has the values of the texels.
fn fetched(texel: &dyn Fn(i64, i64) -> f64, linear: bool, mode: i32, normalized: bool, c: [f32; 2]) -> f64 {
    let [x, y] = c.map(f64::from);
    let (x, y) = if normalized { (x * WIDTH as f64, y * HEIGHT as f64) } else { (x, y) };
    let value = |i: i64, j: i64| {
        let at = inside(mode, i, WIDTH, normalized).zip(inside(mode, j, HEIGHT, normalized));
        at.map_or(0.0, |(i, j)| texel(i, j))
    };
    if !linear {
        return value(x.floor() as i64, y.floor() as i64);
    }
    let (i, j) = ((x - 0.5).floor() as i64, (y - 0.5).floor() as i64);
    let (a, b) = ((x - 0.5).rem_euclid(1.0), (y - 0.5).rem_euclid(1.0));
    (1.0 - a) * (1.0 - b) * value(i, j)
        + a * (1.0 - b) * value(i + 1, j)
        + (1.0 - a) * b * value(i, j + 1)
        + a * b * value(i + 1, j + 1)
}

/// Positions from -1 to beyond the end, in eighths of a texel: the weights are exact.
fn positions(normalized: bool) -> Vec<[f32; 2]> {
    let scale = if normalized { [WIDTH as f32, HEIGHT as f32] } else { [1.0, 1.0] };
    let at = |i: u32| [(i * 5 % 83) as f32 / 8.0 - 1.0, (i * 3 % 49) as f32 / 8.0 - 1.0];
    (0..256).map(|i| [at(i)[0] / scale[0], at(i)[1] / scale[1]]).collect()
}

/// Compares the fetches of a kernel with the reference, for all filters and address modes. `bind`
/// makes the texture with normalized coordinates, filter and address mode, and returns the handle
/// of an object.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the address of the byte is the kernel's symbol")]
fn compare(kernel: &u8, texel: &dyn Fn(i64, i64) -> f64, bind: &dyn Fn(bool, i32, i32) -> u64) {
    let result = upload(&[0_u32; 256]);
    for (normalized, filter, mode) in
        [false, true].into_iter().flat_map(|n| (0..2).flat_map(move |f| (0..4).map(move |m| (n, f, m))))
    {
        let handle = bind(normalized, filter, mode);
        let places = positions(normalized);
        let coordinates = upload(&places);
        let arguments = [at(&result), at(&coordinates), at(&handle)];
        assert_eq!(cudaLaunchKernel(at(kernel), dim(1), dim(256), at(&arguments), 0, 0), 0);
        for (place, found) in places.iter().zip(words(result, 256)) {
            let expected = fetched(texel, filter == 1, mode, normalized, *place);
            let found = f64::from(f32::from_bits(found));
            assert!(
                (found - expected).abs() < 1e-4,
                "{normalized} {filter} {mode} at {place:?}: {found} {expected}"
            );
        }
        assert_eq!(cudaFree(coordinates), 0);
    }
}

#[test]
fn filters_and_address_modes_agree_with_the_host() {
    let _turn = begin();
    let number = |x: i64, y: i64| (x * x * 3 + y * 7) as f32;
    let floats: Vec<f32> = (0..WIDTH * HEIGHT).map(|i| number(i % WIDTH, i / WIDTH)).collect();
    let texel = |x: i64, y: i64| f64::from(number(x, y));
    // Rows with gaps.
    let mut rows = vec![-1.0_f32; 64 * HEIGHT as usize];
    for (y, row) in floats.chunks(WIDTH as usize).enumerate() {
        rows[64 * y..][..row.len()].copy_from_slice(row);
    }
    let memory = upload(&rows);
    let mut array = 0_usize;
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    assert_eq!(cudaMallocArray(out(&mut array), at(&SINGLE), width, height, 0), 0);
    assert_eq!(cudaMemcpyToArray(array, 0, 0, at(&floats[..]), 4 * floats.len(), 1), 0);
    compare(&PLANE, &texel, &|normalized, filter, mode| {
        set(&FLOATS, normalized, filter, mode);
        assert_eq!(cudaBindTexture2D(0, at(&FLOATS), memory, at(&SINGLE), width, height, 256), 0);
        0
    });
    compare(&PLANE, &texel, &|normalized, filter, mode| {
        set(&FLOATS, normalized, filter, mode);
        assert_eq!(cudaBindTextureToArray(at(&FLOATS), array, at(&SINGLE)), 0);
        0
    });
    let objects = Mutex::new(Vec::new());
    compare(&OBJECT, &texel, &|normalized, filter, mode| {
        let resource = [0, array as u64, 0, 0, 0, 0, 0, 0];
        let mut description = [0_i32; 16];
        description[..4].copy_from_slice(&[mode, mode, mode, filter]);
        description[10] = i32::from(normalized);
        let mut handle = 0_u64;
        assert_eq!(cudaCreateTextureObject(out(&mut handle), at(&resource), at(&description), 0), 0);
        let mut known = ([0_u64; 8], [0_i32; 16]);
        assert_eq!(cudaGetTextureObjectResourceDesc(out(&mut known.0), handle), 0);
        assert_eq!(cudaGetTextureObjectTextureDesc(out(&mut known.1), handle), 0);
        assert_eq!(known, (resource, description));
        let view = cudaGetTextureObjectResourceViewDesc(out(&mut known.0), handle);
        assert_eq!(view, Error::INVALID_VALUE.0, "the object has no view");
        objects.lock().expect("not poisoned").push(handle);
        handle
    });
    for handle in objects.into_inner().expect("not poisoned") {
        assert_eq!(cudaDestroyTextureObject(handle), 0);
        assert_eq!(cudaDestroyTextureObject(handle), Error::INVALID_VALUE.0);
    }
}

#[test]
fn bytes_are_read_as_numbers_from_0_to_1() {
    let _turn = begin();
    let number = |x: i64, y: i64| (x * 30 + y * 11) as u8;
    let bytes: Vec<u8> = (0..WIDTH * HEIGHT).map(|i| number(i % WIDTH, i / WIDTH)).collect();
    let memory = upload(&bytes);
    let (width, height) = (WIDTH as usize, HEIGHT as usize);
    compare(&BYTES, &|x, y| f64::from(number(x, y)) / 255.0, &|normalized, filter, mode| {
        set(&NORMALIZED, normalized, filter, mode);
        assert_eq!(cudaBindTexture2D(0, at(&NORMALIZED), memory, at(&BYTE), width, height, width), 0);
        0
    });
}

#[test]
fn arrays_have_the_shapes_of_their_flags() {
    let _turn = begin();
    let make = |sizes: [usize; 3], flags: u32| {
        let mut array = 0_usize;
        let extent = Extent { width: sizes[0], height: sizes[1], depth: sizes[2] };
        let error = cudaMalloc3DArray(out(&mut array), at(&SINGLE), extent, flags);
        if error == 0 {
            assert_eq!(cudaFreeArray(array), 0);
        }
        error
    };
    for (sizes, flags) in [([8, 0, 3], 1), ([8, 4, 3], 1), ([4, 4, 6], 4), ([4, 4, 12], 5), ([4, 4, 2], 2)] {
        assert_eq!(make(sizes, flags), 0, "{sizes:?} {flags}");
    }
    let wrong =
        [([8, 0, 3], 0), ([4, 5, 6], 4), ([4, 4, 7], 4), ([4, 4, 8], 5), ([8, 4, 0], 1), ([0, 0, 0], 0)];
    for (sizes, flags) in wrong {
        assert_eq!(make(sizes, flags), Error::INVALID_VALUE.0, "{sizes:?} {flags}");
    }
    assert_eq!(make([4, 4, 0], 8), Error::NOT_SUPPORTED.0, "texture gather");
}
