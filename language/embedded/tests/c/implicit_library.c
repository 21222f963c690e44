// Functions of the library and of the system that no header declares.
#include <stdio.h>
struct node { int v; };
struct node *access(int x) { static struct node n; n.v = x; return &n; }
int main(int argc, char **argv)
{
    extern char *optarg;
    int option, file = open("no such file", 0);
    char byte;
    if (file >= 0) close(file);
    printf("%d %ld\n", file, (long)read(file, &byte, 1));
    while ((option = getopt(argc, argv, "i:")) != EOF) printf("%c %s\n", option, optarg);
    usleep(1);
    printf("%d\n", access(3)->v);
    return 0;
}
