/* A name for a run of the program among those on many machines. */
#pragma once

enum { PROGRAM_ID_MAX = 80 };

/* HOST-PROCESS-NUMBER, terminated, of letters, digits and -._ only. The number is another one for
 * each run. */
void program_id(char out[PROGRAM_ID_MAX]);
