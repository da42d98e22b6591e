"""The network in floating point, on the processor through layer.c or anywhere through torch."""
import torch
from library import (BUCKETS, LayerBatch, LayerParameters, LayerShape, LayerStep, LayerTrained,
                     LayerWeights)

QA, QB = 255, 64           # the integers of the file are these times the floats
OUTPUT_LIMIT = 127 / QB    # clamp * weight fits in 16 bits
FEATURE_LIMIT = 505 / QA   # 32 pieces of 505 and a bias stay below 32,767
OUTPUT_BIAS_LIMIT = 100.0
INPUTS = 768


def pointers(kind, tensors):
    return kind(*(tensor.data_ptr() for tensor in tensors))


class Native:
    """The network on the processor, by layer.c: rounded weights, gradient, room for a batch. It is
    reused from step to step: the page faults of fresh memory cost more than the sums."""

    def __init__(self, library, network, threads):
        parameters = network.features, network.bias, network.output
        self.code, self.network, self.fresh = library, network, False
        self.shape = LayerShape(threads, len(network.features), network.rows)
        self.rounded = [torch.empty_like(p, dtype=torch.float if p is network.output else
                                         torch.int16) for p in parameters]
        self.gradients = [torch.empty_like(p) for p in parameters]
        self.weights = pointers(LayerWeights, self.rounded)
        self.gradient = pointers(LayerWeights, self.gradients)
        self.hidden = torch.empty(0, dtype=torch.int16)

    def _check(self, error):
        if error:
            raise OSError(error, "a pass over the network failed")

    def update(self, moments=None, step=None):
        """One step of all parameters but the output bias, and rounding; only that without a step."""
        network, none = self.network, LayerTrained()
        moments = moments or [{}, {}]

        def trained(name):
            value = getattr(network, name)
            return none if value is None else LayerTrained(value.data_ptr(), *(
                m[name].data_ptr() if m else None for m in moments))
        parameters = LayerParameters(*(trained(name) for name, _ in LayerParameters._fields_))
        self._check(self.code.layer_update(self.shape, parameters, self.gradient, step,
                                              self.weights))
        self.fresh = True

    def forward(self, batch):
        """The outputs, without the output bias."""
        if not self.fresh:
            self.update()
        size, tiles = len(batch.pieces), self.shape.tiles
        self.hidden.resize_(tiles, size, 2, self.rounded[0].shape[2])
        partial = torch.empty(tiles, size)
        self._check(self.code.layer_forward(self.shape, self._batch(batch), self.weights,
                                               self.hidden.data_ptr(), partial.data_ptr()))
        return partial.sum(0)

    def backward(self, batch, slope):
        """After forward() with the same batch: fills the gradient."""
        self._check(self.code.layer_backward(
            self.shape, self._batch(batch), self.weights, self.hidden.data_ptr(),
            slope.data_ptr(), self.gradient))

    @staticmethod
    def _batch(batch):
        return LayerBatch(len(batch.pieces), batch.features.data_ptr(), batch.pieces.data_ptr())


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
        self.buckets = buckets
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
        self.native = Native(library, self, threads)

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
        self.native.fresh = False
        for name, parameter in self.named_parameters():
            if name in state:
                parameter[:len(state[name])] = state[name]

    def limits(self):
        """Each parameter with the bound that keeps the integers in range."""
        bounds = {"features": FEATURE_LIMIT, "bias": FEATURE_LIMIT, "shared": FEATURE_LIMIT / 2,
                  "output": OUTPUT_LIMIT, "output_bias": OUTPUT_BIAS_LIMIT}
        if self.shared is not None:
            bounds["features"] = FEATURE_LIMIT / 2
        return [(parameter, bounds[name]) for name, parameter in self.named_parameters()]

    def weights(self):
        """Feature weights with the shared part, biases, output weights: rounded."""
        features = self.features
        if self.shared is not None:
            features = features + self.shared.repeat(1, self.buckets, 1)
        return as_rounded(features, QA), as_rounded(self.bias, QA), as_rounded(self.output, QB)

    def forward(self, batch):
        """Outputs in units of SCALE centipawns for the side to move."""
        bucket = (batch.pieces.long() - 2) // 4
        if self.bias.device.type != "cpu":
            return self.plain(batch, bucket, *self.weights()) + self.output_bias[bucket]
        with torch.no_grad():
            return self.native.forward(batch) + self.output_bias[bucket]

    def learn(self, batch, loss_of, plain=False):
        """The loss, and its gradient in the parameters; on the processor in native.gradients. plain:
        by torch's own operations, wherever the network is."""
        if plain or self.bias.device.type != "cpu":
            self.zero_grad()
            bucket = (batch.pieces.long() - 2) // 4
            loss = loss_of(self.plain(batch, bucket, *self.weights()) + self.output_bias[bucket])
            loss.backward()
            return loss.detach()
        out = self(batch).requires_grad_()
        loss = loss_of(out)
        loss.backward()
        self.native.backward(batch, out.grad)
        self.output_bias.grad = torch.zeros_like(self.output_bias).index_add_(
            0, (batch.pieces.long() - 2) // 4, out.grad)
        return loss.detach()

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
        self.network, self.decay, self.steps = network, decay, 0
        self.limits = network.limits()
        self.moments = [[torch.zeros_like(p) for p, _ in self.limits] for _ in range(2)]

    def state_dict(self):
        return {"moments": self.moments, "steps": self.steps}

    def load_state_dict(self, state):
        self.moments, self.steps = state["moments"], state["steps"]

    @torch.no_grad()
    def step(self, rate, plain=False):
        """After network.learn()."""
        self.steps += 1
        step, unbias = rate / (1 - 0.9**self.steps), 1 / (1 - 0.999**self.steps)
        if plain or self.network.bias.device.type != "cpu":
            self._plain(rate, step, unbias)
            return
        names = [name for name, _ in self.network.named_parameters()]
        moments = [dict(zip(names, tensors)) for tensors in self.moments]
        settings = LayerStep(step, unbias, rate * self.decay, FEATURE_LIMIT, OUTPUT_LIMIT)
        bias = self.network.output_bias
        self.network.native.update(moments, settings)
        self.network.native.code.layer_adam(
            bias.numel(), LayerTrained(bias.data_ptr(), *(m["output_bias"].data_ptr()
                                                          for m in moments)),
            bias.grad.data_ptr(), settings, OUTPUT_BIAS_LIMIT)

    def _plain(self, rate, step, unbias):
        for (value, limit), first, second in zip(self.limits, *self.moments):
            slope = value.grad
            first.lerp_(slope, 0.1)
            second.lerp_(slope.square(), 0.001)
            value.mul_(1 - rate * self.decay)
            value.addcdiv_(first, (second * unbias).sqrt_().add_(1e-8), value=-step)
            value.clamp_(-limit, limit)
