//! PTX as NVIDIA's OpenCL compiler writes it: images and samplers as parameters, samplers of the
//! module, queries, and stores to images, on all generations and both machines.

use sim_core::host::{
    AddressMode, Arg, ChannelOrder, DevicePtr, FilterMode, HostError, Launch, Mode, SamplerOptions,
    SurfaceOptions, TexelFormat, TextureError, TextureOptions, TextureShape,
};
use sim_core::stats::report::Verdict;
use warpsim_tests::device::{CHIPS, Device, MODES};

const READER: &str = "
.version 2.3
.target sm_11, texmode_independent
.address_size 32
.global .samplerref EDGE = { addr_mode_0 = clamp_to_edge, addr_mode_1 = clamp_to_edge, addr_mode_2 = clamp_to_edge, filter_mode = nearest, force_unnormalized_coords = 1 };

.entry read_image (
    .param .texref read_image_param_0,
    .param .samplerref read_image_param_1,
    .param .u32 .ptr .global .align 16 read_image_param_2
)
{
.reg .f32 %f<12>;
.reg .s32 %r<12>;
mov.u32 %r1, %tid.x;
cvt.rn.f32.s32 %f1, %r1;
add.f32 %f1, %f1, 0fBF000000;
mov.f32 %f2, 0f3F000000;
tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [read_image_param_0, EDGE, {%f1, %f2}];
tex.2d.v4.f32.f32 {%f7, %f8, %f9, %f10}, [read_image_param_0, read_image_param_1, {%f1, %f2}];
ld.param.u32 %r2, [read_image_param_2];
shl.b32 %r3, %r1, 5;
add.s32 %r2, %r2, %r3;
st.global.v4.f32 [%r2], {%f3, %f4, %f5, %f6};
st.global.v4.f32 [%r2+16], {%f7, %f8, %f9, %f10};
ret;
}

.entry query (.param .texref img, .param .samplerref smp, .param .u32 .ptr .global .align 4 out)
{
.reg .b32 %r<10>;
txq.width.b32 %r1, [img];
txq.height.b32 %r2, [img];
txq.channel_data_type.b32 %r3, [img];
txq.channel_order.b32 %r4, [img];
txq.normalized_coords.b32 %r5, [img];
txq.force_unnormalized_coords.b32 %r6, [smp];
txq.filter_mode.b32 %r7, [EDGE];
txq.addr_mode_0.b32 %r8, [EDGE];
ld.param.u32 %r9, [out];
st.global.v4.b32 [%r9], {%r1, %r2, %r3, %r4};
st.global.v4.b32 [%r9+16], {%r5, %r6, %r7, %r8};
ret;
}

.entry write_image (.param .surfref img, .param .u32 .ptr .global .align 4 out)
{
.reg .b32 %r<6>;
mov.u32 %r1, %tid.x;
shl.b32 %r2, %r1, 2;
mov.u32 %r3, 1;
add.u32 %r4, %r1, 100;
sust.b.2d.b32.trap [img, {%r2, %r3}], %r4;
suld.b.2d.b32.trap %r4, [img, {%r2, %r3}];
suq.channel_order.b32 %r3, [img];
add.u32 %r4, %r4, %r3;
ld.param.u32 %r5, [out];
add.u32 %r5, %r5, %r2;
st.global.b32 [%r5], %r4;
ret;
}
";

/// Two rows of two texels of four bytes each.
const TEXELS: [u8; 16] = [0, 51, 102, 255, 255, 204, 153, 0, 1, 2, 3, 4, 5, 6, 7, 8];

fn image(device: &mut Device) -> DevicePtr {
    let ptr = device.gpu.malloc(TEXELS.len() as u64).expect("memory");
    device.gpu.copy_in(ptr, &TEXELS).expect("it fits");
    ptr
}

fn options(order: ChannelOrder) -> TextureOptions {
    TextureOptions::image(TextureShape::Array2(2, 2), TexelFormat::U8, order, true)
}

fn finish(device: &mut Device, launch: &Launch) {
    let verdict = device.gpu.launch(launch).expect("a launch").verdict;
    assert!(matches!(verdict, Verdict::Finished), "{verdict:?}");
}

#[test]
fn a_parameter_selects_a_texture_and_another_one_a_sampler() {
    for (chip, mode) in CHIPS.into_iter().filter(|chip| *chip != "g80").flat_map(|c| MODES.map(|m| (c, m))) {
        let mut device = Device::on(chip, READER);
        let memory = image(&mut device);
        let texture = device.gpu.create_texture(memory, options(ChannelOrder::Rgba)).expect("an image");
        let border = device.gpu.create_sampler(SamplerOptions {
            address: [AddressMode::Border; 3],
            unnormalized: true,
            ..SamplerOptions::default()
        });
        let out = device.upload(&[7; 32]);
        let args = [Arg::U64(texture), Arg::U64(border), Arg::Ptr(out)];
        let launch = device.launch("read_image", (1, 1), (4, 1, 1)).args(args).mode(mode);
        finish(&mut device, &launch);
        let found: Vec<f32> = device.download(out, 32).into_iter().map(f32::from_bits).collect();
        let (first, second) = ([0.0, 0.2, 0.4, 1.0], [1.0, 0.8, 0.6, 0.0]);
        let outside = [0.0; 4];
        let want = [[first, outside], [first, first], [second, second], [second, outside]];
        assert_eq!(found, want.concat().concat(), "{chip} {mode:?}");
    }
}

#[test]
fn a_sampler_filters_and_uses_normalized_coordinates() {
    let mut device = Device::on("fermi", READER);
    let memory = image(&mut device);
    let texture = device.gpu.create_texture(memory, options(ChannelOrder::Bgra)).expect("an image");
    let wrap = device.gpu.create_sampler(SamplerOptions {
        address: [AddressMode::Wrap; 3],
        filter: FilterMode::Linear,
        unnormalized: false,
    });
    let out = device.upload(&[7; 16]);
    let args = [Arg::U64(texture), Arg::U64(wrap), Arg::Ptr(out)];
    let launch = device.launch("read_image", (1, 1), (2, 1, 1)).args(args).mode(Mode::Functional);
    finish(&mut device, &launch);
    let found: Vec<f32> = device.download(out, 16).into_iter().map(f32::from_bits).collect();
    // Blue comes first in memory.
    assert_eq!(found[..4], [0.4, 0.2, 0.0, 1.0]);
    // Coordinates -0.5 and 0.5 are between the four texels, the image repeats.
    let mean =
        |i: usize| TEXELS[i..].iter().step_by(4).map(|texel| f32::from(*texel)).sum::<f32>() / 4.0 / 255.0;
    for (found, i) in found[4..8].iter().zip([2, 1, 0, 3]) {
        assert!((found - mean(i)).abs() < 0.01, "{found} {}", mean(i));
    }
}

#[test]
fn queries_return_the_numbers_of_opencl() {
    for (chip, order, number) in
        [("gt200", ChannelOrder::Rgba, 0x10b5), ("fermi", ChannelOrder::Argb, 0x10b7)]
    {
        let mut device = Device::on(chip, READER);
        let memory = image(&mut device);
        let texture = device.gpu.create_texture(memory, options(order)).expect("an image");
        let sampler =
            device.gpu.create_sampler(SamplerOptions { unnormalized: true, ..SamplerOptions::default() });
        let out = device.upload(&[7; 8]);
        let args = [Arg::U64(texture), Arg::U64(sampler), Arg::Ptr(out)];
        let launch = device.launch("query", (1, 1), (1, 1, 1)).args(args);
        finish(&mut device, &launch);
        assert_eq!(device.download(out, 8), [2, 2, 0x10d2, number, 1, 1, 0, 3], "{chip}");
    }
}

#[test]
fn a_kernel_writes_an_image() {
    for (chip, mode) in CHIPS.into_iter().filter(|chip| *chip != "g80").flat_map(|c| MODES.map(|m| (c, m))) {
        let mut device = Device::on(chip, READER);
        let memory = image(&mut device);
        let image =
            SurfaceOptions::image(TextureShape::Array2(2, 2), TexelFormat::U32, ChannelOrder::R, false);
        let small = device.gpu.create_surface(memory, image).expect("an image");
        let out = device.upload(&[7; 2]);
        let args = [Arg::U64(small), Arg::Ptr(out)];
        let launch = device.launch("write_image", (1, 1), (2, 1, 1)).args(args).mode(mode);
        finish(&mut device, &launch);
        assert_eq!(device.download(out, 2), [100 + 0x10b0, 101 + 0x10b0], "{chip} {mode:?}");
        let mut bytes = [0; 16];
        device.gpu.copy_out(memory, &mut bytes).expect("it exists");
        assert_eq!(bytes[8..], [100, 0, 0, 0, 101, 0, 0, 0]);
    }
}

#[test]
fn missing_textures_and_samplers_trap_at_their_use() {
    let mut device = Device::on("fermi", READER);
    let memory = image(&mut device);
    let texture = device.gpu.create_texture(memory, options(ChannelOrder::Rgba)).expect("an image");
    let sampler = device.gpu.create_sampler(SamplerOptions::default());
    let out = device.upload(&[7; 32]);
    let mut run = |texture: u64, sampler: u64| {
        let args = [Arg::U64(texture), Arg::U64(sampler), Arg::Ptr(out)];
        let launch = device.launch("read_image", (1, 1), (4, 1, 1)).args(args);
        device.gpu.launch(&launch).expect("a launch").verdict
    };
    for (texture, sampler) in [(texture, texture), (sampler, sampler), (0, 0), (u64::MAX, sampler)] {
        let verdict = format!("{:?}", run(texture, sampler));
        assert!(verdict.contains("texture `read_image_param_0`"), "{verdict}");
    }
    assert!(matches!(run(texture, sampler), Verdict::Finished));
    device.gpu.destroy_sampler(sampler).expect("it exists");
    let again = device.gpu.destroy_sampler(sampler);
    assert!(matches!(again, Err(HostError::Texture(TextureError::NoSampler(_)))), "{again:?}");
    let wrong = TextureOptions { channels: 2, ..options(ChannelOrder::Rgba) };
    let refused = device.gpu.create_texture(memory, wrong);
    assert!(matches!(refused, Err(HostError::Texture(TextureError::Order(..)))), "{refused:?}");
}
