/* The start of a program that holds itself twice (levels.cmake): for any x86-64, as main(), and for
 * x86-64-v3. The linker calls __wrap_main() in place of main(). */

int __real_main(int argc, char **argv);
int main_v3(int argc, char **argv);
int __wrap_main(int argc, char **argv);

int __wrap_main(int argc, char **argv)
{
    return __builtin_cpu_supports("x86-64-v3") ? main_v3(argc, argv) : __real_main(argc, argv);
}
