//! Results that the host computes get no points; results of kernels get
//! all points, also if the host computes them again. Debug output costs one row.

use exercises::{Answers, Exercise, Grade, Submission, Texts, builtin, export, grade, trial};

fn graded(exercise: &Exercise, text: &str) -> Grade {
    let files = [(exercise.file(), text.to_owned())].into();
    let submission = Submission { student: "ada".to_owned(), seed: 12, files, ..Submission::default() };
    grade(exercise, &Answers::new(exercise), &submission, false).expect("the exercise is right")
}

/// The solution of an exercise with replaced texts.
fn changed(exercise: &Exercise, changes: &[(&str, &str)]) -> String {
    let solution = exercise.solution.clone().expect("a solution");
    changes.iter().fold(solution, |text, (old, new)| {
        assert!(text.contains(old), "{old}");
        text.replace(old, new)
    })
}

fn vector_add() -> Exercise {
    builtin("vector-add").expect("an exercise")
}

/// The body of the kernel of `vector-add`.
const ADDS: &str = "if (i < count) sum[i] = a[i] + b[i];";
/// A kernel that does nothing.
const EMPTY: &str = "if (i < 0) sum[i] = a[i] + b[i];";
/// The host after the copy of the result.
const PRINTS: &str = "    printf(\"first:\");";

/// Whether the test with this name fails because of the host.
fn fails_for_host(grade: &Grade, test: &str) -> bool {
    let row = grade.rows.iter().find(|row| row.name == test).expect("a row");
    row.why.as_ref().is_some_and(|why| why.contains("the host computes"))
}

fn assert_all_of_host(grade: &Grade) {
    for row in ["one block", "1000", "one element", "last block not full", "large"] {
        assert!(fails_for_host(grade, row), "{row}: {grade:#?}");
    }
    assert_eq!(grade.points, 0, "{grade:#?}");
}

fn assert_full(grade: &Grade) {
    assert!(grade.points == grade.of && grade.notes.is_empty(), "{grade:#?}");
}

#[test]
fn an_empty_kernel_and_a_sum_on_the_host() {
    let exercise = vector_add();
    let loop_of_host = format!("    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n{PRINTS}");
    assert_all_of_host(&graded(&exercise, &changed(&exercise, &[(ADDS, EMPTY), (PRINTS, &loop_of_host)])));
}

/// The kernel is right, and its results are not used.
#[test]
fn a_kernel_whose_results_are_replaced() {
    let exercise = vector_add();
    let loop_of_host = format!("    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n{PRINTS}");
    assert_all_of_host(&graded(&exercise, &changed(&exercise, &[(PRINTS, &loop_of_host)])));
}

/// The host sends its results to the device before the launch, and copies them back.
#[test]
fn results_of_the_host_that_travel_through_the_device() {
    let exercise = vector_add();
    let launch = "    add<<<blocks";
    let sent = "    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n    cudaMemcpy(device_sum, sum, \
                bytes, cudaMemcpyHostToDevice);\n    add<<<blocks";
    assert_all_of_host(&graded(&exercise, &changed(&exercise, &[(ADDS, EMPTY), (launch, sent)])));
    // A kernel copies them.
    let sent = "    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n    cudaMemcpy(device_a, sum, bytes, \
                cudaMemcpyHostToDevice);\n    add<<<blocks";
    let copies = "if (i < count) sum[i] = a[i];";
    let grade = graded(&exercise, &changed(&exercise, &[(ADDS, copies), (launch, sent)]));
    for row in ["one block", "1000", "last block not full", "large"] {
        assert!(fails_for_host(&grade, row), "{row}: {grade:#?}");
    }
}

/// A host that uses its own results only after its kernel has run.
#[test]
fn a_kernel_that_only_says_that_it_has_run() {
    let exercise = vector_add();
    let flag = "if (i < count) sum[i] = 1;";
    let loop_of_host = format!(
        "    bool ran = true;\n    for (int i = 0; i < count; i++) ran = ran && sum[i] == 1;\n    for (int i = \
         0; i < count; i++) sum[i] = ran ? a[i] + b[i] : 0;\n{PRINTS}"
    );
    assert_all_of_host(&graded(&exercise, &changed(&exercise, &[(ADDS, flag), (PRINTS, &loop_of_host)])));
}

/// The kernel adds the first 128 elements, and the host adds the rest.
#[test]
fn a_part_on_the_host() {
    let exercise = vector_add();
    let part = "if (i < count && i < 128) sum[i] = a[i] + b[i];";
    let rest = format!("    for (int i = 128; i < count; i++) sum[i] = a[i] + b[i];\n{PRINTS}");
    let grade = graded(&exercise, &changed(&exercise, &[(ADDS, part), (PRINTS, &rest)]));
    assert!(!fails_for_host(&grade, "one block") && !fails_for_host(&grade, "one element"), "{grade:#?}");
    for row in ["1000", "last block not full", "large"] {
        assert!(fails_for_host(&grade, row), "{row}: {grade:#?}");
    }
}

/// The kernel computes an operand, and the host finishes.
#[test]
fn the_last_step_on_the_host() {
    let exercise = vector_add();
    let half = "if (i < count) sum[i] = a[i];";
    let finishes = format!("    for (int i = 0; i < count; i++) sum[i] += b[i];\n{PRINTS}");
    let grade = graded(&exercise, &changed(&exercise, &[(ADDS, half), (PRINTS, &finishes)]));
    assert_all_of_host(&grade);
}

/// A reset of the device does not bring the launches back.
#[test]
fn a_reset_hides_nothing() {
    let exercise = vector_add();
    let start = "    int *device_a, *device_b, *device_sum;";
    let reset = "    cudaFree(0);\n    cudaThreadExit();\n    int *device_a, *device_b, *device_sum;";
    let loop_of_host = format!("    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n{PRINTS}");
    let changes = [(start, reset), (PRINTS, loop_of_host.as_str())];
    assert_all_of_host(&graded(&exercise, &changed(&exercise, &changes)));
    assert_full(&graded(&exercise, &changed(&exercise, &[(start, reset)])));
}

#[test]
fn a_product_on_the_host() {
    let exercise = builtin("tiled-product").expect("an exercise");
    let stores = "if (row < size && column < size) c[row * size + column] = sum;";
    let prints = "    printf(\"first:\");";
    let product = "    for (int i = 0; i < size; i++) for (int j = 0; j < size; j++) { float sum = 0.0f; for \
                   (int k = 0; k < size; k++) sum += a[i * size + k] * b[k * size + j]; c[i * size + j] = sum; }\n    printf(\"first:\");";
    let grade = graded(&exercise, &changed(&exercise, &[(stores, ""), (prints, product)]));
    assert_eq!(grade.points, 0, "{grade:#?}");
    assert!(fails_for_host(&grade, "64"), "{grade:#?}");
    // The kernel computes all but the last row.
    let stores_most = "if (row < size - 1 && column < size) c[row * size + column] = sum;";
    let last = product.replace("int i = 0;", "int i = size - 1;");
    let grade = graded(&exercise, &changed(&exercise, &[(stores, stores_most), (prints, &last)]));
    assert!(fails_for_host(&grade, "64") && grade.points < grade.of, "{grade:#?}");
}

/// Programs whose kernels compute the results, in other ways than the solution.
#[test]
fn results_of_kernels_are_right() {
    let exercise = vector_add();
    // The host compares with its own sum, and ends if they differ.
    let checks = format!(
        "    for (int i = 0; i < count; i++) if (sum[i] != a[i] + b[i]) {{ printf(\"wrong: %d\\n\", i); return 1; \
         }}\n{PRINTS}"
    );
    assert_full(&graded(&exercise, &changed(&exercise, &[(PRINTS, &checks)])));
    // The result replaces an operand.
    let in_place = [
        ("int *sum, int count)", "int count)"),
        ("const int *a, const", "int *a, const"),
        (ADDS, "if (i < count) a[i] += b[i];"),
        ("device_b, device_sum, count)", "device_b, count)"),
        ("cudaMemcpy(sum, device_sum,", "cudaMemcpy(sum, device_a,"),
    ];
    assert_full(&graded(&exercise, &changed(&exercise, &in_place)));
    // The memory is filled first, and the operands are copied back.
    let filled = [
        ("    add<<<blocks", "    cudaMemset(device_sum, 0, bytes);\n    add<<<blocks"),
        (PRINTS, "    cudaMemcpy(a, device_a, bytes, cudaMemcpyDeviceToHost);\n    printf(\"first:\");"),
    ];
    assert_full(&graded(&exercise, &changed(&exercise, &filled)));
    // Mapped memory needs no copies.
    let text = changed(
        &exercise,
        &[
            ("check(cudaMalloc((void **)&device_sum, bytes), \"cudaMalloc\");", "device_sum = sum;"),
            (
                "int *sum = (int *)malloc(bytes);",
                "int *sum; cudaHostAlloc((void **)&sum, bytes, cudaHostAllocMapped);",
            ),
            (
                "    add<<<blocks",
                "    cudaHostGetDevicePointer((void **)&device_sum, sum, 0);\n    add<<<blocks",
            ),
            (
                "check(cudaMemcpy(sum, device_sum, bytes, cudaMemcpyDeviceToHost), \"copy of the result\");",
                "cudaThreadSynchronize();",
            ),
            ("    check(cudaFree(device_sum), \"cudaFree\");\n", ""),
            ("    free(sum);\n", "    cudaFreeHost(sum);\n"),
        ],
    );
    let grade = graded(&exercise, &text);
    let tests = grade.rows.iter().filter(|row| row.kind == exercises::RowKind::Test);
    // The G80 has no mapped memory.
    assert!(
        tests.clone().count() == 5 && tests.clone().all(|row| !fails_for_host(&grade, &row.name)),
        "{grade:#?}"
    );
}

/// An exercise of a teacher: the arguments of its tests do not depend on the student.
fn own(rubric: &str) -> Exercise {
    let start = "#include <cstdio>\nint main() { printf(\"nothing\\n\"); return 0; }\n";
    let solution = "#include <cstdio>\n#include <cstdlib>\n__global__ void scale(float *v, int n) { int i = \
                    blockIdx.x * 64 + threadIdx.x; if (i < n) v[i] = 3 * v[i]; }\nint main(int argc, char **argv) \
                    { int n = atoi(argv[1]), first = atoi(argv[2]); float *v = new float[n], *d; for (int i = 0; i \
                    < n; i++) v[i] = first + i % 7; cudaMalloc(&d, 4 * n); cudaMemcpy(d, v, 4 * n, \
                    cudaMemcpyHostToDevice); scale<<<(n + 63) / 64, 64>>>(d, n); cudaMemcpy(v, d, 4 * n, \
                    cudaMemcpyDeviceToHost); float sum = 0; for (int i = 0; i < n; i++) sum += v[i]; printf(\"input \
                    from %d\\nsum %g\\n\", first, sum); return 0; }\n";
    let texts = [("exercise.ron", rubric), ("start.cu", start), ("solution.cu", solution)];
    let texts: Texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
    Exercise::new("scale", texts).expect("it is right")
}

const RUBRIC: &str = "(title: \"Scale\", kernels: [\"scale\"], tests: [(args: [\"100\", \"5\"], points: 2)])";

/// Of the values, the host computes one.
const ONE: [(&str, &str); 2] =
    [("float sum = 0;", "v[0] = 3 * first; float sum = 0;"), ("if (i < n) v[i]", "if (i < n && i > 0) v[i]")];

#[test]
fn exercises_of_teachers_have_the_rule() {
    let exercise = own(RUBRIC);
    assert_full(&graded(&exercise, &changed(&exercise, &[])));
    let grade = graded(&exercise, &changed(&exercise, &ONE));
    assert_eq!(grade.points, 0, "{grade:#?}");
    let why = grade.rows[0].why.as_deref().expect("it fails");
    assert!(why.contains("`sum 2385` becomes `sum 2388`"), "{why}");
}

#[test]
fn a_rubric_can_allow_results_of_the_host() {
    let exercise = own(&RUBRIC.replace("tests:", "on_device: false, tests:"));
    assert_full(&graded(&exercise, &changed(&exercise, &ONE)));
}

/// A hand-out has no solution, but the same rule.
#[test]
fn a_hand_out_has_the_rule() {
    for exercise in [vector_add(), own(&RUBRIC.replace("points: 2", "open: true, points: 2"))] {
        let handout = exercises::handout(&exercise, 12).expect("a hand-out");
        let handout = Exercise::new("x", handout).expect("it is right");
        let solution = exercise.solution.clone().expect("a solution");
        assert_full(&graded(&handout, &solution));
        let cheat = if exercise.name == "scale" {
            changed(&exercise, &ONE)
        } else {
            let rest = format!("    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n{PRINTS}");
            changed(&exercise, &[(PRINTS, &rest)])
        };
        assert_eq!(graded(&handout, &cheat).points, 0);
    }
}

#[test]
fn a_debug_line_costs_one_row() {
    let exercise = vector_add();
    let debug = format!("    printf(\"count = %d\\n\", count);\n{PRINTS}");
    let grade = graded(&exercise, &changed(&exercise, &[(PRINTS, &debug)]));
    let failed: Vec<&str> =
        grade.rows.iter().filter(|row| !row.passed()).map(|row| row.name.as_str()).collect();
    assert_eq!((failed, grade.points), (vec!["one block"], 9), "{grade:#?}");
    let row = &grade.rows[0];
    let why = row.why.as_deref().expect("it fails");
    assert!(
        why.contains("the result is right, but the output has other lines, too: line 1: `count = 128`"),
        "{why}"
    );
    assert!(row.hint.is_none() && grade.notes[0].contains("only `one block` fails for them"), "{grade:#?}");
    // A wrong value behind a debug line is named, and not the debug line.
    let wrong =
        graded(&exercise, &changed(&exercise, &[(PRINTS, &debug), (ADDS, "if (i < count) sum[i] = a[i];")]));
    let why = wrong.rows[0].why.as_deref().expect("it fails");
    assert!(why.contains("line 2: expected `first: "), "{why}");
    // Guesses are no debug lines.
    let guess = format!("    printf(\"first: 1 2 3 4 5 6\\n\");\n{PRINTS}");
    assert_eq!(graded(&exercise, &changed(&exercise, &[(PRINTS, &guess)])).points, 0);
}

/// A cheat keeps its reason beside a debug line.
#[test]
fn a_debug_line_hides_no_result_of_the_host() {
    let exercise = vector_add();
    let host = format!(
        "    printf(\"debug %d\\n\", count);\n    for (int i = 0; i < count; i++) sum[i] = a[i] + b[i];\n{PRINTS}"
    );
    assert_all_of_host(&graded(&exercise, &changed(&exercise, &[(PRINTS, &host)])));
}

#[test]
fn a_wrong_program_names_rows() {
    let exercise = vector_add();
    let solution = exercise.solution.clone().expect("a solution");
    let tried = |head: &str| {
        let wrong = [("wrong.cu".to_owned(), format!("{head}\n{solution}"))];
        let trials = trial(&exercise, &wrong).expect("the exercise is right");
        trials.last().expect("a trial").unexpected.clone()
    };
    let unknown = tried("// points: 10\n// fails: 100").expect("it is unexpected");
    assert_eq!(unknown, "names `100`, which is no row; did you mean `1000`?");
    assert_eq!(tried("// points: 10\n// fails: 1000").as_deref(), Some("does not fail `1000`"));
    assert_eq!(tried("// points: 10"), None);
}

/// The table and the page of a class say why points are lost, and not what follows from that.
#[test]
fn a_class_has_causes() {
    let exercise = vector_add();
    let answers = Answers::new(&exercise);
    let endless = "while (i < count) sum[i]++;";
    let host = format!("    while (count > 0) count = 1;\n{PRINTS}");
    let programs = [
        ("=cmd", changed(&exercise, &[])),
        ("alan", changed(&exercise, &[(ADDS, "if (i < count) sum[i] = a[i] + c[i];")])),
        ("barbara", changed(&exercise, &[("if (i < count) ", "")])),
        ("grace", changed(&exercise, &[(ADDS, endless)])),
        ("edsger", changed(&exercise, &[(PRINTS, &host)])),
        ("frances", changed(&exercise, &[(ADDS, "if (i < count && i < 900) sum[i] = a[i] + b[i];")])),
    ];
    let graded = |(student, text): &(&str, String)| {
        let files = [(exercise.file(), text.clone())].into();
        let submission =
            Submission { student: (*student).to_owned(), seed: 3, files, ..Submission::default() };
        grade(&exercise, &answers, &submission, false).expect("the exercise is right")
    };
    let mut grades: Vec<Grade> = programs.iter().map(graded).collect();
    let nothing =
        Submission { student: "donald".to_owned(), seed: 3, files: Texts::new(), ..Submission::default() };
    grades.push(grade(&exercise, &answers, &nothing, false).expect("the exercise is right"));
    let causes = [
        ("alan", "the program does not compile: error"),
        ("barbara", "test `1000`: on g80: the program stops: `add`: trapped at line"),
        (
            "grace",
            "test `one block`: on g80: the program has used up its budget: `add`: stopped at the limit",
        ),
        (
            "edsger",
            "test `one block`: on g80: the program has used up its budget: the host code has executed",
        ),
        ("frances", "test `1000`: on g80: line 2: expected `last: "),
        ("donald", "there is no file `vector-add.cu`"),
    ];
    let table = export::csv(&grades);
    let head = "student,points,of,one block,1000,one element,last block not full,large,memory,init,inst_executed <= 2000,cause";
    assert_eq!(table.lines().next(), Some(head));
    assert_eq!(table.lines().nth(1), Some("'=cmd,10,10,1,2,1,2,1,1,1,1,"));
    let files: Vec<String> = grades.iter().map(|grade| format!("{}.html", grade.student)).collect();
    let index = export::class("Class", &grades, &files, "warpsim");
    for (student, cause) in causes {
        let line = table.lines().find(|line| line.starts_with(&format!("{student},"))).expect("a line");
        assert!(line.contains(cause), "{line}");
        let visible: String = cause.split('`').collect();
        let plain = index.replace("<code>", "").replace("</code>", "");
        assert!(plain.contains(&visible), "{student}: {visible}\n{index}");
    }
    for consequence in ["no points without", "not run: a test", "has no right result"] {
        assert!(!table.contains(consequence) && !index.contains(consequence), "{consequence}: {index}");
    }
    let page = export::student(&grades[5], "warpsim");
    assert!(page.contains("&lt; 900) sum[i] = a[i] + b[i];") && page.contains("vector-add.cu"), "{page}");
    let page = export::student(&grades[1], "warpsim");
    assert!(page.contains("sum[i] = a[i] + c[i];\n"), "a program that does not compile: {page}");
}

/// Programs that ask the compiler or the machine for too much.
fn bombs(exercise: &Exercise) -> Vec<String> {
    let solution = exercise.solution.clone().expect("a solution");
    let lines = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    let types = lines(59, &|at| format!("typedef P<T{at}, T{at}> T{};\n", at + 1));
    let chain = lines(2000, &|at| format!("__device__ int f{}(int x) {{ return f{at}(x) + x; }}\n", at + 1));
    let macros = lines(40, &|at| format!("#define M{} M{at} M{at}\n", at + 1));
    let structs = lines(28, &|at| format!("struct S{} {{ S{at} a, b; }};\n", at + 1));
    let loops = lines(200, &|at| format!("for (int j = 0; j < count; j++) sum[j] += {at};\n"));
    let before = |text: &str| format!("{text}\n{solution}");
    vec![
        before(&format!(
            "template <class A, class B> struct P {{ A a; B b; }};\ntypedef P<int, int> T0;\n{types}T59 bomb;"
        )),
        before(&format!(
            "__device__ int f0(int x) {{ return x; }}\n{chain}__global__ void b(int *o) {{ *o = f2000(1); }}"
        )),
        before(
            "template <int N> __device__ int f() { return f<N + 1>(); }\n__global__ void b(int *o) { *o = f<0>(); }",
        ),
        before(&format!("#define M0 int bomb;\n{macros}M40")),
        before(&format!("struct S0 {{ int a; S0() {{ a = 1; }} }};\n{structs}S28 bomb;")),
        before("int n = 4; int bomb[n];"),
        before(&format!("__global__ void b(int *sum, int count) {{\n{loops}}}")),
        before(&";".repeat(1_200_000)),
        before("int bomb[1 << 28] = {1};"),
        "int main() { for (;;) { } }".to_owned(),
        "int main() { return main(); }".to_owned(),
        "#include <stdio.h>\nint main() { for (;;) printf(\"a long line of output\\n\"); }".to_owned(),
        "#include <stdlib.h>\nint main() { for (;;) if (!malloc(1 << 20)) return 1; }".to_owned(),
        "#include <string>\nint main() { std::string s = \"a\"; for (;;) s += s; }".to_owned(),
        String::new(),
    ]
}

/// Each submission gets its grade, and the grade of one does not depend on the others.
#[test]
fn submissions_that_ask_for_too_much_get_no_points_and_the_batch_goes_on() {
    let exercise = vector_add();
    let answers = Answers::new(&exercise);
    let honest = exercise.solution.clone().expect("a solution");
    let one = |text: &str| {
        let files = [(exercise.file(), text.to_owned())].into();
        let submission = Submission { student: "ada".to_owned(), seed: 12, files, ..Submission::default() };
        grade(&exercise, &answers, &submission, false).expect("the exercise is right")
    };
    let first = one(&honest);
    assert_full(&first);
    for bomb in bombs(&exercise) {
        let grade = one(&bomb);
        let start = &bomb[..bomb.len().min(100)];
        // A program that only takes long to compile is right.
        if grade.points < grade.of {
            assert_eq!(grade.points, 0, "{start}: {:?}", grade.cause());
            assert!(grade.cause().is_some_and(|cause| cause.len() < 2000), "{start}");
        }
    }
    assert_eq!(one(&honest), first);
}
