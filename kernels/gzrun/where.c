/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "where.h"

#include "common.h"
#include "files.h"
#include "trial.h"

#include <stdlib.h>
#include <string.h>

static bool is_address(const char *text)
{
    if (!text || (*text && strspn(text, "0123456789") == strlen(text)))
        return true;
    for (size_t b = 0; gzk_backends[b]; b++) {
        size_t length = strlen(gzk_backends[b]->name);
        if (strncmp(text, gzk_backends[b]->name, length) == 0 && text[length] == ':')
            return true;
    }
    return false;
}

static int open_address(const struct gzk_options *options, struct gzk_where *where)
{
    struct gzk_error error = {0};
    return gzk_device_open(options->device, &where->device, &error) == 0 ? CLI_DONE
                                                                         : gzk_complain(&error);
}

static int open_described(const char *name, struct gzk_where *where)
{
    struct gzk_error error = {0};
    gz_error why;

    if (gz_device_open(name, &where->model, &why) != GZ_OK)
        return cli_fail(CLI_BAD_INPUT, "%s%s", why.text,
                        cli_is_there(name) ? "" : "; or cuda:INDEX, opencl:INDEX, INDEX for cuda");
    where->described = cli_text("%s", name);
    if (!where->described)
        return cli_fail(CLI_FAILED, "out of host memory");
    if (gzk_device_open_described(&where->model, &where->device, &error) != 0)
        return gzk_complain(&error);
    return CLI_DONE;
}

int gzk_where_open(const struct gzk_options *options, struct gzk_where *where)
{
    *where = (struct gzk_where){.compilers = where->compilers};
    int status = is_address(options->device) ? open_address(options, where)
                                             : open_described(options->device, where);
    if (status == CLI_DONE)
        where->device->before_program = gzk_try_threads;
    else
        gzk_where_close(where);
    return status;
}

int gzk_where_chooser(const struct gzk_where *where, const struct gzk_stencil *stencil,
                      gz_model asked, struct gzk_chooser *chooser, struct gzk_error *error)
{
    return gzk_chooser_open(chooser, where->device, stencil, where->described, &where->model, asked,
                            error);
}

double gzk_measured_bandwidth(const struct gzk_where *where)
{
    const gz_quantity *stated = &where->model.mem_bandwidth;
    return where->described && stated->origin == GZ_ORIGIN_MEASURED ? stated->value : 0;
}

void gzk_where_close(struct gzk_where *where)
{
    gzk_device_close(where->device);
    free(where->described);
    *where = (struct gzk_where){.compilers = where->compilers};
}
