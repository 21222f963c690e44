// <unistd.h>: descriptors of files. `fcntl`, `fork` and pipes are no part of it.
#include <__getopt>
#include <errno.h>
#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
extern "C" {
ssize_t read(int file, void *to, size_t size);
ssize_t write(int file, const void *from, size_t size);
int close(int file);
off_t lseek(int file, off_t offset, int from);
int ftruncate(int file, off_t size);
int open(const char *path, int how, ...);
int access(const char *path, int mode);
int rmdir(const char *path);
}
inline int truncate(const char *path, off_t size) {
    // 1: O_WRONLY.
    int file = open(path, 1);
    if (file < 0) return -1;
    int failed = ftruncate(file, size);
    if (close(file) != 0) return -1;
    return failed;
}
// The folder of the program has this name.
#define __WS_FOLDER "/warpsim"
inline char *getcwd(char *to, size_t size) {
    size_t needed = sizeof(__WS_FOLDER), room = to == 0 && size == 0 ? needed : size;
    if (room < needed) {
        errno = room == 0 ? EINVAL : ERANGE;
        return 0;
    }
    if (to == 0) to = (char *)malloc(room);
    return to ? strcpy(to, __WS_FOLDER) : 0;
}
inline char *get_current_dir_name(void) { return getcwd(0, 0); }
