//! Arrays whose length is known when they are declared.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::run;

#[test]
fn arrays_of_variable_length_have_their_sizes_and_places() {
    let text = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static float sum(int n, int m, float a[n][m])
{
    float s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) s += a[i][j] * (i + 1);
    return s;
}
void fill(int n, float (*p)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) p[i][j] = i == j;
}
int nested(int n)
{
    if (n == 0) return 0;
    int a[n];
    for (int i = 0; i < n; i++) a[i] = i;
    int s = nested(n - 1);
    for (int i = 0; i < n; i++) s += a[i];
    return s;
}
int main(int argc, char **argv)
{
    int n = argc + 3, k = 2, a[n], b[n + 1][k], cube[2][n][k];
    printf("%zu %zu %zu %zu\n", sizeof(a), sizeof b, sizeof b[0], sizeof(cube[0]));
    memset(a, 0, sizeof(a));
    for (int i = 0; i < n; i++) a[i] += i * i;
    for (int i = 0; i <= n; i++)
        for (int j = 0; j < k; j++) b[i][j] = 10 * i + j;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++) cube[i][j][l] = i * 100 + j * 10 + l;
    int *p = a, *q = b[3];
    printf("%d %d %d %d\n", p[3], *(*(b + 2) + 1), q[1], cube[1][2][1]);
    float m[n][n];
    fill(n, m);
    float (*h)[n] = malloc(n * sizeof *h);
    fill(n, h);
    h[1][2] = 5;
    printf("%g %g %g\n", sum(n, n, m), sum(n, n, h), h[1][2]);
    free(h);
    for (int r = 1; r < 4; r++) {
        char t[r * 2];
        memset(t, 'x', r * 2 - 1);
        t[r * 2 - 1] = 0;
        if (r == 2) continue;
        printf("%s %zu\n", t, sizeof t);
    }
    n = 100;
    float fixed[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    printf("%zu %g %d\n", sizeof(a), sum(3, 3, fixed), nested(5));
    return 0;
}
"#;
    let run = run("v.c", text, "fermi", &[]);
    let expected = "16 40 8 32\n9 21 31 121\n10 20 5\nx 2\nxxxxx 6\n16 108 20\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.message);
    assert!(run.hints.is_empty(), "{:?}", run.hints);
}

#[test]
fn an_access_behind_an_array_of_variable_length_is_an_error() {
    let text =
        "int main(int argc, char **argv) {\n  int n = argc + 2;\n  int a[n];\n  a[n] = 1;\n  return 0;\n}\n";
    let run = run("v.cu", text, "fermi", &[]);
    assert_eq!(run.code, 139);
    assert!(run.message.contains("at v.cu:4"), "{}", run.message);
    assert!(run.message.contains("behind the end"), "{}", run.message);
}
