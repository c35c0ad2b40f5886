/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * fuzz_table.c - what must hold for the reader of measurements on any bytes whatever.
 */
#include "fuzz.h"
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is accepted is what the table states, and the model is defined for every row. */
static void check_accepted(const measured *table)
{
    size_t points = 0;
    for (size_t k = 0; k < table->n_rows; k++) {
        const measured_row *row = &table->rows[k];
        gz_error error = {""};
        require(row->app >= 0 && row->app < table->n_apps, "a row's application is there", "");
        const gz_app *app = &table->apps[row->app].app;
        /* The tables' own model has no other variants, and this device nothing of the second. */
        int described = row->cfg.variant == GZ_VARIANT_TRAPEZOID;
        require(!described || gz_check(&table->device, app, &row->cfg, &error) == GZ_OK,
                "a row is in range", error.text);
        require(row->height >= 1 && (!described || row->height <= gz_height_max(app, &row->cfg)),
                "so is its height", "");
        require(row->cfg.variant != GZ_VARIANT_NAIVE || row->height == 1,
                "blocks without local memory are one loop high", "");
        require(row->runs >= 1 && row->loops >= 1, "a row has runs and loops", "");
        require(row->seconds > 0 && isfinite(row->seconds) && row->spread >= 0, "and a time", "");
        require(row->quality != MEASURED_QUIET || row->spread < 1.01 * MEASURED_LIMIT,
                "a quiet row is quiet", "");
        points += row->kind == MEASURED_SWEEP;
    }
    require(points > 0, "a table has points", "");
}

int fuzz_accepts(const uint8_t *data, size_t size)
{
    measured table;
    gz_error error;
    gz_status status = measured_parse((const char *)data, size, "fuzz", &table, &error);
    if (status) {
        require(status == GZ_EFORMAT, "only the format is refused", error.text);
        require(strncmp(error.text, "fuzz", 4) == 0 && strlen(error.text) > 6,
                "the message says where and what", error.text);
        require(!table.rows && !table.about, "nothing is left of what is refused", error.text);
    } else {
        check_accepted(&table);
    }
    measured_free(&table);
    return status == GZ_OK;
}

static void put_line(const char *text, FILE *to)
{
    for (; *text; text++)
        if (*text != '\n')
            fputc(*text, to);
    fputc('\n', to);
}

/* One table, of two applications and every kind of row. */
const char *fuzz_start(size_t index)
{
    static const char *const rows[] = {
        "hotspot\trestart\t500x500\t20x20\tsweep\tquiet\t1\t8\t5\t3.95e-3\t0.01\t4.1e-3,4e-3,3.9e-"
        "3",
        "hotspot\trestart\t500x500\t20x20\tsweep\taveraged\t2\t8\t100\t2.5e-3\t0.05\t2.5e-3",
        "hotspot\tfence\t500x500\t20x20\tsweep\tnoisy\t2\t8\t5\t2.25e-3\t0.5\t2e-3,3e-3",
        "hotspot\trestart\t500x500\t64x64\tnaive\tquiet\t1\t8\t5\t3e-3\t0.01\t3e-3",
        "hotspot\trestart\t500x500\t500x66\tstream\tquiet\t2\t8\t5\t2e-3\t0.01\t2e-3",
        "hotspot\trestart\t64x1\t3x3\tsync\tquiet\t1\t8\t5\t1e-5\t0.01\t1e-5",
        "pathfinder\trestart\t1000000\t256\tsweep\tquiet\t12\t24\t7\t3e-4\t0.001\t3e-4",
        "pathfinder\trestart\t1000000\t256\tfrom_model\tquiet\t11\t30\t5\t3e-4\t0.001\t3e-4",
        "pathfinder\trestart\t1000000\t256\tfrom_one\tquiet\t9\t30\t5\t4e-4\t0.002\t4e-4"};
    static char *text;
    size_t size;
    if (index > 0 || text)
        return index > 0 ? NULL : text;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        abort();
    fputs("# measured: 3\n# device: none\n# device file: ", to);
    put_line(gz_builtin_text(NULL, 0), to);
    fputs("# app hotspot: ", to);
    for (size_t k = 0; gz_builtin_name("gtx280", k); k++)
        if (strcmp(gz_builtin_name("gtx280", k), "hotspot") == 0)
            put_line(gz_builtin_text("gtx280", k), to);
    fputs("# app pathfinder: ", to);
    for (size_t k = 0; gz_builtin_name("gtx280", k); k++)
        if (strcmp(gz_builtin_name("gtx280", k), "pathfinder") == 0)
            put_line(gz_builtin_text("gtx280", k), to);
    measured_write_columns(sizeof rows / sizeof *rows, to);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        put_line(rows[k], to);
    if (fclose(to) != 0)
        abort();
    return text;
}
