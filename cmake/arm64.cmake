# Builds caxton and makebook for Linux on 64-bit ARM on another machine:
#
#   cmake --toolchain cmake/arm64.cmake -B build-arm64 && cmake --build build-arm64
#
# Debian: apt-get install gcc-aarch64-linux-gnu libc6-dev-arm64-cross; tests also run, under
# qemu-user. The programs are static: they run on every distribution.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_EXE_LINKER_FLAGS_INIT -static)

# Libraries of the machine that builds are for another processor.
set(CMAKE_FIND_ROOT_PATH /usr/aarch64-linux-gnu)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)

# What runs the tests.
find_program(CAXTON_EMULATOR NAMES qemu-aarch64 qemu-aarch64-static)
if(CAXTON_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${CAXTON_EMULATOR})
endif()
