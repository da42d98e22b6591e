"""Gives every reader its worst inputs, at three sizes, and counts what the programs do with them.

    python3 tests/campaign/proportion.py MAKEBOOK CAXTON FUZZ_FOLDER [NAME...]

FUZZ_FOLDER has the replaying fuzz targets. NAME: only cases whose names contain one. Each case
makes an input of about n, 2n and 4n bytes. The instructions of the program, counted by cachegrind,
must grow in proportion: from 2n to 4n at most GROWTH times as much as from n to 2n, and by no more
than PER_BYTE a byte. So must memory: an input of MEMORY_SIZE bytes takes at most MEMORY_PER_BYTE a
byte more than one of n. No time is measured. Exits 0 when all is well, 1 with a line for each
fault, 77 without valgrind."""

import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
import traceback

from proportion_inputs import CASES

GROWTH = 2.4            # 2 is in proportion, 4 is quadratic; logarithms and chance in between
NOISE = 4000000         # instructions that have nothing to do with the input
PER_BYTE = 12000        # about 3 s/MB
MEMORY_SIZE = 1 << 20
MEMORY_PER_BYTE = 100
MEMORY_NOISE = 16 << 20
TIMEOUT = 300

# A child counts the memory of its parent until it is another program: a small parent.
SMALL_PARENT = """import os, resource, signal, sys
signal.signal(signal.SIGINT, lambda *_: os.kill(child, signal.SIGINT))
child = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
with open(sys.argv[1], "w") as file:
    file.write(str(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss))
sys.exit(status & 255)"""


class Run:
    """A folder with the input of one case and size."""

    def __init__(self, tools, case, size, folder):
        self.folder = os.path.join(folder, f"{case.name}-{size}")
        os.mkdir(self.folder)
        self.case = case
        self.tools = tools
        paths = {"makebook": tools["makebook"], "caxton": tools["caxton"], "fuzz": tools["fuzz"]}
        self.size = case.make(size, self.folder, self.native)
        self.words = [word.format(**paths) for word in case.command]

    def native(self, *words, stdin=None):
        """Runs makebook while the input is made."""
        subprocess.run([self.tools["makebook"], *words], cwd=self.folder, check=True, input=stdin,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=TIMEOUT)

    def start(self, words):
        path = os.path.join(self.folder, "stdin")
        with open(path if os.path.exists(path) else os.devnull, "rb") as stdin, \
                open(os.path.join(self.folder, "stdout"), "wb") as stdout, \
                open(os.path.join(self.folder, "stderr"), "wb") as stderr:
            return subprocess.Popen(words, cwd=self.folder, stdin=stdin, stdout=stdout,
                                    stderr=stderr)

    def finish(self, process):
        if self.case.talk:
            self.case.talk(process, self.folder, self.size)
        process.wait()
        if process.returncode not in self.case.status:
            with open(os.path.join(self.folder, "stderr"), "rb") as file:
                said = file.read()[-400:]
            raise RuntimeError(f"exit status {process.returncode}: {said!r}")

    def instructions(self):
        log = os.path.join(self.folder, "cachegrind")
        self.finish(self.start(["valgrind", "--tool=cachegrind", "--cache-sim=no",
                                "--cachegrind-out-file=/dev/null", f"--log-file={log}",
                                *self.words]))
        with open(log, encoding="ascii", errors="replace") as file:
            for line in file:
                if "I" in line and "refs:" in line:
                    return int(line.split(":")[1].replace(",", ""))
        raise RuntimeError("cachegrind has counted nothing")

    def memory(self):
        path = os.path.join(self.folder, "memory")
        self.finish(self.start([sys.executable, "-S", "-c", SMALL_PARENT, path, *self.words]))
        with open(path, encoding="ascii") as file:
            return int(file.read()) << 10


def measure(tools, case, folder):
    """The faults of a case, and a line about it."""
    faults = []
    work = []
    sizes = []
    for size in (case.size, 2 * case.size, 4 * case.size):
        run = Run(tools, case, size, folder)
        sizes.append(run.size)
        work.append(run.instructions())
        if size == case.size:
            small = run.memory()
        shutil.rmtree(run.folder)
    first, second = work[1] - work[0], work[2] - work[1]
    per_byte = (work[2] - work[0]) / max(sizes[2] - sizes[0], 1)
    steps = max(sizes[2] - sizes[1], 1) / max(sizes[1] - sizes[0], 1)  # 2, but sizes are rounded
    if second > GROWTH / 2 * steps * max(first, 0) + NOISE:
        faults.append(f"{sizes} bytes take {work} instructions")
    if per_byte > case.per_byte:
        faults.append(f"{per_byte:.0f} instructions a byte")
    run = Run(tools, case, case.memory_size, folder)
    large = run.memory()
    shutil.rmtree(run.folder)
    if large > small + case.memory_per_byte * run.size + MEMORY_NOISE:
        faults.append(f"{run.size} bytes take {large >> 20} MB of memory, "
                      f"{sizes[0]} take {small >> 20} MB")
    grown = max(large - small, 0) / run.size
    return faults, (f"{case.name}: {second / max(first, 1):.2f} times, {per_byte:.0f} "
                    f"instructions a byte, {grown:.0f} bytes of memory a byte")


def main():
    tools = {"makebook": os.path.abspath(sys.argv[1]), "caxton": os.path.abspath(sys.argv[2]),
             "fuzz": os.path.abspath(sys.argv[3])}
    if not shutil.which("valgrind"):
        return 77
    cases = [case for case in CASES
             if not sys.argv[4:] or any(name in case.name for name in sys.argv[4:])]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="proportion") as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        jobs = {pool.submit(measure, tools, case, folder): case for case in cases}
        for job in concurrent.futures.as_completed(jobs):
            try:
                faults, line = job.result()
            except Exception as error:  # one case must not hide the others
                if not isinstance(error, RuntimeError):
                    traceback.print_exception(error)
                faults, line = [repr(error)], ""
            if line:
                print(line, flush=True)
            for fault in faults:
                failed += 1
                print(f"FAULT {jobs[job].name}: {fault}", flush=True)
    print(f"{len(cases)} cases, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
