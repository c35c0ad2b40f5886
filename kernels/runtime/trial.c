/* SPDX-License-Identifier: GPL-3.0-or-later */
#define _GNU_SOURCE
#include "trial.h"

#include "affinity.h"
#include "data.h"
#include "diskcache.h"
#include "files.h"
#include "gzmodel.h"
#include "host.h"
#include "kernel_text.h"
#include "plan.h"
#include "spawn.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is told to the program, before the body's text. */
struct request {
    char version[32], address[64];
    struct gzk_stencil stencil;
    struct gzk_config config;
    size_t body_bytes;
};

static const struct gzk_cache tried = {"gzstencil", ".tried"};
/* What the program says once the kernel has run, or if it could not get that far, and what is kept.
 */
static const char well[] = "compiles", refused[] = "refused", ill[] = "dies";

/* Whether that file, in which this code is, is the program itself and no library. */
static bool is_program(const char *file)
{
    struct stat code, program;
    return stat(file, &code) != 0 ||
           (stat("/proc/self/exe", &program) == 0 && code.st_ino == program.st_ino &&
            code.st_dev == program.st_dev);
}

/* Behind the folder of the library, or in lib beside that of the program, in which this code is. */
static bool find_program(char *path, size_t room)
{
    char program[4000] = "";
    const char *file = program, *from = "../lib/";
    Dl_info here;

    if (!dladdr((const void *)&tried, &here))
        return false;
    if (!is_program(here.dli_fname)) {
        file = here.dli_fname;
        from = "";
    } else if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) {
        return false;
    }
    const char *slash = strrchr(file, '/');
    int length =
        slash ? snprintf(path, room, "%.*s/%sgzstencil/compile", (int)(slash - file), file, from)
              : 0;
    return length > 0 && (size_t)length < room && access(path, X_OK) == 0;
}

static FILE *write_request(const struct gzk_device *device, const struct gzk_config *config)
{
    struct request request;
    FILE *stream = tmpfile();

    memset(&request, 0, sizeof request);
    snprintf(request.version, sizeof request.version, "%s", gz_version());
    snprintf(request.address, sizeof request.address, "%s", device->info.address);
    request.stencil = *config->stencil;
    request.config = *config;
    request.body_bytes = strlen(config->stencil->body);
    if (!stream)
        return NULL;
    if (fwrite(&request, sizeof request, 1, stream) == 1 &&
        fwrite(config->stencil->body, 1, request.body_bytes, stream) == request.body_bytes &&
        fflush(stream) == 0 && fseek(stream, 0, SEEK_SET) == 0)
        return stream;
    fclose(stream);
    return NULL;
}

/* What comes through the pipe. */
static void hear(int pipe, char *heard, size_t room)
{
    size_t length = 0;
    while (length + 1 < room) {
        ssize_t more = read(pipe, heard + length, room - 1 - length);
        if (more == 0 || (more < 0 && errno != EINTR))
            break;
        length += more > 0 ? (size_t)more : 0;
    }
    heard[length] = '\0';
}

enum outcome { RUNS, DIES, DIED_THIS_TIME, UNKNOWN };

/* How the child ended; only what a compiler or its work may do to it counts for later. Its status
 * may have been taken by the program's own handlers. */
static enum outcome outcome_of(pid_t child, int pipe)
{
    char heard[40];
    int status = 0;
    hear(pipe, heard, sizeof heard);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (strcmp(heard, well) == 0)
        return RUNS;
    if (strcmp(heard, refused) == 0)
        return UNKNOWN;
    int by = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return by == SIGABRT || by == SIGSEGV || by == SIGBUS || by == SIGILL || by == SIGALRM
               ? DIES
               : DIED_THIS_TIME;
}

static enum outcome try(const char *path, const struct gzk_device *device,
                        const struct gzk_config *config)
{
    int ends[2];
    enum outcome outcome = UNKNOWN;
    FILE *request = write_request(device, config);

    if (!request)
        return UNKNOWN;
    if (pipe2(ends, O_CLOEXEC) == 0) {
        char *const words[] = {(char *)path, NULL};
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        pid_t child;
        int failed = cli_start(words, fileno(request), ends[1], nowhere, &child);
        close(ends[1]);
        if (!failed)
            outcome = outcome_of(child, ends[0]);
        close(ends[0]);
        close(nowhere);
    }
    fclose(request);
    return outcome;
}

static enum outcome judge(const char *path, struct gzk_device *device,
                          const struct gzk_config *config, const char *key)
{
    size_t size = 0;
    char *kept = gzk_cache_get(&tried, key, &size);
    enum outcome outcome;

    if (kept) {
        outcome = size == sizeof well && memcmp(kept, well, sizeof well) == 0 ? RUNS : DIES;
        free(kept);
        return outcome;
    }
    outcome = try(path, device, config);
    if (outcome == RUNS)
        gzk_cache_put(&tried, key, well, sizeof well);
    else if (outcome == DIES)
        gzk_cache_put(&tried, key, ill, sizeof ill);
    return outcome;
}

int gzk_try(struct gzk_device *device, const struct gzk_config *config, struct gzk_error *error)
{
    char path[4096];
    if (!device->info.is_cpu || !find_program(path, sizeof path))
        return 0;
    char *text = gzk_kernel_text(config, device->backend->prelude);
    char *key = text ? cli_text("gzstencil %s\n%.300s\n%.300s\n%d %zu\n%s", gz_version(),
                                device->info.name, device->info.driver, config->contract,
                                gzk_pocl_stack() ? gzk_pocl_stack() : gzk_thread_stack(0), text)
                     : NULL;
    enum outcome outcome = key ? judge(path, device, config, key) : UNKNOWN;

    free(key);
    free(text);
    return outcome == RUNS || outcome == UNKNOWN
               ? 0
               : gzk_fail(error, GZK_FAILED,
                          "the compiler of %s dies of its kernel, as a process of its own shows",
                          device->info.address);
}

int gzk_try_threads(struct gzk_device *device, const struct gzk_config *config,
                    struct gzk_error *error)
{
    enum { SAFE = 256 }; /* each has 32 KiB of 8 MiB then */
    const int *threads = config->threads;
    return threads[0] * threads[1] * threads[2] > SAFE ? gzk_try(device, config, error) : 0;
}

/* ---------------------------------------------------------------------------- the other process */

static void say(const char *word)
{
    ssize_t written = write(STDOUT_FILENO, word, strlen(word));
    _exit(written < 0);
}

/* A division by a number that is 0 only here: the kernel runs. */
static void on_arithmetic(int signal)
{
    (void)signal;
    say(well);
}

static int watch_nothing(struct gzk_session *session, const struct gzk_stencil *stencil,
                         const struct gzk_data *data, struct gzk_error *error)
{
    size_t rows = gzk_state_elements(stencil, data) / (size_t)data->size[0];
    struct gzk_watch watch = {0, (rows + 1) * sizeof(int), sizeof(double), NULL, NULL};
    watch.where = gzk_host_new(watch.bytes);
    watch.seen = gzk_host_new(watch.seen_bytes);
    return watch.where && watch.seen ? gzk_session_watch(session, &watch, error)
                                     : gzk_fail(error, GZK_FAILED, "out of host memory");
}

static int run_small(struct request *request, struct gzk_error *error)
{
    struct gzk_config *config = &request->config;
    struct gzk_device *device;
    struct gzk_session *session;
    struct gzk_data data;
    double seconds;

    config->stencil = &request->stencil;
    config->loops = config->height;
    gzk_small_grid(config->stencil, config->size);
    int status = gzk_device_open(request->address, &device, error);
    if (status != 0)
        return status;
    if (gzk_data_room(&data, config->stencil, config->size, config->loops) != 0)
        return gzk_fail(error, GZK_FAILED, "out of host memory");
    status = gzk_session_new(device, config->stencil, &data, &session, error);
    if (status == 0 && config->watches)
        status = watch_nothing(session, config->stencil, &data, error);
    /* What is refused with a reason is so in the caller's process, too. */
    if (status == 0)
        gzk_session_run(session, config, &gzk_never, &seconds, error);
    return status;
}

int gzk_try_here(FILE *stream)
{
    enum { PATIENCE_S = 120, MOST_BODY = 1 << 26 };
    struct request request;
    struct gzk_error error;

    if (fread(&request, sizeof request, 1, stream) != 1 ||
        strncmp(request.version, gz_version(), sizeof request.version) != 0 ||
        request.body_bytes > MOST_BODY)
        return GZK_INVALID;
    char *body = calloc(1, request.body_bytes + 1);
    if (!body || fread(body, 1, request.body_bytes, stream) != request.body_bytes)
        return GZK_FAILED;
    signal(SIGALRM, SIG_DFL); /* what ends a compiler that hangs: the caller may have ignored it */
    alarm(PATIENCE_S);
    signal(SIGFPE, on_arithmetic);
    request.stencil.body = body;
    request.stencil.name = "gzc";
    say(run_small(&request, &error) == 0 ? well : refused);
    return GZK_FAILED;
}
