// Files by their descriptors, folders, and <inttypes.h>.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <inttypes.h>
#include <dirent.h>
int main() {
    uint64_t u = UINT64_C(18446744073709551615);
    int64_t i = INT64_MIN;
    uint32_t w = 7;
    printf("%" PRIu64 " %" PRId64 " %" PRIx64 " %" PRIu32 " %08" PRIX32 " %" PRIuPTR "\n", u, i, u,
           w, w, (uintptr_t)5);
    int64_t scanned;
    sscanf("-12345678901", "%" SCNd64, &scanned);
    printf("%" PRIi64 "\n", scanned);
    rmdir("tdir/sub");
    unlink("tdir/x.txt");
    rmdir("tdir");
    printf("%d\n", mkdir("tdir", 0755));
    int r = mkdir("tdir", 0755);
    printf("%d %d\n", r, errno == EEXIST);
    int fd = open("tdir/x.txt", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    printf("%d %zd\n", fd, write(fd, "hello\nworld\n", 12));
    printf("%d\n", close(fd));
    r = open("tdir/x.txt", O_CREAT | O_EXCL | O_RDWR, 0644);
    printf("%d %d\n", r, errno == EEXIST);
    fd = open("tdir/x.txt", O_RDWR);
    char buf[32] = {0};
    ssize_t got = read(fd, buf, 5);
    printf("%zd", got);
    long end = lseek(fd, 0, SEEK_END);
    printf("%s %ld\n", buf, end);
    lseek(fd, 6, SEEK_SET);
    printf("%zd ", read(fd, buf, 31));
    printf("%s", buf);
    printf("%zd\n", read(fd, buf, 31));
    struct stat st;
    r = fstat(fd, &st);
    printf("%d %ld %d\n", r, (long)st.st_size, S_ISREG(st.st_mode));
    lseek(fd, 0, SEEK_SET);
    write(fd, "J", 1);
    close(fd);
    r = stat("tdir", &st);
    printf("%d %d\n", r, S_ISDIR(st.st_mode));
    printf("%d\n", stat("none", &st));
    printf("%d %d %d\n", access("tdir/x.txt", R_OK), access("none", F_OK),
           access("tdir/x.txt", F_OK | W_OK));
    fd = open("tdir/x.txt", O_RDONLY | O_APPEND);
    FILE *f = fdopen(fd, "r");
    char *line = 0;
    size_t cap = 0;
    ssize_t n;
    while ((n = getline(&line, &cap, f)) != -1)
        printf("%zd:%s", n, line);
    free(line);
    fclose(f);
    got = write(99, "x", 1);
    printf("%zd %d\n", got, errno == EBADF);
    r = open("none", O_RDONLY);
    printf("%d %d\n", r, errno == ENOENT);
    fd = open("tdir/x.txt", O_WRONLY | O_APPEND);
    write(fd, "!\n", 2);
    close(fd);
    f = fopen("tdir/x.txt", "r");
    char l2[64];
    while (fgets(l2, 64, f))
        fputs(l2, stdout);
    fclose(f);
    mkdir("tdir/sub", 0700);
    r = rmdir("tdir");
    printf("%d %d\n", r, errno == ENOTEMPTY);
    DIR *d = opendir("tdir");
    int count = 0;
    struct dirent *e;
    while ((e = readdir(d)))
        if (e->d_name[0] != '.')
            count += strlen(e->d_name);
    closedir(d);
    printf("%d\n", count);
    printf("%d", unlink("tdir/x.txt"));
    printf("%d", rmdir("tdir/sub"));
    printf("%d\n", rmdir("tdir"));
    printf("%d\n", opendir("tdir") == 0);
    write(1, "", 0);
    fflush(stdout);
    void *p = 0;
    r = posix_memalign(&p, 64, 100);
    printf("%d %d\n", r, (int)((uintptr_t)p % 64));
    free(p);
    p = aligned_alloc(32, 64);
    free(p);
    imaxdiv_t dv = imaxdiv(17, 5);
    printf("%d %d %jd\n", (int)dv.quot, (int)dv.rem, imaxabs(-4));
    return 0;
}
