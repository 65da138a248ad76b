# The two commands of the README, and their relatives. Everything else is meson and ninja:
#   meson setup build && ninja --quiet -C build
# CI=true turns warnings into errors, in a build directory that is new.

BUILD ?= build
PREFIX ?= /usr/local
WERROR := $(if $(filter true 1,$(CI)),true,false)
setup = [ -f $(1)/build.ninja ] || { echo "configuring $(1) ..."; $(2) meson setup $(1) $(3) >$(1).log 2>&1 || { cat $(1).log; exit 1; }; }
asan = -Db_sanitize=address,undefined -Db_lundef=false

all: deps
	@$(call setup,$(BUILD),,-Dwerror=$(WERROR))
	@tools/build $(BUILD)

deps:
	@tools/install-deps build

check-deps:
	@tools/install-deps build check

demo: all
	@demo/run $(BUILD)

check: check-deps all
	@tests/run --build $(BUILD)

check-asan: check-deps
	@$(call setup,$(BUILD)-asan,,$(asan))
	@tools/build $(BUILD)-asan
	@tests/run --build $(BUILD)-asan

# Not a warning with clang; runs the unit tests of that build.
check-clang:
	@tools/install-deps build clang
	@$(call setup,$(BUILD)-clang,CC=clang,-Dwerror=true)
	@tools/build $(BUILD)-clang
	@tests/run --build $(BUILD)-clang unit

# kill -9, full disks, missing rights, hostile names: many times each, and a page of what came of it.
faults: check-deps all
	@BUILD=$(abspath $(BUILD)) tests/faults/run --long

# Thousands of mutations instead of the hundred of `make check`, in the sanitized build. SECONDS=3600: each parser for so long.
fuzz: check-deps
	@$(call setup,$(BUILD)-asan,,$(asan))
	@tools/build $(BUILD)-asan
	@FUZZ_SECONDS=$(SECONDS) tests/run --build $(BUILD)-asan --long fuzz

# The same parsers under libFuzzer, which keeps what reaches new code: rounds and coverage of each. SECONDS=600: each for so long.
fuzz-long:
	@tools/install-deps build check clang
	@$(call setup,$(BUILD)-fuzz,CC=clang,-Dfuzzer=true $(asan))
	@tools/build $(BUILD)-fuzz
	@tests/fuzz/long --seconds $(or $(SECONDS),600) $(BUILD)-fuzz

# Against the distribution's perf, in the same run: see bench/README.md.
bench: all
	@bench/run --ours $(BUILD)/perf

# In emulated machines, of other processors and kernels: see tests/lab/README.md. 77: this machine cannot.
# A short form, of some minutes, all of it, and what continuous integration runs.
lab: all
	@tools/install-deps lab
	@tests/lab/run --build $(BUILD) --form short --minutes 8 --again 1 || [ $$? = 77 ]

lab-full: all static
	@tools/install-deps lab
	@tests/lab/run --build $(BUILD) --jobs $$(nproc) --again 1 || [ $$? = 77 ]

lab-ci: all
	@tools/install-deps lab-ci || echo "the lab's packages are not all there: what needs them is skipped"
	@tests/lab/run --build $(BUILD) --form ci --minutes 3.5 --again 1 || [ $$? = 77 ]

# Built with the oldest libraries that are supported, and run with them.
oldest: check-deps
	@tests/lab/oldest || [ $$? = 77 ]

# Does it compile for aarch64, without a warning? Libraries come from the archive.
cross: deps
	@tools/install-deps cross
	@tests/lab/run --build $(abspath $(BUILD)) --cross arm64 || [ $$? = 77 ]

# One file that needs no library: for empty containers, initial RAM disks and other distributions.
static: deps
	@$(call setup,$(BUILD)-static,,-Dstatic=true -Dbuildtype=release -Dwerror=$(WERROR))
	@tools/build $(BUILD)-static perf && strip $(BUILD)-static/perf
	@ls -l $(BUILD)-static/perf

install: all
	@meson configure $(BUILD) -Dprefix=$(PREFIX)
	@meson install -C $(BUILD)

clean:
	rm -rf $(BUILD) $(BUILD)-asan $(BUILD)-fuzz $(BUILD)-clang $(BUILD)-static $(BUILD)-oldest $(BUILD)-lab-* $(BUILD)*.log

.PHONY: all deps check-deps demo check check-asan check-clang faults fuzz fuzz-long bench lab lab-full lab-ci oldest cross static install clean
