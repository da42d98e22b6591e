/* caxton datagen: scored positions to train the evaluation with. */
#ifndef CAXTON_ENGINE_DATAGEN_DATAGEN_H
#define CAXTON_ENGINE_DATAGEN_DATAGEN_H

/* Reads the command line and works until the file holds the positions asked for, or SIGINT or
 * SIGTERM. Returns the exit status: 0 done or interrupted, 1 failed, 2 a bad command line. */
int datagen_main(int argc, char **argv);

#endif
