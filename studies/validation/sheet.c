/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sheet.h"

#include "files.h"
#include "output.h"

#include <stdlib.h>

void sheet_open(sheet *s)
{
    s->to = open_memstream(&s->text, &s->size);
    if (!s->to)
        exit(cli_fail(CLI_FAILED, "out of memory"));
}

void sheet_head(sheet *s, const judge *j, const char *what, const sheet_column *columns, int n)
{
    sheet_open(s);
    fprintf(s->to, "# %s\n%s", what, j->table->about);
    for (int k = 0; k < n; k++)
        fprintf(s->to, "# column %s: %s, %s\n", columns[k].name, columns[k].unit,
                columns[k].meaning);
    for (int k = 0; k < n; k++)
        fprintf(s->to, "%s%c", columns[k].name, k + 1 < n ? '\t' : '\n');
}

int sheet_write(sheet *s, const char *folder, const char *name)
{
    int status = fclose(s->to) == 0 ? CLI_DONE : cli_fail(CLI_FAILED, "out of memory");
    char *path = status ? NULL : cli_text("%s/%s", folder, name);
    if (!status)
        status = path ? cli_write(path, s->text, s->size) : cli_fail(CLI_FAILED, "out of memory");
    free(path);
    free(s->text);
    return status;
}
