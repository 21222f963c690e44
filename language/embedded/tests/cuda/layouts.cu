// Host and device code agree about the layout of classes, copies of base classes and bit fields.
#include <stdio.h>

#define BOTH __host__ __device__

struct Base {
    int a;
    char c;
    BOTH Base(int x) : a(x), c((char)(x + 1)) {}
};
struct Derived : Base {
    char d;
    short e;
    BOTH Derived(int x) : Base(x), d((char)(x + 2)), e((short)(x + 3)) {}
};
struct Bits {
    unsigned a : 3;
    BOTH Bits(int x) : a(x) {}
};
struct MoreBits : Bits {
    unsigned b : 5;
    char c;
    BOTH MoreBits(int x) : Bits(x), b(x + 1), c((char)(x + 2)) {}
};
struct Pod { int a; char c; };
struct OfPod : Pod { char d; };
struct Long {
    double list[70];
    char c;
    BOTH Long(int x) : c((char)x) { for (int i = 0; i < 70; i++) list[i] = x + i; }
};
struct OfLong : Long {
    char d;
    BOTH OfLong(int x) : Long(x), d((char)(x + 1)) {}
};
struct Fields {
    long long a : 20;
    unsigned long long b : 20;
    unsigned long long c : 32;
    unsigned d : 31;
};

BOTH int results(int *out, Derived &x, int n) {
    int at = 0;
    out[at++] = sizeof(Base), out[at++] = sizeof(Derived), out[at++] = sizeof(MoreBits);
    out[at++] = sizeof(OfPod), out[at++] = sizeof(OfLong);
    Derived y(20 + n);
    static_cast<Base &>(x) = y;
    out[at++] = x.a, out[at++] = x.c, out[at++] = x.d, out[at++] = x.e;
    static_cast<Base &>(x) = Base(40 + n);
    out[at++] = x.a, out[at++] = x.c, out[at++] = x.d, out[at++] = x.e;
    MoreBits p(2 + n), q(4 + n);
    static_cast<Bits &>(p) = q;
    out[at++] = p.a, out[at++] = p.b, out[at++] = p.c;
    p = q;
    out[at++] = p.a, out[at++] = p.b, out[at++] = p.c;
    OfLong l(5 + n), m(7 + n);
    static_cast<Long &>(l) = m;
    out[at++] = (int)l.list[69], out[at++] = l.c, out[at++] = l.d;
    Fields f;
    f.a = n - 1, f.b = n, f.c = n, f.d = n;
    out[at++] = -1 < f.b, out[at++] = -1 < f.c, out[at++] = f.b - 1 < 0, out[at++] = f.d - 1 < 0;
    out[at++] = (f.a >> 4) < 0, out[at++] = (~f.b >> 4) < 0;
    f.b /= n - 1;
    out[at++] = f.b, out[at++] = f.a;
    Base cut = y;
    out[at++] = cut.a, out[at++] = cut.c;
    return at;
}

__global__ void k(int *out, Derived *x, int *count) { *count = results(out, *x, threadIdx.x); }

int main() {
    int host[64] = {0}, device[64] = {0}, count = 0, *out, *length;
    Derived x(10), *moved;
    cudaMalloc(&out, sizeof(device));
    cudaMalloc(&length, sizeof(int));
    cudaMalloc(&moved, sizeof(x));
    cudaMemcpy(moved, &x, sizeof(x), cudaMemcpyHostToDevice);
    k<<<1, 1>>>(out, moved, length);
    cudaMemcpy(device, out, sizeof(device), cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, length, sizeof(int), cudaMemcpyDeviceToHost);
    int same = results(host, x, 0) == count;
    Derived y(1);
    cudaMemcpy(&y, moved, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; i++) {
        printf("%d ", host[i]);
        if (host[i] != device[i]) printf("(device %d) ", device[i]);
        same &= host[i] == device[i];
    }
    printf("\n%d %d %d %d\n%s\n", y.a, y.c, y.d, y.e, same ? "PASSED" : "FAILED");
    cudaFree(out);
    cudaFree(length);
    cudaFree(moved);
    return 0;
}
