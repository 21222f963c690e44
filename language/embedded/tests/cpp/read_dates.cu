// `std::get_time`: parts of dates in texts, their errors, and what follows from them.
#include <ctime>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>

static void read(const char *text, const char *format)
{
    std::tm made{};
    std::istringstream from(text);
    from >> std::get_time(&made, format);
    std::cout << text << " | " << format << ": " << from.good() << from.eof() << from.fail();
    from.clear();
    std::string rest;
    std::getline(from, rest);
    std::cout << ' ' << made.tm_year << ' ' << made.tm_mon << ' ' << made.tm_mday << ' ' << made.tm_hour << ' '
              << made.tm_min << ' ' << made.tm_sec << ' ' << made.tm_wday << ' ' << made.tm_yday << " [" << rest
              << "]\n";
}

int main()
{
    read("2016-02-03", "%Y-%m-%d");
    read("2016-2-3", "%Y-%m-%d");
    read("16-2-3 x", "%Y-%m-%d");
    read("3/4/20", "%m/%d/%y");
    read("03/04/70", "%D");
    read("12:34:56", "%H:%M:%S");
    read("1:2:3", "%H:%M:%S");
    read("25:00", "%H:%M");
    read("  12", "%H");
    read("Feb 3 2016", "%b %d %Y");
    read("February 29, 2016", "%B %d, %Y");
    read("Mon Jan  2 03:04:05 2006", "%a %b %e %T %Y");
    read("sunday", "%A");
    read("Su", "%A");
    read("Sunxy", "%A");
    read("Thurs x", "%a");
    read("03:04 PM", "%I:%M %p");
    read("12:04 am", "%I:%M %p");
    read("12:04:00 AM", "%r");
    read("045", "%j");
    read("366", "%j");
    read("367", "%j");
    read("5%x", "%d%%x");
    read("a   b", "a b");
    read("ab", "a b");
    read("abc", "abd");
    read("", "%Y");
    read("7", "%u");
    read("99999", "%Y");
    read(" 3", "%e");
    read("13", "%m");
    read("1", "%m");
    read("60", "%S");
    read("61", "%S");
    read("may", "%B");
    read("68", "%y");
    read("69", "%y");
    read("00", "%d");
    read("0", "%w");
    read("2016 rest", "%Y");
    std::tm made{};
    std::istringstream two("2020-12-31 23:59:59 and more");
    two >> std::get_time(&made, "%Y-%m-%d %H:%M:%S");
    std::string word;
    two >> word;
    std::cout << std::put_time(&made, "%c") << ' ' << word << '\n';
    return 0;
}
