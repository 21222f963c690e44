// Designators with several parts, and the values behind them.
#include <stdio.h>
struct point {
    int x, y;
};
struct line {
    struct point from, to;
    int weights[3];
};
union word {
    int whole;
    struct {
        short low, high;
    } parts;
};
struct holder {
    union word word;
    struct line lines[2];
};

static struct point points[] = {[1] = {.y = 5}, [0].x = 3};
static int grid[3][3] = {[1][1] = 5, 6, [2][0] = 7};

int main(void)
{
    printf("%d %d %d %d %d\n", points[0].x, points[0].y, points[1].x, points[1].y, (int)(sizeof points / sizeof *points));
    for (int i = 0; i < 3; ++i) printf("%d %d %d\n", grid[i][0], grid[i][1], grid[i][2]);
    int base = 10;
    struct line one = {.from.y = base, .to.x = base + 1, base + 2, {1, 2, 3}};
    printf("%d %d %d %d %d\n", one.from.x, one.from.y, one.to.x, one.to.y, one.weights[2]);
    struct line two = {.weights[1] = 4, 5, .from.x = 1, 2, 3, 4};
    printf("%d %d %d %d %d %d %d\n", two.from.x, two.from.y, two.to.x, two.to.y, two.weights[0], two.weights[1],
           two.weights[2]);
    struct point list[] = {[2].y = 1, [0] = {1, 2}, 3, 4};
    for (int i = 0; i < 3; ++i) printf("%d,%d ", list[i].x, list[i].y);
    printf("\n");
    struct holder deep = {.word.parts.high = 1, .lines[1].to = {8, 9}, .lines[0].weights[2] = 6};
    printf("%d %d %d %d\n", deep.word.parts.high, deep.lines[1].to.x, deep.lines[1].to.y, deep.lines[0].weights[2]);
    struct point both = {.x = 1, .y = 2};
    struct line again = {.from = both, .to.y = 7};
    printf("%d %d %d %d\n", again.from.x, again.from.y, again.to.x, again.to.y);
    return 0;
}
