#!/usr/bin/env python3
"""train.py --start NETWORK.nnue: the new network is the old one at first, also when it is wider and
has more king buckets. test_start.py SOURCES DATAGEN LIBRARY; 77: torch is not installed."""
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

    def train(output, *options):
        return subprocess.run(
            [sys.executable, os.path.join(sources, "eval/train/train.py"), "data.cxd", "--start",
             os.path.join(sources, "eval/default.nnue"), "--positions", "0", "--output", output,
             "--library", library, "--validation-permille", "500", "--threads", "1", *options],
            capture_output=True, text=True, check=False)

    def read(name):
        with open(name, "rb") as file:
            return file.read()

    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        subprocess.run([datagen, "-o", "data.cxd", "--positions", "5000", "--nodes", "1",
                        "--quiet"], check=True, stdout=subprocess.DEVNULL)
        losses = []
        for name, options in (("same", ["--king-buckets", "3", "--factorise"]),
                              ("plain", ["--king-buckets", "3"]),
                              ("wide", ["--hidden", "768", "--king-buckets", "12"]),
                              ("both", ["--hidden", "640", "--king-buckets", "8", "--factorise"])):
            result = train(name, *options)
            assert result.returncode == 0, result.stderr
            losses += [line for line in result.stdout.splitlines() if "validation 0." in line]
        assert len(losses) == 4 and len(set(losses)) == 1, losses
        released = read(os.path.join(sources, "eval/default.nnue"))
        for name in ("same", "plain"):  # weights; the descriptions before differ
            assert read(f"{name}.nnue")[192:] == released[192:], name
        for name in ("plain", "wide", "both"):
            assert read(f"{name}.golden") == read("same.golden"), name
        result = train("joined", "--king-buckets", "4")
        assert result.returncode == 1 and "would be joined" in result.stderr, result.stderr
        assert len(result.stderr.splitlines()) == 1, result.stderr


if __name__ == "__main__":
    main()
