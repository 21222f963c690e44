// Classes, operators, templates, callables, adapters of containers (C++14).
#include <iostream>
#include <vector>
#include <functional>
#include <string>
#include <algorithm>
#include <memory>
#include <queue>
#include <stack>
#include <cassert>

struct Logger {
    static Logger &get() { static Logger one; return one; }
    int lines = 0;
    template <typename T> Logger &operator<<(const T &x) { std::cout << x; ++lines; return *this; }
private:
    Logger() {}
};

class Stack {
    std::vector<int> items;
public:
    void push(int x) { items.push_back(x); }
    int pop() {
        if (items.empty()) throw std::out_of_range("empty");
        int x = items.back();
        items.pop_back();
        return x;
    }
    bool empty() const { return items.empty(); }
    int operator[](int i) const { return items[i]; }
};

struct Vec3 {
    float x, y, z;
    Vec3(float x = 0, float y = 0, float z = 0) : x(x), y(y), z(z) {}
    Vec3 operator+(const Vec3 &o) const { return Vec3(x + o.x, y + o.y, z + o.z); }
    Vec3 &operator+=(const Vec3 &o) { x += o.x; y += o.y; z += o.z; return *this; }
    Vec3 operator-() const { return Vec3(-x, -y, -z); }
    friend Vec3 operator*(float s, const Vec3 &v) { return {s * v.x, s * v.y, s * v.z}; }
    bool operator==(const Vec3 &o) const { return x == o.x && y == o.y && z == o.z; }
    static const Vec3 unit;
};
const Vec3 Vec3::unit(1, 1, 1);
std::ostream &operator<<(std::ostream &os, const Vec3 &v) { return os << '<' << v.x << ' ' << v.y << ' ' << v.z << '>'; }

template <typename F> double integrate(F f, double a, double b, int n) {
    double s = 0, h = (b - a) / n;
    for (int i = 0; i < n; ++i) s += f(a + (i + 0.5) * h);
    return s * h;
}
template <typename It, typename Pred> int tally(It first, It last, Pred p) { int n = 0; for (; first != last; ++first) n += p(*first) ? 1 : 0; return n; }

struct Tree {
    struct Node { int key; Node *left, *right; Node(int k) : key(k), left(nullptr), right(nullptr) {} };
    Node *root = nullptr;
    int n = 0;
    ~Tree() { destroy(root); }
    void destroy(Node *x) { if (!x) return; destroy(x->left); destroy(x->right); delete x; }
    void insert(int k) {
        Node **p = &root;
        while (*p) p = k < (*p)->key ? &(*p)->left : &(*p)->right;
        *p = new Node(k);
        ++n;
    }
    template <typename F> void walk(Node *x, F &f) const { if (x) { walk(x->left, f); f(x->key); walk(x->right, f); } }
};

static std::vector<std::string> split(const std::string &s, char d) {
    std::vector<std::string> out;
    size_t from = 0, at;
    while ((at = s.find(d, from)) != std::string::npos) { out.push_back(s.substr(from, at - from)); from = at + 1; }
    out.push_back(s.substr(from));
    return out;
}
static std::string upper(std::string s) { for (char &c : s) c = toupper(c); return s; }
static std::vector<int> table = {3, 1, 2};
static const std::string greeting = "hi";
typedef double (*Fn)(double);
static double sq(double x) { return x * x; }
static int apply(const std::function<int(int)> &f, int x) { return f(x); }

int main() {
    Logger::get() << "a" << 1 << 2.5 << "\n";
    Logger &log = Logger::get();
    log << log.lines << "\n";
    Stack s;
    for (int i = 0; i < 3; ++i) s.push(i * i);
    while (!s.empty()) std::cout << s.pop() << " ";
    try { s.pop(); } catch (const std::out_of_range &e) { std::cout << e.what() << "\n"; }
    Vec3 v = Vec3(1, 2, 3) + 2.0f * Vec3::unit;
    v += -Vec3(1);
    std::cout << v << " " << (v == Vec3(2, 4, 5)) << "\n";
    std::cout << integrate([](double x) { return x * x; }, 0, 3, 1000) << " " << integrate(sq, 0, 1, 10) << "\n";
    Fn f = sq;
    std::cout << f(3) << "\n";
    Tree t;
    for (int k : {5, 2, 8, 1}) t.insert(k);
    int sum = 0;
    auto visit = [&](int k) { sum = sum * 10 + k; };
    t.walk(t.root, visit);
    std::cout << sum << " " << t.n << "\n";
    for (const auto &w : split("a,bc,,d", ',')) std::cout << "[" << w << "]";
    std::cout << upper(greeting) << table.size() << "\n";
    std::cout << tally(table.begin(), table.end(), [](int x) { return x > 1; }) << "\n";
    std::function<int(int)> g = [sum](int x) { return x + sum; };
    std::cout << g(1) << " " << apply([](int x) { return 2 * x; }, 21) << " " << apply(g, 2) << "\n";
    std::string line;
    line.reserve(100);
    for (int i = 0; i < 3; ++i) { line += std::to_string(i); if (i < 2) line += ", "; }
    std::cout << line << "\n";
    int a = 3, b = 4;
    a = 4; b = 3;
    const int *p = std::find(&a, &a + 1, 4);
    std::cout << (p == &a) << std::endl;
    auto lam = [v]() mutable { v.x += 1; return v.x; };
    std::cout << lam() << lam() << "\n";
    assert(a == 4);
    std::queue<int> q; for (int i = 0; i < 40; i++) { q.push(i); if (i % 3 == 0) q.pop(); }
    std::cout << q.front() << " " << q.size() << "\n";
    std::priority_queue<int, std::vector<int>, std::greater<int> > heap; for (int x : {5, 1, 4, 2}) heap.push(x);
    while (!heap.empty()) { std::cout << heap.top() << " "; heap.pop(); }
    std::stack<std::string> st; st.push("x"); st.push("y"); st.pop(); std::cout << st.top() << "\n";
    unsigned long long big = 1ull << 40;
    std::cout << big << " " << sizeof(Vec3) << " " << static_cast<int>(3.9) << " " << 7 / 2 << " " << 7 % 3 << " " << (5 & 3) << "\n";
    return 0;
}
