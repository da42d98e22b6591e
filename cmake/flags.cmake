# Compiler flags of every target, as the interface library caxton_flags.
include(CheckCSourceRuns)

add_library(caxton_flags INTERFACE)
target_include_directories(caxton_flags INTERFACE ${PROJECT_SOURCE_DIR})
# POSIX for clocks, threads and files.
target_compile_definitions(caxton_flags INTERFACE _POSIX_C_SOURCE=200809L _FILE_OFFSET_BITS=64
    CAXTON_VERSION="${PROJECT_VERSION}")
target_compile_options(caxton_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wmissing-prototypes -Wstrict-prototypes -Wvla)
if(CAXTON_WERROR)
    target_compile_options(caxton_flags INTERFACE -Werror)
endif()
if(CAXTON_ARCH STREQUAL "auto")
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
elseif(NOT CAXTON_ARCH STREQUAL "none")
    target_compile_options(caxton_flags INTERFACE -march=${CAXTON_ARCH})
endif()

if(CAXTON_SANITIZE)
    target_compile_options(caxton_flags INTERFACE
        -fsanitize=${CAXTON_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
    target_link_options(caxton_flags INTERFACE -fsanitize=${CAXTON_SANITIZE})
endif()
if(CAXTON_FUZZ)
    target_compile_options(caxton_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# The finished programs are optimised across all of their files, which makes building books and
# searching some percent faster. Everything else, tests above all, links the plain code that fat
# objects hold beside: that is quicker.
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND NOT CAXTON_SANITIZE AND NOT CAXTON_FUZZ)
    target_compile_options(caxton_flags INTERFACE
        $<$<CONFIG:Release>:-flto=auto -ffat-lto-objects>)
    target_link_options(caxton_flags INTERFACE
        $<$<CONFIG:Release>:$<IF:$<BOOL:$<TARGET_PROPERTY:WHOLE_PROGRAM>>,-flto=auto,-fno-lto>>)
    set(CAXTON_NO_LTO -fno-lto) # for files with symbols that only the assembler knows
endif()
