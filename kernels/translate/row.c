/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.c - a whole stencil in C: facts, body, serial reference, data.
 */
#include "row.h"

#include "pieces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* What a body means on the host: one cell of the grid, with the edge rule in every read. */
static const char *const host_access =
    "#include <math.h>\n"
    "#include <string.h>\n"
    "\n"
    "#define GZ_INLINE static inline\n"
    "/* A cell while its next value is computed. */\n"
    "struct cell {\n"
    "    const struct gzk_data *data;\n"
    "    const GZ_T *from, *older;\n"
    "    int x, y, z, field;\n"
    "    long loop;\n"
    "};\n"
    "static inline GZ_T read_at(const struct cell *c, const GZ_T *array, int dx, int dy, int dz)\n"
    "{\n"
    "    const int *size = c->data->size;\n"
    "    int x = c->x + dx, y = c->y + dy, z = c->z + dz;\n"
    "    if (x < 0 || x >= size[0] || y < 0 || y >= size[1] || z < 0 || z >= size[2]) {\n"
    "        GZ_BEYOND\n"
    "    }\n"
    "    return array[((size_t)z * (size_t)size[1] + (size_t)y) * (size_t)size[0] + (size_t)x];\n"
    "}\n"
    "static inline const GZ_T *aux_at(const struct cell *c, long k)\n"
    "{\n"
    "    return (const GZ_T *)c->data->aux + (size_t)k * c->data->stride;\n"
    "}\n"
    "static inline const GZ_T *aux_cell(const struct cell *c, long k)\n"
    "{\n"
    "    const int *size = c->data->size;\n"
    "    return aux_at(c, k) + ((size_t)c->z * (size_t)size[1] + (size_t)c->y) * (size_t)size[0] "
    "+\n"
    "           (size_t)c->x;\n"
    "}\n"
    "static inline int bits_of(GZ_T a)\n"
    "{\n"
    "    int bits;\n"
    "    memcpy(&bits, &a, sizeof bits);\n"
    "    return bits;\n"
    "}\n"
    "static inline float to_float(int a)\n"
    "{\n"
    "    float f;\n"
    "    memcpy(&f, &a, sizeof f);\n"
    "    return f;\n"
    "}\n"
    "static inline long to_long(int a, int b)\n"
    "{\n"
    "    return (long)(((unsigned long)(unsigned int)b << 32) | (unsigned int)a);\n"
    "}\n"
    "static inline double to_double(int a, int b)\n"
    "{\n"
    "    long bits = to_long(a, b);\n"
    "    double d;\n"
    "    memcpy(&d, &bits, sizeof d);\n"
    "    return d;\n"
    "}\n"
    "#define GZ_UPDATE static GZ_T update(const struct cell *c)\n"
    "#define AT(dx, dy, dz) read_at(c, c->from, dx, dy, dz)\n"
    "#define FIELD(f, dx, dy, dz) read_at(c, c->from + (size_t)(f)*c->data->cells, dx, dy, dz)\n"
    "#define THIS c->field\n"
    "#define OLDER (*c->older)\n"
    "#define COEF_AT(k, dx, dy, dz) read_at(c, aux_at(c, k), dx, dy, dz)\n"
    "#define GZ_STEP(c) (aux_at(c, GZ_COEF_ARRAYS + GZ_BORDERS) + (size_t)c->loop * "
    "STEP_ELEMENTS(c->data))\n"
    "#define STEP_AT(k) read_at(c, GZ_STEP(c) + GZ_STEP_VALUES + (size_t)(k) * c->data->stride, 0, "
    "0, 0)\n"
    "#define STEP(k) GZ_STEP(c)[k]\n"
    "#define STEP_ELEMENTS(data) (GZ_STEP_VALUES + GZ_STEP_ARRAYS * (data)->stride)\n"
    "#define COEF(k) ((const GZ_T *)c->data->coefficients)[k]\n"
    "#define CELL_X c->x\n"
    "#define CELL_Y c->y\n"
    "#define CELL_Z c->z\n"
    "#define LOOP c->loop\n"
    "#define GZ_TO_INT(a) bits_of(a)\n"
    "#define GZ_TO_FLOAT(a) to_float(bits_of(a))\n"
    "#define GZ_TO_LONG(a, b) to_long(bits_of(a), bits_of(b))\n"
    "#define GZ_TO_DOUBLE(a, b) to_double(bits_of(a), bits_of(b))\n";

static const char *const host_loops =
    "static void reference(const struct gzk_data *data, long loop, const void *from, void *to)\n"
    "{\n"
    "    struct cell c = {data, from, to, 0, 0, 0, 0, loop};\n"
    "    GZ_T *out = to;\n"
    "    for (; c.field < GZ_FIELDS; c.field++)\n"
    "        for (c.z = 0; c.z < data->size[2]; c.z++)\n"
    "            for (c.y = 0; c.y < data->size[1]; c.y++)\n"
    "                for (c.x = 0; c.x < data->size[0]; c.x++, c.older++)\n"
    "                    *out++ = GZ_KEEPS(c) ? *aux_cell(&c, GZ_COEF_ARRAYS + (loop + 1) % 2 * "
    "GZ_FIELDS + c.field)\n"
    "                                         : update(&c);\n"
    "}\n"
    "\n"
    "static GZ_T number(uint64_t seed, uint64_t i)\n"
    "{\n"
    "    return GZ_NUMBER;\n"
    "}\n"
    "\n"
    "/* An array of `aux` that lies at those elements of the part's and of the grid's. */\n"
    "static void fill_array(struct gzk_data *data, size_t own, size_t grid, uint64_t seed)\n"
    "{\n"
    "    size_t stride = data->grid.stride;\n"
    "    GZ_T *to = (GZ_T *)data->aux + own;\n"
    "    GZK_EACH_CELL(data, cell)\n"
    "        to[cell.own] = number(seed + (grid + cell.grid) / stride, (grid + cell.grid) % "
    "stride);\n"
    "}\n"
    "\n"
    "static void fill(struct gzk_data *data, uint64_t seed)\n"
    "{\n"
    "    size_t own = 0, grid = 0;\n"
    "    GZ_T *state = data->state, *aux = data->aux;\n"
    "    for (size_t f = 0; f < GZ_FIELDS; f++)\n"
    "        GZK_EACH_CELL(data, cell)\n"
    "            state[f * data->cells + cell.own] = number(seed - f, cell.grid);\n"
    "    for (int k = 0; k < GZ_COEF_ARRAYS + GZ_BORDERS; k++, own += data->stride, grid += "
    "data->grid.stride)\n"
    "        fill_array(data, own, grid, seed + 1);\n"
    "    for (long loop = 0; loop < data->loops; loop++) {\n"
    "        for (int k = 0; k < GZ_STEP_VALUES; k++, own++, grid++)\n"
    "            aux[own] = number(seed + 1 + grid / data->grid.stride, grid % "
    "data->grid.stride);\n"
    "        for (int k = 0; k < GZ_STEP_ARRAYS; k++, own += data->stride, grid += "
    "data->grid.stride)\n"
    "            fill_array(data, own, grid, seed + 1);\n"
    "    }\n"
    "#if GZ_TWO_BORDERS\n"
    "    memcpy(aux + (GZ_COEF_ARRAYS - 2) * data->stride, state, data->cells * sizeof *state);\n"
    "#endif\n"
    "    /* Of three time levels, the older state is the second buffer. */\n"
    "    GZ_T *older = data->older;\n"
    "    if (older)\n"
    "        GZK_EACH_CELL(data, cell)\n"
    "            older[cell.own] = number(seed + 7, cell.grid);\n"
    "    for (int k = GZ_COEF_ARRAYS - GZ_TWO_BORDERS; older && k < GZ_COEF_ARRAYS; k++)\n"
    "        memcpy(aux + (size_t)k * data->stride, older, data->cells * sizeof *older);\n"
    "    for (int k = 1; older && k < GZ_BORDERS; k++)\n"
    "        memcpy(aux + (size_t)(GZ_COEF_ARRAYS + k) * data->stride, older,\n"
    "               data->cells * sizeof *older);\n"
    "    /* The border of the first buffer is the state's; a single buffer has but one. */\n"
    "    for (size_t k = 0; k < GZ_BORDERS && k < (3 - GZ_BUFFERS) * GZ_FIELDS; k++)\n"
    "        memcpy(aux + (GZ_COEF_ARRAYS + k) * data->stride, state + k % GZ_FIELDS * "
    "data->cells,\n"
    "               data->cells * sizeof *state);\n"
    "}\n";

/* The file's name as an identifier. */
static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *base = slash ? slash + 1 : path;
    char *name = gzt_format("%.50s", base);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
    for (char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c))
            *c = '_';
    return isdigit((unsigned char)name[0]) || !name[0] ? gzt_format("gz_%s", name) : name;
}

/* What a coordinate outside the grid means along an axis. */
static const char *beyond_axis(gz_edge edge, int axis)
{
    char c = "xyz"[axis];
    if (edge == GZ_EDGE_CLAMP)
        return gzt_format("%c = %c < 0 ? 0 : %c >= size[%d] ? size[%d] - 1 : %c; ", c, c, c, axis,
                          axis, c);
    if (edge == GZ_EDGE_PERIODIC)
        return gzt_format("%c %%= size[%d]; %c += %c < 0 ? size[%d] : 0; ", c, axis, c, c, axis);
    return gzt_format("if (%c < 0 || %c >= size[%d]) return 0; ", c, c, axis);
}

static const char *beyond(const struct gzk_stencil *stencil)
{
    struct gzt_text text = {0};
    for (int axis = 0; axis < stencil->dim; axis++)
        gzt_add(&text, "%s", beyond_axis(stencil->edge[axis], axis));
    return gzt_string(&text);
}

/* By type: its constant, C's name, and a random number. */
static const struct {
    const char *constant, *c, *random;
} types[] = {[GZK_INT] = {"INT", "int", "(int)(gzk_random(seed, i) % 10)"},
             [GZK_FLOAT] = {"FLOAT", "float", "gzk_random_float(seed, i)"},
             [GZK_DOUBLE] = {"DOUBLE", "double", "gzk_random_double(seed, i)"}};

static int extent(int usual, int radius)
{
    return usual > 4 * radius + 4 ? usual : 4 * radius + 4;
}

static void add_values(const struct gzk_stencil *s, struct gzt_text *text)
{
    static const char *const edges[] = {[GZ_EDGE_CLAMP] = "CLAMP",
                                        [GZ_EDGE_ZERO] = "ZERO",
                                        [GZ_EDGE_PERIODIC] = "PERIODIC",
                                        [GZ_EDGE_KEEP] = "KEEP"};
    gzt_add(text,
            "    .dim = %d,\n    .radius = {%d, %d, %d},\n    GZK_TYPE(GZK_%s),\n"
            "    .edge = {GZ_EDGE_%s, GZ_EDGE_%s, GZ_EDGE_%s},\n    .coefficients = %d,\n"
            "    .coefficient_arrays = %d,\n    .step_arrays = %d,\n    .step_values = %d,\n"
            "    .operations = %d,\n    .reads = {%d, %d, %d, %s},\n",
            s->dim, s->radius[0], s->radius[1], s->radius[2], types[s->type].constant,
            edges[s->edge[0]], edges[s->edge[1]], edges[s->edge[2]], s->coefficients,
            s->coefficient_arrays, s->step_arrays, s->step_values, s->operations, s->reads.state,
            s->reads.column, s->reads.arrays, s->reads.own_column ? "true" : "false");
}

static void add_facts(const char *name, const struct gzk_stencil *stencil, struct gzt_text *text)
{
    static const int sizes[] = {1000000, 1000, 100}, blocks[] = {256, 20, 8};
    int size[3] = {1, 1, 1}, block[3] = {1, 1, 1}, d = stencil->dim;

    for (int axis = 0; axis < d; axis++) {
        size[axis] = sizes[d - 1];
        block[axis] = extent(blocks[d - 1], stencil->radius[axis]);
    }
    gzt_add(text, "GZK_STENCIL(%s, .summary = \"made by gzc\",\n", name);
    add_values(stencil, text);
    if (stencil->fields)
        gzt_add(text, "    .fields = %d,\n", stencil->fields);
    gzt_add(text, "    .ulp_per_loop = %.0f, .red_black = %s,\n", stencil->ulp_per_loop,
            stencil->red_black ? "true" : "false");
    gzt_add(text, "    .default_size = {%d, %d, %d}, .default_block = {%d, %d, %d},\n", size[0],
            size[1], size[2], block[0], block[1], block[2]);
    gzt_add(text, "    .set_coefficients = set_coefficients, .fill = fill, .fills_parts = true,\n"
                  "    .reference = reference);\n");
}

/* Cells of the border before the domain along an axis, and as many behind it. */
static int rim_of(const struct gzk_stencil *stencil, int axis)
{
    return stencil->edge[axis] == GZ_EDGE_KEEP ? stencil->radius[axis] : 0;
}

/* Whether a cell belongs to the border, in C. */
static const char *keeps_cell(const struct gzk_stencil *stencil)
{
    struct gzt_text text = {0};
    gzt_add(&text, "(0");
    for (int axis = 0; axis < stencil->dim; axis++)
        gzt_add(&text, " || (c).%c < %d || (c).%c >= (c).data->size[%d] - %d", "xyz"[axis],
                rim_of(stencil, axis), "xyz"[axis], axis, rim_of(stencil, axis));
    gzt_add(&text, ")");
    return gzt_string(&text);
}

const char *gzt_row(const struct gzt_row *row, const char *header)
{
    struct gzt_text text = {0};
    struct gzk_stencil stencil = row->stencil;
    const char *name = name_of(row->path);
    int fields = stencil.fields ? stencil.fields : 1;
    bool keeps = false;

    stencil.coefficient_arrays += 2 * row->two;
    stencil.reads.arrays += 2 * row->two;
    for (int axis = 0; axis < stencil.dim; axis++)
        keeps = keeps || stencil.edge[axis] == GZ_EDGE_KEEP;
    gzt_add(&text, "/* Made by gzc. */\n%s\n", header);
    gzt_add(&text,
            "#define GZ_T %s\n#define GZ_TWO_BORDERS %d\n#define GZ_COEF_ARRAYS %d\n"
            "#define GZ_STEP_ARRAYS %d\n#define GZ_STEP_VALUES %d\n#define GZ_BEYOND %s\n#define "
            "GZ_NUMBER %s\n",
            types[stencil.type].c, row->two, stencil.coefficient_arrays, stencil.step_arrays,
            stencil.step_values, beyond(&stencil), types[stencil.type].random);
    gzt_add(&text,
            "#define GZ_FIELDS %d\n#define GZ_BORDERS %d\n#define GZ_BUFFERS %d\n"
            "#define GZ_KEEPS(c) %s\n",
            fields, keeps ? 2 * fields : 0, row->buffers, keeps_cell(&stencil));
    gzt_add(&text, "%s%s\n%s\n", host_access, stencil.body, host_loops);
    gzt_add(&text,
            "static void set_coefficients(struct gzk_data *data)\n{\n"
            "    GZ_T *to = data->coefficients;\n%s}\n\n",
            row->coefficients);
    /* The text that libgzstencil has of the loop, too: what was tuned for one suits the other. */
    gzt_add(&text, "const char gzk_%s_knl[] =\n%s", name,
            row->two ? "    \"#define GZ_TWO_BORDERS 1\\n\"\n" : "");
    gzt_add_literal(&text, stencil.body);
    gzt_add(&text, ";\n\n");
    add_facts(name, &stencil, &text);
    return gzt_string(&text);
}
