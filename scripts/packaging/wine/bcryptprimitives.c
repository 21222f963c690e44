/* The one function of bcryptprimitives.dll that Rust's standard library uses, for a Wine that does
   not have this part of Windows (before Wine 9). Windows has it since version 8. */
#include <stddef.h>

__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *bytes, unsigned long length);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t length)
{
    return SystemFunction036(bytes, (unsigned long)length);
}
