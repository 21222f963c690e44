//! Host programs: sequences of calls by the entries whose arguments are words, on memory that is a
//! list of bytes.

#[path = "host/device.rs"]
mod device;
#[path = "host/images.rs"]
mod images;

use std::sync::{Arc, Mutex, MutexGuard};
use warpsim_cuda::abi::words::Words;
use warpsim_cuda::runtime::Runtime;
use warpsim_cuda::runtime::host::Process;
use warpsim_cuda::runtime::images::Images;
use warpsim_cuda::settings::Settings;
use warpsim_opencl::calls::{Endless, find};
use warpsim_opencl::objects::{Callback, State, numbers};
use warpsim_opencl::status::Status;

/// First address of the memory.
const BASE: u64 = 0x1_0000;

/// Memory of a host program: each allocation is behind the last one.
#[derive(Clone, Default)]
struct Memory(Arc<Mutex<Vec<u8>>>);

impl Memory {
    fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
        self.0.lock().expect("no call panics")
    }

    /// Adds bytes. Returns their address.
    fn add(&self, bytes: &[u8]) -> u64 {
        let mut all = self.bytes();
        let end = all.len().next_multiple_of(16);
        all.resize(end, 0);
        all.extend(bytes);
        BASE + end as u64
    }

    fn inside(all: &[u8], (at, size): (u64, u64)) -> Option<std::ops::Range<usize>> {
        let start = usize::try_from(at.checked_sub(BASE)?).ok()?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        (end <= all.len()).then_some(start..end)
    }
}

impl Process for Memory {
    fn file(&self, path: &str) -> Option<String> {
        match path {
            "kernels/two.h" => Some("#include \"three.h\"\n#define TWO 2\n".to_owned()),
            "kernels/three.h" => Some("#define THREE 3\n".to_owned()),
            _ => None,
        }
    }

    fn read(&self, parts: &[(u64, u64)], out: &mut [u8]) -> bool {
        let all = self.bytes();
        let mut rest = out;
        for part in parts {
            let Some(range) = Self::inside(&all, *part) else { return false };
            let (now, later) = rest.split_at_mut(range.len());
            now.copy_from_slice(&all[range]);
            rest = later;
        }
        rest.is_empty()
    }

    fn write(&self, parts: &[(u64, u64)], bytes: &[u8]) -> bool {
        let mut all = self.bytes();
        let mut rest = bytes;
        for part in parts {
            let Some(range) = Self::inside(&all, *part) else { return false };
            let (now, later) = rest.split_at(range.len());
            all[range].copy_from_slice(now);
            rest = later;
        }
        rest.is_empty()
    }

    fn text(&self, address: u64, most: u64) -> Option<Vec<u8>> {
        let all = self.bytes();
        let text = all.get(Self::inside(&all, (address, 0))?.start..)?;
        let end = text.iter().position(|byte| *byte == 0)?;
        ((end as u64) < most).then(|| text[..end].to_vec())
    }

    fn allocate(&self, _wanted: u64, bytes: u64) -> Option<u64> {
        Some(self.add(&vec![0; usize::try_from(bytes).ok()?]))
    }

    fn release(&self, _address: u64, _bytes: u64) {}
}

/// A host program with a context and a queue.
struct Program {
    state: State,
    memory: Memory,
    context: u64,
    queue: u64,
}

const OUT_OF_ORDER: u64 = 1;
const PROFILING: u64 = 2;

const VADD: &str =
    "__kernel void vadd(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}
__kernel void touch(__global int *p) { p[get_global_id(0)] += 1; }
__kernel void scale(__global int *p, __local int *t)
{
    t[get_local_id(0)] = p[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    p[get_global_id(0)] = 10 * t[get_local_size(0) - 1 - get_local_id(0)];
}
";

impl Program {
    fn on(chip: &str, properties: u64) -> Self {
        let settings = Settings::read(|name| (name == "WARPSIM_CHIP").then(|| chip.to_owned()));
        let memory = Memory::default();
        let settings = settings.expect("the chip exists");
        let runtime = Runtime::new(settings, Box::new(memory.clone()), Images::default());
        let state = State::new(runtime, numbers());
        let mut program = Self { state, memory, context: 0, queue: 0 };
        let out = program.words(&[0]);
        program.good("clGetPlatformIDs", &[1, out, 0]);
        let platform = program.word(out);
        program.good("clGetDeviceIDs", &[platform, 4, 1, out, 0]);
        program.context = program.make("clCreateContext", &[0, 1, out, 0, 0]);
        let device = program.word(out);
        program.queue = program.make("clCreateCommandQueue", &[program.context, device, properties]);
        program
    }

    fn new() -> Self {
        Self::on("fermi", 0)
    }

    fn invoke(&mut self, name: &str, words: &[u64]) -> Result<u64, Endless> {
        let entry = find(name).expect("the function exists");
        Ok(entry(&mut self.state, &mut Words(words))?.value)
    }

    /// Calls a function that returns a status.
    fn call(&mut self, name: &str, words: &[u64]) -> Status {
        Status(self.invoke(name, words).expect("the call returns") as i32)
    }

    fn good(&mut self, name: &str, words: &[u64]) {
        assert_eq!(self.call(name, words), Status::SUCCESS, "{name}");
    }

    /// Calls a function that creates an object.
    fn create(&mut self, name: &str, words: &[u64]) -> Result<u64, Status> {
        let error = self.words(&[77]);
        let handle = self.invoke(name, &[words, &[error]].concat()).expect("the call returns");
        let status = Status(self.word(error) as i32);
        assert_eq!(handle == 0, status != Status::SUCCESS, "{name} returns {handle:#x} and {status:?}");
        if handle == 0 { Err(status) } else { Ok(handle) }
    }

    fn make(&mut self, name: &str, words: &[u64]) -> u64 {
        self.create(name, words).unwrap_or_else(|error| panic!("{name}: {error:?}"))
    }

    fn words(&self, words: &[u64]) -> u64 {
        self.memory.add(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>())
    }

    fn ints(&self, values: &[i32]) -> u64 {
        self.memory.add(&values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<_>>())
    }

    fn text(&self, text: &str) -> u64 {
        self.memory.add(&[text.as_bytes(), &[0]].concat())
    }

    fn word(&self, at: u64) -> u64 {
        let mut bytes = [0; 8];
        assert!(self.memory.read(&[(at, 8)], &mut bytes));
        u64::from_le_bytes(bytes)
    }

    fn ints_at(&self, at: u64, count: usize) -> Vec<i32> {
        let mut bytes = vec![0; 4 * count];
        assert!(self.memory.read(&[(at, bytes.len() as u64)], &mut bytes));
        bytes.chunks(4).map(|word| i32::from_le_bytes(word.try_into().expect("4 bytes"))).collect()
    }

    fn source(&mut self, text: &str) -> u64 {
        let text = self.text(text);
        let list = self.words(&[text]);
        self.make("clCreateProgramWithSource", &[self.context, 1, list, 0])
    }

    fn build(&mut self, text: &str) -> u64 {
        let program = self.source(text);
        self.good("clBuildProgram", &[program, 0, 0, 0, 0, 0]);
        program
    }

    fn kernel(&mut self, program: u64, name: &str) -> u64 {
        let name = self.text(name);
        self.make("clCreateKernel", &[program, name])
    }

    /// A buffer with values.
    fn buffer(&mut self, values: &[i32]) -> u64 {
        let host = self.ints(values);
        self.make("clCreateBuffer", &[self.context, 1 | 32, 4 * values.len() as u64, host])
    }

    fn argument(&mut self, kernel: u64, index: u64, bytes: &[u8]) -> Status {
        let at = self.memory.add(bytes);
        self.call("clSetKernelArg", &[kernel, index, bytes.len() as u64, at])
    }

    /// Launches a kernel. Returns its event.
    fn launch(&mut self, kernel: u64, global: u64, local: u64, waits: &[u64]) -> Result<u64, Status> {
        let (global, event) = (self.words(&[global]), self.words(&[0]));
        let local = if local == 0 { 0 } else { self.words(&[local]) };
        let list = if waits.is_empty() { 0 } else { self.words(waits) };
        let words = [self.queue, kernel, 1, 0, global, local, waits.len() as u64, list, event];
        match self.call("clEnqueueNDRangeKernel", &words) {
            Status::SUCCESS => Ok(self.word(event)),
            error => Err(error),
        }
    }

    /// Reads a buffer, and waits.
    fn read(&mut self, buffer: u64, count: usize) -> Vec<i32> {
        let host = self.ints(&vec![0; count]);
        let words = [self.queue, buffer, 1, 0, 4 * count as u64, host, 0, 0, 0];
        self.good("clEnqueueReadBuffer", &words);
        self.ints_at(host, count)
    }

    /// A number that a query answers.
    fn number(&mut self, function: &str, object: u64, name: u64) -> u64 {
        let out = self.words(&[0]);
        self.good(function, &[object, name, 8, out, 0]);
        self.word(out)
    }

    fn status(&mut self, event: u64) -> i32 {
        self.number("clGetEventInfo", event, 0x11D3) as i32
    }

    fn callbacks(&mut self) -> Vec<Callback> {
        std::mem::take(&mut self.state.callbacks)
    }
}

#[test]
fn a_vector_is_added() {
    for chip in ["g80", "gt200", "fermi"] {
        let mut host = Program::on(chip, PROFILING);
        let n = 1000;
        let floats = |of: fn(usize) -> f32| (0..n).map(|i| of(i).to_bits() as i32).collect::<Vec<_>>();
        let a = host.buffer(&floats(|i| i as f32));
        let b = host.buffer(&floats(|i| 0.5 * i as f32));
        let c = host.buffer(&vec![0; n]);
        let program = host.build(VADD);
        let kernel = host.kernel(program, "vadd");
        for (index, buffer) in [a, b, c].into_iter().enumerate() {
            assert_eq!(host.argument(kernel, index as u64, &buffer.to_le_bytes()), Status::SUCCESS);
        }
        assert_eq!(host.argument(kernel, 3, &(n as i32).to_le_bytes()), Status::SUCCESS);
        let event = host.launch(kernel, 1024, 256, &[]).expect("the launch is valid");
        let sums = host.read(c, n);
        for (i, sum) in sums.into_iter().enumerate() {
            assert_eq!(sum as u32, (1.5 * i as f32).to_bits(), "element {i} on {chip}");
        }
        let times =
            [0x1280, 0x1281, 0x1282, 0x1283].map(|name| host.number("clGetEventProfilingInfo", event, name));
        assert_eq!(host.state.runtime.program.copies, 4, "three buffers and the result");
        assert!(times[0] <= times[1] && times[1] <= times[2] && times[2] < times[3], "{times:?} on {chip}");
    }
}

#[test]
fn events_order_the_commands_of_a_queue_out_of_order() {
    let mut host = Program::on("fermi", OUT_OF_ORDER);
    let program = host.build(VADD);
    let (first, second) = (host.buffer(&[0; 32]), host.buffer(&[0; 32]));
    let kernels = [first, second].map(|buffer| {
        let kernel = host.kernel(program, "touch");
        assert_eq!(host.argument(kernel, 0, &buffer.to_le_bytes()), Status::SUCCESS);
        kernel
    });
    let user = host.make("clCreateUserEvent", &[host.context]);
    let held = host.launch(kernels[0], 32, 32, &[user]).expect("the launch is valid");
    let free = host.launch(kernels[1], 32, 32, &[]).expect("the launch is valid");
    assert_eq!((host.status(held), host.status(free)), (3, 0), "only the first launch waits");
    let out = host.words(&[0]);
    host.good("clEnqueueMarker", &[host.queue, out]);
    let marker = host.word(out);
    host.good("clEnqueueBarrier", &[host.queue]);
    let behind = host.launch(kernels[1], 32, 32, &[]).expect("the launch is valid");
    assert_eq!((host.status(marker), host.status(behind)), (3, 3), "the marker and the barrier wait");
    let endless = host.invoke("clFinish", &[host.queue]).expect_err("no thread sets the event");
    assert!(endless.0.contains("`clFinish`") && endless.0.contains("clSetUserEventStatus"), "{endless:?}");
    host.good("clSetUserEventStatus", &[user, 0]);
    assert_eq!(host.call("clSetUserEventStatus", &[user, 0]), Status::INVALID_OPERATION);
    let list = host.words(&[held, marker, behind]);
    host.good("clWaitForEvents", &[3, list]);
    host.good("clFinish", &[host.queue]);
    assert_eq!((host.read(first, 32), host.read(second, 32)), (vec![1; 32], vec![2; 32]));
}

#[test]
fn a_failed_event_fails_its_followers() {
    let mut host = Program::new();
    let program = host.build(VADD);
    let buffer = host.buffer(&[5; 32]);
    let kernel = host.kernel(program, "touch");
    assert_eq!(host.argument(kernel, 0, &buffer.to_le_bytes()), Status::SUCCESS);
    let user = host.make("clCreateUserEvent", &[host.context]);
    let held = host.launch(kernel, 32, 32, &[user]).expect("the launch is valid");
    host.good("clSetUserEventStatus", &[user, -5_i64 as u64]);
    assert!(host.status(held) < 0);
    let list = host.words(&[held]);
    let status = host.call("clWaitForEvents", &[1, list]);
    assert_eq!(status, Status::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    assert_eq!(host.read(buffer, 32), [5; 32], "the kernel has not run");
}

#[test]
fn sub_buffers_are_parts() {
    let mut host = Program::new();
    let values: Vec<i32> = (0..256).collect();
    let whole = host.buffer(&values);
    let region = host.words(&[256, 128]);
    let part = host.make("clCreateSubBuffer", &[whole, 0, 0x1220, region]);
    let program = host.build(VADD);
    let kernel = host.kernel(program, "touch");
    assert_eq!(host.argument(kernel, 0, &part.to_le_bytes()), Status::SUCCESS);
    host.launch(kernel, 32, 32, &[]).expect("the launch is valid");
    let expected: Vec<i32> = (0..256).map(|i| if (64..96).contains(&i) { i + 1 } else { i }).collect();
    assert_eq!(host.read(whole, 256), expected);
    assert_eq!(host.number("clGetMemObjectInfo", part, 0x1107), whole);
    assert_eq!(host.number("clGetMemObjectInfo", part, 0x1108), 256);
    let wrong = host.words(&[4, 128]);
    let unaligned = host.create("clCreateSubBuffer", &[whole, 0, 0x1220, wrong]);
    assert_eq!(unaligned, Err(Status::MISALIGNED_SUB_BUFFER_OFFSET));
    let outside = host.words(&[768, 512]);
    assert_eq!(host.create("clCreateSubBuffer", &[whole, 0, 0x1220, outside]), Err(Status::INVALID_VALUE));
    assert_eq!(host.create("clCreateSubBuffer", &[part, 0, 0x1220, region]), Err(Status::INVALID_MEM_OBJECT));
}

#[test]
fn rectangles_are_copied() {
    let mut host = Program::new();
    // Eight rows of eight elements; the rectangle has three rows of two elements.
    let matrix = host.buffer(&(0..64).collect::<Vec<_>>());
    let out = host.ints(&[-1; 16]);
    let (origin, host_origin) = (host.words(&[8, 4, 0]), host.words(&[4, 1, 0]));
    let region = host.words(&[8, 3, 1]);
    let words = [host.queue, matrix, 1, origin, host_origin, region, 32, 0, 16, 0, out, 0, 0, 0];
    host.good("clEnqueueReadBufferRect", &words);
    assert_eq!(host.ints_at(out, 16), [-1, -1, -1, -1, -1, 34, 35, -1, -1, 42, 43, -1, -1, 50, 51, -1]);
    let other = host.buffer(&[0; 64]);
    let zero = host.words(&[0, 0, 0]);
    let words = [host.queue, matrix, other, origin, zero, region, 32, 0, 32, 0, 0, 0, 0];
    host.good("clEnqueueCopyBufferRect", &words);
    let copied = host.read(other, 64);
    assert_eq!([&copied[..3], &copied[8..11], &copied[16..19]], [[34, 35, 0], [42, 43, 0], [50, 51, 0]]);
    let words = [host.queue, matrix, matrix, origin, origin, region, 32, 0, 32, 0, 0, 0, 0];
    assert_eq!(host.call("clEnqueueCopyBufferRect", &words), Status::MEM_COPY_OVERLAP);
}

#[test]
fn a_map_is_written_back() {
    let mut host = Program::new();
    let buffer = host.buffer(&(0..64).collect::<Vec<_>>());
    let map = host.make("clEnqueueMapBuffer", &[host.queue, buffer, 1, 3, 16, 32, 0, 0, 0]);
    assert_eq!(host.ints_at(map, 8), (4..12).collect::<Vec<_>>());
    assert_eq!(host.number("clGetMemObjectInfo", buffer, 0x1104), 1, "the number of maps");
    assert!(host.memory.write(&[(map + 4, 4)], &99_i32.to_le_bytes()));
    assert_eq!(
        host.call("clEnqueueUnmapMemObject", &[host.queue, buffer, map + 4, 0, 0, 0]),
        Status::INVALID_VALUE
    );
    host.good("clEnqueueUnmapMemObject", &[host.queue, buffer, map, 0, 0, 0]);
    assert_eq!(host.read(buffer, 8), [0, 1, 2, 3, 4, 99, 6, 7]);
    let own = host.ints(&[7; 16]);
    let used = host.make("clCreateBuffer", &[host.context, 1 | 8, 64, own]);
    let map = host.make("clEnqueueMapBuffer", &[host.queue, used, 1, 1, 8, 8, 0, 0, 0]);
    assert_eq!(map, own + 8, "the memory of the host program is mapped");
}

#[test]
fn the_build_log_names_the_line() {
    let mut host = Program::new();
    let program = host.source("__kernel void f(__global int *p)\n{\n    p[0] = missing;\n}\n");
    let status = host.call("clBuildProgram", &[program, 0, 0, 0, 0, 0]);
    assert_eq!(status, Status::BUILD_PROGRAM_FAILURE);
    let out = host.words(&[0]);
    host.good("clGetProgramBuildInfo", &[program, 0, 0x1181, 4, out, 0]);
    assert_eq!(host.word(out) as u32 as i32, -2, "CL_BUILD_ERROR");
    host.good("clGetProgramBuildInfo", &[program, 0, 0x1183, 0, 0, out]);
    let size = host.word(out);
    let log = host.memory.add(&vec![0; size as usize]);
    host.good("clGetProgramBuildInfo", &[program, 0, 0x1183, size, log, 0]);
    let log = String::from_utf8(host.memory.text(log, size).expect("a text")).expect("UTF-8");
    assert!(log.contains(":3:") && log.contains("missing"), "{log}");
    let options = host.text("-D missing=7 -cl-mad-enable");
    host.good("clBuildProgram", &[program, 0, 0, options, 0, 0]);
    let program = host.source("#include \"two.h\"\n__kernel void f(__global int *p) { p[0] = TWO + THREE; }");
    assert_eq!(host.call("clBuildProgram", &[program, 0, 0, 0, 0, 0]), Status::BUILD_PROGRAM_FAILURE);
    let options = host.text("-I kernels");
    host.good("clBuildProgram", &[program, 0, 0, options, 0, 0]);
    let wrong = host.text("-no-such-option");
    assert_eq!(host.call("clBuildProgram", &[program, 0, 0, wrong, 0, 0]), Status::INVALID_BUILD_OPTIONS);
}

#[test]
fn functions_of_the_program_are_called_later() {
    let mut host = Program::new();
    let program = host.source(VADD);
    host.good("clBuildProgram", &[program, 0, 0, 0, 0x100, 0x200]);
    assert_eq!(host.callbacks(), [Callback::Program(0x100, program, 0x200)]);
    let user = host.make("clCreateUserEvent", &[host.context]);
    host.good("clSetEventCallback", &[user, 0, 0x300, 0x400]);
    assert_eq!(host.callbacks(), []);
    host.good("clSetUserEventStatus", &[user, 0]);
    assert_eq!(host.callbacks(), [Callback::Event(0x300, user, 0, 0x400)]);
    host.good("clSetEventCallback", &[user, 0, 0x300, 0x500]);
    assert_eq!(host.callbacks(), [Callback::Event(0x300, user, 0, 0x500)], "the event is complete");
    let buffer = host.buffer(&[0; 4]);
    host.good("clSetMemObjectDestructorCallback", &[buffer, 0x600, 1]);
    host.good("clSetMemObjectDestructorCallback", &[buffer, 0x700, 2]);
    host.good("clReleaseMemObject", &[buffer]);
    let expected = [Callback::Memory(0x700, buffer, 2), Callback::Memory(0x600, buffer, 1)];
    assert_eq!(host.callbacks(), expected, "the last one first");
}

#[test]
fn objects_live_as_long_as_their_references() {
    let mut host = Program::new();
    let buffer = host.buffer(&[0; 4]);
    let context = host.context;
    assert_eq!(host.number("clGetContextInfo", context, 0x1080) as u32, 3, "the program, queue and buffer");
    host.good("clRetainMemObject", &[buffer]);
    assert_eq!(host.number("clGetMemObjectInfo", buffer, 0x1105) as u32, 2);
    host.good("clReleaseMemObject", &[buffer]);
    host.good("clReleaseMemObject", &[buffer]);
    assert_eq!(host.call("clReleaseMemObject", &[buffer]), Status::INVALID_MEM_OBJECT);
    let program = host.build(VADD);
    let kernel = host.kernel(program, "touch");
    host.good("clReleaseProgram", &[program]);
    let references = host.number("clGetProgramInfo", program, 0x1160) as u32;
    assert_eq!(references, 1, "the kernel has a reference of its program");
    host.good("clReleaseKernel", &[kernel]);
    assert_eq!(host.call("clRetainProgram", &[program]), Status::INVALID_PROGRAM);
    let queue = host.queue;
    host.good("clReleaseContext", &[context]);
    host.good("clReleaseCommandQueue", &[queue]);
    assert_eq!(host.call("clRetainContext", &[context]), Status::INVALID_CONTEXT);
}

#[test]
fn wrong_arguments_have_their_status() {
    let mut host = Program::new();
    let (context, queue) = (host.context, host.queue);
    let program = host.build(VADD);
    let kernel = host.kernel(program, "scale");
    let buffer = host.buffer(&(0..64).collect::<Vec<_>>());
    let out = host.words(&[0, 0]);
    assert_eq!(host.call("clGetPlatformIDs", &[0, 0, 0]), Status::INVALID_VALUE);
    assert_eq!(host.call("clGetPlatformIDs", &[0, out, 0]), Status::INVALID_VALUE);
    assert_eq!(host.call("clGetDeviceIDs", &[1, 4, 1, out, 0]), Status::INVALID_PLATFORM);
    assert_eq!(host.call("clGetDeviceIDs", &[0, 2, 1, out, 0]), Status::DEVICE_NOT_FOUND);
    assert_eq!(host.create("clCreateContext", &[0, 0, out, 0, 0]), Err(Status::INVALID_VALUE));
    assert_eq!(host.create("clCreateContext", &[0, 1, out, 0, 0]), Err(Status::INVALID_DEVICE));
    assert_eq!(host.create("clCreateBuffer", &[context, 1, 0, 0]), Err(Status::INVALID_BUFFER_SIZE));
    assert_eq!(host.create("clCreateBuffer", &[context, 3, 64, 0]), Err(Status::INVALID_VALUE));
    assert_eq!(host.create("clCreateBuffer", &[context, 32, 64, 0]), Err(Status::INVALID_HOST_PTR));
    assert_eq!(host.create("clCreateBuffer", &[queue, 1, 64, 0]), Err(Status::INVALID_CONTEXT));
    let missing = host.text("missing");
    assert_eq!(host.create("clCreateKernel", &[program, missing]), Err(Status::INVALID_KERNEL_NAME));
    let unbuilt = host.source(VADD);
    assert_eq!(host.create("clCreateKernel", &[unbuilt, missing]), Err(Status::INVALID_PROGRAM_EXECUTABLE));
    assert_eq!(host.call("clBuildProgram", &[program, 0, 0, 0, 0, 0]), Status::INVALID_OPERATION);
    // Arguments.
    assert_eq!(host.launch(kernel, 64, 32, &[]), Err(Status::INVALID_KERNEL_ARGS));
    assert_eq!(host.argument(kernel, 2, &[0; 8]), Status::INVALID_ARG_INDEX);
    assert_eq!(host.argument(kernel, 0, &[0; 4]), Status::INVALID_ARG_SIZE);
    assert_eq!(host.argument(kernel, 0, &queue.to_le_bytes()), Status::INVALID_MEM_OBJECT);
    assert_eq!(host.argument(kernel, 1, &[0; 8]), Status::INVALID_ARG_VALUE);
    assert_eq!(host.call("clSetKernelArg", &[kernel, 1, 0, 0]), Status::INVALID_ARG_SIZE);
    assert_eq!(host.argument(kernel, 0, &buffer.to_le_bytes()), Status::SUCCESS);
    host.good("clSetKernelArg", &[kernel, 1, 32 * 4, 0]);
    // Ranges.
    let bytes = 64 << 10;
    host.good("clSetKernelArg", &[kernel, 1, bytes, 0]);
    assert_eq!(host.launch(kernel, 64, 32, &[]), Err(Status::OUT_OF_RESOURCES));
    host.good("clSetKernelArg", &[kernel, 1, 32 * 4, 0]);
    assert_eq!(host.launch(kernel, 64, 24, &[]), Err(Status::INVALID_WORK_GROUP_SIZE));
    assert_eq!(host.launch(kernel, 4096, 2048, &[]), Err(Status::INVALID_WORK_ITEM_SIZE));
    let global = host.words(&[64, 64, 64]);
    let words = |dimensions| [queue, kernel, dimensions, 0, global, 0, 0, 0, 0];
    assert_eq!(host.call("clEnqueueNDRangeKernel", &words(4)), Status::INVALID_WORK_DIMENSION);
    assert_eq!(host.call("clEnqueueNDRangeKernel", &words(0)), Status::INVALID_WORK_DIMENSION);
    let list = host.words(&[kernel]);
    let words = [queue, kernel, 1, 0, global, 0, 1, list, 0];
    assert_eq!(host.call("clEnqueueNDRangeKernel", &words), Status::INVALID_EVENT_WAIT_LIST);
    // Copies.
    let at = host.ints(&[0; 64]);
    assert_eq!(
        host.call("clEnqueueReadBuffer", &[queue, buffer, 1, 8, 256, at, 0, 0, 0]),
        Status::INVALID_VALUE
    );
    assert_eq!(
        host.call("clEnqueueReadBuffer", &[queue, kernel, 1, 0, 4, at, 0, 0, 0]),
        Status::INVALID_MEM_OBJECT
    );
    assert_eq!(
        host.call("clEnqueueWriteBuffer", &[context, buffer, 1, 0, 4, at, 0, 0, 0]),
        Status::INVALID_COMMAND_QUEUE
    );
    assert_eq!(host.call("clWaitForEvents", &[0, 0]), Status::INVALID_VALUE);
    assert_eq!(host.call("clWaitForEvents", &[1, list]), Status::INVALID_EVENT);
    let event = host.launch(kernel, 64, 32, &[]).expect("the launch is valid");
    let info = [event, 0x1280, 8, out, 0];
    assert_eq!(host.call("clGetEventProfilingInfo", &info), Status::PROFILING_INFO_NOT_AVAILABLE);
    let expected: Vec<i32> = (0..64).map(|i| 10 * (i / 32 * 32 + 31 - i % 32)).collect();
    assert_eq!(host.read(buffer, 64), expected);
}

#[test]
fn a_range_can_be_larger_than_a_grid() {
    let text = "__kernel void k(__global int *p, int groups)
{
    int i = get_global_id(0);
    p[i] = (get_num_groups(0) == groups) + 2 * (get_group_id(0) * 2 + get_local_id(0) == i);
}";
    for chip in ["g80", "fermi"] {
        let mut host = Program::on(chip, 0);
        let count = 131_078_u64;
        let buffer = host.buffer(&vec![0; count as usize]);
        let program = host.build(text);
        let kernel = host.kernel(program, "k");
        assert_eq!(host.argument(kernel, 0, &buffer.to_le_bytes()), Status::SUCCESS);
        assert_eq!(host.argument(kernel, 1, &(count as i32 / 2).to_le_bytes()), Status::SUCCESS);
        host.launch(kernel, count, 2, &[]).expect("the launch is valid");
        assert_eq!(host.read(buffer, count as usize), vec![3; count as usize], "{chip}");
    }
}

/// Vectors are aligned to their sizes in all memories, also behind shorter arguments.
#[test]
fn vectors_are_aligned_to_their_sizes() {
    let text = "__kernel void k(__global uint *p, __local char *first, __local int16 *tile, __constant char *c,
            __constant long16 *table, int i) {
        char byte[3]; float16 mine[2]; byte[i] = 1; mine[i] = (float16)(byte[i]); tile[0] = (int16)(i); first[0] = 2;
        p[0] = (uint)tile & 63; p[1] = (uint)table & 127; p[2] = (uint)(mine + i) & 63;
        p[3] = tile[0].sf + first[0] + c[0] + table[0].sf; p[4] = mine[i].sf;
    }";
    let mut host = Program::new();
    let program = host.build(text);
    let kernel = host.kernel(program, "k");
    let (out, short, long) = (host.buffer(&[9; 5]), host.buffer(&[4; 1]), host.buffer(&[8; 32]));
    for (index, buffer) in [(0, out), (3, short), (4, long)] {
        assert_eq!(host.argument(kernel, index, &buffer.to_le_bytes()), Status::SUCCESS);
    }
    host.good("clSetKernelArg", &[kernel, 1, 5, 0]);
    host.good("clSetKernelArg", &[kernel, 2, 64, 0]);
    assert_eq!(host.argument(kernel, 5, &1_i32.to_le_bytes()), Status::SUCCESS);
    host.launch(kernel, 1, 1, &[]).expect("the launch is valid");
    assert_eq!(host.read(out, 5), [0, 0, 0, 1 + 2 + 4 + 8, 1]);
}

/// A work-group that the library chooses keeps the limit of each axis, and functions of a dimension
/// take variables.
#[test]
fn a_chosen_work_group_is_within_the_limits_of_its_axes() {
    let text = "__kernel void k(__global int *p) {
        int sum = 0; for (uint d = 0; d < 4; d++) sum += get_global_id(d) * get_local_size(d);
        p[get_global_id(2)] = sum - (int)(get_global_id(2) * get_local_size(2));
        if (get_local_size(2) > 64) p[0] = -1;
    }";
    for chip in ["g80", "gt200", "fermi"] {
        let mut host = Program::on(chip, 0);
        let program = host.build(text);
        let kernel = host.kernel(program, "k");
        let out = host.buffer(&[7; 1024]);
        assert_eq!(host.argument(kernel, 0, &out.to_le_bytes()), Status::SUCCESS);
        let global = host.words(&[1, 1, 1024]);
        host.good("clEnqueueNDRangeKernel", &[host.queue, kernel, 3, 0, global, 0, 0, 0, 0]);
        assert_eq!(host.read(out, 1024), [0; 1024], "{chip}");
    }
}

#[test]
fn a_kernel_with_many_values_can_be_launched() {
    let text = "__kernel void k(__global float16 *p)
{
    float16 a = p[0], b = p[1], c = p[2], d = p[3], e = p[4];
    barrier(CLK_GLOBAL_MEM_FENCE);
    p[get_global_id(0)] = a * b + c * d + e * (a + b) * (c + d);
}";
    let mut host = Program::new();
    let program = host.build(text);
    let kernel = host.kernel(program, "k");
    let device = host.state.device;
    let out = host.words(&[0]);
    host.good("clGetKernelWorkGroupInfo", &[kernel, device, 0x11B0, 8, out, 0]);
    assert!(host.word(out) >= 256, "at most 63 registers: {} work-items", host.word(out));
    let ones = host.buffer(&vec![1.0_f32.to_bits() as i32; 16 * 64]);
    assert_eq!(host.argument(kernel, 0, &ones.to_le_bytes()), Status::SUCCESS);
    host.launch(kernel, 64, 64, &[]).expect("the launch is valid");
    assert_eq!(host.read(ones, 16), vec![6.0_f32.to_bits() as i32; 16]);
}

/// `CL_KERNEL_LOCAL_MEM_SIZE` has what a launch adds on chips with the parameters in shared memory,
/// so that a host program can use the rest.
#[test]
fn a_kernel_can_use_the_local_memory_that_its_size_leaves() {
    for (chip, added) in [("g80", 16 + 8), ("gt200", 16 + 8), ("fermi", 0)] {
        let mut host = Program::on(chip, 0);
        let program = host.build(VADD);
        let kernel = host.kernel(program, "scale");
        let out = host.words(&[0]);
        let information = [kernel, host.state.device, 0x11B2, 8, out, 0];
        host.good("clGetKernelWorkGroupInfo", &information);
        assert_eq!(host.word(out), added, "{chip}");
        let all = if chip == "fermi" { 49152 } else { 16384 };
        let values = host.buffer(&[1, 2, 3, 4]);
        assert_eq!(host.argument(kernel, 0, &values.to_le_bytes()), Status::SUCCESS);
        host.good("clSetKernelArg", &[kernel, 1, all - added, 0]);
        host.good("clGetKernelWorkGroupInfo", &information);
        assert_eq!(host.word(out), all, "{chip}");
        host.launch(kernel, 4, 4, &[]).expect("the launch fits");
        assert_eq!(host.read(values, 4), [40, 30, 20, 10], "{chip}");
        host.good("clSetKernelArg", &[kernel, 1, all - added + 4, 0]);
        assert!(host.launch(kernel, 4, 4, &[]).is_err(), "{chip}");
    }
}
