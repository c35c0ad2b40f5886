/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * 210-command-exact.c - what `gzmodel --json` prints reads back as exactly the doubles that the
 * library computes, over every application and kind of synchronisation.
 */
#include "gzmodel/parameters.h"
#include "tap.h"

#include <jansson.h>

struct run {
    gz_device dev;
    gz_app app;
    gz_config cfg;
    char options[256];
};

/* The JSON of `gzmodel COMMAND OPTIONS EXTRA --json`; NULL if it fails. */
static json_t *ask(const char *command, const char *options, const char *extra)
{
    char line[1024];
    const char *build = getenv("GZ_BUILD");
    snprintf(line, sizeof line, "'%s/bin/gzmodel' %s %s %s --json", build ? build : "build",
             command, options, extra);
    FILE *from = popen(line, "r");
    if (!from)
        return NULL;
    json_t *root = json_loadf(from, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, NULL);
    if (pclose(from) != 0) {
        json_decref(root);
        return NULL;
    }
    return root;
}

static int equals(const json_t *object, const char *key, double want)
{
    const json_t *value = json_object_get(object, key);
    int same = json_is_real(value) && json_real_value(value) == want;
    if (!same)
        tap_note("%s is %.17g, want %.17g", key, json_real_value(value), want);
    return same;
}

static int same_components(const json_t *object, const double *term)
{
    return json_object_size(object) == 6 && equals(object, "GlbSync", term[GZ_TERM_GLB_SYNC]) &&
           equals(object, "LoadSten", term[GZ_TERM_LOAD_STEN]) &&
           equals(object, "Commit", term[GZ_TERM_COMMIT]) &&
           equals(object, "MiscComp", term[GZ_TERM_MISC_COMP]) &&
           equals(object, "IterComp", term[GZ_TERM_ITER_COMP]) &&
           equals(object, "IterMem", term[GZ_TERM_ITER_MEM]);
}

static int same_prediction(const json_t *object, const gz_prediction *p)
{
    return equals(object, "T", p->t) && equals(object, "passes", p->passes) &&
           equals(object, "ConcurBlks", p->concur_blks) &&
           equals(object, "LoadSten", p->load_sten) && equals(object, "IterMem", p->iter_mem) &&
           equals(object, "Commit", p->commit) && equals(object, "MemAcc", p->mem_acc) &&
           equals(object, "MiscComp", p->misc_comp) && equals(object, "IterComp", p->iter_comp) &&
           equals(object, "CPT", p->cpt) && equals(object, "GlbSync", p->glb_sync) &&
           equals(object, "CPS", p->cps) && equals(object, "CPL", p->cpl) &&
           equals(object, "dCPL_dh", p->dcpl_dh) && equals(object, "CostEffect", p->cost_effect) &&
           equals(object, "seconds_per_loop", p->seconds_per_loop) &&
           same_components(json_object_get(object, "components"), p->term);
}

static int same_optimum(const json_t *object, const gz_optimum *o)
{
    const json_t *height = json_object_get(object, "height");
    return equals(height, "continuous", o->continuous) &&
           equals(height, "truncated", o->truncated) && equals(height, "integer", o->integer) &&
           equals(object, "height_max", o->height_max) && equals(object, "speedup", o->speedup) &&
           equals(object, "evaluations", o->evaluations) &&
           same_prediction(json_object_get(object, "prediction"), &o->prediction);
}

static void check_predict(const struct run *run)
{
    gz_prediction p;
    int good = gz_predict(&run->dev, &run->app, &run->cfg, 1.3, &p, NULL) == GZ_OK;
    json_t *root = ask("predict", run->options, "-H 1.3");
    tap_ok(good && same_prediction(root, &p), "predict %s", run->options);
    json_decref(root);
}

static void check_optimize(const struct run *run)
{
    gz_optimum o;
    int good = gz_optimize(&run->dev, &run->app, &run->cfg, NULL, &o, NULL) == GZ_OK;
    json_t *root = ask("optimize", run->options, "");
    tap_ok(good && same_optimum(root, &o), "optimize %s", run->options);
    json_decref(root);
}

static void check_choose(const struct run *run, const char *options)
{
    gz_choice c;
    int good = gz_choose(&run->dev, &run->app, &run->cfg, &c, NULL) == GZ_OK;
    json_t *root = ask("choose", options, "");
    const char *choice = json_string_value(json_object_get(root, "choice"));
    tap_ok(good && choice && strcmp(choice, gz_name(GZ_SYNCS, c.choice)) == 0 &&
               same_optimum(json_object_get(root, "restart"), &c.restart) &&
               same_optimum(json_object_get(root, "fence"), &c.fence) &&
               equals(root, "delta", c.delta) && equals(root, "overhead", c.overhead) &&
               equals(root, "gain", c.gain),
           "choose %s", options);
    json_decref(root);
}

static void check_sensitivity(const struct run *run)
{
    gz_sensitivity s;
    int good = gz_sensitivity_at_optimum(&run->dev, &run->app, &run->cfg, &s, NULL) == GZ_OK;
    json_t *root = ask("sensitivity", run->options, "");
    json_t *list = json_object_get(root, "parameters"), *entry;
    size_t k, expected = 0;
    good = good && equals(root, "height", s.height) && equals(root, "cpl", s.cpl_at_height);
    json_array_foreach(list, k, entry)
    {
        int p = gz_param_by_name(json_string_value(json_object_get(entry, "parameter")));
        good = good && p >= 0 && equals(entry, "cpl", s.cpl[p]) &&
               equals(entry, "height", s.height_elasticity[p]);
    }
    for (int p = 0; p < gz_param_count(); p++)
        expected += gz_param_about(p)->group == GZ_GROUP_MODEL &&
                    !isnan(gz_param_value(&run->dev, &run->app, &run->cfg, p));
    tap_ok(good && json_array_size(list) == expected, "sensitivity %s", run->options);
    json_decref(root);
}

int main(void)
{
    static const struct {
        const char *app, *size, *block;
        double length, extent;
    } cases[] = {{"pathfinder", "1000000", "256", 1e6, 256},
                 {"hotspot", "2000", "20", 2000, 20},
                 {"poisson", "2000", "20", 2000, 20},
                 {"cell", "100", "8", 100, 8}};
    size_t n = sizeof cases / sizeof *cases;
    for (size_t k = 0; k < n; k++) {
        struct run run = {.cfg = {.sync = GZ_SYNC_RESTART}};
        gz_error error = {""};
        char options[128];
        if (gz_device_open("gtx280", &run.dev, &error) ||
            gz_app_open(cases[k].app, NULL, &run.app, &error))
            tap_note("%s", error.text);
        for (int i = 0; i < run.app.dim; i++) {
            run.cfg.data_length[i] = cases[k].length;
            run.cfg.block_len[i] = cases[k].extent;
        }
        snprintf(options, sizeof options, "-d gtx280 -a %s -s %s -b %s", cases[k].app,
                 cases[k].size, cases[k].block);
        check_choose(&run, options);
        for (int sync = GZ_SYNC_RESTART; sync <= GZ_SYNC_FENCE; sync++) {
            run.cfg.sync = (gz_sync)sync;
            snprintf(run.options, sizeof run.options, "%s -y %s", options,
                     gz_name(GZ_SYNCS, run.cfg.sync));
            check_predict(&run);
            check_optimize(&run);
            check_sensitivity(&run);
        }
    }
    return tap_done();
}
