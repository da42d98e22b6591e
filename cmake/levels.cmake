# CAXTON_LEVELS: caxton and makebook hold the whole program twice, compiled for any x86-64 and for
# x86-64-v3 (processors of 2013 and later), and take one at the start of main().
#
# The second comes from another build of this tree, in level/ of the build folder. There, with
# CAXTON_PART, each program becomes one relocatable object of which only main() is seen, by another
# name. So each level is optimised across all its files, and the sources know nothing of it.
if(CAXTON_PART)
    add_custom_target(parts)
elseif(CAXTON_LEVELS)
    if(NOT CMAKE_C_COMPILER_ID STREQUAL "GNU" OR NOT CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
        message(FATAL_ERROR "CAXTON_LEVELS is for gcc and x86-64")
    endif()
    caxton_build_again(level parts
        SETTINGS CAXTON_PART=ON CAXTON_ARCH=x86-64-v3 CAXTON_PGO=${CAXTON_PGO}
        MAKES ${PROJECT_BINARY_DIR}/level/caxton.o ${PROJECT_BINARY_DIR}/level/makebook.o)
    set(CAXTON_ARCH none)
endif()

# caxton_program(NAME): the rest about an executable that has its sources and layers.
function(caxton_program name)
    # At the top of the build folder, where a person looks for it.
    set_target_properties(${name} PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR} WHOLE_PROGRAM ON)
    if(CAXTON_PART)
        caxton_part(${name})
    elseif(CAXTON_LEVELS)
        set(part ${PROJECT_BINARY_DIR}/level/${name}.o)
        set(start ${PROJECT_SOURCE_DIR}/cmake/levels_start.c)
        set_source_files_properties(${start} PROPERTIES COMPILE_OPTIONS -fno-lto)
        target_sources(${name} PRIVATE ${start})
        target_link_libraries(${name} PRIVATE ${part})
        target_link_options(${name} PRIVATE -Wl,--wrap=main)
        set_target_properties(${name} PROPERTIES LINK_DEPENDS ${part})
        add_dependencies(${name} level)
    endif()
endfunction()

# NAME.o: the program and its layers, without the libraries of others.
function(caxton_part name)
    set(layers)
    foreach(layer engine version book search eval chess base)
        list(APPEND layers $<TARGET_FILE:caxton_${layer}>)
    endforeach()
    separate_arguments(flags UNIX_COMMAND "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_RELEASE}")
    set(part ${PROJECT_BINARY_DIR}/${name}.o)
    add_custom_command(OUTPUT ${part}
        COMMAND ${CMAKE_C_COMPILER} ${flags} ${CAXTON_PART_OPTIONS} -r -o ${part}.tmp
            $<TARGET_OBJECTS:${name}> ${layers}
        COMMAND ${CMAKE_OBJCOPY} --redefine-sym main=main_v3 --keep-global-symbol=main_v3
            ${part}.tmp ${part}
        DEPENDS $<TARGET_OBJECTS:${name}> ${layers}
        COMMENT "Joining the files of ${name}"
        COMMAND_EXPAND_LISTS VERBATIM)
    add_custom_target(${name}-part DEPENDS ${part})
    add_dependencies(parts ${name}-part)
endfunction()
