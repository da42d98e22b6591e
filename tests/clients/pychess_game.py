#!/usr/bin/env python3
"""PyChess finds the engine, reads its options, and lets two copies of it play against each other.
    xvfb-run -a /usr/bin/python3 tests/clients/pychess_game.py ENGINE [PLIES]
Needs Debian's pychess and xvfb. Passes when the game has ended, or PLIES (80) plies of it are
played. PyChess itself ends a game as soon as an engine dies or sends what is not legal."""
import asyncio
import os
import sys
import tempfile

SECONDS, INCREMENT, PATIENCE = 30, 1, 300


async def play(engine, plies):
    # The settings of whoever runs this are read when these are imported.
    from pychess.Players.engineNest import discoverer
    from pychess.Utils.const import BLACK, BLACKWON, DRAW, NORMALCHESS, WHITE, WHITEWON
    from pychess.Utils.GameModel import GameModel
    from pychess.Utils.TimeModel import TimeModel
    from pychess.Variants import variants

    found = asyncio.get_running_loop().create_future()
    discoverer.connect("all_engines_discovered", lambda _: found.done() or found.set_result(None))
    discoverer.addEngine("Caxton", engine, "uci", None, [])
    discoverer.discover()
    await asyncio.wait_for(found, PATIENCE)
    record = discoverer.getEngineByName("Caxton", exactName=False)
    assert record and record.get("options"), "PyChess has not found the engine"
    print(f"{len(record['options'])} options")

    game = GameModel(TimeModel(SECONDS, INCREMENT))
    game.setPlayers([await discoverer.initPlayerEngine(
        record, color, 20, variants[NORMALCHESS], SECONDS, INCREMENT, 0) for color in (WHITE, BLACK)])
    over = asyncio.get_running_loop().create_future()

    def end(*_):
        if not over.done():
            over.set_result(None)
    game.connect("game_ended", end)
    game.connect("game_changed", lambda model, ply: end() if model.ply >= plies else None)
    game.start()
    await asyncio.wait_for(over, PATIENCE)
    assert game.ply >= plies or game.status in (WHITEWON, BLACKWON, DRAW), "the game has stopped"
    print(f"{game.ply} plies, the last: {' '.join(str(move) for move in game.moves[-6:])}")


def main():
    engine, plies = os.path.abspath(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 80
    status = 1
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(HOME=home, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, XDG_CACHE_HOME=home)
        import gi
        gi.require_version("Gtk", "3.0")
        try:
            asyncio.new_event_loop().run_until_complete(play(engine, plies))
            status = 0
        except (AssertionError, asyncio.TimeoutError) as error:
            print(f"PyChess: {error or 'no end'}", file=sys.stderr)
    sys.stdout.flush()
    os._exit(status)  # at any other exit PyChess writes its settings and logs


if __name__ == "__main__":
    main()
