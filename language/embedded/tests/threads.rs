//! Threads of host code, which run one after the other.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::run;

#[test]
fn threads_run_to_their_end_when_they_begin() {
    let text = r#"
#include <atomic>
#include <cstdio>
#include <future>
#include <iostream>
#include <mutex>
#include <pthread.h>
#include <thread>
#include <vector>
std::mutex m;
std::atomic<int> total(0);
int calls = 0;
void work(int id, std::vector<int> &squares)
{
    std::lock_guard<std::mutex> guard(m);
    squares[id] = id * id;
    total += id;
    calls++;
}
struct Task {
    int *out;
    void operator()(int n) { *out = n + 1; }
};
int square(int x) { return x * x; }
void *routine(void *p)
{
    *(int *)p += 5;
    if (*(int *)p > 6) pthread_exit((void *)7L);
    return p;
}
int main()
{
    std::vector<int> squares(4);
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.push_back(std::thread(work, i, std::ref(squares)));
    for (auto &one : threads) one.join();
    int sum = 0, next = 0;
    std::thread lambda([&sum, &squares]() { for (int x : squares) sum += x; });
    lambda.join();
    Task task = {&next};
    std::thread object(task, 41);
    object.join();
    auto value = std::async(std::launch::async, square, 9);
    std::cout << total << " " << calls << " " << sum << " " << next << " " << value.get() << "\n";
    int numbers[2] = {1, 2};
    void *results[2];
    pthread_t ids[2];
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    for (int i = 0; i < 2; i++) pthread_create(&ids[i], NULL, routine, &numbers[i]);
    for (int i = 0; i < 2; i++) pthread_join(ids[i], &results[i]);
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    printf("%d %d %d %ld\n", numbers[0], numbers[1], results[0] == &numbers[0], (long)results[1]);
    return 0;
}
"#;
    let run = run("threads.cu", text, "fermi", &[]);
    assert_eq!((run.code, run.out.as_str()), (0, "6 4 14 42 81\n6 7 1 7\n"), "{}", run.message);
}

#[test]
fn values_of_keys_belong_to_a_thread() {
    let text = r#"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
pthread_key_t key;
static void end(void *value) { printf("end %d\n", *(int *)value); free(value); }
static void *work(void *number)
{
    int first = pthread_getspecific(key) == NULL, *own = malloc(sizeof(int));
    *own = *(int *)number;
    pthread_setspecific(key, own);
    printf("first %d value %d\n", first, *(int *)pthread_getspecific(key));
    return NULL;
}
int main(void)
{
    int numbers[2] = {3, 4}, mine = 1, i;
    pthread_t threads[2];
    pthread_key_create(&key, end);
    pthread_setspecific(key, &mine);
    for (i = 0; i < 2; i++) pthread_create(&threads[i], NULL, work, &numbers[i]);
    for (i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    printf("mine %d\n", *(int *)pthread_getspecific(key));
    return 0;
}
"#;
    let run = run("keys.c", text, "fermi", &[]);
    let expected = "first 1 value 3\nend 3\nfirst 1 value 4\nend 4\nmine 1\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.message);
}

#[test]
fn an_exception_that_leaves_a_thread_ends_the_program() {
    let text = "#include <thread>\nint main() { try { std::thread t([]() { throw 1; }); t.join(); } \
                catch (int) { return 0; } return 1; }\n";
    let run = run("throws.cu", text, "fermi", &[]);
    assert_eq!(run.code, 134, "{}", run.out);
    assert!(run.err.contains("an exception left the function of a thread"), "{}", run.err);
}

#[test]
fn a_wait_that_no_thread_ends_stops_the_program() {
    let pthreads = "#include <pthread.h>\n#include <stdio.h>\npthread_cond_t c; pthread_mutex_t m;\n\
                    int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }\n";
    let cpp = "#include <mutex>\n#include <condition_variable>\nint main() { std::mutex m; \
               std::unique_lock<std::mutex> l(m); std::condition_variable c; bool ready = false; \
               c.wait(l, [&ready]() { return ready; }); return 0; }\n";
    for (name, text, call) in
        [("w.c", pthreads, "pthread_cond_wait"), ("w.cu", cpp, "std::condition_variable::wait")]
    {
        let run = run(name, text, "fermi", &[]);
        let expected = format!("error: {call} waits for another thread");
        assert_eq!(run.code, 134, "{}", run.err);
        assert!(run.err.contains(&expected), "{}", run.err);
    }
}

#[test]
fn headers_of_courses_have_their_functions() {
    let text = r#"
#include "../common/book.h"
#include "cpu_bitmap.h"
#include <gputimer.h>
#include <omp.h>
#include <shrQATest.h>
#include <shrUtils.h>
#include <timer.h>
#include <wb.h>
int main(int argc, char **argv)
{
    wbArg_t args = wbArg_read(argc, argv);
    int length = 3;
    wbLog(TRACE, "The length is ", length, length > 2 ? " or more" : "", '!');
    wbTime_start(GPU, "Part ", 1);
    wbTime_stop(GPU, "Part ", 1);
    uchar4 *pixels, host[32];
    float *values;
    GpuTimer timer;
    timer.Start();
    HANDLE_ERROR(cudaMalloc(&pixels, 128));
    HANDLE_ERROR(cudaMalloc(&values, 128));
    HANDLE_ERROR(cudaMemset(values, 0, 128));
    float_to_color<<<1, 32>>>(pixels, values);
    timer.Stop();
    HANDLE_ERROR(cudaMemcpy(host, pixels, 128, cudaMemcpyDeviceToHost));
    printf("%d %d %d %d\n", host[0].x, host[0].w, omp_get_max_threads(), wbArg_getInputCount(args));
    return timer.Elapsed() >= 0 ? 0 : 1;
}
"#;
    let run = run("course.cu", text, "fermi", &["-i", "a,b"]);
    assert_eq!(run.code, 0, "{} {}", run.message, run.err);
    for part in ["TRACE course.cu:14 The length is 3 or more!\n", "ms Part 1\n", "0 255 1 2\n"] {
        assert!(run.out.contains(part), "{}", run.out);
    }
}
