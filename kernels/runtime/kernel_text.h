/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kernel_text.h - the text of a configuration's kernel: the rows of variants.h, the stencil's body
 * and its constants, put together.
 */
#ifndef GZK_KERNEL_TEXT_H
#define GZK_KERNEL_TEXT_H

#include "config.h"

/* The kernel's whole text after `prelude`, the backend's definitions of the common subset; of a
 * variant that has a kernel. To be freed; NULL if memory is short. */
char *gzk_kernel_text(const struct gzk_config *config, const char *prelude);

/* The same with `count` parts in place of the variant's own kernel, around the body as variant
 * naive has it: gz_update_inside and gz_update_edge. */
char *gzk_kernel_text_of(const struct gzk_config *config, const char *prelude,
                         const struct gzk_part *parts, int count);

/* The identity of a kernel: a checksum of the text without its prelude and of what else a build
 * depends on. */
uint64_t gzk_kernel_key(const struct gzk_config *config);

/* The name of the kernel in that text. */
const char *gzk_kernel_name(const struct gzk_config *config);

#endif
