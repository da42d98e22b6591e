/* The commands of makebook. Each takes the words after its name and returns the exit status: 0
 * done, 1 failed with one line saying why, 2 used wrongly. */
#ifndef CAXTON_BOOK_MAKEBOOK_COMMAND_H
#define CAXTON_BOOK_MAKEBOOK_COMMAND_H

enum { EXIT_DONE, EXIT_FAILED, EXIT_USAGE };

int command_build(int argc, char **argv);

#endif
