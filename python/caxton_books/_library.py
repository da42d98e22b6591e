"""The shared library caxton_books by ctypes: where it is found, and its functions and structs.

They are those of book/library/caxton_books.h, where they are described.
"""

from __future__ import annotations

import contextlib
import ctypes
import ctypes.util
import os
import sys
import threading
from typing import Any, Callable, Iterator

ABI = 1
MOVES_MAX = 256
LOST_MAX = 700

FILE = {"win32": "libcaxton_books.dll"}.get(sys.platform, "libcaxton_books.so")


class BookError(Exception):
    """What is wrong, in one line that names the file and the place, as far as they are known."""

    __module__ = "caxton_books"


_i32, _u32, _u64 = ctypes.c_int32, ctypes.c_uint32, ctypes.c_uint64


def _fields(kind: Any, names: str) -> list[tuple[str, Any]]:
    return [(name, kind) for name in names.split()]


class Fault(ctypes.Structure):
    _fields_ = [("status", _i32), ("text", ctypes.c_char * 508)]


class Info(ctypes.Structure):
    _fields_ = _fields(ctypes.c_char_p, "name format warning") + _fields(_u64, "moves unit")


class Move(ctypes.Structure):
    _fields_ = [
        ("uci", ctypes.c_char * 8),
        ("san", ctypes.c_char * 12),
        *_fields(_u32, "weight learn"),
        ("results", _u64 * 3),
        ("ratings", _u64 * 2),
        ("record", _u64 * 3),
        ("nodes", _u64),
        *_fields(_i32, "score depth"),
    ]


class Entry(ctypes.Structure):
    _fields_ = [("key", _u64), *_fields(_u32, "weight learn move"), ("uci", ctypes.c_char * 8)]


class Counted(ctypes.Structure):
    _fields_ = _fields(_u64, "games used plies moves bad_games")
    _fields_ += [("bad", (ctypes.c_char * 420) * 5)]


TEXTS = ctypes.POINTER(ctypes.c_char_p)
VISITOR = ctypes.CFUNCTYPE(ctypes.c_int, _u64, *[ctypes.c_char_p] * 3)
ASKED = ctypes.CFUNCTYPE(ctypes.c_int, _u64, _u64)

_int, _text, _book, _to = ctypes.c_int, ctypes.c_char_p, ctypes.c_void_p, ctypes.POINTER
_fault = _to(Fault)
# What each function returns and takes.
_FUNCTIONS = {
    "caxton_books_abi": (_int, []),
    "caxton_open": (_int, [_text, _to(_book), _fault]),
    "caxton_close": (None, [_book]),
    "caxton_describe": (None, [_book, _to(Info)]),
    "caxton_look_up": (_int, [_book, _text, _int, _to(Move), _to(_i32), _fault]),
    "caxton_entry_at": (_int, [_book, _u64, _to(Entry)]),
    "caxton_walk": (_int, [_book, VISITOR, _fault]),
    "caxton_convert": (_int, [_book, _text, _text, TEXTS, ctypes.c_char_p, _fault]),
    "caxton_count": (_int, [TEXTS, _text, TEXTS, ASKED, _to(Counted), _fault]),
}


def _places() -> Iterator[str]:
    """Where the library may be, best first."""
    named = os.environ.get("CAXTON_BOOKS_LIBRARY")
    if named:
        yield named
        return
    here = os.path.dirname(os.path.abspath(__file__))
    build = os.path.join(here, os.pardir, os.pardir, "build")  # of a clone
    prefixes = [sys.prefix, os.path.expanduser("~/.local"), "/usr/local"]
    libraries = [os.path.join(prefix, lib) for prefix in prefixes for lib in ("lib", "lib64")]
    for folder in [here, build, *libraries]:
        path = os.path.join(folder, FILE)
        if os.path.exists(path):
            yield path
    found = ctypes.util.find_library("caxton_books")
    if found:
        yield found


def _load() -> ctypes.CDLL:
    for place in _places():
        try:
            functions = ctypes.CDLL(place)
            version = functions.caxton_books_abi()
        except (OSError, AttributeError) as error:
            raise ImportError(f"{place}: {error}") from None
        if version != ABI:
            raise ImportError(f"{place} is of another version of Caxton: build both from one clone")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(functions, name)
            function.restype, function.argtypes = result, arguments
        return functions
    raise ImportError(
        f"{FILE} was not found: build it (cmake --build build --target caxton_books), or name it "
        "in the environment variable CAXTON_BOOKS_LIBRARY"
    )


functions = _load()


def call(name: str, *arguments: object) -> None:
    """Calls a function that has a fault as its last argument, and raises BookError for it."""
    fault = Fault()
    if getattr(functions, name)(*arguments, ctypes.byref(fault)):
        raise BookError(fault.text.decode("utf-8", "replace"))


def guarded(
    name: str, kind: Callable[..., object], function: Callable[..., object], *arguments: object
) -> None:
    """The same with a callback of `kind`, which is put where `function` stands in the arguments.

    What the callback raises ends the call, and so does Ctrl-C; it is raised here. The call runs on
    a thread of its own: Python raises KeyboardInterrupt on the main thread, which only waits
    meanwhile. Raised at the head of a callback it would be lost (Python 3.11 and later).
    """
    raised: list[BaseException] = []
    go, done = threading.Event(), threading.Event()

    def guard(*values: object) -> int:
        try:
            function(*values)
        except BaseException as error:  # must not go through C
            raised.append(error)
        return len(raised)

    callback = kind(guard)
    given = [callback if argument is function else argument for argument in arguments]

    def run() -> None:
        go.wait()
        try:
            if not raised:
                call(name, *given)
        except BaseException as error:
            raised.append(error)
        done.set()

    worker = threading.Thread(target=run)
    try:
        worker.start()
        go.set()
        while not done.wait(0.2):  # Windows: no signal ends a wait
            pass
    except BaseException as error:
        raised.append(error)
    if go.is_set():  # else it was interrupted while it started
        while not done.is_set():
            with contextlib.suppress(KeyboardInterrupt):  # again
                done.wait(0.2)
        worker.join()
    go.set()
    if raised:
        raise raised[0]
