"""Which relations between two pieces a position has, as eval/relations.h numbers them. Independent of
eval/relations.c on purpose."""
PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING = range(6)
LINES = ((1, 0), (-1, 0), (0, 1), (0, -1))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
STEPS = {KNIGHT: [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)],
         BISHOP: DIAGONALS, ROOK: LINES, QUEEN: LINES + DIAGONALS}
# The types whose being attacked counts, in order.
TARGETS = {PAWN: [KNIGHT, ROOK], KNIGHT: [PAWN, KNIGHT, BISHOP, ROOK, QUEEN],
           BISHOP: [PAWN, KNIGHT, BISHOP, ROOK], ROOK: [PAWN, KNIGHT, BISHOP, ROOK],
           QUEEN: [PAWN, KNIGHT, BISHOP, ROOK, QUEEN]}


def reached(kind, enemy, square, occupied=frozenset()):
    """Squares that a piece attacks, in order."""
    steps = STEPS.get(kind, [(-1, -1 if enemy else 1), (1, -1 if enemy else 1)])
    found = []
    for x, y in steps:
        file, rank = square % 8 + x, square // 8 + y
        while 0 <= file < 8 and 0 <= rank < 8:
            found.append(8 * rank + file)
            if kind in (PAWN, KNIGHT) or found[-1] in occupied:
                break
            file, rank = file + x, rank + y
    return sorted(found)


def number_threats():
    """{(attacker's type, is it the other's?, its square, the other piece's type, is it the other's?,
    its square): number}."""
    numbers, first = {}, 0
    for enemy in (False, True):
        for kind in TARGETS:
            pairs = [(square, to) for square in range(64)
                     if kind != PAWN or 8 <= square < 56 for to in reached(kind, enemy, square)]
            for other_enemy in (False, True):
                for other in TARGETS[kind]:
                    for at, (square, to) in enumerate(pairs):
                        numbers[kind, enemy, square, other, other_enemy, to] = first + at
                    first += len(pairs)
    return numbers, first


THREATS, FIRST_PAIR = number_threats()
RELATIONS = FIRST_PAIR + 96 * 95 // 2


def relations_of(pieces):
    """Numbers of the relations of pieces (square, type, is it the other's?), as one side sees
    them."""
    board = {square: (kind, enemy) for square, kind, enemy in pieces}
    found = []
    for square, kind, enemy in pieces:
        for to in reached(kind, enemy, square, board) if kind != KING else ():
            if to in board and not (board[to][0] == kind and square < to):
                found.append(THREATS.get((kind, enemy, square, *board[to], to)))
    pawns = sorted((48 if enemy else 0) + square - 8 for square, kind, enemy in pieces
                   if kind == PAWN)
    for i, high in enumerate(pawns):
        found += [FIRST_PAIR + high * (high - 1) // 2 + low for low in pawns[:i]
                  if abs(high % 8 - low % 8) <= 1]
    return [number for number in found if number is not None]
