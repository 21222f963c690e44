//! Random C programs of functions that call each other, pointers to functions and to structures,
//! and arrays.
//!
//! They have no undefined behavior: integers are unsigned, divisors are odd, counts of shifts and
//! indices are masked, the depth of calls falls, and floating-point numbers are eighths with few
//! bits, so that each operation is exact.
//!
//! The generator of kernels, which the test also runs on the host, has neither pointers to
//! functions nor lists, sorting and text, which exist only in host code.

use std::fmt::Write as _;
use test_support::random::Numbers;

const HEAD: &str = r"#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef unsigned long word;
struct node { double value; word key; struct node *next; int part[4]; signed char small; unsigned short middle; };
union both { word whole; unsigned char bytes[8]; };
enum color { RED, GREEN = 5, BLUE };
static struct node pool[16];
static word calls;
static double eighth(word x) { return (double)(long)(x & 0xfffff) / 8 - 1000; }
static int compare(const void *a, const void *b) {
    const struct node *x = (const struct node *)a, *y = (const struct node *)b;
    return x->key < y->key ? -1 : x->key > y->key;
}
static struct node moved(struct node n, word by) { n.key += by; n.part[by & 3] ^= 5; n.value /= 2; return n; }
static word walk(struct node *at, int steps) {
    word sum = 0;
    while (steps-- > 0 && at) { sum = sum * 31 + at->key + (word)(long)(at->value * 8); at = at->next; }
    return sum;
}
";

/// Functions of a program.
const FUNCTIONS: usize = 4;

/// An expression of unsigned words.
fn expression(numbers: &mut Numbers, depth: usize) -> String {
    if depth == 0 {
        return match numbers.below(9) {
            0 => format!("{:#x}ul", numbers.bits() >> numbers.below(64)),
            1 => format!("pool[({}) & 15].key", numbers.one_of(&["a", "b", "c"])),
            2 => format!("(word)pool[b & 15].{}", numbers.one_of(&["part[a & 3]", "small", "middle"])),
            3 => "local[c & 7]".to_owned(),
            4 => "(word)depth".to_owned(),
            _ => numbers.one_of(&["a", "b", "c"]).to_owned(),
        };
    }
    let (x, y) = (expression(numbers, depth - 1), expression(numbers, depth - 1));
    let constant = numbers.below(63);
    match numbers.below(14) {
        0..=4 => format!("({x} {} {y})", numbers.one_of(&["+", "-", "*", "^", "&", "|"])),
        5 => format!("({x} << {constant})"),
        6 => format!("({x} >> ({y} & 63))"),
        7 => format!("({x} {} ({y} | 1))", numbers.one_of(&["/", "%"])),
        8 => format!("({x} {} {y} ? {x} : {y})", numbers.one_of(&["<", ">=", "==", "!="])),
        9 => {
            let types =
                ["signed char", "short", "int", "unsigned char", "unsigned short", "unsigned", "long"];
            format!("(word)({})({x})", numbers.one_of(&types))
        }
        10 => {
            format!("(word)(long)(eighth({x}) * {} + eighth({y}))", numbers.one_of(&["2", "0.5", "-4", "3"]))
        }
        11 => format!("(word)(({x} > {y}) {} !{x})", numbers.one_of(&["&&", "||"])),
        12 => format!("(word)((float)(int)({x} & 0xfff) * 2.5f)"),
        _ => format!("~{x}"),
    }
}

fn statement(numbers: &mut Numbers, text: &mut String, nested: usize) {
    let (x, y) = (expression(numbers, 2), expression(numbers, 1));
    let to = numbers.one_of(&["a", "b", "c", "local[a & 7]", "pool[c & 15].key", "*chosen"]);
    let called = numbers.below(FUNCTIONS);
    // What a call writes must not be what the sum reads: C does not say which is first.
    let own = numbers.one_of(&["a", "b", "c"]);
    let _ = match numbers.below(13) {
        0 | 1 => writeln!(text, "{to} = {x};"),
        2 => writeln!(text, "{to} {}= {x};", numbers.one_of(&["+", "-", "*", "^", "|", "&"])),
        3 => writeln!(text, "{own} += f{called}({y}, b, depth - 1);"),
        4 => writeln!(text, "{own} ^= table[({y}) & {}]({y}, c, depth - 2);", FUNCTIONS - 1),
        5 => writeln!(text, "chosen = &{};", numbers.one_of(&["a", "b", "c", "local[2]", "pool[3].key"])),
        6 => writeln!(
            text,
            "pool[a & 15].{};",
            numbers.one_of(&["small += 3", "middle *= 7", "part[b & 3] ^= (int)c", "value = eighth(c)"])
        ),
        7 => writeln!(text, "{to} ^= walk(&pool[({y}) & 15], {});", numbers.below(20)),
        8 => writeln!(text, "pool[b & 15] = moved(pool[({y}) & 15], {y});"),
        9 if nested > 0 => {
            let _ = writeln!(
                text,
                "for (int i{nested} = 0; i{nested} < {}; i{nested}++) {{",
                numbers.below(6) + 1
            );
            statement(numbers, text, nested - 1);
            let leave = numbers.one_of(&["break", "continue"]);
            let _ = writeln!(text, "if ({y} & 1) {leave};");
            statement(numbers, text, nested - 1);
            writeln!(text, "}}")
        }
        10 if nested > 0 => {
            let _ = writeln!(text, "switch (({x}) & 7) {{");
            for case in ["case RED:", "case 2: case 3:", "case GREEN:", "default:"] {
                let _ = writeln!(text, "{case}");
                statement(numbers, text, nested - 1);
                text.push_str(numbers.one_of(&["break;\n", "break;\n", ""]));
            }
            writeln!(text, "}}")
        }
        11 if nested > 0 => {
            let _ = writeln!(text, "if ({x} % 3 == 1) {{");
            statement(numbers, text, nested - 1);
            let _ = writeln!(text, "}} else {{");
            statement(numbers, text, nested - 1);
            writeln!(text, "}}")
        }
        _ => writeln!(text, "{{ union both u; u.whole = {x}; u.bytes[b & 7] ^= 9; {to} -= u.whole; }}"),
    };
}

/// A program; it prints values of its functions and variables.
pub fn program(seed: u64) -> String {
    let numbers = &mut Numbers::new(seed);
    let mut text = HEAD.to_owned();
    let parameters = "(word a, word b, int depth)";
    for function in 0..FUNCTIONS {
        let _ = writeln!(text, "static word f{function}{parameters};");
    }
    let _ = writeln!(text, "static word (*table[{FUNCTIONS}]){parameters} = {{f0, f1, f2, f3}};");
    for function in 0..FUNCTIONS {
        let _ = writeln!(
            text,
            "static word f{function}{parameters} {{\n\
             word c = a ^ {}ul, local[8] = {{a, b, 3}}, *chosen = &local[1];\n\
             if (depth <= 0 || calls++ > 3000) return a * 3 + b;",
            numbers.bits()
        );
        for _ in 0..numbers.below(5) + 2 {
            statement(numbers, &mut text, 2);
        }
        let _ = writeln!(text, "return a ^ b ^ c ^ *chosen ^ local[0] ^ local[5];\n}}");
    }
    let _ = writeln!(
        text,
        "int main(void) {{\n\
         for (word i = 0; i < 16; i++) {{\n\
         pool[i].key = i * {}ul; pool[i].value = eighth(i * 77); pool[i].next = i % 5 ? &pool[i * 7 & 15] : NULL;\n\
         }}",
        numbers.bits()
    );
    for function in 0..FUNCTIONS {
        let (a, b) = (numbers.bits() >> numbers.below(64), numbers.bits() >> numbers.below(64));
        let _ = writeln!(text, "printf(\"%lu\\n\", f{function}({a}ul, {b}ul, {}));", numbers.below(5) + 2);
    }
    text + "qsort(pool, 16, sizeof(struct node), compare);\n\
            for (int i = 0; i < 16; i++)\n\
            printf(\"%lu %.3f %d %d %d\\n\", pool[i].key, pool[i].value, pool[i].part[i & 3], pool[i].small,\n\
            pool[i].middle);\n\
            struct node *copy = (struct node *)malloc(sizeof pool);\n\
            memcpy(copy, pool, sizeof pool);\n\
            printf(\"%lu %lu %d\\n\", walk(copy + 1, 30), calls, (int)sizeof(struct node));\n\
            free(copy);\nreturn 0;\n}\n"
}
