/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "schedule.h"

#include <math.h>

bool schedule_wants(const measured_row *row, int pass)
{
    return row->tries <= pass;
}

static long wanted_of(const plan_group *g, int pass)
{
    long wanted = 0;
    for (size_t k = 0; k < g->n; k++)
        wanted += schedule_wants(&g->rows[k], pass);
    return wanted;
}

bool schedule_lacks(const plan_group *g, int pass)
{
    return wanted_of(g, pass) > 0;
}

double schedule_slice_end(const plan *p, int which, int pass, double now, double end)
{
    double need = 0, points = 0, left = fmax(0, end - now), own = 0, own_n = 0;
    for (int k = which; k < p->n_groups; k++) {
        const plan_group *g = &p->groups[k];
        double missing = (double)wanted_of(g, pass);
        double needs = g->planned_s * missing / (double)g->n;
        own = k == which ? needs : own;
        own_n = k == which ? missing : own_n;
        need += needs;
        points += missing;
    }
    if (!(points > 0) || left <= need)
        return now + (need > 0 ? left * own / need : 0);
    return now + own + (left - need) * own_n / points;
}

double schedule_needs_s(const plan *p, long *missing)
{
    double least_s = 0;
    *missing = 0;
    for (int k = 0; k < p->n_groups; k++) {
        const plan_group *g = &p->groups[k];
        long here = wanted_of(g, 0);
        least_s += g->planned_s * (double)here / (double)g->n;
        *missing += here;
    }
    return least_s;
}

schedule_count schedule_tally(const plan *p, int tries)
{
    schedule_count count = {.short_of = p->planned};
    for (const plan_group *g = p->groups; g < p->groups + p->n_groups; g++)
        for (const measured_row *row = g->rows; row < g->rows + g->n; row++) {
            if (row->runs == 0)
                continue;
            count.rows++;
            count.tries += row->tries;
            count.done += measured_is_point(row->kind);
            count.short_of -= measured_is_point(row->kind) && row->tries >= tries;
            count.noisy += row->quality == MEASURED_NOISY;
            count.quiet += row->quality == MEASURED_QUIET;
        }
    return count;
}
