# caxton_layer(NAME SOURCES... BELOW...): the static library of one layer, linked to those below.
function(caxton_layer name)
    cmake_parse_arguments(PARSE_ARGV 1 LAYER "" "" "SOURCES;BELOW")
    add_library(caxton_${name} STATIC ${LAYER_SOURCES})
    target_link_libraries(caxton_${name} PUBLIC caxton_flags ${LAYER_BELOW})
endfunction()
