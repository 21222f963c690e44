//! Arithmetic on the G80: row FP-01 of the claims ledger.

use warpsim_tests::device::{MODES, g80_with};
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
