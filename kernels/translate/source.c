/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "source.h"

#include "input.h"
#include "spawn.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef GZT_PREPROCESSOR
#define GZT_PREPROCESSOR "clang-15"
#endif

#define SPACES " \t\n\v\f\r"

/* As gcc 12 defines it. */
#define OPENMP "-D_OPENMP=201511"

static int fail(struct gzt_source *source, int status, const char *text)
{
    if (!source->failed) {
        source->failed = true;
        source->status = status;
        source->error = text;
    }
    return -1;
}

int gzt_refuse(struct gzt_source *source, int offset, const char *format, ...)
{
    struct gzt_place place = gzt_place_of(source, offset);
    char message[2000];
    va_list args;

    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    const char *text = gzt_format("%s:%d:%d: %s", place.file, place.line, place.column, message);
    return fail(source, 2, text);
}

int gzt_say(struct gzt_source *source)
{
    fprintf(stderr, "%s\n", gzt_shown(source->error));
    source->failed = false;
    return source->status;
}

/* Where headers lie that clang may lack: beside the program, in the build folder as where it is
 * installed. */
static const char *own_headers(void)
{
    char self[4096];
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(self, '/');
        *(slash ? slash : self) = '\0';
    }
    return gzt_format("%s/share/gzmodel", self);
}

/* Whether a flag is one of OpenMP, of which the last counts. */
static bool is_openmp(struct gzt_source *source, const char *flag)
{
    bool asks = strncmp(flag, "-fopenmp", 8) == 0 && strncmp(flag, "-fopenmp-", 9) != 0;
    if (asks || strcmp(flag, "-fno-openmp") == 0)
        source->openmp = asks ? 1 : -1;
    return strncmp(flag, "-fopenmp", 8) == 0 || strncmp(flag, "-fno-openmp", 11) == 0;
}

int gzt_check_flags(struct gzt_source *source)
{
    /* What writes files, reads more of them as flags, or asks for another language stays out. */
    static const char *const kinds[] = {
        "-I", "-D", "-U",     "-i",        "-std=",    "-ansi",     "-f",      "-m",        "-W",
        "-w", "-g", "-O",     "-pipe",     "-pthread", "-pedantic", "-no-pie", "-nostdinc", "-L",
        "-l", "-c", "-undef", "--sysroot", "-pie",     "-static",   "-shared", "-rdynamic"};
    /* What makes constants, whole numbers or structures others than those of devices. */
    static const char *const others[] = {
        "-fsingle-precision-constant", "-fwrapv", "-ftrapv", "-m32", "-mx32", NULL};
    bool value = false; /* of the flag before */
    char **kept = NULL;
    int count = 0;
    for (int i = 0; i < source->flag_count; i++) {
        const char *flag = source->flags[i];
        bool known = value && flag[0] != '@';
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            known = known || strncmp(flag, kinds[k], strlen(kinds[k])) == 0;
        bool other = gzt_is_one_of(flag, others) || strncmp(flag, "-fpack-struct", 13) == 0;
        if (!known || other || strncmp(flag, "-Wp,", 4) == 0 || strncmp(flag, "-fplugin", 8) == 0)
            return fail(source, 2,
                        gzt_format("\"%s\" after \"--\": %s", flag,
                                   other ? "libgzstencil and devices are compiled without it"
                                         : "must be a flag that FILE needs to compile, such as "
                                           "-I, -D or -std"));
        if (!is_openmp(source, flag))
            gzt_push(&kept, &count, flag);
        value = !value && (strcmp(flag, "-I") == 0 || strcmp(flag, "-D") == 0 ||
                           strcmp(flag, "-U") == 0 || strcmp(flag, "-L") == 0 ||
                           (flag[0] == '-' && flag[1] == 'i' && !strchr(flag, '=')));
    }
    source->flags = kept;
    source->flag_count = count;
    return 0;
}

void gzt_preprocessor_flags(const struct gzt_source *source, const char ***flags, int *count)
{
    gzt_push(flags, count, "-x");
    gzt_push(flags, count, source->cxx ? "c++" : "c");
    gzt_push(flags, count, "-Wno-unknown-pragmas");
    /* For its directives, also of a program that may be compiled without. */
    gzt_push(flags, count, source->openmp < 0 ? "-U_OPENMP" : OPENMP);
    for (int i = 0; i < source->flag_count; i++)
        gzt_push(flags, count, source->flags[i]);
    gzt_push(flags, count, "-idirafter");
    gzt_push(flags, count, own_headers());
}

/* The preprocessor's first error becomes ours, with its own words. */
static int fail_preprocessed(struct gzt_source *source, FILE *said)
{
    char line[2000];
    rewind(said);
    while (fgets(line, sizeof line, said)) {
        char *kind = strstr(line, "error: ");
        line[strcspn(line, "\n")] = '\0';
        if (!kind)
            continue;
        char *what = kind + strlen("error: ");
        kind -= kind - line >= 6 && strncmp(kind - 6, "fatal ", 6) == 0 ? 6 : 0;
        return fail(source, 2, gzt_format("%.*s%s", (int)(kind - line), line, what));
    }
    return fail(
        source, 2,
        gzt_format("%.300s: the preprocessor, " GZT_PREPROCESSOR ", failed on it", source->path));
}

/* Adds what a stream holds, and closes it; false if there is none, or it cannot be read. */
static bool add_stream(struct gzt_text *text, FILE *file)
{
    char bytes[4096];
    size_t count;
    while (file && (count = fread(bytes, 1, sizeof bytes, file)) > 0)
        gzt_add_bytes(text, bytes, count);
    bool whole = file && !ferror(file);
    if (file)
        fclose(file);
    return whole;
}

/* Runs the preprocessor once; what it makes goes to `text`, through a pipe, since files may be
 * limited; what it says to `said`. */
static int run_preprocessor(struct gzt_source *source, FILE *said, struct gzt_text *text)
{
    const char **argv = NULL;
    int n = 0, status, ends[2];
    pid_t child;

    gzt_push(&argv, &n, GZT_PREPROCESSOR);
    gzt_push(&argv, &n, "-E");
    gzt_push(&argv, &n, "-w");
    gzt_preprocessor_flags(source, &argv, &n);
    gzt_push(&argv, &n, source->path);
    gzt_push(&argv, &n, NULL);
    if (pipe(ends) != 0)
        return fail(source, 1, gzt_format("cannot start clang: %s", strerror(errno)));
    bool begun = cli_start((char *const *)argv, -1, ends[1], fileno(said), &child) == 0;
    close(ends[1]);
    bool whole = add_stream(text, fdopen(ends[0], "r"));
    if (!begun)
        return fail(source, 1, "gzc: " GZT_PREPROCESSOR ": cannot be run");
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
    if (status == 0 && !whole)
        return fail(source, 1, "cannot read what clang's preprocessor writes");
    return status == 0 ? 0 : fail_preprocessed(source, said);
}

static int preprocess(struct gzt_source *source, struct gzt_text *text)
{
    FILE *said = tmpfile();
    if (!said)
        return fail(source, 1, gzt_format("cannot make a temporary file: %s", strerror(errno)));
    int status = run_preprocessor(source, said, text);
    fclose(said);
    return status;
}

/* Takes out a flag of code generation, -f or -m, that the preprocessor's error names whole or by
 * its value: another compiler's, or for a processor that clang does not know. */
static bool drop_unknown(struct gzt_source *source)
{
    const char *word = strchr(source->error, '\'');
    const char *named = word ? gzt_copy(word + 1, strcspn(word + 1, "'")) : "";
    int count = 0;
    for (int i = 0; i < source->flag_count; i++) {
        const char *flag = source->flags[i], *sign = strchr(flag, '=');
        bool chooses = flag[0] == '-' && (flag[1] == 'f' || flag[1] == 'm');
        if (!chooses || (strcmp(flag, named) != 0 && (!sign || strcmp(sign + 1, named) != 0)))
            source->flags[count++] = source->flags[i];
    }
    source->failed = count == source->flag_count;
    source->flag_count = count;
    return !source->failed;
}

int gzt_preprocess(struct gzt_source *source)
{
    struct gzt_text text = {0};
    const char *dot = strrchr(source->path, '.');
    size_t size;
    FILE *file = gzi_open_regular(source->path, &size); /* for it is read more than once */

    source->cxx = dot && (strcmp(dot, ".cc") == 0 || strcmp(dot, ".cpp") == 0 ||
                          strcmp(dot, ".cxx") == 0 || strcmp(dot, ".C") == 0);
    if (!file)
        return fail(source, 2, gzt_format("%.300s: %s", source->path, gzi_open_why(errno)));
    fclose(file);
    while (preprocess(source, &text) != 0)
        if (text = (struct gzt_text){0}, !drop_unknown(source))
            return -1;
    source->text = gzt_string(&text);
    source->length = (int)text.length;
    return 0;
}

/* Reads a line marker, `# 12 "file" flags`; returns whether the line is one. */
static bool read_marker(const char *line, const char *end, int *number, const char **file)
{
    if (line[0] != '#' || line[1] != ' ' || !isdigit((unsigned char)line[2]))
        return false;
    char *rest;
    *number = (int)strtol(line + 2, &rest, 10);
    const char *at = memchr(rest, '"', (size_t)(end - rest));
    struct gzt_text name = {0};
    for (at = at ? at + 1 : end; at < end && *at != '"'; at++) {
        bool escaped = *at == '\\' && at + 1 < end;
        at += escaped;
        gzt_add_bytes(&name, escaped && *at == 'n' ? "\n" : at, 1);
    }
    if (at < end)
        *file = gzt_string(&name);
    return true;
}

int gzt_add_file(struct gzt_text *text, const char *path)
{
    size_t begin = text->length;
    if (!add_stream(text, fopen(path, "r")))
        return -1;
    if (text->length - begin >= 3 && memcmp(text->bytes + begin, "\xef\xbb\xbf", 3) == 0)
        memset(text->bytes + begin, ' ', 3);
    return 0;
}

const char *gzt_own_text(const struct gzt_source *source)
{
    struct gzt_text text = {0};
    const char *end = source->text + source->length;
    for (const char *at = source->text; at && at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at)), *file = NULL;
        int number;
        /* A file that is entered, and none of the system's. */
        if (read_marker(at, stop ? stop : end, &number, &file) && file && stop &&
            strncmp(stop - 2, " 1", 2) == 0)
            gzt_add_file(&text, file);
        at = stop ? stop + 1 : NULL;
    }
    gzt_add_file(&text, source->path);
    return gzt_string(&text);
}

const char *gzt_seen_by_others(const struct gzt_source *source, bool openmp)
{
    static char *const flags[] = {"-fgnuc-version=12.2.0", "-U__clang__", "-U__llvm__",
                                  "-D__OPTIMIZE__=1"};
    static const char *const words[] = {"__clang", "__GNUC",     "__llvm",  "__has_",
                                        "_OPENMP", "__OPTIMIZE", "__INTEL", "__VERSION"};
    const char *own = gzt_own_text(source);
    bool asks = false; /* for what differs from compiler to compiler */
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        asks = asks || strstr(own, words[i]);
    if (!asks)
        return NULL;
    struct gzt_source other = {.path = source->path, .cxx = source->cxx, .openmp = openmp ? 1 : -1};
    for (int i = 0; i < source->flag_count; i++)
        gzt_push(&other.flags, &other.flag_count, source->flags[i]);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        gzt_push(&other.flags, &other.flag_count, flags[i]);
    return gzt_preprocess(&other) == 0 ? gzt_clean(&other, 0, other.length) : NULL;
}

struct gzt_place gzt_place_of(const struct gzt_source *source, int offset)
{
    struct gzt_place place = {source->path, 1, 1};
    const char *at = source->text, *end = at + source->length;
    const char *target = at + (offset < source->length ? offset : source->length);

    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop ? stop : end;
        if (target >= at && target <= stop) {
            place.column = (int)(target - at) + 1;
            return place;
        }
        if (!read_marker(at, stop, &place.line, &place.file))
            place.line++;
        at = stop + 1;
    }
    return place;
}

const char *gzt_verbatim(const struct gzt_source *source, int begin, int end)
{
    struct gzt_text text = {0};
    for (int at = begin; at < end;) {
        const char *newline = memchr(source->text + at, '\n', (size_t)(end - at));
        int next = newline ? (int)(newline - source->text) + 1 : end;
        if (source->text[at] != '#' || (at > 0 && source->text[at - 1] != '\n'))
            gzt_add_bytes(&text, source->text + at, (size_t)(next - at));
        at = next;
    }
    return gzt_string(&text);
}

const char *gzt_clean(const struct gzt_source *source, int begin, int end)
{
    const char *whole = gzt_verbatim(source, begin, end);
    struct gzt_text text = {0};
    for (whole += strspn(whole, SPACES); *whole;) {
        size_t length = strcspn(whole, SPACES);
        gzt_add_bytes(&text, whole, length);
        whole += length + strspn(whole + length, SPACES);
        gzt_add_bytes(&text, " ", *whole != '\0');
    }
    return gzt_string(&text);
}

/* Whether such a clause in a text names a variable. */
static bool names(const char *text, const char *clause, const char *name)
{
    while ((text = gzt_behind(text, clause))) {
        const char *open = text + strspn(text, " \t");
        if (*open == '(' && gzt_behind(gzt_copy(open, strcspn(open, ")")), name))
            return true;
    }
    return false;
}

/* The directive in the line before a place, which becomes that line's; NULL if there is none. */
static const char *directive_before(const struct gzt_source *source, int *at)
{
    const char *begin = source->text + *at, *end;
    for (end = begin; end > source->text && isspace((unsigned char)end[-1]);)
        end--;
    for (begin = end; begin > source->text && begin[-1] != '\n';)
        begin--;
    *at = (int)(begin - source->text);
    return begin < end && *begin == '#' ? gzt_copy(begin, (size_t)(end - begin)) : NULL;
}

/* Whether a directive begins what takes copies of variables along: a task of those that are
 * automatic, a device's code of all but arrays. */
static bool is_taken_along(const char *line, bool automatic, bool array)
{
    static const char *const others[] = {" data", " enter", " exit", " update"};
    bool task = gzt_behind(line, "task") || gzt_behind(line, "taskloop");
    const char *target = gzt_behind(line, "target");
    for (size_t i = 0; target && i < sizeof others / sizeof *others; i++)
        if (strncmp(target, others[i], strlen(others[i])) == 0)
            return false;
    return (task && automatic) || (target && !array);
}

bool gzt_is_private(const struct gzt_source *source, int at, const char *name, bool automatic,
                    bool array)
{
    static const char *const of_all[] = {"lastprivate", "shared", "map", "reduction", NULL};
    for (const char *line; (line = directive_before(source, &at));) {
        bool own = names(line, "private", name) || names(line, "firstprivate", name) ||
                   names(line, "default", "private") || names(line, "default", "firstprivate") ||
                   is_taken_along(line, automatic, array);
        for (int i = 0; of_all[i]; i++)
            own = own && !names(line, of_all[i], name);
        if (own && gzt_behind(line, "omp"))
            return true;
    }
    return false;
}

const char *gzt_for_each(const struct gzt_source *source, int at, const char *each, bool *in_turn)
{
    static const char *const one[] = {"for",    "sections", "section", "single",
                                      "master", "masked",   "loop",    NULL};
    bool told = false; /* by the last of them */
    *in_turn = false;
    for (const char *line; (line = directive_before(source, &at));) {
        bool shared = false;
        if (!gzt_behind(line, "omp"))
            continue;
        *in_turn = *in_turn || gzt_behind(line, "critical") || gzt_behind(line, "atomic");
        for (int i = 0; one[i]; i++)
            shared = shared || gzt_behind(line, one[i]);
        bool begins = gzt_behind(line, "parallel") || gzt_behind(line, "scope");
        if (!told && (shared || begins))
            each = shared ? NULL : line;
        told = told || shared || begins;
    }
    *in_turn = *in_turn && each;
    return each;
}

bool gzt_is_divided(const struct gzt_source *source, int at)
{
    static const char *const kinds[] = {"for", "loop", "distribute", "taskloop"};
    for (const char *line; (line = directive_before(source, &at));)
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds && gzt_behind(line, "omp"); i++)
            if (gzt_behind(line, kinds[i]))
                return true;
    return false;
}

bool gzt_is_threadprivate(const struct gzt_source *source, const char *name)
{
    return names(source->text, "threadprivate", name);
}

bool gzt_is_reduced(const char *directive, const char *name)
{
    return names(directive, "reduction", name);
}
