// Functions of the library and of the system that no header declares.
#include <stdio.h>
int main(int argc, char **argv)
{
    extern char *optarg;
    int option, file = open("no such file", 0);
    char byte;
    if (file >= 0) close(file);
    printf("%d %ld\n", file, (long)read(file, &byte, 1));
    while ((option = getopt(argc, argv, "i:")) != EOF) printf("%c %s\n", option, optarg);
    usleep(1);
    return 0;
}
