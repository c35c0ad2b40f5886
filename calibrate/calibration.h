/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * calibration.h - one calibration of one device from the first query to the finished files'
 * contents.
 */
#ifndef GZC_CALIBRATION_H
#define GZC_CALIBRATION_H

#include "request.h"

/* Calibrates `device`. GZK_FAILED if something that the model cannot do without cannot be
 * measured, or *request->stop became nonzero. */
int gzc_calibrate(struct gzk_device *device, const struct gzc_request *request,
                  struct gzc_calibration *result, struct gzk_error *error);

/* How much work a calibration of `apps` applications is, in the progress bar's unit. */
double gzc_calibration_work(const struct gzc_request *request, int apps);

#endif
