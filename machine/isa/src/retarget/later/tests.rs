//! Tests of what later PTX becomes.

use crate::uop::disasm;

/// Returns the micro-ops of a kernel for `sm_90`, without the end.
fn code(body: &str) -> Vec<String> {
    code_for("8.3", "sm_90", body)
}

fn code_for(version: &str, target: &str, body: &str) -> Vec<String> {
    let text = format!(
        ".version {version}\n.target {target}\n.address_size 64\n.entry k(.param .u64 p)\n{{\n.reg .b32 %r<9>;\n\
         .reg .b64 %rd<9>;\n.reg .pred %p<9>;\nld.param.u64 %rd1, [p];\n{body}\nret;\n}}\n"
    );
    let (module, found) = crate::compile("k.ptx", &text);
    let Some(module) = module else { panic!("{}", crate::diag::render_all(&found, "k.ptx", &text)) };
    let listing = disasm::program(&module.entries[0]);
    let lines = listing.lines().filter(|line| line.starts_with(' '));
    let words = lines.map(|line| line.split_whitespace().skip(1).collect::<Vec<_>>().join(" "));
    words.filter(|line| !line.starts_with("exit") && !line.contains("ld.param")).collect()
}

/// Returns the first words of the micro-ops.
fn names(body: &str) -> Vec<String> {
    let first = |line: String| line.split(' ').find(|word| !word.starts_with('@')).map(str::to_owned);
    code(body).into_iter().filter_map(first).collect()
}

#[test]
fn an_order_is_a_volatile_access_with_a_fence() {
    let used = "st.global.b32 [%rd1], %r1;";
    for (scope, fence) in [("cta", "membar.cta"), ("gpu", "membar.gl"), ("sys", "membar.gl")] {
        let load = |order: &str| code(&format!("ld.{order}.{scope}.global.b32 %r1, [%rd1]; {used}"));
        let (relaxed, acquired) = (load("relaxed"), load("acquire"));
        assert!(relaxed[0].contains("ld.global.b32") && relaxed[0].contains("volatile"), "{relaxed:?}");
        assert!(!relaxed[1].contains("membar"), "{relaxed:?}");
        assert!(acquired[0].contains("volatile") && acquired[1] == fence, "{acquired:?}");
        let store = |order: &str| code(&format!("st.{order}.{scope}.global.b32 [%rd1], 1;"));
        let (relaxed, released) = (store("relaxed"), store("release"));
        assert!(relaxed[0].contains("volatile"), "{relaxed:?}");
        assert!(released[0] == fence && released[1].contains("volatile"), "{released:?}");
    }
    assert_eq!(names("st.weak.global.b32 [%rd1], 1;"), ["st.global.b32"]);
}

#[test]
fn an_atomic_has_a_fence_on_each_side_that_orders() {
    let atom =
        |words: &str| names(&format!("atom.{words}.add.u32 %r1, [%rd1], 1; st.global.b32 [%rd1], %r1;"));
    let (fence, add, rest) = ("membar.gl", "atom.global.b32", "st.global.b32");
    assert_eq!(atom("relaxed.gpu.global"), [add, rest]);
    assert_eq!(atom("acquire.gpu.global"), [add, fence, rest]);
    assert_eq!(atom("global.release.gpu"), [fence, add, rest]);
    assert_eq!(atom("global.gpu.acq_rel"), [fence, add, fence, rest], "as Triton writes it");
    assert_eq!(names("red.release.gpu.global.add.u32 [%rd1], 1;"), [fence, "red.global.b32"]);
    let guarded =
        code("ld.global.b32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 1; @%p1 st.release.gpu.global.b32 [%rd1], 1;");
    assert!(guarded.iter().all(|line| !line.contains("membar") || line.starts_with('@')), "{guarded:?}");
}

/// The L1 keeps what another SM has changed: after an acquire no load may read it.
#[test]
fn loads_bypass_the_l1_where_there_is_an_acquire() {
    let load = "ld.global.b32 %r1, [%rd1]; st.global.b32 [%rd1+4], %r1;";
    for hint in [".ca", ".cs", ".lu", ".L1::evict_first", ".L1::evict_last"] {
        let hinted = load.replace("ld.global", &format!("ld.global{hint}"));
        let lines = code(&format!("fence.acq_rel.gpu; {hinted}"));
        let bypasses = |line: &String| line.contains("ld.global.b32") && line.ends_with(" cg");
        assert!(lines.iter().any(bypasses), "{hint}: {lines:?}");
    }
    let cached = |with: &str| {
        let lines = code(&format!("{with} {load}"));
        !lines.iter().any(|line| line.contains("ld.global.b32") && line.ends_with(" cg"))
    };
    assert!(cached("") && cached("fence.sc.cta;") && cached("membar.cta;"));
    assert!(cached("st.release.gpu.global.b32 [%rd1+8], 1;"));
    for acquire in [
        "ld.acquire.gpu.global.b32 %r2, [%rd1+8];",
        "atom.acq_rel.sys.global.add.u32 %r2, [%rd1+8], 1;",
        "fence.acq_rel.gpu;",
        "fence.sc.sys;",
        "membar.gl;",
    ] {
        assert!(!cached(acquire), "{acquire}");
    }
    let fermi = code_for("2.3", "sm_20", &format!("membar.gl; {load}"));
    assert!(
        !fermi.iter().any(|line| line.ends_with(" cg")),
        "below sm_70 it is the fence of Fermi: {fermi:?}"
    );
}

#[test]
fn hints_change_no_result() {
    let store = "st.global.b32 [%rd1+4], %r1;";
    let load = |words: &str| code(&format!("ld.global{words}.b32 %r1, [%rd1]; {store}"));
    assert_eq!(load(".L1::evict_last.L2::128B"), load(""));
    assert_eq!(load(".L1::no_allocate"), load(".cg"));
    assert_eq!(load(".L1::evict_first"), load(".cs"));
    let policy = "createpolicy.fractional.L2::evict_first.b64 %rd2, 1.0;";
    let with_policy = code(&format!("{policy} ld.global.L2::cache_hint.b32 %r1, [%rd1], %rd2; {store}"));
    assert_eq!(with_policy, load(""));
    assert_eq!(names("nanosleep.u32 100;"), [""; 0]);
    assert_eq!(names("barrier.cta.sync.aligned 0;"), ["bar.sync"]);
}

#[test]
fn an_indexed_branch_is_a_chain_of_comparisons() {
    let body = "ld.global.b32 %r1, [%rd1];\nt: .branchtargets A, B, C;\nbrx.idx %r1, t;\n\
                A: st.global.b32 [%rd1], 1; ret;\nB: st.global.b32 [%rd1], 2; ret;\nC: st.global.b32 [%rd1], 3;";
    let names = names(body);
    assert_eq!(names.iter().filter(|name| *name == "setp.eq.b32").count(), 2, "{names:?}");
    assert_eq!(names.iter().filter(|name| *name == "bra").count(), 3, "{names:?}");
}

#[test]
fn a_carry_of_64_bits_goes_through_the_halves() {
    let used = "st.global.b64 [%rd1], %rd2;";
    let all = |body: &str| code_for("4.3", "sm_20", &format!("ld.global.b64 %rd2, [%rd1]; {body} {used}"));
    let has = |body: &str, name: &str| all(body).iter().filter(|line| line.starts_with(name)).count();
    assert_eq!(has("add.cc.u64 %rd2, %rd2, 5; addc.u64 %rd2, %rd2, %rd2;", "add"), 4, "one for each half");
    assert_eq!(has("mad.hi.cc.s64 %rd2, %rd2, %rd2, %rd2;", "mul.hi.s64"), 1);
    let old =
        ".version 4.2\n.target sm_20\n.entry k()\n{ .reg .b64 %d; mov.b64 %d, 0; add.cc.u64 %d, %d, %d; }\n";
    assert!(crate::compile("k.ptx", old).0.is_none(), "PTX 4.3 has it first");
}

#[test]
fn what_does_not_fit_is_rejected_by_name() {
    let message = |version: &str, target: &str, inst: &str| {
        let text = format!(
            ".version {version}\n.target {target}\n.entry k(.param .u32 p)\n{{ .reg .b32 %r<9>; .reg .b64 %d; {inst} ret; }}\n"
        );
        let (_, found) = crate::compile("k.ptx", &text);
        found.iter().find(|d| d.is_error()).map_or(String::new(), |d| format!("{} {}", d.code, d.message))
    };
    assert_eq!(
        message("2.3", "sm_20", "ld.relaxed.gpu.global.u32 %r1, [%r2];"),
        "E0401 `.relaxed` of `ld` requires sm_70, but this module targets sm_20"
    );
    assert_eq!(
        message("7.0", "sm_70", "st.acquire.gpu.global.u32 [%r2], %r1;"),
        "E0203 the words of `st.acquire.gpu.global.u32` do not fit"
    );
    assert_eq!(
        message("7.0", "sm_70", "ld.relaxed.global.u32 %r1, [%r2];"),
        "E0203 the words of `ld.relaxed.global.u32` do not fit"
    );
    assert_eq!(
        message("8.3", "sm_90", "ld.mmio.relaxed.sys.global.u32 %r1, [%r2];"),
        "E0202 `.mmio` of `ld` is PTX 8.2 for sm_70; this machine ends at PTX 2.3 for sm_21"
    );
    assert_eq!(
        message("8.3", "sm_90", "fence.proxy.alias;"),
        "E0202 `fence` is PTX 6.0 for sm_70; this machine ends at PTX 2.3 for sm_21"
    );
    assert_eq!(
        message("8.3", "sm_90", "add.bf16 %r1, %r1, %r1;"),
        "E0202 `.bf16` of `add` is PTX 7.0 for sm_80; this machine ends at PTX 2.3 for sm_21"
    );
}
