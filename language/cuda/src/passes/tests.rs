//! Tests of single passes on functions of arithmetic, which an interpreter executes.

use super::fold::{Arithmetic, evaluate_with};
use super::*;
use crate::ssa::{Binary, Block, Cmp, Jump, Loc, Mem, Space, Terminator, Ty, Unroll, Value, verify};
use rustc_hash::FxHashMap;

const EXACT: Arithmetic = Arithmetic { ftz: false, fused: true, exact_division: true, double: true };

/// The result of a function without memory for an argument.
fn interpret(f: &Function, argument: u64) -> u64 {
    let mut values: FxHashMap<Value, u64> = FxHashMap::default();
    let mut block = Function::ENTRY;
    for _ in 0..100_000 {
        for &value in &f.blocks[block.at()].insts {
            let bits = match f.op(value) {
                Op::FuncParam(_) => argument,
                _ => evaluate_with(f, value, EXACT, &values).expect("arithmetic"),
            };
            values.insert(value, bits);
        }
        let jump = match &f.blocks[block.at()].term {
            Terminator::Jump(jump) => jump,
            Terminator::Branch(cond, yes, no) => {
                if values[cond] != 0 {
                    yes
                } else {
                    no
                }
            }
            Terminator::Return(Some(value)) => return values[value],
            other => panic!("{other:?}"),
        };
        let args: Vec<u64> = jump.args.iter().map(|arg| values[arg]).collect();
        block = jump.to;
        for (param, bits) in f.blocks[block.at()].params.iter().zip(args) {
            values.insert(*param, bits);
        }
    }
    panic!("no end\n{f}");
}

/// A function that applies an operation with a constant to its argument.
fn with_constant(op: Binary, bits: u64, ty: Ty) -> Function {
    let mut f = Function::new("f");
    let entry = f.add_block();
    let x = f.push(entry, ty, Op::FuncParam(0), Loc::default());
    let c = f.push(entry, ty, Op::Const(bits & ty.mask()), Loc::default());
    let y = f.push(entry, ty, Op::Binary(op, x, c), Loc::default());
    f.blocks[entry.at()].term = Terminator::Return(Some(y));
    f
}

/// Arguments near the limits, and some without a pattern.
fn arguments() -> Vec<u64> {
    let mut list = Vec::new();
    for shift in 0..64 {
        for near in [0u64, 1, 2, u64::MAX, u64::MAX - 1] {
            list.push((1u64 << shift).wrapping_add(near));
        }
    }
    let mut numbers = test_support::random::Numbers::new(1);
    list.extend((0..300).map(|_| numbers.bits()));
    list
}

#[test]
fn division_by_constants_is_exact() {
    let divisors: Vec<i64> =
        (1..70).chain([100, 127, 128, 641, 1000, 65_535, 65_537, 1 << 30, 0x7fff_ffff]).collect();
    for ty in [Ty::I32, Ty::I64] {
        for d in divisors.iter().flat_map(|d| [*d, -*d]).chain([i64::from(i32::MIN)]) {
            for op in [Binary::DivS, Binary::DivU, Binary::RemS, Binary::RemU] {
                let before = with_constant(op, d as u64, ty);
                let mut after = before.clone();
                fold::run(&mut after, EXACT);
                verify::verify(&after).unwrap();
                for x in arguments() {
                    let x = x & ty.mask();
                    assert_eq!(
                        interpret(&before, x),
                        interpret(&after, x),
                        "{op:?} {ty:?}: {x} by {d}\n{after}"
                    );
                }
            }
        }
    }
}

#[test]
fn operations_with_constants_keep_their_results() {
    use Binary::*;
    let ops = [Add, Sub, Mul, MulHiS, MulHiU, And, Or, Xor, MinS, MaxU, Mul24S, Mul24U];
    for ty in [Ty::I32, Ty::I64] {
        for op in ops {
            for c in [0u64, 1, 2, 3, 8, 255, u64::MAX, 1 << 31] {
                let before = with_constant(op, c, ty);
                let mut after = before.clone();
                fold::run(&mut after, EXACT);
                for x in arguments() {
                    let x = x & ty.mask();
                    assert_eq!(
                        interpret(&before, x),
                        interpret(&after, x),
                        "{op:?} {ty:?}: {x} and {c}\n{after}"
                    );
                }
            }
        }
    }
}

/// `sum = x; for (i = 0; i < trips; i++) sum = sum * 3 + i;`
fn summing(trips: u64) -> Function {
    let mut f = Function::new("sum");
    let at = Loc::default();
    let (entry, head, end) = (f.add_block(), f.add_block(), f.add_block());
    let x = f.push(entry, Ty::I32, Op::FuncParam(0), at);
    let zero = f.push(entry, Ty::I32, Op::Const(0), at);
    f.blocks[entry.at()].term = Terminator::Jump(Jump { to: head, args: vec![x, zero] });
    let sum = f.add_param(head, Ty::I32);
    let i = f.add_param(head, Ty::I32);
    let three = f.push(head, Ty::I32, Op::Const(3), at);
    let product = f.push(head, Ty::I32, Op::Binary(Binary::Mul, sum, three), at);
    let next_sum = f.push(head, Ty::I32, Op::Binary(Binary::Add, product, i), at);
    let one = f.push(head, Ty::I32, Op::Const(1), at);
    let next = f.push(head, Ty::I32, Op::Binary(Binary::Add, i, one), at);
    let limit = f.push(head, Ty::I32, Op::Const(trips), at);
    let more = f.push(head, Ty::I1, Op::Cmp(Cmp::LtS, next, limit), at);
    f.blocks[head.at()].term =
        Terminator::Branch(more, Jump { to: head, args: vec![next_sum, next] }, Jump::to(end));
    f.blocks[end.at()].term = Terminator::Return(Some(next_sum));
    f
}

#[test]
fn small_loops_are_unrolled_and_large_ones_stay() {
    for (trips, gone) in [(1, true), (16, true), (64, true), (65, false), (5000, false)] {
        let before = summing(trips);
        let mut after = before.clone();
        while unroll::run(&mut after, false, unroll::FUNCTION_SIZE, &mut 1_000_000) {
            promote::run(&mut after);
            simplify::run(&mut after);
            fold::run(&mut after, EXACT);
            dce::run(&mut after);
        }
        verify::verify(&after).unwrap();
        let blocks = crate::ssa::Cfg::new(&after).order.len();
        assert_eq!(blocks == 1, gone, "{trips}\n{after}");
        assert_eq!(interpret(&before, 7), interpret(&after, 7), "{trips}");
    }
}

#[test]
fn a_factor_copies_the_body() {
    for (trips, factor) in [(100, 4), (101, 4), (3, 2), (1000, 7)] {
        let before = summing(trips);
        let mut after = before.clone();
        after.unroll.push((Block(1), Unroll { factor, loc: Loc::default() }));
        while unroll::run(&mut after, false, unroll::FUNCTION_SIZE, &mut 1_000_000) {
            promote::run(&mut after);
            simplify::run(&mut after);
            dce::run(&mut after);
        }
        verify::verify(&after).unwrap();
        assert_eq!(interpret(&before, 5), interpret(&after, 5), "{trips} by {factor}\n{after}");
    }
}

#[test]
fn a_word_of_constant_memory_is_loaded_for_each_use_as_an_operand() {
    let mut f = Function::new("f");
    let entry = f.add_block();
    let loc = Loc::default();
    let x = f.push(entry, Ty::F32, Op::FuncParam(0), loc);
    let addr = f.push(entry, Ty::I32, Op::FuncParam(1), loc);
    let load = |offset| Op::Load {
        space: Space::Const,
        mem: Mem::F32,
        lanes: 1,
        addr,
        offset,
        volatile: false,
        pointer: false,
    };
    let (a, b) = (f.push(entry, Ty::F32, load(0), loc), f.push(entry, Ty::F32, load(4), loc));
    // Two uses of `a` as an operand; `b` is needed in a register by the minimum.
    let y = f.push(entry, Ty::F32, Op::Binary(Binary::Sub, x, a), loc);
    let y = f.push(entry, Ty::F32, Op::Binary(Binary::Mul, y, a), loc);
    let y = f.push(entry, Ty::F32, Op::Binary(Binary::Add, y, b), loc);
    let y = f.push(entry, Ty::F32, Op::Binary(Binary::FMin, y, b), loc);
    f.blocks[entry.at()].term = Terminator::Return(Some(y));
    const_operands::run(&mut f);
    assert_eq!(verify::verify(&f), Ok(()));
    let offsets: Vec<i64> = f.blocks[entry.at()]
        .insts
        .iter()
        .filter_map(|value| match f.op(*value) {
            Op::Load { offset, .. } => Some(*offset),
            _ => None,
        })
        .collect();
    assert_eq!(offsets, [0, 4, 0]);
}

/// In a loop of a whole program, whose pointers have 64 bits, an address of a chip below 2.0 grows
/// by a sum as it does with 32-bit pointers: products and comparisons of 64 bits stay outside.
#[test]
fn loops_of_programs_have_no_products_of_64_bits() {
    let text = "__global__ void product(const float *m, const float *n, float *p, int width)\n{\n    int row = \
                blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;\n    \
                float sum = 0;\n    for (int k = 0; k < width; k++) sum += m[row * width + k] * n[k * width + \
                column];\n    p[row * width + column] = sum;\n}\nint main() {}\n";
    for name in ["sm_10", "sm_13", "sm_20"] {
        let target = Target::from_name(name).expect("a target");
        let made = crate::compile_program(
            &[crate::Unit::new("p.cu", text, &|_: &str, _: &str, _: bool| None, &Options::of(target))],
            target,
        );
        let ptx = made.device.ptx.expect("it compiles");
        let (_, rest) = ptx.split_once("$L1:").expect("a loop");
        let (body, _) = rest.split_once("bra \t$L1").or_else(|| rest.split_once("$L1;")).expect("its end");
        assert!(
            !body.contains("mul.") && !body.contains("mad.lo") && !body.contains("u64"),
            "{name}\n{body}"
        );
        assert_eq!(body.matches("add.s64").count(), 2, "{name}\n{body}");
    }
}

/// The PTX of a kernel with a body, for a target.
fn compiled(parameters: &str, body: &str, name: &str) -> String {
    let text = format!(
        "struct __align__(8) Pair {{ int a, b; }};\nstruct Loose {{ float x, y; }};\n\
         __global__ void k({parameters}, float *out)\n{{\n    int i = threadIdx.x;\n    {body}\n}}\n"
    );
    let target = Target::from_name(name).expect("a target");
    let made = crate::compile_program(
        &[crate::Unit::new("v.cu", &text, &|_: &str, _: &str, _: bool| None, &Options::of(target))],
        target,
    );
    made.device.ptx.unwrap_or_else(|| panic!("{text}"))
}

#[test]
fn loads_of_members_become_loads_of_vectors() {
    let floats = "const float4 *a";
    for (parameters, body, vectors, scalars) in [
        (floats, "out[i] = a[i].x + a[i].y + a[i].z + a[i].w;", ["v4"].as_slice(), 0),
        // The fourth member exists; a pair that is half of the vector is loaded alone.
        (floats, "out[i] = a[i].x + a[i].y * a[i].z;", &["v4"], 0),
        (floats, "out[i] = a[i].z + a[i].w;", &["v2"], 0),
        (floats, "out[i] = a[i].y + a[i].z;", &["v4"], 0),
        (floats, "out[i] = a[i].y;", &[], 1),
        (floats, "out[i] = a[i].x + a[i + 1].y;", &[], 2),
        (floats, "out[i] = a[i].x + a[i + 1].x + a[i].y + a[i + 1].w;", &["v2", "v4"], 0),
        ("const Pair *a", "out[i] = a[i].a - a[i].b;", &["v2"], 0),
        // Only its type proves the alignment of an object.
        ("const Loose *a", "out[i] = a[i].x + a[i].y;", &[], 2),
        ("const float *a", "out[i] = a[4 * i] + a[4 * i + 1];", &[], 2),
        ("const float3 *a", "out[i] = a[i].x + a[i].y + a[i].z;", &[], 3),
        ("const double2 *a", "out[i] = (float)a[i].x + (float)a[i].y;", &["v2"], 0),
    ] {
        for name in ["sm_13", "sm_20"] {
            let ptx = compiled(parameters, body, name);
            let loads: Vec<&str> = ptx.lines().filter(|line| line.contains("ld.global")).collect();
            let found: Vec<&str> =
                ["v2", "v4"].into_iter().filter(|v| loads.iter().any(|load| load.contains(v))).collect();
            let single = loads.iter().filter(|load| !load.contains(".v")).count();
            assert_eq!((found.as_slice(), single), (vectors, scalars), "{name} {body}\n{ptx}");
        }
    }
}

#[test]
fn loads_of_members_are_apart_if_memory_may_change_between_them() {
    let ordered = |parameters, body| {
        let ptx = compiled(parameters, body, "sm_20");
        assert!(![".v2", ".v4"].iter().any(|vector| ptx.contains(vector)), "{body}\n{ptx}");
    };
    // The store may change the vector.
    ordered("float4 *a", "float s = a[i].x; out[i] = 1; out[i + 1] = s + a[i].y;");
    ordered("float4 *a", "float s = a[i].x; a[i].y = s; out[i] = s + a[i].z;");
    ordered("float4 *a", "float s = a[i].x; __syncthreads(); out[i] = s + a[i].y;");
    ordered("float4 *a", "float s = a[i].x; __threadfence(); out[i] = s + a[i].y;");
    ordered("float4 *a, int *n", "float s = a[i].x; atomicAdd(n, 1); out[i] = s + a[i].y;");
    ordered("volatile float4 *a", "out[i] = a[i].x + a[i].y + a[i].z + a[i].w;");
    // Different members of one vector do not overlap, but the load of the vector reads them all.
    let ptx = compiled(
        "float4 *a",
        "__shared__ float t[64]; float s = a[i].x; t[i] = s; out[i] = a[i].y + t[i ^ 1];",
        "sm_20",
    );
    assert!(ptx.contains("ld.global.v2.f32"), "{ptx}");
}

/// A vector that all threads read is in four words for a Fermi, which reads one word for all lanes
/// at the cost of one line, and in one load for a chip without a cache.
#[test]
fn a_vector_that_all_threads_read_is_one_load_below_fermi() {
    let body = "float s = 0; for (int j = 0; j < n; j++) s += a[j].x * a[j].y - a[j].z * a[j].w; out[i] = s;";
    for (name, vector) in [("sm_10", true), ("sm_20", false)] {
        let ptx = compiled("const float4 *a, int n", body, name);
        assert_eq!(ptx.contains("ld.global.v4.f32"), vector, "{name}\n{ptx}");
    }
}
