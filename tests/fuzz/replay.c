/* Runs a fuzz target over the files named, or over every file of the folders named. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int replay_file(const char *path, size_t size)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(size ? size : 1);
    int failed = 1;
    if (file && data && fread(data, 1, size, file) == size) {
        (void)LLVMFuzzerTestOneInput(data, size);
        failed = 0;
    } else {
        (void)fprintf(stderr, "%s: cannot be read\n", path);
    }
    free(data);
    if (file)
        (void)fclose(file);
    return failed;
}

static int replay(const char *path, unsigned *count)
{
    struct stat info;
    if (stat(path, &info) != 0) {
        perror(path);
        return 1;
    }
    if (!S_ISDIR(info.st_mode)) {
        ++*count;
        return replay_file(path, (size_t)info.st_size);
    }
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        return 1;
    }
    int failed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        char name[4096];
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
        failed |= replay(name, count);
    }
    (void)closedir(folder);
    return failed;
}

int main(int argc, char **argv)
{
    unsigned count = 0;
    int failed = 0;
    for (int i = 1; i < argc; i++)
        failed |= replay(argv[i], &count);
    (void)printf("%u inputs\n", count);
    return failed || count == 0;
}
