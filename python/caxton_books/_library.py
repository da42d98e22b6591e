"""The shared library caxton_books by ctypes: where it is found, and its functions and structs.

They are those of book/library/caxton_books.h, where they are described.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import sys
from typing import Callable, Iterator

ABI = 1
MOVES_MAX = 256
LOST_MAX = 700

if sys.platform == "win32":
    FILE = "libcaxton_books.dll"
elif sys.platform == "darwin":
    FILE = "libcaxton_books.dylib"
else:
    FILE = "libcaxton_books.so"


class BookError(Exception):
    """What is wrong, in one line that names the file and the place, as far as they are known."""

    __module__ = "caxton_books"


class Fault(ctypes.Structure):
    _fields_ = [("status", ctypes.c_int32), ("text", ctypes.c_char * 508)]


class Info(ctypes.Structure):
    _fields_ = [
        ("name", ctypes.c_char_p),
        ("format", ctypes.c_char_p),
        ("warning", ctypes.c_char_p),
        ("moves", ctypes.c_uint64),
        ("unit", ctypes.c_uint64),
    ]


class Move(ctypes.Structure):
    _fields_ = [
        ("uci", ctypes.c_char * 8),
        ("san", ctypes.c_char * 12),
        ("weight", ctypes.c_uint32),
        ("learn", ctypes.c_uint32),
        ("results", ctypes.c_uint64 * 3),
        ("ratings", ctypes.c_uint64 * 2),
        ("record", ctypes.c_uint64 * 3),
        ("nodes", ctypes.c_uint64),
        ("score", ctypes.c_int32),
        ("depth", ctypes.c_int32),
    ]


class Entry(ctypes.Structure):
    _fields_ = [
        ("key", ctypes.c_uint64),
        ("weight", ctypes.c_uint32),
        ("learn", ctypes.c_uint32),
        ("move", ctypes.c_uint32),
        ("uci", ctypes.c_char * 8),
    ]


class Counted(ctypes.Structure):
    _fields_ = [
        ("games", ctypes.c_uint64),
        ("used", ctypes.c_uint64),
        ("plies", ctypes.c_uint64),
        ("moves", ctypes.c_uint64),
        ("bad_games", ctypes.c_uint64),
        ("bad", (ctypes.c_char * 420) * 5),
    ]


TEXTS = ctypes.POINTER(ctypes.c_char_p)
VISITOR = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p, ctypes.c_char_p
)
ASKED = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint64, ctypes.c_uint64)

_book, _text, _fault = ctypes.c_void_p, ctypes.c_char_p, ctypes.POINTER(Fault)
# What each function returns and takes.
_FUNCTIONS = {
    "caxton_books_abi": (ctypes.c_int, []),
    "caxton_open": (ctypes.c_int, [_text, ctypes.POINTER(_book), _fault]),
    "caxton_close": (None, [_book]),
    "caxton_describe": (None, [_book, ctypes.POINTER(Info)]),
    "caxton_look_up": (
        ctypes.c_int,
        [_book, _text, ctypes.c_int, ctypes.POINTER(Move), ctypes.POINTER(ctypes.c_int32), _fault],
    ),
    "caxton_entry_at": (ctypes.c_int, [_book, ctypes.c_uint64, ctypes.POINTER(Entry)]),
    "caxton_walk": (ctypes.c_int, [_book, VISITOR, _fault]),
    "caxton_convert": (ctypes.c_int, [_book, _text, _text, TEXTS, ctypes.c_char_p, _fault]),
    "caxton_count": (
        ctypes.c_int,
        [TEXTS, _text, TEXTS, ASKED, ctypes.POINTER(Counted), _fault],
    ),
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
            library = ctypes.CDLL(place)
            version = library.caxton_books_abi()
        except (OSError, AttributeError) as error:
            raise ImportError(f"{place}: {error}") from None
        if version != ABI:
            raise ImportError(f"{place} is of another version of Caxton: build both from one clone")
        for name, (result, arguments) in _FUNCTIONS.items():
            function = getattr(library, name)
            function.restype, function.argtypes = result, arguments
        return library
    raise ImportError(
        f"{FILE} was not found: build it (cmake --build build --target caxton_books), or name it "
        "in the environment variable CAXTON_BOOKS_LIBRARY"
    )


library = _load()


def call(name: str, *arguments: object) -> None:
    """Calls a function that has a fault as its last argument, and raises BookError for it."""
    fault = Fault()
    if getattr(library, name)(*arguments, ctypes.byref(fault)):
        raise BookError(fault.text.decode("utf-8", "replace"))


def guarded(
    name: str, kind: Callable[..., object], function: Callable[..., object], *arguments: object
) -> None:
    """The same with a callback of `kind` in front of the fault, or where None stands.

    What the callback raises, KeyboardInterrupt too, ends the call, and is raised here.
    """
    raised: list[BaseException] = []

    def guard(*values: object) -> int:
        try:
            function(*values)
        except BaseException as error:  # must not go through C
            raised.append(error)
        return len(raised)

    callback = kind(guard)
    given = [callback if argument is function else argument for argument in arguments]
    try:
        call(name, *given)
    finally:
        if raised:
            raise raised[0]
