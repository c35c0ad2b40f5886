/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include <string.h>

int gzm_levels(const struct gzm *mg)
{
    return mg->inner ? mg->inner->count : mg->count;
}

void gzm_forget(struct gzm *mg)
{
    for (struct gzm *each = mg; each; each = each->inner)
        for (int k = 0; k < each->count; k++)
            each->levels[k].spent = (struct gzm_spent){0};
}

void gzm_report(const struct gzm *mg, int k, struct gzm_level_report *report)
{
    const struct gzm *cycled = mg->inner ? mg->inner : mg;
    const struct gzm_level *level = &cycled->levels[k];
    const struct gzk_halo *halo = level->share.halo;

    *report = (struct gzm_level_report){
        .on_host = level->on_host, .config = level->config, .spent = level->spent};
    memcpy(report->size, level->size, sizeof report->size);
    if (level->share.divided) {
        report->rank_depth = mg->setup.division->depth[k];
        report->messages = level->spent.exchanges * gzk_halo_messages(halo);
        report->bytes = (double)level->spent.exchanges * (double)gzk_halo_bytes(halo);
    }
    if (mg->inner && k == 0)
        report->spent.launches += mg->levels[0].spent.launches;
    for (int part = 0; part < GZM_PARTS && mg->inner && k == 0; part++)
        report->spent.seconds[part] += mg->levels[0].spent.seconds[part];
}
