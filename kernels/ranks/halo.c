/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "halo.h"

#include "numbers.h"
#include "ranks_texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PHASES = 3, GPU_THREADS = 256, GROUPS_A_UNIT = 4 };

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
    int count, threads;
    size_t element, most_bytes;
    struct gzk_program *program;
    struct gzk_buffer *packed; /* on the device */
    void *out, *in;            /* on the host */
};

void gzk_halo_free(struct gzk_halo *halo)
{
    if (!halo)
        return;
    for (int k = 0; k < PHASES; k++)
        if (halo->phases[k].channel)
            halo->exchange->kind->release(halo->phases[k].channel);
    halo->device->backend->buffer_free(halo->device, halo->packed);
    halo->device->backend->program_free(halo->device, halo->program);
    free(halo->out);
    free(halo->in);
    free(halo);
}

static int make_program(struct gzk_halo *halo, enum gzk_type type, struct gzk_error *error)
{
    const struct gzk_device *device = halo->device;
    const struct gzk_backend *backend = device->backend;
    int most = device->info.max_threads;
    struct gzk_program_spec spec = {.name = "gz_carry"};

    halo->threads = device->info.is_cpu ? 1 : most < GPU_THREADS ? most : GPU_THREADS;
    spec.threads = halo->threads;
    size_t room = strlen(backend->prelude) + strlen(gzk_carry_knl) + 200;
    char *text = malloc(room);
    if (!text)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    snprintf(text, room,
             "#define GZ_T %s\n#define GZ_THREADS %d\n#line 1 \"prelude\"\n%s#line 1 "
             "\"carry.knl\"\n%s",
             gzk_type_name(type), halo->threads, backend->prelude, gzk_carry_knl);
    spec.text = text;
    int status = backend->program_new(halo->device, &spec, &halo->program, error);
    free(text);
    return status;
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
        phase->bytes += gzk_box_cells(&halo->transfers[k].send) * halo->element;
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
                                               gzk_box_cells(&transfer->send) * halo->element};
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
                 struct gzk_exchange *exchange, const struct gzk_split *split, bool direct,
                 enum gzk_type type, struct gzk_halo **made, struct gzk_error *error)
{
    struct gzk_halo *halo = calloc(1, sizeof *halo);
    int status = 0;

    if (!halo)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    halo->device = device;
    halo->session = session;
    halo->exchange = exchange;
    halo->element = gzk_type_bytes(type);
    halo->count = gzk_transfers(split, exchange->rank, direct, halo->transfers);
    gzk_domain_of(split, exchange->rank, &halo->part);
    if (halo->count > 0)
        status = lay_out(halo, error);
    if (status == 0 && halo->count > 0)
        status = make_buffers(halo, error);
    if (status == 0 && halo->count > 0)
        status = make_program(halo, type, error);
    if (status == 0)
        status = make_channels(halo, error);
    if (status != 0) {
        gzk_halo_free(halo);
        return status;
    }
    *made = halo;
    return 0;
}

static struct gzk_arg int_arg(int value)
{
    return (struct gzk_arg){.kind = GZK_ARG_INT, .i = value};
}

/* Groups enough to keep the device busy, of one thread's or a CPU's core's work each at least. */
static int groups_for(const struct gzk_halo *halo, int count)
{
    int most = halo->device->info.is_cpu ? GROUPS_A_UNIT * halo->device->info.units
                                         : (count - 1) / halo->threads + 1;
    return most < 1 ? 1 : most < count ? most : count;
}

static struct gzk_launch launch_of(const struct gzk_halo *halo, int k, bool back)
{
    const struct gzk_transfer *transfer = &halo->transfers[k];
    const struct gzk_box *box = back ? &transfer->receive : &transfer->send;
    int count = (int)gzk_box_cells(box);
    const struct gzk_arg args[] = {
        {.kind = GZK_ARG_BUFFER, .buffer = gzk_session_arrays(halo->session).state},
        {.kind = GZK_ARG_BUFFER, .buffer = halo->packed},
        int_arg(halo->part.size[0]),
        int_arg(halo->part.size[1]),
        int_arg(box->begin[0]),
        int_arg(box->begin[1]),
        int_arg(box->begin[2]),
        int_arg(box->extent[0]),
        int_arg(box->extent[1]),
        int_arg(count),
        int_arg((int)halo->at[k]),
        int_arg(back)};
    struct gzk_launch launch = {.groups = groups_for(halo, count),
                                .count = (int)(sizeof args / sizeof *args)};
    memcpy(launch.args, args, sizeof args);
    return launch;
}

/* Packs, or unpacks, all transfers of a phase. */
static int carry(struct gzk_halo *halo, const struct phase *phase, bool back,
                 const volatile sig_atomic_t *stop, struct gzk_error *error)
{
    struct gzk_launch launches[GZK_MOST_TRANSFERS];
    double seconds;
    for (int k = 0; k < phase->count; k++)
        launches[k] = launch_of(halo, phase->first + k, back);
    return halo->device->backend->run(halo->device, halo->program, launches, (size_t)phase->count,
                                      GZ_SYNC_RESTART, stop, &seconds, error);
}

static int exchange_phase(struct gzk_halo *halo, const struct phase *phase,
                          const volatile sig_atomic_t *stop, double *pack_s, double *wait_s,
                          struct gzk_error *error)
{
    const struct gzk_backend *backend = halo->device->backend;
    double begin = cli_now();
    int status = carry(halo, phase, false, stop, error);
    if (status == 0)
        status = backend->read(halo->device, halo->packed, halo->out, phase->bytes, error);
    if (status != 0)
        return status;
    double packed = cli_now();
    gzk_exchange_carry(halo->exchange, phase->channel, phase->count);
    double carried = cli_now();
    status = backend->write(halo->device, halo->packed, halo->in, phase->bytes, error);
    if (status == 0)
        status = carry(halo, phase, true, stop, error);
    *wait_s += carried - packed;
    *pack_s += cli_now() - carried + packed - begin;
    return status;
}

int gzk_halo_exchange(struct gzk_halo *halo, const volatile sig_atomic_t *stop, double *pack_s,
                      double *wait_s, struct gzk_error *error)
{
    int status = 0;
    for (int p = 0; p < PHASES && status == 0; p++)
        if (halo->phases[p].count > 0)
            status = exchange_phase(halo, &halo->phases[p], stop, pack_s, wait_s, error);
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
