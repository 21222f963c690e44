// <iterator> and <functional>.
#include <iostream>
#include <iterator>
#include <vector>
#include <list>
#include <set>
#include <map>
#include <deque>
#include <string>
#include <sstream>
#include <algorithm>
#include <functional>
#include <numeric>
using namespace std;
int add(int a, int b, int c) { return a * 100 + b * 10 + c; }
struct S {
    int v;
    int operator()(int a) const { return a + v; }
};
template <class I> typename iterator_traits<I>::value_type sum(I a, I b) {
    typename iterator_traits<I>::value_type s = 0;
    for (; a != b; ++a)
        s += *a;
    return s;
}
int main() {
    vector<int> v = {5, 2, 8, 1};
    copy(v.begin(), v.end(), ostream_iterator<int>(cout, " "));
    cout << endl;
    transform(v.begin(), v.end(), ostream_iterator<double>(cout, ","),
              [](int x) { return x * 1.5; });
    cout << endl;
    istringstream in("1 2 3 4.5 x");
    vector<int> r((istream_iterator<int>(in)), istream_iterator<int>());
    copy(r.begin(), r.end(), ostream_iterator<int>(cout, " "));
    cout << endl;
    istringstream in2("a bc def");
    vector<string> w{istream_iterator<string>(in2), istream_iterator<string>()};
    for (auto &s : w)
        cout << s << "|";
    cout << endl;
    istringstream in3("hello\n world");
    string all((istreambuf_iterator<char>(in3)), istreambuf_iterator<char>());
    cout << all.size() << all << endl;
    set<int> s;
    copy(v.begin(), v.end(), inserter(s, s.begin()));
    for (int x : s)
        cout << x << " ";
    cout << endl;
    vector<int> u;
    transform(v.begin(), v.end(), back_inserter(u), bind(plus<int>(), placeholders::_1, 10));
    for (int x : u)
        cout << x << " ";
    cout << endl;
    vector<int> mid = {1, 9};
    copy(v.begin(), v.end(), inserter(mid, mid.begin() + 1));
    for (int x : mid)
        cout << x << " ";
    cout << endl;
    list<string> names = {"x", "yy"};
    vector<string> moved(make_move_iterator(names.begin()), make_move_iterator(names.end()));
    cout << moved[1] << names.front().size() << endl;
    cout << sum(v.begin(), v.end()) << sum(s.begin(), s.end()) << " " << sum(v.rbegin(), v.rend())
         << endl;
    int arr[] = {3, 1, 2};
    sort(begin(arr), end(arr));
    cout << arr[0] << distance(begin(arr), end(arr)) << *next(arr) << *prev(end(arr)) << endl;
    auto f = bind(add, 1, placeholders::_2, placeholders::_1);
    cout << f(7, 8) << endl;
    auto g = bind(add, placeholders::_1, 2, 3);
    cout << g(9) << endl;
    int n = 5;
    auto h = bind([](int &x, int y) { x += y; }, ref(n), placeholders::_1);
    h(3);
    cout << n << endl;
    auto nest = bind(plus<int>(), bind(multiplies<int>(), placeholders::_1, 2), placeholders::_2);
    cout << nest(3, 4) << endl;
    function<int(int)> fn = S{4};
    cout << fn(1) << endl;
    fn = [n](int x) { return x * n; };
    cout << fn(2) << bool(fn) << endl;
    fn = nullptr;
    cout << bool(fn) << endl;
    try {
        fn(1);
    } catch (const bad_function_call &e) {
        cout << e.what() << endl;
    }
    cout << count_if(v.begin(), v.end(), not_fn([](int x) { return x > 4; })) << endl;
    cout << invoke(add, 1, 2, 3) << endl;
    map<string, function<double(double, double)>> ops = {
        {"+", plus<double>()}, {"-", [](double a, double b) { return a - b; }}};
    cout << ops["+"](1, 2) << ops["-"](1, 2) << endl;
    cout << hash<int>()(5) << " " << hash<string>()("abc") << endl;
    vector<reference_wrapper<int>> refs = {arr[0], arr[1]};
    refs[0].get() = 77;
    cout << arr[0] << endl;
    sort(v.begin(), v.end(), greater<>());
    for (auto it = v.cbegin(); it != v.cend(); it++)
        cout << *it;
    cout << endl;
    cout << accumulate(v.begin(), v.end(), 1, multiplies<int>()) << bit_not<int>()(5) << endl;
    deque<int> dq = {1, 2, 3};
    dq.push_front(0);
    cout << accumulate(dq.begin(), dq.end(), 0) << dq[1] << endl;
    copy(dq.rbegin(), dq.rend(), ostream_iterator<int>(cout));
    cout << endl;
    cout << is_same<iterator_traits<vector<int>::iterator>::iterator_category,
                    random_access_iterator_tag>::value
         << endl;
    fill_n(back_inserter(u), 2, 1);
    generate_n(back_inserter(u), 2, [] { return 4; });
    cout << u.size() << endl;
    auto it = find_if(u.begin(), u.end(), [](int x) { return x == 1; });
    cout << it - u.begin() << endl;
}
