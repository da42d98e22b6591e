# What the tests of the layers need where they are built for another system.
add_library(caxton_test_support STATIC cross/cmocka.c)
target_include_directories(caxton_test_support PUBLIC cross)
target_link_libraries(caxton_test_support PRIVATE caxton_flags)

if(WIN32)
    # Calls of POSIX that tests make are in cross/posix.h, as far as Windows has something like it.
    # Those left out are about links, pipes, processes, descriptors or signals of POSIX, or read
    # from a stream on memory while the engine writes to it.
    target_sources(caxton_test_support PRIVATE cross/posix.c)
    target_compile_options(caxton_test_support INTERFACE
        -include ${CMAKE_CURRENT_SOURCE_DIR}/cross/posix.h)
    target_link_libraries(caxton_test_support PRIVATE caxton_base)
    string(CONCAT CAXTON_TESTS_LEFT_OUT
        "/unit/base/test_(atomic_file|file|file_stream|interrupt|raw_file|child_process)\\.c$|"
        "/unit/eval/test_network\\.c$|/unit/search/test_signals\\.c$|"
        "/unit/engine/test_(options|position|session|tuning)\\.c$|"
        "/unit/book/test_(book|book_set|counter|go|report|uci_searcher)\\.c$")
endif()
