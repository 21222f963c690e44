//! Sequences of calls by the functions of the C ABI: results, and errors of wrong arguments.

use std::ffi::{CStr, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};
use warpsim_cuda::abi::arrays::*;
use warpsim_cuda::abi::copies::*;
use warpsim_cuda::abi::devices::*;
use warpsim_cuda::abi::errors::*;
use warpsim_cuda::abi::launches::*;
use warpsim_cuda::abi::memory::*;
use warpsim_cuda::abi::registration::*;
use warpsim_cuda::abi::streams::*;
use warpsim_cuda::abi::structs::{CDim3, Extent, Pitched};
use warpsim_cuda::runtime::error::Error;

/// One test at a time uses device 0.
static TURN: Mutex<()> = Mutex::new(());

/// A host function that names a kernel.
static SCALE: u8 = 0;
static BAD: u8 = 0;
static MISSING: u8 = 0;
/// Shadows of variables.
static FACTOR: u8 = 0;
static COUNTER: u8 = 0;

const PTX: &CStr = c".version 3.0
.target sm_20
.address_size 64
.const .align 4 .f32 factor = 0f40000000;
.global .align 4 .u32 counter;
.visible .entry scale(.param .u64 p, .param .u32 n)
{
    .reg .pred %q;
    .reg .b32 %r<6>;
    .reg .f32 %f<4>;
    .reg .b64 %d<5>;
    ld.param.u64 %d1, [p];
    ld.param.u32 %r1, [n];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %q, %r5, %r1;
    @%q bra end;
    mul.wide.u32 %d2, %r5, 4;
    add.u64 %d3, %d1, %d2;
    ld.global.f32 %f1, [%d3];
    ld.const.f32 %f2, [factor];
    mul.f32 %f3, %f1, %f2;
    st.global.f32 [%d3], %f3;
    mov.u64 %d4, counter;
    atom.global.add.u32 %r1, [%d4], 1;
end:
    ret;
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

/// Waits for the other tests, registers the device code once, and resets device and error.
fn begin() -> MutexGuard<'static, ()> {
    static ONCE: std::sync::Once = std::sync::Once::new();
    let guard = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    ONCE.call_once(|| {
        let wrapper = Wrapper { magic: 0x4662_43b1, version: 1, data: PTX.as_ptr() as usize, file: 0 };
        let handle = __cudaRegisterFatBinary(at(&wrapper));
        let functions = [(&SCALE, c"scale"), (&MISSING, c"missing")];
        for (function, name) in functions {
            __cudaRegisterFunction(handle, at(function), 0, name.as_ptr() as usize, -1, 0, 0, 0, 0, 0);
        }
        for (variable, name) in [(&FACTOR, c"factor"), (&COUNTER, c"counter")] {
            __cudaRegisterVar(handle, at(variable), 0, name.as_ptr() as usize, 0, 4, 0, 0);
        }
        let nonsense = c"nonsense";
        let wrapper = Wrapper { magic: 0x4662_43b1, version: 1, data: nonsense.as_ptr() as usize, file: 0 };
        let handle = __cudaRegisterFatBinary(at(&wrapper));
        __cudaRegisterFunction(handle, at(&BAD), 0, c"bad".as_ptr() as usize, -1, 0, 0, 0, 0, 0);
        __cudaRegisterFatBinaryEnd(handle);
    });
    assert_eq!(cudaDeviceReset(), 0);
    let _ = cudaGetLastError();
    guard
}

fn dim(x: u32) -> CDim3 {
    CDim3 { x, y: 1, z: 1 }
}

fn malloc(bytes: usize) -> usize {
    let mut ptr = 0_usize;
    assert_eq!(cudaMalloc(out(&mut ptr), bytes), 0);
    ptr
}

/// Launches `scale` on `n` numbers.
fn launch(ptr: usize, n: u32, grid: u32, block: u32) -> c_int {
    let arguments = [at(&ptr), at(&n)];
    cudaLaunchKernel(at(&SCALE), dim(grid), dim(block), at(&arguments), 0, 0)
}

fn floats(ptr: usize, n: usize) -> Vec<f32> {
    let mut data = vec![0_f32; n];
    assert_eq!(cudaMemcpy(data.as_mut_ptr() as usize, ptr, 4 * n, 2), 0);
    data
}

#[test]
fn a_kernel_computes_and_takes_time() {
    let _turn = begin();
    let ptr = malloc(400);
    let data: Vec<f32> = (0..100_u8).map(f32::from).collect();
    assert_eq!(cudaMemcpy(ptr, at(&data[..]), 400, 1), 0);
    let (mut start, mut end, mut ms) = (0_usize, 0_usize, 0_f32);
    assert_eq!((cudaEventCreate(out(&mut start)), cudaEventCreate(out(&mut end))), (0, 0));
    assert_eq!(cudaEventRecord(start, 0), 0);
    assert_eq!(launch(ptr, 100, 4, 32), 0);
    assert_eq!(cudaEventRecord(end, 0), 0);
    assert_eq!((cudaEventQuery(end), cudaEventElapsedTime(out(&mut ms), start, end)), (0, 0));
    assert!(ms > 0.001 && ms < 0.1, "{ms}");
    let expected: Vec<f32> = data.iter().map(|value| 2.0 * value).collect();
    assert_eq!(floats(ptr, 100), expected);
    let factor = 10_f32;
    assert_eq!(cudaMemcpyToSymbol(at(&FACTOR), at(&factor), 4, 0, 1), 0);
    let (grid, block, n) = (dim(1), dim(32), 1_u32);
    assert_eq!(cudaConfigureCall(grid, block, 0, 0), 0);
    assert_eq!(cudaSetupArgument(at(&ptr), 8, 0), 0);
    assert_eq!(cudaSetupArgument(at(&n), 4, 8), 0);
    assert_eq!(cudaLaunch(at(&SCALE)), 0);
    let mut count = 0_u32;
    assert_eq!(cudaMemcpyFromSymbol(out(&mut count), at(&COUNTER), 4, 0, 2), 0);
    assert_eq!((count, floats(ptr, 2)), (101, vec![0.0, 2.0]));
    assert_eq!(__cudaPushCallConfiguration(grid, block, 7, 0), 0);
    let (mut g, mut b, mut shared, mut stream) = (dim(9), dim(9), 0_usize, 9_usize);
    let popped = __cudaPopCallConfiguration(out(&mut g), out(&mut b), out(&mut shared), out(&mut stream));
    assert_eq!((popped, g, b, shared, stream), (0, grid, block, 7, 0));
    assert_eq!(cudaFree(ptr), 0);
    assert_eq!(cudaGetLastError(), 0);
}

#[test]
fn a_symbol_has_an_address_and_a_name() {
    let _turn = begin();
    let (mut ptr, mut bytes) = (0_usize, 0_usize);
    assert_eq!(cudaGetSymbolAddress(out(&mut ptr), at(&COUNTER)), 0);
    assert_eq!(cudaGetSymbolSize(out(&mut bytes), c"counter".as_ptr() as usize), 0);
    assert_eq!(bytes, 4);
    assert_eq!(cudaMemset(ptr, 1, 4), 0);
    let mut count = 0_u32;
    assert_eq!(cudaMemcpyFromSymbol(out(&mut count), c"counter".as_ptr() as usize, 4, 0, 2), 0);
    assert_eq!(count, 0x0101_0101);
    assert_eq!(cudaFree(ptr), Error::INVALID_DEVICE_POINTER.0);
    assert_eq!(cudaGetSymbolAddress(out(&mut ptr), at(&SCALE)), Error::INVALID_SYMBOL.0);
    assert_eq!(cudaMemcpyToSymbol(at(&COUNTER), out(&mut count), 4, 1, 1), Error::INVALID_VALUE.0);
    assert_eq!(cudaMemcpyToSymbol(at(&COUNTER), out(&mut count), 4, usize::MAX, 1), Error::INVALID_VALUE.0);
}

#[test]
fn a_constant_variable_has_an_address_once_it_is_asked_for() {
    let _turn = begin();
    let (mut ptr, mut other) = (0_usize, 0_usize);
    let three = 3_f32;
    assert_eq!(cudaMemcpyToSymbol(at(&FACTOR), at(&three), 4, 0, 1), 0);
    assert_eq!(cudaGetSymbolAddress(8, at(&FACTOR)), Error::INVALID_VALUE.0);
    assert_eq!(cudaGetSymbolAddress(out(&mut ptr), at(&FACTOR)), 0);
    assert_eq!(cudaGetSymbolAddress(out(&mut other), at(&FACTOR)), 0);
    assert_eq!((other, floats(ptr, 1)), (ptr, vec![3.0]), "it has the value of the variable");
    let (data, five) = (malloc(4), 5_f32);
    assert_eq!(cudaMemcpy(ptr, at(&five), 4, 1), 0);
    assert_eq!(cudaMemcpy(data, at(&three), 4, 1), 0);
    assert_eq!((launch(data, 1, 1, 32), floats(data, 1)), (0, vec![15.0]));
    assert_eq!(cudaMemcpyToSymbol(at(&FACTOR), at(&three), 4, 0, 1), 0);
    assert_eq!((launch(data, 1, 1, 32), floats(data, 1)), (0, vec![45.0]));
    let mut back = 0_f32;
    assert_eq!(cudaMemcpyFromSymbol(out(&mut back), at(&FACTOR), 4, 0, 2), 0);
    assert_eq!((back.to_bits(), cudaFree(ptr)), (three.to_bits(), Error::INVALID_DEVICE_POINTER.0));
    assert_eq!(cudaFree(data), 0);
}

#[test]
fn launches_fail_as_cuda_defines() {
    let _turn = begin();
    let ptr = malloc(4);
    assert_eq!(launch(ptr, 1, 1, 2000), Error::INVALID_CONFIGURATION.0);
    assert_eq!(launch(ptr, 1, 0, 32), Error::INVALID_CONFIGURATION.0);
    assert_eq!(cudaPeekAtLastError(), Error::INVALID_CONFIGURATION.0);
    assert_eq!((cudaGetLastError(), cudaGetLastError()), (Error::INVALID_CONFIGURATION.0, 0));
    let unknown = 0_u8;
    for (function, error) in [
        (at(&unknown), Error::INVALID_DEVICE_FUNCTION),
        (0, Error::INVALID_DEVICE_FUNCTION),
        (at(&MISSING), Error::INVALID_DEVICE_FUNCTION),
        (at(&BAD), Error::INVALID_PTX),
    ] {
        assert_eq!(cudaLaunchKernel(function, dim(1), dim(1), 0, 0, 0), error.0);
    }
    assert_eq!(cudaLaunchKernel(at(&SCALE), dim(1), dim(1), 0, 0, 0), Error::INVALID_VALUE.0);
    let arguments = [at(&ptr), 8];
    let wrong = cudaLaunchKernel(at(&SCALE), dim(1), dim(1), at(&arguments), 0, 0);
    assert_eq!(wrong, Error::INVALID_VALUE.0);
    let arguments = [at(&ptr), at(&1_u32)];
    let shared = |bytes| cudaLaunchKernel(at(&SCALE), dim(1), dim(1), at(&arguments), bytes, 0);
    assert_eq!((shared(65536), shared(usize::MAX)), (11, 11));
    let stream = cudaLaunchKernel(at(&SCALE), dim(1), dim(1), at(&arguments), 0, 0x1234);
    assert_eq!(stream, Error::INVALID_HANDLE.0);
    assert_eq!(cudaLaunch(at(&SCALE)), Error::MISSING_CONFIGURATION.0);
    assert_eq!(cudaSetupArgument(at(&ptr), 8, 0), Error::MISSING_CONFIGURATION.0);
    let _ = cudaGetLastError();
}

#[test]
fn an_error_of_a_kernel_stays_until_the_reset() {
    let _turn = begin();
    let ptr = malloc(4);
    assert_eq!(launch(ptr, 1000, 4, 256), 0, "the error is asynchronous");
    let illegal = Error::ILLEGAL_ADDRESS.0;
    assert_eq!(cudaDeviceSynchronize(), illegal);
    assert_eq!((cudaGetLastError(), cudaGetLastError()), (illegal, 0), "it is returned once");
    let mut other = 0_usize;
    assert_eq!(cudaMalloc(out(&mut other), 4), illegal);
    assert_eq!(launch(ptr, 1, 1, 1), illegal);
    assert_eq!(cudaDeviceReset(), 0);
    let _ = cudaGetLastError();
    let data = [1_f32];
    assert_eq!(cudaMemcpy(ptr, at(&data), 4, 1), Error::INVALID_VALUE.0, "the memory is freed");
    let host = Box::new([1_f32]);
    assert_eq!(launch(at(&*host), 1, 1, 1), 0);
    assert_eq!(cudaDeviceSynchronize(), illegal, "a pointer to host memory");
    assert_eq!(cudaDeviceReset(), 0);
}

#[test]
fn memory_calls_refuse_wrong_pointers() {
    let _turn = begin();
    let invalid = Error::INVALID_VALUE.0;
    let ptr = malloc(64);
    let mut data = [0_u8; 64];
    let mut word = 0_usize;
    assert_eq!(cudaMalloc(0, 64), invalid);
    assert_eq!(cudaMalloc(out(&mut word), usize::MAX), Error::MEMORY_ALLOCATION.0);
    assert_eq!((cudaMalloc(out(&mut word), 0), word), (0, 0));
    for (to, from, bytes, kind) in [
        (0, ptr, 4, 2),
        (ptr, 0, 4, 1),
        (ptr, at(&data), 65, 1),
        (ptr, at(&data), usize::MAX, 1),
        (ptr + 60, at(&data), 5, 1),
        (at(&data), at(&data), 4, 1),
        (ptr | 1 << 32, at(&data), 4, 1),
        (usize::MAX, ptr, 64, 2),
        (at(&data), ptr, 4, 0),
        (usize::MAX - 8, at(&data), 4, 0),
    ] {
        assert_eq!(cudaMemcpy(to, from, bytes, kind), invalid, "{to:#x} {from:#x} {bytes} {kind}");
    }
    assert_eq!(cudaMemcpy(ptr, ptr, 4, 9), Error::INVALID_DIRECTION.0);
    assert_eq!(cudaMemset(ptr, 0, 65), invalid);
    assert_eq!(cudaMemset(0, 0, 1), invalid);
    assert_eq!(cudaMemset(at(&data), 0, 1), invalid);
    assert_eq!(cudaMemset(0, 0, 0), 0);
    assert_eq!(cudaMemset(ptr, 5, 64), 0);
    assert_eq!(cudaMemcpy(out(&mut data), ptr, 64, 4), 0, "cudaMemcpyDefault");
    assert_eq!(data, [5; 64]);
    let wrong = Error::INVALID_DEVICE_POINTER.0;
    assert_eq!((cudaFree(ptr + 4), cudaFree(at(&data)), cudaFree(0)), (wrong, wrong, 0));
    assert_eq!((cudaFree(ptr), cudaFree(ptr)), (0, wrong));
    let text = cudaGetErrorString(wrong);
    assert!(!text.is_null());
    let _ = cudaGetLastError();
}

#[test]
fn rows_are_copied_with_their_pitches() {
    let _turn = begin();
    let (mut ptr, mut pitch) = (0_usize, 0_usize);
    assert_eq!(cudaMallocPitch(out(&mut ptr), out(&mut pitch), 10, 3), 0);
    assert_eq!(pitch, 512);
    let data: Vec<u8> = (0..36).collect();
    assert_eq!(cudaMemcpy2D(ptr, pitch, at(&data[..]), 12, 10, 3, 1), 0);
    let mut back = [0_u8; 30];
    assert_eq!(cudaMemcpy2D(out(&mut back), 10, ptr, pitch, 10, 3, 2), 0);
    assert_eq!((back[9], back[10], back[29]), (9, 12, 33));
    assert_eq!(cudaMemcpy2D(ptr, 8, at(&data[..]), 12, 10, 3, 1), Error::INVALID_PITCH.0);
    assert_eq!(cudaMemcpy2D(ptr, pitch, at(&data[..]), 12, 10, usize::MAX, 1), Error::INVALID_VALUE.0);
    assert_eq!(cudaMemset2D(ptr, pitch, 1, 10, 4), Error::INVALID_VALUE.0);
    let mut space = Pitched { ptr: 0, pitch: 0, xsize: 0, ysize: 0 };
    let extent = Extent { width: 8, height: 2, depth: 2 };
    assert_eq!(cudaMalloc3D(out(&mut space), extent), 0);
    assert_eq!((space.pitch, space.xsize, space.ysize), (512, 8, 2));
    assert_eq!(cudaMemset3D(space, 3, extent), 0);
    let mut cube = [0_u8; 32];
    let host = Pitched { ptr: out(&mut cube), pitch: 8, xsize: 8, ysize: 2 };
    // cudaMemcpy3DParms: array, position, pointer of both sides, extent, kind.
    let words = [0, 0, 0, 0, space.ptr, 512, 8, 2, 0, 0, 0, 0, host.ptr, 8, 8, 2, 8, 2, 2, 2];
    assert_eq!(cudaMemcpy3D(at(&words)), 0);
    assert_eq!(cube, [3; 32]);
    assert_eq!(cudaMemcpy3D(0), Error::INVALID_VALUE.0);
    assert_eq!((cudaFree(ptr), cudaFree(space.ptr)), (0, 0));
}

#[test]
fn arrays_keep_their_elements() {
    let _turn = begin();
    let channels = [32, 0, 0, 0, 2];
    let mut array = 0_usize;
    assert_eq!(cudaMallocArray(out(&mut array), at(&channels), 4, 2, 0), 0);
    let data: [f32; 8] = std::array::from_fn(|n| n as f32);
    assert_eq!(cudaMemcpyToArray(array, 0, 0, at(&data), 32, 1), 0);
    let mut part = [0_f32; 2];
    assert_eq!(cudaMemcpy2DFromArray(out(&mut part), 4, array, 8, 0, 4, 2, 2), 0);
    assert_eq!(part.to_vec(), vec![2.0, 6.0]);
    assert_eq!(cudaMemcpy2DFromArray(out(&mut part), 4, array, 16, 0, 4, 2, 2), Error::INVALID_VALUE.0);
    assert_eq!(cudaMemcpyToArray(array, 4, 0, at(&data), 32, 1), Error::INVALID_VALUE.0);
    let mut extent = [0_usize; 3];
    assert_eq!(cudaArrayGetInfo(0, out(&mut extent), 0, array), 0);
    assert_eq!(extent, [4, 2, 0]);
    let wrong = [7, 0, 0, 0, 2];
    let mut other = 0_usize;
    assert_eq!(cudaMallocArray(out(&mut other), at(&wrong), 4, 2, 0), Error::INVALID_CHANNELS.0);
    assert_eq!((cudaFreeArray(array), cudaFreeArray(array)), (0, Error::INVALID_HANDLE.0));
}

#[test]
fn pinned_and_managed_memory_is_shared_with_kernels() {
    let _turn = begin();
    let (mut pinned, mut managed) = (0_usize, 0_usize);
    assert_eq!(cudaMallocHost(out(&mut pinned), 64), 0);
    assert_eq!(cudaMallocManaged(out(&mut managed), 64, 1), 0);
    let ones = [1_f32; 16];
    for ptr in [pinned, managed] {
        assert_eq!(cudaMemset(ptr, 0, 64), 0);
        assert_eq!(cudaMemcpy(ptr, at(&ones), 64, 4), 0);
        assert_eq!(launch(ptr, 16, 1, 16), 0);
        assert_eq!(cudaDeviceSynchronize(), 0);
        let mut data = [0_f32; 16];
        assert_eq!(cudaMemcpy(out(&mut data), ptr, 64, 0), 0);
        assert_eq!(data.to_vec(), vec![2.0; 16]);
    }
    let mut on_device = 0_usize;
    assert_eq!(cudaHostGetDevicePointer(out(&mut on_device), pinned, 0), 0);
    assert_eq!(launch(on_device, 16, 1, 16), 0);
    let mut data = [0_f32; 16];
    assert_eq!(cudaMemcpy(out(&mut data), on_device, 64, 2), 0);
    assert_eq!(data.to_vec(), vec![4.0; 16]);
    assert_eq!(cudaFree(pinned), Error::INVALID_DEVICE_POINTER.0);
    assert_eq!(cudaFreeHost(managed), Error::INVALID_VALUE.0);
    assert_eq!((cudaFreeHost(pinned), cudaFreeHost(pinned)), (0, Error::INVALID_VALUE.0));
    assert_eq!((cudaFree(managed), cudaFree(managed)), (0, Error::INVALID_DEVICE_POINTER.0));
    let mut own = vec![3_f32; 16];
    let address = own.as_mut_ptr() as usize;
    assert_eq!(cudaHostRegister(address, 64, 2), 0);
    assert_eq!(cudaHostRegister(address + 4, 4, 2), Error::ALREADY_REGISTERED.0);
    assert_eq!(cudaHostGetDevicePointer(out(&mut on_device), address, 0), 0);
    assert_eq!(launch(on_device, 16, 1, 16), 0);
    assert_eq!((cudaHostUnregister(address), own), (0, vec![6.0; 16]));
    assert_eq!(cudaHostUnregister(address), Error::NOT_REGISTERED.0);
}

/// A callback, which calls the API.
extern "C" fn called(_: usize, status: c_int, data: usize) {
    assert_eq!((status, cudaStreamQuery(0)), (0, 0), "the API can be called");
    let one = 1_u32;
    assert_eq!(cudaMemcpy(data, at(&one), 4, 0), 0);
}

#[test]
fn streams_overlap_and_dead_handles_are_errors() {
    let _turn = begin();
    let (mut first, mut second) = (0_usize, 0_usize);
    assert_eq!((cudaStreamCreate(out(&mut first)), cudaStreamCreate(out(&mut second))), (0, 0));
    let ptr = malloc(1 << 20);
    let mut host = 0_usize;
    assert_eq!(cudaHostAlloc(out(&mut host), 1 << 20, 0), 0);
    let mut event = 0_usize;
    assert_eq!(cudaEventCreateWithFlags(out(&mut event), 2), 0);
    assert_eq!(cudaMemcpyAsync(ptr, host, 1 << 20, 1, first), 0);
    assert_eq!((cudaEventRecord(event, first), cudaStreamWaitEvent(second, event, 0)), (0, 0));
    assert_eq!(cudaMemcpyAsync(host, ptr, 1 << 20, 2, second), 0);
    assert_eq!((cudaStreamSynchronize(second), cudaStreamQuery(first)), (0, 0));
    let mut ms = 0_f32;
    let handle = Error::INVALID_HANDLE.0;
    assert_eq!(cudaEventElapsedTime(out(&mut ms), event, event), handle, "without timing");
    assert_eq!((cudaStreamDestroy(first), cudaStreamDestroy(first)), (0, handle));
    assert_eq!(cudaMemcpyAsync(ptr, host, 4, 1, first), handle);
    assert_eq!(
        (cudaEventDestroy(event), cudaEventDestroy(event), cudaEventRecord(event, 0)),
        (0, handle, handle)
    );
    let mut seen = 0_u32;
    assert_eq!((cudaStreamAddCallback(second, Some(called), out(&mut seen), 0), seen), (0, 1));
    assert_eq!(cudaStreamAddCallback(second, None, 0, 0), Error::INVALID_VALUE.0);
    assert_eq!(cudaFreeHost(host), 0);
}

#[test]
fn devices_have_the_properties_of_the_chip() {
    let _turn = begin();
    let mut properties = [0_u8; 704];
    assert_eq!(cudaGetDeviceProperties(out(&mut properties), 0), 0);
    assert!(
        properties.starts_with(b"GeForce") || properties.starts_with(b"Tesla"),
        "{:?}",
        &properties[..20]
    );
    let (mut count, mut sms, mut major) = (0, 0, 0);
    assert_eq!((cudaGetDeviceCount(out(&mut count)), count), (0, 1));
    assert_eq!(cudaDeviceGetAttribute(out(&mut sms), 16, 0), 0);
    assert_eq!((cudaDeviceGetAttribute(out(&mut major), 75, 0), major), (0, 2));
    assert!((14..=16).contains(&sms), "{sms}");
    assert_eq!((cudaDeviceGetAttribute(out(&mut sms), 90, 0), sms), (0, 0), "no preemption");
    assert_eq!(cudaDeviceGetAttribute(out(&mut sms), 999, 0), Error::INVALID_VALUE.0);
    assert_eq!(cudaGetDeviceProperties(0, 0), Error::INVALID_VALUE.0);
    assert_eq!((cudaSetDevice(1), cudaSetDevice(-1)), (10, 10));
    let (mut attributes, mut blocks) = ([0_u8; 48], 0);
    assert_eq!(cudaFuncGetAttributes(out(&mut attributes), at(&SCALE)), 0);
    assert_eq!(cudaOccupancyMaxActiveBlocksPerMultiprocessor(out(&mut blocks), at(&SCALE), 256, 0), 0);
    assert_eq!(blocks, 6);
    let (mut free, mut total) = (0_usize, 0_usize);
    assert_eq!(cudaMemGetInfo(out(&mut free), out(&mut total)), 0);
    assert!(free > total / 2 && free < total);
    let mut id = [0_u8; 16];
    assert_eq!(cudaDeviceGetPCIBusId(out(&mut id), 16, 0), 0);
    let mut device = 9;
    assert_eq!((cudaDeviceGetByPCIBusId(out(&mut device), at(&id)), device), (0, 0));
}

#[test]
fn threads_use_the_device_together() {
    let _turn = begin();
    let worker = |number: u8| {
        let ptr = malloc(256);
        for _ in 0..3 {
            let data = [f32::from(number); 64];
            assert_eq!(cudaMemcpy(ptr, at(&data), 256, 1), 0);
            assert_eq!(launch(ptr, 64, 2, 32), 0);
            assert_eq!(floats(ptr, 64), vec![2.0 * f32::from(number); 64]);
        }
        assert_eq!((cudaFree(1), cudaGetLastError()), (17, 17));
        assert_eq!(cudaFree(ptr), 0);
    };
    std::thread::scope(|scope| {
        for number in 0..4 {
            scope.spawn(move || worker(number));
        }
    });
    assert_eq!(cudaGetLastError(), 0, "errors belong to threads");
}
