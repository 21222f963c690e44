// <assert.h>, which a program can include again with another NDEBUG.
#undef assert
#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : __ws_assert(#condition, __FILE__, __LINE__, __WS_AROUND))
#endif
