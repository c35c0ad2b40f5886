/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "contents.h"
#include "output.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What the paper assumed. */
static const double paper_mu = 0.5, paper_beta = 0.5, paper_sigma = 5;

void gzc_note(struct gzc_entry *entry, const char *text, ...)
{
    size_t at = strlen(entry->note);
    va_list values;
    va_start(values, text);
    vsnprintf(entry->note + at, sizeof entry->note - at, text, values);
    va_end(values);
}

/* A property in the file's unit, with its note. */
static struct gzc_entry measured_entry(const struct gzc_rounds *rounds, int b, int p)
{
    const struct gzc_bench_state *state = &rounds->benches[b];
    const struct gzc_property *property = &state->bench->properties[p];
    struct gzc_estimate e = rounds->estimates[b][p];
    char note[250];
    if (property->time)
        e = gzc_multiply(e, rounds->clock);
    snprintf(note, sizeof note, "%s", state->bench->how ? state->bench->how : "");
    if (state->bench->note)
        state->bench->note(state, p, note, sizeof note);
    struct gzc_entry entry = gzc_entry_of(e.value, e.sd, GZ_ORIGIN_MEASURED, "%s%s", note,
                                          e.drifting ? "; drifted while measured" : "");
    if (property->positive && entry.value < 0) {
        gzc_note(&entry, "; the line fell by %.3g, taken as 0", -entry.value);
        entry.value = 0;
    }
    return entry;
}

/* Each property that was measured; of one that was not, what the paper has for it. */
static void fill_measured(const struct gzc_rounds *rounds, struct gzc_file *file)
{
    for (int b = 0; b < rounds->bench_count; b++)
        for (int p = 0; p < GZC_BENCH_PROPERTIES; p++) {
            const struct gzc_bench_state *state = &rounds->benches[b];
            const struct gzc_property *property = &state->bench->properties[p];
            int param = property->key ? gz_param_by_name(property->key) : -1;
            struct gzc_entry *entry = param < 0 ? NULL : &file->entries[param];
            const char *why = state->why[0] ? state->why : "most of its timings did not fit a line";
            if (state->bench->gz2 && rounds->request->model == GZC_MODELS_MENG2011)
                continue;
            if (entry && isfinite(rounds->estimates[b][p].value))
                *entry = measured_entry(rounds, b, p);
            else if (entry && property->paper > 0)
                *entry = gzc_entry_of(property->paper, 0, GZ_ORIGIN_PAPER,
                                      "the GTX 280's; not measured here: %s", why);
            else if (entry && strcmp(property->key, "clock_rate") == 0)
                *entry = gzc_entry_of(rounds->clock.value, 0, GZ_ORIGIN_QUERY, "nominal: %s", why);
        }
}

/* What the driver says, if it does; absent otherwise. */
static struct gzc_entry queried(double value)
{
    return value > 0 ? gzc_entry_of(value, 0, GZ_ORIGIN_QUERY, "%s", "") : (struct gzc_entry){0};
}

/* A multiprocessor's shared memory; of a GPU whose driver does not say, a block's, which is the
 * least that it can be. */
static struct gzc_entry shared_entry(const struct gzk_device_info *info)
{
    if (info->shared_per_unit > 0 || info->is_cpu || info->local_bytes == 0)
        return queried(info->shared_per_unit);
    return gzc_entry_of((double)info->local_bytes, 0, GZ_ORIGIN_DEFAULT,
                        "a block's, as the driver does not say; if the vendor states more, more "
                        "blocks run at once");
}

/* Blocks of the reference kernel, with those of the other stencils in the note. */
static struct gzc_entry blocks_entry(const struct gzc_rounds *rounds)
{
    char others[200] = "";
    bool known = false;
    int blocks = 0;
    for (int a = 0; a < rounds->profile_count; a++) {
        const char *name = gzc_profile_stencil(rounds->profiles[a])->name;
        int each = gzc_profile_blocks_per_sm(rounds->profiles[a], &known);
        if (blocks == 0 || strcmp(name, "hotspot") == 0)
            blocks = each;
        size_t at = strlen(others);
        snprintf(others + at, sizeof others - at, "%s%s %d", at ? ", " : "", name, each);
    }
    return gzc_entry_of(blocks, 0, known ? GZ_ORIGIN_QUERY : GZ_ORIGIN_DEFAULT,
                        "at the default blocks: %s", others);
}

/* What gz2 needs besides. */
static void fill_gz2(const struct gzc_rounds *rounds, struct gzc_entry *e)
{
    static const double cpu_line = 64, gpu_line = 128;
    bool is_cpu = rounds->device->info.is_cpu;
    int warp = rounds->device->info.warp;
    if (warp > 0)
        e[GZ_P_WARP_SIZE] =
            gzc_entry_of(warp, 0, GZ_ORIGIN_QUERY, "%s",
                         is_cpu ? "a core runs the threads of a block in order" : "");
    e[GZ_P_CACHE_LINE] = gzc_entry_of(is_cpu ? cpu_line : gpu_line, 0, GZ_ORIGIN_DEFAULT,
                                      "usual on a %s", is_cpu ? "CPU" : "GPU");
}

void gzc_device_name(const struct gzk_device *device, char name[GZ_NAME_SIZE])
{
    const char *known = device->info.name[0] ? device->info.name : device->info.address;
    snprintf(name, GZ_NAME_SIZE, "%.*s", GZ_NAME_SIZE - 1, known);
}

void gzc_fill_device(const struct gzc_rounds *rounds, struct gzc_file *file)
{
    const struct gzk_device_info *info = &rounds->device->info;
    struct gzc_entry *e = file->entries;
    gzc_device_name(rounds->device, file->name);
    snprintf(file->note, sizeof file->note, "%s, %s%s%s, %s, %s", info->name, info->driver,
             info->identity[0] ? ", " : "", info->identity, cli_date("%Y-%m-%d").text,
             rounds->request->command);

    fill_measured(rounds, file);
    e[GZ_P_SM_COUNT] = queried(info->units);
    e[GZ_P_BLOCKS_PER_SM] = blocks_entry(rounds);
    e[GZ_P_FENCE_EXPOSURE] = gzc_entry_of(paper_mu, 0, GZ_ORIGIN_PAPER, "assumed there");
    e[GZ_P_LATENCY_HIDING] = gzc_entry_of(paper_beta, 0, GZ_ORIGIN_PAPER, "assumed there");
    e[GZ_P_DIMENSION_PENALTY] = gzc_entry_of(paper_sigma, 0, GZ_ORIGIN_PAPER, "assumed there");
    e[GZ_P_MAX_THREADS_PER_BLOCK] = queried(info->max_threads);
    e[GZ_P_SHARED_MEM_PER_BLOCK] = queried((double)info->local_bytes);
    e[GZ_P_CLOCK_RATE_NOMINAL] = queried(info->clock_hz);
    e[GZ_P_MEMORY_CLOCK] = queried(info->memory_clock_hz);
    e[GZ_P_MEMORY_BUS_WIDTH] = queried(info->memory_bus_bits);
    e[GZ_P_MEMORY_SIZE] = queried((double)info->memory_bytes);
    e[GZ_P_CACHE_SIZE] = queried((double)info->cache_bytes);
    e[GZ_P_SHARED_MEM_PER_SM] = shared_entry(info);
    e[GZ_P_REGISTERS_PER_SM] = queried(info->registers_per_unit);
    e[GZ_P_MAX_THREADS_PER_SM] = queried(info->threads_per_unit);
    e[GZ_P_MAX_BLOCKS_PER_SM] = queried(info->blocks_per_unit);
    if (rounds->request->model != GZC_MODELS_MENG2011)
        fill_gz2(rounds, e);
    if (rounds->device->backend == &gzk_cuda)
        e[GZ_P_COOPERATIVE_LAUNCH] = gzc_entry_of(info->cooperative, 0, GZ_ORIGIN_QUERY, "%s", "");
}
