// Channel descriptors of the element types that textures and arrays can have.
#ifndef WARPSIM_CHANNEL_DESCRIPTOR_H
#define WARPSIM_CHANNEL_DESCRIPTOR_H

#ifdef __cplusplus

#include "driver_types.h"
#include "cuda_runtime_api.h"

// A type without a specialization has no channels, and a call with it fails.
template <class T>
inline cudaChannelFormatDesc cudaCreateChannelDesc() {
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define WARPSIM_CHANNELS(T, bits, x, y, z, w, kind)                                             \
    template <>                                                                                 \
    inline cudaChannelFormatDesc cudaCreateChannelDesc<T>() {                                   \
        return cudaCreateChannelDesc((x) * (bits), (y) * (bits), (z) * (bits), (w) * (bits),    \
                                     cudaChannelFormatKind##kind);                              \
    }
#define WARPSIM_CHANNELS_1(T, bits, kind) WARPSIM_CHANNELS(T, bits, 1, 0, 0, 0, kind)
#define WARPSIM_CHANNELS_2_4(T, bits, kind)             \
    WARPSIM_CHANNELS(T##1, bits, 1, 0, 0, 0, kind)      \
    WARPSIM_CHANNELS(T##2, bits, 1, 1, 0, 0, kind)      \
    WARPSIM_CHANNELS(T##4, bits, 1, 1, 1, 1, kind)

#ifdef __CHAR_UNSIGNED__
WARPSIM_CHANNELS_1(char, 8, Unsigned)
#else
WARPSIM_CHANNELS_1(char, 8, Signed)
#endif
WARPSIM_CHANNELS_1(signed char, 8, Signed)
WARPSIM_CHANNELS_1(unsigned char, 8, Unsigned)
WARPSIM_CHANNELS_1(short, 16, Signed)
WARPSIM_CHANNELS_1(unsigned short, 16, Unsigned)
WARPSIM_CHANNELS_1(int, 32, Signed)
WARPSIM_CHANNELS_1(unsigned int, 32, Unsigned)
WARPSIM_CHANNELS_1(float, 32, Float)
#ifndef WARPSIM_NO_VECTOR_TYPES
WARPSIM_CHANNELS_2_4(char, 8, Signed)
WARPSIM_CHANNELS_2_4(uchar, 8, Unsigned)
WARPSIM_CHANNELS_2_4(short, 16, Signed)
WARPSIM_CHANNELS_2_4(ushort, 16, Unsigned)
WARPSIM_CHANNELS_2_4(int, 32, Signed)
WARPSIM_CHANNELS_2_4(uint, 32, Unsigned)
WARPSIM_CHANNELS_2_4(float, 32, Float)
#endif

#undef WARPSIM_CHANNELS
#undef WARPSIM_CHANNELS_1
#undef WARPSIM_CHANNELS_2_4

inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}

#endif
#endif
