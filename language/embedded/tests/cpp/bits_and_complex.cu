// <bitset> and <complex>.
#include <iostream>
#include <iomanip>
#include <bitset>
#include <complex>
#include <vector>
#include <string>
using namespace std;
typedef complex<double> C;
typedef complex<float> F;
int main() {
    bitset<8> b(42), c("1010"), d;
    cout << b << " " << c << " " << d << b.count() << b.any() << d.none() << b.size() << b[1]
         << b.test(0) << endl;
    b.set(0);
    b.flip(1);
    b[7] = 1;
    b.reset(3);
    cout << b << b.to_ulong() << b.to_string() << (b & c) << (b | c) << (b ^ c) << ~b << (b << 2)
         << (b >> 3) << (b == c) << b.all() << endl;
    bitset<100> big;
    big.set(99).set(3);
    big >>= 2;
    cout << big << big.count() << endl;
    try {
        b.test(9);
    } catch (out_of_range &e) {
        cout << e.what() << endl;
    }
    try {
        bitset<4> x("12");
    } catch (invalid_argument &e) {
        cout << e.what() << endl;
    }
    for (size_t i = 0; i < b.size(); i++)
        cout << b[i];
    cout << endl;
    cout << bitset<16>(0xBEEF) << bitset<4>(-1) << setw(12) << bitset<8>(5) << endl;
    bitset<32> f(1u << 31);
    cout << f.to_ullong() << endl;
    C a(1, 2), e(3, -4), z;
    cout << a << e << z << a + e << a - e << a * e << a / e << -a << endl;
    cout << a + 1.0 << 2.0 * a << a / 2.0 << 1.0 / a << 1.0 - a << endl;
    cout << abs(e) << arg(e) << norm(e) << conj(e) << real(a) << a.imag() << polar(2.0, 0.5)
         << endl;
    cout << exp(a) << log(a) << sqrt(e) << sqrt(C(-4, 0)) << sin(a) << cos(a) << tan(a) << sinh(a)
         << cosh(a) << tanh(a) << endl;
    cout << pow(a, 2) << pow(a, 0.5) << pow(a, e) << pow(2.0, a) << pow(C(2, 0), 3.0) << endl;
    a += e;
    a *= C(0, 1);
    a /= e;
    a -= 1.0;
    cout << a << (a == e) << (a != e) << (C(2, 0) == 2.0) << endl;
    a.real(7);
    a.imag(8);
    cout << fixed << setprecision(3) << a << setw(20) << a << '|' << endl;
    cout << defaultfloat << setprecision(12) << a / C(3, 7) << sqrt(C(1.5, 2.25))
         << C(1e300, 1e300) / C(1e299, 1e300) << C(3, 4) * C(1.1, 2.2) << exp(C(0.1, 0.2))
         << log(C(0.3, 5)) << endl;
    F g(1.5f, -2);
    cout << setprecision(9) << g * g << g / F(2, 3) << abs(g) << sqrt(g) << exp(g) << sizeof(g)
         << endl;
    vector<C> v(3, C(1, 1));
    C s = 0;
    for (auto &x : v)
        s += x;
    cout << s << endl;
    C q = 5;
    cout << q << endl;
    const double PI = acos(-1);
    int n = 8;
    for (int k = 0; k < n; k++) {
        C w = exp(C(0, -2 * PI * k / n));
        cout << setprecision(6) << w << endl;
    }
    complex<float> fc = complex<double>(1.25, 2.5) == C(0) ? F(0) : F(1, 1);
    cout << fc << endl;
}
