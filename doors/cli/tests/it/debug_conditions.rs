//! Conditions of breakpoints, the commands of GDB and CUDA-GDB, and what follows the end of a
//! launch.

use crate::common::{Run, warpsim_with};

const TILE: &str = "debug/tile.cu";

/// Runs commands on a program.
fn debug(program: &[&str], commands: &[&str]) -> Run {
    let ex = commands.iter().flat_map(|command| ["-ex", command]);
    let words: Vec<&str> =
        ["debug"].into_iter().chain(program.iter().copied()).chain(["--batch"]).chain(ex).collect();
    warpsim_with(&words)
}

/// The answer to each command, without errors.
fn answers(output: &str) -> Vec<(&str, &str)> {
    let output = output.split("[End of the commands").next().unwrap_or("");
    let parts = output.split("(warpsim) ").skip(1);
    parts.map(|part| part.split_once('\n').unwrap_or((part, ""))).collect()
}

/// The first stop of a breakpoint at line 22 of `tile.cu`.
fn stop(condition: &str) -> String {
    let Run { code, stdout, stderr } = debug(&[TILE], &[&format!("break 22 {condition}"), "continue"]);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{condition}: {stdout}");
    let all = answers(&stdout);
    all.last().expect("a stop").1.to_owned()
}

#[test]
fn a_condition_has_the_values_that_print_shows() {
    for (condition, expected) in [
        // Registers that are reused at this place.
        ("if x == 35", "thread (3,0,0)"),
        ("if y == 31 && x == 63", "block (3,15,0), thread (15,1,0)"),
        ("if i == 1952", "block (2,15,0), thread (0,0,0)"),
        ("if blockIdx.x == 2", "block (2,"),
        ("if blockIdx.x == 1 && blockIdx.y == 3 && threadIdx.x >= 5", "block (1,3,0), thread (5,0,0)"),
        ("if in[i] == 2047", "block (3,15,0), thread (15,1,0)"),
        ("if in[i] > 2040 || in[i] == 5", "thread ("),
        ("if tile[1][3] == 67", "block (0,0,0)"),
        ("if tile[threadIdx.y][threadIdx.x] == 1000", "thread (8,1,0)"),
        ("if pair.low == 2 && x == 17", "thread (1,"),
        ("if pair.high < 0.75 && i == 100", "thread (4,1,0)"),
        ("if offset == 7 && i % 1000 == 999", "thread ("),
        ("if (x + y) * 2 == 46", "thread ("),
        ("if *(in + i) == 77", "thread (13,1,0)"),
        ("if !(threadIdx.x != 9)", "thread (9,0,0)"),
        ("thread (0,1,0)", "thread (0,1,0)"),
        ("block (2,15,0) thread (5,1,0)", "block (2,15,0), thread (5,1,0)"),
        ("block (2,15,0) thread (5,1,0) if x == 37", "block (2,15,0), thread (5,1,0)"),
    ] {
        let stop = stop(condition);
        assert!(stop.contains("  22\t    out[i] = v + offset;"), "{condition}: {stop}");
        let focus = stop.lines().find(|line| line.starts_with("[launch 1, ")).unwrap_or("");
        let focus =
            if condition.contains("tile[1][3]") || condition == "if blockIdx.x == 2" { &stop } else { focus };
        assert!(focus.contains(expected), "{condition}: {stop}");
    }
}

#[test]
fn a_thread_is_the_focus_and_its_breakpoint_stops_once() {
    let commands =
        ["break 22 block (2,15,0) thread (3,1,0)", "continue", "info locals", "cuda thread", "continue"];
    let Run { code, stdout, stderr } = debug(&[TILE], &commands);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let all = answers(&stdout);
    assert!(all[2].1.contains("Variables of lane 19:"), "{stdout}");
    assert_eq!(all[3].1, "thread (3,1,0)\n");
    assert!(all[4].1.contains("]\n22\n[The program has ended"), "{stdout}");
}

#[test]
fn the_names_of_a_condition_are_checked_when_the_launch_begins() {
    for (condition, expected) in [
        ("if nosuch == 1", "kernel `reverse` has no variable `nosuch`"),
        ("if xx == 1", "did you mean `x`?"),
        ("if in[nosuch] == 1", "has no variable `nosuch`"),
        ("if x == 3 && yy > 2", "has no variable `yy`"),
        ("if %nosuch == 2", "no instruction of this kernel writes a register `%nosuch`"),
    ] {
        let Run { code, stdout, stderr } = debug(&[TILE], &[&format!("break 22 {condition}"), "continue"]);
        assert_eq!(code, Some(2), "{condition}: {stdout}");
        let expected_start = "error: launch 1: breakpoint 1: ";
        assert!(stderr.starts_with(expected_start) && stderr.contains(expected), "{condition}: {stderr}");
    }
    let Run { code, stdout, .. } = debug(&[TILE], &["break 22 thread (0,2,0)", "continue"]);
    let note =
        "[breakpoint 1 does not stop in this launch: thread (0,2,0) is outside of the block (16,2,1)]\n";
    assert!(code == Some(0) && stdout.contains(note), "{stdout}");
}

#[test]
fn a_line_without_an_instruction_is_named_when_its_kernel_begins() {
    let Run { code, stdout, .. } = debug(&[TILE], &["break 12", "break 22", "continue"]);
    let note = "[breakpoint 1 does not stop in this launch: line 12 has no instruction; the next \
                line with an instruction is 13]\n";
    assert!(code == Some(0) && stdout.contains(note), "{stdout}");
}

#[test]
fn a_condition_that_has_no_syntax_is_refused_at_once() {
    for (condition, expected) in [
        ("if x = 3", "`==` compares"),
        ("if x ==", "missing a value"),
        ("if", "break requires an expression behind `if`"),
        ("if f(x)", "calls no functions"),
    ] {
        let Run { code, stderr, stdout } = debug(&[TILE], &[&format!("break 22 {condition}"), "quit"]);
        assert!(code == Some(2) && stderr.contains(expected), "{condition}: {stderr}{stdout}");
    }
}

#[test]
fn a_condition_that_could_never_be_evaluated_says_so() {
    for (condition, expected) in [
        ("if tile[5][0] == 1", "index 5 is outside of `tile`, which has 2 elements"),
        ("if in[100000] == 1", "which is in no allocation"),
        ("if x / 0 == 1", "has no value"),
    ] {
        let Run { code, stdout, stderr } = debug(&[TILE], &[&format!("break 22 {condition}"), "continue"]);
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{condition}: {stdout}");
        let text = &condition[3..];
        let start = format!("breakpoint 1: its condition `{text}` was tested ");
        assert!(stdout.contains(&start) && stdout.contains(expected), "{condition}: {stdout}");
    }
    // A condition that is false was evaluated.
    let Run { stdout, .. } = debug(&[TILE], &["break 22 if x == 1000", "continue"]);
    assert!(!stdout.contains("never be evaluated"), "{stdout}");
}

#[test]
fn a_condition_in_host_code_is_an_expression() {
    let commands = [
        "break 29 if i % 1000 == 999 && h[i - 1] % 1000 == 998",
        "continue",
        "print i",
        "continue",
        "print i",
    ];
    let Run { code, stdout, stderr } = debug(&[TILE], &commands);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let all = answers(&stdout);
    assert_eq!((all[2].1, all[4].1), ("i = 999\n", "i = 1999\n"), "{stdout}");
}

/// Lines that users of GDB and CUDA-GDB type, and a part of the answer, which may be an error that
/// names what does the work.
const LINES: [(&str, &str); 100] = [
    ("info cuda kernels", "reverse"),
    ("info cuda devices", "fermi"),
    ("info cuda sms", "sm blocks warps"),
    ("info cuda warps", "warp"),
    ("info cuda lanes", "lane"),
    ("info cuda blocks", "(0,0,0)"),
    ("info cuda threads", "(0,0,0)"),
    ("info cuda launch trace", "`info kernels` shows"),
    ("info cuda contexts", "`info devices`"),
    ("info cuda managed", "`info global`"),
    ("cuda kernel block thread", "kernel 0, block (0,0,0), thread (0,0,0)"),
    ("cuda device sm warp lane", "device 0, sm 0, warp 0, lane 0"),
    ("cuda thread (15)", "thread (15,0,0), sm 0"),
    ("cuda thread 3", "thread (3,0,0), sm 0"),
    ("cuda block 1 thread 3", "block (1,0,0), thread (3,0,0)"),
    ("cuda block 1,0,0 thread 3,1,0", "block (1,0,0), thread (3,1,0)"),
    ("cuda block (1, 0, 0) thread (3, 1, 0)", "block (1,0,0), thread (3,1,0)"),
    ("cuda kernel 0 block 1,0,0 thread 3,0,0", "block (1,0,0), thread (3,0,0)"),
    ("cuda grid 1 block 0", "block (0,0,0)"),
    ("cuda device 0 sm 0 warp 0 lane 5", "lane 5"),
    ("cuda kernel 5", "does not run now"),
    ("cuda sm 0 warp 0 lane 0", "lane 0"),
    ("info threads", "count sm line"),
    ("thread 2", "`cuda block (X,Y,Z) thread (X,Y,Z)`"),
    ("list", "=>"),
    ("list 10,12", "  12 "),
    ("list reverse", "tile[2][16]"),
    ("list tile.cu:18", "int v"),
    ("list -", "   7 "),
    ("info line 22", "instruction"),
    ("info line", "22"),
    ("info source", "tile.cu"),
    ("info frame", "  22\t    out[i]"),
    ("info locals", "Variables of lane 0:"),
    ("info args", "pair.low"),
    ("info functions", "kernel reverse"),
    ("info variables", "offset"),
    ("info program", "cycle"),
    ("frame", "  22\t"),
    ("frame 1", "`where`"),
    ("up", "`where` prints the functions"),
    ("backtrace", "  22\t"),
    ("bt", "  22\t"),
    ("where", "  22\t"),
    ("print x", "x ="),
    ("p/x x", "0x"),
    ("p /x x", "0x"),
    ("print/t x", "0b"),
    ("print/c 65", "65 'A'"),
    ("print/o 8", "010"),
    ("print &tile", "@shared int (*)[2][16]"),
    ("print &tile[1][2]", "(@shared int *) 0x"),
    ("print in[1]@4", "in[4] = 4"),
    ("print *in@3", "*in = 0"),
    ("print x * 2 + 1", "x * 2 + 1 ="),
    ("print threadIdx", "threadIdx.y"),
    ("print blockDim.x", "16 in all lanes"),
    ("print pair", "pair.high = 0.5"),
    ("print sizeof(tile)", "128"),
    ("print (float)3 / 2", "1.5"),
    ("print *(@shared int *)0", "0"),
    ("print $pc", "$pc ="),
    ("print $R3", "registers have their PTX names"),
    ("print x = 3", "`==` compares"),
    ("output x", "x ="),
    ("set var x = 5", "changes no value"),
    ("set x = 5", "changes no value"),
    ("set cuda break_on_launch application", ""),
    ("set pagination off", ""),
    ("set cuda memcheck on", "no setting"),
    ("show cuda break_on_launch", "`info` shows the state"),
    ("display v", "1: v ="),
    ("display/x i", "2: i = 0x"),
    ("info display", "1: v"),
    ("undisplay 1", ""),
    ("delete display 2", ""),
    ("x/12bx in", "global 0x"),
    ("x/4dw in", " 1 "),
    ("x/2gx in", "0x0000000100000000"),
    ("x/8hd &tile", "shared 0x"),
    ("x", "shared 0x"),
    ("x/2f &in[0]", "global 0x"),
    ("x/3uw 0x1000", "global 0x"),
    ("x/4cb in", "'"),
    ("x/s in", "\""),
    ("x/3i $pc", "=>"),
    ("disassemble", "=>"),
    ("info registers", "register"),
    ("info registers %r1", "%r1"),
    ("ptype pair", "float high;"),
    ("whatis v", "type = int"),
    ("whatis in[0]", "type = int"),
    ("tbreak 22 block (0,1,0)", "temporary breakpoint at line 22"),
    ("ignore 2 1", "does not stop the next 1 time"),
    ("condition 2 x == 3", ""),
    ("disable 2", ""),
    ("info breakpoints", "disabled"),
    ("enable 2", ""),
    ("clear 22", "deleted breakpoints"),
    ("run", "`continue` goes on"),
];

/// Lines that move, with a part of the answer.
const MOVES: [(&str, &str); 23] = [
    ("stepi", "cycle"),
    ("nexti", "cycle"),
    ("reverse-stepi", "cycle"),
    ("step", "cycle"),
    ("next", "cycle"),
    ("reverse-step", "cycle"),
    // The launch is left for the host code, and stops at its start again.
    ("reverse-continue", "host, in main"),
    ("advance 18", "[Launch 1: kernel reverse"),
    ("advance 18", "  18\t"),
    ("hbreak +1", "breakpoint at line 19"),
    ("delete", ""),
    ("until 22", "  22\t"),
    ("until", "cycle"),
    ("watch v", "watchpoint on v"),
    ("watch tile[0][0]", "watchpoint on shared"),
    ("rwatch v", "`watch` stops"),
    ("break reverse", "breakpoint at line"),
    ("break tile.cu:22", "breakpoint at line 22"),
    ("d", ""),
    ("catch syscall", "`break trap`"),
    ("cycle 2", "cycle"),
    ("echo text\\n", "text"),
    ("finish", "has ended"),
];

#[test]
fn no_command_of_gdb_or_cuda_gdb_is_unknown() {
    let start = ["break 22 block (0,0,0)", "run"];
    let table = LINES.iter().chain(&MOVES);
    let commands: Vec<&str> = start.into_iter().chain(table.clone().map(|(line, _)| *line)).collect();
    let Run { stdout, stderr, .. } = debug(&[TILE], &commands);
    assert!(!stderr.contains("unknown command"), "{stderr}");
    let all = answers(&stdout);
    for (number, (line, expected)) in (start.len()..).zip(table) {
        let (command, answer) = all.get(number).unwrap_or_else(|| panic!("{line}: {stdout}{stderr}"));
        assert_eq!(command, line);
        let place = format!("error: -ex {}: ", number + 1);
        let error = stderr.lines().find_map(|text| text.strip_prefix(&place)).unwrap_or("");
        assert!(
            answer.contains(expected) && error.is_empty() || !error.is_empty() && error.contains(expected),
            "{line}: {answer}{error}"
        );
    }
}

#[test]
fn a_batch_goes_on_after_the_end_of_a_launch() {
    let commands = [
        "continue",
        "x/2f global 0x1000",
        "info global",
        "reverse-step",
        "where",
        "continue",
        "info global",
        "info breakpoints",
    ];
    let Run { code, stdout, stderr } = debug(&["vecadd", "--size", "64"], &commands);
    assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
    let all = answers(&stdout);
    assert_eq!(all.len(), commands.len(), "{stdout}");
    assert!(all[0].1.contains("[Launch 1 has ended at"), "{stdout}");
    assert!(all[1].1.starts_with("global 0x00001000:"), "{stdout}");
    assert!(all[3].1.starts_with("cycle "), "goes back from the end: {stdout}");
    assert_eq!(all[6].1, all[2].1, "the memory at the end: {stdout}");
}

#[test]
fn commands_of_the_command_line_go_on_after_a_mistake() {
    let Run { code, stdout, stderr } = debug(&[TILE], &["print nosuch", "list", "quit"]);
    assert_eq!(code, Some(2), "{stdout}");
    assert_eq!(stderr, "error: -ex 1: this line of host code sees no variable `nosuch`\n");
    assert!(stdout.contains("(warpsim) list\n"), "{stdout}");
    let words = ["debug", TILE, "-batch", "-ex", "break 22", "-ex", "run", "-ex", "print v"];
    let Run { code, stdout, .. } = warpsim_with(&words);
    assert!(code == Some(0) && stdout.contains("v =\n"), "{stdout}");
}

#[test]
fn a_position_keeps_the_indentation_of_its_line() {
    let Run { stdout, .. } = debug(&[TILE], &["break 20", "continue"]);
    assert!(stdout.contains("\n  20\t        v += in[i] & k;\n"), "{stdout}");
    assert!(stdout.contains("\n  26\t    const int n = 64"), "{stdout}");
}
