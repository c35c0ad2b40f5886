/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exchange.h - what ranks have to do with each other: messages along prepared channels, agreement,
 * and what rank 0 collects, by MPI: a shared object that is opened when it is needed, so that
 * programs start where there is no MPI, and one rank alone has nothing to exchange. An error inside
 * MPI ends all ranks, with MPI's message.
 */
#ifndef GZK_EXCHANGE_H
#define GZK_EXCHANGE_H

#include "error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { GZK_EXCHANGE_ABI = 7 };

struct gzk_exchange;
struct gzk_channel; /* each kind's own */

/* Bytes to a rank from `at` of one buffer, and as many from it to `at` of another. */
struct gzk_message {
    int peer, tag, answer_tag;
    size_t at, bytes;
};

struct gzk_exchange_kind {
    uint32_t abi;
    /* Sets rank, ranks and node_rank. */
    int (*begin)(struct gzk_exchange *exchange, struct gzk_error *error);
    void (*end)(struct gzk_exchange *exchange);
    /* Ends all ranks at once with that exit status. */
    void (*abandon)(struct gzk_exchange *exchange, int status);
    /* Renumbers the ranks, fastest along x, with neighbours near each other where MPI can. */
    void (*arrange)(struct gzk_exchange *exchange, const int ranks[3], const bool periodic[3]);
    /* A channel for `count` messages between the same buffers; NULL if memory is short. */
    struct gzk_channel *(*prepare)(struct gzk_exchange *exchange,
                                   const struct gzk_message *messages, int count, const void *out,
                                   void *in);
    /* Sends and receives its messages. */
    void (*move)(struct gzk_channel *channel);
    void (*release)(struct gzk_channel *channel);
    /* To rank 0, and there from rank `peer`. */
    void (*give)(struct gzk_exchange *exchange, const void *from, size_t bytes);
    void (*take)(struct gzk_exchange *exchange, int peer, void *to, size_t bytes);
    /* Replaces values by the largest over all ranks, and by their sums. */
    void (*largest)(struct gzk_exchange *exchange, double *values, int count);
    void (*total)(struct gzk_exchange *exchange, uint64_t *values, int count);
    /* Completes `all` on every rank: rank k has its sizes[k] bytes at at[k] of it. */
    void (*share)(struct gzk_exchange *exchange, void *all, const int *sizes, const int *at);
};

struct gzk_exchange {
    const struct gzk_exchange_kind *kind; /* NULL: one rank alone, which needs no closing */
    int rank, ranks;
    int node_rank;    /* among those of this machine */
    uint64_t request; /* a hash of the options, the same on all ranks */
    const void
        *communicator; /* the address of a program's MPI_Comm, whose ranks these are and whose
                          MPI goes on; NULL: those of this program, which has no other MPI */
    void *library, *of;
    char name[40], address[40]; /* of gzk_exchange_join */
};

/* Opens the exchange of the ranks that were started together: MPI's if this build has it, else one
 * rank alone. `request` and `communicator` must be set. GZK_INVALID where several were
 * started, or there is a communicator, and this build has no MPI; and on all ranks, whose numbers
 * are then set, if their requests differ. Whatever it returns, ended by gzk_exchange_close: before
 * that, what is wrong must be said, since a launcher kills the others once a rank has ended. */
int gzk_exchange_open(struct gzk_exchange *exchange, struct gzk_error *error);
void gzk_exchange_close(struct gzk_exchange *exchange);

/* Opens the exchange of the ranks that were started as that program with such a `request`; its
 * messages then name the rank. Sets the device that this rank takes of its machine's if none is
 * given. Returns an exit status, after the first rank said what was wrong and it was closed. */
int gzk_exchange_join(struct gzk_exchange *exchange, const char *program, uint64_t request,
                      const char **device);

/* GZK_INVALID, in the words of --ranks, where a launcher says that it started several processes:
 * for a program that opens no exchange, as one that ends well would leave the others waiting for
 * it. */
int gzk_check_alone(struct gzk_error *error);

/* As its kind has them; of one rank alone nothing. */
void gzk_exchange_abandon(struct gzk_exchange *exchange, int status);
void gzk_exchange_arrange(struct gzk_exchange *exchange, const int ranks[3],
                          const bool periodic[3]);
void gzk_exchange_largest(struct gzk_exchange *exchange, double *values, int count);
void gzk_exchange_total(struct gzk_exchange *exchange, uint64_t *values, int count);

/* The largest status of all ranks. */
int gzk_exchange_agree(struct gzk_exchange *exchange, int status);
/* The status if it is not 0, or GZK_FAILED if that of another rank is not. */
int gzk_exchange_all(struct gzk_exchange *exchange, int status, struct gzk_error *error);

/* Whether some numbers, at most GZK_MOST_SAME of up to 2^53, are the same on all ranks. */
enum { GZK_MOST_SAME = 8 };
bool gzk_exchange_same(struct gzk_exchange *exchange, const long *numbers, int count);

/* What the first rank has, on all. */
void gzk_exchange_tell(struct gzk_exchange *exchange, void *what, size_t bytes);

/* Around what compiles: the first rank of each machine goes before its others, which then find the
 * kernels in the driver's cache. Nothing in between may wait for other ranks. */
void gzk_exchange_turn(struct gzk_exchange *exchange, bool begins);

#endif
