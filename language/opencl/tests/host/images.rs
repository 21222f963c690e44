//! Images and samplers: creation, queries, transfers, and kernels that use them.

use super::{Program, VADD};
use warpsim_opencl::status::Status;

const READ_WRITE: u64 = 1;
const WRITE_ONLY: u64 = 2;
const READ_ONLY: u64 = 4;
const USE_HOST_PTR: u64 = 8;
const COPY_HOST_PTR: u64 = 32;

const RGBA: u64 = 0x10B5;
const R: u64 = 0x10B0;
const UNORM_INT8: u64 = 0x10D2;
const UNSIGNED_INT8: u64 = 0x10DA;
const FLOAT: u64 = 0x10DE;

const CLAMP_TO_EDGE: u64 = 0x1131;
const REPEAT: u64 = 0x1133;
const NEAREST: u64 = 0x1140;

impl Program {
    fn format(&self, order: u64, kind: u64) -> u64 {
        self.words(&[order | kind << 32])
    }

    fn bytes(&self, bytes: &[u8]) -> u64 {
        self.memory.add(bytes)
    }

    fn bytes_at(&self, at: u64, count: usize) -> Vec<u8> {
        let words = self.ints_at(at, count.div_ceil(4));
        words.into_iter().flat_map(i32::to_le_bytes).take(count).collect()
    }

    /// An image of unsigned bytes with one channel and these bytes.
    fn image(&mut self, width: u64, height: u64, bytes: &[u8]) -> u64 {
        let (format, host) = (self.format(R, UNSIGNED_INT8), self.bytes(bytes));
        let words = [self.context, READ_WRITE | COPY_HOST_PTR, format, width, height, 0, host];
        self.make("clCreateImage2D", &words)
    }

    fn image_status(&mut self, format: [u64; 2], size: [u64; 2], row: u64, host: u64, flags: u64) -> Status {
        let format = self.format(format[0], format[1]);
        let words = [self.context, flags, format, size[0], size[1], row, host];
        self.create("clCreateImage2D", &words).err().unwrap_or(Status::SUCCESS)
    }

    /// Reads a region of an image with these distances.
    fn read_image(
        &mut self,
        image: u64,
        origin: [u64; 3],
        region: [u64; 3],
        pitches: [u64; 2],
        count: usize,
    ) -> Vec<u8> {
        let host = self.bytes(&vec![0xEE; count]);
        let (origin, region) = (self.words(&origin), self.words(&region));
        let words = [self.queue, image, 1, origin, region, pitches[0], pitches[1], host, 0, 0, 0];
        self.good("clEnqueueReadImage", &words);
        self.bytes_at(host, count)
    }

    fn all_bytes(&mut self, image: u64, width: u64, height: u64) -> Vec<u8> {
        self.read_image(image, [0; 3], [width, height, 1], [0, 0], (width * height) as usize)
    }

    fn handle(&mut self, kernel: u64, index: u64, object: u64) -> Status {
        self.argument(kernel, index, &object.to_le_bytes())
    }

    fn device(&mut self) -> u64 {
        self.number("clGetContextInfo", self.context, 0x1081)
    }
}

#[test]
fn the_device_has_images_with_the_limits_of_the_drivers() {
    for (chip, width, height) in [("g80", 4096, 16383), ("gt200", 4096, 16383), ("fermi", 32768, 32768)] {
        let mut program = Program::on(chip, 0);
        let device = program.device();
        let found: Vec<u64> =
            (0x1011..=0x1016).map(|name| program.number("clGetDeviceInfo", device, name)).collect();
        assert_eq!(found, [width, height, 2048, 2048, 2048, 1], "{chip}");
        let format = [R, UNSIGNED_INT8];
        assert_eq!(program.image_status(format, [width, 1], 0, 0, READ_WRITE), Status::SUCCESS);
        for size in [[width + 1, 1], [1, height + 1], [0, 1], [1, 0]] {
            let status = program.image_status(format, size, 0, 0, READ_WRITE);
            assert_eq!(status, Status::INVALID_IMAGE_SIZE, "{chip} {size:?}");
        }
    }
}

#[test]
fn formats_are_listed() {
    let mut program = Program::new();
    let count = program.words(&[0]);
    for (kind, expected) in [(0x10F1, 71), (0x10F2, 71), (0x10F4, 0)] {
        for flags in [READ_WRITE, WRITE_ONLY, READ_ONLY] {
            let words = [program.context, flags, kind, 0, 0, count];
            program.good("clGetSupportedImageFormats", &words);
            assert_eq!(program.word(count), expected);
        }
    }
    let list = program.words(&[0; 71]);
    program.good("clGetSupportedImageFormats", &[program.context, READ_ONLY, 0x10F1, 71, list, 0]);
    // The minimum of the standard.
    let all: Vec<u64> = (0..71).map(|at| program.word(list + 8 * at)).collect();
    for kind in [0x10D2, 0x10D3, 0x10D7, 0x10D8, 0x10D9, 0x10DA, 0x10DB, 0x10DC, 0x10DD, 0x10DE] {
        assert!(all.contains(&(RGBA | kind << 32)), "{kind:#x}");
    }
    assert!(all.contains(&(0x10B6 | UNORM_INT8 << 32)));
    for words in [[0, 0x10F1], [READ_WRITE | READ_ONLY, 0x10F1], [READ_ONLY, 0x10F0]] {
        let context = if words[0] == 0 { 0 } else { program.context };
        let status = program.call("clGetSupportedImageFormats", &[context, words[0], words[1], 0, 0, count]);
        assert_eq!(status, if context == 0 { Status::INVALID_CONTEXT } else { Status::INVALID_VALUE });
    }
}

#[test]
fn creation_checks_its_arguments() {
    let mut program = Program::new();
    let host = program.bytes(&[0; 64]);
    let rgba = [RGBA, UNORM_INT8];
    for (format, row, host, flags, expected) in [
        ([0x10B6, FLOAT], 0, 0, READ_WRITE, Status::INVALID_IMAGE_FORMAT_DESCRIPTOR),
        ([1, FLOAT], 0, 0, READ_WRITE, Status::INVALID_IMAGE_FORMAT_DESCRIPTOR),
        ([RGBA, 0x10D0], 0, 0, READ_WRITE, Status::IMAGE_FORMAT_NOT_SUPPORTED),
        ([0x10B4, 0x10D4], 0, 0, READ_WRITE, Status::IMAGE_FORMAT_NOT_SUPPORTED),
        (rgba, 0, 0, READ_WRITE | WRITE_ONLY, Status::INVALID_VALUE),
        (rgba, 0, 0, COPY_HOST_PTR, Status::INVALID_HOST_PTR),
        (rgba, 0, host, READ_WRITE, Status::INVALID_HOST_PTR),
        (rgba, 16, 0, READ_WRITE, Status::INVALID_IMAGE_SIZE),
        (rgba, 4, host, COPY_HOST_PTR, Status::INVALID_IMAGE_SIZE),
        (rgba, 17, host, COPY_HOST_PTR, Status::INVALID_IMAGE_SIZE),
        (rgba, 16, host, COPY_HOST_PTR, Status::SUCCESS),
    ] {
        assert_eq!(
            program.image_status(format, [2, 4], row, host, flags),
            expected,
            "{format:?} {row} {flags}"
        );
    }
    let words = [program.context, READ_WRITE, 0, 2, 2, 0, 0];
    assert_eq!(program.create("clCreateImage2D", &words), Err(Status::INVALID_IMAGE_FORMAT_DESCRIPTOR));
    let format = program.format(R, UNSIGNED_INT8);
    let words = [program.context, READ_WRITE, format, 2, 2, 1, 0, 0, 0];
    assert_eq!(program.create("clCreateImage3D", &words), Err(Status::INVALID_IMAGE_SIZE));
    for (description, expected) in [
        ([0x10F1, 4, 2, 0, 0, 0, 0, 0, 0], Status::SUCCESS),
        ([0x10F2, 4, 2, 1, 0, 0, 0, 0, 0], Status::SUCCESS),
        ([0x10F4, 4, 0, 0, 0, 0, 0, 0, 0], Status::IMAGE_FORMAT_NOT_SUPPORTED),
        ([0x10F0, 4, 2, 0, 0, 0, 0, 0, 0], Status::INVALID_IMAGE_DESCRIPTOR),
        ([0x10F1, 4, 2, 0, 0, 0, 0, 1, 0], Status::INVALID_IMAGE_DESCRIPTOR),
        ([0x10F1, 4, 2, 0, 0, 0, 0, 0, 7], Status::INVALID_IMAGE_DESCRIPTOR),
        ([0x10F1, 4, 2, 0, 0, 8, 0, 0, 0], Status::INVALID_IMAGE_DESCRIPTOR),
        ([0x10F1, 0, 2, 0, 0, 0, 0, 0, 0], Status::INVALID_IMAGE_SIZE),
    ] {
        let description = program.words(&description);
        let words = [program.context, READ_WRITE, format, description, 0];
        let status = program.create("clCreateImage", &words).err().unwrap_or(Status::SUCCESS);
        assert_eq!(status, expected, "{description:?}");
    }
    let words = [program.context, READ_WRITE, format, 0, 0];
    assert_eq!(program.create("clCreateImage", &words), Err(Status::INVALID_IMAGE_DESCRIPTOR));
}

#[test]
fn queries_describe_an_image() {
    let mut program = Program::new();
    let format = program.format(RGBA, UNORM_INT8);
    let words = [program.context, READ_ONLY, format, 3, 4, 5, 0, 0, 0];
    let volume = program.make("clCreateImage3D", &words);
    let expected = [RGBA | UNORM_INT8 << 32, 4, 12, 48, 3, 4, 5, 0, 0, 0, 0];
    for (name, expected) in (0x1110..).zip(expected) {
        let function = "clGetImageInfo";
        assert_eq!(program.number(function, volume, name), expected, "{name:#x}");
    }
    assert_eq!(program.number("clGetMemObjectInfo", volume, 0x1100), 0x10F2);
    assert_eq!(program.number("clGetMemObjectInfo", volume, 0x1102), 240);
    let flat = program.image(2, 3, &[0; 6]);
    let found: Vec<u64> =
        (0x1111..=0x1116).map(|name| program.number("clGetImageInfo", flat, name)).collect();
    assert_eq!(found, [1, 2, 0, 2, 3, 0]);
    assert_eq!(program.number("clGetMemObjectInfo", flat, 0x1100), 0x10F1);
    let buffer = program.buffer(&[1]);
    let out = program.words(&[0]);
    assert_eq!(program.call("clGetImageInfo", &[buffer, 0x1111, 8, out, 0]), Status::INVALID_MEM_OBJECT);
    assert_eq!(program.call("clGetImageInfo", &[flat, 0x1120, 8, out, 0]), Status::INVALID_VALUE);
}

#[test]
fn regions_are_transferred_with_their_distances() {
    let mut program = Program::new();
    let bytes: Vec<u8> = (0..24).collect();
    let (format, host) = (program.format(R, UNSIGNED_INT8), program.bytes(&bytes));
    // Four columns, three rows, two slices.
    let words = [program.context, COPY_HOST_PTR, format, 4, 3, 2, 0, 0, host];
    let volume = program.make("clCreateImage3D", &words);
    assert_eq!(program.read_image(volume, [0; 3], [4, 3, 2], [0, 0], 24), bytes);
    let found = program.read_image(volume, [1, 1, 0], [2, 2, 2], [3, 7], 12);
    assert_eq!(found, [5, 6, 0xEE, 9, 10, 0xEE, 0xEE, 17, 18, 0xEE, 21, 22]);
    let new = program.bytes(&[100, 101, 0, 102, 103]);
    let (origin, region) = (program.words(&[2, 1, 1]), program.words(&[2, 2, 1]));
    program.good("clEnqueueWriteImage", &[program.queue, volume, 1, origin, region, 3, 0, new, 0, 0, 0]);
    let found = program.read_image(volume, [0, 0, 1], [4, 3, 1], [0, 0], 12);
    assert_eq!(found, [12, 13, 14, 15, 16, 17, 100, 101, 20, 21, 102, 103]);
    let flat = program.image(4, 3, &bytes[..12]);
    for (object, origin, region, pitches) in [
        (volume, [0; 3], [5, 3, 2], [0, 0]),
        (volume, [1, 0, 0], [4, 1, 1], [0, 0]),
        (volume, [0; 3], [4, 0, 1], [0, 0]),
        (volume, [u64::MAX, 0, 0], [2, 1, 1], [0, 0]),
        (volume, [0; 3], [4, 3, 2], [3, 0]),
        (volume, [0; 3], [4, 3, 2], [4, 11]),
        (flat, [0; 3], [4, 3, 2], [0, 0]),
        (flat, [0, 0, 1], [4, 3, 1], [0, 0]),
        (flat, [0; 3], [4, 3, 1], [0, 12]),
    ] {
        let (origin, region) = (program.words(&origin), program.words(&region));
        let words = [program.queue, object, 1, origin, region, pitches[0], pitches[1], host, 0, 0, 0];
        assert_eq!(program.call("clEnqueueReadImage", &words), Status::INVALID_VALUE);
    }
    let (origin, region) = (program.words(&[0; 3]), program.words(&[1; 3]));
    let mut words = [program.queue, flat, 1, origin, region, 0, 0, 0, 0, 0, 0];
    assert_eq!(program.call("clEnqueueReadImage", &words), Status::INVALID_VALUE);
    words[7] = host;
    words[1] = program.buffer(&[1]);
    assert_eq!(program.call("clEnqueueReadImage", &words), Status::INVALID_MEM_OBJECT);
    let read = [program.queue, flat, 1, 0, 4, host, 0, 0, 0];
    assert_eq!(program.call("clEnqueueReadBuffer", &read), Status::INVALID_MEM_OBJECT);
    let region = program.words(&[0, 1]);
    let sub = [flat, READ_WRITE, 0x1220, region];
    assert_eq!(program.create("clCreateSubBuffer", &sub), Err(Status::INVALID_MEM_OBJECT));
}

#[test]
fn images_and_buffers_are_copied() {
    let mut program = Program::new();
    let bytes: Vec<u8> = (0..12).collect();
    let (from, to) = (program.image(4, 3, &bytes), program.image(4, 3, &[0xAA; 12]));
    let (zero, one) = (program.words(&[0; 3]), program.words(&[1, 1, 0]));
    let region = program.words(&[2, 2, 1]);
    program.good("clEnqueueCopyImage", &[program.queue, from, to, zero, one, region, 0, 0, 0]);
    let a = 0xAA;
    assert_eq!(program.all_bytes(to, 4, 3), [a, a, a, a, a, 0, 1, a, a, 4, 5, a]);
    let status = program.call("clEnqueueCopyImage", &[program.queue, from, from, zero, one, region, 0, 0, 0]);
    assert_eq!(status, Status::MEM_COPY_OVERLAP);
    let apart = program.words(&[2, 0, 0]);
    program.good("clEnqueueCopyImage", &[program.queue, from, from, zero, apart, region, 0, 0, 0]);
    assert_eq!(program.all_bytes(from, 4, 3), [0, 1, 0, 1, 4, 5, 4, 5, 8, 9, 10, 11]);
    let format = program.format(R, UNORM_INT8);
    let other = program.make("clCreateImage2D", &[program.context, READ_WRITE, format, 4, 3, 0, 0]);
    let status =
        program.call("clEnqueueCopyImage", &[program.queue, from, other, zero, zero, region, 0, 0, 0]);
    assert_eq!(status, Status::IMAGE_FORMAT_MISMATCH);

    let buffer = program.buffer(&[-1, -1]);
    program.good("clEnqueueCopyImageToBuffer", &[program.queue, to, buffer, one, region, 2, 0, 0, 0]);
    assert_eq!(program.read(buffer, 2), [0x0100_ffffu32 as i32, 0xffff_0504u32 as i32]);
    program.good("clEnqueueCopyBufferToImage", &[program.queue, buffer, to, 2, zero, region, 0, 0, 0]);
    assert_eq!(program.all_bytes(to, 4, 3), [0, 1, a, a, 4, 5, 1, a, a, 4, 5, a]);
    for (name, words) in [
        ("clEnqueueCopyImageToBuffer", [to, buffer, one, region, 5]),
        ("clEnqueueCopyBufferToImage", [buffer, to, 5, zero, region]),
        ("clEnqueueCopyBufferToImage", [buffer, to, 0, apart, zero]),
    ] {
        let words = [&[program.queue][..], &words, &[0, 0, 0]].concat();
        assert_eq!(program.call(name, &words), Status::INVALID_VALUE, "{name}");
    }
    let words = [program.queue, buffer, buffer, zero, region, 0, 0, 0, 0];
    assert_eq!(program.call("clEnqueueCopyImageToBuffer", &words), Status::INVALID_MEM_OBJECT);
}

#[test]
fn fills_convert_a_color() {
    let mut program = Program::new();
    let format = program.format(0x10B6, UNORM_INT8);
    let image = program.make("clCreateImage2D", &[program.context, READ_WRITE, format, 3, 2, 0, 0]);
    let color: Vec<u8> = [1.0f32, 0.5, 0.0, 2.0].iter().flat_map(|one| one.to_le_bytes()).collect();
    let (color, origin, region) =
        (program.bytes(&color), program.words(&[1, 0, 0]), program.words(&[2, 2, 1]));
    let zeros = program.bytes(&[0; 16]);
    let (all, zero) = (program.words(&[3, 2, 1]), program.words(&[0; 3]));
    program.good("clEnqueueFillImage", &[program.queue, image, zeros, zero, all, 0, 0, 0]);
    program.good("clEnqueueFillImage", &[program.queue, image, color, origin, region, 0, 0, 0]);
    let found = program.read_image(image, [0; 3], [3, 2, 1], [0, 0], 24);
    let (o, c) = ([0; 4], [0, 128, 255, 255]);
    assert_eq!(found, [o, c, c, o, c, c].concat());
    let words = [program.queue, image, 0, origin, region, 0, 0, 0];
    assert_eq!(program.call("clEnqueueFillImage", &words), Status::INVALID_VALUE);
}

#[test]
fn maps_have_distances() {
    let mut program = Program::new();
    let bytes: Vec<u8> = (0..12).collect();
    let image = program.image(4, 3, &bytes);
    let (row, slice) = (program.words(&[9]), program.words(&[9]));
    let (origin, region) = (program.words(&[1, 1, 0]), program.words(&[2, 2, 1]));
    // CL_MAP_WRITE
    let mut words = [program.queue, image, 1, 2, origin, region, row, slice, 0, 0, 0];
    let at = program.make("clEnqueueMapImage", &words);
    assert_eq!((program.word(row), program.word(slice)), (2, 0));
    assert_eq!(program.bytes_at(at, 4), [5, 6, 9, 10]);
    assert!(super::Process::write(&program.memory, &[(at, 4)], &[50, 60, 90, 100]));
    program.good("clEnqueueUnmapMemObject", &[program.queue, image, at, 0, 0, 0]);
    assert_eq!(program.all_bytes(image, 4, 3), [0, 1, 2, 3, 4, 50, 60, 7, 8, 90, 100, 11]);
    words[6] = 0;
    assert_eq!(program.create("clEnqueueMapImage", &words), Err(Status::INVALID_VALUE));
    // An image that uses the memory of the program, with rows of five bytes.
    let host = program.bytes(&[1, 2, 3, 4, 0, 5, 6, 7, 8, 0]);
    let format = program.format(R, UNSIGNED_INT8);
    let used = [program.context, USE_HOST_PTR, format, 4, 2, 5, host];
    let used = program.make("clCreateImage2D", &used);
    assert_eq!(program.number("clGetImageInfo", used, 0x1112), 5);
    let whole = program.words(&[3, 1, 1]);
    let words = [program.queue, used, 1, 1, origin, whole, row, slice, 0, 0, 0];
    let at = program.make("clEnqueueMapImage", &words);
    assert_eq!((at, program.word(row)), (host + 6, 5));
    program.good("clEnqueueUnmapMemObject", &[program.queue, used, at, 0, 0, 0]);
}

const COPY: &str = "
__constant sampler_t own = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
__kernel void copy(__read_only image2d_t from, __write_only image2d_t to, sampler_t s)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    uint4 a = read_imageui(from, s, at - 1), b = read_imageui(from, own, at - 1);
    write_imageui(to, at, a * 10 + b);
}
__kernel void volume(__read_only image3d_t from, __global uint *p)
{
    int i = get_global_id(0);
    p[i] = read_imageui(from, own, (int4)(i, i, 1, 0)).x + get_image_depth(from) * 100;
}
";

#[test]
fn kernels_read_and_write_images() {
    for chip in ["g80", "gt200", "fermi"] {
        let mut program = Program::on(chip, 0);
        let built = program.build(COPY);
        let kernel = program.kernel(built, "copy");
        let (from, to) = (program.image(2, 2, &[1, 2, 3, 4]), program.image(3, 2, &[0; 6]));
        let sampler = program.make("clCreateSampler", &[program.context, 0, CLAMP_TO_EDGE, NEAREST]);
        for (index, object) in [from, to, sampler].into_iter().enumerate() {
            assert_eq!(program.handle(kernel, index as u64, object), Status::SUCCESS, "{chip}");
        }
        let global = program.words(&[3, 2]);
        let words = [program.queue, kernel, 2, 0, global, 0, 0, 0, 0];
        program.good("clEnqueueNDRangeKernel", &words);
        assert_eq!(program.all_bytes(to, 3, 2), [10, 10, 20, 10, 11, 22], "{chip}");

        let format = program.format(R, UNSIGNED_INT8);
        let host = program.bytes(&[0, 1, 2, 3, 4, 5, 6, 7]);
        let words = [program.context, COPY_HOST_PTR, format, 2, 2, 2, 0, 0, host];
        let volume = program.make("clCreateImage3D", &words);
        let (kernel, out) = (program.kernel(built, "volume"), program.buffer(&[0; 2]));
        assert_eq!(program.handle(kernel, 0, volume), Status::SUCCESS);
        assert_eq!(program.handle(kernel, 1, out), Status::SUCCESS);
        program.launch(kernel, 2, 2, &[]).expect("a launch");
        assert_eq!(program.read(out, 2), [204, 207], "{chip}");
    }
}

#[test]
fn arguments_are_checked() {
    let mut program = Program::new();
    let built = program.build(COPY);
    let kernel = program.kernel(built, "copy");
    let (image, buffer) = (program.image(2, 2, &[0; 4]), program.buffer(&[0; 4]));
    let sampler = program.make("clCreateSampler", &[program.context, 1, REPEAT, NEAREST]);
    let format = program.format(R, UNSIGNED_INT8);
    let read = program.make("clCreateImage2D", &[program.context, READ_ONLY, format, 2, 2, 0, 0]);
    let written = program.make("clCreateImage2D", &[program.context, WRITE_ONLY, format, 2, 2, 0, 0]);
    let volume = program.make("clCreateImage3D", &[program.context, READ_WRITE, format, 2, 2, 2, 0, 0, 0]);
    for (index, object, expected) in [
        (0, image, Status::SUCCESS),
        (0, read, Status::SUCCESS),
        (0, written, Status::INVALID_ARG_VALUE),
        (0, volume, Status::INVALID_ARG_VALUE),
        (0, buffer, Status::INVALID_MEM_OBJECT),
        (0, sampler, Status::INVALID_MEM_OBJECT),
        (0, 0, Status::INVALID_MEM_OBJECT),
        (1, written, Status::SUCCESS),
        (1, read, Status::INVALID_ARG_VALUE),
        (2, sampler, Status::SUCCESS),
        (2, image, Status::INVALID_SAMPLER),
        (2, 0, Status::INVALID_SAMPLER),
    ] {
        assert_eq!(program.handle(kernel, index, object), expected, "{index} {object:#x}");
    }
    for index in 0..3 {
        assert_eq!(program.argument(kernel, index, &[0; 4]), Status::INVALID_ARG_SIZE);
    }
    assert_eq!(program.call("clSetKernelArg", &[kernel, 0, 8, 0]), Status::INVALID_MEM_OBJECT);
    assert_eq!(program.call("clSetKernelArg", &[kernel, 2, 8, 0]), Status::INVALID_SAMPLER);
    let vadd = program.build(VADD);
    let vadd = program.kernel(vadd, "vadd");
    assert_eq!(program.handle(vadd, 0, image), Status::INVALID_MEM_OBJECT);
    // A sampler that is released before the launch.
    program.good("clReleaseSampler", &[sampler]);
    assert_eq!(program.launch(kernel, 2, 2, &[]), Err(Status::INVALID_SAMPLER));
}

#[test]
fn samplers_have_valid_properties() {
    let mut program = Program::new();
    for (normalized, address, filter, valid) in [
        (0, 0x1130, NEAREST, true),
        (1, 0x1134, 0x1141, true),
        (0, 0x1132, 0x1141, true),
        (0, REPEAT, NEAREST, false),
        (0, 0x1134, NEAREST, false),
        (1, 0x1135, NEAREST, false),
        (1, CLAMP_TO_EDGE, 0x1142, false),
        (2, CLAMP_TO_EDGE, NEAREST, false),
    ] {
        let made = program.create("clCreateSampler", &[program.context, normalized, address, filter]);
        assert_eq!(made.err(), (!valid).then_some(Status::INVALID_VALUE), "{normalized} {address:#x}");
        if let Ok(sampler) = made {
            let found = (0x1152..=0x1154).map(|name| program.number("clGetSamplerInfo", sampler, name));
            assert_eq!(found.collect::<Vec<_>>(), [normalized, address, filter]);
        }
    }
    let made = program.create("clCreateSampler", &[0, 1, REPEAT, NEAREST]);
    assert_eq!(made, Err(Status::INVALID_CONTEXT));
}

#[test]
fn released_images_free_their_memory() {
    let mut program = Program::new();
    let format = program.format(RGBA, FLOAT);
    // 256 MiB at a time, more than the device has together.
    for _ in 0..12 {
        let words = [program.context, READ_WRITE, format, 4096, 4096, 0, 0];
        let image = program.make("clCreateImage2D", &words);
        program.good("clReleaseMemObject", &[image]);
    }
    let words = [program.context, READ_WRITE, format, 32768, 32768, 0, 0];
    assert_eq!(program.create("clCreateImage2D", &words), Err(Status::MEM_OBJECT_ALLOCATION_FAILURE));
}

/// Images are not among the bytes of parameters that a chip has.
#[test]
fn a_kernel_reads_as_many_images_as_the_device_says() {
    for chip in ["g80", "gt200", "fermi"] {
        let mut program = Program::on(chip, 0);
        let device = program.device();
        let most = program.number("clGetDeviceInfo", device, 0x100E) as usize & 0xFFFF_FFFF;
        assert_eq!(most, 128, "{chip}");
        let parameters: Vec<String> = (0..most).map(|at| format!(", read_only image2d_t i{at}")).collect();
        let sum: Vec<String> =
            (0..most).map(|at| format!("sum += read_imageui(i{at}, s, (int2)(0, 0)).x;\n")).collect();
        let (parameters, sum) = (parameters.concat(), sum.concat());
        let text = format!(
            "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
            __kernel void k(__global uint *out{parameters}) {{ uint sum = 0; {sum} *out = sum; }}"
        );
        let built = program.build(&text);
        let kernel = program.kernel(built, "k");
        let out = program.buffer(&[0]);
        assert_eq!(program.handle(kernel, 0, out), Status::SUCCESS);
        for at in 0..most {
            let image = program.image(1, 1, &[at as u8]);
            assert_eq!(program.handle(kernel, at as u64 + 1, image), Status::SUCCESS, "{chip}");
        }
        program.launch(kernel, 1, 1, &[]).expect("the launch is valid");
        assert_eq!(program.read(out, 1), [127 * 128 / 2], "{chip}");
    }
}
