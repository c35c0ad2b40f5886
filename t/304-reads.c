/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a body reads, found in its text: stars read other planes in their own column only, boxes do
 * not; macros, comments and continued lines change nothing; what is no constant is not trusted. And
 * how many elements, each once: what reaches the model through the application.
 */
#include "data.h"
#include "reads.h"
#include "registry.h"
#include "tap.h"

static const struct {
    const char *what, *body;
    int dimensions;
    bool own;
} bodies[] = {
    {"a star", "GZ_UPDATE { return AT(1, 0, 0) + AT(0, -1, 0); }", 2, true},
    {"a corner", "GZ_UPDATE { return AT(1, -1, 0); }", 2, false},
    {"a corner in the cell's own plane", "GZ_UPDATE { return AT(1, -1, 0) + AT(0, 0, 1); }", 3,
     true},
    {"a cell beside the column", "GZ_UPDATE { return AT(0, 1, -1); }", 3, false},
    {"distances that are sums", "GZ_UPDATE { return AT(1 - 1, -(2 - 1), +0); }", 2, true},
    {"a corner by sums", "GZ_UPDATE { return AT(2 - 1, (1), 0); }", 2, false},
    {"one dimension", "GZ_UPDATE { return AT(1, 0, 0); }", 1, false},
    {"a loop", "GZ_UPDATE { for (int i = 0; i < 2; i++) s += AT(i, 0, 0); return s; }", 2, true},
    {"a loop along the stream", "GZ_UPDATE { for (int i = 0; i < 2; i++) s += AT(0, i, 0); }", 2,
     true},
    {"a loop over a box", "GZ_UPDATE { AT(i, j, 0); }", 2, false},
    {"macros in macros",
     "#define BOTH(d) (AT(-(d), 0, 0) + AT(d, 0, 0))\n#define ALL BOTH(1) + \\\n   BOTH(2)\n"
     "GZ_UPDATE { return ALL; }",
     2, true},
    {"a corner in macros",
     "#define PAIR(a, b) (AT(a, b, 0) + AT(a, -(b), 0))\n#define ALL(a) PAIR(a, a)\n"
     "GZ_UPDATE { return ALL(1); }",
     2, false},
    {"a macro that nobody uses", "#define CORNER AT(1, 1, 0)\nGZ_UPDATE { return AT(0, 0, 0); }", 2,
     true},
    {"either branch of a condition",
     "#if 1\n#define THIS AT(1, 0, 0)\n#else\n#define THIS AT(1, 1, 0)\n#endif\n"
     "GZ_UPDATE { return THIS; }",
     2, false},
    {"comments", "/* AT(1, 1, 0) */ GZ_UPDATE { return AT(0, /* 1 */ 1, 0); } // AT(1, 1, 0)", 2,
     true},
    {"several lines", "GZ_UPDATE { return AT(1,\n 1,\n 0); }", 2, false},
    {"other names", "GZ_UPDATE { return THAT(1, 1, 0) + COEF_AT(0, 1, 1, 0); }", 2, true},
    {"AT by another name", "#define READ(f) f(1, 1, 0)\nGZ_UPDATE { return READ(AT); }", 2, false},
    {"AT as an alias", "#define READ AT\nGZ_UPDATE { return READ(1, 1, 0); }", 2, false},
    {"a macro without end", "#define X X + AT(1, 0, 0)\nGZ_UPDATE { return X; }", 2, false},
    {"pasted words", "#define X(a) A##a(1, 1, 0)\nGZ_UPDATE { return X(T); }", 2, false},
    {"a comment without end", "GZ_UPDATE { return AT(0, 0, 0); } /*", 2, false},
    {"a call without end", "GZ_UPDATE { return AT(0, 0", 2, false},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

/* Elements that bodies of radius 2, 1, 1 with two coefficient arrays read; -1: unknown. */
static const struct {
    const char *what, *body;
    int dimensions, state, column, arrays;
} counts[] = {
    {"a star", "GZ_UPDATE { return AT(1, 0, 0) + AT(0, -1, 0) + AT(0, 0, 0); }", 2, 3, 2, 0},
    {"the same in three dimensions", "GZ_UPDATE { return AT(1, 0, 0) + AT(0, -1, 0); }", 3, 2, 0,
     0},
    {"one element again and again",
     "GZ_UPDATE { return AT(1, 0, 0) * AT(1, 0, 0) + AT(2 - 1, 0, -0); }", 2, 1, 0, 0},
    {"a box by macros",
     "#define ROW(y, z) (AT(-1, y, z) + AT(0, y, z) + AT(1, y, z))\n"
     "#define PLANE(z) ROW(-1, z) + ROW(0, z) + ROW(1, z)\n"
     "GZ_UPDATE { return PLANE(-1) + PLANE(0) + PLANE(1); }",
     3, 27, 3, 0},
    {"coefficient arrays",
     "GZ_UPDATE { return COEF_AT(0, 0, 0, 0) * AT(0, 0, 0) + COEF_AT(1, 0, 0, 0)"
     " + COEF_AT(1, 0, 1, 0) + COEF_AT(1, 0, 0, 0); }",
     2, 1, 1, 3},
    {"a coefficient array at any distance along x",
     "GZ_UPDATE { for (int i = -2; i <= 2; i++) s += COEF_AT(0, i, 0, 0); }", 2, 0, 0, 5},
    {"a coefficient array by a number", "GZ_UPDATE { return COEF_AT(LOOP % 2, 0, 0, 0); }", 2, 0, 0,
     2},
    {"any distance along x", "GZ_UPDATE { for (int i = -2; i <= 2; i++) s += AT(i, 0, 0); }", 2, 5,
     1, 0},
    {"any distance in a plane", "GZ_UPDATE { AT(i, j, 0); }", 2, 15, 3, 0},
    {"both branches of a condition",
     "#if 1\n#define THIS AT(1, 0, 0)\n#else\n#define THIS AT(1, 1, 0)\n#endif\n"
     "GZ_UPDATE { return LOOP ? THIS : AT(0, 0, 0); }",
     2, 3, 1, 0},
    {"a macro that nobody uses", "#define CORNER AT(1, 1, 0)\nGZ_UPDATE { return AT(0, 0, 0); }", 2,
     1, 1, 0},
    {"a neighbour of a neighbour",
     "GZ_UPDATE { return COEF_AT(AT(1, 0, 0), 0, 0, 0) + AT(0, 0, 0); }", 2, 2, 1, 2},
    {"nothing", "GZ_UPDATE { return STEP_AT(0) + THAT(1, 0, 0); }", 2, 0, 0, 0},
    {"beyond the radius", "GZ_UPDATE { return AT(3, 0, 0); }", 2, -1, 0, 0},
    {"beyond the radius of an array", "GZ_UPDATE { return COEF_AT(0, 0, -2, 0); }", 2, -1, 0, 0},
    {"an array that is not there", "GZ_UPDATE { return COEF_AT(2, 0, 0, 0); }", 2, -1, 0, 0},
    {"too few distances", "GZ_UPDATE { return AT(0, 0); }", 2, -1, 0, 0},
    {"AT by another name", "#define READ AT\nGZ_UPDATE { return READ(1, 0, 0); }", 2, -1, 0, 0},
    {"COEF_AT by another name", "#define READ COEF_AT\nGZ_UPDATE { return READ(1, 0, 0, 0); }", 2,
     -1, 0, 0},
    {"pasted words", "#define X(a) A##a(1, 1, 0)\nGZ_UPDATE { return X(T); }", 2, -1, 0, 0},
};
enum { COUNTS = sizeof counts / sizeof *counts };

static void counted(void)
{
    for (int i = 0; i < COUNTS; i++) {
        struct gzk_stencil stencil = {.name = "body",
                                      .body = counts[i].body,
                                      .dimensions = counts[i].dimensions,
                                      .radius = {2, 1, counts[i].dimensions > 2},
                                      .coefficient_arrays = 2};
        struct gzk_reads reads;
        bool known = gzk_count_reads(&stencil, &reads);
        tap_ok(known == (counts[i].state >= 0) && (!known || reads.state == counts[i].state) &&
                   reads.column == counts[i].column && reads.arrays == counts[i].arrays,
               "%s: %d elements, %d in the column, %d of arrays", counts[i].what,
               known ? reads.state : -1, reads.column, reads.arrays);
    }
}

/* Of our stencils, as one counts them in their bodies; and in the applications that come with the
 * library. */
static void counted_in_ours(void)
{
    static const struct {
        const char *name;
        int tile, column; /* 0: not stated */
    } ours[] = {{"box125", 125, 0}, {"box27", 27, 0}, {"cell", 27, 0},      {"gsrb", 7 + 6, 3},
                {"hotspot", 6, 3},  {"jacobi", 4, 2}, {"pathfinder", 3, 0}, {"poisson", 4, 2},
                {"star13", 13, 5},  {"star7", 7, 3},  {"star7vc", 7 + 6, 3}};
    enum { OURS = sizeof ours / sizeof *ours };
    int wrong = 0, differ = 0;
    for (size_t i = 0; i < gzk_stencil_count; i++) {
        gz_app app = {.dim = 0}, file;
        gzk_stencil_describe(gzk_stencils[i], &app);
        differ += gz_app_open(gzk_stencils[i]->name, NULL, &file, NULL) != GZ_OK ||
                  file.tile_reads.value != app.tile_reads.value ||
                  file.column_reads.value != app.column_reads.value ||
                  file.own_column.value != app.own_column.value;
        int found = 0;
        for (int k = 0; k < OURS; k++)
            found += strcmp(ours[k].name, gzk_stencils[i]->name) == 0 &&
                     app.tile_reads.value == ours[k].tile &&
                     app.column_reads.value == ours[k].column &&
                     gz_quantity_stated(&app.column_reads) == (ours[k].column > 0);
        if (!found)
            tap_note("%s: %g, %g", gzk_stencils[i]->name, app.tile_reads.value,
                     app.column_reads.value);
        wrong += !found;
    }
    tap_ok(wrong == 0 && gzk_stencil_count == OURS,
           "our stencils read as many as their bodies name");
    tap_ok(differ == 0, "and so say the built-in applications");
}

static bool is_one_of(const char *name, const char *names)
{
    size_t length = strlen(name);
    for (const char *place = names; (place = strstr(place, name)) != NULL; place += length)
        if ((place == names || place[-1] == ' ') && (place[length] == ' ' || !place[length]))
            return true;
    return false;
}

int main(void)
{
    static const char own[] = "gsrb hotspot jacobi poisson star7 star7vc star13";
    static const char others[] = "box27 box125 cell pathfinder";
    int wrong = 0, found[2] = {0};

    tap_plan(BODIES + COUNTS + 6);
    for (int i = 0; i < BODIES; i++) {
        struct gzk_stencil stencil = {.name = "body",
                                      .body = bodies[i].body,
                                      .dimensions = bodies[i].dimensions,
                                      .radius = {2, 2, 2}};
        tap_ok(gzk_reads_own_column(&stencil) == bodies[i].own, "%s: %s", bodies[i].what,
               bodies[i].own ? "its own column" : "not only its own column");
    }
    for (size_t i = 0; i < gzk_stencil_count; i++) {
        bool is_own = gzk_reads_own_column(gzk_stencils[i]);
        found[is_own]++;
        wrong += !is_one_of(gzk_stencils[i]->name, is_own ? own : others);
    }
    tap_ok(wrong == 0 && found[0] == 4 && found[1] == 7, "of our stencils %d do, %d do not",
           found[1], found[0]);
    struct gzk_stencil flat = {
        .body = bodies[0].body, .dimensions = 2, .radius = {1, 0, 0}, .name = "flat"};
    tap_ok(!gzk_reads_own_column(&flat), "without a radius along the stream there is no column");

    /* Macros that expand to 4^11 reads. */
    char body[2000];
    size_t n = (size_t)snprintf(body, sizeof body, "#define M0 AT(0, 0, 0)\n");
    for (int i = 1; i < 12; i++)
        n += (size_t)snprintf(body + n, sizeof body - n, "#define M%d M%d + M%d + M%d + M%d\n", i,
                              i - 1, i - 1, i - 1, i - 1);
    snprintf(body + n, sizeof body - n, "GZ_UPDATE { return M11; }");
    struct gzk_stencil large = {
        .body = body, .dimensions = 2, .radius = {1, 1, 0}, .name = "large"};
    tap_ok(!gzk_reads_own_column(&large), "what takes too long to expand is given up");
    struct gzk_reads reads;
    tap_ok(!gzk_count_reads(&large, &reads), "nor is it counted");
    counted();
    counted_in_ours();
    return tap_done();
}
