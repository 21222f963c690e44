//! Arithmetic: rows FP-01 and FP-02 of the claims ledger.

use warpsim_tests::device::{CHIPS, Device, MODES, g80_with, pointers};
use warpsim_tests::matmul::{Method, Product, reference};

/// FP-01: the product of two 8 x 8 matrices with elements i + j + 1, row i and column j from 0. Its first row is
/// 204 to 456 in steps of 36, its last element 1100, and all its elements together make 35,456.
#[test]
fn fp_01_product_of_the_appendix() {
    let matrix: Vec<f32> = (0..64u16).map(|i| f32::from(i / 8 + i % 8 + 1)).collect();
    for mode in MODES {
        for method in [Method::Naive(8), Method::Tiled(8), Method::Tiled(4), Method::Tiled(2)] {
            let (_, product) = Product::new(g80_with(&[]), method, mode, 8, &matrix, &matrix).run();
            assert_eq!(product[..8], [204.0, 240.0, 276.0, 312.0, 348.0, 384.0, 420.0, 456.0]);
            assert_eq!(product[63..], [1100.0]);
            let whole: u32 = product.iter().map(|v| *v as u32).sum();
            assert_eq!(whole, 35_456, "{method:?}");
            assert_eq!(product, reference(8, &matrix, &matrix));
        }
    }
}

/// FP-02: subnormal numbers are zero for the f32 arithmetic of compute capability 1.x, whichever chip runs the module.
/// Modules for 2.0 keep them, unless the instruction says `.ftz`. (The text credits the GT200 with subnormals, which is
/// true of its double precision.)
#[test]
fn fp_02_subnormal_numbers() {
    const TEXT: &str = ".version VERSION\n.target TARGET\n.entry k (.param .u32 io)\n{\n\
        .reg .u32 %at; .reg .f32 %a, %b;\n\
        ld.param.u32 %at, [io];\n\
        ld.global.f32 %a, [%at];\n ld.global.f32 %b, [%at+4];\n\
        INSTRUCTION %a, %a, %b;\n\
        st.global.f32 [%at+8], %a;\n exit;\n}\n";
    let [tiny, half, smallest_normal] = [0x0000_0001_u32, 0x3f00_0000, 0x0080_0000];
    let (old, new) = (("1.4", "sm_10"), ("2.0", "sm_20"));
    let everywhere = &CHIPS[..];
    for ((version, target), instruction, a, b, expected, chips) in [
        (old, "add.f32", tiny, tiny, 0, everywhere),
        (old, "mul.f32", smallest_normal, half, 0, everywhere),
        (old, "max.f32", tiny, 0, 0, everywhere),
        (new, "add.f32", tiny, tiny, 2 * tiny, &CHIPS[2..]),
        (new, "mul.f32", smallest_normal, half, smallest_normal / 2, &CHIPS[2..]),
        (new, "max.f32", tiny, 0, tiny, &CHIPS[2..]),
        (new, "add.ftz.f32", tiny, tiny, 0, &CHIPS[2..]),
        (new, "mul.ftz.f32", smallest_normal, half, 0, &CHIPS[2..]),
        (new, "max.ftz.f32", tiny, 0, 0, &CHIPS[2..]),
    ] {
        let text =
            TEXT.replace("VERSION", version).replace("TARGET", target).replace("INSTRUCTION", instruction);
        for chip in chips {
            for mode in MODES {
                let mut device = Device::on(chip, &text);
                let io = device.upload(&[a, b, u32::MAX]);
                device.run(&device.launch("k", (1, 1), (1, 1, 1)).args(pointers(&[io])).mode(mode));
                assert_eq!(
                    device.download(io, 3)[2],
                    expected,
                    "{chip}, {target}: {instruction} {a:#x}, {b:#x}"
                );
            }
        }
    }
}
