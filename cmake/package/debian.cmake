# What is particular to the package of Debian: its documents and its control file. The date of the
# changelog is that of SOURCE_DATE_EPOCH where it is set.
# Debian's own package of the same version would be newer: its revision is 1.
set(CAXTON_DEBIAN_REVISION 0caxton1 CACHE STRING "Which package of this version of Caxton")
set(CPACK_DEBIAN_PACKAGE_RELEASE ${CAXTON_DEBIAN_REVISION})
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "the Caxton authors <caxton@caxton.example>"
    CACHE STRING "Who answers for the package: name and address")
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "xboard | pychess | cutechess")
set(CPACK_DEBIAN_PACKAGE_ENHANCES "xboard, pychess, cutechess")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Caxton is a chess engine for programs that speak UCI. Its network and its
opening book are part of the program.
.
makebook makes, shows, checks and improves opening books: Polyglot, Arena,
ChessBase, games with variations and others. It counts games, or finds moves
by search.")

string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
configure_file(${package}/changelog.debian.in changelog.Debian @ONLY)
function(pack out file)
    add_custom_command(OUTPUT ${out} DEPENDS ${file} COMMAND gzip -9n < ${file} > ${out})
endfunction()
pack(changelog.Debian.gz ${PROJECT_BINARY_DIR}/changelog.Debian)
pack(changelog.gz ${PROJECT_SOURCE_DIR}/CHANGELOG.md)
add_custom_target(debian ALL DEPENDS changelog.Debian.gz changelog.gz)
install(FILES ${PROJECT_BINARY_DIR}/changelog.Debian.gz ${PROJECT_BINARY_DIR}/changelog.gz
    DESTINATION ${documentation})
install(FILES ${package}/copyright DESTINATION ${documentation})
install(FILES ${package}/lintian-overrides RENAME caxton DESTINATION share/lintian/overrides)
