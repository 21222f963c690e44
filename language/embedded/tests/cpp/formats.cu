// Formats of streams, by chance.
#include <iostream>
#include <iomanip>
#include <limits>
#include <cmath>
#include <climits>
using namespace std;
int main() {
    double inf = INFINITY, nan1 = NAN, nz = -0.0;
    int *p = (int *)0x1234;
    void *np = 0;
    cout << uppercase << np << '|' << '\n';
    cout << np << '|' << (unsigned char)'b' << '|' << '\n';
    cout << showbase << 0.0 << '|' << '\n';
    cout << "text" << '|' << setbase(10) << (void *)p << '|' << '\n';
    cout << setiosflags(ios::fixed) << '\n';
    cout << inf << '|' << 1234567.0 << '|' << hexfloat << 255ull << '|' << '\n';
    cout << defaultfloat << '\n';
    cout << nz << '|' << '\n';
    cout << setiosflags(ios::fixed) << boolalpha << setw(0) << showbase << '\n';
    cout << 3.14159265358979 << '|' << '\n';
    cout << nan1 << '|' << boolalpha << (short)-3 << '|' << hex << 'c' << '|' << '\n';
    cout << nouppercase << noshowpos << (short)-3 << '|' << '\n';
    cout << defaultfloat << setfill(' ') << defaultfloat << '\n';
    cout << 100.0 << '|' << internal << internal << setw(1) << 42u << '|' << '\n';
    cout << 42 << '|' << dec << dec << '\n';
    cout << setw(0) << 0.5 << '|' << 'c' << '|' << 0.1 << '|' << '\n';
    cout << showpoint << noshowpoint << 5e-324 << '|' << defaultfloat << uppercase << '\n';
    cout << showpos << noshowbase << inf << '|' << dec << '\n';
    cout << noshowpos << 1e-5 << '|' << np << '|' << hex << '\n';
    cout << np << '|' << oct << 255ull << '|' << 255ull << '|' << "text" << '|' << '\n';
    cout << np << '|' << left << 1e20 << '|' << 0.0 << '|' << '\n';
    cout << nz << '|' << noshowpos << 1e15 << '|' << setw(8) << '\n';
    cout << hexfloat << dec << '\n';
    cout << 1e-5 << '|' << '\n';
    cout << (const char *)"x" << '|' << '\n';
    cout << left << (unsigned short)9 << '|' << showbase << '\n';
    cout << dec << -2.5f << '|' << 999999.5 << '|' << 1e16 << '|' << -inf << '|' << '\n';
    cout << defaultfloat << '\n';
    cout << 1.0f / 3 << '|' << 1e100 << '|' << setfill('#') << scientific << '\n';
    cout << showpos << 0 << '|' << '\n';
    cout << (signed char)'a' << '|' << -1.5 << '|' << scientific << setiosflags(ios::fixed)
         << noboolalpha << '\n';
    cout << internal << left << internal << '\n';
    cout << -7L << '|' << setw(8) << defaultfloat << '\n';
    cout << string("str") << '|' << '\n';
    cout << nz << '|' << string("str") << '|' << noboolalpha << noshowpoint << fixed << '\n';
    cout << inf << '|' << '\n';
    cout << right << "text" << '|' << '\n';
    cout << (unsigned short)9 << '|' << boolalpha << setprecision(1) << dec << '\n';
    cout << internal << string("str") << '|' << INT_MIN << '|' << 1e16 << '|' << '\n';
    cout << boolalpha << internal << noboolalpha << '\n';
    cout << oct << '\n';
    cout << 1e-5 << '|' << dec << showpos << '\n';
    cout << p << '|' << 0.1 << '|' << 3.14159265358979 << '|' << 255ull << '|' << 2.0 << '|'
         << '\n';
    cout << fixed << noshowbase << '\n';
    cout << (unsigned char)'b' << '|' << internal << '\n';
    cout << 0.1 << '|' << p << '|' << nouppercase << '\n';
    cout << 0.5 << '|' << noshowpoint << -1.5 << '|' << oct << setbase(16) << '\n';
    cout << right << '\n';
    cout << nouppercase << '\n';
    cout << fixed << 1e-5 << '|' << showpos << showpoint << '\n';
    cout << hex << '\n';
    cout << "text" << '|' << scientific << uppercase << left << right << '\n';
    cout << nz << '|' << nan1 << '|' << setiosflags(ios::fixed) << 0.5 << '|' << scientific << '\n';
    cout << 1e16 << '|' << boolalpha << setbase(16) << hex << '\n';
    cout << setprecision(0) << nan1 << '|' << 1.0f / 3 << '|' << '\n';
    cout << oct << showpoint << scientific << false << '|' << (const char *)"x" << '|' << '\n';
    cout << hexfloat << showpoint << uppercase << oct << '\n';
    cout << noshowpos << 3.14159265358979 << '|' << setiosflags(ios::fixed) << left
         << (const char *)"x" << '|' << '\n';
    cout << showpoint << dec << '\n';
    cout << false << '|' << 3.14159265358979 << '|' << (const char *)"x" << '|' << 1234567.0 << '|'
         << '\n';
    cout << 42 << '|' << nouppercase << 255ull << '|' << showpoint << noshowbase << '\n';
    cout << noshowpoint << 0.1 << '|' << left << uppercase << noboolalpha << '\n';
    cout << nouppercase << 255ull << '|' << 5e-324 << '|' << dec << setw(5) << '\n';
    cout << fixed << 1e15 << '|' << 0.5 << '|' << -1.5 << '|' << left << '\n';
    cout << noboolalpha << dec << uppercase << p << '|' << -2.5f << '|' << '\n';
    cout << uppercase << 1e100 << '|' << '\n';
    cout << scientific << nouppercase << setbase(16) << 42 << '|' << '\n';
    cout << 0.1 << '|' << noshowpoint << '\n';
    cout << setw(12) << '\n';
    cout << p << '|' << showbase << 999999.5 << '|' << '\n';
    cout << nz << '|' << hex << nouppercase << right << '\n';
    cout << (void *)p << '|' << noshowbase << 255ull << '|' << p << '|' << '\n';
    cout << -2.5f << '|' << '\n';
    cout << nan1 << '|' << 5e-324 << '|' << 1e-5 << '|' << true << '|' << internal << '\n';
    cout << (unsigned char)'b' << '|' << boolalpha << (signed char)'a' << '|' << '\n';
    cout << noshowpos << 100.0 << '|' << '\n';
    cout << hex << noshowbase << 'c' << '|' << '\n';
    cout << internal << '\n';
    cout << setiosflags(ios::fixed) << setfill(' ') << left << 255ull << '|' << fixed << '\n';
    cout << noshowpoint << LLONG_MAX << '|' << (unsigned char)'b' << '|' << '\n';
    cout << setbase(10) << setprecision(20) << 1e15 << '|' << 1.0 << '|' << hex << '\n';
    cout << noshowbase << noshowpos << '\n';
    cout << scientific << oct << internal << '\n';
    cout << 1e100 << '|' << 0.1 << '|' << '\n';
    cout << LLONG_MAX << '|' << resetiosflags(ios::floatfield) << setfill('0') << defaultfloat
         << 1e100 << '|' << '\n';
    cout << 5e-324 << '|' << right << 100.0 << '|' << 0.0 << '|' << noshowpos << '\n';
    cout << 'c' << '|' << boolalpha << noshowpoint << '\n';
    cout << scientific << 1.0 << '|' << true << '|' << true << '|' << dec << '\n';
    cout << setw(8) << (short)-3 << '|' << 0 << '|' << '\n';
    cout << right << '\n';
    cout << setbase(10) << '\n';
    cout << noshowpoint << setw(20) << '\n';
    cout << -inf << '|' << uppercase << hexfloat << np << '|' << '\n';
    cout << 255ull << '|' << inf << '|' << '\n';
    cout << 1e16 << '|' << dec << nz << '|' << oct << '\n';
    cout << oct << noshowpos << '\n';
    cout << 1e100 << '|' << '\n';
    cout << showpoint << noshowpoint << setfill('#') << 1.0f / 3 << '|' << '\n';
    cout << noshowpos << setprecision(2) << resetiosflags(ios::floatfield) << '\n';
    cout << 5e-324 << '|' << '\n';
    cout << noshowpoint << 0.1 << '|' << nz << '|' << '\n';
    cout << noshowbase << internal << 1e100 << '|' << nz << '|' << (short)-3 << '|' << '\n';
    cout << setfill('#') << dec << '\n';
    cout << showpos << 100.0 << '|' << hex << 1.0 << '|' << '\n';
    cout << resetiosflags(ios::floatfield) << defaultfloat << '\n';
    cout << noboolalpha << (const char *)"x" << '|' << setfill('_') << '\n';
    cout << 999999.5 << '|' << showpoint << uppercase << true << '|' << '\n';
    cout << -42 << '|' << true << '|' << 1e20 << '|' << setprecision(10) << '\n';
    cout << 1.0 << '|' << setbase(10) << '\n';
    cout << inf << '|' << '\n';
    cout << (void *)p << '|' << fixed << '\n';
    cout << 1.0f / 3 << '|' << '\n';
    cout << 999999.5 << '|' << hex << INT_MIN << '|' << '\n';
    cout << -2.5f << '|' << setiosflags(ios::fixed) << '\n';
    cout << noshowpos << noshowpoint << setbase(16) << '\n';
    cout << noshowpos << '\n';
    cout << uppercase << -2.5f << '|' << '\n';
    cout << p << '|' << '\n';
    cout << 1.0f / 3 << '|' << internal << scientific << (signed char)'a' << '|' << '\n';
    cout << 999999.5 << '|' << '\n';
}
