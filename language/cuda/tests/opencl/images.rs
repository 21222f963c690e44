//! Images and samplers: what kernels read from them and write to them, on all generations.

use crate::common::{as_floats, as_ints, gpu};
use crate::{compile, valid};
use cuda::compile::ParameterKind;
use cuda::options::Options;
use cuda::preprocess::Included;
use cuda::target::Target;
use sim_core::host::{
    AddressMode, Arg, ChannelOrder, FilterMode, Gpu, Launch, Mode, SamplerOptions, SurfaceOptions,
    TexelFormat, TextureOptions, TextureShape,
};
use std::path::Path;

const TARGETS: [&str; 3] = ["sm_10", "sm_13", "sm_20"];

const ORDERS: [ChannelOrder; 9] = [
    ChannelOrder::R,
    ChannelOrder::A,
    ChannelOrder::Rg,
    ChannelOrder::Ra,
    ChannelOrder::Rgba,
    ChannelOrder::Bgra,
    ChannelOrder::Argb,
    ChannelOrder::Intensity,
    ChannelOrder::Luminance,
];

/// Types of components: format, whether it is normalized, and number in OpenCL.
const TYPES: [(TexelFormat, bool, i32); 12] = [
    (TexelFormat::S8, true, 0x10d0),
    (TexelFormat::S16, true, 0x10d1),
    (TexelFormat::U8, true, 0x10d2),
    (TexelFormat::U16, true, 0x10d3),
    (TexelFormat::S8, false, 0x10d7),
    (TexelFormat::S16, false, 0x10d8),
    (TexelFormat::S32, false, 0x10d9),
    (TexelFormat::U8, false, 0x10da),
    (TexelFormat::U16, false, 0x10db),
    (TexelFormat::U32, false, 0x10dc),
    (TexelFormat::F16, false, 0x10dd),
    (TexelFormat::F32, false, 0x10de),
];

/// An argument of a kernel.
enum Argument<'a> {
    Read(TextureShape, TexelFormat, ChannelOrder, bool, &'a [u8]),
    Write(TextureShape, TexelFormat, ChannelOrder, bool, &'a [u8]),
    Sampler(SamplerOptions),
    Buffer(&'a [u8]),
}

/// Runs kernel `k` with one work-group; returns the bytes of the written images and buffers, or how
/// it ended.
fn run(ptx: &str, target: &str, items: (u32, u32), arguments: &[Argument]) -> Result<Vec<Vec<u8>>, String> {
    let (module, diagnostics) = isa::compile("test.ptx", ptx);
    let module = module.unwrap_or_else(|| panic!("{}", isa::diag::render_all(&diagnostics, "test.ptx", ptx)));
    let mut gpu = gpu(target);
    let module = gpu.load(module).expect("a module");
    let mut written = Vec::new();
    let memory = |gpu: &mut Gpu, bytes: &[u8]| {
        let pointer = gpu.malloc(bytes.len() as u64).expect("memory");
        gpu.copy_in(pointer, bytes).expect("it fits");
        pointer
    };
    let mut args = Vec::new();
    for argument in arguments {
        args.push(match argument {
            Argument::Read(shape, format, order, normalized, bytes) => {
                let pointer = memory(&mut gpu, bytes);
                let options = TextureOptions::image(*shape, *format, *order, *normalized);
                Arg::U64(gpu.create_texture(pointer, options).expect("an image"))
            }
            Argument::Write(shape, format, order, normalized, bytes) => {
                let pointer = memory(&mut gpu, bytes);
                written.push((pointer, bytes.len()));
                let options = SurfaceOptions::image(*shape, *format, *order, *normalized);
                Arg::U64(gpu.create_surface(pointer, options).expect("an image"))
            }
            Argument::Sampler(options) => Arg::U64(gpu.create_sampler(*options)),
            Argument::Buffer(bytes) => {
                let pointer = memory(&mut gpu, bytes);
                written.push((pointer, bytes.len()));
                Arg::Ptr(pointer)
            }
        });
    }
    let launch = Launch::new(module, "k", (1, 1), items).args(args).mode(Mode::Functional);
    let report = gpu.launch(&launch).map_err(|error| error.to_string())?;
    if !report.verdict.is_finished() {
        return Err(format!("{:?}", report.verdict));
    }
    let read = |(pointer, size)| {
        let mut bytes = vec![0; size];
        gpu.copy_out(pointer, &mut bytes).expect("it exists");
        bytes
    };
    Ok(written.into_iter().map(read).collect())
}

/// The kernel whose body reads `img` and stores in `p`.
fn reader(image: &str, head: &str, body: &str) -> String {
    format!(
        "{head}\n__kernel void k(__read_only {image} img, __global float4 *p, __global int4 *q) {{
            int i = get_local_id(0); {body} }}"
    )
}

/// The floats that `body` stores in `p` for a row of four texels of floats, on all targets.
fn row(head: &str, body: &str, texels: [f32; 4], items: u32) -> Vec<f32> {
    let bytes: Vec<u8> = texels.iter().flat_map(|one| one.to_le_bytes()).collect();
    let text = reader("image2d_t", head, body);
    let results = TARGETS.map(|target| {
        let (ptx, _) = valid(&text, target);
        let shape = TextureShape::Array2(4, 1);
        let image = Argument::Read(shape, TexelFormat::F32, ChannelOrder::R, false, &bytes);
        let out = vec![0; items as usize * 16];
        let made = run(&ptx, target, (items, 1), &[image, Argument::Buffer(&out), Argument::Buffer(&out)]);
        as_floats(&made.unwrap_or_else(|error| panic!("{target}: {error}"))[0])
    });
    assert!(results.windows(2).all(|two| two[0] == two[1]), "{text}: {results:?}");
    results.into_iter().next().expect("a result")
}

/// Reds, which are every fourth value.
fn reds(all: &[f32]) -> Vec<f32> {
    all.iter().step_by(4).copied().collect()
}

/// The value of a half with these bits.
fn half(bits: u16) -> f32 {
    let (exponent, mantissa) = (i32::from(bits >> 10 & 31), f32::from(bits & 1023));
    let size = match exponent {
        0 => mantissa * 2f32.powi(-24),
        31 if mantissa == 0.0 => f32::INFINITY,
        31 => f32::NAN,
        _ => (1024.0 + mantissa) * 2f32.powi(exponent - 25),
    };
    if bits >> 15 == 1 { -size } else { size }
}

/// Bytes of a component.
fn component_bytes(format: TexelFormat) -> usize {
    match format {
        TexelFormat::U8 | TexelFormat::S8 => 1,
        TexelFormat::U16 | TexelFormat::S16 | TexelFormat::F16 => 2,
        TexelFormat::U32 | TexelFormat::S32 | TexelFormat::F32 => 4,
    }
}

/// The bits that a read returns for a component (OpenCL 1.1, section 8.3.1).
fn read_component(format: TexelFormat, normalized: bool, bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    word[..bytes.len()].copy_from_slice(bytes);
    let raw = u32::from_le_bytes(word);
    let float = |value: f32| value.to_bits();
    match (format, normalized) {
        (TexelFormat::S8, true) => float((f32::from(raw as i8) / 127.0).max(-1.0)),
        (TexelFormat::S16, true) => float((f32::from(raw as i16) / 32767.0).max(-1.0)),
        (TexelFormat::U8, true) => float(raw as f32 / 255.0),
        (TexelFormat::U16, true) => float(raw as f32 / 65535.0),
        (TexelFormat::S8, false) => i32::from(raw as i8) as u32,
        (TexelFormat::S16, false) => i32::from(raw as i16) as u32,
        (TexelFormat::F16, _) => float(half(raw as u16)),
        _ => raw,
    }
}

/// Where red, green, blue and alpha are in memory; without a place they are 0, and alpha 1.
fn places(order: ChannelOrder) -> [Option<usize>; 4] {
    match order {
        ChannelOrder::R => [Some(0), None, None, None],
        ChannelOrder::A => [None, None, None, Some(0)],
        ChannelOrder::Rg => [Some(0), Some(1), None, None],
        ChannelOrder::Ra => [Some(0), None, None, Some(1)],
        ChannelOrder::Rgba => [Some(0), Some(1), Some(2), Some(3)],
        ChannelOrder::Bgra => [Some(2), Some(1), Some(0), Some(3)],
        ChannelOrder::Argb => [Some(1), Some(2), Some(3), Some(0)],
        ChannelOrder::Intensity => [Some(0); 4],
        ChannelOrder::Luminance => [Some(0), Some(0), Some(0), None],
    }
}

fn components(order: ChannelOrder) -> usize {
    places(order).iter().flatten().max().expect("a component") + 1
}

/// The kind of a type: the suffix of its functions, and its vectors.
fn kind(number: i32) -> (&'static str, &'static str) {
    match number {
        0x10d7..=0x10d9 => ("i", "int4"),
        0x10da..=0x10dc => ("ui", "uint4"),
        _ => ("f", "float4"),
    }
}

#[test]
fn reads_convert_all_types_and_orders() {
    // Bytes that are all kinds of numbers, and no infinite ones.
    let bytes: Vec<u8> =
        (0..64u32).map(|at| (at * 37 + 11) as u8 & if at % 2 == 1 { 0xbf } else { 0xff }).collect();
    for (format, normalized, number) in TYPES {
        let (suffix, vector) = kind(number);
        let body = format!(
            "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
             p[i] = as_float4(read_image{suffix}(img, s, (int2)(i % 3, i / 3)));
             if (i == 0) q[0] = (int4)(get_image_width(img), get_image_height(img),
                 get_image_channel_data_type(img), get_image_channel_order(img));"
        );
        let text = reader("image2d_t", "", &body.replace("as_float4(", &format!("as_float4(({vector})")));
        for target in ["sm_10", "sm_20"] {
            let (ptx, entries) = valid(&text, target);
            assert_eq!(
                entries[0].parameters[0].kind,
                ParameterKind::Image { dimensions: 2, is_written: false }
            );
            for order in ORDERS {
                let (count, size) = (components(order), component_bytes(format));
                let memory = &bytes[..4 * count * size];
                let image = Argument::Read(TextureShape::Array2(2, 2), format, order, normalized, memory);
                let (p, q) = ([0; 9 * 16], [0; 16]);
                let made = run(&ptx, target, (9, 1), &[image, Argument::Buffer(&p), Argument::Buffer(&q)]);
                let made = made.unwrap_or_else(|error| panic!("{target} {format:?} {order:?}: {error}"));
                let found: Vec<u32> = as_ints(&made[0]).into_iter().map(i32::cast_unsigned).collect();
                let one = if suffix == "f" { 1f32.to_bits() } else { 1 };
                for at in 0..9usize {
                    let (x, y) = (at % 3, at / 3);
                    let inside = x < 2 && y < 2;
                    let expected = [0, 1, 2, 3].map(|channel| match places(order)[channel] {
                        Some(place) if inside => {
                            let start = ((y * 2 + x) * count + place) * size;
                            read_component(format, normalized, &memory[start..start + size])
                        }
                        None if channel == 3 => one,
                        _ => 0,
                    });
                    assert_eq!(found[at * 4..][..4], expected, "{target} {format:?} {order:?} ({x}, {y})");
                }
                let order_number = as_ints(&made[1])[3];
                assert_eq!(as_ints(&made[1])[..3], [2, 2, number]);
                assert!((0x10b0..0x10ba).contains(&order_number), "{order_number:#x}");
            }
        }
    }
}

#[test]
fn address_modes_select_texels() {
    let texels = [1.0, 2.0, 3.0, 4.0];
    let read = |address: &str, normalized: bool| {
        let (coords, at) = if normalized { ("TRUE", "(i - 5.5f) / 4") } else { ("FALSE", "i - 5.5f") };
        let head = format!(
            "__constant sampler_t s = CLK_NORMALIZED_COORDS_{coords} | CLK_ADDRESS_{address} | CLK_FILTER_NEAREST;"
        );
        reds(&row(&head, &format!("p[i] = read_imagef(img, s, (float2)({at}, 0.5f));"), texels, 16))
    };
    let expected = |at: fn(i32) -> f32| -> Vec<f32> { (0..16).map(|i| at(i - 6)).collect() };
    for normalized in [false, true] {
        assert_eq!(read("CLAMP_TO_EDGE", normalized), expected(|x| 1.0 + x.clamp(0, 3) as f32));
        let border = |x: i32| if (0..4).contains(&x) { 1.0 + x as f32 } else { 0.0 };
        assert_eq!(read("CLAMP", normalized), expected(border));
    }
    assert_eq!(read("REPEAT", true), expected(|x| 1.0 + x.rem_euclid(4) as f32));
    let mirrored = |x: i32| {
        let x = x.rem_euclid(8);
        1.0 + if x < 4 { x } else { 7 - x } as f32
    };
    assert_eq!(read("MIRRORED_REPEAT", true), expected(mirrored));
}

#[test]
fn filters_mix_texels_with_the_border() {
    let head = |address: &str| {
        format!(
            "__constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_{address} | CLK_FILTER_LINEAR;"
        )
    };
    let body = "p[i] = read_imagef(img, s, (float2)(i * 0.25f - 1, 0.5f));";
    let texels = [16.0, 32.0, -64.0, 128.0];
    let mix = |outside: fn(i32) -> Option<i32>| -> Vec<f32> {
        (0..24)
            .map(|i| {
                let place = f64::from(i) * 0.25 - 1.0 - 0.5;
                let (first, weight) = (place.floor(), place - place.floor());
                let texel = |at: i32| outside(at).map_or(0.0, |at| f64::from(texels[at as usize]));
                (texel(first as i32) * (1.0 - weight) + texel(first as i32 + 1) * weight) as f32
            })
            .collect()
    };
    let clamped = row(&head("CLAMP_TO_EDGE"), body, texels, 24);
    assert_eq!(reds(&clamped), mix(|at| Some(at.clamp(0, 3))));
    let border = row(&head("CLAMP"), body, texels, 24);
    assert_eq!(reds(&border), mix(|at| (0..4).contains(&at).then_some(at)));
    // Alpha of an image without alpha is 1 inside and at the border.
    assert_eq!(reds(&border[3..]), [1.0; 24]);
}

#[test]
fn images_of_three_dimensions_have_slices() {
    let bytes: Vec<u8> = (0..24).collect();
    let body =
        "const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
        int n = 0;
        int4 at = (int4)(i % 4, i / 4 % 3, i / 12, n++);
        q[i] = convert_int4(read_imageui(img, s, at));
        q[i].y = (int)read_imageui(img, s, (float4)(at.x + 0.5f, at.y + 0.5f, at.z + 0.5f, 0)).x;
        q[i].z = n;
        q[0].zw = get_image_dim(img).zw;
        p[i].x = get_image_depth(img) * 100 + get_image_height(img) * 10 + get_image_width(img);";
    for target in TARGETS {
        let (ptx, entries) = valid(&reader("image3d_t", "", body), target);
        assert_eq!(entries[0].parameters[0].kind, ParameterKind::Image { dimensions: 3, is_written: false });
        let shape = TextureShape::Array3(4, 3, 2);
        let image = Argument::Read(shape, TexelFormat::U8, ChannelOrder::R, false, &bytes);
        let out = [0; 24 * 16];
        let made = run(&ptx, target, (24, 1), &[image, Argument::Buffer(&out), Argument::Buffer(&out)]);
        let made = made.unwrap_or_else(|error| panic!("{target}: {error}"));
        let found = as_ints(&made[1]);
        for at in 1..24 {
            assert_eq!(found[at * 4..][..4], [at as i32, at as i32, 1, 1], "{target} {at}");
        }
        assert_eq!((found[2..4].to_vec(), as_floats(&made[0])[0]), (vec![2, 0], 234.0));
    }
}

#[test]
fn samplers_are_constants_or_parameters_of_functions() {
    let text = "
        __constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
        float one(read_only image2d_t image, sampler_t s, int x) { return read_imagef(image, s, (int2)(x, 0)).x; }
        __attribute__((noinline)) float two(image2d_t image, const sampler_t s, int x) {
            float sum = 0;
            for (int i = 0; i < 2; i++) sum += one(image, s, x + i);
            return sum;
        }
        __kernel void k(__read_only image2d_t a, image2d_t b, sampler_t s, __global float *p) {
            int i = get_local_id(0);
            const sampler_t own = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
            p[i] = i < 2 ? two(a, s, i) : i < 4 ? two(b, edge, i) : two(a, own, i);
        }";
    let bytes = |texels: [f32; 4]| -> Vec<u8> { texels.iter().flat_map(|one| one.to_le_bytes()).collect() };
    let (a, b) = (bytes([1.0, 2.0, 3.0, 4.0]), bytes([10.0, 20.0, 30.0, 40.0]));
    for target in TARGETS {
        for level in [0, 3] {
            let own = Target::from_name(target).expect("a target");
            let options = Options { opt_level: level, ..Options::of(own).of_file(Path::new("test.cl"), own) };
            let none = |_: &str, _: &str, _: bool| None::<Included>;
            let compiled = cuda::compile("test.cl", text, &none, own, &options);
            let [message] = &compiled.diagnostics[..] else { panic!("{}", compiled.messages()) };
            assert!(message.message.starts_with("`noinline` has no effect"), "{}", compiled.messages());
            assert_eq!(compiled.entries[0].parameters[2].kind, ParameterKind::Sampler);
            let ptx = compiled.ptx.expect("a valid program");
            assert!(!ptx.contains("ld.param.u64"), "{ptx}");
            let image = |bytes| {
                Argument::Read(TextureShape::Array2(4, 1), TexelFormat::F32, ChannelOrder::R, false, bytes)
            };
            let sampler = SamplerOptions {
                address: [AddressMode::Border; 3],
                filter: FilterMode::Point,
                unnormalized: true,
            };
            let arguments = [image(&a), image(&b), Argument::Sampler(sampler), Argument::Buffer(&[0; 24])];
            let made =
                run(&ptx, target, (6, 1), &arguments).unwrap_or_else(|error| panic!("{target}: {error}"));
            assert_eq!(as_floats(&made[0]), [3.0, 5.0, 70.0, 80.0, 0.0, 0.0], "{target} {level}");
        }
    }
}

/// The bits in memory of a component that is written (OpenCL 1.1, section 8.3.1).
fn written_component(format: TexelFormat, normalized: bool, value: f64) -> u32 {
    let rounded = |scale: f64, low: f64, high: f64| {
        let scaled = f64::from((value as f32) * scale as f32);
        let near = scaled.round_ties_even();
        if near.is_nan() { 0 } else { near.clamp(low, high) as i64 as u32 }
    };
    let integer = |low: f64, high: f64| value.clamp(low, high) as i64 as u32;
    match (format, normalized) {
        (TexelFormat::U8, true) => rounded(255.0, 0.0, 255.0),
        (TexelFormat::U16, true) => rounded(65535.0, 0.0, 65535.0),
        (TexelFormat::S8, true) => rounded(127.0, -128.0, 127.0) & 0xff,
        (TexelFormat::S16, true) => rounded(32767.0, -32768.0, 32767.0) & 0xffff,
        (TexelFormat::F32, _) => (value as f32).to_bits(),
        // The halves of the colors below are exact, or infinite.
        (TexelFormat::F16, _) => (0..=u16::MAX)
            .find(|bits| {
                let same = half(*bits).to_bits() == (value as f32).to_bits();
                same || value.abs() > 65520.0
                    && half(*bits).to_bits() == (value.signum() as f32 * f32::INFINITY).to_bits()
            })
            .map_or_else(|| panic!("{value} is no half"), u32::from),
        (TexelFormat::S8, _) => integer(-128.0, 127.0) & 0xff,
        (TexelFormat::S16, _) => integer(-32768.0, 32767.0) & 0xffff,
        (TexelFormat::S32, _) => integer(f64::from(i32::MIN), f64::from(i32::MAX)),
        (TexelFormat::U8, _) => integer(0.0, 255.0),
        (TexelFormat::U16, _) => integer(0.0, 65535.0),
        (TexelFormat::U32, _) => integer(0.0, f64::from(u32::MAX)),
    }
}

#[test]
fn writes_convert_all_types_and_orders() {
    // Colors of four texels for each kind.
    let floats: [[f64; 4]; 4] = [
        [0.0, 0.25, 0.5, 1.0],
        [-0.125, 2.0, 0.75, -1.0],
        [1e20, -1e20, 0.0625, 0.875],
        [-0.5, -2.0, 0.375, 0.625],
    ];
    let signed: [[f64; 4]; 4] = [
        [0.0, 1.0, -1.0, 127.0],
        [128.0, -129.0, 32767.0, 32768.0],
        [-32769.0, 2_147_483_647.0, -2_147_483_648.0, 5.0],
        [9.0, 8.0, 7.0, 6.0],
    ];
    let unsigned: [[f64; 4]; 4] = [
        [0.0, 1.0, 254.0, 255.0],
        [256.0, 65535.0, 65536.0, 4_294_967_295.0],
        [7.0, 77.0, 777.0, 7777.0],
        [9.0, 8.0, 7.0, 6.0],
    ];
    for (format, normalized, number) in TYPES {
        let (suffix, vector) = kind(number);
        let colors = match suffix {
            "f" => floats,
            "i" => signed,
            _ => unsigned,
        };
        let bits = |value: f64| match suffix {
            "f" => (value as f32).to_bits(),
            "i" => (value as i32).cast_unsigned(),
            _ => value as u32,
        };
        let input: Vec<u8> = colors.iter().flatten().flat_map(|value| bits(*value).to_le_bytes()).collect();
        let text = format!(
            "__kernel void k(__write_only image2d_t img, __global {vector} *p, __global int4 *q) {{
                int2 at = (int2)(get_local_id(0), get_local_id(1));
                write_image{suffix}(img, at, p[at.y * 2 + at.x]);
                if (at.x + at.y == 0) q[0] = (int4)(get_image_dim(img), get_image_channel_data_type(img), 0);
            }}"
        );
        for target in ["sm_10", "sm_20"] {
            let (ptx, entries) = valid(&text, target);
            assert_eq!(
                entries[0].parameters[0].kind,
                ParameterKind::Image { dimensions: 2, is_written: true }
            );
            for order in ORDERS {
                let (count, size) = (components(order), component_bytes(format));
                let before = vec![0xaa; 4 * count * size];
                let image = Argument::Write(TextureShape::Array2(2, 2), format, order, normalized, &before);
                let arguments = [image, Argument::Buffer(&input), Argument::Buffer(&[0; 16])];
                let made = run(&ptx, target, (2, 2), &arguments);
                let made = made.unwrap_or_else(|error| panic!("{target} {format:?} {order:?}: {error}"));
                let mut expected = before.clone();
                for (texel, color) in colors.iter().enumerate() {
                    // The first channel at a place is stored.
                    for (channel, place) in places(order).into_iter().enumerate().rev() {
                        let Some(place) = place else { continue };
                        let bits = written_component(format, normalized, color[channel]).to_le_bytes();
                        expected[(texel * count + place) * size..][..size].copy_from_slice(&bits[..size]);
                    }
                }
                assert_eq!(made[0], expected, "{target} {format:?} {order:?}");
                assert_eq!(as_ints(&made[2]), [2, 2, number, 0]);
            }
        }
    }
}

#[test]
fn wrong_writes_end_the_launch() {
    let write = |body: &str, format: TexelFormat| {
        let text = format!("__kernel void k(__write_only image2d_t img) {{ {body} }}");
        let (ptx, _) = valid(&text, "sm_20");
        let image = Argument::Write(TextureShape::Array2(2, 2), format, ChannelOrder::R, false, &[0; 16]);
        run(&ptx, "sm_20", (1, 1), &[image])
    };
    let at = |x: i64, y: i64| format!("write_imageui(img, (int2)({x}, {y}), (uint4)(1));");
    assert!(write(&at(1, 1), TexelFormat::U32).is_ok());
    for (x, y) in [(2, 0), (0, 2), (-1, 0), (0, -1), (1 << 30, 0), (-2_147_483_647, 0)] {
        let ended = write(&at(x, y), TexelFormat::U32).expect_err("it is outside");
        assert!(ended.contains("is out of bounds"), "{ended}");
    }
    for format in [TexelFormat::F32, TexelFormat::S32, TexelFormat::F16, TexelFormat::S8] {
        assert!(write(&at(0, 0), format).is_err(), "{format:?}");
    }
    assert!(write("write_imagef(img, (int2)(0), (float4)(1));", TexelFormat::U8).is_err());
    assert!(write("write_imagei(img, (int2)(0), (int4)(1));", TexelFormat::U8).is_err());
}

/// Whether a program with a kernel that has images is refused with a text.
fn refused(body: &str, expected: &str) {
    refused_program(
        &format!(
            "__kernel void k(__read_only image2d_t r, __write_only image2d_t w, __read_only image3d_t v,
                sampler_t s, __global float4 *p) {{ {body} }}"
        ),
        expected,
    );
}

fn refused_program(program: &str, expected: &str) {
    let compiled = compile(program, "sm_20");
    let found = compiled.messages();
    assert!(compiled.ptx.is_none(), "accepted: {program}");
    assert!(found.contains(expected), "expected `{expected}` in:\n{found}");
}

#[test]
fn what_images_cannot_do_is_refused_by_name() {
    refused("p[0] = read_imagef(w, s, (int2)(0));", "`read_imagef` needs a `__read_only` image");
    refused("write_imagef(r, (int2)(0), p[0]);", "`write_imagef` needs a `__write_only` image");
    refused("p[0] = read_imagef(r, s, (int4)(0));", "`read_imagef` does not take");
    refused("p[0] = read_imagef(v, s, (float2)(0));", "`read_imagef` does not take");
    refused("p[0] = read_imagef(r, s, (uint2)(0));", "`read_imagef` does not take");
    refused("p[0] = read_imagef(r, (int2)(0));", "`read_imagef` does not take");
    refused("p[0] = read_imagef(p, s, (int2)(0));", "`read_imagef` does not take");
    refused("write_imagef(w, (float2)(0), p[0]);", "`write_imagef` does not take");
    refused("write_imagei(w, (int2)(0), p[0]);", "`write_imagei` does not take");
    refused("p[0].x = get_image_depth(r);", "`get_image_depth` does not take");
    refused("p[0].x = get_image_width(s);", "`get_image_width` does not take");
    refused("image2d_t x = r;", "an image cannot be a variable");
    refused("image2d_t x;", "an image cannot be a variable");
    refused("image2d_t *x = &r;", "an image cannot be what a pointer points to");
    refused("p[0].x = &r == 0;", "an image cannot be what a pointer points to");
    refused("image2d_t x[2];", "an image cannot be an element of an array");
    refused("sampler_t x[2] = {s, s};", "a sampler cannot be an element of an array");
    refused("struct t { image2d_t i; } x;", "an image cannot be a member of a structure");
    refused("struct t { sampler_t i; } x;", "a sampler cannot be a member of a structure");
    refused("r = r;", "an image cannot be assigned to");
    refused("s = s;", "a sampler cannot be assigned to");
    refused("p[0] = read_imagef(p[0].x > 0 ? r : r, s, (int2)(0));", "an image cannot be selected");
    refused("p[0] = read_imagef(r, p[0].x > 0 ? s : s, (int2)(0));", "a sampler cannot be selected");
    refused("p[0].x = r == r;", "`");
    refused("p[0].x = r + 1;", "`");
    refused("p[0].x = (int)s;", "cannot be cast");
    refused("p[0] = read_imagef(r, (sampler_t)(int)p[0].x, (int2)(0));", "cannot be cast");
    refused("int n = (int)p[0].x; p[0] = read_imagef(r, n, (int2)(0));", "`read_imagef` does not take");
    refused("const sampler_t t = (int)p[0].x;", "the value of a sampler");
    refused("sampler_t t = CLK_FILTER_NEAREST; t = s;", "");
    refused("const sampler_t t;", "a sampler needs a value");
    refused("const sampler_t t = 48;", "48 is not the value of a sampler");
    refused("p[0] = read_imagef(r, 1024, (int2)(0));", "1024 is not the value of a sampler");
    refused("const sampler_t t = s;", "the value of a sampler");
}

#[test]
fn declarations_of_images_are_checked() {
    let kernel = "__kernel void k() {}";
    for (declaration, expected) in [
        ("image2d_t f(image2d_t i) { return i; }", "an image cannot be the result of a function"),
        ("void f(image2d_t *i) {}", "an image cannot be what a pointer points to"),
        ("void f(__write_only image3d_t i) {}", "needs the extension `cl_khr_3d_image_writes`"),
        ("void f(__read_only int i) {}", "`__read_only` is for images, not for `int`"),
        ("__constant image2d_t i = 0;", "an image cannot be a variable"),
        (
            "void f(image2d_t i) {} __kernel void g(__write_only image2d_t w) { f(w); }",
            "found `__write_only image2d_t`",
        ),
        ("void f(__write_only image2d_t i) {} __kernel void g(image2d_t w) { f(w); }", "found `image2d_t`"),
        ("void f(image3d_t i) {} __kernel void g(image2d_t w) { f(w); }", "image2d_t"),
        ("void f(sampler_t i) {} __kernel void g(int n) { f(n); }", "sampler_t"),
    ] {
        refused_program(&format!("{declaration} {kernel}"), expected);
    }
}
