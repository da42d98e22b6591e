# The engine as OpenBench wants it built, or whoever types make: CMake does the work.
#
#   make -j EXE=NAME [CC=gcc] [EVALFILE=/path/of/a.nnue]
#
# writes the program NAME, by default caxton, into this folder. All else: docs/CONTRIBUTING.md
EXE = caxton
BUILD = build-make
ifneq ($(origin CC),default)
compiler = -DCMAKE_C_COMPILER="$(CC)"
endif
suffix = $(if $(filter Windows_NT,$(OS)),.exe)

all:
	cmake -S . -B $(BUILD) -DCAXTON_TESTS=OFF -DCAXTON_EVALFILE="$(EVALFILE)" $(compiler)
	+cmake --build $(BUILD) --target caxton
	cmake -E copy $(BUILD)/caxton$(suffix) $(EXE)$(suffix)

.PHONY: all
