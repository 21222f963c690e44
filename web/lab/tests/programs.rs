//! The programs in CUDA C that the page offers pass on all chips that have what they need, with the
//! output and the report of the program.

use lab::catalog::PROGRAMS;
use lab::request::{NamedText, Request};
use lab::run::run;

fn request(name: &str, text: &str, chip: &str) -> Request {
    let ptx = NamedText { name: format!("{name}.cu"), text: text.to_owned() };
    Request { ptx: Some(ptx), chip: Some(chip.to_owned()), ..Request::default() }
}

#[test]
fn the_programs_of_the_page_pass() {
    for (name, text) in PROGRAMS {
        let mut passed = 0;
        for chip in ["g80", "gt200", "fermi"] {
            let ran = run(&request(name, text, chip), None);
            // Exit code 3: the chip has a lower compute capability than the program needs.
            assert!(
                matches!(ran.code, 0 | 2 | 3),
                "{name} on {chip}: {} {:?}\n{}",
                ran.code,
                ran.messages,
                ran.text
            );
            if ran.code == 0 {
                assert!(
                    ran.text.contains("PASSED") && ran.text.contains("\nprogram "),
                    "{name}: {}",
                    ran.text
                );
                assert!(
                    !ran.json.is_empty() && !ran.pictures.parts.is_empty(),
                    "{name} has reports and pictures"
                );
                passed += 1;
            }
        }
        assert!(passed > 0, "{name} passes on no chip");
    }
}

#[test]
fn kernels_in_cuda_c_run_with_a_launch_file() {
    let text = "__global__ void twice(float *x)\n{\n    x[threadIdx.x] *= 2;\n}\n";
    let launch = "(entry: \"twice\", grid: 1, block: 32, params: { x: buf(\"x\") }, \
                  buffers: { \"x\": (type: f32, len: 32, init: iota(0, 1)) }, \
                  expect: [(buf: \"x\", formula: \"2 * i\")])";
    let launch = Some(NamedText { name: "twice.ron".to_owned(), text: launch.to_owned() });
    let ran = run(&Request { launch, ..request("twice", text, "g80") }, None);
    assert_eq!(ran.code, 0, "{:?}\n{}", ran.messages, ran.text);
    assert!(ran.text.contains("3: x[threadIdx.x] *= 2;"), "{}", ran.text);
}

#[test]
fn a_wrong_program_has_messages_and_no_report() {
    let ran = run(&request("wrong", "int main() { return misspelt; }\n", "g80"), None);
    assert!(ran.code == 2 && ran.messages[0].contains("misspelt"), "{:?}", ran.messages);
    let ran = run(&request("null", "int main() { int *p = 0; return *p; }\n", "g80"), None);
    assert!(ran.code == 139 && ran.messages[0].contains("a null pointer is used"), "{:?}", ran.messages);
}
