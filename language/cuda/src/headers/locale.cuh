// <locale.h>: the environment is empty, so that "C" is the only locale.
#define LC_CTYPE 0
#define LC_NUMERIC 1
#define LC_TIME 2
#define LC_COLLATE 3
#define LC_MONETARY 4
#define LC_MESSAGES 5
#define LC_ALL 6
static char __ws_locale[2] = "C";
inline char *setlocale(int category, const char *name) {
    bool known = !name || !*name || strcmp(name, "C") == 0 || strcmp(name, "POSIX") == 0;
    return known && category >= 0 && category <= LC_ALL ? __ws_locale : 0;
}
#ifndef __WARPSIM_C__
namespace std {
using ::setlocale;
}
#endif
