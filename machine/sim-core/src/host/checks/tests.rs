//! Mistakes of the host program, which no kernel file can show.

use crate::check::{Check, Checks, Kind, Severity};
use crate::config::Chip;
use crate::host::{Arg, Gpu, Launch, Mode, ModuleId};
use crate::stats::Report;

/// Stores the thread number at `to`, `skip` bytes further.
const STORE: &str = "
	.version 1.4
	.target sm_10
	.global .u32 total;
	.entry store (.param .u32 to, .param .u32 skip)
	{
	.reg .u32 %t, %off, %to, %skip;
	mov.u32 %t, %tid.x;
	shl.b32 %off, %t, 2;
	ld.param.u32 %to, [to];
	ld.param.u32 %skip, [skip];
	add.u32 %to, %to, %off;
	add.u32 %to, %to, %skip;
	st.global.u32 [%to], %t;
	exit;
	}
";

fn gpu(checks: Checks) -> (Gpu, ModuleId) {
    let options = isa::Options::PLAIN;
    let (module, diagnostics) = isa::compile_with("store.ptx", STORE, options);
    let mut gpu = Gpu::new(Chip::builtin("g80").expect("it is built in"));
    gpu.check(checks);
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:?}"))).expect("it loads");
    (gpu, module)
}

fn launch(module: ModuleId, args: [Arg; 2]) -> Launch {
    Launch::new(module, "store", 1, 32).args(args).mode(Mode::Functional)
}

/// Returns the kinds and the number of times of the findings.
fn found(report: &Report) -> Vec<(Kind, u64)> {
    let findings = &report.checks.as_ref().expect("checkers were on").findings;
    findings.iter().map(|finding| (finding.kind, finding.times)).collect()
}

#[test]
fn a_pointer_to_freed_memory_is_a_use_after_free() {
    let (mut gpu, module) = gpu(Checks::NONE.and(Check::Memory));
    let [old, kept] = ["old", "kept"].map(|name| gpu.malloc_named(256, Some(name)).expect("there is space"));
    gpu.free(old).expect("it is allocated");
    let report = gpu.launch(&launch(module, [Arg::Ptr(old), Arg::U32(0)])).expect("it is launched");
    assert_eq!(found(&report), [(Kind::UseAfterFree, 32)]);
    let finding = &report.checks.expect("checkers were on").findings[0];
    assert!(finding.message.contains("`old` that the host has freed"), "{}", finding.message);
    assert_eq!((finding.check, finding.severity), (Check::Memory, Severity::Error));
    // The memory belongs to another allocation now.
    let new = gpu.malloc_named(256, Some("new")).expect("there is space");
    assert_eq!(new, old);
    let report = gpu.launch(&launch(module, [Arg::Ptr(old), Arg::U32(0)])).expect("it is launched");
    assert_eq!(found(&report), []);
    let report = gpu.launch(&launch(module, [Arg::Ptr(kept), Arg::U32(256)])).expect("it is launched");
    assert_eq!(found(&report), [(Kind::OutOfBounds, 32)]);
}

#[test]
fn an_address_in_the_next_allocation_is_a_crossing() {
    let (mut gpu, module) = gpu(Checks::ALL);
    let [first, second] =
        ["first", "second"].map(|name| gpu.malloc_named(256, Some(name)).expect("there is space"));
    let skip = second.address() - first.address() - 64;
    // The gap between the allocations traps, so only the last 16 threads may reach it.
    let report = gpu.launch(&launch(module, [Arg::Ptr(first), Arg::U32(skip + 64)])).expect("it is launched");
    assert_eq!(found(&report), [(Kind::Crossing, 32)]);
    let finding = &report.checks.as_ref().expect("checkers were on").findings[0];
    assert!(finding.message.contains("`second`") && finding.message.contains("`first`"), "{finding:?}");
    let report = gpu.launch(&launch(module, [Arg::Ptr(second), Arg::U32(0)])).expect("it is launched");
    assert_eq!(found(&report), []);
    // A number that the host computed from a pointer has no object.
    let number = Arg::U32(first.address());
    let report = gpu.launch(&launch(module, [number, Arg::U32(skip + 64)])).expect("it is launched");
    assert_eq!(found(&report), []);
}

/// Adds 1 to the words at `to`.
const ADD: &str = "
	.version 1.4
	.target sm_10
	.entry add (.param .u32 to)
	{
	.reg .u32 %t, %to, %v;
	mov.u32 %t, %tid.x;
	ld.param.u32 %to, [to];
	mad24.lo.u32 %to, %t, 4, %to;
	ld.global.u32 %v, [%to];
	add.u32 %v, %v, 1;
	st.global.u32 [%to], %v;
	exit;
	}
";

#[test]
fn a_copy_in_the_wrong_direction_is_named() {
    let (mut gpu, _) = gpu(Checks::NONE.and(Check::Init));
    let (module, diagnostics) = isa::compile_with("add.ptx", ADD, isa::Options::PLAIN);
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:?}"))).expect("it loads");
    let mut run = |copy: &dyn Fn(&mut Gpu, crate::host::DevicePtr)| {
        let to = gpu.malloc_named(128, Some("to")).expect("there is space");
        copy(&mut gpu, to);
        let launch = Launch::new(module, "add", 1, 32).args([Arg::Ptr(to)]).mode(Mode::Functional);
        gpu.launch(&launch).expect("it is launched")
    };
    let report = run(&|gpu, to| gpu.copy_out(to, &mut [1; 128]).expect("it is allocated"));
    assert_eq!(found(&report), [(Kind::CopyDirection, 32)]);
    let finding = &report.checks.expect("checkers were on").findings[0];
    assert!(finding.notes.iter().any(|note| note.contains("the direction of that copy")), "{finding:?}");
    assert_eq!(found(&run(&|_, _| ())), [(Kind::Global, 32)], "without any copy");
    assert_eq!(found(&run(&|gpu, to| gpu.copy_in(to, &[1; 128]).expect("it is allocated"))), []);
    let both = |gpu: &mut Gpu, to| {
        gpu.copy_out(to, &mut [0; 128]).expect("it is allocated");
        gpu.copy_in(to, &[1; 128]).expect("it is allocated");
    };
    assert_eq!(found(&run(&both)), []);
}

#[test]
fn allocations_that_are_not_freed_are_leaks() {
    let (mut gpu, _) = gpu(Checks::NONE);
    let (kept, freed) = (gpu.malloc_named(64, Some("kept")), gpu.malloc(64));
    gpu.free(freed.expect("there is space")).expect("it is allocated");
    let leaks = gpu.leaks();
    let leaks: Vec<_> = leaks.iter().map(|leak| (leak.kind, leak.message.as_str())).collect();
    assert_eq!(leaks, [(Kind::Leak, "the allocation `kept` of 64 bytes is never freed")]);
    gpu.free(kept.expect("there is space")).expect("it is allocated");
    assert_eq!(gpu.leaks(), [], "the variable `total` belongs to the module");
}

#[test]
fn launches_without_checkers_have_no_findings() {
    let (mut gpu, module) = gpu(Checks::NONE);
    let to = gpu.malloc(256).expect("there is space");
    let report = gpu.launch(&launch(module, [Arg::Ptr(to), Arg::U32(0)])).expect("it is launched");
    assert!(report.checks.is_none());
    gpu.check_races(true);
    let report = gpu.launch(&launch(module, [Arg::Ptr(to), Arg::U32(0)])).expect("it is launched");
    assert!(report.checks.is_some_and(|checks| checks.on == [Check::Race] && checks.race.is_some()));
}
