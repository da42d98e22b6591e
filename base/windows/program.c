/* Names of base/status.h are macros of windows.h: base comes first. */
#include "base/program.h"
#include "base/windows/wide.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <string.h>
#include <windows.h>

#include <shellapi.h>

/* What end_program() must find. */
static UINT page_before;      /* of the console's output; 0: none is to be restored */
static DWORD modes_before[2]; /* of standard output and error; 0: as above */

static const DWORD outputs[2] = {STD_OUTPUT_HANDLE, STD_ERROR_HANDLE};

static void end_program(void)
{
    (void)fflush(stdout);
    for (int i = 0; i < 2; i++)
        if (modes_before[i])
            (void)SetConsoleMode(GetStdHandle(outputs[i]), modes_before[i]);
    if (page_before)
        (void)SetConsoleOutputCP(page_before);
}

/* A console shows UTF-8 and obeys escape sequences; else terminal_is_utf8() says that it does not.
 */
static void prepare_console(void)
{
    bool is_console = false;
    for (int i = 0; i < 2; i++) {
        HANDLE output = GetStdHandle(outputs[i]);
        DWORD mode;
        if (!GetConsoleMode(output, &mode))
            continue;
        is_console = true;
        if (SetConsoleMode(output, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING))
            modes_before[i] = mode;
        if (i == 0) /* otherwise every character is a call of the system */
            (void)setvbuf(stdout, NULL, _IOFBF, BUFSIZ);
    }
    UINT page = GetConsoleOutputCP();
    if (is_console && page != CP_UTF8 && SetConsoleOutputCP(CP_UTF8))
        page_before = page;
}

/* Until the program ends. winmm.dll is not one of those that Windows takes from its own folder
 * only: if it were linked, one beside the program would run, and in a folder of downloads
 * anybody's. */
static void tick_every_ms(void)
{
    HMODULE library = LoadLibraryExW(L"winmm.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
    FARPROC begin = library ? GetProcAddress(library, "timeBeginPeriod") : NULL;
    if (begin)
        (void)((UINT(WINAPI *)(UINT))(uintptr_t)begin)(1);
}

/* The arguments in UTF-8, which live as long as the program. NULL: no memory. */
static char **arguments(int *count)
{
    wchar_t **wide = CommandLineToArgvW(GetCommandLineW(), count);
    char **words = wide ? calloc((size_t)*count + 1, sizeof *words) : NULL;
    for (int i = 0; words && i < *count; i++) {
        words[i] = wide_duplicate(wide[i]);
        if (!words[i])
            words = NULL; /* what was copied goes with the program */
    }
    (void)LocalFree(wide);
    return words;
}

void program_start(int *argc, char ***argv)
{
    int count;
    char **words = arguments(&count);
    if (words) {
        *argc = count;
        *argv = words;
    }
    for (int file = 0; file <= 2; file++)
        (void)_setmode(file, _O_BINARY);
    (void)SetErrorMode(SEM_FAILCRITICALERRORS); /* a drive without a disk is no window */
    prepare_console();
    tick_every_ms();
    (void)atexit(end_program);
}

/* A console gives UTF-16; the other ways lose what is not of its code page. */
static bool read_console(HANDLE console, struct program_line *line)
{
    enum { UNITS = 4096, END_OF_INPUT = 26 /* Ctrl-Z */ };
    wchar_t units[UNITS + 1];
    DWORD got = 0;
    do {
        if (!ReadConsoleW(console, units, UNITS, &got, NULL) || got == 0)
            break;
        units[got] = L'\0';
        if (units[0] == END_OF_INPUT)
            break;
        char *text = wide_duplicate(units);
        line->is_cut = line->is_cut || !text;
        if (text)
            program_line_add(line, text, strlen(text));
        free(text);
    } while (units[got - 1] != L'\n');
    return line->size > 0 || line->is_cut;
}

void program_outlive_reader(void) {}

void program_forget_variable(const char *name)
{
    (void)_putenv_s(name, "");
}

bool program_read_line(FILE *in, struct program_line *line)
{
    HANDLE handle = (HANDLE)_get_osfhandle(_fileno(in));
    DWORD mode;
    program_line_begin(line);
    return GetConsoleMode(handle, &mode) ? read_console(handle, line)
                                         : program_read_bytes(in, line);
}
