//! Launch files that `warpsim init` writes: they run, and no existing file is lost.

use crate::common::{Run, data, scratch, warpsim, warpsim_with};
use std::fs;

#[test]
fn the_launch_file_runs_as_it_is_written() {
    let folder = scratch("init");
    fs::copy(data().join("symbols.ptx"), folder.join("symbols.ptx")).expect("copied");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    let (ptx, launch) = (path("symbols.ptx"), path("launch.ron"));
    let Run { code, stdout, stderr } = warpsim_with(&["init", &ptx, "-o", &launch]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""), "{stderr}");
    let text = fs::read_to_string(&launch).expect("written");
    assert_eq!(stderr, format!("wrote {launch} ({} bytes)\n", text.len()));
    assert!(text.contains(&format!("//   warpsim run {ptx} --launch {launch}\n")), "{text}");
    let Run { code, stderr, .. } = warpsim_with(&["run", &ptx, "--launch", &launch]);
    assert_eq!(code, Some(0), "{stderr}");
}

#[test]
fn an_existing_file_is_never_overwritten() {
    let folder = scratch("init-existing");
    for name in ["launch.ron", "symbols.ptx"] {
        fs::copy(data().join("symbols.ptx"), folder.join(name)).expect("copied");
    }
    let before = fs::read(data().join("symbols.ptx")).expect("readable");
    let path = |name: &str| folder.join(name).to_str().expect("UTF-8").to_owned();
    for name in ["launch.ron", "symbols.ptx"] {
        let Run { code, stdout, stderr } =
            warpsim_with(&["init", &path("symbols.ptx"), "--output", &path(name)]);
        assert_eq!((code, stdout.as_str()), (Some(2), ""));
        let message = format!("error: cannot write {}: the file exists\nhelp: choose a new name", path(name));
        assert!(stderr.starts_with(&message), "{stderr}");
        assert_eq!(fs::read(path(name)).expect("readable"), before);
    }
}

#[test]
fn bad_input_is_refused_with_the_usual_messages() {
    for (line, message) in [
        ("init", "required"),
        ("init nothing.ptx", "cannot read nothing.ptx"),
        ("init matmul-tilde", "did you mean `matmul-tiled`?"),
        ("init broken.ptx", "error["),
        ("init symbols.ptx --entry nothing", "unknown kernel `nothing` in symbols.ptx"),
        ("init symbols.ptx -o nowhere/launch.ron", "cannot write nowhere/launch.ron"),
        ("init symbols.ptx -o .", "the path is a folder"),
    ] {
        let Run { code, stdout, stderr } = warpsim(line);
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{line}");
        assert!(stderr.contains(message), "{line}: {stderr}");
    }
}

#[test]
fn textures_of_a_kernel_get_buffers_and_properties() {
    let folder = scratch("init-textures");
    let (ptx, launch) = (folder.join("k.ptx"), folder.join("k.ron"));
    let text = ".version 2.0\n.target sm_20\n\
        .global .texref line;\n.global .texref image;\n.global .texref unused;\n\
        .entry k (.param .u32 out)\n{\n  .reg .u32 %r<6>; .reg .f32 %f<5>;\n\
        mov.u32 %r0, %ctaid.x;\n  shl.b32 %r0, %r0, 8;\n  mov.u32 %r1, %tid.x;\n  add.u32 %r0, %r0, %r1;\n\
        tex.1d.v4.u32.s32 {%r1, %r2, %r3, %r4}, [line, {%r0}];\n\
        cvt.rn.f32.u32 %f0, %r0;\n  tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f0, %f0}];\n\
        ld.param.u32 %r5, [out];\n  shl.b32 %r0, %r0, 2;\n  add.u32 %r5, %r5, %r0;\n\
        cvt.rzi.u32.f32 %r2, %f1;\n  add.u32 %r1, %r1, %r2;\n  st.global.u32 [%r5], %r1;\n  exit;\n}\n";
    std::fs::write(&ptx, text).expect("written");
    let (ptx, launch) = (ptx.to_str().expect("UTF-8"), launch.to_str().expect("UTF-8"));
    let Run { code, stderr, .. } = warpsim_with(&["init", ptx, "--out", launch]);
    assert_eq!(code, Some(0), "{stderr}");
    let skeleton = std::fs::read_to_string(launch).expect("readable");
    for line in [
        "\"line\": (buffer: \"line_texels\", size: 1024, format: u32, memory: linear),",
        "\"image\": (buffer: \"image_texels\", size: (64, 64), format: f32),",
        "\"image_texels\": (type: f32, len: 4096, init: fill(1)),",
    ] {
        assert!(skeleton.contains(line), "{line} in\n{skeleton}");
    }
    assert!(!skeleton.contains("unused"), "{skeleton}");
    // Each texel is 1, so that each sum is 2.
    let checked = skeleton.replace("\n)", "\n    expect: [(buf: \"out\", formula: \"2\")],\n)");
    std::fs::write(launch, checked).expect("written");
    let Run { code, stdout, stderr } = warpsim_with(&["run", ptx, "--launch", launch, "--chip", "fermi"]);
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}
