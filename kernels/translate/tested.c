/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tested.h"

#include "within.h"

enum { NO_CELL = 2 * GZT_AXES, MOST_QUESTIONS = 500 };

/* Whether the cells at which a version is needed for another make a test of the first superfluous:
 * against bound k it always passes, or, of NO_CELL, some test never does. */
static bool decides(const struct gzt_program *program, const struct gzt_version *version,
                    const struct gzt_version *user, int k)
{
    const struct gzt_sweep *bounds = &program->sweep[version->part];
    const struct gzt_sweep *part = &program->sweep[user->part];
    for (int i = k == NO_CELL ? 0 : k; i < (k == NO_CELL ? 2 * program->dimensions : k + 1); i++) {
        int shift = version->offset[i / 2] - user->offset[i / 2];
        if (k == NO_CELL ? gzt_is_beyond(program, bounds, part, shift, i)
                         : gzt_is_within(program, bounds, part, shift, i))
            return true;
    }
    return false;
}

/* Whether an element, as the parts below `before` have left it, is version `number`. */
static bool is_version(const struct gzt_program *program, const struct gzt_field *field, int number,
                       const struct gzt_array *array, int before, const int offset[GZT_AXES])
{
    int part = gzt_last_part(program, array, before);
    return part >= 0 && gzt_version_of(field, part, offset) == number;
}

/* Whether a version reads another. */
static bool reads(const struct gzt_program *program, const struct gzt_field *field,
                  const struct gzt_version *user, int number)
{
    for (int i = 0; i < program->read_count; i++) {
        const struct gzt_read *read = program->reads[i];
        int far[GZT_AXES];
        for (int axis = 0; axis < GZT_AXES; axis++)
            far[axis] = user->offset[axis] + read->offset[axis];
        if (read->part == user->part && read->role == GZT_STATE &&
            is_version(program, field, number, program->arrays[read->number], read->before, far))
            return true;
    }
    return false;
}

/* Whether that test of a version is decided wherever version `number`, which is made of it or is
 * it, is needed: by each that reads that one, or by what needs these and those that replace it.
 * Gives up after so many questions. */
static bool is_decided(const struct gzt_program *program, const struct gzt_field *field,
                       const struct gzt_version *version, int k, int number, int *questions)
{
    static const int own[GZT_AXES];
    if (--*questions < 0 ||
        is_version(program, field, number, field->partner, program->sweeps, own))
        return false;
    for (int i = number + 1; i < field->versions; i++) {
        const struct gzt_version *user = &field->version[i];
        bool replaces = is_version(program, field, number, program->sweep[user->part].write.array,
                                   user->part, user->offset);
        if (!replaces && !reads(program, field, user, number))
            continue;
        if ((replaces || !decides(program, version, user, k)) &&
            !is_decided(program, field, version, k, i, questions))
            return false;
    }
    return true;
}

void gzt_find_tests(struct gzt_program *program)
{
    for (int f = 0; f < program->system->fields; f++) {
        struct gzt_field *field = &program->system->field[f];
        for (int i = 0; i < field->versions; i++) {
            struct gzt_version *version = &field->version[i];
            int questions = MOST_QUESTIONS;
            version->never = is_decided(program, field, version, NO_CELL, i, &questions);
            for (int k = 0; k < 2 * program->dimensions; k++) {
                questions = MOST_QUESTIONS;
                version->tested[k] = program->edge[k / 2] == GZT_EDGE_KEEP &&
                                     !is_decided(program, field, version, k, i, &questions);
            }
        }
    }
}
