//! Functions that no command queue executes.

#![expect(non_snake_case, reason = "the names of OpenCL")]

use super::{call, create};
use crate::device;
use crate::objects::{Context, Object, Sampler, State};
use crate::status::{Done, Status};
use std::ffi::c_int;

/// Largest text of a program.
const MOST_TEXT: u64 = 1 << 28;

/// Longest name.
const MOST_NAME: u64 = 4096;

pub extern "C" fn clGetPlatformIDs(entries: u32, platforms: u64, count: u64) -> c_int {
    call(|state| {
        if (entries == 0) != (platforms == 0) || platforms == 0 && count == 0 {
            return Err(Status::INVALID_VALUE);
        }
        if platforms != 0 {
            state.runtime.put_word(platforms, state.platform)?;
        }
        if count != 0 {
            state.runtime.put_int(count, 1)?;
        }
        Ok(())
    })
}

pub extern "C" fn clGetPlatformInfo(platform: u64, name: u32, size: usize, out: u64, needed: u64) -> c_int {
    call(|state| {
        if platform != 0 && platform != state.platform {
            return Err(Status::INVALID_PLATFORM);
        }
        state.answer(&device::platform(name)?.bytes(), size as u64, out, needed)
    })
}

/// Whether a type of devices has the GPU.
fn has_device(kind: u64) -> Done<bool> {
    const ALL: u64 = 0xffff_ffff;
    match kind {
        ALL => Ok(true),
        0 => Err(Status::INVALID_DEVICE_TYPE),
        kind if kind & !0x1f != 0 => Err(Status::INVALID_DEVICE_TYPE),
        // The default device is the GPU.
        kind => Ok(kind & (1 | 4) != 0),
    }
}

pub extern "C" fn clGetDeviceIDs(platform: u64, kind: u64, entries: u32, devices: u64, count: u64) -> c_int {
    call(|state| {
        if platform != 0 && platform != state.platform {
            return Err(Status::INVALID_PLATFORM);
        }
        if (entries == 0) != (devices == 0) || devices == 0 && count == 0 {
            return Err(Status::INVALID_VALUE);
        }
        if !has_device(kind)? {
            if count != 0 {
                state.runtime.put_int(count, 0)?;
            }
            return Err(Status::DEVICE_NOT_FOUND);
        }
        if devices != 0 {
            state.runtime.put_word(devices, state.device)?;
        }
        if count != 0 {
            state.runtime.put_int(count, 1)?;
        }
        Ok(())
    })
}

pub extern "C" fn clGetDeviceInfo(handle: u64, name: u32, size: usize, out: u64, needed: u64) -> c_int {
    call(|state| {
        if handle != state.device {
            return Err(Status::INVALID_DEVICE);
        }
        let answer = state.device_info(name)?;
        state.answer(&answer.bytes(), size as u64, out, needed)
    })
}

pub extern "C" fn clRetainDevice(handle: u64) -> c_int {
    call(|state| if handle == state.device { Ok(()) } else { Err(Status::INVALID_DEVICE) })
}

pub extern "C" fn clReleaseDevice(handle: u64) -> c_int {
    clRetainDevice(handle)
}

pub extern "C" fn clCreateSubDevices(handle: u64, _: u64, _: u32, _: u64, _: u64) -> c_int {
    call(|state| {
        if handle != state.device {
            return Err(Status::INVALID_DEVICE);
        }
        Err(Status::INVALID_VALUE)
    })
}

/// Reads the properties of a context.
fn properties(state: &State, address: u64) -> Done<Vec<u64>> {
    let mut list = Vec::new();
    if address == 0 {
        return Ok(list);
    }
    loop {
        let at = address + 8 * list.len() as u64;
        let name = state.words(at, 1)?[0];
        list.push(name);
        if name == 0 {
            return Ok(list);
        }
        let value = state.words(at + 8, 1)?[0];
        list.push(value);
        match name {
            0x1084 if value == state.platform => {}
            0x1084 => return Err(Status::INVALID_PLATFORM),
            _ => return Err(Status::INVALID_PROPERTY),
        }
    }
}

pub extern "C" fn clCreateContext(
    list: u64,
    count: u32,
    devices: u64,
    notify: u64,
    data: u64,
    error: u64,
) -> u64 {
    create(error, |state| {
        let properties = properties(state, list)?;
        if count == 0 || devices == 0 || notify == 0 && data != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let devices = state.words(devices, count.into())?;
        state.check_devices(&devices)?;
        Ok(state.add(Object::Context(Context { properties })))
    })
}

pub extern "C" fn clCreateContextFromType(list: u64, kind: u64, notify: u64, data: u64, error: u64) -> u64 {
    create(error, |state| {
        let properties = properties(state, list)?;
        if notify == 0 && data != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if !has_device(kind)? {
            return Err(Status::DEVICE_NOT_FOUND);
        }
        Ok(state.add(Object::Context(Context { properties })))
    })
}

macro_rules! counted {
    ($($retain:ident, $release:ident, $get:ident;)*) => {
        $(
            pub extern "C" fn $retain(handle: u64) -> c_int {
                call(|state| {
                    state.$get(handle)?;
                    state.retain(handle);
                    Ok(())
                })
            }

            pub extern "C" fn $release(handle: u64) -> c_int {
                call(|state| {
                    state.$get(handle)?;
                    state.release(handle);
                    Ok(())
                })
            }
        )*
    };
}

counted! {
    clRetainContext, clReleaseContext, context;
    clRetainCommandQueue, clReleaseCommandQueue, queue;
    clRetainMemObject, clReleaseMemObject, memory;
    clRetainSampler, clReleaseSampler, sampler;
    clRetainProgram, clReleaseProgram, program;
    clRetainKernel, clReleaseKernel, kernel;
    clRetainEvent, clReleaseEvent, event;
}

macro_rules! queries {
    ($($name:ident, $query:ident;)*) => {
        $(
            pub extern "C" fn $name(handle: u64, name: u32, size: usize, out: u64, needed: u64) -> c_int {
                call(|state| {
                    let answer = state.$query(handle, name)?;
                    state.answer(&answer.bytes(), size as u64, out, needed)
                })
            }
        )*
    };
}

queries! {
    clGetContextInfo, context_info;
    clGetCommandQueueInfo, queue_info;
    clGetMemObjectInfo, memory_info;
    clGetSamplerInfo, sampler_info;
    clGetKernelInfo, kernel_info;
    clGetEventInfo, event_info;
    clGetEventProfilingInfo, profiling_info;
}

/// The property of `clGetProgramInfo` whose value is a list of addresses for the binaries.
const PROGRAM_BINARIES: u32 = 0x1166;

pub extern "C" fn clGetProgramInfo(handle: u64, name: u32, size: usize, out: u64, needed: u64) -> c_int {
    call(|state| {
        if name != PROGRAM_BINARIES {
            let answer = state.program_info(handle, name)?;
            return state.answer(&answer.bytes(), size as u64, out, needed);
        }
        let binary = state.program_binary(handle)?;
        if out != 0 {
            if size < 8 {
                return Err(Status::INVALID_VALUE);
            }
            let to = state.words(out, 1)?[0];
            if to != 0 {
                state.runtime.put(to, &binary)?;
            }
        }
        if needed != 0 {
            state.runtime.put_word(needed, 8)?;
        }
        Ok(())
    })
}

macro_rules! device_queries {
    ($($name:ident, $query:ident;)*) => {
        $(
            pub extern "C" fn $name(
                handle: u64,
                device: u64,
                name: u32,
                size: usize,
                out: u64,
                needed: u64,
            ) -> c_int {
                call(|state| {
                    // Without a device, the only one is meant.
                    if device != 0 && device != state.device {
                        return Err(Status::INVALID_DEVICE);
                    }
                    let answer = state.$query(handle, name)?;
                    state.answer(&answer.bytes(), size as u64, out, needed)
                })
            }
        )*
    };
}

device_queries! {
    clGetProgramBuildInfo, build_info;
    clGetKernelWorkGroupInfo, work_group_info;
}

pub extern "C" fn clCreateCommandQueue(context: u64, device: u64, properties: u64, error: u64) -> u64 {
    create(error, |state| state.create_queue(context, device, properties))
}

pub extern "C" fn clSetCommandQueueProperty(queue: u64, properties: u64, enable: u32, old: u64) -> c_int {
    call(|state| {
        let queue = state.queue_mut(queue)?;
        if properties & !3 != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let before = queue.properties;
        queue.properties = if enable != 0 { before | properties } else { before & !properties };
        if old != 0 {
            state.runtime.put_word(old, before)?;
        }
        Ok(())
    })
}

pub extern "C" fn clCreateBuffer(context: u64, flags: u64, bytes: usize, host: u64, error: u64) -> u64 {
    create(error, |state| state.create_buffer(context, flags, bytes as u64, host))
}

pub extern "C" fn clCreateSubBuffer(parent: u64, flags: u64, kind: u32, region: u64, error: u64) -> u64 {
    create(error, |state| {
        state.memory(parent)?;
        // CL_BUFFER_CREATE_TYPE_REGION
        if kind != 0x1220 || region == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let region = state.words(region, 2)?;
        state.create_sub_buffer(parent, flags, region[0], region[1])
    })
}

pub extern "C" fn clSetMemObjectDestructorCallback(memory: u64, function: u64, data: u64) -> c_int {
    call(|state| state.destructor_callback(memory, function, data))
}

pub extern "C" fn clGetSupportedImageFormats(
    context: u64,
    _flags: u64,
    kind: u32,
    entries: u32,
    formats: u64,
    count: u64,
) -> c_int {
    call(|state| {
        state.context(context)?;
        // Objects of two and three dimensions.
        if !(0x10F1..=0x10F6).contains(&kind) || entries == 0 && formats != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if count != 0 {
            state.runtime.put_int(count, 0)?;
        }
        Ok(())
    })
}

/// Functions that this library does not have, but whose callers read the status behind the other
/// arguments: images, and the programs of 1.2.
macro_rules! refused {
    ($($name:ident($($argument:ident),*);)*) => {
        $(
            pub extern "C" fn $name($($argument: u64,)* error: u64) -> u64 {
                create(error, |_| Err(Status::INVALID_OPERATION))
            }
        )*
    };
}

refused! {
    clCreateImage2D(_a, _b, _c, _d, _e, _f, _g);
    clCreateImage3D(_a, _b, _c, _d, _e, _f, _g, _h, _i);
    clCreateImage(_a, _b, _c, _d, _e);
    clEnqueueMapImage(_a, _b, _c, _d, _e, _f, _g, _h, _i, _j, _k);
    clCreateProgramWithBuiltInKernels(_a, _b, _c, _d);
    clLinkProgram(_a, _b, _c, _d, _e, _f, _g, _h);
}

pub extern "C" fn clCreateSampler(
    context: u64,
    normalized: u32,
    addressing: u32,
    filter: u32,
    error: u64,
) -> u64 {
    create(error, |state| {
        state.context(context)?;
        if !(0x1130..=0x1134).contains(&addressing) || !(0x1140..=0x1141).contains(&filter) {
            return Err(Status::INVALID_VALUE);
        }
        state.retain(context);
        let normalized = normalized != 0;
        Ok(state.add(Object::Sampler(Sampler { context, normalized, addressing, filter })))
    })
}

/// Reads a text of `bytes` bytes, or up to its NUL.
fn text(state: &State, address: u64, bytes: u64) -> Done<String> {
    if address == 0 {
        return Err(Status::INVALID_VALUE);
    }
    if bytes == 0 {
        return Ok(state.runtime.get_text(address, MOST_TEXT)?);
    }
    let bytes = state.runtime.get(address, bytes.min(MOST_TEXT))?;
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

pub extern "C" fn clCreateProgramWithSource(
    context: u64,
    count: u32,
    texts: u64,
    lengths: u64,
    error: u64,
) -> u64 {
    create(error, |state| {
        state.context(context)?;
        if count == 0 || texts == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let addresses = state.words(texts, count.into())?;
        let lengths =
            if lengths == 0 { vec![0; addresses.len()] } else { state.words(lengths, count.into())? };
        let mut source = String::new();
        for (address, length) in addresses.into_iter().zip(lengths) {
            source += &text(state, address, length)?;
        }
        state.create_program(context, Some(source), None)
    })
}

pub extern "C" fn clCreateProgramWithBinary(
    context: u64,
    count: u32,
    devices: u64,
    lengths: u64,
    binaries: u64,
    status: u64,
    error: u64,
) -> u64 {
    create(error, |state| {
        state.context(context)?;
        if count == 0 || devices == 0 || lengths == 0 || binaries == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let devices = state.words(devices, count.into())?;
        state.check_devices(&devices)?;
        let (length, address) = (state.words(lengths, 1)?[0], state.words(binaries, 1)?[0]);
        let known = if length == 0 || address == 0 {
            Err(Status::INVALID_VALUE)
        } else {
            text(state, address, length).and_then(|text| {
                if text.contains(".version") { Ok(text) } else { Err(Status::INVALID_BINARY) }
            })
        };
        if status != 0 {
            state.runtime.put_int(status, known.as_ref().err().map_or(0, |error| error.0))?;
        }
        state.create_program(context, None, Some(known?))
    })
}

pub extern "C" fn clBuildProgram(
    program: u64,
    count: u32,
    devices: u64,
    options: u64,
    notify: u64,
    data: u64,
) -> c_int {
    call(|state| {
        state.program(program)?;
        if (count == 0) != (devices == 0) || notify == 0 && data != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if count > 0 {
            let devices = state.words(devices, count.into())?;
            state.check_devices(&devices)?;
        }
        let options =
            if options == 0 { String::new() } else { state.runtime.get_text(options, MOST_TEXT)? };
        state.build(program, &options, (notify, data))
    })
}

pub extern "C" fn clUnloadCompiler() -> c_int {
    0
}

pub extern "C" fn clUnloadPlatformCompiler(platform: u64) -> c_int {
    call(|state| if platform == state.platform { Ok(()) } else { Err(Status::INVALID_PLATFORM) })
}

pub extern "C" fn clCreateKernel(program: u64, name: u64, error: u64) -> u64 {
    create(error, |state| {
        state.program(program)?;
        if name == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let name = state.runtime.get_text(name, MOST_NAME)?;
        state.create_kernel(program, &name)
    })
}

pub extern "C" fn clCreateKernelsInProgram(program: u64, entries: u32, kernels: u64, count: u64) -> c_int {
    call(|state| {
        let names = state.kernel_names(program)?;
        if kernels != 0 {
            if (entries as usize) < names.len() {
                return Err(Status::INVALID_VALUE);
            }
            for (at, name) in names.iter().enumerate() {
                let kernel = state.create_kernel(program, name)?;
                state.runtime.put_word(kernels + 8 * at as u64, kernel)?;
            }
        }
        if count != 0 {
            state.runtime.put_int(count, names.len() as i32)?;
        }
        Ok(())
    })
}

pub extern "C" fn clSetKernelArg(kernel: u64, index: u32, bytes: usize, value: u64) -> c_int {
    call(|state| state.set_argument(kernel, index, bytes as u64, value))
}

pub extern "C" fn clGetKernelArgInfo(
    kernel: u64,
    index: u32,
    name: u32,
    size: usize,
    out: u64,
    needed: u64,
) -> c_int {
    call(|state| {
        let answer = state.argument_info(kernel, index, name)?;
        state.answer(&answer.bytes(), size as u64, out, needed)
    })
}

pub extern "C" fn clCreateUserEvent(context: u64, error: u64) -> u64 {
    create(error, |state| state.create_user_event(context))
}

pub extern "C" fn clSetUserEventStatus(event: u64, status: c_int) -> c_int {
    call(|state| state.set_user_event(event, status))
}

pub extern "C" fn clSetEventCallback(event: u64, status: c_int, function: u64, data: u64) -> c_int {
    call(|state| state.event_callback(event, status, function, data))
}
