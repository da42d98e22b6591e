# caxton_build_again(NAME TARGET SETTINGS SETTING=VALUE... [MAKES FILES...]): builds TARGET of this
# tree in another folder, NAME/ of this build, with the same compiler and settings but for those
# given. The custom target NAME does it. FILES are what others link.
include(ExternalProject)
function(caxton_build_again name target)
    cmake_parse_arguments(PARSE_ARGV 2 AGAIN "" "" "SETTINGS;MAKES")
    set(settings CAXTON_TESTS=OFF CAXTON_LEVELS=OFF CAXTON_PGO=OFF)
    foreach(setting CMAKE_BUILD_TYPE CMAKE_C_FLAGS CMAKE_C_COMPILER_LAUNCHER CAXTON_ARCH
            CAXTON_SYZYGY CAXTON_STATIC CAXTON_WERROR CAXTON_RELEASE CAXTON_EVALFILE)
        list(APPEND settings "${setting}=${${setting}}")
    endforeach()
    if(CMAKE_TOOLCHAIN_FILE)
        get_filename_component(toolchain ${CMAKE_TOOLCHAIN_FILE} ABSOLUTE
            BASE_DIR ${CMAKE_SOURCE_DIR})
        list(APPEND settings CMAKE_TOOLCHAIN_FILE=${toolchain})
    else()
        list(APPEND settings CMAKE_C_COMPILER=${CMAKE_C_COMPILER})
    endif()
    list(APPEND settings ${AGAIN_SETTINGS})
    list(TRANSFORM settings PREPEND -D)
    set(folder ${PROJECT_BINARY_DIR}/${name})
    ExternalProject_Add(${name}
        SOURCE_DIR ${PROJECT_SOURCE_DIR}
        BINARY_DIR ${folder}
        PREFIX ${folder}/external
        CMAKE_ARGS ${settings}
        BUILD_COMMAND ${CMAKE_COMMAND} --build ${folder} --target ${target}
        BUILD_ALWAYS ON
        BUILD_BYPRODUCTS ${AGAIN_MAKES}
        USES_TERMINAL_BUILD ON
        INSTALL_COMMAND ""
        EXCLUDE_FROM_ALL ON)
endfunction()
