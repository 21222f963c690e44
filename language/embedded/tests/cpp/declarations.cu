// Variables that are declared before they are defined, names of functions, values that nothing
// reads, comments that begin on directives, and algorithms that <vector> includes.
#include <stdio.h> /* a comment
                    * of two lines */
#include <vector> // another /* comment
#define SIX 6 /* six
               * is more */
#if 1 /* the first
       * group */
#define SUM 1 /* one */ + /* and
two */ 2
#else /* not
       * this */
#error "/* not this"
#endif /* the end
        */
#if 0 /* nothing
#endif
       */
it's skipped, isn't it /* here, too
#endif
*/
#error "/* not this"
#endif
#undef SIX /* no
              more */
#define SIX 60

extern int one, two;
extern int list[];
extern const int constant;
extern struct Pair pair;
struct Pair {
    int a, b;
};
int sum() {
    extern int late;
    return one + two + list[2] + constant + pair.b + late;
}
int one = 1, two = 2;
int list[3] = {10, 20, 30};
const int constant = 100;
Pair pair = {1000, 2000};
int late = 10000;
namespace inner {
extern int value;
int get() { return value; }
int value = 5;
}

struct Shape {
    int sides;
    void show() { printf("%s | %s\n", __func__, __PRETTY_FUNCTION__); }
    Shape() { printf("%s | %s\n", __func__, __PRETTY_FUNCTION__); }
    int size() const {
        printf("%s | %s\n", __func__, __PRETTY_FUNCTION__);
        return 0;
    }
    static int count(const char *text, int *) {
        printf("%s | %s\n", __FUNCTION__, __PRETTY_FUNCTION__);
        return 0;
    }
};
namespace inner {
void named() { printf("%s | %s\n", __func__, __PRETTY_FUNCTION__); }
}
#define CHECK(x) printf("%s: %d %d\n", __func__, (int)(x), (int)sizeof(__func__))
template <class T> T same(T x) {
    printf("%s\n", __func__);
    return x;
}

int main() {
    printf("%d %d %d %d\n", SIX, SUM, sum(), inner::get());
    Shape().show();
    Shape::count("", 0);
    Shape().size();
    inner::named();
    CHECK(same(4));
    const char *name = __func__;
    printf("%s %s\n", name, __PRETTY_FUNCTION__);

    // Behind the end of an array and at null, an object that nothing reads is no access.
    int values[2] = {1, 2}, *p = values, *null = 0;
    *p++;
    *p++;
    *p;
    (void)*p;
    p[5], p--;
    *null;
    p > values ? *null : values[0];
    struct Bits {
        int low : 3;
        int rest;
    } bits, *q = &bits;
    q->rest;
    q->low;
    (*null, p++);
    for (int i = 0; i < 2; *p, i++) {}
    printf("%d\n", (int)(p - values));

    std::vector<int> v(4), w(4);
    std::fill(v.begin(), v.end(), 4);
    std::copy(v.begin(), v.end(), w.begin());
    std::fill_n(v.begin(), 2, 1);
    printf("%d %d %d %d\n", w[2], v[0], v[2], std::max(1, 2));
    printf("%d\n", (int)std::equal(v.begin(), v.end(), w.begin()));
    std::swap(v, w);
    std::iter_swap(v.begin(), w.begin());
    std::swap_ranges(v.begin(), v.begin() + 1, w.begin() + 1);
    printf("%d %d %d\n", v[0], w[0], w[1]);
    std::vector<int> order;
    for (int i = 0; i < 4; i++) order.push_back(i * 10);
    std::copy_backward(order.begin(), order.begin() + 3, order.end());
    printf("%d %d %d\n", order[1], order[2], order[3]);
    printf("%d\n", (int)(std::lower_bound(order.begin(), order.end(), 15) - order.begin()));
    printf("%d\n", (int)std::lexicographical_compare(v.begin(), v.end(), order.begin(), order.end()));
    return 0;
}
