/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "pieces.h"

#include <string.h>

const char gzt_bits[] =
    "#if defined __OPENCL_VERSION__\n"
    "#define GZ_TO_INT(a) as_int(a)\n"
    "#define GZ_TO_FLOAT(a) as_float(a)\n"
    "#define GZ_TO_LONG(a, b) ((long)(((ulong)as_uint(b) << 32) | as_uint(a)))\n"
    "#define GZ_TO_DOUBLE(a, b) as_double(GZ_TO_LONG(a, b))\n"
    "#elif defined __CUDACC__\n"
    "GZ_INLINE int gz_bits(float a)\n{\n    return __float_as_int(a);\n}\n"
    "GZ_INLINE int gz_bits(int a)\n{\n    return a;\n}\n"
    "#define GZ_TO_INT(a) gz_bits(a)\n"
    "#define GZ_TO_FLOAT(a) __int_as_float(gz_bits(a))\n"
    "#define GZ_TO_LONG(a, b) \\\n"
    "    ((long)(((unsigned long)(unsigned int)gz_bits(b) << 32) | (unsigned int)gz_bits(a)))\n"
    "#define GZ_TO_DOUBLE(a, b) __longlong_as_double(GZ_TO_LONG(a, b))\n"
    "#endif\n";

void gzt_add_kept(struct gzt_text *text, int constants)
{
    gzt_add(text,
            "#ifndef GZ_TWO_BORDERS\n#define GZ_TWO_BORDERS 0\n#endif\n"
            "#if GZ_TWO_BORDERS\n"
            "#define GZ_KEPT COEF_AT(%d + (int)((LOOP + 1) %% 2), 0, 0, 0)\n"
            "#else\n#define GZ_KEPT AT(0, 0, 0)\n#endif\n#endif\n",
            constants);
}

void gzt_add_literal(struct gzt_text *text, const char *from)
{
    gzt_add(text, "    \"");
    for (; *from; from++)
        if (*from == '\n')
            gzt_add(text, from[1] ? "\\n\"\n    \"" : "\\n");
        else if (*from == '"' || *from == '\\')
            gzt_add(text, "\\%c", *from);
        else
            gzt_add_bytes(text, from, 1);
    gzt_add(text, "\"");
}

void gzt_add_body(const char *body, struct gzt_text *text)
{
    enum { PIECE = 400 };
    size_t length = strlen(body);

    gzt_add(text, "static const char *const gz_body[] = {\n");
    for (size_t at = 0; at < length;) {
        const char *newline = strchr(body + at, '\n');
        size_t next = newline ? (size_t)(newline - body) + 1 : length;
        if (next - at > PIECE)
            next = at + PIECE;
        gzt_add_literal(text, gzt_copy(body + at, next - at));
        gzt_add(text, ",\n");
        at = next;
    }
    gzt_add(text, "    0};\n");
}
