// What <unistd.h> and <getopt.h> share: options of the command line, as the C library of GNU parses them. Words that are no
// options move behind the options.
#define no_argument 0
#define required_argument 1
#define optional_argument 2
struct __ws_long {
    const char *name;
    int has_arg;
    int *flag;
    int val;
};
static char *optarg = 0;
static int optind = 1;
static int opterr = 1;
static int optopt = 0;
// The rest of a word with several options, and the word behind it.
static const char *__ws_option = 0;
static int __ws_behind = 1;

inline void __ws_take_word(char **words, int from) {
    char *word = words[from];
    for (int at = from; at > optind; --at) words[at] = words[at - 1];
    words[optind++] = word;
}
inline int __ws_missing(char **words, const char *shorts, const char *text, int letter, bool is_long) {
    optopt = letter;
    if (opterr && shorts[0] != ':')
        fprintf(stderr, is_long ? "%s: option '--%s' requires an argument\n" : "%s: option requires an argument -- '%s'\n",
                words[0], text);
    return shorts[0] == ':' ? ':' : '?';
}
inline int __ws_long_option(int count, char **words, const char *shorts, const struct __ws_long *longs, int *index,
                            const char *text) {
    const char *equals = strchr(text, '=');
    size_t size = equals ? (size_t)(equals - text) : strlen(text);
    int found = -1, matches = 0;
    for (int at = 0; longs[at].name; ++at) {
        if (strncmp(longs[at].name, text, size) != 0) continue;
        bool exact = strlen(longs[at].name) == size;
        if (exact) matches = 0;
        found = at;
        ++matches;
        if (exact) break;
    }
    if (matches != 1) {
        if (opterr && shorts[0] != ':')
            fprintf(stderr, matches ? "%s: option '--%s' is ambiguous\n" : "%s: unrecognized option '--%s'\n", words[0], text);
        optopt = 0;
        return '?';
    }
    const struct __ws_long *one = longs + found;
    if (equals) {
        optarg = (char *)equals + 1;
        if (one->has_arg == no_argument) {
            if (opterr) fprintf(stderr, "%s: option '--%s' doesn't allow an argument\n", words[0], one->name);
            return '?';
        }
    } else if (one->has_arg == required_argument) {
        if (__ws_behind >= count) return __ws_missing(words, shorts, one->name, one->val, true);
        optarg = words[__ws_behind];
        __ws_take_word(words, __ws_behind);
    }
    if (index) *index = found;
    if (one->flag == 0) return one->val;
    *one->flag = one->val;
    return 0;
}
inline int __ws_getopt_long(int count, char *const *list, const char *shorts, const struct __ws_long *longs, int *index) {
    char **words = (char **)list;
    optarg = 0;
    if (__ws_option == 0 || *__ws_option == 0) {
        int at = optind;
        while (at < count && (words[at][0] != '-' || words[at][1] == 0)) {
            if (shorts[0] == '+') return -1;
            ++at;
        }
        if (at >= count) return -1;
        __ws_behind = at + 1;
        __ws_take_word(words, at);
        const char *word = words[optind - 1];
        if (strcmp(word, "--") == 0) return -1;
        if (longs && word[1] == '-') return __ws_long_option(count, words, shorts, longs, index, word + 2);
        __ws_option = word + 1;
    }
    char letter = *__ws_option++;
    const char *known = letter == ':' ? 0 : strchr(shorts, letter);
    if (known == 0) {
        optopt = letter;
        if (opterr && shorts[0] != ':') fprintf(stderr, "%s: invalid option -- '%c'\n", words[0], letter);
        return '?';
    }
    if (known[1] != ':') return letter;
    if (*__ws_option) {
        optarg = (char *)__ws_option;
    } else if (known[2] != ':') {
        if (__ws_behind >= count) {
            char text[2] = {letter, 0};
            __ws_option = 0;
            return __ws_missing(words, shorts, text, letter, false);
        }
        optarg = words[__ws_behind];
        __ws_take_word(words, __ws_behind);
    }
    __ws_option = 0;
    return letter;
}
inline int getopt(int count, char *const *list, const char *shorts) { return __ws_getopt_long(count, list, shorts, 0, 0); }
