// <deque>, <queue>, <stack>, and the order of equal elements after sorts.
#include <iostream>
#include <queue>
#include <stack>
#include <deque>
#include <vector>
#include <list>
#include <string>
#include <algorithm>
#include <functional>
#include <numeric>
#include <memory>
using namespace std;
struct Job {
    int p;
    string n;
};
struct Cmp {
    bool operator()(const Job &a, const Job &b) const { return a.p < b.p; }
};
template <class V> void show(const char *n, const V &v) {
    cout << n << ": ";
    for (auto &x : v)
        cout << x << " ";
    cout << v.size() << endl;
}
unsigned seed = 1;
int rnd() {
    seed = seed * 1103515245u + 12345u;
    return (seed >> 16) & 0x7fff;
}
int main() {
    queue<int> q;
    for (int i = 0; i < 1000; i++) {
        q.push(i);
        if (i % 3)
            q.pop();
    }
    cout << q.front() << q.back() << q.size() << q.empty() << endl;
    queue<int, list<int>> ql;
    ql.push(1);
    ql.emplace(2);
    ql.pop();
    cout << ql.front() << endl;
    stack<string> st;
    st.push("a");
    st.emplace("b");
    cout << st.top() << st.size();
    st.pop();
    st.top() += "z";
    cout << st.top() << endl;
    stack<int, vector<int>> sv;
    sv.push(4);
    cout << sv.top() << endl;
    priority_queue<int> pq;
    for (int x : {3, 1, 4, 1, 5, 9, 2, 6})
        pq.push(x);
    while (!pq.empty()) {
        cout << pq.top() << " ";
        pq.pop();
    }
    cout << endl;
    priority_queue<int, vector<int>, greater<int>> mq;
    mq.push(3);
    mq.push(1);
    mq.emplace(2);
    cout << mq.top() << endl;
    priority_queue<Job, vector<Job>, Cmp> jq;
    for (int i = 0; i < 20; i++)
        jq.push({i % 4, string(1, 'a' + i)});
    while (jq.size()) {
        cout << jq.top().p << jq.top().n << " ";
        jq.pop();
    }
    cout << endl;
    auto cmp = [](pair<int, int> a, pair<int, int> b) { return a.first > b.first; };
    priority_queue<pair<int, int>, vector<pair<int, int>>, decltype(cmp)> lq(cmp);
    lq.push({3, 1});
    lq.push({1, 2});
    lq.emplace(1, 9);
    cout << lq.top().first << lq.top().second << endl;
    vector<int> src = {5, 7, 2};
    priority_queue<int> fv(src.begin(), src.end());
    cout << fv.top() << endl;
    deque<int> d = {1, 2, 3};
    d.push_front(0);
    d.push_back(4);
    d.emplace_front(-1);
    show("d", d);
    d.insert(d.begin() + 2, 99);
    d.insert(d.end() - 1, 2, 50);
    d.insert(d.begin(), {7, 8});
    show("d", d);
    d.erase(d.begin() + 1);
    d.erase(d.begin() + 2, d.begin() + 4);
    show("d", d);
    d.pop_front();
    d.pop_back();
    cout << d.front() << d.back() << d[1] << d.at(2) << endl;
    sort(d.begin(), d.end());
    show("s", d);
    reverse(d.begin(), d.end());
    show("r", d);
    for (auto it = d.rbegin(); it != d.rend(); ++it)
        cout << *it << ",";
    cout << *(d.begin() + 2) << (d.end() - d.begin()) << endl;
    deque<int> e(3, 5), f(e), g(d.begin(), d.end()), h(2);
    e = g;
    cout << (e == g) << (f < g) << h[0] << endl;
    e.resize(2);
    e.resize(4, 6);
    show("e", e);
    try {
        e.at(9);
    } catch (const out_of_range &x) {
        cout << x.what() << endl;
    }
    for (int i = 0; i < 2000; i++) {
        e.push_back(i);
        e.push_front(-i);
    }
    for (int i = 0; i < 1900; i++) {
        e.pop_front();
        e.pop_back();
    }
    cout << e.size() << " " << accumulate(e.begin(), e.end(), 0) << endl;
    deque<unique_ptr<int>> du;
    du.push_back(make_unique<int>(3));
    du.push_front(make_unique<int>(4));
    cout << *du[0] << *du[1] << endl;
    deque<string> ds(2, "x");
    swap(ds[0], ds[1]);
    ds.clear();
    cout << ds.empty() << endl;
    e.assign(2, 3);
    show("as", e);
    vector<pair<int, int>> v;
    for (int i = 0; i < 200; i++)
        v.push_back({rnd() % 10, i});
    auto w = v, x = v, y = v;
    sort(v.begin(), v.end(), [](auto &a, auto &b) { return a.first < b.first; });
    for (auto &p : v)
        cout << p.first << "," << p.second << " ";
    cout << endl;
    stable_sort(w.begin(), w.end(), [](auto &a, auto &b) { return a.first < b.first; });
    for (auto &p : w)
        cout << p.second << " ";
    cout << endl;
    partial_sort(x.begin(), x.begin() + 10, x.end(),
                 [](auto &a, auto &b) { return a.first < b.first; });
    for (auto &p : x)
        cout << p.second << " ";
    cout << endl;
    nth_element(y.begin(), y.begin() + 50, y.end(),
                [](auto &a, auto &b) { return a.first < b.first; });
    for (auto &p : y)
        cout << p.second << " ";
    cout << endl;
    vector<string> ss;
    for (int i = 0; i < 50; i++)
        ss.push_back(to_string(rnd() % 100));
    stable_sort(ss.begin(), ss.end());
    show("ss", ss);
    sort(ss.rbegin(), ss.rend());
    show("ss", ss);
    int arr[20];
    for (int &a : arr)
        a = rnd() % 50;
    sort(arr, arr + 20, greater<int>());
    for (int a : arr)
        cout << a << " ";
    cout << endl;
    vector<list<int>> vl = {{3}, {1}, {2, 5}};
    sort(vl.begin(), vl.end());
    for (auto &l : vl)
        cout << l.front();
    cout << endl;
    make_heap(ss.begin(), ss.end());
    sort_heap(ss.begin(), ss.end());
    cout << is_sorted(ss.begin(), ss.end()) << endl;
    vector<double> mono;
    for (int i = 0; i < 1000; i++)
        mono.push_back(1000 - i);
    sort(mono.begin(), mono.end());
    cout << mono[0] << mono[999] << endl;
}
