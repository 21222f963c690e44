// `alloca`, the name of the folder, `truncate`, the name of the system, and parts of paths.
#include <errno.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

struct says {
    const char *text;
    ~says() { printf("end of %s\n", text); }
};

static long sum(int count)
{
    says outer{"sum"};
    long *last = 0, total = 0;
    for (int i = 0; i < count; ++i) {
        // The memory stays when the scope ends.
        long *block = (long *)alloca(sizeof(long) * (i + 2));
        block[0] = i;
        block[1] = (long)last;
        last = block;
    }
    for (long *at = last; at; at = (long *)at[1]) total += at[0];
    return total;
}

static int deep(int depth)
{
    char *memory = (char *)__builtin_alloca(1000);
    memset(memory, depth, 1000);
    if (depth == 0) return 0;
    return deep(depth - 1) + memory[999];
}

static void leaves(bool throws)
{
    int *memory = static_cast<int *>(alloca(4 * sizeof(int)));
    memory[3] = 7;
    if (throws) throw memory[3];
    printf("%d %d\n", memory[3], (int)((size_t)memory % 16));
}

int main()
{
    printf("%ld\n", sum(10));
    printf("%d\n", deep(20));
    leaves(false);
    try {
        leaves(true);
    } catch (int value) {
        printf("caught %d\n", value);
    }
    long blocks = 0;
    for (int i = 0; i < 20000; ++i) blocks += deep(1);
    printf("%ld\n", blocks);

    FILE *file = fopen("cut.tmp", "w");
    fputs("hello world", file);
    fclose(file);
    struct stat found;
    int cut = truncate("cut.tmp", 5);
    stat("cut.tmp", &found);
    printf("%d %ld\n", cut, (long)found.st_size);
    cut = truncate("cut.tmp", 8);
    stat("cut.tmp", &found);
    printf("%d %ld\n", cut, (long)found.st_size);
    cut = truncate("missing.tmp", 1);
    printf("%d %d\n", cut, errno == ENOENT);
    cut = truncate("cut.tmp", -1);
    printf("%d %d\n", cut, errno == EINVAL);

    char *one = getcwd(NULL, 0), two[PATH_MAX], small[2];
    printf("%d %d\n", one && *one == '/', getcwd(two, sizeof two) == two && strcmp(one, two) == 0);
    char *none = getcwd(small, sizeof small);
    printf("%d %d\n", none == NULL, errno == ERANGE);
    none = getcwd(two, 0);
    printf("%d %d\n", none == NULL, errno == EINVAL);
    strcat(two, "/cut.tmp");
    printf("%d\n", access(two, R_OK));
    std::ifstream in(std::string(one) + "/cut.tmp");
    std::string word;
    in >> word;
    printf("%.5s %d\n", word.c_str(), (int)word.size());
    printf("%d\n", (int)std::filesystem::file_size(std::filesystem::current_path() / "cut.tmp"));
    printf("%d\n", std::filesystem::current_path() == one);
    printf("%d\n", std::filesystem::absolute("x") == std::string(one) + "/x");
    free(one);
    unlink("cut.tmp");

    struct utsname system;
    int named = uname(&system);
    printf("%d %s %s %d\n", named, system.sysname, system.machine, system.release[0] != 0);

    for (const char *text : {"x/y", "/x/y", "//x", "/", "", "..", "x.tar.gz", "/a/.b"}) {
        std::filesystem::path p(text);
        std::cout << p << ' ' << p.has_root_path() << p.has_root_name() << p.has_root_directory() << p.is_relative()
                  << p.has_relative_path() << p.has_extension() << ' ' << p.relative_path() << ' ' << p.root_path()
                  << ' ' << p.root_directory() << ' ' << p.root_name() << '\n';
    }
    return 0;
}
