/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "outfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int gzk_outfile_open(struct gzk_outfile *out, const char *name, struct gzk_error *error)
{
    struct stat status;
    if (strlen(name) >= sizeof out->name)
        return gzk_fail(error, GZK_INVALID, "%.40s...: too long a name for a file", name);
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
        return gzk_fail(error, GZK_INVALID, "%s: not a regular file; give a file's name", name);
    strcpy(out->name, name);
    snprintf(out->temporary, sizeof out->temporary, "%s.%ld.tmp", name, (long)getpid());
    out->stream = fopen(out->temporary, "w");
    if (!out->stream)
        return gzk_fail(error, GZK_INVALID, "%s: cannot be written: %s", name, strerror(errno));
    return 0;
}

int gzk_outfile_close(struct gzk_outfile *out, struct gzk_error *error)
{
    int bad = fflush(out->stream) != 0 || ferror(out->stream);
    bad |= fclose(out->stream) != 0;
    if (!bad && rename(out->temporary, out->name) == 0)
        return 0;
    gzk_fail(error, GZK_FAILED, "%s: cannot be written: %s", out->name, strerror(errno));
    remove(out->temporary);
    return GZK_FAILED;
}

void gzk_outfile_discard(struct gzk_outfile *out)
{
    fclose(out->stream);
    remove(out->temporary);
}
