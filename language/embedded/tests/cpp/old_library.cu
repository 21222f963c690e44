// Names of C++98 and headers of C in C++, and the header that includes all others.
#include <bits/stdc++.h>
#include <arpa/inet.h>
#include <byteswap.h>
#include <ciso646>
#include <cstdarg>
#include <libgen.h>
#include <strings.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/types.h>
#include <values.h>
using namespace std;

struct Item {
    int value;
    int twice() const { return 2 * value; }
};
static bool is_small(int x) { return x < 3; }
int main() {
    srand(7);
    vector<int> v;
    for (int i = 0; i < 10; ++i) v.push_back(i);
    random_shuffle(v.begin(), v.end());
    for (int x : v) cout << x << ' ';
    cout << count_if(v.begin(), v.end(), bind2nd(less<int>(), 4)) << count_if(v.begin(), v.end(), bind1st(minus<int>(), 5))
         << count_if(v.begin(), v.end(), not1(ptr_fun(is_small))) << '\n';
    vector<Item> items{{1}, {5}};
    vector<int> made(2);
    transform(items.begin(), items.end(), made.begin(), mem_fun_ref(&Item::twice));
    cout << made[0] + made[1] << bool_constant<true>::value << '\n';
    char path[] = "/a/bc/d.txt/", copy[] = "/a/bc/d.txt/", plain[] = "x";
    printf("%s %s %s", basename(path), dirname(copy), dirname(plain));
    printf(" %x %x %x %d\n", htons(0x1234), bswap_32(0x11223344), (unsigned)ntohl(1), 1 not_eq 2 and not false);
    struct timeval a = {3, 900000}, b = {1, 950000}, c, d;
    timersub(&a, &b, &c);
    timeradd(&a, &b, &d);
    printf("%ld.%06ld %ld.%06ld %d %d %d\n", (long)c.tv_sec, (long)c.tv_usec, (long)d.tv_sec, (long)d.tv_usec,
           timercmp(&a, &b, >), timercmp(&a, &b, ==), timerisset(&a));
    u_int whole = 5;
    u_char byte = 255;
    uint16_t half = 3;
    struct tms ticks;
    printf("%d %d %d %d %d\n", (int)(whole + byte + half), MAXINT, times(&ticks) >= 0, 'RIFF', 'ab');
    printf("%s %s %d %d\n", index(path + 1, 'b'), rindex(plain, 'x'), ffsl(0x100000000L), bcmp("a", "a", 1));
    alignas(16) char storage[8] alignas(32);
    printf("%d\n", (int)((uintptr_t)storage % 16));
    return 0;
}
