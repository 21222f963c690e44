//! The table of the device in the documents.

use super::Program;
use warpsim_cuda::runtime::host::Process;

const DOCUMENT: &str = include_str!("../../../../docs/OPENCL.md");
const HEADER: &str = include_str!("../../../cuda/src/headers/cl/cl.h");
const EXTENSIONS: &str = include_str!("../../../cuda/src/headers/cl/cl_ext.h");

/// `CL_CONTEXT_DEVICES`.
const CONTEXT_DEVICES: u64 = 0x1081;

/// The number of a name in the headers.
fn number(name: &str) -> u64 {
    let defined = HEADER.lines().chain(EXTENSIONS.lines()).find_map(|line| {
        let mut words = line.split_whitespace();
        (words.next() == Some("#define") && words.next() == Some(name)).then(|| words.next()).flatten()
    });
    let digits = defined.unwrap_or_else(|| panic!("{name} is not in the headers"));
    u64::from_str_radix(digits.trim_start_matches("0x"), 16).expect("a number")
}

#[test]
fn the_device_answers_what_the_document_says() {
    let start = DOCUMENT.find("## The device").expect("the section exists");
    let table = DOCUMENT[start..].lines().filter(|line| line.starts_with("| `CL_DEVICE_"));
    let rows: Vec<Vec<&str>> =
        table.map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect()).collect();
    let rows: Vec<_> = rows.into_iter().filter(|row| row.len() == 7).collect();
    assert!(rows.len() >= 25, "{rows:?}");
    for (column, chip) in [(2, "g80"), (3, "gt200"), (4, "fermi")] {
        let mut host = Program::on(chip, 0);
        let devices = host.words(&[0]);
        let info = [host.context, CONTEXT_DEVICES, 8, devices, 0];
        host.good("clGetContextInfo", &info);
        let device = host.word(devices);
        for row in &rows {
            let (out, size) = (host.words(&[0; 32]), host.words(&[0]));
            host.good("clGetDeviceInfo", &[device, number(row[1]), 256, out, size]);
            let mut bytes = vec![0; host.word(size) as usize];
            assert!(host.memory.read(&[(out, bytes.len() as u64)], &mut bytes));
            let answer = match row[1] {
                "CL_DEVICE_VERSION" => String::from_utf8_lossy(&bytes[..bytes.len() - 1]).into_owned(),
                _ => bytes
                    .chunks(8)
                    .map(|part| {
                        part.iter().rev().fold(0, |all, byte| all << 8 | u64::from(*byte)).to_string()
                    })
                    .collect::<Vec<_>>()
                    .join(" "),
            };
            assert_eq!(answer, row[column], "{} on {chip}", row[1]);
        }
    }
}
