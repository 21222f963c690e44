/* Command line and file names, with the interface of NVIDIA's samples. */
#ifndef WARPCC_HELPER_STRING_H
#define WARPCC_HELPER_STRING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <string>

#ifndef STRCASECMP
#define STRCASECMP strcasecmp
#endif
#ifndef STRNCASECMP
#define STRNCASECMP strncasecmp
#endif
#ifndef STRCPY
#define STRCPY(to, size, from) strcpy(to, from)
#endif
#ifndef FOPEN
#define FOPEN(file, name, mode) (file = fopen(name, mode))
#endif
#ifndef FOPEN_FAIL
#define FOPEN_FAIL(file) (file == NULL)
#endif
#ifndef SSCANF
#define SSCANF sscanf
#endif
#ifndef SPRINTF
#define SPRINTF sprintf
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

inline int stringRemoveDelimiter(char delimiter, const char *string) {
    int start = 0;
    while (string[start] == delimiter) start++;
    return string[start] == 0 ? 0 : start;
}

inline int getFileExtension(char *filename, char **extension) {
    char *dot = strrchr(filename, '.');
    *extension = dot ? dot + 1 : filename + strlen(filename);
    return (int)(*extension - filename);
}

/* The text after `name` in an argument `-name` or `-name=value`; NULL if it is another one. */
inline const char *warpcc_argument(const char *argument, const char *name) {
    if (argument[0] != '-') return NULL;
    const char *text = argument + stringRemoveDelimiter('-', argument);
    size_t length = strlen(name);
    if (strncasecmp(text, name, length) != 0) return NULL;
    return text[length] == 0 || text[length] == '=' ? text + length : NULL;
}

inline bool checkCmdLineFlag(const int argc, const char **argv, const char *name) {
    for (int i = 1; i < argc; i++)
        if (warpcc_argument(argv[i], name)) return true;
    return false;
}

template <class T>
inline bool getCmdLineArgumentValue(const int argc, const char **argv, const char *name, T *value) {
    for (int i = 1; i < argc; i++) {
        const char *rest = warpcc_argument(argv[i], name);
        if (!rest) continue;
        if (*rest == '=') *value = (T)atoi(rest + 1);
        return true;
    }
    return false;
}

inline int getCmdLineArgumentInt(const int argc, const char **argv, const char *name) {
    int value = 0;
    for (int i = 1; i < argc; i++) {
        const char *rest = warpcc_argument(argv[i], name);
        if (rest) value = *rest == '=' ? atoi(rest + 1) : 0;
    }
    return value;
}

inline float getCmdLineArgumentFloat(const int argc, const char **argv, const char *name) {
    float value = 0;
    for (int i = 1; i < argc; i++) {
        const char *rest = warpcc_argument(argv[i], name);
        if (rest) value = *rest == '=' ? (float)atof(rest + 1) : 0.f;
    }
    return value;
}

inline bool getCmdLineArgumentString(const int argc, const char **argv, const char *name, char **value) {
    for (int i = 1; i < argc; i++) {
        const char *rest = warpcc_argument(argv[i], name);
        if (rest && *rest == '=') {
            *value = (char *)rest + 1;
            return true;
        }
    }
    *value = NULL;
    return false;
}

/* Searches for a data file beside the program, in `data` folders and above. The caller frees the
 * path. */
inline char *sdkFindFilePath(const char *name, const char *program) {
    static const char *const folders[] = {
        "./",           "./data/",         "./common/",         "./common/data/",    "./src/",
        "./inc/",       "../",             "../data/",          "../common/",        "../common/data/",
        "../../",       "../../data/",     "../../common/data/", "../../../",         "../../../data/",
        "../../../common/data/", ""};
    std::string base = program ? program : "", leaf;
    size_t slash = base.rfind('/');
    leaf = slash == std::string::npos ? base : base.substr(slash + 1);
    base = slash == std::string::npos ? "" : base.substr(0, slash + 1);
    for (int beside = 0; beside < 2; beside++) {
        for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
            std::string path = (beside ? base : std::string()) + folders[i] + name;
            FILE *file = fopen(path.c_str(), "rb");
            if (!file) continue;
            fclose(file);
            char *result = (char *)malloc(path.size() + 1);
            strcpy(result, path.c_str());
            return result;
        }
    }
    return NULL;
}

#endif
