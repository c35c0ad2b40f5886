# t: the tests. A C test t/NNN-name.c becomes $(B)/t/NNN-name.t; a shell test is t/NNN-name.t itself.
# t/README says what the numbers mean. Other modules may add to TEST_LIBS and CHECK_DEPS.

TEST_C := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/[0-9]*.c))
TEST_SH := $(wildcard t/[0-9]*.t)
TEST_LIBS ?=
TESTS += $(sort $(TEST_C) $(TEST_SH))

$(TEST_C): $(B)/t/%.t: $(B)/t/%.o $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(TEST_LIBS) $(LIB_LIBS)

PROVE ?= prove
check: all $(TEST_C) $(CHECK_DEPS)
	GZ_BUILD='$(abspath $(B))' GZ_SOURCE='$(CURDIR)' $(PROVE) -j$$(nproc) $(PROVE_FLAGS) $(TESTS)
