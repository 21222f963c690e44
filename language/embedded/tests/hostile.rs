//! Host programs that do what they must not: each ends with the exit code of docs/PROGRAMS.md and
//! a message that names the mistake, and no file outside of its folder is read or written.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Run, Setup, start};
use embedded::library::DiskFolder;
use std::fs;
use std::path::Path;

const HEAD: &str = "#include <algorithm>\n#include <assert.h>\n#include <errno.h>\n#include <stdexcept>\n#include <stdio.h>\n#include <stdlib.h>\n\
                    #include <string.h>\n#include <string>\n#include <vector>\n";

/// Instructions of a program: few, so that endless loops end soon.
const STEPS: u64 = 4_000_000;

/// Runs a program in a folder; `code` is what `main` does, and may have declarations before a
/// line `---`.
fn run(code: &str, folder: &Path) -> Run {
    let (declared, code) = code.split_once("---").unwrap_or(("", code));
    let text = format!("{HEAD}{declared}\nint main() {{\n{code}\nreturn 0;\n}}\n");
    let folder = Box::new(DiskFolder::new(folder.to_owned(), Box::new(|path| path.ends_with("used.cu"))));
    start("hostile.cu", &text, ("fermi", "1"), &[], Setup { folder, steps: STEPS, ..Setup::default() })
}

/// Programs with mistakes, their exit code, and words of the message; of a program that ends with
/// 0, what it prints.
const MISTAKES: &[(&str, i32, &str)] = &[
    // Without an end.
    ("volatile int x = 0; for (;;) x++;", 4, "limit of instructions"),
    ("for (;;) puts(\"more and more and more\");", 4, "limit of instructions"),
    ("int f(int x) { return f(x + 1) + 1; }\n---\nreturn f(0);", 136, "stack overflow"),
    ("struct A { A *a; A() { a = new A; } };\n---\nA a;", 136, "stack overflow"),
    ("struct A { ~A() { for (;;); } };\n---\nA a;", 4, "limit of instructions"),
    // Functions of the library count by the bytes that they touch.
    ("static char a[1 << 24]; for (;;) memset(a, 1, sizeof a);", 4, "limit of instructions"),
    ("static char a[1 << 24], b[1 << 24]; for (;;) memcpy(a, b, sizeof a);", 4, "limit of instructions"),
    ("static char a[1 << 24]; for (;;) memmove(a + 1, a, sizeof a - 1);", 4, "limit of instructions"),
    ("static char a[1 << 24], b[1 << 24]; for (;;) memcmp(a, b, sizeof a);", 4, "limit of instructions"),
    ("static char a[1 << 24]; memset(a, 'x', sizeof a - 1); for (;;) strlen(a);", 4, "limit of instructions"),
    (
        "static char a[1 << 24], b[1 << 24]; memset(a, 'x', sizeof a - 1); for (;;) strcpy(b, a);",
        4,
        "limit of instructions",
    ),
    (
        "static char a[1 << 24], b[1 << 25]; memset(a, 'x', sizeof a - 1); for (;;) sprintf(b, \"%s\", a);",
        4,
        "limit of instructions",
    ),
    (
        "static char a[1 << 24]; memset(a, 'x', sizeof a - 1); for (;;) strstr(a, \"xy\");",
        4,
        "limit of instructions",
    ),
    ("for (;;) { std::string s(1 << 24, 'x'); std::string t = s; }", 4, "limit of instructions"),
    ("std::vector<int> v(1 << 22, 5); for (;;) { std::vector<int> w = v; }", 4, "limit of instructions"),
    ("struct S { char a[1 << 20]; }; static S a, b; for (;;) a = b;", 4, "limit of instructions"),
    ("std::string s = \"x\"; for (;;) s += s;", 4, "limit of instructions"),
    ("for (;;) { FILE *f = fopen(\"inside\", \"a\"); fputs(\"y\", f); fclose(f); }", 4, "limit"),
    ("static char a[1L << 31];\n---\na[0] = 1;", 139, "in `a` at hostile.cu:"),
    (
        "__device__ float large[1 << 29];\n__global__ void k() { large[0] = 1; }\n---\nk<<<1, 1>>>();",
        3,
        "variable `large` of 2147483648 bytes does not fit",
    ),
    // Memory.
    ("char *p = (char *)malloc(1UL << 40); printf(\"%d\", p == NULL);", 0, "1"),
    (
        "char *p = (char *)malloc(1UL << 40); p[5] = 1;",
        139,
        "the last allocation that failed, of 1099511627776 bytes, returned a null pointer at ",
    ),
    ("char *p = (char *)malloc(1UL << 40); p[9000] = 1;", 139, "behind a null pointer"),
    ("char *p = (char *)calloc(1UL << 40, 1UL << 40); printf(\"%d\", p == NULL);", 0, "1"),
    ("int n = 0; while (malloc(1 << 20)) n++; printf(\"%d\", n < 2000);", 0, "1"),
    ("int *p = (int *)malloc(8); free(p); free(p);", 139, "is used after its end"),
    ("int *p = new int[3]; delete[] p; p[1] = 0;", 139, "is used after its end"),
    ("int *p = (int *)malloc(8); p[2] = 1;", 139, "is behind the end of the allocated memory"),
    (
        "int *p; cudaMallocManaged(&p, 400); p[100] = 1;",
        139,
        "an access of 4 bytes at offset 400 is behind the end of the pinned or managed memory",
    ),
    ("int *p; cudaMallocHost(&p, 400); p[-1] = 1;", 139, "is before the start of the pinned or managed"),
    ("int *p; cudaMallocManaged(&p, 4); cudaFree(p); *p = 1;", 139, "memory is used after its end"),
    ("int *p; cudaMallocManaged(&p, 4); free(p);", 139, "`free` of the pinned or managed memory"),
    ("int x; free(&x);", 139, "`free` of `x`"),
    ("int *p = (int *)malloc(8); free(p + 1);", 139, "`free` of"),
    ("free((void *)0x7fffffff12345678);", 139, "`free` of"),
    ("int *d; cudaMalloc(&d, 8); free(d);", 139, "`free` of"),
    ("*(volatile int *)0x7fffffff12345678 = 1;", 139, "there is no memory at address 0x7fffffff12345678"),
    ("int *f() { int x = 1; return &x; }\n---\nreturn *f();", 139, "`x` is used after its end"),
    ("std::vector<int> v(3); int at = -1; v[at] = 2;", 139, "is before the start of the allocated memory"),
    ("void (*f)() = (void (*)())0x1234; f();", 136, "function"),
    ("void (*f)() = NULL; f();", 136, "a null function pointer is called"),
    ("int a[3] = {3, 1, 2}; qsort(a, 3, 4, NULL);", 136, "a null function pointer is called"),
    // Texts.
    ("printf(\"%s\", (char *)8);", 139, "a null pointer is used"),
    ("printf(\"%s\", (char *)0x7fffffff12345678);", 139, "there is no memory at address 0x7fffffff12345678"),
    ("printf(\"%n\", (int *)8);", 139, "a null pointer is used"),
    ("printf(\"%1$d %d\", 1, 2);", 136, "numbers only a part of its values"),
    ("printf(\"%3$d\", 1);", 136, "has `%3$`, and no such value"),
    ("sscanf(\"1\", \"%d\", (int *)8);", 139, "a null pointer is used"),
    (
        "sscanf(\"1\", \"%n\", (int *)0x7fffffff12345678);",
        139,
        "there is no memory at address 0x7fffffff12345678",
    ),
    ("char a[4]; sscanf(\"abcdef\", \"%s\", a);", 139, "is behind the end of `a`, which has 4 bytes"),
    ("int a; sscanf(\"1 2\", \"%d %d\", &a);", 136, "`scanf` has more conversions than there are values"),
    ("printf(\"%d %d\", 1);", 136, "has more conversions than there are values"),
    ("printf(\"%*d\", 1);", 136, "has more conversions than there are values"),
    ("printf(\"%.*f\", 1);", 136, "has more conversions than there are values"),
    ("char a[3] = {'a', 'b', 'c'}; return (int)strlen(a);", 139, "is behind the end of `a`"),
    ("char a[4]; strcpy(a, \"abcd\");", 139, "is behind the end of `a`, which has 4 bytes"),
    ("printf(\"%2000000000d\", 1);", 136, "a text of `printf` is longer than 64 MiB"),
    ("printf(\"%.*f\", 2000000000, 1.0);", 136, "a text of `printf` is longer than 64 MiB"),
    (
        "static char a[9000]; printf(\"%d \", sprintf(a, \"%5000d\", 7)); printf(\"%d\", (int)strlen(a));",
        0,
        "5000 5000",
    ),
    ("printf(\"%d\", snprintf(NULL, 0, \"%.3000f|%-2000s|%02500x\", 0.1, \"a\", 3));", 0, "7504"),
    (
        "char a[] = \"a,b;;c\", *p = strtok(a, \",;\"); for (; p; p = strtok(NULL, \",;\")) printf(\"%s.\", p);",
        0,
        "a.b.c.",
    ),
    // `errno`.
    (
        "printf(\"%d \", errno); FILE *f = fopen(\"none\", \"r\"); printf(\"%d %d\", f == NULL, errno == ENOENT);",
        0,
        "0 1 1",
    ),
    (
        "FILE *f = fopen(\"none/../x\", \"w\"); printf(\"%d %s\", f == NULL, strerror(errno));",
        0,
        "1 No such file or directory",
    ),
    (
        "FILE *f = fopen(\"inside/\", \"r\"); printf(\"%d %s\", f == NULL, strerror(errno));",
        0,
        "1 Not a directory",
    ),
    ("FILE *f = fopen(\"new/\", \"w\"); printf(\"%d %d\", f == NULL, errno != 0);", 0, "1 1"),
    (
        "FILE *f = fopen(\"..\", \"r\"); printf(\"%d %s\", f == NULL, strerror(errno));",
        0,
        "1 Permission denied",
    ),
    (
        "errno = 7; strtol(\"99999999999999999999\", NULL, 10); printf(\"%d\", errno == ERANGE); errno = 0; strtoul(\"18446744073709551615\", NULL, 10); strtod(\"1e999\", NULL); printf(\" %d\", errno == ERANGE);",
        0,
        "1 1",
    ),
    (
        "errno = 0; strtol(\"5\", NULL, 10); strtod(\"inf\", NULL); printf(\"%d %s\", errno, strerror(999));",
        0,
        "0 Unknown error 999",
    ),
    (
        "void *p = malloc(1UL << 40); printf(\"%d %s\", p == NULL, strerror(errno));",
        0,
        "1 Cannot allocate memory",
    ),
    ("fopen(\"none\", \"r\"); perror(\"open\"); return 1;", 1, "open: No such file or directory"),
    // `remove` and `rename`.
    (
        "FILE *f = fopen(\"a\", \"w\"); fputs(\"x\", f); fclose(f); printf(\"%d\", rename(\"a\", \"b\")); f = fopen(\"a\", \"r\"); printf(\"%d\", f == NULL); f = fopen(\"b\", \"r\"); printf(\"%c\", fgetc(f)); fclose(f); printf(\"%d\", std::remove(\"b\")); printf(\"%d %d\", remove(\"b\"), errno == ENOENT);",
        0,
        "01x0-1 1",
    ),
    (
        "FILE *f = fopen(\"c\", \"w\"); fputs(\"x\", f); remove(\"c\"); fputs(\"y\", f); fclose(f); printf(\"%d\", fopen(\"c\", \"r\") == NULL);",
        0,
        "1",
    ),
    (
        "FILE *f = fopen(\"./d\", \"w\"); fputs(\"x\", f); remove(\"d\"); fclose(f); printf(\"%d\", fopen(\"d\", \"r\") == NULL);",
        0,
        "1",
    ),
    (
        "FILE *f = fopen(\"./e\", \"w\"); fputs(\"x\", f); rename(\"e\", \"g\"); fclose(f); printf(\"%d\", fopen(\"e\", \"r\") == NULL); printf(\"%c\", fgetc(fopen(\"g\", \"r\")));",
        0,
        "1x",
    ),
    (
        "FILE *f = fopen(\"h\", \"w\"), *o = fopen(\"i\", \"w\"); fputs(\"new\", f); fclose(f); fputs(\"old\", o); rename(\"h\", \"i\"); fclose(o); printf(\"%c\", fgetc(fopen(\"i\", \"r\")));",
        0,
        "n",
    ),
    (
        "printf(\"%d %s\", remove(\"../x\"), strerror(errno)); printf(\" %d\", rename(\"inside\", \"/tmp/x\"));",
        0,
        "-1 Permission denied -1",
    ),
    (
        "std::vector<int> v = {1, 2, 1}; v.erase(std::remove(v.begin(), v.end(), 1), v.end()); printf(\"%d\", (int)v.size());",
        0,
        "1",
    ),
    // Numbers.
    ("volatile int zero = 0; return 5 / zero;", 136, "division by zero"),
    ("volatile unsigned long zero = 0; return 5 % zero;", 136, "division by zero"),
    // Ends.
    ("struct A { ~A() { exit(3); } };\n---\nA a;", 3, ""),
    ("struct A { ~A() { abort(); } };\nA a;\n---\nexit(1);", 134, ""),
    ("assert(1 == 2);", 134, "Assertion `1 == 2' failed"),
    ("throw 5;", 134, "terminate called"),
    ("std::vector<int> v; v.at(7) = 1;", 134, "terminate called"),
    ("throw;", 136, "`throw` without an exception that is handled"),
    // The device.
    ("char h[8]; char *d; cudaMalloc(&d, 8); memcpy(h, d, 8);", 139, "which belongs to the device"),
    ("char h[8]; char *d; cudaMalloc(&d, 8); memcpy(d, h, 8);", 139, "which belongs to the device"),
    ("char h[8]; char *d; cudaMalloc(&d, 8); printf(\"%s\", d);", 139, "which belongs to the device"),
    (
        "char h[4]; char *d; cudaMalloc(&d, 8); printf(\"%d\", cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost) != 0);",
        0,
        "1",
    ),
    (
        "char h[8]; char *d; cudaMalloc(&d, 8); printf(\"%d\", cudaMemcpy(d, h, 9, cudaMemcpyHostToDevice) != 0);",
        0,
        "1",
    ),
    ("char h[8]; printf(\"%d\", cudaFree(h) != 0);", 0, "1"),
    ("int *d; cudaMalloc(&d, 8); cudaFree(d); printf(\"%d\", cudaFree(d) != 0);", 0, "1"),
    // Files.
    ("FILE *f = fopen(\"a\", \"w\"); fclose(f); fclose(f);", 136, "a `FILE` is used that is not open"),
    ("fprintf(fopen(\"none\", \"r\"), \"x\");", 136, "a null `FILE` pointer is used"),
    ("fputs(\"x\", (FILE *)77);", 136, "a `FILE` is used that is not open"),
    ("char a[4]; FILE *f = fopen(\"inside\", \"r\"); fread(a, 1, 6, f);", 139, "behind the end of `a`"),
    ("int n = 0; while (fopen(\"inside\", \"r\")) n++; printf(\"%d\", n < 2000);", 0, "1"),
    ("printf(\"%d\", fopen(\"used.cu\", \"w\") == NULL && fopen(\"used.cu\", \"a\") == NULL);", 0, "1"),
    ("FILE *f = fopen(\"inside/used.cu\", \"w\"); fprintf(f, \"x\");", 136, "a null `FILE` pointer is used"),
];

#[test]
fn mistakes_have_their_exit_code_and_message() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::write(folder.path().join("inside"), "inside").expect("a file");
    let mut wrong = 0;
    for (code, expected, words) in MISTAKES {
        let run = run(code, folder.path());
        let text = format!("{}{}{}", run.out, run.err, run.message);
        let has_words = if *expected == 0 { run.out == *words } else { text.contains(words) };
        if run.code != *expected || !has_words {
            wrong += 1;
            println!(
                "{code}\n  exit code {} instead of {expected}, without {words:?}: {:.300}",
                run.code, text
            );
        }
    }
    assert_eq!(wrong, 0, "the programs above");
}

/// Chains of operators and of `else if`, which need no more stack than short ones.
#[test]
fn long_chains_have_their_values() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let repeat = |count: usize, one: &dyn Fn(usize) -> String| (0..count).map(one).collect::<String>();
    for count in [2, 99, 100, 101, 199, 200, 201, 500, 5000] {
        let sum = repeat(count, &|at| format!(" + {}a", if at % 3 == 0 { "2 * " } else { "" }));
        let expected = count + count.div_ceil(3);
        let small = repeat(count, &|_| " + tenth".to_owned());
        let tenths = (0..count).fold(0.0, |sum, _| sum + 0.1);
        let both = repeat(count, &|at| format!(" && ++n < {}", at + 2));
        let one = repeat(count, &|_| " || n < 0".to_owned());
        let commas = repeat(count, &|_| ", n++".to_owned());
        let branches = repeat(count, &|at| format!(" else if (x == {at}) return {};\n", 3 * at));
        let shown = repeat(count.min(500), &|_| " << n".to_owned());
        let declared = format!(
            "#include <iostream>\nint f(int x) {{ if (x < 0) return -1;\n{branches} else return -2; }}\n\
             __global__ void k(int *p, int a) {{ int x = p[0];\n p[1] = 0{sum};\n\
             if (x < 0) p[2] = -1;\n{} else p[2] = -2; }}\n",
            branches.replace("return", "p[2] =")
        );
        let last = count - 1;
        let code = format!(
            "{declared}---\nint a = 1, n = 0; double tenth = 0.1;\nprintf(\"%d %d \", 0{sum}, 0.0{small} == {tenths:?});\n\
             int c = 1{both};\nprintf(\"%d %d \", c, n); n = 0;\nc = n > 0{one};\nprintf(\"%d \", c);\n\
             c = (n{commas});\nprintf(\"%d %d \", c, n);\n\
             printf(\"%d %d %d %d\\n\", f(-5), f(0), f({last}), f({count}));\n\
             int h[3] = {{{last}, 0, 0}}, *d; cudaMalloc(&d, 12); cudaMemcpy(d, h, 12, cudaMemcpyHostToDevice);\n\
             k<<<1, 1>>>(d, 1); cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost); printf(\"%d %d\\n\", h[1], h[2]);\n\
             n = 7; std::cout{shown} << std::endl;"
        );
        let run = run(&code, folder.path());
        let sevens = "7".repeat(count.min(500));
        let text = format!(
            "{expected} 1 1 {count} 0 {last} {count} -1 0 {} -2\n{expected} {}\n{sevens}\n",
            3 * last,
            3 * last
        );
        assert_eq!((run.code, run.out), (0, text), "{count}: {}", run.message);
    }
}

/// Paths that lead out of the folder `inner`, in which a program runs.
const OUTSIDE: [&str; 10] = [
    "../secret",
    "../../x",
    "./a/../../secret",
    "link",
    "links/secret",
    "links/new",
    "dangling",
    "..",
    "/etc/passwd",
    "//etc/passwd",
];

#[cfg(unix)]
#[test]
fn no_path_leads_out_of_the_folder() {
    use std::os::unix::fs::symlink;
    let outer = tempfile::tempdir().expect("a temporary folder");
    let inner = outer.path().join("inner");
    fs::create_dir_all(inner.join("a")).expect("a folder");
    fs::write(outer.path().join("secret"), "secret").expect("a file");
    symlink("../secret", inner.join("link")).expect("a link");
    symlink("..", inner.join("links")).expect("a link");
    symlink("../created", inner.join("dangling")).expect("a link");
    let absolute = outer.path().join("secret").to_string_lossy().into_owned();
    for path in OUTSIDE.iter().copied().chain([absolute.as_str()]) {
        for mode in ["r", "w", "a", "r+", "w+", "a+"] {
            let code = format!(
                "FILE *f = fopen(\"{path}\", \"{mode}\");\nif (f) {{ fputs(\"x\", f); fclose(f); }}\n\
                 printf(\"%d\", f != NULL);"
            );
            let run = run(&code, &inner);
            assert_eq!((run.code, run.out.as_str()), (0, "0"), "{path} {mode}: {}", run.message);
        }
    }
    assert_eq!(fs::read_to_string(outer.path().join("secret")).expect("it is there"), "secret");
    let list = |folder: &Path| fs::read_dir(folder).expect("a folder").count();
    assert_eq!((list(outer.path()), list(&inner)), (2, 4), "no new files");
    assert!(!outer.path().join("created").exists());
}
