# t: the tests and the benchmarks. A C test t/NNN-name.c becomes $(B)/t/NNN-name.t; a shell test is
# t/NNN-name.t itself. t/README says what the numbers mean. Other modules may add to TEST_LIBS and
# CHECK_DEPS.

TEST_C := $(patsubst t/%.c,$(B)/t/%.t,$(wildcard t/[0-9]*.c))
TEST_SH := $(wildcard t/[0-9]*.t)
TEST_LIBS ?=
TESTS += $(sort $(TEST_C) $(TEST_SH))

# What several tests share, in an archive so that each takes only what it calls.
TEST_HELPERS := $(B)/t/libtest.a
$(TEST_HELPERS): $(B)/t/reference.o $(B)/t/cases.o
	rm -f $@
	$(AR) rcs $@ $^

$(TEST_C): $(B)/t/%.t: $(B)/t/%.o $(TEST_HELPERS) $(LIB_STATIC)
	$(CC) $(ALL_LDFLAGS) -o $@ $^ $(TEST_LIBS) $(LIB_LIBS)

$(B)/t/050-arrays.t: TEST_LIBS += -pthread

PROVE ?= prove
TEST_ENV = GZ_BUILD='$(abspath $(B))' GZ_SOURCE='$(CURDIR)'

check: all $(TEST_C) $(CHECK_DEPS)
	$(TEST_ENV) $(PROVE) -j$$(nproc) $(PROVE_FLAGS) $(TESTS)
