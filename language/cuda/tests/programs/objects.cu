// Lifetimes of objects in kernels: each destructor appends a digit or adds a number. The expected
// values are those of g++.
struct Digit {
    int *p, v;
    __device__ Digit(int *q, int w) : p(q), v(w) {}
    __device__ ~Digit() { *p = *p * 10 + v; }
};
struct Two {
    Digit one, two;
    __device__ Two(int *q) : one(q, 1), two(q, 2) {}
};
struct Derived : Digit {
    __device__ Derived(int *q) : Digit(q, 3) {}
    __device__ ~Derived() { *p = *p * 10 + 4; }
};
__device__ Digit made(int *q, int v) {
    Digit digit(q, v);
    return digit;
}
__device__ int taken(Digit digit) { return digit.v; }
__device__ int jumps(int *q, int n) {
    Digit a(q, 1);
    for (int i = 0; i < 5; i++) {
        Digit b(q, 2);
        if (i == n) return *q;
        if (i == 1) continue;
        if (n > 10) break;
        Digit c(q, 3);
    }
    return *q;
}

extern "C" __global__ void ends(int *out) {
    { Digit a(out, 1), b(out, 2); }
    { Two two(out + 1); }
    { Derived derived(out + 2); }
    { Digit(out + 3, 7); out[3] = out[3] * 10 + 8; }
    { Digit digit = made(out + 4, 5); out[4] = out[4] * 10 + 6; }
    out[6] = taken(Digit(out + 5, 9));
    out[8] = jumps(out + 7, 2);
    out[10] = jumps(out + 9, 20);
    { Digit three[3] = {Digit(out + 11, 1), Digit(out + 11, 2), Digit(out + 11, 3)}; }
    { const Digit &kept = Digit(out + 12, 4); out[12] = 5; }
    out[13] = out[0] > 3 ? Digit(out + 14, 6).v : Digit(out + 14, 7).v;
    { Digit many[20] = {Digit(out + 15, 0)
#define MORE , Digit(out + 15, 0)
      MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE MORE}; out[15] = 0; }
}

struct Logged {
    int *p;
    __device__ Logged(int *q) : p(q) { *p += 1; }
    __device__ Logged(const Logged &other) : p(other.p) { *p += 10; }
    __device__ Logged &operator=(const Logged &other) {
        *p += 100;
        return *this;
    }
    __device__ ~Logged() { *p += 1000; }
};
struct Holder {
    Logged logged;
    int more;
};
__device__ Logged passed(Logged logged) { return logged; }

extern "C" __global__ void copies(int *out) {
    { Logged a(out); Logged b = a; b = a; }
    { Logged a(out + 1); Logged b = passed(a); }
    { Holder a = {Logged(out + 2), 1}; Holder b = a; b = a; }
    for (int i = 0; i < 3; i++) {
        Logged one(out + 3);
        if (i == 1) break;
    }
    switch (out[4]) {
    case 0: {
        Logged one(out + 4);
        break;
    }
    case 1: out[4] = 7;
    }
    while (Logged(out + 5).p[0] < 2500) {}
    if (Logged(out + 6).p[0] == 1 && Logged(out + 6).p[0] == 2) out[6] += 5;
    __align__(8) int room[4];
    Two *two = new (room) Two(out + 7);
    two->~Two();
}

#if __CUDA_ARCH__ >= 200
struct Point {
    int x, y;
    __device__ Point() : x(3), y(4) {}
};
struct Counted {
    int *p;
    __device__ Counted() : p(0) {}
    __device__ ~Counted() {
        if (p) *p += 1;
    }
};

extern "C" __global__ void allocated(int *out) {
    Point *point = new Point;
    out[0] = point->x * 10 + point->y;
    delete point;
    int *numbers = new int[5];
    numbers[4] = 7;
    out[1] = numbers[4];
    delete[] numbers;
    int *zeros = new int[4]();
    out[2] = zeros[0] + zeros[3];
    delete[] zeros;
    Point *points = new Point[3];
    out[3] = points[2].y;
    delete[] points;
    Counted *counted = new Counted[3];
    counted[0].p = counted[2].p = out + 4;
    delete[] counted;
    int *nine = new int(9);
    out[5] = *nine;
    delete nine;
    delete (Counted *)0;
    Digit *digit = new Digit(out + 6, 3);
    out[6] = 2;
    delete digit;
}
#endif
