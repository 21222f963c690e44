//! The stepper, the timeline and the checker of texts, as the page calls them.

use lab::accesses::accesses;
use lab::check::{check, launch_for};
use lab::recording::timeline;
use lab::request::{NamedText, Request};
use lab::stepper::{Command, Focus, Format, Stepper, Stopped};

fn request(kernel: &str, size: u64) -> Request {
    Request { kernel: Some(kernel.to_owned()), size: Some(size), ..Request::default() }
}

#[test]
fn forward_and_back_end_in_the_same_state() {
    let mut stepper = Stepper::new(&request("reduce-interleaved", 1024), 1).expect("it starts");
    let focus = Focus::default();
    let state = |stepper: &Stepper| lab::json(&stepper.view(focus, Format::Hex));
    for _ in 0..20 {
        stepper.step(Command::Instruction { back: false }, focus);
    }
    let middle = state(&stepper);
    for _ in 0..5 {
        stepper.step(Command::Cycle { back: false }, focus);
    }
    assert_ne!(state(&stepper), middle);
    for _ in 0..5 {
        stepper.step(Command::Cycle { back: true }, focus);
    }
    assert_eq!(state(&stepper), middle);
    let end = loop {
        let moved = stepper.step(Command::Goto { cycle: u64::MAX }, focus);
        if moved.halt != Stopped::Unfinished {
            break moved;
        }
    };
    assert_eq!((end.halt, &*end.message), (Stopped::Ended, "The launch has finished."));
    let start = stepper.step(Command::Goto { cycle: 0 }, focus);
    assert_eq!((start.halt, stepper.view(focus, Format::Hex).cycle), (Stopped::Done, 0));
    assert_eq!(stepper.step(Command::Cycle { back: true }, focus).halt, Stopped::Start);
}

/// A warp executes whole lines of CUDA C, and goes back to where each line began.
#[test]
fn lines_of_cuda_c_are_steps() {
    let text = "__global__ void k(int *x)\n{\n    int i = threadIdx.x;\n    x[i] = i * 3;\n    \
                __syncthreads();\n    x[i] += x[31 - i];\n}\nint main()\n{\n    int *x;\n    \
                cudaMalloc((void **)&x, 128);\n    k<<<1, 32>>>(x);\n}\n";
    let ptx = Some(NamedText { name: "k.cu".to_owned(), text: text.to_owned() });
    let mut stepper = Stepper::new(&Request { ptx, ..Request::default() }, 1).expect("it starts");
    let focus = Focus::default();
    stepper.step(Command::Issue { back: false }, focus);
    let at = |stepper: &Stepper| {
        let view = stepper.view(focus, Format::Hex);
        (view.line, view.cycle)
    };
    let mut seen = vec![at(&stepper)];
    while let Stopped::Event = stepper.step(Command::Line { back: false }, focus).halt {
        seen.push(at(&stepper));
    }
    // After its exit a warp has no line.
    seen.retain(|(line, _)| *line > 0);
    let lines: Vec<u32> = seen.iter().map(|(line, _)| *line).collect();
    assert_eq!(lines, [3, 4, 5, 6, 7]);
    for line in lines[1..].iter().rev() {
        stepper.step(Command::Line { back: true }, focus);
        assert_eq!(at(&stepper).0, *line);
    }
    // Without an earlier step forward, a step back finds the start of the line.
    stepper.step(Command::Goto { cycle: seen[3].1 }, focus);
    stepper.step(Command::Line { back: true }, focus);
    assert_eq!(at(&stepper).0, 5);
}

#[test]
fn a_breakpoint_stops_at_its_line_and_back_at_the_one_before() {
    let mut stepper = Stepper::new(&request("matmul-tiled", 32), 1).expect("it starts");
    let line = stepper.accesses()[0].access.line;
    let mut stepper = Stepper::new(&request("matmul-tiled", 32), 1).expect("it starts");
    stepper.set_breakpoints(vec![line]);
    let focus = Focus::default();
    let first = stepper.step(Command::Continue { back: false }, focus);
    assert!(first.message.contains(&format!("line {line}:")), "{}", first.message);
    let at = stepper.view(focus, Format::Hex).cycle;
    let second = stepper.step(Command::Continue { back: false }, focus);
    assert_eq!(second.halt, Stopped::Event);
    stepper.step(Command::Continue { back: true }, focus);
    assert_eq!(stepper.view(focus, Format::Hex).cycle, at);
}

#[test]
fn a_later_launch_can_be_opened_and_a_missing_one_is_an_error() {
    let missing = Stepper::new(&request("vecadd", 100), 2).err().expect("there is one launch");
    assert_eq!(missing.message, "error: there is no launch 2: the last one has number 1");
    let missing = Stepper::new(&request("vecadd", 0), 1).err().expect("a bad size");
    assert!(missing.message.contains("size"), "{}", missing.message);
}

#[test]
fn a_timeline_covers_the_launch_or_its_first_cycles() {
    let whole = timeline(&request("vecadd", 1000), 1, 0, 1 << 20).expect("it runs");
    assert!(!whole.cut && whole.end > 1000, "{} {}", whole.cut, whole.end);
    assert!(whole.rows.iter().flatten().all(|(cycle, ..)| *cycle <= whole.end));
    let part = timeline(&request("vecadd", 1000), 1, 0, 1000).expect("it runs");
    assert!(part.cut && part.end <= 1000, "{} {}", part.cut, part.end);
}

#[test]
fn accesses_show_coalescing() {
    let all = accesses(&request("matmul-naive", 32)).expect("accesses");
    assert!(
        all.iter().any(|svg| svg.contains(">not coalesced<"))
            && all.iter().any(|svg| svg.contains(">coalesced<"))
    );
    let tiled = accesses(&request("matmul-tiled", 32)).expect("accesses");
    assert!(tiled.iter().any(|svg| svg.contains(">no bank conflict: ")));
}

#[test]
fn diagnostics_are_in_utf_16_units() {
    let text = "// ä € 😀\n.version 1.4\n.target sm_10\n.entry k { add.f33 %r1, 1, 2; exit; }\n";
    let checked = check("k.ptx", text, None, None);
    let one = &checked.diagnostics[0];
    let units: Vec<u16> = text.encode_utf16().collect();
    assert_eq!((String::from_utf16_lossy(&units[one.from..one.to]), one.line), (".f33".to_owned(), 4));
    assert!(checked.kernels.is_empty() && checked.drawn.contains("k.ptx:4"));
    let of = |text: &str| {
        let ptx = NamedText { name: "k.ptx".to_owned(), text: text.to_owned() };
        launch_for(&Request { ptx: Some(ptx), ..Request::default() }, None)
    };
    assert!(of(text).is_err());
    let good = ".version 1.4\n.target sm_10\n.entry k { exit; }\n";
    assert_eq!(check("k.ptx", good, None, None).kernels[0].name, "k");
    assert!(of(good).expect("a launch file").contains("entry: \"k\""));
}
