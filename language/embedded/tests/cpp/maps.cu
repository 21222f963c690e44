// <map> and <set>, with several values for a key.
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <memory>
#include <functional>
#include <vector>
#include <algorithm>
using namespace std;
template <class M> void show(const char *n, const M &m) {
    cout << n << ":";
    for (const auto &p : m)
        cout << " " << p.first << "=" << p.second;
    cout << endl;
}
template <class M> void shows(const char *n, const M &m) {
    cout << n << ":";
    for (const auto &p : m)
        cout << " " << p;
    cout << endl;
}
struct Pt {
    int x, y;
    bool operator<(const Pt &o) const { return x < o.x || (x == o.x && y < o.y); }
};
struct ByLen {
    bool operator()(const string &a, const string &b) const { return a.size() < b.size(); }
};
int main() {
    map<string, int> m = {{"b", 2}, {"a", 1}};
    m["c"] = 3;
    m["c"]++;
    m.insert({"d", 4});
    m.insert(make_pair("e", 5));
    m.insert(pair<string, int>("a", 9));
    show("m", m);
    auto r = m.insert({"a", 7});
    cout << r.second << r.first->second << endl;
    auto e = m.emplace("f", 6);
    cout << e.second << e.first->first << endl;
    auto it = m.find("c");
    if (it != m.end())
        cout << it->first << it->second << endl;
    cout << (m.find("zz") == m.end()) << m.count("a") << endl;
    m.erase("a");
    m.erase(it);
    show("m", m);
    for (map<string, int>::iterator i = m.begin(); i != m.end(); ++i)
        i->second *= 10;
    show("m", m);
    for (auto i = m.rbegin(); i != m.rend(); ++i)
        cout << i->first;
    cout << endl;
    try {
        m.at("q");
    } catch (const out_of_range &x) {
        cout << x.what() << endl;
    }
    cout << m.at("b") << endl;
    multimap<int, string> mm;
    mm.insert({1, "x"});
    mm.insert(make_pair(1, "y"));
    mm.emplace(0, "z");
    mm.insert({1, "w"});
    show("mm", mm);
    cout << mm.count(1) << endl;
    auto er = mm.equal_range(1);
    for (auto i = er.first; i != er.second; ++i)
        cout << i->second;
    cout << endl;
    mm.erase(mm.find(1));
    show("mm", mm);
    cout << mm.erase(1) << mm.size() << endl;
    set<int> s = {3, 1, 2, 3};
    shows("s", s);
    cout << s.insert(5).second << s.insert(5).second << *s.begin() << *s.rbegin() << endl;
    auto lb = s.lower_bound(2), ub = s.upper_bound(2);
    cout << *lb << *ub << endl;
    s.erase(s.begin());
    shows("s", s);
    multiset<int, greater<int>> ms = {1, 3, 3, 2};
    shows("ms", ms);
    cout << ms.count(3) << endl;
    ms.erase(ms.find(3));
    shows("ms", ms);
    set<string, ByLen> bl = {"aaa", "b", "cc", "dd"};
    shows("bl", bl);
    map<Pt, int> pm;
    pm[Pt{1, 2}] = 5;
    pm[Pt{0, 3}] = 6;
    for (auto &p : pm)
        cout << p.first.x << p.first.y << p.second << " ";
    cout << endl;
    map<int, vector<int>> mv;
    mv[3].push_back(1);
    mv[3].push_back(2);
    mv[1] = {7, 8};
    for (auto &[k, v] : mv) {
        cout << k << ":";
        for (int x : v)
            cout << x;
    }
    cout << endl;
    map<int, unique_ptr<string>> mu;
    mu[1] = make_unique<string>("one");
    mu.emplace(2, make_unique<string>("two"));
    cout << *mu[1] << *mu.at(2) << endl;
    map<string, map<string, int>> nested;
    nested["a"]["x"]++;
    nested["a"]["y"] += 2;
    for (auto &o : nested)
        for (auto &i : o.second)
            cout << o.first << i.first << i.second;
    cout << endl;
    map<int, int> c(m.size() ? map<int, int>{{1, 2}, {3, 4}} : map<int, int>());
    map<int, int> d = c;
    cout << (c == d) << c.size() << endl;
    d[9] = 9;
    cout << (c < d) << (c != d) << endl;
    swap(c, d);
    show("c", c);
    d.clear();
    cout << d.empty() << endl;
    cout << m.try_emplace("k", 1).second << m.insert_or_assign("k", 8).second << m["k"] << endl;
    vector<pair<string, int>> v(m.begin(), m.end());
    sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.second > b.second; });
    for (auto &p : v)
        cout << p.first << p.second << " ";
    cout << endl;
    auto cmp = [](int a, int b) { return a > b; };
    map<int, char, decltype(cmp)> lm(cmp);
    lm[1] = 'a';
    lm[2] = 'b';
    for (auto &p : lm)
        cout << p.first << p.second;
    cout << endl;
    map<char, int, greater<char>> gm;
    for (char ch : string("hello"))
        ++gm[ch];
    show("gm", gm);
    set<int> a = {1, 2, 3, 4}, b = {3, 4, 5}, u, i2;
    set_union(a.begin(), a.end(), b.begin(), b.end(), inserter(u, u.end()));
    set_intersection(a.begin(), a.end(), b.begin(), b.end(), inserter(i2, i2.begin()));
    shows("u", u);
    shows("i", i2);
    for (auto i = m.begin(); i != m.end();) {
        if (i->second > 40)
            i = m.erase(i);
        else
            ++i;
    }
    show("m", m);
    auto last = prev(m.end());
    cout << last->first << endl;
    m.erase(m.begin(), m.end());
    cout << m.size() << endl;
    set<Pt> sp;
    sp.insert({1, 1});
    sp.emplace(Pt{1, 1});
    cout << sp.size() << endl;
    const map<string, int> cm = {{"z", 1}};
    cout << cm.begin()->first << cm.at("z") << (cm.find("z") != cm.end()) << endl;
}
