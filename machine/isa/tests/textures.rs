//! Texture declarations, fetches and queries, as NVIDIA's assembler accepts them (recorded with
//! driver 580), and their micro-ops.

use isa::diag::render_all;

/// Compiles an entry with an instruction under a header. Returns the micro-ops as text, or the
/// codes of the errors.
fn compiled(version: &str, target: &str, declaration: &str, instruction: &str) -> Result<String, String> {
    let text = format!(
        ".version {version}\n.target {target}\n{declaration}\n.entry k (.param .u32 p) {{\n\
         .reg .f32 %f<4>; .reg .f32 %g<4>; .reg .u32 %r<5>; .reg .s32 %q<4>;\n{instruction}\n\
         ld.param.u32 %r4, [p]; st.global.u32 [%r4], %r0; st.global.f32 [%r4], %f0; exit; }}\n"
    );
    let (module, diagnostics) = isa::compile("k.ptx", &text);
    match module {
        Some(module) => Ok(isa::uop::disasm::program(&module.entries[0])),
        None => Err(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>().join(" ")),
    }
}

const OLD: (&str, &str, &str) = ("1.4", "sm_10", ".tex .u32 t;");
const NEW: (&str, &str, &str) = ("2.3", "sm_20", ".global .texref t;");

#[test]
fn every_form_has_a_micro_op() {
    for (version, target, declaration) in [OLD, NEW] {
        for (instruction, expected) in [
            ("tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%q0}];", "tex.1d.s32"),
            ("tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, %q0];", "tex.1d.s32"),
            ("tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%g0,%g1,%g2,%g3}];", "tex.1d.f32"),
            ("tex.2d.v4.u32.f32 {%r0,%r1,%r2,%r3}, [t, {%g0,%g1}];", "tex.2d.f32"),
            ("tex.2d.v4.s32.s32 {%r0,_,_,_}, [t, {%q0,%q1,%q2,%q3}];", "tex.2d.s32"),
            ("tex.3d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%g0,%g1,%g2,%g2}];", "tex.3d.f32"),
            ("tex.3d.v4.u32.s32 {%r0,%r1,%r2,%r3}, [t, {%q0,%q1,%q2,%q2}];", "tex.3d.s32"),
            ("tex.1d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [t, {0}];", "tex.1d.s32"),
        ] {
            let found = compiled(version, target, declaration, instruction).expect(instruction);
            assert!(found.contains(expected), "{instruction}\n{found}");
        }
    }
}

#[test]
fn layers_and_cubes_have_their_versions_and_targets() {
    let floats = "{%f0,%f1,%f2,%f3}";
    let of = |version, target, instruction: String| compiled(version, target, NEW.2, &instruction);
    for (instruction, since, target, uop) in [
        (format!("tex.a1d.v4.f32.f32 {floats}, [t, {{%r0,%g0}}];"), ["2.2", "2.3"], "sm_13", "tex.wide.2"),
        (format!("tex.a1d.v4.f32.s32 {floats}, [t, {{3,%q0}}];"), ["2.2", "2.3"], "sm_20", "tex.wide.2"),
        (
            format!("tex.a2d.v4.f32.f32 {floats}, [t, {{%r0,%g0,%g1,%g1}}];"),
            ["2.2", "2.3"],
            "sm_20",
            "tex.wide.3",
        ),
        (
            format!("tex.cube.v4.f32.f32 {floats}, [t, {{%g0,%g1,%g2,%g2}}];"),
            ["2.3", "3.0"],
            "sm_20",
            "cube.face",
        ),
        (
            format!("tex.acube.v4.f32.f32 {floats}, [t, {{%r0,%g0,%g1,%g2}}];"),
            ["2.3", "3.0"],
            "sm_20",
            "cube.face",
        ),
    ] {
        let [before, since] = since;
        assert_eq!(of(before, target, instruction.clone()), Err("E0404".to_owned()), "{instruction}");
        let found = of(since, target, instruction.clone()).expect(&instruction);
        assert!(found.contains(uop), "{instruction}\n{found}");
    }
    let cube = format!("tex.cube.v4.f32.f32 {floats}, [t, {{%g0,%g1,%g2,%g2}}];");
    assert_eq!(of("3.0", "sm_13", cube), Err("E0401".to_owned()));
    for (instruction, code) in [
        ("tex.cube.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%q0,%q1,%q2,%q2}];", "E0203"),
        ("tex.a2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%r0,%g0,%g1}];", "E0206"),
        ("tex.a1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {1.0,%g1}];", "E0206"),
    ] {
        assert_eq!(of("3.0", "sm_20", instruction.to_owned()), Err(code.to_owned()), "{instruction}");
    }
}

/// Compiles statements that may use the texture `t`, the surface `s` and the parameter `h`.
fn with_handles(statements: &str) -> Result<String, String> {
    let text = format!(
        ".version 3.1\n.target sm_20\n.address_size 64\n.global .texref t;\n.global .surfref s;\n\
         .entry k (.param .u64 h, .param .u64 p) {{ .reg .f32 %f<4>; .reg .b32 %r<4>; .reg .b64 %d<4>;\n\
         .reg .pred %p; ld.param.u64 %d0, [h]; ld.param.u64 %d3, [p];\n{statements}\n\
         st.global.b32 [%d3], %r0; exit; }}\n"
    );
    let (module, diagnostics) = isa::compile("k.ptx", &text);
    match module {
        Some(module) => Ok(isa::uop::disasm::program(&module.entries[0])),
        None => Err(diagnostics.iter().map(|d| d.code).collect::<Vec<_>>().join(" ")),
    }
}

#[test]
fn handles_in_registers_select_textures_and_surfaces() {
    for (statements, expected, absent) in [
        ("tex.1d.v4.s32.s32 {%r0,%r1,%r2,%r3}, [%d0, {%r1}];", "tex.wide.1", "tex.1d"),
        ("mov.u64 %d1, t; tex.1d.v4.s32.s32 {%r0,%r1,%r2,%r3}, [%d1, {%r1}];", "tex.1d.s32", "tex.wide"),
        ("tex.2d.v4.s32.f32 {%r0,%r1,%r2,%r3}, [%d0, {%f1,%f2}];", "tex.wide.2", "tex.2d"),
        ("tex.3d.v4.s32.f32 {%r0,%r1,%r2,%r3}, [%d0, {%f1,%f2,%f3,%f3}];", "tex.wide.3", "tex.3d"),
        ("txq.width.b32 %r0, [%d0];", "txq.handle", "imm=0"),
        ("suq.width.b32 %r0, [%d0];", "suq.handle", "imm=0"),
        ("suld.b.1d.b32.trap %r0, [%d0, {%r1}];", "sulea.wide", "imm=0"),
        // The register of a store has one definition, and so is the name.
        ("mov.u64 %d1, s; sust.b.2d.b32.trap [%d1, {%r1,%r2}], %r0;", "sulea w", "sulea.wide"),
        // A handle that is selected while the kernel runs; 2^31 is that of the first texture.
        (
            "mov.u64 %d1, t; setp.eq.s32 %p, %r1, 0; selp.b64 %d2, %d0, %d1, %p;\n\
             tex.1d.v4.s32.s32 {%r0,%r1,%r2,%r3}, [%d2, {%r1}];",
            "tex.wide.1",
            "tex.1d",
        ),
    ] {
        let found = with_handles(statements).expect(statements);
        assert!(found.contains(expected) && !found.contains(absent), "{statements}\n{found}");
    }
    assert_eq!(with_handles("tex.1d.v4.s32.s32 {%r0,%r1,%r2,%r3}, [%r2, {%r1}];"), Err("E0304".into()));
    assert_eq!(with_handles("mov.u32 %r0, t;"), Err("E0307".into()));
    assert_eq!(with_handles("suld.b.1d.b32.trap %r0, [t, {%r1}];"), Err("E0307".into()));
}

#[test]
fn queries_have_the_versions_of_the_assembler() {
    let (version, target, declaration) = NEW;
    for query in ["width", "height", "depth", "channel_data_type", "channel_order", "filter_mode"] {
        let instruction = format!("txq.{query}.b32 %r0, [t];");
        let found = compiled(version, target, declaration, &instruction).expect(query);
        assert!(found.contains("txq"), "{found}");
    }
    let (version, target, declaration) = OLD;
    let old = |query| compiled(version, target, declaration, &format!("txq.{query}.b32 %r0, [t];"));
    assert_eq!(old("width"), Err("E0404".to_owned()));
    let early = compiled("2.0", "sm_20", NEW.2, "txq.channel_order.b32 %r0, [t];");
    assert_eq!(early, Err("E0404".to_owned()));
}

#[test]
fn declarations_have_the_versions_of_the_assembler() {
    let declared = |version, target, declaration| compiled(version, target, declaration, "").map(|_| ());
    assert_eq!(declared("1.4", "sm_10", ".tex .u32 t, u;"), Ok(()));
    assert_eq!(declared("1.4", "sm_13", ".tex .u64 t;"), Ok(()));
    assert_eq!(declared("1.5", "sm_13", ".tex .u32 t;"), Err("E0405".to_owned()));
    assert_eq!(declared("1.4", "sm_13", ".global .texref t;"), Err("E0404".to_owned()));
    assert_eq!(declared("2.0", "sm_13", ".visible .global .texref t, u;"), Ok(()));
    assert_eq!(declared("1.4", "sm_13", ".tex .s32 t;"), Err("E0309".to_owned()));
    assert_eq!(declared("2.3", "sm_20", ".const .texref t;"), Err("E0116".to_owned()));
    assert_eq!(declared("2.3", "sm_20", ".global .texref t = { 4 };"), Err("E0402".to_owned()));
}

#[test]
fn wrong_operands_are_rejected_at_their_place() {
    let (version, target, declaration) = NEW;
    for (instruction, code) in [
        ("tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%g0}];", "E0206"),
        ("tex.3d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%g0,%g1}];", "E0206"),
        ("tex.1d.v4.f32.s32 {%f0,%f1,%f2,%f3}, [t, {%g0}];", "E0305"),
        ("tex.1d.v4.u32.s32 {%f0,%f1,%f2,%f3}, [t, {%q0}];", "E0305"),
        ("tex.1d.v4.f32.u32 {%f0,%f1,%f2,%f3}, [t, {%r0}];", "E0203"),
        ("tex.1d.f32.s32 %f0, [t, {%q0}];", "E0204"),
        ("mov.u32 %r0, t;", "E0307"),
        ("ld.global.u32 %r0, [t];", "E0307"),
        ("txq.width.u32 %r0, [t];", "E0203"),
        ("txq.width.b32 %r0, t;", "E0206"),
    ] {
        assert_eq!(
            compiled(version, target, declaration, instruction),
            Err(code.to_owned()),
            "{instruction}"
        );
    }
}

#[test]
fn an_error_names_the_coordinates() {
    let text = ".version 1.4\n.target sm_10\n.tex .u32 t;\n.entry k { .reg .f32 %f<4>;\n\
                tex.2d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [t, {%f0}]; exit; }\n";
    let (_, diagnostics) = isa::compile("k.ptx", text);
    let found = render_all(&diagnostics, "k.ptx", text);
    assert!(found.contains("a texture and two or four coordinates: [t, {x, y}]"), "{found}");
}
