# plots: one gnuplot script per figure, drawn from the TSV of the study of the same name.

FIGURES := $(foreach format,svg png pdf,$(STUDIES:%=$(B)/plots/%.$(format)))
CHECK_DEPS += $(STUDY_BIN)/targets $(STUDY_TSV) $(FIGURES)

$(B)/plots/%.svg $(B)/plots/%.png $(B)/plots/%.pdf: $(B)/studies/%.tsv plots/%.gp plots/style.gp \
        plots/curves.gp plots/sweep.gp plots/draw.gp plots/draw.sh plots/check.awk plots/distinct.awk
	@mkdir -p $(@D)
	plots/draw.sh $* $< $(@D)

studies: $(FIGURES)
