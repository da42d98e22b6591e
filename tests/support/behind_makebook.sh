#!/bin/sh
# The engine $ENGINE_BEHIND (default: the program caxton beside makebook) behind `makebook uci`, for
# tests that take it for the program under test:
#
#     CAXTON_BINARY=tests/support/behind_makebook.sh MAKEBOOK_BINARY=build/makebook TEST
engine=${ENGINE_BEHIND:-${MAKEBOOK_BINARY%/*}/caxton}
[ $# = 0 ] || exec "$engine" "$@" # a command line is its own
exec "$MAKEBOOK_BINARY" uci --engine "'$engine'" --book '<empty>'
