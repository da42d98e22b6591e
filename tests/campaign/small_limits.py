"""Runs every command of makebook, and the engine, where little is allowed.

    python3 tests/campaign/small_limits.py MAKEBOOK CAXTON [WORD...]

WORD: only cases whose text contains one. The limits: 300 MB of address space, files of 1 MB, 16
open files, standard streams that are closed. Each run works, and then its files are those of a run
without limits; or it fails with a line that says why, and leaves no file. None crashes, hangs or
changes what it reads. Exits 0 when all is well, 1 with a line for each fault."""

import hashlib
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

TIMEOUT = 120
MOVES = "a3 b3 c3 d3 e3 f3 g3 h3 Na3 Nc3 Nf3 Nh3 a4 b4 c4 d4 e4 f4 g4 h4".split()
REPLIES = "a6 b6 c6 d6 e6 f6 g6 h6 Na6 Nc6 Nf6 Nh6 a5 b5 c5 d5 e5 f5 g5 h5".split()


def games(count):
    """Games that differ from the first moves on."""
    for i in range(count):
        moves = f"{MOVES[i % 20]} {REPLIES[i // 20 % 20]}"
        yield f'[White "W{i}"]\n[Black "B"]\n[Result "1-0"]\n\n1. {moves} 1-0\n\n'


def many_games(count):
    """Pawns that step in an order of its own each: a book of more than a megabyte."""
    for i in range(count):
        chance = random.Random(i)
        words = []
        orders = [chance.sample(list("abcdefgh") * 2, 16) for _ in "wb"]
        ranks = {}
        for ply in range(32):
            side, file = ply % 2, orders[ply % 2][ply // 2]
            rank = ranks.get((side, file), 6 if side else 3)
            ranks[side, file] = rank - 1 if side else rank + 1
            words.append(f"{file}{rank}")
        yield f'[White "W{i}"]\n[Black "B"]\n[Result "1-0"]\n\n{" ".join(words)} 1-0\n\n'


# What is run, with what standard input. Files that begin with "out" are written; what else is there
# is read.
QUICK = "--depth 4 --min-depth 3 --threads 1 --hash 1 -q"
MAKEBOOK = [
    "build many.pgn -o out.bin --min-games 1 -q -j2",
    "build many.pgn --stats out.wld --updatable -q -j2",
    "build many.pgn --stats out.wld --memory 1 -q -j2",
    "build many.pgn.gz -o out.bin --min-games 1 -q -j2",
    "build few.pgn --stats out.wld --samples 4 -q -j1",
    "build few.pgn -o - --min-games 1 -q",
    f"grow --against few.bin -o out.bin {QUICK}",
    "dropout -o out.bin --depth 2 --max-positions 9 --threads 1 --hash 1 -q",
    "plan --against few.bin --depth 8 --min-depth 6",
    "vet few.bin -o out.bin --drop --scan 2 --confirm 4 --depth 3 --threads 1 --hash 1 -q",
    "learn few.pgn --book few.bin -o out.bin --player W1 --depth 4 --threads 1 --hash 1 -q",
    "review few.pgn --book few.bin --games --gaps out.pgn --nodes 100 --threads 1 --hash 1 -q",
    "coverage few.bin --color white --replies many.wld",
    "show few.bin --color white --replies many.wld",
    "prune few.bin --color white --replies many.wld --min-score -5 -o out.bin -q",
    "convert few.bin out.bin --color white --replies many.wld -q",
    "explore few.bin --color white --replies many.wld -o out.html -q",
    "worker --queue redis://127.0.0.1:9/name --wait 1",
    "merge many.wld few.wld -o out.wld -q -j1",
    f"merge {' '.join(f'part{i}.wld' for i in range(24))} -o out.wld -q -j1",
    "grow --against few.bin -o out.bin --depth 4 --min-depth 3 --threads 1 --hash 1024 -q",
    "merge few.bin many.bin -o out.bin -q",
    "convert many.wld out.bin --min-games 1 -q",
    "convert many.bin out.pgn -q",
    "convert many.bin out.abk -q",
    "convert many.bin out.tree -q",
    "convert many.bin out.lines -q",
    "convert many.bin out.epd -q",
    "convert few.bin - --to epd -q",
    "suite many.bin -o out.epd --plies 2..8 -q",
    "suite few.pgn -o out.epd --plies 4 --draw-rate 0..100 --depth 2 --threads 1 --hash 1 -q",
    "suite --judge few.pgn -o out.epd",
    "prune many.bin -o out.bin --best 1 -q",
    "add outbook.bin startpos e4 5 -q",
    "show many.wld startpos",
    "show few.pgn startpos",
    "show builtin startpos",
    "stats many.bin",
    "match few.bin many.bin --games 2 --nodes 100 --hash 1 --threads 2 -o out.pgn",
    "diff few.bin many.bin -q",
    "diff few.wld many.wld --counts",
    "dump many.bin",
    "explore many.bin -o out.html -q",
    "explore few.bin -o - -q",
    "verify many.bin",
    "verify many.wld",
    "verify few.pgn",
    "verify many.bin --repair -o out.bin",
    "show few.bin startpos --where few.pgn",
    "help",
    "build --help",
    "--version",
]
UCI = ("uci\nsetoption name BookFile value many.bin\nisready\nposition startpos\ngo depth 1\n"
       "setoption name BookFile value\nsetoption name Hash value {hash}\nsetoption name Threads "
       "value {threads}\nposition startpos moves e2e4\ngo depth 4\n")
CAXTON = [
    ("bench 2", ""),
    ("", UCI.format(hash=16, threads=1)),
    ("", UCI.format(hash=1024, threads=64)),
    ("play --movetime 0.05", "e4\nquit\n"),
    ("--version", ""),
]

MIB = 1 << 20


def bounded(what, value):
    return lambda: resource.setrlimit(what, (value, value))


def closed(*streams):
    def close():
        for stream in streams:
            os.close(stream)
    return close


LIMITS = {
    "300 MB of memory": bounded(resource.RLIMIT_AS, 300 * MIB),
    "files of 1 MB": bounded(resource.RLIMIT_FSIZE, MIB),
    "16 open files": bounded(resource.RLIMIT_NOFILE, 16),
    "no standard input": closed(0),
    "no standard output": closed(1),
    "no standard error": closed(2),
    "no standard streams": closed(0, 1, 2),
}


def digest(folder):
    files = {}
    for name in sorted(os.listdir(folder)):
        path = os.path.join(folder, name)
        if os.path.isdir(path):  # games/, where `caxton play` saves a game by the time
            continue
        with open(path, "rb") as file:
            files[name] = hashlib.sha256(file.read()).hexdigest()
    return files


def run(words, stdin, start, limit):
    """In a copy of the folder `start`: exit status, what it said, the files afterwards."""
    with tempfile.TemporaryDirectory(prefix="small_limits") as folder:
        for name in os.listdir(start):  # "out" is changed in place
            place = os.path.join(folder, name)
            if name.startswith("out"):
                shutil.copy(os.path.join(start, name), place)
            else:
                os.link(os.path.join(start, name), place)
        try:
            done = subprocess.run(words, cwd=folder, input=stdin.encode(), preexec_fn=limit,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return None, b"", b"", digest(folder)
        return done.returncode, done.stdout, done.stderr, digest(folder)


def fault_of(name, before, wanted, found):
    """What is wrong with a run under the limit `name`, or None."""
    status, out, err, files = found
    if status is None:
        return "hangs"
    if status < 0:
        return f"ends by signal {-status}: {err[-200:]!r}"
    changed = [file for file in before if files.get(file) != before[file] and
               not file.startswith("out")]
    if changed:
        return f"changes {changed}"
    is_seen = "output" not in name and "streams" not in name
    if status == wanted[0]:
        if files != wanted[3]:
            return f"other files: {sorted(set(files.items()) ^ set(wanted[3].items()))}"
        return None
    # A store keeps the searches of a run that is to go on; a book may be whole without its report.
    stores = {file for file in files if file.endswith(".store")}
    if files != wanted[3] and {k: v for k, v in files.items() if k not in stores} != before:
        return f"leaves files: {sorted(set(files.items()) ^ set(before.items()))}, {err[-200:]!r}"
    if "error" in name or "streams" in name:
        return None
    lines = err.decode(errors="replace").strip().splitlines()
    if not lines or ":" not in lines[-1]:
        return f"exit status {status} without a reason: {err!r} {out[-80:] if is_seen else ''!r}"
    return None


def main():
    makebook, caxton = (os.path.abspath(path) for path in sys.argv[1:3])
    failed = 0
    with tempfile.TemporaryDirectory(prefix="small_limits") as start:
        with open(os.path.join(start, "many.pgn"), "w", encoding="ascii") as file:
            file.writelines(many_games(4000))
        with open(os.path.join(start, "few.pgn"), "w", encoding="ascii") as file:
            file.writelines(games(40))
        subprocess.run("gzip -k many.pgn", shell=True, cwd=start, check=True)
        for name in ("many", "few"):
            subprocess.run([makebook, "build", f"{name}.pgn", "-o", f"{name}.bin", "--stats",
                            f"{name}.wld", "--min-games", "1", "-q"], cwd=start, check=True)
        for i in range(24):
            with open(os.path.join(start, f"part{i}.pgn"), "w", encoding="ascii") as file:
                file.writelines(list(games(40 + i))[i:])
            subprocess.run([makebook, "build", f"part{i}.pgn", "--stats", f"part{i}.wld", "-q"],
                           cwd=start, check=True)
            os.remove(os.path.join(start, f"part{i}.pgn"))
        shutil.copy(os.path.join(start, "few.bin"), os.path.join(start, "outbook.bin"))
        before = digest(start)
        cases = [([makebook, *line.split()], "") for line in MAKEBOOK]
        cases += [([caxton, *line.split()], stdin) for line, stdin in CAXTON]
        for words, stdin in cases:
            text = " ".join([os.path.basename(words[0]), *words[1:]])
            if sys.argv[3:] and not any(word in text for word in sys.argv[3:]):
                continue
            wanted = run(words, stdin, start, None)
            for name, limit in LIMITS.items():
                found = run(words, stdin, start, limit)
                fault = fault_of(name, before, wanted, found)
                if "-v" in os.environ.get("SMALL_LIMITS", ""):
                    print(f"{text}, {name}: {found[0]} {found[2][-150:]!r}", flush=True)
                if fault:
                    failed += 1
                    print(f"FAULT {text}, {name}: {fault}", flush=True)
    print(f"{len(cases)} commands, {failed} faults")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
