// <assert.h> of device code, which a program can include again with another NDEBUG.
#undef assert
#if defined(NDEBUG) || __CUDA_ARCH__ < 200
#define assert(e) ((void)0)
#else
#define assert(e) __warpsim_assert(e, #e)
#endif
