/* Functions of a mask of threads; both compilers read them. */
#ifndef WARPCC_DEVICE_MASKS_H
#define WARPCC_DEVICE_MASKS_H
#pragma clang system_header

/* Names of later versions of CUDA. The threads of a warp execute in lockstep, so that the threads of
 * `mask` are those that execute the call. */
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 200
WARPCC_VOTE unsigned int __activemask() { return __ballot(1); }
WARPCC_VOTE unsigned int __ballot_sync(unsigned int mask, int predicate) { return __ballot(predicate) & mask; }
WARPCC_VOTE int __any_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, predicate) != 0; }
WARPCC_VOTE int __all_sync(unsigned int mask, int predicate) { return __ballot_sync(mask, !predicate) == 0; }
#endif

#endif
