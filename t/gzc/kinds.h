/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * kinds.h - what programs.c may put into a program besides its loops: a table of kinds, each some
 * pieces of C by the place where they stand. In a piece, @ is the program's number, $(A$|B$|C$) one
 * of these, of which the first is the plainest, and
 *
 *     $v $w  the place along the fastest axis, along some axis    $N  the fastest axis's size
 *     $r $h  the state at some distance, here                     $- $+  one place before, behind
 *     $i $I  a whole number, a sum or the like of such            $R $C  a real number, a condition
 *     $T $t  the state's type, a whole type of the kind's own     $k  how many sweeps there were
 *     $p $a  OpenMP's private and lastprivate loop variables
 *
 * programs.c itself has more: $W $F $D are a whole number, a real one, a condition of one depth
 * less than what they are part of, $V a value, $x $n the place and the size along an axis, $g a
 * read under a condition.
 *
 * A term is a number below 1e9 that C defines for every cell where its program has `v` checked only
 * by itself; it is whole unless `real`. What `closes` stands right behind the loops.
 */
#ifndef GZC_KINDS_H
#define GZC_KINDS_H

enum language { BOTH, C_ONLY, CXX_ONLY };

struct kind {
    const char *name;
    int weight;             /* how often it is taken */
    enum language language; /* in which it may be */
    int real;               /* whether it suits states that are not of whole numbers alone */
    const char *file;       /* before the function */
    const char *before;     /* before the loops */
    const char *step;       /* at the beginning of each step */
    const char *pragma;     /* before a sweep */
    const char *cell;       /* before the assignment */
    const char *term;       /* a part of the value */
    const char *test;       /* a condition */
    const char *tail;       /* behind the assignment */
    const char *closes;     /* behind the loops */
    int serial;             /* whether at most one such may be in a program: of them is OpenMP */
};

static const struct kind kinds[] = {
    {"arrays", 8, .before = "MAKE($t, ca@, N + 3, 11);\n",
     .term = "$(ca@[$v]$|ca@[$v + 1]$|ca@[2]$|-ca@[$v]$|ca@[$v] * 0.5$|ca@[$v] / 3$|ca@[$v] - 250$|"
             "(ca@[$v] > $(40$|-1$|200u$))$|ca@[$v] % 7$|ca@[$v] - ca@[$w + 2]$|"
             "(ca@[$v] & 7) << 2$|~ca@[$v] & 15$|(ca@[$v] - 5) / 2$|*(ca@ + $v)$|"
             "($C ? ca@[$v] : $i)$|$v[ca@]$)",
     .test = "ca@[$v] > $(30$|-1$|40u$)"},
    {"scalars", 8,
     .before =
         "$($|static $|volatile $)$t sa@ = $(3$|-3$|250$|0$);\n$t sb@ = $(200$|-100$|70000$);\n",
     .step = "$($|$|sa@ = t * 70;$|sa@ += 3;$|sb@ = sa@; sa@ = t;$)",
     .term = "$(sa@$|sa@ * 3$|sa@ / 2$|(sa@ > $i)$|sa@ - sb@$|(sa@ < -1)$|(sa@ > sb@ ? sa@ : $i)$|"
             "sa@ * $i$|sb@ + sa@$|-sb@ / 3$|sa@ + 0.5$|$i / (1 + sa@ * sa@)$)",
     .test = "sa@ - 4 $(>$|<$|>=$) 0"},
    {"temporaries", 8,
     .cell = "$t ta@ = $(8$|$I$|$I * 77$|$v - 3$|250$);\n"
             "$($|ta@ += 250;$|if ($C) ta@ -= 90;$|ta@ ^= 5;$|ta@ *= 3;$|"
             "if ($C) ta@ = $I; else ta@ += 1;$|ta@ >>= 1;$|ta@ = ta@ + $i;$)\n",
     .term = "$(ta@$|ta@ / 2$|ta@ - 200$|(ta@ > 100)$|-ta@$|(ta@ - 1 < 0)$|ta@ * 2 % 50$|"
             "ta@ % 9 * 0.5$)",
     .test = "ta@ > $(5$|-5$|200$)"},
    {"switches", 8,
     .cell = "$t tw@ = $I;\nswitch ((int)($(tw@ & 3$|$i % 4$|tw@ % 5 - 2$))) {\n"
             "case 0: tw@ += 7; break;\n$(case -1:\n$|$)case 2: { $t tx@ = $i; tw@ = tx@ * 3; "
             "break; }\n$(default: tw@ = $v; break;\n$|$)case 1: tw@ -= $i; $(break;$|$)\n}\n",
     .term = "$(tw@$|tw@ / 2$|(tw@ > 4)$)"},
    {"conversions", 8,
     .term = "$(($i - 5u) / 2$|($i - 500) / 3u % 50$|(-1 < 1u)$|(($i + 0UL) << 33 >> 40)$|"
             "(1u - 2 > 0)$|($i - 3L) * 1u$|(unsigned short)($i) * 3 - 7u$|"
             "(long long)3e9 / (($i & 255) + 1)$|(unsigned)$i % 7$|($i % 5 - (char)'\\x80')$|"
             "$i * sizeof(short)$|($i - 2000 < sizeof(int))$|(signed char)($I * 3)$|"
             "(short)($I * 99) / -3$|(-7 / 2 + -7 % 3)$|($i > $i) + ($C)$|!$i$|-!$i$|"
             "(bool)($i * 256)$|+$i$|- -$i$|($i | 6)$|($i & ~3u)$|(unsigned char)~$i$|"
             "($i + 'a' - '\\xf0')$|($C) * 3$|(unsigned long)(unsigned)-$i % 1000$|"
             "(int)(unsigned char)(char)200$|($i, 3)$)",
     .test = "$($i - 3u > 7$|$i - 5 < 3u$|-1 > ($i + 0u)$|(short)($i * 4000) > 0$|!!$i$|$i - 3$)"},
    {"floats", 5, .real = 1, .before = "float fs@ = 0.1f; double ds@ = 0.1; int fi@ = 16777217;\n",
     .term = "$(fs@$|(float)$i / 3 * 1e3$|fi@ * 1.0f * 1e-7$|$i / 2.f$|$i / 3 * 1.5$|(fs@ == ds@)$|"
             "(int)(x0 * 8)$|(unsigned char)(x1 * 10)$|(long)(fs@ * 1e8)$|(float)(x0 + 0.1)$|"
             "(fs@ > 0.1)$|x2 * 0.1 + fs@ * 3$|$h * fs@$|((float)ds@ == fs@)$|1.f * $i / 3$|"
             "fma(x0, 2, fs@)$|rint($h)$|ceil($h)$|((float)fi@ == fi@)$|0.1L * x0$|-$h$|"
             "fs@ * fs@ * fs@$|(double)fs@ + $h$|(fs@ + 1e-9f)$|x0 * fi@ * 1e-7$|floorf($h)$|"
             "(float)$h$|fabs(-x0)$|$h / 3$|$h / 3.f$|($h > fs@) + ($h < ds@)$|1 / 3.f$|"
             "1 / 2 * $h$)",
     .test = "$($h > fs@$|(float)$h < 0.1$|fs@ * 10 == 1$)"},
    {"constants", 5,
     .term = "$(0x1f$|0b101u$|0777$|'\\x41'$|'\\0'$|2147483647 % 100$|-2147483647 / 3$|"
             "0xFFFFFFFF % 10$|4294967295 % 9$|(0x80000000 > -1)$|(2147483648 > -1)$|"
             "(-2147483648 < 0)$|9223372036854775807 % 5$|18446744073709551615u % 7$|"
             "100000000000ll % 7$|1e3$|'\\177'$|0x7Fl$|(0xffffffff + 1 == 0)$|0XAu - 11 > 0$|00$|"
             "1uLL - 2 > 0$|'\"'$|'\\\\'$|'\\''$|30000 * 3$|(short)0x8000$|(int)3.99$|(int)-0.5$|"
             "SEVEN_@ / 2$|BIG_@ % 11$|MINUS_@ / 2$|(BIG_@ > MINUS_@)$)"},
    {"real constants", 5, .real = 1,
     .term = "$(0x1.8p1$|0X1P-2f$|.5e-1$|1.f$|5e-324 * 1e300$|1e-40f$|1e308 * 1e-300$|0x.8p0$|"
             "1.17549435e-38f * 1e30f$|0.1f$|1.0e+0$|3.$|0.3f * 3$|1e10f$|123456789.f * 1e-3$|"
             "0x1p-1074 * 0x1p1000$|1 / 3.$|16777217.f * 1e-5$|.1 + .2$|1e0$|0.1f + 0.2f$|"
             "100000000000000000000.0 * 1e-20$)"},
    {"enumerations", 5,
     .file =
         "enum hue_@ { RED_@ = -2, GREEN_@, BLUE_@ = 4000000000 };\n"
         "enum tone_@ { LOW_@, HIGH_@ = 7 };\nstruct set_@ {\nenum tone_@ tone;\n"
         "unsigned flag : 3;\nint sign : 4;\nsigned char tiny;\nunsigned wide : 32;\nbool on : 1;\n"
         "long far : 20;\nenum tone_@ small : 4;\n};\n",
     .before = "enum tone_@ e@ = $(HIGH_@$|LOW_@$);\nstruct set_@ s@ = {LOW_@, 5, -3, 100, "
               "4000000000u, 1, -77, HIGH_@};\nstruct set_@ *ps@ = &s@;\n",
     .term =
         "$(e@$|e@ - 8$|(e@ - 8 < 0)$|s@.flag - 6$|(s@.flag - 6 < 0)$|s@.sign * $i$|s@.tiny * 3$|"
         "(s@.wide + 1 > 0)$|-s@.flag$|s@.on - 2$|s@.far * 2$|~s@.flag$|GREEN_@ * $i$|"
         "(LOW_@ - 1 > 0)$|(int)(BLUE_@ % 10)$|ps@->flag / 2$|ps@->far % 9$|s@.tone - 1 > 0$|"
         "(enum tone_@)3 - 4$|s@.wide % 7$|(e@ == HIGH_@)$|s@.small - 8$|(RED_@ < 1u)$|"
         "(e@ ? RED_@ : LOW_@)$)",
     .test = "$(e@ > LOW_@$|s@.flag - 6 < 0$|s@.on$|-1 < e@$)"},
    {"structures", 5,
     .file = "struct cell_@ {\n$T a;\nshort b;\nfloat f;\nunsigned char d;\n};\nstruct deep_@ {\n"
             "struct {\n$T x;\nint k[4];\n} in;\n$T *row;\n};\n",
     .before = "MAKE(float, made@, 6 * (N + 3), 12);\n"
               "struct cell_@ *cs@ = (struct cell_@ *)(void *)made@;\n"
               "for (int o = 0; o < N + 3; o++) {\ncs@[o].a = o % 5;\ncs@[o].b = o % 3 - 1;\n"
               "cs@[o].d = o * 99;\ncs@[o].f = o * 0.5f;\n}\n"
               "struct deep_@ de@ = {{($T)3, {1, 2, 3, -4}}, c0}, *pd@ = &de@;\n",
     .term = "$(cs@[$v].b$|cs@[$v].a$|(cs@ + $v)->d$|cs@[2].d$|cs@[$v + 1].d * 2$|cs@[$v].f$|"
             "de@.in.k[2]$|de@.in.k[3] * $i$|pd@->in.x$|pd@->in.k[1]$|(int)de@.row[$v]$|"
             "(*pd@).in.k[0]$|cs@[$w].b + cs@[$v].b$|(int)pd@->row[3]$|(&cs@[1])->b$)",
     .test = "cs@[$v].b > 0"},
    {"macros", 6,
     .file = "#define SQ_@(x) x * x\n#define CAT_@(a, b) a##b\n#define OPEN_@ (\n"
             "#define IF_@(c, x) ((c) ? (x) : 0)\n#define FIRST_@(x, ...) x\n#define F_@ 2 + 1\n"
             "#define G_@ F_@ * 2\n#define XCAT_@(a, b) CAT_@(a, b)\nstatic int SELF_@ = 4;\n"
             "#define SELF_@ (SELF_@ + 1)\n#define EMPTY_@\n#define k_@ k1\n#define MINUS1_@ - 1\n"
             "#define NEXT_@(v) v + 1\n",
     .step = "$($|$|$|\n#undef F_@\n#define F_@ 3\n$)",
     .term = "$(SQ_@($i + 1) % 50$|CAT_@(k, 0)$|CAT_@(1, u)$|CAT_@(0x, 1f)$|IF_@($C, $i)$|"
             "OPEN_@ 3 + $i)$|FIRST_@($i, 7, 8)$|F_@ * $i$|G_@ * G_@$|XCAT_@(k, EMPTY_@ 1)$|"
             "SELF_@$|EMPTY_@ 5 EMPTY_@$|k_@ MINUS1_@$|c0[NEXT_@($v - 1)] * 0$|-F_@$|"
             "(int) F_@ * 0.5$|TWICE_@(SQ_@(F_@))$|IF_@(F_@, F_@)$|k\\\n"
             "0$|LESS_@(9, 2) * 3$|10 MINUS1_@ * 2$|k0/* + */ + 1$)",
     .test = "IF_@($C, 3)"},
    {"given", 4,
     .file = "#ifdef GIVEN\n#define HERE_@ GIVEN * 2\n#else\n#define HERE_@ 5\n#endif\n"
             "#ifndef KIND\n#define KIND short\n#endif\n#ifndef WEIGHT\n#define WEIGHT 0.75f\n"
             "#endif\n#ifndef DOUBLED\n#define DOUBLED(x) 2 * x\n#endif\n",
     .term = "$(HERE_@$|(KIND)($i * 300) / 3$|DOUBLED($i + 1)$|WEIGHT * $i$|(KIND)WEIGHT$|"
             "HERE_@ + HERE_@$)",
     .test = "HERE_@ > 6"},
    {"sizes of types", 3, .before = "$t sz@ = 1;\nMAKE(short, sr@, N + 9, 13);\n",
     .term = "$(sizeof(int)$|sizeof sz@$|sizeof(sz@ + 1)$|(int)sizeof sr@[0]$|"
             "sr@[$v + sizeof(char)]$|sizeof($T) * $i$|($i < sizeof(long))$|sizeof \"ab\"$|"
             "sr@[sizeof(int)]$|sizeof 'a'$|sizeof 1.f$|sizeof($v)$|sizeof(char[3])$|"
             "__alignof__(double)$)"},
    {"narrow places", 5,
     .before = "MAKE(int, np@, N + 12, 14);\n$t off@ = 2;\nconst int fo@ = 1;\n",
     .term = "$(np@[$v + off@]$|np@[(unsigned char)$v]$|np@[(short)($v + 1)]$|np@[(long)$v]$|"
             "np@[(size_t)$v + 1]$|np@[(unsigned)$v + 2u]$|np@[(int)($v + 1.0)]$|np@[$v + fo@]$|"
             "np@[off@]$|np@[$v + (int)off@ * 2]$|np@[-fo@ + $v + 1]$|"
             "np@[(unsigned char)($v + 256)]$|np@[$v + 3 - 1 - fo@]$|np@[($v << 0) + 1]$|"
             "np@[$v / 1]$|np@[$v * 2 - $v]$|np@[$v + !0]$|np@[$v + (off@ > 1)]$|np@[$v & 3]$|"
             "np@[$v % 4]$|np@[$v / 2]$|np@[$v > 2 ? $v - 2 : 0]$|np@[($v + 2) % 5]$|"
             "(&np@[2])[$v]$|(np@ + 3)[$v + 1]$|np@[$v ^ 1]$)"},
    {"guards", 8,
     .before = "const int len@ = N < 3 ? N : 3;\n$(int$|long$|unsigned char$) one@ = 1;\n"
               "$T *none@ = NULL, *sh@ = $T_array(len@, 15);\nint has@ = 0;\n",
     .term = "$(($v < len@ ? sh@[$v] : -1)$|(len@ > $v ? sh@[$v] * 2 : 1)$|"
             "(none@ ? none@[$v] : 2)$|(none@ != NULL ? none@[0] : 3)$|(has@ ? none@[$v] : $i)$|"
             "(has@ && none@[$v] > 0 ? 4 : 5)$|($v < len@ && sh@[$v] > 30 ? 1 : 2)$|"
             "(!has@ || none@[$v] > 0 ? 6 : 7)$|(!none@ ? 1 : none@[$v])$|"
             "($v >= one@ && $v < one@ + len@ ? sh@[$v - one@] : 0)$|(has@ & 1 ? none@[2] : 8)$|"
             "($v < len@ ? $h > 0 ? sh@[$v] : 2 : 3)$|($h > 0 && $v < len@ ? sh@[$v] : 2)$|"
             "($v * 0.5 < len@ * 0.5 ? sh@[$v] : 4)$|(t < len@ ? sh@[t] : 5)$|"
             "(t < 1 && $v < len@ ? sh@[$v] : 0)$|(len@ > 5 ? sh@[5] : sh@[len@ - 1])$|"
             "($C ? $v < len@ ? sh@[$v] : 9 : 1)$|($v == 1 ? sh@[0] : 2)$)",
     .test = "$($v < len@ && sh@[$v] > 2$|none@ && none@[$v] > 0$|has@ && none@[0] > 1$)"},
    {"mixed guards", 8, .before = "const int ond@ = 1;\nint big@ = n + m + l;\n",
     .term =
         "$(($v > 0 && $h > 0 ? $- : $h)$|($v * 0.5 > 0 && $h > 0.4 ? $- : 1)$|"
         "($h > 0.3 && $v > 0 ? $- : $h)$|(!($v == 0 || $h < 0) ? $- : 0)$|"
         "($v + 1 < $N ? $h > 3 ? $+ : $h : 2)$|($v ? $- : 0)$|(!$v ? 0 : $-)$|"
         "($v > 0.5 ? $- : 0)$|((float)$v >= 1 ? $- : 3)$|($v < $N - ond@ ? $+ : $h)$|"
         "($v >= ond@ ? $- : $h)$|($v && $h > 0.2 || 0 ? $v ? $- : 1 : 2)$|(-$v < 0 ? $- : 4)$|"
         "($v != 0 && $v < big@ ? $- : 1)$|($h > 0 ? $v > 0 ? $- : $h : $v < $N - 1 ? $+ : $h)$|"
         "($v < ond@ ? $h : $-)$|($v > 0 & $h > 0 ? $- : 1)$|(($v > 0) * ($h > 0) ? $- : 1)$|"
         "($v % $N != 0 ? $- : 2)$|(($v + 1) % $N ? $+ : $h)$|($v - 1ul < $N ? $- : 5)$|"
         "((unsigned)$v + 1 < (unsigned)$N ? $+ : $h)$|($v > 0 ? $- : $v)$)"},
    {"given edges", 4,
     .cell = "$(int$|long$|unsigned$|const int$) le@ = $($v > 0 ? $v - 1 : 0$|$v ? $v - 1 : $v$|"
             "$v - ($v > 0)$|$v - !!$v$|($v + $N - 1) % $N$|$v > 1 ? $v - 1 : 1$);\n",
     .term = "$(c0[le@]$|c0[le@] * 2$|(le@ < 2 ? 1 : c0[le@])$|c0[le@] + c0[$v]$)"},
    {"OpenMP", 8, .serial = 1,
     .pragma = "#pragma omp $(parallel for$p$|parallel for schedule(static, 2)$p$|simd$|"
               "parallel for simd$p$|parallel for $a$p$|parallel for firstprivate(x0)$p$|"
               "parallel for num_threads(2) if (n > 3)$p$)\n",
     .term = "x0 * 0.5"},
    {"reductions", 1, .serial = 1, .before = "double acc@ = 0;\n",
     .pragma = "#pragma omp $(parallel for reduction(+ : acc@)$p$|simd reduction(+ : acc@)$)\n",
     .cell = "acc@ += 1;\n", .closes = "SHOW(acc@);\n"},
    {"shadows", 5, .before = "int dup@ = 3;\n",
     .cell = "$(int dup@ = $i + 1;$|double x0 = $h * 2;$|int k0 = k1 + 1;$|int t = 2;$|"
             "int n_ = 3, dup@ = n_;$|float x1 = x0;$|int use = 0, dup@ = use;$|"
             "const int lo = 2, hi = 3;$)\n",
     .term = "$(dup@$|x0 * 0.5$|k0$|x1$|lo + hi$|(t > 1)$)"},
    {"functions", 6,
     .file =
         "static double fa_@(double i, int a)\n{\nreturn i * 0.5 + a;\n}\nstatic int fb_@(int v)\n"
         "{\nif (v < 3)\nreturn -1;\nreturn v % 5;\n}\nstatic $t fc_@($t v)\n{\n$t w = v * 3;\n"
         "w += 100;\nreturn w;\n}\nstatic const int tab_@[4] = {1, -2, 3, 4};\n"
         "static float fd_@($t t, float n)\n{\nreturn t / 2 + n;\n}\n"
         "static int fe_@(const int *q, int k)\n{\nreturn q[k];\n}\nstatic bool ff_@(float v)\n{\n"
         "return v > 0.3f;\n}\nstatic int fg_@(int a, int b)\n{\nint c = a;\nc = c > b ? b : c;\n"
         "return c;\n}\n",
     .term = "$(fg_@($i, 5)$|fa_@($i, 2)$|fb_@($i)$|fc_@($i)$|tab_@[$v & 3]$|tab_@[2]$|"
             "tab_@[t % 4]$|fd_@($i, 3)$|fe_@(tab_@, 1)$|ff_@($i * 0.1f)$|fc_@(fc_@($i)) / 2$|"
             "fg_@(fc_@(300), $v)$|fd_@(300, 0.5)$|tab_@[(unsigned)$v % 4]$|"
             "fa_@(k0, k1) + fa_@(k1, k0)$|tab_@[k0 & 3]$)",
     .test = "$(ff_@($i)$|fb_@($i) > 0$|tab_@[$v & 1] > 0$)"},
    {"scalars of the file", 4,
     .file = "static $(const $|$|volatile $)$t gs_@ = $(5$|200$|-1$);\n"
             "$(const $|$)double gd_@ = 0.25;\nenum { GE_@ = 3 };\n"
             "static int ga_@[3] = {4, 5, 6};\n",
     .term = "$(gs_@$|gd_@$|gs_@ * $i$|ga_@[1]$|ga_@[GE_@ - 1]$|(gs_@ > 3) * gd_@$|-gs_@ / 2$)"},
    {"scalars changed before", 6,
     .before =
         "$(int$|double$|$t$) ch@ = 3$(;$|, other@ = 4;$)\n"
         "$(*&ch@ = 5;$|ch@++;$|{ char *b = (char *)&ch@; b[0] ^= 1; }$|"
         "memcpy(&ch@, &(__typeof__(ch@)){7}, sizeof ch@);$)\nstatic int cg@ = 2;\ncg@ += T;\n"
         "int ar@[3] = {1, 2, 3}, *pa@ = ar@;\npa@[1] = 9;\n",
     .language = C_ONLY, .term = "$(ch@$|ch@ * $i$|cg@$|ar@[1]$|ar@[2] + cg@$|ch@ - cg@$)"},
    {"scalars that overlap", 5, .serial = 1,
     .before = "$(const $|$)$T *in@ = ($T *)first + $(n / 2$|0$|2$);\ndouble un@ = 0.25;\n"
               "double *pu@ = &un@;\nint *pi@ = &k1;\n",
     .language = C_ONLY, .term = "$(in@[0]$|*in@$|pu@[0]$|*pu@ * 2$|pi@[0]$|*pi@$|in@[1] * 0.5$)"},
    {"qualifiers", 4,
     .before = "volatile int vo@ = 3;\nconst double *const qc@ = (const double *)&x0;\n"
               "static double sd@ = 0.5;\nconst short cn@ = -2;\nunsigned const long cu@ = 3;\n"
               "static const float sf@ = 0.1f;\n",
     .term =
         "$(vo@$|qc@[0]$|sd@$|cn@ * $i$|cu@ + $i$|sf@$|cn@ + cu@$|(cn@ < cu@)$|cn@ / 2 * sf@$)"},
    {"effects", 1, .serial = 1, .before = "int cnt@ = 0;\n",
     .term = "$((cnt@++, 3)$|c0[0 * cnt@++ + $v]$|(cnt@ = 2) * 3$|c0[(cnt@ += 1) * 0 + $v]$)",
     .closes = "SHOW(cnt@);\n"},
    {"C words", 4, .language = C_ONLY,
     .cell = "$($|_Static_assert(sizeof(int) == 4, \"\");$|register int re@ = 3; (void)re@;$|;$|"
             "int re@[2] = {1, 2}; (void)re@;$|__attribute__((unused)) int re@ = 2;$)\n",
     .term = "$(_Generic($v, int: 3, long: 4, unsigned: 5, default: 6)$|"
             "({ int q_ = $i; q_ * 2; })$|__builtin_abs($i)$|(__builtin_expect($C, 1) ? 1 : 2)$|"
             "(int){3}$|(int[]){1, 2, 3}[t % 3]$|\"abc\"[$v % 3]$|sizeof __func__$|"
             "(int[2]){5, $i}[1]$|__extension__ 3$|({ 5; })$|($i ?: 4)$|__builtin_constant_p(3)$|"
             "c0<:$v:> * 0$|(&k0)<:0:>$)"},
    {"C++ words", 14, .language = CXX_ONLY,
     .file = "template <class V> static V tw_@(V v)\n{\nreturn v + v;\n}\nstatic int ov_@(int v)\n"
             "{\nreturn v / 2;\n}\nstatic double ov_@(double v)\n{\nreturn v / 2;\n}\n"
             "static int de_@(int v, int w = 4)\n{\nreturn v + w;\n}\nnamespace na_@\n{\n"
             "const int k0 = 9;\nstatic int get(int v)\n{\nreturn v + k0;\n}\n}\n"
             "constexpr int ce_@ = 6;\n",
     .before = "int &ri@ = k1;\nconst double &rd@ = x0;\nauto au@ = 2.5f;\n"
               "std::vector<double> ve@(N + 2, 0.5);\ndouble *vd@ = ve@.data();\n"
               "auto la@ = [](int v) { return v + 1; };\nconst int &rn@ = n;\n",
     .term = "$(ri@$|rd@$|au@$|vd@[$v]$|ve@[$v]$|static_cast<int>($i * 1.5)$|int(3)$|double($i)$|"
             "tw_@(+($i))$|ov_@(int($i))$|ov_@($i * 0.5)$|de_@($i)$|na_@::get($i)$|na_@::k0$|ce_@$|"
             "std::min((int)$i, 4)$|std::max((int)$i, 4)$|1'000$|std::abs((int)$i - 9)$|sqrt(2.f)$|"
             "std::sqrt(2.0)$|(nullptr == 0)$|la@($i)$|short($i * 300)$|rn@$|tw_@(1.5f)$|"
             "std::fabs(-0.5f)$|abs(-0.5)$|floor(2.5f)$|reinterpret_cast<int &>(k1)$|sizeof('a')$|"
             "true + true$|fmin(0.1f, 0.1)$|(0.1f < 0.1)$|fabs(-3)$|sqrt(fabs(au@))$|"
             "static_cast<unsigned char>($i * 99)$|std::fmax(0.25f, (float)x0)$|"
             "(k0 > 0 ? ri@ : k0)$)",
     .test = "$($i > 3 and $C$|not ($C)$|ov_@(int($i)) < 3 or false$|ri@ > 2$)"},
    {"jumps", 3, C_ONLY, .serial = 1,
     .cell = "if ($C) $(continue;$|break;$|{ continue; }$|goto skip@_$k;$)\n",
     .tail = "skip@_$k:;\n"},
    {"ends", 2, C_ONLY, .serial = 1, .step = "if (t > 2) $(break;$|goto done@;$)\n",
     .closes = "done@:;\n"},
    {"early return", 1, .serial = 1, .step = "if (t > 3) return;\n"},
    {"state of other types", 1, .language = BOTH},
    {"prints", 4, .step = "printf(\"%d prints@ %d %d\\n\", program, $((int)t$|k0$|7$), k1);\n"},
    {"parallel around", 3, .serial = 1,
     .before = "$(#pragma omp parallel num_threads(2)\n#pragma omp single\n"
               "$|#pragma omp parallel num_threads(1) firstprivate(x2)\n$)    {\n",
     .closes = "}\n"},
    {"behind null", 10,
     .term = "$(nb_@->k * $i$|nb_@->next->k / 2$|nb_@->next->w[$v % 3]$|nb_@->w[t % 3]$|"
             "$i % nb_@->next->k$|($C ? nb_@->next->k : 1)$|nb_@->next->next->w[1]$|"
             "12 / nb_@->k$)",
     .test = "$(nb_@->next->k > 2$|nb_@->k > $i$)"},
    {"repeated by goto", 8, C_ONLY,
     .before = "$t rt@ = 1;\nint rg@ = 0;\nrb@:;\n$(SHOW(rt@);$|;$|x0 += rg@;$)\n",
     .cell = "$($t rt@ = $I;$|rt@ = $I;$)\n", .term = "$(rt@$|rt@ / 2$|$i$)",
     .closes = "$(if (rg@++ < 2)\ngoto rb@;$|void *rl@ = &&rb@;\nif (rg@++ < 2)\ngoto *rl@;$)\n"},
    {"kept addresses", 8, .serial = 1,
     .before = "$t ka@ = 1, kb@ = 2;\n$(void *kp@ = &ka@;$|$t *kq@ = &ka@;\n"
               "void *kp@ = kq@;$|$t *kq@[2] = {NULL, &ka@};\n"
               "void *kp@ = kq@[1];$|static void *kp@;\nkp@ = (char *)&ka@;$|void *kp@ = &kb@;$)\n",
     .cell = "$(ka@ = $I;$|ka@ = $I;\nkb@ = $i;$|$t kb@ = $i;$|if ($C) ka@ = $I; else ka@ = 4;$)\n",
     .term = "$(ka@$|kb@ / 2$|ka@ + kb@$)",
     .closes = "$(kb@ = 7;$|;$)\nmemcpy(&kb@, kp@, sizeof kb@);\nSHOW(kb@);\n"},
    {"kept references", 4, CXX_ONLY,
     .before = "$t kc@ = 1;\n$(auto &kr@ = kc@;$|const auto &kr@ = kc@;$|"
               "auto kl@ = [&] { return kc@; };\nconst auto &kr@ = kl@();$|const $t kr@ = kc@;$)\n",
     .cell = "kc@ = $I;\n", .term = "$(kc@$|kc@ / 2$)", .closes = "SHOW(kr@);\n"},
    {"twice", 3, .before = "for (int rep@ = 0; rep@ < 2; rep@++) {\n",
     .closes = "x0 += 0.25;\n}\n"},
};

#endif
