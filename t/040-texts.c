/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 040-texts - names and texts: statuses, enumerations, parameters, built-ins, the version.
 */
#include "cases.h"
#include "tap.h"

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

/* Compares the names of an enumeration with a list that ends in NULL; neighbours have none. */
#define NAMES(kind, ...)                                                                           \
    do {                                                                                           \
        static const char *const want[] = {__VA_ARGS__, NULL};                                     \
        int names_match = gz_name(kind, -1) == NULL, n = 0;                                        \
        for (; want[n]; n++)                                                                       \
            names_match &= gz_name(kind, n) && strcmp(gz_name(kind, n), want[n]) == 0;             \
        tap_ok(names_match && !gz_name(kind, n), "%s names every value and nothing else", #kind);  \
    } while (0)

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
    const int none[] = {-1, -1000, gz_param_count(), gz_param_count() + 1000};
    int good = 1;
    for (int k = 0; k < 4; k++)
        good &= !gz_param_about(none[k]) && isnan(gz_param_value(&c.dev, &c.app, &c.cfg, none[k]));
    tap_ok(good, "a number that is not a parameter has none, and no value");

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

static void builtins(void)
{
    int good = 1;
    size_t devices = 0, apps = 0;
    gz_error error;
    for (const char *name; (name = gz_builtin_name(NULL, devices)); devices++) {
        gz_device opened, parsed;
        const char *text = gz_builtin_text(NULL, devices);
        good &= text && gz_device_open(name, &opened, &error) == GZ_OK &&
                gz_device_parse(text, strlen(text), name, &parsed, &error) == GZ_OK &&
                strcmp(opened.name, parsed.name) == 0;
    }
    for (const char *name; (name = gz_builtin_name("gtx280", apps)); apps++) {
        gz_app opened, parsed;
        const char *text = gz_builtin_text("gtx280", apps);
        good &= text && gz_app_open(name, NULL, &opened, &error) == GZ_OK &&
                gz_app_parse(text, strlen(text), name, &parsed, &error) == GZ_OK &&
                strcmp(opened.name, parsed.name) == 0;
    }
    tap_ok(good && devices >= 1 && apps >= 4, "every built-in opens by its name");
    tap_ok(!gz_builtin_text(NULL, devices) && !gz_builtin_text("gtx280", apps) &&
               !gz_builtin_name(NULL, (size_t)-1),
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
    NAMES(GZ_SYNCS, "restart", "fence", "graph");
    NAMES(GZ_TAUS, "printed", "scaled");
    NAMES(GZ_STOPS, "interior", "lower", "upper", "whole");
    NAMES(GZ_ORIGINS, "none", "paper", "vendor", "query", "measured", "counted", "fitted",
          "default");
    parameters();
    builtins();
    drivers();
    char version[64];
    snprintf(version, sizeof version, "%d.%d.%d", GZ_VERSION_MAJOR, GZ_VERSION_MINOR,
             GZ_VERSION_PATCH);
    tap_string(gz_version(), version, "header and library are of one version");
    return tap_done();
}
