// Template arguments with qualifiers, storage of types, constants whose type is deduced, handlers.
#include <array>
#include <csignal>
#include <cstdio>
#include <new>
#include <type_traits>

template <class T> struct Align { T value; static const int kind = 0; };
template <class T> struct Align<volatile T> : Align<T> { static const int kind = 1; };
template <class T> struct Align<const T> : Align<T> { static const int kind = 2; };
template <class T> struct Align<const volatile T> : Align<T> { static const int kind = 3; };

template <class T> struct Box { T t; };
template <class T> struct Kind { static const char *text() { return "other"; } };
template <class T> struct Kind<Box<T>> { static const char *text() { return "box"; } };
template <class T> struct Kind<const Box<T>> { static const char *text() { return "const box"; } };
template <class T> struct Kind<T *volatile> { static const char *text() { return "volatile pointer"; } };
template <class T> struct Kind<T *> { static const char *text() { return "pointer"; } };
struct Derived : Box<int> {};
template <class T> const char *base(const Box<T> &) { return "a box"; }

template <int N> struct Number { static const int value = N; };
namespace sizes {
namespace inner {
constexpr int M = 3;
constexpr float F = 2;
constexpr float G = 2 * F * F;
template <int A, int B> std::array<float, A * B> filled(int x) {
    std::array<float, A * B> made;
    for (auto &one : made) one = x;
    return made;
}
}
}

static int caught = 0;
static void handler(int number) { caught = number; }

int main() {
    Align<volatile int> a;
    a.value = 4;
    printf("%d %d %d %d %d\n", a.value, Align<int>::kind, a.kind, Align<const int>::kind,
           Align<const volatile int>::kind);
    printf("%s %s %s %s\n", Kind<Box<int>>::text(), Kind<const Box<int>>::text(), Kind<Derived>::text(),
           base(Derived()));
    printf("%s %s %s\n", Kind<int *>::text(), Kind<int *volatile>::text(), Kind<int *const>::text());

    typename std::aligned_storage<sizeof(double), alignof(double)>::type room;
    double *in_room = new (&room) double(2.5);
    printf("%g %zu %zu\n", *in_room, sizeof(room), alignof(std::aligned_storage_t<40, 32>));
    typedef typename std::aligned_storage<4 * sizeof(float), 4 * alignof(float)>::type Four;
    float from[8] = {1, 2, 3, 4, 5, 6, 7, 8}, to[8] = {};
    ((Four *)to)[1] = ((Four *)from)[0];
    printf("%g %g %zu\n", to[3], to[7], alignof(Four));
    std::make_unsigned<int>::type u = -1;
    std::make_signed_t<unsigned short> s = -1;
    printf("%u %d\n", u, s);

    constexpr auto M = sizes::inner::M;
    constexpr auto twice = M * 2;
    const auto K = 4;
    const std::array<float, M * twice> real = sizes::inner::filled<M, twice>(4);
    printf("%d %d %d %g %g\n", Number<M>::value, Number<twice>::value, Number<K + M>::value,
           real[17] + sizes::inner::G, (double)real.size());

    printf("%d\n", signal(SIGTERM, handler) == SIG_DFL);
    raise(SIGTERM);
    printf("%d %d\n", caught, signal(SIGTERM, SIG_IGN) == handler);
    printf("%d\n", raise(SIGTERM));
    return 0;
}
