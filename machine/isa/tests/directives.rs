//! Every directive in every form of PTX 1.0 to 2.3, in modules that must compile, and its effect.

use isa::diag::render_all;
use isa::types::StateSpace;
use isa::uop::Module;
use isa::uop::verify::verify;

/// Compiles a text. Returns the module and the codes of its diagnostics.
fn compiled(text: &str) -> (Module, Vec<&'static str>) {
    let (module, diagnostics) = isa::compile("k.ptx", text);
    let Some(module) = module else { panic!("{}", render_all(&diagnostics, "k.ptx", text)) };
    module.entries.iter().for_each(|program| assert_eq!(verify(program), Ok(()), "{}", program.name));
    (module, diagnostics.iter().map(|d| d.code).collect())
}

#[test]
fn headers() {
    for header in [
        ".version 1.0\n.target sm_10",
        ".version 1.4\n.target sm_12, map_f64_to_f32",
        ".version 1.5\n.target sm_11, texmode_unified",
        ".version 2.3\n.target sm_20, texmode_independent\n.address_size 32",
        ".version 2.0\n.target sm_21",
    ] {
        let (module, codes) = compiled(&format!("{header}\n.entry k {{ exit; }}\n"));
        assert_eq!((module.entries.len(), codes.len()), (1, 0), "{header}");
    }
    let newer = ".version 4.2\n.target sm_35, debug\n.address_size 64\n.visible .entry k() { ret; }\n";
    assert_eq!(compiled(newer).1, ["W0302"]);
}

#[test]
fn debug_directives_change_nothing() {
    let text = "
.version 2.0
.target sm_20
.file 1 \"a.cu\"
.file 2 \"b.cu\", 1262304000, 77
.pragma \"nounroll\";
.entry k (.param .u32 p)
{
  .reg .u32 %r<3>;
  .loc 1 5 0
$Lbegin:
  .pragma \"nounroll\";
  mov.u32 %r1, %tid.x;
  .loc 2 7 3
  exit;
}
.section .debug_abbrev
{
  .b8 1, 17, 1
  .b8 0
}
.section .debug_info {
.b32 108
.b32 .debug_abbrev
.b64 $Lbegin
}
@@DWARF .section .debug_pubnames
@@DWARF .byte 0x00
";
    let (module, codes) = compiled(text);
    // The move is removed because its result is never read.
    assert_eq!((module.entries[0].code.len(), codes.len()), (1, 0));
}

#[test]
fn entries_contain_their_launch_directives() {
    let text = "
.version 2.3
.target sm_20
.entry k (.param .u32 p) .maxnreg 16 .maxntid 16, 4, 2 .minnctapersm 3 .pragma \"nounroll\";
{ exit; }
.entry l .reqntid 8, 8 .minnctapersm 2 { exit; }
.entry m
  .maxntid 256
{ exit; }
";
    let (module, _) = compiled(text);
    let [k, l, m] = [0, 1, 2].map(|i| &module.entries[i]);
    assert_eq!((k.max_block, k.required_block), (Some([16, 4, 2]), None));
    assert_eq!((l.max_block, l.required_block), (None, Some([8, 8, 1])));
    assert_eq!(m.max_block, Some([256, 1, 1]));
}

#[test]
fn registers_in_every_form() {
    let text = "
.version 2.3
.target sm_20
.entry k
{
  .reg .pred p, q, %p<4>;
  .reg .b16 %rh<2>;
  .reg .u32 %r<10>, x;
  .reg .s64 y;
  .reg .f32 %f0, %f1; .reg .f64 %fd<0x10>;
  .reg .u8 byte;
  mov.u32 %r9, 1; mov.u32 x, %r9; mov.s64 y, 2; mov.f64 %fd15, 0d3FF0000000000000;
  mov.pred %p3, p; setp.eq.u32 p|q, x, 0;
  { .reg .u16 x; mov.u16 x, 7; mov.b16 %rh1, x; }
  cvt.u8.u32 byte, x;
  exit;
}
";
    assert!(compiled(text).1.is_empty());
}

#[test]
fn variables_in_every_space_with_initializers() {
    let text = "
.version 2.3
.target sm_20
.address_size 32
.const .f32 pi = 3.25, bias[] = {-1.0, 2.0};
.const .align 8 .b8 bytes[5] = {1, 2, 3, 0xff, 1+2*3};
.const[3] .u32 banked[2] = {7, 8};
.global .u32 loc, word = 9;
.global .s32 bounds[3][2] = { {1,2}, {3}, {5,6} };
.global .v4 .f32 quad;
.global .v2 .u16 pairs[2] = { {1, 2}, {3, 4} };
.global .align 4 .b8 rest[] = {0,1,2,3,4};
.global .u32 where = word, there = bounds+4;
.visible .global .f64 half = 0.5;
.shared .align 16 .b8 fixed[48];
.shared .u64 one;
.extern .shared .align 8 .f64 dynamic[];
.entry k (.param .u64 a, .param .align 8 .b8 s[12], .param .f32 v[3], .param .b32 z, .param .u8 c)
{
  .shared .v2 .f32 inner[4];
  .reg .u32 %r<8>; .reg .u8 %c;
  mov.u32 %r1, fixed; mov.u32 %r2, one; mov.u32 %r3, dynamic; mov.u32 %r4, inner;
  ld.param.u32 %r5, [s+8]; ld.param.u32 %r6, [z]; ld.param.u8 %c, [c];
  ld.const.u32 %r7, [banked+4];
  exit;
}
";
    let (module, codes) = compiled(text);
    assert!(codes.is_empty(), "{codes:?}");
    let global = |name: &str| module.globals.iter().find(|g| g.name == name).expect("a variable");
    let consts: Vec<(&str, u32, u32)> =
        module.consts.iter().map(|c| (c.name.as_str(), c.offset, c.bytes)).collect();
    assert_eq!(consts, [("pi", 0, 4), ("bias", 4, 8), ("bytes", 16, 5), ("banked", 24, 8)]);
    assert_eq!(module.consts[2].init, [1, 2, 3, 255, 7]);
    assert_eq!(global("bounds").init, [1, 2, 3, 0, 5, 6].map(|n: i32| n.to_le_bytes()).concat());
    assert_eq!((global("quad").bytes, global("quad").align), (16, 16));
    assert_eq!((global("rest").bytes, global("rest").align), (5, 4));
    assert_eq!(global("half").init, 0.5_f64.to_le_bytes());
    assert_eq!((global("there").relocs.len(), global("where").relocs.len()), (1, 1));
    let k = &module.entries[0];
    let params: Vec<(u32, u32)> = k.params.iter().map(|p| (p.offset, p.bytes)).collect();
    assert_eq!(params, [(0, 8), (8, 12), (20, 12), (32, 4), (36, 1)]);
    let shared: Vec<(&str, u32)> = k.shared.iter().map(|s| (s.name.as_str(), s.offset)).collect();
    assert_eq!(shared.last().map(|s| s.0), Some("dynamic"), "{shared:?}");
}

/// A parameter declaration may contain the state space and alignment of a pointer's target.
#[test]
fn pointers_are_parameters() {
    let text = "
.version 2.3
.target sm_20
.entry k (.param .u32 .ptr .global .align 16 p, .param .u32 .ptr q, .param .u64 .ptr .const .align 4 r)
{ exit; }
";
    let k = &compiled(text).0.entries[0];
    assert_eq!(k.param_bytes, 16);
    let found: Vec<_> = k.params.iter().map(|param| param.pointee.map(|p| (p.space, p.align))).collect();
    let [global, constant] = [StateSpace::Global, StateSpace::Const].map(Some);
    assert_eq!(found, [Some((global, 16)), Some((None, 4)), Some((constant, 4))]);
    for wrong in [
        ".param .u16 .ptr .global p",
        ".param .f32 .ptr .global p",
        ".param .u32 .ptr .reg p",
        ".param .u32 .ptr .shared .const p",
        ".param .u32 .ptr .align 3 p",
        ".param .v2 .u32 .ptr .local p",
    ] {
        let text = format!(".version 2.3\n.target sm_20\n.entry k ({wrong}) {{ exit; }}\n");
        let (module, diagnostics) = isa::compile("k.ptx", &text);
        assert!(
            module.is_none() && diagnostics.iter().all(|d| d.code == "E0116"),
            "{wrong}: {diagnostics:?}"
        );
    }
}

/// PTX 1.x allowed parameters in the body.
#[test]
fn parameters_in_the_body_are_accepted() {
    let text = ".version 1.3\n.target sm_10\n.entry k {\n.param .u16 h;\n.param .f32 f;\n.reg .f32 %f1;\n\
                ld.param.f32 %f1, [f];\nexit;\n}\n";
    let k = &compiled(text).0.entries[0];
    assert_eq!(k.params.iter().map(|p| p.offset).collect::<Vec<_>>(), [0, 4]);
}

#[test]
fn other_accesses_to_surfaces_are_rejected_by_name() {
    let entry = ".global .surfref s; .entry k { .reg .b32 %r<2>; INST }";
    let reduction = entry.replace("INST", "sured.b.1d.add.u32.trap [s, {%r0}], %r1;");
    let formatted = entry.replace("INST", "sust.p.1d.b32.trap [s, {%r0}], {%r1};");
    for (text, expected) in [
        (".surf .u32 s;", "`.surf`"),
        (reduction.as_str(), "`sured` is not supported: only `suld.b`, `sust.b` and `suq` are"),
        (formatted.as_str(), "`sust.p.1d.b32.trap` is not supported"),
    ] {
        let text = format!(".version 2.3\n.target sm_20\n{text}\n");
        let (module, diagnostics) = isa::compile("k.ptx", &text);
        let found = render_all(&diagnostics, "k.ptx", &text);
        assert!(module.is_none() && found.contains(expected), "{found}");
        assert!(diagnostics.iter().all(|d| ["E0202", "E0402", "E0119"].contains(&d.code)), "{found}");
    }
}

#[test]
fn surfaces_are_numbered_and_must_be_plain_references() {
    let of = |declaration: &str, version: &str| {
        let text = format!(".version {version}\n.target sm_20\n{declaration}\n.entry k {{ exit; }}\n");
        let (module, diagnostics) = isa::compile("k.ptx", &text);
        (module, diagnostics.iter().map(|d| d.code).collect::<Vec<_>>())
    };
    let (module, codes) = of(".global .surfref a, b;", "2.3");
    assert_eq!(
        (module.expect("it compiles").surfaces.to_vec(), codes),
        (vec!["a".into(), "b".into()], vec![])
    );
    assert_eq!(of(".shared .surfref a;", "2.3").1, ["E0116"]);
    assert_eq!(of(".global .surfref a[2];", "2.3").1, ["E0402"]);
    assert_eq!(of(".global .surfref a = {1};", "2.3").1, ["E0402"]);
}

/// The selections of a program: parameters and pairs of textures and samplers get numbers after
/// those of the module, each pair once.
#[test]
fn textures_with_samplers_are_numbered() {
    use isa::uop::ObjectSource::{Module, Param};
    let entry = ".version 2.3\n.target sm_20, texmode_independent\n.global .texref t, u;\n\
                 .global .samplerref s = { filter_mode = linear, addr_mode_1 = mirror }, r;\n\
                 .entry k (.param .texref img, .param .samplerref smp, .param .surfref out) {\n\
                 .reg .f32 %f<4>; .reg .u64 %d; .reg .u32 %r<2>;\nBODY\nexit; }\n";
    let of = |body: &str| {
        let text = entry.replace("BODY", body);
        let (module, diagnostics) = isa::compile("k.ptx", &text);
        (module, render_all(&diagnostics, "k.ptx", &text))
    };
    let fetch = |what: &str| format!("tex.2d.v4.f32.f32 {{%f0,%f1,%f2,%f3}}, [{what}, {{%f0, %f1}}];\n");
    let body = ["img, smp", "u, s", "img, smp", "u", "img"].map(fetch).concat()
        + "mov.u64 %d, s; tex.1d.v4.f32.f32 {%f0,%f1,%f2,%f3}, [img, %d, %f0];\n\
           txq.width.b32 %r0, [img]; txq.filter_mode.b32 %r0, [smp];\n\
           sust.b.1d.b32.trap [out, %r0], %r1;";
    let (module, text) = of(&body);
    let module = module.unwrap_or_else(|| panic!("{text}"));
    let k = &module.entries[0];
    let pairs: Vec<_> = k.selections.textures.iter().map(|one| (one.texture, one.sampler)).collect();
    assert_eq!(
        pairs,
        [
            (Some(Param(0)), Some(Param(8))),
            (Some(Module(1)), Some(Module(0))),
            (Some(Param(0)), None),
            (Some(Param(0)), Some(Module(0))),
            (None, Some(Param(8))),
        ]
    );
    assert_eq!(
        (&*k.textures, k.module_textures()),
        (&["t", "u", "img", "u", "img", "img", "smp"].map(String::from)[..], 2)
    );
    assert_eq!((&k.selections.surfaces, &*k.surfaces), (&vec![16], &["out".to_owned()][..]));
    assert_eq!((k.param_bytes, k.params[1].opaque), (24, Some(StateSpace::Sampler)));
    let address = module.samplers[0].address;
    assert!(module.samplers[0].linear && !module.samplers[1].linear && address[0] != address[1]);
    for (body, expected) in [
        (fetch("s, s"), "expected a texture"),
        (fetch("img, img"), "expected a sampler"),
        (fetch("out"), "expected a texture"),
        ("mov.u32 %r0, s; sust.b.1d.b32.trap [out, %r0], %r0;".to_owned(), "cannot read a sampler"),
        (fetch("%d, s"), "a handle in a register"),
        ("ld.global.u32 %r0, [s];".to_owned(), "cannot access a .sampler variable"),
    ] {
        let (module, text) = of(&body);
        assert!(module.is_none() && text.contains(expected), "{body}: {text}");
    }
    let text = entry.replace(", texmode_independent", "").replace("BODY", &fetch("img, smp"));
    let (_, diagnostics) = isa::compile("k.ptx", &text);
    assert!(render_all(&diagnostics, "k.ptx", &text).contains("unified texture mode"));
    let text = ".version 2.3\n.target sm_20\n.entry k (.param .texref t[2]) { exit; }\n";
    assert_eq!(isa::compile("k.ptx", text).1.iter().map(|d| d.code).collect::<Vec<_>>(), ["E0402"]);
}

/// What NVIDIA's assembler (ptxas 11.8 to 13.5) refuses.
#[test]
fn directives_with_wrong_numbers_are_errors() {
    let codes = |header: &str, directives: &str| -> Vec<&str> {
        let text = format!("{header}\n.entry k {directives} {{ exit; }}\n");
        isa::compile("k.ptx", &text).1.iter().filter(|d| d.is_error()).map(|d| d.code).collect()
    };
    for directives in [
        ".maxntid 0",
        ".maxntid 64, 0, 1",
        ".maxntid",
        ".maxntid 32, 32, 1, 1",
        ".reqntid 0",
        ".maxnreg 0",
        ".maxnreg 2, 3",
        ".minnctapersm 0",
        ".noreturn",
        ".maxntid 32 .reqntid 32",
    ] {
        assert_eq!(codes(".version 2.3\n.target sm_20", directives), ["E0114"], "{directives}");
    }
    for directives in [".maxntid 2000", ".maxntid 64, 64, 64", ".maxntid 32 .maxntid 32", ".maxnreg 1000"] {
        assert_eq!(codes(".version 2.3\n.target sm_20", directives), [""; 0], "{directives}");
    }
    assert_eq!(codes(".version 2.0\n.target sm_20", ".maxnctapersm 2"), [""; 0]);
    assert_eq!(codes(".version 2.1\n.target sm_20", ".maxnctapersm 2"), ["E0405"]);
    assert_eq!(codes(".version 1.4\n.target sm_10", "(.param .u32 p)"), [""; 0]);
    assert_eq!(codes(".version 1.3\n.target sm_10", "(.param .u32 p)"), ["E0404"]);
    let shared = |bytes: u32, target: &str| {
        let text = format!(
            ".target {target}\n.shared .b8 s[{bytes}];\n.entry k {{ st.shared.u32 [s], 1; exit; }}\n"
        );
        isa::compile("k.ptx", &format!(".version 6.0\n{text}")).1.iter().filter(|d| d.is_error()).count()
    };
    assert_eq!(
        [(49_152, "sm_20"), (49_153, "sm_20"), (49_153, "sm_70")].map(|(n, target)| shared(n, target)),
        [0, 1, 1]
    );
}

#[test]
fn one_nul_at_the_end_is_the_end_of_the_text() {
    let text = ".version 2.3\n.target sm_20\n.entry k { exit; }\n";
    compiled(&format!("{text}\0"));
    for wrong in [format!("{text}\0\0"), format!("{text}\0\n"), text.replace("exit", "ex\0it")] {
        assert!(isa::compile("k.ptx", &wrong).0.is_none(), "{wrong:?}");
    }
}

#[test]
fn targets_with_a_letter_are_those_without() {
    for (target, known) in [
        ("sm_90a", true),
        ("sm_100a", true),
        ("sm_100f", true),
        ("sm_120f", true),
        ("sm_90f", false),
        ("sm_80a", false),
        ("sm_100x", false),
        ("sm_a", false),
    ] {
        let text = format!(".version 8.8\n.target {target}\n.entry k {{ exit; }}\n");
        let codes: Vec<&str> = isa::compile("k.ptx", &text).1.iter().map(|d| d.code).collect();
        assert_eq!(codes, [if known { "W0302" } else { "E0310" }], "{target}");
    }
}
