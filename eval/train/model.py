"""The network in floating point, on the processor through layer.c or anywhere through torch."""
import ctypes

import torch
from library import BUCKETS, LayerBatch, LayerWeights

QA, QB = 255, 64           # the integers of the file are these times the floats
OUTPUT_LIMIT = 127 / QB    # clamp * weight fits in 16 bits
FEATURE_LIMIT = 505 / QA   # 32 pieces of 505 and a bias stay below 32,767
INPUTS = 768


class Fused(torch.autograd.Function):
    """Features to outputs in one step: layer_forward and layer_backward."""

    @staticmethod
    def forward(ctx, features, bias, output, batch, hidden, library, threads):
        """hidden: room for the accumulators, free again after the backward pass."""
        tiles, rows, tile = features.shape
        size = len(batch.pieces)
        hidden.resize_(tiles, size, 2, tile)
        partial = torch.empty(tiles, size)
        ctx.batch, ctx.hidden, ctx.native = batch, hidden, library
        ctx.layout = LayerBatch(threads, size, rows, tiles, batch.features.data_ptr(),
                                batch.pieces.data_ptr())
        ctx.save_for_backward(features, bias, output)
        weights = LayerWeights(features.data_ptr(), bias.data_ptr(), output.data_ptr())
        if library.layer_forward(ctx.layout, weights, hidden.data_ptr(), partial.data_ptr()):
            raise RuntimeError("a thread could not be started")
        return partial.sum(0)

    @staticmethod
    def backward(ctx, slope):
        features, bias, output = ctx.saved_tensors
        slope = slope.contiguous()
        gradients = [torch.empty_like(tensor) for tensor in (features, bias, output)]
        weights = LayerWeights(features.data_ptr(), bias.data_ptr(), output.data_ptr())
        if ctx.native.layer_backward(ctx.layout, weights, ctx.hidden.data_ptr(), slope.data_ptr(),
                                      LayerWeights(*(g.data_ptr() for g in gradients))):
            raise RuntimeError("a thread could not be started")
        return (*gradients, None, None, None, None)


def as_rounded(tensor, scale):
    """The values that the file will hold; the gradient passes as if they were not rounded."""
    return tensor + (torch.round(tensor.detach() * scale) / scale - tensor.detach())


def shape_of(state):
    """(hidden units, king buckets, factorised?) of a network's state."""
    return (state["bias"].numel(), state["features"].shape[1] // INPUTS, "shared" in state)


class Network(torch.nn.Module):
    """Tensors are stored in tiles of the hidden layer, as layer.h needs them. With several king
    buckets `shared` holds weights that are added to each bucket's own."""

    def __init__(self, library, hidden, buckets=1, factorise=False, threads=2):
        super().__init__()
        self.native, self.buckets, self.threads = library, buckets, threads
        self.room = torch.empty(0)  # for the accumulators, reused: fresh memory costs page faults
        tile = library.layer_tile()
        tiles = hidden // tile
        if hidden % tile:
            raise ValueError(f"the hidden layer is no multiple of {tile}")
        rows = buckets * INPUTS
        start = torch.empty(tiles, INPUTS, tile).uniform_(-0.1, 0.1)
        self.features = torch.nn.Parameter(start.repeat(1, buckets, 1))
        self.bias = torch.nn.Parameter(torch.full((tiles, tile), 0.1))
        self.output = torch.nn.Parameter(
            torch.empty(tiles, 1, 2, tile).uniform_(-1, 1).repeat(1, BUCKETS, 1, 1) / hidden**0.5)
        self.output_bias = torch.nn.Parameter(torch.zeros(BUCKETS))
        self.shared = None
        if factorise and buckets > 1:
            self.shared = torch.nn.Parameter(torch.zeros(tiles, INPUTS, tile))
        self.rows = rows
        self.rounding = False

    @torch.no_grad()
    def take(self, state):
        """Copies the parameters of a network of this shape or of a simpler one; the outputs are then
        the same. Weights without king buckets become the part that all buckets share. Additional
        hidden units begin at random, with output weights of zero."""
        hidden, buckets, factorised = shape_of(state)
        if hidden > self.bias.numel() or buckets not in (1, self.buckets):
            raise ValueError(f"a network of {hidden} hidden units and {buckets} king buckets "
                             f"does not fit into one of {self.bias.numel()} and {self.buckets}")
        state = dict(state)
        if factorised and self.shared is None:
            state["features"] = state["features"] + state.pop("shared").repeat(1, buckets, 1)
        elif self.shared is not None and not factorised and buckets == 1:
            state["shared"] = state.pop("features")
            self.features.zero_()
        elif self.shared is not None and not factorised:
            sets = state["features"].view(len(state["features"]), buckets, INPUTS, -1)
            state["shared"] = sets.mean(1).clamp(-FEATURE_LIMIT / 2, FEATURE_LIMIT / 2)
            state["features"] = state["features"] - state["shared"].repeat(1, buckets, 1)
        elif buckets < self.buckets:
            state["features"] = state["features"].repeat(1, self.buckets, 1)
        self.output.zero_()
        for name, parameter in self.named_parameters():
            if name in state:
                parameter[:len(state[name])] = state[name]

    def limits(self):
        """Each parameter with the bound that keeps the integers in range."""
        bounds = {"features": FEATURE_LIMIT, "bias": FEATURE_LIMIT, "shared": FEATURE_LIMIT / 2,
                  "output": OUTPUT_LIMIT, "output_bias": 100.0}
        if self.shared is not None:
            bounds["features"] = FEATURE_LIMIT / 2
        return [(parameter, bounds[name]) for name, parameter in self.named_parameters()]

    def weights(self):
        """Feature weights with the shared part, biases, output weights; rounded when so asked."""
        features = self.features
        if self.shared is not None:
            features = features + self.shared.repeat(1, self.buckets, 1)
        if not self.rounding:
            return features, self.bias, self.output
        return as_rounded(features, QA), as_rounded(self.bias, QA), as_rounded(self.output, QB)

    def forward(self, batch, fused=None):
        """Outputs in units of SCALE centipawns for the side to move."""
        bucket = (batch.pieces.long() - 2) // 4
        if fused if fused is not None else self.bias.device.type == "cpu":
            out = Fused.apply(*self.weights(), batch, self.room, self.native, self.threads)
        else:
            out = self.plain(batch, bucket, *self.weights())
        return out + self.output_bias[bucket]

    def plain(self, batch, bucket, features, bias, output):
        """The same in torch's own operations; a row of zeros stands for the unused places."""
        size = len(bucket)
        rows = features.transpose(0, 1).reshape(self.rows, -1)
        rows = torch.cat((rows, torch.zeros_like(rows[:1])))
        hidden = torch.nn.functional.embedding_bag(
            batch.features.view(size * 2, -1).long(), rows, mode="sum") + bias.view(-1)
        active = hidden.clamp(0, 1).square().view(size, -1)
        output = output.permute(1, 2, 0, 3).reshape(BUCKETS, -1)
        return (active @ output.t()).gather(1, bucket[:, None])[:, 0]


class Adam:
    """AdamW with clipping to the limits, in C on the processor."""

    def __init__(self, network, decay):
        self.native, self.limits, self.decay = network.native, network.limits(), decay
        self.moments = [[torch.zeros_like(p) for p, _ in self.limits] for _ in range(2)]
        self.steps = 0

    def state_dict(self):
        return {"moments": self.moments, "steps": self.steps}

    def load_state_dict(self, state):
        self.moments, self.steps = state["moments"], state["steps"]

    @torch.no_grad()
    def step(self, rate):
        self.steps += 1
        step, unbias = rate / (1 - 0.9**self.steps), 1 / (1 - 0.999**self.steps)
        for (value, limit), first, second in zip(self.limits, *self.moments):
            slope = value.grad
            if value.device.type == "cpu":
                self.native.layer_adam(value.numel(), *(tensor.data_ptr() for tensor in (
                    value, slope, first, second)), step, unbias, rate * self.decay, limit)
                continue
            first.lerp_(slope, 0.1)
            second.lerp_(slope.square(), 0.001)
            value.mul_(1 - rate * self.decay)
            value.addcdiv_(first, (second * unbias).sqrt_().add_(1e-8), value=-step)
            value.clamp_(-limit, limit)
