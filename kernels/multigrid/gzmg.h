/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * gzmg.h - solves -div(beta grad u) + lambda u = f by geometric multigrid on a GPU or another
 * device, for programs with a right-hand side of their own; see gzmg(1) for what can be solved, and
 * libgzmg(3). Unknowns lie at the centres of cubic cells of width 1 / size[0]; element (x, y, z)
 * of an array is at (z * size[1] + y) * size[0] + x. No function prints or exits. This header
 * includes no other.
 */
#ifndef GZMG_H
#define GZMG_H

#ifdef __cplusplus
extern "C" {
#endif

#if defined __GNUC__
#define GZ_MG_API __attribute__((visibility("default")))
#else
#define GZ_MG_API
#endif

/* What functions return: gzmg's exit statuses. */
enum gz_mg_status {
    GZ_MG_OK = 0,
    GZ_MG_FAILED = 1,    /* not converged, out of memory, or a driver failed */
    GZ_MG_INVALID = 2,   /* an argument cannot be right, or needs more memory than there is */
    GZ_MG_NO_DEVICE = 77 /* no such device */
};

/* A problem and how it is solved. A zeroed member means what gzmg without the option does; names
 * are those of gzmg's options. */
struct gz_mg_request {
    int size[3];        /* elements, at least 2 */
    const char *device; /* "opencl:0", "cuda:0", "host"; NULL: CUDA's first, else OpenCL's */
    const char *op;     /* "star7", "star7vc", "star13", "box27", "box125" */
    const char *edges;  /* "periodic", "dirichlet", "neumann" */
    const char *smoother;
    double lambda, omega; /* a lambda below an epsilon of the type counts as 0 */
    int sweeps[2];        /* before the correction and after it; both 0: 2 and 2 */
    int depth;            /* loops in a launch, on every level; 0: by the model */
    int use_float;        /* not 0: all arrays are float, else double */
    int filter;           /* not 0: the right-hand side is filtered */
    int absolute;         /* not 0: the tolerance is that of the residual as it is, in units of f */
    int project; /* not 0: the mean of f is taken away where there is no solution with it */
};

/* How a problem was solved. */
struct gz_mg_result {
    int cycles;
    double residual[2]; /* largest magnitude at first and at last */
    double factor;      /* of the last cycles; 0 if there was none */
    double seconds;
    int at_rounding; /* not 0: the residual is what rounding leaves, above the tolerance */
    double mean;     /* that was taken away from f */
};

typedef struct gz_mg gz_mg;

/* Makes the levels. `beta`, above 0 everywhere, is read if op is "star7vc". Where something is
 * wrong, here and below, `why`, unless it is NULL, gets one line of at most `room` bytes; a NULL
 * where one has no meaning, a number that is not finite or out of range are GZ_MG_INVALID. Ended by
 * gz_mg_close, which takes NULL. */
GZ_MG_API int gz_mg_open(const struct gz_mg_request *request, const void *beta, gz_mg **mg,
                         char *why, unsigned long room);
GZ_MG_API void gz_mg_close(gz_mg *mg);

/* Sets the right-hand side and the first guess; NULL is 0. Where the solution is known up to a
 * constant only (periodic or Neumann edges, lambda 0), there is none unless the mean of f is 0:
 * GZ_MG_INVALID, with what was set before left as it is, or see `project`. After a failure of the
 * device all calls fail for that reason. */
GZ_MG_API int gz_mg_put(gz_mg *mg, const void *f, const void *u, char *why, unsigned long room);

/* V-cycles until the residual's largest magnitude is `tolerance`, 0 to 1 (0: 1e-10), of that of f
 * (if f is 0, of the first residual), or see `absolute`; or until it is what rounding leaves, see
 * `at_rounding`; 100 at most. None if the guess is as good. GZ_MG_FAILED with the reason if it
 * is not reached. `result` may be NULL. */
GZ_MG_API int gz_mg_solve(gz_mg *mg, double tolerance, struct gz_mg_result *result, char *why,
                          unsigned long room);

/* Copies the solution; its mean is 0 if it is known up to a constant only. */
GZ_MG_API int gz_mg_get(gz_mg *mg, void *u, char *why, unsigned long room);

#ifdef __cplusplus
}
#endif

#endif
