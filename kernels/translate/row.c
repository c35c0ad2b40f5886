/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * row.c - a whole stencil in C: facts, body, serial reference, data.
 */
#include "access.h"
#include "emit.h"
#include "systems.h"
#include "within.h"

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
static const char *name_of(const struct gzt_program *program)
{
    const char *slash = strrchr(program->source->path, '/');
    const char *base = slash ? slash + 1 : program->source->path;
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
static const char *beyond_axis(enum gzt_edge edge, int axis)
{
    char c = "xyz"[axis];
    switch (edge) {
    case GZT_EDGE_CLAMP:
        return gzt_format("%c = %c < 0 ? 0 : %c >= size[%d] ? size[%d] - 1 : %c; ", c, c, c, axis,
                          axis, c);
    case GZT_EDGE_PERIODIC:
        return gzt_format("%c %%= size[%d]; %c += %c < 0 ? size[%d] : 0; ", c, axis, c, c, axis);
    case GZT_EDGE_KEEP:
    case GZT_EDGE_ZERO:
        break;
    }
    return gzt_format("if (%c < 0 || %c >= size[%d]) return 0; ", c, c, axis);
}

static const char *beyond(const struct gzt_program *program)
{
    struct gzt_text text = {0};
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(&text, "%s", beyond_axis(program->edge[axis], axis));
    return gzt_string(&text);
}

/* Whether no part begins before that one along an axis, or, of its end, none ends behind it. */
static bool is_outermost(const struct gzt_program *program, const struct gzt_sweep *sweep, int k)
{
    for (int i = 0; i < program->sweeps; i++)
        if (gzt_sets_field(program, &program->sweep[i]) &&
            !gzt_encloses(program, sweep, &program->sweep[i], k))
            return false;
    return gzt_sets_field(program, sweep);
}

/* On grids on which all parts have cells: how far a bound of a part, its first or last cell along
 * an axis, lies from the first cell or, with `end`, the last that any part sets; false if that is
 * not the same on all grids. */
static bool distance_of(const struct gzt_program *program, const struct gzt_sweep *sweep, int k,
                        bool end, int *distance)
{
    isl_pw_aff *bound = k % 2 ? sweep->last[k / 2] : sweep->first[k / 2];
    isl_set *all = isl_set_universe(isl_space_set_alloc(program->isl, 0, 0));
    bool fixed = false;
    for (int i = 0; i < program->sweeps && !fixed; i++) {
        const struct gzt_sweep *outer = &program->sweep[i];
        fixed =
            is_outermost(program, outer, k - k % 2 + end) &&
            gzt_difference_on(all, bound, end ? outer->last[k / 2] : outer->first[k / 2], distance);
    }
    isl_set_free(all);
    return fixed;
}

/* Bound `number` of the layout by the grid's extents, from that end of it to which it is nearer;
 * NULL with the error set if they do not tell. */
static const char *bound_of(const struct gzt_program *program, int number)
{
    const struct gzt_sweep *sweep = &program->sweep[number / (2 * GZT_AXES)];
    int k = number % (2 * GZT_AXES), rim = gzt_grid_rim(program, k / 2), from_first, from_last;
    bool first = distance_of(program, sweep, k, false, &from_first);
    bool last = distance_of(program, sweep, k, true, &from_last);
    if (first && (!last || abs(from_first) < abs(from_last) + !(k % 2)))
        return gzt_format("%d", rim + from_first + k % 2);
    if (last)
        return gzt_format("data->size[%d] - %d", k / 2, rim + 1 - from_last - k % 2);
    gzt_refuse(program->source, sweep->write.node->begin,
               "%s: its first and last cells do not follow from the extents of the grid, which are "
               "all that gzrun knows",
               gzt_node_text(program->source, sweep->write.node));
    return NULL;
}

/* A value that the file does not state: anything will do to prove the arithmetic, and small
 * numbers keep values finite. */
static const char *value_of(const struct gzt_program *program, const struct gzt_slot *slot)
{
    const struct gzt_scalar *scalar;
    switch (slot->content) {
    case GZT_IS_ORIGIN:
    case GZT_IS_TIME:
        return "0";
    case GZT_IS_BOUND:
        return bound_of(program, slot->number);
    case GZT_IS_PLACE:
        return gzt_format("data->size[%d] / 2", slot->number % GZT_AXES);
    case GZT_IS_SCALAR:
        break;
    }
    scalar = program->scalars[slot->number];
    if (scalar->known)
        return gzt_format("%.17g", scalar->value);
    return scalar->type == GZT_FLOAT || scalar->type == GZT_DOUBLE
               ? gzt_format("1.0 / %d", slot->number + 2)
               : gzt_format("%d", slot->number + 1);
}

static int add_coefficients(const struct gzt_program *program, const struct gzt_layout *layout,
                            struct gzt_text *text)
{
    gzt_add(text, "static void set_coefficients(struct gzk_data *data)\n{\n"
                  "    GZ_T *to = data->coefficients;\n");
    for (int i = 0; i < layout->slots; i++) {
        const struct gzt_slot *slot = &layout->slot[i];
        const char *value = value_of(program, slot), *type = gzt_type_text(slot->type);
        if (!value)
            return -1;
        if (program->type == GZT_DOUBLE || slot->type == program->type)
            gzt_add(text, "    to[%d] = (GZ_T)(%s)(%s);\n", slot->first, type, value);
        else
            gzt_add(text, "    memcpy(to + %d, &(%s){(%s)(%s)}, sizeof(%s));\n", slot->first, type,
                    type, value, type);
    }
    gzt_add(text, "}\n\n");
    return 0;
}

static int extent(int usual, int radius)
{
    return usual > 4 * radius + 4 ? usual : 4 * radius + 4;
}

static void add_facts(const struct gzt_program *program, const struct gzk_stencil *stencil,
                      struct gzt_text *text)
{
    static const int sizes[] = {1000000, 1000, 100}, blocks[] = {256, 20, 8};
    int size[3] = {1, 1, 1}, block[3] = {1, 1, 1}, d = stencil->dimensions;

    for (int axis = 0; axis < d; axis++) {
        size[axis] = sizes[d - 1];
        block[axis] = extent(blocks[d - 1], stencil->radius[axis]);
    }
    gzt_add(text, "GZK_STENCIL(%s, .summary = \"made by gzc\",\n", name_of(program));
    gzt_add_facts(stencil, true, text);
    if (stencil->older)
        gzt_add(text, "    .older = true,\n");
    if (stencil->fields)
        gzt_add(text, "    .fields = %d,\n", stencil->fields);
    gzt_add(text, "    .ulp_per_loop = %.0f, .red_black = %s,\n", stencil->ulp_per_loop,
            stencil->red_black ? "true" : "false");
    gzt_add(text, "    .default_size = {%d, %d, %d}, .default_block = {%d, %d, %d},\n", size[0],
            size[1], size[2], block[0], block[1], block[2]);
    gzt_add(text, "    .set_coefficients = set_coefficients, .fill = fill, .fills_parts = true,\n"
                  "    .reference = reference);\n");
}

/* Whether a cell belongs to the border, in C. */
static const char *keeps_cell(const struct gzt_program *program)
{
    struct gzt_text text = {0};
    gzt_add(&text, "(0");
    for (int axis = 0; axis < program->dimensions; axis++)
        gzt_add(&text, " || (c).%c < %d || (c).%c >= (c).data->size[%d] - %d", "xyz"[axis],
                gzt_grid_rim(program, axis), "xyz"[axis], axis, gzt_grid_rim(program, axis));
    gzt_add(&text, ")");
    return gzt_string(&text);
}

const char *gzt_row(const struct gzt_program *program, const struct gzt_layout *layout,
                    const char *header)
{
    struct gzt_text text = {0};
    struct gzk_stencil stencil = gzt_stencil(program, layout);
    bool two = gzt_has_two_buffers(program) && gzt_is_guarded(program);

    if (two) {
        stencil.coefficient_arrays += 2;
        stencil.reads.arrays += 2;
    }

    gzt_add(&text, "/* Made by gzc. */\n%s\n", header);
    gzt_add(&text,
            "#define GZ_T %s\n#define GZ_TWO_BORDERS %d\n#define GZ_COEF_ARRAYS %d\n"
            "#define GZ_STEP_ARRAYS %d\n#define GZ_STEP_VALUES %d\n#define GZ_BEYOND %s\n#define "
            "GZ_NUMBER %s\n",
            gzt_type_text(program->type), two, stencil.coefficient_arrays, stencil.step_arrays,
            stencil.step_values, beyond(program),
            program->type == GZT_INT     ? "(int)(gzk_random(seed, i) % 10)"
            : program->type == GZT_FLOAT ? "gzk_random_float(seed, i)"
                                         : "gzk_random_double(seed, i)");
    int fields = stencil.fields ? stencil.fields : 1;
    gzt_add(&text,
            "#define GZ_FIELDS %d\n#define GZ_BORDERS %d\n#define GZ_BUFFERS %d\n"
            "#define GZ_KEEPS(c) %s\n",
            fields, gzt_keeps(program) ? 2 * fields : 0,
            gzt_has_two_buffers(program) && program->form != GZT_COPY_FIRST ? 2 : 1,
            keeps_cell(program));
    gzt_add(&text, "%s", host_access);
    gzt_add(&text, "%s\n%s\n", stencil.body, host_loops);
    if (add_coefficients(program, layout, &text) != 0)
        return NULL;
    /* The text that libgzstencil has of the loop, too: what was tuned for one suits the other. */
    gzt_add(&text, "const char gzk_%s_knl[] =\n%s", name_of(program),
            two ? "    \"#define GZ_TWO_BORDERS 1\\n\"\n" : "");
    gzt_add_literal(&text, stencil.body);
    gzt_add(&text, ";\n\n");
    add_facts(program, &stencil, &text);
    return gzt_string(&text);
}
