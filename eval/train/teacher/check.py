#!/usr/bin/env python3
"""Compares caxton-teacher with the engine whose network it reads: check.py ENGINE TEACHER < FENS.
The engine's command `eval` prints the outputs of all eight stacks in hundredths of a pawn; ours,
printed so, must be the same digits. A pawn has 361 units in Stockfish 15.1; since 17 it depends on
the pieces. Positions in check are left out."""
import math
import os
import subprocess
import sys
import tempfile

SCALE = 16  # outputs for a unit
PAWN_15_1 = 361
# Since 17 (win_rate_params): a polynomial of the pieces' worth / 58, highest power first.
PAWN_17_1 = (-13.50030198, 40.92780883, -36.82753545, 386.83004070)
PAWN_19 = (-72.32565836, 185.93832038, -144.58862193, 416.44950446)
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}


def trace(output):
    """The table of one answer to `eval`: (material, positional) of the stacks, as printed."""
    rows = [line.split("|")[1:4] for line in output if line.startswith("|  ")]
    return [tuple(cell.replace(" ", "") for cell in row[1:]) for row in rows
            if row[0].strip().isdigit()]


def pawn_of(name, fen):
    """Units of a pawn: as the engine of that name prints the position."""
    if "Stockfish 17" not in name and "Stockfish 19" not in name and "dev-2026" not in name:
        return PAWN_15_1
    worth = sum(WORTH.get(letter, 0) for letter in fen.split()[0].lower())
    part = min(max(worth, 17), 78) / 58
    pawn = 0.0
    for factor in PAWN_17_1 if "Stockfish 17" in name else PAWN_19:
        pawn = pawn * part + factor
    return pawn


def printed(value, pawn):
    """A value in 1/16 units as the engine prints it; divisions towards zero, as in C."""
    units = abs(value) // SCALE
    sign = "" if units == 0 else "-" if value < 0 else "+"
    if pawn != PAWN_15_1:
        return f"{sign}{math.floor(100 * units / pawn + 0.5) / 100:.2f}"
    return f"{sign}{units / pawn:.2f}"


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
        name = " ".join(ask("uci"))
        # Two names for 17.1, which has a second, small network.
        ask("setoption name UCI_Chess960 value true", f"export_net {network} {network}.small")
        ours = subprocess.run([sys.argv[2], network], input="\n".join(fens) + "\n", check=True,
                              stdout=subprocess.PIPE, text=True).stdout.splitlines()
    compared = 0
    for fen, line in zip(fens, ours):
        theirs = trace(ask(f"position fen {fen}", "eval"))
        if not theirs:
            continue
        numbers = [int(word) for word in line.split()]
        pawn = pawn_of(name, fen)
        mine = [printed(number, pawn) for number in numbers]
        mine = list(zip(mine[::2], mine[1::2]))
        if mine != theirs:
            sys.exit(f"{fen}\nengine: {theirs}\nteacher: {mine}")
        compared += 1
    engine.kill()
    print(f"{compared} positions, {len(fens) - compared} in check left out: "
          f"all {16 * compared} outputs are equal")


if __name__ == "__main__":
    main()
