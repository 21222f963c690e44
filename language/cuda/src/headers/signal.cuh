// <signal.h>: a handler runs when the program calls `raise`. What stops a run - an error that is
// found, Ctrl-C, the limit of instructions - ends the program without it.
#include <errno.h>
typedef int sig_atomic_t;
typedef void (*__sighandler_t)(int);
typedef __sighandler_t sighandler_t;
#define SIG_DFL ((__sighandler_t)0)
#define SIG_IGN ((__sighandler_t)1)
#define SIG_ERR ((__sighandler_t)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGTRAP 5
#define SIGABRT 6
#define SIGBUS 7
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIGCONT 18
#define SIGSTOP 19
#define SIGURG 23
#define SIGWINCH 28
inline __sighandler_t *__ws_handlers() {
    static __sighandler_t list[65];
    return list;
}
inline __sighandler_t signal(int number, __sighandler_t handler) {
    if (number < 1 || number > 64 || number == SIGKILL || number == SIGSTOP) {
        errno = EINVAL;
        return SIG_ERR;
    }
    __sighandler_t before = __ws_handlers()[number];
    __ws_handlers()[number] = handler;
    return before;
}
inline int raise(int number) {
    if (number < 1 || number > 64) {
        errno = EINVAL;
        return -1;
    }
    __sighandler_t handler = __ws_handlers()[number];
    if (handler == SIG_IGN) return 0;
    if (handler != SIG_DFL) {
        handler(number);
        return 0;
    }
    if (number == SIGCHLD || number == SIGCONT || number == SIGURG || number == SIGWINCH) return 0;
    if (number == SIGABRT) abort();
    _exit(128 + number);
    return 0;
}
#ifndef __WARPSIM_C__
namespace std {
using ::signal;
using ::raise;
using ::sig_atomic_t;
}
#endif
