/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * heat_mpi.c - the plate of kernels/translate/example/heat.c on the ranks of an MPI program with a
 * time loop of its own, whose steps libgzstencil runs on each rank's device. Prints the same
 * digits, on any number of ranks. Arguments: cells along an edge, and steps.
 */
#include <gzstencil.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* A copper disc in a plate of steel, mm^2/s; a cell is a millimetre wide, a step 2 ms long. */
static const double copper = 117, steel = 4.2, step = 0.002;

/* What gzc --body prints of heat.c, without the comment and the helpers. */
static const char *const body[] = {
    "GZ_UPDATE\n{\n    return AT(0, 0, 0) + COEF(0) * COEF_AT(0, 0, 0, 0) * "
    "(AT(0, -1, 0) + AT(0, 1, 0) + AT(-1, 0, 0) + AT(1, 0, 0) - 4 * "
    "AT(0, 0, 0));\n}\n",
    0};
static const struct gz_stencil heat = {.file = "heat_mpi.c",
                                       .line = 1,
                                       .body = body,
                                       .dimensions = 2,
                                       .radius = {1, 1},
                                       .type = GZ_STENCIL_DOUBLE,
                                       .edge = {GZ_STENCIL_KEEP, GZ_STENCIL_KEEP},
                                       .coefficients = 1,
                                       .constant_arrays = 1,
                                       .operations = 7,
                                       .buffers = 1};

/* The cells that this rank computes: `extent` columns and rows from `first` on. The arrays have a
 * rim around them: the plate's, or cells of other ranks, which need not be set. */
struct part {
    int n, rank;
    long first[2], extent[3];
};

static size_t at(const struct part *part, long i, long j)
{
    return (size_t)((i - part->first[1] + 1) * (part->extent[0] + 2) + j - part->first[0] + 1);
}

static void fill(const struct part *part, double *plate, double *diffusivity)
{
    for (long i = part->first[1] - 1; i <= part->first[1] + part->extent[1]; i++)
        for (long j = part->first[0] - 1; j <= part->first[0] + part->extent[0]; j++) {
            double y = 2.0 * (double)i / (part->n - 1) - 1, x = 2.0 * (double)j / (part->n - 1) - 1;
            diffusivity[at(part, i, j)] = x * x + y * y < 0.25 ? copper : steel;
            plate[at(part, i, j)] = i == 0 ? 100 : 20;
        }
}

/* The middle of each row is on one rank; what the others add is 0. */
static void print(const struct part *part, const double *plate)
{
    long j = part->n / 2, begin = part->first[1], end = begin + part->extent[1];
    for (long i = 0; i < part->n; i += (part->n + 19) / 20) {
        int has = j >= part->first[0] && j < part->first[0] + part->extent[0] &&
                  (i >= begin || begin == 1) && (i < end || end == part->n - 1);
        double mine = has ? plate[at(part, i, j)] : 0, all;
        MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
        if (part->rank == 0)
            printf("%ld %.17g\n", i, all);
    }
}

/* Returns 0 if all went well, which is so on all ranks or on none. */
static int run(const struct part *part, const int layout[2], long steps)
{
    MPI_Comm world = MPI_COMM_WORLD;
    const struct gz_stencil_ranks ranks = {.communicator = &world,
                                           .layout = {layout[0], layout[1], 1}};
    gz_stencil_run *plate = gz_stencil_open_ranks(&heat, part->extent, steps, &ranks);
    if (gz_stencil_ready(plate))
        fill(part, gz_stencil_buffer(plate, 0), gz_stencil_constant(plate, 0));
    gz_stencil_double(plate, 0, step);
    int done = gz_stencil_put(plate);
    for (long t = 0; t < steps && done; t += 100)
        done = gz_stencil_advance(plate, steps - t < 100 ? steps - t : 100);
    done = done && gz_stencil_get(plate);
    if (done)
        print(part, gz_stencil_result(plate, 0));
    else
        fprintf(stderr, "heat_mpi: rank %d: %s\n", part->rank, gz_stencil_reason(plate));
    gz_stencil_close(plate);
    return !done;
}

int main(int argc, char **argv)
{
    int layout[2] = {0, 0}, count;
    struct part part = {.extent = {1, 1, 1}};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &part.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &count);
    MPI_Dims_create(count, 2, layout);
    part.n = argc > 1 ? atoi(argv[1]) : 1000;
    int steps = argc > 2 ? atoi(argv[2]) : 500, status = 2;
    if (part.n < 2 * count + 2 || part.n > 20000 || steps < 1) {
        fprintf(stderr, "heat_mpi: cells must be from 2 a rank to 20000, steps at least 1\n");
    } else {
        /* Ranks are numbered fastest along axis 0. */
        const int place[2] = {part.rank % layout[0], part.rank / layout[0]};
        for (int d = 0; d < 2; d++) {
            part.first[d] = 1 + (long)(part.n - 2) * place[d] / layout[d];
            part.extent[d] = 1 + (long)(part.n - 2) * (place[d] + 1) / layout[d] - part.first[d];
        }
        status = run(&part, layout, steps);
    }
    MPI_Finalize();
    return status;
}
