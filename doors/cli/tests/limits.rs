//! Tests of `docs/LIMITS.md`: the limit that the report states for the book's kernels, and the
//! gains with which `--why` tests it.
//!
//! `cargo test --test limits -- --ignored` measures the whole record again (`BLESS=1` writes it);
//! every test run measures a few of its rows.

use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

const CHIPS: [&str; 3] = ["g80", "gt200", "fermi"];

/// Kernels, each with a size at which most SMs have work.
const KERNELS: [(&str, u32); 30] = [
    ("vecadd", 131_072),
    ("matmul-single", 16),
    ("matmul-naive", 128),
    ("matmul-tiled", 128),
    ("matmul-tiled-8", 128),
    ("matmul-16x16-1x1-unrolled", 128),
    ("matmul-16x16-1x2-prefetch", 128),
    ("matmul-any", 100),
    ("matadd", 128),
    ("matadd-shared", 128),
    ("reduce-interleaved", 65_536),
    ("reduce-halving", 65_536),
    ("reduce-pairs", 65_536),
    ("reduce-last-warp", 65_536),
    ("reduce-repeated", 65_536),
    ("dot-product", 256),
    ("block-transpose", 256),
    ("coulomb-v1", 64),
    ("coulomb-v2", 64),
    ("coulomb-v3", 64),
    ("cutoff-large-bin", 16),
    ("cutoff-small-bin", 16),
    ("mri-mu", 16_384),
    ("mri-fhd-scatter", 8),
    ("mri-fhd-global", 8),
    ("mri-fhd-constant", 8),
    ("mri-fhd-sfu", 8),
    ("histogram-bytes", 32_768),
    ("histogram-words", 32_768),
    ("histogram-shared", 32_768),
];

/// Rows that every test run measures.
const QUICK: [(&str, &str); 3] =
    [("vecadd", "fermi"), ("matmul-tiled", "g80"), ("reduce-interleaved", "gt200")];

/// Returns the result of the experiments; `None` if the kernel does not run on the chip.
fn why(kernel: &str, size: u32, chip: &str) -> Option<Value> {
    let size = size.to_string();
    let arguments =
        ["run", kernel, "--size", &size, "--chip", chip, "--why", "--threads", "2", "--json", "-"];
    let output = Command::new(env!("CARGO_BIN_EXE_warpsim")).args(arguments).output().expect("it runs");
    let errors = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        assert!(errors.contains("compute capability"), "{kernel} on {chip}: {errors}");
        return None;
    }
    let document: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    Some(document["why"].clone())
}

/// Returns a row of the record.
fn row(kernel: &str, size: u32, chip: &str) -> Option<String> {
    let why = why(kernel, size, chip)?;
    let stated = (&why["limited_by"], &why["unit"]);
    let gains = why["gains"].as_array().expect("a list");
    let gain = |gain: &Value| gain["twice"].as_f64().unwrap_or(0.0);
    let own = gains.iter().find(|g| (&g["resource"], &g["unit"]) == stated).map_or(0.0, gain);
    let other = &why["best_other"];
    let name = |value: &Value| {
        let resource = value["resource"].as_str().unwrap_or("-").to_owned();
        value["unit"].as_str().map_or(resource.clone(), |unit| format!("{resource} ({unit})"))
    };
    let unit = why["unit"].as_str().map_or(String::new(), |unit| format!(" ({unit})"));
    let confirmed = if why["confirmed"] == true { "yes" } else { "no" };
    Some(format!(
        "| `{kernel}` {size} | {chip} | {}{unit} | {own:.2} | {} | {:.2} | {confirmed} |\n",
        why["limited_by"].as_str().expect("a word"),
        name(other),
        gain(other)
    ))
}

const HEAD: &str = "| kernel, size | chip | stated limit | gain, twice as fast | best other | its gain | confirmed |\n\
                    |---|---|---|---|---|---|---|\n";

/// Path and text of the record of the last measurement of all rows.
fn record() -> (std::path::PathBuf, String) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/limits-stated.txt");
    let text = std::fs::read_to_string(&path).expect("the record exists").replace("\r\n", "\n");
    (path, text)
}

#[test]
fn the_page_has_the_sums_of_all_records() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(folder.join("../../docs/LIMITS.md")).expect("the page exists");
    let records = [
        "data/limits-stated.txt",
        "data/limits-gains.txt",
        "data/limits-slower.txt",
        "limit_set/verdicts.txt",
    ];
    for record in records {
        let text = std::fs::read_to_string(folder.join("tests").join(record)).expect("the record exists");
        let sum = text.lines().next().expect("a record has lines");
        assert!(page.contains(sum), "docs/LIMITS.md does not have the first line of {record}: {sum}");
    }
}

#[test]
fn the_record_has_what_the_program_measures() {
    let (_, record) = record();
    for (kernel, chip) in QUICK {
        let (_, size) = KERNELS.iter().find(|(name, _)| *name == kernel).expect("the list has the kernel");
        let row = row(kernel, *size, chip).expect("it runs");
        assert!(record.contains(&row), "limits-stated.txt does not have\n{row}");
    }
}

#[test]
#[ignore = "some minutes: every kernel of the record with every resource changed"]
fn the_whole_record_is_measured_again() {
    let (path, old) = record();
    let mut rows = String::new();
    let (mut confirmed, mut near, mut all) = (0, 0, 0);
    for (kernel, size) in KERNELS {
        for row in CHIPS.iter().filter_map(|chip| row(kernel, size, chip)) {
            confirmed += u32::from(row.ends_with("| yes |\n"));
            let number =
                |column: usize| row.split(" | ").nth(column).and_then(|text| text.parse::<f64>().ok());
            near += u32::from(number(3).zip(number(5)).is_some_and(|(own, other)| own + 0.05 >= other));
            all += 1;
            rows += &row;
        }
    }
    let mut new = String::new();
    let _ = write!(
        new,
        "{confirmed} of {all} stated limits are confirmed. For {near} of {all}, no other resource gains over 0.05 more.\n\n\
         {HEAD}{rows}"
    );
    if std::env::var_os("BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, new).expect("the record is writable");
    } else {
        assert!(new == old, "{} has old numbers; run the test with BLESS=1", path.display());
    }
}
