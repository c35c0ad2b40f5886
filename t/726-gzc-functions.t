#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
#
# 726-gzc-functions - loops whose sweeps, elements and exchanges stand in functions and structures
# (t/gzc/functions.c): what gzc makes of them gives the same bits; and what looks like them and is
# something else is refused, in these words.
. "$(dirname "$0")/tap.sh"
host=both
. "$GZ_SOURCE/t/gzc/translate.sh"

translate functions style

same 1 23 31 5 0 9
same 3 37 18 8 1 9

# understood NAME FORM STATE HEAD BODY: a loop with HEAD before its function and BODY in each turn.
loop() {
    cat > "$work/x.c" << C
struct pair { int n; double *a, *b; };
extern double *u, *v;
static void step(double *from, double *to, int n)
{
    for (int i = 1; i < n - 1; i++) to[i] = from[i - 1] + from[i + 1];
}
$1
void f(struct pair *p, struct pair q, int n, int T)
{
    double *tmp;
#pragma scop
    for (int t = 0; t < T; t++) {
        $2
    }
#pragma endscop
}
C
    rm -f "$work/result"
    (cd "$work" && "$gzc" --explain x.c -o result 2> err)
}
understood() {
    loop "$4" "$5"
    grep -q "^form  *$2" "$work/result" && grep -q "^state  *$3\$" "$work/result"
    verdict $? "$1" || cat "$work/err" "$work/result" | note
}
refused() {
    loop "$3" "$4"
    got=$?
    [ $got -eq 2 ] && [ ! -e "$work/result" ] && [ "$(cat "$work/err")" = "$2" ]
    verdict $? "$1" || printf 'exit %s, said: %s\n' "$got" "$(cat "$work/err")" | note
}

understood 'a step of a structure by value' 'two sweeps' 'q.a, q.b' '' 'step(q.a, q.b, q.n); step(q.b, q.a, q.n);'
understood 'members that a function exchanges' 'a sweep into a second array' 'p->a, p->b' \
    'static void flip(struct pair *p) { double *t = p->a; p->a = p->b; p->b = t; }' \
    'step(p->a, p->b, n); flip(p);'
understood 'a function within a function' 'a sweep into a second array' 'q.a, q.b' \
    'static void all(struct pair *p) { step(p->a, p->b, p->n); double *t = p->a; p->a = p->b; p->b = t; }' \
    'all(&q);'
grep -q '^written out step, all$' "$work/result"
verdict $? 'which both are said to be written out'
understood 'a variable of the function with the name of an argument' 'two sweeps' 'v, u' \
    'static void over(double *to, const double *from, int count) { int n = count - 2;
     for (int i = 2; i < n; i++) to[i] = from[i - 1]; }' \
    'over(u, v, n); over(v, u, n);'
refused 'a function that exchanges its own pointers' \
    'x.c:13:24: swap is called in each loop: input, output and other effects must stay outside' \
    'static void swap(double *a, double *b) { double *t = a; a = b; b = t; }' \
    'step(u, v, n); swap(u, v);'
refused 'a function that exchanges the members of a copy' \
    'x.c:13:28: swap is called in each loop: input, output and other effects must stay outside' \
    'static void swap(struct pair p) { double *t = p.a; p.a = p.b; p.b = t; }' \
    'step(q.a, q.b, n); swap(q);'
refused 'Gauss-Seidel order in a function' \
    'x.c:7:73: u[i - 1] is read where this sweep has already written it (Gauss-Seidel order): write to a second array, or colour the cells' \
    'static void over(double *a, int n) { for (int i = 1; i < n; i++) a[i] = a[i - 1]; }' \
    'over(u, n);'
understood 'a function that counts its calls' 'two sweeps' 'u, v' \
    'static int calls; static void over(double *a, int n) { calls++; step(a, v, n); }' \
    'over(u, n); step(v, u, n);'
refused 'a function with a variable that lives on' \
    'x.c:13:9: over(u, n) is called in each loop: write its loops over cells here' \
    'static void over(double *a, int n) { static int calls; calls++; step(a, v, n); }' \
    'over(u, n); over(v, n);'
refused 'a function that may return early' \
    'x.c:13:9: over(u, n) is called in each loop: write its loops over cells here' \
    'static void over(double *a, int n) { if (n < 5) return; step(a, v, n); }' \
    'over(u, n); over(v, n);'
refused 'a function whose global has another meaning where it is called' \
    'x.c:13:9: over(u) is called in each loop: write its loops over cells here' \
    'static int T; static void over(double *a) { for (int i = 1; i < T; i++) v[i] = a[i - 1]; }' \
    'over(u); over(u);'
refused 'an argument that counts' \
    'x.c:13:9: step(u, v, n--) is called in each loop: write its loops over cells here' '' 'step(u, v, n--);'
refused 'a bound that changes between two calls' \
    'x.c:5:25: the bound n - 1 changes within the loops: must stay the same' '' \
    'step(u, v, n); n--; step(v, u, n);'
refused 'a parameter that its function changes' \
    'x.c:13:9: over(u, v, n) is called in each loop: write its loops over cells here' \
    'static void over(double *a, double *b, int n) { n--; step(a, b, n); }' 'over(u, v, n); over(v, u, n);'
refused 'an array of the function itself' \
    'x.c:7:86: own is declared within the time loop: declare it before that loop, so that it keeps its value' \
    'static void over(double *a, int n) { double own[100]; for (int i = 1; i < n - 1; i++)own[i] = a[i - 1];
       for (int i = 1; i < n - 1; i++) a[i] = own[i]; }' 'over(u, n);'
refused 'a pointer that is read before it is exchanged and used behind' \
    'x.c:13:9: double *was = u; is executed in each loop: besides its sweeps, a loop may only exchange two pointers' '' \
    'double *was = u; tmp = u; u = v; v = tmp; step(was, v, n);'
refused 'a copy of a structure whose original is changed meanwhile' \
    'x.c:14:9: over(*p, p, n) is called in each loop: write its loops over cells here' \
    'static void over(struct pair was, struct pair *p, int n) { double *t = p->a; p->a = p->b; p->b = t;
     step(was.a, was.b, n); }' 'over(*p, p, n);'
refused 'a number that a function changes by its address' \
    'x.c:13:9: over(u, v, n, &n) is called in each loop: write its loops over cells here' \
    'static void over(double *a, double *b, int n, int *m) { m[0] = 3; step(a, b, n); }' 'over(u, v, n, &n);'
refused 'a function that calls itself' \
    'x.c:13:48: get calls itself: a function in a sweep must not' \
    'static double get(const double *a, int i) { return i < 1 ? a[0] : get(a, i - 1); }' \
    'for (int i = 1; i < n - 1; i++) u[i] = get(v, i);'
refused 'a function that chooses an array' \
    'x.c:13:37: *pick(u, i) is not an element of an array: the innermost loop must assign one' \
    'static double *pick(double *a, int i) { if (i < 5) return v; return a + i; }' \
    'for (int i = 0; i < n; i++) *pick(u, i) = v[i];'
understood 'an element by the sum of a pointer' 'a sweep into a second array' 'u, v' '' \
    'for (int i = 1; i < n - 1; i++) *(v + i) = *(u + i - 1); tmp = u; u = v; v = tmp;'
understood 'a copy that a function makes first' 'a copy' 'u, v' \
    'static void save(double *to, const double *from, int n) { for (int i = 0; i < n; i++) to[i] = from[i]; }' \
    'save(v, u, n); step(v, u, n);'
finish
