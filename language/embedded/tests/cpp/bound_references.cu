// References to assignments, to members of classes with `#pragma pack`, and temporary arrays.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <queue>
#include <utility>
#include <vector>

template <class... A> int count(A &&...) { return sizeof...(A); }
template <class T> const char *kind(T &) { return "object"; }
template <class T> const char *kind(T &&) { return "value"; }
template <class T> T &&forwarded(T &&value) { return static_cast<T &&>(value); }

#pragma pack(push, 1)
struct Header {
    uint16_t type;
    uint32_t size;
    int32_t width, height;
    double scale;
};
#pragma pack(pop)

struct Image {
    int width, height;
    Image(int width, int height) : width(width), height(height) {}
};

template <class T> void exchange(T &a, T &b) {
    T c = a;
    a = b;
    b = c;
}

template <class F, class... A> void for_all(F f, A... values) {
    using in_order = int[];
    (void)in_order{0, (f(values), 0)...};
}
template <class F, class... A> void for_some(F f, A... values) {
    typedef int in_order[sizeof...(A)];
    (void)in_order{((void)f(values), 0)...};
}
struct Noisy {
    int id;
    Noisy(int id) : id(id) { printf("+%d ", id); }
    Noisy(const Noisy &other) : id(other.id) { printf("c%d ", id); }
    ~Noisy() { printf("-%d ", id); }
};
int total(const int (&values)[3]) { return values[0] + values[1] + values[2]; }
int rvalue(int (&&values)[2]) { return values[0] * 10 + values[1]; }

int main() {
    int d[3] = {1, 2, 3}, s = 0;
    printf("%d %d\n", count(d[s] = 7, s), count(s += 1, ++s, s > 5 ? d[0] : d[1]));
    printf("%s %s %s\n", kind(s = 1), kind(s + 1), kind(s ? d[0] : d[1]));
    forwarded(d[0] = 3) = 4;
    forwarded(++s) *= 5;
    forwarded(s > 100 ? d[1] : d[2]) = 11;
    auto &&a = d[1] = 5;
    a = 8;
    auto twice = [](auto &&x) -> decltype(auto) { return (x *= 2); };
    twice(d[1]) += 1;
    printf("%d %d %d %d\n", d[0], d[1], d[2], s);

    using Pair = std::pair<int, int>;
    std::priority_queue<Pair, std::vector<Pair>, std::greater<Pair>> queue;
    std::vector<int> distance(4, -1);
    queue.emplace(distance[2] = 0, 2);
    printf("%d %d\n", queue.top().second, distance[2]);

    Header header = {};
    header.width = 3;
    header.height = 4;
    auto image = std::make_unique<Image>(header.width, header.height);
    exchange(header.width, header.height);
    std::swap(header.size, header.size);
    int &width = header.width;
    width += 10;
    const int &height = header.height;
    header.height = 20;
    double &scale = header.scale;
    scale = 0.5;
    for (double *p = &header.scale; p; p = nullptr) *p *= 3;
    printf("%d %d %d %d %g %zu\n", image->width, image->height, header.width, height, header.scale,
           alignof(Header));

    for_all([](int x) { printf("%d ", x); }, 1, 2, 3);
    for_some([](const char *x) { printf("%s ", x); }, "x", "y");
    for_all([](int) {});
    using Two = int[2];
    using Three = int[3];
    using Any = int[];
    printf("%d %d %d\n", total(Three{4, 5}), rvalue(Any{6, 7}), Two{8, 9}[1]);
    for (int x : Any{3, 2, 1}) printf("%d ", x);
    using Noise = Noisy[2];
    printf("%d ", Noise{1, 2}[1].id);
    {
        const Noise &kept = Noise{3, 4};
        printf("kept %d ", kept[0].id);
    }
    printf("\n");
    return 0;
}
