// Names of headers that other headers of libstdc++ include, beside members with the same names.
#include <cstddef>
#include <iostream>
#include <map>
#include <new>
#include <string>

int main()
{
    std::string a = "x", b = "y";
    int c = 1, d = 1;
    std::cout << (std::tie(a, c) < std::tie(b, d)) << '\n';
    std::map<int, std::tuple<int, char>> made;
    made[1] = std::make_tuple(2, 'c');
    int number;
    char letter;
    std::tie(number, letter) = made[1];
    std::cout << number << letter << ' ' << std::get<1>(made[1]) << '\n';
    std::cout << alignof(std::max_align_t) << ' ' << sizeof(max_align_t) << '\n';
    alignas(int) unsigned char raw[sizeof(int)];
    new (raw) int(5);
    std::cout << *std::launder(reinterpret_cast<int *>(raw)) << '\n';
    return 0;
}
