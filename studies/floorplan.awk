# SPDX-License-Identifier: GPL-3.0-or-later
#
# floorplan.awk - data for a HotSpot run to look at, in the format of the Rodinia suite: a die of
# 16 mm x 16 mm with eight units, on `cells` x `cells` cells. Writes the power of each cell (W) to
# the file `power`, and its temperature, the ambient 80 degrees C, to the file `temperature`.
#
#     awk -v cells=256 -v power=FILE -v temperature=FILE -f floorplan.awk

# A unit from (x0, y0) to (x1, y1) in mm, with a power density in W/m^2.
function unit(x0, y0, x1, y1, density)
{
    left[++units] = x0
    below[units] = y0
    right[units] = x1
    above[units] = y1
    of[units] = density
}

BEGIN {
    # The densest is what HotSpot's constants allow at most, 3e6 W/m^2.
    unit(0, 10, 16, 16, 0.3e6)  # cache
    unit(1, 1, 5, 5, 1.2e6)     # the first core: its pipeline,
    unit(5, 1, 7, 3, 3.0e6)     # integer unit,
    unit(5, 3, 7, 5, 1.8e6)     # and floating-point unit
    unit(9, 1, 13, 5, 1.2e6)    # the second core, half asleep
    unit(13, 1, 15, 3, 1.5e6)
    unit(13, 3, 15, 5, 0.9e6)
    unit(1, 6.5, 15, 8.5, 0.7e6) # interconnect

    area = (0.016 / cells) ^ 2
    for (j = 0; j < cells; j++)
        for (i = 0; i < cells; i++) {
            x = 16 * (i + 0.5) / cells
            y = 16 * (j + 0.5) / cells
            density = 0.1e6
            for (k = 1; k <= units; k++)
                if (x >= left[k] && x < right[k] && y >= below[k] && y < above[k])
                    density = of[k]
            printf "%.9g\n", density * area > power
            print 80 > temperature
        }
}
