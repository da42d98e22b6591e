"""Opening books of every kind that Caxton knows: read, looked into, made and converted.

>>> import caxton_books
>>> with open("games.pgn", "w") as file:
...     _ = file.write('[Result "1-0"]\\n\\n1. e4 e5 2. Nf3 Nc6 1-0\\n\\n')
...     _ = file.write('[Result "1/2-1/2"]\\n\\n1. e4 c5 1/2-1/2\\n')
>>> caxton_books.count("games.pgn", "mine.bin", min_games=1)
Counted(games=2, used=2, plies=6, moves=3, bad_games=0, bad=())
>>> with caxton_books.Book("mine.bin") as book:
...     [(move.uci, move.san, move.weight) for move in book.moves(caxton_books.START)]
[('e2e4', 'e4', 3)]

A position is a FEN, or an object with a method fen(), such as a chess.Board of python-chess, which
is not needed. Any number of threads may use one Book at once.
"""

from __future__ import annotations

import ctypes
import os
import random as _random
import sys
from typing import Any, Callable, Iterable, Iterator, NamedTuple, Optional, Protocol, Union

from . import _library
from ._library import BookError

__all__ = ["START", "Book", "BookError", "BookMove", "Counted", "Entry", "Position", "count"]
__version__ = "0.1.0"

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
"""The position that games start from."""


class Board(Protocol):
    """A position of another library: python-chess's chess.Board is one."""

    def fen(self) -> str: ...


Path = Union[str, "os.PathLike[str]"]
Option = Union[bool, int, float, str, "os.PathLike[str]", None]


class BookMove(NamedTuple):
    """A move, and what a book knows of it. What it does not know is 0."""

    uci: str
    """As in UCI; castling is e1g1, or e1h1 where the position or the board is Chess960."""
    san: str
    weight: int
    """0: known, but never played. Of statistics the number of games."""
    learn: int
    """Of Polyglot books, as it stands there."""
    results: tuple[float, float, float]
    """Of statistics: games won, drawn and lost by who makes the move."""
    ratings: tuple[int, int]
    """Of statistics: the mean rating of who makes the move, and of the opponents."""
    record: tuple[int, int, int]
    """Of Arena and ChessBase books: games, and of them won and lost by who makes the move."""
    score: int
    """Of a store of searches, with depth and nodes: centipawns for who makes the move."""
    depth: int
    nodes: int


class Entry(NamedTuple):
    """A move as a book holds it: of a Polyglot book the entry of the file."""

    key: int
    """The Polyglot key of the position: chess.polyglot.zobrist_hash() of python-chess."""
    raw_move: int
    """The move as a Polyglot book stores it."""
    weight: int
    learn: int
    uci: str
    """The same move, legal or not; castling is e1h1."""


class Position(NamedTuple):
    """A position that a book has moves for."""

    key: int
    fen: str
    start: str
    """The FEN of where the line begins."""
    line: tuple[str, ...]
    """A shortest line to it, moves as in UCI."""


class Counted(NamedTuple):
    """What became of the games."""

    games: int
    """Read."""
    used: int
    """Counted; the others were left out by the options, were equal or bad."""
    plies: int
    """Counted."""
    moves: int
    """Written."""
    bad_games: int
    bad: tuple[str, ...]
    """The first of them, "FILE:LINE:COLUMN: game NUMBER: what is wrong"."""


def _path(path: Path) -> bytes:
    """A path or another text for the library."""
    text = os.fspath(path)
    if "\0" in text:
        raise ValueError(f"{text!r}: a text with a null character")
    return text.encode() if sys.platform == "win32" else os.fsencode(text)


def _texts(items: Iterable[bytes]) -> Any:
    """An array of C strings that NULL ends."""
    items = list(items)
    return (ctypes.c_char_p * (len(items) + 1))(*items, None)


def _options(options: dict[str, Option]) -> Any:
    """min_games=3 as "min-games=3", uniform=True as "uniform"."""
    texts = []
    for name, value in options.items():
        if value is None or value is False:
            continue
        name = name.replace("_", "-")
        text = value if isinstance(value, os.PathLike) else str(value)
        texts.append(_path(name) + (b"" if value is True else b"=" + _path(text)))
    return _texts(texts)


def _fen(position: Union[str, Board]) -> tuple[bytes, bool]:
    """The FEN, and whether castling is to be written as in Chess960."""
    if isinstance(position, str):
        return _path(position), False
    variant = getattr(position, "uci_variant", "chess")
    if variant != "chess":
        raise BookError(f"books are of chess, not of {variant}")
    try:
        fen = position.fen(en_passant="fen")  # type: ignore  # as keys have it, legal or not
    except TypeError:
        fen = position.fen()
    return _path(fen), bool(getattr(position, "chess960", False))


class _Handle:
    """An open book of the library: closed when the last call or iterator that uses it has ended."""

    def __init__(self, path: Optional[bytes]) -> None:
        self.pointer = ctypes.c_void_p()
        _library.call("caxton_open", path, ctypes.byref(self.pointer))

    def __del__(self, _close: Any = _library.functions.caxton_close) -> None:
        _close(self.pointer)


class Book:
    """An open book: Polyglot (.bin), Arena (.abk), ChessBase (.ctg), EPD, PGN repertoires,
    Thompson's trees, White's lines, Caxton's statistics (.wld) and stores (.store).

    Opened by its content; a book with faults that has sound moves is opened, and .warning says so.
    Statistics stay on disk, everything else is read into memory. Raises BookError.

    >>> book = Book.builtin()
    >>> len(book) > 1000, book.format, START in book
    (True, 'Polyglot', True)
    >>> book.close()
    """

    def __init__(self, path: Path) -> None:
        self._open(_path(path))

    @classmethod
    def builtin(cls) -> Book:
        """The book that is part of Caxton."""
        book = cls.__new__(cls)
        book._open(None)
        return book

    def _open(self, path: Optional[bytes]) -> None:
        self._handle: Optional[_Handle] = _Handle(path)
        info = _library.Info()
        _library.functions.caxton_describe(self._handle.pointer, ctypes.byref(info))
        self.name: str = os.fsdecode(info.name)
        self.format: str = info.format.decode()
        """The kind of book: "Polyglot", "Arena", "statistics" .."""
        self.warning: str = info.warning.decode("utf-8", "replace")
        """One line about what is wrong with the file, "" for nothing."""
        self.counts_games: bool = info.unit > 0
        """Statistics, whose moves have results instead of weights."""
        self._unit, self._moves = int(info.unit), int(info.moves)

    def _use(self) -> _Handle:
        """Whoever has the handle may go on when another thread closes the book meanwhile."""
        handle = self._handle
        if handle is None:
            raise ValueError(f"{self.name}: the book is closed")
        return handle

    def close(self) -> None:
        """Frees its memory. May come twice, and while other threads use the book."""
        self._handle = None

    def __enter__(self) -> Book:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<Book {self.name}: {self.format}, {self._moves} moves>"

    def __len__(self) -> int:
        """How many moves it has, each counted once in its position."""
        return self._moves

    def __bool__(self) -> bool:
        return True

    def __contains__(self, position: Union[str, Board]) -> bool:
        return bool(self.moves(position))

    def moves(self, position: Union[str, Board]) -> list[BookMove]:
        """The legal moves that the book has in a position, heaviest first, [] for none.

        Illegal entries are left out; equal ones are added up; moves of weight 0 are there.
        """
        fen, chess960 = _fen(position)
        found = (_library.Move * _library.MOVES_MAX)()
        count = ctypes.c_int32()
        handle = self._use()
        _library.call("caxton_look_up", handle.pointer, fen, chess960, found, ctypes.byref(count))
        moves = [self._move(found[i]) for i in range(count.value)]
        return sorted(moves, key=lambda move: -move.weight)

    def _move(self, move: _library.Move) -> BookMove:
        unit = self._unit or 1
        results = tuple(n // unit if n % unit == 0 else n / unit for n in move.results)
        return BookMove(
            move.uci.decode(), move.san.decode(), move.weight, move.learn,
            results, tuple(move.ratings), tuple(move.record),  # type: ignore
            move.score, move.depth, move.nodes,
        )

    def choose(
        self,
        position: Union[str, Board],
        selection: str = "weighted",
        random: Optional[_random.Random] = None,
    ) -> Optional[BookMove]:
        """A move to play, None for none; never one of weight 0.

        selection: "weighted", in proportion to the weights; "best", the heaviest; "uniform".
        random: repeatable choices by a generator with a seed.

        >>> with Book.builtin() as book:
        ...     book.choose(START, "best").uci
        'g1f3'
        """
        moves = [move for move in self.moves(position) if move.weight > 0]
        if selection not in ("weighted", "best", "uniform"):
            raise ValueError(f"selection {selection!r} is not weighted, best or uniform")
        if not moves or selection == "best":
            return moves[0] if moves else None
        weights = [move.weight if selection == "weighted" else 1 for move in moves]
        return (random or _random).choices(moves, weights)[0]  # type: ignore

    def entries(self) -> Iterator[Entry]:
        """Every move by the key of its position, ascending: of a Polyglot book the entries of its
        file, illegal ones too. Statistics and Thompson's trees have positions() only."""
        handle = self._use()
        entry = _library.Entry()
        index = 0
        while _library.functions.caxton_entry_at(handle.pointer, index, ctypes.byref(entry)):
            yield Entry(entry.key, entry.move, entry.weight, entry.learn, entry.uci.decode())
            index += 1
        if index == 0 and self._moves:
            raise BookError(f"{self.name}: {self.format}: has no entries by key, see positions()")

    def positions(self) -> Iterator[Position]:
        """Every position that the book has moves for and lines from the start reach, one before
        those behind it. They are found, all of them, before the first is given.

        >>> with Book.builtin() as book:
        ...     next(book.positions()).line
        ()
        """
        found: list[Position] = []

        def take(key: int, fen: bytes, start: bytes, line: bytes) -> None:
            moves = tuple(line.decode().split())
            found.append(Position(key, fen.decode(), start.decode(), moves))

        handle = self._use()
        _library.guarded("caxton_walk", _library.VISITOR, take, handle.pointer, take)
        found.reverse()
        while found:
            yield found.pop()

    def convert(self, path: Path, kind: Optional[str] = None, **options: Option) -> str:
        """Writes the book as a file of another kind, whole or not at all.

        kind: as makebook convert --to has it, "bin", "abk", "epd", "pgn" ..; by default the ending
        of the path. options: min_games, weight, uniform, min_share and min_score of makebook
        convert, for statistics. Returns what the file does not hold of the book, "" for nothing.

        >>> with Book.builtin() as book:
        ...     lost = book.convert("builtin.epd")
        >>> Book("builtin.epd").format
        'EPD'
        """
        lost = ctypes.create_string_buffer(_library.LOST_MAX)
        given = None if kind is None else _path(kind)
        handle = self._use()
        texts = _options(options)
        _library.call("caxton_convert", handle.pointer, _path(path), given, texts, lost)
        return lost.value.decode("utf-8", "replace")


def count(
    games: Union[Path, Iterable[Path]],
    path: Path,
    *,
    progress: Optional[Callable[[int, int], object]] = None,
    **options: Option,
) -> Counted:
    """Counts the games of PGN files into a Polyglot book, or into statistics where `path` ends in
    .wld; the file is that of makebook build, byte for byte.

    games: one path or several; gzip, bzip2, xz, zstd and ZIP are unpacked, as far as the library
    was built with them. options: those of makebook build, with _ for -: max_ply=20, min_elo=2400,
    color="white", min_games=1, uniform=True .. progress: called now and then, on another thread,
    with the bytes and the games read so far; what it raises ends the work, and so does Ctrl-C;
    nothing is written then. Raises BookError.

    >>> with open("one.pgn", "w") as file:
    ...     _ = file.write('[Result "0-1"]\\n\\n1. f3 e5 2. g4 Qh4# 0-1\\n')
    >>> count("one.pgn", "one.wld").moves
    4
    >>> with Book("one.wld") as book:
    ...     [(move.san, move.results) for move in book.moves(START)]
    [('f3', (0, 0, 1))]
    """
    paths = [games] if isinstance(games, (str, os.PathLike)) else games
    counted = _library.Counted()

    def ask(bytes_read: int, games_read: int) -> None:
        if progress:
            progress(bytes_read, games_read)

    _library.guarded(
        "caxton_count", _library.ASKED, ask, _texts(_path(name) for name in paths), _path(path),
        _options(options), ask, ctypes.byref(counted),
    )
    bad = tuple(line.value.decode("utf-8", "replace") for line in counted.bad if line.value)
    numbers = (counted.games, counted.used, counted.plies, counted.moves, counted.bad_games)
    return Counted(*numbers, bad)
