/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * exchange_mpi - the exchange by MPI, a shared object that exchange.c opens. Halos go by persistent
 * requests in a Cartesian communicator. MPI's own handler of errors, which ends all ranks, stays.
 */
#include "exchange.h"

#include <limits.h>
#include <mpi.h>
#include <stdlib.h>

/* A message's bytes are an int. */
enum { MOST_BYTES = 1 << 30 };

struct mpi {
    MPI_Comm communicator;
    bool own; /* MPI was started here */
};

struct gzk_channel {
    int count;
    MPI_Request requests[];
};

static struct mpi *of(struct gzk_exchange *exchange)
{
    return exchange->of;
}

static int begin(struct gzk_exchange *exchange, struct gzk_error *error)
{
    const MPI_Comm *given = exchange->communicator;
    struct mpi *mpi = calloc(1, sizeof *mpi);
    MPI_Comm node;
    int runs = 0;

    if (mpi && given)
        MPI_Initialized(&runs);
    if (!mpi || (given ? !runs : MPI_Init(NULL, NULL) != MPI_SUCCESS)) {
        free(mpi);
        return gzk_fail(error, GZK_FAILED,
                        given ? "MPI was not started: call MPI_Init before"
                              : "MPI could not be started");
    }
    mpi->own = !given;
    exchange->of = mpi;
    MPI_Comm_dup(given ? *given : MPI_COMM_WORLD, &mpi->communicator);
    MPI_Comm_set_errhandler(mpi->communicator, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_rank(mpi->communicator, &exchange->rank);
    MPI_Comm_size(mpi->communicator, &exchange->ranks);
    MPI_Comm_split_type(mpi->communicator, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &exchange->node_rank);
    MPI_Comm_free(&node);
    return 0;
}

static void end(struct gzk_exchange *exchange)
{
    struct mpi *mpi = exchange->of;
    if (!mpi)
        return;
    int ended;
    MPI_Finalized(&ended);
    if (!ended)
        MPI_Comm_free(&mpi->communicator);
    if (mpi->own)
        MPI_Finalize();
    free(mpi);
    exchange->of = NULL;
}

static void abandon(struct gzk_exchange *exchange, int status)
{
    MPI_Abort(of(exchange)->communicator, status);
}

/* MPI numbers its ranks fastest along the last dimension, and gzk_domain_of along the first. */
static void arrange(struct gzk_exchange *exchange, const int ranks[3], const bool periodic[3])
{
    const int extents[3] = {ranks[2], ranks[1], ranks[0]};
    const int round[3] = {periodic[2], periodic[1], periodic[0]};
    MPI_Comm arranged;

    MPI_Cart_create(of(exchange)->communicator, 3, extents, round, 1, &arranged);
    MPI_Comm_free(&of(exchange)->communicator);
    of(exchange)->communicator = arranged;
    MPI_Comm_rank(arranged, &exchange->rank);
}

static struct gzk_channel *prepare(struct gzk_exchange *exchange,
                                   const struct gzk_message *messages, int count, const void *out,
                                   void *in)
{
    MPI_Comm communicator = of(exchange)->communicator;
    struct gzk_channel *channel =
        malloc(sizeof *channel + 2 * (size_t)count * sizeof *channel->requests);

    if (!channel)
        return NULL;
    channel->count = 2 * count;
    for (int k = 0; k < count; k++) {
        const struct gzk_message *message = &messages[k];
        MPI_Recv_init((char *)in + message->at, (int)message->bytes, MPI_BYTE, message->peer,
                      message->answer_tag, communicator, &channel->requests[k]);
        MPI_Send_init((const char *)out + message->at, (int)message->bytes, MPI_BYTE, message->peer,
                      message->tag, communicator, &channel->requests[count + k]);
    }
    return channel;
}

static void move(struct gzk_channel *channel)
{
    MPI_Startall(channel->count, channel->requests);
    MPI_Waitall(channel->count, channel->requests, MPI_STATUSES_IGNORE);
}

static void release(struct gzk_channel *channel)
{
    if (!channel)
        return;
    for (int k = 0; k < channel->count; k++)
        MPI_Request_free(&channel->requests[k]);
    free(channel);
}

static void largest(struct gzk_exchange *exchange, double *values, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, of(exchange)->communicator);
}

static void total(struct gzk_exchange *exchange, uint64_t *values, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_UINT64_T, MPI_SUM, of(exchange)->communicator);
}

static void give(struct gzk_exchange *exchange, const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += MOST_BYTES) {
        size_t part = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        MPI_Send((const char *)from + at, (int)part, MPI_BYTE, 0, 0, of(exchange)->communicator);
    }
}

static void take(struct gzk_exchange *exchange, int peer, void *to, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += MOST_BYTES) {
        size_t part = bytes - at < MOST_BYTES ? bytes - at : MOST_BYTES;
        MPI_Recv((char *)to + at, (int)part, MPI_BYTE, peer, 0, of(exchange)->communicator,
                 MPI_STATUS_IGNORE);
    }
}

static void share(struct gzk_exchange *exchange, void *all, const int *sizes, const int *at)
{
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, sizes, at, MPI_BYTE,
                   of(exchange)->communicator);
}

extern const struct gzk_exchange_kind gzk_exchange_mpi;
__attribute__((visibility("default"))) const struct gzk_exchange_kind gzk_exchange_mpi = {
    GZK_EXCHANGE_ABI, begin, end,  abandon, arrange, prepare, move,
    release,          give,  take, largest, total,   share};
