//! Host programs that do what they must not: each ends with the exit code of docs/PROGRAMS.md and
//! a message that names the mistake, and no file outside of its folder is read or written.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::{Run, Setup, start};
use embedded::library::DiskFolder;
use std::fs;
use std::path::Path;

const HEAD: &str = "#include <assert.h>\n#include <stdexcept>\n#include <stdio.h>\n#include <stdlib.h>\n\
                    #include <string.h>\n#include <vector>\n";

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
    // Memory.
    ("char *p = (char *)malloc(1UL << 40); printf(\"%d\", p == NULL);", 0, "1"),
    ("char *p = (char *)malloc(1UL << 40); p[5] = 1;", 139, "a null pointer is used"),
    ("char *p = (char *)calloc(1UL << 40, 1UL << 40); printf(\"%d\", p == NULL);", 0, "1"),
    ("int n = 0; while (malloc(1 << 20)) n++; printf(\"%d\", n < 2000);", 0, "1"),
    ("int *p = (int *)malloc(8); free(p); free(p);", 139, "is used after its end"),
    ("int *p = new int[3]; delete[] p; p[1] = 0;", 139, "is used after its end"),
    ("int *p = (int *)malloc(8); p[2] = 1;", 139, "is behind the end of the allocated memory"),
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
    ("int n; printf(\"abc%n\", &n);", 136, "`%n` in a format of `printf` is not supported"),
    ("printf(\"%n\", (int *)8);", 136, "`%n` in a format of `printf` is not supported"),
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
