// <libgen.h>: both functions change the text.
static char __ws_dot[2] = ".";
// Cuts slashes from the end, and returns the end of the rest; the first one stays.
inline char *__ws_cut_slashes(char *path, char *end) {
    while (end > path + 1 && end[-1] == '/') --end;
    return end;
}
inline char *basename(char *path) {
    if (!path || !*path) return __ws_dot;
    *__ws_cut_slashes(path, path + strlen(path)) = 0;
    char *last = strrchr(path, '/');
    return last && last[1] ? last + 1 : path;
}
inline char *dirname(char *path) {
    if (!path || !*path) return __ws_dot;
    *__ws_cut_slashes(path, path + strlen(path)) = 0;
    char *last = strrchr(path, '/');
    if (!last) return __ws_dot;
    *__ws_cut_slashes(path, last + 1) = 0;
    return path;
}
