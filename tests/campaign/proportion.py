"""Gives every reader its worst inputs, at three sizes, and counts what the programs do with them.

    python3 tests/campaign/proportion.py FOLDER [NAME...]

FOLDER has the programs with campaign/many.c before them, which do many runs for one start of
valgrind. NAME: only cases whose names contain one. Each case makes an input of about n, 2n and 4n
bytes. The instructions of the program, counted by cachegrind, must grow in proportion: from 2n to
4n at most GROWTH times as much as from n to 2n, and by no more than PER_BYTE a byte. So must
memory: an input of MEMORY_SIZE bytes takes at most MEMORY_PER_BYTE a byte more than one of n. No
time is measured. Exits 0 when all is well, 1 with a line for each fault, 77 without valgrind.

The cases of one command are counted one after another, after a run whose translated code they
use; what all have in common, starting and what a program makes once, does not count."""

import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import traceback

from proportion_inputs import CASES

GROWTH = 2.4            # 2 is in proportion, 4 is quadratic; logarithms and chance in between
NOISE = 4000000         # instructions that have nothing to do with the input
PER_BYTE = 12000        # about 3 s/MB
MEMORY_SIZE = 1 << 20
MEMORY_PER_BYTE = 100
MEMORY_NOISE = 16 << 20


class Program:
    """A program that stands ready for many runs: campaign/many.c."""

    def __init__(self, path, folder, words=()):
        self.log = os.path.join(folder, f"log-{os.path.basename(path)}-{threading.get_ident()}")
        words = [word.format(log=self.log) for word in words]
        self.process = subprocess.Popen([*words, path], stdin=subprocess.PIPE, text=True,
                                        stdout=subprocess.PIPE, bufsize=1)

    def tell(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("the program that stands ready has ended")
        return line.split()

    def warm(self, folder, words):
        """A first run of these words, which costs the following ones less, up to cool()."""
        self.tell("\t".join(["+" + folder, *words]))
        if self.answer() != ["warm"]:
            raise RuntimeError("the first run did not return")

    def cool(self):
        self.tell("")

    def start(self, folder, words):
        self.tell("\t".join([folder, *words]))
        return int(self.answer()[0])

    def end(self):
        """The exit status and the most memory in bytes."""
        status, kib = self.answer()
        return int(status), int(kib) << 10

    def instructions(self, child):
        """Of a run that has ended, and of what it shares with the others."""
        path = f"{self.log}.{child}"
        with open(path, encoding="ascii", errors="replace") as file:
            for line in file:
                if "I" in line and "refs:" in line:
                    os.remove(path)
                    return int(line.split(":")[1].replace(",", ""))
        raise RuntimeError("cachegrind has counted nothing")

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class Programs:
    """Those of one thread, started when they are wanted."""

    COUNTING = ["valgrind", "--tool=cachegrind", "--cache-sim=no",
                "--cachegrind-out-file=/dev/null", "--log-file={log}.%p"]

    def __init__(self, tools, folder):
        self.tools = tools
        self.folder = folder
        self.ready = {}

    def get(self, name, counting):
        if (name, counting) not in self.ready:
            self.ready[name, counting] = Program(os.path.join(self.tools, "many_" + name),
                                                 self.folder, self.COUNTING if counting else ())
        return self.ready[name, counting]

    def warm(self, run):
        """The program that has made this run, and does the following ones for less."""
        program = self.get(run.case.command[0], True)
        program.warm(run.folder, run.case.command)
        return program

    def cool(self, program):
        if program in self.ready.values():
            program.cool()

    def close(self):
        for program in self.ready.values():
            program.close()
        self.ready = {}


class Run:
    """A folder with the input of one case and size."""

    def __init__(self, programs, case, size, folder):
        self.folder = os.path.join(folder, f"{case.name}-{size}")
        os.mkdir(self.folder)
        self.case = case
        self.programs = programs
        self.size = case.make(size, self.folder, self.native)

    def native(self, *words):
        """Runs makebook while the input is made."""
        program = self.programs.get("makebook", False)
        program.start(self.folder, ["makebook", *words])
        self.check(program.end()[0], (0,))

    def check(self, status, right):
        if status not in right:
            with open(os.path.join(self.folder, "stderr"), "rb") as file:
                said = file.read()[-400:]
            raise RuntimeError(f"exit status {status}: {said!r}")

    def run(self, counting):
        """The number of the process, and the most memory that it took."""
        program = self.programs.get(self.case.command[0], counting)
        for name in ("stdout", "stderr"):
            open(os.path.join(self.folder, name), "wb").close()
        child = program.start(self.folder, self.case.command)
        if self.case.talk:
            try:
                self.case.talk(child, self.folder, self.size)
            except Exception:
                os.kill(child, signal.SIGKILL)
                raise
        status, memory = program.end()
        self.check(status, self.case.status)
        return child, memory

    def instructions(self):
        return self.programs.get(self.case.command[0], True).instructions(self.run(True)[0])

    def memory(self):
        return self.run(False)[1]

    def remove(self):
        shutil.rmtree(self.folder)


def measure(programs, case, folder):
    """The faults of a case, and a line about it."""
    faults = []
    work = []
    sizes = []
    for size in (case.size, 2 * case.size, 4 * case.size):
        run = Run(programs, case, size, folder)
        sizes.append(run.size)
        work.append(run.instructions())
        if size == case.size:
            small = run.memory()
        run.remove()
    first, second = work[1] - work[0], work[2] - work[1]
    per_byte = (work[2] - work[0]) / max(sizes[2] - sizes[0], 1)
    steps = max(sizes[2] - sizes[1], 1) / max(sizes[1] - sizes[0], 1)  # 2, but sizes are rounded
    if second > GROWTH / 2 * steps * max(first, 0) + NOISE:
        faults.append(f"{sizes} bytes take {work} instructions")
    if per_byte > case.per_byte:
        faults.append(f"{per_byte:.0f} instructions a byte")
    run = Run(programs, case, case.memory_size, folder)
    large = run.memory()
    run.remove()
    if large > small + case.memory_per_byte * run.size + MEMORY_NOISE:
        faults.append(f"{run.size} bytes take {large >> 20} MB of memory, "
                      f"{sizes[0]} take {small >> 20} MB")
    grown = max(large - small, 0) / run.size
    return faults, (f"{case.name}: {second / max(first, 1):.2f} times, {per_byte:.0f} "
                    f"instructions a byte, {grown:.0f} bytes of memory a byte")


class Work:
    """The cases of one command after another, on one of the threads."""

    def __init__(self, tools, folder):
        self.tools = tools
        self.folder = folder
        self.own = threading.local()
        self.all = []

    def programs(self):
        if not hasattr(self.own, "programs"):
            self.own.programs = Programs(self.tools, self.folder)
            self.all.append(self.own.programs)
        return self.own.programs

    def measure(self, cases):
        """For each case its faults, and a line about it."""
        programs = self.programs()
        results = []
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            warmed = None
            for case in cases:
                try:
                    if not warmed and not case.talk:
                        warmed = programs.warm(Run(programs, case, case.size // 4, folder))
                    results.append((case, *measure(programs, case, folder)))
                except Exception as error:  # one case must not hide the others
                    if not isinstance(error, RuntimeError):
                        traceback.print_exception(error)
                    results.append((case, [repr(error)], ""))
                    programs.close()
            programs.cool(warmed)
        return results

    def close(self):
        for programs in self.all:
            programs.close()


def main():
    if not shutil.which("valgrind"):
        return 77
    groups = {}  # by command
    for case in CASES:
        if not sys.argv[2:] or any(name in case.name for name in sys.argv[2:]):
            groups.setdefault((*case.command, bool(case.talk)), []).append(case)
    failed = 0
    with tempfile.TemporaryDirectory(prefix="proportion") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        work = Work(os.path.abspath(sys.argv[1]), folder)
        jobs = [pool.submit(work.measure, group)
                for group in sorted(groups.values(), key=len, reverse=True)]
        for job in concurrent.futures.as_completed(jobs):
            for case, faults, line in job.result():
                if line:
                    print(line, flush=True)
                for fault in faults:
                    failed += 1
                    print(f"FAULT {case.name}: {fault}", flush=True)
        work.close()
    print(f"{sum(map(len, groups.values()))} cases, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
