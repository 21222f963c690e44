// Streams: numbers, flags, texts in memory.
#include <fstream>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Point {
    int x, y;
    friend std::ostream &operator<<(std::ostream &out, const Point &p) { return out << "(" << p.x << ", " << p.y << ")"; }
};

enum Color { red, green };

int main() {
    std::cout << "text " << std::string("string") << ' ' << 42 << " " << -7L << " " << 3.14159265 << " " << 1e20 << " " << 1.0f / 3 << std::endl;
    std::cout << true << " " << std::boolalpha << false << " " << 'c' << (char)65 << (short)-3 << (unsigned char)66 << "\n";
    std::cout << std::setw(8) << 42 << "|" << std::left << std::setw(8) << 42 << "|" << std::right << std::setfill('*') << std::setw(8) << "ab" << "|\n";
    std::cout << std::fixed << std::setprecision(3) << 3.14159 << " " << 2.0 << " " << std::scientific << 12345.678 << std::defaultfloat << " " << 0.1 + 0.2 << "\n";
    std::cout << std::hex << 255 << " " << std::showbase << 255 << " " << std::uppercase << 255 << " " << -1 << std::dec << std::nouppercase << " " << std::showpos << 5 << " " << 2.5 << std::noshowpos << "\n";
    std::cout << std::setprecision(12) << 3.14159265358979 << " " << 100.0 << " " << std::setprecision(6) << 1234567.0 << " " << 1e-5 << " " << 0.0 << "\n";
    std::cout << std::setfill('0') << std::setw(5) << 42 << " " << std::internal << std::setw(6) << -42 << std::right << std::setfill(' ') << "\n";
    std::cout << Point{3, 4} << " " << green << " " << (void *)0 << " " << 18446744073709551615UL << "\n";
    std::cout.precision(2);
    std::cout << 2.71828 << " " << std::cout.precision() << "\n";
    std::cout.width(6);
    std::cout << 1 << std::endl;
    std::cerr << "error " << 1 << std::endl;
    std::ostringstream made;
    made << "n = " << 5 << ", x = " << std::fixed << std::setprecision(1) << 2.25;
    std::string text = made.str();
    std::cout << text << " " << text.size() << "\n";
    std::istringstream in("12 3.5 word -7 rest of line\nnext");
    int a, b;
    double d;
    std::string word, line;
    in >> a >> d >> word >> b;
    std::getline(in, line);
    std::cout << a << " " << d << " " << word << " " << b << " [" << line << "]\n";
    std::cout << (in >> word ? "read " : "end ") << word << " " << (in >> word ? "more" : "end") << "\n";
    std::vector<int> numbers;
    std::stringstream both;
    for (int i = 0; i < 5; ++i) both << i * i << " ";
    int n;
    while (both >> n) numbers.push_back(n);
    for (int x : numbers) std::cout << x << ",";
    std::cout << "\n";
    std::ifstream none("no-such-file.txt");
    std::cout << none.is_open() << " " << !none << " " << none.good() << "\n";
    std::cout << std::noboolalpha << (1 == 1) << std::endl;
    return 0;
}
