/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * height.c - the best height of HotSpot's trapezoids on a GeForce GTX 280, by libgzmodel:
 *
 *     cc height.c $(pkg-config --cflags --libs gzmodel) && ./a.out
 */
#include <gzmodel.h>
#include <stdio.h>

int main(void)
{
    gz_device dev;
    gz_app app;
    gz_optimum best;
    gz_config cfg = {.data_length = {2000, 2000}, .block_len = {20, 20}};
    gz_error error;

    if (gz_device_open("gtx280", &dev, &error) || gz_app_open("hotspot", "gtx280", &app, &error) ||
        gz_optimize(&dev, &app, &cfg, NULL, &best, &error)) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    printf("height %d, %g s per loop\n", best.integer, best.prediction.seconds_per_loop);
    return 0;
}
