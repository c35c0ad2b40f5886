/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "rewrite.h"

#include <ctype.h>
#include <string.h>

/* The identifier at or behind `*at`, which is moved behind it; NULL at the end of the line, or of
 * the text with `end` a null byte. Skips what stands between quotation marks. */
static const char *next_name(const char **at, char end)
{
    const char *c = *at;
    while (*c && *c != end && !isalpha((unsigned char)*c) && *c != '_') {
        if (*c == '"' || *c == '\'')
            for (char mark = *c++; *c && *c != mark && *c != end; c++)
                c += *c == '\\' && c[1];
        else if (isdigit((unsigned char)*c))
            c += gzt_word(c) - 1;
        c += *c && *c != end;
    }
    size_t length = gzt_word(c);
    *at = c + length;
    return length ? gzt_copy(c, length) : NULL;
}

static void add_name(const char ***names, int *count, const char *name)
{
    if (name && !gzt_is_one_of(name, *names))
        gzt_push(names, count, name);
}

/* What -D defines, as NAME, NAME=VALUE or NAME(PARAMETERS)=VALUE. */
static void find_flags(const struct gzt_source *source, const char ***flags, int *count)
{
    for (int i = 0; i < source->flag_count; i++)
        if (strncmp(source->flags[i], "-D", 2) == 0)
            gzt_push(flags, count, source->flags[i][2] ? source->flags[i] + 2 : source->flags[++i]);
}

static const char *name_of(const char *flag)
{
    return next_name(&flag, '=');
}

/* The next directive of a text: its word, with `*at` moved behind it; NULL if there is none. */
static const char *next_directive(const char **at)
{
    for (const char *line = *at; line; line = strchr(line, '\n')) {
        line += strspn(line, " \t\n");
        if (*line != '#')
            continue;
        *at = line + 1;
        const char *word = next_name(at, '\n');
        if (word)
            return word;
        line = *at;
    }
    return NULL;
}

/* The names that the conditions of the user's files ask for. */
static void find_asked(const struct gzt_source *source, const char ***names, int *count)
{
    /* The latter two compilers define themselves. */
    static const char *const own[] = {"defined", "linux", "unix", NULL};
    const char *at = gzt_own_text(source), *word, *name;
    while ((word = next_directive(&at)))
        if (strncmp(word, "if", 2) == 0 || strncmp(word, "elif", 4) == 0)
            while ((name = next_name(&at, '\n')))
                if (name[0] != '_' && !gzt_is_one_of(name, own))
                    add_name(names, count, name);
}

const char *gzt_own_macro(const struct gzt_source *source, size_t behind, const char *text)
{
    const char **defined = NULL, **flags = NULL, *word, *name, *own = gzt_own_text(source);
    int count = 0, flag_count = 0;
    find_flags(source, &flags, &flag_count);
    for (int i = 0; i < flag_count; i++)
        add_name(&defined, &count, name_of(flags[i]));
    size_t length = strlen(own);
    const char *at = gzt_copy(own, length > behind ? length - behind : 0);
    while ((word = next_directive(&at)))
        if (strcmp(word, "define") == 0)
            add_name(&defined, &count, next_name(&at, '\n'));
    while ((name = next_name(&text, '\0')))
        if (gzt_is_one_of(name, defined))
            return name;
    return NULL;
}

/* Two texts of a macro that was given, as the compiler has it and as gzc had it. */
static void add_comparison(const char *flag, struct gzt_text *defined, struct gzt_text *compared)
{
    const char *name = name_of(flag), *sign = strchr(flag, '=');
    const char *arguments = "";
    int head = sign ? (int)(sign - flag) : (int)strlen(flag);
    if (strchr(gzt_copy(flag, (size_t)head), '(')) {
        arguments = "(gz_1";
        for (int i = 0; i < head; i++)
            if (flag[i] == ',')
                arguments = gzt_format("%s, gz_%d", arguments, i);
        arguments = gzt_format("%s)", arguments);
    }
    gzt_add(defined, "#define gz_macro_%.*s %s\n", head, flag, sign ? sign + 1 : "1");
    gzt_add(compared, " ||\n__builtin_strcmp(gz_text(%s%s), gz_text(gz_macro_%s%s)) != 0", name,
            arguments, name, arguments);
}

/* What makes a macro's text a literal, in C of 1989, too. */
static const char *const comparing = "#if defined __GNUC__\n"
                                     "#pragma GCC diagnostic push\n"
                                     "#pragma GCC diagnostic ignored \"-Wvariadic-macros\"\n"
                                     "#endif\n"
                                     "#define gz_text_of(...) #__VA_ARGS__\n"
                                     "#define gz_text(...) gz_text_of(__VA_ARGS__)\n"
                                     "#if defined __GNUC__\n"
                                     "#pragma GCC diagnostic pop\n"
                                     "#endif\n";

const char *gzt_macro_check(const struct gzt_source *source)
{
    const char **flags = NULL, **given = NULL, **asked = NULL;
    int flag_count = 0, given_count = 0, asked_count = 0;
    struct gzt_text text = {0}, missing = {0}, compared = {0};
    find_flags(source, &flags, &flag_count);
    find_asked(source, &asked, &asked_count);
    if (flag_count > 0)
        gzt_add(&text, "%s", comparing);
    /* The last of a name counts. */
    for (int i = flag_count - 1; i >= 0; i--) {
        const char *name = name_of(flags[i]);
        if (!name || gzt_is_one_of(name, given))
            continue;
        gzt_push(&given, &given_count, name);
        gzt_add(&missing, " || !defined %s", name);
        add_comparison(flags[i], &text, &compared);
    }
    for (int i = 0; i < asked_count; i++)
        if (!gzt_is_one_of(asked[i], given))
            gzt_add(&missing, " || defined %s", asked[i]);
    if (source->openmp && strstr(gzt_own_text(source), "_OPENMP"))
        gzt_add(&missing, " || %sdefined _OPENMP", source->openmp > 0 ? "!" : "");
    if (!missing.length)
        return "";
    gzt_add(&text,
            "#if 0%s\n#define gz_other_macros 1\n#else\n#define gz_other_macros gz_others\n"
            "static const int gz_others __attribute__((unused)) = 0%s;\n#endif\n",
            gzt_string(&missing), gzt_string(&compared));
    return gzt_string(&text);
}
