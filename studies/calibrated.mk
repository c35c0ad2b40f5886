# The device to measure, for `make validate` and `make measured`: DEVICE=cuda:0|opencl:0 is calibrated
# once for both, and again when DEVICE changes or $(CALIBRATED) is removed; DEVICE=FILE is used as it
# is, with the application files beside it. The built-in devices of the studies cannot be measured,
# so the default DEVICE means the first device there is.
# CALIBRATE_FLAGS go to calibrate.

CALIBRATED := $(B)/calibrated
AT_HAND := $(if $(filter file,$(origin DEVICE)),,$(DEVICE))
AT_HAND_FILE := $(if $(AT_HAND),$(shell test -f $(call quote,$(AT_HAND)) && echo yes))
CALIBRATE_FLAGS ?= --fit

# What a program takes that measures, and what must be there before.
DEVICE_NEEDS := $(if $(AT_HAND_FILE),,$(CALIBRATED)/device.json)
DEVICE_ARGS = -d $(call quote,$(if $(AT_HAND_FILE),$(AT_HAND),$(CALIBRATED)/device.json)) \
              $(if $(AT_HAND_ON),--on $(AT_HAND_ON))
# The address itself, if one is given.
AT_HAND_ON := $(if $(AT_HAND_FILE),,$(if $(AT_HAND),$(call quote,$(AT_HAND))))

$(CALIBRATED)/address: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' $(call quote,$(AT_HAND) $(CALIBRATE_FLAGS)) > $@.$$$$; \
	cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@

$(CALIBRATED)/device.json: $(CALIBRATED)/address | $(B)/bin/calibrate
	$(B)/bin/calibrate $(if $(AT_HAND_ON),-d $(AT_HAND_ON)) $(CALIBRATE_FLAGS) --force -o $@
