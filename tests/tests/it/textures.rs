//! Textures through the host interface: results on both machines and every generation, counters,
//! and errors of launches.

use sim_core::config::Chip;
use sim_core::host::{
    AddressMode, Arg, FilterMode, Gpu, HostError, Launch, Mode, ReadMode, TexelFormat, TextureError,
    TextureOptions, TextureShape,
};
use sim_core::stats::report::Verdict;

/// Each thread (x, y) of a block of 16 x 16 samples a texture at (x, y) / 4.
const SAMPLE: &str = "
.version 1.4
.target sm_10
.tex .u32 image;
.entry sample (.param .u32 out)
{
.reg .u32 %x, %y, %n, %w, %p;
.reg .f32 %u, %v, %a, %b, %c, %d;
cvt.u32.u16 %x, %tid.x;
cvt.u32.u16 %y, %tid.y;
cvt.u32.u16 %n, %ctaid.x;
mad24.lo.u32 %x, %n, 16, %x;
cvt.u32.u16 %n, %ctaid.y;
mad24.lo.u32 %y, %n, 16, %y;
cvt.rn.f32.u32 %u, %x;
cvt.rn.f32.u32 %v, %y;
mul.f32 %u, %u, 0.25;
mul.f32 %v, %v, 0.25;
tex.2d.v4.f32.f32 {%a, %b, %c, %d}, [image, {%u, %v, %u, %u}];
cvt.u32.u16 %w, %nctaid.x;
mul24.lo.u32 %w, %w, 16;
mad24.lo.u32 %n, %y, %w, %x;
shl.b32 %n, %n, 2;
ld.param.u32 %p, [out];
add.u32 %p, %p, %n;
st.global.f32 [%p], %a;
exit;
}";

fn image(size: u32) -> TextureOptions {
    TextureOptions {
        filter: FilterMode::Linear,
        ..TextureOptions::new(TextureShape::Array2(size, size), TexelFormat::F32, 1)
    }
}

/// Samples an image of 32 x 32 texels in 64 x 64 threads. Returns the results and the report.
fn sampled(chip: &str, mode: Mode) -> (Vec<u8>, sim_core::stats::Report) {
    let (module, _) = isa::compile("sample.ptx", SAMPLE);
    let mut gpu = Gpu::new(Chip::builtin(chip).expect("built in"));
    let module = gpu.load(module.expect("it compiles")).expect("it loads");
    let texels: Vec<u8> = (0..32 * 32).flat_map(|i: u32| ((i * i % 97) as f32).to_le_bytes()).collect();
    let pixels = gpu.malloc(4096).expect("memory");
    gpu.copy_in(pixels, &texels).expect("it fits");
    let out = gpu.malloc(4 * 64 * 64).expect("memory");
    gpu.bind_texture(module, "image", pixels, image(32)).expect("it is bound");
    let launch = Launch::new(module, "sample", (4, 4), (16, 16)).args([Arg::Ptr(out)]).mode(mode);
    let report = gpu.launch(&launch).expect("it starts");
    assert!(report.verdict.is_finished(), "{:?}", report.verdict);
    let mut bytes = vec![0; 4 * 64 * 64];
    gpu.copy_out(out, &mut bytes).expect("it exists");
    (bytes, report)
}

#[test]
fn both_machines_and_all_chips_return_the_same_values() {
    let (wanted, _) = sampled("g80", Mode::Functional);
    let at =
        |x: usize, y: usize| f32::from_le_bytes(*wanted[4 * (64 * y + x)..].first_chunk().expect("a word"));
    // The center of the first texel, and the mean of four texels.
    assert_eq!((at(2, 2), at(4, 4)), (0.0, (0.0 + 1.0 + (1024 % 97) as f32 + (1089 % 97) as f32) / 4.0));
    for chip in ["g80", "gt200", "fermi"] {
        assert_eq!(sampled(chip, Mode::Timed).0, wanted, "{chip}");
    }
}

/// Tests: `texture-cache-times`.
#[test]
fn every_line_is_requested_once_and_every_look_up_counted() {
    for chip in ["g80", "gt200", "fermi"] {
        let (_, report) = sampled(chip, Mode::Timed);
        let texture = report.timing.expect("a timed launch").texture.expect("it uses textures");
        let counters = texture.counters;
        // 128 warps; each lane reads four texels.
        assert_eq!((counters.fetches, counters.texels), (128, 4 * 64 * 64), "{chip}");
        assert_eq!(counters.cache_requests, counters.cache_hits + counters.cache_misses, "{chip}");
        // The texels that are read are 17 x 17, in lines of eight texels: a cluster reads each at
        // most once.
        let lines = 17 * 3;
        assert!((lines..=16 * lines).contains(&texture.line_requests), "{chip}: {}", texture.line_requests);
        assert!(texture.line_requests <= counters.cache_misses, "{chip}");
    }
}

/// Returns the message of the trap of a launch.
fn trapped(gpu: &mut Gpu, launch: &Launch) -> String {
    let report = gpu.launch(launch).expect("it starts");
    match report.verdict {
        Verdict::Trapped { trap } => trap.message,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_fetch_from_a_wrong_texture_traps() {
    for mode in [Mode::Timed, Mode::Functional] {
        let (module, _) = isa::compile("sample.ptx", SAMPLE);
        let mut gpu = Gpu::new(Chip::builtin("gt200").expect("built in"));
        let module = gpu.load(module.expect("it compiles")).expect("it loads");
        let out = gpu.malloc(1 << 16).expect("memory");
        let launch = Launch::new(module, "sample", 1, (16, 16)).args([Arg::Ptr(out)]).mode(mode);
        assert_eq!(trapped(&mut gpu, &launch), "access to texture `image`: no memory is bound to it");
        let linear = TextureOptions::new(TextureShape::Linear(16), TexelFormat::F32, 1);
        gpu.bind_texture(module, "image", out, linear).expect("it is bound");
        let expected = "access to texture `image`: its geometry is .1d, and the access has .2d";
        assert_eq!(trapped(&mut gpu, &launch), expected);
        let texels = gpu.malloc(4096).expect("memory");
        gpu.bind_texture(module, "image", texels, image(32)).expect("it is bound");
        assert!(gpu.launch(&launch).expect("it starts").verdict.is_finished());
        gpu.free(texels).expect("it exists");
        assert_eq!(trapped(&mut gpu, &launch), "access to texture `image`: no memory is bound to it");
    }
}

#[test]
fn wrong_properties_are_refused() {
    let (module, _) = isa::compile("sample.ptx", SAMPLE);
    let mut gpu = Gpu::new(Chip::builtin("gt200").expect("built in"));
    let module = gpu.load(module.expect("it compiles")).expect("it loads");
    let out = gpu.malloc(1 << 16).expect("memory");
    let linear = TextureOptions::new(TextureShape::Linear(16), TexelFormat::F32, 1);
    let mut bind = |name, options| match gpu.bind_texture(module, name, out, options) {
        Err(HostError::Texture(error)) => error,
        other => panic!("{other:?}"),
    };
    assert!(matches!(bind("picture", image(4)), TextureError::Unknown { .. }));
    assert!(matches!(bind("image", TextureOptions { channels: 3, ..image(4) }), TextureError::Channels(..)));
    assert!(matches!(bind("image", image(0)), TextureError::Size { .. }));
    assert!(matches!(
        bind("image", TextureOptions { format: TexelFormat::U32, ..image(4) }),
        TextureError::Filter(_)
    ));
    let normalized = TextureOptions { read: ReadMode::Normalized, ..image(4) };
    assert!(matches!(bind("image", normalized), TextureError::Normalized(_)));
    let filtered = TextureOptions { filter: FilterMode::Linear, address: [AddressMode::Wrap; 3], ..linear };
    assert!(matches!(bind("image", filtered), TextureError::Linear(_)));
    let shape = TextureShape::Pitch { width: 4, height: 4, pitch: 12 };
    assert!(matches!(bind("image", TextureOptions { shape, ..image(4) }), TextureError::Pitch { .. }));
    let refused = gpu.bind_texture(module, "image", out, image(4096)).expect_err("the buffer is too small");
    assert!(matches!(refused, HostError::Memory(_)), "{refused}");
}
