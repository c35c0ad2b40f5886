/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Random stencils on random grids, divided at random, by the serial reference alone: each rank's
 * own grid is computed as a grid like any other, with halos exchanged, and its box is the whole
 * grid's to the last bit, whatever the edge rules, arrays, depths and layouts, with data cut out of
 * the whole grid's or made for the part alone. Every stencil makes the same data for a part as for
 * the grid, also where that would fit no memory. And the refusals of what cannot be divided.
 */
#include "generic.h"
#include "own_grid.h"
#include "registry.h"
#include "tap.h"
#include "variants.h"

enum { MOST_RANKS = 8 };

static uint64_t seed, drawn;

static int draw(int least, int most)
{
    return least + (int)(gzk_random(seed, drawn++) % (uint64_t)(most - least + 1));
}

/* A stencil that asks for no place of a cell, which the host's reference would not know. */
static void draw_stencil(int dimensions)
{
    struct gzk_stencil *s = &generic.stencil;
    enum gzk_type type = (enum gzk_type)draw(GZK_INT, GZK_DOUBLE);
    *s = (struct gzk_stencil){.dim = dimensions,
                              GZK_TYPE(type),
                              .coefficients = draw(0, 2),
                              .coefficient_arrays = draw(0, 2),
                              .step_arrays = draw(0, 1)};
    for (int d = 0; d < 3; d++) {
        s->edge[d] = (gz_edge)draw(0, gzk_edge_count - 1);
        s->radius[d] = d < dimensions ? draw(d == 0, 2) : 0;
    }
    generic.position = 3;
    generic.count = draw(3, 9);
    for (int k = 0; k < generic.count; k++) {
        struct generic_term *term = &generic.terms[k];
        *term = (struct generic_term){.array = draw(-1, s->coefficient_arrays - 1),
                                      .weight = draw(1, 9)};
        for (int d = 0; d < 3; d++)
            term->d[d] = draw(-s->radius[d], s->radius[d]);
    }
    generic_finish();
}

/* At most MOST_RANKS boxes. */
static void draw_ranks(const int size[3], int ranks[3])
{
    for (int d = 0, left = MOST_RANKS; d < 3; d++, left /= ranks[d - 1]) {
        int most = left < 4 ? left : 4;
        ranks[d] = size[d] > 1 ? draw(1, most < size[d] ? most : size[d]) : 1;
    }
}

/* A rank with its two states, between which its loops go. */
struct rank {
    struct gzk_domain part;
    struct gzk_own_grid own;
    void *state, *other;
};

static void run_loops(struct rank *rank, long loop, long loops)
{
    for (long k = 0; k < loops; k++) {
        void *from = rank->state;
        generic.stencil.reference(&rank->own.data, loop + k, from, rank->other);
        rank->state = rank->other;
        rank->other = from;
    }
}

/* Element (x, y, z) of a box in a rank's state, counted along the box. */
static char *element(const struct rank *rank, const struct gzk_box *box, int i)
{
    const int *size = rank->part.size, *extent = box->extent;
    int x = box->begin[0] + i % extent[0], y = box->begin[1] + i / extent[0] % extent[1];
    int z = box->begin[2] + i / extent[0] / extent[1];
    return (char *)rank->state +
           (size_t)generic.stencil.bytes * (size_t)((z * size[1] + y) * size[0] + x);
}

/* What `from` sends in a transfer goes to the one of its peer that answers it. */
static int deliver(const struct gzk_split *split, struct rank *ranks, int from,
                   const struct gzk_transfer *sent)
{
    struct gzk_transfer transfers[GZK_MOST_TRANSFERS];
    int count = gzk_transfers(split, sent->peer, transfers);
    for (int k = 0; k < count; k++) {
        if (transfers[k].peer != from || transfers[k].answer_tag != sent->tag)
            continue;
        if (memcmp(transfers[k].receive.extent, sent->send.extent, sizeof sent->send.extent) != 0)
            return -1;
        for (int i = 0; i < (int)gzk_cells(sent->send.extent); i++)
            memcpy(element(&ranks[sent->peer], &transfers[k].receive, i),
                   element(&ranks[from], &sent->send, i), (size_t)generic.stencil.bytes);
        return 0;
    }
    return -1;
}

/* Returns 0 if every message has its answer. */
static int exchange(const struct gzk_split *split, struct rank *ranks)
{
    struct gzk_transfer transfers[GZK_MOST_TRANSFERS];
    int status = 0;
    for (int phase = 0; phase < 3; phase++)
        for (int r = 0; r < (int)gzk_cells(split->ranks); r++) {
            int count = gzk_transfers(split, r, transfers);
            for (int k = 0; k < count; k++)
                if (transfers[k].phase == phase)
                    status |= deliver(split, ranks, r, &transfers[k]);
        }
    return status;
}

/* Runs on ranks, and puts their boxes into `grid`, and their sum. Returns 0 if that went well. */
static int run_divided(const struct gzk_split *split, const struct gzk_data *data, long depth,
                       void *grid, uint64_t *sum)
{
    struct rank ranks[MOST_RANKS];
    struct gzk_error error = {0};
    size_t bytes = (size_t)generic.stencil.bytes;
    int count = (int)gzk_cells(split->ranks), status = 0;
    const struct gzk_initial initial = {seed % 4 < 2 ? data : NULL, data->loops, seed};

    *sum = 0;
    for (int r = 0; r < count; r++) {
        gzk_domain_of(split, r, &ranks[r].part);
        status |= gzk_own_grid_make(&generic.stencil, &initial, split, &ranks[r].part,
                                    &ranks[r].own, &error);
        ranks[r].state = ranks[r].own.data.state;
        ranks[r].other = calloc(ranks[r].own.data.cells, bytes);
    }
    for (long loop = 0; loop < data->loops && status == 0; loop += depth) {
        if (loop > 0)
            status = exchange(split, ranks);
        for (int r = 0; r < count; r++)
            run_loops(&ranks[r], loop, data->loops - loop < depth ? data->loops - loop : depth);
    }
    for (int r = 0; r < count; r++) {
        gzk_domain_give(split, &ranks[r].part, bytes, ranks[r].state, grid);
        *sum += gzk_domain_checksum(split, &ranks[r].part, bytes, ranks[r].state);
        free(ranks[r].state == ranks[r].own.data.state ? ranks[r].other : ranks[r].state);
        gzk_own_grid_free(&ranks[r].own);
    }
    return status;
}

/* One random case. The whole grid is a division into one. */
static void check(int dimensions)
{
    const int one[3] = {1, 1, 1};
    struct gzk_error error = {0};
    struct gzk_split whole, split;
    struct gzk_data data;
    int size[3], ranks[3];
    uint64_t sum = 0, want_sum = 1;

    drawn = 0;
    draw_stencil(dimensions);
    for (int d = 0; d < 3; d++)
        size[d] = d < dimensions ? draw(5, dimensions == 3 ? 14 : 40) : 1;
    draw_ranks(size, ranks);
    const struct gzk_split even = {.size = {size[0], size[1], size[2]},
                                   .ranks = {ranks[0], ranks[1], ranks[2]}};
    long most = gzk_split_most_loops(&even, generic.stencil.radius);
    long depth = draw(1, most < 6 ? (int)(most > 0 ? most : 1) : 6), loops = draw(1, 12);
    if (gzk_split_make(&generic.stencil, size, ranks, depth, &split, &error) != 0 ||
        gzk_data_new(&data, &generic.stencil, size, loops, seed) != 0) {
        tap_ok(most < 1, "seed %llu: %s", (unsigned long long)seed, error.text);
        return;
    }
    gzk_split_make(&generic.stencil, size, one, depth, &whole, &error);
    size_t bytes = data.cells * (size_t)generic.stencil.bytes;
    void *got = calloc(1, bytes), *want = calloc(1, bytes);
    int status = run_divided(&whole, &data, loops, want, &want_sum) |
                 run_divided(&split, &data, depth, got, &sum);
    char edges[60];
    gzk_edges_text(&generic.stencil, edges, sizeof edges);
    tap_ok(status == 0 && memcmp(got, want, bytes) == 0 && sum == want_sum &&
               sum == gzk_grid_checksum(size, (size_t)generic.stencil.bytes, got),
           "seed %llu: %dx%dx%d on %dx%dx%d ranks, depth %ld, %s", (unsigned long long)seed,
           size[0], size[1], size[2], ranks[0], ranks[1], ranks[2], depth, edges);
    free(got);
    free(want);
    gzk_data_free(&data);
}

struct compared {
    size_t bytes;
    int differ;
};

static void compare(void *of, const void *from, void *to)
{
    struct compared *compared = of;
    compared->differ += memcmp(from, to, compared->bytes) != 0;
}

/* What differs between a rank's grid that was cut out and one that was made. */
static int differ(const struct gzk_stencil *stencil, const struct gzk_data *data,
                  const struct gzk_split *split, int rank)
{
    const struct gzk_initial cut = {.grid = data}, made = {NULL, data->loops, seed};
    struct gzk_own_grid a, b;
    struct gzk_domain part;
    struct gzk_error error;
    gzk_domain_of(split, rank, &part);
    if (gzk_own_grid_make(stencil, &cut, split, &part, &a, &error) != 0 ||
        gzk_own_grid_make(stencil, &made, split, &part, &b, &error) != 0)
        exit(1);
    struct compared compared = {(size_t)stencil->bytes * a.data.cells, 0};
    gzk_copy_arrays(stencil, &a.data, &b.data, compare, &compared);
    compared.differ += memcmp(a.data.coefficients, b.data.coefficients,
                              (size_t)stencil->bytes * GZK_MAX_COEFFICIENTS) != 0;
    gzk_own_grid_free(&a);
    gzk_own_grid_free(&b);
    return compared.differ;
}

/* All stencils that gzrun lists. */
static void check_fills(void)
{
    for (size_t k = 0; k < gzk_stencil_count; k++) {
        const struct gzk_stencil *stencil = gzk_stencils[k];
        int size[3] = {23, 19, 17}, ranks[3] = {4, 2, 3}, wrong = 0;
        struct gzk_split split;
        struct gzk_data data;
        struct gzk_error error;
        for (int d = stencil->dim; d < 3; d++)
            size[d] = ranks[d] = 1;
        if (gzk_split_make(stencil, size, ranks, 2, &split, &error) != 0 ||
            gzk_data_new(&data, stencil, size, 3, seed) != 0)
            exit(1);
        for (int rank = 0; rank < (int)gzk_cells(split.ranks); rank++)
            wrong += differ(stencil, &data, &split, rank);
        tap_ok(stencil->fills_parts && wrong == 0, "%s: ranks' data are the grid's: %d differ",
               stencil->name, wrong);
        gzk_data_free(&data);
    }
}

/* A rank of a grid of 1e18 cells. */
static void check_huge(void)
{
    const struct gzk_stencil *stencil = gzk_stencil_find("star7vc");
    const int size[3] = {1000000, 1000000, 1000000}, ranks[3] = {100000, 100000, 100000};
    const struct gzk_initial initial = {NULL, 1, seed};
    struct gzk_split split;
    struct gzk_domain part;
    struct gzk_own_grid own;
    struct gzk_error error;
    gzk_split_make(stencil, size, ranks, 1, &split, &error);
    gzk_domain_of(&split, 5, &part);
    bool made = gzk_own_grid_make(stencil, &initial, &split, &part, &own, &error) == 0;
    /* Cell (1, 1, 1) of its own grid is (50, 0, 0) of the whole one. */
    tap_ok(made && own.data.cells == 1728 &&
               ((const double *)own.data.state)[144 + 12 + 1] == gzk_random_double(seed, 50),
           "of 1e18 cells a rank makes its own 1728");
    if (made)
        gzk_own_grid_free(&own);
}

static void check_refusals(void)
{
    struct gzk_stencil stencil = {.dim = 2, .radius = {2, 1, 0}};
    struct gzk_split split;
    struct gzk_error error = {0};
    const int size[3] = {41, 30, 1}, ranks[3] = {4, 3, 1}, many[3] = {1, 31, 1};
    tap_ok(gzk_split_make(&stencil, size, ranks, 5, &split, &error) == 0,
           "a halo as wide as the narrowest box is taken");
    tap_ok(gzk_split_make(&stencil, size, ranks, 6, &split, &error) == GZK_INVALID &&
               strstr(error.text, "at most 5"),
           "one that is wider is refused: %s", error.text);
    tap_ok(gzk_split_make(&stencil, size, many, 1, &split, &error) == GZK_INVALID,
           "so are more ranks than cells: %s", error.text);
}

int main(void)
{
    int cases = tap_bulk(150, 3000);
    const char *given = getenv("GZ_SEED");
    seed = given ? strtoull(given, NULL, 10) : 1;
    for (int k = 0; k < cases; k++, seed++)
        check(1 + (int)(seed % 3));
    check_fills();
    check_huge();
    check_refusals();
    return tap_done();
}
