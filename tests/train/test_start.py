#!/usr/bin/env python3
"""train.py --start NETWORK.nnue: the new network is the old one at first, also when it is wider and
has more king buckets. --start NETWORK.pt: its streams are not those that it was trained on. --test
FILE: its error is reported beside. --minutes alone ends by the clock.
test_start.py SOURCES DATAGEN LIBRARY; 77: torch is not installed."""
import math
import os
import subprocess
import sys
import tempfile

SKIP = 77


def main():
    try:
        import torch  # noqa: F401, only whether it is there
    except ImportError:
        print("torch is not installed: skipped")
        sys.exit(SKIP)
    sources, datagen, library = map(os.path.abspath, sys.argv[1:])

    def train(output, start, *options, positions=("data.cxd", "--positions", "0")):
        return subprocess.run(
            [sys.executable, os.path.join(sources, "eval/train/train.py"), *positions,
             *(["--start", start] if start else []), "--output", output,
             "--library", library, "--validation-permille", "500", "--threads", "1", *options],
            capture_output=True, text=True, check=False)

    def read(name):
        with open(name, "rb") as file:
            return file.read()

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([datagen, "-o", "data.cxd", "--positions", "5000", "--nodes", "1",
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        default, losses = os.path.join(sources, "eval/default.nnue"), {}
        shape = ["--king-buckets", "8", "--related", "256"]
        for name, start, options in (
                ("same", default, shape),
                ("shared", default, [*shape, "--factorise"]),
                ("buckets", None, ["--king-buckets", "3", "--factorise"]),
                ("again", "buckets.nnue", ["--king-buckets", "3"]),
                ("split", "buckets.nnue", ["--king-buckets", "12", "--factorise"])):
            result = train(name, start, *options)
            assert result.returncode == 0, result.stderr
            losses[name] = [line for line in result.stdout.splitlines() if "validation 0." in line]
            assert len(losses[name]) == 1, result.stdout
        result = train("tested", default, *shape, "--test", "data.cxd:scale=2")
        line = next(line for line in result.stdout.splitlines() if "  test 0." in line)
        assert line.startswith(losses["same"][0].split("validation")[0]), result.stdout
        assert float(line.split()[-1]) > 2 * float(line.split()[-3].rstrip(")")), line
        assert losses["shared"] == losses["same"] != losses["buckets"], losses
        assert losses["split"] == losses["again"], losses
        with open("stream.sh", "w", encoding="ascii") as script:
            script.write(f'echo "$@" >> seeds\nexec "{datagen}" -o - --nodes 1 --quiet "$@"\n')
        for name, start in (("one", None), ("two", "one.pt"), ("three", "two.pt")):
            result = train(name, start, "--batch", "1000", "--validation-limit", "1000",
                           positions=("--stream", "sh stream.sh", "--room", "0.002",
                                      "--positions", "0.002"))
            assert result.returncode == 0, result.stderr
        seeds = read("seeds").split(b"\n")[:-1]
        assert len(seeds) == len(set(seeds)) == 3, seeds
        sys.path.insert(0, os.path.join(sources, "eval/train"))
        import export
        import train as program
        for options, millions in (([], 100), (["--minutes", "9"], math.inf),
                                  (["--minutes", "9", "--positions", "3"], 3)):
            sys.argv = ["train.py", "data.cxd", *options]
            assert program.parse_arguments().positions == millions, options
        released = export.read(default)
        for line in read("same.golden").decode().splitlines():
            fen, score = line.split(";")
            assert export.evaluate(released, fen)[0] == int(score), fen
        # The weights; the descriptions before differ.
        assert read("again.nnue")[192:] == read("buckets.nnue")[192:]
        assert read("shared.golden") == read("same.golden")
        assert read("split.golden") == read("buckets.golden")
        result = train("joined", "buckets.nnue", "--king-buckets", "4")
        assert result.returncode == 1 and "would be joined" in result.stderr, result.stderr
        assert len(result.stderr.splitlines()) == 1, result.stderr


if __name__ == "__main__":
    main()
