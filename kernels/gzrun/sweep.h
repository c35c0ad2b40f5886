/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * sweep.h - every configuration of lists and ranges, measured one after the other into one table.
 */
#ifndef GZK_SWEEP_H
#define GZK_SWEEP_H

#include "cmdline.h"
#include "where.h"

/* Measures options->space on the device and writes the table (TSV). What cannot run there is left
 * out, and the table says so. While it goes on, what is done so far lies in FILE.partial, which
 * options->resume takes up again. Beside what was measured stands what the model predicts, if the
 * device was calibrated. Returns an exit status. */
int gzk_sweep(const struct gzk_where *where, const struct gzk_options *options);

#endif
