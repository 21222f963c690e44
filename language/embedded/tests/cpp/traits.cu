// <type_traits>.
#include <iostream>
#include <type_traits>
#include <string>
#include <vector>
#include <memory>
using namespace std;
struct E {};
struct V {
    virtual ~V() {}
};
struct A {
    virtual void f() = 0;
};
struct I : A {
    void f() override {}
};
struct Fi final {};
union U {
    int a;
    float b;
};
enum En { x };
enum class Sc : unsigned char { y };
enum class S2 { z };
struct D : E {};
struct D2 : D {
    int q;
};
struct Priv : private E {};
struct NC {
    NC(const NC &) = delete;
    NC(int) {}
};
struct UD {
    ~UD() {}
};
struct Pod {
    int a;
    double b;
};
struct Mixed {
    int a;

  private:
    int b;
};
struct Ref {
    int &r;
};
struct Dflt {
    Dflt() = default;
    int v;
};
struct UC {
    UC() {}
    int v;
};
struct CC {
    CC(const CC &) {}
    CC() {}
};
struct Mem {
    string s;
};
struct Two : Pod {
    int c;
};
struct ND {
    ND() = delete;
};
struct NX {
    NX(NX &&) noexcept {}
    NX(const NX &) {}
    NX &operator=(NX &&) noexcept { return *this; }
};
struct Init {
    int v = 3;
};
struct Ex {
    explicit Ex(int) {}
};
template <class T> void all(const char *n) {
    cout << n << ":" << is_class<T>::value << is_union<T>::value << is_enum<T>::value
         << is_empty<T>::value << is_polymorphic<T>::value << is_abstract<T>::value
         << is_final<T>::value << is_trivial<T>::value << is_trivially_copyable<T>::value
         << is_trivially_destructible<T>::value << is_standard_layout<T>::value
         << has_virtual_destructor<T>::value << is_pod<T>::value
         << is_trivially_default_constructible<T>::value << is_default_constructible<T>::value
         << is_copy_constructible<T>::value << is_move_constructible<T>::value
         << is_copy_assignable<T>::value << is_scalar<T>::value << is_fundamental<T>::value
         << is_compound<T>::value << is_object<T>::value << endl;
}
#define ALL(T) all<T>(#T)
template <class T, enable_if_t<is_integral_v<T>, int> = 0> const char *kind(T) {
    return "integral";
}
template <class T, enable_if_t<is_floating_point_v<T>, int> = 0> const char *kind(T) {
    return "floating";
}
template <class T, enable_if_t<is_base_of_v<V, T>, int> = 0> const char *kind(const T &) {
    return "V";
}
int main() {
    ALL(E);
    ALL(V);
    ALL(A);
    ALL(I);
    ALL(Fi);
    ALL(U);
    ALL(En);
    ALL(Sc);
    ALL(D);
    ALL(D2);
    ALL(Priv);
    ALL(NC);
    ALL(UD);
    ALL(Pod);
    ALL(Mixed);
    ALL(Dflt);
    ALL(UC);
    ALL(CC);
    ALL(Mem);
    ALL(Two);
    ALL(int);
    ALL(int *);
    ALL(double);
    ALL(string);
    ALL(vector<int>);
    ALL(unique_ptr<int>);
    ALL(int[3]);
    ALL(NX);
    ALL(Init);
    ALL(Ex);
    cout << is_base_of<E, D>::value << is_base_of<E, D2>::value << is_base_of<E, Priv>::value
         << is_base_of<D, E>::value << is_base_of<E, E>::value << is_base_of<int, int>::value
         << is_base_of<U, U>::value << endl;
    cout << is_same<underlying_type<Sc>::type, unsigned char>::value
         << is_same<underlying_type_t<S2>, int>::value
         << is_same_v<underlying_type_t<En>,
                      unsigned> << int(static_cast<underlying_type_t<Sc>>(Sc::y))
         << endl;
    cout << is_convertible<int, double>::value << is_convertible<D *, E *>::value
         << is_convertible<E *, D *>::value << is_convertible<int, string>::value
         << is_convertible<const char *, string>::value << is_convertible<int, Ex>::value
         << is_convertible<void, void>::value << is_convertible<Sc, int>::value
         << is_convertible<En, int>::value << endl;
    cout << is_constructible<Ex, int>::value << is_constructible<Ex>::value
         << is_constructible<int *, long>::value
         << is_constructible<string, const char *, int>::value
         << is_constructible<int &, int &>::value << is_constructible<int &, int>::value
         << is_constructible<A>::value << is_constructible<const int &, int>::value
         << is_constructible<Sc, int>::value << is_constructible<D *, E *>::value << endl;
    cout << is_nothrow_move_constructible<NX>::value << is_nothrow_copy_constructible<NX>::value
         << is_nothrow_move_assignable<NX>::value << is_nothrow_default_constructible<int>::value
         << is_nothrow_move_constructible<string>::value << is_assignable<int &, double>::value
         << is_assignable<int, int>::value << is_default_constructible<ND>::value
         << is_default_constructible<Ref>::value << endl;
    cout
        << kind(3) << kind(2.f) << kind(V())
        << is_invocable_v<
               int (*)(int),
               int> << is_same_v<common_type_t<int, double>, double> << is_same_v<invoke_result_t<int (*)(char), char>, int> << endl;
    cout << is_const_v<const int> << is_reference_v<int &> << is_pointer_v<int *> << is_array_v<int[2]> << is_void_v<void> << is_function_v<int(int)> << rank_v<int[2][3]> << extent_v<int[2][3], 1> << is_signed_v<char> << is_unsigned_v<unsigned> << is_arithmetic_v<bool> << is_same_v<decay_t<const int &>, int> << is_same_v<remove_pointer_t<int *>, int> << is_same_v<add_pointer_t<int>, int *> << is_same_v<make_unsigned_t<int>, unsigned> << conjunction_v<true_type, false_type> << disjunction_v<true_type, false_type> << negation_v<true_type> << is_same_v<conditional_t<true, int, char>, int> << endl;
}
