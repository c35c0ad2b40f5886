/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "levels.h"

#include <string.h>

int gzm_levels(const struct gzm *mg)
{
    return mg->inner ? mg->inner->count : mg->count;
}

static void report_share(const struct gzm_share *share, int depth, struct gzm_level_report *report)
{
    report->rank_depth = depth;
    report->exchanges = share->exchanges;
    report->messages = share->exchanges * gzk_halo_messages(share->halo);
    report->bytes = (double)share->exchanges * (double)gzk_halo_bytes(share->halo);
    report->exchange_s = share->seconds;
}

void gzm_forget(struct gzm *mg)
{
    for (struct gzm *each = mg; each; each = each->inner)
        for (int k = 0; k < each->count; k++) {
            struct gzm_level *level = &each->levels[k];
            level->visits = level->launches = level->share.exchanges = 0;
            level->share.seconds = 0;
            memset(level->seconds, 0, sizeof level->seconds);
        }
}

void gzm_report(const struct gzm *mg, int k, struct gzm_level_report *report)
{
    const struct gzm *cycled = mg->inner ? mg->inner : mg;
    const struct gzm_level *level = &cycled->levels[k];
    *report = (struct gzm_level_report){.on_host = level->on_host,
                                        .config = level->config,
                                        .visits = level->visits,
                                        .launches = level->launches};
    memcpy(report->size, level->size, sizeof report->size);
    memcpy(report->seconds, level->seconds, sizeof report->seconds);
    if (level->share.device)
        report_share(&level->share, mg->setup.division->depth[k], report);
    if (mg->inner && k == 0)
        report->launches += mg->levels[0].launches;
    for (int part = 0; part < GZM_PARTS && mg->inner && k == 0; part++)
        report->seconds[part] += mg->levels[0].seconds[part];
}
