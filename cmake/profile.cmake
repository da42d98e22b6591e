# CAXTON_PGO: another build of this tree, in profile/ of the build folder, counts how often each
# branch is taken while bench runs; this build compiles by these counts. What bench does not run,
# most of makebook, is compiled as without them.
if(CAXTON_TRAINING) # that other build
    set(counts ${PROJECT_BINARY_DIR}/counts)
    set(CAXTON_PROFILE_OPTIONS -fprofile-generate=${counts} -fprofile-update=atomic
        -fprofile-prefix-path=${PROJECT_BINARY_DIR})
    add_custom_target(train
        COMMAND ${CMAKE_COMMAND} -E rm -rf ${counts}
        COMMAND caxton bench
        COMMENT "Counting branches"
        VERBATIM)
# Of a program with levels only the one for new processors: it comes from a build of its own.
elseif(CAXTON_PGO AND NOT CAXTON_LEVELS)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU")
        message(FATAL_ERROR "CAXTON_PGO is for gcc")
    endif()
    caxton_build_again(profile train SETTINGS CAXTON_TRAINING=ON)
    set(CAXTON_PROFILE_OPTIONS -fprofile-use=${PROJECT_BINARY_DIR}/profile/counts
        -fprofile-partial-training -fprofile-prefix-path=${PROJECT_BINARY_DIR}
        -Wno-missing-profile)
    set(CMAKE_C_COMPILER_LAUNCHER) # ccache does not know whether the counts have changed
endif()
