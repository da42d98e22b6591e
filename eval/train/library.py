"""The C side of the trainer (loader.h, layer.h) for Python: structures, loading, batches."""
import ctypes
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from ctypes import POINTER, c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint8, c_uint16
from ctypes import c_uint32, c_uint64, c_void_p

import torch

PIECES, BUCKETS, PAIRS, FIRST = 32, 8, 32, 16
RELATIONS, RELATED = 64368, 128


class Options(ctypes.Structure):
    _fields_ = [("seed", c_uint64), ("order", c_uint64)] + [(name, c_int32) for name in (
        "validation_permille", "drop_check", "drop_capture", "max_score", "min_pieces",
        "max_pieces")] + [(name, c_float) for name in ("max_surprise", "score_unit", "flatten")] + [
        ("king_buckets", c_uint8 * 32)]


class Report(ctypes.Structure):
    _fields_ = [(name, c_uint64) for name in (
        "positions", "games", "kept", "check", "capture", "score", "pieces", "surprise",
        "torn_bytes")] + [("scale", c_float)]


class LoaderBatch(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in (
        "features", "pieces", "relations", "related", "score", "result", "lambda")]


class LoaderStreams(ctypes.Structure):
    _fields_ = [("files", POINTER(c_int32)), ("count", c_uint32), ("room", c_uint32),
                ("begin", c_uint32), ("validation", c_uint32)] + [(name, c_float) for name in (
                    "reuse", "lambda", "scale")]


class LayerShape(ctypes.Structure):
    _fields_ = [(name, c_int32) for name in ("threads", "tiles", "rows", "related_tiles")]


class LayerBatch(ctypes.Structure):
    _fields_ = [("positions", c_int32)] + [(name, c_void_p) for name in (
        "features", "pieces", "relations", "related")]


class LayerWeights(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("features", "bias", "first", "turned",
                                              "relations")]


class LayerGradient(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("features", "bias", "first", "relations")]


class LayerHead(ctypes.Structure):
    """Also the gradient by them."""
    _fields_ = [(name, c_void_p) for name in ("first_bias", "second", "second_bias", "third",
                                              "third_bias")]


class LayerTrained(ctypes.Structure):
    _fields_ = [(name, c_void_p) for name in ("values", "first", "second")]


class LayerParameters(ctypes.Structure):
    _fields_ = [(name, LayerTrained) for name in ("features", "shared", "bias", "first", "relations")]


class LayerStep(ctypes.Structure):
    _fields_ = [(name, c_float) for name in (
        "rate", "second_scale", "decay", "feature_limit", "first_limit")]


def open_library(path):
    """The library at `path`, with the types of its functions."""
    library = ctypes.CDLL(path)
    for name, result, arguments in (
            ("layer_tile", c_int32, []),
            ("layer_forward", c_int32, [POINTER(LayerShape), POINTER(LayerBatch),
                                        POINTER(LayerWeights), c_void_p, c_void_p, c_void_p]),
            ("layer_head_forward", c_int32, [POINTER(LayerShape), POINTER(LayerBatch),
                                             POINTER(LayerHead), c_void_p, c_void_p]),
            ("layer_head_backward", c_int32, [POINTER(LayerShape), POINTER(LayerBatch),
                                              POINTER(LayerHead), c_void_p, c_void_p,
                                              POINTER(LayerHead), c_void_p]),
            ("layer_backward", c_int32, [POINTER(LayerShape), POINTER(LayerBatch),
                                         POINTER(LayerWeights), c_void_p, c_void_p,
                                         c_float, POINTER(LayerGradient)]),
            ("layer_update", c_int32, [POINTER(LayerShape), POINTER(LayerParameters),
                                       POINTER(LayerGradient), POINTER(LayerStep),
                                       POINTER(LayerWeights)]),
            ("layer_adam", None, [c_int64, POINTER(LayerTrained), c_void_p, POINTER(LayerStep),
                                  c_float]),
            ("loader_create", c_void_p, [POINTER(Options)]),
            ("loader_add", c_char_p, [c_void_p, c_char_p, c_float, c_float, c_float,
                                      POINTER(Report)]),
            ("loader_finish", c_uint64, [c_void_p]),
            ("loader_validation_size", c_uint64, [c_void_p]),
            ("loader_open_streams", c_char_p, [c_void_p, POINTER(LoaderStreams),
                                               POINTER(Report)]),
            ("loader_next", c_char_p, [c_void_p, c_size_t, c_uint16, POINTER(LoaderBatch)]),
            ("loader_validation", None, [c_void_p, c_size_t, c_size_t, c_uint16,
                                         POINTER(LoaderBatch)]),
            ("loader_packed", POINTER(c_uint8), [c_void_p, c_size_t])):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Batch:
    """Positions as tensors; features and relations are 16 bits (torch has no unsigned ones), side to
    move first. has_relations: without, there are none of them."""

    NAMES = "features", "pieces", "relations", "related", "score", "result", "lambda_"

    def __init__(self, size, has_relations):
        rows = size if has_relations else 0
        self.relations = torch.empty(rows, 2, RELATED, dtype=torch.int16)
        self.related = torch.empty(rows, 2, dtype=torch.uint8)
        self.features = torch.empty(size, 2, PIECES, dtype=torch.int16)
        self.pieces = torch.empty(size, dtype=torch.uint8)
        self.score, self.result, self.lambda_ = (torch.empty(size) for _ in range(3))
        self.pointers = LoaderBatch(*(getattr(self, name).data_ptr() or None
                                      for name in self.NAMES))

    def in_order(self):
        """Sorted by the number of pieces: the weights of an output bucket then stay in the cache."""
        order = self.pieces.argsort()
        for name in self.NAMES:
            tensor = getattr(self, name)
            setattr(self, name, tensor[order] if len(tensor) else tensor)
        return self

    def to(self, device):
        for name in self.NAMES:
            setattr(self, name, getattr(self, name).to(device))
        return self


def settings_of(source, share):
    """(path, weight, lambda, scale) of FILE[:key=value,...]; scale=fit is 0."""
    path, _, rest = source.partition(":")
    keys = {"weight": 1.0, "lambda": share, "scale": 1.0}
    for pair in filter(None, rest.split(",")):
        key, _, value = pair.partition("=")
        try:
            keys[key] = 0.0 if pair == "scale=fit" else float(value)
        except ValueError:
            sys.exit(f"{source}: {pair} has no number")
    if len(keys) > 3:
        sys.exit(f"{source}: a source has weight, lambda and scale, not {list(keys)[3]}")
    return path, *keys.values()


class Streams:
    """Programs that write samples to their standard output, each with a seed of its own. They end
    with the trainer: nobody reads what they write any more."""

    def __init__(self, commands, seed):
        self.programs = [subprocess.Popen(shlex.split(command) + ["--seed", str(seed + i)],
                                          stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
                         for i, command in enumerate(commands)]
        self.files = (c_int32 * len(commands))(*(p.stdout.fileno() for p in self.programs))

    def close(self):
        for program in self.programs:
            program.stdout.close()
            program.wait()


def shown(report):
    return ", ".join(f"{name} {getattr(report, name):.6g}" for name, _ in report._fields_
                     if getattr(report, name))


class Loader:
    """Training batches, prepared ahead by a thread of its own, and the validation set."""

    def __init__(self, library, options, padding, has_relations=False):
        self.native, self.padding, self.streams = library, padding, None
        self.has_relations = has_relations
        self.loader = library.loader_create(ctypes.byref(options))

    def add_files(self, sources, share, test=False):
        """sources: as settings_of() has them. test: all are for validation."""
        for source in sources:
            path, weight, part, scale = settings_of(source, share)
            report = Report()
            fault = self.native.loader_add(self.loader, path.encode(), weight, part, scale,
                                           ctypes.byref(report))
            if fault:
                sys.exit(f"{path} {fault.decode()}")
            print(path, shown(report), flush=True)
        self._finish(test)

    def open_streams(self, streams, room, begin, validation, reuse, share, scale):
        """room: training positions in memory, `begin` of them before the first batch. reuse: how
        often each is used in the mean."""
        self.streams, self.report = streams, Report()
        self.settings = LoaderStreams(streams.files, len(streams.files), room, begin, validation,
                                      reuse, share, scale)
        self._check(self.native.loader_open_streams(self.loader, self.settings, self.report))
        print("streams:", shown(self.report), flush=True)
        self._finish()

    def _check(self, fault):
        if fault:
            sys.exit(f"the stream {fault.decode()}")

    def _finish(self, test=False):
        self.size = self.native.loader_finish(self.loader)
        self.validation_size = self.native.loader_validation_size(self.loader)
        if (self.size == 0 and not test) or self.validation_size == 0:
            sys.exit("no positions are left for training or for validation")
        print(f"{self.size} positions for training, {self.validation_size} for validation")
        self.thread = ThreadPoolExecutor(1)

    def close(self):
        """Ends the thread and the programs of the streams."""
        self.thread.shutdown(cancel_futures=True)
        if self.streams:
            self.streams.close()

    def _next(self, size):
        batch = Batch(size, self.has_relations)
        self._check(self.native.loader_next(self.loader, size, self.padding, batch.pointers))
        return batch.in_order()

    def batches(self, size, ahead=3):
        """Training batches without end."""
        waiting = [self.thread.submit(self._next, size) for _ in range(ahead)]
        while True:
            waiting.append(self.thread.submit(self._next, size))
            yield waiting.pop(0).result()

    def validation(self, size, limit):
        """At most `limit` positions of the validation set in batches, always the same."""
        limit = min(limit, self.validation_size)
        for start in range(0, limit, size):
            batch = Batch(min(size, limit - start), self.has_relations)
            self.native.loader_validation(self.loader, start, len(batch.score), self.padding,
                                           batch.pointers)
            yield batch

    def packed(self, number):
        """The 32 bytes of a validation position."""
        return bytes(self.native.loader_packed(self.loader, number)[:32])
