/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * network.h - the network between ranks: exchanges of halos as gzrun makes them, timed over widths,
 * neighbours and ways, and the quantities of a network file that explain them [ranks 5].
 */
#ifndef GZC_NETWORK_H
#define GZC_NETWORK_H

#include "device.h"
#include "entry.h"
#include "estimate.h"
#include "exchange.h"
#include "progress.h"

#include <signal.h>

/* An exchange: what the busiest rank has to do, and how long the longest rank took. */
struct gzc_exchanged {
    double phases, further, bytes; /* messages beyond the first of each phase */
    double pack_s, wait_s;         /* on the device and between it and the host; for messages */
    double stage_s, hidden_s;      /* of one phase only: computing about as long, alone, and what is
                                      saved if it is done while messages travel; else 0 */
};

struct gzc_network {
    struct gzc_estimate latency, message_cost, bandwidth, pack_bandwidth; /* s, s, B/s, B/s */
    struct gzc_estimate overlap; /* 1; no value and no deviation: it was not measured */
    double misfit;               /* the middle of |fitted / timed - 1| over the exchanges */
};

struct gzc_network_request {
    bool quick; /* each less often */
    struct cli_progress *progress;
    const volatile sig_atomic_t *stop;
};

/* Exchanges that gzc_network_time makes at most, and how many with so many ranks. */
enum { GZC_MOST_EXCHANGES = 96 };
int gzc_network_cases(int ranks);

/* Times exchanges, on all ranks together, which all get the same; returns an exit status on which
 * they agree. Sets how many there are. */
int gzc_network_time(struct gzk_device *device, struct gzk_exchange *exchange,
                     const struct gzc_network_request *request,
                     struct gzc_exchanged exchanged[GZC_MOST_EXCHANGES], int *count,
                     struct gzk_error *error);

/* The quantities that explain them: GZK_FAILED where time does not grow with the bytes. Of further
 * messages that cost nothing the cost is 0; what seems to be hidden beyond all, or less than
 * nothing, is all, or nothing. */
int gzc_network_fit(const struct gzc_exchanged *exchanged, int count, struct gzc_network *network,
                    struct gzk_error *error);

/* A network file's text, to be freed with free(); NULL if memory is short. */
char *gzc_network_text(const struct gzc_network *network, const char *name, const char *note);

#endif
