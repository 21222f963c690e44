#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <stdbool.h>
#include <math.h>
/* Names of CUDA C are free. */
typedef struct { float x, y; } float2;
typedef struct node node;
struct node { int value; node *next; };
enum color { RED, GREEN = 5, BLUE };
struct point { int x, y; int z[3]; const char *name; };
static int max(int a, int b) { return a > b ? a : b; }
static int add(int, int);
int template = 3;
static const char *names[] = { [2] = "two", [0] = "zero" };
inline static int twice(int x) { return 2 * x; }
struct point global = { .y = 4, .name = "global" };
int sum(const int *restrict list, size_t n) { int s = 0; for (size_t i = 0; i < n; i++) s += list[i]; return s; }
void take(char *text) { printf("%s\n", text); }
int counter(void) { static int calls = 0; return ++calls; }
int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int find(int limit)
{
    int result = -1;
    if (limit < 0) goto done;
    int local = limit * 2;
    result = local;
done:
    return result;
}
int main(void)
{
    int *list = malloc(4 * sizeof *list);
    for (int i = 0; i < 4; i++) list[i] = i * i;
    int new = 1, class = 2, this = 3, delete = template;
    struct point p = { .z = { [1] = 7 }, .x = 1 };
    enum color c = 5;
    c = GREEN; c++; c |= 1;
    node n = { 3, NULL }, *m = calloc(1, sizeof(node));
    m->next = &n;
    float2 f = { 1, 2 };
    printf("%d %d %d %d\n", new + class + this + delete, p.z[1], p.x, c);
    printf("%zu %zu %d\n", sizeof('a'), sizeof(char), 'a');
    printf("%d %s %s %d\n", sum((int[]){1, 2, 3}, 3), names[0], names[2], names[1] == NULL);
    struct point q = (struct point){ 1, 2, { 3, 4, 5 }, "lit" };
    struct point *r = &(struct point){ .y = 9 };
    r->x = 8;
    printf("%d %s %d %d\n", q.z[2], q.name, r->x, r->y);
    _Bool yes = 7; bool no = false;
    printf("%d %d %d %d\n", yes, no, max(3, 4), add(1, 2));
    char *text = "literal"; take(text);
    const char *constant = "x";
    void *any = list; int *back = any;
    printf("%d %d\n", back[3], m->next->value);
    counter(); printf("%d %d\n", counter(), twice(4));
    float x = 2.0f;
    printf("%.10f %.10f\n", sqrt(x), sqrtf(x));
    qsort(list, 4, sizeof(int), compare);
    int (*pointer)(int, int) = add;
    printf("%d %d %d\n", pointer(5, 6), find(4), find(-1));
    printf("%s %d\n", global.name, global.y);
    size_t sizes[] = { 1, 2 };
    memset(sizes, 0, sizeof sizes);
    switch (c) { case RED: break; int unused; default: puts("default"); }
    printf("%d\n", (int){ 42 });
    printf("%f %d %ld\n", f.y, abs(-3), (long)sizeof(struct point));
    free(list);
    return 0;
}
static int add(int a, int b) { return a + b; }
