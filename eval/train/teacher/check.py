#!/usr/bin/env python3
"""Compares caxton-teacher with the engine whose network it reads: check.py ENGINE TEACHER < FENS.
The engine's command `eval` prints the outputs of all eight stacks in hundredths of a pawn of 361
units; ours, printed so, must be the same digits. Positions in check are left out."""
import os
import subprocess
import sys
import tempfile

UNITS, SCALE = 361, 16


def trace(output):
    """The table of one answer to `eval`: (material, positional) of the stacks, as printed."""
    rows = [line.split("|")[1:4] for line in output if line.startswith("|  ")]
    return [tuple(cell.replace(" ", "") for cell in row[1:]) for row in rows
            if row[0].strip().isdigit()]


def printed(value):
    """A value in 1/16 units as the engine prints it; divisions towards zero, as in C."""
    units = abs(value) // SCALE
    sign = "" if units == 0 else "-" if value < 0 else "+"
    return f"{sign}{units / UNITS:.2f}"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    engine = subprocess.Popen([sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              text=True)

    def ask(*commands):
        engine.stdin.write("".join(c + "\n" for c in commands) + "isready\n")
        engine.stdin.flush()
        lines = []
        while (line := engine.stdout.readline().rstrip()) != "readyok":
            if engine.poll() is not None and not line:
                sys.exit("the engine has ended")
            lines.append(line)
        return lines

    fens = [line.strip() for line in sys.stdin if line.strip()]
    with tempfile.TemporaryDirectory() as folder:
        network = os.path.join(folder, "network.nnue")
        ask("setoption name UCI_Chess960 value true", f"export_net {network}")
        ours = subprocess.run([sys.argv[2], network], input="\n".join(fens) + "\n", check=True,
                              stdout=subprocess.PIPE, text=True).stdout.splitlines()
    compared = 0
    for fen, line in zip(fens, ours):
        theirs = trace(ask(f"position fen {fen}", "eval"))
        if not theirs:
            continue
        numbers = [int(word) for word in line.split()]
        mine = [tuple(map(printed, pair)) for pair in zip(numbers[::2], numbers[1::2])]
        if mine != theirs:
            sys.exit(f"{fen}\nengine: {theirs}\nteacher: {mine}")
        compared += 1
    engine.kill()
    print(f"{compared} positions, {len(fens) - compared} in check left out: "
          f"all {16 * compared} outputs are equal")


if __name__ == "__main__":
    main()
