//! Texture objects and surface objects, layers and cube maps: results on both machines, lanes with
//! different handles, and traps.

use sim_core::config::Chip;
use sim_core::host::{
    Arg, Gpu, HostError, Launch, Mode, ModuleId, SurfaceError, SurfaceOptions, TexelFormat, TextureError,
    TextureOptions, TextureShape,
};
use sim_core::stats::report::Verdict;

/// Kernels with a table of handles in memory: each thread uses the handle with its number, modulo
/// `count`.
const KERNELS: &str = "
.version 3.1
.target sm_20
.address_size 64
.global .texref named;
.global .surfref drawn;

.entry look_up (.param .u64 table, .param .u32 count, .param .u64 out)
{
.reg .u64 %h, %t, %o;
.reg .u32 %x, %n, %a, %b, %c, %d;
mov.u32 %x, %tid.x;
ld.param.u32 %n, [count];
rem.u32 %n, %x, %n;
ld.param.u64 %t, [table];
mad.wide.u32 %t, %n, 8, %t;
ld.global.u64 %h, [%t];
tex.1d.v4.u32.s32 {%a, %b, %c, %d}, [%h, {%x}];
ld.param.u64 %o, [out];
mad.wide.u32 %o, %x, 4, %o;
st.global.u32 [%o], %a;
exit;
}

.entry choose (.param .u64 handle, .param .u64 out)
{
.reg .u64 %h, %o;
.reg .u32 %x, %a, %b, %c, %d;
.reg .pred %p;
mov.u32 %x, %tid.x;
setp.lt.u32 %p, %x, 16;
mov.u64 %h, named;
@%p ld.param.u64 %h, [handle];
tex.1d.v4.u32.s32 {%a, %b, %c, %d}, [%h, {%x}];
ld.param.u64 %o, [out];
mad.wide.u32 %o, %x, 4, %o;
st.global.u32 [%o], %a;
exit;
}

.entry layers (.param .u64 handle, .param .u64 out)
{
.reg .u64 %h, %o;
.reg .u32 %x, %l, %n, %a, %b, %c, %d;
.reg .s32 %y;
.reg .f32 %u, %v;
mov.u32 %x, %tid.x;
mov.u32 %l, %ctaid.x;
cvt.rn.f32.u32 %u, %x;
mov.f32 %v, 0f3fc00000;
ld.param.u64 %h, [handle];
tex.a2d.v4.u32.f32 {%a, %b, %c, %d}, [%h, {%l, %u, %v, %v}];
ld.param.u64 %o, [out];
mad.lo.u32 %n, %l, 4, %x;
mad.wide.u32 %o, %n, 4, %o;
st.global.u32 [%o], %a;
exit;
}

.entry cubes (.param .u64 handle, .param .u64 out)
{
.reg .u64 %h, %o;
.reg .u32 %x, %n, %a, %b, %c, %d;
.reg .f32 %u, %v, %w;
mov.u32 %x, %tid.x;
mov.u32 %n, %ctaid.x;
mov.f32 %u, 0f3f000000;
mov.f32 %v, 0fbf000000;
mov.f32 %w, 0fbf800000;
ld.param.u64 %h, [handle];
tex.acube.v4.u32.f32 {%a, %b, %c, %d}, [%h, {%n, %u, %v, %w}];
ld.param.u64 %o, [out];
mad.wide.u32 %o, %n, 4, %o;
st.global.u32 [%o], %a;
exit;
}

.entry draw (.param .u64 handle)
{
.reg .u64 %h, %n;
.reg .u32 %x, %y, %z, %v;
mov.u32 %x, %tid.x;
mov.u32 %y, %tid.y;
mov.u32 %z, %ctaid.x;
mad.lo.u32 %v, %z, 100, %x;
mad.lo.u32 %v, %y, 10, %v;
shl.b32 %x, %x, 2;
ld.param.u64 %h, [handle];
sust.b.3d.b32.zero [%h, {%x, %y, %z, %z}], %v;
exit;
}

.entry named_draw (.param .u32 layer)
{
.reg .u64 %h;
.reg .u32 %x, %l, %w;
mov.u32 %x, %tid.x;
shl.b32 %x, %x, 2;
ld.param.u32 %l, [layer];
mov.u64 %h, drawn;
suq.width.b32 %w, [%h];
sust.b.a1d.b32.trap [drawn, {%l, %x}], %w;
exit;
}
";

/// A Fermi with the kernels.
fn fermi() -> (Gpu, ModuleId) {
    let (module, diagnostics) = isa::compile("objects.ptx", KERNELS);
    let module = module.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let mut gpu = Gpu::new(Chip::builtin("fermi").expect("built in"));
    let module = gpu.load(module).expect("it loads");
    (gpu, module)
}

fn upload(gpu: &mut Gpu, words: impl IntoIterator<Item = u32>) -> sim_core::host::DevicePtr {
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    let ptr = gpu.malloc(bytes.len() as u64).expect("memory");
    gpu.copy_in(ptr, &bytes).expect("it fits");
    ptr
}

fn download(gpu: &mut Gpu, ptr: sim_core::host::DevicePtr, words: usize) -> Vec<u32> {
    let mut bytes = vec![0; 4 * words];
    gpu.copy_out(ptr, &mut bytes).expect("it exists");
    bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn words(shape: TextureShape) -> TextureOptions {
    TextureOptions::new(shape, TexelFormat::U32, 1)
}

fn run(gpu: &mut Gpu, launch: &Launch) {
    let verdict = gpu.launch(launch).expect("it starts").verdict;
    assert!(verdict.is_finished(), "{verdict:?}");
}

fn trapped(gpu: &mut Gpu, launch: &Launch) -> (String, u32) {
    match gpu.launch(launch).expect("it starts").verdict {
        Verdict::Trapped { trap } => (trap.message, trap.lanes),
        other => panic!("{other:?}"),
    }
}

#[test]
fn each_lane_reads_the_texture_of_its_handle() {
    for mode in [Mode::Timed, Mode::Functional] {
        let (mut gpu, module) = fermi();
        let tables: Vec<u64> = (0..3)
            .map(|n| {
                let ptr = upload(&mut gpu, (0..64).map(|i| 1000 * n + i));
                gpu.create_texture(ptr, words(TextureShape::Linear(64))).expect("it is created")
            })
            .collect();
        let handles = upload(&mut gpu, tables.iter().flat_map(|h| [*h as u32, (*h >> 32) as u32]));
        let out = gpu.malloc(256).expect("memory");
        let launch = Launch::new(module, "look_up", 1, 64).mode(mode);
        let launch = launch.args([Arg::Ptr(handles), Arg::U32(3), Arg::Ptr(out)]);
        run(&mut gpu, &launch);
        let expected: Vec<u32> = (0..64).map(|i| 1000 * (i % 3) + i).collect();
        assert_eq!(download(&mut gpu, out, 64), expected);
        // The object of every third lane is destroyed; the others stay.
        gpu.destroy_texture(tables[1]).expect("it exists");
        let (message, lanes) = trapped(&mut gpu, &launch);
        let text = "access to texture handle 0x2: no object has this handle, or its memory is freed";
        assert_eq!((message.as_str(), lanes), (text, 0x9249_2492), "{mode:?}");
        assert!(matches!(gpu.destroy_texture(tables[1]), Err(HostError::Texture(TextureError::NoObject(2)))));
    }
}

#[test]
fn a_name_and_an_object_meet_in_a_register() {
    for mode in [Mode::Timed, Mode::Functional] {
        let (mut gpu, module) = fermi();
        let (first, second) = (upload(&mut gpu, 0..32), upload(&mut gpu, 500..532));
        let handle = gpu.create_texture(first, words(TextureShape::Array1(32))).expect("it is created");
        let out = gpu.malloc(128).expect("memory");
        let launch = Launch::new(module, "choose", 1, 32).mode(mode);
        let launch = launch.args([Arg::U64(handle), Arg::Ptr(out)]);
        let (message, lanes) = trapped(&mut gpu, &launch);
        let text = "access to texture `named`: no memory is bound to it";
        assert_eq!((message.as_str(), lanes), (text, 0xffff_0000));
        gpu.bind_texture(module, "named", second, words(TextureShape::Linear(32))).expect("it is bound");
        run(&mut gpu, &launch);
        let expected: Vec<u32> = (0..16).chain(516..532).collect();
        assert_eq!(download(&mut gpu, out, 32), expected);
        // Numbers that are no handles.
        for (handle, name) in [(0, "0x0"), (1 << 32 | 1, "0x100000001"), (1 << 30, "0x40000000")] {
            let launch = launch.clone().args([Arg::U64(handle), Arg::Ptr(out)]);
            assert!(trapped(&mut gpu, &launch).0.starts_with(&format!("access to texture handle {name}:")));
        }
    }
}

#[test]
fn layers_and_cubes_are_read_by_their_numbers() {
    for mode in [Mode::Timed, Mode::Functional] {
        let (mut gpu, module) = fermi();
        // Word i of the memory is i. A layer has 4 x 2 texels.
        let memory = upload(&mut gpu, 0..64);
        let layers = gpu.create_texture(memory, words(TextureShape::Layers2(4, 2, 3))).expect("created");
        let out = gpu.malloc(256).expect("memory");
        let launch = Launch::new(module, "layers", 4, 4).mode(mode);
        run(&mut gpu, &launch.clone().args([Arg::U64(layers), Arg::Ptr(out)]));
        // The second row of each layer; the layer outside is the last one.
        let expected = [4, 5, 6, 7, 12, 13, 14, 15, 20, 21, 22, 23, 20, 21, 22, 23];
        assert_eq!(download(&mut gpu, out, 16), expected);
        // Two cubes with faces of 2 x 2 texels. The direction is on face 5, at (0.25, 0.75).
        let cubes = gpu.create_texture(memory, words(TextureShape::Cubes(2, 2))).expect("created");
        let launch = Launch::new(module, "cubes", 3, 1).mode(mode);
        run(&mut gpu, &launch.clone().args([Arg::U64(cubes), Arg::Ptr(out)]));
        assert_eq!(download(&mut gpu, out, 3), [4 * 5 + 2, 4 * 11 + 2, 4 * 11 + 2]);
        let text = "access to texture handle 0x1: its geometry is .a2d, and the access has .acube";
        assert_eq!(trapped(&mut gpu, &launch.args([Arg::U64(layers), Arg::Ptr(out)])), (text.to_owned(), 1));
    }
}

#[test]
fn surfaces_are_written_by_handles_and_in_layers() {
    for mode in [Mode::Timed, Mode::Functional] {
        let (mut gpu, module) = fermi();
        let surface = |shape| SurfaceOptions::new(shape, TexelFormat::U32, 1);
        let memory = upload(&mut gpu, (0..24).map(|_| 7));
        let cuboid = gpu.create_surface(memory, surface(TextureShape::Array3(4, 3, 2))).expect("created");
        assert_eq!(cuboid, 1 << 30);
        // Threads and blocks outside write nothing.
        let launch = Launch::new(module, "draw", 3, (5, 3)).mode(mode).args([Arg::U64(cuboid)]);
        run(&mut gpu, &launch);
        let expected: Vec<u32> = (0..24).map(|i| i / 12 * 100 + i % 12 / 4 * 10 + i % 4).collect();
        assert_eq!(download(&mut gpu, memory, 24), expected);
        gpu.bind_surface(module, "drawn", memory, surface(TextureShape::Layers1(4, 6))).expect("bound");
        let launch = Launch::new(module, "named_draw", 1, 4).mode(mode);
        run(&mut gpu, &launch.clone().args([Arg::U32(5)]));
        assert_eq!(download(&mut gpu, memory, 24)[18..], [112, 113, 4, 4, 4, 4]);
        let (message, _) = trapped(&mut gpu, &launch.args([Arg::U32(6)]));
        let found = "the access is in row 0 of layer 6; surface `drawn` has 6 layers of 1 rows of 16 bytes";
        assert!(message.contains(found), "{message}");
        gpu.destroy_surface(cuboid).expect("it exists");
        let again = gpu.destroy_surface(cuboid);
        assert!(matches!(again, Err(HostError::Surface(SurfaceError::NoObject(_)))));
        let linear = gpu.create_surface(memory, surface(TextureShape::Linear(24)));
        assert!(matches!(linear, Err(HostError::Surface(SurfaceError::Linear(_)))));
    }
}
