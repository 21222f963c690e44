// Where streams of texts are read and written, and where numbers end.
#include <iostream>
#include <limits>
#include <sstream>
int main() {
    std::ostringstream o("abc"), p("abc", std::ios::ate), q("abc", std::ios::app);
    o << "X";
    p << "X";
    q << "X";
    q.seekp(0);
    q << "Y";
    std::cout << o.str() << ' ' << o.tellp() << ' ' << p.str() << ' ' << p.tellp() << ' ' << q.str() << '\n';
    std::stringstream s;
    s << "12345";
    s.seekp(1);
    s << "x";
    s.seekp(-1, std::ios::end);
    s << "yz";
    std::cout << s.str() << ' ' << s.tellp() << ' ' << s.tellg();
    s.seekp(100);
    std::cout << ' ' << s.fail() << ' ' << s.tellp() << '\n';
    s.clear();
    s.str("new text");
    std::string word;
    s >> word;
    s.seekp(0, std::ios::end);
    s << "!";
    std::cout << word << ' ' << s.tellg() << ' ' << s.str() << '\n';
    std::stringstream both("7 8");
    int first = 0, second = 0;
    both >> first;
    both << "1";
    both >> second;
    std::cout << first << second << ' ' << both.str() << '\n';
    double a = -1, b = -1, c = -1, d = -1;
    std::istringstream("1.5.5 7") >> a >> b;
    std::istringstream("1e5e2") >> c >> d;
    std::cout << a << ' ' << b << ' ' << c << ' ' << d << '\n';
    int n[4] = {-1, -1, -1, -1};
    std::istringstream bases("0x20 017 9 -0x1f");
    bases.unsetf(std::ios::basefield);
    for (int &one : n) bases >> one;
    std::cout << n[0] << ' ' << n[1] << ' ' << n[2] << ' ' << n[3] << '\n';
    std::istringstream hexes("ff 0xA 12x"), octals("17 8"), decimals("10x 0x3");
    hexes >> std::hex >> n[0] >> n[1] >> n[2];
    octals >> std::oct >> n[3];
    std::cout << n[0] << ' ' << n[1] << ' ' << n[2] << ' ' << n[3];
    octals >> n[3];
    decimals >> n[0];
    std::cout << ' ' << n[3] << octals.fail() << ' ' << n[0] << (char)decimals.get() << '\n';
    std::cout << std::numeric_limits<double>::quiet_NaN() << ' ' << std::numeric_limits<float>::quiet_NaN() << ' '
              << std::numeric_limits<double>::min_exponent10 << std::numeric_limits<float>::max_exponent10 << '\n';
}
