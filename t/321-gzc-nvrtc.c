/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What gzc makes compiles for the NVIDIA architectures that matter, without a GPU: bodies with
 * helpers of every kind, under every edge rule that they have.
 */
#include "defaults.h"
#include "registry.h"
#include "test_nvrtc.h"

#include <unistd.h>

/* Loops over A[2][n][n] or A[2][n], each with its own needs. */
static const struct {
    const char *what, *text;
} loops[] = {
    {"kept edges, a function, sqrt of a float in double, scalars of other types",
     "#include <math.h>\n"
     "static float half(double x)\n{\n    float y = (float)x;\n    return y / 2;\n}\n"
     "void f(int n, int T, float A[2][n][n], float k[n][n], double d, long l, unsigned u)\n{\n"
     "#pragma scop\n"
     "    for (int t = 0; t < T; t++)\n"
     "        for (int i = 1; i < n - 1; i++)\n"
     "            for (int j = 2; j < n - 1; j++)\n"
     "                A[(t + 1) % 2][i][j] = half(A[t % 2][i - 1][j]) * d + sqrt(A[t % 2][i][j - "
     "2]) +\n"
     "                    fminf(fabsf(A[t % 2][i][j + 1]), fabsf(k[i][j + 1])) * (l % 3) + "
     "(float)u + i + t;\n"
     "#pragma endscop\n}\n"},
    {"kept edges and a guard in a program of two buffers",
     "void f(int n, int T, double A[2][n][n])\n{\n"
     "#pragma scop\n"
     "    for (int t = 0; t < T; t++)\n"
     "        for (int i = 1; i < n - 1; i++)\n"
     "            for (int j = 1; j < n - 1; j++)\n"
     "                if (i != j)\n"
     "                    A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] / 3 + A[t % 2][i][j + 1];\n"
     "#pragma endscop\n}\n"},
    {"clamped edges, integers, per-step arrays",
     "void f(int n, int T, int A[2][n], int w[T][n], float s, double d)\n{\n"
     "#pragma scop\n"
     "    for (int t = 0; t < T; t++)\n"
     "        for (int i = 0; i < n; i++)\n"
     "            A[(t + 1) % 2][i] = A[t % 2][i > 0 ? i - 1 : 0] + w[t][i] + (int)(s * 3) + "
     "(int)d;\n"
     "#pragma endscop\n}\n"},
    {"an edge rule of its own along each axis",
     "void f(int n, int m, int l, int T, float A[2][n][m][l], float k[n][m][l])\n{\n"
     "#pragma scop\n"
     "    for (int t = 0; t < T; t++)\n"
     "        for (int i = 1; i < n - 1; i++)\n"
     "            for (int j = 0; j < m; j++)\n"
     "                for (int h = 0; h < l; h++)\n"
     "                    A[(t + 1) % 2][i][j][h] = k[i][j][h] * A[t % 2][i - 1][(j + 1) % m][h] "
     "+\n"
     "                        A[t % 2][i + 1][j][h > 0 ? h - 1 : 0];\n"
     "#pragma endscop\n}\n"},
};
enum { LOOPS = sizeof loops / sizeof *loops };

/* One that ends by its largest change. */
static const char ending[] = "#include <math.h>\n"
                             "void f(int n, float a[n][n], float b[n][n])\n{\n"
                             "    float most;\n"
                             "#pragma scop\n"
                             "    do {\n"
                             "        most = 0;\n"
                             "        for (int i = 1; i < n - 1; i++)\n"
                             "            for (int j = 1; j < n - 1; j++) {\n"
                             "                b[i][j] = 0.5f * (a[i - 1][j] + a[i][j + 1]);\n"
                             "                most = fmaxf(most, fabsf(b[i][j] - a[i][j]));\n"
                             "            }\n"
                             "        float(*c)[n] = a;\n        a = b;\n        b = c;\n"
                             "    } while (most > 0.01f);\n"
                             "#pragma endscop\n}\n";

/* Makes the stencil of a loop by gzc; NULL if that fails. */
static const struct gzk_stencil *made(const char *folder, const char *text)
{
    static int number;
    char source[300], object[300], command[1200];
    const struct gzk_stencil *stencil;
    struct gzk_error error;
    const char *build = getenv("GZ_BUILD");

    snprintf(source, sizeof source, "%s/loop%d.c", folder, number);
    snprintf(object, sizeof object, "%s/loop%d.so", folder, number++);
    FILE *file = fopen(source, "w");
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        return NULL;
    snprintf(command, sizeof command, "'%s/bin/gzc' --row '%s' -o '%s'", build ? build : "build",
             source, object);
    int failed = system(command) != 0 || gzk_stencil_load(object, &stencil, &error) != 0;
    unlink(source);
    unlink(object);
    return failed ? NULL : stencil;
}

/* A device for whose local memory the tiles of variant stream are chosen. */
static const struct gzk_device_info device = {
    .units = 40, .local_bytes = 64 << 10, .max_threads = 1024, .cache_bytes = 4 << 20};

static int compiles_as(const struct gzk_stencil *stencil, gz_variant variant, bool watches)
{
    struct gzk_config config = {
        .stencil = stencil, .variant = variant, .height = 1, .watches = watches};
    memcpy(config.size, stencil->default_size, sizeof config.size);
    memcpy(config.block, stencil->default_block, sizeof config.block);
    if (gzk_variants[variant].streamed)
        gzk_default_tile(&config, &device, 0);
    gzk_default_threads(&config, 1024, false);
    for (int c = 0; c < NVRTC_CAPABILITIES; c++) {
        struct gzk_compiled compiled;
        if (!nvrtc_kernel(&config, nvrtc_capabilities[c], false, &compiled))
            return 0;
        gzk_compiled_free(&compiled);
    }
    return 1;
}

static int compiles(const struct gzk_stencil *stencil, gz_variant variant)
{
    return compiles_as(stencil, variant, false);
}

/* A streamed tile that tells the largest change, in double or in float, or a sum. */
static int compiles_measured(const struct gzk_stencil *stencil, int measure)
{
    struct gzk_stencil measured = *stencil;
    measured.measure = measure;
    return compiles(&measured, GZK_STREAM);
}

int main(void)
{
    static const char *const measures[] = {"the largest change, in double",
                                           "the largest change, in float", "a sum of doubles",
                                           "a sum of whole numbers"};
    char folder[] = "/tmp/gzc-nvrtc.XXXXXX", gzc[1000];
    const char *build = getenv("GZ_BUILD");

    snprintf(gzc, sizeof gzc, "%s/bin/gzc", build ? build : "build");
    if (access(gzc, X_OK) != 0)
        tap_skip_all("gzc was left out: libclang or isl is missing");
    needs_nvrtc();
    if (!mkdtemp(folder))
        return 1;
    for (size_t i = 0; i < LOOPS; i++) {
        const struct gzk_stencil *stencil = made(folder, loops[i].text);
        tap_ok(stencil && compiles(stencil, GZK_TRAPEZOID), "%s: trapezoid", loops[i].what);
        tap_ok(stencil && compiles(stencil, GZK_NAIVE), "%s: naive", loops[i].what);
        if (i + 1 < LOOPS)
            continue;
        tap_ok(stencil && compiles(stencil, GZK_STREAM), "%s: stream", loops[i].what);
        tap_ok(stencil && compiles(stencil, GZK_SHARED), "%s: shared", loops[i].what);
    }
    const struct gzk_stencil *stencil = made(folder, ending);
    for (int measure = 1; measure <= 4; measure++)
        tap_ok(stencil && compiles_measured(stencil, measure), "%s: stream", measures[measure - 1]);
    tap_ok(stencil && compiles_as(stencil, GZK_STREAM, true), "cells that are watched: stream");
    tap_ok(compiles_as(gzk_stencil_find("wave3d4"), GZK_STREAM, true) &&
               compiles_as(gzk_stencil_find("fdtd3d"), GZK_STREAM, true),
           "of three time levels, and of several fields: stream");
    tap_ok(compiles_as(gzk_stencil_find("wave2d"), GZK_TRAPEZOID, true) &&
               compiles_as(gzk_stencil_find("grayscott"), GZK_TRAPEZOID, true),
           "likewise: trapezoid");
    rmdir(folder);
    return tap_done();
}
