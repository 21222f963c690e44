/* Conversions of C that C++ does not have, and others whose results differ. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
#error "this is C"
#endif
#if __STDC_VERSION__ < 199901L
#error "this is C99"
#endif

enum level { LOW = -1, HIGH = 1 };
enum bits { ONE = 1, TWO = 2 };

struct pair {
    int a;
    double b;
};

struct list {
    struct list *next;
    struct pair pair;
};

union word {
    float f;
    uint32_t bits;
};

static struct list *push(struct list *list, struct pair pair)
{
    struct list *made = malloc(sizeof(struct list));
    *made = (struct list){ list, pair };
    return made;
}

static double sum(const struct list *list)
{
    double all = 0;
    for (; list; list = list->next)
        all += list->pair.a * list->pair.b;
    return all;
}

static int parse(const char *text, int *out)
{
    int status = 0;
    char *copy = NULL;
    if (!text) {
        status = EINVAL;
        goto end;
    }
    copy = strcpy(malloc(strlen(text) + 1), text);
    char *rest;
    long value = strtol(copy, &rest, 10);
    if (*rest) {
        status = ERANGE;
        goto end;
    }
    *out = value;
end:
    free(copy);
    return status;
}

static void fill(void *to, const void *from, size_t size)
{
    unsigned char *a = to;
    const unsigned char *b = from;
    while (size--)
        *a++ = *b++;
}

typedef void (*visitor)(void *data, int value);

static void add(void *data, int value)
{
    int *total = data;
    *total += value;
}

static void visit(int count, visitor function, void *data)
{
    for (int i = 0; i < count; i++)
        function(data, i);
}

struct stat {
    int size;
};
static struct stat stat = { 5 };

int main(int argc, char **argv)
{
    enum level level = HIGH;
    enum bits bits = ONE | TWO;
    level -= 2;
    bits++;
    printf("%d %d %d %d\n", level, bits, level == LOW, level < 0);
    printf("%d %d\n", (int)sizeof(enum bits), (int)sizeof ONE);
    printf("%c %d %d\n", 'a' + 1, '\n', (int)sizeof 'a');
    struct list *list = NULL;
    for (int i = 0; i < 4; i++)
        list = push(list, (struct pair){ .b = 0.5, .a = i });
    printf("%g\n", sum(list));
    int value = 0;
    int first = parse("12", &value), second = parse("1x", &value), third = parse(NULL, &value);
    printf("%d %d %d %d\n", first, second == ERANGE, third == EINVAL, value);
    struct stat again = stat;
    again.size += sizeof(struct stat) * stat.size;
    printf("%d\n", again.size);
    union word word = { .f = 1.0f }, other = { 2.0f };
    printf("%08x %08x\n", word.bits, other.bits);
    int squares[5] = { [4] = 16, [1] = 1, 4 }, copy[5];
    fill(copy, squares, sizeof squares);
    for (size_t i = 0; i < sizeof copy / sizeof copy[0]; i++)
        printf("%d ", copy[i]);
    int total = 0;
    visit(5, add, &total);
    visit(3, &add, (int[]){ 1 });
    printf("%d\n", total);
    char text[] = "abc", longer[8] = "abc";
    printf("%d %d %s\n", (int)sizeof text, (int)sizeof longer, strcat(longer, text));
    float half = 1 / 2.0;
    unsigned u = -1;
    printf("%g %u %d %d\n", half, u, -1 > 0u, (signed char)200);
    struct { int x, y; } points[] = { { 1, 2 }, { .y = 4 } };
    printf("%d %d %d\n", points[0].y, points[1].x, points[1].y);
    const char *words[] = { "x", "y", 0 };
    int count = 0;
    while (words[count])
        count++;
    printf("%d %d %s\n", count, argc, argv[argc] ? "more" : "end");
    for (struct list *next; list; list = next) {
        next = list->next;
        free(list);
    }
    return 3;
}
