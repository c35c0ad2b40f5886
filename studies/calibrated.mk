# The device at hand, for `make validate` and `make measured`: DEVICE=cuda:0|opencl:0 is calibrated
# once for both, and again when DEVICE changes or $(CALIBRATED) is removed; DEVICE=FILE is used as it
# is, with the application files beside it. The built-in devices of the studies cannot be measured,
# so the default DEVICE means the first device there is.
# CALIBRATE_FLAGS go to calibrate.

CALIBRATED := $(B)/calibrated
AT_HAND := $(filter-out $(if $(filter file,$(origin DEVICE)),$(DEVICE)),$(DEVICE))
AT_HAND_FILE := $(wildcard $(AT_HAND))
CALIBRATE_FLAGS ?= --fit --counts none

# What a program takes that measures, and what must be there before.
DEVICE_FILE := $(or $(AT_HAND_FILE),$(CALIBRATED)/device.json)
DEVICE_ARGS = -d '$(DEVICE_FILE)' $(if $(AT_HAND_FILE),,$(AT_HAND:%=--on '%'))

$(CALIBRATED)/address: FORCE
	@mkdir -p $(@D)
	@echo '$(AT_HAND) $(CALIBRATE_FLAGS)' | cmp -s - $@ || echo '$(AT_HAND) $(CALIBRATE_FLAGS)' > $@

$(CALIBRATED)/device.json: $(CALIBRATED)/address | $(B)/bin/calibrate
	$(B)/bin/calibrate $(AT_HAND:%=-d '%') $(CALIBRATE_FLAGS) --force -o $@
