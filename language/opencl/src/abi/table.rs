//! The dispatch table in the order of the ICD (`cl_icd.h` of the Khronos headers), and the
//! functions that the loader looks for.

#![expect(non_snake_case, reason = "the names of OpenCL")]

use super::{call, with};
use crate::calls::{commands as c, functions as f, images as i};
use crate::status::Status;
use std::ffi::{CStr, c_char, c_int};

/// Number of functions of the table.
const COUNT: usize = 149;

/// The table.
#[repr(C)]
struct Table([*const (); COUNT]);

// SAFETY: the table has addresses of functions and does not change.
unsafe impl Sync for Table {}

/// A function that this library does not have, with any arguments.
extern "C" fn unsupported() -> c_int {
    Status::INVALID_OPERATION.0
}

/// The same of a function that returns an object.
extern "C" fn no_object() -> u64 {
    0
}

macro_rules! table {
    ($($function:expr),* $(,)?) => {
        static TABLE: Table = Table([$($function as *const (),)*]);
    };
}

table! {
    f::clGetPlatformIDs, f::clGetPlatformInfo, f::clGetDeviceIDs, f::clGetDeviceInfo, f::clCreateContext,
    f::clCreateContextFromType, f::clRetainContext, f::clReleaseContext, f::clGetContextInfo,
    f::clCreateCommandQueue, f::clRetainCommandQueue, f::clReleaseCommandQueue, f::clGetCommandQueueInfo,
    f::clSetCommandQueueProperty, f::clCreateBuffer, i::clCreateImage2D, i::clCreateImage3D, f::clRetainMemObject,
    f::clReleaseMemObject, i::clGetSupportedImageFormats, f::clGetMemObjectInfo, i::clGetImageInfo,
    f::clCreateSampler, f::clRetainSampler, f::clReleaseSampler, f::clGetSamplerInfo,
    f::clCreateProgramWithSource, f::clCreateProgramWithBinary, f::clRetainProgram, f::clReleaseProgram,
    f::clBuildProgram, f::clUnloadCompiler, f::clGetProgramInfo, f::clGetProgramBuildInfo,
    f::clCreateKernel, f::clCreateKernelsInProgram, f::clRetainKernel, f::clReleaseKernel,
    f::clSetKernelArg, f::clGetKernelInfo, f::clGetKernelWorkGroupInfo, c::clWaitForEvents,
    f::clGetEventInfo, f::clRetainEvent, f::clReleaseEvent, f::clGetEventProfilingInfo, c::clFlush,
    c::clFinish, c::clEnqueueReadBuffer, c::clEnqueueWriteBuffer, c::clEnqueueCopyBuffer, i::clEnqueueReadImage,
    i::clEnqueueWriteImage, i::clEnqueueCopyImage, i::clEnqueueCopyImageToBuffer,
    i::clEnqueueCopyBufferToImage, c::clEnqueueMapBuffer, i::clEnqueueMapImage,
    c::clEnqueueUnmapMemObject, c::clEnqueueNDRangeKernel, c::clEnqueueTask, unsupported,
    c::clEnqueueMarker, c::clEnqueueWaitForEvents, c::clEnqueueBarrier, clGetExtensionFunctionAddress,
    no_object, no_object, no_object, no_object, unsupported, unsupported, unsupported, unsupported,
    unsupported, unsupported, no_object, no_object, no_object, unsupported, unsupported,
    f::clSetEventCallback, f::clCreateSubBuffer, f::clSetMemObjectDestructorCallback, f::clCreateUserEvent,
    f::clSetUserEventStatus, c::clEnqueueReadBufferRect, c::clEnqueueWriteBufferRect,
    c::clEnqueueCopyBufferRect, unsupported, f::clRetainDevice, f::clReleaseDevice, no_object,
    f::clCreateSubDevices, f::clRetainDevice, f::clReleaseDevice, i::clCreateImage,
    f::clCreateProgramWithBuiltInKernels, unsupported, f::clLinkProgram, f::clUnloadPlatformCompiler, f::clGetKernelArgInfo, c::clEnqueueFillBuffer, i::clEnqueueFillImage,
    c::clEnqueueMigrateMemObjects, c::clEnqueueMarkerWithWaitList, c::clEnqueueBarrierWithWaitList,
    clGetExtensionFunctionAddressForPlatform, no_object, unsupported, no_object, no_object, no_object,
    no_object, unsupported, unsupported, unsupported, unsupported, unsupported, no_object, unsupported,
    unsupported, no_object, no_object, no_object, unsupported, no_object, unsupported, unsupported,
    unsupported, unsupported, unsupported, unsupported, no_object, unsupported, unsupported, unsupported,
    no_object, no_object, unsupported, unsupported, unsupported, unsupported, unsupported, unsupported,
    unsupported, no_object, no_object, unsupported,
}

/// The address of the table, the first word of every object.
pub fn address() -> usize {
    std::ptr::from_ref(&TABLE).addr()
}

/// `clIcdGetPlatformIDsKHR`: the platforms of this library.
#[unsafe(no_mangle)]
pub extern "C" fn clIcdGetPlatformIDsKHR(entries: u32, platforms: u64, count: u64) -> c_int {
    f::clGetPlatformIDs(entries, platforms, count)
}

/// `clGetExtensionFunctionAddress`: the functions of the ICD extension.
#[unsafe(no_mangle)]
pub extern "C" fn clGetExtensionFunctionAddress(name: *const c_char) -> *const () {
    if name.is_null() {
        return std::ptr::null();
    }
    // SAFETY: the caller passes a text that ends with NUL.
    let name = unsafe { CStr::from_ptr(name) };
    match name.to_bytes() {
        b"clIcdGetPlatformIDsKHR" => clIcdGetPlatformIDsKHR as *const (),
        b"clGetPlatformInfo" => f::clGetPlatformInfo as *const (),
        _ => std::ptr::null(),
    }
}

extern "C" fn clGetExtensionFunctionAddressForPlatform(platform: u64, name: *const c_char) -> *const () {
    let known = call(|state| state.check_platform(platform));
    if known == 0 { clGetExtensionFunctionAddress(name) } else { std::ptr::null() }
}

/// `clGetPlatformInfo`, which ICD loaders call by its name.
#[unsafe(no_mangle)]
pub extern "C" fn clGetPlatformInfo(platform: u64, name: u32, size: u64, out: u64, needed: u64) -> c_int {
    let _ = with(|_| Ok(()));
    f::clGetPlatformInfo(platform, name, size, out, needed)
}
