"""The network in floating point, on the processor through layer.c or anywhere through torch."""
import torch
from library import (BUCKETS, FIRST, PAIRS, LayerBatch, LayerGradient, LayerHead,
                     LayerParameters, LayerShape, LayerStep, LayerTrained, LayerWeights, RELATIONS)

# The integers of the file are these times the floats (eval/network.h).
QA, QB, QC = 127, 64, 512
PAIR_SHIFT = 7
PAIR_UNIT = 2**PAIR_SHIFT / QA**2  # of a product of two hidden values
SUM_ONE = QB / PAIR_UNIT           # 1.0 of a sum of the first layer: 8064 and a half
SQUARE_SHIFT = 13
SQUARE_ONE = SUM_ONE / 2**SQUARE_SHIFT  # what a square of 1.0 is passed on as
SECOND = 32

FIRST_LIMIT = 127 / QB    # fits in 8 bits
HEAD_LIMIT = 4095 / QC    # weights of the second and third layer
BIAS_LIMIT = 100.0        # of the three layers
FEATURE_LIMIT = 127 / QA  # bytes; and the bias with them
INPUTS = 768
# The layers behind the sums of the first one, with their limits.
HEAD = {"first_bias": BIAS_LIMIT, "second": HEAD_LIMIT, "second_bias": BIAS_LIMIT,
        "third": HEAD_LIMIT, "third_bias": BIAS_LIMIT}


def pointers(kind, tensors):
    return kind(*(tensor.data_ptr() for tensor in tensors))


class Native:
    """The network on the processor, by layer.c: rounded weights, gradient, room for a batch. It is
    reused from step to step: the page faults of fresh memory cost more than the sums."""

    def __init__(self, library, network, threads):
        parameters = network.features, network.bias, network.first
        self.code, self.network, self.fresh = library, network, False
        related = 0 if network.relations is None else len(network.relations)
        self.shape = LayerShape(threads, len(network.features), network.rows, related)
        self.rounded = [torch.empty_like(p, dtype=torch.float if p is network.first else
                                         torch.int16) for p in parameters]
        self.rounded.append(torch.empty_like(network.first))
        self.gradients = [torch.empty_like(p) for p in parameters]
        if related:
            self.rounded.append(torch.empty_like(network.relations, dtype=torch.int8))
            self.gradients.append(torch.empty_like(network.relations))
        self.weights = pointers(LayerWeights, self.rounded)
        self.gradient = pointers(LayerGradient, self.gradients)
        self.head_gradients = [torch.empty_like(getattr(network, name)) for name in HEAD]
        self.head_gradient = pointers(LayerHead, self.head_gradients)
        self.hidden = torch.empty(0, dtype=torch.int16)
        self.partial, self.sums, self.slopes = (torch.empty(0) for _ in range(3))

    def _check(self, error):
        if error:
            raise OSError(error, "a pass over the network failed")

    def update(self, moments=None, step=None):
        """One step of what layer.c computes with, and rounding; only that without a step."""
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
        """The outputs."""
        if not self.fresh:
            self.update()
        size, tiles = len(batch.pieces), self.shape.tiles
        self.hidden.resize_(tiles, size, 2, self.rounded[0].shape[2])
        self.partial.resize_(tiles, size, FIRST)
        self.sums.resize_(size, FIRST)
        outputs = torch.empty(size)
        self._check(self.code.layer_forward(
            self.shape, self._batch(batch), self.weights, self.hidden.data_ptr(),
            self.partial.data_ptr(), self.sums.data_ptr()))
        head = self.network.head()
        self._check(self.code.layer_head_forward(
            self.shape, self._batch(batch), pointers(LayerHead, head), self.sums.data_ptr(),
            outputs.data_ptr()))
        return outputs

    def backward(self, batch, slope):
        """After forward() with the same batch: fills the gradients."""
        self.slopes.resize_(self.sums.shape)
        head = self.network.head()
        self._check(self.code.layer_head_backward(
            self.shape, self._batch(batch), pointers(LayerHead, head), self.sums.data_ptr(),
            slope.data_ptr(), self.head_gradient, self.slopes.data_ptr()))
        self._check(self.code.layer_backward(
            self.shape, self._batch(batch), self.weights, self.hidden.data_ptr(),
            self.slopes.data_ptr(), self.network.sparse / len(slope), self.gradient))

    @staticmethod
    def _batch(batch):
        return LayerBatch(len(batch.pieces), *(tensor.data_ptr() or None for tensor in (
            batch.features, batch.pieces, batch.relations, batch.related)))


def as_rounded(tensor, scale):
    """The values that the file will hold; the gradient passes as if they were not rounded."""
    return tensor + (torch.round(tensor.detach() * scale) / scale - tensor.detach())


def shape_of(state):
    """(hidden units, king buckets, factorised?, hidden units that see relations) of a network's
    state."""
    related = state["relations"][:, 0].numel() if "relations" in state else 0
    return (state["bias"].numel(), state["features"].shape[1] // INPUTS, "shared" in state, related)


class Network(torch.nn.Module):
    """Tensors are stored in tiles of the hidden layer, as layer.h needs them. With several king
    buckets `shared` holds weights that are added to each bucket's own. The last `related` hidden
    units also see relations between two pieces."""

    def __init__(self, library, hidden, buckets=1, factorise=False, related=0, threads=2, sparse=0.0):
        super().__init__()
        self.sparse = sparse  # what a product of a pair adds to the loss: then more of them are 0
        self.buckets = buckets
        tile = library.layer_tile()
        tiles = hidden // tile
        if hidden % tile or related % tile or related > hidden:
            raise ValueError(f"the hidden layer is no multiple of {tile}")
        rows = buckets * INPUTS

        def random(bound, *shape):
            """The same in all output buckets."""
            return torch.empty(1, *shape).uniform_(-bound, bound).repeat(
                BUCKETS, *[1] * len(shape))
        start = torch.empty(tiles, INPUTS, tile).uniform_(-0.1, 0.1)
        self.features = torch.nn.Parameter(start.repeat(1, buckets, 1))
        self.bias = torch.nn.Parameter(torch.full((tiles, tile), 0.2))
        self.first = torch.nn.Parameter(random(5 / hidden**0.5, 2, tiles, PAIRS, FIRST).permute(
            2, 0, 1, 3, 4).contiguous())
        self.first_bias = torch.nn.Parameter(torch.zeros(BUCKETS, FIRST))
        self.second = torch.nn.Parameter(random(0.4, 2 * FIRST, SECOND))
        self.second_bias = torch.nn.Parameter(torch.full((BUCKETS, SECOND), 0.1))
        self.third = torch.nn.Parameter(random(0.3, SECOND))
        self.third_bias = torch.nn.Parameter(torch.zeros(BUCKETS))
        self.shared = None
        if factorise and buckets > 1:
            self.shared = torch.nn.Parameter(torch.zeros(tiles, INPUTS, tile))
        self.relations = None
        if related:
            self.relations = torch.nn.Parameter(torch.zeros(related // tile, RELATIONS, tile))
        self.rows = rows
        self.native = Native(library, self, threads)

    @torch.no_grad()
    def take(self, state):
        """Copies the parameters of a network of this shape or of a simpler one; the outputs are then
        the same. Weights without king buckets become the part that all buckets share. Additional
        hidden units begin at random, with weights of zero in the first layer."""
        hidden, buckets, factorised, related = shape_of(state)
        if hidden > self.bias.numel() or buckets not in (1, self.buckets):
            raise ValueError(f"a network of {hidden} hidden units and {buckets} king buckets "
                             f"does not fit into one of {self.bias.numel()} and {self.buckets}")
        if related and (self.relations is None or related != self.relations[:, 0].numel()):
            raise ValueError(f"a network whose last {related} hidden units see relations wants "
                             f"--related {related}")
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
        self.first.zero_()
        self.native.fresh = False
        for name, parameter in self.named_parameters():
            if name in state:
                parameter[:len(state[name])] = state[name]

    def limits(self):
        """Each parameter with the bound that keeps the integers in range."""
        bounds = {"features": FEATURE_LIMIT, "bias": FEATURE_LIMIT, "shared": FEATURE_LIMIT / 2,
                  "first": FIRST_LIMIT, "relations": FEATURE_LIMIT, **HEAD}
        if self.shared is not None:
            bounds["features"] = FEATURE_LIMIT / 2
        return [(parameter, bounds[name]) for name, parameter in self.named_parameters()]

    def weights(self):
        """Feature weights with the shared part, biases, weights of the first layer: rounded."""
        features = self.features
        if self.shared is not None:
            features = features + self.shared.repeat(1, self.buckets, 1)
        return as_rounded(features, QA), as_rounded(self.bias, QA), as_rounded(self.first, QB)

    def head(self):
        """The layers behind the sums of the first one, as HEAD names them: rounded."""
        scales = SUM_ONE, QC, SUM_ONE * QC, QC, SUM_ONE * QC
        return [as_rounded(getattr(self, name), scale) for name, scale in zip(HEAD, scales)]

    def forward(self, batch):
        """Outputs in units of SCALE centipawns for the side to move."""
        with torch.no_grad():
            return self.plain(batch) if self.bias.device.type != "cpu" else (
                self.native.forward(batch))

    def learn(self, batch, loss_of, plain=False):
        """The loss, and its gradient in the parameters; on the processor in those of `native`.
        plain: by torch's own operations, wherever the network is."""
        if plain or self.bias.device.type != "cpu":
            self.zero_grad()
            loss = loss_of(self.plain(batch))
            (loss + self.sparse * self.pairs.sum() / len(batch.pieces)).backward()
            return loss.detach()
        out = self(batch).requires_grad_()
        loss = loss_of(out)
        loss.backward()
        with torch.no_grad():
            self.native.backward(batch, out.grad)
        return loss.detach()

    def plain(self, batch):
        """The outputs in torch's own operations; a row of zeros stands for the unused places."""
        bucket = (batch.pieces.long() - 2) // 4
        features, bias, first = self.weights()
        size = len(bucket)
        rows = features.transpose(0, 1).reshape(self.rows, -1)
        rows = torch.cat((rows, torch.zeros_like(rows[:1])))
        hidden = torch.nn.functional.embedding_bag(
            batch.features.view(size * 2, -1).long(), rows, mode="sum") + bias.view(-1)
        if self.relations is not None:
            rows = as_rounded(self.relations, QA).transpose(0, 1).reshape(RELATIONS, -1)
            rows = torch.cat((rows, torch.zeros_like(rows[:1])))
            sums = torch.nn.functional.embedding_bag(
                batch.relations.view(size * 2, -1).long() & 0xFFFF, rows, mode="sum")
            hidden = hidden + torch.nn.functional.pad(sums, (hidden.shape[1] - sums.shape[1], 0))
        pairs = hidden.clamp(0, 1).view(size, 2, len(bias), 2, PAIRS).prod(3)
        whole = torch.floor(torch.round(pairs.detach() * QA**2) / 2**PAIR_SHIFT) * PAIR_UNIT
        self.pairs = pairs
        pairs = (pairs + (whole - pairs.detach())).view(size, -1)
        sums = pairs @ first.permute(2, 0, 3, 1, 4).reshape(-1, BUCKETS * FIRST)
        first_bias, second, second_bias, third, third_bias = self.head()
        value = (sums.view(size, BUCKETS, FIRST) + first_bias).clamp(-1, 1)
        active = torch.cat((value.clamp(min=0), value.square() * SQUARE_ONE), 2).transpose(0, 1)
        value = torch.baddbmm(second_bias[:, None], active, second).clamp(0, 1)
        outputs = torch.baddbmm(third_bias[:, None, None], value, third[:, :, None])[:, :, 0]
        return outputs.gather(0, bucket[None])[0]


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
        settings = LayerStep(step, unbias, rate * self.decay, FEATURE_LIMIT, FIRST_LIMIT)
        self.network.native.update(moments, settings)
        native = self.network.native
        for (name, limit), slope in zip(HEAD.items(), native.head_gradients):
            trained = LayerTrained(getattr(self.network, name).data_ptr(),
                                   *(m[name].data_ptr() for m in moments))
            native.code.layer_adam(slope.numel(), trained, slope.data_ptr(), settings, limit)

    def _plain(self, rate, step, unbias):
        for (value, limit), first, second in zip(self.limits, *self.moments):
            slope = value.grad
            first.lerp_(slope, 0.1)
            second.lerp_(slope.square(), 0.001)
            value.mul_(1 - rate * self.decay)
            value.addcdiv_(first, (second * unbias).sqrt_().add_(1e-8), value=-step)
            value.clamp_(-limit, limit)
