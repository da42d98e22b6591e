# What the programs call themselves: program_version of base/program.h. A release has the version of
# CMakeLists.txt alone: built by release.sh, from a tarball, or where its tag is. Any other build
# from a clone names the commit, so that nobody takes it for the release: dev-20261128-9c4759f.
#
# As a script this writes that file, at each build, but only when it changes: one small object is
# compiled after a commit.
if(NOT CMAKE_SCRIPT_MODE_FILE)
    option(CAXTON_RELEASE "Name the version alone, not the commit" OFF)
    find_package(Git QUIET)
    set(version_source ${PROJECT_BINARY_DIR}/version.c)
    set(version_git)
    if(GIT_FOUND AND NOT CAXTON_RELEASE)
        set(version_git ${GIT_EXECUTABLE})
    endif()
    add_custom_target(version_source BYPRODUCTS ${version_source}
        COMMAND ${CMAKE_COMMAND} -DOUT=${version_source} -DVERSION=${PROJECT_VERSION}
            -DSOURCE=${PROJECT_SOURCE_DIR} -DGIT=${version_git} -P ${CMAKE_CURRENT_LIST_FILE}
        VERBATIM)
    add_library(caxton_version STATIC ${version_source})
    add_dependencies(caxton_version version_source)
    target_link_libraries(caxton_version PRIVATE caxton_flags)
    return()
endif()

if(GIT AND EXISTS ${SOURCE}/.git) # not a repository around an unpacked tarball
    execute_process(COMMAND ${GIT} -C ${SOURCE} log -1 --format=dev-%cd-%h --date=format:%Y%m%d
        --abbrev=7 --no-show-signature
        OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    execute_process(COMMAND ${GIT} -C ${SOURCE} tag --points-at HEAD
        OUTPUT_VARIABLE tags ERROR_QUIET)
    if(commit AND NOT "\n${tags}" MATCHES "\nv${VERSION}\n")
        set(VERSION ${commit})
    endif()
endif()
set(text "#include \"base/program.h\"\n\nconst char program_version[] = \"${VERSION}\";\n")
set(old)
if(EXISTS ${OUT})
    file(READ ${OUT} old)
endif()
if(NOT text STREQUAL old)
    file(WRITE ${OUT} "${text}")
endif()
