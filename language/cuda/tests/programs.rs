//! Kernels of course texts and the features of CUDA C, compared with values computed here, on every
//! target, with and without the optimizer.

#[path = "common/mod.rs"]
#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Argument, as_floats, as_ints, compile, floats, ints, run};

const COURSE: &str = include_str!("programs/course.cu");
const ATOMICS: &str = include_str!("programs/atomics.cu");
const FERMI: &str = include_str!("programs/fermi.cu");

/// Runs a kernel on all targets from `first` on and passes the buffers to `check`.
fn everywhere(
    text: &str,
    first: &str,
    entry: &str,
    shape: ((u32, u32), (u32, u32)),
    dynamic: u32,
    arguments: &[Argument],
    check: impl Fn(&[Vec<u8>]),
) {
    for target in
        ["sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_21"].iter().filter(|target| **target >= first)
    {
        for level in [0, 3] {
            let ptx = compile(text, target, level).unwrap_or_else(|e| panic!("{target} -O{level}: {e}"));
            let buffers = run(&ptx, target, entry, shape, dynamic, arguments)
                .unwrap_or_else(|e| panic!("{entry} {target} -O{level}: {e}\n{ptx}"));
            println!("{entry} {target} -O{level}");
            check(&buffers);
        }
    }
}

fn numbers(count: usize, factor: usize, modulus: usize) -> Vec<f32> {
    (0..count).map(|i| ((i * factor) % modulus) as f32).collect()
}

fn integers(count: usize, factor: usize, modulus: usize) -> Vec<i32> {
    (0..count).map(|i| ((i * factor) % modulus) as i32).collect()
}

#[test]
fn vector_addition() {
    let (a, b) = (numbers(200, 7, 31), numbers(200, 5, 17));
    let arguments = [floats(&a), floats(&b), floats(&[-1.0; 256]), Argument::Int(200)];
    everywhere(COURSE, "sm_10", "vecadd", ((4, 1), (64, 1)), 0, &arguments, |buffers| {
        let sum = as_floats(&buffers[2]);
        assert!((0..200).all(|i| sum[i].to_bits() == (a[i] + b[i]).to_bits()));
        assert!(sum[200..].iter().all(|x| x.to_bits() == (-1f32).to_bits()));
    });
}

/// A value that is alive behind the loop must not be overwritten by that of the next iteration.
#[test]
fn the_last_index_before_the_end_of_a_loop() {
    let text = "extern \"C\" __global__ void last(const int *a, int *out, int n) {
        int found = -1, sum = 0;
        for (int i = 0; i < n; i++) {
            sum = (sum & 0xffffff) + a[i & 3];
            if (a[1] == 77) break;
            found = i;
        }
        out[0] = found;
        out[1] = sum;
    }";
    let arguments = [ints(&[1, 2, 3, 4]), ints(&[0, 0]), Argument::Int(10)];
    everywhere(text, "sm_10", "last", ((1, 1), (1, 1)), 0, &arguments, |buffers| {
        assert_eq!(as_ints(&buffers[1]), [9, 23]);
    });
}

#[test]
fn names_have_letters_of_all_languages() {
    let text = "struct Größe { int länge; };
        __device__ int länge(Größe g) { __shared__ int größte[2]; größte[0] = g.länge; return größte[0]; }
        extern \"C\" __global__ void große(int *out, int größe) { Größe g = {größe}; out[0] = länge(g); }";
    everywhere(text, "sm_10", "gro$dfe", ((1, 1), (1, 1)), 0, &[ints(&[0]), Argument::Int(7)], |buffers| {
        assert_eq!(as_ints(&buffers[0]), [7]);
    });
}

#[test]
fn matrix_products() {
    let (m, n) = (numbers(1024, 3, 11), numbers(1024, 5, 13));
    let expected: Vec<f32> =
        (0..1024).map(|at| (0..32).map(|k| m[at / 32 * 32 + k] * n[k * 32 + at % 32]).sum()).collect();
    let arguments = [floats(&m), floats(&n), floats(&[0.0; 1024]), Argument::Int(32)];
    for entry in ["matmul_naive", "matmul_tiled"] {
        everywhere(COURSE, "sm_10", entry, ((2, 2), (16, 16)), 0, &arguments, |buffers| {
            assert_eq!(as_floats(&buffers[2]), expected);
        });
    }
}

#[test]
fn reductions() {
    let input = numbers(900, 7, 19);
    let expected: Vec<f32> = input.chunks(512).map(|block| block.iter().sum()).collect();
    let arguments = [floats(&input), floats(&[0.0; 2]), Argument::Int(900)];
    for entry in ["reduce", "reduce_interleaved"] {
        everywhere(COURSE, "sm_10", entry, ((2, 1), (512, 1)), 0, &arguments, |buffers| {
            assert_eq!(as_floats(&buffers[1]), expected);
        });
    }
}

#[test]
fn transposition() {
    let (width, height) = (40, 24);
    let input = numbers(width * height, 1, 10_000);
    let arguments = [
        floats(&input),
        floats(&vec![0.0; width * height]),
        Argument::Int(width as i32),
        Argument::Int(height as i32),
    ];
    everywhere(COURSE, "sm_10", "transpose", ((3, 2), (16, 16)), 0, &arguments, |buffers| {
        let out = as_floats(&buffers[1]);
        let right = (0..width * height).all(|at| {
            let (x, y) = (at % height, at / height);
            out[at].to_bits() == input[x * width + y].to_bits()
        });
        assert!(right);
    });
}

#[test]
fn stencil_and_convolution() {
    let input = integers(134, 5, 23);
    let arguments = [ints(&input), ints(&[0; 128]), Argument::Int(120)];
    everywhere(COURSE, "sm_10", "stencil", ((2, 1), (64, 1)), 0, &arguments, |buffers| {
        let out = as_ints(&buffers[1]);
        assert!((0..120).all(|i| out[i] == input[i..i + 7].iter().sum::<i32>()));
        assert_eq!(out[120..], [0; 8]);
    });
    let input = numbers(100, 3, 7);
    let mask = [1.0, 2.0, 4.0, 2.0, 1.0];
    let arguments = [floats(&input), floats(&[0.0; 100]), Argument::Int(100)];
    everywhere(COURSE, "sm_10", "convolution", ((2, 1), (64, 1)), 0, &arguments, |buffers| {
        let expected: Vec<f32> = (0..100i32)
            .map(|i| {
                (0..5)
                    .filter_map(|j| Some(input.get(usize::try_from(i + j - 2).ok()?)? * mask[j as usize]))
                    .sum()
            })
            .collect();
        assert_eq!(as_floats(&buffers[1]), expected);
    });
}

#[test]
fn scan_with_dynamic_shared_memory() {
    let input = integers(64, 7, 10);
    let expected: Vec<i32> = (0..64).map(|i| input[..i].iter().sum()).collect();
    let arguments = [ints(&input), ints(&[0; 64]), Argument::Int(64)];
    everywhere(COURSE, "sm_10", "scan", ((1, 1), (64, 1)), 512, &arguments, |buffers| {
        assert_eq!(as_ints(&buffers[1]), expected);
    });
}

#[test]
fn sparse_product() {
    let starts: Vec<i32> = (0..=40).map(|row| row * (row + 1) / 2 % 7 + 3 * row).collect();
    let mut starts = starts;
    starts.sort_unstable();
    let count = starts[40] as usize + 1;
    let columns = integers(count, 11, 40);
    let (values, x, y) = (numbers(count, 3, 8), numbers(40, 1, 9), numbers(40, 1, 5));
    let expected: Vec<f32> = (0..40)
        .map(|row| {
            let range = starts[row] as usize..starts[row + 1] as usize;
            y[row] + range.map(|k| values[k] * x[columns[k] as usize]).sum::<f32>()
        })
        .collect();
    let arguments =
        [ints(&starts), ints(&columns), floats(&values), floats(&x), floats(&y), Argument::Int(40)];
    everywhere(COURSE, "sm_10", "spmv", ((1, 1), (64, 1)), 0, &arguments, |buffers| {
        assert_eq!(as_floats(&buffers[4]), expected);
    });
}

#[test]
fn coulomb_potential() {
    let atoms: Vec<f32> =
        (0..20).flat_map(|i| [i as f32 * 0.37, i as f32 * 0.21, 1.0 + i as f32, 2.0]).collect();
    let arguments =
        [floats(&atoms), floats(&[1.0; 256]), Argument::Int(20), Argument::Float(0.5), Argument::Float(0.25)];
    everywhere(COURSE, "sm_10", "coulomb", ((1, 1), (16, 16)), 0, &arguments, |buffers| {
        for (at, got) in as_floats(&buffers[1]).into_iter().enumerate() {
            let (x, y) = ((at % 16) as f32 * 0.5, (at / 16) as f32 * 0.5);
            let energy: f32 = atoms
                .chunks(4)
                .map(|a| a[3] / ((x - a[0]).powi(2) + (y - a[1]).powi(2) + (0.25 - a[2]).powi(2)).sqrt())
                .sum();
            assert!((got - 1.0 - energy).abs() < 1e-4 * energy, "{at}: {got} and {energy}");
        }
    });
}

#[test]
fn vectors_and_strides() {
    let (x, y) = (numbers(160, 3, 11), numbers(160, 7, 13));
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 2.0 * x + y).collect();
    let arguments = [floats(&x), floats(&y), Argument::Float(2.0), Argument::Int(40)];
    everywhere(COURSE, "sm_10", "saxpy4", ((1, 1), (64, 1)), 0, &arguments, |buffers| {
        assert_eq!(as_floats(&buffers[1]), expected);
    });
    let input = integers(300, 7, 1000);
    let arguments = [ints(&input), ints(&[0; 300]), Argument::Int(300)];
    everywhere(COURSE, "sm_10", "grid_stride", ((2, 1), (32, 1)), 0, &arguments, |buffers| {
        assert!(as_ints(&buffers[1]).iter().zip(&input).all(|(out, x)| *out == 3 * x + 1));
    });
}

#[test]
fn templates_references_switches_and_arrays() {
    let input = integers(32, 13, 50);
    let arguments = [ints(&input), ints(&[0; 128])];
    everywhere(COURSE, "sm_10", "features", ((1, 1), (32, 1)), 0, &arguments, |buffers| {
        let out = as_ints(&buffers[1]);
        for t in 0..32 {
            let mut local = [0, 1, 2, 3].map(|i| input[t as usize] + i);
            if t % 2 == 1 {
                local.swap(0, 3);
            }
            let kind = [10, 12, 12, 13, 13][t as usize % 5];
            let squares = t * t + (2.25 * (t * t) as f32) as i32;
            let expected = [local[0] - local[3], kind + local[t as usize & 3], squares, local.iter().sum()];
            assert_eq!(out[4 * t as usize..][..4], expected, "thread {t}");
        }
    });
}

#[test]
fn atomics_count() {
    let text: Vec<u8> = (0..1000).map(|i| (i * 7 % 251) as u8).collect();
    let mut expected = vec![0; 16];
    for byte in &text {
        expected[usize::from(*byte) % 16] += 1;
    }
    let arguments = [Argument::Buffer(text), Argument::Int(1000), ints(&[0; 16])];
    everywhere(ATOMICS, "sm_11", "histogram", ((4, 1), (64, 1)), 0, &arguments, |buffers| {
        assert_eq!(as_ints(&buffers[1]), expected);
    });
}

#[test]
fn calls_and_generic_addresses() {
    everywhere(FERMI, "sm_20", "calls", ((1, 1), (32, 1)), 0, &[ints(&[0; 128])], |buffers| {
        let out = as_ints(&buffers[0]);
        for t in 0..32i32 {
            let at = 4 * t as usize;
            assert_eq!(out[at], (1..=t % 8).product::<i32>());
            assert_eq!(out[at + 1], if t % 2 == 1 { t + 3 } else { t * 3 });
            assert_eq!(out[at + 2], (100 - t) * 1000 + t);
            let p = if t & 2 != 0 {
                5 * t
            } else if t & 1 != 0 {
                7 * t
            } else {
                t
            };
            assert_eq!(out[at + 3], p + t.count_ones() as i32 + (t + 1).leading_zeros() as i32);
        }
    });
    let input = integers(500, 11, 64);
    let mut expected = vec![0; 8];
    for x in &input {
        expected[*x as usize & 7] += 1;
    }
    let arguments = [ints(&input), ints(&[0; 8]), Argument::Int(500)];
    everywhere(FERMI, "sm_20", "histogram_shared", ((1, 1), (64, 1)), 0, &arguments, |buffers| {
        assert_eq!(as_ints(&buffers[1]), expected);
    });
    let input = numbers(32, 3, 50);
    everywhere(
        FERMI,
        "sm_20",
        "doubles",
        ((1, 1), (32, 1)),
        0,
        &[floats(&input), floats(&[0.0; 32])],
        |buffers| {
            let expected: Vec<f32> =
                input.iter().map(|x| (f64::from(*x) * f64::from(*x) / 3.0 + 0.5) as f32).collect();
            assert_eq!(as_floats(&buffers[1]), expected);
        },
    );
}

#[test]
fn assignments_and_prefix_steps_are_objects() {
    let text = "__device__ void add(int &x, int y) { x += y; }
extern \"C\" __global__ void objects(int *out) {
    int t = threadIdx.x, i = 0, x = 0, y = t;
    (x = t) += 5;
    out[5 * t] = x;
    int &r = ++y;
    r *= 2;
    out[5 * t + 1] = y;
    int a[4] = {0, 0, 0, 0};
    (a[i++] = t) += 7;
    *&(a[i++] -= 3) += t;
    out[5 * t + 2] = a[0];
    out[5 * t + 3] = a[1] + 1000 * i;
    add(x = 3, t);
    ++++x;
    out[5 * t + 4] = x;
}
";
    everywhere(text, "sm_10", "objects", ((1, 1), (32, 1)), 0, &[ints(&[0; 160])], |buffers| {
        let out = as_ints(&buffers[0]);
        for t in 0..32 {
            let expected = [t + 5, 2 * (t + 1), t + 7, t - 3 + 2000, t + 5];
            assert_eq!(out[5 * t as usize..][..5], expected, "thread {t}");
        }
    });
}

#[test]
fn an_integer_is_the_generic_value_of_a_pointer() {
    let text = "extern \"C\" __global__ void addresses(int *out) {
    __shared__ int s[32];
    int t = threadIdx.x, own = t;
    s[t] = 3 * t;
    __syncthreads();
    unsigned long long a = (unsigned long long)&s[31 - t], b = (unsigned long long)out;
    out[2 * t] = *(int *)a;
    int *p = t & 1 ? (int *)(unsigned long long)&own : (int *)(a + 0);
    ((int *)b)[2 * t + 1] = *p;
}
";
    everywhere(text, "sm_20", "addresses", ((1, 1), (32, 1)), 0, &[ints(&[0; 64])], |buffers| {
        let out = as_ints(&buffers[0]);
        for t in 0..32 {
            let shared = 3 * (31 - t);
            let expected = [shared, if t & 1 == 1 { t } else { shared }];
            assert_eq!(out[2 * t as usize..][..2], expected, "thread {t}");
        }
    });
    for level in [0, 3] {
        let ptx = compile(text, "sm_20", level).expect("it compiles");
        assert!(ptx.contains("cvta.shared") && ptx.contains("cvta.local"), "{ptx}");
    }
}
