/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * builtin.h - the devices and applications compiled in from data/, each list ended by a null name.
 */
#ifndef GZ_BUILTIN_H
#define GZ_BUILTIN_H

struct gzi_builtin {
    const char *name;
    const char *text; /* the JSON file */
};

extern const struct gzi_builtin gzi_builtin_devices[];
extern const struct gzi_builtin gzi_builtin_apps[];

#endif
