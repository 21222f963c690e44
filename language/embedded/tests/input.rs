//! Standard input arrives in parts: no part changes what a program reads.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Setup, start};

/// Reads in each way, and prints what it has read.
const PROGRAM: &str = r#"
#include <stdio.h>
#include <iostream>
#include <string>
int main() {
    int a = 0, b = 0, n = 0; float f = 0; char word[32], rest[32], line[64];
    printf("%d ", scanf("%d,%i", &a, &b)); printf("%d %d\n", a, b);
    printf("%d ", scanf(" %g%n", &f, &n)); printf("%g %d\n", f, n);
    printf("%d ", scanf("%3s%[^\n]", word, rest)); printf("<%s> <%s>\n", word, rest);
    printf("%d ", getchar()); printf("%c\n", getchar());
    printf("%d ", scanf("%d", &a)); printf("%s", fgets(line, 64, stdin));
    ungetc('1', stdin); scanf("%d", &a); printf("%d\n", a);
    printf("%d <%.3s>\n", (int)fread(line, 1, 3, stdin), line);
    double d; std::cin >> word >> d; std::cout << word << " " << d << std::endl;
    std::string text; std::getline(std::cin, text); std::getline(std::cin, text); std::cout << text << "\n";
    n = scanf("%*d%%"); printf("%d %d\n", n, feof(stdin) != 0);
    printf("%d ", scanf("%5c", line)); printf("<%.5s>\n", line);
    n = scanf("%d", &a); printf("%d %d ", n, feof(stdin) != 0); printf("%d\n", getchar());
    return 0;
}
"#;

const INPUT: &str = "-12,0x1F\n 3.5e+2 wordy and more\nZinf\n7\nabcdef 1e-3\nthe  line\n44%nan(5)";

const EXPECTED: &str = "2 -12 31\n1 350 8\n2 <wor> <dy and more>\n10 Z\n0 inf\n17\n3 <\nab>\n\
                        cdef 0.001\nthe  line\n0 0\n1 <nan(5>\n0 0 41\n";

fn printed(parts: Vec<&'static str>) -> String {
    let setup = Setup { input: parts, ..Setup::default() };
    let run = start("input.cu", PROGRAM, ("fermi", "1"), &[], setup);
    assert_eq!(run.code, 0, "{}", run.message);
    run.out
}

#[test]
fn parts_of_the_input_change_nothing() {
    assert_eq!(printed(vec![INPUT]), EXPECTED);
    let single = (0..INPUT.len()).map(|at| &INPUT[at..=at]).collect();
    assert_eq!(printed(single), EXPECTED);
    for at in 1..INPUT.len() {
        let (first, second) = INPUT.split_at(at);
        assert_eq!(printed(vec![first, second]), EXPECTED, "{first:?} {second:?}");
    }
}

/// A program that waits for an answer has read no more than it needs.
#[test]
fn a_read_takes_only_the_parts_that_it_needs() {
    for (code, parts, expected) in [
        ("int n; scanf(\"%d\", &n); printf(\"%d\", n);", vec!["5\n", "6\n"], "5"),
        (
            "int n; scanf(\"%d\", &n); printf(\"%d\", n); scanf(\"%d\", &n); printf(\"%d\", n);",
            vec!["5", "6\n", "7\n"],
            "567",
        ),
        ("printf(\"%d\", getchar()); printf(\"%d\", scanf(\"x\"));", vec!["x", "y"], "1200"),
        (
            "char a[9]; printf(\"%s\", fgets(a, 9, stdin)); printf(\"%s\", fgets(a, 3, stdin));",
            vec!["on", "e\n", "two"],
            "one\ntw",
        ),
        // A read that looks behind the end finds the end, also if it has its value.
        ("char a[9]; while (!feof(stdin)) printf(\"%d\", scanf(\"%s\\n\", a));", vec!["one\ntwo\n"], "11"),
        ("int n; scanf(\"%d\", &n); printf(\"%d\", feof(stdin) != 0);", vec!["5"], "1"),
        ("int n; scanf(\"%d\", &n); printf(\"%d\", feof(stdin) != 0);", vec!["5\n"], "0"),
    ] {
        let text = format!("#include <stdio.h>\nint main() {{ {code} return 0; }}");
        let setup = Setup { input: parts, ..Setup::default() };
        let run = start("input.cu", &text, ("fermi", "1"), &[], setup);
        assert_eq!((run.code, run.out.as_str()), (0, expected), "{code}: {}", run.message);
    }
}
