# Studies that need a device: each writes one TSV from what kernels took, with the model beside it,
# and plots/ holds a figure of the same name. They stand on libkernels and libgzmodel; `make studies`
# does not make them.

MULTIGRID_STUDIES := vcycle_measured multigrid_rate multigrid_residual multigrid_error
DEVICE_STUDIES := jacobi_variants deep_ghost_zones_measured $(MULTIGRID_STUDIES)
DEVICE_STUDY_SOURCES := studies/device_study.c studies/multigrid_run.c $(DEVICE_STUDIES:%=studies/%.c)
DEVICE_STUDY_PROGRAMS := $(DEVICE_STUDIES:%=$(B)/studies/bin/%)

$(DEVICE_STUDY_PROGRAMS): $(B)/studies/bin/%: $(B)/studies/%.o $(B)/studies/device_study.o \
        $(B)/studies/study.o $(B)/studies/tables.o $(B)/kernels/libkernels.a $(FRONT) $(LIB_STATIC)
	@mkdir -p $(@D)
	$(LINK) $(filter %.o,$^) $(filter $(MULTIGRID),$^) $(filter-out $(MULTIGRID),$(filter %.a,$^)) $(LIB_LIBS) $(KERNEL_LIBS) $(PUT)
$(B)/studies/bin/deep_ghost_zones_measured: $(B)/studies/smoothers.o $(B)/studies/box_tile.o
$(MULTIGRID_STUDIES:%=$(B)/studies/bin/%): $(B)/studies/multigrid_run.o $(MULTIGRID)
$(B)/studies/multigrid_rate.o: ALL_CFLAGS += -iquote kernels/bench
$(B)/studies/bin/multigrid_rate: $(B)/kernels/bench/plain_multigrid.o $(B)/kernels/bench/plain_host.o
$(B)/studies/bin/multigrid_rate: private KERNEL_LIBS += $(OPENMP)
CHECK_DEPS += $(DEVICE_STUDY_PROGRAMS)

# make measured DEVICE=FILE|opencl:0|cuda:0 measures and draws; one program after the other, whatever
# -j says, since they would spoil each other's times. STUDY='NAME...' takes only these.
# make measured TABLE=FILE|FOLDER draws stored tables; no device needed.
MEASURED := $(B)/measured
DEVICE_STUDY_FLAGS ?=

# What gzrun computes for an image, from a binary matrix of the same name: the solution of Jacobi's
# sweeps on 165 x 165 points, edges included, near convergence (the slowest error mode has fallen by
# e^9), and the die of floorplan.awk after 6.6 ms, three times its time constant.
IMAGES := jacobi_solution hotspot_run
RUN_jacobi_solution = -a jacobi -s 163 -b 32 -H 4 --loops 50000
RUN_hotspot_run = -a hotspot -s 256 -b 32 -H 4 --loops 45000 \
                  --input $(MEASURED)/temperature.txt $(MEASURED)/power.txt

STUDY ?= $(DEVICE_STUDIES) $(IMAGES)
UNKNOWN_STUDIES = $(filter-out $(DEVICE_STUDIES) $(IMAGES),$(STUDY))
.PHONY: measured check-study
check-study:
	@test -z $(call quote,$(UNKNOWN_STUDIES)) || { echo 'STUDY: there is no' \
	    $(call quote,$(UNKNOWN_STUDIES): must be of $(DEVICE_STUDIES) $(IMAGES)) >&2; exit 2; }
ifdef TABLE
measured:
else
# Before a device is calibrated for minutes.
$(CALIBRATED)/device.json: | $(if $(filter measured,$(MAKECMDGOALS)),check-study)
measured: check-study $(DEVICE_STUDY_PROGRAMS) $(B)/bin/gzrun $(DEVICE_NEEDS)
	@mkdir -p $(MEASURED)
	@set -e; for study in $(filter-out $(IMAGES),$(STUDY)); do \
	    echo "$$study"; \
	    $(B)/studies/bin/$$study $(DEVICE_ARGS) --force $(DEVICE_STUDY_FLAGS) -o $(MEASURED)/$$study.tsv; \
	done
	@awk -v cells=256 -v temperature=$(MEASURED)/temperature.txt -v power=$(MEASURED)/power.txt \
	    -f studies/floorplan.awk
	@set -e; $(foreach image,$(filter $(IMAGES),$(STUDY)),echo $(image); \
	    $(B)/bin/gzrun $(RUN_$(image)) $(if $(AT_HAND_ON),-d $(AT_HAND_ON)) --runs 1 \
	        -o $(MEASURED)/$(image).txt --output $(MEASURED)/$(image).field;)
endif
	@mkdir -p $(MEASURED)/plots
ifdef TABLE
	@set -e; place=$(call quote,$(TABLE)); \
	if test -d "$$place"; then set -- "$$place"/*.tsv "$$place"/*.field; else set -- "$$place"; fi; \
	for table; do name=$${table##*/}; \
	    case $$name in validation.tsv|'*'.*) continue ;; esac; \
	    plots/draw.sh "$${name%.*}" "$$table" $(MEASURED)/plots; done
else
	@set -e; for study in $(STUDY); do case ' $(IMAGES) ' in *" $$study "*) kind=matrix ;; *) kind=tsv ;; esac; \
	    plots/draw.sh $$study $(MEASURED)/$$study.$$kind $(MEASURED)/plots; done
endif
	@echo 'figures: $(MEASURED)/plots/'

# make gzc-measured: users' programs over the size of their grids, with OpenMP and after gzc, on opencl:0 or GZ_DEVICE.
.PHONY: gzc-measured
gzc-measured: $(B)/bin/gzc $(B)/bin/gzrun $(B)/bench/streams $(B)/lib/libgzstencil.so
	@mkdir -p $(MEASURED)/plots
	studies/gzc_measured.sh $(B) $(MEASURED)
	plots/draw.sh gzc_measured $(MEASURED)/gzc_measured.tsv $(MEASURED)/plots
