#include "total.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
volatile int sink;
static int deep(int n) { int r = n == 0 ? 0 : 1 + deep(n - 1); sink = r; return r; }
int main(void) {
    char mode[16];
    long n = 0, sum = 0, x;
    if (scanf("%15s", mode) != 1) return 1;
    if (!strcmp(mode, "sum")) { while (scanf("%ld", &x) == 1) sum = total(sum, x); printf("%ld\n", sum); }
    if (scanf("%ld", &n) < 0) n = 0;
    if (!strcmp(mode, "deep")) printf("%d\n", deep((int)n));
    if (!strcmp(mode, "memory")) { char *p = malloc(n << 20); memset(p, 1, n << 20); printf("%d\n", p[n]); }
    if (!strcmp(mode, "loop")) for (;;) sink++;
    if (!strcmp(mode, "fail")) return 3;
    return 0;
}
