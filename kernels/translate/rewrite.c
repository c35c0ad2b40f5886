/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * rewrite.c - the user's file with a call of libgzstencil in place of each loop. The loop itself
 * stays, for when there is no device, and as the reference. All sizes, bounds, scalars and elements
 * remain the user's expressions.
 */
#include "emit.h"

const char *gzt_rewrite(struct gzt_program *programs, int count)
{
    (void)count;
    gzt_refuse(programs[0].source, programs[0].time.node->begin, "not written yet");
    return NULL;
}
