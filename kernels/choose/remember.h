/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * remember.h - what `gzrun --tune -o FILE.json` or libgzstencil has found, read again by both.
 */
#ifndef GZK_REMEMBER_H
#define GZK_REMEMBER_H

#include "choose.h"

#include <jansson.h>

/* The best that was measured, and others beside it. */
enum { GZK_MOST_WISE = 3 };

/* One way to run, and its time. */
struct gzk_wise {
    GZI_HAS(gz_way, way, GZ_WAY_MEMBERS)
    double seconds_per_loop;
};

struct gzk_wisdom {
    char app[64], address[32], device[256], driver[256];
    char stencil[20]; /* a checksum of its body, edges and type */
    int dimensions, size[3];
    long loops;
    struct gzk_wise best[GZK_MOST_WISE]; /* the fastest first */
    int count;
};

/* Reads a file; GZK_INVALID if it is none. */
int gzk_wisdom_read(const char *path, struct gzk_wisdom *wisdom, struct gzk_error *error);

/* The ways of a run on a device as gzk_wisdom_read reads them, with the members of `more`, which is
 * released. */
json_t *gzk_ways_json(const struct gzk_ways *ways, const struct gzk_config *run,
                      const struct gzk_device_info *device, json_t *more);
/* Writes them to a file. GZK_FAILED if it cannot. */
int gzk_wisdom_write(const char *path, const struct gzk_ways *ways, const struct gzk_config *run,
                     const struct gzk_device_info *device, struct gzk_error *error);

/* GZK_INVALID if it is of another stencil, or of another size unless `size` is NULL. */
int gzk_wisdom_check(const struct gzk_wisdom *wisdom, const struct gzk_stencil *stencil,
                     const int size[3], struct gzk_error *error);

/* Whether it was found on that device by that driver; else its ways are to be measured again. */
bool gzk_wisdom_is_of(const struct gzk_wisdom *wisdom, const struct gzk_device_info *device);

/* Its ways for a run, to be measured again (choose.h). */
int gzk_ways_again(const struct gzk_wisdom *wisdom, const struct gzk_config *run,
                   const struct gzk_device_info *device, struct gzk_ways *ways,
                   struct gzk_error *error);

/* The exponent of the power of two that a size is rounded up to: such sizes share results. */
int gzk_octave(long size);

/* Results kept on disk (diskcache.h) for a stencil on a device over grids of
 * such sizes, up to the next power of two. Whoever changes it can make a run slower, but no result
 * wrong: ways are checked as any are. */
bool gzk_recall(const struct gzk_device_info *device, const struct gzk_config *run,
                struct gzk_wisdom *wisdom);
void gzk_remember(const struct gzk_device_info *device, const struct gzk_config *run,
                  const struct gzk_ways *ways);

#endif
