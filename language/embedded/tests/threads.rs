//! Threads of host code, of which one runs at a time.

#[expect(dead_code, reason = "each test uses a part")]
mod common;

use common::run;

#[test]
fn threads_that_do_not_wait_run_to_their_end_when_they_begin() {
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
                    int main(void) { pthread_mutex_lock(&m);\npthread_cond_wait(&c, &m); return 0; }\n";
    let cpp = "#include <mutex>\n#include <condition_variable>\nint main() { std::mutex m; \
               std::unique_lock<std::mutex> l(m); std::condition_variable c; bool ready = false;\n\
               c.wait(l, [&ready]() { return ready; }); return 0; }\n";
    let twice = "#include <mutex>\nint main() {\n  std::mutex m;\n  m.lock(); m.lock(); }\n";
    let crossed = "#include <mutex>\n#include <thread>\nint main() {\n  std::mutex a, b;\n  a.lock();\n  \
                   std::thread t([&] { b.lock(); a.lock(); });\n  b.lock(); }\n";
    let left = "#include <mutex>\n#include <condition_variable>\n#include <thread>\nint main() { std::mutex m; \
                std::condition_variable c; std::unique_lock<std::mutex> l(m);\n\
                std::thread t([&] { std::lock_guard<std::mutex> g(m); }); c.wait(l); }\n";
    let ever = "waits for ever: no other thread runs";
    let cases = [
        ("w.c", pthreads, format!("pthread_cond_wait {ever}"), "w.c:5"),
        ("w.cu", cpp, format!("std::condition_variable::wait {ever}"), "w.cu:4"),
        ("w.cu", twice, format!("std::mutex::lock {ever}"), "w.cu:4"),
        // The last other thread ends meanwhile.
        ("w.cu", left, format!("std::condition_variable::wait {ever}"), "w.cu:5"),
        (
            "w.cu",
            crossed,
            "deadlock: every thread waits: `main` in std::mutex::lock, thread 1 in std::mutex::lock"
                .to_owned(),
            "w.cu:7",
        ),
    ];
    for (name, text, message, place) in cases {
        let run = run(name, text, "fermi", &[]);
        assert_eq!(run.code, 136, "{}", run.err);
        assert!(run.message.contains(&message) && run.message.contains(place), "{}", run.message);
    }
}

/// Barriers, a buffer of one element, a semaphore, a lock of readers, and times.
const PTHREADS: &str = r#"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#define N 4
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static sem_t items;
static pthread_rwlock_t table = PTHREAD_RWLOCK_INITIALIZER;
static int slot, is_full, phases[N], seen, value;
static volatile int ready;
static void *phase(void *p)
{
    int own = (int)(long)p, i;
    for (i = 0; i < 3; i++) {
        phases[own] = i;
        pthread_barrier_wait(&barrier);
        for (int other = 0; other < N; other++) if (phases[other] != i) return (void *)1L;
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}
static void *producer(void *p)
{
    for (int i = 1; i <= 10; i++) {
        pthread_mutex_lock(&mutex);
        while (is_full) pthread_cond_wait(&emptied, &mutex);
        slot = i; is_full = 1;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}
static void *consumer(void *p)
{
    int *sum = p;
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&mutex);
        while (!is_full) pthread_cond_wait(&filled, &mutex);
        *sum += slot; is_full = 0;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&mutex);
    }
    pthread_exit((void *)(long)*sum);
}
static void *taker(void *p)
{
    sem_wait(&items);
    seen++;
    return p;
}
static void *reader(void *p)
{
    pthread_rwlock_rdlock(&table);
    int got = value;
    pthread_rwlock_unlock(&table);
    return (void *)(long)got;
}
static void *sleeper(void *p)
{
    usleep(1000 * (int)(long)p);
    printf("awake %d\n", (int)(long)p);
    ready++;
    return NULL;
}
int main(void)
{
    pthread_t threads[N], one, two;
    void *result;
    int failed = 0, sum = 0, i;
    pthread_barrier_init(&barrier, NULL, N);
    for (i = 0; i < N; i++) pthread_create(&threads[i], NULL, phase, (void *)(long)i);
    for (i = 0; i < N; i++) { pthread_join(threads[i], &result); failed += result != NULL; }
    printf("failed %d\n", failed);
    pthread_create(&one, NULL, consumer, &sum);
    pthread_create(&two, NULL, producer, NULL);
    pthread_join(two, NULL);
    pthread_join(one, &result);
    printf("sum %ld\n", (long)result);
    sem_init(&items, 0, 0);
    for (i = 0; i < N; i++) pthread_create(&threads[i], NULL, taker, NULL);
    printf("seen %d\n", seen);
    for (i = 0; i < N; i++) sem_post(&items);
    for (i = 0; i < N; i++) pthread_join(threads[i], NULL);
    printf("seen %d\n", seen);
    pthread_rwlock_wrlock(&table);
    pthread_create(&one, NULL, reader, NULL);
    value = 5;
    pthread_rwlock_unlock(&table);
    pthread_join(one, &result);
    printf("read %ld\n", (long)result);
    for (i = 0; i < 3; i++) pthread_create(&threads[i], NULL, sleeper, (void *)(long)(3 - i));
    while (ready < 3) usleep(100);
    for (i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    pthread_mutex_lock(&mutex);
    printf("late %d\n", pthread_cond_timedwait(&filled, &mutex, &until) == ETIMEDOUT);
    return 0;
}
"#;

#[test]
fn pthreads_wait_for_each_other() {
    let run = run("waits.c", PTHREADS, "fermi", &[]);
    let expected = "failed 0\nsum 55\nseen 0\nseen 4\nread 5\nawake 1\nawake 2\nawake 3\nlate 1\n";
    assert_eq!((run.code, run.out.as_str()), (0, expected), "{}", run.message);
}

#[test]
fn a_thread_has_its_own_last_error() {
    let text = "#include <cstdio>\n#include <thread>\nint main() { cudaSetDevice(9); int own = -1;\n\
                std::thread t([&] { own = cudaGetLastError(); cudaSetDevice(8); }); t.join();\n\
                printf(\"%d %d %d\\n\", own, (int)cudaGetLastError(), (int)cudaGetLastError()); }\n";
    let run = run("errors.cu", text, "fermi", &[]);
    assert_eq!((run.code, run.out.as_str()), (0, "0 10 0\n"), "{}", run.message);
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
