/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "facts.h"

void gzt_add_facts(const struct gzk_stencil *s, bool named, struct gzt_text *text)
{
    static const char *const types[] = {
        [GZK_INT] = "INT", [GZK_FLOAT] = "FLOAT", [GZK_DOUBLE] = "DOUBLE"};
    static const char *const edges[] = {[GZK_EDGE_CLAMP] = "CLAMP",
                                        [GZK_EDGE_ZERO] = "ZERO",
                                        [GZK_EDGE_PERIODIC] = "PERIODIC",
                                        [GZK_EDGE_KEEP] = "KEEP"};
    const char *type = named ? "GZK_" : "GZ_STENCIL_", *edge = named ? "GZK_EDGE_" : type;
    const struct {
        const char *name, *value;
    } facts[] = {
        {"dimensions", gzt_format("%d", s->dimensions)},
        {"radius", gzt_format("{%d, %d, %d}", s->radius[0], s->radius[1], s->radius[2])},
        {"type", gzt_format("%s%s", type, types[s->type])},
        {"edge", gzt_format("{%s%s, %s%s, %s%s}", edge, edges[s->edge[0]], edge, edges[s->edge[1]],
                            edge, edges[s->edge[2]])},
        {"coefficients", gzt_format("%d", s->coefficients)},
        {"coefficient_arrays", gzt_format("%d", s->coefficient_arrays)},
        {"step_arrays", gzt_format("%d", s->step_arrays)},
        {"step_values", gzt_format("%d", s->step_values)},
        {"operations", gzt_format("%d", s->operations)},
        {"reads", gzt_format("{%d, %d, %d, %s}", s->reads.state, s->reads.column, s->reads.arrays,
                             named                 ? s->reads.own_column ? "true" : "false"
                             : s->reads.own_column ? "1"
                                                   : "0")}};

    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        gzt_add(text, named ? "    .%s = %s,\n" : "    /* %s */ %s,\n", facts[i].name,
                facts[i].value);
}
