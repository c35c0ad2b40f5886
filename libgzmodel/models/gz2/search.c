/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "gz2_contract.h"

#include <stdlib.h>

void *gzi_gz2_work_new(const gz_device *dev, const gz_app *app)
{
    gzi_gz2_work *work = malloc(sizeof *work);
    gzi_gz2 model;

    if (work) {
        work->dev = dev;
        work->app = app;
        gzi_gz2_of_files(dev, app, &model);
        gzi_gz2_make_ready(&model, &work->ready);
    }
    return work;
}

void gzi_gz2_work_free(void *work)
{
    free(work);
}
