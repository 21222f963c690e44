// <vector>: elements move and are copied as those of libstdc++.
#include <iostream>
#include <vector>
#include <list>
#include <string>
#include <algorithm>
#include <stdexcept>
using namespace std;
struct T {
    int v;
    static int n;
    T(int v = 0) : v(v) {
        ++n;
        cout << "c" << v << " ";
    }
    T(const T &o) : v(o.v) {
        ++n;
        cout << "C" << v << " ";
    }
    T(T &&o) noexcept : v(o.v) {
        o.v = -1;
        ++n;
        cout << "M" << v << " ";
    }
    T &operator=(const T &o) {
        v = o.v;
        cout << "=" << v << " ";
        return *this;
    }
    T &operator=(T &&o) noexcept {
        v = o.v;
        o.v = -2;
        cout << "m" << v << " ";
        return *this;
    }
    ~T() {
        --n;
        cout << "~" << v << " ";
    }
    bool operator<(const T &o) const { return v < o.v; }
};
int T::n = 0;
struct U {
    int v;
    U(int v) : v(v) { cout << "c" << v << " "; }
    U(const U &o) : v(o.v) { cout << "C" << v << " "; }
    U(U &&o) : v(o.v) { cout << "M" << v << " "; }
    ~U() { cout << "~" << v << " "; }
};
template <class V> void show(const char *n, const V &v) {
    cout << endl << n << ": ";
    for (auto &x : v)
        cout << x.v << " ";
    cout << v.size() << "/" << v.capacity() << endl;
}
int main() {
    {
        vector<T> v;
        v.push_back(T(1));
        v.push_back(T(2));
        v.emplace_back(3);
        T t(4);
        v.push_back(t);
        v.push_back(v[0]);
        show("push", v);
        v.insert(v.begin() + 1, T(9));
        show("ins", v);
        v.insert(v.begin(), t);
        show("ins", v);
        v.reserve(20);
        show("res", v);
        v.insert(v.begin() + 2, 3, t);
        show("ins3", v);
        v.emplace(v.begin() + 1, 77);
        show("empl", v);
        v.erase(v.begin() + 1);
        show("er", v);
        v.erase(v.begin(), v.begin() + 2);
        show("er2", v);
        v.resize(10);
        show("rs", v);
        v.resize(3);
        show("rs", v);
        v.pop_back();
        vector<T> w(v);
        show("w", w);
        w = v;
        show("w=", w);
        w = std::move(v);
        show("w=", w);
        w.assign(2, t);
        show("as", w);
        w.shrink_to_fit();
        show("sh", w);
        w.insert(w.end(), {T(5), T(6)});
        show("il", w);
        vector<T> x(2, T(8));
        x.swap(w);
        show("sw", x);
        x.clear();
        show("cl", x);
        vector<T> y = {T(1), T(2)};
        show("y", y);
        y.insert(y.begin(), w.begin(), w.end());
        show("rng", y);
    }
    cout << endl << T::n << endl;
    {
        vector<U> u;
        u.push_back(U(1));
        u.push_back(U(2));
        u.emplace_back(3);
        show("u", u);
    }
    cout << endl;
    vector<list<int>> adj(3);
    adj[0].push_back(1);
    adj[1].push_back(2);
    adj.resize(10);
    adj[9].push_back(3);
    adj.push_back({7, 8});
    for (auto &l : adj) {
        for (int x : l)
            cout << x << " ";
        cout << ";";
    }
    cout << endl;
    vector<int> a(5, 1), b = {1, 2, 3}, c(b.begin(), b.end()), d(4);
    a.insert(a.begin() + 2, b.begin(), b.end());
    a.insert(a.end(), 2, 7);
    a.insert(a.begin(), 0);
    for (int x : a)
        cout << x;
    cout << a.size() << endl;
    a.erase(a.begin() + 1);
    a.erase(a.begin() + 1, a.begin() + 3);
    a.push_back(a[0]);
    for (int x : a)
        cout << x;
    cout << endl;
    cout << (b == c) << (a < b) << (a > b) << d[3] << a.front() << a.back() << b.at(1) << endl;
    try {
        b.at(5);
    } catch (const out_of_range &e) {
        cout << e.what() << endl;
    }
    vector<int> cap;
    size_t last = 99;
    for (int i = 0; i < 100; i++) {
        if (cap.capacity() != last) {
            last = cap.capacity();
            cout << last << " ";
        }
        cap.push_back(i);
    }
    cout << endl;
    cap.resize(150);
    cout << cap.capacity() << endl;
    cap.reserve(1000);
    cout << cap.capacity() << endl;
    cap.shrink_to_fit();
    cout << cap.capacity() << endl;
    vector<int> e2;
    e2.insert(e2.end(), cap.begin(), cap.begin() + 5);
    cout << e2.capacity() << endl;
    vector<int>(e2).swap(cap);
    cout << cap.size() << cap.capacity() << endl;
    vector<vector<double>> m(3, vector<double>(4, 0.5));
    m[1][2] = 7;
    for (auto &r : m) {
        for (double x : r)
            cout << x << " ";
        cout << endl;
    }
    vector<bool> bits(5, true);
    bits[2] = false;
    for (bool q : bits)
        cout << q;
    cout << endl;
    vector<string> s = {"b", "a"};
    s.emplace_back(3, 'z');
    s.insert(s.begin(), "first");
    sort(s.begin(), s.end());
    for (auto &x : s)
        cout << x << " ";
    cout << endl;
    for (vector<string>::reverse_iterator it = s.rbegin(); it != s.rend(); ++it)
        cout << *it;
    cout << endl;
    vector<pair<int, string>> ps;
    ps.push_back({1, "x"});
    ps.emplace_back(2, "y");
    ps.push_back(make_pair(3, "z"));
    for (auto &[k, val] : ps)
        cout << k << val;
    cout << endl;
    s.assign({"q", "r"});
    cout << s.size() << s[1] << endl;
    int arr[] = {4, 5, 6};
    vector<int> fa(arr, arr + 3);
    fa.assign(arr, arr + 2);
    cout << fa.size() << fa.data()[1] << endl;
    a.clear();
    cout << a.empty() << endl;
}
