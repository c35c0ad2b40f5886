/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * hotspot - the temperature of a processor's die under a map of power: explicit Euler steps of a
 * network of thermal resistances and one capacity per cell. [Paper, Section 5.1; the constants and
 * the order of the arithmetic are those of HotSpot in the Rodinia suite 3.1, computed in float]
 */
#include "stencil.h"

#include <math.h>
#include <string.h>

/* Name, value, unit and origin of what the model of the die assumes. */
static const float max_power_density = 3.0e6F; /* W/m^2, Rodinia: MAX_PD */
static const float precision_kelvin = 0.001F;  /* K per step at most, Rodinia: PRECISION */
static const float volumetric_heat = 1.75e6F;  /* J/(m^3 K), silicon, Rodinia: SPEC_HEAT_SI */
static const float conductivity = 100.0F;      /* W/(m K), silicon, Rodinia: K_SI */
static const float capacity_fit = 0.5F;        /* 1, Rodinia: FACTOR_CHIP */
static const float thickness_m = 0.0005F;      /* Rodinia: t_chip */
static const float width_m = 0.016F;           /* Rodinia: chip_width */
static const float height_m = 0.016F;          /* Rodinia: chip_height */
static const float ambient = 80.0F;            /* in the unit of the files, Rodinia: amb_temp */

/* Rodinia's step keeps the network from changing by more than `precision_kelvin` at once, and
 * ignores stability: from about 1400x1400 cells on it is too long, and values double and treble
 * with every loop. A new temperature is a weighted sum of the cell's own, its neighbours' and the
 * ambient one, all weights together being 1; as long as none is negative it lies between them, but
 * for the power's share. The cell's own is the one that a long step makes negative:
 *     1 - step / capacity (2 / Rx + 2 / Ry + 1 / Rz) >= 0
 * (Since 1 / Rz is small, von Neumann's condition, 2 / (4 / Rx + 4 / Ry + 1 / Rz), allows hardly
 * more.)
 */
static void set_coefficients(struct gzk_data *data)
{
    float *coefficients = data->coefficients;
    float dx = width_m / (float)data->size[0], dy = height_m / (float)data->size[1];
    float capacity = capacity_fit * volumetric_heat * thickness_m * dx * dy;
    float rx = dx / (2.0F * conductivity * thickness_m * dy);
    float ry = dy / (2.0F * conductivity * thickness_m * dx);
    float rz = thickness_m / (conductivity * dx * dy);
    float max_slope = max_power_density / (capacity_fit * thickness_m * volumetric_heat);
    float stable_s = capacity / (2.0F / rx + 2.0F / ry + 1.0F / rz);
    float step_s = fminf(precision_kelvin / max_slope, stable_s);

    coefficients[0] = step_s / capacity;
    coefficients[1] = 1.0F / rx;
    coefficients[2] = 1.0F / ry;
    coefficients[3] = 1.0F / rz;
    coefficients[4] = ambient;
}

/* Temperatures from 320 to 345 and powers up to 0.001 W, the ranges of the suite's files. */
static void fill(struct gzk_data *data, uint64_t seed)
{
    float *temperature = data->state, *power = data->aux;
    GZK_EACH_CELL (data, cell) {
        temperature[cell.own] = 320.0F + 25.0F * gzk_random_float(seed, 2 * cell.grid);
        power[cell.own] = 0.001F * gzk_random_float(seed, 2 * cell.grid + 1);
    }
}

/* The rows around a cell's. */
struct rows {
    const float *north, *here, *south, *power;
};

/* The next temperature of cell x of a row, whose neighbours are cells `west` and `east`. */
static inline float next(struct rows rows, const float *c, int x, int west, int east)
{
    float t = rows.here[x];
    float flow = rows.power[x] + (rows.south[x] + rows.north[x] - 2.0F * t) * c[2] +
                 (rows.here[east] + rows.here[west] - 2.0F * t) * c[1] + (c[4] - t) * c[3];
    return t + c[0] * flow;
}

static void reference(const struct gzk_data *data, long loop, const void *from, void *to)
{
    float c[5];
    int nx = data->size[0], ny = data->size[1], last = nx - 1;
    (void)loop;

    memcpy(c, data->coefficients, sizeof c);
    for (int y = 0; y < ny; y++) {
        const float *here = (const float *)from + (size_t)y * (size_t)nx;
        struct rows rows = {.north = y > 0 ? here - nx : here,
                            .here = here,
                            .south = y < ny - 1 ? here + nx : here,
                            .power = (const float *)data->aux + (size_t)y * (size_t)nx};
        float *restrict out = (float *)to + (size_t)y * (size_t)nx;

        /* The ends apart, so that the loop between them has no branch. */
        out[0] = next(rows, c, 0, 0, last > 0 ? 1 : 0);
        for (int x = 1; x < last; x++)
            out[x] = next(rows, c, x, x - 1, x + 1);
        if (last > 0)
            out[last] = next(rows, c, last, last - 1, last);
    }
}

GZK_STENCIL(hotspot,
            .summary = "temperature of a processor's die under a map of power (Euler steps)",
            .dim = 2, .radius = {1, 1, 0}, GZK_TYPE(GZK_FLOAT), .edge = GZK_EDGES(CLAMP),
            .coefficient_arrays = 1, .coefficients = 5, .operations = 15, .reads = {5, 3, 1, true},
            .ulp_per_loop = 2, .default_size = {2000, 2000, 1}, .default_block = {20, 20, 1},
            .indexed_output = true, .set_coefficients = set_coefficients, .fill = fill,
            .fills_parts = true, .reference = reference);
