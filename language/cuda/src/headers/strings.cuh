// <strings.h>: what <string.h> has not.
inline char *index(const char *text, int c) { return strchr(text, c); }
inline char *rindex(const char *text, int c) { return strrchr(text, c); }
inline int ffsl(long x) { return x ? __builtin_ctzl((unsigned long)x) + 1 : 0; }
inline int ffsll(long long x) { return ffsl((long)x); }
