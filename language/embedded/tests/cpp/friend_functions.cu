// Functions that a class defines as its friends call functions, methods and each other.
#include <cmath>
#include <cstdio>

static int helper(int x) { return x * 2; }

struct Angle {
    float value;
    friend bool operator!=(const Angle &x, const Angle &y) {
        return fabsf(x.value - y.value) > 0.5f || helper(1) == 3;
    }
    friend float distance(const Angle &x, const Angle &y) {
        return sqrtf(fabs(x.value - y.value)) + helper(2) + x.get() + next(y);
    }
    float get() const { return value; }
    friend float next(const Angle &angle) { return angle.value + 1; }
    friend Angle operator+(Angle x, const Angle &y) {
        x.value = fmodf(x.value + y.value, 6);
        return x;
    }
};

template <class T> struct Holder {
    T held;
    friend T twice(const Holder &holder) { return holder.held + (T)helper((int)holder.held) / 2; }
};

int main() {
    Angle a{1}, b{5};
    printf("%d %g %g %g\n", a != b, distance(a, b), (a + b).value, twice(Holder<double>{2.5}));
    return 0;
}
