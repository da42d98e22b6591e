"""A UCI engine as a child process, for epd_suite.py and mates.py."""

import re
import subprocess

from self_play import fail


def read_positions(name):
    """The four fields of each line of an EPD or FEN file, and what follows them."""
    try:
        with open(name, encoding="utf-8") as file:
            lines = [line.split(None, 4) for line in file]
    except (OSError, UnicodeDecodeError) as error:
        fail(f"{name}: {error}")
    for number, fields in enumerate(lines, 1):
        if fields and (len(fields) < 4 or fields[0].count("/") != 7):
            fail(f"{name}:{number}: no position")
    return [(" ".join(fields[:4]), "".join(fields[4:])) for fields in lines if fields]


class Engine:
    """Starts `command` with one thread, 64 MB of hash, without a book."""

    def __init__(self, command):
        self.command = command
        try:
            self.process = subprocess.Popen([command], stdin=subprocess.PIPE, text=True,
                                            stdout=subprocess.PIPE, bufsize=1)
        except OSError as error:
            fail(f"{command}: {error.strerror}")
        self.write("uci")
        options = "\n".join(self.read_until("uciok"))
        for name, value in (("OwnBook", "false"), ("Threads", 1), ("Hash", 64)):
            if f"name {name} " in options:
                self.write(f"setoption name {name} value {value}")

    def write(self, line):
        try:
            self.process.stdin.write(line + "\n")
        except OSError:
            fail(f"{self.command}: it ended")

    def read_until(self, start):
        """The lines up to the one that begins with `start`, which is the last of them."""
        lines = []
        while not lines or not lines[-1].startswith(start):
            line = self.process.stdout.readline()
            if not line:
                fail(f"{self.command}: it ended")
            lines.append(line.rstrip("\n"))
        return lines

    def set_position(self, fen):
        """A new game that begins there."""
        self.write("ucinewgame")
        self.write("isready")
        self.read_until("readyok")
        self.write(f"position fen {fen} 0 1")

    def legal_moves(self):
        self.write("go perft 1")
        lines = self.read_until("Nodes searched")
        return [line.split(":")[0] for line in lines if re.match(r"[a-h][1-8][a-h][1-8]", line)]

    def search(self, limits):
        """The best move, and the kind and number of the last score."""
        self.write(f"go {limits}")
        lines = self.read_until("bestmove")
        scores = [found for found in (re.search(r" score (cp|mate) (-?\d+)", line)
                                      for line in lines) if found]
        kind, number = scores[-1].groups() if scores else ("cp", 0)
        return lines[-1].split()[1], kind, int(number)

    def close(self):
        self.write("quit")
        self.process.wait()
