//! Launches are replaced by what other launches have written.

use super::{Effects, Recorded};
use crate::config::Chip;
use crate::host::{Arg, DevicePtr, Gpu, Launch, Mode, ModuleId};

/// `add` adds `plus` to the first 32 words of `from`, and stores them at `to`.
const ADD: &str = "
	.version 1.4
	.target sm_10
	.entry add (.param .u32 to, .param .u32 from, .param .u32 plus)
	{
	.reg .u32 %t, %to, %from, %plus, %v;
	mov.u32 %t, %tid.x;
	shl.b32 %t, %t, 2;
	ld.param.u32 %to, [to];
	ld.param.u32 %from, [from];
	ld.param.u32 %plus, [plus];
	add.u32 %to, %to, %t;
	add.u32 %from, %from, %t;
	ld.global.u32 %v, [%from];
	add.u32 %v, %v, %plus;
	st.global.u32 [%to], %v;
	exit;
	}
";

struct Run {
    gpu: Gpu,
    module: ModuleId,
    from: DevicePtr,
    to: DevicePtr,
}

/// A program that copies 32 words from `first` on to the device and to its result.
fn run(effects: Effects, first: u32) -> Run {
    let (module, diagnostics) = isa::compile_with("add.ptx", ADD, isa::Options::PLAIN);
    let mut gpu = Gpu::new(Chip::builtin("g80").expect("it is built in"));
    gpu.set_effects(effects);
    let module = gpu.load(module.unwrap_or_else(|| panic!("{diagnostics:?}"))).expect("it loads");
    let [from, to] = [0, 1].map(|_| gpu.malloc(256).expect("there is space"));
    let words: Vec<u8> = (first..first + 32).flat_map(u32::to_le_bytes).collect();
    gpu.copy_in(from, &words).expect("it is allocated");
    gpu.copy_in(to, &words).expect("it is allocated");
    Run { gpu, module, from, to }
}

impl Run {
    fn add(&mut self, [to, from]: [DevicePtr; 2], plus: u32) {
        let launch = Launch::new(self.module, "add", 1, 32).mode(Mode::Functional);
        let launch = launch.args([Arg::Ptr(to), Arg::Ptr(from), Arg::U32(plus)]);
        assert!(self.gpu.launch(&launch).expect("it is launched").verdict.is_finished());
    }

    /// The first and the last word of the result.
    fn result(&mut self) -> [u32; 2] {
        [0, 31].map(|word: usize| {
            let mut bytes = [0; 128];
            self.gpu.copy_out(self.to, &mut bytes).expect("it is allocated");
            u32::from_le_bytes(bytes[4 * word..4 * word + 4].try_into().expect("four bytes"))
        })
    }

    fn recorded(&mut self) -> Recorded {
        match self.gpu.set_effects(Effects::Off) {
            Effects::Record(recorded) => recorded,
            other => panic!("{other:?}"),
        }
    }

    fn is_same(&mut self) -> bool {
        match self.gpu.set_effects(Effects::Off) {
            Effects::Replace(replaced) => replaced.is_same(),
            other => panic!("{other:?}"),
        }
    }
}

fn recording() -> Effects {
    Effects::Record(Recorded::default())
}

#[test]
fn a_replaced_launch_writes_the_recorded_bytes() {
    let mut first = run(recording(), 100);
    first.add([first.to, first.from], 5);
    assert_eq!(first.result(), [105, 136]);
    let recorded = first.recorded();
    assert!(recorded.is_whole());
    let mut second = run(recorded.replace(), 200);
    second.add([second.to, second.from], 7);
    assert_eq!(second.result(), [105, 136], "of the first run");
    assert!(second.is_same());
}

#[test]
fn without_a_recorded_launch_nothing_is_written() {
    let mut skipped = run(Recorded::default().replace(), 200);
    skipped.add([skipped.to, skipped.from], 7);
    assert_eq!(skipped.result(), [200, 231]);
    assert!(!skipped.is_same());
}

/// A byte that a launch has written counts, with any earlier value.
#[test]
fn bytes_that_stay_equal_are_written() {
    let mut first = run(recording(), 1 << 16);
    // Three bytes of each word stay.
    first.add([first.to, first.to], 1);
    let mut second = run(first.recorded().replace(), 0x0f0f_0000);
    second.add([second.to, second.to], 1);
    assert_eq!(second.result(), [(1 << 16) + 1, (1 << 16) + 32]);
}

/// A kernel that only copies carries the bytes of the host of its run.
#[test]
fn a_copying_launch_copies_again() {
    let mut first = run(recording(), 100);
    first.add([first.to, first.from], 0);
    let mut second = run(first.recorded().replace(), 200);
    second.add([second.to, second.from], 0);
    assert_eq!(second.result(), [200, 231]);
    assert!(second.is_same());
}

#[test]
fn a_launch_with_other_pointers_is_another_one() {
    let mut first = run(recording(), 100);
    first.add([first.to, first.from], 5);
    let mut second = run(first.recorded().replace(), 200);
    second.add([second.to, second.to], 5);
    assert_eq!(second.result(), [200, 231]);
    assert!(!second.is_same());
}

#[test]
fn a_launch_that_does_not_finish_makes_the_record_partial() {
    let mut run = run(recording(), 100);
    let launch = Launch::new(run.module, "add", 1, 32).mode(Mode::Functional);
    let far = Arg::U32(0x7000_0000);
    let report = run.gpu.launch(&launch.args([Arg::Ptr(run.to), far, Arg::U32(1)])).expect("it is launched");
    assert!(!report.verdict.is_finished());
    assert!(!run.recorded().is_whole());
}
