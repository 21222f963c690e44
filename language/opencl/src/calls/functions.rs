//! Functions that no command queue executes.

#![cfg_attr(not(target_arch = "wasm32"), expect(non_snake_case, reason = "the names of OpenCL"))]

use super::api;
use crate::device::{self, Answer};
use crate::objects::{Context, Object, State};
use crate::status::{Done, Status};

/// Largest text of a program.
const MOST_TEXT: u64 = 1 << 28;

/// Longest name.
const MOST_NAME: u64 = 4096;

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

/// The property of `clGetProgramInfo` whose value is a list of addresses for the binaries.
const PROGRAM_BINARIES: u32 = 0x1166;

/// Answers a query about a program or kernel on a device; without one, the only device is meant.
fn answer_of_device(
    state: &mut State,
    device: u64,
    query: impl FnOnce(&mut State) -> Done<Answer>,
    (size, out, needed): (u64, u64, u64),
) -> Done {
    if device != 0 && device != state.device {
        return Err(Status::INVALID_DEVICE);
    }
    let answer = query(state)?;
    state.answer(&answer.bytes(), size, out, needed)
}

/// The result of functions that this library does not have, but whose callers read the status
/// behind the other arguments: the programs of 1.2.
const REFUSED: Done<u64> = Err(Status::INVALID_OPERATION);

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

api! {
    fn clGetPlatformIDs(entries: u32, platforms: u64, count: u64) |state| {
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
    };

    fn clGetPlatformInfo(platform: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        // Without a platform, the only one is meant.
        if platform != 0 {
            state.check_platform(platform)?;
        }
        state.answer(&device::platform(name)?.bytes(), size, out, needed)
    };

    fn clGetDeviceIDs(platform: u64, kind: u64, entries: u32, devices: u64, count: u64) |state| {
        // Without a platform, the only one is meant.
        if platform != 0 {
            state.check_platform(platform)?;
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
    };

    fn clGetDeviceInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        state.check_device(handle)?;
        let answer = state.device_info(name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clRetainDevice(handle: u64) |state| state.check_device(handle);

    fn clReleaseDevice(handle: u64) |state| state.check_device(handle);

    fn clCreateSubDevices(handle: u64, _properties: u64, _entries: u32, _devices: u64, _count: u64) |state| {
        state.check_device(handle)?;
        Err::<(), _>(Status::INVALID_VALUE)
    };

    fn clCreateContext(
        list: u64, count: u32, devices: u64, notify: u64, data: u64; error
    ) |state| {
        let properties = properties(state, list)?;
        if count == 0 || devices == 0 || notify == 0 && data != 0 {
            return Err(Status::INVALID_VALUE);
        }
        let devices = state.words(devices, count.into())?;
        state.check_devices(&devices)?;
        Ok(state.add(Object::Context(Context { properties })))
    };

    fn clCreateContextFromType(list: u64, kind: u64, notify: u64, data: u64; error) |state| {
        let properties = properties(state, list)?;
        if notify == 0 && data != 0 {
            return Err(Status::INVALID_VALUE);
        }
        if !has_device(kind)? {
            return Err(Status::DEVICE_NOT_FOUND);
        }
        Ok(state.add(Object::Context(Context { properties })))
    };

    fn clRetainContext(handle: u64) |state| {
        state.context(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseContext(handle: u64) |state| {
        state.context(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clRetainCommandQueue(handle: u64) |state| {
        state.queue(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseCommandQueue(handle: u64) |state| {
        state.queue(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clRetainMemObject(handle: u64) |state| {
        state.memory(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseMemObject(handle: u64) |state| {
        state.memory(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clRetainSampler(handle: u64) |state| {
        state.sampler(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseSampler(handle: u64) |state| {
        state.sampler(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clRetainProgram(handle: u64) |state| {
        state.program(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseProgram(handle: u64) |state| {
        state.program(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clRetainKernel(handle: u64) |state| {
        state.kernel(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseKernel(handle: u64) |state| {
        state.kernel(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clRetainEvent(handle: u64) |state| {
        state.event(handle)?;
        state.retain(handle);
        Ok(())
    };

    fn clReleaseEvent(handle: u64) |state| {
        state.event(handle)?;
        state.release(handle);
        Ok(())
    };

    fn clGetContextInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.context_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetCommandQueueInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.queue_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetMemObjectInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.memory_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetSamplerInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.sampler_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetKernelInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.kernel_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetEventInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.event_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetEventProfilingInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        let answer = state.profiling_info(handle, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clGetProgramBuildInfo(
        handle: u64, device: u64, name: u32, size: u64, out: u64, needed: u64
    ) |state| {
        answer_of_device(state, device, |state| state.build_info(handle, name), (size, out, needed))
    };

    fn clGetKernelWorkGroupInfo(
        handle: u64, device: u64, name: u32, size: u64, out: u64, needed: u64
    ) |state| {
        answer_of_device(state, device, |state| state.work_group_info(handle, name), (size, out, needed))
    };

    fn clCreateProgramWithBuiltInKernels(_a: u64, _b: u64, _c: u64, _d: u64; error) |_state| REFUSED;

    fn clLinkProgram(
        _a: u64, _b: u64, _c: u64, _d: u64, _e: u64, _f: u64, _g: u64, _h: u64;
        error
    ) |_state| REFUSED;

    fn clGetProgramInfo(handle: u64, name: u32, size: u64, out: u64, needed: u64) |state| {
        if name != PROGRAM_BINARIES {
            let answer = state.program_info(handle, name)?;
            return state.answer(&answer.bytes(), size, out, needed);
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
    };

    fn clCreateCommandQueue(context: u64, device: u64, properties: u64; error) |state| {
        state.create_queue(context, device, properties)
    };

    fn clSetCommandQueueProperty(queue: u64, properties: u64, enable: u32, old: u64) |state| {
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
    };

    fn clCreateBuffer(context: u64, flags: u64, bytes: u64, host: u64; error) |state| {
        state.create_buffer(context, flags, bytes, host)
    };

    fn clCreateSubBuffer(parent: u64, flags: u64, kind: u32, region: u64; error) |state| {
        state.memory(parent)?;
        // CL_BUFFER_CREATE_TYPE_REGION
        if kind != 0x1220 || region == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let region = state.words(region, 2)?;
        state.create_sub_buffer(parent, flags, region[0], region[1])
    };

    fn clSetMemObjectDestructorCallback(memory: u64, function: u64, data: u64) |state| {
        state.destructor_callback(memory, function, data)
    };

    fn clCreateSampler(context: u64, normalized: u32, addressing: u32, filter: u32; error) |state| {
        state.create_sampler(context, normalized, addressing, filter)
    };

    fn clCreateProgramWithSource(
        context: u64, count: u32, texts: u64, lengths: u64; error
    ) |state| {
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
    };

    fn clCreateProgramWithBinary(
        context: u64, count: u32, devices: u64, lengths: u64, binaries: u64, status: u64; error
    ) |state| {
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
    };

    fn clBuildProgram(
        program: u64, count: u32, devices: u64, options: u64, notify: u64, data: u64
    ) |state| {
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
    };

    fn clUnloadCompiler() |_state| Ok(());

    fn clUnloadPlatformCompiler(platform: u64) |state| state.check_platform(platform);

    fn clCreateKernel(program: u64, name: u64; error) |state| {
        state.program(program)?;
        if name == 0 {
            return Err(Status::INVALID_VALUE);
        }
        let name = state.runtime.get_text(name, MOST_NAME)?;
        state.create_kernel(program, &name)
    };

    fn clCreateKernelsInProgram(program: u64, entries: u32, kernels: u64, count: u64) |state| {
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
    };

    fn clSetKernelArg(kernel: u64, index: u32, bytes: u64, value: u64) |state| {
        state.set_argument(kernel, index, bytes, value)
    };

    fn clGetKernelArgInfo(
        kernel: u64, index: u32, name: u32, size: u64, out: u64, needed: u64
    ) |state| {
        let answer = state.argument_info(kernel, index, name)?;
        state.answer(&answer.bytes(), size, out, needed)
    };

    fn clCreateUserEvent(context: u64; error) |state| state.create_user_event(context);

    fn clSetUserEventStatus(event: u64, status: i32) |state| state.set_user_event(event, status);

    fn clSetEventCallback(event: u64, status: i32, function: u64, data: u64) |state| {
        state.event_callback(event, status, function, data)
    };
}
