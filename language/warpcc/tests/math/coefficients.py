#!/usr/bin/env python3
"""Computes the coefficients of the device math library and prints `coefficients.h`.

    pip install mpmath; python3 coefficients.py > ../../../include/math/coefficients.h

Each polynomial interpolates its function at Chebyshev nodes with 70 digits. The comment in the
header gives the largest relative error of the polynomial, before its coefficients are rounded.
"""
import sys
from mpmath import mp, mpf, cos, pi, log, exp, sin, asin, atan, asinh, atanh, sqrt, erf, erfc, tanh, sinh
from mpmath import loggamma, gamma, besselj, bessely, besseli, findroot, erfinv, nstr, ldexp, floor, frexp, fabs

mp.dps = 70


def nodes(a, b, n):
    found = [(a + b) / 2 + (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * n)) for i in range(n)]
    return [x if abs(x) > mpf(10) ** -12 else mpf(10) ** -12 for x in found]


def fit(f, a, b, n):
    """Coefficients, lowest first, of the polynomial with n terms, and its largest relative error."""
    a, b = mpf(a), mpf(b)
    xs = nodes(a, b, n)
    ys = [f(x) for x in xs]
    # Newton's divided differences, then expanded.
    d = ys[:]
    for j in range(1, n):
        for i in range(n - 1, j - 1, -1):
            d[i] = (d[i] - d[i - 1]) / (xs[i] - xs[i - j])
    c = [mpf(0)]
    for i in range(n - 1, -1, -1):
        new = [mpf(0)] * (len(c) + 1)
        for k, v in enumerate(c):
            new[k + 1] += v
            new[k] -= v * xs[i]
        new[0] += d[i]
        c = new
    c = c[:n]
    worst = mpf(0)
    for i in range(61):
        x = a + (b - a) * (i + mpf(1) / 3) / 61
        p = mpf(0)
        for v in reversed(c):
            p = p * x + v
        y = f(x)
        worst = max(worst, abs((p - y) / y))
    return c, worst


def number(x, bits, least, rounding="n"):
    """Hexadecimal literal of x rounded to `bits` bits."""
    if x == 0:
        return "0.0"
    sign = "-" if x < 0 else ""
    m, e = frexp(abs(x))
    scaled = m * mpf(2) ** bits
    n = int(floor(scaled + mpf(1) / 2))
    e = int(e) - bits
    while n % 2 == 0:
        n //= 2
        e += 1
    return "%s0x%xp%d" % (sign, n, e)


def value(x, bits):
    if x == 0:
        return mpf(0)
    m, e = frexp(abs(x))
    n = floor(m * mpf(2) ** bits + mpf(1) / 2)
    return ldexp(n, int(e) - bits) * (1 if x > 0 else -1)


TYPES = {"float": (24, "f"), "double": (53, "")}
LINES = []


def literal(x, kind):
    bits, suffix = TYPES[kind]
    return number(x, bits, 0) + suffix


def wrap(items, start, end):
    line, out = start, []
    for i, item in enumerate(items):
        item += "," if i + 1 < len(items) else end
        if len(line) + len(item) + 1 > 98:
            out.append(line)
            line = "       "
        line += " " + item
    out.append(line)
    return out


def horner(items):
    """Lines that evaluate a polynomial by Horner's scheme, from its highest coefficient on."""
    line, out = "    return ", []
    for _ in items[1:]:
        if len(line) + 4 > 98:
            out.append(line.rstrip())
            line = "        "
        line += "__H("
    parts = [items[-1]] + [item + ")" for item in reversed(items[:-1])]
    for i, part in enumerate(parts):
        part += "," if i + 1 < len(parts) else ";"
        if len(line) + len(part) + 1 > 98:
            out.append(line.rstrip())
            line = "       "
        line += part if line.endswith("(") else " " + part
    return out + [line]


def poly(name, f, a, b, floats, doubles, what):
    for kind, n in (("float", floats), ("double", doubles)):
        c, worst = fit(f, a, b, n)
        LINES.append("/* %s, [%s, %s]: %s */" % (what, nstr(mpf(a), 6), nstr(mpf(b), 6), nstr(worst, 3)))
        LINES.append("__WM_FN %s __wm_p_%s(%s x) {" % (kind, name, kind))
        LINES.extend(horner([literal(v, kind) for v in c]))
        LINES.append("}")


CONSTS = {"float": [], "double": []}


def const(name, x, shorts=None):
    """x as unevaluated sum NAME_h + NAME_l; with `shorts` parts of so many bits, then the rest."""
    for kind in TYPES:
        bits, suffix = TYPES[kind]
        rest, parts = mpf(x), []
        for width in (shorts[kind] if shorts else [bits]) + [bits]:
            v = value(rest, width)
            parts.append(number(v, bits, 0) + suffix)
            rest -= v
        names = ["h", "l"] if len(parts) == 2 else [str(i + 1) for i in range(len(parts))]
        for n, p in zip(names, parts):
            CONSTS[kind].append("    static __WM_HD %s %s_%s() { return %s; }" % (kind, name, n, p))


def root(f, near):
    return findroot(f, mpf(near))


# ---- exponential and logarithm
LN2 = log(2)
poly("exp", lambda r: (exp(r) - 1 - r) / r**2, -LN2 / 2 - 0.01, LN2 / 2 + 0.01, 6, 11, "(exp(x)-1-x)/x^2")
# log(1+f) = f - f^2/2 + f^3 P(f)
lo, hi = sqrt(mpf(1) / 2) - 1, sqrt(mpf(2)) - 1
poly("log", lambda x: (log(1 + x) - x + x * x / 2) / x**3, lo, hi, 9, 21, "(log(1+x)-x+x^2/2)/x^3")
# log((1+s)/(1-s)) = 2s + s^3 (2/3 + s^2 P(s^2))
s2 = (sqrt(mpf(2)) - 1) ** 2 / (sqrt(mpf(2)) + 1) ** 2
poly("log_s", lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2 - 2 * z / 3) / z**2, mpf(10) ** -9, s2, 3, 8,
     "(2 atanh(s)/s-2-2/3 s^2)/s^4 of s^2")
const("ln2", LN2, {"float": [14], "double": [40]})
const("ln2f", LN2)
const("log2e", 1 / LN2)
const("log10e", 1 / log(10))
const("ln10", log(10))
const("two_thirds", mpf(2) / 3)
const("log10_2", log(2) / log(10), {"float": [14], "double": [40]})
# ---- trigonometry
q = (pi / 4 + mpf(1) / 50) ** 2
poly("sin", lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, 0, q, 4, 8, "(sin(x)/x-1)/x^2 of x^2")
poly("cos", lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, 0, q, 4, 8, "(cos(x)-1+x^2/2)/x^4 of x^2")
poly("asin", lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, 0, mpf(1) / 4, 6, 13, "(asin(x)/x-1)/x^2 of x^2")
poly("atan", lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, 0, 1, 9, 20, "(atan(x)/x-1)/x^2 of x^2")
poly("sinh", lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, 0, 1, 4, 8, "(sinh(x)/x-1)/x^2 of x^2")
poly("tanh", lambda z: (tanh(sqrt(z)) / sqrt(z) - 1) / z, 0, mpf(9) / 25, 7, 17, "(tanh(x)/x-1)/x^2 of x^2")
poly("asinh", lambda z: (asinh(sqrt(z)) / sqrt(z) - 1) / z, 0, mpf(1) / 4, 6, 13, "(asinh(x)/x-1)/x^2 of x^2")
poly("atanh", lambda z: (atanh(sqrt(z)) / sqrt(z) - 1) / z, 0, mpf(1) / 4, 6, 14, "(atanh(x)/x-1)/x^2 of x^2")
const("pio2", pi / 2)
const("pio2s", pi / 2, {"float": [12, 12, 12], "double": [33, 33, 33]})
const("pio4", pi / 4)
const("pi", pi)
const("inv_pio2", 2 / pi)
# ---- error function and gamma function
tosp = 2 / sqrt(pi)
poly("erf", lambda z: erf(sqrt(z)) / sqrt(z) - tosp if z > 1e-9 else -tosp * z / 3 + tosp * z * z / 10,
     mpf(10) ** -9, 1, 8, 14, "erf(x)/x-2/sqrt(pi) of x^2")
def erfcx(x):
    if x > 60:
        s, t = mpf(1), mpf(1)
        for k in range(1, 30):
            t *= -(2 * k - 1) / (2 * x * x)
            s += t
        return s / (x * sqrt(pi))
    old, mp.dps = mp.dps, 90
    r = exp(x * x) * erfc(x)
    mp.dps = old
    return r
def cx(t):
    x = 4 * (1 + t) / (1 - t)
    return (1 + 2 * x) * erfcx(x)
# x = 4 (1+t)/(1-t): x in [0.4, infinity)
poly("erfcx", cx, mpf("-0.82"), 1 - mpf(10) ** -6, 13, 26, "(1+2x) erfcx(x) of (x-4)/(x+4)")
const("two_sqrtpi", tosp)
const("inv_sqrtpi", 1 / sqrt(pi))
const("sqrt_half", sqrt(mpf(1) / 2))
const("sqrt2", sqrt(mpf(2)))
# Inverse error function (start values; refined afterwards).
def inv_from_c(c):
    """y with erfc(y) = c."""
    if c > mpf("0.1"):
        return erfinv(1 - c)
    y = sqrt(-log(c * sqrt(pi) * sqrt(-log(c))))
    for _ in range(60):
        step = (log(erfc(y)) - log(c)) / (-2 * exp(-y * y) / sqrt(pi) / erfc(y))
        y -= step
        if abs(step) < mpf(10) ** -40:
            break
    return y
def central(w):
    x = sqrt(1 - exp(-w))
    return erfinv(x) / x
def tail(s):
    # s = sqrt(-log(c (2-c)))
    u = exp(-s * s)
    c = u / (1 + sqrt(1 - u))
    return inv_from_c(c)
mp.dps = 40
poly("erfinv0", central, mpf(10) ** -8, 5, 8, 8, "erfinv(x)/x of -log(1-x^2)")
poly("erfinv1", lambda s: tail(s + 3), mpf("-0.8"), mpf("1.5"), 8, 8, "erfinv of sqrt(-log(1-x^2))-3")
poly("erfinv2", lambda s: tail(s + 8), mpf("-3.6"), mpf(3), 8, 9, "erfinv of sqrt(-log(1-x^2))-8")
poly("erfinv3", lambda s: tail(s + 19), mpf("-9"), mpf("8.5"), 4, 10, "erfinv of sqrt(-log(1-x^2))-19")
mp.dps = 50
half_log_2pi = log(2 * pi) / 2
poly("stirling", lambda z: (loggamma(1 / sqrt(z)) - (1 / sqrt(z) - mpf(1) / 2) * log(1 / sqrt(z)) + 1 / sqrt(z)
     - half_log_2pi) / sqrt(z), mpf(10) ** -8, mpf(1) / 64, 4, 9, "Stirling's correction times x, of 1/x^2")
poly("lgamma1", lambda x: loggamma(x + mpf("1.5")) / ((x + mpf("0.5")) * (x - mpf("0.5"))), mpf("-0.5"), mpf("0.5"),
     10, 22, "lgamma(x)/((x-1)(x-2)) of x-1.5, near [1, 2]")
poly("lgamma2", lambda x: loggamma(x + mpf("2.5")) / (x + mpf("0.5")), mpf("-0.5"), mpf("0.5"),
     9, 19, "lgamma(x)/(x-2) of x-2.5")
const("half_log_2pi", half_log_2pi)
const("ln_pi", log(pi))
# ---- Bessel functions
mp.dps = 40
def zero(f, near, name):
    z = root(f, near)
    const(name, z)
    return z
J0 = lambda x: besselj(0, x)
J1 = lambda x: besselj(1, x)
Y0 = lambda x: bessely(0, x)
Y1 = lambda x: bessely(1, x)
z = zero(J0, 2.4, "j0z1"); poly("j0a", lambda x, z=z: J0(x + 2) / (x + 2 - z), -2, 2, 11, 20, "j0(x)/(x-z1) of x-2")
z = zero(J0, 5.5, "j0z2"); poly("j0b", lambda x, z=z: J0(x + 6) / (x + 6 - z), -2, 2, 11, 20, "j0(x)/(x-z2) of x-6")
poly("j1a", lambda t: J1(sqrt(t)) / sqrt(t), mpf(10) ** -8, 4, 6, 11, "j1(x)/x of x^2")
z = zero(J1, 3.8, "j1z1"); poly("j1b", lambda x, z=z: J1(x + 4) / (x + 4 - z), -2, 2, 11, 20, "j1(x)/(x-z1) of x-4")
z = zero(J1, 7.0, "j1z2"); poly("j1c", lambda x, z=z: J1(x + 7) / (x + 7 - z), -1, 1, 8, 16, "j1(x)/(x-z2) of x-7")
def y0r(z, c):
    return lambda t: (Y0(t + c) - 2 / pi * log((t + c) / z) * J0(t + c)) / ((t + c - z) * (t + c + z))
z = zero(Y0, 0.9, "y0z1")
poly("y0a", lambda t, z=z: (Y0(sqrt(t)) - 2 / pi * log(sqrt(t) / z) * J0(sqrt(t))) / (t - z * z), mpf(10) ** -8, 4,
     6, 11, "Y0 without logarithm, /(x^2-z1^2), of x^2")
z = zero(Y0, 3.95, "y0z2"); poly("y0b", y0r(z, mpf("3.75")), "-1.75", "1.75", 11, 20, "same with z2, of x-3.75")
z = zero(Y0, 7.08, "y0z3"); poly("y0c", y0r(z, mpf("6.75")), "-1.25", "1.25", 10, 18, "same with z3, of x-6.75")
def y1r(z, c):
    return lambda t: (Y1(t + c) - 2 / pi * log((t + c) / z) * J1(t + c)) * (t + c) / ((t + c - z) * (t + c + z))
z = zero(Y1, 2.2, "y1z1")
poly("y1a", lambda t, z=z: (Y1(sqrt(t)) - 2 / pi * log(sqrt(t) / z) * J1(sqrt(t))) * sqrt(t) / (t - z * z),
     mpf(10) ** -8, 16, 9, 17, "x Y1 without logarithm, /(x^2-z1^2), of x^2")
z = zero(Y1, 5.43, "y1z2"); poly("y1b", y1r(z, mpf(6)), -2, 2, 11, 21, "same with z2, of x-6")
# Modulus and phase for x >= 8: J = M cos(x - c + phase), Y = M sin(x - c + phase).
def modulus(n):
    return lambda t: (J(n, t) ** 2 + Y(n, t) ** 2) * pi / 2 / sqrt(t)
J = lambda n, t: besselj(n, 1 / sqrt(t))
Y = lambda n, t: bessely(n, 1 / sqrt(t))
def phase(n):
    def f(t):
        x = 1 / sqrt(t)
        a = x - (2 * n + 1) * pi / 4
        c, s = J(n, t), Y(n, t)
        return atan((s * cos(a) - c * sin(a)) / (c * cos(a) + s * sin(a))) * x
    return f
for n in (0, 1):
    poly("mod%d" % n, modulus(n), mpf(10) ** -7, mpf(1) / 64, 5, 10, "pi/2 x (J%d^2+Y%d^2) of 1/x^2" % (n, n))
    poly("phase%d" % n, phase(n), mpf(10) ** -7, mpf(1) / 64, 5, 10, "x (phase%d - x + c) of 1/x^2" % n)
# Modified functions: of x^2 for |x| < 10, then exp(-x) sqrt(x) I(x) of 1/x.
for n, low in ((0, lambda z: besseli(0, sqrt(z))), (1, lambda z: besseli(1, sqrt(z)) / sqrt(z))):
    poly("i%da" % n, low, mpf(10) ** -8, 100, 13, 18, "I%d(x)%s of x^2" % (n, "/x" if n else ""))
    poly("i%db" % n, lambda t, n=n: besseli(n, 1 / t) * exp(-1 / t) / sqrt(t), mpf(10) ** -4, mpf(1) / 10, 6, 20,
         "exp(-x) sqrt(x) I%d(x) of 1/x" % n)
const("two_over_pi", 2 / pi)
const("sqrt_two_over_pi", sqrt(2 / pi))

print("/* Coefficients of the device math library. Written by tests/math/coefficients.py. */")
print("#ifndef WARPSIM_MATH_COEFFICIENTS_H\n#define WARPSIM_MATH_COEFFICIENTS_H\n")
print("/* Constants as unevaluated sums: NAME_h + NAME_l, or NAME_1 + NAME_2 + ... */")
print("template <class T> struct __wm_c;")
for kind in TYPES:
    print("template <> struct __wm_c<%s> {" % kind)
    print("\n".join(CONSTS[kind]))
    print("};")
print()
print("\n".join(LINES))
mp.dps = 420
bits = int(floor(2 / pi * mpf(2) ** (32 * 40)))
words = ["0x%08xu" % ((bits >> (32 * (39 - i))) & 0xffffffff) for i in range(40)]
print("\n/* Word `i - 2` of the binary digits of 2/pi; words 0 and 1 are 0. */")
for kind, n in (("float", 8), ("double", 40)):
    print("__WM_FN unsigned __wm_two_over_pi_%s(int i) {" % kind)
    print("    static const unsigned digits[] = {0u, 0u,")
    print("\n".join(wrap(words[:n], "       ", "};")))
    print("    return digits[i];\n}")
print("\n#endif")
