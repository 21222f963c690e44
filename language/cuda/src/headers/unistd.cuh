// <unistd.h>: descriptors of files. `fcntl`, `fork` and pipes are no part of it.
#include <__getopt>
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
int access(const char *path, int mode);
int rmdir(const char *path);
}
// The current folder has no name: "." is where files are.
inline char *getcwd(char *to, size_t size) {
    if (to == 0) to = (char *)malloc(size > 2 ? size : 2);
    to[0] = '.';
    to[1] = 0;
    return to;
}
