// <unordered_map> and <unordered_set>: the order of libstdc++.
#include <iostream>
#include <unordered_map>
#include <unordered_set>
#include <string>
#include <vector>
using namespace std;
template <class S> void show(const S &s) {
    for (auto &x : s)
        cout << x << " ";
    cout << "| " << s.bucket_count() << endl;
}
template <class S> void showm(const S &s) {
    for (auto &x : s)
        cout << x.first << "=" << x.second << " ";
    cout << "| " << s.bucket_count() << endl;
}
int main() {
    unordered_set<int> a = {5, 17, 3, 99, 42};
    show(a);
    unordered_set<string> b = {"one", "two", "three", "four"};
    show(b);
    unordered_map<string, int> m = {{"x", 1}, {"y", 2}, {"zed", 3}};
    showm(m);
    m["new"] = 4;
    m["q"]++;
    showm(m);
    vector<int> v;
    for (int i = 0; i < 40; i++)
        v.push_back(i * 7 % 101);
    unordered_set<int> c(v.begin(), v.end());
    show(c);
    c.reserve(200);
    show(c);
    for (int i = 0; i < 100; i++)
        c.insert(i * 13);
    show(c);
    unordered_set<int> d;
    d.reserve(50);
    for (int x : v)
        d.insert(x);
    show(d);
    d.rehash(500);
    show(d);
    unordered_map<int, string> e;
    e.emplace(3, "c");
    e.insert({1, "a"});
    e.insert(make_pair(2, "b"));
    cout << e.emplace(3, "zz").second << e.count(3) << e.at(1) << e.size() << endl;
    showm(e);
    auto it = e.find(1);
    if (it != e.end())
        e.erase(it);
    e.erase(2);
    showm(e);
    unordered_set<char> cs;
    for (char ch : string("hello world"))
        cs.insert(ch);
    for (char ch : cs)
        cout << ch;
    cout << endl;
    unordered_map<string, vector<int>> mv;
    mv["a"].push_back(1);
    mv["b"] = {2, 3};
    for (auto &[k, val] : mv)
        cout << k << val.size();
    cout << endl;
    m.clear();
    cout << m.empty() << m.bucket_count() << endl;
    unordered_map<string, int> f = {{"a", 1}}, g = f;
    g["b"] = 2;
    showm(g);
    g = f;
    showm(g);
    swap(f, g);
    unordered_map<string, int> h(move(f));
    cout << h.size() << f.size() << endl;
    cout << h.load_factor() << h.max_load_factor() << endl;
    unordered_set<int> big;
    for (int i = 0; i < 1000; i++)
        big.insert(i * i % 977);
    int s = 0, k = 0;
    for (int x : big)
        s += x * (++k);
    cout << s << " " << big.bucket_count() << endl;
    a.insert({1, 2, 3});
    show(a);
    for (auto i = a.begin(); i != a.end();) {
        if (*i % 2)
            i = a.erase(i);
        else
            ++i;
    }
    show(a);
    cout << (a == unordered_set<int>{2, 42}) << a.bucket(42) << endl;
    unordered_map<int, int> cnt;
    for (int x : {1, 2, 2, 3, 3, 3})
        cnt[x]++;
    showm(cnt);
    cout << cnt.try_emplace(9, 1).second << cnt.insert_or_assign(9, 2).second << cnt[9] << endl;
    unordered_map<int, int> sized(100);
    sized[5] = 1;
    sized[500] = 2;
    showm(sized);
}
