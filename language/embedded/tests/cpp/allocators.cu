// Vectors use the allocators that a program gives them (C++17).
#include <cstdio>
#include <cstdlib>
#include <list>
#include <map>
#include <memory>
#include <type_traits>
#include <string>
#include <utility>
#include <vector>

static long live = 0;
template <class T> struct Pinned {
    typedef T value_type;
    Pinned() = default;
    template <class U> Pinned(const Pinned<U> &) {}
    T *allocate(std::size_t n) {
        printf("allocate %zu\n", n);
        live += n;
        return static_cast<T *>(std::malloc(n * sizeof(T)));
    }
    void deallocate(T *p, std::size_t n) {
        printf("deallocate %zu\n", n);
        live -= n;
        std::free(p);
    }
};
template <class T, class U> bool operator==(const Pinned<T> &, const Pinned<U> &) { return true; }
template <class T, class U> bool operator!=(const Pinned<T> &, const Pinned<U> &) { return false; }

// An allocator with a state.
template <class T> struct Arena {
    using value_type = T;
    int id;
    explicit Arena(int id) : id(id) {}
    template <class U> Arena(const Arena<U> &other) : id(other.id) {}
    T *allocate(size_t n) {
        printf("arena %d gives %zu\n", id, n);
        return (T *)::operator new(n * sizeof(T));
    }
    void deallocate(T *p, size_t n) {
        printf("arena %d takes %zu\n", id, n);
        ::operator delete(p);
    }
    Arena select_on_container_copy_construction() const { return Arena(id + 100); }
    bool operator==(const Arena &o) const { return id == o.id; }
    bool operator!=(const Arena &o) const { return id != o.id; }
};
template <class T> struct Moving : Arena<T> {
    using propagate_on_container_move_assignment = std::true_type;
    using propagate_on_container_copy_assignment = std::true_type;
    using propagate_on_container_swap = std::true_type;
    explicit Moving(int id) : Arena<T>(id) {}
};
// Leaves elements without a value.
template <class T> struct Raw : std::allocator<T> {
    template <class U> struct rebind { using other = Raw<U>; };
    template <class U> void construct(U *at) { ::new ((void *)at) U; puts("raw"); }
    template <class U, class... A> void construct(U *at, A &&...a) {
        ::new ((void *)at) U(std::forward<A>(a)...);
        puts("made");
    }
    template <class U> void destroy(U *at) { puts("destroyed"); at->~U(); }
};
template <class T> using pinned_vector = std::vector<T, Pinned<T>>;
struct Named {
    std::string name;
    Named(const char *name) : name(name) {}
};
template <class T> const char *kind(T) { return "T"; }
template <class T, class A, template <class, class> class C> const char *kind(C<T, A>) { return "C2"; }
template <class K, class V, class L, class A, template <class, class, class, class> class C> const char *kind(C<K, V, L, A>) {
    return "C4";
}

template <class T, class A, template <class, class> class C> size_t count(const C<T, A> &c) { return c.size(); }

int main() {
    {
        pinned_vector<float> v(3, 2.0f), w;
        for (int i = 0; i < 5; ++i) v.push_back(i);
        w = v;
        w.reserve(20);
        w.insert(w.begin() + 1, 7.0f);
        w.erase(w.begin());
        w.shrink_to_fit();
        printf("%g %g %zu %d\n", w[0], w[7], w.size(), v == w);
        pinned_vector<float> x = std::move(w);
        std::swap(v, x);
        x.resize(30);
        printf("%zu %zu %zu\n", v.size(), w.size(), x.size());
        pinned_vector<Named> n{"a", "b"};
        n.emplace_back("c");
        n.insert(n.begin(), n[1]);
        for (auto &one : n) printf("%s ", one.name.c_str());
        puts("");
        pinned_vector<int> e(0), l = {1, 2, 3};
        l.assign(2, 9);
        printf("%zu %d %zu\n", e.size(), l[1], count(l));
    }
    printf("live %ld\n", live);
    {
        typedef std::vector<int, Arena<int>> V;
        V a(2, Arena<int>(1)), b({1, 2, 3}, Arena<int>(2)), c(a), d(b, Arena<int>(1));
        printf("%d\n", c.get_allocator().id);
        a = b;
        a = std::move(b);
        a = std::move(d);
        V e(std::move(a));
        V f(std::move(e), Arena<int>(7));
        printf("%d %d %zu\n", e.get_allocator().id, f.get_allocator().id, f.size());
    }
    {
        typedef std::vector<int, Moving<int>> V;
        V a(2, 5, Moving<int>(1)), b(3, 6, Moving<int>(2));
        swap(a, b);
        printf("%d %d\n", a.get_allocator().id, b.get_allocator().id);
        a = b;
        printf("%d\n", a.get_allocator().id);
        b = V(1, Moving<int>(9));
        printf("%d %zu\n", b.get_allocator().id, b.size());
    }
    {
        std::vector<int, Raw<int>> r(2);
        r[0] = r[1] = 1;
        r.push_back(3);
        r.resize(4);
        r[3] = 1;
        r.pop_back();
        std::vector<std::string, Raw<std::string>> s;
        s.emplace_back("text");
        s.push_back("more");
        printf("%d %s %s\n", r[2], s[0].c_str(), s[1].c_str());
    }
    std::vector<int, std::allocator<int>> same = {4};
    std::vector<int> plain = same;
    using Traits = std::allocator_traits<Pinned<int>>;
    typename Traits::template rebind_alloc<double> other;
    double *d = other.allocate(2);
    other.deallocate(d, 2);
    printf("%d %zu %zu %d\n", plain[0], sizeof(pinned_vector<int>), sizeof(std::vector<int, Arena<int>>),
           (int)std::is_same<std::vector<int>::allocator_type, std::allocator<int>>::value);
    {
        std::vector<int> v(1);
        std::list<int> l(2);
        std::map<int, int> m2;
        printf("%s %s %s %s\n", kind(v), kind(l), kind(m2), kind(1));
    }
}
