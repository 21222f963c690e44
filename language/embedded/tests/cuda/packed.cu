// Packed classes: members, bit fields, arrays and parameters that are not aligned have the places
// and values that the host gives them.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>

struct __attribute__((packed)) Record {
    char tag;
    int number;
    double value;
    short list[3];
    float last;
    __host__ __device__ int sum() const { return number + list[0] + list[2]; }
};

#pragma pack(push, 2)
struct Half {
    char c;
    long long wide;
    Record inner;
    int n;
};
struct Bits {
    unsigned a : 20, b : 20;
    int64_t c : 40;
    short end;
};
#pragma pack(pop)

struct Outer {
    int first;
    Record records[2];
    Half half;
};

template <class T>
struct __attribute__((packed)) Pair {
    char c;
    T t;
};

__constant__ Record table[2] = {{1, -2, 0.25, {3, -4, 5}, 6}, {7, 8, -0.5, {9, 10, -11}, 12}};

__device__ int total(Record record) { return record.sum() + record.tag; }

__global__ void change(Outer *o, Record by_value, int i, Bits *bits, long long *out) {
    Outer local = *o;
    local.first += i;
    local.records[i] = by_value;
    local.records[i].list[i] += 100;
    local.records[1 - i].number -= 3;
    local.records[0].last *= 2;
    local.half.wide = ~local.half.wide;
    local.half.inner = table[i];
    local.half.inner.value = by_value.value + i;
    local.half.n++;
    *o = local;
    bits->a += 5;
    bits->b = bits->a ^ 0xabcde;
    bits->c -= 77;
    bits->end = -1;
    Pair<unsigned long long> pair = {'x', 0x1122334455667788ull + i};
    Pair<unsigned long long> pairs[3] = {pair, pair, pair};
    pairs[i].t *= 3;
    Record copy = by_value;
    copy.number = 41;
    copy.number += 1;
    out[0] = total(copy);
    out[1] = total(o->records[i]);
    out[2] = pairs[0].t + pairs[1].t + pairs[2].c;
    out[3] = sizeof(Record) * 1000000 + sizeof(Half) * 10000 + sizeof(Bits) * 100 + sizeof(pair);
}

static unsigned long long hash(const void *data, size_t bytes) {
    unsigned long long h = 1469598103934665603ull;
    for (size_t i = 0; i < bytes; i++) h = (h ^ ((const unsigned char *)data)[i]) * 1099511628211ull;
    return h;
}

int main() {
    Outer outer;
    memset(&outer, 0, sizeof outer);
    outer.first = 1;
    outer.records[0] = Record{'a', 1000, 1.5, {1, 2, 3}, 2.5f};
    outer.records[1] = Record{'b', -1000, -1.5, {-1, -2, -3}, -2.5f};
    outer.half.c = 'h';
    outer.half.wide = 0x0102030405060708ll;
    outer.half.n = 9;
    Record by_value = {'v', 123456789, 3.25, {-7, 8, 9}, 10};
    Bits bits;
    memset(&bits, 0, sizeof bits);
    bits.a = 0xfffff;
    bits.b = 0x12345;
    bits.c = -3;
    printf("%zu %zu %zu %zu\n", sizeof(Record), offsetof(Record, value), sizeof(Half), sizeof(Outer));
    printf("%zu %zu %zu\n", sizeof(Bits), offsetof(Half, wide), offsetof(Half, n));
    printf("%016llx\n", hash(&bits, sizeof bits));
    Outer *o;
    Bits *b;
    long long *out, result[4];
    cudaMalloc(&o, sizeof *o);
    cudaMalloc(&b, sizeof *b);
    cudaMalloc(&out, sizeof result);
    cudaMemcpy(o, &outer, sizeof outer, cudaMemcpyHostToDevice);
    cudaMemcpy(b, &bits, sizeof bits, cudaMemcpyHostToDevice);
    change<<<1, 1>>>(o, by_value, 1, b, out);
    cudaMemcpy(&outer, o, sizeof outer, cudaMemcpyDeviceToHost);
    cudaMemcpy(&bits, b, sizeof bits, cudaMemcpyDeviceToHost);
    cudaMemcpy(result, out, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d %d %d %g\n", outer.first, outer.records[0].number, outer.records[1].number, outer.records[0].last);
    printf("%d %d %g\n", outer.records[1].list[0], outer.records[1].list[1], outer.records[1].value);
    printf("%llx %d %g %d\n", outer.half.wide, outer.half.inner.number, outer.half.inner.value, outer.half.n);
    printf("%x %x %lld %d %016llx\n", bits.a, bits.b, (long long)bits.c, bits.end, hash(&bits, sizeof bits));
    printf("%lld %lld %lld %lld\n", result[0], result[1], result[2], result[3]);
    int *number = &outer.first;
    const int &copied = outer.records[1].number;
    printf("%d\nPASSED\n", *number + copied);
}
