/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What calibrate makes files of: it reads back as meant, what the library
 * would refuse is not written, and files of other devices are kept.
 */
#include "entry.h"
#include "tap.h"

#include <unistd.h>

static struct gzc_file device_file(void)
{
    static const int needed[] = {
        GZ_P_CLOCK_RATE,      GZ_P_MEM_BANDWIDTH,     GZ_P_UNCONTENDED_LATENCY,
        GZ_P_SM_COUNT,        GZ_P_BLOCKS_PER_SM,     GZ_P_CPI,
        GZ_P_LAUNCH_OVERHEAD, GZ_P_FENCE_OVERHEAD,    GZ_P_FENCE_EXPOSURE,
        GZ_P_LATENCY_HIDING,  GZ_P_DIMENSION_PENALTY, GZ_P_MAX_THREADS_PER_BLOCK};
    struct gzc_file file = {.name = "A \"quoted\" device", .note = "driver 1\nline 2"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        file.entries[needed[i]] = gzc_entry_of(1, 0.25, GZ_ORIGIN_MEASURED, "note %zu", i);
    file.entries[GZ_P_CLOCK_RATE] = gzc_entry_of(1.23456789e9, 1.2345e6, GZ_ORIGIN_MEASURED, "n");
    file.entries[GZ_P_CPI] = gzc_entry_of(0.123456789, 1e-15, GZ_ORIGIN_COUNTED, "%s", "");
    return file;
}

static void device(void)
{
    struct gzc_file file = device_file();
    gz_error error;
    gz_device dev;
    char *text = gzc_file_text(&file, &error);
    tap_ok(text != NULL, "a device file is made");
    tap_ok(text && gz_device_parse(text, strlen(text), "text", &dev, &error) == GZ_OK, "and read");
    tap_string(dev.name, "A \"quoted\" device", "its name, quotes and all");
    tap_close(dev.clock_rate.value, 1.23456789e9, 0, "a whole number exactly");
    tap_close(dev.cpi.value, 0.123457, 1e-15, "a measured one to six digits");
    tap_ok(dev.cpi.sd == 0 && dev.cpi.origin == GZ_ORIGIN_COUNTED,
           "a count's rounding is not an sd");
    tap_close(dev.clock_rate.sd, 1.2345e6, 0.01, "the deviation");
    tap_ok(dev.graph_overhead.origin == GZ_ORIGIN_NONE, "what is absent stays absent");
    gz_text_free(text);
    struct gzc_entry entry = gzc_entry_of(2, 3, GZ_ORIGIN_MEASURED, "note");
    tap_string(entry.note, "note; not distinguished from 0", "a deviation above the value is said");

    /* Every quantity that calibrate writes is one that the reader accepts, with the same unit. */
    for (int q = 0; q < GZ_P_ELEMENT_SIZE; q++)
        if (file.entries[q].origin == GZ_ORIGIN_NONE)
            file.entries[q] = gzc_entry_of(1, 0, GZ_ORIGIN_QUERY, "%s", "");
    text = gzc_file_text(&file, &error);
    tap_ok(text != NULL, "all quantities of a device are the reader's, with its units");
    gz_text_free(text);
}

static void refusals(void)
{
    static const struct {
        const char *what;
        int quantity;
        double value;
    } bad[] = {{"NaN", GZ_P_CLOCK_RATE, (double)NAN},
               {"infinity", GZ_P_MEM_BANDWIDTH, HUGE_VAL},
               {"a negative time", GZ_P_LAUNCH_OVERHEAD, -1},
               {"zero bandwidth", GZ_P_MEM_BANDWIDTH, 0},
               {"half a multiprocessor", GZ_P_SM_COUNT, 2.5},
               {"a share above 1", GZ_P_FENCE_EXPOSURE, 1.5}};
    gz_error error;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct gzc_file file = device_file();
        file.entries[bad[i].quantity].value = bad[i].value;
        char *text = gzc_file_text(&file, &error);
        tap_ok(!text && error.text[0], "%s is refused: %s", bad[i].what, error.text);
        gz_text_free(text);
    }
    struct gzc_file file = device_file();
    file.entries[GZ_P_CPI].origin = GZ_ORIGIN_NONE;
    char *text = gzc_file_text(&file, &error);
    tap_ok(!text && strstr(error.text, "cpi"), "a missing quantity is refused: %s", error.text);
    file = device_file();
    strcpy(file.name, "\xff\xfe");
    text = gzc_file_text(&file, &error);
    tap_ok(!text, "a name that is not UTF-8 is refused: %s", error.text);
}

static struct gzc_file app_file(void)
{
    return (struct gzc_file){.app = {.name = "HotSpot",
                                     .key = "hotspot",
                                     .profile_device = "here",
                                     .profile_sm_count.value = 2,
                                     .dim = 2,
                                     .halo_width = {2, 4},
                                     .element_size.value = 4,
                                     .stencil_arrays.value = 2,
                                     .elements_per_op.value = 1,
                                     .profile_elements.value = 6400},
                             .note = "n",
                             .entries[GZ_P_INSTS_PER_SM_MISC] = {1.5, 0.5, GZ_ORIGIN_MEASURED, "x"},
                             .entries[GZ_P_INSTS_PER_SM_ITER] = {2.5, 0, GZ_ORIGIN_COUNTED, ""},
                             .entries[GZ_P_BANK_CONFLICT_RATE] = {0.125, 0, GZ_ORIGIN_COUNTED, ""}};
}

static void application(void)
{
    struct gzc_file file = app_file();
    gz_error error;
    gz_app app;
    char *text = gzc_file_text(&file, &error);
    tap_ok(text && gz_app_parse(text, strlen(text), "text", &app, &error) == GZ_OK,
           "an application file is made and read");
    tap_ok(app.dim == 2 && app.halo_width[0] == 2 && app.halo_width[1] == 4, "its halo widths");
    tap_ok(app.element_size.value == 4 && app.stencil_arrays.value == 2 &&
               app.elements_per_op.value == 1 && app.profile_elements.value == 6400,
           "its counts");
    tap_ok(app.insts_per_sm_misc.value == 1.5 && app.insts_per_sm_misc.sd == 0.5 &&
               app.insts_per_sm_iter.origin == GZ_ORIGIN_COUNTED &&
               app.bank_conflict_rate.value == 0.125,
           "its profile");
    gz_text_free(text);
    file.entries[GZ_P_INSTS_PER_SM_ITER].value = -1;
    text = gzc_file_text(&file, &error);
    tap_ok(!text, "negative instructions are refused: %s", error.text);
}

static void put(const char *path, char *text)
{
    FILE *file = text ? fopen(path, "w") : NULL;
    if (!file || fputs(text, file) < 0 || fclose(file) != 0)
        exit(1);
    gz_text_free(text);
}

static void overwriting(void)
{
    char path[] = "/tmp/gz-entry-XXXXXX", why[1200];
    gz_error error;
    int fd = mkstemp(path);
    if (fd < 0)
        exit(1);
    close(fd);
    tap_ok(gzc_may_write(path, "here", false, why, sizeof why), "an empty file may be written");
    struct gzc_file device = device_file();
    strcpy(device.name, "here");
    put(path, gzc_file_text(&device, &error));
    tap_ok(gzc_may_write(path, "here", false, why, sizeof why), "the same device's");
    tap_ok(!gzc_may_write(path, "there", false, why, sizeof why) && strstr(why, "here"),
           "not another's: %s", why);
    tap_ok(gzc_may_write(path, "there", true, why, sizeof why), "but by force");
    struct gzc_file app = app_file();
    put(path, gzc_file_text(&app, &error));
    tap_ok(gzc_may_write(path, "here", false, why, sizeof why),
           "an application of the same device");
    tap_ok(!gzc_may_write(path, "there", false, why, sizeof why), "not of another: %s", why);
    app.app.profile_device[0] = '\0';
    put(path, gzc_file_text(&app, &error));
    tap_ok(!gzc_may_write(path, "here", false, why, sizeof why), "nor of none: %s", why);
    put(path, strdup("my thesis"));
    tap_ok(!gzc_may_write(path, "here", false, why, sizeof why), "nor a file of another kind: %s",
           why);
    unlink(path);
    tap_ok(gzc_may_write(path, "here", false, why, sizeof why), "a new file may be written");
}

int main(void)
{
    device();
    refusals();
    application();
    overwriting();
    return tap_done();
}
