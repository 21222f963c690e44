// <sys/stat.h>: the kind and the size of a file. A program learns nothing else of it.
typedef unsigned int mode_t;
typedef long blksize_t;
typedef long blkcnt_t;
#define S_IFMT 0170000
#define S_IFDIR 0040000
#define S_IFCHR 0020000
#define S_IFREG 0100000
#define S_IFIFO 0010000
#define S_ISDIR(mode) (((mode) & S_IFMT) == S_IFDIR)
#define S_ISREG(mode) (((mode) & S_IFMT) == S_IFREG)
#define S_ISCHR(mode) (((mode) & S_IFMT) == S_IFCHR)
#define S_ISFIFO(mode) (((mode) & S_IFMT) == S_IFIFO)
#define S_ISLNK(mode) 0
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXG 0070
#define S_IROTH 0004
#define S_IWOTH 0002
#define S_IXOTH 0001
#define S_IRWXO 0007
struct stat {
    mode_t st_mode;
    off_t st_size;
    blksize_t st_blksize;
    blkcnt_t st_blocks;
};
extern "C" {
int stat(const char *path, struct stat *to);
int lstat(const char *path, struct stat *to);
int fstat(int file, struct stat *to);
int mkdir(const char *path, mode_t mode);
}
