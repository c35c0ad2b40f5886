/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 040-texts - names and texts of statuses, enumerations, built-ins and the version; and the table
 * of quantities from outside: numbers that stay, names in both directions, values set and read, and
 * structures whose size never changes.
 */
#include "cases.h"
#include "tap.h"

#include <string.h>

/* What programs that were compiled against 3.0 rely on. */
_Static_assert(sizeof(gz_quantity) == 24, "a quantity");
_Static_assert(sizeof(gz_device) == 2 * GZ_NAME_SIZE + 76 * sizeof(gz_quantity), "a device");
_Static_assert(sizeof(gz_app) == 3 * GZ_NAME_SIZE + 4 * sizeof(double) + 64 * sizeof(gz_quantity),
               "an application");
_Static_assert(GZ_PARAM_CAPACITY == 128 && GZ_P_COUNT < GZ_PARAM_CAPACITY, "arrays of results");

static void statuses(void)
{
    int good = 1;
    for (int a = GZ_ENOMEM; a <= GZ_OK; a++) {
        const char *text = gz_strerror((gz_status)a);
        good &= text && *text && text[strlen(text) - 1] != '.' && !strchr(text, '\n');
        for (int b = GZ_ENOMEM; b < a; b++)
            good &= strcmp(text, gz_strerror((gz_status)b)) != 0;
    }
    tap_ok(good, "every status has a text of its own, without a full stop");
    const char *unknown = gz_strerror((gz_status)1);
    good = unknown && strcmp(unknown, gz_strerror((gz_status)-1000)) == 0;
    for (int a = GZ_ENOMEM; a <= GZ_OK; a++)
        good &= strcmp(unknown, gz_strerror((gz_status)a)) != 0;
    tap_ok(good, "a number that is not a status has a text too");
}

/* Both directions of an enumeration, whose names are `want` in this order, and what has no name. */
static void enumeration(gz_kind kind, int step, const char *want)
{
    char all[400] = "";
    int good = gz_by_name(kind, "nonsense") == GZ_NO_VALUE &&
               gz_by_name(kind, NULL) == GZ_NO_VALUE && !gz_name(kind, -step);
    for (int value = 0; gz_name(kind, value); value += step) {
        good &= gz_by_name(kind, gz_name(kind, value)) == value;
        strncat(strncat(all, value ? " " : "", 2), gz_name(kind, value), 50);
    }
    tap_ok(good, "values have names and back");
    tap_string(all, want, "which are these");
}

/* By number; models' own follow. */
static const char names[] =
    "clock_rate mem_bandwidth uncontended_latency sm_count blocks_per_sm cpi launch_overhead "
    "fence_overhead fence_exposure latency_hiding dimension_penalty max_threads_per_block "
    "graph_overhead shared_mem_per_block clock_rate_nominal memory_clock memory_bus_width "
    "memory_size cache_size shared_mem_per_sm registers_per_sm max_threads_per_sm "
    "max_blocks_per_sm cooperative_launch fence_intercept warp_size cache_line "
    "shared_mem_step element_size stencil_arrays elements_per_op edge_rule edge_rule_1 "
    "edge_rule_2 tile_reads registers_per_thread own_column coefficients column_reads "
    "profile_sm_count elements insts_per_sm_misc insts_per_sm_iter bank_conflict_rate "
    "halo_width[0] halo_width[1] halo_width[2] data_length[0] data_length[1] data_length[2] "
    "block_len[0] block_len[1] block_len[2]";

static void numbers(void)
{
    int stay = 1, both = 1, described = 1, pinned = 0;
    char list[sizeof names];
    memcpy(list, names, sizeof list);
    for (char *name = strtok(list, " "); name; name = strtok(NULL, " "))
        stay &= strcmp(gz_param_about(pinned++)->name, name) == 0;
    for (int p = 0; p < gz_param_count(); p++) {
        both &= gz_param_by_name(gz_param_about(p)->name) == p;
        described &= gz_param_about(p)->meaning && gz_param_about(p)->group >= GZ_GROUP_MODEL &&
                     gz_param_about(p)->group <= GZ_GROUP_RECORD;
    }
    tap_ok(stay && pinned == (int)GZ_P_COUNT && gz_param_count() >= pinned &&
               gz_param_count() <= GZ_PARAM_CAPACITY,
           "the numbers of parameters stay");
    tap_ok(both && gz_param_by_name("radius") == -1 && gz_param_by_name("") == -1 &&
               gz_param_by_name(NULL) == -1,
           "each is found by its name, and nothing else is");
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    const int none[] = {-1, -1000, gz_param_count(), gz_param_count() + 1000};
    for (int k = 0; k < 4; k++)
        described &=
            !gz_param_about(none[k]) && isnan(gz_param_value(&c.dev, &c.app, &c.cfg, none[k]));
    tap_ok(described, "each has a meaning and a group, and other numbers have none, and no value");
}

/* A model's own quantities are read and set by name. */
static void by_name(void)
{
    gz_device dev = {.name = "none"};
    gz_app app = {.dim = 1};
    tap_ok(isnan(gz_get(&dev, "copy_row")) && gz_set(&dev, "copy_row", 2e-8) == GZ_OK &&
               gz_get(&dev, "copy_row") == 2e-8 && dev.own[0].value == 0,
           "a device's quantity has a name");
    tap_ok(gz_set(&dev, "copy_row", -1) == GZ_EDEVICE && gz_get(&dev, "copy_row") == 2e-8 &&
               gz_set(&dev, "copy_roe", 1) == GZ_EARGUMENT &&
               gz_set(NULL, "copy_row", 1) == GZ_EARGUMENT && isnan(gz_get(NULL, "copy_row")) &&
               isnan(gz_get(&dev, NULL)),
           "and a range");
    tap_ok(isnan(gz_app_get(&app, "cell_time")) && gz_app_set(&app, "cell_time", 3e-10) == GZ_OK &&
               gz_app_get(&app, "cell_time") == 3e-10 && isnan(gz_get(&dev, "cell_time")) &&
               gz_set(&dev, "cell_time", 1) == GZ_EARGUMENT,
           "so has an application's, which is no device's");
    tap_ok(gz_set(&dev, "cpi", 4) == GZ_OK && dev.cpi.value == 4 && gz_get(&dev, "cpi") == 4,
           "those that are members have one too");
    int fitted = 0, good = 1;
    for (int p = 0; p < gz_param_count(); p++) {
        const gz_param_fit *fit = &gz_param_about(p)->fit;
        fitted += fit->start > 0;
        good &= fit->start >= 0 && fit->devices <= 3 && (fit->devices || fit->start == 0) &&
                fit->after < gz_param_count() && fit->like < gz_param_count() &&
                (!fit->after || gz_param_quantity(&dev, NULL, fit->after)) &&
                (!fit->like || gz_param_quantity(NULL, &app, fit->like));
    }
    tap_ok(good && fitted > 20, "%d of them say how they are fitted", fitted);
}

/* Every place of the structures has one parameter at most. */
static void places(void)
{
    static gz_device dev;
    static gz_app app;
    int apart = 1, quantities = 0;
    for (int p = 0; p < gz_param_count(); p++) {
        const gz_quantity *q = gz_param_quantity(&dev, &app, p);
        int in_device = gz_param_quantity(&dev, NULL, p) != NULL;
        apart &= gz_param_quantity(NULL, NULL, p) == NULL;
        apart &= !q || in_device != (gz_param_quantity(NULL, &app, p) != NULL);
        quantities += q != NULL;
        for (int other = 0; q && other < p; other++)
            apart &= gz_param_quantity(&dev, &app, other) != q;
    }
    tap_ok(apart && quantities == gz_param_count() - 3 * GZ_MAX_DIM,
           "%d parameters are quantities, each in its own place", quantities);
}

/* 1 is in every range; a number far below 0 is in none. */
static void setting(void)
{
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    gz_error error;
    int reads = 1, refused = 1, kept = 1, nowhere = 1;
    for (int p = 0; p < gz_param_count(); p++) {
        test_case changed = c;
        gz_quantity *q = gz_param_quantity(&changed.dev, &changed.app, p);
        if (q)
            q->sd = 7;
        reads &= gz_param_set(&changed.dev, &changed.app, &changed.cfg, p, 1, &error) == GZ_OK;
        int exists = !strstr(gz_param_about(p)->name, "[2]"); /* HotSpot has two dimensions */
        double value = gz_param_value(&changed.dev, &changed.app, &changed.cfg, p);
        reads &= exists ? value == 1 : isnan(value);
        reads &= !q || (q->sd == 0 && q->origin == GZ_ORIGIN_DEFAULT);

        changed = c;
        gz_status status =
            gz_param_set(&changed.dev, &changed.app, &changed.cfg, p, -1e300, &error);
        refused &= (status == GZ_EDEVICE || status == GZ_EAPP || status == GZ_ECONFIG) &&
                   strstr(error.text, gz_param_about(p)->name) && strstr(error.text, "must be");
        refused &=
            gz_param_set(&changed.dev, &changed.app, &changed.cfg, p, (double)NAN, NULL) == status;
        kept &= memcmp(&changed, &c, sizeof c) == 0;
        nowhere &= gz_param_set(NULL, NULL, NULL, p, 1, &error) == GZ_EARGUMENT;
    }
    tap_ok(reads, "every parameter can be set, and is read back");
    tap_ok(refused, "not to a value out of its range");
    tap_ok(kept, "then nothing changes");
    tap_ok(nowhere && gz_param_set(&c.dev, &c.app, &c.cfg, -1, 1, &error) == GZ_EARGUMENT &&
               gz_param_set(&c.dev, &c.app, &c.cfg, gz_param_count(), 1, NULL) == GZ_EARGUMENT,
           "nor without its structure, nor one that does not exist: %s", error.text);
}

static void stated(void)
{
    gz_quantity q = {.value = 0};
    int good = !gz_quantity_stated(&q) && !gz_quantity_stated(NULL);
    q.value = 2;
    good &= gz_quantity_stated(&q);
    q = (gz_quantity){.origin = GZ_ORIGIN_QUERY};
    good &= gz_quantity_stated(&q);
    tap_ok(good, "a quantity is stated by its value or by its origin");

    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_GRAPH);
    int missing = gz_check(&c.dev, &c.app, &c.cfg, NULL) == GZ_EDEVICE;
    c.dev.graph_overhead.value = 1000; /* by hand, without origin */
    tap_ok(missing && gz_check(&c.dev, &c.app, &c.cfg, NULL) == GZ_OK,
           "so an optional one may be filled in by hand");
}

static void parameters(void)
{
    test_case c = benchmark_case(HOTSPOT, GZ_SYNC_RESTART);
    int named = 1, distinct = 1;
    for (int p = 0; p < gz_param_count(); p++) {
        named &= gz_param_about(p)->name && gz_param_about(p)->unit && gz_param_about(p)->symbol;
        for (int q = 0; q < p; q++)
            distinct &= strcmp(gz_param_about(p)->name, gz_param_about(q)->name) != 0 &&
                        strcmp(gz_param_about(p)->symbol, gz_param_about(q)->symbol) != 0;
    }
    tap_ok(named && distinct, "every parameter has a name, a unit and a symbol of its own");
    c.dev.cpi.sd = 0.25;
    c.app.insts_per_sm_iter.sd = 12;
    tap_ok(gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_CLOCK_RATE) == 1.3e9 &&
               gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_INSTS_PER_SM_ITER) == 16645 &&
               gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_HALO_WIDTH + 1) == 2 &&
               gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_DATA_LENGTH + 1) == 2000 &&
               gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_BLOCK_LEN) == 20,
           "values come from device, application and configuration");
    tap_ok(isnan(gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_GRAPH_OVERHEAD)) &&
               isnan(gz_param_value(&c.dev, &c.app, &c.cfg, GZ_P_BLOCK_LEN + 2)),
           "an absent quantity and a dimension that is not there have none");
    tap_ok(gz_param_quantity(&c.dev, &c.app, GZ_P_CPI)->sd == 0.25 &&
               gz_param_quantity(&c.dev, &c.app, GZ_P_INSTS_PER_SM_ITER)->sd == 12 &&
               gz_param_quantity(&c.dev, &c.app, GZ_P_CLOCK_RATE)->sd == 0 &&
               !gz_param_quantity(&c.dev, &c.app, GZ_P_BLOCK_LEN),
           "standard deviations come from device and application");
}

/* That each of them opens is 045's. */
static void builtins(void)
{
    size_t devices = 0, apps = 0;
    while (gz_builtin_name(NULL, devices))
        devices++;
    while (gz_builtin_name("gtx280", apps))
        apps++;
    tap_ok(devices >= 1 && apps >= 4 && !gz_builtin_text(NULL, devices) &&
               !gz_builtin_text("gtx280", apps) && !gz_builtin_name(NULL, (size_t)-1),
           "past the last built-in there is nothing");
}

static int means(const char *driver_name, const char *key)
{
    const char *found = gz_builtin_of_driver(driver_name);
    return key ? found && strcmp(found, key) == 0 : !found;
}

/* A driver's name means one built-in device at most. */
static void drivers(void)
{
    tap_ok(means("NVIDIA H100 80GB HBM3", "h100-sxm") && means("NVIDIA H100 PCIe", "h100-pcie") &&
               means("NVIDIA A100-SXM4-80GB", "a100-80") && means("A100-SXM4-40GB", "a100-40") &&
               means("NVIDIA GeForce RTX 4090", "rtx4090"),
           "drivers' names lead to built-in devices, with or without the vendor's");
    tap_ok(means("NVIDIA L40S", NULL) && means("NVIDIA ", NULL) && means("", NULL) &&
               means(NULL, NULL) && means("generic GPU", NULL),
           "those of other devices do not");
    int unique = 1, listed = 0;
    const char *text;
    for (size_t k = 0; (text = gz_builtin_text(NULL, k)); k++) {
        const char *own = gz_builtin_name(NULL, k), *list = strstr(text, "\"drivers\": [");
        char name[64];
        int length = 0;
        for (list = list ? strchr(list, '[') + 1 : "";
             sscanf(list, "\"%63[^\"]\"%n", name, &length) == 1;
             list += (size_t)length + strspn(list + length, ", ")) {
            unique &= means(name, own);
            listed++;
        }
    }
    tap_ok(unique && listed >= 20, "each of the %d listed leads to the file that lists it", listed);
}

int main(void)
{
    statuses();
    enumeration(GZ_SYNCS, 1, "restart fence graph");
    enumeration(GZ_TAUS, 1, "printed scaled");
    enumeration(GZ_STOPS, 1, "interior lower upper whole");
    enumeration(GZ_ORIGINS, 1, "none paper vendor query measured counted fitted default");
    enumeration(
        GZ_STATUSES, -1,
        "GZ_OK GZ_EARGUMENT GZ_EDEVICE GZ_EAPP GZ_ECONFIG GZ_EBLOCK GZ_ETHREADS GZ_EHEIGHT "
        "GZ_EOVERFLOW GZ_ECONVERGE GZ_EIO GZ_EFORMAT GZ_EUNKNOWN GZ_ELIMITS GZ_ENOMEM GZ_EMODEL");
    enumeration(GZ_MODELS, 1, "auto meng2011 gz2");
    enumeration(GZ_VARIANTS, 1, "trapezoid stream naive");
    enumeration(GZ_CYCLES, 1, "v w f");
    enumeration(GZ_PARTS, 1, "smooth restrict prolong norm tail");
    numbers();
    by_name();
    places();
    setting();
    stated();
    parameters();
    builtins();
    drivers();
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", GZ_VERSION_MAJOR, GZ_VERSION_MINOR,
             GZ_VERSION_PATCH);
    tap_string(gz_version(), version, "header and library are of one version");
    return tap_done();
}
