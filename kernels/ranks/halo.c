/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "halo.h"

#include "numbers.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 3 };

/* The transfers of a phase, one after the other in the buffers. */
struct phase {
    int first, count;
    size_t bytes;
    struct gzk_channel *channel;
};

struct gzk_halo {
    struct gzk_device *device;
    struct gzk_session *session;
    struct gzk_exchange *exchange;
    struct gzk_domain part;
    struct gzk_transfer transfers[GZK_MOST_TRANSFERS];
    size_t at[GZK_MOST_TRANSFERS]; /* where each begins in its phase's buffer, in elements */
    struct phase phases[PHASES];
    int count;
    int steps, each, lasts;
    size_t element, most_bytes;
    struct gzk_carrier carrier;
    struct gzk_buffer *packed;   /* on the device */
    int states;                  /* two of three time levels, one behind the other in a message */
    struct gzk_buffer *state[2]; /* whose halo is exchanged */
    void *out, *in;              /* on the host */
};

void gzk_halo_free(struct gzk_halo *halo)
{
    if (!halo)
        return;
    for (int k = 0; k < PHASES; k++)
        if (halo->phases[k].channel)
            halo->exchange->kind->release(halo->phases[k].channel);
    halo->device->backend->buffer_free(halo->device, halo->packed);
    free(halo->out);
    free(halo->in);
    free(halo);
}

/* The bytes of a message, with all states. */
static size_t bytes_of(const struct gzk_halo *halo, int k)
{
    return gzk_cells(halo->transfers[k].send.extent) * halo->element * (size_t)halo->states;
}

/* Lays the transfers out in the buffers. */
static int lay_out(struct gzk_halo *halo, struct gzk_error *error)
{
    static const size_t most_bytes = (size_t)1 << 30;
    for (int k = 0; k < halo->count; k++) {
        struct phase *phase = &halo->phases[halo->transfers[k].phase];
        if (phase->count++ == 0)
            phase->first = k;
        halo->at[k] = phase->bytes / halo->element;
        phase->bytes += bytes_of(halo, k);
        if (phase->bytes > halo->most_bytes)
            halo->most_bytes = phase->bytes;
        if (phase->bytes > most_bytes)
            return gzk_fail(error, GZK_INVALID,
                            "a halo of %zu bytes: must be at most %zu; give a smaller rank depth",
                            phase->bytes, most_bytes);
    }
    return 0;
}

static int make_channels(struct gzk_halo *halo, struct gzk_error *error)
{
    for (int p = 0; p < PHASES; p++) {
        struct phase *phase = &halo->phases[p];
        struct gzk_message messages[GZK_MOST_TRANSFERS];
        for (int k = 0; k < phase->count; k++) {
            const struct gzk_transfer *transfer = &halo->transfers[phase->first + k];
            messages[k] = (struct gzk_message){transfer->peer, transfer->tag, transfer->answer_tag,
                                               halo->at[phase->first + k] * halo->element,
                                               bytes_of(halo, phase->first + k)};
        }
        if (phase->count == 0)
            continue;
        phase->channel = halo->exchange->kind->prepare(halo->exchange, messages, phase->count,
                                                       halo->out, halo->in);
        if (!phase->channel)
            return gzk_fail(error, GZK_FAILED, "out of host memory");
    }
    return 0;
}

static int make_buffers(struct gzk_halo *halo, struct gzk_error *error)
{
    halo->out = malloc(halo->most_bytes);
    halo->in = malloc(halo->most_bytes);
    if (!halo->out || !halo->in)
        return gzk_fail(error, GZK_FAILED, "out of host memory for halos");
    return halo->device->backend->buffer_new(halo->device, halo->most_bytes, &halo->packed, error);
}

int gzk_halo_new(struct gzk_device *device, struct gzk_session *session,
                 struct gzk_exchange *exchange, const struct gzk_split *split,
                 const struct gzk_stencil *stencil, int steps, int each, struct gzk_halo **made,
                 struct gzk_error *error)
{
    struct gzk_halo *halo = calloc(1, sizeof *halo);
    int status = 0;

    if (!halo)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    halo->device = device;
    halo->session = session;
    halo->exchange = exchange;
    halo->element = (size_t)stencil->bytes;
    halo->states = stencil->older ? 2 : 1;
    halo->steps = steps;
    halo->each = each;
    halo->count = gzk_transfers(split, exchange->rank, halo->transfers);
    gzk_halo_renew(halo);
    gzk_domain_of(split, exchange->rank, &halo->part);
    if (halo->count > 0)
        status = lay_out(halo, error);
    if (status == 0 && halo->count > 0)
        status = make_buffers(halo, error);
    if (status == 0 && halo->count > 0)
        status = gzk_carrier_make(device, stencil->type, &halo->carrier, error);
    if (status == 0)
        status = make_channels(halo, error);
    if (status != 0) {
        gzk_halo_free(halo);
        return status;
    }
    *made = halo;
    return 0;
}

static struct gzk_launch launch_of(const struct gzk_halo *halo, int k, int state, bool back)
{
    const struct gzk_transfer *transfer = &halo->transfers[k];
    const struct gzk_box *box = back ? &transfer->receive : &transfer->send;
    struct gzk_area in = gzk_area_in(halo->state[state], halo->part.size, box->begin);
    size_t at = halo->at[k] + (size_t)state * gzk_cells(box->extent);
    struct gzk_area packed = gzk_area_packed(halo->packed, at, box->extent);
    return gzk_carrier_launch(&halo->carrier, back ? packed : in, back ? in : packed, box->extent);
}

/* Packs, or unpacks, all transfers of a phase. */
static int carry(struct gzk_halo *halo, const struct phase *phase, bool back,
                 const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    struct gzk_launch launches[2 * GZK_MOST_TRANSFERS];
    int count = phase->count * halo->states;
    for (int k = 0; k < count; k++)
        launches[k] = launch_of(halo, phase->first + k / halo->states, k % halo->states, back);
    return gzk_carrier_run(&halo->carrier, launches, count, stop, error);
}

/* Packs, sends and unpacks a phase. Its messages go even if packing fails, since others wait for
 * them. */
static int run_phase(struct gzk_halo *halo, const struct phase *phase,
                     const volatile sig_atomic_t *stop, struct gzk_halo_spent *spent,
                     struct gzk_error *error)
{
    const struct gzk_backend *backend = halo->device->backend;
    double begin = cli_now();
    int status = carry(halo, phase, false, stop, error);
    if (status == 0)
        status = backend->read(halo->device, halo->packed, halo->out, phase->bytes, error);
    double packed = cli_now();
    halo->exchange->kind->move(phase->channel);
    double moved = cli_now();
    if (status == 0)
        status = backend->write(halo->device, halo->packed, halo->in, phase->bytes, error);
    if (status == 0)
        status = carry(halo, phase, true, stop, error);
    spent->exchange_s[0] += packed - begin + cli_now() - moved;
    spent->exchange_s[1] += moved - packed;
    return status;
}

int gzk_halo_exchange(struct gzk_halo *halo, struct gzk_buffer *array,
                      const volatile sig_atomic_t *stop, struct gzk_halo_spent *spent,
                      struct gzk_error *error)
{
    const struct gzk_arrays arrays = gzk_session_arrays(halo->session);
    int status = 0;

    halo->state[0] = array ? array : arrays.state;
    halo->state[1] = array ? array : arrays.before;
    for (int p = 0; p < PHASES; p++)
        if (halo->phases[p].count > 0) {
            int here = run_phase(halo, &halo->phases[p], stop, spent, error);
            status = status != 0 ? status : here;
        }
    spent->exchanges += halo->count > 0;
    return status;
}

/* ------------------------------------------------------------------------------------- validity */

int gzk_halo_lasts(const struct gzk_halo *halo)
{
    return halo ? halo->lasts : INT_MAX;
}

/* Where there is no neighbour, nothing of a halo can be wrong. */
void gzk_halo_renew(struct gzk_halo *halo)
{
    if (halo)
        halo->lasts = halo->count > 0 ? halo->steps : INT_MAX;
}

void gzk_halo_limit(struct gzk_halo *halo, int steps)
{
    if (halo->count > 0 && steps < halo->lasts)
        halo->lasts = steps;
}

int gzk_halo_need(struct gzk_halo *halo, int steps, const volatile sig_atomic_t *stop,
                  struct gzk_halo_spent *spent, struct gzk_error *error)
{
    if (gzk_halo_lasts(halo) >= steps)
        return 0;
    int status = gzk_halo_exchange(halo, NULL, stop, spent, error);
    gzk_halo_renew(halo);
    return status;
}

int gzk_halo_advance(struct gzk_halo *halo, struct gzk_plan *plan, long loop, long end,
                     const volatile sig_atomic_t *stop, struct gzk_halo_spent *spent,
                     struct gzk_error *error)
{
    const int height = gzk_plan_config(plan)->height, each = halo ? halo->each : 1;
    int status = 0;

    for (long now; loop < end; loop += now) {
        int moved = gzk_halo_need(halo, each, stop, spent, error);
        double begin = cli_now(), seconds;
        long most = gzk_halo_lasts(halo) / each;
        now = most < end - loop ? most : end - loop;
        status = status != 0 ? status : moved;
        if (status == 0)
            status = gzk_plan_advance(plan, loop, now, stop, &seconds, error);
        if (halo && halo->count > 0)
            halo->lasts -= (int)now * each;
        spent->stages += (now + height - 1) / height;
        spent->loops_s += cli_now() - begin;
    }
    return status;
}

int gzk_halo_messages(const struct gzk_halo *halo)
{
    return halo->count;
}

size_t gzk_halo_bytes(const struct gzk_halo *halo)
{
    size_t bytes = 0;
    for (int p = 0; p < PHASES; p++)
        bytes += halo->phases[p].bytes;
    return bytes;
}
