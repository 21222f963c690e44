// <sys/utsname.h>: the same system on every computer.
#include <errno.h>
struct utsname {
    char sysname[65];
    char nodename[65];
    char release[65];
    char version[65];
    char machine[65];
};
inline int uname(struct utsname *to) {
    if (to == 0) {
        // EFAULT.
        errno = 14;
        return -1;
    }
    strcpy(to->sysname, "Linux");
    strcpy(to->nodename, "warpsim");
    strcpy(to->release, "6.1.0");
    strcpy(to->version, "#1 SMP");
    strcpy(to->machine, "x86_64");
    return 0;
}
