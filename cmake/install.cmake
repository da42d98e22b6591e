# What `cmake --install` and cpack take: programs, books, documents, manual pages, completion.
include(GNUInstallDirs)
option(CAXTON_DEBIAN "Install as in a package of Debian: caxton in games/, documents packed" OFF)

set(package ${PROJECT_SOURCE_DIR}/cmake/package)
set(documents ${PROJECT_SOURCE_DIR}/docs/ENGINE.md ${PROJECT_SOURCE_DIR}/docs/MAKEBOOK.md)
file(GLOB books CONFIGURE_DEPENDS books/*.bin books/README.md)
set(CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
    GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

# add_gzip(OUT PROGRAM OPTIONS...): the file OUT, packed, of what a program of this tree writes.
function(add_gzip out program)
    add_custom_command(OUTPUT ${out}
        DEPENDS ${program}
        COMMAND ${program} ${ARGN} > ${out}.tmp
        COMMAND gzip -9n < ${out}.tmp > ${out}
        COMMAND ${CMAKE_COMMAND} -E rm ${out}.tmp)
endfunction()

if(WIN32)
    # One folder, to be put anywhere.
    install(TARGETS caxton makebook DESTINATION .)
    install(FILES ${books} DESTINATION books)
    install(FILES ${documents} DESTINATION docs)
    install(FILES ${package}/README.txt LICENSE CHANGELOG.md DESTINATION .)
else()
    set(games ${CMAKE_INSTALL_BINDIR})
    set(zsh share/zsh/site-functions)
    set(documentation ${CMAKE_INSTALL_DATADIR}/doc/caxton)
    if(CAXTON_DEBIAN)
        set(games games)
        set(zsh share/zsh/vendor-completions)
    endif()
    install(TARGETS caxton DESTINATION ${games})
    install(TARGETS makebook DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${books} DESTINATION ${CMAKE_INSTALL_DATADIR}/caxton/books)
    if(CAXTON_LIBRARY)
        install(TARGETS caxton_books DESTINATION ${CMAKE_INSTALL_LIBDIR})
        install(FILES ${PROJECT_SOURCE_DIR}/book/library/caxton_books.h
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    endif()
    install(FILES ${documents} DESTINATION ${documentation})
    foreach(program caxton makebook)
        install(FILES ${package}/completion.bash RENAME ${program}
            DESTINATION share/bash-completion/completions)
    endforeach()
    install(FILES ${package}/completion.zsh RENAME _caxton DESTINATION ${zsh})
    if(CAXTON_DEBIAN)
        include(${package}/debian.cmake)
    else()
        install(FILES ${package}/README.txt LICENSE CHANGELOG.md DESTINATION ${documentation})
    endif()
    # The programs write their pages. Built for another processor, they need an emulator.
    if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
        message(STATUS "there is no emulator: no manual pages are made")
    else()
        add_gzip(caxton.6.gz caxton --help=man)
        add_gzip(makebook.1.gz makebook --help=man)
        add_custom_target(manual ALL DEPENDS caxton.6.gz makebook.1.gz)
        install(FILES ${PROJECT_BINARY_DIR}/caxton.6.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man6)
        install(FILES ${PROJECT_BINARY_DIR}/makebook.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
    endif()
endif()

# Packages: cpack -G DEB, TGZ or ZIP.
string(TOLOWER ${CMAKE_SYSTEM_NAME} system)
set(CPACK_PACKAGE_NAME caxton)
set(CPACK_PACKAGE_VENDOR "the Caxton authors")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "chess engine with its opening book, and a maker of books")
set(CPACK_PACKAGE_FILE_NAME caxton-${PROJECT_VERSION}-${system}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS ${CMAKE_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS})
include(CPack)
