//! Findings of small kernels, one rule each. Parameter 0 is a buffer of 256 words of which nothing
//! wrote the upper half.

use super::Initcheck;
use crate::check::checker::Checker;
use crate::check::finding::Finding;
use crate::check::kind::Kind;
use crate::check::written::Written;
use crate::exec::Kernel;
use crate::exec::allocations::{Allocation, AllocationTable};
use crate::exec::build::Builder;
use crate::gpu::functional::{self, Executed, Hooks};
use crate::mem::image::Memory;
use crate::mem::map::AddressMap;
use isa::types::Dim3;
use isa::uop::ConstValue;
use std::sync::Arc;

/// Address of the buffer.
const BUFFER: u32 = 0x1000;

/// Returns the kernel with a body of PTX. The registers are `%a` to `%f` of 32 bits, `%x` and `%y`
/// of 64 bits, `%p` and `%q`, `%t` with the thread's number and `%to` with the address of its word
/// of the buffer.
fn kernel(body: &str, threads: u32, options: isa::Options) -> Kernel {
    let text = format!(
        ".version 2.3\n.target sm_20\n.entry k (.param .u32 buffer) {{\n\
         .reg .u32 %a, %b, %c, %d, %e, %f, %t, %to; .reg .u64 %x, %y; .reg .pred %p, %q;\n\
         .shared .u32 tile[64]; .local .u32 own[8];\n\
         mov.u32 %t, %tid.x; ld.param.u32 %to, [buffer]; mad.lo.u32 %to, %t, 4, %to;\n\
         {body}\n exit; }}\n"
    );
    let (module, diagnostics) = isa::compile_with("k.ptx", &text, options);
    let program = Arc::clone(&module.unwrap_or_else(|| panic!("{diagnostics:?}")).entries[0]);
    let params = BUFFER.to_le_bytes().to_vec();
    let value = |constant: &ConstValue| match constant {
        ConstValue::Bits(bits) => *bits,
        ConstValue::Param { .. } => BUFFER.into(),
        ConstValue::Global { .. } | ConstValue::Bank { .. } => panic!("the kernel has no such constant"),
    };
    let const32 = program.const32.iter().map(|c| [value(c) as u32; 32]).collect();
    let const64 = program.const64.iter().map(|c| [value(c); 32]).collect();
    let mut table = AllocationTable::new();
    assert!(table.insert(Allocation { start: BUFFER, bytes: 1024, name: Some("buffer".to_owned()) }));
    Kernel {
        const32,
        const64,
        params,
        shared_bytes: program.shared_bytes,
        block: Dim3::from(threads),
        allocations: Arc::new(table),
        program,
        ..Builder::new().kernel()
    }
}

/// Runs the kernel and returns its findings, the same with and without optimization.
fn check(body: &str, threads: u32) -> Vec<Finding> {
    let [plain, optimized] = [isa::Options::PLAIN, isa::Options::default()].map(|options| {
        let kernel = kernel(body, threads, options);
        let mut memory = Memory::new(AddressMap::new(256, 6));
        let mut written = Written::default();
        written.add(BUFFER, 512);
        let mut check = Initcheck::new(&kernel, written);
        let mut block = None;
        let watch = |executed: Executed| {
            if block.replace(executed.warp.block) != Some(executed.warp.block) {
                check.begin_block(executed.warp.block);
            }
            check.executed(&executed, None);
        };
        let hooks = Hooks { tell: None, watch: Some(watch), speculation: None };
        let end = functional::run(&kernel, &mut memory, 100_000, hooks);
        check.findings(&kernel, &end.ending)
    });
    let short = |findings: &[Finding]| -> Vec<_> {
        findings.iter().map(|found| (found.kind, found.line, found.times, found.message.clone())).collect()
    };
    assert_eq!(short(&plain), short(&optimized), "{body}");
    optimized
}

/// Kind, number of the line in the body from 1, and times of the findings of one warp.
fn found(body: &str) -> Vec<(Kind, u32, u64)> {
    check(body, 32).iter().map(|found| (found.kind, found.line - 6, found.times)).collect()
}

fn clean(body: &str) {
    assert_eq!(found(body), [], "{body}");
}

#[test]
fn a_register_matters_where_it_is_stored() {
    let body = "mov.u32 %b, %a;\n add.u32 %c, %b, 1;\n st.global.u32 [%to], %c;";
    let all = check(body, 32);
    assert_eq!(all.len(), 1);
    assert_eq!(
        all[0].message,
        "global memory at `buffer[0]` gets a value computed from register `%a`, which nothing wrote"
    );
    assert_eq!((all[0].kind, all[0].line - 6, all[0].times), (Kind::Register, 3, 32));
    clean("mov.u32 %b, %a;\n add.u32 %c, %b, 1;\n st.shared.u32 [tile], %c;");
    // It is reported once.
    assert_eq!(found("st.global.u32 [%to], %a;\n st.global.u32 [%to], %a;"), [(Kind::Register, 1, 32)]);
}

#[test]
fn branches_guards_and_addresses_matter() {
    let compare = "setp.eq.u32 %p, %a, 0;\n";
    assert_eq!(
        found(&format!("{compare} @%p bra end;\n st.global.u32 [%to], %t;\n end:")),
        [(Kind::Register, 2, 32)]
    );
    assert_eq!(found(&format!("{compare} @!%p st.global.u32 [%to], %t;")), [(Kind::Register, 2, 32)]);
    let address = "add.u32 %b, %to, %a;\n ld.global.u32 %c, [%b];\n st.global.u32 [%b], %c;";
    assert_eq!(found(address), [(Kind::Register, 2, 32)]);
    let message = &check(address, 32)[0].message;
    assert_eq!(message, "the address is a value computed from register `%a`, which nothing wrote");
    assert_eq!(found("vote.all.pred %q, %p;"), [(Kind::Register, 1, 32)]);
    assert_eq!(found("bar.red.popc.u32 %a, 0, %p;\n st.global.u32 [%to], %a;"), [(Kind::Register, 1, 32)]);
}

#[test]
fn lanes_are_separate() {
    let one_side = "setp.lt.u32 %p, %t, 8;\n @%p mov.u32 %a, 1;\n st.global.u32 [%to], %a;";
    assert_eq!(found(one_side), [(Kind::Register, 3, 24)]);
    clean("setp.lt.u32 %p, %t, 8;\n @%p mov.u32 %a, 1;\n @%p st.global.u32 [%to], %a;");
    let divergent = "setp.lt.u32 %p, %t, 8;\n @%p bra left;\n mov.u32 %a, 2;\n bra end;\n left:\n mov.u32 %a, 1;\n end:\n st.global.u32 [%to], %a;";
    clean(divergent);
    assert_eq!(found(&divergent.replace("mov.u32 %a, 2;", "")), [(Kind::Register, 8, 24)]);
}

#[test]
fn loops_keep_registers() {
    let sum = "mov.u32 %b, 0;\n again:\n add.u32 %a, %a, %b;\n add.u32 %b, %b, 1;\n setp.lt.u32 %p, %b, 4;\n @%p bra again;\n st.global.u32 [%to], %a;";
    let all = check(sum, 32);
    assert_eq!(
        all.iter().map(|found| (found.kind, found.line - 6)).collect::<Vec<_>>(),
        [(Kind::Register, 7)]
    );
    assert!(all[0].message.contains("register `%a`"), "{}", all[0].message);
    clean(&format!("mov.u32 %a, 0;\n{sum}"));
}

#[test]
fn known_results_are_defined() {
    for exception in [
        "xor.b32 %b, %a, %a;",
        "sub.u32 %b, %a, %a;",
        "mov.u32 %c, 0;\n and.b32 %b, %a, %c;",
        "mov.u32 %c, 0;\n mul.lo.u32 %b, %c, %a;",
        "mov.u32 %c, -1;\n or.b32 %b, %a, %c;",
        "shr.u32 %c, %t, 5;\n mad.lo.u32 %b, %a, %c, %t;",
        "setp.lt.u32 %p, %t, 99;\n selp.u32 %b, %t, %a, %p;",
    ] {
        clean(&format!("{exception}\n st.global.u32 [%to], %b;"));
    }
    for undefined in [
        "mov.u32 %c, 2;\n and.b32 %b, %a, %c;",
        "shr.u32 %c, %t, 5;\n mad.lo.u32 %b, %t, %c, %a;",
        "setp.lt.u32 %p, %t, 99;\n selp.u32 %b, %a, %t, %p;",
        "selp.u32 %b, %t, 5, %p;",
    ] {
        let all = found(&format!("{undefined}\n st.global.u32 [%to], %b;"));
        assert_eq!(all.len(), 1, "{undefined}");
    }
    // The second condition counts only if the first one holds.
    let both = "setp.lt.u32 %p, %t, 8;\n setp.lt.u32 %q, %a, 8;\n and.pred %p, %p, %q;\n @%p bra end;\n st.global.u32 [%to], %t;\n end:";
    assert_eq!(found(both), [(Kind::Register, 4, 8)]);
}

#[test]
fn shared_memory_has_bytes_and_origins() {
    let store = "shl.b32 %b, %t, 2; mov.u32 %c, tile; add.u32 %b, %b, %c;\n st.shared.u32 [%b], %t;\n";
    clean(&format!("{store} ld.shared.u32 %d, [%b];\n st.global.u32 [%to], %d;"));
    let beyond = format!("{store} ld.shared.u32 %d, [%b+4];\n add.u32 %d, %d, 1;\n st.global.u32 [%to], %d;");
    let all = check(&beyond, 32);
    assert_eq!((all[0].kind, all[0].line - 6, all[0].times, all.len()), (Kind::Shared, 5, 1, 1));
    assert_eq!(
        all[0].message,
        "global memory at `buffer[31]` gets a value from shared memory at `tile[32]`, which nothing wrote"
    );
    let half = "st.shared.u16 [tile], %t;\n ld.shared.u32 %d, [tile];\n st.global.u32 [%to], %d;";
    assert_eq!(found(half), [(Kind::Shared, 3, 32)]);
    clean("st.shared.u16 [tile], %t;\n ld.shared.u16 %d, [tile];\n st.global.u32 [%to], %d;");
    // An undefined register keeps its origin in memory.
    let copy = "st.shared.u32 [tile], %a;\n ld.shared.u32 %d, [tile];\n st.global.u32 [%to], %d;";
    assert_eq!(found(copy), [(Kind::Register, 3, 32)]);
    clean(&copy.replace("st.shared.u32 [tile], %a;", "st.shared.u32 [tile], %a; st.shared.u32 [tile], %t;"));
}

#[test]
fn bits_are_separate() {
    // Two fields of a word that nothing wrote; each change writes the other bits back.
    let change = |low: u32, mask: u32| {
        format!(
            "ld.SPACE.u32 %b, [AT];\n and.b32 %b, %b, {}; and.b32 %c, %t, {mask}; shl.b32 %c, %c, {low};\n\
             or.b32 %b, %b, %c; st.SPACE.u32 [AT], %b;\n",
            !(mask << low)
        )
    };
    let field = |low: u32, mask: u32| {
        format!(
            "ld.SPACE.u32 %d, [AT]; shr.u32 %d, %d, {low}; and.b32 %d, %d, {mask};\n st.global.u32 [%to], %d;"
        )
    };
    let signed = |high: u32, bits: u32| {
        format!(
            "ld.SPACE.u32 %d, [AT]; shl.b32 %d, %d, {high}; shr.s32 %d, %d, {};\n st.global.u32 [%to], %d;",
            32 - bits
        )
    };
    let extract = "ld.SPACE.u32 %d, [AT]; bfe.u32 %d, %d, 5, 11;\n st.global.u32 [%to], %d;";
    let insert = "ld.SPACE.u32 %b, [AT]; bfi.b32 %b, %t, %b, 5, 11;\n st.SPACE.u32 [AT], %b;\n";
    let (low, high) = (change(0, 31), change(5, 0x7ff));
    let places =
        [("shared", "tile", Kind::Shared), ("local", "own", Kind::Local), ("global", "%e", Kind::Global)];
    for (space, at, kind) in places {
        let all = |body: &str| {
            let body = body.replace("SPACE", space).replace("AT", at);
            let own = "shl.b32 %e, %t, 2; add.u32 %e, %e, %to; add.u32 %e, %e, 512; ";
            // Only the first lane, so that the words of global memory are separate.
            found(&format!("{own}\n{body}"))
                .into_iter()
                .map(|found| (found.0, found.1 - 1))
                .collect::<Vec<_>>()
        };
        for both in [format!("{low}{high}"), format!("{high}{low}"), format!("{low}{insert}")] {
            let lines = both.lines().count() as u32;
            for read in [&*field(0, 31), &*field(5, 0x7ff), extract, &*signed(16, 11), &*signed(27, 5)] {
                assert_eq!(all(&format!("{both}{read}")), [], "{space} {both}{read}");
            }
            // The bits that nothing wrote.
            for read in [&*field(16, 1), &*field(15, 3), &*field(0, 0x1_ffff), &*signed(15, 12)] {
                let found = all(&format!("{both}{read}"));
                assert_eq!(found, [(kind, lines + 2)], "{space} {both}{read}");
            }
        }
        // One field is written, the other one is read.
        assert_eq!(all(&format!("{low}{}", field(0, 31))), [], "{space}");
        assert_eq!(all(&format!("{low}{extract}")).len(), 1, "{space}");
        assert_eq!(all(&format!("{high}{}", field(4, 1))).len(), 1, "{space}");
        // A change of a field that depends on its old value is a use in global memory.
        let more = "ld.SPACE.u32 %b, [AT]; add.u32 %c, %b, 1; and.b32 %c, %c, 31; and.b32 %b, %b, -32; or.b32 %b, %b, %c;\n\
                    st.SPACE.u32 [AT], %b;\n";
        assert_eq!(all(&format!("{more}{}", field(0, 31))).len(), 1, "{space}");
        assert_eq!(all(&format!("{low}{more}{}", field(0, 31))), [], "{space}");
    }
}

#[test]
fn bits_pass_through_conversions() {
    let byte = "st.shared.u8 [tile], %t;\n ld.shared.u32 %b, [tile];\n";
    let store = "st.global.u32 [%to], %d;";
    for used in [
        "and.b32 %d, %b, 255;",
        "cvt.u32.u8 %d, %b;",
        "cvt.s32.s8 %d, %b;",
        "shl.b32 %d, %b, 24;",
        "not.b32 %d, %b; xor.b32 %d, %d, %t; and.b32 %d, %d, 15;",
        "prmt.b32 %d, %b, %t, 0x4400;",
        "cvt.u64.u32 %x, %b; shl.b64 %x, %x, 56; shr.u64 %x, %x, 56; cvt.u32.u64 %d, %x;",
        "add.u32 %d, %b, 3; and.b32 %d, %d, 255;",
    ] {
        clean(&format!("{byte}{used}\n{store}"));
    }
    for used in [
        "and.b32 %d, %b, 511;",
        "cvt.u32.u16 %d, %b;",
        "shr.u32 %d, %b, 8;",
        "prmt.b32 %d, %b, %t, 0x1000;",
        "shr.u32 %d, %b, 4; and.b32 %d, %d, 31;",
        "mul.lo.u32 %d, %b, 3; and.b32 %d, %d, 256;",
    ] {
        assert_eq!(found(&format!("{byte}{used}\n{store}")), [(Kind::Shared, 4, 32)], "{used}");
    }
}

#[test]
fn elements_of_vectors_are_separate() {
    let load = "st.shared.u32 [tile], %t;\n ld.shared.v2.u32 {%a, %b}, [tile];\n";
    clean(&format!("{load} st.global.u32 [%to], %a;"));
    assert_eq!(found(&format!("{load} st.global.u32 [%to], %b;")), [(Kind::Shared, 3, 32)]);
    let store = "shl.b32 %b, %t, 2; add.u32 %to, %to, %b;\n st.global.v2.u32 [%to], {%t, %a};";
    let all = check(store, 32);
    assert!(all[0].message.contains("register `%a`"), "{}", all[0].message);
    assert_eq!((all.len(), all[0].times), (1, 32));
}

#[test]
fn local_memory_belongs_to_a_thread() {
    clean("st.local.u32 [own+4], %t;\n ld.local.u32 %a, [own+4];\n st.global.u32 [%to], %a;");
    let one = "setp.eq.u32 %p, %t, 3;\n @%p st.local.u32 [own+4], %t;\n ld.local.u32 %a, [own+4];\n st.global.u32 [%to], %a;";
    let all = check(one, 32);
    assert_eq!((all[0].kind, all[0].times), (Kind::Local, 31));
    assert!(all[0].message.contains("local memory at `own[1]`"), "{}", all[0].message);
    let scattered = "and.b32 %b, %t, 7; shl.b32 %b, %b, 2; mov.u32 %c, own; add.u32 %b, %b, %c;\n st.local.u32 [%b], %t;\n ld.local.u32 %a, [%b];\n st.global.u32 [%to], %a;";
    clean(scattered);
    assert_eq!(found(&scattered.replace("%a, [%b]", "%a, [own]")), [(Kind::Local, 4, 28)]);
}

#[test]
fn global_memory_is_written_by_the_host_and_by_kernels() {
    clean(
        "ld.global.u32 %a, [%to];\n st.global.u32 [%to+512], %a;\n ld.global.u32 %b, [%to+512];\n st.global.u32 [%to], %b;",
    );
    let all = check("ld.global.u32 %a, [%to+512];\n st.global.u32 [%to], %a;", 32);
    assert_eq!((all[0].kind, all[0].line - 6, all[0].times), (Kind::Global, 2, 32));
    assert!(all[0].message.contains("global memory at `buffer[128]`"), "{}", all[0].message);
    let memory = all[0].memory.as_ref().expect("a place in memory");
    assert_eq!((memory.address, memory.bytes), (u64::from(BUFFER) + 512, 4));
}

#[test]
fn atomics_read_and_write() {
    let count = "atom.shared.add.u32 %a, [tile], 1;\n ld.shared.u32 %b, [tile];\n st.global.u32 [%to], %b;";
    assert_eq!(found(count), [(Kind::Shared, 3, 32)]);
    clean(&format!("st.shared.u32 [tile], %t;\n{count}"));
    clean("atom.shared.exch.b32 %a, [tile], %t;\n ld.shared.u32 %b, [tile];\n st.global.u32 [%to], %b;");
    // The first lane gets what nothing wrote; the others get the value of the lane before.
    let old = "atom.shared.exch.b32 %a, [tile], %t;\n st.global.u32 [%to], %a;";
    assert_eq!(found(old), [(Kind::Shared, 2, 1)]);
    assert_eq!(found("red.global.add.u32 [%to+512], 1;"), [(Kind::Global, 1, 32)]);
    assert_eq!(found("red.global.add.u32 [%to], %a;"), [(Kind::Register, 1, 32)]);
    clean("red.global.add.u32 [%to], 1;");
}

#[test]
fn a_missing_barrier_is_no_finding() {
    // Warp 0 reads the word that warp 1 writes.
    let body = |barrier: &str| {
        format!(
            "shl.b32 %b, %t, 2; mov.u32 %c, tile; add.u32 %b, %b, %c;\n st.shared.u32 [%b], %t;\n {barrier}\n\
             xor.b32 %d, %t, 63; shl.b32 %d, %d, 2; add.u32 %d, %d, %c;\n ld.shared.u32 %e, [%d];\n st.global.u32 [%to], %e;"
        )
    };
    assert_eq!(check(&body(""), 64), []);
    assert_eq!(check(&body("bar.sync 0;"), 64), []);
    // The same thread reads before it writes.
    let late = "ld.shared.u32 %e, [tile];\n st.global.u32 [%to], %e;\n st.shared.u32 [tile], %t;";
    assert_eq!(found(late), [(Kind::Shared, 2, 32)]);
}

#[test]
fn generic_addresses_have_a_state_space() {
    let store = "mov.u32 %b, tile; cvta.shared.u32 %b, %b;\n st.u32 [%b], %t;\n";
    clean(&format!("{store} ld.u32 %a, [%b];\n st.u32 [%to], %a;"));
    assert_eq!(found(&format!("{store} ld.u32 %a, [%b+4];\n st.u32 [%to], %a;")), [(Kind::Shared, 4, 32)]);
}

#[test]
fn a_division_by_zero_matters_at_its_line() {
    // Thread 0 divides by 0. The result may take the row of the divisor.
    for division in ["div.u32", "div.s32", "rem.u32", "rem.s32"] {
        let body = format!("mov.u32 %a, 5;\n {division} %b, %a, %t;\n st.global.u32 [%to], %b;");
        assert_eq!(found(&body), [(Kind::DivisionByZero, 2, 1)], "{division}");
    }
    let wide = "mov.u64 %x, 5; cvt.u64.u32 %y, %t;\n div.u64 %x, %x, %y;\n cvt.u32.u64 %b, %x;\n st.global.u32 [%to], %b;";
    assert_eq!(found(wide), [(Kind::DivisionByZero, 2, 1)]);
    let guard = "mov.u32 %a, 5;\n div.u32 %b, %a, %t;\n setp.eq.u32 %p, %b, 1;\n @%p bra end;\n st.global.u32 [%to], %t;\n end:";
    let all = check(guard, 32);
    assert_eq!(all[0].message, "division by zero: a guard depends on the result");
    assert_eq!(all[0].threads.iter().map(|thread| thread.line - 6).collect::<Vec<_>>(), [4, 2]);
    // A result that is not selected is no mistake.
    clean(
        "mov.u32 %a, 5;\n div.u32 %b, %a, %t;\n setp.eq.u32 %p, %t, 0;\n selp.u32 %b, 7, %b, %p;\n st.global.u32 [%to], %b;",
    );
    clean("mov.u32 %a, 5; add.u32 %c, %t, 1;\n div.u32 %b, %a, %c;\n st.global.u32 [%to], %b;");
}
