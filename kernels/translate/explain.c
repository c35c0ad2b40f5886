/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * explain.c - prints what was understood.
 */
#include "emit.h"
#include "measure.h"
#include "systems.h"

static const char *const forms[] = {
    [GZT_PARITY] = "two planes of one array, chosen by the time",
    [GZT_TWO_SWEEPS] = "two sweeps, back and forth between two arrays",
    [GZT_COPY_BACK] = "a sweep into a second array, then a copy back",
    [GZT_ROTATE] = "a sweep into a third array, then the three pointers change places",
    [GZT_SWAP] = "a sweep into a second array, then the pointers change places",
    [GZT_COPY_FIRST] = "a copy into a second array, then a sweep back",
    [GZT_COPIES] = "a sweep into a third array, then copies from array to array",
    [GZT_IN_PLACE] = "in place",
};
static const char *const edges[] = {
    [GZT_EDGE_KEEP] = "keep: cells beyond the domain are read and never written",
    [GZT_EDGE_CLAMP] = "clamp: an index beyond the domain means the nearest cell in it",
    [GZT_EDGE_PERIODIC] = "periodic: the domain repeats without end",
    [GZT_EDGE_ZERO] = "none: no cell beyond the domain is read",
};

static void explain_loop(const struct gzt_program *program, const struct gzt_loop *loop,
                         struct gzt_text *out)
{
    gzt_add(out, "%s from %s to %s%s", loop->iterator->name,
            gzt_node_text(program->source, loop->low), loop->inclusive ? "" : "below ",
            gzt_node_text(program->source, loop->high));
    if (loop->step != 1)
        gzt_add(out, " by %d", loop->step);
}

/* The conditions that narrow a domain. */
static void explain_cuts(const struct gzt_program *program, const struct gzt_sweep *sweep,
                         struct gzt_text *out)
{
    for (int i = 0; i < sweep->cut_count; i++)
        gzt_add(out, "%s%s%s", i ? " and " : ", where ", sweep->cuts[i]->holds ? "" : "not ",
                gzt_node_text(program->source, sweep->cuts[i]->condition));
}

/* Of several arrays: what is handed on, and what each part sets. */
static void explain_system(const struct gzt_program *program, struct gzt_text *out)
{
    const struct gzt_system *system = program->system;
    gzt_add(out, "fields      %d:", system->fields);
    for (int i = 0; i < system->fields; i++) {
        const struct gzt_field *field = &system->field[i];
        gzt_add(out, "%s %s", i ? "," : "", field->array->base);
        if (field->partner->read)
            gzt_add(out, " (two planes)");
        else if (field->partner != field->array)
            gzt_add(out,
                    gzt_is_copied_to(program, field->array) ? " (copied from %s)"
                                                            : " (changes places with %s)",
                    field->partner->base);
    }
    gzt_add(out, "\ntype        %s\ndimensions  %d\n", program->sweep[0].write.node->type_name,
            program->dimensions);
    for (int i = 0; i < program->sweeps; i++) {
        const struct gzt_sweep *sweep = &program->sweep[i];
        gzt_add(out, "%-12s%s", i ? "" : "sets", gzt_node_text(program->source, sweep->write.node));
        for (int k = 0; k < sweep->loops; k++) {
            gzt_add(out, ", ");
            explain_loop(program, &sweep->loop[k], out);
        }
        explain_cuts(program, sweep, out);
        gzt_add(out, "\n");
    }
    gzt_add(out, "computed    ");
    for (int i = 0; i < system->fields; i++)
        gzt_add(out, "%s%s of %d value(s)", i ? ", " : "", system->field[i].array->base,
                system->field[i].versions);
    gzt_add(out, "\n");
}

static void explain_domain(const struct gzt_program *program, struct gzt_text *out)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    gzt_add(out, "domain      ");
    for (int axis = program->dimensions - 1; axis >= 0; axis--) {
        const struct gzt_loop *loop = &sweep->loop[sweep->axis_loop[axis]];
        gzt_add(out, "%s from %s to %s%s%s", loop->iterator->name,
                gzt_node_text(program->source, loop->low), loop->inclusive ? "" : "below ",
                gzt_node_text(program->source, loop->high), axis ? ", " : "");
    }
    explain_cuts(program, sweep, out);
    gzt_add(out, "\n");
}

static void explain_reach(const struct gzt_program *program, struct gzt_text *out)
{
    gzt_add(out, "gather      ");
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        gzt_add(out, "%d:%d%s", program->reach[axis][0], program->reach[axis][1],
                axis ? ", " : "\n");
}

static void explain_radius(const struct gzt_program *program, struct gzt_text *out)
{
    gzt_add(out, "radius      ");
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        gzt_add(out, "%d%s",
                program->system ? program->system->radius[axis] : gzt_radius(program, axis),
                axis ? ", " : "\n");
}

/* One line if all axes have the same edges, else one for each. */
static void explain_edges(const struct gzt_program *program, struct gzt_text *out)
{
    bool same = true;
    for (int axis = 1; axis < program->dimensions; axis++)
        same = same && program->edge[axis] == program->edge[0];
    if (same)
        gzt_add(out, "edges       %s\n", edges[program->edge[0]]);
    for (int axis = program->dimensions - 1; axis >= 0 && !same; axis--)
        gzt_add(out, "%-12s%s: %s\n", axis == program->dimensions - 1 ? "edges" : "",
                gzt_axis_variable(program, axis), edges[program->edge[axis]]);
}

static void explain_inputs(const struct gzt_program *program, struct gzt_text *out)
{
    gzt_add(out, "constant    %d", program->constant_count);
    for (int i = 0; i < program->constant_count; i++)
        gzt_add(out, "%s %s", i ? "," : " array(s):",
                gzt_node_text(program->source, program->constants[i]->node));
    gzt_add(out, "\nper step    %d", program->per_step_count);
    for (int i = 0; i < program->per_step_count; i++)
        gzt_add(out, "%s %s",
                i ? "," : " array(s):", gzt_node_text(program->source, program->per_step[i]->node));
    gzt_add(out, "\nscalars     %d", program->scalar_count);
    for (int i = 0; i < program->scalar_count; i++)
        gzt_add(out, "%s %s %s", i ? "," : ":", program->scalars[i]->type_name,
                gzt_node_text(program->source, program->scalars[i]->node));
    gzt_add(out, "\n");
}

static void explain_state(const struct gzt_program *program, struct gzt_text *out)
{
    gzt_add(out, "state       %s", program->state[0]->base);
    if (program->state[1] && program->state[1] != program->state[0])
        gzt_add(out, ", %s", program->state[1]->base);
    if (program->older)
        gzt_add(out, "\nlevels      three: the state before the last is read at the cell itself");
    gzt_add(out, "\ntype        %s\ndimensions  %d\n", program->sweep[0].write.node->type_name,
            program->dimensions);
}

/* The arrays whose values after the loop count. */
static void explain_live_out(const struct gzt_program *program, struct gzt_text *out)
{
    const struct gzt_annotation *stated = &program->region->annotation;
    gzt_add(out, "live-out    ");
    for (int i = 0; i < stated->live_outs; i++)
        gzt_add(out, "%s%s", i ? ", " : "", stated->live_out[i]);
    if (stated->live_outs == 0) {
        gzt_add(out, "%s", program->state[0]->base);
        if (program->form == GZT_PARITY)
            gzt_add(out, program->planes == 3 ? ", all planes" : ", both planes");
        else if (program->state[1])
            gzt_add(out, ", %s", program->state[1]->base);
        if (program->third)
            gzt_add(out, ", %s", program->third->base);
    }
    gzt_add(out, "\n");
}

/* What a plain sweep, or a loop of several arrays, moves for a cell, each array once. */
static void explain_bytes(const struct gzt_program *program, struct gzt_text *out)
{
    int written = program->system ? program->system->fields : 1;
    int read = written + program->older + program->constant_count;
    for (int i = 0; i < program->per_step_count; i++)
        read += !gzt_is_value(program, program->per_step[i]);
    int bytes = (program->type == GZT_DOUBLE ? 8 : 4) * (read + written);
    gzt_add(out, "bytes       %d per cell and %s: %d read, %d written\n", bytes,
            program->system ? "loop" : "sweep", read, written);
}

/* The functions of the file that the loops call: part of the body, or written out. */
static void explain_functions(const struct gzt_program *program, struct gzt_text *out)
{
    const struct gzt_region *region = program->region;
    for (int i = 0; i < program->function_count; i++)
        gzt_add(out, "%s%s%s", i ? ", " : "functions   ", program->functions[i]->name,
                i + 1 < program->function_count ? "" : "\n");
    for (int i = 0; i < region->written_out_count; i++)
        gzt_add(out, "%s%s%s", i ? ", " : "written out ", region->written_out[i],
                i + 1 < region->written_out_count ? "" : "\n");
}

/* Whether something may set a cell again behind what hands it on. */
static bool has_apart(const struct gzt_program *program)
{
    bool found = false;
    for (int i = 0; i < program->receiver_count; i++)
        for (int k = 0; k < program->receivers[i]->cell_count; k++)
            found = found || program->receivers[i]->cells[k]->apart_count > 0;
    return found;
}

/* What the program finds out before a run that lets the original loops run. */
static void explain_fallback(const struct gzt_program *program, struct gzt_text *out)
{
    const struct gzt_sweep *sweep = &program->sweep[0];
    gzt_add(out, "falls back  if there is no device, or it fails\n"
                 "            if what is written shares memory with anything else\n"
                 "            if the loops' conditions do not count from bound to bound\n");
    if (program->fits->next)
        gzt_add(out, "            if a conversion or a sum changes a whole number\n");
    for (int axis = program->dimensions - 1; axis >= 0; axis--)
        if (program->least[axis] && !program->system)
            gzt_add(out, "            if %s takes fewer than %d values\n",
                    sweep->loop[sweep->axis_loop[axis]].iterator->name, program->least[axis]);
    if (program->least_loops > 1)
        gzt_add(out, "            if there are fewer than %d loops\n", program->least_loops);
    if (program->system) {
        if (program->exchange.text)
            gzt_add(out, "            if the borders of arrays that change places differ\n");
        if (program->system->copies)
            gzt_add(out, "            if a copy lacks what the loops read, or borders differ\n");
        gzt_add(out, "            in the last loop, which sets all else as C does\n");
    } else if (program->sweeps == 2 || program->form == GZT_COPY_BACK ||
               program->form == GZT_COPY_FIRST)
        gzt_add(out, "            if the %s other cells than the %s\n",
                program->sweeps == 2 ? "second sweep writes" : "copy is of",
                program->sweeps == 2 ? "first" : "sweep");
    if (program->toggle)
        gzt_add(out, "            if %s is neither 0 nor 1%s\n", program->toggle->name,
                program->opposite ? gzt_format(", or %s not the other", program->opposite->name)
                                  : "");
    if (gzt_has_third(program))
        gzt_add(out, "            if the borders of the three %s differ\n",
                program->planes == 3 ? "planes" : "arrays");
    if (program->border_count)
        gzt_add(out, "            until the border is what each loop sets, and in the last %d\n",
                program->tail);
    else if (program->tail && program->point_count)
        gzt_add(out, "            in the last loop, whose point the copy lacks\n");
    if (program->point_count)
        gzt_add(out, "            if a point lies beyond the cells that the sweep computes\n");
    if (program->receiver_count)
        gzt_add(out, "            if a cell that is handed on lies beyond the grid%s\n",
                has_apart(program) ? ", or is set again behind that" : "");
    if (program->openmp > 0)
        gzt_add(out, "            with -fopenmp, since every thread of a region runs the loops\n");
}

static void explain_measure(const struct gzt_program *program, struct gzt_text *out)
{
    static const char *const found[] = {"largest", "least", "sum"};
    const struct gzt_measure *measure = program->measure;
    gzt_add(out, "as the loop says");
    if (!measure->fold)
        return;
    gzt_add(out, ", by the %s of %s", found[measure->finds],
            measure->values ? gzt_node_text(program->source, gzt_bare(measure->value[0])) : "1");
    if (measure->condition)
        gzt_add(out, " where %s", gzt_node_text(program->source, gzt_bare(measure->condition)));
    if (gzt_measure_type(program) == 3)
        gzt_add(out, ", added in double in another order than C's");
}

static const char *const positions[] = {"before", "among", "behind"};

void gzt_explain(const struct gzt_program *program, struct gzt_text *out)
{
    struct gzt_place place = gzt_place_of(program->source, program->time.node->begin);

    gzt_add(out, "%s:%d: a stencil\n", gzt_shown(place.file), place.line);
    if (program->system)
        gzt_add(out, "form        several arrays\n");
    else
        gzt_add(out, "form        %s\n",
                program->planes == 3 ? "three planes of one array, chosen by the time"
                                     : forms[program->form]);
    if (program->system)
        explain_system(program, out);
    else
        explain_state(program, out);
    gzt_add(out, "time        ");
    if (program->measure)
        explain_measure(program, out);
    else if (program->counts)
        gzt_add(out, "%s, counted by the program",
                gzt_clean(program->source, program->counts->loop->begin,
                          program->counts->loop->child[program->counts->loop->count - 1]->begin));
    else
        explain_loop(program, &program->time, out);
    gzt_add(out, ", %d sweep%s a loop\n", program->sweeps, program->sweeps > 1 ? "s" : "");
    for (int i = 0; i < program->border_count; i++)
        gzt_add(out, "%-12s%s %s the sweep\n", i ? "" : "border",
                gzt_node_text(program->source, program->borders[i]->assignment),
                positions[program->borders[i]->position]);
    for (int i = 0; i < program->point_count; i++)
        gzt_add(out, "%-12s%s %s the sweep%s%s\n", i ? "" : "point",
                gzt_node_text(program->source, program->points[i]->assignment),
                positions[program->points[i]->position],
                program->points[i]->condition ? ", if " : "",
                program->points[i]->condition
                    ? gzt_node_text(program->source, gzt_bare(program->points[i]->condition))
                    : "");
    for (int i = 0; i < program->receiver_count; i++) {
        const struct gzt_receiver *receiver = program->receivers[i];
        gzt_add(out, "%-12s%s\n", i ? "" : "handed on",
                gzt_node_text(program->source, receiver->node));
    }
    for (int i = 0; i < program->look_count; i++)
        gzt_add(out, "looks       %s the sweeps, if %s\n", positions[program->looks[i]->position],
                gzt_node_text(program->source, gzt_bare(program->looks[i]->node->child[0])));
    if (!program->system) {
        explain_domain(program, out);
        explain_reach(program, out);
    }
    explain_radius(program, out);
    explain_edges(program, out);
    explain_inputs(program, out);
    if (program->red_black)
        gzt_add(out, "guard       cells that it leaves out keep their values\n");
    gzt_add(out, "operations  %d per cell\n", program->operations);
    explain_bytes(program, out);
    explain_functions(program, out);
    if (!program->system)
        explain_live_out(program, out);
    explain_fallback(program, out);
}
