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

int resume_read(const char *path, const char *about, measured *before)
{
    gz_error why;
    char reason[200];
    size_t size;
    if (measured_read(path, before, &why))
        return cli_fail(CLI_BAD_INPUT, "--resume: %s", why.text);
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

/* Whether an interrupted sweep has this point; then it is taken over. */
static bool take_over(const measured *before, const plan_app *a, measured_row *row)
{
    for (size_t k = 0; k < before->n_rows; k++) {
        const measured_row *old = &before->rows[k];
        if (strcmp(before->apps[old->app].name, a->stencil->name) != 0 ||
            !measured_same_place(old, row, a->app.dim))
            continue;
        measured_row taken = *old;
        taken.app = row->app;
        *row = taken;
        return true;
    }
    return false;
}

void resume_take_over(plan *p, const measured *before)
{
    for (int k = 0; k < p->n_groups; k++) {
        plan_group *g = &p->groups[k];
        for (size_t i = 0; i < g->n; i++)
            take_over(before, g->a, &g->rows[i]);
        if (g->adapted)
            continue;
        bool both = true;
        for (int from = 0; from < 2; from++) {
            g->adaptive[from] = plan_adaptive_row(p->design, g->a, g->rows);
            g->adaptive[from].runs = 0;
            g->adaptive[from].kind = from == 0 ? MEASURED_FROM_MODEL : MEASURED_FROM_ONE;
            both = take_over(before, g->a, &g->adaptive[from]) && both;
        }
        g->adapted = both;
    }
}
