/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * device.h - devices by name, over all backends, and the programs compiled for one.
 */
#ifndef GZK_DEVICE_H
#define GZK_DEVICE_H

#include "backend.h"

#include <stdio.h>

/* All backends, ended by NULL. */
extern const struct gzk_backend *const gzk_backends[];

/* Opens the device of that address: "BACKEND:INDEX", or "INDEX", which means "cuda:INDEX"; NULL
 * means "cuda:0" if there is one, else "opencl:0". GZK_INVALID if the address is malformed,
 * GZK_NO_DEVICE if there is no such device. Ended by gzk_device_close. */
int gzk_device_open(const char *address, struct gzk_device **device, struct gzk_error *error);

/* The address of the device that number `turn`, from 0, of the processes of a machine takes so that
 * each takes the next; NULL if there is none. */
const char *gzk_device_in_turn(int turn, char address[40]);

/* Opens the first device, over all backends, that a device file describes: the driver calls it by
 * the file's name (which may have been cut), or by one that the built-in file of that key lists.
 * GZK_NO_DEVICE if there is none. */
int gzk_device_open_described(const gz_device *described, struct gzk_device **device,
                              struct gzk_error *error);

/* Prints a line, after `indent`, for each device and each backend without one. */
void gzk_devices_list(const char *indent, FILE *to);

/* Threads that issue together, from what a driver says of it: on a CPU 1; else the first of
 * NVIDIA's warp, AMD's wavefront and the preferred multiple of a kernel's work-group that is a
 * power of two up to 256, which all such devices have; 0 if none is. */
int gzk_warp_size(bool is_cpu, long nvidia, long amd, long multiple);

/* Frees the programs compiled for a device, which takes memory for each; there must be no plan left
 * that has one. */
void gzk_device_forget(struct gzk_device *device);

/* Whether the device refuses everything in this process from now on; to be asked after a failure.
 * Another process may still use it. */
bool gzk_device_is_lost(struct gzk_device *device);

/* Closes a device with its programs; NULL is harmless. */
void gzk_device_close(struct gzk_device *device);

/* The program for `config` on this device, compiled unless it was before. It belongs to the device.
 * GZK_INVALID if the device cannot hold the tile or the threads. */
int gzk_device_program(struct gzk_device *device, const struct gzk_config *config,
                       const struct gzk_program **program, struct gzk_error *error);

/* The same of any other text, which is freed; NULL says that memory was short for it. */
int gzk_device_build(struct gzk_device *device, struct gzk_program_spec spec,
                     const struct gzk_program **program, struct gzk_error *error);

#endif
