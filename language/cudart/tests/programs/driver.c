/* The driver API in C. The argument names a group of tests; a failed check ends the program. */
#include <cuda.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the runtime API, whose calls use the current context. */
int cudaMalloc(void **ptr, size_t bytes);
int cudaFree(void *ptr);
int cudaMemcpy(void *to, const void *from, size_t bytes, int kind);
int cudaGetDevice(int *device);
int cudaSetDevice(int device);
int cudaGetLastError(void);
int cudaDeviceReset(void);

#define CHECK(condition)                                                    \
    do {                                                                    \
        if (!(condition)) {                                                 \
            printf("line %d: %s\n", __LINE__, #condition);                  \
            exit(1);                                                        \
        }                                                                   \
    } while (0)
#define IS(expected, call)                                                             \
    do {                                                                               \
        CUresult result = (call);                                                      \
        if (result != (expected)) {                                                    \
            printf("line %d: %s is %d, not %d\n", __LINE__, #call, result, expected);  \
            exit(1);                                                                   \
        }                                                                              \
    } while (0)
#define OK(call) IS(CUDA_SUCCESS, call)
#define BAD(call) IS(CUDA_ERROR_INVALID_VALUE, call)

/* A pointer without memory, and a handle that is none. */
#define NOWHERE ((void *)8)
#define WRONG ((void *)0x5753000000001234)

static const char *TEXT =
    ".version 3.0\n"
    ".target sm_20\n"
    ".address_size 64\n"
    ".const .align 4 .f32 factor = 0f40000000;\n"
    ".global .align 4 .u32 counter;\n"
    ".visible .entry scale(.param .u64 p, .param .u32 n)\n"
    "{\n"
    ".reg .pred %q; .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .b64 %d<5>;\n"
    "ld.param.u64 %d1, [p]; ld.param.u32 %r1, [n];\n"
    "mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
    "mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    "setp.ge.u32 %q, %r5, %r1;\n"
    "@%q bra end;\n"
    "mul.wide.u32 %d2, %r5, 4; add.u64 %d3, %d1, %d2;\n"
    "ld.global.f32 %f1, [%d3]; ld.const.f32 %f2, [factor];\n"
    "mul.f32 %f3, %f1, %f2; st.global.f32 [%d3], %f3;\n"
    "mov.u64 %d4, counter; atom.global.add.u32 %r1, [%d4], 1;\n"
    "end: ret;\n"
    "}\n"
    ".visible .entry add(.param .f32 x, .param .u64 p)\n"
    "{\n"
    ".reg .f32 %f<4>; .reg .b64 %d<2>;\n"
    "ld.param.f32 %f1, [x]; ld.param.u64 %d1, [p];\n"
    "ld.global.f32 %f2, [%d1]; add.f32 %f3, %f1, %f2; st.global.f32 [%d1], %f3;\n"
    "ret;\n"
    "}\n"
    ".visible .entry wrong(.param .u64 p)\n"
    "{\n"
    ".reg .b32 %r1; .reg .b64 %d1;\n"
    "ld.param.u64 %d1, [p]; mov.u32 %r1, 1; st.global.u32 [%d1], %r1;\n"
    "ret;\n"
    "}\n";

static const char *TEXTURE =
    ".version 3.0\n"
    ".target sm_20\n"
    ".address_size 64\n"
    ".global .texref picture;\n"
    ".global .surfref plane;\n"
    ".visible .entry fetch(.param .u64 p, .param .f32 x, .param .f32 y)\n"
    "{\n"
    ".reg .f32 %f<7>; .reg .b64 %d1;\n"
    "ld.param.u64 %d1, [p]; ld.param.f32 %f1, [x]; ld.param.f32 %f2, [y];\n"
    "tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [picture, {%f1, %f2}];\n"
    "st.global.f32 [%d1], %f3;\n"
    "ret;\n"
    "}\n"
    ".visible .entry store(.param .u32 v)\n"
    "{\n"
    ".reg .b32 %r<4>;\n"
    "ld.param.u32 %r1, [v]; mov.u32 %r2, 4; mov.u32 %r3, 1;\n"
    "sust.b.2d.b32.trap [plane, {%r2, %r3}], {%r1};\n"
    "ret;\n"
    "}\n";

static CUcontext context;
static CUmodule module;

static void begin(void)
{
    OK(cuInit(0));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuModuleLoadData(&module, TEXT));
}

static CUfunction function(const char *name)
{
    CUfunction found;
    OK(cuModuleGetFunction(&found, module, name));
    return found;
}

static void devices(void)
{
    int count = 0, major = 0, minor = 0, value = 0, attribute = 0;
    size_t bytes = 0;
    char name[64];
    CUdevice device = 9;
    CUdevprop properties;
    const char *text;
    IS(CUDA_ERROR_NOT_INITIALIZED, cuDeviceGetCount(&count));
    IS(CUDA_ERROR_NOT_INITIALIZED, cuCtxGetDevice(&device));
    OK(cuDriverGetVersion(&value));
    CHECK(value == 8000);
    BAD(cuInit(1));
    OK(cuInit(0));
    OK(cuDeviceGetCount(&count));
    CHECK(count == 2);
    OK(cuDeviceGet(&device, 1));
    CHECK(device == 1);
    IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, 2));
    IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGet(&device, -1));
    BAD(cuDeviceGet(NOWHERE, 0));
    OK(cuDeviceGetName(name, 64, 0));
    CHECK(strlen(name) > 4);
    memset(name, 'x', 64);
    OK(cuDeviceGetName(name, 3, 0));
    CHECK(strlen(name) == 2 && name[3] == 'x');
    BAD(cuDeviceGetName(name, 0, 0));
    BAD(cuDeviceGetName(name, -1, 0));
    OK(cuDeviceComputeCapability(&major, &minor, 0));
    CHECK(major == 2 && minor == 0);
    OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CHECK(value == 2);
    BAD(cuDeviceGetAttribute(&value, (CUdevice_attribute)999, 0));
    OK(cuDeviceTotalMem(&bytes, 0));
    CHECK(bytes > 1000000000);
    OK(cuDeviceGetProperties(&properties, 0));
    OK(cuDeviceGetAttribute(&attribute, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0));
    CHECK(properties.maxThreadsDim[2] == 64 && properties.clockRate == attribute);
    CHECK(properties.textureAlign == 512 && properties.SIMDWidth == 32);
    IS(CUDA_ERROR_INVALID_DEVICE, cuDeviceGetProperties(&properties, 7));
    OK(cuGetErrorName(CUDA_ERROR_INVALID_PTX, &text));
    CHECK(strcmp(text, "CUDA_ERROR_INVALID_PTX") == 0);
    OK(cuGetErrorString(CUDA_ERROR_OUT_OF_MEMORY, &text));
    CHECK(strcmp(text, "out of memory") == 0);
    BAD(cuGetErrorName((CUresult)12345, &text));
    CHECK(text == NULL);
    OK(cuDeviceGetPCIBusId(name, 64, 1));
    OK(cuDeviceGetByPCIBusId(&device, name));
    CHECK(device == 1);
}

static void contexts(void)
{
    CUcontext second, third, current, popped;
    CUdevice device;
    CUdeviceptr ptr, other;
    unsigned int version, flags;
    int active, number;
    size_t all, before, after;
    float value = 1.5f, back = 0;
    void *memory;
    OK(cuInit(0));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == NULL);
    IS(CUDA_ERROR_INVALID_CONTEXT, cuMemAlloc(&ptr, 4));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent(&popped));
    BAD(cuCtxCreate(&context, 0x100, 0));
    BAD(cuCtxCreate(NOWHERE, 0, 0));
    IS(CUDA_ERROR_INVALID_DEVICE, cuCtxCreate(&context, 0, 5));
    OK(cuCtxCreate(&context, CU_CTX_SCHED_YIELD, 1));
    OK(cuCtxGetDevice(&device));
    OK(cuCtxGetFlags(&flags));
    CHECK(device == 1 && flags == CU_CTX_SCHED_YIELD);
    OK(cuCtxGetApiVersion(context, &version));
    CHECK(version == 3020);
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxGetApiVersion(WRONG, &version));
    OK(cuMemGetInfo(&before, &all));
    OK(cuMemAlloc(&ptr, 4));
    OK(cuMemcpyHtoD(ptr, &value, 4));

    /* A second context of the same device has separate memory. */
    OK(cuCtxCreate(&second, 0, 1));
    OK(cuMemGetInfo(&after, &all));
    CHECK(after == before);
    BAD(cuMemcpyDtoH(&back, ptr, 4));
    OK(cuMemAlloc(&other, 4));
    OK(cuMemcpyPeer(other, second, ptr, context, 4));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuMemcpyPeer(other, WRONG, ptr, context, 4));
    OK(cuMemcpyDtoH(&back, other, 4));
    CHECK(back == value);
    OK(cuCtxPopCurrent(&popped));
    CHECK(popped == second);
    OK(cuMemcpyDtoH(&back, ptr, 4));
    OK(cuCtxPushCurrent(second));
    OK(cuCtxGetCurrent(&current));
    CHECK(current == second);
    OK(cuCtxSetCurrent(context));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSetCurrent(WRONG));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(NULL));
    OK(cuCtxPushCurrent(second));

    /* Calls of the runtime API use the current context. */
    CHECK(cudaGetDevice(&number) == 0 && number == 1);
    CHECK(cudaMemcpy(&back, (void *)other, 4, 2) == 0 && back == value);
    CHECK(cudaMalloc(&memory, 16) == 0);
    OK(cuMemFree((CUdeviceptr)(size_t)memory));
    OK(cuCtxAttach(&third, 0));
    CHECK(third == second);
    OK(cuCtxDetach(second));
    OK(cuMemcpyDtoH(&back, other, 4));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDetach(context));
    OK(cuCtxPushCurrent(second));
    OK(cuCtxDestroy(second));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(second));
    IS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuMemAlloc(&other, 4));
    CHECK(cudaMalloc(&memory, 16) == 49);
    OK(cuCtxPopCurrent(&popped));
    OK(cuMemcpyDtoH(&back, ptr, 4));
    CHECK(back == value);

    /* A new context may have the place of the destroyed one, but not its memory. */
    OK(cuCtxCreate(&third, 0, 1));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxPushCurrent(second));
    BAD(cuMemcpyDtoH(&back, other, 4));
    OK(cuCtxDestroy(third));
    OK(cuCtxDestroy(context));
    IS(CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize());
    OK(cuCtxPopCurrent(&popped));
    CHECK(popped == context);
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize());

    /* The primary context is that of the runtime API. */
    OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_SPIN));
    OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(flags == CU_CTX_SCHED_SPIN && !active);
    IS(CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
    OK(cuDevicePrimaryCtxRetain(&context, 0));
    IS(CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE, cuDevicePrimaryCtxSetFlags(0, 0));
    OK(cuCtxPushCurrent(context));
    OK(cuMemAlloc(&ptr, 64));
    OK(cuMemsetD32(ptr, 7, 16));
    OK(cuCtxPopCurrent(NULL));
    CHECK(cudaMemcpy(&number, (void *)ptr, 4, 2) == 0 && number == 7);
    OK(cuCtxGetCurrent(&current));
    CHECK(current == context);
    OK(cuDevicePrimaryCtxRelease(0));
    CHECK(cudaMemcpy(&number, (void *)ptr, 4, 2) == 0 && number == 7);
    IS(CUDA_ERROR_INVALID_CONTEXT, cuCtxDestroy(context));
    OK(cuDevicePrimaryCtxReset(0));
    CHECK(cudaMemcpy(&number, (void *)ptr, 4, 2) != 0);
    CHECK(cudaDeviceReset() == 0);
    OK(cuCtxGetCurrent(&current));
    CHECK(current == NULL);

    /* Contexts are limited, and their places are used again. */
    for (number = 0; number < 1000; number++) {
        OK(cuCtxCreate(&context, 0, 0));
        OK(cuCtxDestroy(context));
    }
    for (number = 0; cuCtxCreate(&context, 0, 0) == CUDA_SUCCESS; number++)
        CHECK(number < 64);
    CHECK(number > 32);
}

static void limits(void)
{
    size_t bytes;
    CUfunc_cache cache;
    CUsharedconfig banks;
    int least, greatest;
    begin();
    OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 1 << 16));
    OK(cuCtxGetLimit(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
    CHECK(bytes == 1 << 16);
    IS(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxSetLimit((CUlimit)77, 1));
    OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
    OK(cuCtxGetCacheConfig(&cache));
    CHECK(cache == CU_FUNC_CACHE_PREFER_L1);
    BAD(cuCtxSetCacheConfig((CUfunc_cache)9));
    OK(cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
    OK(cuCtxGetSharedMemConfig(&banks));
    CHECK(banks == CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE);
    OK(cuCtxGetStreamPriorityRange(&least, &greatest));
    CHECK(least == 0 && greatest == 0);
    OK(cuProfilerStart());
    OK(cuCtxDestroy(context));
}

static void modules(void)
{
    CUmodule other, bad;
    CUfunction found, again;
    CUdeviceptr counter, factor, own;
    CUtexref texture;
    size_t bytes, free_bytes, left, all;
    char errors[256], info[16];
    int value, index;
    float scale = 3, data[2] = {1, 2};
    unsigned int n = 2;
    void *params[2];
    CUlinkState link;
    void *image;
    FILE *file;
    CUjit_option options[] = {CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES, CU_JIT_ERROR_LOG_BUFFER, CU_JIT_INFO_LOG_BUFFER,
                              CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, CU_JIT_MAX_REGISTERS};
    void *values[] = {(void *)sizeof(errors), errors, info, (void *)sizeof(info), (void *)32};
    const char *head = ".version 3.0\n.target sm_20\n.address_size 64\n";
    char caller[512], callee[256];
    begin();
    OK(cuMemGetInfo(&free_bytes, &all));
    OK(cuModuleLoadData(&other, TEXT));
    OK(cuModuleGetFunction(&found, module, "scale"));
    OK(cuModuleGetFunction(&again, module, "scale"));
    CHECK(found == again);
    OK(cuModuleGetFunction(&again, other, "scale"));
    CHECK(found != again);
    IS(CUDA_ERROR_NOT_FOUND, cuModuleGetFunction(&found, module, "missing"));
    IS(CUDA_ERROR_NOT_FOUND, cuModuleGetGlobal(&counter, &bytes, module, "missing"));
    IS(CUDA_ERROR_NOT_FOUND, cuModuleGetTexRef(&texture, module, "missing"));
    IS(CUDA_ERROR_INVALID_HANDLE, cuModuleGetFunction(&found, WRONG, "scale"));
    BAD(cuModuleGetFunction(&found, module, NOWHERE));
    BAD(cuModuleGetFunction(NOWHERE, module, "scale"));

    /* Each module has separate variables. */
    OK(cuModuleGetGlobal(&counter, &bytes, module, "counter"));
    CHECK(bytes == 4);
    OK(cuModuleGetGlobal(&own, NULL, other, "counter"));
    CHECK(counter != own);
    OK(cuModuleGetGlobal(NULL, &bytes, module, "factor"));
    OK(cuModuleGetGlobal(&factor, NULL, module, "factor"));
    OK(cuMemcpyHtoD(factor, &scale, 4));
    OK(cuMemAlloc(&own, 8));
    OK(cuMemcpyHtoD(own, data, 8));
    params[0] = &own;
    params[1] = &n;
    OK(cuLaunchKernel(function("scale"), 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuLaunchKernel(again, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(data, own, 8));
    CHECK(data[0] == 6 && data[1] == 12);
    OK(cuMemcpyDtoH(&value, counter, 4));
    CHECK(value == 2);
    BAD(cuMemFree(counter));
    BAD(cuMemFree(factor));
    OK(cuMemFree(own));

    /* All memory of an unloaded module is free again. */
    OK(cuModuleUnload(other));
    IS(CUDA_ERROR_INVALID_HANDLE, cuModuleUnload(other));
    IS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(again, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuModuleUnload(module));
    OK(cuModuleLoadData(&module, TEXT));
    for (index = 0; index < 100; index++) {
        OK(cuModuleLoadData(&other, TEXT));
        OK(cuModuleGetGlobal(&factor, NULL, other, "factor"));
        OK(cuModuleUnload(other));
    }
    OK(cuMemGetInfo(&left, &all));
    CHECK(left == free_bytes);

    /* Messages go to the buffers, cut to their size. */
    memset(errors, 'x', sizeof(errors));
    IS(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&bad, "nonsense", 5, options, values));
    CHECK(strlen(errors) > 10 && (size_t)values[0] == strlen(errors) && strstr(errors, "program-1.ptx"));
    CHECK(info[0] == 0 && values[3] == 0);
    values[0] = (void *)8;
    IS(CUDA_ERROR_INVALID_PTX, cuModuleLoadDataEx(&bad, "nonsense", 2, options, values));
    CHECK(strlen(errors) == 7 && values[0] == (void *)7);
    OK(cuModuleLoadDataEx(&other, TEXT, 5, options, values));
    OK(cuModuleUnload(other));
    values[1] = NOWHERE;
    values[0] = (void *)8;
    BAD(cuModuleLoadDataEx(&bad, "nonsense", 2, options, values));
    BAD(cuModuleLoadDataEx(&bad, TEXT, 1000000000, options, values));
    BAD(cuModuleLoadDataEx(&bad, TEXT, 2, NOWHERE, values));
    options[0] = (CUjit_option)99;
    BAD(cuModuleLoadDataEx(&bad, TEXT, 1, options, values));
    BAD(cuModuleLoadData(&bad, NULL));
    IS(CUDA_ERROR_INVALID_IMAGE, cuModuleLoadData(&bad, NOWHERE));
    IS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadData(&bad, "\177ELF binary"));
    IS(CUDA_ERROR_NO_BINARY_FOR_GPU, cuModuleLoadFatBinary(&bad, "\x50\xed\x55\xba binary"));
    BAD(cuModuleLoadData(NOWHERE, TEXT));
    IS(CUDA_ERROR_FILE_NOT_FOUND, cuModuleLoad(&bad, "no/such/file.ptx"));
    IS(CUDA_ERROR_INVALID_IMAGE, cuModuleLoad(&bad, "."));
    file = fopen("text.ptx", "w");
    fputs(TEXT, file);
    fclose(file);
    OK(cuModuleLoad(&other, "text.ptx"));
    OK(cuModuleUnload(other));

    /* Two texts that need each other. */
    snprintf(caller, sizeof(caller), "%s.extern .func twice;\n.visible .entry k()\n{\ncall twice;\nret;\n}\n", head);
    snprintf(callee, sizeof(callee), "%s.visible .func twice\n{\nret;\n}\n", head);
    IS(CUDA_ERROR_INVALID_PTX, cuModuleLoadData(&bad, caller));
    OK(cuLinkCreate(0, NULL, NULL, &link));
    BAD(cuLinkComplete(link, &image, &bytes));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, caller, strlen(caller) + 1, "caller", 0, NULL, NULL));
    IS(CUDA_ERROR_INVALID_PTX, cuLinkComplete(link, &image, &bytes));
    OK(cuLinkAddData(link, CU_JIT_INPUT_PTX, callee, strlen(callee), "callee", 0, NULL, NULL));
    IS(CUDA_ERROR_FILE_NOT_FOUND, cuLinkAddFile(link, CU_JIT_INPUT_PTX, "no/such/file", 0, NULL, NULL));
    BAD(cuLinkAddData(link, CU_JIT_INPUT_PTX, NOWHERE, 10, "wrong", 0, NULL, NULL));
    BAD(cuLinkAddData(link, (CUjitInputType)9, callee, 10, "wrong", 0, NULL, NULL));
    OK(cuLinkComplete(link, &image, &bytes));
    BAD(cuLinkComplete(link, &image, &bytes));
    OK(cuModuleLoadData(&other, image));
    OK(cuLinkDestroy(link));
    IS(CUDA_ERROR_INVALID_HANDLE, cuLinkDestroy(link));
    OK(cuModuleGetFunction(&found, other, "k"));
    OK(cuLaunchKernel(found, 1, 1, 1, 1, 1, 1, 0, NULL, NULL, NULL));
    OK(cuCtxDestroy(context));
    IS(CUDA_ERROR_INVALID_CONTEXT, cuModuleUnload(other));
}

static void memory(void)
{
    CUdeviceptr ptr, other, base, device;
    CUcontext owner;
    CUmemorytype kind;
    size_t pitch, bytes, index;
    unsigned char data[256], back[256];
    unsigned short half[4];
    unsigned int words[4], flags;
    void *host, *attributes[3], *found;
    int managed;
    CUpointer_attribute names[] = {CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_HOST_POINTER,
                                   CU_POINTER_ATTRIBUTE_IS_MANAGED};
    begin();
    for (index = 0; index < 256; index++)
        data[index] = (unsigned char)index;
    BAD(cuMemAlloc(&ptr, 0));
    BAD(cuMemAlloc(NOWHERE, 4));
    IS(CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc(&ptr, (size_t)1 << 40));
    OK(cuMemAlloc(&ptr, 256));
    OK(cuMemAlloc(&other, 256));
    OK(cuMemcpyHtoD(ptr, data, 256));
    OK(cuMemcpyDtoD(other, ptr, 256));
    OK(cuMemcpyDtoHAsync(back, other, 256, NULL));
    CHECK(memcmp(data, back, 256) == 0);
    OK(cuMemcpy(other, (CUdeviceptr)(size_t)data, 16));
    BAD(cuMemcpyHtoD(ptr, data, 257));
    BAD(cuMemcpyHtoD(ptr, NOWHERE, 4));
    BAD(cuMemcpyHtoD((CUdeviceptr)-8, data, 4));
    BAD(cuMemcpyDtoH(back, ptr + 255, (size_t)-1));
    IS(CUDA_ERROR_INVALID_HANDLE, cuMemcpyDtoDAsync(other, ptr, 4, WRONG));
    OK(cuMemGetAddressRange(&base, &bytes, ptr + 100));
    CHECK(base == ptr && bytes == 256);
    BAD(cuMemGetAddressRange(&base, &bytes, 5));

    OK(cuMemsetD8(ptr, 0xab, 3));
    OK(cuMemsetD16(ptr + 4, 0x1234, 2));
    OK(cuMemsetD32(ptr + 8, 0xdeadbeef, 2));
    OK(cuMemcpyDtoH(back, ptr, 20));
    memcpy(half, back + 4, 4);
    memcpy(words, back + 8, 12);
    CHECK(back[2] == 0xab && back[3] == 3 && half[0] == 0x1234 && half[1] == 0x1234);
    CHECK(words[0] == 0xdeadbeef && words[1] == 0xdeadbeef && words[2] == 0x13121110);
    BAD(cuMemsetD16(ptr + 1, 1, 1));
    BAD(cuMemsetD32(ptr + 2, 1, 1));
    BAD(cuMemsetD32(ptr, 1, 65));
    BAD(cuMemsetD32(ptr, 1, (size_t)1 << 62));
    OK(cuMemsetD2D16(ptr, 16, 0x0101, 2, 3));
    OK(cuMemsetD2D32Async(ptr + 64, 32, 5, 1, 2, NULL));
    BAD(cuMemsetD2D32(ptr, 2, 5, 1, 2));
    OK(cuMemcpyDtoH(back, ptr, 256));
    CHECK(back[35] == 1 && back[36] == 36 && back[64] == 5 && back[68] == 68 && back[96] == 5);
    OK(cuMemFree(ptr));
    BAD(cuMemFree(ptr));
    BAD(cuMemFree(other + 4));

    BAD(cuMemAllocPitch(&ptr, &pitch, 100, 4, 3));
    BAD(cuMemAllocPitch(&ptr, &pitch, 100, 0, 4));
    OK(cuMemAllocPitch(&ptr, &pitch, 100, 4, 4));
    CHECK(pitch == 512);

    OK(cuMemHostAlloc(&host, 8192, CU_MEMHOSTALLOC_DEVICEMAP));
    OK(cuMemHostGetDevicePointer(&device, host, 0));
    OK(cuMemHostGetFlags(&flags, host));
    CHECK(flags == CU_MEMHOSTALLOC_DEVICEMAP);
    BAD(cuMemHostGetDevicePointer(&device, data, 0));
    BAD(cuMemHostAlloc(&host, 16, 0x80));
    OK(cuMemHostRegister(data, 256, 0));
    IS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(data, 256, 0));
    OK(cuMemHostUnregister(data));
    IS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(data));

    OK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, ptr));
    CHECK(kind == CU_MEMORYTYPE_DEVICE);
    OK(cuPointerGetAttribute(&owner, CU_POINTER_ATTRIBUTE_CONTEXT, ptr));
    CHECK(owner == context);
    OK(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)host));
    CHECK(kind == CU_MEMORYTYPE_HOST);
    BAD(cuPointerGetAttribute(&kind, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)(size_t)data));
    BAD(cuPointerGetAttribute(&found, CU_POINTER_ATTRIBUTE_HOST_POINTER, ptr));
    BAD(cuPointerGetAttribute(&found, (CUpointer_attribute)50, ptr));
    attributes[0] = &kind;
    attributes[1] = &found;
    attributes[2] = &managed;
    OK(cuPointerGetAttributes(3, names, attributes, (CUdeviceptr)(size_t)data));
    CHECK(kind == 0 && found == NULL && managed == 0);
    OK(cuPointerGetAttributes(2, names, attributes, (CUdeviceptr)(size_t)host + 5));
    CHECK(kind == CU_MEMORYTYPE_HOST && found == (char *)host + 5);
    BAD(cuPointerGetAttributes(0, names, attributes, ptr));
    BAD(cuPointerGetAttributes(3, NOWHERE, attributes, ptr));
    OK(cuMemFreeHost(host));
    OK(cuCtxDestroy(context));
}

static void copies(void)
{
    CUarray array, volume, layered;
    CUDA_ARRAY_DESCRIPTOR plane = {8, 4, CU_AD_FORMAT_UNSIGNED_INT8, 2};
    CUDA_ARRAY3D_DESCRIPTOR box = {4, 3, 2, CU_AD_FORMAT_FLOAT, 1, 0};
    CUDA_MEMCPY2D copy;
    CUDA_MEMCPY3D copy3;
    CUdeviceptr ptr;
    unsigned char data[64], back[64];
    float floats[24], values[24];
    int index;
    begin();
    for (index = 0; index < 64; index++)
        data[index] = (unsigned char)index;
    for (index = 0; index < 24; index++)
        floats[index] = (float)index;
    OK(cuArrayCreate(&array, &plane));
    OK(cuArray3DCreate(&volume, &box));
    memset(&plane, 0, sizeof(plane));
    memset(&box, 0, sizeof(box));
    OK(cuArrayGetDescriptor(&plane, array));
    CHECK(plane.Width == 8 && plane.Height == 4 && plane.Format == CU_AD_FORMAT_UNSIGNED_INT8 && plane.NumChannels == 2);
    OK(cuArray3DGetDescriptor(&box, volume));
    CHECK(box.Depth == 2 && box.Format == CU_AD_FORMAT_FLOAT && box.NumChannels == 1 && box.Flags == 0);
    box.Flags = CUDA_ARRAY3D_LAYERED;
    OK(cuArray3DCreate(&layered, &box));
    OK(cuArrayDestroy(layered));
    plane.NumChannels = 3;
    BAD(cuArrayCreate(&array, &plane));
    plane.NumChannels = 1;
    plane.Format = (CUarray_format)77;
    BAD(cuArrayCreate(&array, &plane));
    plane.Format = CU_AD_FORMAT_FLOAT;
    plane.Width = (size_t)-1;
    BAD(cuArrayCreate(&array, &plane));
    BAD(cuArrayCreate(&array, NOWHERE));
    IS(CUDA_ERROR_INVALID_HANDLE, cuArrayGetDescriptor(&plane, WRONG));

    OK(cuMemcpyHtoA(array, 0, data, 64));
    OK(cuMemcpyAtoH(back, array, 16, 8));
    CHECK(back[0] == 16 && back[7] == 23);
    BAD(cuMemcpyHtoA(array, 60, data, 5));
    OK(cuMemAlloc(&ptr, 256));
    OK(cuMemcpyAtoD(ptr, array, 4, 4));
    OK(cuMemcpyDtoA(array, 0, ptr, 4));
    OK(cuMemcpyAtoA(array, 8, array, 0, 4));
    OK(cuMemcpyAtoH(back, array, 0, 12));
    CHECK(back[0] == 4 && back[3] == 7 && back[8] == 4);

    /* From the host to a position in the array, and back with another pitch. */
    OK(cuMemcpyHtoA(array, 0, data, 64));
    memset(&copy, 0, sizeof(copy));
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = data;
    copy.srcPitch = 8;
    copy.srcXInBytes = 2;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy.dstArray = array;
    copy.dstXInBytes = 4;
    copy.dstY = 2;
    copy.WidthInBytes = 4;
    copy.Height = 2;
    OK(cuMemcpy2D(&copy));
    OK(cuMemcpyAtoH(back, array, 0, 64));
    CHECK(back[36] == 10 && back[39] == 13 && back[52] == 18 && back[40] == 40);
    copy.Height = 3;
    BAD(cuMemcpy2D(&copy));
    copy.dstMemoryType = (CUmemorytype)9;
    BAD(cuMemcpy2D(&copy));
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = ptr;
    copy.dstPitch = 2;
    copy.Height = 2;
    BAD(cuMemcpy2DUnaligned(&copy));
    copy.dstPitch = 16;
    copy.dstY = (size_t)-1;
    BAD(cuMemcpy2D(&copy));
    copy.dstY = 0;
    OK(cuMemcpy2DAsync(&copy, NULL));
    BAD(cuMemcpy2D(NOWHERE));

    memset(&copy3, 0, sizeof(copy3));
    copy3.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy3.srcHost = floats;
    copy3.srcPitch = 16;
    copy3.srcHeight = 3;
    copy3.dstMemoryType = CU_MEMORYTYPE_ARRAY;
    copy3.dstArray = volume;
    copy3.WidthInBytes = 16;
    copy3.Height = 3;
    copy3.Depth = 2;
    OK(cuMemcpy3D(&copy3));
    copy3.srcMemoryType = CU_MEMORYTYPE_ARRAY;
    copy3.srcArray = volume;
    copy3.srcZ = 1;
    copy3.srcXInBytes = 4;
    copy3.dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    copy3.dstDevice = ptr;
    copy3.dstPitch = 8;
    copy3.dstHeight = 3;
    copy3.WidthInBytes = 8;
    copy3.Depth = 1;
    OK(cuMemcpy3DAsync(&copy3, NULL));
    OK(cuMemcpyDtoH(values, ptr, 24));
    CHECK(values[0] == 13 && values[1] == 14 && values[2] == 17 && values[5] == 22);
    copy3.srcLOD = 1;
    BAD(cuMemcpy3D(&copy3));
    OK(cuArrayDestroy(array));
    IS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(array));
    IS(CUDA_ERROR_INVALID_HANDLE, cuArrayDestroy(NULL));
    OK(cuCtxDestroy(context));
}

static size_t shared_for(int block)
{
    return (size_t)block * 64;
}

static void CUDA_CB called(CUstream stream, CUresult status, void *data)
{
    CUdeviceptr ptr;
    CHECK(stream != NULL && status == CUDA_SUCCESS);
    OK(cuMemAlloc(&ptr, 4));
    *(int *)data = 1;
}

static void streams(void)
{
    CUstream stream;
    CUevent start, end;
    CUdeviceptr ptr;
    unsigned int flags;
    int priority = 9, seen = 0;
    float ms = -1;
    begin();
    BAD(cuStreamCreate(&stream, 8));
    OK(cuStreamCreateWithPriority(&stream, CU_STREAM_NON_BLOCKING, -1));
    OK(cuStreamGetFlags(stream, &flags));
    OK(cuStreamGetPriority(stream, &priority));
    CHECK(flags == CU_STREAM_NON_BLOCKING && priority == 0);
    OK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    OK(cuEventCreate(&end, CU_EVENT_BLOCKING_SYNC));
    BAD(cuEventCreate(&end, 64));
    OK(cuMemAlloc(&ptr, 1 << 20));
    IS(CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime(&ms, start, end));
    OK(cuEventRecord(start, stream));
    OK(cuMemsetD8Async(ptr, 1, 1 << 20, stream));
    OK(cuEventRecord(end, stream));
    OK(cuStreamWaitEvent(NULL, end, 0));
    OK(cuEventSynchronize(end));
    OK(cuEventQuery(end));
    OK(cuEventElapsedTime(&ms, start, end));
    CHECK(ms > 0.001f && ms < 1.0f);
    OK(cuStreamAddCallback(stream, called, &seen, 0));
    CHECK(seen == 1);
    BAD(cuStreamAddCallback(stream, NULL, &seen, 0));
    OK(cuStreamQuery(stream));
    OK(cuStreamSynchronize(stream));
    IS(CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize(WRONG));
    IS(CUDA_ERROR_INVALID_HANDLE, cuEventRecord(WRONG, stream));
    OK(cuStreamDestroy(stream));
    IS(CUDA_ERROR_INVALID_HANDLE, cuStreamDestroy(stream));
    OK(cuEventDestroy(start));
    IS(CUDA_ERROR_INVALID_HANDLE, cuEventDestroy(start));
    OK(cuCtxDestroy(context));
}

static void kernels(void)
{
    CUfunction scale, add, wrong;
    CUdeviceptr ptr;
    float data[64], x = 0.5f;
    unsigned int n = 64;
    int value, grid, block, index;
    char buffer[16];
    size_t size = 12;
    void *params[2];
    void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, buffer, CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
    void *endless[32];
    begin();
    scale = function("scale");
    add = function("add");
    wrong = function("wrong");
    for (index = 0; index < 64; index++)
        data[index] = (float)index;
    OK(cuMemAlloc(&ptr, sizeof(data)));
    OK(cuMemcpyHtoD(ptr, data, sizeof(data)));
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, scale));
    CHECK(value == 1024);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES, scale));
    CHECK(value == 4);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, scale));
    CHECK(value > 2 && value < 32);
    OK(cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_PTX_VERSION, scale));
    CHECK(value == 20);
    BAD(cuFuncGetAttribute(&value, (CUfunction_attribute)99, scale));
    IS(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, WRONG));
    IS(CUDA_ERROR_INVALID_HANDLE, cuFuncGetAttribute(&value, CU_FUNC_ATTRIBUTE_NUM_REGS, (CUfunction)"scale"));
    OK(cuFuncSetCacheConfig(scale, CU_FUNC_CACHE_PREFER_SHARED));
    BAD(cuFuncSetCacheConfig(scale, (CUfunc_cache)9));

    /* Pointers to the parameters. */
    params[0] = &ptr;
    params[1] = &n;
    OK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(data, ptr, sizeof(data)));
    CHECK(data[63] == 126);
    BAD(cuLaunchKernel(scale, 0, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    BAD(cuLaunchKernel(scale, 1, 1, 1, 1025, 1, 1, 0, NULL, params, NULL));
    BAD(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 1 << 20, NULL, params, NULL));
    BAD(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, NULL, NULL, NULL));
    BAD(cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, NULL, NOWHERE, NULL));
    IS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(NULL, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    IS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(WRONG, 1, 1, 1, 32, 1, 1, 0, NULL, params, NULL));
    IS(CUDA_ERROR_INVALID_HANDLE, cuLaunchKernel(scale, 1, 1, 1, 32, 1, 1, 0, WRONG, params, NULL));

    /* A buffer with the parameters. */
    memcpy(buffer, &ptr, 8);
    memcpy(buffer + 8, &n, 4);
    OK(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    BAD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, params, extra));
    size = 11;
    BAD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    size = (size_t)-1;
    BAD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    extra[0] = (void *)7;
    BAD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, extra));
    for (index = 0; index < 32; index++)
        endless[index] = index % 2 ? (void *)buffer : CU_LAUNCH_PARAM_BUFFER_POINTER;
    BAD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, endless));
    BAD(cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, NULL, NULL, NOWHERE));
    OK(cuMemcpyDtoH(data, ptr, sizeof(data)));
    CHECK(data[1] == 4 && data[63] == 252);

    /* The calls of CUDA 2 and 3. */
    BAD(cuLaunchGrid(add, 1, 1));
    OK(cuFuncSetBlockShape(add, 1, 1, 1));
    BAD(cuFuncSetBlockShape(add, 0, 1, 1));
    BAD(cuFuncSetBlockShape(add, -1, 1, 1));
    BAD(cuLaunchGrid(add, 1, 1));
    OK(cuParamSetf(add, 0, x));
    OK(cuParamSetv(add, 8, &ptr, 8));
    OK(cuParamSetSize(add, 16));
    OK(cuFuncSetSharedSize(add, 64));
    OK(cuLaunch(add));
    OK(cuLaunchGridAsync(add, 1, 1, NULL));
    BAD(cuLaunchGrid(add, -1, 1));
    OK(cuMemcpyDtoH(data, ptr, 4));
    CHECK(data[0] == 1.0f);
    OK(cuFuncSetBlockShape(scale, 32, 2, 1));
    OK(cuParamSetv(scale, 0, &ptr, 8));
    OK(cuParamSeti(scale, 8, 2));
    OK(cuLaunchGrid(scale, 1, 1));
    BAD(cuParamSetSize(scale, 0xffffffff));
    BAD(cuParamSeti(scale, -4, 1));
    BAD(cuParamSetv(scale, 0x7fffffff, &ptr, 0xffffffff));
    BAD(cuParamSetv(scale, 0, NOWHERE, 8));
    BAD(cuParamSetTexRef(scale, CU_PARAM_TR_DEFAULT, WRONG));
    IS(CUDA_ERROR_INVALID_HANDLE, cuParamSeti(WRONG, 0, 1));

    OK(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, 256, 0));
    CHECK(value == 6);
    OK(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&value, scale, 256, 16384, 0));
    CHECK(value == 3);
    BAD(cuOccupancyMaxActiveBlocksPerMultiprocessor(&value, scale, -1, 0));
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, NULL, 0, 0));
    CHECK(block == 768 && grid % 2 == 0);
    OK(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, shared_for, 0, 100));
    CHECK(block == 96);
    BAD(cuOccupancyMaxPotentialBlockSize(&grid, &block, scale, NULL, 0, -1));
    BAD(cuOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, scale, NULL, 0, 0, 9));

    /* Errors of the driver API are not those of the runtime API. */
    CHECK(cudaGetLastError() == 0);

    /* After a trap, all calls of the context fail until it is destroyed. */
    ptr = 64;
    params[0] = &ptr;
    OK(cuLaunchKernel(wrong, 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    IS(CUDA_ERROR_ILLEGAL_ADDRESS, cuCtxSynchronize());
    IS(CUDA_ERROR_ILLEGAL_ADDRESS, cuMemAlloc(&ptr, 4));
    IS(CUDA_ERROR_ILLEGAL_ADDRESS, cuModuleUnload(module));
    OK(cuCtxDestroy(context));
    OK(cuCtxCreate(&context, 0, 0));
    OK(cuMemAlloc(&ptr, 4));
    OK(cuCtxDestroy(context));
}

static float fetch(CUdeviceptr out, float x, float y)
{
    float value = -1;
    void *params[] = {&out, &x, &y};
    OK(cuLaunchKernel(function("fetch"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyDtoH(&value, out, 4));
    return value;
}

static void textures(void)
{
    CUtexref texture, own;
    CUsurfref surface;
    CUarray array, bytes, found;
    CUDA_ARRAY_DESCRIPTOR plane = {4, 2, CU_AD_FORMAT_FLOAT, 1};
    CUDA_ARRAY_DESCRIPTOR small = {4, 2, CU_AD_FORMAT_UNSIGNED_INT8, 1};
    CUDA_ARRAY3D_DESCRIPTOR box = {4, 2, 0, CU_AD_FORMAT_UNSIGNED_INT32, 1, CUDA_ARRAY3D_SURFACE_LDST};
    CUdeviceptr out, ptr, address;
    CUaddress_mode mode;
    CUfilter_mode filter;
    CUarray_format format;
    int channels;
    unsigned int flags, stored = 77, words[8];
    size_t offset = 9;
    float data[8] = {0, 1, 2, 3, 10, 11, 12, 13};
    unsigned char levels[8] = {0, 51, 102, 153, 204, 255, 0, 0};
    void *params[] = {&stored};
    begin();
    OK(cuModuleUnload(module));
    OK(cuModuleLoadData(&module, TEXTURE));
    OK(cuMemAlloc(&out, 4));
    OK(cuModuleGetTexRef(&texture, module, "picture"));
    OK(cuArrayCreate(&array, &plane));
    OK(cuMemcpyHtoA(array, 0, data, 32));
    OK(cuTexRefSetArray(texture, array, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefGetArray(&found, texture));
    CHECK(found == array);
    BAD(cuTexRefGetAddress(&address, texture));
    CHECK(fetch(out, 1.5f, 1.5f) == 11);
    OK(cuTexRefSetFilterMode(texture, CU_TR_FILTER_MODE_LINEAR));
    CHECK(fetch(out, 2.0f, 0.5f) == 1.5f);
    OK(cuTexRefSetFlags(texture, CU_TRSF_NORMALIZED_COORDINATES));
    OK(cuTexRefSetAddressMode(texture, 0, CU_TR_ADDRESS_MODE_WRAP));
    CHECK(fetch(out, 1.0f + 1.5f / 4, 0.25f) == 1);
    OK(cuTexRefGetAddressMode(&mode, texture, 0));
    OK(cuTexRefGetFilterMode(&filter, texture));
    OK(cuTexRefGetFlags(&flags, texture));
    OK(cuTexRefGetFormat(&format, &channels, texture));
    CHECK(mode == CU_TR_ADDRESS_MODE_WRAP && filter == CU_TR_FILTER_MODE_LINEAR);
    CHECK(flags == CU_TRSF_NORMALIZED_COORDINATES && format == CU_AD_FORMAT_FLOAT && channels == 1);
    BAD(cuTexRefSetAddressMode(texture, 3, CU_TR_ADDRESS_MODE_WRAP));
    BAD(cuTexRefSetAddressMode(texture, 0, (CUaddress_mode)8));
    BAD(cuTexRefSetFilterMode(texture, (CUfilter_mode)8));
    BAD(cuTexRefSetFlags(texture, 0x1000));
    BAD(cuTexRefSetFormat(texture, (CUarray_format)5, 1));
    IS(CUDA_ERROR_NOT_SUPPORTED, cuTexRefSetFlags(texture, CU_TRSF_SRGB));
    IS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags(WRONG, 0));
    IS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetArray(texture, WRONG, CU_TRSA_OVERRIDE_FORMAT));

    /* Bytes are read as numbers from 0 to 1. */
    OK(cuTexRefSetFlags(texture, 0));
    OK(cuArrayCreate(&bytes, &small));
    OK(cuMemcpyHtoA(bytes, 0, levels, 8));
    OK(cuTexRefSetArray(texture, bytes, CU_TRSA_OVERRIDE_FORMAT));
    OK(cuTexRefSetFilterMode(texture, CU_TR_FILTER_MODE_POINT));
    CHECK(fetch(out, 1.5f, 0.5f) == 0.2f);

    /* Linear memory with rows. */
    OK(cuMemAlloc(&ptr, 1024));
    OK(cuMemcpyHtoD(ptr, data, 16));
    OK(cuMemcpyHtoD(ptr + 512, data + 4, 16));
    OK(cuTexRefSetAddress2D(texture, &plane, ptr, 512));
    CHECK(fetch(out, 3.5f, 1.5f) == 13);
    OK(cuTexRefGetAddress(&address, texture));
    CHECK(address == ptr);
    BAD(cuTexRefSetAddress2D(texture, &plane, 5, 512));
    BAD(cuTexRefSetAddress2D(texture, NOWHERE, ptr, 512));
    OK(cuTexRefSetAddress(&offset, texture, ptr, 1024));
    CHECK(offset == 0);
    BAD(cuTexRefSetAddress(&offset, texture, 5, 16));
    OK(cuTexRefCreate(&own));
    OK(cuTexRefSetFormat(own, CU_AD_FORMAT_SIGNED_INT16, 4));
    OK(cuTexRefDestroy(own));
    IS(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(own));
    IS(CUDA_ERROR_INVALID_HANDLE, cuTexRefDestroy(texture));

    OK(cuModuleGetSurfRef(&surface, module, "plane"));
    OK(cuArray3DCreate(&array, &box));
    BAD(cuSurfRefGetArray(&found, surface));
    OK(cuSurfRefSetArray(surface, array, 0));
    BAD(cuSurfRefSetArray(surface, array, 5));
    IS(CUDA_ERROR_INVALID_HANDLE, cuSurfRefSetArray(surface, WRONG, 0));
    OK(cuSurfRefGetArray(&found, surface));
    CHECK(found == array);
    OK(cuLaunchKernel(function("store"), 1, 1, 1, 1, 1, 1, 0, NULL, params, NULL));
    OK(cuMemcpyAtoH(words, array, 0, 32));
    CHECK(words[5] == 77);
    OK(cuCtxDestroy(context));
    OK(cuCtxCreate(&context, 0, 0));
    IS(CUDA_ERROR_INVALID_HANDLE, cuTexRefSetFlags(texture, 0));
    OK(cuCtxDestroy(context));
}

int main(int count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } groups[] = {
        {"devices", devices}, {"contexts", contexts}, {"limits", limits},   {"modules", modules},   {"memory", memory},
        {"copies", copies},   {"streams", streams},   {"kernels", kernels}, {"textures", textures},
    };
    size_t index;
    for (index = 0; count == 2 && index < sizeof(groups) / sizeof(groups[0]); index++) {
        if (strcmp(arguments[1], groups[index].name) == 0) {
            groups[index].run();
            printf("%s passed\n", arguments[1]);
            return 0;
        }
    }
    return 2;
}
