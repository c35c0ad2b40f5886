/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * study.h - what all studies share: the command line, the TSV they write, the paper's four
 * benchmarks in the configurations of its Fig. 7, and sampling of the model.
 *
 * The studies are the paper's, by its model, unless `--model gz2` is given to one that has it: then
 * the benchmarks have 2^24 elements, and blocks with more elements than threads (study_tile).
 *
 * A text describes a study, tables/NAME.txt, in lines KEY: VALUE. The first has the study's name
 * and what its rows show; `source` the paper's figure, section and equations; `column NAME: UNIT,
 * MEANING` is one of the table. `models: meng2011 gz2` or `gz2` says that it has others than the
 * paper's; `grids: own`, that it sets grid and block by itself; `only`, of which benchmark it is;
 * `device: any`, that the rows are the same for every device, and none is named.
 *
 * A function that study_run calls fills in rows.
 * Rows are kept in memory until all are there, so a study that fails has written nothing. The
 * functions below that can fail say why in one line on stderr and end the program: status 2 for a
 * wrong command line or input, 1 for anything else.
 *
 * The TSV: `#` lines (what, device, source, one for each column, notes), one header row, rows. Text
 * columns come first. Every number is finite.
 */
#ifndef GZ_STUDY_H
#define GZ_STUDY_H

#include "gzmodel/searches.h"
#include "output.h"
#include "tables.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* A column: its name in the header row, its unit ("text" for text), and what it means. */
typedef struct study_column {
    const char *name, *unit, *meaning;
} study_column;

enum { STUDY_MAX_COLUMNS = 12 };

/* The models that a study takes: the paper's, also gz2 if --model requests it, or gz2 alone. */
typedef enum study_models { STUDY_PAPER, STUDY_BOTH, STUDY_GZ2 } study_models;

/* What its text says. */
typedef struct study_spec {
    const char *name, *what, *source, *only;
    study_models models;
    bool own_grids, any_device;
    study_column columns[STUDY_MAX_COLUMNS + 1]; /* up to the first without a name */
} study_spec;

/* One of the paper's benchmarks as its Fig. 7 runs it. */
typedef struct study_benchmark {
    gz_app app;
    gz_config cfg; /* kernel restarts, by the study's model */
} study_benchmark;

enum { STUDY_BENCHMARKS = 4 };

typedef struct study {
    study_spec spec;
    gz_model model;
    const char *device_option; /* as given with -d; gtx280 or, for gz2, h200 without */
    gz_device device;
    int n_benchmarks;                            /* fewer than four if the device's limit on */
    study_benchmark benchmark[STUDY_BENCHMARKS]; /* threads leaves a benchmark no block */
    int is_paper_device;  /* non-zero if the paper's measurements apply: its GeForce GTX 280 */
    const char *out_path; /* NULL: stdout */
    struct cli_sheet notes, rows;
    long n_rows;
} study;

/* Reads the command line (`-d/--device NAME_OR_PATH`, `-m/--model NAME`, `-o FILE`, `-h/--help`),
 * opens the device and the benchmarks, calls `rows`, and writes the TSV whole. Returns the exit
 * status of main. */
int study_run(int argc, char **argv, const char *text, void (*rows)(study *s));

/* What a study of its own file defines; study_main.c runs it. */
extern const char *const study_own;
void study_rows(study *s);

/* Begins a study whose command line and device are its caller's: its program's name, no benchmarks,
 * no device, no rows. */
void study_begin(study *s, const char *text);

/* The parts of study_run, for a program that does more: after study_open the study takes rows;
 * study_write writes them to -o FILE, or to stdout, and fails if there is none; study_close
 * frees them. */
void study_open(study *s, int argc, char **argv, const char *text);
void study_write(study *s);
void study_close(study *s);

/* Appends a row: all text cells, then all numbers, as many as the spec's columns. */
#define STUDY_TEXT(...)                                                                            \
    (const char *const[]){__VA_ARGS__}, sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)
#define STUDY_NUMBERS(...)                                                                         \
    (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double)
void study_row(study *s, const char *const *text, size_t n_text, const double *numbers,
               size_t n_numbers);

/* Adds a `# note:` line; the same one twice in a row is kept once. */
__attribute__((format(printf, 2, 3))) void study_note(study *s, const char *format, ...);

/* Opens the application `key` of the study's device, under the name that figures and tables use. If
 * the device has none of its own, a note says on which device its instructions were counted. */
void study_open_app(study *s, const char *key, gz_app *app);

/* Opens the network that studies of ranks are of, with a note that none was measured. */
void study_open_network(study *s, gz_network *net);

/* A benchmark by its name; NULL if no block of it fits the device. */
const study_benchmark *study_find(const study *s, const char *app);

/* The same block length, or grid length, in every dimension of the application. */
void study_set_block(const gz_app *app, gz_config *cfg, double len);
void study_set_grid(const gz_app *app, gz_config *cfg, double len);

/* The grid with about that many elements. */
void study_set_elements(const gz_app *app, gz_config *cfg, double elements);

/* Threads of the block, elements of the grid. */
double study_threads(const gz_app *app, const gz_config *cfg);
double study_elements(const gz_app *app, const gz_config *cfg);

/* The model if it is defined. Zero, and a note of what is left out, if the block exceeds the
 * device's limit or leaves no committed tile at this height; non-zero with `out` filled otherwise.
 * study_best is the best height of at least one loop, since a stage has at least one. */
int study_predict(study *s, const gz_device *dev, const gz_app *app, const gz_config *cfg, double h,
                  gz_prediction *out);
int study_best(study *s, const gz_device *dev, const gz_app *app, const gz_config *cfg,
               gz_optimum *out);

/* The k-th of n values from `first` to `last`, equally spaced, or equally spaced in logarithms. */
double study_linear(double first, double last, int k, int n);
double study_geometric(double first, double last, int k, int n);

/* The k-th of n heights of a curve, from 1 to the last; gz2 has whole ones alone: 0 for one that is
 * the same as the one before. */
double study_height(const gz_app *app, const gz_config *cfg, int k, int n);

/* For gz2: 256 threads at most of a block, in rows of a warp if it has more than one dimension. */
void study_set_threads(const gz_app *app, gz_config *cfg);

/* For gz2: sets the k-th block, of a set by powers of two from the smallest that a GPU's warps fill
 * to the largest that local memory may hold, with at most 256 threads; zero past the last. */
int study_tile(const gz_app *app, int k, gz_config *cfg);

/* Makes a quantity of a device or an application so many times as large; one that is not stated
 * stays so. */
void study_scale(gz_device *dev, gz_app *app, const char *name, double factor);

/* A quantity that is scaled, or set to a value; and several of them, ended by one without a name.
 */
typedef struct study_change {
    const char *quantity;
    double by;
    int sets;
} study_change;
void study_change_all(gz_device *dev, gz_app *app, const study_change *changes);

/* The fastest such block and whole height on a device by cfg's model and mode; zero if none fits.
 */
int study_best_tile(const gz_device *dev, const gz_app *app, const gz_config *cfg, gz_config *best,
                    gz_optimum *out);

#endif
