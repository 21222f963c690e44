// <dirent.h>: the names in a folder, in the order of their bytes behind `.` and `..`.
#define DT_UNKNOWN 0
#define DT_DIR 4
#define DT_REG 8
#include <sys/stat.h>
struct dirent {
    unsigned char d_type;
    char d_name[256];
};
typedef struct __ws_dir {
    char *names;
    char *next;
    int dots;
    char *path;
    struct dirent entry;
} DIR;
extern "C" char *__ws_list(const char *path);
inline DIR *opendir(const char *path) {
    char *names = __ws_list(path);
    if (!names) return 0;
    DIR *made = (DIR *)malloc(sizeof(DIR));
    made->names = made->next = names;
    made->dots = 0;
    made->path = (char *)malloc(strlen(path) + 258);
    strcpy(made->path, path);
    return made;
}
inline struct dirent *readdir(DIR *from) {
    if (from->dots < 2) {
        from->dots++;
        strcpy(from->entry.d_name, from->dots == 1 ? "." : "..");
        from->entry.d_type = DT_DIR;
        return &from->entry;
    }
    if (!*from->next) return 0;
    strncpy(from->entry.d_name, from->next, 255);
    from->entry.d_name[255] = 0;
    from->next += strlen(from->next) + 1;
    size_t end = strlen(from->path);
    from->path[end] = '/';
    strcpy(from->path + end + 1, from->entry.d_name);
    struct stat found;
    from->entry.d_type = stat(from->path, &found) ? DT_UNKNOWN : S_ISDIR(found.st_mode) ? DT_DIR : DT_REG;
    from->path[end] = 0;
    return &from->entry;
}
inline void rewinddir(DIR *from) {
    from->next = from->names;
    from->dots = 0;
}
inline int closedir(DIR *from) {
    free(from->names);
    free(from->path);
    free(from);
    return 0;
}
