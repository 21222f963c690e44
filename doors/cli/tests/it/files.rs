//! Tests of the files of a run: no output overwrites an input or another output, and no temporary
//! file remains.

use crate::common::{Run, command, data, scratch, warpsim_with};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Returns a folder with a kernel, its launch file and the input files of the launch file.
fn prepared(name: &str) -> PathBuf {
    let folder = scratch(name);
    for file in ["symbols.ptx", "symbols.ron", "x.bin", "y.expected.bin"] {
        fs::copy(data().join(file), folder.join(file)).expect("copied");
    }
    folder
}

/// Runs the program in a folder.
fn run_in(folder: &Path, arguments: &[&str]) -> Run {
    let output = command(arguments).current_dir(folder).output().expect("the program starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// The names in a folder, sorted.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").file_name());
    let mut names: Vec<String> = entries.map(|name| name.into_string().expect("UTF-8")).collect();
    names.sort();
    names
}

const RUN: [&str; 4] = ["run", "symbols.ptx", "--launch", "symbols.ron"];
const SWEEP: [&str; 6] = ["sweep", "symbols.ptx", "--launch", "symbols.ron", "--metrics", "cycles"];

/// Appends arguments.
fn with<'a>(arguments: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [arguments, more].concat()
}

#[cfg(unix)]
/// Tests: `no-input-is-overwritten`.
#[test]
fn no_output_overwrites_an_input_however_it_is_spelled() {
    let folder = prepared("files-inputs");
    fs::copy(concat!(env!("CARGO_MANIFEST_DIR"), "/../../configs/g80.ron"), folder.join("base.ron"))
        .expect("copied");
    fs::write(folder.join("chip.ron"), "(base: \"base.ron\", name: \"mine\")").expect("written");
    fs::hard_link(folder.join("x.bin"), folder.join("hard.bin")).expect("linked");
    std::os::unix::fs::symlink("y.expected.bin", folder.join("soft.bin")).expect("linked");
    let before = names(&folder);
    let targets = [
        ("x.bin", "x.bin"),
        ("./x.bin", "x.bin"),
        ("hard.bin", "x.bin"),
        ("soft.bin", "y.expected.bin"),
        ("../files-inputs/symbols.ptx", "symbols.ptx"),
        ("symbols.ron", "symbols.ron"),
        ("chip.ron", "chip.ron"),
        ("base.ron", "base.ron"),
    ];
    let trace = with(&["trace"], &RUN[1..]);
    let plot = ["--plot", "x=sm.max_warps,y=cycles", "--set", "sm.max_warps=24", "--svg"];
    for (target, input) in targets {
        let bytes = fs::read(folder.join(input)).expect("an input");
        for arguments in [
            with(&RUN, &["--json", target]),
            with(&trace, &["--out", target]),
            with(&SWEEP, &["--out", target]),
            with(&with(&SWEEP, &plot), &[target]),
        ] {
            let arguments = with(&arguments, &["--chip", "chip.ron"]);
            let Run { code, stderr, .. } = run_in(&folder, &arguments);
            assert_eq!(code, Some(2), "{arguments:?}: {stderr}");
            let message = format!("cannot write {target}: it is the same file as ");
            assert!(stderr.contains(&message) && stderr.contains(input), "{arguments:?}: {stderr}");
            assert_eq!(fs::read(folder.join(input)).expect("an input"), bytes, "{arguments:?}");
        }
    }
    assert_eq!(names(&folder), before);
}

#[cfg(unix)]
/// Tests: `no-input-is-overwritten`.
#[test]
fn two_outputs_of_one_file_are_refused() {
    let folder = prepared("files-twice");
    std::os::unix::fs::symlink("y.out", folder.join("dangling")).expect("linked");
    fs::write(folder.join("done.out"), "old").expect("written");
    fs::hard_link(folder.join("done.out"), folder.join("hard.out")).expect("linked");
    let before = names(&folder);
    for target in ["y.out", "./y.out", "dangling", "hard.out", "../files-twice/done.out"] {
        let Run { code, stderr, .. } = run_in(&folder, &with(&RUN, &["--json", target]));
        assert_eq!(code, Some(2), "{target}: {stderr}");
        assert!(stderr.contains(target) && stderr.contains("which this run also writes"), "{stderr}");
    }
    assert_eq!(names(&folder), before);
    assert_eq!(fs::read_to_string(folder.join("done.out")).expect("there"), "old");
}

/// A file to which standard output is redirected counts as an output.
#[cfg(unix)]
#[test]
fn a_file_that_receives_standard_output_is_not_replaced() {
    let folder = prepared("files-stdout");
    let stdout = || fs::File::options().append(true).create(true).open(folder.join("log")).expect("opened");
    for arguments in [with(&RUN, &["--json", "log"]), with(&SWEEP, &["--out", "./log"])] {
        let output =
            command(&arguments).current_dir(&folder).stdout(stdout()).output().expect("the program starts");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("the same file as standard output"), "{stderr}");
    }
    let arguments = with(&RUN, &["--json", "/dev/stdout"]);
    let output =
        command(&arguments).current_dir(&folder).stdout(stdout()).output().expect("the program starts");
    assert_eq!(output.status.code(), Some(0));
    let log = fs::read_to_string(folder.join("log")).expect("there");
    assert!(log.starts_with('{') && log.contains("}\nPASSED: "), "{log}");
}

/// The report goes there, too.
#[cfg(unix)]
/// Tests: `no-input-is-overwritten`.
#[test]
fn a_dump_is_not_written_to_a_standard_stream() {
    let folder = prepared("files-dump");
    let launch = fs::read_to_string(folder.join("symbols.ron")).expect("there");
    for stream in ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/dev/stderr", "link"] {
        let _ = std::os::unix::fs::symlink("/dev/stdout", folder.join("link"));
        let dumps = launch.replacen("\"y.out\"", &format!("\"{stream}\""), 1);
        assert_ne!(dumps, launch);
        fs::write(folder.join("symbols.ron"), dumps).expect("written");
        let [log, errors] =
            ["log", "errors"].map(|name| fs::File::create(folder.join(name)).expect("opened"));
        let status =
            command(&RUN).current_dir(&folder).stdout(log).stderr(errors).status().expect("it starts");
        let text = |name: &str| fs::read_to_string(folder.join(name)).expect("UTF-8");
        assert_eq!((status.code(), text("log").as_str()), (Some(2), ""), "{stream}: {}", text("errors"));
        assert!(text("errors").contains("error: cannot write "), "{stream}: {}", text("errors"));
    }
}

#[cfg(unix)]
/// Tests: `no-input-is-overwritten`.
#[test]
fn a_replaced_file_keeps_its_mode_and_a_link_stays() {
    use std::os::unix::fs::PermissionsExt;
    let folder = prepared("files-mode");
    fs::write(folder.join("target.json"), "old").expect("written");
    fs::set_permissions(folder.join("target.json"), fs::Permissions::from_mode(0o604)).expect("its mode");
    std::os::unix::fs::symlink("target.json", folder.join("link.json")).expect("linked");
    std::os::unix::fs::symlink("new.json", folder.join("dangling.json")).expect("linked");
    for link in ["link.json", "dangling.json"] {
        let Run { code, stderr, .. } = run_in(&folder, &with(&RUN, &["--json", link]));
        assert_eq!(code, Some(0), "{stderr}");
        assert!(fs::symlink_metadata(folder.join(link)).expect("there").is_symlink(), "{link}");
        assert!(fs::read_to_string(folder.join(link)).expect("written").starts_with('{'), "{link}");
    }
    let mode = |name: &str| fs::metadata(folder.join(name)).expect("there").permissions().mode() & 0o777;
    assert_eq!(mode("target.json"), 0o604);
    // A new file has the mode that any program gives it.
    fs::write(folder.join("usual"), "").expect("written");
    assert_eq!(mode("new.json"), mode("usual"));
}

#[test]
fn a_name_may_have_the_maximum_length_of_the_file_system() {
    let folder = prepared("files-long");
    let name = format!("{}.json", "n".repeat(250));
    let Run { code, stderr, .. } = run_in(&folder, &with(&RUN, &["--json", &name]));
    assert_eq!(code, Some(0), "{stderr}");
    assert!(folder.join(&name).is_file());
}

/// The owner is kept if the system permits it, which is only for the superuser.
#[cfg(unix)]
/// Tests: `no-input-is-overwritten`.
#[test]
fn a_replaced_file_keeps_its_owner() {
    use std::os::unix::fs::{MetadataExt, chown};
    let folder = prepared("files-owner");
    let json = folder.join("report.json");
    fs::write(&json, "old").expect("written");
    let foreign = chown(&json, Some(12345), Some(12346)).is_ok();
    let before = fs::metadata(&json).expect("there");
    let Run { code, stderr, .. } = run_in(&folder, &with(&RUN, &["--json", "report.json"]));
    assert_eq!(code, Some(0), "{stderr}");
    let after = fs::metadata(&json).expect("there");
    assert!(after.ino() != before.ino() && after.len() > before.len(), "it was replaced");
    assert_eq!((after.uid(), after.gid()), (before.uid(), before.gid()), "foreign: {foreign}");
}

/// The pages, tables and pictures of `validate`: rejected before the first measurement.
#[test]
fn a_validation_overwrites_neither_its_chip_nor_its_own_files() {
    let folder = scratch("files-validate");
    fs::write(folder.join("chip.ron"), "(base: \"g80\")").expect("written");
    let chip = ["validate", "--chip", "chip.ron"];
    for (more, message) in [
        (&["--csv", "chip.ron"][..], "chip.ron, which this run reads"),
        (&["--svg", "./chip.ron"], "chip.ron, which this run reads"),
        (&["--markdown", "chip.ron"], "chip.ron, which this run reads"),
        (&["--csv", "a", "--svg", "./a"], "a, which this run also writes"),
        (&["--csv", "a", "--markdown", "a"], "a, which this run also writes"),
    ] {
        let Run { code, stderr, .. } = run_in(&folder, &with(&chip, more));
        assert!(code == Some(2) && stderr.contains(message), "{more:?}: {stderr}");
        assert_eq!(names(&folder), ["chip.ron"], "{more:?}");
    }
}

/// A user who requests help and gets none must see that in the exit code.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_a_failure() {
    for argument in ["--help", "--version"] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let output =
            command(&[argument]).stdout(full).stderr(Stdio::piped()).output().expect("the program starts");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(2), "{argument}: {stderr}");
        assert!(stderr.contains("cannot write to standard output"), "{stderr}");
    }
}

/// The pool of names: two inputs, two files that do not exist, and links to each.
const POOL: [(&str, usize); 12] = [
    ("x.bin", 0),
    ("./x.bin", 0),
    ("x.hard", 0),
    ("x.soft", 0),
    ("y.expected.bin", 1),
    ("y.hard", 1),
    ("one", 2),
    ("./one", 2),
    ("one.soft", 2),
    ("two", 3),
    ("two.soft", 3),
    ("sub/../two", 3),
];

/// The names of a run: an index into the pool for each.
#[derive(Clone, Debug)]
struct Names {
    sweeps: bool,
    input: usize,
    expected: usize,
    /// Dumps of a run; a sweep writes none.
    dumps: [usize; 2],
    /// The JSON report of a run, or the rows of a sweep.
    out: usize,
    /// The plot of a sweep.
    svg: usize,
}

fn any_names() -> impl Strategy<Value = Names> {
    let place = || 0..POOL.len();
    let input = 0..4usize;
    let fields = (any::<bool>(), input, 4..6usize, [place(), place()], place(), place());
    fields.prop_map(|(sweeps, input, expected, dumps, out, svg)| Names {
        sweeps,
        input,
        expected,
        dumps,
        out,
        svg,
    })
}

#[cfg(unix)]
proptest! {
    #![proptest_config(ProptestConfig { cases: 96, failure_persistence: None, ..ProptestConfig::default() })]

    /// Names of inputs and outputs are drawn from one small pool. A run is rejected exactly if two
    /// of its names refer to one file and one of them is an output. No input changes, and no
    /// temporary file remains.
    ///
    /// Tests: `no-input-is-overwritten`.
    #[test]
    fn names_drawn_from_one_pool_never_destroy_an_input(drawn in any_names()) {
        use std::os::unix::fs::symlink;
        let folder = prepared("files-pool");
        fs::create_dir(folder.join("sub")).expect("made");
        fs::hard_link(folder.join("x.bin"), folder.join("x.hard")).expect("linked");
        fs::hard_link(folder.join("y.expected.bin"), folder.join("y.hard")).expect("linked");
        for (target, link) in [("x.bin", "x.soft"), ("one", "one.soft"), ("two", "two.soft")] {
            symlink(target, folder.join(link)).expect("linked");
        }
        let name = |place: usize| POOL[place].0;
        let text = fs::read_to_string(data().join("symbols.ron")).expect("there");
        let text = text
            .replace("\"x.bin\"", &format!("\"{}\"", name(drawn.input)))
            .replace("\"y.expected.bin\"", &format!("\"{}\"", name(drawn.expected)))
            .replace("\"y.out\"", &format!("\"{}\"", name(drawn.dumps[0])))
            .replace("\"done.out\"", &format!("\"{}\"", name(drawn.dumps[1])));
        fs::write(folder.join("symbols.ron"), text).expect("written");

        let (arguments, outputs) = if drawn.sweeps {
            let plot = ["--set", "sm.max_warps=24", "--plot", "x=sm.max_warps,y=cycles", "--svg"];
            let arguments = with(&SWEEP, &plot);
            (with(&arguments, &[name(drawn.svg), "--out", name(drawn.out)]), vec![drawn.out, drawn.svg])
        } else {
            (with(&RUN, &["--json", name(drawn.out)]), vec![drawn.out, drawn.dumps[0], drawn.dumps[1]])
        };
        let file = |place: &usize| POOL[*place].1;
        let overwrites = outputs.iter().any(|output| file(output) < 2);
        let twice = outputs.iter().enumerate().any(|(i, o)| outputs[..i].iter().any(|p| file(p) == file(o)));
        let before: Vec<Vec<u8>> =
            ["x.bin", "y.expected.bin"].map(|name| fs::read(folder.join(name)).expect("there")).into();

        let Run { code, stderr, .. } = run_in(&folder, &arguments);
        // A sweep also checks the names in the launch file, but writes no dump.
        let refused = overwrites || twice || (drawn.sweeps && name(drawn.dumps[0]) == name(drawn.dumps[1]));
        prop_assert_eq!(code == Some(2), refused, "{:?}: {}", drawn, stderr);
        for (input, bytes) in ["x.bin", "y.expected.bin"].iter().zip(before) {
            prop_assert_eq!(fs::read(folder.join(input)).expect("there"), bytes, "{:?}", drawn);
        }
        let left: Vec<String> = names(&folder).into_iter().filter(|name| name.starts_with('.')).collect();
        prop_assert!(left.is_empty(), "{left:?}");
    }
}

#[test]
fn a_path_from_the_command_line_is_not_restricted() {
    let folder = scratch("files-anywhere");
    let json = folder.join("report.json");
    let arguments = with(&["run", "vecadd", "--size", "32", "--json"], &[json.to_str().expect("UTF-8")]);
    assert_eq!(warpsim_with(&arguments).code, Some(0));
    assert!(json.is_file());
}
