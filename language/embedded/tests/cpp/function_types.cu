// The type of a function has no qualifiers of its parameters.
#include <cstdio>
int twice(const char);
int twice(char c) { return 2 * c; }
int add(const int a, volatile int b) { return a + b; }
typedef int (*Function)(const char);
template <class T> struct Is { static const int value = 0; };
template <> struct Is<int(char)> { static const int value = 1; };
template <class R, class A> int arguments(R (*)(A)) { return Is<R(A)>::value; }
template <class T> int chosen(T (*)(T)) { return 1; }
template <class R, class A> int chosen(R (*)(A)) { return 2; }
template <class T> int size(T) { return 1; }
template <class T> int size(T *) { return 2; }
struct S {
    int get(const int x) const;
};
int S::get(int x) const { return x + 1; }
int main() {
    Function function = twice;
    int (*sum)(int, int) = add;
    int (*of_pointer)(int *) = size;
    int (S::*get)(int) const = &S::get;
    S s;
    printf("%d %d %d\n", function('a'), sum(1, 2), (s.*get)(3));
    printf("%d%d %d%d %d\n", Is<int(const char)>::value, arguments(twice), chosen(twice), of_pointer(0), arguments(&twice));
    const int fixed = 5;
    auto lambda = [](const int x) { return x + fixed; };
    int (*plain)(int) = lambda;
    printf("%d %d\n", plain(1), chosen(plain));
}
