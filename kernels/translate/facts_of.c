/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * facts_of.c - the stencil that a program becomes, as the kernels' runtime describes one.
 */
#include "affine.h"
#include "emit.h"
#include "loops.h"
#include "points.h"
#include "systems.h"

#include <string.h>

bool gzt_has_two_buffers(const struct gzt_program *program)
{
    return program->form == GZT_PARITY || program->form == GZT_SWAP ||
           program->form == GZT_ROTATE || program->form == GZT_TWO_SWEEPS ||
           program->form == GZT_COPY_FIRST || program->form == GZT_COPIES;
}

bool gzt_keeps_time(const struct gzt_program *program)
{
    return program->look_count > 0 || program->border_count > 0 || program->tail > 0;
}

int gzt_levels(const struct gzt_program *program)
{
    return program->system ? 1 : program->sweeps;
}

bool gzt_has_third(const struct gzt_program *program)
{
    return program->form == GZT_ROTATE || program->form == GZT_COPIES || program->planes == 3;
}

bool gzt_is_guarded(const struct gzt_program *program)
{
    bool guarded = false;
    for (int i = 0; i < program->sweeps; i++)
        guarded = guarded || program->sweep[i].guarded;
    return guarded && program->form != GZT_COPY_FIRST;
}

bool gzt_is_value(const struct gzt_program *program, const struct gzt_input *input)
{
    struct gzt_space space = gzt_space_of(program, &program->sweep[input->sweep]);
    return !gzt_depends_on_cell(&space, input->node);
}

enum gzt_type gzt_step_type(const struct gzt_program *program, const struct gzt_input *input)
{
    return input->node->kind == GZT_CALL && program->type != GZT_DOUBLE ? input->type
                                                                        : program->type;
}

/* The elements of the first values, or how many of the first arrays there are. */
static int count_steps(const struct gzt_program *program, int before, bool value)
{
    int count = 0;
    for (int i = 0; i < before; i++)
        if (gzt_is_value(program, program->per_step[i]) == value)
            count += value
                         ? gzt_words_of(program->type, gzt_step_type(program, program->per_step[i]))
                         : 1;
    return count;
}

int gzt_step_number(const struct gzt_program *program, int k)
{
    return count_steps(program, k, gzt_is_value(program, program->per_step[k]));
}

int gzt_step_words(const struct gzt_program *program)
{
    return count_steps(program, program->per_step_count, true);
}

struct gzk_stencil gzt_stencil(const struct gzt_program *program, const struct gzt_layout *layout)
{
    static const enum gzk_type types[] = {
        [GZT_INT] = GZK_INT, [GZT_FLOAT] = GZK_FLOAT, [GZT_DOUBLE] = GZK_DOUBLE};
    static const enum gzk_edge edges[] = {[GZT_EDGE_KEEP] = GZK_EDGE_KEEP,
                                          [GZT_EDGE_CLAMP] = GZK_EDGE_CLAMP,
                                          [GZT_EDGE_PERIODIC] = GZK_EDGE_PERIODIC,
                                          [GZT_EDGE_ZERO] = GZK_EDGE_ZERO};
    int operations = program->operations ? program->operations : 1;
    struct gzk_stencil stencil = {
        .name = program->state[0]->base,
        .dimensions = program->dimensions,
        .type = types[program->type],
        .coefficients = layout->words,
        .coefficient_arrays = program->constant_count,
        .operations = operations,
        .ulp_per_loop =
            program->type == GZT_INT ? 0 : (operations + 1) * (program->inexact ? 16 : 1),
        .red_black = program->red_black,
        .older = program->older,
        .fields = program->system ? program->system->fields : 0};

    stencil.body = gzt_body(program, layout, &stencil.reads);
    stencil.step_arrays = count_steps(program, program->per_step_count, false);
    stencil.step_values = gzt_step_words(program) + gzt_point_values(program);
    for (int axis = 0; axis < GZT_AXES; axis++) {
        stencil.radius[axis] = axis < program->dimensions ? gzt_radius(program, axis) : 0;
        stencil.edge[axis] = edges[program->edge[axis]];
    }
    if (stencil.radius[0] + stencil.radius[1] + stencil.radius[2] == 0)
        stencil.radius[0] = 1;
    stencil.reads.own_column &=
        stencil.fields < 2 && stencil.dimensions > 1 && stencil.radius[stencil.dimensions - 1] > 0;
    return stencil;
}
