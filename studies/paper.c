/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * paper.c - the paper's measurements (see paper.h).
 */
#include "paper.h"

#include <stddef.h>
#include <string.h>

static const paper_measured measured[] = {
    {"PathFinder", GZ_SYNC_RESTART, 16, 2.32}, {"PathFinder", GZ_SYNC_FENCE, 16, 4.50},
    {"HotSpot", GZ_SYNC_RESTART, 2, 1.35},     {"HotSpot", GZ_SYNC_FENCE, 2, 1.32},
    {"Poisson", GZ_SYNC_RESTART, 2, 1.40},     {"Poisson", GZ_SYNC_FENCE, 3, 1.29},
    {"Cell", GZ_SYNC_RESTART, 1, 1.0},         {"Cell", GZ_SYNC_FENCE, 1, 1.0}};

static const paper_adaptive adaptive[] = {{"PathFinder", 2.29, 1.94},
                                          {"HotSpot", 1.35, 1.32},
                                          {"Poisson", 1.40, 1.36},
                                          {"Cell", 0.92, 0.92}};

const paper_measured *paper_find(const char *app, gz_sync sync)
{
    for (size_t k = 0; k < sizeof measured / sizeof *measured; k++)
        if (strcmp(measured[k].app, app) == 0 && measured[k].sync == sync)
            return measured + k;
    return NULL;
}

const paper_adaptive *paper_find_adaptive(const char *app)
{
    for (size_t k = 0; k < sizeof adaptive / sizeof *adaptive; k++)
        if (strcmp(adaptive[k].app, app) == 0)
            return adaptive + k;
    return NULL;
}
