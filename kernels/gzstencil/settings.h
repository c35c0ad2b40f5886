/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * settings.h - the environment's GZ_* variables. An error in one is a line on standard error,
 * once a process, and the variable counts as not set, as the empty text does.
 */
#ifndef GZS_SETTINGS_H
#define GZS_SETTINGS_H

enum gzs_setting {
    GZS_BLOCK,
    GZS_CHECK,
    GZS_DEVICE,
    GZS_DEVICE_FILE,
    GZS_HEIGHT,
    GZS_ORIGINAL,
    GZS_PLAN,
    GZS_REPORT,
    GZS_TRY,
    GZS_VARIANT
};

/* The text of one; NULL if it is not set. */
const char *gzs_text(enum gzs_setting setting);

/* Says why one is not used. */
void gzs_ignore(enum gzs_setting setting, const char *why);

/* The number of the word that GZ_CHECK (0, 1, warn), GZ_ORIGINAL (auto, never, always), GZ_REPORT,
 * GZ_TRY (0, 1) or GZ_VARIANT (stream, trapezoid, naive) is, from 0; -1 if it is not set. */
int gzs_word(enum gzs_setting setting);

/* The numbers of GZ_HEIGHT (one) or GZ_BLOCK ("16x8x4", up to three), each from 0 to 2^20; returns
 * how many there are; 0, with all of them 0, if it is not set. */
int gzs_numbers(enum gzs_setting setting, int numbers[3]);

#endif
