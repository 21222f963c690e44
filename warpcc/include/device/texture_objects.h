/* Fetches through texture objects. The read mode is a property of the object: for integers with
 * `cudaReadModeNormalizedFloat`, the type of the call is `float`, as CUDA demands. */
#ifndef WARPCC_DEVICE_TEXTURE_OBJECTS_H
#define WARPCC_DEVICE_TEXTURE_OBJECTS_H
#pragma clang system_header

#define WARPCC_OF_OBJECT(name, parameters, ...)                                                   \
    template <class T>                                                                            \
    WARPCC_INNER T name(cudaTextureObject_t t, parameters) {                                      \
        return warpcc_texel<T>::from(warpcc_##name<warpcc_texel<T>::kind>(t, __VA_ARGS__));       \
    }                                                                                             \
    template <class T>                                                                            \
    WARPCC_INNER void name(T *result, cudaTextureObject_t t, parameters) {                        \
        *result = name<T>(t, __VA_ARGS__);                                                        \
    }
WARPCC_OF_OBJECT(tex1Dfetch, int x, x)
WARPCC_OF_OBJECT(tex1D, float x, x)
WARPCC_OF_OBJECT(tex2D, WARPCC_PAIR(float x, float y), x, y)
WARPCC_OF_OBJECT(tex3D, WARPCC_TRIPLE(float x, float y, float z), x, y, z)
WARPCC_OF_OBJECT(tex1DLayered, WARPCC_PAIR(float x, int layer), x, layer)
WARPCC_OF_OBJECT(tex2DLayered, WARPCC_TRIPLE(float x, float y, int layer), x, y, layer)
WARPCC_OF_OBJECT(texCubemap, WARPCC_TRIPLE(float x, float y, float z), x, y, z)
#undef WARPCC_OF_OBJECT

#endif
