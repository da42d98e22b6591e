# Builds caxton.exe and makebook.exe for Windows x86-64 on another system:
#
#   cmake --toolchain cmake/windows.cmake -B build-windows && cmake --build build-windows
#
# Debian: apt-get install gcc-mingw-w64-x86-64-posix; tests also run, under wine: wine64.
set(CMAKE_SYSTEM_NAME Windows)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_C_COMPILER x86_64-w64-mingw32-gcc-posix)

# Libraries of the machine that builds are for another system.
set(CMAKE_FIND_ROOT_PATH /usr/x86_64-w64-mingw32)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_LIBRARY_SUFFIXES .a)

# What runs the tests. Debian's wine64 puts no program on the PATH.
find_program(CAXTON_EMULATOR NAMES wine wine64 PATHS /usr/lib/wine)
if(CAXTON_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR ${CAXTON_EMULATOR})
endif()
