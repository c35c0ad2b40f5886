/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * disassemble.c - nvdisasm's text, parsed.
 */
#include "machine.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LINE = 400, MOST_LABELS = 4096 };

/* Where labels lie, which instructions in front of them name. */
struct labels {
    int count;
    struct {
        char name[32];
        int at;
    } of[MOST_LABELS];
};

static int is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '.';
}

/* The number behind a register's letters; the one that holds nothing for Z and T. */
static int index_of(const char *digits, int none)
{
    return isdigit((unsigned char)*digits) ? atoi(digits) : none;
}

/* A register or predicate of this name; whether it is one. */
static int take_register(const char *s, struct gzk_sass_operand *o)
{
    static const struct {
        const char *letters;
        enum gzk_sass_kind kind;
        int none;
    } files[] = {{"UR", GZK_SASS_UNIFORM, 63},
                 {"UP", GZK_SASS_UNIFORM_PREDICATE, 7},
                 {"R", GZK_SASS_REGISTER, 255},
                 {"P", GZK_SASS_PREDICATE, 7}};
    for (size_t k = 0; k < sizeof files / sizeof *files; k++) {
        size_t n = strlen(files[k].letters);
        if (strncmp(s, files[k].letters, n) == 0 &&
            (isdigit((unsigned char)s[n]) || s[n] == 'Z' || s[n] == 'T')) {
            o->kind = files[k].kind;
            o->index = index_of(s + n, files[k].none);
            return 1;
        }
    }
    return 0;
}

/* [R1+0x4], desc[UR4][R2.64+0x8], [UR4+R2.X4+0x8]: the first register and the displacement. */
static void take_memory(const char *s, struct gzk_sass_operand *o)
{
    const char *open = strrchr(s, '['), *number = strstr(open, "0x");
    o->kind = GZK_SASS_REGISTER;
    o->index = 255;
    take_register(open + 1, o);
    if (number)
        o->value = (int64_t)strtoull(number, NULL, 16) * (number[-1] == '-' ? -1 : 1);
}

static void take_operand(char *s, struct gzk_sass_operand *o)
{
    *o = (struct gzk_sass_operand){.kind = GZK_SASS_NUMBER};
    for (; *s == '-' || *s == '~' || *s == '!' || *s == '|' || *s == '+'; s++) {
        o->negative |= *s == '-';
        o->inverted |= *s == '~' || *s == '!';
        o->absolute |= *s == '|';
    }
    snprintf(o->text, sizeof o->text, "%.31s", s);
    if (strncmp(s, "c[", 2) == 0) {
        const char *at = strchr(s, ']');
        o->kind = GZK_SASS_CONSTANT;
        o->index = (int)strtol(s + 2, NULL, 16);
        o->value = at ? strtol(at + 2, NULL, 16) : 0;
    } else if (strchr(s, '[')) {
        take_memory(s, o);
    } else if (strncmp(s, "SR", 2) == 0 || strcmp(s, "PR") == 0) {
        o->kind = GZK_SASS_SPECIAL;
    } else if (*s == '`') {
        o->kind = GZK_SASS_LABEL;
    } else if (!take_register(s, o)) {
        o->value = strncmp(s, "0x", 2) == 0 ? (int64_t)strtoull(s, NULL, 16) : 0;
    }
}

/* The operands, which commas separate. */
static void take_operands(char *s, struct gzk_sass_instruction *in)
{
    char *rest = NULL;
    for (char *one = strtok_r(s, ",", &rest); one && in->operands < GZK_SASS_OPERANDS;
         one = strtok_r(NULL, ",", &rest)) {
        while (*one == ' ')
            one++;
        one[strcspn(one, " ")] = '\0';
        if (*one)
            take_operand(one, &in->operand[in->operands++]);
    }
}

/* The instruction of a line that has one: its address, a predicate, its name and operands. */
static int take_line(char *line, struct gzk_sass_instruction *in)
{
    char *s = strstr(line, "*/"), *end = s ? strchr(s, ';') : NULL, *note;
    struct gzk_sass_operand guard = {.index = 7};
    *in = (struct gzk_sass_instruction){.guard = 7};
    if (!end)
        return 0;
    *end = '\0';
    if ((note = strstr(s, "(*")) != NULL)
        *note = '\0';
    for (s += 2; *s == ' ';)
        s++;
    if (*s == '@') {
        in->guard_inverted = *++s == '!';
        take_register(s + in->guard_inverted, &guard);
        in->guard = guard.index;
        in->guard_uniform = guard.kind == GZK_SASS_UNIFORM_PREDICATE;
        s += strcspn(s, " ");
    }
    while (*s == ' ' || *s == '{')
        s++;
    size_t n = 0;
    for (; is_name(*s) && n < sizeof in->name - 1; s++)
        in->name[n++] = *s;
    take_operands(s, in);
    return n > 0;
}

static void resolve(struct gzk_sass_code *code, const struct labels *labels)
{
    for (int k = 0; k < code->count; k++)
        for (int i = 0; i < code->of[k].operands; i++) {
            struct gzk_sass_operand *o = &code->of[k].operand[i];
            if (o->kind != GZK_SASS_LABEL)
                continue;
            o->value = -1;
            for (int l = 0; l < labels->count; l++) {
                size_t length = strlen(labels->of[l].name);
                /* `(.L_x_1) */
                if (strncmp(o->text + 2, labels->of[l].name, length) == 0 &&
                    o->text[2 + length] == ')')
                    o->value = labels->of[l].at;
            }
        }
}

/* Reads the text of the one kernel. */
static int take_text(FILE *from, struct gzk_sass_code *code, struct gzk_error *error)
{
    struct labels *labels = calloc(1, sizeof *labels);
    struct gzk_sass_instruction in;
    char line[LINE];
    int room = 0;
    while (labels && fgets(line, sizeof line, from)) {
        const char *colon = strchr(line, ':');
        if (line[0] == '.' && colon && labels->count < MOST_LABELS) {
            snprintf(labels->of[labels->count].name, sizeof labels->of[0].name, "%.*s",
                     (int)(colon - line < 31 ? colon - line : 31), line);
            labels->of[labels->count++].at = code->count;
        }
        if (!take_line(line, &in))
            continue;
        if (code->count == room) {
            void *more = realloc(code->of, (size_t)(room = 2 * room + 500) * sizeof *code->of);
            if (!more)
                break;
            code->of = more;
        }
        code->of[code->count++] = in;
    }
    if (labels)
        resolve(code, labels);
    int whole = labels && feof(from) && code->count > 0;
    free(labels);
    return whole ? 0 : gzk_fail(error, GZK_FAILED, "nvdisasm printed no instructions");
}

static const char *disassembler(void)
{
    const char *named = getenv("NVDISASM");
    if (named && *named)
        return named;
    return access("/usr/local/cuda/bin/nvdisasm", X_OK) == 0 ? "/usr/local/cuda/bin/nvdisasm"
                                                             : "nvdisasm";
}

int gzk_sass_read(const void *cubin, size_t bytes, struct gzk_sass_code *code,
                  struct gzk_error *error)
{
    char path[] = "/tmp/gz-sass-XXXXXX", command[600];
    int file = mkstemp(path), status;
    *code = (struct gzk_sass_code){NULL, 0};
    if (file < 0 || write(file, cubin, bytes) != (ssize_t)bytes) {
        status = gzk_fail(error, GZK_FAILED, "%s: cannot be written", path);
    } else {
        snprintf(command, sizeof command, "'%s' -c %s 2>/dev/null", disassembler(), path);
        FILE *from = popen(command, "r");
        status = from ? take_text(from, code, error) : GZK_FAILED;
        int ended = from ? pclose(from) : -1;
        if (ended != 0)
            status = gzk_fail(error, GZK_NO_DEVICE,
                              "there is no nvdisasm, by which instructions are counted (of the "
                              "CUDA toolkit, or NVDISASM=FILE)");
    }
    if (file >= 0) {
        close(file);
        unlink(path);
    }
    if (status != 0) {
        free(code->of);
        *code = (struct gzk_sass_code){NULL, 0};
    }
    return status;
}
