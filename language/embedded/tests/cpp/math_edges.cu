// Functions of <cmath> and <numeric> at their edges (C++20).
#include <climits>
#include <cmath>
#include <cstdio>
#include <numeric>
int main() {
    printf("%d%d%d%d\n", std::isnan(acosh(-7820.35)), std::isnan(acoshf(-57.4f)), std::isnan(acosh(0.5)), std::isnan(acosh(-INFINITY)));
    printf("%.17g %.9g %.14g\n", acosh(1.0), acoshf(3.0f), acosh(1e300));
    printf("%.7g %.7g %.7g\n", lgammaf(-2.45281982421875f), lgammaf(3.5f), tgammaf(5.5f));
    printf("%.15g %.15g %g\n", std::hypot(2.0, 3.0, 6.0), std::hypot(1e200, 1e200, 1e200), std::hypot(2.0f, 3.0f, 6.0f));
    printf("%g %g\n", std::hypot(1, 2.0f, 2.0), std::hypot(0.0, 0.0, 0.0));
    printf("%g %g %g\n", std::lerp(1.0, 3.0, 0.25), std::lerp(-1.0, 1.0, 0.5), std::lerp(2.0f, 4.0f, 1.0f));
    printf("%d %d %d %u\n", std::midpoint(INT_MIN, INT_MAX), std::midpoint(INT_MAX, INT_MIN), std::midpoint(-3, 4), std::midpoint(7u, 2u));
    printf("%g %g %g\n", std::midpoint(1e308, 1.5e308), std::midpoint(1.0, 4.0), std::midpoint(1.0f, 2.0f));
    int list[9];
    printf("%d\n", (int)(std::midpoint(list, list + 9) - list));
    printf("%ld %ld %d %lld\n", std::gcd(12, 18L), std::lcm(4L, 6), std::gcd(-12, 18), std::lcm(7LL, 3));
}
