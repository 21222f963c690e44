// <string> and <string_view>.
#include <iostream>
#include <string>
#include <string_view>
#include <vector>
#include <sstream>
#include <algorithm>
#include <cctype>
using namespace std;
size_t len(string_view v) { return v.size(); }
int main() {
    string s = "hello world", t("abc", 2), u(5, 'x'), v(s, 6), w(s, 0, 5), e,
           x(s.begin() + 1, s.end() - 1), y{'a', 'b'};
    cout << s << t << u << v << w << e << x << y << endl;
    cout << s.size() << s.length() << s.empty() << e.empty() << s[4] << s.at(1) << s.front()
         << s.back() << s.capacity() << endl;
    s += " and";
    s += '!';
    s.append(" more").append(3, '.').append("abcdef", 2).append(t, 1, 1);
    cout << s << endl;
    s.insert(0, "<<");
    s.insert(2, string("ins"));
    s.insert(s.begin(), '#');
    s.insert(1, 2, '@');
    cout << s << endl;
    s.erase(0, 3);
    s.erase(s.begin());
    s.erase(s.begin(), s.begin() + 2);
    s.erase(20);
    cout << s << endl;
    s.replace(0, 3, "REP");
    s.replace(s.begin(), s.begin() + 2, "zz");
    s.replace(1, 1, 2, '-');
    cout << s << endl;
    cout << s.find("wor") << " " << s.find('o', 6) << " " << (s.find("nope") == string::npos)
         << s.rfind('o') << s.find_first_of("aeiou") << s.find_last_of("aeiou")
         << s.find_first_not_of("zREP-") << s.find_last_not_of("!") << endl;
    cout << s.substr(4, 5) << s.substr(7) << (s.compare("abc") > 0) << (s.compare(0, 2, "z-") == 0)
         << (s < "zzz") << (s == s) << ("a" + s + 'c' + string("d")) << endl;
    string m = move(s);
    cout << m.size() << s.size() << endl;
    try {
        m.at(100);
    } catch (out_of_range &ex) {
        cout << ex.what() << endl;
    }
    try {
        m.substr(100);
    } catch (out_of_range &ex) {
        cout << ex.what() << endl;
    }
    cout << stoi("42") << stoi("ff", nullptr, 16) << stol("-7") << stod("2.5e3") << stof("1.5")
         << stoull("99") << endl;
    size_t pos;
    cout << stoi("12ab", &pos) << pos << endl;
    try {
        stoi("x");
    } catch (invalid_argument &ex) {
        cout << ex.what() << endl;
    }
    try {
        stoi("99999999999");
    } catch (out_of_range &ex) {
        cout << ex.what() << endl;
    }
    try {
        stod("1e999");
    } catch (out_of_range &ex) {
        cout << ex.what() << endl;
    }
    try {
        stol("99999999999999999999");
    } catch (out_of_range &ex) {
        cout << ex.what() << endl;
    }
    cout << to_string(3) + to_string(2.5) + to_string(-7L) + to_string(1.0f) << endl;
    transform(m.begin(), m.end(), m.begin(), ::toupper);
    cout << m << endl;
    reverse(m.begin(), m.end());
    cout << m << endl;
    sort(m.begin(), m.end());
    cout << m << endl;
    m.erase(remove(m.begin(), m.end(), ' '), m.end());
    cout << m << endl;
    m.erase(unique(m.begin(), m.end()), m.end());
    cout << m << endl;
    string_view sv = "view of text";
    cout << sv << sv.size() << sv.substr(5, 2) << sv.find("text") << (sv == "view of text")
         << len(m) << len("abc") << endl;
    sv.remove_prefix(5);
    sv.remove_suffix(5);
    cout << '[' << sv << ']' << string(sv) + "x" << sv.front() << sv.back() << sv[1] << sv.empty()
         << endl;
    string fromsv(sv);
    fromsv = sv;
    fromsv += sv;
    cout << fromsv << endl;
    constexpr string_view cv = "const";
    for (char c : cv)
        cout << c << '-';
    cout << (cv < sv) << (fromsv == sv) << cv.compare("const") << endl;
    return 0;
}
