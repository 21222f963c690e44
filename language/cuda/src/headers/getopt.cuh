// <getopt.h>: long options of the command line.
#include <__getopt>
struct option {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};
inline int getopt_long(int count, char *const *list, const char *shorts, const struct option *longs, int *index) {
    return __ws_getopt_long(count, list, shorts, (const struct __ws_long *)longs, index);
}
// A word with one `-` is a long option too, unless its first letter is only a short one.
inline int getopt_long_only(int count, char *const *list, const char *shorts, const struct option *longs, int *index) {
    char **words = (char **)list;
    if (__ws_option == 0 || *__ws_option == 0) {
        int at = optind;
        while (at < count && (words[at][0] != '-' || words[at][1] == 0)) ++at;
        if (at < count && words[at][1] != '-' && (words[at][2] || !strchr(shorts, words[at][1]))) {
            const char *text = words[at] + 1, *equals = strchr(text, '=');
            size_t size = equals ? (size_t)(equals - text) : strlen(text);
            bool known = !strchr(shorts, text[0]);
            for (int one = 0; longs[one].name; ++one) known = known || strncmp(longs[one].name, text, size) == 0;
            if (known) {
                if (shorts[0] == '+' && at > optind) return -1;
                optarg = 0;
                __ws_behind = at + 1;
                __ws_take_word(words, at);
                return __ws_long_option(count, words, shorts, (const struct __ws_long *)longs, index, text);
            }
        }
    }
    return getopt_long(count, list, shorts, longs, index);
}
