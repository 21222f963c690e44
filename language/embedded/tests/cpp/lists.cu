// <list>.
#include <iostream>
#include <list>
#include <string>
#include <algorithm>
#include <iterator>
#include <numeric>
using namespace std;
template <class L> void show(const char *what, const L &l) {
    cout << what << ":";
    for (const auto &x : l)
        cout << " " << x;
    cout << " (" << l.size() << ")" << endl;
}
struct P {
    int a;
    string b;
    P(int a, string b) : a(a), b(b) {}
    bool operator<(const P &o) const { return a < o.a; }
};
int main() {
    list<int> a = {5, 3, 1, 4}, b(3, 7), c(b.begin(), b.end()), d(4);
    show("a", a);
    show("b", b);
    show("c", c);
    show("d", d);
    a.push_back(9);
    a.push_front(0);
    a.emplace_back(8);
    a.emplace_front(-1);
    show("a", a);
    a.sort();
    show("sorted", a);
    a.sort(greater<int>());
    show("greater", a);
    a.reverse();
    show("rev", a);
    list<int> e = {2, 6, 10};
    a.merge(e);
    show("merged", a);
    show("e", e);
    auto it = a.begin();
    advance(it, 3);
    a.insert(it, 100);
    a.insert(it, 2, 50);
    a.insert(it, {1, 2, 3});
    show("ins", a);
    it = find(a.begin(), a.end(), 100);
    it = a.erase(it);
    cout << *it << endl;
    show("er", a);
    a.remove(50);
    show("rm", a);
    a.remove_if([](int x) { return x % 2 == 0; });
    show("rmif", a);
    a.push_back(9);
    a.push_back(9);
    a.unique();
    show("uniq", a);
    list<int> f = {1000, 2000, 3000};
    a.splice(a.begin(), f, next(f.begin()));
    show("sp", a);
    show("f", f);
    a.splice(a.end(), f);
    show("sp2", a);
    show("f", f);
    cout << a.front() << " " << a.back() << " " << a.empty() << f.empty() << endl;
    for (list<int>::reverse_iterator r = a.rbegin(); r != a.rend(); ++r)
        cout << *r << ",";
    cout << endl;
    for (list<int>::const_iterator r = a.cbegin(); r != a.cend(); r++)
        cout << *r << ",";
    cout << endl;
    a.pop_back();
    a.pop_front();
    a.resize(3);
    show("rs", a);
    a.resize(5, 42);
    show("rs", a);
    list<int> g(a);
    g = move(a);
    show("g", g);
    cout << a.size() << endl;
    swap(a, g);
    show("a", a);
    cout << (a == g) << (a < g) << endl;
    a.assign(2, 1);
    show("as", a);
    a = {4, 5, 6};
    show("=", a);
    cout << accumulate(a.begin(), a.end(), 0) << endl;
    list<string> s = {"pear", "apple", "fig"};
    s.sort();
    show("s", s);
    list<P> p;
    p.emplace_back(2, "two");
    p.emplace_front(1, "one");
    p.push_back(P(0, "zero"));
    p.sort();
    for (auto &x : p)
        cout << x.a << x.b << " ";
    cout << endl;
    cout << distance(a.begin(), a.end()) << " " << *max_element(a.begin(), a.end()) << " "
         << count(a.begin(), a.end(), 5) << endl;
    reverse(a.begin(), a.end());
    show("rv", a);
    list<int> h;
    copy(a.begin(), a.end(), back_inserter(h));
    copy(a.begin(), a.end(), front_inserter(h));
    show("h", h);
    list<list<int>> ll = {{1, 2}, {3}};
    for (auto &l : ll) {
        for (int x : l)
            cout << x << " ";
        cout << "; ";
    }
    cout << endl;
    a.erase(a.begin(), a.end());
    cout << a.size() << sizeof(a) << endl;
    a.clear();
    return 0;
}
