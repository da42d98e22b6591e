/* Positions written as text, in the order in which lines reach them. */
#ifndef CAXTON_BOOK_FORMATS_EPD_EPD_WRITE_H
#define CAXTON_BOOK_FORMATS_EPD_EPD_WRITE_H

#include "book/format.h"

/* As struct book_writer.write. */
MUST_CHECK enum caxton_status epd_write(const struct book *book, FILE *out,
                                        struct book_losses *losses, struct diag *diag);
MUST_CHECK enum caxton_status epd_write_lines(const struct book *book, FILE *out,
                                              struct book_losses *losses, struct diag *diag);

#endif
