/* Texture and surface references. */
#ifndef WARPCC_DEVICE_TEXTURE_TYPES_H
#define WARPCC_DEVICE_TEXTURE_TYPES_H
#pragma clang system_header

template <class T, int dimensions = cudaTextureType1D, cudaTextureReadMode mode = cudaReadModeElementType>
struct __attribute__((device_builtin_texture_type)) texture : public textureReference {
    __host__ texture(int is_normalized = 0, cudaTextureFilterMode filter = cudaFilterModePoint,
                     cudaTextureAddressMode address = cudaAddressModeClamp) {
        set(is_normalized, filter, address);
        channelDesc = cudaCreateChannelDesc<T>();
    }
    __host__ texture(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address,
                     cudaChannelFormatDesc description) {
        set(is_normalized, filter, address);
        channelDesc = description;
    }

private:
    __host__ void set(int is_normalized, cudaTextureFilterMode filter, cudaTextureAddressMode address) {
        memset(static_cast<textureReference *>(this), 0, sizeof(textureReference));
        normalized = is_normalized;
        filterMode = filter;
        addressMode[0] = addressMode[1] = addressMode[2] = address;
    }
};

template <class T, int dimensions = cudaSurfaceType1D>
struct __attribute__((device_builtin_surface_type)) surface;

template <int dimensions>
struct __attribute__((device_builtin_surface_type)) surface<void, dimensions> : public surfaceReference {
    __host__ surface() { memset(static_cast<surfaceReference *>(this), 0, sizeof(surfaceReference)); }
};

/* Functions of the runtime API with references of these types. */
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &reference,
                                          const void *pointer, const cudaChannelFormatDesc &description,
                                          size_t bytes = UINT_MAX) {
    return ::cudaBindTexture(offset, &reference, pointer, &description, bytes);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture(size_t *offset, const texture<T, d, m> &reference,
                                          const void *pointer, size_t bytes = UINT_MAX) {
    return ::cudaBindTexture(offset, &reference, pointer, &reference.channelDesc, bytes);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &reference,
                                            const void *pointer, const cudaChannelFormatDesc &description,
                                            size_t width, size_t height, size_t pitch) {
    return ::cudaBindTexture2D(offset, &reference, pointer, &description, width, height, pitch);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTexture2D(size_t *offset, const texture<T, d, m> &reference,
                                            const void *pointer, size_t width, size_t height, size_t pitch) {
    return ::cudaBindTexture2D(offset, &reference, pointer, &reference.channelDesc, width, height, pitch);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &description) {
    return ::cudaBindTextureToArray(&reference, array, &description);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToArray(const texture<T, d, m> &reference, cudaArray_const_t array) {
    cudaChannelFormatDesc description;
    cudaError_t error = ::cudaGetChannelDesc(&description, array);
    return error == cudaSuccess ? ::cudaBindTextureToArray(&reference, array, &description) : error;
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaBindTextureToMipmappedArray(const texture<T, d, m> &reference,
                                                          cudaMipmappedArray_const_t array,
                                                          const cudaChannelFormatDesc &description) {
    return ::cudaBindTextureToMipmappedArray(&reference, array, &description);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaUnbindTexture(const texture<T, d, m> &reference) {
    return ::cudaUnbindTexture(&reference);
}
template <class T, int d, cudaTextureReadMode m>
static inline cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const texture<T, d, m> &reference) {
    return ::cudaGetTextureAlignmentOffset(offset, &reference);
}
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, d> &reference, cudaArray_const_t array,
                                                 const cudaChannelFormatDesc &description) {
    return ::cudaBindSurfaceToArray(&reference, array, &description);
}
template <class T, int d>
static inline cudaError_t cudaBindSurfaceToArray(const surface<T, d> &reference, cudaArray_const_t array) {
    cudaChannelFormatDesc description;
    cudaError_t error = ::cudaGetChannelDesc(&description, array);
    return error == cudaSuccess ? ::cudaBindSurfaceToArray(&reference, array, &description) : error;
}

#endif
