/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "nearest.h"

#include <string.h>

/* Names longer than this are near to none. */
enum { LONGEST = 40, FAR = 2 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Edits that turn one text into the other, each of at most LONGEST letters: the distance of optimal
 * alignment (Boytsov, ACM J. Experimental Algorithmics 16, 2011, Section 2.2). */
static int edits(const char *a, size_t a_size, const char *b, size_t b_size)
{
    int d[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= a_size; i++)
        for (size_t j = 0; j <= b_size; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = (int)(i + j);
                continue;
            }
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1,
                            d[i - 1][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a_size][b_size];
}

int gzi_nearness(const char *asked, const char *name)
{
    size_t a = strlen(asked), b = strlen(name), shorter = a < b ? a : b;
    if (shorter < 2 || a > LONGEST || b > LONGEST)
        return 0;
    if (strncmp(asked, name, shorter) == 0)
        return 2;
    if (shorter > FAR && (strstr(name, asked) || strstr(asked, name)))
        return 1;
    return edits(asked, a, name, b) <= (shorter > 2 * FAR ? FAR : 1);
}
