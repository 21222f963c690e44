// <complex>, with the formulas of libstdc++.
namespace std {
template <class T> class complex {
public:
    typedef T value_type;
    T __re, __im;
    constexpr complex(const T &re = T(), const T &im = T()) : __re(re), __im(im) {}
    template <class U> constexpr complex(const complex<U> &other) : __re((T)other.__re), __im((T)other.__im) {}
    constexpr T real() const { return __re; }
    constexpr T imag() const { return __im; }
    void real(T value) { __re = value; }
    void imag(T value) { __im = value; }
    complex &operator=(const T &value) {
        __re = value;
        __im = T();
        return *this;
    }
    template <class U> complex &operator=(const complex<U> &other) {
        __re = (T)other.__re;
        __im = (T)other.__im;
        return *this;
    }
    complex &operator+=(const T &value) {
        __re += value;
        return *this;
    }
    complex &operator-=(const T &value) {
        __re -= value;
        return *this;
    }
    complex &operator*=(const T &value) {
        __re *= value;
        __im *= value;
        return *this;
    }
    complex &operator/=(const T &value) {
        __re /= value;
        __im /= value;
        return *this;
    }
    template <class U> complex &operator+=(const complex<U> &other) {
        __re += other.__re;
        __im += other.__im;
        return *this;
    }
    template <class U> complex &operator-=(const complex<U> &other) {
        __re -= other.__re;
        __im -= other.__im;
        return *this;
    }
    template <class U> complex &operator*=(const complex<U> &other) {
        *this = __product((T)other.__re, (T)other.__im);
        return *this;
    }
    template <class U> complex &operator/=(const complex<U> &other) {
        *this = __quotient((T)other.__re, (T)other.__im);
        return *this;
    }
    // Products and quotients as the C standard defines them (annex G): infinities stay infinite.
    complex __product(T c, T d) const {
        T a = __re, b = __im, ac = a * c, bd = b * d, ad = a * d, bc = b * c, x = ac - bd, y = ad + bc;
        if (x != x && y != y) {
            bool again = false;
            if (isinf(a) || isinf(b)) {
                a = copysign(T(isinf(a) ? 1 : 0), a);
                b = copysign(T(isinf(b) ? 1 : 0), b);
                if (c != c) c = copysign(T(0), c);
                if (d != d) d = copysign(T(0), d);
                again = true;
            }
            if (isinf(c) || isinf(d)) {
                c = copysign(T(isinf(c) ? 1 : 0), c);
                d = copysign(T(isinf(d) ? 1 : 0), d);
                if (a != a) a = copysign(T(0), a);
                if (b != b) b = copysign(T(0), b);
                again = true;
            }
            if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {
                if (a != a) a = copysign(T(0), a);
                if (b != b) b = copysign(T(0), b);
                if (c != c) c = copysign(T(0), c);
                if (d != d) d = copysign(T(0), d);
                again = true;
            }
            if (again) {
                T infinite = T(1) / T(0);
                x = infinite * (a * c - b * d);
                y = infinite * (a * d + b * c);
            }
        }
        return complex(x, y);
    }
    complex __quotient(T c, T d) const {
        T x, y;
        __divide(__re, __im, c, d, x, y);
        return complex(x, y);
    }
};
// Infinite and zero operands of a quotient.
template <class T> inline void __divide_special(T a, T b, T c, T d, T &x, T &y) {
    if (!(x != x && y != y)) return;
    T infinite = T(1) / T(0);
    if (c == 0 && d == 0 && (a == a || b == b)) {
        x = copysign(infinite, c) * a;
        y = copysign(infinite, c) * b;
    } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {
        a = copysign(T(isinf(a) ? 1 : 0), a);
        b = copysign(T(isinf(b) ? 1 : 0), b);
        x = infinite * (a * c + b * d);
        y = infinite * (b * c - a * d);
    } else if ((isinf(c) || isinf(d)) && isfinite(a) && isfinite(b)) {
        c = copysign(T(isinf(c) ? 1 : 0), c);
        d = copysign(T(isinf(d) ? 1 : 0), d);
        x = T(0) * (a * c + b * d);
        y = T(0) * (b * c - a * d);
    }
}
// The quotients of libgcc 12: of `float` in `double`, and of `double` by the method of Baudin and
// Smith with scaling.
inline void __divide(float a, float b, float c, float d, float &x, float &y) {
    double aa = a, bb = b, cc = c, dd = d, denominator = cc * cc + dd * dd;
    x = (float)((aa * cc + bb * dd) / denominator);
    y = (float)((bb * cc - aa * dd) / denominator);
    __divide_special(a, b, c, d, x, y);
}
inline void __divide(double a, double b, double c, double d, double &x, double &y) {
    double oa = a, ob = b, oc = c, od = d;
    bool exchanged = fabs(c) < fabs(d);
    double large = exchanged ? d : c, little = exchanged ? c : d;
    double scale = 1;
    if (fabs(large) >= DBL_MAX / 2) {
        a /= 2;
        b /= 2;
        large /= 2;
        little /= 2;
    }
    const double most = DBL_MAX / 2 * DBL_EPSILON;
    if (fabs(large) < DBL_MIN || fabs(a) < DBL_MIN && fabs(b) < most && fabs(large) < most ||
        fabs(b) < DBL_MIN && fabs(a) < most && fabs(large) < most)
        scale = 1 / DBL_EPSILON;
    a *= scale;
    b *= scale;
    large *= scale;
    little *= scale;
    double ratio = little / large, denominator = little * ratio + large;
    if (exchanged) {
        x = fabs(ratio) > DBL_MIN ? (a * ratio + b) / denominator : (little * (a / large) + b) / denominator;
        y = fabs(ratio) > DBL_MIN ? (b * ratio - a) / denominator : (little * (b / large) - a) / denominator;
    } else {
        x = fabs(ratio) > DBL_MIN ? (a + b * ratio) / denominator : (a + little * (b / large)) / denominator;
        y = fabs(ratio) > DBL_MIN ? (b - a * ratio) / denominator : (b - little * (a / large)) / denominator;
    }
    __divide_special(oa, ob, oc, od, x, y);
}
#define __WS_COMPLEX(OP)                                                                                   \
    template <class T> inline complex<T> operator OP(const complex<T> &a, const complex<T> &b) {           \
        complex<T> made = a;                                                                               \
        made OP##= b;                                                                                      \
        return made;                                                                                       \
    }                                                                                                      \
    template <class T> inline complex<T> operator OP(const complex<T> &a, const typename complex<T>::value_type &b) { \
        complex<T> made = a;                                                                               \
        made OP##= b;                                                                                      \
        return made;                                                                                       \
    }
__WS_COMPLEX(+)
__WS_COMPLEX(-)
__WS_COMPLEX(*)
__WS_COMPLEX(/)
#undef __WS_COMPLEX
template <class T> inline complex<T> operator+(const typename complex<T>::value_type &a, const complex<T> &b) {
    return complex<T>(a + b.__re, b.__im);
}
template <class T> inline complex<T> operator-(const typename complex<T>::value_type &a, const complex<T> &b) {
    return complex<T>(a - b.__re, -b.__im);
}
template <class T> inline complex<T> operator*(const typename complex<T>::value_type &a, const complex<T> &b) {
    return complex<T>(a * b.__re, a * b.__im);
}
template <class T> inline complex<T> operator/(const typename complex<T>::value_type &a, const complex<T> &b) {
    return complex<T>(a) / b;
}
template <class T> inline complex<T> operator+(const complex<T> &a) { return a; }
template <class T> inline complex<T> operator-(const complex<T> &a) { return complex<T>(-a.__re, -a.__im); }
template <class T> inline bool operator==(const complex<T> &a, const complex<T> &b) {
    return a.__re == b.__re && a.__im == b.__im;
}
template <class T> inline bool operator!=(const complex<T> &a, const complex<T> &b) { return !(a == b); }
template <class T> inline bool operator==(const complex<T> &a, const typename complex<T>::value_type &b) {
    return a.__re == b && a.__im == T();
}
template <class T> inline bool operator!=(const complex<T> &a, const typename complex<T>::value_type &b) {
    return !(a == b);
}
template <class T> inline T real(const complex<T> &a) { return a.__re; }
template <class T> inline T imag(const complex<T> &a) { return a.__im; }
template <class T> inline T abs(const complex<T> &a) { return hypot(a.__re, a.__im); }
template <class T> inline T arg(const complex<T> &a) { return atan2(a.__im, a.__re); }
template <class T> inline T norm(const complex<T> &a) { return a.__re * a.__re + a.__im * a.__im; }
template <class T> inline complex<T> conj(const complex<T> &a) { return complex<T>(a.__re, -a.__im); }
template <class T> inline complex<T> polar(const T &size, const T &angle = T()) {
    return complex<T>(size * cos(angle), size * sin(angle));
}
template <class T> inline complex<T> exp(const complex<T> &a) {
    T size = exp(a.__re);
    if (a.__im == 0) return complex<T>(size, a.__im);
    return complex<T>(size * cos(a.__im), size * sin(a.__im));
}
template <class T> inline complex<T> log(const complex<T> &a) { return complex<T>(log(abs(a)), arg(a)); }
template <class T> inline complex<T> log10(const complex<T> &a) { return log(a) / log(T(10)); }
template <class T> inline complex<T> sin(const complex<T> &a) {
    return complex<T>(sin(a.__re) * cosh(a.__im), cos(a.__re) * sinh(a.__im));
}
template <class T> inline complex<T> cos(const complex<T> &a) {
    return complex<T>(cos(a.__re) * cosh(a.__im), -(sin(a.__re) * sinh(a.__im)));
}
template <class T> inline complex<T> sinh(const complex<T> &a) {
    return complex<T>(sinh(a.__re) * cos(a.__im), cosh(a.__re) * sin(a.__im));
}
template <class T> inline complex<T> cosh(const complex<T> &a) {
    return complex<T>(cosh(a.__re) * cos(a.__im), sinh(a.__re) * sin(a.__im));
}
template <class T> inline complex<T> __tangent(T x, T y) {
    T s = sin(x), c = cos(x), sh = sinh(y), ch = cosh(y);
    T below = fabs(sh) > fabs(c) * (sizeof(T) == 4 ? FLT_EPSILON : DBL_EPSILON) ? c * c + sh * sh : c * c;
    return complex<T>(s * c / below, sh * ch / below);
}
template <class T> inline complex<T> tan(const complex<T> &a) { return __tangent(a.__re, a.__im); }
template <class T> inline complex<T> tanh(const complex<T> &a) {
    complex<T> made = __tangent(a.__im, a.__re);
    return complex<T>(made.__im, made.__re);
}
// As the C library of GNU.
template <class T> inline complex<T> sqrt(const complex<T> &a) {
    T x = a.__re, y = a.__im;
    if (y == 0) {
        if (x < 0) return complex<T>(0, copysign(sqrt(-x), y));
        return complex<T>(fabs(sqrt(x)), copysign(T(0), y));
    }
    if (x == 0) {
        T r = sqrt(T(0.5) * fabs(y));
        return complex<T>(r, copysign(r, y));
    }
    T d = hypot(x, y), r, s;
    if (x > 0) {
        r = sqrt(T(0.5) * (d + x));
        s = T(0.5) * (y / r);
    } else {
        s = sqrt(T(0.5) * (d - x));
        r = fabs(T(0.5) * (y / s));
    }
    return complex<T>(r, copysign(s, y));
}
template <class T> inline complex<T> __power(const complex<T> &x, const T &y) {
    if (x.__im == T() && x.__re > T()) return complex<T>(pow(x.__re, y));
    complex<T> t = log(x);
    return polar<T>(exp(y * t.__re), y * t.__im);
}
template <class T, class __Number> inline complex<T> pow(const complex<T> &x, __Number y) { return __power(x, T(y)); }
template <class T> inline complex<T> pow(const complex<T> &x, const complex<T> &y) { return exp(y * log(x)); }
template <class T> inline complex<T> pow(const T &x, const complex<T> &y) {
    return x > T() ? polar<T>(pow(x, y.__re), y.__im * log(x)) : pow(complex<T>(x), y);
}
template <class S, class T> inline S &operator<<(S &to, const complex<T> &a) {
    ostream text;
    text.__memory = true;
    text.flags(to.flags());
    text.precision(to.precision());
    text << '(' << a.__re << ',' << a.__im << ')';
    to.__pad(text.__text, text.__size);
    free(text.__text);
    return to;
}
template <class S, class T> inline S &operator>>(S &from, complex<T> &a) {
    T re = T(), im = T();
    char c = 0;
    if (!(from >> c)) return from;
    if (c != '(') {
        from.putback(c);
        if (from >> re) a = complex<T>(re);
        return from;
    }
    from >> re >> c;
    if (c == ',') from >> im >> c;
    if (c != ')') from.setstate(S::failbit);
    else if (from) a = complex<T>(re, im);
    return from;
}
namespace literals {
namespace complex_literals {
#define __WS_IMAGINARY(NAME, TYPE)                                                                         \
    constexpr complex<TYPE> operator""NAME(long double im) { return complex<TYPE>(0, (TYPE)im); }          \
    constexpr complex<TYPE> operator""NAME(unsigned long long im) { return complex<TYPE>(0, (TYPE)im); }
__WS_IMAGINARY(i, double)
#undef __WS_IMAGINARY
}
using namespace complex_literals;
}
namespace complex_literals = literals::complex_literals;
}
