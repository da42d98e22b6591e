"""Tells which of many changes of the search's numbers are worth a match, by games of the engine
with itself.

    python3 tests/bench/screen.py [OPTIONS] ENGINE STATE CHANGE...

ENGINE is a build with -DCAXTON_TUNE=ON; CHANGE is NAME=VALUE, a row of search/params.h and another
value for it, or several joined by commas. In every batch of games each change is on for one side
and off for the other, by chance. A regression over the batches gives the Elo of each, with 95 %
error bars that do not depend on how many changes there are: 4,900 games are enough for +- 7. The
effect is an average over the other changes being on and off, so sprt.sh must confirm what is found.

STATE has a line for each batch: run the same command again and it goes on, also with more --games.

Source: a two-level factorial design, https://en.wikipedia.org/wiki/Factorial_experiment."""

import argparse
import json
import math
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor

from self_play import add_options, fail, fail_unknown, parse, play, read_rows, show_progress

ELO = 800 / math.log(10)  # of a surplus of one win a game, where the score is near 50 %


def options():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, games=4000, batch=4, nodes=20000)
    parser.add_argument("changes", nargs="+")
    return parse(parser)


def read_change(text, engine, rows):
    """NAME=VALUE[,NAME=VALUE...] as a dictionary."""
    change = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        if name not in rows:
            fail_unknown(engine, name)
        try:
            change[name] = int(value)
        except ValueError:
            fail(f"{part}: no whole number")
        if not rows[name]["least"] <= change[name] <= rows[name]["most"]:
            fail(f"{part}: not from {rows[name]['least']:.0f} to {rows[name]['most']:.0f}")
    return change


def signs_of(choice, batch):
    """For each change 1 where the first side has it, -1 where the second has."""
    rng = random.Random(f"{choice.seed} {batch}")
    return [rng.choice((-1, 1)) for _ in choice.changes]


def load(choice):
    """The surplus of every batch that was played before."""
    try:
        with open(choice.state, encoding="utf-8") as file:
            head, *lines = [json.loads(line) for line in file]
        wanted = [choice.changes, choice.batch, choice.seed]
        if head != wanted:
            fail(f"{choice.state} is of a run with other changes, --batch or --seed")
        return {batch: surplus for batch, surplus in lines}
    except FileNotFoundError:
        append(choice, [choice.changes, choice.batch, choice.seed])
        return {}
    except (OSError, ValueError, TypeError) as error:
        fail(f"{choice.state}: {error}")


def append(choice, row):
    with open(choice.state, "a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
        file.flush()
        os.fsync(file.fileno())


def play_batch(choice, changes, off, batch):
    """Side by side batches keep every processor busy to the end, so each has one."""
    plus, minus = dict(off), dict(off)
    for sign, change in zip(signs_of(choice, batch), changes):
        (plus if sign > 0 else minus).update(change)
    return play(choice, choice.batch, batch, plus, minus, 1)


def inverse(matrix):
    """Gauss and Jordan; None where it has none."""
    size = len(matrix)
    rows = [row + [float(i == j) for j in range(size)] for i, row in enumerate(matrix)]
    for i in range(size):
        best = max(range(i, size), key=lambda row: abs(rows[row][i]))
        if abs(rows[best][i]) < 1e-9:
            return None
        rows[i], rows[best] = rows[best], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for j in range(size):
            if j != i:
                rows[j] = [a - rows[j][i] * b for a, b in zip(rows[j], rows[i])]
    return [row[size:] for row in rows]


def effects(signs, surpluses):
    """Least squares: the effect of each change on a batch, and its standard error."""
    size = len(signs[0])
    spread = inverse([[sum(row[i] * row[j] for row in signs) for j in range(size)]
                      for i in range(size)])
    if spread is None or len(signs) <= size:
        fail("too few games for so many changes")
    sums = [sum(row[i] * surplus for row, surplus in zip(signs, surpluses)) for i in range(size)]
    found = [sum(a * b for a, b in zip(row, sums)) for row in spread]
    rest = sum((surplus - sum(a * b for a, b in zip(row, found))) ** 2
               for row, surplus in zip(signs, surpluses)) / (len(signs) - size)
    return [(found[i], math.sqrt(rest * spread[i][i])) for i in range(size)]


def main():
    choice = options()
    rows = read_rows(choice.engine)
    changes = [read_change(text, choice.engine, rows) for text in choice.changes]
    off = {name: int(rows[name]["start"]) for change in changes for name in change}
    played = load(choice)
    batches = [batch for batch in range(choice.games // choice.batch) if batch not in played]
    with ThreadPoolExecutor(choice.concurrency) as pool:
        try:
            for batch, surplus in zip(batches, pool.map(
                    lambda batch: play_batch(choice, changes, off, batch), batches)):
                played[batch] = surplus
                append(choice, [batch, surplus])
                show_progress(len(played) * choice.batch, choice.games)
        finally:
            pool.shutdown(cancel_futures=True)
    table = effects([signs_of(choice, batch) for batch in played], list(played.values()))
    scale = ELO / choice.batch
    print(f"{len(played) * choice.batch} games")
    for text, (effect, error) in sorted(zip(choice.changes, table), key=lambda row: -row[1][0]):
        print(f"{effect * scale:+6.1f} +- {1.96 * error * scale:4.1f}  {text}")


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
