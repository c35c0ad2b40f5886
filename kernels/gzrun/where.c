/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "where.h"

#include "common.h"
#include "files.h"
#include "interrupt.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static bool is_address(const char *text)
{
    if (!text || (*text && strspn(text, "0123456789") == strlen(text)))
        return true;
    for (size_t b = 0; gzk_backends[b]; b++) {
        size_t length = strlen(gzk_backends[b]->name);
        if (strncmp(text, gzk_backends[b]->name, length) == 0 && text[length] == ':')
            return true;
    }
    return false;
}

/* Where the description of a device is kept; to be freed, NULL if memory is short or there is no
 * home. */
static char *kept_path(const struct gzk_device_info *info)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char stem[sizeof info->name];
    size_t n = 0;

    for (const char *c = info->name; *c; c++)
        if (isalnum((unsigned char)*c))
            stem[n++] = (char)tolower((unsigned char)*c);
        else if (n > 0 && stem[n - 1] != '-')
            stem[n++] = '-';
    stem[n > 0 && stem[n - 1] == '-' ? n - 1 : n] = '\0';
    if (data && *data == '/')
        return cli_text("%s/gzmodel/devices/%s/device.json", data, stem);
    return home && *home ? cli_text("%s/.local/share/gzmodel/devices/%s/device.json", home, stem)
                         : NULL;
}

/* Makes the folders of a path; returns 0 or an errno. */
static int make_folders(const char *path)
{
    char *folder = cli_text("%s", path);
    int failed = folder ? 0 : ENOMEM;
    for (char *slash = folder ? strchr(folder + 1, '/') : NULL; slash && !failed;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            failed = errno;
        *slash = '/';
    }
    free(folder);
    return failed;
}

/* The program that calibrates, which lies beside this one; to be freed. */
static char *calibrator(void)
{
    static const char *const names[] = {"gz-calibrate", "calibrate"};
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char *path = cli_beside(self, names[k]);
        if (path && access(path, X_OK) == 0)
            return path;
        free(path);
    }
    return cli_text("%s", names[0]);
}

/* Waits for a child, which an interrupt ends; whether it succeeded. */
static bool succeeds(pid_t child)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (cli_interrupted)
            kill(child, SIGTERM);
        nanosleep(&pause, NULL);
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static int calibrate(const struct gzk_options *options, const char *address, const char *path)
{
    char *program = calibrator();
    char words[][16] = {"gz-calibrate", "-d", "--quick", "-o", "-q"};
    char *const arguments[] = {words[0],
                               words[1],
                               (char *)address,
                               words[2],
                               words[3],
                               (char *)path,
                               options->quiet ? words[4] : NULL,
                               NULL};
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_t files;
    sigset_t none;
    pid_t child;
    int failed = program ? make_folders(path) : ENOMEM;

    if (failed) {
        free(program);
        return cli_fail(CLI_FAILED, "cannot keep the calibration in %s: %s", path,
                        strerror(failed));
    }
    if (!options->quiet)
        fprintf(stderr,
                "gzrun: %s is not calibrated yet: calibrating it once; the result is kept in %s\n",
                address, path);
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&attributes, &none);
    /* What it found is in the files; standard output is for the result. */
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    failed = posix_spawnp(&child, program, &files, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
    free(program);
    if (failed)
        return cli_fail(CLI_FAILED, "cannot run gz-calibrate: %s", strerror(failed));
    return succeeds(child) ? CLI_DONE : cli_fail(CLI_FAILED, "gz-calibrate -d %s failed", address);
}

static int open_address(const struct gzk_options *options, bool wanted, struct gzk_where *where)
{
    struct gzk_error error = {0};
    gz_error why;

    if (gzk_device_open(options->device, &where->device, &error) != 0)
        return gzk_complain(&error);
    char *path = kept_path(&where->device->info);
    int status = CLI_DONE;
    if (wanted && !path)
        status = cli_fail(CLI_FAILED,
                          "there is no folder to keep the calibration in: set XDG_DATA_HOME");
    else if (wanted && access(path, F_OK) != 0)
        status = calibrate(options, where->device->info.address, path);
    if (status == CLI_DONE && path && access(path, F_OK) == 0) {
        if (gz_device_open(path, &where->model, &why) == GZ_OK)
            where->described = path;
        else
            status = cli_fail(CLI_BAD_INPUT, "%s", why.text);
    }
    if (!where->described)
        free(path);
    return status;
}

static int open_described(const char *name, struct gzk_where *where)
{
    struct gzk_error error = {0};
    gz_error why;

    if (gz_device_open(name, &where->model, &why) != GZ_OK)
        return cli_fail(CLI_BAD_INPUT,
                        "%s; must be cuda:INDEX, opencl:INDEX, INDEX for cuda, or the device "
                        "of a file",
                        why.text);
    where->described = cli_text("%s", name);
    if (!where->described)
        return cli_fail(CLI_FAILED, "out of host memory");
    if (gzk_device_open_named(where->model.name, GZ_NAME_SIZE - 1, &where->device, &error) != 0)
        return gzk_complain(&error);
    return CLI_DONE;
}

int gzk_where_open(const struct gzk_options *options, bool calibrate, struct gzk_where *where)
{
    *where = (struct gzk_where){0};
    int status = is_address(options->device) ? open_address(options, calibrate, where)
                                             : open_described(options->device, where);
    if (status != CLI_DONE)
        gzk_where_close(where);
    return status;
}

void gzk_where_close(struct gzk_where *where)
{
    gzk_device_close(where->device);
    free(where->described);
    *where = (struct gzk_where){0};
}
