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
import sys

from self_play import add_options, fail, fail_unknown, parse, play, read_rows, show_progress

ALPHA, GAMMA = 0.602, 0.101  # how fast steps and perturbations shrink (Spall)


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, games=30000, batch=16, nodes=8000)
    parser.add_argument("numbers", nargs="+")
    parser.add_argument("--rate", type=float, default=0.002, help="(%(default)s)")
    parser.add_argument("--steps", type=float, default=1, help="factor of the steps of params.h (1)")
    return parse(parser)


def choose_rows(engine, names):
    """The rows that `names` begin."""
    rows = read_rows(engine)
    for name in names:
        if not any(row.startswith(name) for row in rows):
            fail_unknown(engine, name)
    return {row: rows[row] for row in rows if any(row.startswith(name) for name in names)}


def load(path, rows, seed):
    """The state of an earlier run, or that of a new one."""
    fresh = {"games": 0, "seed": seed, "values": {name: row["start"] for name, row in rows.items()}}
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


def clamp(value, row):
    return min(max(value, row["least"]), row["most"])


def step(choice, rows, state):
    """Plays a batch and moves the values."""
    count = min(choice.batch, choice.games - state["games"])
    batch, batches = state["games"] // choice.batch + 1, choice.games / choice.batch
    rng = random.Random(f"{state['seed']} {batch}")
    values, moves, plus, minus = state["values"], {}, {}, {}
    for name, row in rows.items():
        size = choice.steps * row["step"] * (batches / batch) ** GAMMA
        moves[name] = rng.choice((-size, size))
        plus[name] = round(clamp(values[name] + moves[name], row))
        minus[name] = round(clamp(values[name] - moves[name], row))
    surplus = play(choice, count, batch, plus, minus, choice.concurrency)
    stability = 0.1 * batches
    slowed = ((batches + stability) / (batch + stability)) ** ALPHA
    for name, row in rows.items():
        gain = choice.rate * (choice.steps * row["step"]) ** 2 * slowed / moves[name]
        values[name] = clamp(values[name] + gain * surplus, row)
    state["games"] += count
    save(choice.state, state)


def main():
    choice = options()
    rows = choose_rows(choice.engine, choice.numbers)
    state = load(choice.state, rows, choice.seed)
    while state["games"] < choice.games:
        step(choice, rows, state)
        show_progress(state["games"], choice.games)
    print(f"{state['games']} games")
    for name, row in rows.items():
        print(f"{name:28} {row['start']:8.0f} {state['values'][name]:10.1f}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
