// Atomic functions of GNU's compilers.
#include <cstdio>

struct Lock {
    int held = 0;
    bool take() { return __sync_lock_test_and_set(&held, 1) == 0; }
    void free() { __sync_lock_release(&held); }
};

int main() {
    int count = 5;
    unsigned long bits = 12;
    volatile unsigned char small = 250;
    printf("%d ", __sync_fetch_and_add(&count, 3));
    printf("%d\n", count);
    count = __sync_sub_and_fetch(&count, 2);
    printf("%d\n", count);
    printf("%lu ", __sync_fetch_and_or(&bits, 3));
    printf("%lu ", __sync_and_and_fetch(&bits, 6));
    printf("%lu\n", __sync_xor_and_fetch(&bits, 1));
    printf("%d\n", __sync_add_and_fetch(&small, 10));
    int swapped = __sync_bool_compare_and_swap(&count, 6, 7);
    int before = __sync_val_compare_and_swap(&count, 6, 8);
    printf("%d %d %d\n", swapped, before, count);
    int *pointer = &count;
    printf("%d\n", __sync_bool_compare_and_swap(&pointer, &count, (int *)nullptr) && !pointer);
    __sync_synchronize();
    Lock lock;
    bool first = lock.take(), second = lock.take();
    lock.free();
    printf("%d %d %d\n", first, second, lock.take());
    return 0;
}
