// Containers, tuples and functions copy and move their objects as those of libstdc++ do.
#include <array>
#include <cstdio>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

struct N {
    int id;
    N(int i) : id(i) { printf(" c%d", id); }
    N(const N &b) : id(b.id) { printf(" copy%d", id); }
    N(N &&b) : id(b.id) {
        b.id = 0;
        printf(" move%d", id);
    }
    N &operator=(const N &b) {
        id = b.id;
        printf(" =");
        return *this;
    }
    N &operator=(N &&b) noexcept {
        id = b.id;
        b.id = 1;
        printf(" m=");
        return *this;
    }
    ~N() { printf(" d%d", id); }
};
static int twice(int x) { return 2 * x; }

int main() {
    N x(4), z(5);
    printf("\nmap:");
    {
        std::map<int, N> m;
        m.emplace(1, N(1));
        m.insert({2, x});
    }
    printf("\nfunction:");
    {
        auto made = [n = N(11)] { return n.id; };
        auto copied = made;
        std::function<int()> f = made;
        printf(" %d", f());
        f = std::move(copied);
        std::function<int()> g = f;
        const auto &same = made;
        std::function<int()> h(same);
        std::function<int(int)> plain = twice, of_address = &twice;
        printf(" %d %d", g() + h(), plain(2) + of_address(3));
    }
    printf("\noptional:");
    {
        std::optional<N> o;
        o.emplace(12);
        o = x;
        o.reset();
    }
    printf("\npair, tuple:");
    {
        std::pair<N, int> p(x, 1);
        std::tuple<N, N> t(x, std::move(z));
        std::tuple<N, N, N> u(N(1), 2, x), v = u;
        printf(" %d", std::get<2>(v).id);
    }
    printf("\narray:");
    {
        std::array<N, 2> a{{N(1), x}};
        auto b = std::move(a);
    }
    printf("\n");
    return 0;
}
