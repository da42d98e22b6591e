# Compiler flags of every target, as the interface library caxton_flags.
include(CheckCSourceRuns)

add_library(caxton_flags INTERFACE)
target_include_directories(caxton_flags INTERFACE ${PROJECT_SOURCE_DIR})
# POSIX for clocks, threads and files.
target_compile_definitions(caxton_flags INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64
    CAXTON_VERSION="${PROJECT_VERSION}")
target_compile_options(caxton_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla)
# Whole numbers that the compiler knows are constants of enums here; clang 19 warns where they meet
# floating-point numbers, as C++26 forbids it.
if(CMAKE_C_COMPILER_ID MATCHES "Clang")
    target_compile_options(caxton_flags INTERFACE -Wno-enum-float-conversion)
endif()
if(APPLE) # what is no POSIX: flock(), madvise(), a wait that no clock on the wall ends
    target_compile_definitions(caxton_flags INTERFACE _DARWIN_C_SOURCE)
endif()
if(CAXTON_PART) # the network and books are in the program once: the other level has them
    target_compile_definitions(caxton_flags INTERFACE EMBED_SHARED)
endif()
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    target_compile_options(caxton_flags INTERFACE -fsigned-char) # as on x86
endif()
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "wasm32") # of 32 bits: the other builds warn of sizes
    target_compile_options(caxton_flags INTERFACE -msimd128 -Wno-shorten-64-to-32)
endif()
if(CAXTON_WERROR)
    target_compile_options(caxton_flags INTERFACE -Werror)
endif()
# The machine that builds says nothing of the one that will run it.
if(CAXTON_ARCH STREQUAL "auto" AND NOT CMAKE_CROSSCOMPILING)
    check_c_source_runs("
        int main(void)
        {
        #if defined(__x86_64__)
            return __builtin_cpu_supports(\"avx2\") && __builtin_cpu_supports(\"bmi2\") ? 0 : 1;
        #else
            return 1;
        #endif
        }" CAXTON_RUNS_X86_64_V3)
    if(CAXTON_RUNS_X86_64_V3)
        target_compile_options(caxton_flags INTERFACE -march=x86-64-v3)
    endif()
elseif(NOT CAXTON_ARCH MATCHES "^(auto|none)$")
    target_compile_options(caxton_flags INTERFACE -march=${CAXTON_ARCH})
endif()

# Windows: one file without DLLs, main threads and others with stacks of 8 MB. Formats are checked
# by builds for other systems: this compiler takes "printf" for Microsoft's. The stack of Windows is
# aligned to 16 bytes, and gcc trusts it to be aligned for wider vectors, too: the assembler makes
# moves of vectors that need no alignment, which are as fast on aligned data.
# https://gcc.gnu.org/bugzilla/show_bug.cgi?id=54412
# By default this compiler reaches data through pointers, in case a DLL has them. The linker keeps
# one of each name, which must not happen to two levels in one program (levels.cmake).
if(WIN32)
    set(windows_code -mcmodel=small -Wa,-muse-unaligned-vector-move)
    target_compile_definitions(caxton_flags INTERFACE _WIN32_WINNT=0x0601
        WIN32_LEAN_AND_MEAN __USE_MINGW_ANSI_STDIO=1)
    target_compile_options(caxton_flags INTERFACE -Wno-format ${windows_code})
    target_link_options(caxton_flags INTERFACE -static -Wl,--stack,8388608
        -Wl,--no-insert-timestamp # the same sources are the same bytes
        ${windows_code})
    target_link_libraries(caxton_flags INTERFACE shell32)
endif()

if(CAXTON_STATIC)
    set(CMAKE_FIND_LIBRARY_SUFFIXES .a)
    target_link_options(caxton_flags INTERFACE -static)
endif()
target_compile_options(caxton_flags INTERFACE ${CAXTON_PROFILE_OPTIONS})
target_link_options(caxton_flags INTERFACE ${CAXTON_PROFILE_OPTIONS})
if(CAXTON_SANITIZE)
    target_compile_options(caxton_flags INTERFACE
        -fsanitize=${CAXTON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(caxton_flags INTERFACE -fsanitize=${CAXTON_SANITIZE})
    if(CAXTON_SANITIZE MATCHES address)
        target_compile_definitions(caxton_flags INTERFACE CAXTON_LEAK_CHECK)
    endif()
endif()
if(CAXTON_FUZZ)
    target_compile_options(caxton_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The finished programs are optimised across all of their files, which makes building books and
# searching some percent faster. Everything else, tests above all, links the plain code that fat
# objects hold beside: that is quicker. Without tests nothing is compiled twice.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT CAXTON_SANITIZE AND NOT CAXTON_FUZZ)
    if(CAXTON_TESTS OR NOT CMAKE_C_COMPILER_AR)
        target_compile_options(caxton_flags INTERFACE $<$<CONFIG:Release>:-ffat-lto-objects>)
        set(plain -fno-lto)
    else()
        set(plain -flto=auto)
        set(CMAKE_AR ${CMAKE_C_COMPILER_AR}) # an archiver that finds names in such objects
        set(CMAKE_RANLIB ${CMAKE_C_COMPILER_RANLIB})
    endif()
    target_compile_options(caxton_flags INTERFACE $<$<CONFIG:Release>:-flto=auto>)
    target_link_options(caxton_flags INTERFACE
        $<$<CONFIG:Release>:$<IF:$<BOOL:$<TARGET_PROPERTY:WHOLE_PROGRAM>>,-flto=auto,${plain}>>)
    # An object that is a whole program (levels.cmake): by default the linker would have every
    # function kept for others.
    set(kind pie)
    if(WIN32)
        set(kind exec)
    endif()
    set(CAXTON_PART_OPTIONS $<$<CONFIG:Release>:-flto=auto> $<$<CONFIG:Release>:-fwhole-program>
        $<$<CONFIG:Release>:-flinker-output=${kind}> ${windows_code})
    set(CAXTON_NO_LTO -fno-lto) # for files with symbols that only the assembler knows
endif()
