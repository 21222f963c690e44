#include <stdio.h>
__global__ void k(int *p,int n){ int x; int y=3; if(threadIdx.x<n)p[0]=x; return; }
int f(int a){ int q=a; }
int main(int argc,char**argv){int unused; unsigned u=3; int z=-1; if(z<u) printf("%s\n",3);return 0;}
