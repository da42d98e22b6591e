"""The Python module caxton_books of python/, against makebook, Polyglot files read here, and, where
it is installed, python-chess.

  tests/python/test_caxton_books.py LIBRARY MAKEBOOK [unittest's arguments]

LIBRARY: build/libcaxton_books.so. Without python-chess the tests that compare with it are skipped.
Exits 1 when a test fails, 77 when there is no library.
"""

import contextlib
import doctest
import gzip
import os
import pathlib
import random
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARY, MAKEBOOK = (os.path.abspath(path) for path in sys.argv[1:3])
if not os.path.exists(LIBRARY):
    print(f"{LIBRARY} is not there")
    sys.exit(77)
os.environ["CAXTON_BOOKS_LIBRARY"] = LIBRARY
sys.path.insert(0, str(ROOT / "python"))

import caxton_books  # noqa: E402
from caxton_books import START, Book, BookError  # noqa: E402

try:
    import chess
    import chess.polyglot
except ImportError:
    chess = None

DATA = ROOT.parent / "shared/data"
BOOKS = sorted((ROOT / "books").glob("*.bin"))
BOOKS += [path for path in [DATA / "books/gnuchess.bin"] if path.exists()]
GAMES = "games.pgn"


def raw_entries(path):
    return [struct.unpack(">QHHI", entry) for entry in _pieces(path.read_bytes(), 16)]


def _pieces(data, size):
    return (data[at : at + size] for at in range(0, len(data), size))


def makebook(*words):
    subprocess.run([MAKEBOOK, *map(str, words)], check=True, capture_output=True)


def stored(uci, code=0):
    squares = [ord(uci[at]) - ord("a") + 8 * (int(uci[at + 1]) - 1) for at in (0, 2)]
    return code << 12 | squares[0] << 6 | squares[1]


def some_games(count=300):
    """Lines of a book as games, with tags by which they can be filtered and told apart."""
    generator = random.Random(1)
    with Book(BOOKS[1]) as book:
        lines = [position.line for position in book.positions()]
    texts = []
    for line in generator.choices(lines, k=count):
        result = generator.choice(["1-0", "0-1", "1/2-1/2"])
        tags = [("White", generator.choice("ABCDE")), ("Black", generator.choice("FGHIJ"))]
        tags += [("Date", f"{generator.randrange(1990, 2020)}.05.17"), ("Result", result)]
        tags += [(f"{side}Elo", generator.randrange(1500, 2700)) for side in ("White", "Black")]
        texts += [f'[{name} "{value}"]\n' for name, value in tags]
        texts.append("\n" + " ".join(line) + f" {result}\n\n")
    return "".join(texts)


SOME_GAMES = some_games()


class Case(unittest.TestCase):
    """In a folder of its own with games in it."""

    def setUp(self):
        before = os.getcwd()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, before)
        os.chdir(folder.name)
        pathlib.Path(GAMES).write_text(SOME_GAMES)

    def files(self):
        """Those that the test has made."""
        return sorted(set(os.listdir()) - {GAMES})

    def write_book(self, entries, name="made.bin"):
        data = b"".join(struct.pack(">QHHI", *entry) for entry in entries)
        pathlib.Path(name).write_bytes(data)
        return name

    def refused(self, text, function, *arguments, **options):
        with self.assertRaises(BookError) as caught:
            function(*arguments, **options)
        self.assertIn(text, str(caught.exception))
        self.assertNotIn("\n", str(caught.exception))


class Documents(Case):
    def test_examples(self):
        self.assertEqual(doctest.testmod(caxton_books).failed, 0)

    def test_readme(self):
        path = str(ROOT / "python/README.md")
        self.assertEqual(doctest.testfile(path, module_relative=False).failed, 0)


class Reading(Case):
    def test_entries_are_those_of_the_file(self):
        for path in BOOKS:
            with Book(path) as book:
                found = [entry[:4] for entry in book.entries()]
            self.assertEqual(found, raw_entries(path), path)

    def test_positions_find_what_the_entries_say(self):
        for path in BOOKS[:3]:
            weights = {}
            for key, move, weight, learn in raw_entries(path):
                weights.setdefault(key, []).append(weight)
            with Book(path) as book:
                positions = list(book.positions())
                self.assertEqual(positions[0][1:], (START, START, ()))
                for position in positions[:: max(1, len(positions) // 300)]:
                    moves = book.moves(position.fen)
                    self.assertEqual(
                        [move.weight for move in moves], sorted(weights[position.key])[::-1]
                    )

    def test_what_a_book_says_of_itself(self):
        with Book(BOOKS[0]) as book:
            self.assertEqual(book.name, str(BOOKS[0]))
            self.assertEqual(book.format, "Polyglot")
            self.assertEqual(book.warning, "")
            self.assertFalse(book.counts_games)
            self.assertEqual(len(book), len(raw_entries(BOOKS[0])))

    def test_illegal_equal_and_unplayed_moves(self):
        key = 0x463B96181691FC9C
        path = self.write_book(
            [(key, stored("e2e5"), 9, 0), (key, stored("e2e4"), 3, 0), (key, stored("d2d4"), 0, 7),
             (key, stored("e2e4"), 2, 0)]
        )  # fmt: skip
        with Book(path) as book:
            self.assertEqual(len(list(book.entries())), 4)
            moves = book.moves(START)
            self.assertEqual([move[:4] for move in moves],
                             [("e2e4", "e4", 5, 0), ("d2d4", "d4", 0, 7)])  # fmt: skip
            for selection in ("weighted", "best", "uniform"):
                chosen = {book.choose(START, selection).uci for _ in range(20)}
                self.assertEqual(chosen, {"e2e4"})
            self.assertIsNone(book.choose(START.replace(" w ", " b ")))
            with self.assertRaises(ValueError):
                book.choose(START, "any")

    def test_a_generator_with_a_seed_chooses_alike(self):
        with Book.builtin() as book:
            lines = [
                [book.choose(START, random=generator).uci for _ in range(50)]
                for generator in (random.Random(7), random.Random(7))
            ]
        self.assertEqual(lines[0], lines[1])
        self.assertGreater(len(set(lines[0])), 1)

    def test_an_unsorted_book_is_read_and_says_so(self):
        path = self.write_book([(9 << 60, stored("e2e4"), 1, 0), (1, stored("e2e4"), 1, 0)])
        with Book(path) as book:
            self.assertIn("sort", book.warning)
            self.assertEqual([entry.key for entry in book.entries()], [1, 9 << 60])

    def test_chess960(self):
        fen = "1r2k1r1/1p4p1/8/8/8/8/1P4P1/1R2K1R1 w KQkq - 0 1"
        pathlib.Path("castling.epd").write_text(f"{fen[:-4]} bm O-O;\n")
        with Book("castling.epd") as book:
            self.assertEqual([move[:2] for move in book.moves(fen)], [("e1g1", "O-O")])
            self.assertEqual([position.fen for position in book.positions()], [fen])

    def test_other_kinds_know_the_same_moves(self):
        for kind in ("abk", "epd", "pgn", "tree", "lines"):
            with Book(BOOKS[1]) as book:
                book.convert(f"other.{kind}")
                wanted = {move.uci for move in book.moves(START) if move.weight}
            with Book(f"other.{kind}") as other:
                self.assertEqual({move.uci for move in other.moves(START)}, wanted, kind)

    def test_records_of_chessbase_and_searches_of_a_store(self):
        page = bytes([0, 0x20, 0x10, 0, 0, 1, 0, 1]).ljust(4096, b"\0")
        corpus = ROOT / "tests/fuzz/corpus/ctg"
        pathlib.Path("made.ctg").write_bytes(page + (corpus / "two_pages").read_bytes())
        with Book("made.ctg") as book:
            self.assertEqual(book.format, "ChessBase")
            positions = list(book.positions())
            records = [move.record for place in positions for move in book.moves(place.fen)]
            self.assertTrue(records)
        makebook("grow", "--against", BOOKS[0], "-o", "grown.bin", "--depth", "2",
                 "--min-depth", "1", "--max-positions", "4", "--quiet")  # fmt: skip
        with Book("grown.bin.store") as book:
            searched = [move for move in book.moves(START) if move.nodes]
            self.assertEqual({move.depth for move in searched}, {2})


@unittest.skipUnless(chess, "python-chess is not installed")
class PythonChess(Case):
    def test_entries(self):
        for path in BOOKS:
            with Book(path) as book, chess.polyglot.open_reader(path) as reader:
                for ours, theirs in zip(book.entries(), reader):
                    self.assertEqual(ours[:4], theirs[:4])
                    self.assertEqual(ours.uci, theirs.move.uci())

    def test_moves_of_every_kind_of_position(self):
        generator = random.Random(1)
        compared = castlings = 0
        for path in BOOKS:
            with Book(path) as book, chess.polyglot.open_reader(path) as reader:
                for _ in range(60):
                    board = chess.Board()
                    while entries := list(reader.find_all(board, minimum_weight=0)):
                        theirs = [(entry.move.uci(), *entry[2:4]) for entry in entries]
                        ours = [(move.uci, move.weight, move.learn) for move in book.moves(board)]
                        self.assertEqual(sorted(ours), sorted(theirs), board.fen())
                        for move in book.moves(board):
                            self.assertEqual(board.parse_san(move.san), board.parse_uci(move.uci))
                        move = generator.choice(entries).move
                        compared += 1
                        castlings += board.is_castling(move)
                        board.push(move)
                    self.assertEqual(book.moves(board), [])
        self.assertGreater(compared, 1500)
        self.assertGreater(castlings, 20)

    def test_keys_and_lines_of_positions(self):
        with Book(BOOKS[0]) as book:
            for position in list(book.positions())[::10]:
                board = chess.Board(position.start)
                for move in position.line:
                    board.push_uci(move)
                self.assertEqual(board.fen(en_passant="fen").split()[:3], position.fen.split()[:3])
                self.assertEqual(chess.polyglot.zobrist_hash(board), position.key)

    def test_a_board_of_chess960_gets_its_castling(self):
        board = chess.Board("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", chess960=True)
        key = chess.polyglot.zobrist_hash(board)
        for form in ("e1h1", "e1g1"):
            path = self.write_book([(key, stored(form), 1, 0)])
            with Book(path) as book:
                self.assertEqual(book.moves(board)[0].uci, "e1h1")
                self.assertEqual(book.moves(board.fen())[0].uci, "e1g1")

    def test_a_capture_that_is_illegal_counts_in_the_key(self):
        board = chess.Board("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1")
        board.push_uci("d2d4")
        self.assertNotIn("d3", board.fen())
        path = self.write_book([(chess.polyglot.zobrist_hash(board), stored("a4a3"), 1, 0)])
        with Book(path) as book:
            self.assertEqual(book.moves(board)[0].uci, "a4a3")

    def test_other_games_are_refused(self):
        import chess.variant

        with Book.builtin() as book:
            self.refused("not of atomic", book.moves, chess.variant.AtomicBoard())


class Making(Case):
    def assert_same(self, ours, theirs):
        self.assertEqual(pathlib.Path(ours).read_bytes(), pathlib.Path(theirs).read_bytes())

    def test_counting_is_makebook_build(self):
        real = DATA / "pgn/masters_small.pgn"
        games = [real] if real.exists() else []
        makebook("build", GAMES, *games, "-o", "theirs.bin")
        caxton_books.count([GAMES, *games], "ours.bin")
        self.assert_same("ours.bin", "theirs.bin")
        for words, options in [
            (["--min-games", "1"], {"min_games": 1}),
            (["--min-elo", "2000", "--since", "2000", "--player", "A", "--min-games", "1"],
             {"min_elo": 2000, "since": "2000", "player": "A", "min_games": 1}),
            (["--min-games", "1", "--max-ply", "12", "--uniform", "--color", "white"],
             {"min_games": 1, "max_ply": 12, "uniform": True, "color": "white"}),
            (["--min-games", "2", "--weight", "wilson", "--min-share", "5", "--min-score", "-5",
              "--keep-duplicates", "--jobs", "1"],
             {"min_games": 2, "weight": "wilson", "min_share": 5, "min_score": -5,
              "keep_duplicates": True, "jobs": 1, "strict": False}),
        ]:  # fmt: skip
            makebook("build", GAMES, "-o", "theirs.bin", *words)
            caxton_books.count(GAMES, "ours.bin", **options)
            self.assert_same("ours.bin", "theirs.bin")
        for words, options in [
            ([], {}),
            (["--facets", "none", "--updatable"], {"facets": "none", "updatable": True}),
            (["--mirror", "--min-games", "2"], {"mirror": True, "min_games": 2}),
        ]:
            makebook("build", GAMES, "-o", "theirs.wld", *words)
            caxton_books.count([GAMES], "ours.wld", **options)
            self.assert_same("ours.wld", "theirs.wld")

    def test_several_files_packed_ones_too(self):
        pathlib.Path("games.pgn.gz").write_bytes(gzip.compress(SOME_GAMES.encode()))
        makebook("build", GAMES, "games.pgn.gz", "-o", "theirs.bin", "--keep-duplicates")
        counted = caxton_books.count([GAMES, "games.pgn.gz"], "ours.bin", keep_duplicates=True)
        self.assert_same("ours.bin", "theirs.bin")
        self.assertEqual(counted.games, 600)
        counted = caxton_books.count(iter([GAMES, pathlib.Path("games.pgn.gz")]), "ours.bin")
        self.assertEqual(counted.used, caxton_books.count(GAMES, "ours.bin").used)

    def test_converting_is_makebook_convert(self):
        page = bytes([0, 0x20, 0x10, 0, 0, 1, 0, 1]).ljust(4096, b"\0")
        sources = [BOOKS[0]]
        for path in sorted((ROOT / "tests/fuzz/corpus/ctg").iterdir()):
            sources.append(pathlib.Path(path.name + ".ctg"))
            sources[-1].write_bytes(page + path.read_bytes())
        compared = 0
        for source in sources:
            for kind in ("bin", "abk", "epd"):
                wanted = subprocess.run([MAKEBOOK, "convert", source, f"theirs.{kind}"],
                                        capture_output=True, text=True)  # fmt: skip
                try:
                    with Book(source) as book:
                        lost = book.convert(f"ours.{kind}")
                except BookError as error:
                    self.assertEqual(wanted.returncode, 1, error)
                    continue
                self.assertEqual(wanted.returncode, 0, source)
                self.assert_same(f"ours.{kind}", f"theirs.{kind}")
                self.assertIn(lost, wanted.stderr)
                compared += 1
        self.assertGreater(compared, 5)

    def test_statistics_become_books(self):
        for options, words in [({}, []), ({"mirror": True}, ["--mirror"])]:
            caxton_books.count(GAMES, "counts.wld", **options)
            for kind in ("bin", "epd", "abk"):
                makebook("convert", "counts.wld", f"theirs.{kind}", "--min-games", "1",
                         "--weight", "games")  # fmt: skip
                with Book("counts.wld") as book:
                    self.assertTrue(book.counts_games)
                    book.convert(f"ours.{kind}", min_games=1, weight="games")
                self.assert_same(f"ours.{kind}", f"theirs.{kind}")

    def test_statistics_are_walked(self):
        caxton_books.count(GAMES, "counts.wld")
        with Book("counts.wld") as book:
            positions = list(book.positions())
            moves = sum(len(book.moves(position.fen)) for position in positions)
            self.assertEqual(moves, len(book))
            self.refused("see positions()", list, book.entries())
            games = sum(sum(move.results) for move in book.moves(START))
        self.assertEqual(games, caxton_books.count(GAMES, "counts.wld").used)

    def test_bad_games_are_named(self):
        pathlib.Path("bad.pgn").write_text('[Result "1-0"]\n\n1. e4 e5 2. Ke3 1-0\n\n1. d4 1-0\n')
        counted = caxton_books.count("bad.pgn", "counts.wld")
        self.assertEqual((counted.games, counted.bad_games), (2, 1))
        self.assertIn("bad.pgn:3:", counted.bad[0])
        self.refused("bad.pgn:3:", caxton_books.count, "bad.pgn", "counts.wld", strict=True)


class Faults(Case):
    def test_files(self):
        self.refused("none.bin: No such file", Book, "none.bin")
        self.refused(": ", Book, ".")
        self.refused("no?such.bin: No such file", Book, "no\nsuch.bin")
        pathlib.Path("text.bin").write_text("This is no book, but a letter to a friend.\n" * 9)
        self.refused("text.bin", Book, "text.bin")
        with self.assertRaises(ValueError):
            Book("a\0b")
        with Book.builtin() as book:
            self.refused("no/such", book.convert, "no/such/folder.bin")
            self.refused("no kind of book", book.convert, "what.ever")
            self.refused("only statistics", book.convert, "other.bin", min_games=1)
            self.refused("column", book.moves, "rnbqkbnr/8 w")
        self.assertEqual(self.files(), ["text.bin"])

    def test_nothing_is_lost(self):
        os.rename(GAMES, "games.bin")
        self.refused("would be lost", caxton_books.count, "games.bin", "games.bin")
        os.rename("games.bin", GAMES)
        caxton_books.count(GAMES, "mine.bin")
        before = pathlib.Path("mine.bin").read_bytes()
        with Book("mine.bin") as book:
            self.refused("would be lost", book.convert, "mine.bin")
        self.refused("no move is left", caxton_books.count, GAMES, "mine.bin", min_games=10**6)
        self.refused("nothing.pgn", caxton_books.count, [GAMES, "nothing.pgn"], "mine.bin")
        self.assertEqual(pathlib.Path("mine.bin").read_bytes(), before)
        self.assertEqual(self.files(), ["mine.bin"])

    def test_standard_streams_are_not_files(self):
        self.refused("-", caxton_books.count, "-", "mine.bin")
        with Book.builtin() as book:
            self.refused("-", book.convert, "-", "bin")

    def test_options(self):
        for text, options in [
            ("min-games wants a number", {"min_games": -1}),
            ("there is no option nonsense", {"nonsense": 1}),
            ("uniform wants no value", {"uniform": "yes"}),
            ("max-ply wants a value", {"max_ply": True}),
            ("color must be", {"color": "blue"}),
            ("since", {"since": "yesterday"}),
        ]:
            self.refused(text, caxton_books.count, GAMES, "mine.bin", **options)
        self.refused(".bin or .wld", caxton_books.count, GAMES, "mine.abk")
        self.assertEqual(self.files(), [])

    def test_a_closed_book(self):
        with Book.builtin() as book:
            positions = book.positions()
            entries = book.entries()
            next(positions), next(entries)
        book.close()
        next(positions), next(entries)  # what was begun goes on
        for function in (book.moves, book.choose):
            with self.assertRaises(ValueError):
                function(START)
        with self.assertRaises(ValueError):
            next(book.entries())

    def test_what_the_callback_raises_ends_the_work(self):
        class Enough(BaseException):
            pass

        def stop(size, games):
            raise Enough

        with self.assertRaises(Enough):
            caxton_books.count(GAMES, "mine.bin", progress=stop)
        self.assertEqual(self.files(), [])

        def stop_at_the_end(size, games):
            if games == 300:
                raise Enough

        with self.assertRaises(Enough):
            caxton_books.count(GAMES, "mine.bin", progress=stop_at_the_end)
        self.assertEqual(self.files(), [])
        seen = []
        caxton_books.count(GAMES, "mine.bin", progress=lambda *values: seen.append(values))
        self.assertEqual(seen[-1], (len(SOME_GAMES), 300))

    @unittest.skipUnless(hasattr(os, "kill"), "wants signals")
    def test_an_interrupt_ends_the_work(self):
        noticed = threading.Event()

        def interrupt(number, frame):
            noticed.set()
            raise KeyboardInterrupt

        def progress(size, games):
            if not noticed.is_set():
                os.kill(os.getpid(), signal.SIGINT)
                noticed.wait()

        before = signal.signal(signal.SIGINT, interrupt)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with self.assertRaises(KeyboardInterrupt):
            caxton_books.count(GAMES, "mine.bin", progress=progress)
        self.assertEqual(threading.active_count(), 1)

    def test_nothing_is_printed(self):
        pathlib.Path("bad.pgn").write_text("1. e4 e5 2. Ke3 1-0\n")
        with open("out", "w+b") as out:
            kept = [os.dup(1), os.dup(2)]
            sys.stdout.flush(), sys.stderr.flush()
            os.dup2(out.fileno(), 1), os.dup2(out.fileno(), 2)
            try:
                with contextlib.suppress(BookError):
                    caxton_books.count(GAMES, "mine.bin", since="2000?")
                caxton_books.count([GAMES, "bad.pgn"], "mine.bin")
                with contextlib.suppress(BookError):
                    caxton_books.count(GAMES, "mine.bin", player="AA")
            finally:
                os.dup2(kept[0], 1), os.dup2(kept[1], 2)
                os.close(kept[0]), os.close(kept[1])
            out.seek(0)
            self.assertEqual(out.read(), b"")


class Resources(Case):
    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "wants /proc")
    def test_no_leaks(self):
        def use():
            caxton_books.count(GAMES, "mine.wld", memory=1, jobs=1)
            with Book("mine.wld") as book:
                next(book.positions())
                book.moves(START)
            with Book(BOOKS[0]) as book:
                next(book.entries())
                book.convert("other.abk")
            with contextlib.suppress(BookError):
                Book("none.bin")

        def pages():
            with open("/proc/self/statm") as file:
                return int(file.read().split()[1])

        for _ in range(5):
            use()
        before, files = pages(), len(os.listdir("/proc/self/fd"))
        for _ in range(20):
            use()
        grown = (pages() - before) * os.sysconf("SC_PAGE_SIZE")
        self.assertLess(grown, 6 << 20)  # a book that stays open is 20 times 0.6 MB
        self.assertEqual(len(os.listdir("/proc/self/fd")), files)

    def test_threads_share_a_book_that_one_of_them_closes(self):
        caxton_books.count(GAMES, "mine.wld")
        for path in (BOOKS[0], pathlib.Path("mine.wld")):
            book = Book(path)
            fens = [position.fen for position in book.positions()][:100]
            wanted = [book.moves(fen) for fen in fens]
            wrong = []

            def look_up():
                with contextlib.suppress(ValueError):  # it is closed
                    for _ in range(4):
                        for fen, moves in zip(fens, wanted):
                            if book.moves(fen) != moves:
                                wrong.append(fen)

            threads = [threading.Thread(target=look_up) for _ in range(8)]
            for thread in threads:
                thread.start()
            for _ in range(3):
                self.assertEqual(next(book.positions()).fen, START)
            book.close()
            for thread in threads:
                thread.join()
            self.assertEqual(wrong, [])


class Wheel(Case):
    def test_it_holds_the_module_and_the_library(self):
        sys.path.insert(0, str(ROOT / "python"))
        import backend

        os.mkdir("site")
        with zipfile.ZipFile(backend.build_wheel(os.curdir)) as wheel:
            wheel.extractall("site")
        environment = dict(os.environ, PYTHONPATH="site")
        del environment["CAXTON_BOOKS_LIBRARY"]
        code = "import caxton_books as c; print(c.__file__, c.Book.builtin().format)"
        words = [sys.executable, "-B", "-c", code]
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        self.assertIn("site", done.stdout, done.stderr)
        self.assertIn("Polyglot", done.stdout)
        os.remove(os.path.join("site", "caxton_books", backend.LIBRARY))
        environment.update(CAXTON_BOOKS_LIBRARY=GAMES)
        done = subprocess.run(words, env=environment, capture_output=True, text=True)
        self.assertIn(f"ImportError: {GAMES}", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
