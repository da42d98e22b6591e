"""Tunes numbers of the search by games of the engine with itself (SPSA).

    python3 tests/bench/spsa.py [OPTIONS] ENGINE STATE NUMBER...

ENGINE is a build with -DCAXTON_TUNE=ON; NUMBER names a row of search/params.h, or begins several
(LMR_). Every batch of games moves all numbers a little at random, up for one side and down for the
other, and then a little towards the side that won. STATE (JSON) keeps what was found after every
batch: run the same command again and it goes on. At the end it prints all numbers, before and after.

The sizes of the steps are those of OpenBench: a number is moved by its step of params.h at the end,
by more at the beginning; --rate says how fast numbers follow the results.

Source: J. C. Spall, "Implementation of the simultaneous perturbation algorithm for stochastic
optimization", IEEE Transactions on Aerospace and Electronic Systems 34(3), 1998."""

import argparse
import json
import os
import random
import re
import subprocess
import sys
import tempfile

ALPHA, GAMMA = 0.602, 0.101  # how fast steps and perturbations shrink (Spall)
HERE = os.path.dirname(os.path.abspath(__file__))
OPENINGS = os.path.join(HERE, "..", "data", "openings", "uho_sample.epd")


def fail(text):
    sys.exit("spsa.py: " + text)


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("engine")
    parser.add_argument("state")
    parser.add_argument("numbers", nargs="+")
    parser.add_argument("--games", type=int, default=30000, help="in all (30000)")
    parser.add_argument("--batch", type=int, default=16, help="games between two steps (16)")
    parser.add_argument("--nodes", type=int, default=8000, help="nodes a move (8000)")
    parser.add_argument("--tc", help="a clock instead, such as 1+0.01")
    parser.add_argument("--rate", type=float, default=0.002, help="(0.002)")
    parser.add_argument("--steps", type=float, default=1, help="factor of the steps of params.h (1)")
    parser.add_argument("--openings", action="append", help=".epd or .pgn; given again: in turns "
                        "(uho_sample.epd)")
    parser.add_argument("--pgn", help="keep the games there, as eval/train/wdl.py reads them")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count(), help="(processors)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")
    return parser.parse_args()


def read_rows(engine, names):
    """The rows that `names` begin: name, value, least, most, step."""
    try:
        text = subprocess.run([engine, "options", "--spsa"], capture_output=True, text=True,
                              check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"{engine}: {error}")
    rows = []
    for line in text.splitlines():
        name, _, value, least, most, step, _ = line.split(", ")
        rows.append({"name": name, "start": float(value), "least": float(least),
                     "most": float(most), "step": float(step)})
    for name in names:
        if not any(row["name"].startswith(name) for row in rows):
            fail(f"{engine} has no number {name}; is it built with -DCAXTON_TUNE=ON?")
    return [row for row in rows if any(row["name"].startswith(name) for name in names)]


def load(path, rows, seed):
    """The state of an earlier run, or that of a new one."""
    fresh = {"games": 0, "seed": seed, "values": {row["name"]: row["start"] for row in rows}}
    try:
        with open(path, encoding="utf-8") as file:
            state = json.load(file)
    except FileNotFoundError:
        return fresh
    except (OSError, ValueError) as error:
        fail(f"{path}: {error}")
    if not isinstance(state, dict) or set(state) != set(fresh) or \
            set(state["values"]) != set(fresh["values"]):
        fail(f"{path} is of a run with other numbers")
    return state


def save(path, state):
    new = path + ".new"
    with open(new, "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1)
        file.flush()
        os.fsync(file.fileno())
    os.replace(new, path)


def play(choice, games, batch, plus, minus):
    """Games of two sets of values: how many more the first has won than lost."""
    limit = ["tc=" + choice.tc] if choice.tc else ["tc=inf", f"nodes={choice.nodes}"]
    command = ["fastchess"]
    for name, values in (("plus", plus), ("minus", minus)):
        command += ["-engine", "cmd=" + choice.engine, "name=" + name]
        command += [f"option.{number}={value}" for number, value in values.items()]
    openings = os.path.abspath(choice.openings[batch % len(choice.openings)])
    command += ["-each", "proto=uci", *limit, "option.Hash=16", "option.OwnBook=false",
                "-openings", "file=" + openings, "format=" + openings.rpartition(".")[2],
                "order=random", "-srand", str(batch + 100000 * choice.seed),
                "-games", "2", "-rounds", str(games // 2),
                "-repeat", "-concurrency", str(choice.concurrency), "-ratinginterval", "0",
                "-scoreinterval", "0", "-draw", "movenumber=40", "movecount=8", "score=10",
                "-resign", "movecount=4", "score=600"]
    if choice.pgn:
        command += ["-pgnout", "file=" + os.path.abspath(choice.pgn), "notation=uci"]
    with tempfile.TemporaryDirectory() as folder:  # fastchess leaves its state there
        try:
            done = subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)
        except FileNotFoundError:
            fail("fastchess is not on the PATH; get it from "
                 "https://github.com/Disservin/fastchess")
    found = re.findall(r"^Games: (\d+), Wins: (\d+), Losses: (\d+)", done.stdout, re.MULTILINE)
    if done.returncode != 0 or not found or int(found[-1][0]) != games:
        fail("fastchess failed: " + (done.stdout + done.stderr)[-300:].replace("\n", " "))
    return int(found[-1][1]) - int(found[-1][2])


def clamp(value, row):
    return min(max(value, row["least"]), row["most"])


def step(choice, rows, state):
    """Plays a batch and moves the values."""
    count = min(choice.batch, choice.games - state["games"])
    batch, batches = state["games"] // choice.batch + 1, choice.games / choice.batch
    rng = random.Random(f"{state['seed']} {batch}")
    values, moves, plus, minus = state["values"], {}, {}, {}
    for row in rows:
        name = row["name"]
        size = choice.steps * row["step"] * (batches / batch) ** GAMMA
        moves[name] = rng.choice((-size, size))
        plus[name] = round(clamp(values[name] + moves[name], row))
        minus[name] = round(clamp(values[name] - moves[name], row))
    surplus = play(choice, count, batch, plus, minus)
    stability = 0.1 * batches
    slowed = ((batches + stability) / (batch + stability)) ** ALPHA
    for row in rows:
        name = row["name"]
        gain = choice.rate * (choice.steps * row["step"]) ** 2 * slowed / moves[name]
        values[name] = clamp(values[name] + gain * surplus, row)
    state["games"] += count
    save(choice.state, state)


def main():
    choice = options()
    if choice.batch < 2 or choice.batch % 2 or choice.games < 2 or choice.games % 2:
        fail("--games and --batch want even numbers from 2 on")
    choice.engine = os.path.abspath(choice.engine)
    choice.openings = choice.openings or [OPENINGS]
    rows = read_rows(choice.engine, choice.numbers)
    state = load(choice.state, rows, choice.seed)
    while state["games"] < choice.games:
        step(choice, rows, state)
        if sys.stderr.isatty():
            print(f"\r{state['games']} of {choice.games} games", end="", file=sys.stderr)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{state['games']} games")
    for row in rows:
        print(f"{row['name']:28} {row['start']:8.0f} {state['values'][row['name']]:10.1f}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
