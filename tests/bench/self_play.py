"""Games of a tuning build with itself, by fastchess, for spsa.py and screen.py."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
OPENINGS = os.path.join(HERE, "..", "data", "openings", "uho_sample.epd")


def fail(text):
    sys.exit(f"{os.path.basename(sys.argv[0])}: {text}")


def add_options(parser, games, batch, nodes):
    """The options of both programs; the numbers are defaults."""
    parser.add_argument("engine")
    parser.add_argument("state")
    parser.add_argument("--games", type=int, default=games, help="in all (%(default)s)")
    parser.add_argument("--batch", type=int, default=batch,
                        help="games of the same two sets of numbers (%(default)s)")
    parser.add_argument("--nodes", type=int, default=nodes, help="nodes a move (%(default)s)")
    parser.add_argument("--tc", help="a clock instead, such as 1+0.01")
    parser.add_argument("--nodestime", type=int, default=0, help="so many nodes are a millisecond "
                        "of that clock, whatever else the machine does: fewer than it makes")
    parser.add_argument("--openings", action="append", help=".epd or .pgn; given again: in turns "
                        "(uho_sample.epd)")
    parser.add_argument("--pgn", help="keep the games there, as eval/train/wdl.py reads them")
    parser.add_argument("--concurrency", type=int, default=os.cpu_count(), help="(processors)")
    parser.add_argument("--seed", type=int, default=1, help="(1)")


def parse(parser):
    """The options, with an absolute path of the engine and a list of openings."""
    choice = parser.parse_args()
    if choice.batch < 2 or choice.batch % 2 or choice.games < 2 or choice.games % 2:
        fail("--games and --batch want even numbers from 2 on")
    if choice.nodestime and not choice.tc:
        fail("--nodestime wants --tc")
    choice.engine = os.path.abspath(choice.engine)
    choice.openings = choice.openings or [OPENINGS]
    return choice


def read_rows(engine):
    """The numbers of the engine by their names: value, least, most, step."""
    try:
        text = subprocess.run([engine, "options", "--spsa"], capture_output=True, text=True,
                              check=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        fail(f"{engine}: {error}")
    rows = {}
    for line in text.splitlines():
        name, _, value, least, most, step, _ = line.split(", ")
        rows[name] = {"start": float(value), "least": float(least), "most": float(most),
                      "step": float(step)}
    return rows


def fail_unknown(engine, name):
    fail(f"{engine} has no number {name}; is it built with -DCAXTON_TUNE=ON?")


def play(choice, games, batch, plus, minus, concurrency):
    """Games of two sets of numbers: how many more the first has won than lost."""
    limit = ["tc=" + choice.tc] if choice.tc else ["tc=inf", f"nodes={choice.nodes}"]
    if choice.nodestime:
        limit.append(f"option.nodestime={choice.nodestime}")
    command = ["fastchess"]
    for name, values in (("plus", plus), ("minus", minus)):
        command += ["-engine", "cmd=" + choice.engine, "name=" + name]
        command += [f"option.{number}={value}" for number, value in values.items()]
    openings = os.path.abspath(choice.openings[batch % len(choice.openings)])
    command += ["-each", "proto=uci", *limit, "option.Hash=16", "option.OwnBook=false",
                "-openings", "file=" + openings, "format=" + openings.rpartition(".")[2],
                "order=random", "-srand", str(batch + 100000 * choice.seed),
                "-games", "2", "-rounds", str(games // 2), "-repeat",
                "-concurrency", str(concurrency), "-ratinginterval", "0", "-scoreinterval", "0",
                "-draw", "movenumber=40", "movecount=8", "score=10",
                "-resign", "movecount=4", "score=600"]
    if choice.pgn:
        command += ["-pgnout", "file=" + os.path.abspath(choice.pgn), "notation=uci",
                    "nodes=true"]
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


def show_progress(done, count, what="games"):
    if sys.stderr.isatty():
        end = "\n" if done >= count else "\r"  # what is printed next stands in its place
        print(f"{done} of {count} {what}", end=end, file=sys.stderr, flush=True)
