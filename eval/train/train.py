#!/usr/bin/env python3
"""Trains Caxton's network on packed positions: see README.md for the whole chain of commands."""
import argparse
import math
import os
import sys
import time

import torch
from export import SCALE, export, read, state_of
from library import Loader, Options, Streams, open_library
from model import HEAD, Adam, Network, shape_of

# King buckets by rank * 4 + file (a..d) of the mirrored king.
KING_BUCKETS = {
    1: [0] * 32,
    3: [0, 0, 1, 1] * 2 + [2] * 24,
    4: [0, 0, 1, 1] + [2] * 4 + [3] * 24,
    8: [0, 1, 2, 3, 4, 4, 5, 5] + [6] * 8 + [7] * 16,
    12: [0, 1, 2, 3, 4, 5, 6, 7] + [8, 8, 9, 9] + [10] * 8 + [11] * 12,
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add("data", nargs="*", metavar="FILE[:weight=W,lambda=L,scale=S]",
        help="packed positions; how often they are used, their share of the score in the target, "
        "the factor of their scores (or scale=fit)")
    add("--stream", action="append", default=[], metavar="COMMAND",
        help="a program that writes packed positions without end, in place of files; a --seed is "
        "added; may be given again")
    add("--generators", type=int, default=1, help="of each stream at a time (%(default)s)")
    add("--room", type=float, default=4, help="of streams, millions kept in memory (%(default)s)")
    add("--begin", type=float, default=math.inf, help="of streams, millions before training begins; "
        "more join them until the room is full (all)")
    add("--reuse", type=float, default=1, help="of streams, uses of a position (%(default)s)")
    add("--scale", type=float, default=1, help="of streams, factor of the scores (%(default)s)")
    add("--output", default="network", help="writes OUTPUT.nnue, .golden, .png, .pt (%(default)s)")
    add("--library", dest="native", default="build/libcaxton-trainer.so")
    add("--hidden", type=int, default=1024)
    add("--king-buckets", type=int, default=1, choices=KING_BUCKETS)
    add("--factorise", action="store_true", help="king buckets share a common part")
    add("--related", type=int, default=0, metavar="N", help="the last N hidden units also see which "
        "piece attacks which, and pairs of pawns (%(default)s)")
    add("--positions", type=float, help="to train on, millions (100; with --minutes without end)")
    add("--minutes", type=float, default=math.inf, help="end after this time; the schedule is fitted to it")
    add("--batch", type=int, default=16384)
    add("--rate", type=float, default=0.002, help="largest learning rate (%(default)s)")
    add("--final-rate", type=float, default=0.01, help="last one, as a share (%(default)s)")
    add("--warm-up", type=float, default=0.01, help="share of the training (%(default)s)")
    add("--schedule", choices=("cosine", "linear"), default="cosine")
    add("--decay", type=float, default=0.01, help="weight decay (%(default)s)")
    add("--sparse", type=float, default=0, help="what a product of a pair of hidden values adds to "
        "the loss: with more of them zero the engine is faster (%(default)s)")
    add("--lambda", type=float, default=0.7, dest="share", help="of the score in the target")
    add("--power", type=float, default=2.5, help="of |error| in the loss (%(default)s)")
    add("--seed", type=int, default=1)
    add("--threads", type=int, default=os.cpu_count())
    add("--interval", type=float, default=5, help="millions of positions between reports")
    add("--validation-limit", type=int, default=200000)
    add("--test", metavar="FILE[:scale=S]", help="packed positions of games that the training has "
        "nothing to do with: their error is reported, too")
    add("--resume", action="store_true", help="continue from OUTPUT.pt, with its shape")
    add("--start", help="begin with the weights of another .pt or .nnue (not with --resume or --export)")
    add("--export", action="store_true", help="only export OUTPUT.pt, with its shape")
    add("--check", action="store_true", help="compare layer.c with torch's own operations")
    add("--description", default="", help="for the file, at most 127 characters")
    for name, kind, value, text in (
            ("validation-permille", int, 20, "share of the games for validation"),
            ("keep-check", int, 0, "1: positions in check too"),
            ("keep-capture", int, 0, "1: those whose best move captures or promotes, too"),
            ("max-score", int, 3000, "centipawns"), ("min-pieces", int, 3, ""),
            ("max-pieces", int, 32, ""),
            ("max-surprise", float, 1, "drop |result - expected result| above this"),
            ("flatten", float, 0, "0..1: evens out the piece counts")):
        add("--" + name, type=kind, default=value, help=f"{text} (%(default)s)")
    args = parser.parse_intermixed_args()
    if not (args.description or os.path.basename(args.output)).isascii():
        parser.error("a description, or the output's name that stands for it, must be ASCII")
    if bool(args.data) == bool(args.stream):
        parser.error("either files or streams of positions are needed")
    if args.minutes <= 0:
        parser.error("--minutes must be more than 0")
    if args.positions is None:
        args.positions = 100 if args.minutes == math.inf else math.inf
    return args


def new_loader(args, library, seen, validation_permille):
    options = Options(args.seed, args.seed + seen, validation_permille, not args.keep_check,
                      not args.keep_capture, args.max_score, args.min_pieces, args.max_pieces,
                      args.max_surprise, SCALE, args.flatten)
    options.king_buckets[:] = KING_BUCKETS[args.king_buckets]
    return Loader(library, options, 768 * args.king_buckets, args.related > 0)


def open_loader(args, library, seen):
    loader = new_loader(args, library, seen, args.validation_permille)
    if args.data:
        loader.add_files(args.data, args.share)
    else:
        commands = [command for command in args.stream for _ in range(args.generators)]
        streams = Streams(commands, (args.seed + seen) * len(commands))
        loader.open_streams(streams, int(args.room * 1e6), int(min(args.begin, args.room) * 1e6),
                            args.validation_limit, args.reuse, args.share, args.scale)
    return loader


def open_test(args, library):
    """The positions of --test, all of them for validation; None without."""
    if not args.test:
        return None
    loader = new_loader(args, library, 0, 1000)
    loader.add_files([args.test], args.share, test=True)
    return loader


def loss_of(out, batch, power):
    """Mean |expected result - target|^power."""
    target = batch.lambda_ * torch.sigmoid(batch.score / SCALE) + (1 - batch.lambda_) * batch.result
    return (torch.sigmoid(out) - target).abs().pow(power).mean()


@torch.no_grad()
def validate(network, loader, args, device):
    """The loss, and two measures that do not depend on the options: squared error against the
    result and against the score's expected result."""
    sums, count = torch.zeros(3, dtype=torch.double), 0
    for batch in loader.validation(args.batch, args.validation_limit):
        batch.to(device)
        out, size = network(batch), len(batch.score)
        sums += size * torch.stack([loss_of(out, batch, args.power)] + [
            (torch.sigmoid(out) - target).square().mean()
            for target in (batch.result, torch.sigmoid(batch.score / SCALE))]).cpu()
        count += size
    return (sums / count).tolist()


def report_errors(network, loader, test, args, device):
    """The validation loss, and what a line of the report says of all errors."""
    loss, by_result, by_score = validate(network, loader, args, device)
    text = f"validation {loss:.6f} (result {by_result:.5f} score {by_score:.5f})"
    if test:
        text += f"  test {validate(network, test, args, device)[2]:.5f}"
    return loss, text


def rate_at(args, done):
    """The learning rate when the share `done` of the training is over."""
    if done < args.warm_up:
        return args.rate * (done / args.warm_up + 0.01)
    left = 1 - min(1, (done - args.warm_up) / (1 - args.warm_up))
    if args.schedule == "cosine":
        left = (1 - math.cos(math.pi * left)) / 2
    return args.rate * (args.final_rate + (1 - args.final_rate) * left)


def draw(history, path):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(8, 5))
    seen, training, validation = zip(*history)
    axes.plot(seen, training, label="training")
    axes.plot(seen, validation, label="validation")
    axes.set(xlabel="million positions", ylabel="loss", yscale="log")
    axes.legend()
    figure.savefig(path)
    pyplot.close(figure)


def check(network, loader, args):
    """Compares layer.c with torch's own operations: the gradients of one batch and the network after
    one step, from the same start."""
    batch, start, results = next(loader.batches(4096)), network.state_dict(), []
    start = {name: value.clone() for name, value in start.items()}
    for plain in (False, True):
        network.take(start)
        adam = Adam(network, args.decay)
        loss = network.learn(batch, lambda out: loss_of(out, batch, args.power), plain)
        names, native = ["features", "bias", "first", *HEAD], network.native
        if args.related:
            names.insert(3, "relations")
        slopes = [getattr(network, n).grad for n in names] if plain else (
            native.gradients + native.head_gradients)
        found = {"loss": loss[None]}
        found.update({f"slopes by {n}": g.clone() for n, g in zip(names, slopes)})
        adam.step(args.rate, plain)
        found.update({f"{n} after a step": p.detach() - start[n]
                      for n, p in network.named_parameters()})
        results.append(found)
    for name, a in results[0].items():
        b = results[1][name]
        print(f"{name}: mean difference {(a - b).abs().mean():.3g} of {b.abs().mean():.3g}, "
              f"largest {(a - b).abs().max():.3g} of {b.abs().max():.3g}")


def load_start(args, device):
    """The state of the network that --start names, and how many positions it has seen, in earlier
    parts, too. A released file has no shared part and weights as they were rounded."""
    if args.start.endswith(".nnue"):
        return state_of(read(args.start), KING_BUCKETS[args.king_buckets]), 0
    start = torch.load(args.start, map_location=device)
    return start["network"], start["seen"] + start.get("before", 0)


def save(path, network, adam, before, seen, history):
    torch.save({"network": network.state_dict(), "adam": adam.state_dict(), "before": before,
                "seen": seen, "history": history}, path + ".tmp")
    os.replace(path + ".tmp", path)


def train(args, network, adam, loader, test, before, seen, history, device):
    total, start, first, spent, losses = args.positions * 1e6, time.monotonic(), seen, 0, []
    mark = seen
    done = 0 if seen < total else 1
    _, text = report_errors(network, loader, test, args, device)
    print(f"{seen / 1e6:8.1f} M  {text}", flush=True)
    for batch in loader.batches(args.batch):
        if done >= 1:
            break
        batch.to(device)
        losses.append(network.learn(batch, lambda out: loss_of(out, batch, args.power)))
        adam.step(rate_at(args, done))
        seen += args.batch
        elapsed = time.monotonic() - start
        done = max(seen / total, elapsed / 60 / args.minutes)
        if seen - mark < args.interval * 1e6 and done < 1:
            continue
        mark = seen
        training, losses = torch.stack(losses).mean().item(), []
        validation, text = report_errors(network, loader, test, args, device)
        history.append((seen / 1e6, training, validation))
        print(f"{seen / 1e6:8.1f} M  rate {rate_at(args, done):.6f}  loss {training:.6f}  {text}  "
              f"{(seen - first) / (elapsed - spent):.0f}/s", flush=True)
        save(args.output + ".pt", network, adam, before, seen, history)
        draw(history, args.output + ".png")
        spent += time.monotonic() - start - elapsed
    return seen


def main():
    args = parse_arguments()
    torch.manual_seed(args.seed)
    library = open_library(os.path.abspath(args.native))
    device = "cuda" if torch.cuda.is_available() and not args.check else "cpu"
    torch.set_num_threads(args.threads)
    state = None
    if args.resume or args.export:
        state = torch.load(args.output + ".pt", map_location=device)
        args.hidden, args.king_buckets, args.factorise, args.related = shape_of(state["network"])
    network = Network(library, args.hidden, args.king_buckets, args.factorise, args.related,
                      args.threads, args.sparse).to(device)
    adam, seen, history = Adam(network, args.decay), 0, []
    before = 0  # of the network that the training starts with: its streams would come again
    if state:
        network.take(state["network"])
        adam.load_state_dict(state["adam"])
        before, seen, history = state.get("before", 0), state["seen"], state["history"]
    elif args.start:
        try:
            start, before = load_start(args, device)
            network.take(start)
        except (OSError, ValueError) as fault:
            sys.exit(f"{args.start}: {fault}")
    loader, test = open_loader(args, library, seen + before), open_test(args, library)
    if args.check:
        return check(network, loader, args)
    if not args.export:
        seen = train(args, network, adam, loader, test, before, seen, history, device)
    loader.close()
    export(network.cpu(), loader, KING_BUCKETS[args.king_buckets], args.output,
           args.description or f"{os.path.basename(args.output)}, {seen / 1e6:.0f} M positions")


if __name__ == "__main__":
    main()
