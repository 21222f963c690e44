// <chrono> and <ratio>.
#include <iostream>
#include <chrono>
#include <ratio>
#include <thread>
#include <variant>
#include <string>
#include <type_traits>
using namespace std;
using namespace std::chrono;
int main() {
    milliseconds m(1500);
    seconds s(2);
    auto t = m + s;
    cout << t.count() << " " << is_same<decltype(t), milliseconds>::value << " "
         << duration_cast<seconds>(m).count() << " "
         << duration_cast<milliseconds>(duration<double>(1.5)).count() << " "
         << duration<double>(m).count() << " " << (s > m) << (s == milliseconds(2000)) << (m != s)
         << endl;
    cout << (m * 2).count() << " " << (3 * s).count() << " " << (m / 4).count() << " " << s / m
         << " " << (m % seconds(1)).count() << " " << (-m).count() << " " << (s * 0.5).count()
         << endl;
    microseconds us = s;
    us += m;
    us -= microseconds(1);
    ++us;
    us *= 2;
    cout << us.count() << " " << minutes(3) / seconds(1) << " " << hours(1).count() << " "
         << duration_cast<minutes>(seconds(3599)).count() << " "
         << duration<double, milli>(us).count() << " " << duration<float, ratio<60>>(s).count()
         << endl;
    cout << is_convertible<seconds, milliseconds>::value
         << is_convertible<milliseconds, seconds>::value
         << is_convertible<milliseconds, duration<double>>::value
         << is_constructible<seconds, double>::value << endl;
    auto a = steady_clock::now();
    auto b = a + seconds(5);
    cout << duration_cast<milliseconds>(b - a).count() << (b > a) << (b - seconds(5) == a) << " "
         << duration<double>(b - a).count() << endl;
    auto start = high_resolution_clock::now();
    this_thread::sleep_for(milliseconds(2));
    auto stop = high_resolution_clock::now();
    duration<double, milli> el = stop - start;
    cout << (el.count() >= 2) << (duration_cast<microseconds>(stop - start).count() >= 2000)
         << endl;
    time_t tt = system_clock::to_time_t(system_clock::from_time_t(1000));
    cout << tt << endl;
    cout << chrono::floor<seconds>(milliseconds(-1500)).count() << chrono::ceil<seconds>(m).count()
         << chrono::round<seconds>(m).count() << chrono::round<seconds>(milliseconds(2500)).count()
         << endl;
    typedef ratio_add<ratio<1, 3>, ratio<1, 6>> half;
    cout << half::num << "/" << half::den << " " << ratio_multiply<ratio<2, 3>, ratio<3, 4>>::den
         << ratio<6, -4>::num << ratio<6, -4>::den << ratio_less<ratio<1, 3>, ratio<1, 2>>::value
         << kilo::num << micro::den << endl;
    auto tp = time_point_cast<seconds>(b);
    cout << (tp <= b) << seconds::zero().count() << endl;
    variant<int, string> v = string("moved");
    string taken = get<string>(move(v));
    cout << taken << get<string>(v).size() << is_same<decltype(get<0>(move(v))), int &&>::value
         << endl;
}
