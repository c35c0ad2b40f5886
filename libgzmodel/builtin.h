/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * builtin.h - the devices, applications and networks compiled in from data/ and calibrate/devices/,
 * each list ended by a null name.
 */
#ifndef GZ_BUILTIN_H
#define GZ_BUILTIN_H

struct gzi_builtin {
    const char
        *device;      /* the key of the device that it is, or that an application was counted on */
    const char *name; /* its key */
    const char *text; /* the JSON file */
};

extern const struct gzi_builtin gzi_builtin_devices[];
extern const struct gzi_builtin gzi_builtin_apps[];
extern const struct gzi_builtin gzi_builtin_networks[];

#endif
