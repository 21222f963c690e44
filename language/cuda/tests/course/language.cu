// Constructs of C++ that students use in kernels.

struct Add {
    __device__ int operator()(int a, int b) const { return a + b; }
    __device__ static int identity() { return 0; }
};
struct Max {
    __device__ int operator()(int a, int b) const { return a > b ? a : b; }
    __device__ static int identity() { return -2147483647 - 1; }
};

template <class Op, int Size> __global__ void reduceWith(const int *in, int *out, int n)
{
    __shared__ int s[Size];
    Op op;
    int value = Op::identity();
    for (int i = threadIdx.x; i < n; i += Size) value = op(value, in[i]);
    s[threadIdx.x] = value;
    __syncthreads();
    for (int k = Size / 2; k > 0; k /= 2) {
        if (threadIdx.x < k) s[threadIdx.x] = op(s[threadIdx.x], s[threadIdx.x + k]);
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = s[0];
}

void launches(int *in, int *out)
{
    reduceWith<Add, 64><<<1, 64>>>(in, out, 100);
    reduceWith<Max, 64><<<1, 64>>>(in, out, 100);
}

template <typename T, int N> class Stack {
public:
    __device__ Stack() : top(0) {}
    __device__ void push(const T &x) { if (top < N) data[top++] = x; }
    __device__ T pop() { return data[--top]; }
    __device__ bool empty() const { return top == 0; }
private:
    T data[N];
    int top;
};

// The expression tree of a number is visited with a stack.
__global__ void collatzStack(const int *in, int *out)
{
    int i = threadIdx.x;
    Stack<int, 8> stack;
    stack.push(in[i]);
    int sum = 0;
    while (!stack.empty()) {
        int x = stack.pop();
        sum += x;
        if (x > 3) {
            stack.push(x / 2);
            stack.push(x / 3);
        }
    }
    out[i] = sum;
}

namespace shapes {
enum Kind { Circle, Square = 4, Triangle };
struct Shape {
    Kind kind;
    union {
        float radius;
        int side;
    };
    float extra;
};
__device__ inline float area(const Shape &s)
{
    switch (s.kind) {
    case Circle: return 3.0f * s.radius * s.radius;
    case Square: return float(s.side * s.side);
    case Triangle:
        if (s.extra > 0) return 0.5f * s.side * s.extra;
        // fall through
    default: return -1.0f;
    }
}
}

__global__ void areas(const shapes::Shape *shape, float *out, int n)
{
    using namespace shapes;
    for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = area(shape[i]);
}

struct Base {
    int a;
    __device__ Base(int a_ = 7) : a(a_) {}
    __device__ int twice() const { return 2 * a; }
};
struct Derived : public Base {
    int b;
    __device__ Derived(int x, int y) : Base(x), b(y) {}
    __device__ int sum() { return twice() + b; }
    __device__ Derived &operator+=(int d) { b += d; return *this; }
    __device__ Derived operator-() const { return Derived(-a, -b); }
};
__device__ int operator%(const Derived &l, int m) { return (l.a + l.b) % m; }

__global__ void classes(int *out)
{
    int t = threadIdx.x;
    Derived d(t, 3);
    d += 4;
    (d += 1) += 1;
    Derived e = -d;
    Base base;
    out[t * 4 + 0] = d.sum();
    out[t * 4 + 1] = e.sum();
    out[t * 4 + 2] = d % 5;
    out[t * 4 + 3] = base.twice();
}

template <typename T> __device__ T clampTo(T x, T low, T high) { return x < low ? low : x > high ? high : x; }
template <> __device__ float clampTo<float>(float x, float low, float high) { return fminf(fmaxf(x, low), high); }
__device__ int overloaded(int x) { return x + 1; }
__device__ int overloaded(float x) { return (int)(x * 2); }
__device__ int defaults(int a, int b = 10, int c = 100) { return a + b + c; }
#define SQUARE(x) ((x) * (x))
#define DECLARE(type, name, ...) type name = {__VA_ARGS__}
#define JOIN(a, b) a##b

__global__ void mixed(const float *in, int *out, int n)
{
    int JOIN(thread, Index) = threadIdx.x;
    DECLARE(int, table[5], 3, 1, 4, 1, 5);
    int i = threadIndex;
    if (i >= n) return;
    float x = in[i];
    int result = clampTo(i, 2, 9) + (int)clampTo(x, -1.0f, 1.5f) + overloaded(i) + overloaded(x) + defaults(1) + defaults(1, 2);
    unsigned char byte = (unsigned char)(i * 37);
    short half = (short)(i * 2000 - 30000);
    long long big = (long long)i << 33;
    result += SQUARE(i + 1) + table[i % 5] + byte + half + (int)(big >> 31);
    bool odd = i & 1;
    result ^= odd ? 0x55 : ~0xAA;
    do {
        result -= 3;
        if (result % 7 == 0) break;
    } while (result > 1000);
    int k = 0;
again:
    k += 2;
    if (k < i % 6) goto again;
    int sum = 0;
    for (int v : table) sum += v;
    auto scaled = [](int a, int b) { return a * b; };
    out[i] = result + k + sum + scaled(k, 3) + sizeof(float4) + (i, k);
}

__global__ void captures(const int *in, int *out, int n)
{
    int t = threadIdx.x, total = 0, offset = 100;
    auto at = [=](int i) { return in[(i + t) % n] + offset; };
    auto add = [&](int x) { total += x; };
    for (int i = 0; i < 3; i++) add(at(i));
    auto counter = [offset, start = 2 * t, &total](int x) mutable { start += x; total++; return start + offset; };
    int first = counter(1), second = counter(1);
    out[t] = total + 1000 * (first + second);
}

struct Packed {
    unsigned int low : 5;
    unsigned int middle : 11;
    int high : 16;
    unsigned char flag : 1;
    unsigned char : 0;
    unsigned char next : 3;
};
__global__ void bitFields(const Packed *in, Packed *out, int *sums)
{
    int t = threadIdx.x;
    Packed p = in[t];
    p.low += t;
    p.middle = p.middle * 2 + 1;
    p.high -= 5;
    p.flag = !p.flag;
    p.next++;
    out[t] = p;
    sums[t] = p.low + p.middle + p.high + p.flag + p.next;
}
