/* ungetc in files that are read and written, tmpfile, clearerr, keywords of C11, and compound literals. */
#include <ctype.h>
#include <math.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <strings.h>

struct cell {
    alignas(16) int value;
    _Alignas(double) char tag;
};
static noreturn void leave(int code) { exit(code); }

int main(void) {
    char line[32];
    int c, d;
    FILE *f = tmpfile();
    fputs("hello world\nline 2\n", f);
    rewind(f);
    c = getc(f);
    d = ungetc('Z', f);
    printf("%c %c %ld ", c, d, ftell(f));
    c = getc(f);
    printf("%c%c\n", c, getc(f));
    fseek(f, 4, SEEK_SET);
    c = getc(f);
    ungetc('Q', f);
    printf("%s", fgets(line, sizeof line, f));
    fseek(f, 0, SEEK_SET);
    getc(f);
    ungetc('#', f);
    fseek(f, 0, SEEK_CUR);
    printf("%c\n", getc(f));
    fseek(f, 6, SEEK_SET);
    getc(f);
    ungetc('7', f);
    c = fscanf(f, "%d%s", &d, line);
    printf("%d %d %s\n", c, d, line);
    rewind(f);
    while ((c = getc(f)) != EOF)
        if (isupper(c) || c == '7') printf("changed\n");
    printf("%d ", feof(f) != 0);
    clearerr(f);
    printf("%d\n", feof(f));
    fputs("tail", f);
    fseek(f, -6, SEEK_END);
    printf("%s", fgets(line, sizeof line, f));
    printf("%s\n", fgets(line, sizeof line, f));
    fclose(f);
    printf("%d %d %d\n", (int)alignof(struct cell), (int)_Alignof(short), (int)sizeof(struct cell));
    printf("%d %d %c\n", (int[]){1, 2, 3}[1], (struct cell){3, 'x'}.value, (&(struct cell){4, 'y'})->tag);
    printf("%d %d %d %c\n", isinf(-INFINITY), isinf(INFINITY), isinf(1.0), toascii('x' | 128));
    leave(3);
}
