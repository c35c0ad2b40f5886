/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "resume.h"

#include "files.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

/* Whether a line of `about` may differ. */
static bool may_differ(const char *line)
{
    static const char *const keys[] = {"# date: ", "# command:", "# resumed: "};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        if (strncmp(line, keys[k], strlen(keys[k])) == 0)
            return true;
    return false;
}

/* Whether a text has a line, of n bytes with its end. */
static bool has_line(const char *text, const char *line, size_t n)
{
    for (const char *at = text; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, line, n) == 0)
            return true;
    }
    return false;
}

int resume_read(const char *path, measured *before)
{
    gz_error why;
    return measured_read(path, before, &why) ? cli_fail(CLI_BAD_INPUT, "--resume: %s", why.text)
                                             : CLI_DONE;
}

int resume_check(const char *path, const char *about)
{
    char reason[200];
    size_t size;
    char *text = cli_read_text(path, &size, reason, sizeof reason);
    if (!text)
        return cli_fail(CLI_BAD_INPUT, "--resume: %s %s", path, reason);
    int status = CLI_DONE;
    for (const char *line = about; !status && *line;) {
        size_t n = strcspn(line, "\n") + 1;
        if (!may_differ(line) && !has_line(text, line, n))
            status = cli_fail(CLI_BAD_INPUT,
                              "--resume: %s is of another sweep: it lacks the line \"%.60s...\"",
                              path, line);
        line += n;
    }
    free(text);
    return status;
}

/* Takes a row over if an interrupted sweep has it. */
static void take_over(const measured *before, const plan_app *a, measured_row *row)
{
    for (const measured_row *old = before->rows; old < before->rows + before->n_rows; old++)
        if (strcmp(before->apps[old->app].name, a->stencil->name) == 0 &&
            measured_same_place(old, row, a->app.dim)) {
            int app = row->app;
            *row = *old;
            row->app = app;
            return;
        }
}

void resume_take_over(plan *p, const measured *before)
{
    for (int k = 0; k < p->n_groups; k++)
        for (size_t i = 0; i < p->groups[k].n; i++)
            take_over(before, p->groups[k].a, &p->groups[k].rows[i]);
}
