/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * unload OBJECT... - loads shared objects with a loop that gzc has translated, one after the other
 * and twice, each where the one before it has been; runs its loop, prints a sum over the bits
 * of all cells, and unloads it.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { N = 200, LOOPS = 20 };
static double u[N * N], v[N * N];

static int run(const char *object)
{
    void (*advance)(double *, double *, int, int);
    void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
    unsigned long sum = 5381;

    if (!handle)
        return fprintf(stderr, "%s\n", dlerror()), 1;
    *(void **)&advance = dlsym(handle, "advance");
    for (int i = 0; i < N * N; i++)
        u[i] = v[i] = i * 7 % 11 + i % 13 / 13.0;
    advance(u, v, N, LOOPS);
    for (size_t i = 0; i < sizeof u; i++)
        sum = sum * 33 + ((const unsigned char *)u)[i];
    printf("%016lx at %p\n", sum, *(void **)&advance);
    if (dlclose(handle) != 0)
        return 1;
    handle = dlopen(object, RTLD_NOW | RTLD_NOLOAD);
    if (handle)
        printf("is still there\n");
    return handle != NULL;
}

int main(int argc, char **argv)
{
    int wrong = 0;
    for (int i = 0; i < 2 * (argc - 1); i++)
        wrong += run(argv[1 + i % (argc - 1)]);
    return wrong != 0;
}
