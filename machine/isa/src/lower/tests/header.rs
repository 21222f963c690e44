//! Rendered errors about features that a module's header does not allow.

use super::complaints::assert_diagnostics;

#[test]
fn a_form_may_require_a_newer_version() {
    assert_diagnostics(
        ".version 1.3
.target sm_10
.entry k() .reqntid 32
{
  .reg .f32 %f<3>; .reg .u32 %r;
  add.ftz.f32 %f1, %f1, %f2;
  mov.u32 %r, %nsmid;
}
",
        "
error[E0404]: `.reqntid` requires PTX 2.1, but this module has .version 1.3
 --> k.ptx:3:12
  |
3 | .entry k() .reqntid 32
  |            ^^^^^^^^ not available in PTX 1.3
  |
  = help: write `.version 2.1` or above

error[E0404]: `add.ftz.f32` requires PTX 1.4, but this module has .version 1.3
 --> k.ptx:6:3
  |
6 |   add.ftz.f32 %f1, %f1, %f2;
  |   ^^^^^^^^^^^ not available in PTX 1.3
  |
  = help: write `.version 1.4` or above

error[E0401]: `%nsmid` requires sm_20, but this module targets sm_10
 --> k.ptx:7:15
  |
7 |   mov.u32 %r, %nsmid;
  |               ^^^^^^ not available in sm_10
  |
  = help: write `.version 2.0` and `.target sm_20`, or above
",
    );
}

#[test]
fn a_removed_form_is_rejected() {
    assert_diagnostics(
        ".version 2.3
.target sm_20
.entry k()
{
  .reg .f32 %f<3>;
  div.f32 %f1, %f1, %f2;
}
",
        "
error[E0405]: `div.f32` was removed in PTX 1.4, but this module has .version 2.3
 --> k.ptx:6:3
  |
6 |   div.f32 %f1, %f1, %f2;
  |   ^^^^^^^ not available in PTX 2.3
  |
  = help: use a form of PTX 1.4: div.approx|full{.ftz}.f32 d, a, b; div.rnd4{.ftz}.f32 d, a, b
",
    );
}

#[test]
fn the_version_must_allow_the_target_and_its_options() {
    assert_diagnostics(
        ".version 1.4
.target sm_20, debgu
.entry k()
{
  .reg .u32 %r<3>;
  popc.b32 %r1, %r2;
}
",
        "
error[E0314]: `sm_20` requires PTX 2.0, but this module has .version 1.4
 --> k.ptx:2:9
  |
2 | .target sm_20, debgu
  |         ^^^^^ not available in PTX 1.4
  |
  = help: write `.version 2.0` or above

error[E0310]: unknown target option `debgu`
 --> k.ptx:2:16
  |
2 | .target sm_20, debgu
  |                ^^^^^ expected map_f64_to_f32, texmode_unified, texmode_independent or debug
  |
  = help: did you mean `debug`?
",
    );
}

#[test]
fn a_newer_header_is_treated_as_the_newest_known_version() {
    assert_diagnostics(
        ".version 6.0
.target sm_30
.address_size 64
.visible .entry k()
{
  .reg .b32 %r<3>;
  popc.b32 %r1, %r2;
  ret;
}
",
        "
note[W0302]: `.version 6.0` and `.target sm_30` are read as PTX 2.3 for sm_21
",
    );
}

#[test]
fn a_newer_header_is_noted_only_if_nothing_is_wrong() {
    let codes = |body: &str| {
        let text = format!(".version 8.5\n.target sm_90\n.entry k () {{ {body} }}\n");
        let (_, diagnostics) = crate::compile("k.ptx", &text);
        diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>()
    };
    assert_eq!(codes("exit;"), ["W0302"]);
    assert_eq!(codes("redux.sync.add.s32 %r1, %r2, -1; exit;"), ["E0202"]);
    let text = |entry: &str| format!(".version 8.5\n.target sm_90\n.entry {entry} () {{ exit; }}\n");
    let (a, b) = (text("a"), text("b"));
    let source = std::sync::Arc::new(crate::source::Source::linked([("a.ptx", &*a), ("b.ptx", &*b)]));
    let (_, diagnostics) = crate::compile_source(&source, crate::Options::default());
    assert_eq!(diagnostics.iter().map(|diagnostic| diagnostic.code).collect::<Vec<_>>(), ["W0302"]);
    let silent = crate::Compilation { header_note: false, ..crate::Compilation::default() };
    assert!(crate::compile_for(&source, silent).1.is_empty());
}

#[test]
fn double_precision_below_sm_13_is_demoted_with_a_warning() {
    assert_diagnostics(
        ".version 1.4
.target sm_10
.entry k()
{
  .reg .f64 %e<3>;
  add.f64 %e1, %e2, %e2;
  mul.rz.f64 %e1, %e1, %e2;
}
",
        "
warning[W0303]: double precision requires sm_13: computed in single precision for sm_10
 --> k.ptx:6:3
  |
6 |   add.f64 %e1, %e2, %e2;
  |   ^^^^^^^^^^^^^^^^^^^^^^ the first use of .f64
  |
  = note: a value of type .f64 is a .f32 in the lower half of its 8 bytes
",
    );
}

#[test]
fn double_precision_is_not_demoted_from_sm_13_on() {
    assert_diagnostics(
        ".version 1.4\n.target sm_13, map_f64_to_f32\n.entry k() { exit; }\n",
        "
error[E0310]: `map_f64_to_f32` is not allowed for sm_13 and above
 --> k.ptx:2:16
  |
2 | .target sm_13, map_f64_to_f32
  |                ^^^^^^^^^^^^^^ these targets have double precision
",
    );
}
