//! The text of `warpcc --help`.

/// The text of `--help`.
pub const HELP: &str = "\
warpcc: compiles CUDA C programs for warpsim, with the options of nvcc

  warpcc program.cu -o program        compile and link; the GPU of ./program is simulated
  warpcc -c file.cu -o file.o         compile one file
  warpcc -ptx file.cu -o file.ptx     device code only, as PTX
  make NVCC=warpcc                    with the Makefile of a program
  warpcc --toolkit cuda && make CUDA_PATH=$PWD/cuda    if the Makefile links with g++

Results:      -c  -dc  -dlink  -ptx  -E  -M  -MM  -lib  -shared  -o FILE  -odir DIR
Compiler:     -I DIR  -D NAME=VALUE  -U NAME  -include FILE  -isystem DIR  -std=c++14  -O2  -g  -x cu
              -Xcompiler LIST  -MD  -MMD  -MF FILE  -W...  -f...
Device code:  -use_fast_math  -ftz=  -prec-div=  -prec-sqrt=  -fmad=  -maxrregcount N  -rdc=true
              -Xptxas -v (registers and shared memory of each kernel)  --device-arch sm_30
Linker:       -L DIR  -l NAME  -Xlinker LIST
This program: --clang PATH  --lib=DIR (folder of libwarpsim_cuda)  --headers (prints their folder)
              --keep  --keep-dir DIR  --dryrun  -v  --version  @FILE
              --toolkit DIR (a folder that build systems accept as a CUDA toolkit)
No effect:    -arch  -code  -gencode (device code is compiled for sm_20 and fits each chip)  -m64
              -lineinfo  -ccbin  -G  -lcudart  -lcuda

Environment:  WARPSIM_CLANG, WARPSIM_LIB, WARPSIM_CACHE (folder of the headers), WARPSIM_DEVICE_ARCH
Exit codes:   0 success; 1 a file cannot be compiled or linked; 2 wrong arguments, or clang or
              libwarpsim_cuda is missing
";
